//! The tails and the density of the noncentral beta distribution at a point given as pairs `x + y = 1`: what the noncentral beta
//! and F distributions share.
//!
//! With `p_j = e^-l l^j/j!` and `T_j = x^(a+j) y^b/((a+j) B(a+j, b))` the distribution function is `sum p_j sum_(i>=j) T_i`, and
//! `T_(j+1)/T_j = x (a+b+j)/(a+j+1)`. Where at most 300 terms matter they are summed from their end, the levels before the largest
//! term as pairs; all are positive. Beyond, the tails are integrals `1/(2 pi i) integral w^-a exp(l/w - l) (y/(1 - x w))^b dw/(1 - w)`
//! through the saddle point, on the parabola `w = rho exp(i t + c t^2)` that touches the path of steepest descent, by the
//! trapezoidal rule. In `k = l/rho` and `n = b x rho/(1 - x rho)` the exponent is `-bd0(k, l) - D(n, b)`, `D` the binomial deviance.

use crate::special::binomial_kernel::{Scaled, binomial_kernel, deviance, scaled_log_dd};
use crate::special::constants::{INV_PI_HIGH, INV_PI_LOW, LN2_HIGH, LN2_LOW};
use crate::special::deviance::bd0_dd;
use crate::special::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_mul, dd_mul_d, dd_neg, dd_sub, fast_two_sum, two_sum,
};
use crate::special::exponential::{exp, exp_parts, expm1};
use crate::special::incomplete_beta::{BetaTail, beta_setup, beta_tail, log_tail};
use crate::special::inverse_trigonometric::atan2;
use crate::special::logarithm::{log, log_dd};
use crate::special::powers_of_two::TWO_M600;
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

use super::contour::sine_and_cosine;

/// Up to how many terms the mixture is summed.
#[kernel]
const MOST_TERMS: f64 = 300.0;
/// As many Poisson numbers as the upper tail is summed over, at most.
#[kernel]
const MOST_MEAN: f64 = 1e4;
/// Levels of an inner sum that cost less than an incomplete beta ratio.
#[kernel]
const MOST_LEVELS: f64 = 200.0;
/// Terms of an inner sum below `exp(-DEPTH)` of the first are nothing.
#[kernel]
const DEPTH: f64 = 43.0;
/// Terms of an inner sum below `exp(-FINE_DEPTH)` of the first need no pairs.
#[kernel]
const FINE_DEPTH: f64 = 5.0;
/// Noncentralities whose first Poisson mass is far from the end of the range.
#[kernel]
const FIRST_MASS: f64 = 300.0;
/// Second shapes below this are slight: see `along_parabola`.
#[kernel]
const SLIGHT: f64 = 1.0;
/// Where a sum is lifted.
#[kernel]
const LARGE: f64 = 1e200;
/// What the modulus may fall to before the nodes end.
#[kernel]
const CUT: f64 = 43.0;
/// The nodes are bounded, whatever the parameters: at most 17 + 69/sqrt(max(b, 1)) are needed.
#[kernel]
const MOST_NODES: f64 = 150.0;

/// A tail at a point: `(f + fl) exp(e + el)`; `slope` is `x y density/tail`, where it is asked for.
#[kernel]
pub(crate) struct MixtureTail {
    /// Exponent.
    pub(crate) e: f64,
    /// Its rest.
    pub(crate) el: f64,
    /// Factor.
    pub(crate) f: f64,
    /// Its rest.
    pub(crate) fl: f64,
    /// See above.
    pub(crate) slope: f64,
    /// It is the lower tail.
    pub(crate) lower: bool,
}

/// How many terms of the mixture matter, and where the largest is: `(terms, largest)`.
#[kernel(inline)]
fn terms_of(z: f64, a: f64, b: f64) -> (f64, f64) {
    let q = 0.5 * (z - a - 1.0);
    let root = (q.mul_add(q, z * (a + b))).sqrt();
    let peak = if q > 0.0 { q + root } else { z * (a + b) / (root - q) };
    let curvature = 1.0 / (peak + 1.0) + 1.0 / (a + peak + 1.0) - 1.0 / (a + b + peak + 1.0);
    ((peak + 9.5 / curvature.sqrt() + 22.0).floor(), peak)
}

