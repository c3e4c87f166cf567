//! The same bits on every path, bounded time, special values, and the central functions where the noncentrality is 0.

use crate::support::Random;
use crate::support::timing::relative_time;
use gristmill_kernel::Level;
use gristmill_kernel::{Column, ColumnMut, Function, Scalar};
use gristmill_nmath as nmath;
use gristmill_nmath::*;

impl Random {
    /// Ordinary parameters and probabilities more often than the ends of the range.
    fn number(&mut self) -> f64 {
        match (self.unit() * 16.0) as u32 {
            0..=4 => self.unit(),
            5..=8 => self.log_uniform(0.1, 300.0),
            9 => self.log_uniform(1e-8, 1e7),
            10 => self.log_uniform(1e-300, 1e300),
            11 => -self.log_uniform(1e-3, 1e3),
            12 => 1.0 - self.log_uniform(1e-16, 0.5),
            13 => (self.unit() * 100.0).floor(),
            14 => self.log_uniform(5e-324, 1e-307),
            _ => [0.0, -0.0, 0.5, 1.0, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                [(self.unit() * 8.0) as usize],
        }
    }
}

/// The values of one argument.
#[derive(Debug)]
enum Values {
    F64(Vec<f64>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    Bool(Vec<bool>),
}

impl Values {
    fn draw(scalar: Scalar, random: &mut Random, count: usize) -> Values {
        match scalar {
            Scalar::U32 => Values::U32((0..count).map(|_| random.word() as u32).collect()),
            Scalar::U64 => Values::U64((0..count).map(|_| random.word()).collect()),
            Scalar::Bool => Values::Bool((0..count).map(|_| random.unit() < 0.5).collect()),
            _ => Values::F64((0..count).map(|_| random.number()).collect()),
        }
    }

    fn column(&self) -> Column<'_> {
        match self {
            Values::F64(v) => Column::F64(v),
            Values::U32(v) => Column::U32(v),
            Values::U64(v) => Column::U64(v),
            Values::Bool(v) => Column::Bool(v),
        }
    }
}

fn draw(f: &Function, random: &mut Random, varying: usize, count: usize) -> Vec<Values> {
    f.params().enumerate().map(|(i, p)| Values::draw(p.1, random, if i < varying { count } else { 1 })).collect()
}

#[test]
fn blocks_of_every_level_have_the_bits_of_single_calls() {
    const COUNT: usize = 43;
    for (i, f) in KERNELS.iter().filter(|f| f.module().contains("::noncentral_")).enumerate() {
        let all = f.params().len();
        for round in 0..6u64 {
            let mut random = Random(1000 * (i as u64 + 1) + round);
            // all arguments vary, or the first only (draws: seed, stream and index)
            let varying = if round % 2 == 0 {
                all
            } else if all > 5 || f.name().starts_with('r') {
                3
            } else {
                1
            };
            let values = draw(f, &mut random, varying, COUNT);
            let ins: Vec<Column<'_>> = values.iter().map(Values::column).collect();
            let mut expected = vec![0.0; COUNT];
            for at in 0..COUNT {
                let mut out = [ColumnMut::F64(&mut expected[..])];
                f.call_at(Level::Base, &ins, &mut out, at).expect("the columns fit");
            }
            for level in Level::all() {
                let mut out = vec![0.0; COUNT];
                f.map_on(level, &ins, &mut [ColumnMut::F64(&mut out)]).expect("the columns fit");
                for at in 0..COUNT {
                    let (x, y): (f64, f64) = (out[at], expected[at]);
                    assert!(
                        x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()),
                        "{} round {round} element {at} on {level:?}: {x:e}, but a single call gives {y:e}",
                        f.name()
                    );
                }
            }
        }
    }
}

/// Hundreds of calls of `lgammafn`.
const LIMIT: f64 = 500.0;

