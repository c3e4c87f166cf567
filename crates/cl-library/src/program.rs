//! Program assembly: one text from configuration, shim libraries, the library subset and the kernel.

use crate::error::Result;
use crate::library::{Library, Shard};

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
pub struct ProgramPiece {
    /// Its layer.
    pub layer: Layer,
    /// The path that `#line` names.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl ProgramPiece {
    /// A shard as a piece of a layer.
    #[must_use]
    pub fn new(layer: Layer, shard: &Shard) -> Self {
        Self { layer, path: shard.path().to_owned(), text: shard.text().to_owned() }
    }
}

/// The assembled text for one kernel. The same pieces always give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramSource {
    pieces: Vec<ProgramPiece>,
}

impl ProgramSource {
    /// A program from its pieces; they are put in the order of their layers, and keep their order within a layer.
    #[must_use]
    pub fn new(mut pieces: Vec<ProgramPiece>) -> Self {
        pieces.sort_by_key(|piece| piece.layer);
        Self { pieces }
    }

    /// The pieces in order.
    #[must_use]
    pub fn pieces(&self) -> &[ProgramPiece] {
        &self.pieces
    }

    /// The text for `clCreateProgramWithSource`. Before each piece stands `#line 1 "path"`, so that build logs name the file.
    ///
    /// ```
    /// use gristmill_cl_library::{Layer, ProgramPiece, ProgramSource, Shard};
    /// let kernel = Shard::new("k", "__kernel void k(__global int* x) { x[0] = 1; }");
    /// let program = ProgramSource::new(vec![ProgramPiece::new(Layer::Kernel, &kernel)]);
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

/// The pieces of a kernel that needs `names` of a library: the closure, in load order.
///
/// # Errors
/// As [`Library::closure`].
pub fn library_pieces(library: &Library, names: &[&str]) -> Result<Vec<ProgramPiece>> {
    Ok(library.closure(names)?.into_iter().map(|shard| ProgramPiece::new(Layer::Library, shard)).collect())
}
