//! Packages: directories with a `cl/` tree, and how they are found.

use crate::error::{LibraryError, Result};
use crate::files::read_regular;
use crate::folder::Folder;
use crate::graph::Order;
use crate::library::{Library, Shard, concatenate};
use crate::text::{decode, display_path};
use gristmill_support::nearest;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The environment variable with the directories in which packages are looked for.
pub const SEARCH_PATH: &str = "GRISTMILL_PATH";

/// A package that is part of the program: paths within the `cl/` tree, and the files' texts.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinPackage {
    /// The package's name.
    pub name: &'static str,
    /// `("nmath/dnorm.cl", "…")`, sorted by path.
    pub files: &'static [(&'static str, &'static str)],
}

impl BuiltinPackage {
    /// The folders of its tree, as the command line names them: `PACKAGE::LIB`.
    fn libraries(&self) -> Vec<String> {
        let folders = self.files.iter().filter_map(|(path, _)| path.rsplit_once('/')).map(|(folder, _)| folder);
        let folders: BTreeSet<&str> = folders.collect();
        folders.iter().map(|folder| format!("{}::{folder}", self.name)).collect()
    }
}

/// Where packages are looked for: an explicit path, then `GRISTMILL_PATH`, then what is built in.
#[derive(Debug, Clone, Default)]
pub struct Packages {
    search: Vec<PathBuf>,
    builtin: &'static [BuiltinPackage],
}

impl Packages {
    /// Looks in these directories, then among the built-in packages.
    #[must_use]
    pub fn new(search: Vec<PathBuf>, builtin: &'static [BuiltinPackage]) -> Self {
        Self { search, builtin }
    }

    /// Looks in the directories of `GRISTMILL_PATH`, then among the built-in packages.
    #[must_use]
    pub fn from_env(builtin: &'static [BuiltinPackage]) -> Self {
        let search = std::env::var_os(SEARCH_PATH).map(|p| std::env::split_paths(&p).collect()).unwrap_or_default();
        Self::new(search, builtin)
    }

    /// Finds a package by name or path.
    ///
    /// # Errors
    /// [`LibraryError::PackageNotFound`], with every place that was looked at.
    pub fn find(&self, package: &str) -> Result<Package> {
        let mut looked = Vec::new();
        let path = Path::new(package);
        if let Some(found) = Package::at(path) {
            return Ok(found);
        }
        looked.push(format!("{}/cl", display_path(path)));
        let is_name = path.components().count() == 1 && matches!(path.components().next(), Some(Component::Normal(_)));
        if is_name {
            for dir in self.search.iter().filter(|dir| !dir.as_os_str().is_empty()) {
                let itself = dir.file_name().is_some_and(|name| name == package);
                let found = Package::at(&dir.join(package)).or_else(|| itself.then(|| Package::at(dir)).flatten());
                if let Some(found) = found {
                    return Ok(found);
                }
                looked.push(format!("{}/cl ({SEARCH_PATH})", display_path(&dir.join(package))));
            }
            if let Some(found) = self.builtin.iter().find(|p| p.name == package) {
                return Ok(Package { name: found.name.to_owned(), tree: Tree::BuiltIn(*found) });
            }
            let names: Vec<&str> = self.builtin.iter().map(|p| p.name).collect();
            looked.push(match names.as_slice() {
                [] => "the built-in packages (there are none)".to_owned(),
                names => format!("the built-in packages ({})", names.join(", ")),
            });
        }
        Err(LibraryError::PackageNotFound { package: package.to_owned(), looked })
    }

    /// The folder that a name stands for: `PACKAGE::PATH` in that package's tree; else a path in the tree of `package`, if
    /// there is one; else a path on disk.
    ///
    /// # Errors
    /// If there is no such package or folder, or the path leaves the package's tree.
    pub fn folder(&self, name: &str, package: Option<&Package>) -> Result<Folder> {
        match self.within(name, package)? {
            (Some(package), path) => package.folder(path),
            (None, path) => match self.builtin.iter().find(|p| p.name == path) {
                Some(builtin) if !Path::new(path).exists() => {
                    Err(LibraryError::PathOfBuiltIn { path: path.to_owned(), libraries: builtin.libraries() })
                }
                _ => Folder::at(Path::new(path)),
            },
        }
    }

    /// The file that a name stands for, as [`folder`](Self::folder) does for folders, and the package around it.
    ///
    /// # Errors
    /// As there.
    pub fn file(&self, name: &str, package: Option<&Package>) -> Result<(Shard, Option<Package>)> {
        match self.within(name, package)? {
            (Some(package), path) => Ok((package.shard(path)?, Some(package))),
            (None, path) => {
                let path = Path::new(path);
                Ok((Shard::read(path)?, Package::containing(folder_of(path))))
            }
        }
    }

