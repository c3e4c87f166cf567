//! `digamma` and the polygamma functions.

use super::constants::{PI, TWELFTH};
use super::digamma_zeros::digamma_next_to_zero;
use super::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, dd_sub_short,
    fast_two_sum, pair_add, pair_add_d, pair_mul, two_prod, two_sum,
};
use super::logarithm::{log_dd, split_double};
use super::scaling::{power_of_two, scale_by_power};
use super::trigonometric::{cospi_quarter, sinpi_quarter};
use gristmill_kernel::kernel;

/// The positive zero of `digamma`.
#[kernel]
const ZERO: (f64, f64) = (1.4616321449683622, 9.549995429965697e-17);
/// The slope of `digamma` there.
#[kernel]
const ZERO_SLOPE: (f64, f64) = (0.9676722454476212, -3.387874303038943e-17);
/// `B_2j / (2j)!`, j = 1 to 12: Euler and Maclaurin's formula
#[kernel]
const BERNOULLI: [f64; 12] = [
    0.08333333333333333,
    -0.001388888888888889,
    3.306878306878307e-05,
    -8.267195767195768e-07,
    2.08767569878681e-08,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
    -2.174868698558062e-16,
    5.5090028283602295e-18,
    -1.3954464685812522e-19,
];

polynomial! {
    /// `-(log(x) - 1/(2x) - 1/(12x^2) - digamma(x)) x^4` in `1/x^2`: the coefficients `-B_2j/(2j)` from j = 2 on.
    fn digamma_tail =
        [3607.5105463980462, -281.46014492753625, 26.456212121212122]
        [-3.0539543302701198, 0.4432598039215686, -0.08333333333333333, 0.021092796092796094]
        [-0.007575757575757576, 0.004166666666666667, -0.003968253968253968, 0.008333333333333333];
}

polynomial! {
    /// `(digamma(x0 + d)/d - digamma'(x0)) / d` for `|d| <= 1/8` from the positive zero `x0`.
    fn near_zero =
        [-0.003457539591386346]
        [0.005055034367144149, -0.007202636762398829, 0.01053601772147374, -0.015424786202736337]
        [0.022597677902967652, -0.03316112636351676, 0.048804288001403094, -0.07219956125674531]
        [0.10782405069168717, -0.16394270544240624, 0.2584997609556506, -0.4427631689835921];
}

/// The constant term of `x^2 (log(x) - 1/(2x) - digamma(x))` in `t`.
#[kernel]
const REMAINDER: (f64, f64) = (0.08229289319179546, -4.6679364545289376e-18);

polynomial! {
    /// The other terms of `x^2 (log(x) - 1/(2x) - digamma(x))` in `t = (x - 11/4)/(x + 3/4)`, divided by `t`, for `x >= 1`: at
    /// Chebyshev nodes, error 2.2e-19 in `digamma`.
    fn remainder_slope =
        [1.5026958530995583e-12]
        [2.300569939842757e-12, -7.609299298656787e-12, -2.0709819717715635e-11, -1.1284301298720584e-11]
        [2.958263694655915e-11, 1.3564519681368533e-10, 3.433134625310124e-10, 3.9071803515719064e-10]
        [-1.0940130190063822e-09, -6.029643270748913e-09, -1.5235010466865956e-08, 1.240913409985845e-08]
        [1.2297517614050443e-07, 6.566069165599765e-07, -1.4392725744659797e-06, -3.460877737637128e-06]
        [-5.655828926711162e-05, 0.0005530384597330897, -0.0019605035131602857, 0.0025085931385250677];
}

/// `log(y) - digamma(y) = 1/(2y) + R(t)/y^2` as a normalised pair, for a pair `y` in [1, 1e17): in double-double but for the slope of `R`.
#[kernel(inline)]
fn below_logarithm(y: (f64, f64)) -> (f64, f64) {
    // one division for 1/y and 1/(y + 3/4)
    let shifted = y.0 + 0.75;
    let both = 1.0 / (y.0 * shifted);
    let t = (y.0 - 2.75) * (both * y.0);
    let i = both * shifted;
    let il = ((-i).mul_add(y.0, 1.0) - i * y.1) * i;
    let (u, ue) = two_prod(i, i);
    let ul = (2.0 * i).mul_add(il, ue);
    let (g, ge) = fast_two_sum(REMAINDER.0, t * remainder_slope(t));
    let r = pair_mul((g, ge + REMAINDER.1), (u, ul));
    dd_add_short((0.5 * i, 0.5 * il), r)
}

