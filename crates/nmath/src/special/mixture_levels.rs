//! The sums over the levels of a Poisson mixture of beta distributions, from their end: what `noncentral_ratio` is made of.
//!
//! With `r_j = x (n+j)/(a+1+j)`, `n = a + b`, the sums are
//! `g_j = 1 + r_j g_(j+1)`, the inner one, of the ratios of beta terms;
//! `w_j = g_j + r_j l/(j+1) w_(j+1)`, the lower tail over its first term;
//! `h_j = l/(j+1) (1 + h_(j+1))` and `v_j = h_j + r_j l/(j+1) v_(j+1)`, the upper one beyond its first mass.
//! All terms are positive. A few levels at a time are a quotient, so that there is one division for all of them; the shapes are scaled by a
//! power of two, so that no product of them leaves the range. The levels up to the largest term, where nothing is damped, are pairs,
//! loose ones within a quotient.

use crate::special::double_double::{dd_add_d, dd_div, dd_mul, dd_mul_d, pair_add, pair_mul, pair_mul_d, two_sum};
use crate::special::powers_of_two::TWO_M600;
use gristmill_kernel::kernel;

/// Where a sum is lifted.
#[kernel]
const LARGE: f64 = 1e200;
/// Levels of pairs that are one quotient: the product of as many counts up to 300 is exact.
#[kernel]
const PAIRS_AT_ONCE: f64 = 6.0;

/// A shape `a`, `n = a + b` as a pair, and 1, all times a power of two that brings `a + 1` to about 1.
#[kernel]
pub(crate) struct Shapes {
    /// The shape.
    pub(crate) a: f64,
    /// The sum of both shapes.
    pub(crate) n: (f64, f64),
    /// 1.
    pub(crate) unit: f64,
}

/// The shapes for levels of `a`, at most 1e100.
#[kernel(inline)]
pub(crate) fn scaled_shapes(a: f64, n: (f64, f64)) -> Shapes {
    // the exponent of a + 1, negated
    let unit = f64::from_bits((2046u64 << 52) - ((a + 1.0).to_bits() & 0x7ff0_0000_0000_0000));
    Shapes { a: a * unit, n: (n.0 * unit, n.1 * unit), unit }
}

/// `a + 1 + j`, scaled, as a pair.
#[kernel(inline)]
fn shape_at(s: Shapes, j: f64) -> (f64, f64) {
    two_sum(s.a, s.unit * (j + 1.0))
}

/// `x (n + j)`, scaled, as a loose pair.
#[kernel(inline)]
fn top_at(x: (f64, f64), s: Shapes, j: f64) -> (f64, f64) {
    let (h, l) = two_sum(s.n.0, s.unit * j);
    pair_mul(x, (h, l + s.n.1))
}

/// A sum that may be beyond the range: `(high + low) 2^(600 lifts)`. What is added after a lift is in units of it; after two, nothing.
#[kernel]
pub(crate) struct Sum {
    /// The sum.
    pub(crate) high: f64,
    /// Its rest.
    pub(crate) low: f64,
    /// How often it was lifted.
    pub(crate) lifts: f64,
}

/// What 1 is after so many lifts.
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

/// `end` and as many levels more as make up whole groups, `from` at least.
#[kernel(inline)]
pub(crate) fn whole_groups(from: f64, end: f64, group: f64) -> f64 {
    let levels = group * ((from - end) / group).ceil();
    if levels > 0.0 { end + levels } else { end }
}

/// `g` from the level `from`, after which nothing counts, down to the one above `end`.
#[kernel]
fn inner_levels(x: f64, s: Shapes, from: f64, end: f64) -> f64 {
    let mut j = whole_groups(from, end, 8.0);
    let mut g: f64 = 1.0;
    while j > end {
        let shape = s.unit.mul_add(j + 1.0, s.a);
        let count = s.unit.mul_add(j, s.n.0);
        let mut top: f64 = g;
        let mut bottom: f64 = 1.0;
        for i in 0..8 {
            let back = -(i as f64);
            bottom *= back.mul_add(s.unit, shape);
            top = (x * back.mul_add(s.unit, count)).mul_add(top, bottom);
        }
        g = top / bottom;
        j -= 8.0;
    }
    g
}

