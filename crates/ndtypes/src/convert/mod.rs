//! Primitive conversions: what each pair of types does in each error mode.
//!
//! A pair is described by `Convert`: `cast` is the total function of mode `none`; `bad` says, without branches, whether
//! a value breaks the rule of a mode; `fault` names the rule. Loops over `cast` and `bad` live in the `assign` module.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod float;
mod pairs;

use std::fmt;

use half::f16;
use num_complex::Complex;

use crate::types::Primitive;

/// How much an assignment may change a value before it is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ErrorMode {
    /// Never an error: integers wrap, floats round, the imaginary part is dropped.
    None = 0,
    /// A value outside the destination's range, NaN to an integer, or a lost imaginary part is an error.
    Overflow = 1,
    /// As `Overflow`, and so is a lost fractional part (float to integer).
    #[default]
    Fractional = 2,
    /// As `Fractional`, and so is any other change of value (rounding). NaN and infinities count as exact.
    Inexact = 3,
}

impl ErrorMode {
    /// Every mode, from lenient to strict.
    pub const ALL: [ErrorMode; 4] = [ErrorMode::None, ErrorMode::Overflow, ErrorMode::Fractional, ErrorMode::Inexact];
}

impl fmt::Display for ErrorMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorMode::None => "none",
            ErrorMode::Overflow => "overflow",
            ErrorMode::Fractional => "fractional",
            ErrorMode::Inexact => "inexact",
        })
    }
}

/// Which rule a value breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The imaginary part is not zero, and the destination has none.
    Imaginary,
    /// The value lies outside the destination's range, or is NaN and the destination is an integer.
    Overflow,
    /// The destination is an integer, the value is not.
    Fractional,
    /// The value changes.
    Inexact,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Imaginary => "loss of imaginary component",
            Fault::Overflow => "overflow",
            Fault::Fractional => "fractional part lost",
            Fault::Inexact => "inexact value",
        })
    }
}

/// A bool as it lies in memory: any byte, nonzero is true. Rust's `bool` would make other bytes undefined.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Byte(pub(crate) u8);

/// A scalar as kernels read and write it.
pub(crate) trait Num: Copy + 'static {
    const SCALAR: Primitive;
    /// The value in text, for messages.
    fn show(self) -> String;
}

/// The conversion from `Self` to `D`.
///
/// `W` (wide) only selects between two ways to the same result: `true` is written for vector code with SSE4.1's rounding,
/// `false` for the baseline, where `trunc` is a function call. A test holds them equal.
pub(crate) trait Convert<D: Num>: Num {
    /// For each mode the most lenient mode with the same outcome for every value; `None` = cannot fail.
    const CHECKS: [ErrorMode; 4];
    /// Whether a vector copy of the loop is worth its code.
    const VECTOR: bool = false;

    /// Mode `none`: total.
    fn cast<const W: bool>(self) -> D;
    /// Whether the value breaks a rule of `mode`, which is one of `CHECKS`. No branches: loops accumulate it.
    fn bad<const W: bool>(self, mode: ErrorMode) -> bool;
    /// The result without branches, and whether it needs a closer look: under `None` because `cast` may differ, under
    /// another mode because the value breaks its rule. For loops over strided elements.
    #[inline(always)]
    fn quick<const W: bool>(self, mode: ErrorMode) -> (D, bool) {
        (self.cast::<false>(), mode as u8 != 0 && self.bad::<W>(mode))
    }
    /// The modes for which [`block`](Self::block) exists.
    const BLOCK_MODES: [bool; 4] = [false; 4];
    /// Converts a block of elements that lie side by side, quickly. False: at least one value needs a closer look, and
    /// the destination holds anything.
    ///
    /// # Safety
    /// 1. The machine has AVX2, and `BLOCK_MODES` has `mode`. 2. Both pointers are valid for `count` elements, at any
    ///    address, and do not overlap.
    unsafe fn block(src: *const Self, dst: *mut D, count: usize, mode: ErrorMode) -> bool {
        let _ = (src, dst, count, mode);
        false
    }
    /// The first broken rule, in the order imaginary, overflow, fractional, inexact.
    fn fault(self, mode: ErrorMode) -> Option<Fault>;
}

macro_rules! num {
    ($($ty:ty => $scalar:ident),* $(,)?) => {$(
        impl Num for $ty {
            const SCALAR: Primitive = Primitive::$scalar;
            fn show(self) -> String {
                self.to_string()
            }
        }
    )*};
}
num! {
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, i128 => Int128,
    u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64, u128 => UInt128,
    f16 => Float16, Complex<f32> => Complex32, Complex<f64> => Complex64,
}

impl Num for f32 {
    const SCALAR: Primitive = Primitive::Float32;
    fn show(self) -> String {
        format!("{self:?}") // as short as reads back, with an exponent when long
    }
}
impl Num for f64 {
    const SCALAR: Primitive = Primitive::Float64;
    fn show(self) -> String {
        format!("{self:?}")
    }
}
impl Num for Byte {
    const SCALAR: Primitive = Primitive::Bool;
    fn show(self) -> String {
        (self.0 != 0).to_string()
    }
}
