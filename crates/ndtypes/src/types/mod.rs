//! Types: scalars, fixed bytes, pointers, structs, and the dimensions fixed, strided and var.

mod datashape;
mod primitive;

use std::ops::Deref;
use std::sync::Arc;

pub use primitive::Primitive;

use crate::error::{Error, Result};

/// Types nest at most this deep, so that walking one never exhausts the stack.
pub const MAX_DEPTH: usize = 64;

/// The type of an array or of one of its elements.
///
/// Sizes and strides that are not part of the type live in the [metadata](crate::Metadata). The text form is documented
/// in docs/ndtypes.md; `to_string` and `parse` are inverse.
///
/// ```
/// use gristmill_ndtypes::Type;
/// let ty: Type = "3 * var * float64".parse()?;
/// assert_eq!(ty.ndim(), 2);
/// assert_eq!(ty.to_string(), "3 * var * float64");
/// # Ok::<(), gristmill_ndtypes::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Type {
    /// A scalar in native byte order, aligned.
    Primitive(Primitive),
    /// A scalar in native byte order at any address.
    Unaligned(Primitive),
    /// A scalar in the other byte order at any address.
    Swapped(Primitive),
    /// Bytes without a meaning.
    Bytes(BytesType),
    /// The address of an element.
    Pointer(Element),
    /// Named fields.
    Struct(StructType),
    /// A dimension whose size is part of the type.
    Fixed(usize, Element),
    /// A dimension whose size is in the metadata.
    Strided(Element),
    /// A dimension whose size differs from row to row: each element is `{begin, size}`.
    Var(Element),
}

/// What a dimension or a pointer holds: a shared type of bounded depth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Element(Arc<Type>);

impl Deref for Element {
    type Target = Type;
    fn deref(&self) -> &Type {
        &self.0
    }
}

/// A number of bytes and their alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BytesType {
    size: usize,
    align: usize,
}

impl BytesType {
    /// The number of bytes.
    pub fn size(self) -> usize {
        self.size
    }
    /// The alignment: a power of two that divides the size.
    pub fn align(self) -> usize {
        self.align
    }
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Unique in its struct.
    pub name: String,
    /// What it holds.
    pub ty: Type,
}

/// Named fields in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructType(Arc<[Field]>);

impl StructType {
    /// The fields, in order.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }
    /// The position of a field.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|f| f.name == name)
    }
}

impl From<Primitive> for Type {
    fn from(scalar: Primitive) -> Type {
        Type::Primitive(scalar)
    }
}

impl Type {
    fn element(self) -> Result<Element> {
        if self.depth() >= MAX_DEPTH {
            return Err(Error::Type(format!("the type nests deeper than {MAX_DEPTH} levels")));
        }
        Ok(Element(Arc::new(self)))
    }

    fn depth(&self) -> usize {
        match self {
            Type::Primitive(_) | Type::Unaligned(_) | Type::Swapped(_) | Type::Bytes(_) => 1,
            Type::Pointer(e) | Type::Fixed(_, e) | Type::Strided(e) | Type::Var(e) => 1 + e.depth(),
            Type::Struct(s) => 1 + s.fields().iter().map(|f| f.ty.depth()).max().unwrap_or(0),
        }
    }

    /// `size * element`.
    ///
    /// # Errors
    /// When the type nests too deep, or the size exceeds what memory can hold.
    pub fn fixed(size: usize, element: Type) -> Result<Type> {
        if isize::try_from(size).is_err() {
            return Err(Error::Type(format!("a dimension has size {size}, but must have at most {}", isize::MAX)));
        }
        Ok(Type::Fixed(size, element.element()?))
    }

    /// `strided * element`.
    ///
    /// # Errors
    /// When the type nests too deep.
    pub fn strided(element: Type) -> Result<Type> {
        Ok(Type::Strided(element.element()?))
    }

    /// `var * element`.
    ///
    /// # Errors
    /// When the type nests too deep.
    pub fn var(element: Type) -> Result<Type> {
        Ok(Type::Var(element.element()?))
    }

    /// `pointer[target]`.
    ///
    /// # Errors
    /// When the type nests too deep.
    pub fn pointer(target: Type) -> Result<Type> {
        Ok(Type::Pointer(target.element()?))
    }

    /// `bytes[size, align=align]`.
    ///
    /// # Errors
    /// When `align` is not a power of two up to 16 that divides `size`, or `size` is 0.
    pub fn bytes(size: usize, align: usize) -> Result<Type> {
        if !align.is_power_of_two() || align > 16 {
            return Err(Error::Type(format!("the alignment of bytes is {align}, but must be 1, 2, 4, 8 or 16")));
        }
        if size == 0 || !size.is_multiple_of(align) || isize::try_from(size).is_err() {
            return Err(Error::Type(format!(
                "the size of bytes is {size}, but must be a positive multiple of the alignment, {align}"
            )));
        }
        Ok(Type::Bytes(BytesType { size, align }))
    }

    /// `{name: type, ...}`.
    ///
    /// # Errors
    /// When there is no field, a name is empty or occurs twice, or the type nests too deep.
    pub fn structure(fields: Vec<Field>) -> Result<Type> {
        if fields.is_empty() {
            return Err(Error::Type("a struct has no field, but must have at least one".into()));
        }
        for (i, field) in fields.iter().enumerate() {
            if field.name.is_empty() {
                return Err(Error::Type(format!("field {i} of a struct has an empty name")));
            }
            if fields[..i].iter().any(|f| f.name == field.name) {
                return Err(Error::Type(format!("a struct has two fields called `{}`", field.name)));
            }
            if field.ty.depth() >= MAX_DEPTH {
                return Err(Error::Type(format!("the type nests deeper than {MAX_DEPTH} levels")));
            }
        }
        Ok(Type::Struct(StructType(fields.into())))
    }

    /// How many dimensions lead the type. A pointer has those of its target.
    pub fn ndim(&self) -> usize {
        match self {
            Type::Fixed(_, e) | Type::Strided(e) | Type::Var(e) => 1 + e.ndim(),
            Type::Pointer(target) => target.ndim(),
            _ => 0,
        }
    }

    /// The type of one element of the outermost dimension; of a pointer, its target.
    pub fn inner(&self) -> Option<&Type> {
        match self {
            Type::Fixed(_, e) | Type::Strided(e) | Type::Var(e) | Type::Pointer(e) => Some(e),
            _ => None,
        }
    }

    /// What is left when all leading dimensions and pointers are taken off.
    pub fn dtype(&self) -> &Type {
        let mut ty = self;
        while let Some(inner) = ty.inner() {
            ty = inner;
        }
        ty
    }

    /// Whether elements hold addresses: var dimensions or pointers anywhere inside.
    pub fn has_addresses(&self) -> bool {
        match self {
            Type::Var(_) | Type::Pointer(_) => true,
            Type::Fixed(_, e) | Type::Strided(e) => e.has_addresses(),
            Type::Struct(s) => s.fields().iter().any(|f| f.ty.has_addresses()),
            _ => false,
        }
    }
}
