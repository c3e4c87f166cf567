//! Inversion for discrete distributions of small mean, and the log mass of large ones.

use gristmill_kernel::kernel;

use super::bits::two_sided;
use crate::special::constants::RECIPROCALS;
use crate::special::logarithm::log;

/// `1/3 + w/5 + w^2/7 + ...`, thirteen terms, by fours.
#[kernel(inline)]
fn atanh_series(w: f64) -> f64 {
    let w2 = w * w;
    let w4 = w2 * w2;
    let (a3, a1): (f64, f64) = (1.0 / 25.0, 1.0 / 21.0);
    let (b3, b1): (f64, f64) = (1.0 / 17.0, 1.0 / 13.0);
    let (c3, c1): (f64, f64) = (1.0 / 9.0, 1.0 / 5.0);
    let a = a3.mul_add(w, 1.0 / 23.0).mul_add(w2, a1.mul_add(w, 1.0 / 19.0));
    let b = b3.mul_add(w, 1.0 / 15.0).mul_add(w2, b1.mul_add(w, 1.0 / 11.0));
    let c = c3.mul_add(w, 1.0 / 7.0).mul_add(w2, c1.mul_add(w, 1.0 / 3.0));
    w4.mul_add(w4.mul_add(w4.mul_add(1.0 / 27.0, a), b), c)
}

/// 2^-30: a smaller upper tail is summed from its far end.
#[kernel]
const FAR_TAIL: f64 = 1.0 / 1_073_741_824.0;
/// 2^-60: what is left out of a tail, relative to it.
#[kernel]
const LEFT_OUT: f64 = FAR_TAIL * FAR_TAIL;
/// More steps than any search takes: with a mean below 32, the mass beyond 500 is below 1e-300, and negative binomial masses
/// fall by more than a tenth from step to step, 1e-45 in all.
#[kernel]
const MOST_STEPS: u32 = 1000;
/// `log(k!) - log(sqrt(2 pi k) (k/e)^k)` for whole `k` from 1 to 15; the entry of 0 is that of `0! = 1` with 1 for the `k`
/// under the root. Sixteen entries are one permutation on AVX-512.
#[kernel]
const STIRLING_ERRORS: [f64; 16] = [
    -0.918_938_533_204_672_8,
    0.081_061_466_795_327_26,
    0.041_340_695_955_409_3,
    0.027_677_925_684_998_34,
    0.020_790_672_103_765_093,
    0.016_644_691_189_821_193,
    0.013_876_128_823_070_748,
    0.011_896_709_945_891_77,
    0.010_411_265_261_972_096,
    0.009_255_462_182_712_733,
    0.008_330_563_433_362_87,
    0.007_573_675_487_951_841,
    0.006_942_840_107_209_53,
    0.006_408_994_188_004_207,
    0.005_951_370_112_758_847_5,
    0.005_554_733_551_962_801,
];

/// A discrete distribution on 0, 1, ... by the ratio of neighbours:
/// `f(j + 1)/f(j) = (a - j da)(b - j db)/((j + 1)(c + j dc))`. Binomial, Poisson and hypergeometric are of this form.
#[kernel]
pub(crate) struct Ratios {
    pub(crate) a: f64,
    pub(crate) da: f64,
    pub(crate) b: f64,
    pub(crate) db: f64,
    pub(crate) c: f64,
    pub(crate) dc: f64,
}

#[kernel(inline)]
fn ratio(r: Ratios, j: f64) -> f64 {
    (r.a - j * r.da) * (r.b - j * r.db) / ((j + 1.0) * (r.c + j * r.dc))
}

/// The smallest `k` with `F(k) >= u`, where `u` is `t`, or `1 - t` if `above`; `zero` is the mass at 0.
///
/// Method: the masses are subtracted from `u` one by one. If `1 - u < 2^-30` this would leave few digits: then the masses
///   are followed to where they no longer count, and the tail is summed from there back, until it exceeds `1 - u`. That
///   takes at most 1000 masses, each found from 0 on; usually 40.
///   For means below 32.
#[kernel]
pub(crate) fn invert(zero: f64, r: Ratios, t: f64, above: bool) -> f64 {
    let mut mass = zero;
    let mut k: f64 = 0.0;
    let mut steps: u32 = 0;
    if above && t < FAR_TAIL {
        let mut falling = false;
        while steps < MOST_STEPS && !(falling && mass < t * LEFT_OUT) {
            let next = mass * ratio(r, k);
            falling = next < mass;
            mass = next;
            k += 1.0;
            steps += 1;
        }
        let mut tail = mass;
        while k > 0.0 && tail <= t {
            k -= 1.0;
            // found again from below, not by division: beyond the end of the support the mass is 0
            let mut j: f64 = 0.0;
            mass = zero;
            while j < k {
                mass *= ratio(r, j);
                j += 1.0;
            }
            tail += mass;
        }
        return k;
    }
    let mut rest = if above { 1.0 - t } else { t };
    while rest > mass && steps < MOST_STEPS {
        rest -= mass;
        mass *= ratio(r, k);
        k += 1.0;
        steps += 1;
    }
    k
}

