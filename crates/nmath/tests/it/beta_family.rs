//! The beta family: what must hold whatever the digits.

use crate::support::Random;
use crate::support::timing::ends_within;
use gristmill_nmath as nmath;
use std::time::Duration;

type Density = fn(f64, [f64; 3], bool) -> f64;
type Tail = fn(f64, [f64; 3], bool, bool) -> f64;

/// A distribution, its functions with the parameters in an array.
struct Distribution {
    name: &'static str,
    d: Density,
    p: Tail,
    q: Tail,
    parameters: &'static [[f64; 3]],
    discrete: bool,
}

macro_rules! distribution {
    ($name:literal, $d:ident, $p:ident, $q:ident, ($($index:literal)*), $discrete:literal, $parameters:expr) => {
        Distribution {
            name: $name,
            d: |x, a, log| nmath::$d(x, $(a[$index],)* log),
            p: |x, a, lower, log| nmath::$p(x, $(a[$index],)* lower, log),
            q: |p, a, lower, log| nmath::$q(p, $(a[$index],)* lower, log),
            parameters: $parameters,
            discrete: $discrete,
        }
    };
}

const SHAPES: &[[f64; 3]] = &[
    [2.5, 3.5, 0.0],
    [0.5, 0.5, 0.0],
    [1.0, 1.0, 0.0],
    [0.03, 7.0, 0.0],
    [40.0, 0.2, 0.0],
    [30.0, 80.0, 0.0],
    [63.0, 65.0, 0.0],
    [2e4, 3e4, 0.0],
    [1e8, 50.0, 0.0],
    [3e11, 1e12, 0.0],
    [1e-5, 1e-3, 0.0],
];

