//! The studentised range: the largest of `nranges` ranges of `nmeans` normal numbers each, over an independent `s = sqrt(chi-squared/df)`.
//!
//! Both tails are averages over the density of `s`, `P = integral f(s) W(q s)^nranges ds`, and of the range itself, with `m = nmeans - 1`,
//! `W(w) = nmeans integral phi(x) (Q(x) - Q(x+w))^m dx` over the least of the numbers. The upper tail of the range has the integrand
//! `phi(x) (Q(x)^m - (Q(x) - Q(x+w))^m)`, a positive number too, so nothing is ever taken from 1. With `x = y - w/2` the integrands for `y` and
//! `-y` are summed together, and the factor `exp(-w^2/4)` of the upper tail is taken out: the exponent of the average is then a
//! parabola in `s` about its known peak. All integrals are sums over equally spaced nodes, those over `s` as in `special::log_nodes`.

use crate::dist::student_t::qt;
use crate::special::constants::{INV_SQRT_2PI, LN_SQRT_2PI};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_div_d, dd_high, dd_mul, dd_mul_d, dd_square, dd_sub, fast_two_sum, pair_mul,
    pair_mul_d, two_prod, two_sum,
};
use crate::special::exponential::{exp, exp_pair, exp_sum, expm1, expm1_pair};
use crate::special::incomplete_gamma::{tail_logs, tail_to_probability};
use crate::special::log_nodes::{exp_less_linear, node_at, node_step};
use crate::special::logarithm::{log as natural_log, log_dd, log_loose_of_pair, log1p, log1p_dd};
use crate::special::normal_tail::{mills_dd, mills_twice};
use crate::special::poisson_mass::poisson_parts;
use gristmill_kernel::kernel;

/// Above this many degrees of freedom no more is left of the spread of `s`, whose variance is `1/(2 df)`, than what the slope of the
/// probability's logarithm makes of it.
#[kernel]
const ALL: f64 = 1e17;
/// The most means and the most ranges.
#[kernel]
const MOST: f64 = 1e3;
/// Up to this width the probability between two points is a series, from there on a difference of tails.
#[kernel]
const WIDE: f64 = 1.0;
/// The nodes on each side are bounded; some 200 are needed for 1,000 means, 40 for 100.
#[kernel]
const MOST_NODES: i32 = 400;
/// The tries for the peak of the lower tail: 3 for tens of means, 8 for a thousand.
#[kernel]
const MOST_TRIES: i32 = 20;
/// log(1.0625)
#[kernel]
const LN_NEAR: f64 = 0.06062462181643484;

/// What the distribution of the range needs of the number of means.
#[kernel]
struct Means {
    /// Their number.
    c: f64,
    /// One less.
    m: f64,
    /// The distance of the nodes for the upper tail.
    upper_step: f64,
    /// It times the number of means over `sqrt(2 pi)`.
    upper_scale: f64,
    /// The distance for the lower one.
    lower_step: f64,
    /// Whether the lower tail is needed with more digits than a double has: many means or ranges are large powers of it.
    fine: bool,
    /// Whether powers are products.
    whole: bool,
    /// Where the extremes of the means lie, and a little more: before it the sums must not end.
    reach: f64,
    /// From here on `fine` takes the lower tail from the upper one. For many ranges this is where that is 0.2 or so, because the error of
    /// the logarithm is multiplied by their number; for few it is where the sum for the lower tail gets long.
    border: f64,
}

/// 36 bits of a step, so that its multiples are exact.
#[kernel(inline)]
fn short_step(h: f64) -> f64 {
    f64::from_bits(h.to_bits() & 0xffff_ffff_fffe_0000)
}

#[kernel]
fn means_of(c: f64, r: f64) -> Means {
    let size = natural_log(c);
    let upper_step = short_step(0.40 * exp(-0.3 * (size - std::f64::consts::LN_2)));
    let scale: (f64, f64) = dd_mul(two_prod(c, upper_step), INV_SQRT_2PI);
    let reach = (2.0 * size).sqrt() + 1.0;
    Means {
        c,
        m: c - 1.0,
        upper_step,
        upper_scale: dd_high(scale),
        lower_step: short_step(0.7 / c.sqrt()),
        fine: r > 1.5 || c > MOST_FACTORS,
        whole: c.floor() == c && c <= MOST_FACTORS,
        reach,
        border: 2.0 * reach + (if r > 4.0 { -2.6 } else { 2.0 }),
    }
}

