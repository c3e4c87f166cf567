//! The sixteen scalar types.

use gristmill_scalar::Scalar;
use std::fmt;

/// A scalar type. The order is the order of the conversion table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Primitive {
    /// One byte; 0 is false, every other value is true. Kernels write 0 or 1.
    Bool,
    /// Signed, 8 bits.
    Int8,
    /// Signed, 16 bits.
    Int16,
    /// Signed, 32 bits.
    Int32,
    /// Signed, 64 bits.
    Int64,
    /// Signed, 128 bits.
    Int128,
    /// Unsigned, 8 bits.
    UInt8,
    /// Unsigned, 16 bits.
    UInt16,
    /// Unsigned, 32 bits.
    UInt32,
    /// Unsigned, 64 bits.
    UInt64,
    /// Unsigned, 128 bits.
    UInt128,
    /// IEEE 754 binary16.
    Float16,
    /// IEEE 754 binary32.
    Float32,
    /// IEEE 754 binary64.
    Float64,
    /// Real and imaginary part, each binary32.
    Complex32,
    /// Real and imaginary part, each binary64.
    Complex64,
}

impl Primitive {
    /// Every scalar type, in table order.
    pub const ALL: [Primitive; 16] = [
        Primitive::Bool,
        Primitive::Int8,
        Primitive::Int16,
        Primitive::Int32,
        Primitive::Int64,
        Primitive::Int128,
        Primitive::UInt8,
        Primitive::UInt16,
        Primitive::UInt32,
        Primitive::UInt64,
        Primitive::UInt128,
        Primitive::Float16,
        Primitive::Float32,
        Primitive::Float64,
        Primitive::Complex32,
        Primitive::Complex64,
    ];

    /// The text form, which [`Primitive::parse`] reads back.
    pub const fn name(self) -> &'static str {
        match self {
            Primitive::Bool => "bool",
            Primitive::Int8 => "int8",
            Primitive::Int16 => "int16",
            Primitive::Int32 => "int32",
            Primitive::Int64 => "int64",
            Primitive::Int128 => "int128",
            Primitive::UInt8 => "uint8",
            Primitive::UInt16 => "uint16",
            Primitive::UInt32 => "uint32",
            Primitive::UInt64 => "uint64",
            Primitive::UInt128 => "uint128",
            Primitive::Float16 => "float16",
            Primitive::Float32 => "float32",
            Primitive::Float64 => "float64",
            Primitive::Complex32 => "complex[float32]",
            Primitive::Complex64 => "complex[float64]",
        }
    }

    /// The scalar of this name, also under its Rust name (`f64`) or, for the complex types, by total width (`complex128`).
    pub fn parse(name: &str) -> Option<Primitive> {
        Some(match name {
            "i8" => Primitive::Int8,
            "i16" => Primitive::Int16,
            "i32" => Primitive::Int32,
            "i64" => Primitive::Int64,
            "i128" => Primitive::Int128,
            "u8" => Primitive::UInt8,
            "u16" => Primitive::UInt16,
            "u32" => Primitive::UInt32,
            "u64" => Primitive::UInt64,
            "u128" => Primitive::UInt128,
            "f16" => Primitive::Float16,
            "f32" => Primitive::Float32,
            "f64" => Primitive::Float64,
            "complex64" => Primitive::Complex32,
            "complex128" => Primitive::Complex64,
            _ => return Primitive::ALL.into_iter().find(|s| s.name() == name),
        })
    }

    /// Bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Primitive::Bool | Primitive::Int8 | Primitive::UInt8 => 1,
            Primitive::Int16 | Primitive::UInt16 | Primitive::Float16 => 2,
            Primitive::Int32 | Primitive::UInt32 | Primitive::Float32 => 4,
            Primitive::Int64 | Primitive::UInt64 | Primitive::Float64 | Primitive::Complex32 => 8,
            Primitive::Int128 | Primitive::UInt128 | Primitive::Complex64 => 16,
        }
    }

    /// Alignment of one element: that of the Rust type.
    pub const fn align(self) -> usize {
        match self {
            Primitive::Int64 | Primitive::UInt64 => align_of::<u64>(),
            Primitive::Float64 | Primitive::Complex64 => align_of::<f64>(),
            Primitive::Int128 | Primitive::UInt128 => align_of::<u128>(),
            Primitive::Complex32 => align_of::<f32>(),
            _ => self.size(),
        }
    }

    /// Bytes that swap together: the size, or half of it for a complex type.
    pub const fn word(self) -> usize {
        match self {
            Primitive::Complex32 | Primitive::Complex64 => self.size() / 2,
            _ => self.size(),
        }
    }

    /// Whether this is one of the two complex types.
    pub const fn is_complex(self) -> bool {
        matches!(self, Primitive::Complex32 | Primitive::Complex64)
    }
}

/// That of a kernel's scalar in an array.
impl From<Scalar> for Primitive {
    fn from(scalar: Scalar) -> Primitive {
        match scalar {
            Scalar::F64 => Primitive::Float64,
            Scalar::F32 => Primitive::Float32,
            Scalar::I32 => Primitive::Int32,
            Scalar::I64 => Primitive::Int64,
            Scalar::U32 => Primitive::UInt32,
            Scalar::U64 | Scalar::Usize => Primitive::UInt64,
            Scalar::Bool => Primitive::Bool,
        }
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