const DISTRIBUTIONS: &[Distribution] = &[
    distribution!("beta", dbeta, pbeta, qbeta, (0 1), false, SHAPES),
    distribution!("f", df, pf, qf, (0 1), false, SHAPES),
    distribution!(
        "t",
        dt,
        pt,
        qt,
        (0),
        false,
        &[
            [0.1, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [7.5, 0.0, 0.0],
            [24.0, 0.0, 0.0],
            [33.3, 0.0, 0.0],
            [130.0, 0.0, 0.0],
            [1e10, 0.0, 0.0]
        ]
    ),
    distribution!("binom", dbinom, pbinom, qbinom, (0 1), true, &[[1.0, 0.5, 0.0], [20.0, 0.3, 0.0], [510.0, 0.9, 0.0], [512.0, 0.01, 0.0], [1e4, 0.37, 0.0], [1e9, 1e-7, 0.0]]),
    distribution!("nbinom", dnbinom, pnbinom, qnbinom, (0 1), true, &[[5.5, 0.3, 0.0], [0.01, 0.02, 0.0], [300.0, 0.9, 0.0], [1e6, 0.999, 0.0]]),
    distribution!("nbinom_mu", dnbinom_mu, pnbinom_mu, qnbinom_mu, (0 1), true, &[[5.5, 12.0, 0.0], [0.3, 100.0, 0.0], [1e9, 3.0, 0.0]]),
    distribution!("hyper", dhyper, phyper, qhyper, (0 1 2), true, &[[60.0, 80.0, 50.0], [5.0, 1000.0, 700.0], [1000.0, 30.0, 400.0], [1e6, 2e6, 1e5]]),
];

/// Points from the far lower to the far upper tail.
fn spread(dist: &Distribution, a: [f64; 3]) -> Vec<f64> {
    let logs = [-600.0, -100.0, -30.0, -8.0, -3.0, -1.2, -0.8];
    let mut xs: Vec<f64> = logs
        .iter()
        .flat_map(|&l| [true, false].map(|lower| (dist.q)(l, a, lower, true)))
        .filter(|x| x.is_finite())
        .collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    xs
}

#[test]
fn the_median_of_equal_shapes_is_one_half() {
    for shape in [1e-300, 1e-20, 1e-3, 0.5, 1.0, 7.3, 1e6, 1e200, f64::INFINITY] {
        for lower in [true, false] {
            assert_eq!(nmath::qbeta(0.5, shape, shape, lower, false), 0.5, "shape {shape:e}, lower {lower}");
        }
    }
}

#[test]
fn distribution_functions_rise_and_their_tails_add_up_to_one() {
    let mut random = Random(1);
    for dist in DISTRIBUTIONS {
        for &a in dist.parameters {
            let ends = spread(dist, a);
            let (low, high) = (ends[0], ends[ends.len() - 1]);
            let mut xs: Vec<f64> = (0..150).map(|_| low + (high - low) * random.unit()).chain(ends).collect();
            if dist.discrete {
                xs.iter_mut().for_each(|x| *x = x.floor());
            }
            xs.sort_by(f64::total_cmp);
            let mut last = [0.0, 1.0, f64::NEG_INFINITY, 0.0];
            for &x in &xs {
                let lower = (dist.p)(x, a, true, false);
                let upper = (dist.p)(x, a, false, false);
                let now = [lower, upper, (dist.p)(x, a, true, true), (dist.p)(x, a, false, true)];
                assert!((0.0..=1.0).contains(&lower) && (0.0..=1.0).contains(&upper), "p{}({x}, {a:?})", dist.name);
                assert!((lower + upper - 1.0).abs() <= 2.3e-16, "p{}({x}, {a:?}): {lower} + {upper}", dist.name);
                // neighbouring formulas may differ by their errors, a few ulp
                let rises = now[0] >= last[0] * (1.0 - 3e-15) && now[1] <= last[1] * (1.0 + 3e-15);
                let rises_log = now[2] >= last[2] * (1.0 + 3e-15) && now[3] <= last[3] * (1.0 - 3e-15);
                assert!(rises && rises_log, "p{}({x}, {a:?}): {now:?} after {last:?}", dist.name);
                last = now;
            }
        }
    }
}

#[test]
fn logarithms_are_those_of_the_plain_values() {
    for dist in DISTRIBUTIONS {
        for &a in dist.parameters {
            for x in spread(dist, a) {
                let pairs = [
                    ((dist.d)(x, a, false), (dist.d)(x, a, true)),
                    ((dist.p)(x, a, true, false), (dist.p)(x, a, true, true)),
                    ((dist.p)(x, a, false, false), (dist.p)(x, a, false, true)),
                ];
                for (plain, log) in pairs {
                    if plain > 1e-290 && plain < 1e290 {
                        let error = (log.exp() / plain - 1.0).abs();
                        assert!(error <= 1e-15 * (3.0 + log.abs()), "{}({x}, {a:?}): {plain}, log {log}", dist.name);
                    }
                }
            }
        }
    }
}

#[test]
fn continuous_quantiles_invert_and_never_fall() {
    let mut random = Random(2);
    for dist in DISTRIBUTIONS.iter().filter(|d| !d.discrete) {
        for &a in dist.parameters {
            let mut ps: Vec<f64> =
                (0..60).map(|i| if i % 3 == 0 { 10f64.powf(-300.0 * random.unit()) } else { random.unit() }).collect();
            ps.sort_by(f64::total_cmp);
            let mut last = f64::NEG_INFINITY;
            for &p in &ps {
                let x = (dist.q)(p, a, true, false);
                assert!(x >= last, "q{}({p}, {a:?}) = {x} after {last}", dist.name);
                last = x;
                let density = (dist.d)(x, a, false);
                if x.abs() < 1e-300 || !x.is_finite() || !density.is_finite() || (dist.name == "beta" && x > 0.999) {
                    continue; // the quantile is at an end, or its own rounding is all there is
                }
                let back = (dist.p)(x, a, true, false);
                // half an ulp of x, seen through the density, and some ulp of p
                let allowed = 8.0 * 2.3e-16 * x.abs() * density + 2e-14 * p;
                assert!((back - p).abs() <= allowed, "q{}({p}, {a:?}) = {x}, back {back}", dist.name);
            }
        }
    }
}

#[test]
fn discrete_quantiles_are_the_smallest_that_reach_the_probability() {
    let mut random = Random(3);
    for dist in DISTRIBUTIONS.iter().filter(|d| d.discrete) {
        for &a in dist.parameters {
            for i in 0..80 {
                let p = if i % 2 == 0 { random.unit() } else { 10f64.powf(-250.0 * random.unit()) };
                for lower in [true, false] {
                    let k = (dist.q)(p, a, lower, false);
                    assert_eq!(k, k.floor(), "q{}({p}, {a:?})", dist.name);
                    let here = (dist.p)(k, a, lower, false);
                    let before = (dist.p)(k - 1.0, a, lower, false);
                    let slack = 1e-14 * p; // what the distribution function itself may be off
                    let right = if lower {
                        here >= p - slack && before < p + slack
                    } else {
                        here <= p + slack && before > p - slack
                    };
                    assert!(right, "q{}({p}, {a:?}, {lower}) = {k}: {here} there, {before} before", dist.name);
                }
            }
        }
    }
}

#[test]
fn discrete_densities_add_up_to_the_distribution_function() {
    for dist in DISTRIBUTIONS.iter().filter(|d| d.discrete) {
        for &a in dist.parameters {
            let median = (dist.q)(0.5, a, true, false);
            if median > 5000.0 {
                continue;
            }
            let mut sum = 0.0;
            let mut k = 0.0;
            while k <= median + 40.0 {
                sum += (dist.d)(k, a, false);
                let p = (dist.p)(k, a, true, false);
                assert!((sum - p).abs() <= 1e-15 * (k + 10.0) * p.max(1e-290), "{}({k}, {a:?}): {sum}, {p}", dist.name);
                k += 1.0;
            }
        }
    }
}

#[test]
fn continuous_densities_integrate_to_the_distribution_function() {
    let rule = crate::quadrature::gauss_legendre(20);
    for dist in DISTRIBUTIONS.iter().filter(|d| !d.discrete) {
        for &a in dist.parameters {
            let tails = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95];
            for pair in tails.windows(2) {
                let ends = [(dist.q)(pair[0], a, true, false), (dist.q)(pair[1], a, true, false)];
                // in log x where the density is a power of x next to 0, in log(1-x) next to 1
                let logs = ends[0] > 0.0 && ends[1] > 3.0 * ends[0];
                let mirrored = dist.name == "beta" && !logs && 1.0 - ends[0] > 3.0 * (1.0 - ends[1]);
                if dist.name == "t" && (ends[1] <= 0.0 || ends[0] <= 0.0 && ends[1] > 3.0) {
                    continue; // the other side is its mirror image, bit by bit; the middle of a wide one has a peak
                }
                if ends[0] == 0.0 || (mirrored && ends[1] == 1.0) || !ends[1].is_finite() {
                    continue; // the quantile is beyond the doubles
                }
                let [low, high] = match (logs, mirrored) {
                    (true, _) => ends.map(nmath::log),
                    (_, true) => ends.map(|x| -nmath::log(1.0 - x)),
                    _ => ends,
                };
                let parts = 16;
                let width = (high - low) / f64::from(parts);
                let mut sum = 0.0;
                for part in 0..parts {
                    for (node, weight) in &rule {
                        let t = low + width * (f64::from(part) + 0.5 + 0.5 * node);
                        let (x, jacobian) = match (logs, mirrored) {
                            (true, _) => (nmath::exp(t), nmath::exp(t)),
                            (_, true) => (-nmath::expm1(-t), nmath::exp(-t)),
                            _ => (t, 1.0),
                        };
                        sum += 0.5 * width * weight * jacobian * (dist.d)(x, a, false);
                    }
                }
                let step = (dist.p)(ends[1], a, true, false) - (dist.p)(ends[0], a, true, false);
                // a narrow distribution has few doubles across: x is known to its ulp only, or to that of 1 - x
                let grain = 2.3e-16 * ends[1].abs().max(ends[0].abs()) / (ends[1] - ends[0]);
                let edge = if mirrored { 2.3e-16 / (1.0 - ends[1]) } else { 0.0 };
                let allowed = 1e-12 + 20.0 * (grain + edge);
                assert!((sum - step).abs() <= allowed, "{} {a:?} {ends:?}: {sum}, {step}", dist.name);
            }
        }
    }
}

