//! The normal and gamma families and the simple distributions: what must hold whatever the digits.

use crate::support::timing::ends_within;
use gristmill_nmath as nmath;
use std::time::Duration;

/// A distribution with its parameters bound by `with`.
#[derive(Clone, Copy)]
struct Distribution {
    name: &'static str,
    d: fn(f64, [f64; 2], bool) -> f64,
    p: fn(f64, [f64; 2], bool, bool) -> f64,
    q: fn(f64, [f64; 2], bool, bool) -> f64,
    /// Parameters to try; the second is ignored where there is one only.
    parameters: &'static [[f64; 2]],
    discrete: bool,
    /// Values that `d` accepts as parameters, with `p` and `q` finite and no NaN.
    valid: fn([f64; 2]) -> bool,
}

macro_rules! two {
    ($f:ident) => {
        |x, [a, b], log| nmath::$f(x, a, b, log)
    };
    ($f:ident, tail) => {
        |x, [a, b], lower, log| nmath::$f(x, a, b, lower, log)
    };
}
macro_rules! one {
    ($f:ident) => {
        |x, [a, _], log| nmath::$f(x, a, log)
    };
    ($f:ident, tail) => {
        |x, [a, _], lower, log| nmath::$f(x, a, lower, log)
    };
}

fn both_positive([a, b]: [f64; 2]) -> bool {
    a > 0.0 && b > 0.0
}
fn second_positive([_, b]: [f64; 2]) -> bool {
    b > 0.0
}
fn first_positive([a, _]: [f64; 2]) -> bool {
    a > 0.0
}

const LOCATED: &[[f64; 2]] = &[[0.0, 1.0], [-3.0, 0.25], [1e5, 7.0], [2.5, 1e-8], [1e-3, 1e9]];

const DISTRIBUTIONS: &[Distribution] = &[
    Distribution {
        name: "norm",
        d: two!(dnorm),
        p: two!(pnorm, tail),
        q: two!(qnorm, tail),
        parameters: LOCATED,
        discrete: false,
        valid: second_positive,
    },
    Distribution {
        name: "logis",
        d: two!(dlogis),
        p: two!(plogis, tail),
        q: two!(qlogis, tail),
        parameters: LOCATED,
        discrete: false,
        valid: second_positive,
    },
    Distribution {
        name: "cauchy",
        d: two!(dcauchy),
        p: two!(pcauchy, tail),
        q: two!(qcauchy, tail),
        parameters: LOCATED,
        discrete: false,
        valid: second_positive,
    },
    Distribution {
        name: "lnorm",
        d: two!(dlnorm),
        p: two!(plnorm, tail),
        q: two!(qlnorm, tail),
        parameters: &[[0.0, 1.0], [2.0, 0.1], [-5.0, 3.0], [0.5, 1e-3]],
        discrete: false,
        valid: second_positive,
    },
    Distribution {
        name: "unif",
        d: two!(dunif),
        p: two!(punif, tail),
        q: two!(qunif, tail),
        parameters: &[[0.0, 1.0], [-2.0, 5.5], [1e5, 1e5 + 1.0]],
        discrete: false,
        valid: |[a, b]| a < b,
    },
    Distribution {
        name: "exp",
        d: one!(dexp),
        p: one!(pexp, tail),
        q: one!(qexp, tail),
        parameters: &[[1.0, 0.0], [1e-5, 0.0], [300.0, 0.0]],
        discrete: false,
        valid: first_positive,
    },
    Distribution {
        name: "weibull",
        d: two!(dweibull),
        p: two!(pweibull, tail),
        q: two!(qweibull, tail),
        parameters: &[[1.0, 1.0], [0.3, 2.0], [7.5, 0.01], [60.0, 1e4]],
        discrete: false,
        valid: both_positive,
    },
    Distribution {
        name: "gamma",
        d: two!(dgamma),
        p: two!(pgamma, tail),
        q: two!(qgamma, tail),
        parameters: &[
            [1.0, 1.0],
            [0.5, 2.0],
            [0.01, 1.0],
            [1.2, 0.7],
            [3.7, 1e-3],
            [14.9, 1.0],
            [15.1, 3.0],
            [200.0, 1.0],
            [1e6, 1e-6],
            [1e10, 1.0],
        ],
        discrete: false,
        valid: both_positive,
    },
    Distribution {
        name: "chisq",
        d: one!(dchisq),
        p: one!(pchisq, tail),
        q: one!(qchisq, tail),
        parameters: &[[1.0, 0.0], [2.0, 0.0], [5.0, 0.0], [31.0, 0.0], [1000.0, 0.0]],
        discrete: false,
        valid: first_positive,
    },
    Distribution {
        name: "pois",
        d: one!(dpois),
        p: one!(ppois, tail),
        q: one!(qpois, tail),
        parameters: &[[0.3, 0.0], [1.0, 0.0], [7.3, 0.0], [40.0, 0.0], [1234.5, 0.0], [1e7, 0.0]],
        discrete: true,
        valid: first_positive,
    },
    Distribution {
        name: "geom",
        d: one!(dgeom),
        p: one!(pgeom, tail),
        q: one!(qgeom, tail),
        parameters: &[[0.5, 0.0], [0.01, 0.0], [0.999, 0.0], [1e-6, 0.0]],
        discrete: true,
        valid: |[a, _]| a > 0.0 && a <= 1.0,
    },
];

