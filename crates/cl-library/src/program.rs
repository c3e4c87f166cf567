//! Program assembly: one text from configuration, shim libraries, the library subset and the kernel.

use crate::error::{LibraryError, Result};
use crate::library::{Library, Shard};
use crate::package::Package;
use crate::text::{decode, display_path};
use std::path::Path;

/// The name of the file that lists a package's fixed prelude.
pub const MANIFEST: &str = "program_preload_manifest.tsv";

/// The layers of a program, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// 0: pragmas and capability macros (`OPENCL.cl`).
    Configuration,
    /// 1: replacements for what ported C code expects of its headers.
    Shim,
    /// 2: the part of the library that the kernel needs.
    Library,
    /// 3: the `__kernel` functions.
    Kernel,
}

impl Layer {
    /// The name used in JSON and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Shim => "shim",
            Self::Library => "library",
            Self::Kernel => "kernel",
        }
    }
}

/// One file's place in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its layer.
    pub layer: Layer,
    /// The path that `#line` names.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Piece {
    /// A shard as a piece of a layer.
    #[must_use]
    pub fn new(layer: Layer, shard: &Shard) -> Self {
        Self { layer, path: shard.path().to_owned(), text: shard.text().to_owned() }
    }
}

/// The assembled text for one kernel. The same pieces always give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramSource {
    pieces: Vec<Piece>,
}

impl ProgramSource {
    /// A program from its pieces; they are put in the order of their layers, and keep their order within a layer.
    #[must_use]
    pub fn new(mut pieces: Vec<Piece>) -> Self {
        pieces.sort_by_key(|piece| piece.layer);
        Self { pieces }
    }

    /// The pieces in order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The text for `clCreateProgramWithSource`. Before each piece stands `#line 1 "path"`, so that build logs name the file.
    ///
    /// ```
    /// use gristmill_cl_library::{Layer, Piece, ProgramSource, Shard};
    /// let kernel = Shard::new("k", "__kernel void k(__global int* x) { x[0] = 1; }");
    /// let program = ProgramSource::new(vec![Piece::new(Layer::Kernel, &kernel)]);
    /// assert_eq!(program.text(), "#line 1 \"k.cl\"\n__kernel void k(__global int* x) { x[0] = 1; }\n");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.pieces.iter().map(|p| p.text.len() + p.path.len() + 16).sum());
        for piece in &self.pieces {
            text.push_str("#line 1 \"");
            for c in piece.path.chars() {
                match c {
                    '"' | '\\' => text.extend(['\\', c]),
                    '\n' => text.push_str("\\n"),
                    _ => text.push(c),
                }
            }
            text.push_str("\"\n");
            text.push_str(&piece.text);
            if !piece.text.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    }
}

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
        entries.sort_by_key(|(_, e)| e.rank);
        Ok(Self { entries: entries.into_iter().map(|(_, e)| e).collect() })
    }

    /// Reads a manifest file.
    ///
    /// # Errors
    /// If it cannot be read, and as [`parse`](Self::parse).
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(LibraryError::io("read", path))?;
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

/// The pieces of a kernel that needs `names` of a library: the closure, in load order.
///
/// # Errors
/// As [`Library::closure`].
pub fn library_pieces(library: &Library, names: &[&str]) -> Result<Vec<Piece>> {
    Ok(library.closure(names)?.into_iter().map(|shard| Piece::new(Layer::Library, shard)).collect())
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