/// Probabilities of small and large counts next to 1, and logarithms far below those of the smallest double.
const FAR: &[(&str, [f64; 3])] = &[
    ("binom", [5.0, 0.01, 0.0]),
    ("binom", [100.0, 0.999_999_999_999_999_9, 0.0]),
    ("binom", [1e8, 0.9903, 0.0]),
    ("binom", [1e12, 0.5, 0.0]),
    ("nbinom", [59.0, 1.0 / 6.0, 0.0]),
    ("nbinom", [1024.0, 1e-15, 0.0]),
    ("nbinom_mu", [26.0, 24.0, 0.0]),
    ("nbinom_mu", [1e-5, 1e-8, 0.0]),
    ("hyper", [5.0, 2e9, 5.0]),
    ("hyper", [49.0, 599.0, 49.0]),
    ("hyper", [1e10, 1e10, 1e10]),
];

/// A rounded step of the distribution function is a step: the quantile takes it back, in every tail and on every scale, where
/// rounding leaves the steps apart.
#[test]
fn discrete_quantiles_take_the_distribution_function_back() {
    let mut tested = 0;
    for dist in DISTRIBUTIONS.iter().filter(|d| d.discrete) {
        let far = FAR.iter().filter(|f| f.0 == dist.name).map(|f| &f.1);
        for &a in dist.parameters.iter().chain(far) {
            let mut xs = spread(dist, a);
            xs.extend([0.0, 1.0, 2.0, 3.0, 5.0, 17.0, 200.0]);
            for x in xs.iter().flat_map(|x| [*x, x + 1.0, x + 2.0]) {
                for (lower, log) in [(true, false), (false, false), (true, true), (false, true)] {
                    let p = (dist.p)(x, a, lower, log);
                    let apart = |y: f64| ((dist.p)(y, a, lower, log) - p).abs() > 16.0 * f64::EPSILON * p.abs();
                    // subnormal numbers have few digits
                    if !p.is_normal() || (!log && p == 1.0) || !apart(x - 1.0) || !apart(x + 1.0) {
                        continue;
                    }
                    let back = (dist.q)(p, a, lower, log);
                    assert_eq!(back, x, "q{}({p:e}, {a:?}, {lower}, {log})", dist.name);
                    tested += 1;
                }
            }
        }
    }
    assert!(tested > 3000, "{tested}");
}