/// `z (a+b+j)/((j+1) (a+j+1))` as a pair, `first` being `j + 1` and `shift` what is added to `j` in the numerator.
#[kernel(inline)]
fn ratio_pair(z: (f64, f64), a: f64, n: (f64, f64), j: f64, first: f64, shift: f64) -> (f64, f64) {
    let top = dd_mul(z, dd_add_d(n, j + shift));
    dd_div(top, dd_mul_d(two_sum(a, j + 1.0), first))
}

/// A sum that may be beyond the range: `(high + low) 2^(600 lifts)`. What is added after a lift is in units of it; after two, nothing.
#[kernel]
struct Sum {
    high: f64,
    low: f64,
    lifts: f64,
}

#[kernel(inline)]
fn unit_after(lifts: f64) -> f64 {
    if lifts == 0.0 {
        1.0
    } else if lifts == 1.0 {
        TWO_M600
    } else {
        0.0
    }
}

/// `a + z (a+b) H`, for the density `p_0 T_0/(x y)` times it, `z = l x`.
#[kernel]
fn density_sum(z: (f64, f64), a: f64, b: f64, terms: f64, pairs: f64) -> Sum {
    let n = two_sum(a, b);
    let mut j = terms;
    let mut h: f64 = 1.0;
    let mut lifts: f64 = 0.0;
    while j > pairs {
        h = (z.0 * (n.0 + (j + 1.0)) / ((j + 2.0) * (a + (j + 1.0)))).mul_add(h, unit_after(lifts));
        if h > LARGE {
            h *= TWO_M600;
            lifts += 1.0;
        }
        j -= 1.0;
    }
    let mut h2 = (h, 0.0);
    while j >= 0.0 {
        h2 = dd_add_d(dd_mul(ratio_pair(z, a, n, j, j + 2.0, 1.0), h2), unit_after(lifts));
        if h2.0 > LARGE {
            h2 = (h2.0 * TWO_M600, h2.1 * TWO_M600);
            lifts += 1.0;
        }
        j -= 1.0;
    }
    let top = dd_add_d(dd_mul(dd_mul(z, n), h2), a * unit_after(lifts));
    Sum { high: top.0, low: top.1, lifts }
}

/// `sum_(i>=j) T_i/T_j` for shape `a`: by the incomplete beta ratio.
#[kernel]
fn remaining(x: (f64, f64), y: (f64, f64), a: f64, b: f64) -> (f64, f64) {
    let t: BetaTail = beta_tail(x, y, beta_setup(a, b));
    let (l, ll, _s): (f64, f64, f64) = log_tail(t, true, false);
    let k: Scaled = binomial_kernel(a, b, x, y);
    let term = dd_add(scaled_log_dd(k), log_dd(dd_div((b, 0.0), two_sum(a, b))));
    let d = dd_sub((l, ll), term);
    let (m, ml, p) = exp_parts(d);
    let unit = power_of_two(p);
    (m * unit, ml * unit)
}

/// How many terms of `sum_i prod_(k<i) z (d + more + k)/(d + k)`, at most, are above `exp(-depth)` of the first, `0 < z < 1`; infinite or
/// NaN where they begin by growing.
///
/// Method: two of Newton's steps for `m log(1/z) = depth + more log(1 + m/d)`, of which the right side is above the logarithm of the
/// product of the rest; the first step leads beyond the solution, as the function is convex, and the second stays there.
#[kernel(inline)]
fn levels_of(fall: f64, d: f64, more: f64, depth: f64) -> f64 {
    let grows = if more > 0.0 { more } else { 0.0 };
    let start = depth / fall;
    let slope = fall - grows / (d + start);
    let first = start + grows * log(1.0 + start / d) / slope;
    let gap = first * fall - depth - grows * log(1.0 + first / d);
    let levels = (first - gap / (fall - grows / (d + first))).ceil();
    if slope > 0.0 { levels } else { f64::INFINITY }
}

/// `sum_i prod_(k<i) z (n + k)/(a + 1 + k)` from the level `from`, after which nothing counts, down to the one above `end`: two levels at a
/// time, because divisions take longest.
#[kernel(inline)]
fn inner_levels(z: f64, a: f64, n: f64, from: f64, end: f64) -> f64 {
    let mut j = end + 2.0 * (0.5 * (from - end)).ceil();
    let mut g: f64 = 1.0;
    while j > end {
        let low = a + j;
        let high = a + (j + 1.0);
        let inverse = z / (low * high);
        g = ((n + j) * low * inverse).mul_add(g, 1.0);
        g = ((n + (j - 1.0)) * high * inverse).mul_add(g, 1.0);
        j -= 2.0;
    }
    g
}

