//! Hypergeometric numbers.

use gristmill_kernel::kernel;

use super::qhyper;
use crate::random::bits::{accepted, two_sided, unit};
use crate::random::small_mean::{
    Ratios, at_least_one, count_below_urn, count_term, deviance, invert, mode_term, stirling_error,
};
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use crate::special::philox::philox_block;

/// How often a proposal may be refused. At mean 10, the worst, fewer than half of them are: 256 times in a row has a
/// probability below 2^-256.
#[kernel]
const ATTEMPTS: u32 = 256;
/// Below this mean by inversion, which costs as many steps as the number is large.
#[kernel]
const INVERSION_END: f64 = 32.0;
/// 2 sqrt(2/e)
#[kernel]
const WIDTH: f64 = 1.715_527_769_921_413_6;
/// 3 - 2 sqrt(3/e)
#[kernel]
const WIDTH_MORE: f64 = 0.898_916_162_058_898_7;

/// An urn with `r <= b` red balls, of which `n`, at most half of all, are drawn; and the hat of the rejection method.
#[kernel]
struct Urn {
    r: f64,
    b: f64,
    n: f64,
    /// The mean of the red ones drawn; those of the other counts follow from it.
    mean: f64,
    /// The log of the means' cross ratio, which would be 0 if they were not rounded.
    skew: f64,
    /// The width of the hat at height 1.
    width: f64,
    /// Three standard deviations from the mean, and by how much masses fall from there on at least.
    left_end: f64,
    left_fall: f64,
    right_end: f64,
    right_fall: f64,
    mode: f64,
    /// The mode's part of the test, and one over its counts.
    at_mode: f64,
    inverse_red: f64,
    inverse_black: f64,
    inverse_red_left: f64,
    inverse_black_left: f64,
}

/// For `n <= (r + b)/2` and `r <= b`, all whole and finite, and a mean of 10 or more, `r (n/(r + b))`: so the other three
/// counts are no smaller.
#[kernel]
fn urn_of(r: f64, b: f64, n: f64, mean: f64) -> Urn {
    let all = r + b;
    let variance = mean * (b / all) * ((all - n) / (all - 1.0));
    let mode = ((r + 1.0) * ((n + 1.0) / (all + 2.0))).floor();
    // the cross ratio less 1, with the roundings of both products
    let (black, red_left) = (n - mean, r - mean);
    let black_left = b - black;
    let product = black * red_left;
    let difference = mean.mul_add(black_left, -product) - black.mul_add(red_left, -product);
    let skew = if product < 1e300 { difference / product } else { 0.0 };
    let left_end = (mean - 3.0 * variance.sqrt()).floor();
    let right_end = (mean + 3.0 * variance.sqrt()).ceil();
    // where the products overflow there is no such bound, and more is looked at closely
    let fall_left = (left_end * (b - n + left_end)) / ((r - left_end + 1.0) * (n - left_end + 1.0));
    let fall_right = ((r - right_end) * (n - right_end)) / ((right_end + 1.0) * (b - n + right_end + 1.0));
    let inverse_red = 1.0 / mode;
    let inverse_black = 1.0 / (n - mode);
    let inverse_red_left = 1.0 / (r - mode);
    let inverse_black_left = 1.0 / (b - (n - mode));
    let d = mode - mean;
    let drawn = mode_term(inverse_red, d) + mode_term(inverse_black, -d);
    let left = mode_term(inverse_red_left, -d) + mode_term(inverse_black_left, d);
    Urn {
        r,
        b,
        n,
        mean,
        skew,
        width: WIDTH.mul_add((variance + 0.5).sqrt(), WIDTH_MORE),
        left_end,
        left_fall: if left_end > 0.0 && fall_left < 1.0 { 1.0 - fall_left } else { 0.0 },
        right_end,
        right_fall: if fall_right < 1.0 { 1.0 - fall_right } else { 0.0 },
        mode,
        at_mode: drawn + left,
        inverse_red,
        inverse_black,
        inverse_red_left,
        inverse_black_left,
    }
}

/// An urn whose numbers are drawn by inversion: nothing of the hat is used.
#[kernel]
fn plain_urn(r: f64, b: f64, n: f64, mean: f64) -> Urn {
    Urn {
        r,
        b,
        n,
        mean,
        skew: 0.0,
        width: 0.0,
        left_end: 0.0,
        left_fall: 0.0,
        right_end: 0.0,
        right_fall: 0.0,
        mode: 0.0,
        at_mode: 0.0,
        inverse_red: 0.0,
        inverse_black: 0.0,
        inverse_red_left: 0.0,
        inverse_black_left: 0.0,
    }
}