#[test]
fn no_call_takes_long() {
    let mut problems = vec![];
    for (i, f) in KERNELS.iter().filter(|f| f.module().contains("::noncentral_")).enumerate() {
        let mut random = Random(i as u64 + 1);
        let mut worst: (f64, String) = (0.0, String::new());
        for _ in 0..1500 {
            let values = draw(f, &mut random, 0, 1);
            let ins: Vec<Column<'_>> = values.iter().map(Values::column).collect();
            let least = relative_time(LIMIT, || {
                let mut out = [0.0];
                f.call_at(Level::best(), &ins, &mut [ColumnMut::F64(&mut out)], 0).expect("the columns fit");
            });
            if least > worst.0 {
                worst = (least, format!("{values:?}"));
            }
        }
        println!("{}: {:.0} times as long as 100 lgammafn at {}", f.name(), worst.0, worst.1);
        if worst.0 > LIMIT {
            problems.push(format!("{}{}: {:.0} times as long as 100 lgammafn", f.name(), worst.1, worst.0));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn noncentrality_0_gives_the_bits_of_the_central_function() {
    let mut random = Random(77);
    for _ in 0..2000 {
        let (x, a, b) = (random.number(), random.number(), random.number());
        let (lower, log) = (random.unit() < 0.5, random.unit() < 0.5);
        let same = |what: &str, ours: f64, central: f64| {
            assert!(
                ours.to_bits() == central.to_bits() || (ours.is_nan() && central.is_nan()),
                "{what}({x:e}, {a:e}, {b:e}): {ours:e}, but the central function gives {central:e}"
            );
        };
        same("dnchisq", dnchisq(x, a, 0.0, log), nmath::dchisq(x, a, log));
        same("pnchisq", pnchisq(x, a, 0.0, lower, log), nmath::pchisq(x, a, lower, log));
        same("qnchisq", qnchisq(x, a, 0.0, lower, log), nmath::qchisq(x, a, lower, log));
        same("dnbeta", dnbeta(x, a, b, 0.0, log), nmath::dbeta(x, a, b, log));
        same("pnbeta", pnbeta(x, a, b, 0.0, lower, log), nmath::pbeta(x, a, b, lower, log));
        same("qnbeta", qnbeta(x, a, b, 0.0, lower, log), nmath::qbeta(x, a, b, lower, log));
        same("dnf", dnf(x, a, b, 0.0, log), nmath::df(x, a, b, log));
        same("pnf", pnf(x, a, b, 0.0, lower, log), nmath::pf(x, a, b, lower, log));
        same("qnf", qnf(x, a, b, 0.0, lower, log), nmath::qf(x, a, b, lower, log));
        let (seed, index) = (random.word(), random.word());
        same("rnchisq", rnchisq(seed, 3, index, a, 0.0), nmath::rchisq(seed, 3, index, a));
        same("rnbeta", rnbeta(seed, 3, index, a, b, 0.0), nmath::rbeta(seed, 3, index, a, b));
        same("rnf", rnf(seed, 3, index, a, b, 0.0), nmath::rf(seed, 3, index, a, b));
        same("dnt", dnt(x, a, 0.0, log), nmath::dt(x, a, log));
        same("pnt", pnt(x, a, 0.0, lower, log), nmath::pt(x, a, lower, log));
        same("qnt", qnt(x, a, 0.0, lower, log), nmath::qt(x, a, lower, log));
        same("rnt", rnt(seed, 3, index, a, 0.0), nmath::rt(seed, 3, index, a));
    }
}

#[test]
fn special_values_follow_r() {
    let inf = f64::INFINITY;
    // no degrees of freedom: a mass of exp(-ncp/2) at 0
    assert_eq!(pnchisq(0.0, 0.0, 1.0, true, false), nmath::exp(-0.5));
    assert_eq!(pnchisq(0.0, 0.0, 1.0, true, true), -0.5);
    assert_eq!(dnchisq(0.0, 0.0, 1.0, false), inf);
    assert_eq!(qnchisq(0.6, 0.0, 1.0, true, false), 0.0);
    assert!(qnchisq(0.61, 0.0, 1.0, true, false) > 0.0);
    // the ends of the support
    assert_eq!(dnchisq(0.0, 1.0, 1.0, false), inf);
    assert_eq!(dnchisq(0.0, 2.0, 1.0, false), 0.5 * nmath::exp(-0.5));
    assert_eq!(dnchisq(0.0, 3.0, 1.0, false), 0.0);
    assert_eq!(pnchisq(-1.0, 3.0, 1.0, true, false), 0.0);
    assert_eq!(pnchisq(inf, 3.0, 1.0, true, false), 1.0);
    assert_eq!(pnchisq(inf, 3.0, 1.0, false, true), -inf);
    assert_eq!(dnbeta(0.0, 1.0, 2.0, 1.0, false), 2.0 * nmath::exp(-0.5));
    assert_eq!(dnbeta(1.0, 2.0, 1.0, 1.0, false), 2.5);
    assert_eq!(dnbeta(0.0, 0.5, 1.0, 1.0, false), inf);
    assert_eq!(dnbeta(1.0, 2.0, 0.5, 1.0, false), inf);
    assert_eq!(dnbeta(1.5, 2.0, 0.5, 1.0, true), -inf);
    assert_eq!(dnf(0.0, 2.0, 3.0, 1.0, false), nmath::exp(-0.5));
    assert_eq!(dnf(0.0, 1.0, 3.0, 1.0, false), inf);
    assert_eq!(dnf(0.0, 3.0, 3.0, 1.0, false), 0.0);
    for (p, lower) in [(0.0, true), (1.0, false)] {
        assert_eq!(qnchisq(p, 3.0, 2.0, lower, false), 0.0);
        assert_eq!(qnbeta(p, 3.0, 2.0, 2.0, lower, false), 0.0);
        assert_eq!(qnf(p, 3.0, 2.0, 2.0, lower, false), 0.0);
        assert_eq!(qnchisq(p, 3.0, 2.0, !lower, false), inf);
        assert_eq!(qnbeta(p, 3.0, 2.0, 2.0, !lower, false), 1.0);
        assert_eq!(qnf(p, 3.0, 2.0, 2.0, !lower, false), inf);
    }
    // an infinite second number of degrees of freedom is the limit
    assert_eq!(pnf(1.5, 2.0, inf, 1.0, true, false), pnchisq(3.0, 2.0, 1.0, true, false));
    assert_eq!(dnt(1.5, inf, 2.0, false), nmath::dnorm(1.5, 2.0, 1.0, false));
    assert_eq!(pnt(-30.0, inf, 2.0, true, true), nmath::pnorm(-30.0, 2.0, 1.0, true, true));
    // t: the ends of the support, the middle, and the signs
    assert_eq!((pnt(-inf, 3.0, 1.0, true, false), pnt(inf, 3.0, 1.0, false, true)), (0.0, -inf));
    assert_eq!((qnt(0.0, 3.0, 1.0, true, false), qnt(0.0, 3.0, 1.0, false, false)), (-inf, inf));
    assert_eq!(dnt(inf, 3.0, 1.0, true), -inf);
    assert_eq!(pnt(0.0, 3.0, 1.0, true, false), nmath::pnorm(-1.0, 0.0, 1.0, true, false));
    assert_eq!(pnt(2.0, 3.0, 1.0, true, false), pnt(-2.0, 3.0, -1.0, false, false));
    assert_eq!(dnt(2.0, 3.0, 1.0, false), dnt(-2.0, 3.0, -1.0, false));
    for bad in [-1.0, 0.0, f64::NAN] {
        assert!(dnt(1.0, bad, 1.0, false).is_nan() && pnt(1.0, bad, 1.0, true, false).is_nan());
        assert!(qnt(0.5, bad, 1.0, true, false).is_nan() && rnt(1, 0, 0, bad, 1.0).is_nan());
    }
    for bad in [inf, -inf, f64::NAN] {
        assert!(dnt(1.0, 2.0, bad, false).is_nan() && pnt(1.0, 2.0, bad, true, false).is_nan());
        assert!(qnt(0.5, 2.0, bad, true, false).is_nan() && rnt(1, 0, 0, 2.0, bad).is_nan());
    }
    // outside of the domain
    for bad in [-1.0, f64::NAN, inf] {
        assert!(dnchisq(1.0, bad, 1.0, false).is_nan() && dnchisq(1.0, 1.0, bad, false).is_nan());
        assert!(pnchisq(1.0, bad, 1.0, true, false).is_nan() && qnchisq(0.5, 1.0, bad, true, false).is_nan());
        assert!(pnbeta(0.5, bad, 1.0, 1.0, true, false).is_nan() && pnbeta(0.5, 1.0, 1.0, bad, true, false).is_nan());
        assert!(pnf(0.5, bad, 1.0, 1.0, true, false).is_nan() && rnf(1, 0, 0, bad, 1.0, 1.0).is_nan());
        assert!(rnchisq(1, 0, 0, 1.0, bad).is_nan() && rnbeta(1, 0, 0, bad, 1.0, 1.0).is_nan());
    }
    assert!(qnchisq(1.5, 3.0, 1.0, true, false).is_nan() && qnchisq(0.5, 3.0, 1.0, true, true).is_nan());
    assert!(dnchisq(f64::NAN, 3.0, 1.0, false).is_nan() && pnf(f64::NAN, 3.0, 1.0, 1.0, true, false).is_nan());
}

/// There the beta distribution's share is below the range; these were 0. The truth: mpmath, 40 digits.
#[test]
fn the_f_density_goes_on_where_a_share_is_below_the_range() {
    for (x, df1, df2, ncp, truth) in [
        (1e-290, 2.0, 5.0, 1.0, -0.5),
        (1e-290, 3.0, 5.0, 2.0, -334.013_218_083_395_23),
        (1e295, 3.0, 0.25, 2.0, -766.420_267_633_311_8),
        (1e-300, 1000.0, 700.0, 30.0, -343_956.036_298_262),
    ] {
        let log = dnf(x, df1, df2, ncp, true);
        assert!((log / truth - 1.0_f64).abs() < 4e-16, "{x}, {df1}, {df2}, {ncp}: {log}, not {truth}");
    }
    assert_eq!(dnf(1e-290, 2.0, 5.0, 1.0, false), 0.606_530_659_712_633_4);
}

/// From 2^53 levels on these were NaN. The first of the two numbers has a relative width of `2/sqrt(ncp)`: from 1e34 on nothing of it is left in a
/// double, and the F number is `ncp df2/(2 df1)` over a gamma number, on both sides of 1e130, from where on it is computed so.
#[test]
fn huge_noncentralities_leave_the_second_number() {
    for (df1, df2, ncp) in
        [(5.0, 2.0, 1e40), (0.7, 9.0, 1e90), (3.0, 2.0, 1e129), (3.0, 2.0, 1.1e130), (3.0, 4.0, 1e300)]
    {
        for g in [0.3, 1.0, 2.5, 40.0] {
            let x = ncp / df1 * (0.5 * df2 / g);
            // x is rounded: what it stands for, to first order
            let g = ncp / df1 * (0.5 * df2 / x);
            for (lower, log) in [(true, false), (false, false), (true, true), (false, true)] {
                let found = pnf(x, df1, df2, ncp, lower, log);
                let limit = nmath::pgamma(g, 0.5 * df2, 1.0, !lower, log);
                assert!(
                    (found / limit - 1.0).abs() < 1e-13,
                    "pnf({x:e}, {df1}, {df2}, {ncp:e}): {found:e}, not {limit:e}"
                );
                // a probability next to 1 does not tell where it came from
                if found < if log { -0.01 } else { 0.99 } {
                    let back = qnf(found, df1, df2, ncp, lower, log);
                    assert!(
                        (back / x - 1.0).abs() < 1e-12,
                        "qnf({found:e}, {df1}, {df2}, {ncp:e}): {back:e}, not {x:e}"
                    );
                }
            }
            let found = dnf(x, df1, df2, ncp, false);
            let limit = nmath::dgamma(g, 0.5 * df2, 1.0, false) * (g / x);
            assert!((found / limit - 1.0).abs() < 1e-13, "dnf({x:e}, {df1}, {df2}, {ncp:e}): {found:e}, not {limit:e}");
        }
    }
    for ncp in [2e16, 1e30, 1e129, 1e131, 1e308] {
        for x in [1e-300, 0.25, 0.999] {
            assert_eq!(pnbeta(x, 2.0, 3.0, ncp, true, false), 0.0);
            assert_eq!(pnbeta(x, 2.0, 3.0, ncp, false, false), 1.0);
            assert_eq!(dnbeta(x, 2.0, 3.0, ncp, false), 0.0);
            let log = pnbeta(x, 2.0, 3.0, ncp, true, true);
            assert!((log / (-0.5 * ncp * (1.0 - x)) - 1.0).abs() < 1e-11, "{x}, {ncp:e}: {log:e}");
        }
        assert!(qnbeta(0.3, 2.0, 3.0, ncp, true, false) > 0.999_999);
    }
}

/// The largest distance of the sample's distribution function from the true one, times the root of its size: above 2.2 it is with
/// probability 1.3e-4.
fn kolmogorov(sample: impl Iterator<Item = f64>) -> f64 {
    let mut u: Vec<f64> = sample.collect();
    u.sort_by(f64::total_cmp);
    let n = u.len() as f64;
    let distance = |(i, x): (usize, &f64)| (x - i as f64 / n).abs().max((x - (i + 1) as f64 / n).abs());
    u.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt()
}

#[test]
fn the_numbers_follow_their_distributions() {
    let draws = 0..20_000u64;
    for (df, ncp) in [(3.0, 2.0), (0.5, 0.3), (7.0, 90.0), (100.0, 1e4)] {
        let d = kolmogorov(draws.clone().map(|i| pnchisq(rnchisq(9, 1, i, df, ncp), df, ncp, true, false)));
        assert!(d < 2.2, "rnchisq({df}, {ncp}): {d}");
    }
    for (df, ncp) in [(3.0, 2.0), (0.5, -0.3), (7.0, 90.0), (100.0, -1e4), (f64::INFINITY, 3.0)] {
        let d = kolmogorov(draws.clone().map(|i| pnt(rnt(9, 4, i, df, ncp), df, ncp, true, false)));
        assert!(d < 2.2, "rnt({df}, {ncp}): {d}");
    }
    for (a, b, ncp) in [(3.0, 2.0, 2.0), (0.5, 0.7, 0.3), (7.0, 30.0, 90.0)] {
        let d = kolmogorov(draws.clone().map(|i| pnbeta(rnbeta(9, 2, i, a, b, ncp), a, b, ncp, true, false)));
        assert!(d < 2.2, "rnbeta({a}, {b}, {ncp}): {d}");
        let d = kolmogorov(draws.clone().map(|i| pnf(rnf(9, 3, i, a, b, ncp), a, b, ncp, true, false)));
        assert!(d < 2.2, "rnf({a}, {b}, {ncp}): {d}");
    }
}

/// The mixture of noncentral F was summed from 2^53 levels on, where doubles do not tell them apart: these were NaN, and 1 before that.
#[test]
fn the_largest_noncentralities_are_right_or_refused() {
    for (ncp, t, df) in
        [(1e8, 2.0, 4.0), (-9e7, -0.5, 4.0), (5e7, 100.0, 7.0), (1e100, 1e60, 3.0), (-2e149, -1e20, 1e23)]
    {
        assert_eq!(pnt(t, df, ncp, ncp > 0.0, false), 0.0);
        // The leading term of the logarithm; the others are below 100 for few degrees of freedom.
        let expected = -ncp * ncp / 2.0 * (df / (df + t * t));
        let found = pnt(t, df, ncp, ncp > 0.0, true);
        assert!((found - expected).abs() < 100.0 + 1e-14 * expected.abs(), "{found} {expected}");
    }
    // s is nearly free of the normal part: P(chi-squared >= df), with 4 degrees of freedom
    for ncp in [1e8, 3e8, 1e15, 1e100, 1e300] {
        let wide = pnt(ncp, 4.0, ncp, true, false);
        assert!((wide - 3.0 * (-2.0f64).exp()).abs() < 1e-14, "{wide}");
        let back = qnt(wide, 4.0, ncp, true, false);
        assert!((back / ncp - 1.0).abs() < 1e-15, "{back:e}");
        // the density of sqrt(chi-squared/4) at 1, 8 exp(-2), over ncp
        let density = dnt(-ncp, 4.0, -ncp, true);
        assert!((density - (8.0 * (-2.0f64).exp() / ncp).ln()).abs() < 1e-12 * density.abs(), "{ncp:e}: {density}");
    }
    for lower in [false, true] {
        assert!(!pnf(1e16, 5.0, f64::INFINITY, 1e17, lower, false).is_nan());
    }
    assert_eq!(pnt(-2.0, 4.0, 3e8, true, false), 0.0);
    assert!((pnt(3e8, 1e20, 3e8, true, false) - 0.5).abs() < 0.01);
    assert_eq!(qbinom(0.4, 1e270, 0.3, true, false), 1e270 * 0.3);
}

/// No valid argument gives NaN, however large: sums and products beyond the range are taken apart.
#[test]
fn noncentral_t_of_arguments_of_every_size_is_a_probability() {
    let mut random = Random(23);
    for _ in 0..300 {
        let (t, df) = (random.log_uniform(1e-300, 1e308), random.log_uniform(1e-300, 1e308));
        let ncp = random.log_uniform(1e-20, 1e308);
        let near = (ncp * random.log_uniform(0.3, 3.0)).min(1e308);
        let arguments = [t, near, ncp, -t, -near];
        let q = qnt(0.3, df, ncp, t > 1.0, false);
        assert!(!q.is_nan(), "qnt(0.3, {df:e}, {ncp:e}, {})", t > 1.0);
        for x in arguments {
            for lower in [false, true] {
                let (p, l) = (pnt(x, df, ncp, lower, false), pnt(x, df, ncp, lower, true));
                assert!((0.0..=1.0).contains(&p) && l <= 0.0, "pnt({x:e}, {df:e}, {ncp:e}, {lower}): {p:e}, {l:e}");
            }
            let (d, l) = (dnt(x, df, ncp, false), dnt(x, df, ncp, true));
            assert!(d >= 0.0 && !l.is_nan(), "dnt({x:e}, {df:e}, {ncp:e}): {d:e}, {l:e}");
        }
    }
}

/// Parameters and arguments next to 0 give what those a little larger do: their part is below the last digit.
#[test]
fn subnormal_parameters_are_not_nan() {
    for lower in [false, true] {
        for log in [false, true] {
            let tail = if lower { f64::NEG_INFINITY } else { 0.0 };
            let least = pnchisq(5e-324, 100.0, 4.78, lower, log);
            let expected = if log { tail } else { tail.exp() };
            // log P = 50 log(x/2) - l - log Gamma(51) is a number on the log scale
            assert!(if lower && log { least < -37_000.0 && least > -38_000.0 } else { least == expected }, "{least}");
            assert_eq!(pnbeta(0.3, 6.0, 1.2, 1e-310, lower, log), pbeta(0.3, 6.0, 1.2, lower, log));
            assert_eq!(pnf(0.3, 6.0, 1.2, 1e-310, lower, log), pf(0.3, 6.0, 1.2, lower, log));
            assert_eq!(pnchisq(0.3, 6.0, 1e-310, lower, log), pchisq(0.3, 6.0, lower, log));
            assert!(
                pnchisq(0.3, 6.0, -1e-310, lower, log).is_nan() && pnf(0.3, 6.0, 1.2, -1e-310, lower, log).is_nan()
            );
            assert_eq!(pnf(1.6, 1e-310, 40.0, 0.1, lower, log), pnf(1.6, 2e-307, 40.0, 0.1, lower, log));
            assert!(!dnf(1.6, 1e-310, 40.0, 0.1, log).is_nan() && !dnbeta(0.3, 1e-310, 2.0, 0.1, log).is_nan());
            assert!(!qnf(0.97, 1e-310, 40.0, 0.1, true, false).is_nan());
        }
    }
    // exp(-0.05): the first part of the mixture lies at 0, the others are divided by df1 and lie beyond the range
    let most = pnf(1.6, 1e-310, 40.0, 0.1, true, false);
    assert!((most - (-0.05f64).exp()).abs() < 3e-16, "{most}");
    assert_eq!(qnbeta(-0.5, 6.0, 1.2, 1e-310, true, true), qbeta(-0.5, 6.0, 1.2, true, true));
}

/// Beyond 1e80 the noncentral chi-squared distribution is a step; squares of its parameters once left the range below that.
#[test]
fn noncentral_chi_squared_of_huge_parameters_is_a_step() {
    for df in [1e79, 1e85, 1e99, 1e100, 1e120, 1e200, 1e300] {
        assert_eq!(pnchisq(3.0, df, 4.0, true, false), 0.0, "{df:e}");
        assert_eq!(pnchisq(2.0 * df, df, 4.0, true, false), 1.0, "{df:e}");
        let middle = qnchisq(0.37, df, 4.0, true, false);
        assert!((middle / df - 1.0).abs() < 1e-15, "{df:e}: {middle:e}");
    }
}