/// Inversion for the words of a block, where one of the first 56 values is drawn, and not from a far tail; else NaN: then
/// [`invert`] goes on, from the same words. `zero` is the mass at 0, `f(j + 1)/f(j) = (a + j b)/(j + 1)`.
///
/// Method: counts the values of the distribution function that are below the uniform number, eight at a time: that is no branch,
///   and the lanes of a block loop stay together.
#[kernel]
pub(crate) fn count_below(first: u64, second: u64, zero: f64, a: f64, b: f64) -> f64 {
    let (t, above) = two_sided(first, second);
    let u = if above { 1.0 - t } else { t };
    let mut mass = zero;
    let mut sum = zero;
    let mut k: f64 = 0.0;
    let mut x: f64 = 0.0;
    for block in 0..7 {
        for j in 0..8 {
            k += if u > sum { 1.0 } else { 0.0 };
            mass *= x.mul_add(b, a) * RECIPROCALS[8 * block + j];
            sum += mass;
            x += 1.0;
        }
        if u <= sum {
            return if t >= FAR_TAIL { k } else { f64::NAN };
        }
    }
    f64::NAN
}

/// [`count_below`] for the hypergeometric ratio `f(j + 1)/f(j) = (a - j)(b - j)/((j + 1)(c + j))`.
#[kernel]
pub(crate) fn count_below_urn(first: u64, second: u64, zero: f64, a: f64, b: f64, c: f64) -> f64 {
    let (t, above) = two_sided(first, second);
    let u = if above { 1.0 - t } else { t };
    let mut mass = zero;
    let mut sum = zero;
    let mut k: f64 = 0.0;
    let mut x: f64 = 0.0;
    for block in 0..7 {
        for j in 0..8 {
            k += if u > sum { 1.0 } else { 0.0 };
            mass *= (a - x) * (b - x) * RECIPROCALS[8 * block + j] / (c + x);
            sum += mass;
            x += 1.0;
        }
        if u <= sum {
            return if t >= FAR_TAIL { k } else { f64::NAN };
        }
    }
    f64::NAN
}

/// `log(x!) - log(sqrt(2 pi x) (x/e)^x)` for whole `x >= 0`, for 0 with 1 under the root; absolute error below 1e-13.
#[kernel(inline)]
pub(crate) fn stirling_error(x: f64) -> f64 {
    let y = 1.0 / x;
    let i = y * y;
    let series = ((((i * (1.0 / 1188.0)) - 1.0 / 1680.0) * i + 1.0 / 1260.0) * i - 1.0 / 360.0) * i + 1.0 / 12.0;
    let entry = STIRLING_ERRORS[(if x < 16.0 { x } else { 0.0 }) as usize];
    if x < 16.0 { entry } else { series * y }
}

/// [`deviance`] where its series is not enough.
#[kernel(inline)]
fn far_deviance(x: f64, m: f64, d: f64) -> f64 {
    if x > 0.0 { x * log(x / m) - d } else { -d }
}

/// `x log(x/m) + m - x` for `x >= 0`, `m > 0` and their difference `d = x - m`, in double: for decisions, which need its error
/// absolute. The caller knows `d` better than `m`, which is rounded.
///
/// Method: with `v = (x - m)/(x + m)`, `(x - m) v + 2 x (v^3/3 + v^5/5 + ...)`; up to `|v| = 0.3` thirteen terms are enough,
///   and beyond it the three terms do not cancel much.
/// Paper: loader2000.
#[kernel(inline)]
pub(crate) fn deviance(x: f64, m: f64, d: f64) -> f64 {
    let v = 0.5 * d / (0.5 * x + 0.5 * m); // halves, so that the largest arguments do not overflow
    let w = v * v;
    let near = v * x.mul_add(2.0 * w * atanh_series(w), d);
    if v.abs() < 0.3 { near } else { far_deviance(x, m, d) }
}