/// Probabilities from one end to the other, as lower tails and as upper tails.
const TAILS: [f64; 17] =
    [1e-300, 1e-100, 1e-30, 1e-16, 1e-10, 1e-5, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.45, 0.49, 0.499999, 0.5];

/// Points through the whole support: quantiles of both tails, in order.
fn points(dist: &Distribution, parameters: [f64; 2]) -> Vec<f64> {
    let mut x: Vec<f64> = TAILS.iter().map(|&t| (dist.q)(t, parameters, true, false)).collect();
    x.extend(TAILS.iter().map(|&t| (dist.q)(t, parameters, false, false)));
    x.retain(|x| x.is_finite());
    x.sort_by(f64::total_cmp);
    x.dedup();
    x
}

fn each(mut claim: impl FnMut(&Distribution, [f64; 2])) {
    for dist in DISTRIBUTIONS {
        for &parameters in dist.parameters {
            claim(dist, parameters);
        }
    }
}

fn ulp(x: f64) -> f64 {
    let x = x.abs();
    if x < f64::MIN_POSITIVE { f64::from_bits(1) } else { f64::from_bits(x.to_bits() & (0x7ff << 52)) * f64::EPSILON }
}

#[test]
fn distribution_functions_are_monotone() {
    each(|dist, parameters| {
        for (lower, log) in [(true, false), (true, true), (false, false), (false, true)] {
            let mut last = f64::NAN;
            for x in points(dist, parameters) {
                for k in 0..40 {
                    let x = x + x.abs() * 1e-4 * f64::from(k); // and small steps from there
                    let p = (dist.p)(x, parameters, lower, log);
                    let forward = if lower { p >= last } else { p <= last };
                    // Neighbouring results may round either way by their error: 2 ulp.
                    assert!(
                        k == 0 || forward || (p - last).abs() <= 2.0 * ulp(last),
                        "p{}({x}, {parameters:?}, {lower}, {log}) = {p} after {last}",
                        dist.name
                    );
                    last = p;
                }
            }
        }
    });
}

#[test]
fn the_tails_add_up_to_one() {
    each(|dist, parameters| {
        for x in points(dist, parameters) {
            let (l, u) = ((dist.p)(x, parameters, true, false), (dist.p)(x, parameters, false, false));
            assert!((0.0..=1.0).contains(&l) && (0.0..=1.0).contains(&u));
            assert!(((l + u) - 1.0).abs() <= f64::EPSILON, "p{}({x}, {parameters:?}): {l} + {u}", dist.name);
        }
    });
}