/// `digamma(x)` for `x` in (1e-290, 1e17), without a branch.
///
/// `log(y) - 1/(2y) - R(t)/y^2` with `y = x`, or `1 + x` as a pair below 1, where `1/x` is taken off: all in double-double but
/// for the slope of `R`. The map puts its pole at -3/4, and [1, inf) on [-1, 1): one polynomial serves.
#[kernel(inline)]
fn digamma_main(x: f64) -> f64 {
    let small = x < 1.0;
    let raised = two_sum(1.0, x);
    let y = (if small { raised.0 } else { x }, if small { raised.1 } else { 0.0 });
    let main = dd_sub_short(log_dd(y), below_logarithm(y));
    let pole = dd_inverse((if small { x } else { 1.0 }, 0.0));
    let (v, ve) = two_sum(main.0, if small { -pole.0 } else { 0.0 });
    let far = v + (ve + (if small { main.1 - pole.1 } else { main.1 }));
    // next to the zero
    let d = x - ZERO.0; // exact where it is used
    let (h, l) = fast_two_sum(d, -ZERO.1);
    let (s, e) = fast_two_sum(ZERO_SLOPE.0, h * near_zero(h));
    let (p, pe) = two_prod(h, s);
    let near = p + h.mul_add(e + ZERO_SLOPE.1, l.mul_add(s, pe));
    if d.abs() <= 0.125 { near } else { far }
}

#[kernel(inline)]
fn digamma_in_main(x: f64) -> bool {
    x > 1e-290 && x < 1e17
}

/// `digamma(x)` as a normalised pair for `x > -40`, not a pole, absolute error about 2^-66.
///
/// `x` is raised to 10 or more by `digamma(x) = digamma(x+1) - 1/x`, in double-double; there the asymptotic series, whose
/// last term taken is below 1e-20.
#[kernel]
fn digamma_shifted(x: f64) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    let mut steps = 0.0;
    while x + steps < 10.0 {
        sum = dd_add(sum, dd_inverse(two_sum(x, steps)));
        steps += 1.0;
    }
    let a = two_sum(x, steps);
    let inverse = dd_inverse(a);
    let u = dd_square(inverse);
    let series = (u.0 * u.0) * digamma_tail(u.0);
    let y = dd_sub(log_dd(a), (0.5 * inverse.0, 0.5 * inverse.1));
    let y = dd_sub(y, dd_mul(u, TWELFTH));
    dd_sub(dd_add_d(y, series), sum)
}

/// `pi cot(pi x)` as a normalised pair for a non-integer `x`, relative error about 2^-55.
#[kernel]
fn pi_cot_pi(x: f64) -> (f64, f64) {
    let t = x - x.round_ties_even(); // exact, |t| <= 1/2
    let at = t.abs();
    let flip = at > 0.25;
    let v = if flip { 0.5 - at } else { at };
    let (sh, sl) = sinpi_quarter(v);
    let s = fast_two_sum(sh, sl);
    let (ch, cl) = cospi_quarter(v);
    let c = fast_two_sum(ch, cl);
    let (nh, nl) = if flip { s } else { c };
    let (dh, dl) = if flip { c } else { s };
    let y = dd_mul(PI, dd_div((nh, nl), (dh, dl)));
    if t < 0.0 { (-y.0, -y.1) } else { y }
}

#[kernel]
fn digamma_rest(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x <= 0.0 && x.floor() == x {
        return f64::NAN;
    }
    if x.abs() < 1e-280 {
        return -1.0 / x;
    }
    if x > 1.0 {
        let y = log_dd((x, 0.0));
        return y.0 + (y.1 - 0.5 / x);
    }
    // what is smaller has lost digits: a pair does not have them next to a zero, the cotangent is good to 2^-55
    let mut enough = 0.00390625;
    let y: (f64, f64);
    if x > -40.0 {
        y = digamma_shifted(x);
    } else {
        enough = 0.5;
        let (h, l) = two_sum(1.0, -x);
        let up = digamma_shifted(h);
        // the low part of 1 - x enters through the derivative, which is about 1/x there
        y = dd_sub(dd_add_d(up, l / h), pi_cot_pi(x));
    }
    if y.0.abs() < enough {
        return digamma_next_to_zero(x);
    }
    y.0 + y.1
}