/// Powers up to this one are products, if they are whole.
#[kernel]
const MOST_FACTORS: f64 = 24.0;

/// `(a^m - d^m)/(a - d)` for `a > d >= 0` and a whole `m >= 1`: a sum of positive products.
#[kernel(inline)]
fn quotient_of_powers(a: f64, d: f64, m: f64) -> f64 {
    let mut sum: f64 = 1.0;
    let mut power: f64 = 1.0;
    let mut i: f64 = 1.0;
    while i < m {
        power *= d;
        sum = sum.mul_add(a, power);
        i += 1.0;
    }
    sum
}

/// `(1 - (1 - x)^m)/x` for `0 <= x <= 1`.
#[kernel(inline)]
fn complement_power(x: f64, m: f64) -> f64 {
    let y = if x < 1.0 { x } else { 1.0 };
    let r = -expm1(m * log1p(-y)) / y;
    if x > 1e-290 { r } else { m }
}

/// `exp(z^2/2) Q(z)` for `0 <= z <= 1e100`.
#[kernel(inline)]
fn mills_single(z: f64) -> f64 {
    let twice: (f64, f64) = mills_twice((if z < 38.0 { z } else { 38.0 }, 0.0));
    let mut m = 0.5 * (twice.0 + twice.1);
    if z > 38.0 {
        m = mills_dd((z, 0.0)).0;
    }
    m
}

/// `exp(w^2/4)` times the probability that the range of `c` normal numbers is above `w`.
#[kernel]
fn upper_range(w: f64, s: Means) -> f64 {
    let h = s.upper_step;
    let whole: bool = s.whole;
    let m = s.m;
    let half = 0.5 * w;
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    for i in 0..MOST_NODES {
        let k: i32 = i;
        let y = k as f64 * h;
        let a = y - half;
        let b = y + half;
        let mills_b = mills_single(b);
        let mills_a = mills_single(a.abs());
        let fall_a = exp(-0.5 * a * a);
        let beyond_b = mills_b * exp(-0.5 * b * b);
        let beyond_a = mills_a * fall_a;
        let left = a < 0.0;
        let above_a = if left { 1.0 - beyond_a } else { beyond_a };
        let below_a = if left { beyond_a } else { 1.0 - beyond_a };
        let scaled_a = if left { mills_a } else { 1.0 / fall_a - mills_a };
        let mut first = mills_b;
        let mut second = scaled_a;
        if whole {
            let between = if left { above_a - beyond_b } else { beyond_a - beyond_b };
            first *= quotient_of_powers(above_a, between, m);
            second *= quotient_of_powers(1.0 - beyond_b, between, m);
        } else {
            let (one_less, low) = fast_two_sum(1.0, -beyond_a);
            let small = if beyond_a > 1e-280 { beyond_a } else { 1e-280 };
            let l: (f64, f64) = log_loose_of_pair((if left { one_less } else { small }, if left { low } else { 0.0 }));
            let e: (f64, f64) = pair_mul_d(l, m - 1.0);
            let gone = e.0 < -690.0;
            let (t, tl, unit) = exp_sum((if gone { -690.0 } else { e.0 }, if gone { 0.0 } else { e.1 }));
            first *= ((t + tl) * unit) * complement_power(beyond_b / above_a, m);
            second *= exp((m - 1.0) * log1p(-beyond_b)) * complement_power(below_a / (1.0 - beyond_b), m);
        }
        let weight = if i == 0 { 0.5 } else { 1.0 };
        let (p, pe) = two_prod(-y, y);
        let (t, tl, unit) = exp_sum((if p > -690.0 { p } else { -690.0 }, pe));
        let term = (weight * unit) * (t + tl) * (first + second);
        let (t, low) = two_sum(sum, term);
        sum = t;
        rest += low;
        if term < 1e-19 * t && y > s.reach {
            break;
        }
    }
    s.upper_scale * (sum + rest)
}