/// The same for subnormal probabilities, down to 2^-1060: with fewer than 15 bits a probability is taken as it is.
#[test]
fn discrete_quantiles_take_subnormal_steps_back() {
    let mut tested = 0;
    for dist in DISTRIBUTIONS.iter().filter(|d| d.discrete) {
        let far = FAR.iter().filter(|f| f.0 == dist.name).map(|f| &f.1);
        for &a in dist.parameters.iter().chain(far) {
            for lower in [true, false] {
                // the last of the integers in a bracket whose tail is normal; the tail grows with x if it is the lower one
                let small = |x: f64| (dist.p)(x, a, lower, false) < f64::MIN_POSITIVE;
                let (mut low, mut high) = (-1.0, 1e6);
                if small(low) == small(high) {
                    continue;
                }
                while high - low > 1.0 {
                    let middle = ((low + high) * 0.5_f64).floor();
                    if small(middle) == small(low) { low = middle } else { high = middle }
                }
                for step in -12..12 {
                    let x = low + f64::from(step);
                    let p = (dist.p)(x, a, lower, false);
                    let rough = (dist.p)(x - 1.0, a, lower, false) == p || (dist.p)(x + 1.0, a, lower, false) == p;
                    if !p.is_subnormal() || p < 8.1e-320 || x < 0.0 || rough {
                        continue;
                    }
                    assert_eq!((dist.q)(p, a, lower, false), x, "q{}({p:e}, {a:?}, {lower})", dist.name);
                    tested += 1;
                }
            }
        }
    }
    assert!(tested > 20, "{tested}");
}