/// What a count `x` of mean `m` adds to minus the log of a mass beside `log(2 pi max(x, 1))/2`; `d = x - m`.
///
/// Method: `log(x!) - x log(m) + m`, with the factorial as Stirling's formula and its error. A mass is a product of such terms:
///   one for Poisson's, two for the binomial, four for the hypergeometric.
/// Paper: loader2000.
#[kernel(inline)]
pub(crate) fn count_term(x: f64, m: f64, d: f64) -> f64 {
    stirling_error(x) + deviance(x, m, d)
}

/// [`count_term`] of a count of 9 or more, given as its inverse, whose mean is `d` below it, `|d| <= 1` or next to that: the
/// mode of a distribution. No division.
///
/// Method: Stirling's series in the inverse, and the deviance as `d (t/2 + t^2/3 + ...)`, `t = d/x`: thirteen terms leave 1e-14.
/// Paper: loader2000.
#[kernel(inline)]
pub(crate) fn mode_term(inverse: f64, d: f64) -> f64 {
    let i = inverse * inverse;
    let series = ((((i * (1.0 / 1188.0)) - 1.0 / 1680.0) * i + 1.0 / 1260.0) * i - 1.0 / 360.0) * i + 1.0 / 12.0;
    let t = d * inverse;
    let t2 = t * t;
    let t4 = t2 * t2;
    let (a1, a3): (f64, f64) = (1.0 / 3.0, 1.0 / 5.0);
    let (b1, b3): (f64, f64) = (1.0 / 7.0, 1.0 / 9.0);
    let (c1, c3): (f64, f64) = (1.0 / 11.0, 1.0 / 13.0);
    let a = a3.mul_add(t, 0.25).mul_add(t2, a1.mul_add(t, 0.5));
    let b = b3.mul_add(t, 0.125).mul_add(t2, b1.mul_add(t, 1.0 / 6.0));
    let c = c3.mul_add(t, 1.0 / 12.0).mul_add(t2, c1.mul_add(t, 0.1));
    series.mul_add(inverse, d * t * t4.mul_add(t4.mul_add(t4.mul_add(1.0 / 14.0, c), b), a))
}