/// `integral_0^1 x^(2j) exp(-w^2 x^2/8) dx/(2j)!` for `w <= 1`, the first less 1: the series of `cosh(y w x/2)` averages them.
#[kernel]
fn moments_of(w: f64) -> [f64; 16] {
    let q = 0.125 * w * w;
    let mut moments: [f64; 16] = [0.0; 16];
    let mut factorial: f64 = 1.0;
    for j in 0..16 {
        let twice = 2.0 * j as f64;
        let mut s: f64 = 0.0;
        let mut i: f64 = 9.0;
        while i >= 1.0 {
            s = 1.0 / (twice + 2.0 * i + 1.0) - q / (i + 1.0) * s;
            i -= 1.0;
        }
        let first = if j == 0 { 0.0 } else { 1.0 / (twice + 1.0) };
        moments[j as usize] = (first - q * s) / factorial;
        factorial *= (twice + 1.0) * (twice + 2.0);
    }
    moments
}

/// The log of the probability that the range is below `w + wl <= 1`, where the probability between two points is
/// `phi(y) w integral_0^1 cosh(y w x/2) exp(-w^2 x^2/8) dx`.
#[kernel]
fn log_narrow(w: f64, wl: f64, s: Means) -> (f64, f64) {
    let moments: [f64; 16] = moments_of(w);
    let h = s.lower_step;
    let half = 0.5 * w;
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    for i in 0..MOST_NODES {
        let k: i32 = i;
        let y = k as f64 * h;
        let x = y * half;
        let x2 = x * x;
        let mut less_one: f64 = 0.0;
        for j in (0..16).rev() {
            less_one = less_one.mul_add(x2, moments[j as usize]);
        }
        let e = exp(x);
        let weight = if i == 0 { 0.5 } else { 1.0 };
        let fall = 0.5 * s.c * y * y;
        let (t, low) = two_sum(sum, weight * exp(s.m * log1p(less_one) - fall) * (e + 1.0 / e));
        sum = t;
        rest += low;
        if fall > 46.0 {
            break;
        }
    }
    // c h exp(-w^2/8) (w/sqrt(2 pi))^m/sqrt(2 pi) sum
    let l: (f64, f64) = dd_sub(log_dd((w, wl)), LN_SQRT_2PI);
    let power: (f64, f64) = dd_sub(dd_mul_d(l, s.m), LN_SQRT_2PI);
    let factor: (f64, f64) = log_dd(dd_mul(two_prod(s.c, h), fast_two_sum(sum, rest)));
    let square: (f64, f64) = two_prod(-0.125 * w, w);
    dd_add(dd_add(power, factor), square)
}

/// `Q(|x|)` for a loose pair, and `exp(-x^2/2)`: as pairs, relative error below 2^-56.
#[kernel(inline)]
fn beyond_and_fall(x: f64, low: f64) -> (f64, f64, f64, f64) {
    let size = x.abs();
    let size_low = if x < 0.0 { -low } else { low };
    let near = size < 37.0;
    let z = if near { size } else { 37.0 };
    let twice: (f64, f64) = mills_twice((z, if near { size_low } else { 0.0 }));
    let (p, pe) = two_prod(-0.5 * z, z);
    let (t, tl, unit) = exp_sum((p, pe - z * size_low));
    let fall: (f64, f64) = fast_two_sum(t * unit, tl * unit);
    let beyond: (f64, f64) = pair_mul(fast_two_sum(0.5 * twice.0, 0.5 * twice.1), fall);
    (beyond.0, beyond.1, fall.0, fall.1)
}

