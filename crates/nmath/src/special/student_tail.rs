//! The height of Student's t distribution; its tails with many degrees of freedom, and their inverse, by an expansion about
//! the normal distribution.
//!
//! With `nu = n - 1/2` and `z = sqrt(nu log(1 + t^2/n))` the density of `z` is `C exp(-z^2/2) h(z^2/nu)`,
//! `h(x) = sqrt((x/2)/sinh(x/2)) = 1 - x^2/48 + x^4/2560 - ...`: the half in `nu` takes away the odd powers. Integrated
//! term by term, `P(T > t) = exp(-z^2/2) (M(z) + z Q(z^2))`, `M` the normal Mills ratio and `Q` a polynomial of the order
//! `1/nu^2`. No gamma function is needed: `C` follows from the tail at 0 being 1/2.
//! Paper: wallace1959 (the transformation), temme1982 (the method).

use super::beta_quantile::normal_start;
use super::beta_tables::height_correction;
use super::constants::{INV_PI, INV_SQRT_2PI, LN2};
use super::double_double::{
    dd_mul, dd_mul_d, dd_sqrt, dd_square, fast_two_sum, pair_add_d, pair_mul, pair_mul_d, two_prod, two_sum,
};
use super::exponential::{exp, exp_near, exp_sum, expm1_pair};
use super::incomplete_beta::BetaTail;
use super::logarithm::{log, log_dd_of_normal_pair, log_loose_of_pair};
use super::normal_tail::mills_dd;
use gristmill_kernel::kernel;

use crate::special::powers_of_two::TWO_400;

/// From here on the expansion is used. With nine terms its error is `(m/(8.5 nu))^m`, `m = 20`, in the middle.
#[kernel]
pub(crate) const STUDENT_FROM: f64 = 24.0;
/// ... while `t^2/n` is below this, `log(1 + t^2/n) <= 0.6`: the series of `h` is one in `x/(2 pi)`. Both together leave 2e-17.
#[kernel]
pub(crate) const STUDENT_REACH: f64 = 0.82;
/// ... and above this, where pairs still hold their low parts.
#[kernel]
pub(crate) const STUDENT_LEAST: f64 = 1e-200;
/// ... and up to this.
#[kernel]
pub(crate) const STUDENT_TO: f64 = 1e60;

/// The series of `h` in `x^2`: that of `(sinh(y)/y)^(-1/2)`, `y = x/2`.
#[kernel]
const SERIES: [f64; 10] = [
    1.0,
    -1.0 / 48.0,
    1.0 / 2560.0,
    -7.879_670_965_608_465_6e-6,
    1.696_766_579_172_178_1e-7,
    -3.805_064_191_721_906_6e-9,
    8.748_377_596_315_407e-11,
    -2.044_523_359_411_973_8e-12,
    4.833_351_797_967_704_4e-14,
    -1.152_434_101_767_386e-15,
];

/// `log(1 + t)` of a pair `0 <= t <= 1e290`, as a pair, relative error about 2^-66.
///
/// Below 1e-5 its series: there the low part of `t` would be lost in that of `1 + t`.
#[kernel(inline)]
pub(crate) fn log1p_of_ratio(t: (f64, f64)) -> (f64, f64) {
    let u = fast_two_sum(if t.0 > 1.0 { t.0 } else { 1.0 }, if t.0 > 1.0 { 1.0 } else { t.0 });
    let l = log_dd_of_normal_pair(fast_two_sum(u.0, u.1 + t.1));
    let bend = t.0.mul_add(t.0.mul_add(-0.25, 1.0 / 3.0), -0.5) * (t.0 * t.0);
    let series = fast_two_sum(t.0, t.1 + bend);
    let small = t.0 < 1e-5;
    (if small { series.0 } else { l.0 }, if small { series.1 } else { l.1 })
}

/// The same for `t <= 1e280`, relative error about 2^-63, for less.
#[kernel(inline)]
pub(crate) fn log1p_of_ratio_short(t: (f64, f64)) -> (f64, f64) {
    let u = fast_two_sum(if t.0 > 1.0 { t.0 } else { 1.0 }, if t.0 > 1.0 { 1.0 } else { t.0 });
    let l = log_loose_of_pair((u.0, u.1 + t.1));
    let bend = t.0.mul_add(t.0.mul_add(-0.25, 1.0 / 3.0), -0.5) * (t.0 * t.0);
    let small = t.0 < 1e-5;
    fast_two_sum(if small { t.0 } else { l.0 }, if small { t.1 + bend } else { l.1 })
}