#[test]
fn the_log_scale_is_the_log_of_the_linear_one() {
    each(|dist, parameters| {
        for x in points(dist, parameters) {
            let pairs = [
                ((dist.d)(x, parameters, false), (dist.d)(x, parameters, true)),
                ((dist.p)(x, parameters, true, false), (dist.p)(x, parameters, true, true)),
                ((dist.p)(x, parameters, false, false), (dist.p)(x, parameters, false, true)),
            ];
            for (plain, log) in pairs {
                if plain < f64::MIN_POSITIVE || plain == f64::INFINITY {
                    continue;
                }
                let expected = nmath::log(plain);
                // An error of 2 ulp of `plain` is 2^-51 in its log.
                let allowed = 2.0 * ulp(expected) + 4.0 * f64::EPSILON;
                assert!((log - expected).abs() <= allowed, "{}({x}, {parameters:?}): {log} for {plain}", dist.name);
            }
        }
    });
}

#[test]
fn the_quantile_takes_the_distribution_function_back() {
    each(|dist, parameters| {
        for x in points(dist, parameters) {
            for (lower, log) in [(true, false), (false, false), (true, true), (false, true)] {
                let p = (dist.p)(x, parameters, lower, log);
                let plain = if log { nmath::exp(p) } else { p };
                if plain == 0.0 && !log || p == f64::NEG_INFINITY || plain > 0.75 {
                    continue; // the other tail is the one that knows
                }
                let back = (dist.q)(p, parameters, lower, log);
                if dist.discrete {
                    assert_eq!(back, x, "q{}({p}, {parameters:?}, {lower}, {log})", dist.name);
                    continue;
                }
                // 2 ulp of p, and what they are worth in x
                let rise = (dist.d)(x, parameters, true) - (dist.p)(x, parameters, lower, true);
                let relative = if log { 2.0 * ulp(p) } else { 2.0 * f64::EPSILON };
                let allowed = 4.0 * ulp(x) + relative * nmath::exp(-rise);
                assert!(
                    (back - x).abs() <= allowed,
                    "q{}({p}, {parameters:?}, {lower}, {log}) = {back}, not {x}: {:e}, allowed {allowed:e}",
                    dist.name,
                    (back - x).abs()
                );
            }
        }
    });
}

#[test]
fn quantiles_are_monotone() {
    each(|dist, parameters| {
        for lower in [true, false] {
            let mut last = f64::NEG_INFINITY;
            let mut tails: Vec<f64> =
                TAILS.iter().flat_map(|&t| (0..20).map(move |k| t * (1.0 + 1e-3 * f64::from(k)))).collect();
            tails.sort_by(f64::total_cmp);
            if !lower {
                tails.reverse();
            }
            for t in tails {
                let x = (dist.q)(t, parameters, lower, false);
                assert!(x >= last, "q{}({t}, {parameters:?}, {lower}) = {x} after {last}", dist.name);
                last = x;
            }
        }
    });
}

#[test]
fn masses_are_the_steps_of_the_distribution_function() {
    each(|dist, parameters| {
        if !dist.discrete {
            return;
        }
        for x in points(dist, parameters).into_iter().filter(|x| *x > 0.0) {
            let mass = (dist.d)(x, parameters, false);
            // on the side where the terms are small
            let lower = (dist.p)(x, parameters, true, false) < 0.5;
            let (here, before) = ((dist.p)(x, parameters, lower, false), (dist.p)(x - 1.0, parameters, lower, false));
            let step = (here - before).abs();
            let allowed = 2.0 * (ulp(here) + ulp(before)) + 2.0 * ulp(mass);
            assert!((step - mass).abs() <= allowed, "d{}({x}, {parameters:?}) = {mass}, step {step}", dist.name);
        }
    });
}

