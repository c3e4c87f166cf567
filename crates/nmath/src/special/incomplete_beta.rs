//! The incomplete beta ratio `I_x(a, b)`, both tails, and its derivative: the distribution functions and quantiles of
//! the beta family are built on it.
//!
//! Everything has the form `P` times a factor, `P = x^a y^b / B(a, b)` as a factor and an exponent in double-double, so
//! tails and logarithms are relatively accurate by construction. `x` and `y = 1 - x` are both given as pairs.

use super::beta_constant::{inverse_beta, saddle_constant};
use super::beta_function::lbeta_dd;
use super::beta_tables::{
    uniform_g2, uniform_g3, uniform_g4, uniform_g5, uniform_g6, uniform_g7, uniform_g8, uniform_g9, uniform_g10,
    uniform_g11, uniform_g12, uniform_g13, uniform_g14, uniform_g15, uniform_g16, uniform_g17, uniform_g18,
    uniform_g19, uniform_g20, uniform_g21,
};
use super::binomial_kernel::{
    BinomialSetup, STIRLING_FROM, Scaled, binomial_constant, dd_quotient, deviance, exp_of, small_binomial_exponent,
    times_exp,
};
use super::constants::SQRT_2PI;
use super::double_double::{
    dd_add_short, dd_div, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub_short, fast_two_sum, pair_add, pair_add_d,
    pair_mul, pair_mul_d, two_sum,
};
use super::exponential::{exp, exp_parts, expm1, expm1_pair};
use super::gamma_function::lgamma1p_dd;
use super::gamma_step::{LOG1P_SERIES_TO, log_gamma_step, log_gamma_step_pair, log1p_of_pair, log1p_series};
use super::logarithm::{log_dd, log_loose_of_pair};
use super::normal_tail::mills_dd;
use super::scaling::{power_of_two, scale_by_power};
use crate::special::conventions::{one_on, zero_on};
use gristmill_kernel::kernel;

/// From `N = ab/(a+b)` on this the uniform expansion is used; below, the continued fraction is as fast. The
/// expansion's terms fall like `(k-1)!!/(12.6 N)^(k/2)`: with 21 of them the error at 32 is below 1e-17.
#[kernel]
pub(crate) const UNIFORM_FROM: f64 = 32.0;
/// ... and while `D <= UNIFORM_REACH N`, that is `|s| <= 0.6`: its terms also fall like `(|s|/3.54)^k`.
#[kernel]
const UNIFORM_REACH: f64 = 0.18;

/// Below this a shape is small: near 1 the ratio is then computed from its other end, see [`small_shape_complement`].
/// From here on the tail that is computed is at most about 0.9, and 1 minus it is taken of a pair.
#[kernel]
pub(crate) const SMALL_SHAPE: f64 = 0.3;

/// What the incomplete beta ratio needs of its parameters.
#[kernel]
pub struct BetaSetup {
    /// First shape.
    pub a: f64,
    /// Second shape.
    pub b: f64,
    /// `N = ab/(a+b)`.
    pub size: f64,
    /// `P = scale exp(e - D)`, `D` the deviance, or if direct `P = scale exp(e + a log x + b log y)`: the factor.
    pub scale: f64,
    /// The constant part of the exponent.
    pub e: (f64, f64),
    /// Whether the exponent is formed from the logarithms instead of by the deviance.
    pub direct: bool,
    /// `log(a B(a, b))` if `a` is small, as a pair.
    pub log_first: (f64, f64),
    /// `log(b B(a, b))` if `b` is small, as a pair.
    pub log_second: (f64, f64),
    /// Factor of the Mills ratio in the uniform expansion, less 1.
    pub mills_excess: f64,
    /// Coefficients of the powers of `s` in the uniform expansion.
    pub s_factor: [f64; 21],
}

/// One tail of the ratio, and what a quantile search needs beside it.
#[kernel]
pub struct BetaTail {
    /// Whether the tail computed is the lower one.
    pub lower: bool,
    /// The tail is `(m + ml) exp(e + el)`.
    pub m: (f64, f64),
    /// See `m`.
    pub e: (f64, f64),
    /// The other tail if it was computed by itself, otherwise -1.
    pub other: (f64, f64),
    /// `P = slope exp(e + el)`: the derivative of the ratio with respect to `log(x/y)`.
    pub slope: f64,
}

/// `g_k` of the uniform expansion for `k >= 2`: the coefficients of `1/v(s)`, see [`beta_setup`].
#[kernel(inline)]
fn uniform_coefficients(q: f64) -> [f64; 22] {
    let q2 = q * q;
    [
        1.0,
        q * (-1.0 / 3.0),
        uniform_g2(q2),
        q * uniform_g3(q2),
        uniform_g4(q2),
        q * uniform_g5(q2),
        uniform_g6(q2),
        q * uniform_g7(q2),
        uniform_g8(q2),
        q * uniform_g9(q2),
        uniform_g10(q2),
        q * uniform_g11(q2),
        uniform_g12(q2),
        q * uniform_g13(q2),
        uniform_g14(q2),
        q * uniform_g15(q2),
        uniform_g16(q2),
        q * uniform_g17(q2),
        uniform_g18(q2),
        q * uniform_g19(q2),
        uniform_g20(q2),
        q * uniform_g21(q2),
    ]
}