    /// The path of the file that a name stands for, for those who write to it.
    ///
    /// # Errors
    /// As [`folder`](Self::folder), or if the package is built in.
    pub fn path_of_file(&self, name: &str, package: Option<&Package>) -> Result<PathBuf> {
        match self.within(name, package)? {
            (Some(package), path) => package.path_of(path),
            (None, path) => Ok(PathBuf::from(path)),
        }
    }

    fn within<'a>(&self, name: &'a str, package: Option<&Package>) -> Result<(Option<Package>, &'a str)> {
        match name.split_once("::") {
            Some((other, path)) => Ok((Some(self.find(other)?), path)),
            None => Ok((package.cloned(), name)),
        }
    }
}

/// A tree of `.cl` files.
#[derive(Debug, Clone)]
pub struct Package {
    name: String,
    tree: Tree,
}

#[derive(Debug, Clone)]
enum Tree {
    /// `root` as it is shown, `real` without links; `label` is `cl`, `inst/cl`, or nothing for a folder of no package.
    Directory {
        root: PathBuf,
        real: PathBuf,
        label: &'static str,
    },
    BuiltIn(BuiltinPackage),
}

impl Package {
    /// The package at a directory that has a `cl/` tree, or `inst/cl/` as in the sources of an R package.
    #[must_use]
    pub fn at(dir: &Path) -> Option<Self> {
        for label in ["cl", "inst/cl"] {
            let root = if dir == Path::new(".") { PathBuf::from(label) } else { dir.join(label) };
            if root.is_dir()
                && let Some(real) = place_of(&root, dir, label)
            {
                return Some(Self { name: folder_name(dir), tree: Tree::Directory { root, real, label } });
            }
        }
        None
    }

    /// The package whose tree contains this directory: one at or above it is called `cl`. Its paths are relative to the
    /// working directory if `dir` is, so that what they name does not depend on where a tree lies.
    #[must_use]
    pub fn containing(dir: &Path) -> Option<Self> {
        let is_tree = |p: &&Path| p.file_name().is_some_and(|n| n == "cl");
        let written = dir.ancestors().find(|p| is_tree(p) && p.is_dir()).map(Path::to_path_buf);
        let root = written.or_else(|| {
            let real = dir.canonicalize().ok()?;
            let root = real.ancestors().find(is_tree)?;
            let here = std::env::current_dir().ok().filter(|_| dir.is_relative()).and_then(|d| d.canonicalize().ok());
            Some(here.map_or_else(|| root.to_path_buf(), |here| relative(&here, root)))
        })?;
        let name = |p: &Path| p.canonicalize().ok()?.file_name().map(|n| n.to_string_lossy().into_owned());
        // As it is written: the parent of a link is not that of what it leads to.
        let parent = folder_of(&root);
        let (label, package) = match parent.file_name() {
            Some(inst) if inst == "inst" => ("inst/cl", folder_of(parent).to_path_buf()),
            None if name(parent)? == "inst" => ("inst/cl", parent.join("..")),
            _ => ("cl", parent.to_path_buf()),
        };
        let real = place_of(&root, &package, label)?;
        Some(Self { name: name(&package)?, tree: Tree::Directory { root, real, label } })
    }

    /// The package around a directory, or one that is just this directory, so that what is said of packages (nothing
    /// outside their tree is read or written) holds for folders of no package too.
    ///
    /// # Errors
    /// If there is no such directory.
    pub(crate) fn around(dir: &Path) -> Result<Self> {
        let real = dir.canonicalize().map_err(LibraryError::io("read", dir))?;
        if !real.is_dir() {
            return Err(LibraryError::io("read", dir)(std::io::Error::from(std::io::ErrorKind::NotADirectory)));
        }
        Ok(Self::containing(dir).unwrap_or_else(|| Self {
            name: folder_name(dir),
            tree: Tree::Directory { root: dir.to_path_buf(), real, label: "" },
        }))
    }

