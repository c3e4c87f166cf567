//! What can go wrong with a library, a package, an index or a program.

use std::io;
use std::path::PathBuf;

/// A name in an annotation that nothing in the library answers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingDependency {
    /// The file that asks.
    pub file: String,
    /// The line of the name, from 1.
    pub line: u32,
    /// The column of the name, from 1.
    pub column: u32,
    /// The stem of the file that asks.
    pub needed_by: String,
    /// The annotation that names it, without `@`.
    pub tag: String,
    /// The name that is missing.
    pub name: String,
    /// The name that was probably meant.
    pub nearest: Option<String>,
}

impl std::fmt::Display for MissingDependency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, line, needed_by, name, .. } = self;
        write!(f, "{file}:{line}: `{needed_by}` depends on `{name}`, which no file provides")?;
        if let Some(nearest) = &self.nearest {
            write!(f, "; did you mean `{nearest}`?")?;
        }
        Ok(())
    }
}

/// How an index differs from its library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexDifference {
    /// Stems of files that the index does not list.
    pub added: Vec<String>,
    /// Stems in the index whose file is gone.
    pub removed: Vec<String>,
    /// Stems whose dependencies are no longer what the index says.
    pub changed: Vec<String>,
}

impl IndexDifference {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

impl std::fmt::Display for IndexDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut separator = "";
        for (what, stems) in [("added", &self.added), ("removed", &self.removed), ("changed", &self.changed)] {
            if !stems.is_empty() {
                write!(f, "{separator}{what}: {}", stems.join(", "))?;
                separator = "; ";
            }
        }
        Ok(())
    }
}

/// The text that scripts look for when a library cannot be ordered.
pub const SORT_FAILED: &str = "Dependency sort failed: unresolved dependencies remain.";

/// `a -> b -> a`; of a long way only its ends.
pub(crate) fn path_in_words(path: &[String]) -> String {
    const SHOWN: usize = 10;
    if path.len() <= 4 * SHOWN {
        return path.join(" -> ");
    }
    let (head, tail) = (&path[..SHOWN], &path[path.len() - SHOWN..]);
    format!("{} -> … {} more … -> {}", head.join(" -> "), path.len() - 2 * SHOWN, tail.join(" -> "))
}

/// Why the library functions could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// Files name dependencies that do not exist. The library's author has to fix an annotation or add a file.
    #[error("{SORT_FAILED}{}", .missing.iter().map(|m| format!("\n{m}")).collect::<String>())]
    MissingDependencies {
        /// Each missing name, by file and line.
        missing: Vec<MissingDependency>,
    },
    /// Files need each other in a circle. The library's author has to split one (`gristmill lib annotate --break-cycles`).
    #[error("{SORT_FAILED}{}", .cycles.iter().map(|c| format!("\ndependency cycle: {}", path_in_words(c))).collect::<String>())]
    DependencyCycles {
        /// Paths of stems that start and end with the same stem; one shortest path for each knot of files.
        cycles: Vec<Vec<String>>,
    },
    /// Two pieces have the same stem, so a dependency on it would be ambiguous. The caller's fault.
    #[error("two files of library `{library}` have the stem `{stem}`")]
    DuplicateStem {
        /// The library's name.
        library: String,
        /// The stem that is there twice.
        stem: String,
    },
    /// A stem that cannot be written into an index or an annotation.
    #[error(
        "the stem {stem:?} contains a blank, a comma or a control character, which annotations cannot name; rename the file"
    )]
    UnusableStem {
        /// The stem.
        stem: String,
    },
    /// A directory that was to be a library has no `.cl` file.
    #[error("no .cl file in {}", .dir.display())]
    EmptyLibrary {
        /// The directory.
        dir: PathBuf,
    },
    /// The index is damaged: not what `gristmill lib index` or R writes.
    #[error("{}:{line}: {problem}; write the index again with `gristmill lib index {}`", .file.display(), .file.parent().unwrap_or(.file).display())]
    DamagedIndex {
        /// The index file.
        file: PathBuf,
        /// The line, from 1 (0 for a binary file).
        line: u32,
        /// What is wrong there.
        problem: String,
    },
    /// The library has changed since its index was written.
    #[error("{} is stale ({difference}); write it again with `gristmill lib index {}`", .file.display(), .file.parent().unwrap_or(.file).display())]
    StaleIndex {
        /// The index file.
        file: PathBuf,
        /// What changed.
        difference: IndexDifference,
    },
    /// The closures of the files are together too long for an index. The library's author has to make it less deep.
    #[error(
        "the index of library `{library}` would list more than {limit} names; `lib order` and `lib load` need none"
    )]
    IndexTooLarge {
        /// The library's name.
        library: String,
        /// The limit.
        limit: usize,
    },
    /// There is no index beside the library.
    #[error("{} does not exist; write it with `gristmill lib index {}`", .file.display(), .file.parent().unwrap_or(.file).display())]
    MissingIndex {
        /// The file that was looked for.
        file: PathBuf,
    },
    /// A path that leaves the package's tree, by `..`, as an absolute path or through a symbolic link.
    #[error("`{path}` leaves the tree of package `{package}`: {reason}")]
    PathLeavesPackage {
        /// The path as given.
        path: String,
        /// The package.
        package: String,
        /// How it leaves.
        reason: String,
    },
    /// A file that is not in the package's tree.
    #[error("File not found: {path} in package `{package}`{}", .nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    FileNotFound {
        /// The path, from the package's directory.
        path: String,
        /// The package.
        package: String,
        /// A file of that directory with a similar name.
        nearest: Option<String>,
    },
    /// No package of that name anywhere.
    #[error("no package `{package}`: looked for {}", .looked.join(", "))]
    PackageNotFound {
        /// The name or path as given.
        package: String,
        /// Where it was looked for.
        looked: Vec<String>,
    },
    /// A path that is not there has the name of a built-in package. Whoever gave it meant a library of that package.
    #[error("there is no folder {path}\n  help: the built-in library is `{}`; `{path}` alone is a path", .libraries.join("` or `"))]
    PathOfBuiltIn {
        /// The path as given.
        path: String,
        /// The package's libraries, `PACKAGE::LIB`.
        libraries: Vec<String>,
    },
    /// A line of `program_preload_manifest.tsv` that cannot be used.
    #[error("{file}:{line}: {problem}")]
    BadManifest {
        /// The manifest.
        file: String,
        /// The line, from 1.
        line: u32,
        /// What is wrong, and what a line looks like.
        problem: String,
    },
    /// A package's name is also that of its library and a part of its functions' names.
    #[error("the package's name is `{name}`, but must be made of letters, digits and `_`, and not start with a digit")]
    BadPackageName {
        /// The name.
        name: String,
    },
    /// A folder is to be made in one that does not exist.
    #[error("{} cannot be made: there is no folder {}", .dest.display(), .parent.display())]
    NoParent {
        /// The folder to be made.
        dest: PathBuf,
        /// Where it would be.
        parent: PathBuf,
    },
    /// A file to be written exists with other content.
    #[error("{} file{} in {} would be overwritten: {}; say so with `--overwrite`", .files.len(), if .files.len() == 1 { "" } else { "s" }, .dest.display(), .files.join(", "))]
    WouldOverwrite {
        /// The directory.
        dest: PathBuf,
        /// The file names.
        files: Vec<String>,
    },
    /// The operating system refused.
    #[error("cannot {action} {}", .path.display())]
    Io {
        /// `read`, `write`, …
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl LibraryError {
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}

/// The crate's result.
pub type Result<T> = std::result::Result<T, LibraryError>;