/// The part of the incomplete beta ratio that depends on the (positive, finite) parameters only.
///
/// Uniform expansion (Temme's, re-derived): with `x0 = a/n`, `q = (b-a)/n`, `s = -sqrt(2D/N)` on the lower side, let
/// `t - x0 = x0 y0 s v(s)`. Then `I = P sum g_k m_k` with `1/v = sum g_k s^k` and the moments
/// `m_k = exp(N s^2/2) integral_{-inf}^s u^k exp(-N u^2/2) du`, which obey `N m_k = (k-1) m_{k-2} - s^{k-1}`. `V = v^2`
/// obeys `(1 + k/2) V_k = q v_{k-1} - x0 y0 V_{k-2}`, so each `g_k` is a polynomial in `q` (dev/coefficients/beta_tables.py
/// derives them exactly). Collected: `sum g_k m_k = (1 + mills_excess) m_0 + sum s_factor_i s^i`, where
/// `s_factor_i = ((i+2) s_factor_{i+2} - g_{i+1}) / N` and the Mills ratio's factor is `sum g_2j (2j-1)!!/N^j`.
/// The upper side has `q` of the other sign: the even powers of `s` change theirs.
/// Paper: temme1982, didonato1992 (section 9).
#[kernel]
pub(crate) fn beta_setup(a: f64, b: f64) -> BetaSetup {
    let n = two_sum(a, b);
    let smaller = if a < b { a } else { b };
    let larger = if a < b { b } else { a };
    let share = dd_div((larger, 0.0), n);
    let size = dd_mul_d(share, smaller);
    let direct = size.0 < UNIFORM_FROM && n.0 <= 4096.0;
    let k: Scaled;
    if direct {
        k = inverse_beta(a, b);
    } else if smaller >= STIRLING_FROM && larger < 1e100 {
        k = saddle_constant(a, b, n, size);
    } else {
        let c = binomial_constant(a, b);
        let scale = dd_mul(c.m, size);
        k = Scaled { m: scale, e: c.e };
    }
    let fold = if k.m.0 > 0.0 { k.m.1 / k.m.0 } else { 0.0 };
    let mut e = (k.e.0, k.e.1 + fold);
    let mut factor = k.m.0;
    let mut mills_excess: f64 = 0.0;
    let mut s_factor: [f64; 21] = [0.0; 21];
    if size.0 >= UNIFORM_FROM {
        let g: [f64; 22] = uniform_coefficients((b - a) / n.0);
        let inverse = 1.0 / size.0;
        s_factor[20] = -g[21] * inverse;
        s_factor[19] = -g[20] * inverse;
        for j in 0..19 {
            let i: usize = 18 - j;
            s_factor[i] = ((i + 2) as f64).mul_add(s_factor[i + 2], -g[i + 1]) * inverse;
        }
        let mut sum: f64 = g[20];
        for i in 0..9 {
            let j: usize = 18 - 2 * i;
            sum = sum.mul_add(((j + 1) as f64) * inverse, g[j]);
        }
        mills_excess = sum * inverse;
    }
    let mut first = (0.0, 0.0);
    let mut second = (0.0, 0.0);
    if smaller < SMALL_SHAPE {
        let small_first = a < b;
        let log_small: (f64, f64);
        let mut log_large = (0.0, 0.0);
        if direct && smaller >= 0.01 {
            // -log(1/(s B)), s the smaller shape
            let inverse = log_dd(dd_div(k.m, (smaller, 0.0)));
            log_small = dd_neg(dd_add_short(inverse, k.e));
            if larger < SMALL_SHAPE {
                log_large = dd_add_short(log_small, log_dd(dd_div((larger, 0.0), (smaller, 0.0))));
            }
        } else {
            let l = lbeta_dd(a, b);
            log_small = log_shape_beta(smaller, larger, l);
            if larger < SMALL_SHAPE {
                log_large = log_shape_beta(larger, smaller, l);
            }
        }
        first =
            (if small_first { log_small.0 } else { log_large.0 }, if small_first { log_small.1 } else { log_large.1 });
        second =
            (if small_first { log_large.0 } else { log_small.0 }, if small_first { log_large.1 } else { log_small.1 });
        if direct && smaller < 0.01 {
            // P = a exp(a log x + b log y - log(a B)): the error of this logarithm goes to 0 with a
            factor = smaller;
            e = dd_neg(log_small);
        }
    }
    BetaSetup {
        a,
        b,
        size: size.0,
        scale: factor,
        e,
        direct,
        log_first: first,
        log_second: second,
        mills_excess,
        s_factor,
    }
}