/// `g` as a pair, from the level `levels`, after which nothing counts, down to the one above `end`; its levels up to `fine` are pairs.
#[kernel]
pub(crate) fn rising_sum(x: (f64, f64), s: Shapes, levels: f64, fine: f64, end: f64) -> (f64, f64) {
    let mut j = if fine < levels { fine } else { levels };
    j = if j > end { j } else { end };
    let mut g: (f64, f64) = (inner_levels(x.0, s, levels, j), 0.0);
    while j > end {
        let stop = if j - PAIRS_AT_ONCE > end { j - PAIRS_AT_ONCE } else { end };
        let mut top: (f64, f64) = g;
        let mut bottom: (f64, f64) = (1.0, 0.0);
        while j > stop {
            bottom = pair_mul(bottom, shape_at(s, j));
            top = pair_add(pair_mul(top_at(x, s, j), top), bottom);
            j -= 1.0;
        }
        g = dd_div(top, bottom);
    }
    g
}

/// Both sums of a lower tail at a level.
#[kernel]
struct LowerLevels {
    g: (f64, f64),
    w: (f64, f64),
    lifts: f64,
}

/// The levels from `from` down to the one above `end`, a multiple of four, in doubles.
#[kernel]
fn lower_rough(x: f64, s: Shapes, l: f64, from: f64, end: f64, g: f64) -> LowerLevels {
    let mut g: f64 = g;
    let mut w: f64 = g;
    let mut lifts: f64 = 0.0;
    let mut j = from;
    while j > end {
        let shape = s.unit.mul_add(j + 1.0, s.a);
        let count = s.unit.mul_add(j, s.n.0);
        let lift = unit_after(lifts);
        let mut shapes: f64 = 1.0;
        let mut numbers: f64 = 1.0;
        for i in 0..4 {
            let back = -(i as f64);
            let top = x * back.mul_add(s.unit, count);
            shapes *= back.mul_add(s.unit, shape);
            numbers *= (j + 1.0) + back;
            g = top.mul_add(g, shapes);
            w = (top * l).mul_add(w, g * (numbers * lift));
        }
        let inverse = 1.0 / (shapes * numbers);
        g *= numbers * inverse;
        w *= inverse;
        if w > LARGE {
            w *= TWO_M600;
            lifts += 1.0;
        }
        j -= 4.0;
    }
    LowerLevels { g: (g, 0.0), w: (w, 0.0), lifts }
}

/// The levels from `from` down to the one above `end` in pairs.
#[kernel]
fn lower_pairs(x: (f64, f64), s: Shapes, l: f64, from: f64, end: f64, above: LowerLevels) -> LowerLevels {
    let mut g = above.g;
    let mut w = above.w;
    let mut lifts = above.lifts;
    let mut j = from;
    while j > end {
        let stop = if j - PAIRS_AT_ONCE > end { j - PAIRS_AT_ONCE } else { end };
        let lift = unit_after(lifts);
        let mut shapes: (f64, f64) = (1.0, 0.0);
        let mut numbers: f64 = 1.0;
        while j > stop {
            let top = top_at(x, s, j);
            shapes = pair_mul(shapes, shape_at(s, j));
            numbers *= j + 1.0;
            g = pair_add(pair_mul(top, g), shapes);
            w = pair_add(pair_mul(pair_mul_d(top, l), w), pair_mul_d(g, numbers * lift));
            j -= 1.0;
        }
        g = dd_div(g, shapes);
        w = dd_div(w, pair_mul_d(shapes, numbers));
        if w.0 > LARGE {
            w = (w.0 * TWO_M600, w.1 * TWO_M600);
            lifts += 1.0;
        }
    }
    LowerLevels { g, w, lifts }
}

/// Where the inner sum of a lower tail comes from, and how.
#[kernel]
pub(crate) struct Inner {
    /// `g` at the level after `terms`, as a pair.
    pub(crate) g: (f64, f64),
    /// The first level.
    pub(crate) terms: f64,
    /// Up to this level both sums are pairs.
    pub(crate) pairs: f64,
    /// Here `g` is replaced by `anew`, if that is not 0.
    pub(crate) middle: f64,
    /// See `middle`.
    pub(crate) anew: (f64, f64),
}

