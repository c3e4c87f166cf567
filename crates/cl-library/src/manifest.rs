//! The manifest of a package: what stands before its libraries in every program.

use crate::error::{LibraryError, Result};
use crate::folder::Folder;
use crate::package::Package;
use crate::program::{Layer, ProgramPiece};
use crate::rds;
use crate::text::{decode, display_path};
use std::path::Path;

/// The name of the file that lists a package's fixed prelude.
pub const MANIFEST: &str = "program_preload_manifest.tsv";

/// The same for R.
pub const MANIFEST_RDS: &str = "program_preload_manifest.rds";

/// The file that comes first in a tree without a manifest.
pub const CONFIGURATION_FILE: &str = "OPENCL.cl";

/// What a line of the manifest names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// One file.
    File,
    /// A whole annotated library, in its order.
    Library,
}

impl EntryKind {
    /// The word in the manifest.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Library => "library",
        }
    }
}

/// Whether a package's manifest can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManifestStatus {
    /// It can.
    Fine,
    /// What is wrong.
    Problem(String),
}

/// One line of the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestEntry {
    /// Its place; lines are used by rising rank.
    pub rank: u32,
    /// What it names.
    pub kind: EntryKind,
    /// The path within the package's tree.
    pub rel_path: String,
}

/// A package's fixed prelude: `program_preload_manifest.tsv` (rank, kind, `rel_path`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    entries: Vec<ManifestEntry>,
}