/// Where a step is a double, exactly, the quantile at it is that step. (Halves and quarters: every sum here is exact.)
#[test]
fn discrete_quantiles_at_exact_steps_are_the_steps() {
    let mut tested = 0;
    let mut check = |name: &str, p: f64, lower: bool, back: f64, k: f64| {
        if p > 0.0 && p < 1.0 {
            tested += 1;
            assert_eq!(back, k, "q{name} at {p:e}, lower {lower}");
        }
    };
    // binomial, probability 1/2: multiples of 2^-n
    for n in 1..=50u32 {
        let mut sum = 0.0;
        for k in 0..n {
            sum += nmath::choose(f64::from(n), f64::from(k)) * 2f64.powi(-(n as i32));
            let (n, k) = (f64::from(n), f64::from(k));
            check("binom", sum, true, nmath::qbinom(sum, n, 0.5, true, false), k);
            check("binom", 1.0 - sum, false, nmath::qbinom(1.0 - sum, n, 0.5, false, false), k);
        }
    }
    // quarters: multiples of 4^-n, exact up to n = 26
    for n in 1..=20u32 {
        for quarters in [1.0, 3.0] {
            let mut sum = 0.0;
            for k in 0..n {
                let powers = f64::powi(quarters, k as i32) * f64::powi(4.0 - quarters, (n - k) as i32);
                sum += nmath::choose(f64::from(n), f64::from(k)) * powers * 4f64.powi(-(n as i32));
                let (n, k, p) = (f64::from(n), f64::from(k), quarters / 4.0);
                check("binom", sum, true, nmath::qbinom(sum, n, p, true, false), k);
                check("binom", 1.0 - sum, false, nmath::qbinom(1.0 - sum, n, p, false, false), k);
            }
        }
    }
    // negative binomial, probability 1/2: multiples of 2^-(size+k)
    for size in 1..=12u32 {
        let mut sum = 0.0;
        for k in 0..=(40 - size) {
            let ways = nmath::choose(f64::from(size + k - 1), f64::from(k));
            sum += ways * 2f64.powi(-((size + k) as i32));
            let (size, k) = (f64::from(size), f64::from(k));
            check("nbinom", sum, true, nmath::qnbinom(sum, size, 0.5, true, false), k);
            check("nbinom", 1.0 - sum, false, nmath::qnbinom(1.0 - sum, size, 0.5, false, false), k);
            check("nbinom_mu", sum, true, nmath::qnbinom_mu(sum, size, size, true, false), k);
        }
    }
    // hypergeometric, halves by symmetry
    for n in 0..30 {
        let half = f64::from(2 * n + 1);
        let k = f64::from(n);
        check("hyper", 0.5, true, nmath::qhyper(0.5, half, half, half, true, false), k);
        check("hyper", 0.5, false, nmath::qhyper(0.5, half, half, half, false, false), k);
    }
    assert!(tested > 3000);
}

#[test]
fn recurrences_hold() {
    let mut random = Random(5);
    let near = |a: f64, b: f64, ulps: f64| (a - b).abs() <= ulps * f64::EPSILON * a.abs().max(b.abs());
    for _ in 0..2000 {
        let (a, b) = (10f64.powf(6.0 * random.unit() - 3.0), 10f64.powf(6.0 * random.unit() - 3.0));
        // B(a+1, b) = B(a, b) a/(a+b); a + 1 is rounded, and log B falls by digamma(a) - digamma(a+b) per unit
        let slope = (nmath::digamma(a) - nmath::digamma(a + b)).abs() * (a + 1.0) + 4.0;
        assert!(near(nmath::beta(a + 1.0, b), nmath::beta(a, b) * (a / (a + b)), slope), "beta({a}, {b})");
        // I_x(a, b) = I_x(a+1, b) + x^a y^b/(a B(a, b)); multiples of 1/64, so that a + 1 and 1 - x are exact
        let grain = |v: f64| (v * 64.0).ceil() / 64.0;
        let (a, b, x) = (grain(a), grain(b), grain(random.unit()).min(63.0 / 64.0));
        let step = nmath::dbeta(x, a, b, false) * x * (1.0 - x) / a;
        let (here, next) = (nmath::pbeta(x, a, b, true, false), nmath::pbeta(x, a + 1.0, b, true, false));
        let lost = here.max(next).max(step);
        if lost > 1e-290 {
            assert!((here - next - step).abs() <= 40.0 * f64::EPSILON * lost, "pbeta({x}, {a}, {b})");
        }
        // Pascal's triangle, also beside the integers
        let k = (1.0 + 60.0 * random.unit()).floor();
        let n = grain(k * (4.0 * random.unit() - 1.5));
        let sum = [nmath::choose(n, k), nmath::choose(n, k - 1.0)];
        let size = sum[0].abs().max(sum[1].abs());
        if size < 1e290 {
            let all = nmath::choose(n + 1.0, k);
            assert!((all - sum[0] - sum[1]).abs() <= 8.0 * f64::EPSILON * size, "choose({n}, {k})");
        }
    }
    // neighbouring masses
    for i in 0..400 {
        let k = f64::from(i);
        let (n, p) = (1000.0, 0.375);
        let ratio = (n - k) / (k + 1.0) * (p / (1.0 - p));
        assert!(near(nmath::dbinom(k + 1.0, n, p, false), nmath::dbinom(k, n, p, false) * ratio, 6.0), "dbinom({k})");
        let ratio = (5.5 + k) / (k + 1.0) * 0.625;
        let pair = [nmath::dnbinom(k + 1.0, 5.5, p, false), nmath::dnbinom(k, 5.5, p, false) * ratio];
        assert!(near(pair[0], pair[1], 6.0), "dnbinom({k})");
        let ratio = (600.0 - k) * (500.0 - k) / ((k + 1.0) * (200.0 + k + 1.0));
        let pair =
            [nmath::dhyper(k + 1.0, 600.0, 700.0, 500.0, false), nmath::dhyper(k, 600.0, 700.0, 500.0, false) * ratio];
        assert!(near(pair[0], pair[1], 6.0), "dhyper({k})");
    }
}

