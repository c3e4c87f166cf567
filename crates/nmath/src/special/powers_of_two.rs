//! Powers of two: what scales a number without rounding it.

use gristmill_kernel::kernel;

/// 2^-600
#[kernel]
pub const TWO_M600: f64 = f64::from_bits((1023 - 600) << 52);

/// 2^-512
#[kernel]
pub const TWO_M512: f64 = f64::from_bits((1023 - 512) << 52);

/// 2^-200
#[kernel]
pub const TWO_M200: f64 = f64::from_bits((1023 - 200) << 52);

/// 2^-116
#[kernel]
pub const TWO_M116: f64 = f64::from_bits((1023 - 116) << 52);

/// 2^-64
#[kernel]
pub const TWO_M64: f64 = f64::from_bits((1023 - 64) << 52);

/// 2^-53
#[kernel]
pub const TWO_M53: f64 = f64::from_bits((1023 - 53) << 52);

/// 2^-49
#[kernel]
pub const TWO_M49: f64 = f64::from_bits((1023 - 49) << 52);

/// 2^-43
#[kernel]
pub const TWO_M43: f64 = f64::from_bits((1023 - 43) << 52);

/// 2^-30
#[kernel]
pub const TWO_M30: f64 = f64::from_bits((1023 - 30) << 52);

/// 2^-20
#[kernel]
pub const TWO_M20: f64 = f64::from_bits((1023 - 20) << 52);

/// 2^-10
#[kernel]
pub const TWO_M10: f64 = f64::from_bits((1023 - 10) << 52);

/// 2^32
#[kernel]
pub const TWO_32: f64 = f64::from_bits((1023 + 32) << 52);

/// 2^52
#[kernel]
pub const TWO_52: f64 = f64::from_bits((1023 + 52) << 52);

/// 2^54
#[kernel]
pub const TWO_54: f64 = f64::from_bits((1023 + 54) << 52);

/// 2^53: from here on not every integer is a double.
#[kernel]
pub const TWO_53: f64 = f64::from_bits((1023 + 53) << 52);

/// 2^64
#[kernel]
pub const TWO_64: f64 = f64::from_bits((1023 + 64) << 52);

/// 2^200
#[kernel]
pub const TWO_200: f64 = f64::from_bits((1023 + 200) << 52);

/// 2^256
#[kernel]
pub const TWO_256: f64 = f64::from_bits((1023 + 256) << 52);

/// 2^300
#[kernel]
pub const TWO_300: f64 = f64::from_bits((1023 + 300) << 52);

/// 2^400
#[kernel]
pub const TWO_400: f64 = f64::from_bits((1023 + 400) << 52);

/// 2^500
#[kernel]
pub const TWO_500: f64 = f64::from_bits((1023 + 500) << 52);

/// 2^512
#[kernel]
pub const TWO_512: f64 = f64::from_bits((1023 + 512) << 52);

/// 2^600
#[kernel]
pub const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
