//! The manifest of a package: what stands before its libraries in every program.

use crate::error::{LibraryError, Result};
use crate::folder::Folder;
use crate::package::Package;
use crate::program::{Layer, Piece};
use crate::text::{decode, display_path};
use std::path::Path;

/// The name of the file that lists a package's fixed prelude.
pub const MANIFEST: &str = "program_preload_manifest.tsv";

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
    pub fn prelude_of(package: &Package) -> Result<Vec<Piece>> {
        match Self::of_package(package)? {
            Some(manifest) => manifest.load(package),
            None if !package.is_lone_folder() && package.has_file(CONFIGURATION_FILE) => {
                Ok(vec![Piece::new(Layer::Configuration, &package.shard(CONFIGURATION_FILE)?)])
            }
            None => Ok(Vec::new()),
        }
    }

    /// The lines by rank.
    #[must_use]
    pub fn entries(&self) -> &[ManifestEntry] {
        &self.entries
    }

    /// Loads what the manifest names: files before the first library are the configuration, the rest are shims.
    ///
    /// # Errors
    /// As [`Package::shard`] and [`Package::load_kernel_library`].
    pub fn load(&self, package: &Package) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut layer = Layer::Configuration;
        for entry in &self.entries {
            match entry.kind {
                EntryKind::File => pieces.push(Piece::new(layer, &package.shard(&entry.rel_path)?)),
                EntryKind::Library => {
                    layer = Layer::Shim;
                    let (_, library, order) = package.load_kernel_library(&entry.rel_path)?;
                    pieces.extend(order.shards(&library).map(|shard| Piece::new(layer, shard)));
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