/// `sum_i prod_(k<i) z (n + k)/(a + 1 + k)` as a pair, from the level `levels`, after which nothing counts, down to the one above `end`; its
/// levels up to `fine` are pairs.
#[kernel]
fn rising_sum(z: (f64, f64), a: f64, n: (f64, f64), levels: f64, fine: f64, end: f64) -> (f64, f64) {
    let mut j = if fine < levels { fine } else { levels };
    j = if j > end { j } else { end };
    let mut g: (f64, f64) = (inner_levels(z.0, a, n.0, levels, j), 0.0);
    while j > end {
        g = dd_add_d(dd_mul(ratio_pair(z, a, n, j, 1.0, 0.0), g), 1.0);
        j -= 1.0;
    }
    g
}

/// `W` with `P = p_0 T_0 W`.
#[kernel]
fn lower_sum(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64, terms: f64, pairs: f64) -> Sum {
    let z = dd_mul_d(x, l);
    let n = two_sum(a, b);
    // The inner sum: its levels beyond those of the mixture, or their sum by the incomplete beta ratio. What is left out is nothing at the
    // level `pairs`, up to which nearly all of the mixture lies; it is a pair as far as it counts next to the largest term, and where x is
    // near 1 and it is hardly damped, at every level.
    let fall = -log(x.0);
    let inner = pairs + levels_of(fall, a + (pairs + 1.0), b - 1.0, DEPTH);
    let short = inner - terms <= MOST_LEVELS;
    let mut g: (f64, f64);
    let fine: f64;
    if short {
        let peak = pairs - 5.0;
        fine = peak + levels_of(fall, a + (peak + 1.0), b - 1.0, FINE_DEPTH);
        g = rising_sum(x, a, n, inner, fine, terms);
    } else {
        g = remaining(x, y, a + (terms + 1.0), b);
        fine = terms;
    }
    let mut j = terms;
    let mut w: f64 = g.0;
    let mut lifts: f64 = 0.0;
    let rough = if fine > pairs { fine } else { pairs };
    while j > rough {
        let count = j + 1.0;
        let ratio = x.0 * (n.0 + j) / (count * (a + count));
        g.0 = (ratio * count).mul_add(g.0, 1.0);
        w = (ratio * l).mul_add(w, g.0 * unit_after(lifts));
        if w > LARGE {
            w *= TWO_M600;
            lifts += 1.0;
        }
        j -= 1.0;
    }
    while j > pairs {
        let r: (f64, f64) = ratio_pair(x, a, n, j, 1.0, 0.0);
        g = dd_add_d(dd_mul(r, g), 1.0);
        w = (r.0 * l / (j + 1.0)).mul_add(w, g.0 * unit_after(lifts));
        if w > LARGE {
            w *= TWO_M600;
            lifts += 1.0;
        }
        j -= 1.0;
    }
    let mut w2: (f64, f64) = (w, 0.0);
    if b < 0.01 && !short {
        // its error, that of a tail which is nearly 0, has grown: begin anew
        g = remaining(x, y, a + (j + 1.0), b);
    }
    while j >= 0.0 {
        let r: (f64, f64) = ratio_pair(x, a, n, j, 1.0, 0.0);
        g = dd_add_d(dd_mul(r, g), 1.0);
        let unit = unit_after(lifts);
        w2 = dd_add_short(dd_mul(ratio_pair(z, a, n, j, j + 1.0, 0.0), w2), (g.0 * unit, g.1 * unit));
        if w2.0 > LARGE {
            w2 = (w2.0 * TWO_M600, w2.1 * TWO_M600);
            lifts += 1.0;
        }
        j -= 1.0;
    }
    Sum { high: w2.0, low: w2.1, lifts }
}