/// `sum g_k m_k` of the uniform expansion, for `s = -sqrt(2D/N)`.
#[kernel(inline)]
fn uniform_sum(s: BetaSetup, dev: (f64, f64), lower: bool) -> (f64, f64) {
    let z = dd_sqrt((2.0 * dev.0, 2.0 * dev.1));
    let root = s.size.sqrt();
    let t = -z.0 / root;
    let t2 = t * t;
    let mut even: f64 = s.s_factor[20];
    let mut odd: f64 = s.s_factor[19];
    for j in 0..9 {
        let i: usize = 18 - 2 * j;
        even = even.mul_add(t2, s.s_factor[i]);
        odd = odd.mul_add(t2, s.s_factor[i - 1]);
    }
    even = even.mul_add(t2, s.s_factor[0]);
    let rest = t.mul_add(odd, if lower { even } else { -even });
    let mills = dd_mul(mills_dd(z), SQRT_2PI);
    let lead = dd_quotient(mills, (root, (-root).mul_add(root, s.size) / (2.0 * root)));
    // the ratio is the larger part, and keeps its low part: its factor is so near 1 that only the excess is rounded
    let sum = fast_two_sum(lead.0, lead.0.mul_add(s.mills_excess, rest));
    fast_two_sum(sum.0, sum.1 + lead.1)
}

/// How many levels of the continued fraction it takes: one more than reach 5e-17, fitted from above to 40,000 random points with
/// `N < 32`, and 56,000 beyond the reach of the uniform expansion.
///
/// Far from the mean, where `y` is small, each level gains `4 atanh(sqrt(y))` and a little for a large `n`; near the mean of a
/// narrow distribution the number grows with its size.
#[kernel(inline)]
fn fraction_levels(a: f64, n: f64, x: f64, y: f64, size: f64) -> f64 {
    let y2 = y * y;
    let rate = y.sqrt() * (y2 * y2).mul_add(5.4 * y2, y2.mul_add(0.2, y.mul_add(1.0 / 3.0, 1.0)));
    let slow = 10.2 / (n * y).mul_add(0.068, rate) + 3.4;
    let q = n * x / (a + 1.0);
    let capped = if size < UNIFORM_FROM { size } else { UNIFORM_FROM };
    let wide = (2.92 * q).mul_add((q * capped).sqrt(), 7.5);
    let levels = if slow > wide { slow } else { wide };
    if levels < 600.0 { levels.floor() } else { 600.0 }
}

/// What a level of the continued fraction depends on, besides its number; see [`continued_fraction`].
#[kernel]
struct Fraction {
    x: f64,
    /// A power of two, about `1/(a+1)`.
    unit: f64,
    /// `a unit`
    first: f64,
    /// `b unit`
    second: f64,
    /// `1 + y`
    rise: f64,
    /// `(a+b) x`
    reach: f64,
    /// `1 + lambda`
    constant: f64,
}

/// One level: from `above/here`, the levels below, to the same with this one, all times `(a+2k-1)(a+2k+1) unit^2`.
#[kernel(inline)]
fn fraction_level(f: Fraction, k: f64, above: f64, here: f64) -> (f64, f64) {
    let less = k - 1.0;
    let step = k * f.unit;
    let twice = 2.0 * f.unit;
    let here_shape = f.first + step; // a + k
    let last_shape = less.mul_add(f.unit, f.first); // a + k - 1
    let odd = last_shape + step; // a + 2k - 1
    let t = (k * f.x) * (f.second - step); // k (b-k) x
    let low = k.mul_add(odd, t);
    let high = (here_shape * odd) * k.mul_add(f.rise, f.constant);
    let beta = low.mul_add(odd + twice, high);
    let alpha = (last_shape * odd.mul_add(odd, -twice * twice)) * (less.mul_add(f.x, f.reach) * t);
    // all of it is divided by the power of two in beta, exactly: in 600 levels `here` stays within 2^-600 and 3^600
    let inverse = power_beside(beta);
    ((alpha * inverse) * here, (beta * inverse).mul_add(here, above * inverse))
}

