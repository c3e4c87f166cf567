//! How a type of a kernel is spelled in C, for the emitter of text and for who assembles it.

use crate::Scalar;

/// A type of a kernel: of the language's syntax tree, or of a shard.
pub trait CType: Sized {
    /// How it knows a `#[kernel] struct`.
    type Struct;

    /// What it is made of.
    fn shape(&self) -> TypeShape<'_, Self, Self::Struct>;
}

/// What a type `T`, which knows structs by `S`, is made of.
#[derive(Debug, Clone, Copy)]
pub enum TypeShape<'a, T, S> {
    /// A number or bool.
    Scalar(Scalar),
    /// No value.
    Unit,
    /// A tuple.
    Tuple(&'a [T]),
    /// A fixed-size array; length 0 stands for any length.
    Array(&'a T, usize),
    /// A `#[kernel] struct`.
    Struct(S),
    /// `&mut`.
    Ref(&'a T),
    /// `&[T]` or `&mut [T]` (true), of an entry point.
    Slice(Scalar, bool),
}

/// A type as part of the names of tuples, arrays and helpers: prefix notation, so it is unambiguous. `name` names structs.
pub fn type_tag<T: CType>(ty: &T, name: &impl Fn(T::Struct) -> String) -> String {
    match ty.shape() {
        TypeShape::Scalar(Scalar::Usize) => Scalar::U64.name().into(),
        TypeShape::Scalar(s) => s.name().into(),
        TypeShape::Tuple(items) => {
            format!("t{}_{}", items.len(), items.iter().map(|t| type_tag(t, name)).collect::<Vec<_>>().join("_"))
        }
        TypeShape::Array(elem, n) => format!("a{n}_{}", type_tag(elem, name)),
        _ => type_name(ty, name),
    }
}

/// The spelling in OpenCL C. `name` names structs; tuples and arrays are structs called by their tag.
pub fn type_name<T: CType>(ty: &T, name: &impl Fn(T::Struct) -> String) -> String {
    match ty.shape() {
        TypeShape::Scalar(s) => s.c_name().into(),
        TypeShape::Unit => "void".into(),
        TypeShape::Tuple(_) | TypeShape::Array(..) => format!("gm_{}", type_tag(ty, name)),
        TypeShape::Struct(s) => name(s),
        TypeShape::Ref(inner) => format!("{} *", type_name(inner, name)),
        TypeShape::Slice(s, true) => format!("__global {} *", s.c_element()),
        TypeShape::Slice(s, false) => format!("__global const {} *", s.c_element()),
    }
}