#[test]
fn mirror_images_agree() {
    for i in 1..64 {
        let x = f64::from(i) / 64.0; // 1 - x is exact
        for &[a, b, _] in SHAPES {
            for log in [false, true] {
                let (d, e) = (nmath::dbeta(x, a, b, log), nmath::dbeta(1.0 - x, b, a, log));
                assert!((d - e).abs() <= 4.5e-16 * d.abs(), "dbeta({x}, {a}, {b})");
                for lower in [false, true] {
                    let (p, q) = (nmath::pbeta(x, a, b, lower, log), nmath::pbeta(1.0 - x, b, a, !lower, log));
                    assert!((p - q).abs() <= 4e-15 * p.abs(), "pbeta({x}, {a}, {b}, {lower}, {log}): {p}, {q}");
                }
            }
        }
        let t = f64::from(i) / 3.0;
        for n in [0.2, 1.0, 7.5, 1e6] {
            assert_eq!(nmath::dt(t, n, false), nmath::dt(-t, n, false));
            assert_eq!(nmath::pt(t, n, true, true), nmath::pt(-t, n, false, true));
            assert_eq!(nmath::qt(x, n, true, false), -nmath::qt(x, n, false, false));
        }
        // choosing k or leaving n - k
        let n = 3.0 * f64::from(i);
        assert_eq!(nmath::choose(n, f64::from(i)), nmath::choose(n, 2.0 * f64::from(i)));
    }
}

#[test]
fn closed_forms_are_met() {
    for i in 1..40 {
        let x = f64::from(i) / 40.0;
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-15 * b.abs();
        assert!(near(nmath::pbeta(x, 3.0, 1.0, true, false), x * x * x));
        assert!(near(nmath::qbeta(x, 1.0, 1.0, true, false), x));
        // Cauchy's distribution and that with two degrees of freedom
        let t = 4.0 * x - 2.0;
        assert!(near(nmath::dt(t, 1.0, false), nmath::dcauchy(t, 0.0, 1.0, false)));
        assert!((nmath::pt(t, 2.0, true, false) - (0.5 + 0.5 * t / (2.0 + t * t).sqrt())).abs() < 1e-15);
        // the geometric distribution is the negative binomial of size 1
        assert!(near(nmath::dnbinom(f64::from(i), 1.0, x, false), nmath::dgeom(f64::from(i), x, false)));
        // infinite dispersion is Poisson's distribution
        assert!(near(
            nmath::dnbinom_mu(f64::from(i), f64::INFINITY, 7.0, false),
            nmath::dpois(f64::from(i), 7.0, false)
        ));
        let (p, q) = (
            nmath::pnbinom_mu(f64::from(i), f64::INFINITY, 7.0, true, false),
            nmath::ppois(f64::from(i), 7.0, true, false),
        );
        assert!((p - q).abs() < 4e-15 * q);
    }
    assert_eq!(nmath::choose(50.0, 25.0), 126_410_606_437_752.0);
    assert_eq!(nmath::choose(-3.0, 4.0), 15.0);
    assert_eq!(nmath::choose(5.0, 7.0), 0.0);
    assert_eq!(nmath::beta(1.0, 4.0), 0.25);
}