/// Below this `n` is lifted by 2^400, so that the low parts of its products are not lost.
#[kernel]
pub(crate) const TINY: f64 = 1e-200;
/// 200 ln 2.
#[kernel]
pub(crate) const LN_TWO_200: (f64, f64) = (138.62943611198907, -3.3555121496085278e-15);

/// The square of the density at 0, `1/(n B(1/2, n/2)^2)`, for `n >= MIN_POSITIVE`: gives `(w, wl, g)` with the square `(w + wl) exp(2 g)`,
/// times 2^400 if `n < TINY`.
///
/// Method: with z = n/2 the density is sqrt(z/(2 pi)) G(z+1/2)/G(z+1), and (G(z+1)/G(z+1/2))^2 is
/// z + 1/4 + 1/(32 z) - ... for large z (DLMF 5.11.13) and 1/pi for z = 0. z + 1/4 + b/(1 + 32 b z) with b = 35/512 has both
/// to 0.00005; what is left, exp(-2 g), is smooth from 0 to infinity, and its logarithm one polynomial.
#[kernel(inline)]
pub(crate) fn square_at_zero(n: f64) -> (f64, f64, f64) {
    let lifted = if n < TINY { n * TWO_400 } else { n };
    let n = if n < 1e30 { n } else { 1e30 }; // from there on both are those of infinity
    let (s, se) = two_prod(280.0, n);
    let top = pair_add_d((s, se), 256.0);
    let bottom = pair_add_d(pair_mul_d(pair_add_d((s, se), 396.0), n), 163.0);
    // one division for the polynomial's argument and the ratio
    let side = n + 1.75;
    let both = 1.0 / (bottom.0 * side);
    let g = height_correction((n - 1.75) * (bottom.0 * both));
    let inverse = side * both;
    let q = top.0 * inverse;
    let r = (-q).mul_add(bottom.1, (-q).mul_add(bottom.0, top.0) + top.1) * inverse;
    let ratio = pair_mul((q, r), (0.5 * INV_PI.0, 0.5 * INV_PI.1));
    let w = dd_mul_d(ratio, if lifted < 1e30 { lifted } else { 1e30 });
    (w.0, w.1, g)
}

/// What the expansion needs of the degrees of freedom.
#[kernel]
pub struct StudentSetup {
    /// `1/n`, as a pair.
    pub inverse: (f64, f64),
    /// `nu = n - 1/2`, as a pair.
    pub nu: (f64, f64),
    /// `1/nu`, as a pair.
    pub inverse_nu: (f64, f64),
    /// `C`, the density of `z` at 0.
    pub height: f64,
    /// The coefficients of `Q`.
    pub factor: [f64; 18],
}

/// A setup that is not used.
#[kernel(inline)]
pub(crate) fn student_nothing() -> StudentSetup {
    StudentSetup { inverse: (0.0, 0.0), nu: (0.0, 0.0), inverse_nu: (0.0, 0.0), height: 0.0, factor: [0.0; 18] }
}

/// `1/b` as a pair, for a normal number whose inverse is one too.
#[kernel(inline)]
pub(crate) fn inverse_pair(b: (f64, f64)) -> (f64, f64) {
    let q = 1.0 / b.0;
    (q, (-q).mul_add(b.1, (-q).mul_add(b.0, 1.0)) * q)
}

/// The part of the expansion that depends on `STUDENT_FROM <= n <= STUDENT_TO` only.
///
/// With `g_j` the coefficient of `z^j` in `h` and `M_j = (j-1) M_{j-2} + z^(j-1)` the moments of the tail over `exp(-z^2/2)`, their
/// sum is `T_0 M_0 + sum T_j z^(j-1)`, `T_j = g_j + (j+1) T_{j+2}`; `C = 1/(sqrt(2 pi) T_0)`.
#[kernel]
pub(crate) fn student_setup(n: f64) -> StudentSetup {
    let nu = two_sum(n, -0.5);
    let inverse = inverse_pair((n, 0.0));
    let inverse_nu = inverse_pair(nu);
    let square = inverse_nu.0 * inverse_nu.0;
    let mut power: [f64; 10] = [1.0; 10];
    for k in 1..10 {
        power[k] = power[k - 1] * square;
    }
    let mut factor: [f64; 18] = [0.0; 18];
    // factor[i] = T_{2i+2}; g_j is 0 unless 4 divides j
    let mut t: f64 = 0.0;
    for i in 0..9 {
        let k: usize = 9 - i;
        t = SERIES[k].mul_add(power[k], ((4 * k + 1) as f64) * t);
        factor[2 * k - 1] = t;
        t *= (4 * k - 1) as f64;
        factor[2 * k - 2] = t;
    }
    let height = INV_SQRT_2PI.0 / (1.0 + t);
    for i in 0..18 {
        factor[i] *= height;
    }
    StudentSetup { inverse, nu, inverse_nu, height, factor }
}