/// `V` with `Q = Q_0 + p_0 T_0 V`.
#[kernel]
fn upper_sum(z: (f64, f64), a: f64, b: f64, l: f64, terms: f64, pairs: f64) -> Sum {
    let n = two_sum(a, b);
    let mut j = terms;
    let mut h: f64 = 0.0;
    let mut v: f64 = 0.0;
    let mut lifts: f64 = 0.0;
    while j > pairs {
        let count = j + 1.0;
        let shape = a + count;
        let inverse = 1.0 / (count * shape);
        h = (l * shape * inverse) * (unit_after(lifts) + h);
        v = (z.0 * (n.0 + j) * inverse).mul_add(v, h);
        if v > LARGE || h > LARGE {
            h *= TWO_M600;
            v *= TWO_M600;
            lifts += 1.0;
        }
        j -= 1.0;
    }
    let mut h2 = (h, 0.0);
    let mut v2 = (v, 0.0);
    while j >= 0.0 {
        h2 = dd_mul(dd_div((l, 0.0), (j + 1.0, 0.0)), dd_add_d(h2, unit_after(lifts)));
        v2 = dd_add_short(dd_mul(ratio_pair(z, a, n, j, j + 1.0, 0.0), v2), h2);
        if v2.0 > LARGE || h2.0 > LARGE {
            h2 = (h2.0 * TWO_M600, h2.1 * TWO_M600);
            v2 = (v2.0 * TWO_M600, v2.1 * TWO_M600);
            lifts += 1.0;
        }
        j -= 1.0;
    }
    Sum { high: v2.0, low: v2.1, lifts }
}

/// An exponent with the lifts of a sum added.
#[kernel(inline)]
fn lifted(e: (f64, f64), lifts: f64) -> (f64, f64) {
    dd_add(e, dd_mul_d((LN2_HIGH, LN2_LOW), 600.0 * lifts))
}

/// `p_0 T_0` as a factor and an exponent.
#[kernel(inline)]
fn first_term(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64) -> Scaled {
    let k: Scaled = binomial_kernel(a, b, x, y);
    let m = dd_mul((k.m, k.ml), dd_div((b, 0.0), two_sum(a, b)));
    let e = dd_add_d((k.e, k.el), -l);
    Scaled { m: m.0, ml: m.1, e: e.0, el: e.1 }
}

#[kernel(inline)]
fn pair_levels(peak: f64) -> f64 {
    (1.15 * peak + 5.0).floor()
}

/// `exp(e)` of the difference of two lifts and exponents, for slopes.
#[kernel(inline)]
fn quotient_of(top: Sum, bottom: Sum) -> f64 {
    let lifts = top.lifts - bottom.lifts;
    top.high / bottom.high * exp(lifts * (600.0 * std::f64::consts::LN_2))
}

/// The lower tail by the sum.
#[kernel]
fn sum_lower(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64, terms: f64, peak: f64, sloped: bool) -> MixtureTail {
    let first: Scaled = first_term(x, y, a, b, l);
    let w: Sum = lower_sum(x, y, a, b, l, terms, pair_levels(peak));
    let mut slope: f64 = 0.0;
    if sloped {
        let top: Sum = density_sum(dd_mul_d(x, l), a, b, terms, -1.0);
        slope = quotient_of(top, w);
    }
    let f: (f64, f64) = dd_mul((first.m, first.ml), (w.high, w.low));
    let e: (f64, f64) = lifted((first.e, first.el), w.lifts);
    MixtureTail { e: e.0, el: e.1, f: f.0, fl: f.1, slope, lower: true }
}