/// `F(t) = 1/2 + t/(2 sqrt(n + t^2)) sum_{j<n/2} C(2j, j) (n/(n+t^2))^j/4^j` for even n: positive terms, no expansion.
#[test]
fn student_s_distribution_with_even_degrees_of_freedom_is_a_finite_sum() {
    for n in [2, 10, 22, 24, 26, 40, 100, 250] {
        for i in -80..=80 {
            let t = f64::from(i) * 0.17;
            let size = f64::from(n) + t * t;
            let (mut term, mut sum) = (1.0, 0.0);
            for j in 0..n / 2 {
                sum += term;
                term *= f64::from(2 * j + 1) / f64::from(2 * j + 2) * (f64::from(n) / size);
            }
            let expected = 0.5 + 0.5 * t / size.sqrt() * sum;
            let error = (nmath::pt(t, f64::from(n), true, false) - expected).abs();
            assert!(error <= f64::from(n + 10) * f64::EPSILON / 4.0, "pt({t}, {n}) is off by {error:e}");
        }
    }
}

/// Next to p = 1/2 the quantile is `(p - 1/2)/f(0)`, to its last digits.
#[test]
fn quantiles_of_student_s_distribution_keep_their_digits_next_to_the_median() {
    for n in [1.0, 2.0, 3.7, 23.9, 24.0, 31.0, 400.0, 1e6] {
        for k in 20..50 {
            let p = 0.5 + 0.7 * f64::powi(2.0, -k);
            let expected = (p - 0.5) / nmath::dt(0.0, n, false);
            let t = nmath::qt(p, n, true, false);
            // the next term is of the order of the square
            let bound = 4.0 * f64::EPSILON + 2.0 * expected * expected;
            assert!((t / expected - 1.0).abs() <= bound, "qt({p}, {n}) is {t}, not {expected}");
            assert_eq!(nmath::qt(p, n, false, false), -t);
        }
    }
}

#[test]
fn conventions_are_those_of_r() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    assert!(nmath::dbinom(2.0, 5.5, 0.3, false).is_nan() && nmath::pbinom(2.0, inf, 0.3, true, false).is_nan());
    assert_eq!(nmath::dbinom(1.5, 5.0, 0.3, false), 0.0);
    assert_eq!(nmath::pbinom(1.999_999_999_9, 5.0, 0.3, true, false), nmath::pbinom(2.0, 5.0, 0.3, true, false));
    assert_eq!(nmath::pbeta(0.5, 0.0, 0.0, true, false), 0.5);
    assert_eq!(nmath::pbeta(0.5, inf, inf, true, false), 1.0);
    assert_eq!(nmath::pbeta(0.5, inf, 2.0, true, false), 0.0);
    assert_eq!((nmath::dbeta(0.0, 0.0, 0.0, false), nmath::dbeta(0.5, inf, inf, false)), (inf, inf));
    assert_eq!(nmath::qbeta(0.3, 0.0, 0.0, true, false), 0.0);
    assert!(nmath::dt(1.0, 0.0, false).is_nan() && nmath::qt(0.3, -1.0, true, false).is_nan());
    assert_eq!(nmath::dt(1.0, inf, false), nmath::dnorm(1.0, 0.0, 1.0, false));
    assert_eq!((nmath::df(0.0, 2.0, 3.0, false), nmath::df(1.0, inf, inf, false)), (1.0, inf));
    assert_eq!((nmath::dnbinom(0.0, 0.0, 0.5, false), nmath::dnbinom(3.0, inf, 0.5, false)), (1.0, 0.0));
    assert!(nmath::dnbinom(2.0, 3.0, 0.0, false).is_nan() && nmath::dhyper(1.0, 3.0, 4.0, 8.0, false).is_nan());
    assert_eq!((nmath::beta(0.0, 1.0), nmath::beta(inf, 1.0), nmath::lbeta(inf, 1.0)), (inf, 0.0, -inf));
    assert!(nmath::beta(-1.0, 2.0).is_nan() && nmath::beta(nan, 2.0).is_nan());
    assert_eq!(
        (nmath::pf(1.0, inf, inf, true, false), nmath::pf(1.0, inf, inf, false, true)),
        (0.5, -0.5f64.recip().ln())
    );
    assert_eq!((nmath::pf(0.9, inf, inf, true, false), nmath::pf(1.1, inf, inf, true, false)), (0.0, 1.0));
    assert_eq!((nmath::qbinom(1.0, 7.0, 0.0, true, false), nmath::qbinom(0.3, 7.0, 0.0, true, false)), (7.0, 0.0));
    assert_eq!(nmath::dbeta(0.3, 1.0, 1.0, true), 0.0);
    for dist in DISTRIBUTIONS {
        let a = dist.parameters[0];
        assert!((dist.d)(nan, a, false).is_nan() && (dist.p)(nan, a, true, false).is_nan());
        assert!((dist.q)(1.5, a, true, false).is_nan() && (dist.q)(0.1, a, true, true).is_nan());
        assert_eq!((dist.p)(inf, a, true, false), 1.0, "{}", dist.name);
        assert_eq!((dist.p)(-inf, a, true, true), -inf, "{}", dist.name);
        assert_eq!((dist.d)(-inf, a, false), 0.0, "{}", dist.name);
    }
}

