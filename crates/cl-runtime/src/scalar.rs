//! The types that pass between host and device, and their names in OpenCL C.

use std::fmt;

/// The element types that buffers and kernel arguments can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarType {
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

impl ScalarType {
    /// Every type, in the order of the declaration.
    pub const ALL: [ScalarType; 10] = [
        ScalarType::I8,
        ScalarType::I16,
        ScalarType::I32,
        ScalarType::I64,
        ScalarType::U8,
        ScalarType::U16,
        ScalarType::U32,
        ScalarType::U64,
        ScalarType::F32,
        ScalarType::F64,
    ];

    /// Bytes of one element; also its alignment on every OpenCL device.
    pub const fn size(self) -> usize {
        match self {
            ScalarType::I8 | ScalarType::U8 => 1,
            ScalarType::I16 | ScalarType::U16 => 2,
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => 4,
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => 8,
        }
    }

    /// The name in OpenCL C.
    pub const fn c_name(self) -> &'static str {
        match self {
            ScalarType::I8 => "char",
            ScalarType::I16 => "short",
            ScalarType::I32 => "int",
            ScalarType::I64 => "long",
            ScalarType::U8 => "uchar",
            ScalarType::U16 => "ushort",
            ScalarType::U32 => "uint",
            ScalarType::U64 => "ulong",
            ScalarType::F32 => "float",
            ScalarType::F64 => "double",
        }
    }

    /// The name in Rust and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ScalarType::I8 => "i8",
            ScalarType::I16 => "i16",
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
            ScalarType::U8 => "u8",
            ScalarType::U16 => "u16",
            ScalarType::U32 => "u32",
            ScalarType::U64 => "u64",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
        }
    }

    /// The type with this name in Rust (`f64`) or in OpenCL C (`double`, `unsigned long`).
    pub fn parse(name: &str) -> Option<ScalarType> {
        if let Some(rest) = name.strip_prefix("unsigned") {
            return match rest.trim() {
                "char" => Some(ScalarType::U8),
                "short" => Some(ScalarType::U16),
                "" | "int" => Some(ScalarType::U32),
                "long" => Some(ScalarType::U64),
                _ => None,
            };
        }
        ScalarType::ALL.into_iter().find(|t| t.c_name() == name || t.name() == name)
    }
}

impl fmt::Display for ScalarType {
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
    const TYPE: ScalarType;
}

macro_rules! elements {
    ($($t:ty => $v:ident),*) => {$(
        impl sealed::Sealed for $t {}
        // SAFETY: (1): a primitive number; sizes are compared below.
        unsafe impl Element for $t { const TYPE: ScalarType = ScalarType::$v; }
        const _: () = assert!(size_of::<$t>() == ScalarType::$v.size());
        impl From<$t> for Scalar { fn from(x: $t) -> Scalar { Scalar::$v(x) } }
    )*};
}

/// One number, passed by value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "each variant is the type it names")]
pub enum Scalar {
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

impl Scalar {
    /// Its type.
    pub const fn ty(self) -> ScalarType {
        match self {
            Scalar::I8(_) => ScalarType::I8,
            Scalar::I16(_) => ScalarType::I16,
            Scalar::I32(_) => ScalarType::I32,
            Scalar::I64(_) => ScalarType::I64,
            Scalar::U8(_) => ScalarType::U8,
            Scalar::U16(_) => ScalarType::U16,
            Scalar::U32(_) => ScalarType::U32,
            Scalar::U64(_) => ScalarType::U64,
            Scalar::F32(_) => ScalarType::F32,
            Scalar::F64(_) => ScalarType::F64,
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
            Scalar::I8(x) => put!(x),
            Scalar::I16(x) => put!(x),
            Scalar::I32(x) => put!(x),
            Scalar::I64(x) => put!(x),
            Scalar::U8(x) => put!(x),
            Scalar::U16(x) => put!(x),
            Scalar::U32(x) => put!(x),
            Scalar::U64(x) => put!(x),
            Scalar::F32(x) => put!(x),
            Scalar::F64(x) => put!(x),
        }
        bytes
    }
}

impl ScalarType {
    /// The integer in the first bytes, as [`Scalar::bytes`] put it there; `None` for a floating-point type.
    pub(crate) fn read_integer(self, bytes: [u8; 8]) -> Option<i128> {
        macro_rules! take {
            ($t:ty) => {{
                let mut b = [0; size_of::<$t>()];
                b.copy_from_slice(&bytes[..size_of::<$t>()]);
                Some(i128::from(<$t>::from_ne_bytes(b)))
            }};
        }
        match self {
            ScalarType::I8 => take!(i8),
            ScalarType::I16 => take!(i16),
            ScalarType::I32 => take!(i32),
            ScalarType::I64 => take!(i64),
            ScalarType::U8 => take!(u8),
            ScalarType::U16 => take!(u16),
            ScalarType::U32 => take!(u32),
            ScalarType::U64 => take!(u64),
            ScalarType::F32 | ScalarType::F64 => None,
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