/// What `k` adds to minus the log of the mass, beside the roots and the skew.
///
/// Method: the mass is a constant over the factorials of the four counts, each in Stirling's form around its mean, from which
///   all are equally far. What is left of the means is a power of their cross ratio, which is 1 but for rounding.
/// Paper: loader2000.
#[kernel]
fn counts_term(k: f64, r: f64, b: f64, n: f64, mean: f64) -> f64 {
    let (black, black_mean) = (n - k, n - mean);
    let d = k - mean;
    let drawn = count_term(k, mean, d) + count_term(black, black_mean, -d);
    drawn + (count_term(r - k, r - mean, -d) + count_term(b - black, b - black_mean, d))
}

/// The mass at 0.
///
/// Method: `b! (all - n)!/(all! (b - n)!)` in Stirling's form around the means of the counts 0, `r`, `n` and `b - n`, from
///   which all are as far as the mean of the red ones: for small means nothing cancels.
/// Paper: loader2000.
#[kernel]
fn mass_at_zero(r: f64, b: f64, n: f64, mean: f64) -> f64 {
    let all = r + b;
    let (behind, left) = (all - n, b - n);
    let far = (mean + deviance(r, r - mean, mean)) + (deviance(n, n - mean, mean) + deviance(left, left + mean, -mean));
    let errors = (stirling_error(b) - stirling_error(all)) + (stirling_error(behind) - stirling_error(left));
    exp((errors - far) + 0.5 * log((b / all) * (behind / at_least_one(left))))
}

#[kernel(inline)]
fn ratios(r: f64, b: f64, n: f64) -> Ratios {
    Ratios { a: r, da: 1.0, b: n, db: 1.0, c: b - n + 1.0, dc: 1.0 }
}

/// One proposal from the words of a block: a hypergeometric number of mean 10 or more, or NaN if it is refused.
///
/// Method: `2 log(u) <= log mass(k) - log mass(mode)`; the logarithms of `u` and of the roots in Stirling's formula are one.
///   Most of what is far out is refused before: the masses are log-concave, so beyond three standard deviations they fall at least
///   as fast as there, `mass(k) <= mass(mode) exp(-z)`, and `exp(z) >= (1 + z/8)^8`.
/// Paper: stadlober1990, loader2000.
#[kernel]
fn hypergeometric_proposal(first: u64, second: u64, s: Urn) -> f64 {
    let u = unit(first);
    let k = (s.mean + 0.5 + s.width * (unit(second) - 0.5) / u).floor();
    let square = u * u;
    let right = (k - s.right_end) * s.right_fall;
    let left = (s.left_end - k) * s.left_fall;
    let z = if right > left { right } else { left };
    let e = 1.0 + 0.125 * (if z > 0.0 { z } else { 0.0 });
    let e2 = e * e;
    if !(k >= 0.0 && k <= s.r && k <= s.n && square * ((e2 * e2) * (e2 * e2)) <= 1.0) {
        return f64::NAN;
    }
    let black = s.n - k;
    let drawn = (at_least_one(k) * s.inverse_red) * (at_least_one(black) * s.inverse_black);
    let left = (at_least_one(s.r - k) * s.inverse_red_left) * (at_least_one(s.b - black) * s.inverse_black_left);
    let terms = (k - s.mode).mul_add(s.skew, counts_term(k, s.r, s.b, s.n, s.mean) - s.at_mode);
    let sum = 0.5 * log((square * square) * (drawn * left)) + terms;
    if sum <= 0.0 { k } else { f64::NAN }
}

/// A hypergeometric number of mean 10 or more by at most `attempts` proposals, then by its quantile.
#[kernel]
fn hypergeometric_within(seed: u64, stream: u32, index: u64, urn: Urn, attempts: u32) -> f64 {
    let mut attempt: u32 = 0;
    while attempt < attempts {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, attempt);
        let k = hypergeometric_proposal(w0, w1, urn);
        if !k.is_nan() {
            return k;
        }
        attempt += 1;
    }
    let last: u32 = ATTEMPTS;
    let (w0, _): (u64, u64) = philox_block(seed, stream, index, last);
    qhyper(unit(w0), urn.r, urn.b, urn.n, true, false)
}

