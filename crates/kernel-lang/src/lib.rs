//! The kernel language: a Rust `fn` item -> typed IR -> OpenCL C.
//!
//! [`translate`] is the whole front end: parse tree in, [`Translation`] out. It never looks outside the function,
//! so what a callee returns is *inferred* from its use and handed back in [`Translation::calls`]; the macro turns
//! each entry into a compile-time assertion against the callee's real signature.
#![forbid(unsafe_code)]
#![allow(missing_docs)]

mod builtins;
mod emit;
mod hex;
mod infer;
pub mod ir;
mod lower;
mod prelude;

pub use builtins::is_builtin_path;
pub use hex::hex_f64;
pub use ir::{Ty, c_type};
pub use prelude::PRELUDE;

use proc_macro2::Span;

/// Marks a reference to another shard inside emitted text: `START index END`.
pub const REF_START: char = '\u{1}';
/// Ends a reference; see [`REF_START`].
pub const REF_END: char = '\u{2}';

/// One parameter of a kernel function.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    pub name: String,
    pub ty: Ty,
}

/// A use of something outside the function: a kernel that is called or a constant that is read.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The path as written, e.g. `crate::special::exp`.
    pub path: syn::Path,
    pub span: Span,
    pub uses: Vec<Use>,
}

/// How a [`Reference`] is used; `None` where the function alone does not say (a bare integer literal argument).
#[derive(Debug, Clone, PartialEq)]
pub enum Use {
    Call {
        args: Vec<Option<Ty>>,
        ret: Ty,
    },
    Const {
        ty: Ty,
    },
    /// `TABLE[i]`: the element type.
    Table {
        elem: Ty,
    },
}

/// What one kernel function became.
#[derive(Debug, Clone)]
pub struct Translation {
    pub params: Vec<Param>,
    pub ret: Ty,
    /// The OpenCL C definition without its name: starts after the name, with the parameter list.
    pub text: String,
    pub ret_c: String,
    /// Indexed by the markers in `text`.
    pub references: Vec<Reference>,
    /// Tuple types that need a struct definition before the text.
    pub tuples: Vec<Ty>,
    pub has_loop: bool,
}

/// Translates a function item. Errors carry the span of the offending token; several may be combined.
pub fn translate(item: &syn::ItemFn) -> syn::Result<Translation> {
    let func = lower::lower(item)?;
    Ok(emit::emit(func))
}

/// The language type that a Rust type denotes, or a spanned error.
pub fn parse_type(ty: &syn::Type) -> syn::Result<Ty> {
    lower::parse_type(ty)
}

/// Text between references, in order: `(text, Some(index))` for each marker and a last `(text, None)`.
pub fn split_references(text: &str) -> Vec<(&str, Option<usize>)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(REF_START) {
        let (index, tail) = after.split_once(REF_END).expect("every marker is closed");
        parts.push((before, Some(index.parse().expect("a marker holds an index"))));
        rest = tail;
    }
    parts.push((rest, None));
    parts
}