#[test]
fn densities_integrate_to_the_distribution_function() {
    let rule = crate::quadrature::gauss_legendre(24);
    each(|dist, parameters| {
        if dist.discrete || dist.name == "unif" {
            return;
        }
        let tails = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95];
        for pair in tails.windows(2) {
            let ends = [(dist.q)(pair[0], parameters, true, false), (dist.q)(pair[1], parameters, true, false)];
            // in log x where the density is a power of x next to 0
            let logs = ends[0] > 0.0 && ends[1] > 3.0 * ends[0];
            let [a, b] = if logs { ends.map(nmath::log) } else { ends };
            let parts = 16;
            let mut sum = 0.0;
            for part in 0..parts {
                let (low, width) = (a + (b - a) * f64::from(part) / f64::from(parts), (b - a) / f64::from(parts));
                for (node, weight) in &rule {
                    let t = low + 0.5 * width * (1.0 + node);
                    let (x, jacobian) = if logs { (nmath::exp(t), nmath::exp(t)) } else { (t, 1.0) };
                    sum += 0.5 * width * weight * jacobian * (dist.d)(x, parameters, false);
                }
            }
            let step = (dist.p)(ends[1], parameters, true, false) - (dist.p)(ends[0], parameters, true, false);
            // A narrow distribution far from 0 has few doubles across: x itself is known to ulp(x) only.
            let grain = ulp(ends[1]) / (ends[1] - ends[0]);
            assert!((sum - step).abs() <= 1e-12 + 20.0 * grain, "{} {parameters:?} {ends:?}: {sum} {step}", dist.name);
        }
    });
}

#[test]
fn symmetric_distributions_are_symmetric_to_the_bit() {
    for dist in DISTRIBUTIONS.iter().filter(|d| ["norm", "logis", "cauchy"].contains(&d.name)) {
        for x in [0.0, 1e-300, 1e-9, 0.3, 1.0, 2.75, 17.0, 37.49, 37.51, 40.0, 1e5, 1e200] {
            for log in [false, true] {
                let same = |a: f64, b: f64| assert_eq!(a.to_bits(), b.to_bits(), "{} at {x}: {a} {b}", dist.name);
                same((dist.d)(x, [0.0, 1.0], log), (dist.d)(-x, [0.0, 1.0], log));
                same((dist.p)(x, [0.0, 1.0], false, log), (dist.p)(-x, [0.0, 1.0], true, log));
            }
        }
        for t in TAILS.into_iter().filter(|t| *t < 0.5) {
            let (a, b) = ((dist.q)(t, [0.0, 1.0], true, false), (dist.q)(t, [0.0, 1.0], false, false));
            assert_eq!(a, -b, "q{}({t})", dist.name);
        }
    }
}

#[test]
fn the_gamma_function_steps_by_its_argument() {
    let mut x = -20.37;
    while x < 170.0 {
        let (a, b) = (nmath::gammafn(x + 1.0), x * nmath::gammafn(x));
        // x + 1 is rounded: its half ulp times the slope of log Gamma, next to a pole about 1/distance
        let slack = 4.0 + 2.0 * (x.abs() + 1.0) / (x - x.round()).abs().max(1e-3);
        assert!((a - b).abs() <= slack * ulp(a), "gamma({x} + 1): {a} {b}");
        let (a, b) = (nmath::lgammafn(x + 1.0), nmath::lgammafn(x) + nmath::log(x.abs()));
        assert!((a - b).abs() <= slack * ulp(a.abs().max(1.0) + 5.0), "lgamma({x} + 1): {a} {b}");
        let (value, sign) = nmath::lgammafn_sign(x);
        assert_eq!(value.to_bits(), nmath::lgammafn(x).to_bits());
        assert_eq!(f64::from(sign), nmath::gammafn(x).signum(), "sign at {x}");
        x += 0.61803;
    }
    for n in 1..=22 {
        let factorial: u128 = (1..n).product();
        assert_eq!(nmath::gammafn(n as f64), factorial as f64);
    }
}

#[test]
fn the_poisson_mass_is_the_difference_of_gamma_distribution_functions() {
    for shape in [0.3, 1.0, 2.5, 9.0, 14.5, 15.5, 80.0, 5000.0] {
        for ratio in [0.2, 0.31, 0.7, 1.0, 1.3, 2.3, 2.4, 4.0] {
            let y = shape * ratio;
            let mass = nmath::dpois_raw(shape, y, false);
            let lower = y < shape;
            let (a, b) = (nmath::pgamma(y, shape, 1.0, lower, false), nmath::pgamma(y, shape + 1.0, 1.0, lower, false));
            let allowed = 4.0 * (ulp(a) + ulp(b)) + 4.0 * ulp(mass);
            assert!(((a - b).abs() - mass).abs() <= allowed, "shape {shape}, y {y}: {a} - {b}, {mass}");
        }
    }
}

