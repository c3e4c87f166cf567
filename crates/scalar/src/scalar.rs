//! The scalar types of kernels.

use core::fmt;

/// A scalar type of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `double` in C.
    F64,
    /// `float` in C.
    F32,
    /// `int` in C.
    I32,
    /// `long` in C.
    I64,
    /// `uint` in C.
    U32,
    /// `ulong` in C.
    U64,
    /// `ulong` in C.
    Usize,
    /// `int` in C as a parameter; `uchar` in buffers, as in Rust.
    Bool,
}

/// An expression with `T` as the type in Rust that a [`Scalar`] names: `by_type!(scalar, T => size_of::<T>())`.
#[macro_export]
macro_rules! by_type {
    ($scalar:expr, $t:ident => $e:expr) => {
        match $scalar {
            $crate::Scalar::F64 => { type $t = f64; $e }
            $crate::Scalar::F32 => { type $t = f32; $e }
            $crate::Scalar::I32 => { type $t = i32; $e }
            $crate::Scalar::I64 => { type $t = i64; $e }
            $crate::Scalar::U32 => { type $t = u32; $e }
            $crate::Scalar::U64 => { type $t = u64; $e }
            $crate::Scalar::Usize => { type $t = usize; $e }
            $crate::Scalar::Bool => { type $t = bool; $e }
        }
    };
}

impl Scalar {
    /// Every one.
    pub const ALL: [Scalar; 8] =
        [Scalar::F64, Scalar::F32, Scalar::I32, Scalar::I64, Scalar::U32, Scalar::U64, Scalar::Usize, Scalar::Bool];

    /// The one with this name in Rust.
    pub fn parse(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The type of a value in C.
    pub const fn c_name(self) -> &'static str {
        match self {
            Scalar::F64 => "double",
            Scalar::F32 => "float",
            Scalar::I32 | Scalar::Bool => "int",
            Scalar::I64 => "long",
            Scalar::U32 => "uint",
            Scalar::U64 | Scalar::Usize => "ulong",
        }
    }

    /// The type of an element of a buffer in C.
    pub const fn c_element(self) -> &'static str {
        match self {
            Scalar::Bool => "uchar",
            other => other.c_name(),
        }
    }

    /// The type in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::F64 => "f64",
            Scalar::F32 => "f32",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::Bool => "bool",
        }
    }

    /// Bytes of an element, in Rust and in buffers.
    pub const fn size(self) -> usize {
        match self {
            Scalar::F64 | Scalar::I64 | Scalar::U64 | Scalar::Usize => 8,
            Scalar::F32 | Scalar::I32 | Scalar::U32 => 4,
            Scalar::Bool => 1,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
