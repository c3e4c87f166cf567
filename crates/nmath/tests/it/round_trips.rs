//! Discrete distributions: the quantile of a probability is where it came from. And the tails of the negative binomial distribution where
//! counts, sizes or probabilities leave the range of its incomplete beta ratio.

use super::support::Random;
use crate::truth::ulps;
use gristmill_nmath as nmath;

const WAYS: [(bool, bool); 4] = [(true, false), (false, false), (true, true), (false, true)];

/// Distributions of each family, with one integer each.
const SAMPLES: usize = 1500;

/// Whether the values of the distribution function beside `p` are so far away that its step can be told: 2 ulp of a probability above 1/2,
/// elsewhere 2^-49 of it, for up to 2^-50 below counts as on a step.
fn is_apart(p: f64, beside: f64, log: bool) -> bool {
    let least = if !log && p > 0.5 { 2.0 * (1.0 - 1f64.next_down()) } else { p.abs() * 2f64.powi(-49) };
    (p - beside).abs() >= least
}

/// `q(p(x))` in each tail and on each scale; the number of round trips, and what failed.
fn round_trip(
    name: &str,
    x: f64,
    p: impl Fn(f64, bool, bool) -> f64,
    q: impl Fn(f64, bool, bool) -> f64,
    bad: &mut Vec<String>,
) -> usize {
    let mut tested = 0;
    for (lower, log) in WAYS {
        let at = p(x, lower, log);
        let inside = if log { at < 0.0 && at > -700.0 } else { at > 1e-300 && at < 1.0 };
        if inside && is_apart(at, p(x - 1.0, lower, log), log) && is_apart(at, p(x + 1.0, lower, log), log) {
            tested += 1;
            let back = q(at, lower, log);
            if back != x {
                bad.push(format!("{name}: {x} gives {at:?} gives {back}, lower {lower}, log {log}"));
            }
        }
    }
    tested
}

/// Nearly normal, with mean 0 and standard deviation 1.
fn spread(random: &mut Random) -> f64 {
    (0..4).map(|_| random.unit()).sum::<f64>().mul_add(1.7, -3.4)
}

/// A size from 1 to 400, 1e5 or `most`.
fn size(random: &mut Random, most: f64) -> f64 {
    let most = [400.0, 1e5, most][(random.unit() * 3.0) as usize];
    random.log_uniform(1.0, most)
}

/// 1/2, or between 0 and 1, or small.
fn probability(random: &mut Random, least: f64) -> f64 {
    match (random.unit() * 3.0) as u32 {
        0 => 0.5,
        1 => random.unit(),
        _ => random.log_uniform(least, 1.0),
    }
}

fn near(mean: f64, sd: f64, first: f64, last: f64, random: &mut Random) -> f64 {
    (2.5 * spread(random)).mul_add(sd, mean).round().clamp(first, last)
}

fn expect(seed: u64, tested: usize, least: usize, bad: &[String]) {
    assert!(bad.is_empty(), "seed {seed}: {} of {tested}\n{}", bad.len(), bad[..bad.len().min(20)].join("\n"));
    assert!(tested > least, "{tested}");
}

#[test]
fn binomial_and_hypergeometric_quantiles_lead_back() {
    let seed = 235;
    let mut random = Random(seed);
    let (mut tested, mut bad) = (0, Vec::new());
    for _ in 0..SAMPLES {
        let n = size(&mut random, 1e12).round();
        let prob = probability(&mut random, 1e-6);
        let x = near(n * prob, (n * prob * (1.0 - prob)).sqrt(), 0.0, n - 1.0, &mut random);
        tested += round_trip(
            &format!("binom({n}, {prob:?})"),
            x,
            |x, lower, log| nmath::pbinom(x, n, prob, lower, log),
            |p, lower, log| nmath::qbinom(p, n, prob, lower, log),
            &mut bad,
        );

        let (white, black) = (size(&mut random, 1e9).round(), size(&mut random, 1e9).round());
        let total = white + black;
        let drawn = (random.unit() * total).ceil();
        let mean = drawn * (white / total);
        let sd = (mean * (black / total) * ((total - drawn) / total)).sqrt();
        let (first, last) = ((drawn - black).max(0.0), white.min(drawn));
        if first == last {
            continue;
        }
        let x = near(mean, sd, first, last - 1.0, &mut random);
        tested += round_trip(
            &format!("hyper({white}, {black}, {drawn})"),
            x,
            |x, lower, log| nmath::phyper(x, white, black, drawn, lower, log),
            |p, lower, log| nmath::qhyper(p, white, black, drawn, lower, log),
            &mut bad,
        );
    }
    expect(seed, tested, 7 * SAMPLES, &bad);
}