impl Manifest {
    /// Reads the manifest's text. `file` is only for messages. The columns may stand in any order and there may be more.
    ///
    /// # Errors
    /// [`LibraryError::BadManifest`] with the line and what it should look like.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        let bad = |line: usize, problem: String| LibraryError::BadManifest {
            file: file.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            problem,
        };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((header_line, header)) = lines.next() else {
            return Err(bad(1, "the file is empty, but must start with `rank<TAB>kind<TAB>rel_path`".to_owned()));
        };
        let header: Vec<&str> = header.split('\t').map(unquote).collect();
        let column = |name: &str| {
            header.iter().position(|h| *h == name).ok_or_else(|| {
                bad(header_line + 1, format!("the header has no column `{name}`; it must name rank, kind and rel_path"))
            })
        };
        let (rank_at, kind_at, path_at) = (column("rank")?, column("kind")?, column("rel_path")?);
        let mut entries: Vec<(usize, ManifestEntry)> = Vec::new();
        for (index, line) in lines {
            let number = index + 1;
            let fields: Vec<&str> = line.split('\t').map(unquote).collect();
            let field = |at: usize, name: &str| {
                fields
                    .get(at)
                    .copied()
                    .filter(|f| !f.is_empty())
                    .ok_or_else(|| bad(number, format!("`{name}` is missing")))
            };
            let rank = field(rank_at, "rank")?;
            let rank = rank
                .parse::<u32>()
                .ok()
                .filter(|r| *r > 0)
                .ok_or_else(|| bad(number, format!("rank is `{rank}`, but must be a whole number > 0")))?;
            let kind = match field(kind_at, "kind")? {
                "file" => EntryKind::File,
                "library" => EntryKind::Library,
                other => return Err(bad(number, format!("kind is `{other}`, but must be `file` or `library`"))),
            };
            let rel_path = field(path_at, "rel_path")?.to_owned();
            if let Some((earlier, _)) = entries.iter().find(|(_, e)| e.rank == rank) {
                return Err(bad(number, format!("rank {rank} is already used in line {earlier}")));
            }
            entries.push((number, ManifestEntry { rank, kind, rel_path }));
        }
        if entries.is_empty() {
            return Err(bad(
                header_line + 1,
                "there is no line below the header; a package without a prelude has no manifest".to_owned(),
            ));
        }
        entries.sort_by_key(|(_, e)| e.rank);
        Ok(Self { entries: entries.into_iter().map(|(_, e)| e).collect() })
    }

    /// Reads a manifest file.
    ///
    /// # Errors
    /// If it cannot be read, and as [`parse`](Self::parse).
    pub fn read(path: &Path) -> Result<Self> {
        let (folder, name) = Folder::of_file(path)?;
        let bytes = folder.read(&name)?;
        Self::parse(&decode(bytes).text, &display_path(path))
    }

    /// The package's own manifest, if it has one.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn of_package(package: &Package) -> Result<Option<Self>> {
        match package.read(MANIFEST) {
            Ok((path, bytes)) => Self::parse(&decode(bytes).text, &path).map(Some),
            Err(LibraryError::FileNotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What comes first in programs of a package: what its manifest says, else its `OPENCL.cl`, if it has one.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn prelude_of(package: &Package) -> Result<Vec<ProgramPiece>> {
        match Self::of_package(package)? {
            Some(manifest) => manifest.load(package),
            None if !package.is_lone_folder() && package.has_file(CONFIGURATION_FILE) => {
                Ok(vec![ProgramPiece::new(Layer::Configuration, &package.shard(CONFIGURATION_FILE)?)])
            }
            None => Ok(Vec::new()),
        }
    }

    /// The lines by rank.
    #[must_use]
    pub fn entries(&self) -> &[ManifestEntry] {
        &self.entries
    }

    /// The layer of each line: files before the first library are the configuration, the rest are shims.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        let first_library = self.entries.iter().position(|e| e.kind == EntryKind::Library).unwrap_or(usize::MAX);
        let layer = |at: usize| if at < first_library { Layer::Configuration } else { Layer::Shim };
        (0..self.entries.len()).map(layer).collect()
    }

    /// A manifest of files and libraries of a package's tree, in this order; `OPENCL.cl` first, if the tree has it.
    ///
    /// # Errors
    /// If one of them is not there, or there is none.
    pub fn of_layers(package: &Package, layers: &[String]) -> Result<Self> {
        let first = Some(CONFIGURATION_FILE).filter(|f| package.has_file(f) && !layers.iter().any(|l| l == f));
        let mut entries = Vec::new();
        for name in first.into_iter().chain(layers.iter().map(String::as_str)) {
            let kind = if name.ends_with(".cl") { EntryKind::File } else { EntryKind::Library };
            match kind {
                EntryKind::File => drop(package.shard(name)?),
                EntryKind::Library => drop(package.folder(name)?),
            }
            let rank = u32::try_from(entries.len() + 1).unwrap_or(u32::MAX);
            entries.push(ManifestEntry { rank, kind, rel_path: name.to_owned() });
        }
        if entries.is_empty() {
            let problem =
                format!("there is nothing to list: the tree has no {CONFIGURATION_FILE}, and no layer was named");
            return Err(LibraryError::BadManifest { file: MANIFEST.to_owned(), line: 1, problem });
        }
        Ok(Self { entries })
    }

    pub(crate) fn of_entries(entries: Vec<ManifestEntry>) -> Self {
        Self { entries }
    }

    /// The text of `program_preload_manifest.tsv`.
    #[must_use]
    pub fn to_tsv(&self) -> String {
        let line = |e: &ManifestEntry| format!("{}\t{}\t{}\n", e.rank, e.kind.name(), e.rel_path);
        format!("rank\tkind\trel_path\n{}", self.entries.iter().map(line).collect::<String>())
    }

    /// The object of `program_preload_manifest.rds`: a data frame.
    #[must_use]
    pub fn to_r(&self) -> rds::Object {
        let ranks: Vec<i32> = self.entries.iter().map(|e| i32::try_from(e.rank).unwrap_or(i32::MAX)).collect();
        let kinds: Vec<&str> = self.entries.iter().map(|e| e.kind.name()).collect();
        let paths: Vec<&str> = self.entries.iter().map(|e| e.rel_path.as_str()).collect();
        let count = i32::try_from(ranks.len()).unwrap_or(i32::MAX);
        let columns = vec![
            rds::Object::new(rds::Value::Integers(ranks)),
            rds::Object::strings(&kinds),
            rds::Object::strings(&paths),
        ];
        let mut frame = rds::Object::new(rds::Value::List(columns)).named(&["rank", "kind", "rel_path"]);
        // How R itself stores the row names 1, 2, …: NA and minus their number.
        let rows = rds::Object::new(rds::Value::Integers(vec![i32::MIN, -count]));
        frame.attributes.push(("row.names".to_owned(), rows));
        frame.class(&["data.frame"])
    }

    /// Reads what R would read.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub fn from_r(bytes: &[u8]) -> std::result::Result<Self, String> {
        let object = rds::read(bytes)?;
        let column = |name: &str| object.get(name).ok_or_else(|| format!("the data frame has no column `{name}`"));
        let strings = |name: &str| column(name)?.as_strings().ok_or_else(|| format!("`{name}` is not made of strings"));
        let ranks: Vec<String> = match &column("rank")?.value {
            rds::Value::Integers(list) => list.iter().map(ToString::to_string).collect(),
            rds::Value::Reals(list) => list.iter().map(ToString::to_string).collect(),
            _ => return Err("`rank` is not made of numbers".to_owned()),
        };
        let lines = ranks.iter().zip(strings("kind")?).zip(strings("rel_path")?);
        let text: String = lines.map(|((rank, kind), path)| format!("{rank}\t{kind}\t{path}\n")).collect();
        Self::parse(&format!("rank\tkind\trel_path\n{text}"), MANIFEST_RDS).map_err(|e| e.to_string())
    }

    /// Writes both files into a package's tree: both, or none.
    ///
    /// # Errors
    /// If the package is built in or cannot be written to.
    pub fn write(&self, package: &Package) -> Result<()> {
        let files = vec![
            (MANIFEST.to_owned(), self.to_tsv().into_bytes()),
            (MANIFEST_RDS.to_owned(), rds::write(&self.to_r())),
        ];
        package.folder(".")?.write(files)
    }

    /// Whether both files say the same, and everything that they name is there and can be ordered.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn check(package: &Package) -> Result<ManifestStatus> {
        let problem = |text: String| Ok(ManifestStatus::Problem(text));
        let manifest = match Self::of_package(package) {
            Ok(Some(manifest)) => manifest,
            Ok(None) => return problem(format!("package `{}` has no {MANIFEST}", package.name())),
            Err(error @ LibraryError::Io { .. }) => return Err(error),
            Err(error) => return problem(error.to_string()),
        };
        match package.read(MANIFEST_RDS) {
            Ok((path, bytes)) => match Self::from_r(&bytes) {
                Ok(other) if other == manifest => {}
                Ok(_) => return problem(format!("{path} does not say what {MANIFEST} says")),
                Err(why) => return problem(format!("{path}: {why}")),
            },
            Err(LibraryError::FileNotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        match manifest.load(package) {
            Ok(_) => Ok(ManifestStatus::Fine),
            Err(error) => problem(error.to_string()),
        }
    }

    /// Loads what the manifest names: files before the first library are the configuration, the rest are shims.
    ///
    /// # Errors
    /// As [`Package::shard`] and [`Package::load_kernel_library`].
    pub fn load(&self, package: &Package) -> Result<Vec<ProgramPiece>> {
        let mut pieces = Vec::new();
        let mut layer = Layer::Configuration;
        for entry in &self.entries {
            match entry.kind {
                EntryKind::File => pieces.push(ProgramPiece::new(layer, &package.shard(&entry.rel_path)?)),
                EntryKind::Library => {
                    layer = Layer::Shim;
                    let (_, library, order) = package.load_kernel_library(&entry.rel_path)?;
                    pieces.extend(order.shards(&library).map(|shard| ProgramPiece::new(layer, shard)));
                }
            }
        }
        Ok(pieces)
    }
}