    /// The package's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The directory of the tree, unless the package is built in.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        match &self.tree {
            Tree::Directory { root, .. } => Some(root),
            Tree::BuiltIn(_) => None,
        }
    }

    /// Whether this is a folder that belongs to no package, taken as a tree of its own.
    #[must_use]
    pub fn is_lone_folder(&self) -> bool {
        matches!(self.tree, Tree::Directory { label: "", .. })
    }

    /// Whether two values mean the same tree.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (&self.tree, &other.tree) {
            (Tree::Directory { real: a, .. }, Tree::Directory { real: b, .. }) => a == b,
            (Tree::BuiltIn(a), Tree::BuiltIn(b)) => a.name == b.name,
            _ => false,
        }
    }

    /// Whether the package is part of the program.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        matches!(self.tree, Tree::BuiltIn(_))
    }

    /// Whether the tree has this file.
    #[must_use]
    pub fn has_file(&self, relative_path: &str) -> bool {
        self.read(relative_path).is_ok()
    }

    /// The text of one file: `load_kernel_source`.
    ///
    /// # Errors
    /// [`LibraryError::FileNotFound`], or [`LibraryError::PathLeavesPackage`] for a path out of the tree.
    pub fn load_kernel_source(&self, relative_path: &str) -> Result<String> {
        Ok(decode(self.read(relative_path)?.1).text)
    }

    /// One file as a shard.
    ///
    /// # Errors
    /// As [`load_kernel_source`](Self::load_kernel_source).
    pub fn shard(&self, relative_path: &str) -> Result<Shard> {
        let (path, bytes) = self.read(relative_path)?;
        let stem = Path::new(relative_path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Shard::from_bytes(stem, path, bytes))
    }

    /// A subdirectory of the tree.
    ///
    /// # Errors
    /// If there is none, or the path leaves the tree.
    pub fn folder(&self, subdir: &str) -> Result<Folder> {
        let inside = self.inside(subdir)?;
        match &self.tree {
            Tree::Directory { root, label, .. } => {
                let dir = root.join(&inside);
                if !dir.is_dir() {
                    return Err(self.not_found(label, subdir));
                }
                Folder::new(self.clone(), dir)
            }
            Tree::BuiltIn(package) => {
                let prefix = format!("{}/", display_path(&inside));
                if !package.files.iter().any(|(path, _)| path.starts_with(&prefix)) {
                    return Err(self.not_found("cl", subdir));
                }
                Folder::new(self.clone(), inside)
            }
        }
    }

    /// A subdirectory as a library.
    ///
    /// # Errors
    /// As [`folder`](Self::folder) and [`Folder::library`].
    pub fn library(&self, subdir: &str) -> Result<Library> {
        self.folder(subdir)?.library()
    }

    /// The text of a whole library in order, and the order: `load_kernel_library`.
    ///
    /// # Errors
    /// As [`library`](Self::library) and [`Library::order`].
    pub fn load_kernel_library(&self, subdir: &str) -> Result<(String, Library, Order)> {
        let library = self.library(subdir)?;
        let order = library.order()?;
        let text = concatenate(order.shards(&library).map(Shard::text));
        Ok((text, library, order))
    }

    /// The path to show and the bytes.
    pub(crate) fn read(&self, relative_path: &str) -> Result<(String, Vec<u8>)> {
        let relative = self.inside(relative_path)?;
        match &self.tree {
            Tree::Directory { .. } => {
                let path = self.path_of(relative_path)?;
                let bytes = read_regular(&path).map_err(LibraryError::io("read", &path))?;
                Ok((display_path(&path), bytes))
            }
            Tree::BuiltIn(package) => {
                let wanted = display_path(&relative);
                let file = package.files.iter().find(|(path, _)| *path == wanted);
                let (path, text) = file.ok_or_else(|| self.not_found("cl", relative_path))?;
                Ok((builtin_label(package.name, path), text.as_bytes().to_vec()))
            }
        }
    }

    /// Where one of its files is.
    fn path_of(&self, relative_path: &str) -> Result<PathBuf> {
        let relative = self.inside(relative_path)?;
        match &self.tree {
            Tree::Directory { root, label, .. } => {
                let path = root.join(&relative);
                if !path.exists() {
                    return Err(self.not_found(label, relative_path));
                }
                self.admit(&path)?;
                Ok(path)
            }
            Tree::BuiltIn(package) => Err(built_in(&builtin_label(package.name, &display_path(&relative)))),
        }
    }

    /// The built-in files below a directory of the tree: names and texts; `None` for a package on disk.
    pub(crate) fn built_in_files(&self, inside: &Path) -> Option<Vec<(&'static str, &'static str)>> {
        let Tree::BuiltIn(package) = &self.tree else { return None };
        let prefix = format!("{}/", display_path(inside));
        let within = |(path, text): &(&'static str, &'static str)| {
            path.strip_prefix(&prefix).filter(|name| !name.contains('/')).map(|name| (name, *text))
        };
        Some(package.files.iter().filter_map(within).collect())
    }

    /// The one gate between a package and the disk: whatever is read from a package, and the folder of whatever is written,
    /// passes here. A path is let through if what it leads to, with all links followed, is in the tree.
    ///
    /// # Errors
    /// [`LibraryError::PathLeavesPackage`], or if the path does not exist.
    pub(crate) fn admit(&self, path: &Path) -> Result<()> {
        let Tree::Directory { root, real: tree, .. } = &self.tree else { return Ok(()) };
        let real = path.canonicalize().map_err(LibraryError::io("read", path))?;
        if real.starts_with(tree) {
            return Ok(());
        }
        Err(LibraryError::PathLeavesPackage {
            path: display_path(path.strip_prefix(root).unwrap_or(path)),
            package: self.name.clone(),
            reason: format!(
                "{} {} {}",
                display_path(path),
                if path.is_symlink() {
                    "is a symbolic link to"
                } else if path.components().any(|c| c == Component::ParentDir) {
                    "leads to"
                } else {
                    "leads through a symbolic link to"
                },
                display_path(&real)
            ),
        })
    }

    /// The same gate for a folder that is to be made or filled: a path that goes through a package's tree must end in it.
    ///
    /// # Errors
    /// As [`admit`](Self::admit).
    pub(crate) fn admit_destination(dest: &Path) -> Result<()> {
        // Of what is not there yet, the folder around it decides.
        let there = if dest.symlink_metadata().is_ok() { dest } else { folder_of(dest) };
        Package::containing(there).map_or(Ok(()), |package| package.admit(there))
    }

    /// The path without `.`; refuses everything but names below the tree.
    fn inside(&self, relative_path: &str) -> Result<PathBuf> {
        let refuse = |reason: &str| {
            Err(LibraryError::PathLeavesPackage {
                path: relative_path.to_owned(),
                package: self.name.clone(),
                reason: reason.to_owned(),
            })
        };
        let mut inside = PathBuf::new();
        for component in Path::new(relative_path).components() {
            match component {
                Component::Normal(part) => inside.push(part),
                Component::CurDir => {}
                Component::ParentDir => return refuse("it contains `..`"),
                Component::RootDir | Component::Prefix(_) => return refuse("it is absolute"),
            }
        }
        if relative_path.contains('\\') {
            return refuse("it contains `\\`; write `/` between directories");
        }
        Ok(inside)
    }

    fn not_found(&self, label: &str, path: &str) -> LibraryError {
        let parent = Path::new(path).parent().map(display_path).unwrap_or_default();
        let names: Vec<String> = match &self.tree {
            Tree::Directory { root, .. } => std::fs::read_dir(root.join(&parent))
                .map(|dir| dir.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect())
                .unwrap_or_default(),
            Tree::BuiltIn(package) => {
                let strip = |p: &str| {
                    let rest = if parent.is_empty() { p } else { p.strip_prefix(&format!("{parent}/"))? };
                    rest.split('/').next().map(str::to_owned)
                };
                package.files.iter().filter_map(|(p, _)| strip(p)).collect()
            }
        };
        let wanted = Path::new(path).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let near = nearest(&wanted, names.iter().map(String::as_str));
        LibraryError::FileNotFound {
            path: if label.is_empty() { path.to_owned() } else { format!("{label}/{path}") },
            package: self.name.clone(),
            nearest: near.map(|n| if parent.is_empty() { n.to_owned() } else { format!("{parent}/{n}") }),
        }
    }
}

/// Where a tree really is. One that a link leads to is part of the package only if it is in the package's folder; otherwise
/// this is the place where it should be, so that the gate lets nothing of it through.
fn place_of(root: &Path, package: &Path, label: &str) -> Option<PathBuf> {
    let package = if package.as_os_str().is_empty() { Path::new(".") } else { package };
    let (real, around) = (root.canonicalize().ok()?, package.canonicalize().ok()?);
    Some(if real.starts_with(&around) { real } else { around.join(label) })
}

/// The folder of a path as it is written; `file` without one is in the current folder.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What is said of a file of the program to whoever wants to write to it.
pub(crate) fn built_in(shown: &str) -> LibraryError {
    let reason = "it is built into the program; copy it with `gristmill lib subset`";
    LibraryError::io("write", shown)(std::io::Error::other(reason))
}

/// The directory's own name, also for `.` and `dir/..`.
pub(crate) fn folder_name(dir: &Path) -> String {
    let name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned());
    name(dir).or_else(|| name(&dir.canonicalize().ok()?)).unwrap_or_else(|| "library".to_owned())
}

/// The way from one absolute directory to another.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(shared)).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}

pub(crate) fn builtin_label(package: &str, path: &str) -> String {
    format!("{package}:cl/{path}")
}