/// [`log_lower_range`] with an absolute error of about 2^-56, or a relative one of 2^-52 beyond the border, for the pair `w > 1`.
#[kernel]
fn log_lower_fine(w: (f64, f64), s: Means) -> (f64, f64) {
    if w.0 > s.border {
        if w.0 > 50.0 {
            return (0.0, 0.0);
        }
        let square: (f64, f64) = two_prod(0.25 * w.0, w.0);
        let (t, tl, unit) = exp_sum((-square.0, -square.1 - 0.5 * w.0 * w.1));
        return log1p_dd(-upper_range(w.0, s) * ((t + tl) * unit));
    }
    let h = s.lower_step;
    let half = 0.5 * w.0;
    let half_low = 0.5 * w.1;
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    let mut middle: (f64, f64) = (0.0, 0.0);
    for i in 0..MOST_NODES {
        let k: i32 = i;
        let y = k as f64 * h;
        let (a, al) = two_sum(y, -half);
        let (b, bl) = two_sum(y, half);
        let (qa, qal, fall_a, fall_al) = beyond_and_fall(a, al - half_low);
        let (qb, qbl, fall_b, fall_bl) = beyond_and_fall(b, bl + half_low);
        let left = a < 0.0;
        let (d, dl) = two_sum(if left { 1.0 } else { 0.0 }, if left { -qa } else { qa });
        let (d, dm) = two_sum(d, -qb);
        let low = (dl + dm) + ((if left { -qal } else { qal }) - qbl);
        let l: (f64, f64) = log_loose_of_pair(fast_two_sum(if d > 1e-280 { d } else { 1e-280 }, low));
        if i == 0 {
            middle = l;
        }
        let e: (f64, f64) = pair_mul_d(dd_sub(l, middle), s.m);
        let e: (f64, f64) = if e.0 > -690.0 { e } else { (-690.0, 0.0) };
        let (t, tl, unit) = exp_sum(e);
        let fall: (f64, f64) = dd_add((fall_a, fall_al), (fall_b, fall_bl));
        let weight = if i == 0 { 0.5 * unit } else { unit };
        let term: (f64, f64) = pair_mul(fall, fast_two_sum(t * weight, tl * weight));
        let (v, low) = two_sum(sum, term.0);
        sum = v;
        rest += low + term.1;
        if term.0 < 1e-19 * v {
            break;
        }
    }
    let scale: (f64, f64) = dd_mul(two_prod(s.c, h), INV_SQRT_2PI);
    let l: (f64, f64) = log_dd(dd_mul(fast_two_sum(sum, rest), scale));
    dd_add(l, dd_mul_d(middle, s.m))
}

/// The log of the probability that the range is below `w + wl`.
#[kernel]
fn log_lower_range(w: f64, wl: f64, s: Means) -> (f64, f64) {
    if w <= WIDE {
        return log_narrow(w, wl, s);
    }
    let fine: bool = s.fine;
    if fine {
        return log_lower_fine((w, wl), s);
    }
    let whole: bool = s.whole;
    let m = s.m;
    let h = s.lower_step;
    let half = 0.5 * w;
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    // The log of the probability between two points is largest in the middle; a power of it is taken out, for it may underflow.
    let mut middle: (f64, f64) = (0.0, 0.0);
    for i in 0..MOST_NODES {
        let k: i32 = i;
        let y = k as f64 * h;
        let a = y - half;
        let b = y + half;
        let size = a.abs();
        let twice_b: (f64, f64) = mills_twice((if b < 38.0 { b } else { 38.0 }, 0.0));
        let twice_a: (f64, f64) = mills_twice((if size < 38.0 { size } else { 38.0 }, 0.0));
        let fall_a = exp(-0.5 * a * a);
        let fall_b = exp(-0.5 * b * b);
        let beyond_b = 0.5 * (twice_b.0 + twice_b.1) * fall_b;
        let beyond_a = 0.5 * (twice_a.0 + twice_a.1) * fall_a;
        let (d, dl) = two_sum(if a < 0.0 { 1.0 } else { 0.0 }, if a < 0.0 { -beyond_a } else { beyond_a });
        let (d, dm) = two_sum(d, -beyond_b);
        let mut power: f64 = 1.0;
        if whole {
            let mut j: f64 = 0.0;
            while j < m {
                power *= d;
                j += 1.0;
            }
            // the low part, to first order
            power = power.mul_add(m * ((dl + dm) / d), power);
        } else {
            let l: (f64, f64) = log_loose_of_pair(fast_two_sum(if d > 1e-280 { d } else { 1e-280 }, dl + dm));
            if i == 0 {
                middle = l;
            }
            let e: (f64, f64) = pair_mul_d(dd_sub(l, middle), m);
            let e: (f64, f64) = if e.0 > -690.0 { e } else { (-690.0, 0.0) };
            let (t, tl, unit) = exp_sum(e);
            power = (t + tl) * unit;
        }
        let weight = if i == 0 { 0.5 } else { 1.0 };
        let term = weight * (fall_a + fall_b) * power;
        let (v, low) = two_sum(sum, term);
        sum = v;
        rest += low;
        if term < 1e-19 * v {
            break;
        }
    }
    let l: (f64, f64) = log_dd(dd_mul_d(fast_two_sum(sum, rest), s.c * h * INV_SQRT_2PI.0));
    dd_add(l, dd_mul_d(middle, m))
}

/// A tail: `(f + fl) exp(e + el)`.
#[kernel]
struct Tail {
    e: (f64, f64),
    f: (f64, f64),
}