fn unquote(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|f| f.strip_suffix('"')).unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_is_read_by_rank() {
        let manifest =
            Manifest::parse("rank\tkind\trel_path\r\n2\tlibrary\tR_shims\n\n1\tfile\tOPENCL.cl\n", "m").unwrap();
        let paths: Vec<&str> = manifest.entries().iter().map(|e| e.rel_path.as_str()).collect();
        assert_eq!(paths, ["OPENCL.cl", "R_shims"]);
    }

    #[test]
    fn a_bad_manifest_names_the_line_and_the_rule() {
        for (text, message) in [
            ("", "m:1: the file is empty, but must start with `rank<TAB>kind<TAB>rel_path`"),
            (
                "rank\tkind\trel_path\n\n",
                "m:1: there is no line below the header; a package without a prelude has no manifest",
            ),
            ("rank\tkind\n", "m:1: the header has no column `rel_path`; it must name rank, kind and rel_path"),
            ("rank\tkind\trel_path\n0\tfile\ta\n", "m:2: rank is `0`, but must be a whole number > 0"),
            ("rank\tkind\trel_path\n1\tdir\ta\n", "m:2: kind is `dir`, but must be `file` or `library`"),
            ("rank\tkind\trel_path\n1\tfile\n", "m:2: `rel_path` is missing"),
            ("rank\tkind\trel_path\n1\tfile\ta\n1\tfile\tb\n", "m:3: rank 1 is already used in line 2"),
        ] {
            assert_eq!(Manifest::parse(text, "m").unwrap_err().to_string(), message);
        }
    }
}