/// What hypergeometric numbers need: the urn after the exchanges, its mass at 0, and how a number becomes the one that is wanted.
#[kernel]
struct Hypergeometric {
    usual: bool,
    /// The ones left behind are counted instead of the drawn.
    behind: bool,
    /// The black ones are counted instead of the red.
    swapped: bool,
    /// The red ones as given.
    red: f64,
    zero: f64,
    urn: Urn,
}

#[kernel]
fn hypergeometric_setup(r: f64, b: f64, n: f64) -> Hypergeometric {
    let red = r.round_ties_even();
    let black = b.round_ties_even();
    let drawn = n.round_ties_even();
    let all = red + black;
    let usual = red >= 0.0 && black >= 0.0 && drawn >= 0.0 && drawn <= all && all < f64::INFINITY;
    let behind = drawn > all - drawn;
    let few = if behind { all - drawn } else { drawn };
    let swapped = red > black;
    let less = if swapped { black } else { red };
    let more = if swapped { red } else { black };
    // nothing drawn from nothing has no mean
    let mean = if all > 0.0 { less * (few / all) } else { 0.0 };
    let mut zero: f64 = 1.0;
    let mut urn = plain_urn(less, more, few, mean);
    if mean >= INVERSION_END {
        urn = urn_of(less, more, few, mean);
    } else if mean > 0.0 {
        zero = mass_at_zero(less, more, few, mean);
    }
    Hypergeometric { usual, behind, swapped, red, zero, urn }
}

#[kernel]
fn hypergeometric_main(seed: u64, stream: u32, index: u64, s: Hypergeometric) -> f64 {
    if !s.usual {
        return f64::NAN;
    }
    let (w0, w1): (u64, u64) = philox_block(seed, stream, index, 0);
    let urn: Urn = s.urn;
    let k = if urn.mean < INVERSION_END {
        count_below_urn(w0, w1, s.zero, urn.r, urn.n, urn.b - urn.n + 1.0)
    } else {
        hypergeometric_proposal(w0, w1, urn)
    };
    let k = if s.swapped { urn.n - k } else { k };
    if s.behind { s.red - k } else { k }
}

#[kernel]
fn hypergeometric_rest(seed: u64, stream: u32, index: u64, s: Hypergeometric) -> f64 {
    if !s.usual {
        return f64::NAN;
    }
    let urn: Urn = s.urn;
    let attempts: u32 = ATTEMPTS;
    let k = if urn.mean < INVERSION_END {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, 0);
        let (t, above): (f64, bool) = two_sided(w0, w1);
        invert(s.zero, ratios(urn.r, urn.b, urn.n), t, above)
    } else {
        hypergeometric_within(seed, stream, index, urn, attempts)
    };
    let k = if s.swapped { urn.n - k } else { k };
    if s.behind { s.red - k } else { k }
}