/// What `r` ranges and `c` means add to the number of nodes for the upper tail.
#[kernel(inline)]
fn more_upper_nodes(r: f64, c: f64) -> f64 {
    let more = 9.0 * (r * c).sqrt();
    if more < 900.0 { more } else { 900.0 }
}

/// The same for the lower tail, `depth` being minus the log of the probability of all ranges at the peak: next to it this log is a
/// bent curve, whose bend is where the most of them is about to fail. Found by halving the step for up to a million means in all.
#[kernel(inline)]
fn more_lower_nodes(r: f64, c: f64, depth: f64) -> f64 {
    let all = r * c;
    let few = 3.0 * all;
    let many = 16.0 * all.sqrt();
    let more = if few < many { few } else { many };
    if more < 1200.0 {
        return more;
    }
    let most = 1200.0 * exp(0.45 * log1p(0.03 * depth));
    if more < most { more } else { most }
}

/// The upper tail.
#[kernel]
fn upper_tail(q: f64, r: f64, n: f64, s: Means) -> Tail {
    let square: (f64, f64) = two_prod(0.25 * q, q);
    if n > ALL {
        // the average of exp(-q^2 s^2/4) is (1 + q^2/(2 n))^(-n/2), and the other factor hardly changes near the peak
        let ratio = 2.0 * square.0 / n;
        let v = upper_range(q / (1.0 + ratio).sqrt(), s);
        let e: (f64, f64) = dd_add_d((-square.0, -square.1), 0.5 * ratio * square.0);
        let e: (f64, f64) = if ratio < 1e-9 { e } else { (-0.5 * n * log1p(ratio), 0.0) };
        let f = v * complement_power(v * exp(e.0), r);
        return Tail { e, f: (f, 0.0) };
    }
    // n u - (n + q^2/2) s^2/2 has its peak at s0^2 = n/(n + q^2/2)
    let share = n / (n + 2.0 * square.0);
    let s0 = share.sqrt();
    let s2: (f64, f64) = two_prod(s0, s0);
    let y: (f64, f64) = dd_mul_d(s2, 0.5 * n);
    let (pe, pel, pc, pcl) = poisson_parts(0.5 * n, y);
    let fall: (f64, f64) = dd_mul(square, s2);
    let e: (f64, f64) = dd_sub((pe, pel), fall);
    let whole: (f64, f64) = dd_add((2.0 * y.0, 2.0 * y.1), (2.0 * fall.0, 2.0 * fall.1));
    let drift = dd_high(dd_sub((n, 0.0), whole));
    let step = node_step(2.0 * n, n, more_upper_nodes(r, s.c));
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    for side in 0..2 {
        let way: i32 = 1 - 2 * side;
        for i in side..MOST_NODES {
            let k: i32 = way * i;
            let (u, du) = node_at(k as f64 * step);
            let (g, d) = exp_less_linear(u);
            let exponent = drift.mul_add(g, -n * d - (0.5 * whole.0) * g * g);
            let w = q * (s0 * (1.0 + g));
            let v = upper_range(w, s);
            let chance = if r == 1.0 { v } else { v * complement_power(v * exp(-0.25 * w * w), r) };
            let term = du * exp(exponent) * chance;
            let (t, low) = two_sum(sum, term);
            sum = t;
            rest += low;
            if term < 1e-18 * t {
                break;
            }
        }
    }
    let f: (f64, f64) = dd_mul(dd_mul(fast_two_sum(sum, rest), two_prod(step, n)), (pc, pcl));
    Tail { e, f }
}