/// `f` with `I_x(a, b) = P f`, as a pair: the even part of the continued fraction DLMF 8.17.22 (didonato1992, eq. 9),
/// `1/(beta_0 + alpha_1/(beta_1 + ...))`.
///
/// Evaluated from its end, as a linear recurrence. Its denominators, `(a+2k-1)(a+2k+1)` of `beta_k` and `(a+2k-1)^2` of `alpha_k`, are
/// multiplied through (an equivalence transformation, DLMF 1.12.4), so that only the last step divides. The errors of the deep levels
/// are damped; the first two, where they are not, are taken as pairs, and so the error of `f` is far below 2^-53.
/// `lambda = a - (a+b) x`.
#[kernel(inline)]
fn continued_fraction(a: f64, b: f64, x: (f64, f64), y: (f64, f64), lambda: (f64, f64), size: f64) -> (f64, f64) {
    let n = two_sum(a, b);
    let one = pair_add_d(lambda, 1.0); // 1 + lambda
    // a power of two that brings a+1 into [1, 2): shapes and steps are multiplied by it, so that no product overflows
    let unit = power_beside(a + 1.0);
    let first = a * unit;
    // with A = a+1, B = a+3, u = (b-1) x and r the levels from the second on: f = A Z/(a ((1 + lambda) Z + (a+b) x u B)),
    // Z = A (A (2 + y + lambda) + B) + B u + r. What does not wait for r:
    let u = pair_mul(scaled_sum(b, -1.0, unit), x);
    let up = scaled_sum(a, 1.0, unit);
    let top = scaled_sum(a, 3.0, unit);
    let wide = pair_add_d(pair_add(one, y), 1.0);
    let tu = pair_mul(top, u);
    let start = pair_add(pair_mul(pair_add(pair_mul(wide, up), top), up), tu);
    // a power of two again: 1 + lambda may be 0, and as large as a
    let turn = power_beside(one.0 + 1.0);
    let cross = pair_mul_d(pair_mul(tu, pair_mul(n, x)), turn);
    // the levels: r = above/here. Two in each round: lanes that need different numbers wait for the test of a round
    let f = Fraction { x: x.0, unit, first, second: b * unit, rise: 1.0 + y.0, reach: n.0 * x.0, constant: one.0 };
    let mut k = (0.5 * fraction_levels(a, n.0, x.0, y.0, size)).floor().mul_add(2.0, 1.0); // odd
    let mut above: f64 = 0.0;
    let mut here: f64 = 1.0;
    while k >= 2.0 {
        let (above_once, here_once) = fraction_level(f, k, above, here);
        let (above_twice, here_twice) = fraction_level(f, k - 1.0, above_once, here_once);
        above = above_twice;
        here = here_twice;
        k -= 2.0;
    }
    let back = power_beside(here);
    let here = here * back;
    let z = pair_add_d(pair_mul_d(start, here), above * back);
    let below = pair_add(pair_mul((one.0 * turn, one.1 * turn), z), pair_mul_d(cross, here));
    let grow = power_beside(first); // 1/a may be near the end of the range
    let result = dd_div(pair_mul(up, z), pair_mul_d(below, first * grow));
    ((result.0 * turn) * grow, (result.1 * turn) * grow)
}

/// `(a + b) unit` as a pair.
#[kernel(inline)]
fn scaled_sum(a: f64, b: f64, unit: f64) -> (f64, f64) {
    let (s, e) = two_sum(a, b);
    (s * unit, e * unit)
}

/// The power of two whose product with a positive normal number is in [1, 2).
#[kernel(inline)]
fn power_beside(v: f64) -> f64 {
    f64::from_bits(0x7fe0_0000_0000_0000u64.wrapping_sub(v.to_bits() & 0x7ff0_0000_0000_0000))
}

