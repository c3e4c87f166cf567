//! Values as trees: to make arrays from nested lists, and to look at them.

use std::fmt;

use gristmill_ckernel::error;
use num_complex::Complex;

use crate::array::{Array, ArrayRef};
use crate::assign::leaf;
use crate::convert::ErrorMode;
use crate::error::{Error, Result, argument};
use crate::metadata::{VarRow, extent_of, metadata_words};
use crate::types::{Primitive, Type};

/// The contents of an array, whatever its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A row that was not initialised, or a null pointer.
    Missing,
    /// A bool.
    Bool(bool),
    /// A signed integer.
    Int(i128),
    /// An unsigned integer above what `Int` holds.
    UInt(u128),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(Complex<f64>),
    /// Fixed bytes.
    Bytes(Vec<u8>),
    /// The elements of a dimension.
    List(Vec<Value>),
    /// The fields of a struct.
    Record(Vec<(String, Value)>),
}

macro_rules! from_int {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Value {
            fn from(x: $ty) -> Value {
                Value::Int(x.into())
            }
        }
    )*};
}
from_int!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl From<bool> for Value {
    fn from(x: bool) -> Value {
        Value::Bool(x)
    }
}
impl From<u128> for Value {
    fn from(x: u128) -> Value {
        i128::try_from(x).map_or(Value::UInt(x), Value::Int)
    }
}
impl From<f64> for Value {
    fn from(x: f64) -> Value {
        Value::Float(x)
    }
}
impl From<Complex<f64>> for Value {
    fn from(x: Complex<f64>) -> Value {
        Value::Complex(x)
    }
}
impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(list: [T; N]) -> Value {
        Value::List(list.into_iter().map(Into::into).collect())
    }
}
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Value {
        Value::List(list.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Missing => f.write_str("missing"),
            Value::Bool(x) => write!(f, "{x}"),
            Value::Int(x) => write!(f, "{x}"),
            Value::UInt(x) => write!(f, "{x}"),
            Value::Float(x) => write!(f, "{x:?}"),
            Value::Complex(x) => write!(f, "{x}"),
            Value::Bytes(x) => {
                f.write_str("0x")?;
                x.iter().try_for_each(|b| write!(f, "{b:02x}"))
            }
            Value::List(list) => {
                f.write_str("[")?;
                for (i, x) in list.iter().enumerate() {
                    write!(f, "{}{x}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Value::Record(fields) => {
                f.write_str("{")?;
                for (i, (name, x)) in fields.iter().enumerate() {
                    write!(f, "{}{name}: {x}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

impl Array {
    /// An array of this type with these contents. The sizes of `strided` dimensions are those of the lists; var rows and
    /// pointer targets are allocated. Every scalar must be exact in its type.
    ///
    /// # Errors
    /// When the value does not have the form of the type: another rank, uneven rows in a strided dimension, missing fields.
    pub fn from_value(ty: &Type, value: impl Into<Value>) -> Result<Array> {
        let value = value.into();
        let mut sizes = Vec::new();
        find_sizes(ty, Some(&value), &mut sizes);
        let array = Array::zeros(ty, &sizes)?;
        let view = array.view();
        // SAFETY: the array is new: nobody else sees its memory, which has the type's extent.
        unsafe { store(ty, array.metadata().words(), &array, view.data.cast_mut(), &value)? };
        Ok(array)
    }

    /// The contents.
    pub fn to_value(&self) -> Value {
        self.view().to_value()
    }
}

/// The size of each strided dimension, from the first list found at its place.
fn find_sizes(ty: &Type, value: Option<&Value>, sizes: &mut Vec<usize>) {
    let list = match value {
        Some(Value::List(list)) => &list[..],
        _ => &[],
    };
    match ty {
        Type::Strided(e) => {
            sizes.push(list.len());
            find_sizes(e, list.first(), sizes);
        }
        Type::Fixed(_, e) => find_sizes(e, list.first(), sizes),
        Type::Var(e) => find_sizes(e, list.iter().find(|v| !matches!(v, Value::List(l) if l.is_empty())), sizes),
        Type::Pointer(e) => find_sizes(e, value, sizes),
        Type::Struct(s) => {
            for field in s.fields() {
                find_sizes(&field.ty, member(value, &field.name), sizes);
            }
        }
        _ => {}
    }
}

fn member<'v>(value: Option<&'v Value>, name: &str) -> Option<&'v Value> {
    match value {
        Some(Value::Record(fields)) => fields.iter().find(|f| f.0 == name).map(|f| &f.1),
        _ => None,
    }
}

fn mismatch(value: &Value, ty: &Type) -> Error {
    argument("a value", value, format!("of the form of `{ty}`"))
}

/// Writes a value.
/// # Safety
/// 1. `data` is valid for writes of the type under `words`, which belong to `owner`.
unsafe fn store(ty: &Type, words: &[isize], owner: &Array, data: *mut u8, value: &Value) -> Result<()> {
    let allocate = |size: Option<usize>| {
        size.and_then(|size| owner.metadata().block()?.allocate(size))
            .ok_or_else(|| argument("the size of a row", "too large", "available memory"))
    };
    match (ty, value) {
        (Type::Fixed(..) | Type::Strided(_), Value::List(list)) if list.len() == words[0] as usize => {
            let element = ty.inner().unwrap_or(ty);
            for (i, x) in list.iter().enumerate() {
                // SAFETY: (1), for an element.
                unsafe { store(element, &words[2..], owner, data.offset(words[1] * i as isize), x)? };
            }
            Ok(())
        }
        (Type::Var(_) | Type::Pointer(_), Value::Missing) => Ok(()),
        (Type::Var(e), Value::List(list)) => {
            let begin = allocate((words[1] as usize).checked_mul(list.len()))?;
            for (i, x) in list.iter().enumerate() {
                // SAFETY: the row was allocated for this many elements.
                unsafe { store(e, &words[3..], owner, begin.offset(words[1] * i as isize), x)? };
            }
            // SAFETY: (1).
            unsafe { data.cast::<VarRow>().write(VarRow { begin, size: list.len() }) };
            Ok(())
        }
        (Type::Pointer(target), _) => {
            let address = allocate(Some(extent_of(target, &words[2..]).size))?;
            // SAFETY: the target was allocated with its extent; (1) for the pointer.
            unsafe {
                store(target, &words[2..], owner, address, value)?;
                data.cast::<*mut u8>().write(address);
            }
            Ok(())
        }
        (Type::Struct(s), Value::Record(fields)) if fields.len() == s.fields().len() => {
            let (offsets, mut rest) = words.split_at(s.fields().len());
            for (field, &offset) in s.fields().iter().zip(offsets) {
                let x = member(Some(value), &field.name).ok_or_else(|| mismatch(value, ty))?;
                // SAFETY: (1), for a field.
                unsafe { store(&field.ty, rest, owner, data.offset(offset), x)? };
                rest = &rest[metadata_words(&field.ty)..];
            }
            Ok(())
        }
        (Type::Bytes(b), Value::Bytes(bytes)) if bytes.len() == b.size() => {
            // SAFETY: (1).
            unsafe { data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            Ok(())
        }
        (Type::Primitive(s) | Type::Unaligned(s) | Type::Swapped(s), _) => {
            // SAFETY: (1).
            unsafe { store_scalar(*s, matches!(ty, Type::Swapped(_)), data, value) }
        }
        _ => Err(mismatch(value, ty)),
    }
}

unsafe fn store_scalar(scalar: Primitive, swapped: bool, data: *mut u8, value: &Value) -> Result<()> {
    let (from, source): (Primitive, *const u8) = match value {
        Value::Bool(x) => (Primitive::Bool, std::ptr::from_ref(x).cast()),
        Value::Int(x) => (Primitive::Int128, std::ptr::from_ref(x).cast()),
        Value::UInt(x) => (Primitive::UInt128, std::ptr::from_ref(x).cast()),
        Value::Float(x) => (Primitive::Float64, std::ptr::from_ref(x).cast()),
        Value::Complex(x) => (Primitive::Complex64, std::ptr::from_ref(x).cast()),
        _ => return Err(mismatch(value, &Type::Primitive(scalar))),
    };
    error::clear();
    // SAFETY: source and destination are one scalar each; leaves have no data of their own.
    unsafe {
        (leaf::convert(scalar, from, ErrorMode::Inexact).single)(data, source, std::ptr::null_mut());
        if swapped && !error::pending() {
            (leaf::swap(scalar).single)(data, data, std::ptr::null_mut());
        }
    }
    error::take().map_or(Ok(()), |e| Err(e.into()))
}

impl ArrayRef<'_> {
    /// The contents.
    pub fn to_value(&self) -> Value {
        match &self.ty {
            Type::Fixed(..) | Type::Strided(_) | Type::Var(_) => match self.len() {
                Ok(n) => Value::List((0..n).map(|i| self.index(i).map_or(Value::Missing, |v| v.to_value())).collect()),
                Err(_) => Value::Missing,
            },
            Type::Pointer(_) => self.target().map_or(Value::Missing, |view| view.to_value()),
            Type::Struct(s) => {
                let value = |name: &str| self.field(name).map_or(Value::Missing, |v| v.to_value());
                Value::Record(s.fields().iter().map(|f| (f.name.clone(), value(&f.name))).collect())
            }
            Type::Bytes(b) => {
                // SAFETY: invariant 1 of the view.
                Value::Bytes(unsafe { std::slice::from_raw_parts(self.data, b.size()) }.to_vec())
            }
            Type::Primitive(s) | Type::Unaligned(s) => self.scalar_value(*s, false),
            Type::Swapped(s) => self.scalar_value(*s, true),
        }
    }

    fn scalar_value(&self, scalar: Primitive, swapped: bool) -> Value {
        let mut native = [0u8; 16];
        let copy = if swapped { leaf::swap(scalar) } else { leaf::copy(scalar.size()) };
        // SAFETY: invariant 1 of the view; a scalar has at most 16 bytes; leaves have no data of their own.
        unsafe { (copy.single)(native.as_mut_ptr(), self.data, std::ptr::null_mut()) };
        fn widen<T: Copy>(native: &[u8; 16], from: Primitive, to: Primitive, zero: T) -> T {
            let mut wide = zero;
            let convert = leaf::convert(to, from, ErrorMode::None).single;
            // SAFETY: `T` is the type of `to`, and `native` holds a `from`.
            unsafe { convert((&raw mut wide).cast(), native.as_ptr(), std::ptr::null_mut()) };
            wide
        }
        match scalar {
            Primitive::Bool => Value::Bool(native[0] != 0),
            Primitive::UInt128 => widen(&native, scalar, Primitive::UInt128, 0u128).into(),
            Primitive::Float16 | Primitive::Float32 | Primitive::Float64 => {
                Value::Float(widen(&native, scalar, Primitive::Float64, 0.0f64))
            }
            Primitive::Complex32 | Primitive::Complex64 => {
                Value::Complex(widen(&native, scalar, Primitive::Complex64, Complex::new(0.0f64, 0.0)))
            }
            _ => Value::Int(widen(&native, scalar, Primitive::Int128, 0i128)),
        }
    }
}
