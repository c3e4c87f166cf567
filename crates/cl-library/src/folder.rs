//! Folders of `.cl` files, on disk or built in. Everything that reads or writes a library goes through here, and so through
//! [`Package::admit`].

use crate::error::{LibraryError, Result};
use crate::files::{read_regular, write_all};
use crate::library::{Library, Shard};
use crate::package::{Package, built_in, builtin_label, folder_name, folder_of};
use crate::text::display_path;
use std::path::{Component, Path, PathBuf};

/// A folder that may be a library: one of a package's tree, or any other, which is then a tree of its own.
#[derive(Debug, Clone)]
pub struct Folder {
    package: Package,
    /// As it is shown; for a built-in package, within its tree.
    dir: PathBuf,
}

impl Folder {
    /// The folder at a path. If it lies in the tree of a package, it must really do so, and nothing outside that tree is read
    /// from it or written through it.
    ///
    /// # Errors
    /// If there is none, or a link leads out of the tree.
    pub fn at(dir: &Path) -> Result<Self> {
        Self::new(Package::around(dir)?, dir.to_path_buf())
    }

    /// The folder of a file and the file's name.
    ///
    /// # Errors
    /// As [`at`](Self::at), or if the path names no file.
    pub fn of_file(path: &Path) -> Result<(Self, String)> {
        let nameless = || LibraryError::io("read", path)(std::io::Error::other("it names no file"));
        let name = path.file_name().ok_or_else(nameless)?.to_string_lossy().into_owned();
        let parent = folder_of(path);
        if let Err(error) = path.metadata() {
            return Err(LibraryError::io("read", path)(error));
        }
        // A link that belongs to no package may lead anywhere: who named it named what it leads to.
        if Package::containing(parent).is_none()
            && path.is_symlink()
            && let Ok(real) = path.canonicalize()
        {
            return Self::of_file(&real);
        }
        Ok((Self::at(parent)?, name))
    }

    pub(crate) fn new(package: Package, dir: PathBuf) -> Result<Self> {
        package.admit(&dir)?;
        Ok(Self { package, dir })
    }

    /// The folder's own name, which is that of the library.
    #[must_use]
    pub fn name(&self) -> String {
        folder_name(&self.dir)
    }

    /// The package to which it belongs.
    #[must_use]
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// The folder's path, unless it is built in.
    #[must_use]
    pub fn dir(&self) -> Option<&Path> {
        (!self.package.is_built_in()).then_some(&self.dir)
    }

    /// The folder as messages name it.
    #[must_use]
    pub fn shown(&self) -> String {
        if self.package.is_built_in() {
            builtin_label(self.package.name(), &display_path(&self.dir))
        } else {
            display_path(&self.dir)
        }
    }

    /// The path of one of its files, for messages.
    #[must_use]
    pub fn path_of(&self, name: &str) -> PathBuf {
        if self.package.is_built_in() {
            PathBuf::from(builtin_label(self.package.name(), &display_path(&self.dir.join(name))))
        } else if self.dir == Path::new(".") {
            PathBuf::from(name)
        } else {
            self.dir.join(name)
        }
    }

    /// The stems of its `.cl` files, sorted, without opening them. What a writer that was killed had decided for is carried out
    /// first, and the rest of what it left removed: nobody reads half of a change.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn stems(&self) -> Result<Vec<String>> {
        if let Some(files) = self.package.built_in_files(&self.dir) {
            let stem = |(name, _): (&'static str, &'static str)| name.strip_suffix(".cl").map(str::to_owned);
            return Ok(files.into_iter().filter_map(stem).collect());
        }
        gristmill_support::complete_interrupted(&self.dir);
        let mut stems = Vec::new();
        for entry in std::fs::read_dir(&self.dir).map_err(LibraryError::io("read", &self.dir))? {
            let entry = entry.map_err(LibraryError::io("read", &self.dir))?;
            let name = entry.file_name();
            if let Some(stem) = name.to_string_lossy().strip_suffix(".cl") {
                // The kind comes with the listing; only links have to be followed.
                let kind = entry.file_type().map_err(LibraryError::io("read", &self.dir))?;
                if !(kind.is_dir() || kind.is_symlink() && entry.path().is_dir()) {
                    stems.push(stem.to_owned());
                }
            }
        }
        stems.sort();
        Ok(stems)
    }

    /// The content of one of its files.
    ///
    /// # Errors
    /// If it cannot be read, is no regular file, or a link leads out of the tree.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        self.read_with(name, &read_regular)
    }

    pub(crate) fn read_with(&self, name: &str, read: &dyn Fn(&Path) -> std::io::Result<Vec<u8>>) -> Result<Vec<u8>> {
        let path = self.path_of(name);
        if let Some(files) = self.package.built_in_files(&self.dir) {
            let found = files.iter().find(|(file, _)| *file == name);
            let missing = || LibraryError::io("read", &path)(std::io::Error::from(std::io::ErrorKind::NotFound));
            return found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(missing);
        }
        self.must_be_inside(name)?;
        // A file in an admitted folder is in the tree, unless it is a link.
        if path.symlink_metadata().map_err(LibraryError::io("read", &path))?.is_symlink() {
            self.package.admit(&path)?;
        }
        read(&path).map_err(LibraryError::io("read", &path))
    }

    /// The content of one of its files, if there is such a file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_if_there(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self.read(name) {
            Err(LibraryError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    }

    /// A name from an index or an annotation may be a path: it is not a file of this folder then.
    fn must_be_inside(&self, name: &str) -> Result<()> {
        let mut parts = Path::new(name).components();
        if matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Ok(());
        }
        Err(LibraryError::PathLeavesPackage {
            path: name.to_owned(),
            package: self.package.name().to_owned(),
            reason: format!("it is no name of a file in {}", self.shown()),
        })
    }

    /// One of its files as a shard.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn shard(&self, stem: &str) -> Result<Shard> {
        let name = format!("{stem}.cl");
        Ok(Shard::from_bytes(stem, display_path(&self.path_of(&name)), self.read(&name)?))
    }

    /// All its `.cl` files as a library.
    ///
    /// # Errors
    /// As [`read`](Self::read), or if there is no `.cl` file.
    pub fn library(&self) -> Result<Library> {
        let shards = self.stems()?.iter().map(|stem| self.shard(stem)).collect::<Result<Vec<Shard>>>()?;
        if shards.is_empty() {
            return Err(LibraryError::EmptyLibrary { dir: PathBuf::from(self.shown()) });
        }
        Library::new(self.name(), shards)
    }

    /// Writes files of this folder: all, or none.
    ///
    /// # Errors
    /// If the folder is built in, leads out of its tree, or a file is a link or cannot be written.
    pub fn write(&self, files: Vec<(String, Vec<u8>)>) -> Result<()> {
        let Some(dir) = self.dir() else {
            return Err(built_in(&self.shown()));
        };
        self.package.admit(dir)?;
        files.iter().try_for_each(|(name, _)| self.must_be_inside(name))?;
        write_all(&files.into_iter().map(|(name, bytes)| (self.path_of(&name), bytes)).collect::<Vec<_>>())
    }
}