/// A lower bound of `-log2(x)` for a positive normal `x`, at most 0.0861 below it: the bits of `x` read as a number are
/// exponent and fraction, and `log2(1 + f) - f` is between 0 and 0.0861.
#[kernel(inline)]
fn octaves_below_one(x: f64) -> f64 {
    let bits = f64::from_bits((x.to_bits() >> 12) | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0; // 2^52
    bits.mul_add(-9.094_947_017_729_282e-13, 1022.9139) // 2^-40, 1023 - 0.0861
}

/// `S` with `I_x(a, b) = P/a (1 + S)`: `S = sum_{k>=1} (a+b)_k/(a+1)_k x^k`, all terms positive (DLMF 8.17.8), for a small shape
/// with `x < 0.1`, `(a+b) x < 4`.
///
/// From its end, `S_k = (a+b+k) x/(a+1+k) (1 + S_{k+1})` as a fraction: one division for all terms. Their number, at most 44, leaves
/// 1e-17; fitted from above to 200,000 random points. Four in each round, for the sake of lanes that need different numbers.
#[kernel(inline)]
fn power_series(a: f64, b: f64, x: f64) -> f64 {
    let reach = (a + b) * x;
    let up = a + 1.0;
    let terms = 36.0 / octaves_below_one(x) + reach.sqrt().mul_add(14.0, 6.0);
    let mut k = (0.25 * terms).floor().mul_add(4.0, 3.0);
    let mut over: f64 = 0.0;
    let mut under: f64 = 1.0;
    while k >= 0.0 {
        for _ in 0..4 {
            over = k.mul_add(x, reach) * (under + over);
            under *= up + k;
            k -= 1.0;
        }
    }
    over / under
}

/// Shapes below this have their own search for a quantile.
#[kernel]
pub(crate) const SMALL_QUANTILE_SHAPE: f64 = 0.25;

/// `log(a B(a, b))`, given `log B(a, b)`: small shapes divide its error by `a`, so it must go to 0 with `a`.
///
///   b = 1                      0
///   1e-270 < a < 1/4, a <= 2 b log G(1+a) - (log G(a+b) - log G(b)) as pairs, both of the order of a: error 2^-56 a
///   below 1.5e-3               the same in double: error 1e-15 of the result
///   otherwise                  log a + log B as pairs: absolute error 2^-56 or better
#[kernel]
pub(crate) fn log_shape_beta(a: f64, b: f64, log_beta: (f64, f64)) -> (f64, f64) {
    if b == 1.0 {
        return (0.0, 0.0);
    }
    if a < SMALL_QUANTILE_SHAPE && a <= 2.0 * b && a > 1e-270 && b < 1e300 {
        return dd_sub_short(lgamma1p_dd(a), log_gamma_step_pair((b, 0.0), a));
    }
    if a < 0.01 && b > 1e-280 {
        let g = lgamma1p_dd(a);
        let v = (g.0 + g.1) - log_gamma_step(b, a, 1.0);
        if v.abs() < 1.5e-3 {
            return (v, 0.0);
        }
    }
    dd_add_short(log_dd((a, 0.0)), log_beta)
}

/// `S = sum_{k>=1} (1-b)_k x^k/(k! (a+k))` (DLMF 8.17.7) as a pair, for a small shape `a`, `x <= 0.65` and `(a+b) x <= 3`: relative
/// error about 2^-58 where its terms do not cancel.
///
/// `V_k = 1/(a+k) + (k+1-b)/(k+1) x V_{k+1}` from the end as a fraction, then `(1-b) x V_1`: one division for all terms. The `k`-th is below
/// `x^k` once `k > b`, before that below `((a+b) x)^k/k!`: 54 octaves and what a large second shape takes leave 2e-17 of the sum. The
/// first levels, whose errors nothing damps, are pairs. Four in each round, for the sake of lanes that need different numbers; a
/// round's power of two is taken out, so that nothing overflows.
#[kernel(inline)]
pub(crate) fn series_over_shape(a: f64, b: f64, x: (f64, f64)) -> (f64, f64) {
    let root = ((a + b) * x.0).sqrt();
    let terms = 54.0 / octaves_below_one(x.0) + (if b > 2.0 { root.mul_add(14.0, 6.0) } else { 1.5 });
    let share = root + x.0;
    let pairs = (if share < 1.0 { 10.0 * share } else { 10.0 }).floor() + 2.0;
    let mut k = (0.25 * terms).floor().mul_add(4.0, 4.0) + pairs;
    let mut over: f64 = 1.0;
    let mut under = a + k;
    while k > pairs {
        for _ in 0..4 {
            let less = k - 1.0;
            let shape = a + less;
            under *= k;
            over = ((k - b) * x.0 * over).mul_add(shape, under);
            under *= shape;
            k = less;
        }
        let unit = power_beside(under);
        over *= unit;
        under *= unit;
    }
    let mut top = (over, 0.0);
    let mut bottom = (under, 0.0);
    while k >= 2.0 {
        let shape = two_sum(a, k - 1.0);
        bottom = pair_mul_d(bottom, k);
        top = pair_add(pair_mul(pair_mul(pair_mul(two_sum(k, -b), x), top), shape), bottom);
        bottom = pair_mul(bottom, shape);
        k -= 1.0;
    }
    dd_mul(dd_mul(two_sum(1.0, -b), x), dd_div(top, bottom))
}

/// `1 - I_x(a, b)` as a pair for a small shape `a` where `I` is near 1: `-expm1(E) - a S exp(E)`, with
/// `E = a log x - log(a B)` and `S` of [`series_over_shape`]. `log_shape` is `log(a B)`.
#[kernel(inline)]
fn small_shape_complement(a: f64, b: f64, x: (f64, f64), log_shape: (f64, f64)) -> (f64, f64) {
    let rise = dd_mul_d(series_over_shape(a, b, x), a);
    let power = pair_mul_d(log_of_share(x), a);
    let e = dd_sub_short(fast_two_sum(power.0, power.1), log_shape);
    let m = expm1_pair(e);
    let tiny = e.0.abs() < 1e-30;
    let em = (if tiny { e.0 } else { m.0 }, if tiny { e.1 } else { m.1 });
    dd_neg(dd_add_short(em, dd_add_short(rise, dd_mul(rise, em))))
}

/// Whether the lower tail is the one to compute: it is at most about 0.9, except for small shapes.
///
/// `d = a - (a+b) x`. From `UNIFORM_FROM` on: left of the mean. Below: left of `(s + 1)/(n + 2)` in terms of the smaller
/// shape s, `(s + 1/2)/(n + 2)` if it is small, and left of 1/2 if both are. Near the median the fraction for either side converges; it is accurate enough that 1 minus 0.9 keeps its
/// digits, and the further the border, the fewer levels at its slow end (x -> 1, large a, small b).
#[kernel(inline)]
fn lower_is_smaller(a: f64, b: f64, x: f64, y: f64, d: f64, size: f64) -> bool {
    let n = a + b;
    if size >= UNIFORM_FROM {
        return d >= 0.0;
    }
    let first = a <= b;
    let smaller = if first { a } else { b };
    let larger = if first { b } else { a };
    let border = (n + 2.0) * (if first { x } else { y }) <= smaller + (if smaller < SMALL_SHAPE { 0.5 } else { 1.0 });
    let left = if larger < SMALL_SHAPE { (x <= y) == first } else { border };
    left == first
}

/// One tail of the ratio for `0 < x, y < 1`, given the exponent of `P = scale exp(e)`, without the uniform expansion.
///
/// Method, after the swap that makes the smaller tail the lower one:
///   a small, x < 0.1 and (a+b) x < 0.15 (a+1), or x < 0.02 and (a+b) x < 4   the power series
///   otherwise                                                                the continued fraction
///   a small, result > 0.6, a |log((a+b) x)| < 1.5 or so                      also the other tail by itself: 1 - I would cancel
/// `log_first`, `log_second`: as in [`BetaSetup`].
#[kernel(inline)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn tail_of_exponent(
    a: f64,
    b: f64,
    x: (f64, f64),
    y: (f64, f64),
    d: (f64, f64),
    lower: bool,
    size: f64,
    scale: f64,
    e: (f64, f64),
    log_first: (f64, f64),
    log_second: (f64, f64),
) -> BetaTail {
    let a1 = if lower { a } else { b };
    let b1 = if lower { b } else { a };
    let x1 = (if lower { x.0 } else { y.0 }, if lower { x.1 } else { y.1 });
    let y1 = (if lower { y.0 } else { x.0 }, if lower { y.1 } else { x.1 });
    let d1 = (if lower { d.0 } else { -d.0 }, if lower { d.1 } else { -d.1 });
    let reach = (a1 + b1) * x1.0;
    let series = a1 < SMALL_SHAPE && ((x1.0 < 0.1 && reach < 0.15 * (a1 + 1.0)) || (x1.0 < 0.02 && reach < 4.0));
    let m: (f64, f64);
    if series {
        // scale / a1 (1 + S), every rounding kept: quantiles divide the error by a1
        let one = two_sum(1.0, power_series(a1, b1, x1.0));
        let ratio = dd_quotient((scale, 0.0), (a1, 0.0));
        m = dd_mul(ratio, one);
    } else {
        m = dd_mul_d(continued_fraction(a1, b1, x1, y1, d1, size), scale);
    }
    let exponent = fast_two_sum(e.0, e.1);
    let mut other = (-1.0, 0.0);
    if a1 < SMALL_SHAPE && reach < 3.0 && exponent.0 > -1.0 {
        if m.0 * exp(exponent.0) > 0.6 && a1 * octaves_below_one(reach) < 2.164 {
            let log_shape =
                (if lower { log_first.0 } else { log_second.0 }, if lower { log_first.1 } else { log_second.1 });
            let complement = small_shape_complement(a1, b1, x1, log_shape);
            let whole = complement.0 > 1.0;
            other = (if whole { 1.0 } else { complement.0 }, if whole { 0.0 } else { complement.1 });
        }
    }
    BetaTail { lower, m, e: exponent, other, slope: scale }
}

