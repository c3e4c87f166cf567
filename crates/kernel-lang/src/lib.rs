//! The kernel language: a Rust `fn` item -> typed IR -> OpenCL C and lanes, and an interpreter of the IR.
//!
//! [`translate`] is the whole front end: syntax tree in, [`Translation`] out. It never looks outside the function, so what
//! a callee returns is *inferred* from its use and handed back in [`Reference::uses`]; the macro turns each use into a
//! compile-time assertion against the callee's real signature. docs/kernel-language.md is the reference of the language.
#![forbid(unsafe_code)]

mod builtins;
mod checks;
mod emit_c;
mod emit_lanes;
mod environment;
mod infer;
pub mod interp;
pub mod ir;
mod lower;
mod shape;
mod text;

pub use builtins::is_builtin_path;
pub use emit_c::{CText, Typedef, emit};
pub use emit_lanes::{LaneCode, callee, emit_lanes, lane_type, struct_alias};
pub use environment::Externs;
pub use gristmill_scalar::{Marker, REF_END, REF_START, split_references};
pub use ir::{Ty, c_type};
pub use shape::Form;
pub use text::ItemNote;

use gristmill_scalar::names;
use proc_macro2::Span;

/// One parameter of a kernel function, or one field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name in Rust.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

/// A use of something outside the item: a kernel that is called, a constant that is read, a struct that is named.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The path as written, e.g. `crate::special::exp`.
    pub path: syn::Path,
    /// Its last segment.
    pub span: Span,
    /// What the item assumes about it.
    pub uses: Vec<Use>,
}

/// How a [`Reference`] is used.
#[derive(Debug, Clone, PartialEq)]
pub enum Use {
    /// A call. `None` where the function alone does not say the type (a bare integer literal, a bare field).
    Call {
        /// The types of the arguments.
        args: Vec<Option<Ty>>,
        /// The type of the result.
        ret: Ty,
    },
    /// A constant is read; an array of length 0 stands for one of unknown length, `ResultOf` of itself for a type that only
    /// the definition says.
    Const {
        /// Its type.
        ty: Ty,
    },
    /// A field is named: of the struct itself, or of the struct or tuple that the kernel returns or the constant is.
    Field {
        /// The field; a number if it is part of a tuple.
        name: String,
        /// Its type.
        ty: Ty,
        /// The reference is a kernel whose result has the field, or a constant that has it.
        of_result: bool,
    },
}

/// What one kernel function became.
#[derive(Debug, Clone)]
pub struct Translation {
    /// In order.
    pub params: Vec<Param>,
    /// The typed IR.
    pub func: ir::Func,
    /// The C text, with reference markers.
    pub c: CText,
    /// The type of every expression of the body, in the order in which `syn::visit` meets them.
    pub node_types: Vec<Option<Ty>>,
}

/// Translates a function item. Errors carry the span of the offending token.
pub fn translate(item: &syn::ItemFn, form: Form) -> syn::Result<Translation> {
    let lower::Lowered { func, node_types } = lower::lower(item, form, None)?;
    let c = emit_c::emit(&func, form == Form::Entry);
    if c.text.contains(ir::UNKNOWN_TYPE) || c.typedefs.iter().any(|t| t.name.contains(ir::UNKNOWN_TYPE)) {
        let text = "#[kernel]: the type of a field that is passed on must be known here, because the arguments beside it are statements in \
                    C: `let x: TYPE = s.field;` before the call";
        return Err(syn::Error::new(item.sig.ident.span(), text));
    }
    let params = func.params.iter().map(|p| Param { name: func.locals[p.id].name.clone(), ty: p.ty.clone() }).collect();
    Ok(Translation { params, func, c, node_types })
}

/// What one struct became.
#[derive(Debug, Clone)]
pub struct StructTranslation {
    /// In order.
    pub fields: Vec<Param>,
    /// The members in C, with reference markers.
    pub members: String,
    /// Structs for tuples and arrays among the fields.
    pub typedefs: Vec<Typedef>,
    /// Structs among the fields.
    pub references: Vec<Reference>,
}

/// Translates a struct item.
pub fn translate_struct(item: &syn::ItemStruct) -> syn::Result<StructTranslation> {
    let error = |span, text: &str| Err(syn::Error::new(span, format!("#[kernel]: {text}")));
    if let Some(p) = item.generics.params.first() {
        return error(syn::spanned::Spanned::span(p), "a kernel struct cannot be generic: write one struct per type");
    }
    let syn::Fields::Named(named) = &item.fields else {
        return error(item.ident.span(), "a kernel struct has named fields: `struct S { x: f64 }`");
    };
    if named.named.is_empty() {
        return error(item.ident.span(), "a kernel struct has at least one field");
    }
    let (mut references, mut fields, mut typedefs, mut members) = (vec![], vec![], vec![], vec![]);
    for f in &named.named {
        let ty = lower::parse_type(&f.ty, &mut references, lower::Place::Inside)?;
        if matches!(ty, Ty::Ref(_) | Ty::Unit) {
            return error(syn::spanned::Spanned::span(&f.ty), "a field is a number, bool, tuple, array or struct");
        }
        let name = f.ident.as_ref().expect("named").to_string();
        emit_c::typedefs_of(&ty, &mut typedefs);
        members.push(format!("{} {};", c_type(&ty), names::member(&name)));
        fields.push(Param { name, ty });
    }
    Ok(StructTranslation { fields, members: members.join(" "), typedefs, references })
}

/// The type of a constant: a number, a bool, a tuple (of tuples) of them, or an array (of arrays) of one of them.
pub fn parse_const_type(ty: &syn::Type) -> syn::Result<Ty> {
    fn of_tuples(ty: &Ty) -> bool {
        match ty {
            Ty::Tuple(items) => items.iter().all(of_tuples),
            other => other.is_scalar(),
        }
    }
    let mut references = vec![];
    let parsed = lower::parse_type(ty, &mut references, lower::Place::Inside)?;
    let mut elem = &parsed;
    while let Ty::Array(inner, _) = elem {
        elem = inner;
    }
    let way_out = match (&parsed, elem) {
        (_, elem) if elem.is_scalar() => return Ok(parsed),
        (tuple @ Ty::Tuple(_), _) if of_tuples(tuple) => return Ok(parsed),
        // On lanes an index that varies is one gather from each array.
        (Ty::Array(..), Ty::Tuple(_)) => "write one array for each part of the tuple",
        (Ty::Tuple(_), _) => "write one constant for each part that is no number or bool",
        _ => "make a struct from such constants in a function",
    };
    Err(syn::Error::new(
        syn::spanned::Spanned::span(ty),
        format!("#[kernel]: a constant is a number, a bool, a tuple of them or an array of them; {way_out}"),
    ))
}

/// The structs that stand for a constant's tuples in C.
pub fn const_typedefs(ty: &Ty) -> Vec<Typedef> {
    let mut typedefs = vec![];
    if matches!(ty, Ty::Tuple(_)) {
        emit_c::typedefs_of(ty, &mut typedefs);
    }
    typedefs
}
