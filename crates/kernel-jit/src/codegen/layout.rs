//! Values as words: every type is a row of numbers and bools, in the order of its parts.

use cranelift_codegen::ir::{Type, types};
use gristmill_kernel_lang::Reference;
use gristmill_kernel_lang::interp::{Module, Val};
use gristmill_kernel_lang::ir::{StructRef, Ty};

/// The type of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    F64,
    F32,
    I32,
    U32,
    I64,
    /// `usize` too.
    U64,
    Bool,
    /// A `&mut`: where the place is.
    Pointer,
}

impl Leaf {
    /// A scalar's.
    pub(crate) fn of(ty: &Ty) -> Leaf {
        match *ty {
            Ty::F64 => Leaf::F64,
            Ty::F32 => Leaf::F32,
            Ty::I32 => Leaf::I32,
            Ty::U32 => Leaf::U32,
            Ty::I64 => Leaf::I64,
            Ty::U64 | Ty::Usize => Leaf::U64,
            Ty::Bool => Leaf::Bool,
            _ => Leaf::Pointer,
        }
    }

    /// One of them in a register; a bool is 0 or 1.
    pub(crate) fn scalar(self) -> Type {
        match self {
            Leaf::F64 => types::F64,
            Leaf::F32 => types::F32,
            Leaf::I32 | Leaf::U32 => types::I32,
            Leaf::I64 | Leaf::U64 | Leaf::Pointer => types::I64,
            Leaf::Bool => types::I8,
        }
    }

    /// Several of them in a register; a bool is all ones or none.
    pub(crate) fn vector(self) -> Type {
        match self {
            Leaf::F64 => types::F64X2,
            Leaf::F32 => types::F32X4,
            Leaf::I32 | Leaf::U32 => types::I32X4,
            Leaf::I64 | Leaf::U64 | Leaf::Pointer | Leaf::Bool => types::I64X2,
        }
    }

    /// How many are in a vector.
    pub(crate) fn per_vector(self) -> usize {
        self.vector().lane_count() as usize
    }

    /// Bytes of an element of a column.
    pub(crate) fn size(self) -> usize {
        self.scalar().bytes() as usize
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Leaf::F64 | Leaf::F32)
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Leaf::I32 | Leaf::I64)
    }
}

/// The words of a type.
pub(crate) fn leaves(module: &Module, references: &[Reference], ty: &Ty) -> Vec<Leaf> {
    let mut out = vec![];
    add(module, references, ty, &mut out);
    out
}

fn add(module: &Module, references: &[Reference], ty: &Ty, out: &mut Vec<Leaf>) {
    match ty {
        Ty::Unit | Ty::Never => {}
        Ty::Tuple(items) => items.iter().for_each(|t| add(module, references, t, out)),
        Ty::Array(elem, n) => {
            let start = out.len();
            add(module, references, elem, out);
            let one: Vec<Leaf> = out[start..].to_vec();
            (1..*n).for_each(|_| out.extend_from_slice(&one));
        }
        Ty::Struct(StructRef::Path(k) | StructRef::ResultOf(k)) => {
            if let Some(s) = module.structure(&name_of(references, *k)) {
                s.fields.iter().for_each(|f| add(module, &s.references, &f.ty, out));
            }
        }
        scalar => out.push(Leaf::of(scalar)),
    }
}

/// The last segment of what `references[k]` names.
pub(crate) fn name_of(references: &[Reference], k: usize) -> String {
    references[k].path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default()
}

/// The words of a value as bits.
pub(crate) fn words_of(value: &Val, out: &mut Vec<u64>) {
    match value {
        Val::F64(x) => out.push(x.to_bits()),
        Val::F32(x) => out.push(x.to_bits().into()),
        Val::I32(x) => out.push(u64::from(*x as u32)),
        Val::I64(x) => out.push(*x as u64),
        Val::U32(x) => out.push((*x).into()),
        Val::U64(x) | Val::Usize(x) => out.push(*x),
        Val::Bool(x) => out.push((*x).into()),
        Val::Tuple(items) | Val::Array(items) => items.iter().for_each(|v| words_of(v, out)),
        Val::Struct(fields) => fields.iter().for_each(|(_, v)| words_of(v, out)),
        Val::Unit | Val::Ref(..) | Val::Slice(_) => {}
    }
}