/// The logarithmic derivative of the gamma function.
///
/// R: `digamma(x)`, first derivative of lgamma.
/// Domain: every `f64` but 0, the negative integers and `-inf`, where it gives NaN, as for NaN; `+inf` gives `+inf`.
/// Method: x > 0: log(x) - 1/(2x) - R/x^2 with one polynomial for R from 1 to infinity, below 1 from 1 + x; within 1/8 of
///   the zero 1.46163... a polynomial in the distance from it. -40 < x < 0: raised to 10 by the recurrence, then the
///   asymptotic series, all in double-double; below: reflection. Next to the negative zeros: reflection in triples of doubles.
/// Paper: DLMF 5.5.2, 5.5.4, 5.11.2.
/// Error: 99 % within 0.52 ulp, at most 0.60 ulp on the points of dev/oracle
///   (0.52 and 0.60 on the corners, next to the negative zeros); the tests hold it. Absolute 2^-112 next to the negative zeros.
#[kernel(masked)]
pub fn digamma(x: f64) -> f64 {
    if digamma_in_main(x) { digamma_main(x) } else { digamma_rest(x) }
}

/// `a^2` of a loose pair as a loose pair.
#[kernel(inline)]
fn pair_square(a: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(a.0, a.0);
    (p, (2.0 * a.0).mul_add(a.1, e))
}

/// `a^n` of a pair for `n >= 1` as a loose pair, by squaring; relative error about `2 n 2^-103`.
#[kernel]
fn integer_power(a: (f64, f64), n: u64) -> (f64, f64) {
    let mut square = a;
    let mut rest = n;
    while rest & 1 == 0 {
        square = pair_square(square);
        rest >>= 1;
    }
    let mut result = square;
    while rest > 1 {
        square = pair_square(square);
        rest >>= 1;
        if rest & 1 == 1 {
            result = pair_mul(result, square);
        }
    }
    result
}

/// `b^s zeta(s, a)`: the sum of `(b/(a+k))^s` over `k >= 0`, as a normalised pair; `a >= b > 0`, `2 <= s <= 101`, also as `order`.
///
/// The first terms in double-double up to `a + k >= 8 + 1.2 s`, the others by Euler and Maclaurin's formula with twelve
/// Bernoulli numbers: the first one left out is below 1e-18 of the sum there (DLMF 25.11.43 has the bound).
#[kernel]
fn scaled_zeta(s: u64, order: f64, a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    // a loose sum: the next term waits for one addition, not for twenty
    let mut sum = (0.0, 0.0);
    let mut steps = 0.0;
    let end = 8.0 + 1.2 * order;
    while a.0 + steps < end {
        let ratio = dd_div(b, pair_add_d(a, steps));
        sum = pair_add(sum, integer_power(ratio, s));
        steps += 1.0;
    }
    let start = dd_add_d(a, steps);
    let ratio = dd_div(b, start);
    let inverse = 1.0 / start.0;
    let mut term = order * inverse;
    let mut series = 0.0;
    let mut top = order;
    for j in 0..12 {
        series += BERNOULLI[j] * term;
        term *= ((top + 1.0) * inverse) * ((top + 2.0) * inverse);
        top += 2.0;
    }
    let integral = dd_div(start, (order - 1.0, 0.0));
    let factor = dd_add_d(dd_add_d(integral, 0.5), series);
    dd_add(sum, dd_mul(integer_power(ratio, s), factor))
}