/// The larger of a count and 1.
#[kernel(inline)]
pub(crate) fn at_least_one(x: f64) -> f64 {
    if x > 1.0 { x } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::logarithm::log1p;
    use crate::{dpois, exp, qbinom, qhyper, qpois};

    /// log(2 pi)
    const LN_2PI: f64 = 1.837_877_066_409_345_5;
    const TAILS: [f64; 7] = [0.27, 1e-4, 9e-10, 1e-12, 3e-17, 1e-25, 1e-35];

    #[test]
    fn the_term_of_a_mode_is_that_of_any_count() {
        for x in [9.0, 10.0, 15.0, 16.0, 31.0, 100.0, 1e6, 1e15] {
            for d in [-1.0, -0.6, -1e-3, 0.0, 0.2, 0.999, 1.0] {
                let (term, truth) = (mode_term(1.0 / x, d), count_term(x, x - d, d));
                assert!((term - truth).abs() < 2e-13, "{x}, {d}: {term} for {truth}");
            }
        }
    }

    #[test]
    fn inversion_is_the_quantile_in_both_tails() {
        for mean in [1e-30, 1e-3, 0.7, 3.0, 9.99] {
            let ratios = Ratios { a: mean, da: 0.0, b: 1.0, db: 0.0, c: 1.0, dc: 0.0 };
            for t in TAILS {
                for above in [false, true] {
                    let k = invert(exp(-mean), ratios, t, above);
                    assert_eq!(k, qpois(t, mean, !above, false), "Poisson, mean {mean}, tail {t}, above {above}");
                }
            }
        }
        for (n, p) in [(1.0, 0.3), (7.0, 0.5), (19.0, 0.5), (1000.0, 0.009), (1e12, 7e-12)] {
            let ratios = Ratios { a: n, da: 1.0, b: p / (1.0 - p), db: 0.0, c: 1.0, dc: 0.0 };
            for t in TAILS {
                for above in [false, true] {
                    let k = invert(exp(n * log1p(-p)), ratios, t, above);
                    assert_eq!(k, qbinom(t, n, p, !above, false), "binomial, n {n}, p {p}, tail {t}, above {above}");
                }
            }
        }
        for (size, q) in [(0.3, 0.87), (1.0, 0.5), (5.5, 0.7), (100.0, 0.1)] {
            let ratios = Ratios { a: size, da: -1.0, b: q, db: 0.0, c: 1.0, dc: 0.0 };
            for t in TAILS {
                for above in [false, true] {
                    let k = invert(exp(size * log1p(-q)), ratios, t, above);
                    let truth = crate::qnbinom(t, size, 1.0 - q, !above, false);
                    assert_eq!(k, truth, "negative binomial, size {size}, q {q}, tail {t}, above {above}");
                }
            }
        }
        let (r, b, n) = (12.0, 40.0, 9.0);
        let zero = crate::dhyper(0.0, r, b, n, false);
        let ratios = Ratios { a: r, da: 1.0, b: n, db: 1.0, c: b - n + 1.0, dc: 1.0 };
        for t in TAILS {
            for above in [false, true] {
                assert_eq!(
                    invert(zero, ratios, t, above),
                    qhyper(t, r, b, n, !above, false),
                    "tail {t}, above {above}"
                );
            }
        }
    }

    /// Every uniform number gives the same value by counting and by subtracting, but for those next to a border.
    #[test]
    fn counting_gives_what_the_search_gives() {
        let check = |what: &str, zero: f64, r: Ratios, count: &dyn Fn(u64, u64) -> f64| {
            let mut counted = 0;
            for i in 0..3000 {
                let (w0, w1) = crate::special::philox::philox_block(9, 0, i, 0);
                let (t, above) = two_sided(w0, w1);
                let k = count(w0, w1);
                let searched = invert(zero, r, t, above);
                assert!(k.is_nan() || k == searched, "{what}: {k} for {searched}");
                counted += u32::from(!k.is_nan());
            }
            assert!(counted > 2900, "{what}: {counted} of 3000");
            // in a far tail the search goes on
            assert!(count(0, 5).is_nan() && count(u64::MAX, 5).is_nan(), "{what}");
        };
        for mean in [0.01, 2.5, 9.99, 31.9] {
            let r = Ratios { a: mean, da: 0.0, b: 1.0, db: 0.0, c: 1.0, dc: 0.0 };
            let zero = exp(-mean);
            check(&format!("Poisson {mean}"), zero, r, &|w0, w1| count_below(w0, w1, zero, mean, 0.0));
        }
        for (n, p) in [(1.0, 0.5), (5.0, 0.3), (60.0, 0.5), (1e6, 9e-6), (1e6, 3.1e-5)] {
            let odds = p / (1.0 - p);
            let r = Ratios { a: n, da: 1.0, b: odds, db: 0.0, c: 1.0, dc: 0.0 };
            let zero = exp(n * log1p(-p));
            check(&format!("binomial {n}, {p}"), zero, r, &|w0, w1| count_below(w0, w1, zero, n * odds, -odds));
        }
        for (size, q) in [(0.4, 0.8), (1.0, 0.5), (100.0, 0.2)] {
            let r = Ratios { a: size, da: -1.0, b: q, db: 0.0, c: 1.0, dc: 0.0 };
            let zero = exp(size * log1p(-q));
            let what = format!("negative binomial {size}, {q}");
            check(&what, zero, r, &|w0, w1| count_below(w0, w1, zero, size * q, q));
        }
        for (r, b, n) in [(3.0, 3.0, 3.0), (12.0, 40.0, 9.0), (60.0, 80.0, 50.0)] {
            let ratios = Ratios { a: r, da: 1.0, b: n, db: 1.0, c: b - n + 1.0, dc: 1.0 };
            let zero = crate::dhyper(0.0, r, b, n, false);
            let what = format!("{r} red, {b} black, {n} drawn");
            check(&what, zero, ratios, &|w0, w1| count_below_urn(w0, w1, zero, r, n, b - n + 1.0));
        }
    }

    #[test]
    fn count_terms_make_the_log_of_the_poisson_mass() {
        for mean in [10.0, 33.3, 1e4, 1e12, 1e18] {
            for z in [-3.0, -0.2, 0.0, 1.0, 4.5] {
                let k = f64::floor(mean + z * f64::sqrt(mean));
                if k >= 0.0 {
                    let mass = -(0.5 * (LN_2PI + log(f64::max(k, 1.0))) + count_term(k, mean, k - mean));
                    let error = (mass - dpois(k, mean, true)).abs();
                    assert!(error < 1e-12, "mass of {k}, mean {mean}: error {error}");
                }
            }
        }
    }
}
