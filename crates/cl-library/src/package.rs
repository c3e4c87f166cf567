//! Packages: directories with a `cl/` tree, and how they are found.

use crate::error::{LibraryError, Result};
use crate::library::{Library, Order, Shard, concatenate};
use crate::text::{decode, display_path};
use gristmill_support::nearest;
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
}

/// A tree of `.cl` files.
#[derive(Debug, Clone)]
pub struct Package {
    name: String,
    tree: Tree,
}

#[derive(Debug, Clone)]
enum Tree {
    Directory { root: PathBuf, label: &'static str },
    BuiltIn(BuiltinPackage),
}

impl Package {
    /// The package at a directory that has a `cl/` tree, or `inst/cl/` as in the sources of an R package.
    #[must_use]
    pub fn at(dir: &Path) -> Option<Self> {
        for label in ["cl", "inst/cl"] {
            let root = if dir == Path::new(".") { PathBuf::from(label) } else { dir.join(label) };
            if root.is_dir() {
                return Some(Self { name: crate::library::library_name(dir), tree: Tree::Directory { root, label } });
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
        let parent = root.join("..");
        let (label, package) = if name(&parent)? == "inst" { ("inst/cl", parent.join("..")) } else { ("cl", parent) };
        Some(Self { name: name(&package)?, tree: Tree::Directory { root, label } })
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

    /// A subdirectory as a library.
    ///
    /// # Errors
    /// As [`load_kernel_source`](Self::load_kernel_source), for the directory and for each file in it.
    pub fn library(&self, subdir: &str) -> Result<Library> {
        let relative = self.inside(subdir)?;
        let shards: Vec<Shard> = match &self.tree {
            Tree::Directory { root, label } => {
                let dir = root.join(&relative);
                if !dir.is_dir() {
                    return Err(self.not_found(label, subdir));
                }
                self.check_links(root, &dir, subdir)?;
                let mut shards = Vec::new();
                for path in crate::library::cl_files(&dir)? {
                    self.check_links(root, &path, subdir)?;
                    shards.push(Shard::read(&path)?);
                }
                shards
            }
            Tree::BuiltIn(package) => {
                let prefix = format!("{}/", display_path(&relative));
                let files = package.files.iter().filter_map(|(path, text)| {
                    let stem = path.strip_prefix(&prefix)?.strip_suffix(".cl")?;
                    (!stem.contains('/')).then(|| Shard::with_path(stem, builtin_label(package.name, path), *text))
                });
                files.collect()
            }
        };
        if shards.is_empty() {
            return Err(match &self.tree {
                Tree::Directory { root, .. } => LibraryError::EmptyLibrary { dir: root.join(relative) },
                Tree::BuiltIn(_) => self.not_found("cl", subdir),
            });
        }
        Library::new(crate::library::library_name(&relative), shards)
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
            Tree::Directory { root, label } => {
                let path = root.join(&relative);
                if !path.is_file() {
                    return Err(self.not_found(label, relative_path));
                }
                self.check_links(root, &path, relative_path)?;
                let bytes = std::fs::read(&path).map_err(LibraryError::io("read", &path))?;
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

    fn check_links(&self, root: &Path, path: &Path, relative_path: &str) -> Result<()> {
        let root = root.canonicalize().map_err(LibraryError::io("read", root))?;
        let real = path.canonicalize().map_err(LibraryError::io("read", path))?;
        if real.starts_with(&root) {
            return Ok(());
        }
        Err(LibraryError::PathLeavesPackage {
            path: relative_path.to_owned(),
            package: self.name.clone(),
            reason: format!("{} is a symbolic link to {}", display_path(path), display_path(&real)),
        })
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
            tree: label.to_owned(),
            path: path.to_owned(),
            package: self.name.clone(),
            nearest: near.map(|n| if parent.is_empty() { n.to_owned() } else { format!("{parent}/{n}") }),
        }
    }
}

/// The way from one absolute directory to another.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(shared)).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}

fn builtin_label(package: &str, path: &str) -> String {
    format!("{package}:cl/{path}")
}
