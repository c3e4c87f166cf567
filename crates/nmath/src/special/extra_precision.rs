//! `exp` and `log` with 10 more bits than the pairs of the elementary functions carry, for arguments that are amplified:
//! `exp(-(x/s)^k)`, `exp(mu + sd z)`, the zeros of log Gamma.

use gristmill_kernel::kernel;

use super::constants::THIRD;
use super::double_double::{
    dd_add, dd_add_d, dd_div, dd_mul, dd_mul_d, dd_square, dd_sub, fast_two_sum, two_prod, two_sum,
};
use super::exponential::{LN2_A, LN2_B, LN2_C};
use super::logarithm::{log, split_exponent};
use super::scaling::power_of_two;

/// What LN2_A + LN2_B + LN2_C leaves of ln 2.
#[kernel]
const LN2_D: f64 = -3.307936927501324e-44;
/// 1/5.
#[kernel]
const FIFTH: (f64, f64) = (0.2, -1.1102230246251566e-17);
/// 1/6.
#[kernel]
const SIXTH: (f64, f64) = (0.16666666666666666, 9.25185853854297e-18);
/// 1/7.
#[kernel]
const SEVENTH: (f64, f64) = (0.14285714285714285, 7.93016446160826e-18);

polynomial! {
    /// `2 (atanh(s)/s - 1 - s^2/3 - s^4/5 - s^6/7) / s^8` in `s^2`, `|s| <= 0.1716`.
    fn atanh_rest =
        [0.09703989796815676, 0.09474439895116864, 0.10527560714357133, 0.11764688568720001]
        [0.13333333463786778, 0.15384615384133382, 0.1818181818181886, 0.2222222222222222];
}

polynomial! {
    /// `(exp(r) - 1 - r - r^2/2 - r^3/6) / r^4` for `|r| <= ln(2)/2`.
    fn exp_rest =
        [1.1486575241499806e-11, 1.608437344642417e-10, 2.0876737932107092e-09]
        [2.505207789275738e-08, 2.7557319234020666e-07, 2.755731924004356e-06, 2.4801587301585143e-05]
        [0.0001984126984126639, 0.001388888888888889, 0.008333333333333333, 0.041666666666666664];
}

/// `2 atanh(s)` of a pair `|s| <= 0.1716`, relative error 2^-76: the terms up to `s^7` in double-double.
#[kernel(inline)]
pub(crate) fn twice_atanh(s: (f64, f64)) -> (f64, f64) {
    let u = dd_square(s);
    let p = dd_add_d(SEVENTH, 0.5 * u.0 * atanh_rest(u.0));
    let p = dd_add(FIFTH, dd_mul(u, p));
    let p = dd_add(THIRD, dd_mul(u, p));
    let twice = (2.0 * s.0, 2.0 * s.1);
    dd_add(twice, dd_mul(twice, dd_mul(u, p)))
}

/// `log(a)` of a positive pair as a normalised pair: error 2^-76 of the logarithm of the mantissa, so about 2^-77
/// absolute, and relative 2^-76 or better next to 1.
///
/// Domain: `high` positive and finite, subnormal included. The caller guards.
/// Method: that of `log_dd`, with the terms up to `s^7` in double-double.
#[kernel(inline)]
pub fn log_extra(a: (f64, f64)) -> (f64, f64) {
    let (k, m, ml) = split_exponent(a);
    let f = two_sum(m - 1.0, ml);
    let d = dd_add_d(f, 2.0);
    let mantissa = twice_atanh(dd_div(f, d));
    let (b, be) = two_prod(k, LN2_B);
    let exponent = dd_add(two_sum(k * LN2_A, b), (be, k * LN2_C));
    dd_add(exponent, mantissa)
}

/// `exp(a)` of a pair as `(high, low, k)`: the value is `(high + low) 2^k`, the pair normalised and in [0.7, 1.42].
///
/// Domain: `|a| <= 1000`. The caller guards.
/// Method: that of `exp_parts`, with the terms up to `r^3` in double-double: relative error about 2^-63.
#[kernel(inline)]
pub fn exp_extra_parts(a: (f64, f64)) -> (f64, f64, f64) {
    let k = (a.0 * std::f64::consts::LOG2_E).round_ties_even();
    let r0 = (-k).mul_add(LN2_A, a.0); // exact: 33-bit constant, and the difference cancels
    let (p, e) = two_prod(k, LN2_B);
    let r = dd_add(two_sum(r0, -p), fast_two_sum(a.1, -e - k * LN2_C));
    let q = dd_add_d(SIXTH, r.0 * exp_rest(r.0));
    let q = dd_add_d(dd_mul(q, r), 0.5);
    let q = dd_add_d(dd_mul(q, r), 1.0);
    let q = dd_add_d(dd_mul(q, r), 1.0);
    (q.0, q.1, k)
}

/// `a + b + c` as a triple whose parts do not overlap, for `|a| >= |b| >= |c|` or nearly so.
#[kernel(inline)]
pub(crate) fn triple(a: f64, b: f64, c: f64) -> (f64, f64, f64) {
    let (s, e) = two_sum(b, c);
    let (h, t) = two_sum(a, s);
    let (m, l) = two_sum(t, e);
    (h, m, l)
}

/// `a + b` of triples.
#[kernel(inline)]
pub(crate) fn triple_add(a: (f64, f64, f64), b: (f64, f64, f64)) -> (f64, f64, f64) {
    let (s, e) = two_sum(a.0, b.0);
    let (t, te) = two_sum(a.1, b.1);
    let (u, ue) = two_sum(e, t);
    triple(s, u, (ue + te) + (a.2 + b.2))
}