#[test]
fn negative_binomial_quantiles_lead_back() {
    let seed = 65;
    let mut random = Random(seed);
    let (mut tested, mut bad) = (0, Vec::new());
    for _ in 0..SAMPLES {
        let size = size(&mut random, 1e12);
        let prob = probability(&mut random, 1e-10);
        let mu = size * (1.0 - prob) / prob;
        let x = near(mu, (mu / prob).sqrt(), 0.0, 1e15, &mut random);
        tested += round_trip(
            &format!("nbinom({size:?}, {prob:?})"),
            x,
            |x, lower, log| nmath::pnbinom(x, size, prob, lower, log),
            |p, lower, log| nmath::qnbinom(p, size, prob, lower, log),
            &mut bad,
        );
        tested += round_trip(
            &format!("nbinom_mu({size:?}, {mu:?})"),
            x,
            |x, lower, log| nmath::pnbinom_mu(x, size, mu, lower, log),
            |p, lower, log| nmath::qnbinom_mu(p, size, mu, lower, log),
            &mut bad,
        );
    }
    expect(seed, tested, 7 * SAMPLES, &bad);
}

#[test]
fn poisson_and_geometric_quantiles_lead_back() {
    let seed = 17;
    let mut random = Random(seed);
    let (mut tested, mut bad) = (0, Vec::new());
    for _ in 0..SAMPLES {
        let mean = size(&mut random, 1e12);
        tested += round_trip(
            &format!("pois({mean:?})"),
            near(mean, mean.sqrt(), 0.0, f64::MAX, &mut random),
            |x, lower, log| nmath::ppois(x, mean, lower, log),
            |p, lower, log| nmath::qpois(p, mean, lower, log),
            &mut bad,
        );
        let prob = probability(&mut random, 1e-12);
        tested += round_trip(
            &format!("geom({prob:?})"),
            (-random.unit().ln() / prob).floor(),
            |x, lower, log| nmath::pgeom(x, prob, lower, log),
            |p, lower, log| nmath::qgeom(p, prob, lower, log),
            &mut bad,
        );
    }
    expect(seed, tested, 7 * SAMPLES, &bad);
}

#[test]
fn rank_quantiles_lead_back() {
    let seed = 3;
    let mut random = Random(seed);
    let (mut tested, mut bad) = (0, Vec::new());
    for _ in 0..150 {
        let (m, n) = (random.log_uniform(1.0, 30.0).round(), random.log_uniform(3.0, 120.0).round());
        let sd = (m * n * (m + n + 1.0) / 12.0).sqrt();
        tested += round_trip(
            &format!("wilcox({m}, {n})"),
            near(0.5 * m * n, sd, 0.0, m * n - 1.0, &mut random),
            |x, lower, log| nmath::pwilcox(x, m, n, lower, log),
            |p, lower, log| nmath::qwilcox(p, m, n, lower, log),
            &mut bad,
        );
        let n = random.log_uniform(2.0, 150.0).round();
        let last = 0.5 * n * (n + 1.0);
        tested += round_trip(
            &format!("signrank({n})"),
            near(0.5 * last, (last * (2.0 * n + 1.0) / 12.0).sqrt(), 0.0, last - 1.0, &mut random),
            |x, lower, log| nmath::psignrank(x, n, lower, log),
            |p, lower, log| nmath::qsignrank(p, n, lower, log),
            &mut bad,
        );
    }
    expect(seed, tested, 1000, &bad);
}

/// Steps that a walk, or a tolerance of half an ulp, once missed.
#[test]
fn quantiles_lead_back_from_small_steps_and_next_to_one() {
    for (n, prob, x) in
        [(235.0, 0.5, 177.0), (20.0, 0.1, 17.0), (20.0, 0.9, 19.0), (669_088_119_703.0, 0.5, 334_546_743_208.0)]
    {
        let p = nmath::pbinom(x, n, prob, true, false);
        assert_eq!(nmath::qbinom(p, n, prob, true, false), x, "binom {n} {prob}");
    }
    let p = nmath::phyper(3183.0, 6153.0, 803.0, 3478.0, true, false);
    assert_eq!(nmath::qhyper(p, 6153.0, 803.0, 3478.0, true, false), 3183.0);
    for (size, prob, x) in [
        (18.0, 0.6461055492809595, 65.0),
        (3867.4599982716277, 1.1379037346028248e-10, 33_908_728_232_213.0),
        (5025.199568546718, 2.382847279385918e-10, 21_010_358_091_161.0),
    ] {
        let mu = 21_089_054_304_161.414;
        for (lower, log) in WAYS {
            let p = nmath::pnbinom(x, size, prob, lower, log);
            if x > 65.0 || lower && !log {
                assert_eq!(nmath::qnbinom(p, size, prob, lower, log), x, "nbinom {size} {lower} {log}");
            }
            let p = nmath::pnbinom_mu(21_010_358_091_161.0, 5025.199568546718, mu, lower, log);
            assert_eq!(nmath::qnbinom_mu(p, 5025.199568546718, mu, lower, log), 21_010_358_091_161.0, "{lower} {log}");
        }
    }
    for (x, m, n, lower) in [(3323.0, 3.0, 2000.0, true), (3677.0, 3.0, 2000.0, true), (3343.0, 7.0, 1000.0, false)] {
        let p = nmath::pwilcox(x, m, n, lower, false);
        assert_eq!(nmath::qwilcox(p, m, n, lower, false), x, "wilcox {m} {n} {p:?}");
    }
    let p = nmath::psignrank(2697.0, 100.0, true, false);
    assert_eq!(nmath::qsignrank(p, 100.0, true, false), 2697.0);
}