/// The lower tail.
#[kernel]
fn lower_tail(q: f64, r: f64, n: f64, s: Means) -> Tail {
    // The slope is below (m r): half its square times the variance is what changes the log.
    let most = s.m * r;
    if n > ALL * (most * most) {
        let l: (f64, f64) = dd_mul_d(log_lower_range(q, 0.0, s), r);
        return Tail { e: l, f: (1.0, 0.0) };
    }
    // The peak, nearly: s^2 = 1 + r k/n with the slope k of the log of the range's probability, which falls from m to 0. The other
    // side minus this one falls as s grows, so its zero lies between two false positions, of which the one that stays is halved.
    let mut s0: f64 = 1.0;
    let mut at: (f64, f64) = (0.0, 0.0);
    let mut x: f64 = 0.0;
    let mut left: f64 = 0.0;
    let mut above: f64 = 0.0;
    let mut right: f64 = 0.0;
    let mut below: f64 = 0.0;
    let mut last: f64 = 0.0;
    for _ in 0..MOST_TRIES {
        s0 = exp(x);
        at = log_lower_range(q * s0, 0.0, s);
        let near: (f64, f64) = log_lower_range(1.0625 * q * s0, 0.0, s);
        let rise = near.0 - at.0;
        let slope = if rise > 0.0 { rise * (r / LN_NEAR) } else { 0.0 };
        let h = 0.5 * log1p(slope / n) - x;
        // what is left of the exponent's rise to its peak
        if h * h * n * s0 * s0 < 0.5 {
            break;
        }
        if h > 0.0 {
            left = x;
            above = h;
            below = if last > 0.0 { 0.5 * below } else { below };
        } else {
            right = x;
            below = h;
            above = if last < 0.0 { 0.5 * above } else { above };
        }
        last = h;
        x = if below < 0.0 { (left * below - right * above) / (below - above) } else { x + h };
    }
    // the rounded product, and the scale that it stands for
    let w0 = q * s0;
    let s2: (f64, f64) = dd_square(dd_div_d(w0, q));
    let y: (f64, f64) = dd_mul_d(s2, 0.5 * n);
    let (pe, pel, pc, pcl) = poisson_parts(0.5 * n, y);
    let e: (f64, f64) = dd_add((pe, pel), dd_mul_d(at, r));
    let whole = 2.0 * y.0;
    let drift = dd_high(dd_sub((n, 0.0), (2.0 * y.0, 2.0 * y.1)));
    let step = node_step(n + whole, n, more_lower_nodes(r, s.c, -r * at.0));
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    for side in 0..2 {
        let way: i32 = 1 - 2 * side;
        for i in side..MOST_NODES {
            let k: i32 = way * i;
            let (u, du) = node_at(k as f64 * step);
            let (g, d) = exp_less_linear(u);
            let exponent = drift.mul_add(g, -n * d - (0.5 * whole) * g * g);
            let (w, wl) = two_sum(w0, w0 * g);
            let l: (f64, f64) = log_lower_range(w, wl, s);
            let gain = dd_high(dd_sub(l, at));
            let term = du * exp(r.mul_add(gain, exponent));
            let (t, low) = two_sum(sum, term);
            sum = t;
            rest += low;
            if term < 1e-18 * t {
                break;
            }
        }
    }
    let f: (f64, f64) = dd_mul(dd_mul(fast_two_sum(sum, rest), two_prod(step, n)), (pc, pcl));
    Tail { e, f }
}

/// Whether the upper tail is the smaller one, nearly.
#[kernel]
fn upper_is_smaller(q: f64, r: f64, s: Means) -> bool {
    let v = upper_range(q, s) * exp(-0.25 * q * q);
    v * complement_power(v, r) < 0.5
}

/// Whether the parameters are valid.
#[kernel(inline)]
fn valid(r: f64, c: f64, n: f64) -> bool {
    r >= 1.0 && r <= MOST && c >= 2.0 && c <= MOST && n >= 2.0
}

/// From here on the upper tail is a power of `q`: its next term is `df q^-2` of it.
#[kernel]
const FAR: f64 = 1e100;
/// Up to here the lower tail is a power of `q`.
#[kernel]
const NEAR: f64 = 1e-100;
/// Above this many degrees of freedom the upper tail beyond `FAR` need not be a power, but its exponent is so large that nothing else
/// counts.
#[kernel]
const MANY: f64 = 1e20;

/// The log of the upper tail for `q >= FAR`.
#[kernel]
fn log_upper_far(q: f64, r: f64, n: f64, s: Means) -> (f64, f64) {
    if n > MANY {
        // -n/2 log(1 + q^2/(2 n))
        let root = q / n.sqrt();
        if root < 1e-100 {
            return (-(0.25 * q) * q, 0.0);
        }
        let l = if root > 1e100 { 2.0 * natural_log(root) - std::f64::consts::LN_2 } else { log1p(0.5 * root * root) };
        return (-0.5 * n * l, 0.0);
    }
    // only s of about 1/q count, where their density is a power: the tail is q^-df
    let t: Tail = upper_tail(FAR, r, n, s);
    let at: (f64, f64) = dd_add(t.e, log_dd(t.f));
    dd_sub(at, dd_mul_d(dd_sub(log_dd((q, 0.0)), log_dd((FAR, 0.0))), n))
}