/// The upper tail by the sum.
#[kernel]
fn sum_upper(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64, terms: f64, peak: f64, sloped: bool) -> MixtureTail {
    let z: (f64, f64) = dd_mul_d(x, l);
    let first: Scaled = first_term(x, y, a, b, l);
    let most = (l + 9.5 * l.sqrt() + 24.0).floor();
    let terms = if terms > most { terms } else { most };
    let v: Sum = upper_sum(z, a, b, l, terms, pair_levels(if peak > l { peak } else { l }));
    let mut quotient: f64 = 0.0;
    if sloped {
        let top: Sum = density_sum(z, a, b, terms, -1.0);
        quotient = quotient_of(top, v);
    }
    // Q_0 = T_0 (a/b) sum, where its terms are few
    let fall = -log(y.0);
    let levels = levels_of(fall, b + 1.0, a - 1.0, DEPTH);
    if levels <= MOST_LEVELS && l < FIRST_MASS && v.lifts == 0.0 {
        let fine = levels_of(fall, b + 1.0, a - 1.0, FINE_DEPTH);
        let h: (f64, f64) = dd_div(dd_mul_d(rising_sum(y, b, two_sum(a, b), levels, fine, -1.0), a), (b, 0.0));
        let (m, ml, k) = exp_parts((-l, 0.0));
        let unit = power_of_two(k);
        let more: (f64, f64) = dd_mul((v.high, v.low), (m * unit, ml * unit));
        let all: (f64, f64) = dd_add(h, more);
        let f: (f64, f64) = dd_mul((first.m, first.ml), all);
        let e: (f64, f64) = dd_add_d((first.e, first.el), l);
        return MixtureTail { e: e.0, el: e.1, f: f.0, fl: f.1, slope: quotient * (more.0 / all.0), lower: false };
    }
    let t: BetaTail = beta_tail(x, y, beta_setup(a, b));
    let (lq, lql, _s): (f64, f64, f64) = log_tail(t, false, false);
    // in units of the first tail: 1 + p_0 T_0 V/Q_0
    let e = lifted((first.e, first.el), v.lifts);
    let share = dd_sub(e, (lq, lql));
    if share.0 > 300.0 {
        let f: (f64, f64) = dd_mul((first.m, first.ml), (v.high, v.low));
        return MixtureTail { e: e.0, el: e.1, f: f.0, fl: f.1, slope: quotient, lower: false };
    }
    let mut f = (1.0, 0.0);
    let mut slope: f64 = 0.0;
    if share.0 > -690.0 {
        let (m, ml, k) = exp_parts(share);
        let unit = power_of_two(k);
        let s = dd_mul((first.m, first.ml), (m * unit, ml * unit));
        f = dd_add_d(dd_mul(s, (v.high, v.low)), 1.0);
        slope = s.0 * v.high / f.0 * quotient;
    }
    MixtureTail { e: lq, el: lql, f: f.0, fl: f.1, slope, lower: false }
}

/// `exp(z) - 1 - z` of a complex number given with its `exp(z) - 1`.
#[kernel(inline)]
fn exp_rest(z: (f64, f64), less_one: (f64, f64)) -> (f64, f64) {
    if z.0 * z.0 + z.1 * z.1 > 0.25 {
        return (less_one.0 - z.0, less_one.1 - z.1);
    }
    // Taylor's series from its end: sum z^j/(j+2)!
    let mut re: f64 = 1.0;
    let mut im: f64 = 0.0;
    let mut j: f64 = 16.0;
    while j > 2.0 {
        let s = 1.0 / j;
        let next = (z.0 * re - z.1 * im) * s + 1.0;
        im = (z.0 * im + z.1 * re) * s;
        re = next;
        j -= 1.0;
    }
    let sr = 0.5 * (z.0 * z.0 - z.1 * z.1);
    let si = z.0 * z.1;
    (sr * re - si * im, sr * im + si * re)
}

/// `-log(1 - z) - z` of a complex number.
#[kernel(inline)]
fn log_rest(z: (f64, f64)) -> (f64, f64) {
    let square = z.0 * z.0 + z.1 * z.1;
    if square > 0.09 {
        let re = 1.0 - z.0;
        return (-0.5 * log(re * re + z.1 * z.1) - z.0, -atan2(-z.1, re) - z.1);
    }
    // 2 atanh(q) - z, q = z/(2 - z): z q + 2 q^3 (1/3 + q^2/5 + ...)
    let dr = 2.0 - z.0;
    let bottom = dr * dr + z.1 * z.1;
    let qr = (z.0 * dr - z.1 * z.1) / bottom;
    let qi = (z.1 * dr + z.0 * z.1) / bottom;
    let ur = qr * qr - qi * qi;
    let ui = 2.0 * qr * qi;
    let mut re: f64 = 1.0 / 27.0;
    let mut im: f64 = 0.0;
    let mut j: f64 = 25.0;
    while j > 2.0 {
        let next = ur * re - ui * im + 1.0 / j;
        im = ur * im + ui * re;
        re = next;
        j -= 2.0;
    }
    let cr = qr * ur - qi * ui;
    let ci = qr * ui + qi * ur;
    let tr = 2.0 * (cr * re - ci * im);
    let ti = 2.0 * (cr * im + ci * re);
    (z.0 * qr - z.1 * qi + tr, z.0 * qi + z.1 * qr + ti)
}

/// What the integral along the parabola gives.
#[kernel]
struct Along {
    e: f64,
    el: f64,
    /// The tail over `exp(e)`.
    f: f64,
    fl: f64,
    /// `x y` times the density, over `exp(e)`.
    mass: f64,
    mass_low: f64,
    lower: bool,
}