/// One ulp above a step that is a double, the next integer is the first that reaches it.
#[test]
fn an_ulp_above_a_step_is_above_it() {
    let p = 0.5f64.next_up();
    assert_eq!(nmath::qbinom(p, 1.0, 0.5, true, false), 1.0);
    assert_eq!(nmath::qbinom(p, 3.0, 0.5, true, false), 2.0);
    assert_eq!(nmath::qnbinom(p, 1.0, 0.5, true, false), 1.0);
    assert_eq!(nmath::qhyper(p, 1.0, 1.0, 1.0, true, false), 1.0);
    assert_eq!(nmath::qsignrank(p, 1.0, true, false), 1.0);
}

/// Where many counts have one value of the distribution function, its quantile is the first.
#[test]
fn a_geometric_quantile_is_the_first_of_its_value() {
    for (x, prob) in [(4_764_260_000.0, 4.877723125173416e-09), (3e11, 1e-10), (2e16, 1e-16), (1e18, 1e-17)] {
        let p = nmath::pgeom(x, prob, true, false);
        let first = nmath::qgeom(p, prob, true, false);
        assert_eq!(nmath::pgeom(first, prob, true, false), p, "{prob:e}");
        let before = (first - 1.0).min(first.next_down());
        assert!(first <= x && nmath::pgeom(before, prob, true, false) < p, "{prob:e}: {first}");
    }
}

/// The gamma distribution function at `x prob`, or `x size/mu`, by mpmath with 60 digits; for the smallest sizes `size E1`.
#[test]
fn negative_binomial_tails_hold_at_the_ends_of_the_range() {
    type Case = (bool, f64, f64, f64, [f64; 4]);
    let cases: [Case; 14] = [
        (
            true,
            1e300,
            1e-300,
            1e-300,
            [1.0, 2.193839343955202506406e-301, -2.193839343955202506406e-301, -692.2924598572157509213],
        ),
        (
            false,
            1e300,
            1e-300,
            1.0,
            [1.0, 2.193839343955202506406e-301, -2.193839343955202506406e-301, -692.2924598572157509213],
        ),
        (
            false,
            2.9618931722326648e+299,
            1.4074013140300546e-277,
            3.8193881228468415e+22,
            [1.0, 2.654463556171434308839e-278, -2.654463556171434308839e-278, -639.1424132684719707069],
        ),
        (
            false,
            1e291,
            1.0,
            1e291,
            [0.6321205588285576784045, 0.3678794411714423215955, -0.4586751453870818910216, -1.0],
        ),
        (false, 1e300, 1.0, 1e291, [1.0, 0.0, 0.0, -1000000000.000000094644]),
        (
            false,
            3e291,
            2.5,
            7e291,
            [0.1709542281952023992098, 0.8290457718047976007902, -1.766359429682938565298, -0.1874799120962528219],
        ),
        (
            true,
            1e306,
            1.0,
            1e-307,
            [0.09516258196404042018906, 0.9048374180359595798109, -2.352168461044090878765, -0.09999999999999999265427],
        ),
        (
            true,
            3e301,
            1e-299,
            1e-301,
            [1.0, 1.304838109419703335598e-301, -1.304838109419703335598e-301, -692.8120340122129570491],
        ),
        (
            false,
            1e300,
            3e-290,
            1.5e308,
            [1.0, 2.054699984600292353926e-287, -2.054699984600292353926e-287, -660.1217918448961483185],
        ),
        (
            false,
            1e300,
            0.5,
            1.5e308,
            [
                0.00006514700151467043365092,
                0.9999348529984853295663,
                -9.638864279786103449279,
                -0.00006514912367274226702418,
            ],
        ),
        (
            true,
            2e304,
            1e-280,
            3e-303,
            [1.0, 1.435867565681253954812e-308, -1.435867565681253954812e-308, -708.8344394002489261456],
        ),
        (
            true,
            1e250,
            1e-280,
            1e-292,
            [1.0, 9.613135824084838179711e-279, -9.613135824084838179711e-279, -640.1581104671460160915],
        ),
        (
            false,
            9.70964232207659e+285,
            1.9468032430573097e-31,
            2.4530868584514213e+257,
            [1.0, 8.363991518494667549996e-31, -8.363991518494667549996e-31, -69.25620211529848300579],
        ),
        (
            true,
            7e279,
            2.5,
            3e-280,
            [0.4790050465685949893298, 0.5209949534314050106702, -0.7360441459929112184118, -0.6520149235877652708944],
        ),
    ];
    let mut bad = Vec::new();
    for (by_probability, x, size, second, truths) in cases {
        for ((lower, log), truth) in WAYS.into_iter().zip(truths) {
            let value = if by_probability {
                nmath::pnbinom(x, size, second, lower, log)
            } else {
                nmath::pnbinom_mu(x, size, second, lower, log)
            };
            let error = ulps(value, truth);
            if error.is_nan() || error > 1.0 {
                bad.push(format!("({x:e}, {size:e}, {second:e}, {lower}, {log}): {value:?}, but it is {truth:?}"));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