/// The `q` for which [`log_upper_far`] is `target`, `at` being its value for `FAR`.
#[kernel]
fn quantile_far(target: (f64, f64), at: (f64, f64), n: f64) -> f64 {
    if n <= MANY {
        let fall: (f64, f64) = dd_div(dd_sub(at, target), (n, 0.0));
        return exp_pair(dd_add(log_dd((FAR, 0.0)), fall));
    }
    let root_n = n.sqrt();
    let share: (f64, f64) = dd_div_d(-target.0, n);
    if n == f64::INFINITY || share.0 < 1e-17 {
        return 2.0 * (-target.0).sqrt();
    }
    if share.0 > 100.0 {
        return std::f64::consts::SQRT_2 * exp_pair(share) * root_n;
    }
    let rise: (f64, f64) = expm1_pair((2.0 * share.0, 2.0 * share.1));
    (2.0 * rise.0).sqrt() * root_n
}

/// The distribution function of the studentised range.
///
/// R: `ptukey(q, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE)`, studentised range distribution function:
///   `ptukey(q, nranges, nmeans, df, lower.tail, log.p)`.
/// Domain: `2 <= cc <= 1,000` means, `1 <= rr <= 1,000` ranges, not only whole numbers, `df >= 2`, infinite included, else NaN; `q <= 0`
///   gives 0. NaN gives NaN.
/// Method: the smaller tail by itself, the other as its complement. The average over `s` takes 25 to 60 nodes from its peak, up to
///   200 for many means and ranges, each probability of a range 10 to 40; ranges below 1 by a series, on the log scale. For several
///   ranges or many means, which are large powers of probabilities, the lower tail of a range is summed in pairs or taken from
///   the upper one. Beyond 1e100 the upper tail is a power of `q`; above 1e17 degrees of freedom the average is known in closed form.
/// Paper: hartley1942 (the range), takahasi1974, trefethen2014 (the rule).
/// Error: 99 % within 1.00 ulp, at most 1.00 ulp on the points of dev/oracle
///   (4.50 and 4.50 on the sweep, 3.80 and 3.80 on the corners); the tests hold it.
#[kernel(ordered)]
pub fn ptukey(q: f64, rr: f64, cc: f64, df: f64, lower: bool, log: bool) -> f64 {
    if q.is_nan() || !valid(rr, cc, df) {
        return f64::NAN;
    }
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    let one = if log { 0.0 } else { 1.0 };
    if q <= 0.0 {
        return if lower { nothing } else { one };
    }
    if q == f64::INFINITY {
        return if lower { one } else { nothing };
    }
    let s: Means = means_of(cc, rr);
    if q > FAR {
        return tail_to_probability(log_upper_far(q, rr, df, s), (1.0, 0.0), !lower, log);
    }
    let mut upper: bool = upper_is_smaller(q, rr, s);
    let mut t: Tail = Tail { e: (0.0, 0.0), f: (0.0, 0.0) };
    if upper {
        t = upper_tail(q, rr, df, s);
        upper = t.e.0 + natural_log(t.f.0) < -0.3;
    }
    if !upper {
        t = lower_tail(q, rr, df, s);
    }
    let mut e: (f64, f64) = t.e;
    let mut c: (f64, f64) = t.f;
    if c.0 > 1e5 || c.0 < 1e-5 {
        e = dd_add(e, log_dd(c));
        c = (1.0, 0.0);
    }
    tail_to_probability(e, c, upper != lower, log)
}

/// The start of the search: the quantile of the largest of `r c (c-1)/2` t numbers.
#[kernel]
fn quantile_start(r: f64, c: f64, n: f64, log_upper: f64) -> f64 {
    let share = log_upper - natural_log(r * c * (c - 1.0));
    let share = if share < -0.7 { share } else { -0.7 };
    let q = std::f64::consts::SQRT_2 * qt(share, n, false, true);
    if q > 1e-3 { q } else { 1e-3 }
}

