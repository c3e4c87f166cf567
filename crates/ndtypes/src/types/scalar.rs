//! The sixteen scalar types.

use std::fmt;

/// A scalar type. The order is the order of the conversion table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Scalar {
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

impl Scalar {
    /// Every scalar type, in table order.
    pub const ALL: [Scalar; 16] = [
        Scalar::Bool,
        Scalar::Int8,
        Scalar::Int16,
        Scalar::Int32,
        Scalar::Int64,
        Scalar::Int128,
        Scalar::UInt8,
        Scalar::UInt16,
        Scalar::UInt32,
        Scalar::UInt64,
        Scalar::UInt128,
        Scalar::Float16,
        Scalar::Float32,
        Scalar::Float64,
        Scalar::Complex32,
        Scalar::Complex64,
    ];

    /// The text form, which [`Scalar::parse`] reads back.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int8 => "int8",
            Scalar::Int16 => "int16",
            Scalar::Int32 => "int32",
            Scalar::Int64 => "int64",
            Scalar::Int128 => "int128",
            Scalar::UInt8 => "uint8",
            Scalar::UInt16 => "uint16",
            Scalar::UInt32 => "uint32",
            Scalar::UInt64 => "uint64",
            Scalar::UInt128 => "uint128",
            Scalar::Float16 => "float16",
            Scalar::Float32 => "float32",
            Scalar::Float64 => "float64",
            Scalar::Complex32 => "complex[float32]",
            Scalar::Complex64 => "complex[float64]",
        }
    }

    /// The scalar of this name, also under its Rust name (`f64`) or, for the complex types, by total width (`complex128`).
    pub fn parse(name: &str) -> Option<Scalar> {
        Some(match name {
            "i8" => Scalar::Int8,
            "i16" => Scalar::Int16,
            "i32" => Scalar::Int32,
            "i64" => Scalar::Int64,
            "i128" => Scalar::Int128,
            "u8" => Scalar::UInt8,
            "u16" => Scalar::UInt16,
            "u32" => Scalar::UInt32,
            "u64" => Scalar::UInt64,
            "u128" => Scalar::UInt128,
            "f16" => Scalar::Float16,
            "f32" => Scalar::Float32,
            "f64" => Scalar::Float64,
            "complex64" => Scalar::Complex32,
            "complex128" => Scalar::Complex64,
            _ => return Scalar::ALL.into_iter().find(|s| s.name() == name),
        })
    }

    /// Bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::Int8 | Scalar::UInt8 => 1,
            Scalar::Int16 | Scalar::UInt16 | Scalar::Float16 => 2,
            Scalar::Int32 | Scalar::UInt32 | Scalar::Float32 => 4,
            Scalar::Int64 | Scalar::UInt64 | Scalar::Float64 | Scalar::Complex32 => 8,
            Scalar::Int128 | Scalar::UInt128 | Scalar::Complex64 => 16,
        }
    }

    /// Alignment of one element: that of the Rust type.
    pub const fn align(self) -> usize {
        match self {
            Scalar::Int64 | Scalar::UInt64 => align_of::<u64>(),
            Scalar::Float64 | Scalar::Complex64 => align_of::<f64>(),
            Scalar::Int128 | Scalar::UInt128 => align_of::<u128>(),
            Scalar::Complex32 => align_of::<f32>(),
            _ => self.size(),
        }
    }

    /// Bytes that swap together: the size, or half of it for a complex type.
    pub const fn word(self) -> usize {
        match self {
            Scalar::Complex32 | Scalar::Complex64 => self.size() / 2,
            _ => self.size(),
        }
    }

    /// Whether this is one of the two complex types.
    pub const fn is_complex(self) -> bool {
        matches!(self, Scalar::Complex32 | Scalar::Complex64)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
