//! Inversion for discrete distributions of small mean, and the log mass of large ones.

use gristmill_kernel::kernel;

use crate::special::logarithm::{log, log1p};

/// 2^-30: a smaller upper tail is summed from its far end.
#[kernel]
const FAR_TAIL: f64 = 1.0 / 1_073_741_824.0;
/// 2^-60: what is left out of a tail, relative to it.
#[kernel]
const LEFT_OUT: f64 = FAR_TAIL * FAR_TAIL;
/// More steps than any search takes: with a mean below 10, the mass beyond 500 is below 1e-600.
#[kernel]
const MOST_STEPS: u32 = 500;
/// log(2 pi)
#[kernel]
const LN_2PI: f64 = 1.837_877_066_409_345_5;

/// `log(k!) - log(sqrt(2 pi k) (k/e)^k)` for whole `k` from 1 to 9; the entry of 0 is not used.
#[kernel]
const STIRLING_ERRORS: [f64; 10] = [
    0.0,
    0.081_061_466_795_327_26,
    0.041_340_695_955_409_294,
    0.027_677_925_684_998_34,
    0.020_790_672_103_765_093,
    0.016_644_691_189_821_193,
    0.013_876_128_823_070_748,
    0.011_896_709_945_891_77,
    0.010_411_265_261_972_096,
    0.009_255_462_182_712_733,
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
///   takes at most 500 masses, each found from 0 on; usually 40.
///   For means below 10.
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

/// `log(x!) - log(sqrt(2 pi x) (x/e)^x)` for whole `x >= 1`; absolute error below 1e-13.
#[kernel(inline)]
fn stirling_error(x: f64) -> f64 {
    let i = 1.0 / (x * x);
    let series = ((((i * (1.0 / 1188.0)) - 1.0 / 1680.0) * i + 1.0 / 1260.0) * i - 1.0 / 360.0) * i + 1.0 / 12.0;
    let entry = STIRLING_ERRORS[(if x < 10.0 { x } else { 0.0 }) as usize];
    if x < 10.0 { entry } else { series / x }
}

/// `x log(x/m) + m - x` for `x > 0`, `m > 0` and their difference `d = x - m`, in double: for decisions, which need its error
/// absolute. The caller knows `d` better than `m`, which is rounded.
///
/// Method: with `v = (x - m)/(x + m)`, `(x - m) v + 2 x (v^3/3 + v^5/5 + ...)`; up to `|v| = 0.1` eight terms are enough, and
///   beyond it the three terms do not cancel much.
/// Paper: loader2000.
#[kernel(inline)]
fn deviance(x: f64, m: f64, d: f64) -> f64 {
    let v = 0.5 * d / (0.5 * x + 0.5 * m); // halves, so that the largest arguments do not overflow
    let w = v * v;
    let mut s: f64 = 1.0 / 17.0;
    s = s.mul_add(w, 1.0 / 15.0);
    s = s.mul_add(w, 1.0 / 13.0);
    s = s.mul_add(w, 1.0 / 11.0);
    s = s.mul_add(w, 1.0 / 9.0);
    s = s.mul_add(w, 1.0 / 7.0);
    s = s.mul_add(w, 1.0 / 5.0);
    s = s.mul_add(w, 1.0 / 3.0);
    let near = v * x.mul_add(2.0 * w * s, d);
    let far = x * log(x / m) - d;
    if v.abs() < 0.1 { near } else { far }
}

/// The log of the Poisson mass at a whole `k >= 0`, for decisions.
#[kernel]
pub(crate) fn poisson_log_mass(k: f64, mean: f64) -> f64 {
    if k == 0.0 {
        return -mean;
    }
    -(0.5 * (LN_2PI + log(k)) + stirling_error(k) + deviance(k, mean, k - mean))
}

/// The log of the binomial mass at a whole `k` from 0 to `n`, for decisions; `p + q = 1`, both positive.
#[kernel]
pub(crate) fn binomial_log_mass(k: f64, n: f64, p: f64, q: f64) -> f64 {
    let left = n - k;
    if k == 0.0 {
        return n * (if p < 0.5 { log1p(-p) } else { log(q) });
    }
    if left == 0.0 {
        return n * (if q < 0.5 { log1p(-q) } else { log(p) });
    }
    let errors = stirling_error(n) - stirling_error(k) - stirling_error(left);
    // k - n p without the rounding of n p, which would count where n is large; the other difference is its negative
    let mean = n * p;
    let d = (k - mean) - n.mul_add(p, -mean);
    errors - deviance(k, mean, d) - deviance(left, n * q, -d) - 0.5 * (LN_2PI + log(k * (left / n)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dbinom, dpois, exp, qbinom, qhyper, qpois};

    const TAILS: [f64; 7] = [0.27, 1e-4, 9e-10, 1e-12, 3e-17, 1e-25, 1e-35];

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

    #[test]
    fn log_masses_are_those_of_the_densities() {
        for mean in [10.0, 33.3, 1e4, 1e12, 1e18] {
            for z in [-3.0, -0.2, 0.0, 1.0, 4.5] {
                let k = f64::floor(mean + z * f64::sqrt(mean));
                if k >= 0.0 {
                    let error = (poisson_log_mass(k, mean) - dpois(k, mean, true)).abs();
                    assert!(error < 1e-12, "mass of {k}, mean {mean}: error {error}");
                }
            }
        }
        for (n, p) in [(1.0, 0.25), (20.0, 0.5), (1e4, 0.01), (1e12, 0.3), (1e17, 0.499)] {
            for z in [-3.0, -0.2, 0.0, 1.0, 4.5] {
                let k = f64::floor(n * p + z * f64::sqrt(n * p * (1.0 - p)));
                if k >= 0.0 && k <= n {
                    let error = (binomial_log_mass(k, n, p, 1.0 - p) - dbinom(k, n, p, true)).abs();
                    assert!(error < 1e-11, "mass of {k}, n {n}, p {p}: error {error}");
                }
            }
        }
    }
}