#[test]
fn no_argument_panics_takes_long_or_leaves_the_range() {
    let values = [
        f64::NAN,
        f64::NEG_INFINITY,
        f64::INFINITY,
        -1.0,
        0.0,
        5e-324,
        1e-310,
        1e-300,
        1e-20,
        0.3,
        1.0,
        2.5,
        3.0,
        1e5,
        1e12,
        1e17,
        1e100,
        1e300,
        f64::MAX,
    ];
    let mut random = Random(4);
    for dist in DISTRIBUTIONS {
        for _ in 0..4000 {
            let mut pick = || {
                let r = random.unit();
                if r < 0.8 {
                    values[(random.unit() * 19.0) as usize]
                } else {
                    10f64.powf(600.0 * random.unit() - 300.0)
                }
            };
            let (x, a) = (pick(), [pick(), pick(), pick()]);
            for flags in 0..4 {
                let (lower, log) = (flags & 1 == 1, flags & 2 == 2);
                let call = || ((dist.d)(x, a, log), (dist.p)(x, a, lower, log), (dist.q)(x, a, lower, log));
                let soon = ends_within(Duration::from_millis(500), call);
                assert!(soon, "{}({x:e}, {a:?}, {lower}, {log}) takes long", dist.name);
                let (d, p, q) = call();
                let fine = p.is_nan() || if log { p <= 0.0 } else { (0.0..=1.0).contains(&p) };
                assert!(fine, "p{}({x:e}, {a:?}, {lower}, {log}) = {p:e}", dist.name);
                assert!(d.is_nan() || log || d >= 0.0, "d{}({x:e}, {a:?}, {log}) = {d:e}", dist.name);
                // NaN comes from NaN and from invalid parameters only, whatever x is
                if !x.is_nan() {
                    let valid = !(dist.p)(0.5, a, true, false).is_nan();
                    assert_eq!(p.is_nan(), !valid, "p{}({x:e}, {a:?}, {lower}, {log}) = {p:e}", dist.name);
                    assert_eq!(d.is_nan(), !valid, "d{}({x:e}, {a:?}, {log}) = {d:e}", dist.name);
                    let probability = if log { x <= 0.0 } else { (0.0..=1.0).contains(&x) };
                    assert_eq!(q.is_nan(), !(valid && probability), "q{}({x:e}, {a:?}, {lower}, {log})", dist.name);
                }
            }
        }
    }
}

/// R's answers are those of R 4.2.2; the true ones those of dev/oracle/oracle.py.
#[test]
fn the_examples_of_differences_from_r_are_right_here() {
    let examples = [
        (nmath::choose(1000.0, 300.0), 5.428250046405889e263, 5.428250046406141e263),
        (nmath::beta(200.0, 300.0), 1.6485491608664113e-147, 1.6485491608664746e-147),
        (nmath::phyper(59.0, 150.0, 150.0, 60.0, false, false), 5.1112047978051589e-22, 5.111204797805153e-22),
        (nmath::dnbinom_mu(7.0, 1e9, 3.0, false), 0.021604031608266211, 0.02160403154970196),
        (nmath::qhyper(1e-20, 65.0, 54.0, 79.0, false, false), 61.0, 65.0),
        (nmath::qt(0.5, 0.5, true, false), 2.5730454951430586e-16, 0.0),
    ];
    for (ours, r, truth) in examples {
        assert!((ours - truth).abs() <= 4.5e-16 * truth, "{ours:e}, true {truth:e}");
        assert!(ours != r, "{r:e} is R's answer too");
    }
    assert_eq!(nmath::pbeta(0.0, 0.0, 2.0, true, false), 1.0);
    assert_eq!(nmath::pnbinom(3.0, f64::INFINITY, 0.5, true, false), 0.0);
    assert!(nmath::phyper(1.0, 3.0, 4.5, 2.0, true, false).is_nan());
}