/// docs/differences-from-R.md: our value, the true one, R's.
#[test]
fn differences_from_r_are_as_documented() {
    let table = [
        (nmath::dcauchy(1e200, 0.0, 1.0, true), -922.178_767_083_467_7, f64::NEG_INFINITY),
        (nmath::plogis(-740.0, 0.0, 1.0, true, false), 4.188_739_880_048_049e-322, 0.0),
        (nmath::qweibull(-800.0, 2.0, 1.0, true, true), 1.915_169_596_714_005_7e-174, 0.0),
        (nmath::qnorm(-1e5, 0.0, 1.0, true, true), -447.197_893_678_525_05, -447.197_494_465_048),
        (nmath::lgammafn(1.0 + 2f64.powi(-30)), -5.375_739_784_311_044e-10, -5.375_739_854_708_824e-10),
        (nmath::lgammafn(-2.4570247382208), 7.292_550_612_674_703e-16, 6.661_338_147_750_937e-16),
        (
            nmath::qlogis(0.5 + 2f64.powi(-40), 0.0, 1.0, true, false),
            3.637_978_807_091_713e-12,
            3.637_978_807_085_095_5e-12,
        ),
        (nmath::dnorm(1000.3, 1000.0, 0.01, false), 1.473_646_135_079_616e-194, 1.473_646_135_079_588_5e-194),
        (nmath::pnorm(1000.3, 1000.0, 0.01, false, false), 4.906_713_927_818_416e-198, 4.906_713_927_818_324e-198),
        (nmath::pweibull(30.0, 2.0, 1.3, false, false), 5.234_979_227_934_377e-232, 5.234_979_227_934_362_6e-232),
        (nmath::qlnorm(1e-10, 0.0, 9.0, true, false), 1.366_918_864_769_245_6e-25, 1.366_918_864_769_256_6e-25),
        (nmath::dlnorm(1e5, 1.0, 0.5, false), 8.018_561_195_597_222e-102, 8.018_561_195_597_132e-102),
    ];
    for (ours, truth, r) in table {
        assert!((ours - truth).abs() <= 1.5 * ulp(truth), "{ours:e}, true {truth:e}");
        assert!(r.is_infinite() || (r - truth).abs() > 5.0 * ulp(truth), "R is right there: {r:e}");
    }
    assert_eq!(nmath::qexp(1.0, 0.0, true, false), f64::INFINITY);
    assert_eq!(nmath::pchisq(1.0, f64::INFINITY, true, false), 0.0);
}