/// `W` with `P = p_0 T_0 W`.
#[kernel]
pub(crate) fn lower_levels(x: (f64, f64), s: Shapes, l: f64, inner: Inner) -> Sum {
    let rough = lower_rough(x.0, s, l, inner.terms, inner.pairs, inner.g.0);
    let skipped = !(inner.terms > inner.pairs);
    let start = LowerLevels {
        g: (if skipped { inner.g.0 } else { rough.g.0 }, if skipped { inner.g.1 } else { 0.0 }),
        w: (rough.w.0, 0.0),
        lifts: rough.lifts,
    };
    let first = lower_pairs(x, s, l, inner.pairs, inner.middle, start);
    let mut w: (f64, f64) = first.w;
    let mut lifts = first.lifts;
    if inner.anew.0 > 0.0 {
        let again = LowerLevels { g: inner.anew, w: first.w, lifts };
        let last = lower_pairs(x, s, l, inner.middle, -1.0, again);
        w = last.w;
        lifts = last.lifts;
    }
    Sum { high: w.0, low: w.1, lifts }
}

/// `V` with `Q = Q_0 + p_0 T_0 V`, from the level `terms` on; its levels up to `pairs` are pairs.
#[kernel]
pub(crate) fn upper_levels(x: (f64, f64), s: Shapes, l: f64, terms: f64, pairs: f64) -> Sum {
    let mut j = whole_groups(terms, pairs, 8.0);
    let mut h: f64 = 0.0;
    let mut v: f64 = 0.0;
    let mut lifts: f64 = 0.0;
    while j > pairs {
        let shape = s.unit.mul_add(j + 1.0, s.a);
        let count = s.unit.mul_add(j, s.n.0);
        let lift = unit_after(lifts);
        let mut shapes: f64 = 1.0;
        let mut numbers: f64 = 1.0;
        for i in 0..8 {
            let back = -(i as f64);
            shapes *= back.mul_add(s.unit, shape);
            h = l * numbers.mul_add(lift, h);
            numbers *= (j + 1.0) + back;
            v = ((x.0 * l) * back.mul_add(s.unit, count)).mul_add(v, h * shapes);
        }
        let inverse = 1.0 / (shapes * numbers);
        h *= shapes * inverse;
        v *= inverse;
        if v > LARGE || h > LARGE {
            h *= TWO_M600;
            v *= TWO_M600;
            lifts += 1.0;
        }
        j -= 8.0;
    }
    let mut h2: (f64, f64) = (h, 0.0);
    let mut v2: (f64, f64) = (v, 0.0);
    while j >= 0.0 {
        let stop = if j - PAIRS_AT_ONCE > -1.0 { j - PAIRS_AT_ONCE } else { -1.0 };
        let lift = unit_after(lifts);
        let mut shapes: (f64, f64) = (1.0, 0.0);
        let mut numbers: f64 = 1.0;
        while j > stop {
            let top = pair_mul_d(top_at(x, s, j), l);
            shapes = pair_mul(shapes, shape_at(s, j));
            h2 = pair_mul_d(pair_add(h2, (numbers * lift, 0.0)), l);
            numbers *= j + 1.0;
            v2 = pair_add(pair_mul(top, v2), pair_mul(h2, shapes));
            j -= 1.0;
        }
        h2 = dd_div(h2, (numbers, 0.0));
        v2 = dd_div(v2, pair_mul_d(shapes, numbers));
        if v2.0 > LARGE || h2.0 > LARGE {
            h2 = (h2.0 * TWO_M600, h2.1 * TWO_M600);
            v2 = (v2.0 * TWO_M600, v2.1 * TWO_M600);
            lifts += 1.0;
        }
    }
    Sum { high: v2.0, low: v2.1, lifts }
}

/// `a 1F1(a+b; a; z) = a + z (a+b) H`, `z = l x`, for the density `p_0 T_0/(x y)` times it; its levels up to `pairs` are pairs.
#[kernel]
pub(crate) fn density_levels(z: (f64, f64), a: f64, n: (f64, f64), s: Shapes, terms: f64, pairs: f64) -> Sum {
    let mut j = whole_groups(terms, pairs, 4.0);
    let mut h: f64 = 1.0;
    let mut lifts: f64 = 0.0;
    while j > pairs {
        let shape = s.unit.mul_add(j + 1.0, s.a);
        let count = s.unit.mul_add(j + 1.0, s.n.0);
        let lift = unit_after(lifts);
        let mut bottom: f64 = 1.0;
        for i in 0..4 {
            let back = -(i as f64);
            bottom *= ((j + 2.0) + back) * back.mul_add(s.unit, shape);
            h = (z.0 * back.mul_add(s.unit, count)).mul_add(h, bottom * lift);
        }
        h /= bottom;
        if h > LARGE {
            h *= TWO_M600;
            lifts += 1.0;
        }
        j -= 4.0;
    }
    let mut h2: (f64, f64) = (h, 0.0);
    while j >= 0.0 {
        let bottom = dd_mul_d(shape_at(s, j), j + 2.0);
        h2 = dd_add_d(dd_mul(dd_div(top_at(z, s, j + 1.0), bottom), h2), unit_after(lifts));
        if h2.0 > LARGE {
            h2 = (h2.0 * TWO_M600, h2.1 * TWO_M600);
            lifts += 1.0;
        }
        j -= 1.0;
    }
    let top = dd_add_d(dd_mul(dd_mul(z, n), h2), a * unit_after(lifts));
    Sum { high: top.0, low: top.1, lifts }
}