/// Tail and density by the integral, for `l > 0`.
#[kernel]
fn along_parabola(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64) -> Along {
    let v = two_sum(a, -1.0);
    let bend_shape = if b > 1.0 { b } else { 1.0 };
    let z = l * x.0;
    let q = 0.5 * (z - v.0);
    let root = (q.mul_add(q, (v.0 + bend_shape) * z)).sqrt();
    let k = if q > 0.0 { q + root } else { (v.0 + bend_shape) * z / (root - q) };
    // g = x rho, r = g/(1 - g), from 1 - g = (k - l + l y)/k where g is near 1
    let g = dd_div(dd_mul_d(x, l), (k, 0.0));
    let rest = dd_div(dd_add(two_sum(k, -l), dd_mul_d(y, l)), (k, 0.0));
    let rp = dd_div(g, rest);
    let r = rp.0;
    let exact = dd_mul_d(rp, b);
    let n = exact.0;
    let log_rho = log_dd(dd_div((l, 0.0), (k, 0.0)));
    // n - k - v: what is left of the slope; exactly 0 at the saddle point
    let short = dd_sub(dd_sub((n, 0.0), (k, 0.0)), v);
    let drift = short.0 + exact.1;
    let e = dd_neg(dd_add(bd0_dd(k, (l, 0.0)), deviance(n, b, x, y)));
    let e = dd_add(e, dd_mul(short, log_rho));
    let second = bend_shape * r * (1.0 + r);
    let size = k + second;
    let third = second * (1.0 + 2.0 * r) - k;
    let bend = if third > 0.0 { third / (6.0 * size) } else { 0.0 };
    let turn = (86.0 * size).sqrt() + 14.0 + 38.0 * r;
    let step = std::f64::consts::TAU / turn;
    let lower = l > k;
    let larger = if lower { l } else { k };
    let ratio = (if lower { k } else { l }) / larger;
    let gap = (k - l).abs() / larger;
    let mut sum = (0.0, 0.0);
    let mut mass = (0.0, 0.0);
    // A small second shape makes the lower tail small: without it the integral is 0 and has no pole, so 1 is taken from its factor.
    let slight = b < SLIGHT;
    let mut without = (0.0, 0.0);
    let log_factor = dd_mul_d(dd_sub(log_dd(y), log_dd(rest)), b);
    let mut i: f64 = 0.5;
    let mut going = true;
    while going {
        let t = i * step;
        let u = bend * t * t;
        let (sh, ch) = sine_and_cosine(0.5 * t);
        let sine = 2.0 * sh * ch;
        let fall = 2.0 * sh * sh;
        let cosine = 1.0 - fall;
        let up = expm1(u);
        let down = -up / (1.0 + up);
        let plus = (up * cosine - fall, (1.0 + up) * sine);
        let minus = (down * cosine - fall, -(1.0 + down) * sine);
        let er = exp_rest((u, t), plus);
        let em = exp_rest((-u, -t), minus);
        let lr = log_rest((r * plus.0, r * plus.1));
        let re = k * em.0 + n * er.0 + b * lr.0 + drift * u;
        let im = k * em.1 + n * er.1 + b * lr.1 + drift * t;
        let weight = exp(re);
        let (ps, pc) = sine_and_cosine(im);
        // times the path's direction, 1 - 2 i bend t
        let turned = 2.0 * bend * t;
        let wr = weight * (pc + turned * ps);
        let wi = weight * (ps - turned * pc);
        // over 1 - w, or w - 1
        let br = if lower { gap + plus.0 } else { gap - ratio * plus.0 };
        let bi = if lower { plus.1 } else { -ratio * plus.1 };
        let (total, low) = two_sum(sum.0, (wr * br + wi * bi) / (br * br + bi * bi));
        sum = (total, sum.1 + low);
        if slight {
            // 1 - exp(-c), c the log of the factor
            let cr = log_factor.0 + b * (lr.0 + r * plus.0);
            let ci = b * (lr.1 + r * plus.1);
            let (hs, hc) = sine_and_cosine(0.5 * ci);
            let m = expm1(-cr);
            let fr = 2.0 * hs * hs * (1.0 + m) - m;
            let fi = (1.0 + m) * (2.0 * hs * hc);
            let vr = wr * fr - wi * fi;
            let vi = wr * fi + wi * fr;
            let (total, low) = two_sum(without.0, (vr * br + vi * bi) / (br * br + bi * bi));
            without = (total, without.1 + low);
        }
        let dr = 1.0 - r * plus.0;
        let di = -r * plus.1;
        let (total, low) = two_sum(mass.0, (wr * dr + wi * di) / (dr * dr + di * di));
        mass = (total, mass.1 + low);
        i += 1.0;
        going = re > -CUT && i * step < std::f64::consts::PI && i < MOST_NODES;
    }
    let over_pi = dd_mul_d((INV_PI_HIGH, INV_PI_LOW), step);
    let share = if lower { dd_div((k, 0.0), (l, 0.0)) } else { (1.0, 0.0) };
    let mut f = dd_mul(dd_mul(over_pi, share), fast_two_sum(sum.0, sum.1));
    // the pole: where the parabola, continued, meets w = 1
    let inside = 1.0 + 4.0 * bend * log_rho.0;
    if inside > 0.0 {
        let distance = turn * (2.0 * log_rho.0 / (1.0 + inside.sqrt())).abs();
        if -e.0 < 0.5 * distance || distance < 1.0 {
            f = dd_add_d(f, exp(-e.0 - distance) / (1.0 + exp(-distance)));
        }
    }
    let mut below = lower;
    if slight {
        let side = if lower { 1.0 } else { -1.0 };
        let p = dd_mul(dd_mul(over_pi, share), fast_two_sum(side * without.0, side * without.1));
        if lower || e.0 + log(p.0) < -0.6 {
            f = p;
            below = true;
        }
    }
    let m = dd_mul(over_pi, fast_two_sum(mass.0, mass.1));
    let m = dd_mul(m, dd_mul(dd_mul_d(x, b), dd_add_d(rp, 1.0)));
    Along { e: e.0, el: e.1, f: f.0, fl: f.1, mass: m.0, mass_low: m.1, lower: below }
}