/// Where results have no digits to compare: the ends of every range, as R has them.
#[test]
fn limits_and_invalid_arguments_are_those_of_r() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let table: &[(&str, f64, f64)] = &[
        ("dnorm(0, 0, Inf)", nmath::dnorm(0.0, 0.0, INF, false), 0.0),
        ("dnorm(Inf, Inf, 1)", nmath::dnorm(INF, INF, 1.0, false), NAN),
        ("dnorm(0, 0, 0)", nmath::dnorm(0.0, 0.0, 0.0, false), INF),
        ("dnorm(1, Inf, 1)", nmath::dnorm(1.0, INF, 1.0, false), 0.0),
        ("pnorm(1, 0, Inf)", nmath::pnorm(1.0, 0.0, INF, true, false), 0.5),
        ("pnorm(0, 0, 0)", nmath::pnorm(0.0, 0.0, 0.0, true, false), 1.0),
        ("pnorm(Inf, Inf, 1)", nmath::pnorm(INF, INF, 1.0, true, false), NAN),
        ("pnorm(Inf, 0, Inf)", nmath::pnorm(INF, 0.0, INF, true, false), 1.0),
        ("pnorm(-Inf, 3, Inf)", nmath::pnorm(-INF, 3.0, INF, true, false), 0.0),
        ("plnorm(Inf, 0, Inf)", nmath::plnorm(INF, 0.0, INF, true, false), 1.0),
        ("qnorm(.3, Inf, Inf)", nmath::qnorm(0.3, INF, INF, true, false), NAN),
        ("qnorm(.7, Inf, Inf)", nmath::qnorm(0.7, INF, INF, true, false), INF),
        ("qlogis(.3, Inf, Inf)", nmath::qlogis(0.3, INF, INF, true, false), NAN),
        ("qlnorm(.3, Inf, Inf)", nmath::qlnorm(0.3, INF, INF, true, false), NAN),
        ("pexp(1, scale -0, log)", nmath::pexp(1.0, -0.0, true, true), 0.0),
        ("pexp(1, scale Inf, log)", nmath::pexp(1.0, INF, true, true), -INF),
        ("dgamma(1, 1, scale Inf, log)", nmath::dgamma(1.0, 1.0, INF, true), -INF),
        ("pexp(1, scale 0, upper, log)", nmath::pexp(1.0, 0.0, false, true), -INF),
        ("qcauchy(1, 4, 0)", nmath::qcauchy(1.0, 4.0, 0.0, true, false), 4.0),
        ("qgeom(1, 1)", nmath::qgeom(1.0, 1.0, true, false), 0.0),
        ("qgamma(.3, 2, scale Inf)", nmath::qgamma(0.3, 2.0, INF, true, false), INF),
        ("qgamma(-800, 1.5, scale Inf, log)", nmath::qgamma(-800.0, 1.5, INF, true, true), INF),
        ("dweibull(0, .3, Inf)", nmath::dweibull(0.0, 0.3, INF, false), INF),
        ("dweibull(0, 1, Inf, log)", nmath::dweibull(0.0, 1.0, INF, true), -INF),
        ("pgamma(.3, .3, 1e-300, upper, log)", nmath::pgamma(0.3, 0.3, 1e-300, false, true), -0.3 / 1e-300),
        ("dgamma(1.5, 1, 1e-300, log)", nmath::dgamma(1.5, 1.0, 1e-300, true), -1.5 / 1e-300),
        ("dgamma(1e-300, 1, 1, log)", nmath::dgamma(1e-300, 1.0, 1.0, true), -1e-300),
        ("pnorm(0, Inf, 1)", nmath::pnorm(0.0, INF, 1.0, true, false), 0.0),
        ("qnorm(.3, 0, Inf)", nmath::qnorm(0.3, 0.0, INF, true, false), -INF),
        ("qnorm(.5, 1, 0)", nmath::qnorm(0.5, 1.0, 0.0, true, false), 1.0),
        ("qnorm(.3, Inf, 1)", nmath::qnorm(0.3, INF, 1.0, true, false), INF),
        ("dlnorm(1, 0, 0)", nmath::dlnorm(1.0, 0.0, 0.0, false), INF),
        ("dlnorm(0, 0, 1)", nmath::dlnorm(0.0, 0.0, 1.0, false), 0.0),
        ("plnorm(1, 0, 0)", nmath::plnorm(1.0, 0.0, 0.0, true, false), 1.0),
        ("plnorm(1, 0, Inf)", nmath::plnorm(1.0, 0.0, INF, true, false), 0.5),
        ("qlnorm(.3, 0, 0)", nmath::qlnorm(0.3, 0.0, 0.0, true, false), 1.0),
        ("dexp(1, scale 0)", nmath::dexp(1.0, 0.0, false), NAN),
        ("pexp(1, scale 0)", nmath::pexp(1.0, 0.0, true, false), 1.0),
        ("dweibull(0, .5, 1)", nmath::dweibull(0.0, 0.5, 1.0, false), INF),
        ("dweibull(0, 1, 2)", nmath::dweibull(0.0, 1.0, 2.0, false), 0.5),
        ("dweibull(1, 0, 1)", nmath::dweibull(1.0, 0.0, 1.0, false), NAN),
        ("pweibull(3, Inf, 2)", nmath::pweibull(3.0, INF, 2.0, true, false), 1.0),
        ("qweibull(.3, Inf, 2)", nmath::qweibull(0.3, INF, 2.0, true, false), 2.0),
        ("dlogis(0, 0, 0)", nmath::dlogis(0.0, 0.0, 0.0, false), NAN),
        ("plogis(0, 0, Inf)", nmath::plogis(0.0, 0.0, INF, true, false), 0.5),
        ("qlogis(.3, 2, 0)", nmath::qlogis(0.3, 2.0, 0.0, true, false), 2.0),
        ("qcauchy(.3, 0, Inf)", nmath::qcauchy(0.3, 0.0, INF, true, false), NAN),
        ("pcauchy(1, 0, Inf)", nmath::pcauchy(1.0, 0.0, INF, true, false), 0.5),
        ("dunif(1, 1, 1)", nmath::dunif(1.0, 1.0, 1.0, false), NAN),
        ("punif(1, 1, 1)", nmath::punif(1.0, 1.0, 1.0, true, false), 1.0),
        ("punif(1, 0, Inf)", nmath::punif(1.0, 0.0, INF, true, false), NAN),
        ("qunif(.3, 1, 1)", nmath::qunif(0.3, 1.0, 1.0, true, false), 1.0),
        ("dgeom(0, 1)", nmath::dgeom(0.0, 1.0, false), 1.0),
        ("pgeom(.99999995, .5)", nmath::pgeom(0.999_999_95, 0.5, true, false), 0.75),
        ("qgeom(1, .5)", nmath::qgeom(1.0, 0.5, true, false), INF),
        ("dgeom(2.5, .5)", nmath::dgeom(2.5, 0.5, false), 0.0),
        ("dgamma(0, 0, 1)", nmath::dgamma(0.0, 0.0, 1.0, false), INF),
        ("pgamma(0, 0, 1)", nmath::pgamma(0.0, 0.0, 1.0, true, false), 0.0),
        ("pgamma(1, 0, 1)", nmath::pgamma(1.0, 0.0, 1.0, true, false), 1.0),
        ("qgamma(.3, 0, 1)", nmath::qgamma(0.3, 0.0, 1.0, true, false), 0.0),
        ("qgamma(.3, 1, scale 0)", nmath::qgamma(0.3, 1.0, 0.0, true, false), NAN),
        ("pgamma(Inf, 1, scale Inf)", nmath::pgamma(INF, 1.0, INF, true, false), NAN),
        ("pgamma(Inf, Inf, 1)", nmath::pgamma(INF, INF, 1.0, true, false), 1.0),
        ("dchisq(0, 2)", nmath::dchisq(0.0, 2.0, false), 0.5),
        ("dpois(2 + 2e-7, 3)", nmath::dpois(2.0 + 1.9e-7, 3.0, false), nmath::dpois(2.0, 3.0, false)),
        ("dpois(2.5, 3)", nmath::dpois(2.5, 3.0, false), 0.0),
        ("ppois(-1e-8, 1)", nmath::ppois(-1e-8, 1.0, true, false), 0.0),
        ("ppois(.99999995, 1)", nmath::ppois(0.999_999_95, 1.0, true, false), nmath::ppois(1.0, 1.0, true, false)),
        ("qpois(1, 0)", nmath::qpois(1.0, 0.0, true, false), 0.0),
        ("qpois(.3, Inf)", nmath::qpois(0.3, INF, true, false), NAN),
        ("gamma(0)", nmath::gammafn(0.0), NAN),
        ("gamma(-1)", nmath::gammafn(-1.0), NAN),
        ("lgamma(-1)", nmath::lgammafn(-1.0), INF),
        ("gamma(172)", nmath::gammafn(172.0), INF),
    ];
    for (call, ours, r) in table {
        assert!(ours == r || ours.is_nan() && r.is_nan(), "{call} is {ours}, in R {r}");
    }
}