/// `log(x)` of a pair in (0, 1] as a loose pair, absolute error 2^-68.
#[kernel(inline)]
fn log_of_share(x: (f64, f64)) -> (f64, f64) {
    if x.0 > 1e-290 { log_loose_of_pair(x) } else { log_dd(x) }
}

/// `a - (a+b) x` from the smaller of `x` and `y`, as a pair.
#[kernel(inline)]
fn distance_from_mean(a: f64, b: f64, x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    let n = two_sum(a, b);
    let small = x.0 <= y.0;
    let t = dd_mul(n, (if small { x.0 } else { y.0 }, if small { x.1 } else { y.1 }));
    let d = dd_sub_short(t, (if small { a } else { b }, 0.0));
    (if small { -d.0 } else { d.0 }, if small { -d.1 } else { d.1 })
}

/// The smaller tail of `I_x(a, b)` for `0 < x, y < 1`, `x + y = 1`.
///
/// Method: the uniform expansion where `N >= 32` and `D <= 0.18 N`; otherwise [`tail_of_exponent`]. The exponent is
/// formed directly, `a log x + b log y - c`, where it is only needed absolutely (`N < 32`, `a + b <= 4096`), and by the
/// deviance otherwise: the uniform expansion takes `sqrt(2D)` and needs `D` relatively.
#[kernel(inline)]
pub(crate) fn beta_tail(x: (f64, f64), y: (f64, f64), s: BetaSetup) -> BetaTail {
    let d = distance_from_mean(s.a, s.b, x, y);
    let lower = lower_is_smaller(s.a, s.b, x.0, y.0, d.0, s.size);
    let change: (f64, f64);
    if s.direct {
        change = pair_add(pair_mul_d(log_of_share(x), s.a), pair_mul_d(log_of_share(y), s.b));
    } else {
        change = dd_neg(deviance(s.a, s.b, x, y));
    }
    let e = dd_add_short(s.e, change);
    if s.size >= UNIFORM_FROM && -change.0 <= UNIFORM_REACH * s.size {
        let sum = uniform_sum(s, dd_neg(change), lower);
        let m = dd_mul_d(sum, s.scale);
        return BetaTail { lower, m, e, other: (-1.0, 0.0), slope: s.scale };
    }
    let first: (f64, f64) = s.log_first;
    let second: (f64, f64) = s.log_second;
    tail_of_exponent(s.a, s.b, x, y, d, lower, s.size, s.scale, e, first, second)
}