/// `x y` times the density, as a factor and an exponent, for `0 < x < 1`.
#[kernel]
pub(crate) fn mixture_density(x: (f64, f64), y: (f64, f64), a: f64, b: f64, l: f64) -> Scaled {
    let z = dd_mul_d(x, l);
    let (terms, peak): (f64, f64) = terms_of(z.0, a, b);
    if terms < MOST_TERMS {
        let first: Scaled = first_term(x, y, a, b, l);
        let top: Sum = density_sum(z, a, b, terms, pair_levels(peak));
        let m = dd_mul((first.m, first.ml), (top.high, top.low));
        let e = lifted((first.e, first.el), top.lifts);
        return Scaled { m: m.0, ml: m.1, e: e.0, el: e.1 };
    }
    let t: Along = along_parabola(x, y, a, b, l);
    Scaled { m: t.mass, ml: t.mass_low, e: t.e, el: t.el }
}

/// Whether `x` is below the mean, near enough: the side whose tail is computed first.
#[kernel(inline)]
pub(crate) fn below_mean(x: f64, y: f64, a: f64, b: f64, l: f64) -> bool {
    x * b <= y * (a + l)
}

/// A tail for `0 < x < 1`: the smaller one, or one that is accurate by itself if `any` of the two (the lower) serves. `sloped`: with its
/// slope.
#[kernel]
pub(crate) fn mixture_tail(
    x: (f64, f64),
    y: (f64, f64),
    a: f64,
    b: f64,
    l: f64,
    any: bool,
    sloped: bool,
) -> MixtureTail {
    let (terms, peak): (f64, f64) = terms_of(x.0 * l, a, b);
    // the upper tail's sum goes through the masses of the Poisson numbers, as many as their mean
    if terms >= MOST_TERMS || l > MOST_MEAN {
        let t: Along = along_parabola(x, y, a, b, l);
        let lower: bool = t.lower;
        return MixtureTail { e: t.e, el: t.el, f: t.f, fl: t.fl, slope: t.mass / t.f, lower };
    }
    if below_mean(x.0, y.0, a, b, l) {
        let t: MixtureTail = sum_lower(x, y, a, b, l, terms, peak, sloped);
        if any || t.e + log(t.f) < -0.6 {
            return t;
        }
        return sum_upper(x, y, a, b, l, terms, peak, sloped);
    }
    let t: MixtureTail = sum_upper(x, y, a, b, l, terms, peak, sloped);
    if t.e + log(t.f) < -0.6 {
        return t;
    }
    sum_lower(x, y, a, b, l, terms, peak, sloped)
}