/// Nothing that a caller may pass makes a function panic, loop for long, or give a NaN or an impossible value where the
/// parameters are valid.
#[test]
fn no_argument_is_too_strange() {
    let strange = [
        f64::NAN,
        f64::NEG_INFINITY,
        -f64::MAX,
        -1e300,
        -1e12,
        -2.5,
        -1.0,
        -1e-8,
        -f64::MIN_POSITIVE,
        -f64::from_bits(1),
        -0.0,
        0.0,
        f64::from_bits(1),
        f64::from_bits(0x000f_ffff_ffff_ffff),
        f64::MIN_POSITIVE,
        1e-300,
        1e-150,
        1e-17,
        1e-8,
        0.1,
        0.5,
        0.999_999_999,
        1.0,
        1.000_000_1,
        1.25,
        2.5,
        3.0,
        14.999,
        15.0,
        100.25,
        1e5,
        1e12,
        9_007_199_254_740_993.0,
        1e100,
        1e160,
        1e290,
        1e300,
        1e305,
        f64::MAX,
        f64::INFINITY,
    ];
    let mut problems = vec![];
    let mut must = |right: bool, what: &dyn Fn() -> String| {
        if !right && problems.len() < 20 {
            problems.push(what());
        }
    };
    for dist in DISTRIBUTIONS {
        for a in strange {
            for b in strange {
                let parameters = [a, b];
                let one_only = ["exp", "chisq", "pois", "geom"].contains(&dist.name);
                if one_only && b != 1.0 {
                    continue;
                }
                let finite = a.is_finite() && (b.is_finite() || one_only);
                let valid = finite && (dist.valid)(parameters);
                for x in strange {
                    for (lower, log) in [(true, false), (false, false), (true, true), (false, true)] {
                        let d = (dist.d)(x, parameters, log);
                        let p = (dist.p)(x, parameters, lower, log);
                        let q = (dist.q)(x, parameters, lower, log);
                        let what =
                            || format!("{}({x:e}, {parameters:?}, {lower}, {log}): {d:e} {p:e} {q:e}", dist.name);
                        let call = || {
                            let p = (dist.p)(x, parameters, lower, log);
                            ((dist.d)(x, parameters, log), p, (dist.q)(x, parameters, lower, log))
                        };
                        // Every iteration is bounded.
                        must(ends_within(Duration::from_millis(200), call), &what);
                        if x.is_nan() || a.is_nan() || (b.is_nan() && !one_only) {
                            must(d.is_nan() && p.is_nan() && q.is_nan(), &what);
                            continue;
                        }
                        if !valid {
                            continue;
                        }
                        must(!d.is_nan() && (log || d >= 0.0), &what);
                        let possible = if log { p <= 0.0 } else { (0.0..=1.0).contains(&p) };
                        must(possible, &what);
                        let in_range = if log { x <= 0.0 } else { (0.0..=1.0).contains(&x) };
                        must(q.is_nan() != in_range, &what);
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for x in strange {
        for m in strange {
            assert_eq!(nmath::bd0(x, m).is_nan(), x.is_nan() || m.is_nan() || x < 0.0 || m < 0.0, "bd0({x}, {m})");
            let invalid = x.is_nan() || m.is_nan() || m < 0.0;
            assert_eq!(nmath::dpois_raw(x, m, false).is_nan(), invalid, "dpois_raw({x}, {m})");
            assert_eq!(nmath::dpois_raw(x, m, true).is_nan(), invalid, "dpois_raw({x}, {m}, log)");
        }
        let pole = x <= 0.0 && x.floor() == x;
        assert_eq!(nmath::gammafn(x).is_nan(), x.is_nan() || pole, "gammafn({x})");
        assert_eq!(nmath::lgammafn(x).is_nan(), x.is_nan(), "lgammafn({x})");
        assert_eq!(nmath::lgamma1p(x).is_nan(), x.is_nan(), "lgamma1p({x})");
        assert_eq!(nmath::stirlerr(x).is_nan(), x.is_nan() || x < 0.0, "stirlerr({x})");
    }
}