/// `Q(z^2)`.
#[kernel(inline)]
fn correction(square: f64, s: StudentSetup) -> f64 {
    let mut q: f64 = s.factor[17];
    for j in 0..17 {
        let i: usize = 16 - j;
        q = q.mul_add(square, s.factor[i]);
    }
    q
}

polynomial! {
    /// `sum_{k>=1} u^(k-1)/(2k+1)!!` for `u <= 1/2`: `exp(z^2/2)` times the integral of `exp(-w^2/2)` from 0 to z is
    /// `z (1 + u (..))`, `u = z^2`. Thirteen terms: the next is 2e-20.
    fn central_series =
        [1.0 / 213_458_046_676_875.0]
        [1.0 / 7_905_853_580_625.0, 1.0 / 316_234_143_225.0, 1.0 / 13_749_310_575.0, 1.0 / 654_729_075.0]
        [1.0 / 34_459_425.0, 1.0 / 2_027_025.0, 1.0 / 135_135.0, 1.0 / 10_395.0]
        [1.0 / 945.0, 1.0 / 105.0, 1.0 / 15.0, 1.0 / 3.0];
}

/// `exp(z^2/2) P(0 < Z < z)` for `square = z^2 <= 1/2` and `q = Q(z^2)`, as a loose pair: its relative error goes with `z^2`.
#[kernel(inline)]
fn central_part(z: (f64, f64), square: f64, q: f64) -> (f64, f64) {
    let rise = (square * INV_SQRT_2PI.0).mul_add(central_series(square), -q);
    let b = fast_two_sum(INV_SQRT_2PI.0, rise);
    pair_mul((b.0, b.1 + INV_SQRT_2PI.1), z)
}

/// Whether the expansion holds at `t`.
#[kernel(inline)]
pub(crate) fn student_holds(t: f64, s: StudentSetup) -> bool {
    let ratio = (t * s.inverse.0) * t;
    ratio > STUDENT_LEAST && ratio < STUDENT_REACH
}

/// `P(T > |t|)` where the expansion holds: below `z^2 = 1/2` as 1/2 minus the central part, which is more accurate there.
#[kernel(inline)]
pub(crate) fn student_tail(t: f64, s: StudentSetup) -> BetaTail {
    let size = t.abs();
    let l = log1p_of_ratio(dd_mul_d(dd_mul_d(s.inverse, size), size));
    let square = dd_mul(l, s.nu);
    let z = dd_sqrt(square);
    let q = correction(square.0, s);
    let mills = mills_dd(z);
    let sum = fast_two_sum(mills.0, z.0 * q);
    let mut m = (sum.0, sum.1 + mills.1);
    let mut e = (-0.5 * square.0, -0.5 * square.1);
    if square.0 < 0.5 {
        let (high, low, scale) = exp_near(e);
        let inner = dd_mul(central_part(z, square.0, q), (high * scale, low * scale));
        let (h, rest) = two_sum(0.5, -inner.0);
        m = fast_two_sum(h, rest - inner.1);
        e = (0.0, 0.0);
    }
    BetaTail { lower: false, m, e, other: (-1.0, 0.0), slope: 0.0 }
}

/// A probability, 1 minus it, and 1/2 minus it, as pairs.
#[kernel]
pub struct Probability {
    /// The probability, as a pair.
    pub p: (f64, f64),
    /// 1 minus it, as a pair.
    pub q: (f64, f64),
    /// 1/2 minus it, as a pair.
    pub d: (f64, f64),
}