/// `a b` of triples, relative error about 2^-155.
#[kernel(inline)]
pub(crate) fn triple_mul(a: (f64, f64, f64), b: (f64, f64, f64)) -> (f64, f64, f64) {
    let (p, pe) = two_prod(a.0, b.0);
    let (q, qe) = two_prod(a.0, b.1);
    let (r, re) = two_prod(a.1, b.0);
    let (s, se) = two_sum(q, r);
    let (t, te) = two_sum(pe, s);
    let third = a.0.mul_add(b.2, a.1.mul_add(b.1, a.2 * b.0));
    triple(p, t, third + ((qe + re) + (se + te)))
}

/// `a/n` of a triple and a small integer.
#[kernel(inline)]
pub(crate) fn triple_over(a: (f64, f64, f64), n: f64) -> (f64, f64, f64) {
    let q = a.0 / n;
    let (r, e) = two_sum((-q).mul_add(n, a.0), a.1);
    let q1 = r / n;
    let rest = (-q1).mul_add(n, r) + (e + a.2);
    triple(q, q1, rest / n)
}

/// `exp(m)` as `(high, middle, low, k)`: the value is `(high + middle + low) 2^k`, relative error about 2^-145.
///
/// Domain: `|m| <= 1000`. The caller guards.
/// Method: `m = k ln 2 + r`, `exp(r/64) - 1` by Taylor's series in triples of doubles (16 terms: the next is below 2^-160), then
///   six times `(1 + e)^2 - 1 = e (2 + e)`.
#[kernel]
pub fn exp_full(m: f64) -> (f64, f64, f64, f64) {
    let k = (m * std::f64::consts::LOG2_E).round_ties_even();
    let r0 = (-k).mul_add(LN2_A, m); // exact, as above
    let (p, e) = two_prod(k, LN2_B);
    let (p2, e2) = two_prod(k, LN2_C);
    let (a, ae) = two_sum(r0, -p);
    let (b, be) = two_sum(ae, -e);
    let (c, ce) = two_sum(b, -p2);
    let r = triple(a, c, be + (ce - k.mul_add(LN2_D, e2)));
    let s = (r.0 * 0.015625, r.1 * 0.015625, r.2 * 0.015625);
    let one = (1.0, 0.0, 0.0);
    let mut q: (f64, f64, f64) = one;
    let mut n: f64 = 17.0;
    while n >= 2.0 {
        q = triple_add(one, triple_over(triple_mul(q, s), n));
        n -= 1.0;
    }
    let mut t = triple_mul(q, s);
    for _ in 0..6 {
        t = triple_add((2.0 * t.0, 2.0 * t.1, 2.0 * t.2), triple_mul(t, t));
    }
    let (h, mid, low) = triple_add(one, t);
    (h, mid, low, k)
}

/// `log(x) - m` as a pair for a positive finite `x` where it is below 2^-10: absolute error `2^-145`, so that even next to
/// its zero, where it is some 2^-60, all digits are right.
///
/// Method: `log(1 + d)` of `d = (x - exp(m))/exp(m)`, with [`exp_full`]; the series of the logarithm, two terms as pairs.
#[kernel]
pub fn log_less_near(x: f64, m: f64) -> (f64, f64) {
    let (eh, em, el, k) = exp_full(m);
    let half = (k * 0.5).floor();
    // exact: x is about 2^k
    let scaled = (x * power_of_two(-half)) * power_of_two(half - k);
    let (h, e) = two_sum(scaled - eh, -em);
    let d = dd_div(two_sum(h, e - el), (eh, em));
    let v = d.0;
    let rest = v.mul_add(v.mul_add(v.mul_add(v.mul_add(-1.0 / 8.0, 1.0 / 7.0), -1.0 / 6.0), 0.2), -0.25);
    let cubic = (v * v) * (v * v.mul_add(rest, 1.0 / 3.0));
    let square = dd_square(d);
    dd_add_d(dd_sub(d, (0.5 * square.0, 0.5 * square.1)), cubic)
}

/// `1/a` of a pair as a triple, relative error about 2^-150.
#[kernel(inline)]
pub(crate) fn inverse_triple(a: (f64, f64)) -> (f64, f64, f64) {
    let q = 1.0 / a.0;
    let (p, e) = two_prod(-q, a.1);
    let r = dd_add_d(two_sum((-q).mul_add(a.0, 1.0), p), e); // 1 - q a
    let next = dd_div(r, a);
    triple(q, next.0, next.1)
}

/// `log(a)` of a positive, normalised pair as a triple, absolute error about 2^-140; `|log a| <= 700`.
///
/// Method: the rounded logarithm of the leading part and the distance from it; the rest of the argument by two terms of the series.
#[kernel]
pub(crate) fn log_triple(a: (f64, f64)) -> (f64, f64, f64) {
    let rounded = log(a.0);
    let distance = log_less_near(a.0, rounded);
    let share = dd_div((a.1, 0.0), (a.0, 0.0));
    let rest = dd_add_d(share, -0.5 * share.0 * share.0);
    triple_add(triple(rounded, distance.0, distance.1), (rest.0, rest.1, 0.0))
}

/// `a^y` of a positive pair as `(high, low, k)`, the value being `(high + low) 2^k`; `|y log a| <= 1000`.
#[kernel(inline)]
pub fn pow_extra_parts(log_a: (f64, f64), y: f64) -> (f64, f64, f64) {
    exp_extra_parts(dd_mul_d(log_a, y))
}
