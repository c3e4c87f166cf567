//! Probability, distribution function and quantile of a rank statistic from 0 to its mean; the rest follows by symmetry.

use crate::special::beta_quantile::normal_start;
use crate::special::discrete_quantile::step_tolerance;
use crate::special::double_double::{dd_high, dd_mul, dd_sub_short};
use crate::special::exponential::{exp, expm1};
use crate::special::incomplete_beta::{log1mexp_dd, log1p_any};
use crate::special::logarithm::{log, log_dd, log1p};
use crate::special::powers_of_two::TWO_52;
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

use super::rank_circle::circle_masses;
use super::rank_counts::{Masses, Ranks, count_pair, counts_fit, fill_counts, share, word};
use super::scaled_pair::{ScaledPair, scaled, scaled_div, scaled_log, scaled_value};
use crate::special::conventions::{is_fractional, one_on, quantile_end, zero_on};

/// Half of the distributions with a table, and no more: `m n < 2560`, n <= 70.
#[kernel]
const TABLE: f64 = 1280.0;

/// Both at an integer `0 <= j <= last/2`.
///
/// Samples of 1 and 2 have `1` and `floor(j/2) + 1` arrangements, sums of which are `j + 1` and `floor((j+2)^2/4)`.
#[kernel]
pub(crate) fn low_masses(j: f64, r: Ranks) -> Masses {
    if !r.signed && r.m <= 2.0 {
        let all: ScaledPair = r.all;
        let one = r.m == 1.0;
        let count = if one { 1.0 } else { (0.5 * j).floor() + 1.0 };
        let sum = if one { j + 1.0 } else { (0.25 * (j + 2.0) * (j + 2.0)).floor() };
        let mass = scaled_div(scaled((count, 0.0), 0.0), all);
        let sum = scaled_div(scaled((sum, 0.0), 0.0), all);
        return Masses { mass, sum };
    }
    if !counts_fit(j, r) {
        return circle_masses(j, r);
    }
    let mut low = [0u64; 2304];
    let mut high = [0u64; 2304];
    fill_counts(j, r, &mut low, &mut high);
    let mut sum: u64 = 0;
    let mut over: u64 = 0;
    for k in 0..=j as usize {
        let next = sum + low[k];
        over = over + high[k] + (if next < sum { 1 } else { 0 });
        sum = next;
    }
    Masses { mass: share(low[j as usize], high[j as usize], r), sum: share(sum, over, r) }
}

/// What the functions of a rank statistic need of its sizes.
#[kernel]
pub(crate) struct RankTable {
    /// 0: an ordinary distribution; 1: NaN.
    pub(crate) kind: f64,
    /// The distribution.
    pub(crate) ranks: Ranks,
    /// Whether `values` holds all of the lower half.
    pub(crate) small: bool,
    /// Where `values` mirrors: the value at `x` stands at `x` or `end - x`, whichever is lower. NaN without a table.
    pub(crate) end: f64,
    /// Probabilities, or their sums, from 0 on.
    pub(crate) values: [f64; 1280],
}

/// A table of the probabilities, or of the distribution function, if the distribution is small.
#[kernel]
pub(crate) fn rank_table(kind: f64, r: Ranks, sums: bool) -> RankTable {
    let top = (0.5 * r.last).floor();
    let small = kind == 0.0 && top < TABLE;
    let end = if sums { r.last - 1.0 } else { r.last };
    let mut table = RankTable { kind, ranks: r, small, end: if small { end } else { f64::NAN }, values: [0.0; 1280] };
    if small {
        let mut low = [0u64; 2304];
        let mut high = [0u64; 2304];
        fill_counts(top, r, &mut low, &mut high);
        let all: ScaledPair = r.all;
        // there are at most 2^97 arrangements
        let one = scaled_div(ScaledPair { high: 1.0, low: 0.0, exponent: 0.0 }, all);
        let unit = power_of_two(one.exponent);
        let each = (one.high * unit, one.low * unit);
        let count = top as usize + 1;
        let count = if count < 1280 { count } else { 1280 };
        let one_word = r.signed && r.n <= 62.0;
        if sums {
            let mut sum: u64 = 0;
            let mut over: u64 = 0;
            for k in 0..count {
                let next = sum + low[k];
                over = over + high[k] + (if next < sum { 1 } else { 0 });
                sum = next;
                low[k] = sum;
                high[k] = over;
            }
        }
        if one_word {
            // over a power of two: one rounding, that of the count
            for k in 0..count {
                table.values[k] = word(low[k]).0 * each.0;
            }
        } else {
            for k in 0..count {
                table.values[k] = dd_high(dd_mul(count_pair(low[k], high[k]), each));
            }
        }
    }
    table
}

/// `x` from the nearer end of the table; NaN without a table.
#[kernel(inline)]
fn from_end(x: f64, s: RankTable) -> f64 {
    let mirrored = s.end - x;
    if x < mirrored { x } else { mirrored }
}