/// The same for `N < 32`, given the fields of [`BetaSetup`] that matter then.
#[kernel(inline)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn narrow_tail(
    a: f64,
    b: f64,
    x: (f64, f64),
    y: (f64, f64),
    scale: f64,
    constant: (f64, f64),
    direct: bool,
    log_first: (f64, f64),
    log_second: (f64, f64),
) -> BetaTail {
    let size = a * (b / (a + b));
    let d = distance_from_mean(a, b, x, y);
    let lower = lower_is_smaller(a, b, x.0, y.0, d.0, size);
    let change: (f64, f64);
    if direct {
        change = pair_add(pair_mul_d(log_of_share(x), a), pair_mul_d(log_of_share(y), b));
    } else {
        change = dd_neg(deviance(a, b, x, y));
    }
    let e = dd_add_short(constant, change);
    tail_of_exponent(a, b, x, y, d, lower, size, scale, e, log_first, log_second)
}

/// The same for shapes of at least 1/2 with `N < 32` whose `P = scale exp(e)` is known.
#[kernel(inline)]
pub(crate) fn beta_tail_of_exponent(
    a: f64,
    b: f64,
    x: (f64, f64),
    y: (f64, f64),
    scale: (f64, f64),
    e: (f64, f64),
) -> BetaTail {
    let size = a * b / (a + b);
    let d = distance_from_mean(a, b, x, y);
    let lower = lower_is_smaller(a, b, x.0, y.0, d.0, size);
    let e = (e.0, e.1 + scale.1 / scale.0);
    tail_of_exponent(a, b, x, y, d, lower, size, scale.0, e, (0.0, 0.0), (0.0, 0.0))
}

/// The smaller tail of a binomial distribution at an integer `0 <= k < n`: of `F(k) = I_q(n-k, k+1)`.
///
/// For `n <= 511` with `N < 32` the derivative of the ratio, `P = (n-k) p f(k)`, comes from the table of `log k!`.
#[kernel]
pub(crate) fn binomial_tail(k: f64, s: BinomialSetup) -> BetaTail {
    let a = s.n - k;
    let b = k + 1.0;
    let p: (f64, f64) = s.p;
    let q: (f64, f64) = s.q;
    if s.small && a * b < UNIFORM_FROM * (s.n + 1.0) {
        return beta_tail_of_exponent(a, b, q, p, dd_mul_d(p, a), small_binomial_exponent(k, s));
    }
    beta_tail(q, p, beta_setup(a, b))
}

/// `v = (m + ml) exp(e + el)`, rounded once, and `1 - v` as a pair, for a tail: `(v, rest, rest low)`.
#[kernel(inline)]
pub(crate) fn tail_and_rest(t: BetaTail) -> (f64, f64, f64) {
    let far = t.e.0 < -1400.0;
    let (high, low, k) = exp_parts((if far { -1400.0 } else { t.e.0 }, t.e.1));
    let p = t.m.0 * high;
    let pl = t.m.0.mul_add(high, -p) + t.m.0.mul_add(low, t.m.1 * high);
    let v = scale_by_power(p + pl, k);
    let v = if v > 1.0 { 1.0 } else { v };
    let k = if k < -1000.0 { -1000.0 } else { k };
    let k = if k > 1000.0 { 1000.0 } else { k };
    let s = power_of_two(k);
    let (c, e) = two_sum(1.0, -p * s);
    let (c, cl) = fast_two_sum(c, e - pl * s);
    let v = if far { 0.0 } else { v };
    let tiny = v < 1e-290;
    let gone = c < 0.0; // a tail of 1 that was rounded up
    let rest = if gone { 0.0 } else { c };
    let rest_low = if gone { 0.0 } else { cl };
    (v, if tiny { 1.0 } else { rest }, if tiny { -v } else { rest_low })
}