/// A hypergeometric number: how many red balls there are among `n` drawn without replacement from `r` red and `b` black.
///
/// R: `rhyper(m, n, k)`, hypergeometric random number.
/// Domain: `r`, `b`, `n` finite and not negative after rounding to whole numbers (as in R), `n <= r + b`, else NaN.
///   `r + b` should not exceed 2^53, so that sums of the three are exact.
/// Method: by symmetry `n <= (r + b)/2` and `r <= b`. Then
///   mean < 32   inversion of a uniform number of 128 bits: by counting the first 56 values of the distribution function that
///               are below it; beyond them the masses are subtracted one by one, and the far upper tail is summed from its
///               own end
///   mean >= 32  ratio of uniforms with a rectangular hat; the mass in saddle-point form. The refusals are bounded,
///               then `qhyper` of a uniform number.
/// Paper: stadlober1990, loader2000.
/// Error: the numbers follow `phyper`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rhyper(seed: u64, stream: u32, index: u64, r: f64, b: f64, n: f64) -> f64 {
    let s = hypergeometric_setup(r, b, n);
    let y = hypergeometric_main(seed, stream, index, s);
    if accepted(y) { y } else { hypergeometric_rest(seed, stream, index, s) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::agreement::assert_follows;

    /// The log mass of `k` against that of the mode, as proposals see it.
    fn relative_log_mass(k: f64, urn: Urn) -> f64 {
        let counts = |k: f64| [k, urn.n - k, urn.r - k, urn.b - (urn.n - k)].map(|x| f64::max(x, 1.0));
        let roots: f64 = counts(k).iter().zip(counts(urn.mode)).map(|(x, m)| x / m).product();
        let terms = counts_term(k, urn.r, urn.b, urn.n, urn.mean) - urn.at_mode;
        -(0.5 * log(roots) + terms + (k - urn.mode) * urn.skew)
    }

    #[test]
    fn the_mass_at_zero_is_that_of_the_density() {
        for (r, b, n) in
            [(1.0, 1.0, 1.0), (3.0, 3.0, 3.0), (9.0, 40.0, 20.0), (5.0, 1e6, 4e5), (1e6, 1e9, 5e3), (2.0, 1e15, 1e8)]
        {
            let zero = mass_at_zero(r, b, n, r * (n / (r + b)));
            let truth = crate::dhyper(0.0, r, b, n, false);
            assert!((zero / truth - 1.0).abs() < 1e-12, "{r} red, {b} black, {n} drawn: {zero} for {truth}");
        }
    }

    #[test]
    fn log_masses_are_those_of_the_density() {
        for (r, b, n) in [(20.0, 20.0, 20.0), (20.0, 30.0, 25.0), (60.0, 80.0, 50.0), (1e3, 1e5, 5e4), (1e9, 3e9, 7e8)]
        {
            let urn = urn_of(r, b, n, r * (n / (r + b)));
            let spread = f64::sqrt(urn.mean * (b / (r + b)) * (1.0 - n / (r + b)));
            for z in [-30.0, -5.0, -2.0, 0.0, 0.5, 3.0, 30.0] {
                let k = f64::clamp(f64::floor(urn.mean + z * spread), 0.0, f64::min(r, n));
                let truth = crate::dhyper(k, r, b, n, true) - crate::dhyper(urn.mode, r, b, n, true);
                let error = (relative_log_mass(k, urn) - truth).abs();
                assert!(error < 1e-11 * (1.0 + truth.abs()), "{r} red, {b} black, {n} drawn: {k} has error {error}");
            }
        }
    }

    #[test]
    fn fewer_than_half_of_the_proposals_are_refused() {
        for (r, b, n) in
            [(20.0, 20.0, 20.0), (30.0, 60.0, 30.0), (500.0, 1e5, 4e3), (1e6, 1e6, 1e6), (1e12, 4e12, 1e11)]
        {
            let refused = |i: &u64| {
                let (w0, w1) = philox_block(3, 0, *i, 0);
                hypergeometric_proposal(w0, w1, urn_of(r, b, n, r * (n / (r + b)))).is_nan()
            };
            let count = (0..5000).filter(refused).count();
            assert!(count < 2500, "{r} red, {b} black, {n} drawn: {count} of 5000");
        }
    }

    /// With a bound that is reached, numbers come from both ways, or from the fall-back alone: the distribution is the same.
    #[test]
    fn the_fall_back_follows_the_distribution() {
        for (r, b, n) in [(20.0, 30.0, 25.0), (400.0, 900.0, 600.0), (1e6, 1e6, 1e5)] {
            for attempts in [0, 1] {
                assert_follows(
                    &format!("{r} red, {b} black, {n} drawn, {attempts} attempts"),
                    |i| hypergeometric_within(11, 2, i, urn_of(r, b, n, r * (n / (r + b))), attempts),
                    |p| qhyper(p, r, b, n, true, false),
                    |q| crate::phyper(q, r, b, n, true, false),
                );
            }
        }
    }

    #[test]
    fn the_hat_covers_the_mass() {
        // For each k the largest |x - mean - 1/2| sqrt(f(k)/f(mode)) with floor(x) = k must fit into the hat.
        for (r, b, n) in
            [(20.0, 20.0, 20.0), (20.0, 30.0, 25.0), (40.0, 40.0, 21.0), (100.0, 1000.0, 110.0), (1e3, 1e5, 5e4)]
        {
            let urn = urn_of(r, b, n, r * (n / (r + b)));
            for k in 0..=(f64::min(r, n) as u32) {
                let k = f64::from(k);
                let reach = f64::max((k + 1.0 - urn.mean - 0.5).abs(), (k - urn.mean - 0.5).abs());
                let needed = reach * f64::exp(0.5 * relative_log_mass(k, urn));
                assert!(needed <= 0.5 * urn.width * (1.0 + 1e-12), "{r} red, {b} black, {n} drawn: k {k}");
            }
        }
    }
}
