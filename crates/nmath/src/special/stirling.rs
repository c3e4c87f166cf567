//! The error of Stirling's formula, for the arguments where one polynomial gives it.

use gristmill_kernel::kernel;

/// `x stirlerr(x)` at `x = 5/2`, as the interpolation has it.
#[kernel]
const STIRLING_CENTRE: f64 = 0.08290718379984072;

polynomial! {
    /// `(x stirlerr(x) - c)/t` for `x >= 1` in `t = (x - 5/2)/(x + 1/2)`: with `c` 7e-17 of the whole, at Chebyshev nodes.
    fn stirling_slope =
        [-2.390898167908187e-12, -3.3282116789011104e-12, 1.1851762357307642e-11]
        [3.1223037517495124e-11, 2.138372220014549e-11, -3.559554114456522e-11, -2.177349751029479e-10]
        [-6.44647919403756e-10, -8.39372178855999e-10, 1.4073300156331463e-09, 1.3983105667709407e-08]
        [2.8226519224056114e-08, 3.549164837688097e-08, -7.070561604351202e-07, 1.561596401483893e-08]
        [-9.977071255323102e-06, 0.0001529328615777676, -0.0006991285895952701, 0.000982936342969778];
}

/// `x stirlerr(x)` in `t = (x - 5/2)/(x + 1/2)`, for `x >= 1`.
#[kernel(inline)]
pub(crate) fn stirling_map(t: f64) -> f64 {
    t.mul_add(stirling_slope(t), STIRLING_CENTRE)
}

/// `stirlerr(x) = log(x!) - log(sqrt(2 pi x) (x/e)^x)` for `x >= 1`, without a branch.
///
/// Domain: `x >= 1`, also `+inf` (0); below 1 and for NaN it is nonsense: the caller guards.
/// Method: `x stirlerr(x)` as one polynomial in `t = (x - 5/2)/(x + 1/2)`, which maps [1, inf) to [-1, 1) and puts the
///   map's own pole at -1/2, away from the branch cut of log(x!): degree 19 serves from 1 to infinity.
/// Paper: loader2000 (the function and its use).
/// Error: absolute 2^-57, as it stands in exponents; as a function of its own it is `stirlerr`.
#[kernel(inline)]
pub fn stirlerr_from_one(x: f64) -> f64 {
    let x = if x < 1e100 { x } else { 1e100 };
    let d = x + 0.5;
    let r = 1.0 / (x * d);
    let t = (x - 2.5) * (r * x);
    stirling_map(t) * (r * d)
}