/// The requested tail, or its logarithm.
#[kernel(inline)]
pub(crate) fn tail_result(t: BetaTail, lower: bool, log_scale: bool) -> f64 {
    let same = t.lower == lower;
    let (v, rest, rest_low) = tail_and_rest(t);
    let mut result = if same { v } else { rest };
    if log_scale {
        let l = log_dd((if same { t.m.0 } else { rest }, if same { t.m.1 } else { rest_low }));
        let sum = dd_add_short(l, (if same { t.e.0 } else { 0.0 }, if same { t.e.1 } else { 0.0 }));
        let r = sum.0 + sum.1;
        let r = if r > 0.0 { 0.0 } else { r };
        let r = if same && t.e.0 < -1e300 { t.e.0 } else { r }; // also -inf
        let none = if same { !(t.m.0 > 0.0) } else { !(rest > 0.0) };
        result = if none { f64::NEG_INFINITY } else { r };
    }
    if t.other.0 >= 0.0 {
        // the tail that was not asked for above is known by itself
        let own = log1p_any((-t.other.0, -t.other.1));
        let v = two_sum(1.0, -t.other.0);
        result = if same { v.0 + (v.1 - t.other.1) } else { t.other.0 };
        if log_scale {
            let l = if same { own } else { log_dd(t.other) };
            let known = if same { t.other.0 < 1.0 } else { t.other.0 > 0.0 };
            result = if known { l.0 + l.1 } else { f64::NEG_INFINITY };
        }
    }
    result
}

/// `I_x(a, b)` or its complement for pairs `x + y = 1`, ends included.
#[kernel(inline)]
pub(crate) fn beta_ratio(x: (f64, f64), y: (f64, f64), s: BetaSetup, lower: bool, log: bool) -> f64 {
    if x.0 <= 0.0 {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if y.0 <= 0.0 {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    tail_result(beta_tail(x, y, s), lower, log)
}

/// `log` of the requested tail as a pair, and `P` divided by it.
///
/// `tight`: the leading term of the tail computed is exact to 2^-60; then that is not replaced by `log1p(-other)`.
#[kernel(inline)]
pub(crate) fn log_tail(t: BetaTail, lower: bool, tight: bool) -> (f64, f64, f64) {
    let same = t.lower == lower;
    if t.other.0 >= 0.0 && !(same && (tight || t.other.0 >= 0.3)) {
        let value = if same { 1.0 - t.other.0 } else { t.other.0 };
        let slope = times_exp(t.slope, t.e) / value;
        let l = if same { log1p_any((-t.other.0, -t.other.1)) } else { log_dd(t.other) };
        return (l.0, l.1, slope);
    }
    let (v, rest, rest_low) = tail_and_rest(t);
    let l = log_dd((if same { t.m.0 } else { rest }, if same { t.m.1 } else { rest_low }));
    let l = dd_add_short(l, (if same { t.e.0 } else { 0.0 }, if same { t.e.1 } else { 0.0 }));
    let slope = t.slope / t.m.0;
    (l.0, l.1, if same { slope } else { slope * (v / rest) })
}

/// `log(1 - exp(l))` of a pair `l < 0`, as a pair.
///
/// The rounded `exp(l)` or `-expm1(l)` is corrected by its own logarithm.
#[kernel(inline)]
pub(crate) fn log1mexp_dd(l: (f64, f64)) -> (f64, f64) {
    if l.0 < -std::f64::consts::LN_2 {
        let v = exp_of(l);
        if v < 1e-290 {
            return (-v, 0.0);
        }
        let r = dd_sub_short(l, log_dd((v, 0.0)));
        let u = two_sum(1.0, -v);
        return log_dd(fast_two_sum(u.0, u.1 - v * r.0));
    }
    let v = -expm1(l.0);
    if v < 1e-290 {
        return log_dd((-l.0, 0.0));
    }
    let u = two_sum(1.0, -v);
    let back = if v < 1e-17 { (-v, 0.0) } else { log_dd(u) };
    let r = dd_sub_short(l, back);
    log_dd(fast_two_sum(v, -(1.0 - v) * r.0))
}

/// `log(1 + t)` for a pair `-1 < t`, as a pair.
#[kernel(inline)]
pub(crate) fn log1p_any(t: (f64, f64)) -> (f64, f64) {
    if t.0 >= 0.0 {
        return log1p_of_pair(t);
    }
    if t.0 > -LOG1P_SERIES_TO {
        return log1p_series(t);
    }
    let u = two_sum(1.0, t.0);
    log_dd(fast_two_sum(u.0, u.1 + t.1))
}