/// The three of a probability above 1e-290, given by itself or by its logarithm; exact, or relative 2^-58.
#[kernel(inline)]
pub(crate) fn probability(p: f64, log_scale: bool) -> Probability {
    if !log_scale {
        let q = two_sum(1.0, -p);
        let d = two_sum(0.5, -p);
        return Probability { p: (p, 0.0), q, d };
    }
    let (high, low, scale) = exp_near((p, 0.0));
    let q = expm1_pair((p, 0.0));
    let from_half = two_sum(p, LN2.0);
    let d = expm1_pair(fast_two_sum(from_half.0, from_half.1 + LN2.1));
    Probability { p: (high * scale, low * scale), q: (-q.0, -q.1), d: (-0.5 * d.0, -0.5 * d.1) }
}

/// The least probability of a tail for which [`student_quantile`] holds: `z^2 <= 0.58 nu` there.
#[kernel(inline)]
pub(crate) fn student_least(n: f64) -> f64 {
    let p = exp(-0.29 * (n - 0.5));
    if p > 1e-290 { p } else { 1e-290 }
}

/// `|t|` with the smaller tail, or 1/2 minus it where that is below 1/4, equal to the given one.
///
/// Method: the normal quantile to 1e-8, `z = w - w (w^2 + 3)/(48 nu^2)`, which is right to 3e-5; one step by the
/// reversed series of the integral of the density, to the fourth power; then `t = sqrt(n (exp(z^2/nu) - 1))`. The difference
/// to the target is taken of pairs, so the step is exact to 2^-57 of z.
#[kernel(inline)]
pub(crate) fn student_quantile(n: f64, tail: (f64, f64), d: (f64, f64), s: StudentSetup) -> f64 {
    let central = d.0 < 0.25;
    // the start: near 1/2 the series of the normal quantile in 2 pi d^2
    let u = (2.0 * std::f64::consts::PI) * d.0 * d.0;
    let series = u.mul_add(4369.0 / 362_880.0, 127.0 / 5040.0);
    let series = u.mul_add(u.mul_add(u.mul_add(series, 7.0 / 120.0), 1.0 / 6.0), 1.0);
    let near = (d.0 * 2.506_628_274_631_000_5) * series;
    let far = -normal_start(log(tail.0));
    let w = if d.0 < 0.13 { near } else { far };
    let shift = (1.0 / 48.0) * s.inverse_nu.0 * s.inverse_nu.0;
    let z = (-w * shift).mul_add(w.mul_add(w, 3.0), w);
    // density, tail and central part there
    let square = two_prod(z, z);
    let x = square.0 * s.inverse_nu.0;
    let q = correction(square.0, s);
    let x2 = x * x;
    let mut h: f64 = SERIES[7];
    for j in 0..7 {
        let i: usize = 6 - j;
        h = h.mul_add(x2, SERIES[i]);
    }
    let (eh, el, scale) = exp_sum((-0.5 * square.0, -0.5 * square.1));
    let e = fast_two_sum(eh, el);
    let mills = mills_dd((z, 0.0));
    let m = fast_two_sum(mills.0, z * q);
    let upper = pair_mul((m.0, m.1 + mills.1), e);
    let inner = pair_mul(central_part((z, 0.0), square.0, q), e);
    let from_tail = (upper.0 * scale - tail.0) + (upper.1 * scale - tail.1);
    let from_half = (d.0 - inner.0 * scale) + (d.1 - inner.1 * scale);
    let density = (s.height * h) * ((e.0 + e.1) * scale);
    let u = (if central { from_half } else { from_tail }) / density;
    // u = dz + a/2 dz^2 + (a^2+b)/6 dz^3 + (a^3+3ab)/24 dz^4, reversed; a, b the derivatives of the density's logarithm
    let bend = x * s.inverse_nu.0;
    let a = -z - (z * bend * (1.0 / 12.0)) * x2.mul_add(x2.mul_add(1.0 / 2520.0, -1.0 / 60.0), 1.0);
    let b = -1.0 - 0.25 * bend;
    let second = 0.5 * a;
    let third = (a * a + b) * (1.0 / 6.0);
    let fourth = a * (a * a + 3.0 * b) * (1.0 / 24.0);
    let cubic = 2.0 * second * second - third;
    let quartic = 5.0 * second * (third - second * second) - fourth;
    let step = u * u.mul_add(u.mul_add(u.mul_add(quartic, cubic), -second), 1.0);
    let z = fast_two_sum(z, step);
    let l = dd_mul(dd_square(z), s.inverse_nu);
    let root = dd_sqrt(dd_mul_d(expm1_pair(l), n));
    root.0 + root.1
}