/// `1F1(-b; a; -z) = exp(-z) 1F1(a+b; a; z)` as a pair, from the level `terms` on; its levels up to `pairs` are pairs.
///
/// Domain: `z` below the border of `noncentral_ratio`, where the terms after `b`, whose signs alternate, fall at once; `a > 1e-5`.
#[kernel]
pub(crate) fn kummer_levels(z: (f64, f64), b: f64, s: Shapes, terms: f64, pairs: f64) -> (f64, f64) {
    let scaled: (f64, f64) = (z.0 * s.unit, z.1 * s.unit);
    let mut j = whole_groups(terms, pairs, 8.0);
    let mut h: f64 = 1.0;
    while j > pairs {
        let shape = s.unit.mul_add(j, s.a);
        let more = b - j;
        let mut bottom: f64 = 1.0;
        for i in 0..8 {
            let back = -(i as f64);
            bottom *= ((j + 1.0) + back) * back.mul_add(s.unit, shape);
            h = (scaled.0 * (more - back)).mul_add(h, bottom);
        }
        h /= bottom;
        j -= 8.0;
    }
    let mut h2: (f64, f64) = (h, 0.0);
    while j >= 0.0 {
        let stop = if j - PAIRS_AT_ONCE > -1.0 { j - PAIRS_AT_ONCE } else { -1.0 };
        let mut bottom: (f64, f64) = (1.0, 0.0);
        while j > stop {
            bottom = pair_mul(bottom, pair_mul_d(shape_at(s, j - 1.0), j + 1.0));
            h2 = pair_add(pair_mul(pair_mul(scaled, two_sum(b, -j)), h2), bottom);
            j -= 1.0;
        }
        h2 = dd_div(h2, bottom);
    }
    h2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(a: f64, b: f64) -> Shapes {
        scaled_shapes(a, two_sum(a, b))
    }

    #[test]
    fn the_inner_sum_of_a_second_shape_1_is_a_geometric_series() {
        for a in [1e-3, 2.5, 1e9, 1e90] {
            for x in [0.125, 0.5] {
                let g = rising_sum((x, 0.0), shapes(a, 1.0), 80.0, 60.0, -1.0);
                assert!((g.0 - 1.0 / (1.0 - x)).abs() < 4e-16 && g.1.abs() < 1e-15, "{a}, {x}: {g:?}");
            }
        }
    }

    #[test]
    fn kummers_series_of_an_integer_ends() {
        let (a, z): (f64, f64) = (2.5, 0.75);
        let one = kummer_levels((z, 0.0), 1.0, shapes(a, 1.0), 30.0, 5.0);
        assert!((one.0 - (1.0 + z / a)).abs() < 3e-16, "{one:?}");
        let two = kummer_levels((z, 0.0), 2.0, shapes(a, 2.0), 30.0, 5.0);
        assert!((two.0 - (1.0 + 2.0 * z / a + z * z / (a * (a + 1.0)))).abs() < 5e-16, "{two:?}");
    }

    #[test]
    fn kummers_series_is_the_mixtures_times_an_exponential() {
        let (a, b, z): (f64, f64, f64) = (2.5, 3.5, 2.0);
        let k = kummer_levels((z, 0.0), b, shapes(a, b), 40.0, 8.0);
        let s = density_levels((z, 0.0), a, two_sum(a, b), shapes(a, b), 50.0, 10.0);
        assert_eq!(s.lifts, 0.0);
        assert!((s.high / a * (-z).exp() / k.0 - 1.0).abs() < 1e-15, "{k:?}, {s:?}");
    }
}