/// The derivative of order `n` of `digamma`, for a whole number `1 <= n <= 100`.
///
/// `(-1)^(n+1) n! zeta(n+1, x)`, with `zeta(s, x) = zeta(s, t) + (-1)^s (zeta(s, 1-t) - zeta(s, 1-x))` for negative `x` and
/// `t = x - floor(x)`: every argument is positive, and only what cancels by nature does; for even `n` the first two are equal at
/// `t = 1/2`, and are left out. Factorial, power and sum are
/// joined as mantissas and exponents, so that nothing overflows before the result does. `scaled`: without sign and factorial.
#[kernel]
fn polygamma(x: f64, order: f64, scaled: bool) -> f64 {
    if x.is_nan() {
        return x;
    }
    // on lanes 64-bit integers are cheap, those of 32 bits are not
    let n = order as u64;
    let even = n & 1 == 0;
    if x == f64::INFINITY {
        return 0.0;
    }
    if x <= 0.0 && x.floor() == x {
        // a pole: the two sides agree for odd n only
        return if even || x == f64::NEG_INFINITY { f64::NAN } else { f64::INFINITY };
    }
    // at n + 1/2 the even derivatives of the cotangent are 0: there is nothing but the other side of the reflection
    let x = if even && x < 0.0 && x - x.floor() == 0.5 { 1.0 - x } else { x };
    let s = n + 1;
    let exponent_of_power = order + 1.0;
    let mut base = (x, 0.0);
    let mut sum = (1.0, 0.0);
    if x > 0.0 {
        // where 1/x or x^2 would leave the range, one term is the result
        if x > 1e150 {
            sum = (x / order, 0.0);
        } else if x >= 1e-150 {
            sum = scaled_zeta(s, exponent_of_power, base, base);
        }
    } else {
        // both distances from the integers as exact pairs: between -1 and 0 they need not be doubles
        let below = x.floor();
        let t = two_sum(x, -below);
        let u = two_sum(below + 1.0, -x);
        base = if t.0 < u.0 { t } else { u };
        if base.0 < 1e-150 {
            sum.0 = if even { -1.0 } else { 1.0 };
        } else {
            let right = scaled_zeta(s, exponent_of_power, t, base);
            let left = dd_sub(
                scaled_zeta(s, exponent_of_power, u, base),
                scaled_zeta(s, exponent_of_power, two_sum(1.0, -x), base),
            );
            sum = if even { dd_sub(right, left) } else { dd_add(right, left) };
        }
    }
    // n! as a pair
    let mut factorial = (1.0, 0.0);
    let mut i = if scaled { order + 1.0 } else { 2.0 };
    while i <= order {
        factorial = dd_mul_d(factorial, i);
        i += 1.0;
    }
    // base = 2^k m
    let (k, m) = split_double(base.0);
    let half = if k > 1000.0 { 1000.0 } else { k };
    let ml = if base.1 == 0.0 { 0.0 } else { base.1 * power_of_two(-half) };
    let power = dd_inverse(integer_power((m, ml), s));
    // sum = 2^j (1 or so)
    if sum.0 == 0.0 {
        return 0.0;
    }
    let (j, _) = split_double(sum.0.abs());
    let down = scale_by_power(1.0, -j);
    let product = dd_mul(dd_mul(factorial, power), (sum.0 * down, sum.1 * down));
    let value: f64 = product.0 + product.1;
    let (v, mantissa) = split_double(value.abs());
    let exponent = v + j - k * exponent_of_power;
    let result = if exponent > 1100.0 {
        f64::INFINITY
    } else if exponent < -1100.0 {
        0.0
    } else {
        scale_by_power(mantissa, exponent)
    };
    let positive = (value > 0.0) != (even && !scaled);
    if positive { result } else { -result }
}

/// The first derivative of [`digamma`].
///
/// R: `trigamma(x)`, second derivative of lgamma.
/// Domain: every `f64`; 0 and the negative integers give `+inf`, `-inf` and NaN give NaN, `+inf` gives 0.
/// Method: that of [`psigamma`].
/// Paper: DLMF 5.15.1, 2.10.1 (Euler and Maclaurin).
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn trigamma(x: f64) -> f64 {
    polygamma(x, 1.0, false)
}

/// The second derivative of [`digamma`].
///
/// R: `tetragamma(x)`, third derivative of lgamma.
/// Domain: every `f64`; 0 and the negative integers, `-inf` and NaN give NaN, `+inf` gives 0.
/// Method: that of [`psigamma`].
/// Paper: DLMF 5.15.1, 2.10.1 (Euler and Maclaurin).
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn tetragamma(x: f64) -> f64 {
    polygamma(x, 2.0, false)
}