/// The quantile of the studentised range.
///
/// R: `qtukey(p, nmeans, df, nranges = 1, lower.tail = TRUE, log.p = FALSE)`, studentised range quantile:
///   `qtukey(p, nranges, nmeans, df, lower.tail, log.p)`.
/// Domain: `p` in [0, 1] (log: `<= 0`), the parameters as in [`ptukey`], else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: the secant method for `log q` on the log of the smaller tail, inside a bracket, from the quantile of the largest of all
///   differences, were they independent, or the power law of the lower end; the last step is not rounded before it is
///   added. At most 60 steps, usually 5 to 8. Beyond 1e100 and below 1e-100 the power laws themselves are solved.
/// Paper: hartley1942.
/// Error: 99 % within 1.00 ulp, at most 1.00 ulp on the points of dev/oracle; the tests hold it.
#[kernel(ordered)]
pub fn qtukey(p: f64, rr: f64, cc: f64, df: f64, lower: bool, log: bool) -> f64 {
    let bottom = if log { f64::NEG_INFINITY } else { 0.0 };
    let top = if log { 0.0 } else { 1.0 };
    if p.is_nan() || p < bottom || p > top || !valid(rr, cc, df) {
        return f64::NAN;
    }
    if p == bottom || p == top {
        return if (p == bottom) == lower { 0.0 } else { f64::INFINITY };
    }
    let s: Means = means_of(cc, rr);
    let (same, same_low, o, ol) = tail_logs(p, log);
    let log_lower = if lower { (same, same_low) } else { (o, ol) };
    let log_upper = if lower { (o, ol) } else { (same, same_low) };
    let upper = log_upper.0 < log_lower.0;
    let target: (f64, f64) = if upper { log_upper } else { log_lower };
    let mut x = natural_log(quantile_start(rr, cc, df, log_upper.0));
    if !upper {
        // the power of the lower end
        let end = (log_lower.0 / rr - 0.5 * natural_log(cc)) / s.m + LN_SQRT_2PI.0;
        x = if end < x { end } else { x };
    }
    // The powers at both ends are solved as they are. The starts lie outside of the quantiles, or by 7 inside at the most.
    if upper && df > MANY && target.0 < -MANY {
        return quantile_far(target, target, df);
    }
    if upper && x > 200.0 {
        let at: (f64, f64) = log_upper_far(FAR, rr, df, s);
        if target.0 < at.0 {
            return quantile_far(target, at, df);
        }
    }
    if !upper && x < -200.0 {
        let t: Tail = lower_tail(NEAR, rr, df, s);
        let at: (f64, f64) = dd_add(t.e, log_dd(t.f));
        if target.0 < at.0 {
            let fall: (f64, f64) = dd_div(dd_sub(target, at), two_prod(s.m, rr));
            return exp_pair(dd_add(log_dd((NEAR, 0.0)), fall));
        }
    }
    let mut low: f64 = -231.0;
    let mut high: f64 = 231.0;
    x = if x > low { x } else { low };
    x = if x < 230.0 { x } else { 230.0 };
    let mut last_x: f64 = 0.0;
    let mut last_gap: f64 = 0.0;
    let mut q = exp(x);
    let mut result: f64 = q;
    for i in 0..60 {
        let t: Tail = if upper { upper_tail(q, rr, df, s) } else { lower_tail(q, rr, df, s) };
        let l: (f64, f64) = dd_add(t.e, log_dd(t.f));
        let gap = dd_high(dd_sub(l, target));
        // the log of the lower tail rises, that of the upper one falls
        if (gap > 0.0) == upper {
            low = x;
        } else {
            high = x;
        }
        // the upper tail is a normal one, and far out a power of q
        let square = 0.5 * q * q;
        let guess = if upper { -(1.0 + (if square < df { square } else { df })) } else { s.m * rr };
        let slope = if i > 0 && x != last_x { (gap - last_gap) / (x - last_x) } else { guess };
        let good = (slope < 0.0) == upper && slope != 0.0;
        let step = if good { -gap / slope } else { 0.0 };
        // the secant's error is of the order of this step times the one before
        if i > 0 && good && (step * (x - last_x)).abs() * (1.0 + slope.abs()) < 1e-17 {
            result = q + q * expm1(step);
            break;
        }
        result = q + q * expm1(if step.abs() < 1e-12 { step } else { 0.0 });
        if x + step == x {
            break;
        }
        last_x = x;
        last_gap = gap;
        let held = if step < 1.0 { step } else { 1.0 };
        let mut next = x + (if held > -1.0 { held } else { -1.0 });
        if !good || !(next > low && next < high) {
            next = 0.5 * low + 0.5 * high;
        }
        if next == x {
            break;
        }
        x = next;
        q = exp(x);
        // the logarithm of what is evaluated
        x = natural_log(q);
    }
    result
}