/// The entry of the table at an integer: on top of 2^52 its bits are those of the index, for which vectors have no conversion.
#[kernel(inline)]
fn entry(j: f64, s: RankTable) -> f64 {
    s.values[((j + TWO_52).to_bits() & 0xffff_ffff) as usize]
}

/// Whether [`table_mass`] holds: an integer from 0 to `last`. The distance from the nearer end is exact (Sterbenz), so it is
/// an integer where `x` is one.
#[kernel(inline)]
pub(crate) fn in_table(x: f64, s: RankTable) -> bool {
    let j = from_end(x, s);
    j >= 0.0 && (j + TWO_52) - TWO_52 == j
}

/// The probability at an integer of a small distribution.
#[kernel(inline)]
pub(crate) fn table_mass(x: f64, s: RankTable, log_scale: bool) -> f64 {
    let p = entry(from_end(x, s), s);
    if log_scale { log(p) } else { p }
}

/// The probability at an integer `0 <= x <= last` without a table.
#[kernel]
pub(crate) fn rank_mass(x: f64, r: Ranks, log_scale: bool) -> f64 {
    let j = if x < r.last - x { x } else { r.last - x };
    let masses: Masses = low_masses(j, r);
    let mass: ScaledPair = masses.mass;
    if log_scale {
        let l = scaled_log(mass);
        return l.0 + l.1;
    }
    scaled_value(mass)
}

/// Whether [`table_probability`] holds.
#[kernel(inline)]
pub(crate) fn in_sums(k: f64, s: RankTable) -> bool {
    from_end(k, s) >= 0.0
}

/// `P(X <= k)`, or `P(X > k)`, for an integer `0 <= k < last` of a small distribution.
#[kernel(inline)]
pub(crate) fn table_probability(k: f64, s: RankTable, lower: bool, log_scale: bool) -> f64 {
    // the tail below 1/2, counted from its own end
    let below = k <= s.end - k;
    tail_of(entry(from_end(k, s), s), below == lower, log_scale)
}

/// `p`, or `1 - p`.
#[kernel(inline)]
fn tail_of(p: f64, wanted: bool, log_scale: bool) -> f64 {
    if log_scale {
        if wanted { log(p) } else { log1p(-p) }
    } else if wanted {
        p
    } else {
        1.0 - p
    }
}

/// `P(X <= k)`, or `P(X > k)`, for an integer outside the table; NaN where it or the sizes are none.
#[kernel]
pub(crate) fn rank_probability(k: f64, s: RankTable, lower: bool, log_scale: bool) -> f64 {
    if k.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    let r: Ranks = s.ranks;
    if k < 0.0 {
        return if lower { zero_on(log_scale) } else { one_on(log_scale) };
    }
    if k >= r.last {
        return if lower { one_on(log_scale) } else { zero_on(log_scale) };
    }
    let below = 2.0 * k < r.last;
    let masses: Masses = low_masses(if below { k } else { r.last - 1.0 - k }, r);
    let sum: ScaledPair = masses.sum;
    if below == lower && log_scale {
        let l = scaled_log(sum);
        return l.0 + l.1;
    }
    tail_of(scaled_value(sum), below == lower, log_scale)
}

/// The smallest `j` with `P(X <= j)` at least, or above, `target`: in the table, by halving.
#[kernel(inline)]
fn table_search(target: f64, above: bool, s: RankTable) -> f64 {
    let r: Ranks = s.ranks;
    let mut below: f64 = -1.0;
    let mut reached = (0.5 * r.last).floor() + 1.0;
    while reached - below > 1.0 {
        let middle = (0.5 * (below + reached)).floor();
        let value = s.values[middle as usize];
        let over = if above { value > target } else { value >= target };
        reached = if over { middle } else { reached };
        below = if over { below } else { middle };
    }
    reached
}

/// 2^-50: how far below a step, relative to it, a probability still counts as reached.
#[kernel]
const STEP: f64 = 8.881_784_197_001_252e-16;
/// A bit more than 2^-54: half an ulp of a probability above 1/2. The values of the table are rounded before they are taken from 1.
#[kernel]
const HALF_ULP: f64 = 6.7e-17;

/// [`rank_quantile`] in the table, for a probability between 0 and 1 that is not on the log scale.
#[kernel(inline)]
pub(crate) fn table_quantile(p: f64, s: RankTable, lower: bool) -> f64 {
    let r: Ranks = s.ranks;
    let given = p <= 0.5; // the given tail is the smaller one
    let target = if given { p } else { 1.0 - p };
    let other = if HALF_ULP < 0.7 * target { HALF_ULP } else { 0.7 * target };
    let tolerance = if given { STEP * target } else { other };
    let from_below = given == lower;
    let j = table_search(if from_below { target - tolerance } else { target + tolerance }, !from_below, s);
    if from_below { j } else { r.last - j }
}

