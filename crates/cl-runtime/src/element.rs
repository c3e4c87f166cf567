//! The types that pass between host and device, and their names in OpenCL C.

use gristmill_kernel::Scalar;
use std::fmt;

/// The element types that buffers and kernel arguments can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementType {
    /// `char`
    I8,
    /// `short`
    I16,
    /// `int`
    I32,
    /// `long`
    I64,
    /// `uchar`
    U8,
    /// `ushort`
    U16,
    /// `uint`
    U32,
    /// `ulong`
    U64,
    /// `float`
    F32,
    /// `double`
    F64,
}

impl ElementType {
    /// Every type, in the order of the declaration.
    pub const ALL: [ElementType; 10] = [
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::I64,
        ElementType::U8,
        ElementType::U16,
        ElementType::U32,
        ElementType::U64,
        ElementType::F32,
        ElementType::F64,
    ];

    /// Bytes of one element; also its alignment on every OpenCL device.
    pub const fn size(self) -> usize {
        match self {
            ElementType::I8 | ElementType::U8 => 1,
            ElementType::I16 | ElementType::U16 => 2,
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 => 8,
        }
    }

    /// The name in OpenCL C.
    pub const fn c_name(self) -> &'static str {
        match self {
            ElementType::I8 => "char",
            ElementType::I16 => "short",
            ElementType::I32 => "int",
            ElementType::I64 => "long",
            ElementType::U8 => "uchar",
            ElementType::U16 => "ushort",
            ElementType::U32 => "uint",
            ElementType::U64 => "ulong",
            ElementType::F32 => "float",
            ElementType::F64 => "double",
        }
    }

    /// The name in Rust and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ElementType::I8 => "i8",
            ElementType::I16 => "i16",
            ElementType::I32 => "i32",
            ElementType::I64 => "i64",
            ElementType::U8 => "u8",
            ElementType::U16 => "u16",
            ElementType::U32 => "u32",
            ElementType::U64 => "u64",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        }
    }

    /// That of a kernel's scalar in a buffer, where a bool is a byte.
    pub const fn in_buffer(scalar: Scalar) -> ElementType {
        match scalar {
            Scalar::F64 => ElementType::F64,
            Scalar::F32 => ElementType::F32,
            Scalar::I32 => ElementType::I32,
            Scalar::I64 => ElementType::I64,
            Scalar::U32 => ElementType::U32,
            Scalar::U64 | Scalar::Usize => ElementType::U64,
            Scalar::Bool => ElementType::U8,
        }
    }

    /// That of a kernel's scalar that is passed by value: a bool is an `int` then.
    pub const fn by_value(scalar: Scalar) -> ElementType {
        match scalar {
            Scalar::Bool => ElementType::I32,
            other => ElementType::in_buffer(other),
        }
    }

    /// The type with this name in Rust (`f64`) or in OpenCL C (`double`, `unsigned long`).
    pub fn parse(name: &str) -> Option<ElementType> {
        if let Some(rest) = name.strip_prefix("unsigned") {
            return match rest.trim() {
                "char" => Some(ElementType::U8),
                "short" => Some(ElementType::U16),
                "" | "int" => Some(ElementType::U32),
                "long" => Some(ElementType::U64),
                _ => None,
            };
        }
        ElementType::ALL.into_iter().find(|t| t.c_name() == name || t.name() == name)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that a buffer can hold.
///
/// # Safety
/// 1. Every bit pattern is a value, there is no padding, and size and alignment are those of [`Element::TYPE`].
pub unsafe trait Element: Copy + Send + Sync + sealed::Sealed + 'static {
    /// Its name at run time.
    const TYPE: ElementType;
}

macro_rules! elements {
    ($($t:ty => $v:ident),*) => {$(
        impl sealed::Sealed for $t {}
        // SAFETY: (1): a primitive number; sizes are compared below.
        unsafe impl Element for $t { const TYPE: ElementType = ElementType::$v; }
        const _: () = assert!(size_of::<$t>() == ElementType::$v.size());
        impl From<$t> for ElementValue { fn from(x: $t) -> ElementValue { ElementValue::$v(x) } }
    )*};
}

/// One number, passed by value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "each variant is the type it names")]
pub enum ElementValue {
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

elements!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64);

impl ElementValue {
    /// Its type.
    pub const fn ty(self) -> ElementType {
        match self {
            ElementValue::I8(_) => ElementType::I8,
            ElementValue::I16(_) => ElementType::I16,
            ElementValue::I32(_) => ElementType::I32,
            ElementValue::I64(_) => ElementType::I64,
            ElementValue::U8(_) => ElementType::U8,
            ElementValue::U16(_) => ElementType::U16,
            ElementValue::U32(_) => ElementType::U32,
            ElementValue::U64(_) => ElementType::U64,
            ElementValue::F32(_) => ElementType::F32,
            ElementValue::F64(_) => ElementType::F64,
        }
    }

    /// Its bytes as the device reads them; only the first `ty().size()` count.
    pub(crate) fn bytes(self) -> [u8; 8] {
        let mut bytes = [0; 8];
        macro_rules! put {
            ($x:expr) => {{
                let b = $x.to_ne_bytes();
                bytes[..b.len()].copy_from_slice(&b);
            }};
        }
        match self {
            ElementValue::I8(x) => put!(x),
            ElementValue::I16(x) => put!(x),
            ElementValue::I32(x) => put!(x),
            ElementValue::I64(x) => put!(x),
            ElementValue::U8(x) => put!(x),
            ElementValue::U16(x) => put!(x),
            ElementValue::U32(x) => put!(x),
            ElementValue::U64(x) => put!(x),
            ElementValue::F32(x) => put!(x),
            ElementValue::F64(x) => put!(x),
        }
        bytes
    }
}

impl ElementType {
    /// The integer in the first bytes, as [`ElementValue::bytes`] put it there; `None` for a floating-point type.
    pub(crate) fn read_integer(self, bytes: [u8; 8]) -> Option<i128> {
        macro_rules! take {
            ($t:ty) => {{
                let mut b = [0; size_of::<$t>()];
                b.copy_from_slice(&bytes[..size_of::<$t>()]);
                Some(i128::from(<$t>::from_ne_bytes(b)))
            }};
        }
        match self {
            ElementType::I8 => take!(i8),
            ElementType::I16 => take!(i16),
            ElementType::I32 => take!(i32),
            ElementType::I64 => take!(i64),
            ElementType::U8 => take!(u8),
            ElementType::U16 => take!(u16),
            ElementType::U32 => take!(u32),
            ElementType::U64 => take!(u64),
            ElementType::F32 | ElementType::F64 => None,
        }
    }
}

/// Elements as bytes.
pub(crate) fn as_bytes<T: Element>(data: &[T]) -> &[u8] {
    // SAFETY: `Element` (1): no padding; the length in bytes is that of the slice.
    unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), size_of_val(data)) }
}

/// Elements as bytes, to be written.
pub(crate) fn as_bytes_mut<T: Element>(data: &mut [T]) -> &mut [u8] {
    // SAFETY: `Element` (1): no padding, and whatever bytes arrive are values.
    unsafe { std::slice::from_raw_parts_mut(data.as_mut_ptr().cast(), size_of_val(data)) }
}