/// The third derivative of [`digamma`].
///
/// R: `pentagamma(x)`, fourth derivative of lgamma.
/// Domain: every `f64`; 0 and the negative integers give `+inf`, `-inf` and NaN give NaN, `+inf` gives 0.
/// Method: that of [`psigamma`].
/// Paper: DLMF 5.15.1, 2.10.1 (Euler and Maclaurin).
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn pentagamma(x: f64) -> f64 {
    polygamma(x, 3.0, false)
}

/// The derivative of order `deriv` of [`digamma`]; order 0 is `digamma` itself.
///
/// R: `psigamma(x, deriv = 0)`, derivatives of digamma.
/// Domain: `deriv` is rounded to an integer and must be in 0..=100, else NaN, as in R. Poles (0 and the negative integers)
///   give `+inf` for odd orders, NaN for even ones; `-inf` gives NaN, `+inf` gives 0 for orders above 0.
/// Method: `(-1)^(n+1) n! zeta(n+1, x)`: the first terms in double-double, then Euler and Maclaurin's formula; for negative
///   `x` from three such sums with positive arguments, so every order has every argument.
/// Paper: DLMF 5.15.1, 25.11.1, 2.10.1.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn psigamma(x: f64, deriv: f64) -> f64 {
    if x.is_nan() || deriv.is_nan() {
        return f64::NAN;
    }
    let order = deriv.round_ties_even();
    if order < 0.0 || order > 100.0 {
        return f64::NAN;
    }
    if order == 0.0 { digamma(x) } else { polygamma(x, order, false) }
}

/// `(-1)^(n+1)/n!` times the derivative of order `n = deriv` of [`digamma`]: from order 1 on Hurwitz' zeta function of `n + 1`.
///
/// R: `scaled_psigamma(x, deriv)`, derivatives of digamma times (-1)^(n+1)/n!.
/// Domain: that of [`psigamma`]; poles give `+inf` for odd orders, NaN for even ones. It overflows later than [`psigamma`].
/// Method: that of [`psigamma`], without the factorial; order 0 is `-digamma(x)`.
/// Paper: DLMF 5.15.1, 25.11.1, 2.10.1.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn scaled_psigamma(x: f64, deriv: f64) -> f64 {
    if x.is_nan() || deriv.is_nan() {
        return f64::NAN;
    }
    let order = deriv.round_ties_even();
    if order < 0.0 || order > 100.0 {
        return f64::NAN;
    }
    if order == 0.0 { -digamma(x) } else { polygamma(x, order, true) }
}

/// `log(x) - digamma(x)`, which goes to 0 as `1/(2x)`.
///
/// R: `log_minus_digamma(x)`, log(x) - digamma(x).
/// Domain: `x >= 0`; 0 gives `+inf`, `+inf` gives 0, negative and NaN give NaN.
/// Method: x >= 1   1/(2x) + R/x^2 with the polynomial R of [`digamma`], both terms positive
///   x < 1    1/x - log(1 + 1/x) + 1/(2y) + R/y^2 with y = 1 + x, as pairs
/// Paper: DLMF 5.11.2.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn log_minus_digamma(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x < 1e-290 {
        return 1.0 / x;
    }
    if x > 1e17 {
        return 0.5 / x;
    }
    let small = x < 1.0;
    let raised = two_sum(1.0, x);
    let y = (if small { raised.0 } else { x }, if small { raised.1 } else { 0.0 });
    let tail = below_logarithm(y);
    if !small {
        return tail.0 + tail.1;
    }
    let logs = dd_sub_short(log_dd((x, 0.0)), log_dd(y));
    let all = dd_add(dd_add(dd_inverse((x, 0.0)), logs), tail);
    all.0 + all.1
}

/// [`digamma`], [`trigamma`], [`tetragamma`] and [`pentagamma`] of one argument.
///
/// Domain: that of each.
/// Method: that of each.
/// Paper: DLMF 5.5, 5.11, 5.15.1.
/// Error: that of each: the same bits.
#[kernel]
pub fn digamma_and_derivatives(x: f64) -> (f64, f64, f64, f64) {
    (digamma(x), trigamma(x), tetragamma(x), pentagamma(x))
}
