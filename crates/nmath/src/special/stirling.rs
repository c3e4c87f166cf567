//! The error of Stirling's formula, for the arguments where one polynomial gives it.

use super::double_double::fast_two_sum;
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

/// `x stirlerr(x)` at `x = 5/2`.
#[kernel]
const CENTRE: (f64, f64) = (0.08290718379984072, 1.8600236057003677e-18);

polynomial! {
    /// The same as `stirling_slope` with three terms more: Chebyshev's series of `x stirlerr(x)`, degree 22, error 1.7e-19.
    fn stirling_slope_long =
        [2.1993418131439775e-13, -3.102773821796925e-14]
        [-2.0986887985241154e-12, -2.235759476827386e-12, 4.0036784573206725e-12, 1.1524951356955283e-11]
        [1.7859621886901002e-11, 2.1759432582641343e-11, -2.1154634933657617e-11, -2.1798949878370754e-10]
        [-6.543837508692691e-10, -8.39270520763295e-10, 1.4114648683066219e-09, 1.3983083550288803e-08]
        [2.822543830473643e-08, 3.549165026998798e-08, -7.070559969102957e-07, 1.5615964116936975e-08]
        [-9.977071267955695e-06, 0.00015293286157774436, -0.0006991285895948899, 0.0009829363429697787];
}

/// `stirlerr(x)` for `x >= 1` as a pair, absolute error `2^-62/x`: for exponents whose errors are divided by a small shape,
/// and for logarithms next to their zeros.
///
/// Domain: as [`stirlerr_from_one`].
/// Method: that of [`stirlerr_from_one`] with three terms more. All but the constant term is below 0.002, so it alone
///   is a pair; the division by `x` is corrected by its residual.
#[kernel(inline)]
pub fn stirlerr_pair(x: f64) -> (f64, f64) {
    let x = if x < 1e100 { x } else { 1e100 };
    let d = x + 0.5;
    let r = 1.0 / (x * d);
    let t = (x - 2.5) * (r * x);
    let (h, l) = fast_two_sum(CENTRE.0, t * stirling_slope_long(t));
    let inverse = r * d;
    let q = h * inverse;
    let rest = (-q).mul_add(x, h) + (l + CENTRE.1);
    fast_two_sum(q, rest * inverse)
}