/// The smallest `j` with `log P(X <= j)` at least `target`, a pair of at most about `-log 2`.
///
/// Method: Newton's steps on the logarithm from the normal quantile, with the slope of the discrete function, in a bracket; every
/// fourth step halves it.
#[kernel]
fn large_search(target: (f64, f64), r: Ranks) -> f64 {
    let mut below: f64 = -1.0;
    let mut reached = (0.5 * r.last).floor() + 1.0;
    let mut j = (0.5 * r.last + r.sd * normal_start(target.0)).round_ties_even();
    let mut steps: u32 = 0;
    while reached - below > 1.0 {
        if !(j > below) {
            j = below + 1.0;
        }
        if !(j < reached) {
            j = reached - 1.0;
        }
        let masses: Masses = low_masses(j, r);
        let mass: ScaledPair = masses.mass;
        let sum: ScaledPair = masses.sum;
        let l = scaled_log(sum);
        let d = dd_sub_short(l, target);
        let away = d.0 + d.1;
        if away >= 0.0 {
            reached = j;
        } else {
            below = j;
        }
        let ratio: ScaledPair = scaled_div(mass, sum);
        let slope = -log1p(-scaled_value(ratio));
        steps += 1;
        if steps & 3 == 3 || !(slope > 0.0) {
            j = (0.5 * (below + reached)).floor();
        } else {
            // the next step is tried where the target lies between two values
            j = (j - away / slope).ceil();
        }
    }
    reached
}

/// The smallest integer `x` with `P(X <= x) >= p` (or `P(X > x) <= p`), for a probability strictly between 0 and 1.
#[kernel]
pub(crate) fn rank_quantile(p: f64, s: RankTable, lower: bool, log_scale: bool) -> f64 {
    let r: Ranks = s.ranks;
    let lp = if log_scale { (p, 0.0) } else { log_dd((p, 0.0)) };
    let given = lp.0 <= -std::f64::consts::LN_2; // the given tail is the smaller one
    let target = if given {
        lp
    } else if log_scale {
        log1mexp_dd((p, 0.0))
    } else {
        log1p_any((-p, 0.0))
    };
    let from_below = given == lower;
    let tolerance = step_tolerance(lp.0, target.0, given, !from_below, log_scale);
    // below: the smallest j with F(j) >= target; above: the largest j with F(j) <= target, counted from the other end, so the
    // predecessor of the smallest with F(j) > target
    let shift = if from_below { -tolerance } else { tolerance };
    let j = if s.small {
        table_search((if given { exp(p) } else { -expm1(p) }) * (1.0 + shift), !from_below, s)
    } else {
        large_search(dd_sub_short(target, (-shift, 0.0)), r)
    };
    if from_below { j } else { r.last - j }
}

/// The probability outside the table.
#[kernel]
fn masses_rest(x: f64, s: RankTable, log: bool) -> f64 {
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    let r: Ranks = s.ranks;
    let k = x.round_ties_even();
    if is_fractional(x) || k < 0.0 || k > r.last {
        return zero_on(log);
    }
    if s.small {
        return table_mass(k, s, log);
    }
    rank_mass(k, r, log)
}

/// The probability at `x`, after the setup.
#[kernel(masked)]
pub(crate) fn masses_eval(x: f64, s: RankTable, log: bool) -> f64 {
    if in_masses(x, s, log) { masses_main(x, s, log) } else { masses_rest(x, s, log) }
}

/// Whether [`masses_main`] holds.
#[kernel(inline)]
fn in_masses(x: f64, s: RankTable, _log: bool) -> bool {
    in_table(x, s)
}

/// The probability at an integer, from the table.
#[kernel(inline)]
fn masses_main(x: f64, s: RankTable, log: bool) -> f64 {
    table_mass(x, s, log)
}

/// Whether [`quantiles_main`] holds.
#[kernel(inline)]
fn in_quantiles(p: f64, s: RankTable, _lower: bool, log: bool) -> bool {
    let small = s.small;
    small && !log && p > 0.0 && p < 1.0
}

/// The quantile from the table.
#[kernel(inline)]
fn quantiles_main(p: f64, s: RankTable, lower: bool, _log: bool) -> f64 {
    table_quantile(p, s, lower)
}

/// The quantile outside the table, or on the log scale.
#[kernel]
fn quantiles_rest(p: f64, s: RankTable, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0.0 || s.kind == 1.0 {
        return f64::NAN;
    }
    let r: Ranks = s.ranks;
    if end < 2.0 {
        return end * r.last;
    }
    rank_quantile(p, s, lower, log)
}

/// The quantile at `p`, after the setup.
#[kernel(masked)]
pub(crate) fn quantiles_eval(p: f64, s: RankTable, lower: bool, log: bool) -> f64 {
    if in_quantiles(p, s, lower, log) { quantiles_main(p, s, lower, log) } else { quantiles_rest(p, s, lower, log) }
}
