//! Random numbers: each draw has its distribution, whatever the parameters; elements, streams and seeds are independent;
//! an element is the same on every path; bad arguments end well.
//!
//! Seeds are fixed, so a test passes always or never. A tail probability below 1e-6 counts as wrong; there are some 300
//! statistics in this file, so that a right generator had a chance of 3 in 10000 to be accused.

use crate::support::timing::ends_within;
use gristmill_kernel::{Column, ColumnMut, Function, Level};
use gristmill_nmath as nmath;
use std::time::Duration;

const DRAWS: u64 = 20_000;
const TOO_RARE: f64 = 1e-6;

/// A distribution with its parameters bound.
struct Case {
    name: String,
    /// seed, stream, index
    draw: Box<dyn Fn(u64, u32, u64) -> f64>,
    p: Box<dyn Fn(f64) -> f64>,
    /// Discrete ones only.
    q: Option<Box<dyn Fn(f64) -> f64>>,
}

macro_rules! case {
    ($r:ident $p:ident $q:expr, $($a:expr),*) => {
        Case {
            name: format!("{}{:?}", stringify!($r), [$($a),*]),
            draw: Box::new(|seed, stream, index| nmath::$r(seed, stream, index, $($a),*)),
            p: Box::new(|x| nmath::$p(x, $($a),*, true, false)),
            q: $q,
        }
    };
}
macro_rules! continuous {
    ($($r:ident $p:ident: $([$($a:expr),*])*;)*) => { vec![$($(case!($r $p None, $($a),*)),*),*] };
}
macro_rules! discrete {
    ($($r:ident $p:ident $q:ident: $([$($a:expr),*])*;)*) => {
        vec![$($(case!($r $p Some(Box::new(|p| nmath::$q(p, $($a),*, true, false))), $($a),*)),*),*]
    };
}

fn continuous() -> Vec<Case> {
    continuous! {
        runif punif: [0.0, 1.0] [-3.0, 7.5] [1e6, 1e6 + 1.0];
        rnorm pnorm: [0.0, 1.0] [5.0, 0.1] [-1e10, 3.0];
        rlnorm plnorm: [0.0, 1.0] [2.0, 0.3] [-1.0, 3.0];
        rexp pexp: [1.0] [1e-300] [1e300];
        rweibull pweibull: [1.0, 1.0] [0.3, 2.0] [7.5, 1e-3] [50.0, 10.0];
        rlogis plogis: [0.0, 1.0] [3.0, 0.2];
        rcauchy pcauchy: [0.0, 1.0] [-2.0, 50.0];
        rgamma pgamma: [1e-3, 1.0] [0.05, 1e100] [0.3, 2.0] [0.999, 1.0] [1.0, 1.0] [1.0001, 3.0] [1.5, 1e-200] [3.0, 1.0]
            [30.0, 0.1] [1e3, 1.0] [1e6, 1.0] [1e12, 1.0] [1e15, 1.0];
        rchisq pchisq: [0.01] [0.5] [1.0] [2.0] [3.0] [10.0] [1e5];
        rbeta pbeta: [0.01, 0.5] [0.5, 0.5] [1.0, 1.0] [0.1, 5.0] [5.0, 0.3] [2.0, 3.0] [1.5, 800.0] [1e3, 1e3] [1e6, 10.0]
            [1e8, 3e8];
        rt pt: [0.05] [0.3] [1.0] [2.0] [2.5] [10.0] [1e3] [1e9];
        rf pf: [1.0, 1.0] [0.1, 3.0] [3.0, 0.1] [0.5, 0.5] [2.0, 2.0] [5.0, 1e4] [1e6, 20.0];
    }
}

fn discrete() -> Vec<Case> {
    discrete! {
        rgeom pgeom qgeom: [1e-12] [1e-3] [0.3] [0.9];
        rpois ppois qpois: [1e-3] [0.5] [5.0] [9.9] [12.0] [31.9] [32.0] [50.0] [1e3] [1e6] [1e12] [1e15];
        rbinom pbinom qbinom: [1.0, 0.3] [10.0, 0.5] [19.0, 0.5] [20.0, 0.5] [25.0, 0.6] [100.0, 0.05] [100.0, 0.95]
            [1e4, 0.3] [1e9, 1e-8] [1e9, 0.5] [1e12, 0.3] [1e15, 0.7];
        rnbinom pnbinom qnbinom: [0.1, 0.3] [1.0, 0.5] [3.5, 0.02] [100.0, 0.9] [1e6, 0.5] [0.5, 1e-9] [5.5, 0.3]
            [0.6, 0.02] [20.0, 0.6];
        rnbinom_mu pnbinom_mu qnbinom_mu: [0.1, 5.0] [3.0, 1e3] [1e8, 20.0] [10.0, 1e10] [0.1, 50.0] [5.5, 12.0] [1e9, 8.0];
        rhyper phyper qhyper: [5.0, 5.0, 5.0] [10.0, 40.0, 20.0] [40.0, 10.0, 35.0] [100.0, 1000.0, 50.0]
            [60.0, 60.0, 60.0] [66.0, 80.0, 70.0] [1000.0, 3000.0, 500.0] [3000.0, 1000.0, 3900.0] [1e6, 1e6, 1e5] [1e9, 2e9, 1e9]
            [1e12, 3e12, 1e6];
    }
}

/// The upper tail of the Kolmogorov-Smirnov statistic `d` of `n` values (Stephens' form of the limit).
fn kolmogorov_tail(d: f64, n: f64) -> f64 {
    let l = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * d;
    if l < 0.2 {
        return 1.0;
    }
    (1..=100).map(|j| 2.0 * (-2.0 * f64::from(j * j) * l * l).exp() * if j % 2 == 1 { 1.0 } else { -1.0 }).sum()
}

/// The upper tail of Pearson's statistic; cells without expectation must be empty.
fn pearson_tail(counts: &[f64], expected: &[f64]) -> f64 {
    let mut chi2 = 0.0;
    let mut cells = -1.0;
    for (c, e) in counts.iter().zip(expected) {
        if *e > 0.0 {
            chi2 += (c - e) * (c - e) / e;
            cells += 1.0;
        } else if *c > 0.0 {
            return 0.0;
        }
    }
    if cells < 1.0 { 1.0 } else { nmath::pchisq(chi2, cells, false, false) }
}

#[test]
fn continuous_draws_follow_their_distribution_functions() {
    for case in continuous() {
        let mut x: Vec<f64> = (0..DRAWS).map(|i| (case.draw)(11, 0, i)).collect();
        assert!(x.iter().all(|x| !x.is_nan()), "{}", case.name);
        x.sort_by(f64::total_cmp);
        let n = DRAWS as f64;
        let mut d: f64 = 0.0;
        let (mut low, mut high) = (0.0, 0.0);
        // A number below the smallest double is 0, one above the largest is infinite: no jump of F, so not compared.
        let edge = |x: f64| x == 0.0 || x.abs() == f64::INFINITY;
        for (i, x) in x.iter().enumerate().filter(|(_, x)| !edge(**x)) {
            let u = (case.p)(*x);
            d = d.max(u - i as f64 / n).max((i as f64 + 1.0) / n - u);
            low += f64::from(u < 1e-3);
            high += f64::from(u > 0.999);
        }
        let tail = kolmogorov_tail(d, n);
        assert!(tail > TOO_RARE, "{}: Kolmogorov-Smirnov {d}, tail {tail}", case.name);
        if !x.iter().any(|x| edge(*x)) {
            for (count, which) in [(low, "lower"), (high, "upper")] {
                let few = nmath::pbinom(count, n, 1e-3, true, false);
                let many = nmath::pbinom(count - 1.0, n, 1e-3, false, false);
                assert!(few.min(many) > TOO_RARE, "{}: {count} of {n} in the {which} 0.001", case.name);
            }
        }
    }
}

#[test]
fn discrete_draws_follow_their_distribution_functions() {
    const CELLS: u32 = 40;
    for case in discrete() {
        let q = case.q.as_ref().expect("discrete");
        let mut borders: Vec<f64> = (1..CELLS).map(|j| q(f64::from(j) / f64::from(CELLS))).collect();
        borders.extend([q(1e-3), q(0.999)]);
        borders.sort_by(f64::total_cmp);
        borders.dedup();
        let mut counts = vec![0.0; borders.len() + 1];
        for i in 0..DRAWS {
            let x = (case.draw)(12, 0, i);
            assert!(x >= 0.0 && x == x.floor(), "{}: {x}", case.name);
            counts[borders.partition_point(|b| *b < x)] += 1.0;
        }
        let mut below = 0.0;
        let mut expected = vec![];
        for b in borders.iter().copied().chain([f64::INFINITY]) {
            let p = (case.p)(b);
            expected.push((p - below) * DRAWS as f64);
            below = p;
        }
        let tail = pearson_tail(&counts, &expected);
        assert!(tail > TOO_RARE, "{}: tail {tail}, {counts:?} for {expected:?}", case.name);
    }
}

#[test]
fn means_and_variances_are_those_of_the_distributions() {
    type Draw = fn(u64) -> f64;
    let cases: &[(&str, Draw, f64, f64)] = &[
        ("unif_rand", |i| nmath::unif_rand(5, 1, i), 0.5, 1.0 / 12.0),
        ("norm_rand", |i| nmath::norm_rand(5, 1, i), 0.0, 1.0),
        ("exp_rand", |i| nmath::exp_rand(5, 1, i), 1.0, 1.0),
        ("r_unif_index", |i| nmath::r_unif_index(5, 1, i, 10.0), 4.5, 99.0 / 12.0),
        ("rgamma", |i| nmath::rgamma(5, 1, i, 0.4, 3.0), 1.2, 3.6),
        ("rgamma", |i| nmath::rgamma(5, 1, i, 1e12, 1.0) - 1e12, 0.0, 1e12),
        ("rchisq", |i| nmath::rchisq(5, 1, i, 7.0), 7.0, 14.0),
        ("rbeta", |i| nmath::rbeta(5, 1, i, 2.0, 6.0), 0.25, 0.25 * 0.75 / 9.0),
        ("rt", |i| nmath::rt(5, 1, i, 12.0), 0.0, 1.2),
        ("rf", |i| nmath::rf(5, 1, i, 9.0, 22.0), 1.1, 2.0 * 484.0 * 29.0 / (9.0 * 400.0 * 18.0)),
        ("rlogis", |i| nmath::rlogis(5, 1, i, 1.0, 2.0), 1.0, 4.0 * std::f64::consts::PI.powi(2) / 3.0),
        ("rbinom", |i| nmath::rbinom(5, 1, i, 1e10, 0.25), 2.5e9, 0.1875e10),
        ("rpois", |i| nmath::rpois(5, 1, i, 3.5), 3.5, 3.5),
        ("rpois", |i| nmath::rpois(5, 1, i, 1e8), 1e8, 1e8),
        ("rgeom", |i| nmath::rgeom(5, 1, i, 0.2), 4.0, 20.0),
        ("rnbinom", |i| nmath::rnbinom(5, 1, i, 6.0, 0.25), 18.0, 72.0),
        ("rnbinom_mu", |i| nmath::rnbinom_mu(5, 1, i, 6.0, 18.0), 18.0, 72.0),
        ("rhyper", |i| nmath::rhyper(5, 1, i, 300.0, 700.0, 200.0), 60.0, 42.0 * 800.0 / 999.0),
    ];
    for (name, draw, mean, variance) in cases {
        let n = DRAWS as f64;
        let x: Vec<f64> = (0..DRAWS).map(draw).collect();
        let moment = |k: i32| x.iter().map(|x| (x - mean).powi(k)).sum::<f64>() / n;
        let z = moment(1) / (variance / n).sqrt();
        assert!(z.abs() < 5.0, "{name}: the mean is {z} standard errors off");
        let z = (moment(2) - variance) / ((moment(4) - moment(2).powi(2)) / n).sqrt();
        assert!(z.abs() < 5.0, "{name}: the variance is {z} standard errors off");
    }
}

#[test]
fn neighbours_streams_and_seeds_are_independent() {
    type Draw = fn(u64, u32, u64) -> f64;
    let draws: &[(&str, Draw)] = &[
        ("unif_rand", nmath::unif_rand),
        ("norm_rand", |s, t, i| nmath::pnorm(nmath::norm_rand(s, t, i), 0.0, 1.0, true, false)),
        ("exp_rand", |s, t, i| nmath::pexp(nmath::exp_rand(s, t, i), 1.0, true, false)),
        ("rgamma", |s, t, i| nmath::pgamma(nmath::rgamma(s, t, i, 2.5, 1.0), 2.5, 1.0, true, false)),
        ("rbeta", |s, t, i| nmath::pbeta(nmath::rbeta(s, t, i, 0.5, 1.0), 0.5, 1.0, true, false)),
    ];
    type Partner = fn(u64, u32, u64) -> (u64, u32, u64);
    let partners: &[(&str, Partner)] = &[
        ("the next element", |s, t, i| (s, t, i + 1)),
        ("the element after the next", |s, t, i| (s, t, i + 2)),
        ("the element 256 on", |s, t, i| (s, t, i + 256)),
        ("the element 2^32 on", |s, t, i| (s, t, i + (1 << 32))),
        ("the next stream", |s, t, i| (s, t + 1, i)),
        ("stream 2^31", |s, t, i| (s, t ^ (1 << 31), i)),
        ("the next seed", |s, t, i| (s + 1, t, i)),
        ("the seed 2^32 on", |s, t, i| (s + (1 << 32), t, i)),
    ];
    const SIDE: usize = 8;
    for (name, draw) in draws {
        for (what, partner) in partners {
            let mut counts = [0.0; SIDE * SIDE];
            let mut product = 0.0;
            for i in 0..DRAWS {
                let x = draw(7, 2, i);
                let (s, t, j) = partner(7, 2, i);
                let y = draw(s, t, j);
                let cell = |u: f64| ((u * SIDE as f64) as usize).min(SIDE - 1);
                counts[cell(x) * SIDE + cell(y)] += 1.0;
                product += (x - 0.5) * (y - 0.5);
            }
            let tail = pearson_tail(&counts, &[DRAWS as f64 / (SIDE * SIDE) as f64; SIDE * SIDE]);
            assert!(tail > TOO_RARE, "{name} and {what}: tail {tail}");
            let correlation = 12.0 * product / DRAWS as f64;
            assert!(correlation.abs() * (DRAWS as f64).sqrt() < 5.0, "{name} and {what}: correlation {correlation}");
        }
    }
}

#[test]
fn streams_stay_apart_from_blocks() {
    // Draws that use many blocks of an element share none with other elements or streams: all are different.
    let mut all: Vec<u64> = vec![];
    for stream in 0..20 {
        for index in 0..200 {
            all.push(nmath::rgamma(1, stream, index, 0.7, 1.0).to_bits());
            all.push(nmath::rt(1, stream, index, 3.0).to_bits());
        }
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn uniform_numbers_are_multiples_of_2_to_the_minus_53_inside_the_interval() {
    for i in 0..DRAWS {
        let u = nmath::unif_rand(99, 3, i);
        let k = u * 9_007_199_254_740_992.0;
        assert!(u > 0.0 && u < 1.0 && k == k.floor());
    }
    // all 53 bits are used: the last one is set about half of the time
    let odd = (0..DRAWS).filter(|i| (nmath::unif_rand(99, 3, *i) * 9_007_199_254_740_992.0) as u64 % 2 == 1).count();
    assert!((odd as f64 - 10_000.0).abs() < 5.0 * 5000f64.sqrt(), "{odd}");
}

#[test]
fn every_index_is_equally_likely() {
    for n in [1u32, 2, 3, 7, 40] {
        let mut counts = vec![0.0; n as usize];
        for i in 0..DRAWS {
            counts[nmath::r_unif_index(4, 0, i, f64::from(n)) as usize] += 1.0;
        }
        let tail = pearson_tail(&counts, &vec![DRAWS as f64 / f64::from(n); n as usize]);
        assert!(tail > TOO_RARE, "{n}: {counts:?}");
    }
    // far up, in eight parts of the range
    for size in [1e15, 9_007_199_254_740_992.0, 1e18, 1e300] {
        let mut counts = [0.0; 8];
        for i in 0..DRAWS {
            let k = nmath::r_unif_index(4, 0, i, size);
            assert!(k >= 0.0 && k < size && k == k.floor());
            counts[(k / size * 8.0) as usize] += 1.0;
        }
        assert!(pearson_tail(&counts, &[DRAWS as f64 / 8.0; 8]) > TOO_RARE, "{size}: {counts:?}");
    }
}

/// Every function that draws, with parameters for each of its methods.
const FUNCTIONS: &[(&str, &[&[f64]])] = &[
    ("unif_rand", &[&[]]),
    ("norm_rand", &[&[]]),
    ("exp_rand", &[&[]]),
    ("r_unif_index", &[&[10.0], &[1e15], &[1e300]]),
    ("runif", &[&[-1.0, 2.0]]),
    ("rnorm", &[&[3.0, 0.5]]),
    ("rlnorm", &[&[1.0, 2.0]]),
    ("rexp", &[&[3.0]]),
    ("rweibull", &[&[0.7, 2.0]]),
    ("rlogis", &[&[0.0, 1.0]]),
    ("rcauchy", &[&[0.0, 1.0]]),
    ("rgamma", &[&[0.02, 1.0], &[1.0, 1.0], &[3.0, 2.0], &[1e12, 1.0]]),
    ("rchisq", &[&[3.0]]),
    ("rbeta", &[&[0.2, 0.3], &[0.4, 1.0], &[1.0, 1.2], &[4.0, 5.0]]),
    ("rt", &[&[0.5], &[7.0], &[f64::INFINITY]]),
    ("rf", &[&[0.5, 3.0], &[4.0, 9.0], &[f64::INFINITY, 3.0], &[0.7, f64::INFINITY]]),
    ("rgeom", &[&[0.1]]),
    ("rpois", &[&[2.0], &[9.9], &[31.9], &[32.0], &[1e12]]),
    ("rbinom", &[&[9.0, 0.3], &[100.0, 0.7], &[100.0, 0.4], &[1e12, 0.4]]),
    ("rnbinom", &[&[2.0, 0.1], &[0.2, 0.5], &[5.5, 0.3], &[0.6, 0.02], &[550.0, 0.4]]),
    ("rnbinom_mu", &[&[2.0, 30.0], &[f64::INFINITY, 4.0]]),
    ("rhyper", &[&[10.0, 20.0, 8.0], &[60.0, 80.0, 50.0], &[300.0, 400.0, 90.0], &[1e12, 1e12, 1e9]]),
];

/// Draws the elements from `start` on, by the block loop.
fn block(f: Function, level: Level, start: u64, params: &[&[f64]], n: usize) -> Vec<u64> {
    let index: Vec<u64> = (start..start + n as u64).collect();
    let mut ins = vec![Column::U64(&[2024]), Column::U32(&[6]), Column::U64(&index)];
    ins.extend(params.iter().map(|p| Column::F64(p)));
    let mut out = vec![0.0; n];
    f.map_on(level, &ins, &mut [ColumnMut::F64(&mut out)]).expect("the columns fit");
    out.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn an_element_is_the_same_alone_in_any_chunk_and_at_any_instruction_set() {
    let start = (1 << 32) - 150; // the index carries into its high word
    let n = 300;
    for (name, sets) in FUNCTIONS {
        let f = &nmath::kernel(name).expect("it is in the list");
        for set in *sets {
            let uniform: Vec<&[f64]> = set.iter().map(std::slice::from_ref).collect();
            let whole = block(*f, Level::best(), start, &uniform, n);
            for level in Level::all() {
                assert_eq!(block(*f, level, start, &uniform, n), whole, "{} {set:?} at {}", f.name(), level.name());
                let mut pieces = vec![];
                for size in [1, 7, 64, 228] {
                    pieces.extend(block(*f, level, start + pieces.len() as u64, &uniform, size));
                }
                assert_eq!(pieces, whole, "{} {set:?} in pieces at {}", f.name(), level.name());
                let full: Vec<Vec<f64>> = set.iter().map(|p| vec![*p; n]).collect();
                let full: Vec<&[f64]> = full.iter().map(Vec::as_slice).collect();
                assert_eq!(block(*f, level, start, &full, n), whole, "{} {set:?}, arrays", f.name());
                for i in [0, 149, 150, 299] {
                    let alone = block(*f, level, start + i as u64, &uniform, 1);
                    assert_eq!(alone[0], whole[i], "{} {set:?}, element {i} alone", f.name());
                }
            }
        }
    }
}

/// Whether parameters are in a function's domain: outside it the result is NaN, inside never.
fn valid(name: &str, p: &[f64]) -> bool {
    let finite = f64::is_finite;
    let (a, b) = (p[0], *p.get(1).unwrap_or(&0.0));
    match name {
        "r_unif_index" => !a.is_nan() && a < f64::INFINITY,
        "runif" => finite(a) && finite(b) && a <= b,
        "rnorm" | "rlnorm" | "rcauchy" => !a.is_nan() && finite(b) && b >= 0.0,
        "rlogis" => !a.is_nan() && finite(b),
        "rexp" | "rchisq" | "rpois" => finite(a) && a >= 0.0,
        "rweibull" => !a.is_nan() && (b == 0.0 || (a > 0.0 && finite(a) && b > 0.0 && finite(b))),
        "rgamma" => !a.is_nan() && !b.is_nan() && (a == 0.0 || b == 0.0 || (a > 0.0 && b > 0.0)),
        "rbeta" => a >= 0.0 && b >= 0.0,
        "rt" => a > 0.0,
        "rf" => a > 0.0 && b > 0.0,
        "rgeom" => a > 0.0 && a <= 1.0,
        "rbinom" => finite(a) && a >= 0.0 && a == a.floor() && (0.0..=1.0).contains(&b),
        "rnbinom" => a > 0.0 && b > 0.0 && b <= 1.0,
        "rnbinom_mu" => a > 0.0 && b >= 0.0 && finite(b),
        "rhyper" => {
            let [r, b, n] = [p[0], p[1], p[2]].map(f64::round_ties_even);
            r >= 0.0 && b >= 0.0 && n >= 0.0 && finite(r + b) && n <= r + b
        }
        _ => unreachable!("{name}"),
    }
}

#[test]
fn bad_arguments_give_nan_and_odd_ones_a_number_without_delay() {
    const NASTY: &[f64] = &[
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        -1.0,
        -0.5,
        0.5,
        0.3,
        1.0,
        1.5,
        7.0,
        40.0,
        5e-324,
        1e-310,
        1e-300,
        1e-100,
        0.9999999999999999,
        1e12,
        9_007_199_254_740_992.0,
        1e17,
        1e100,
        1e300,
        f64::MAX,
        f64::MIN,
    ];
    let whole = ["rgeom", "rpois", "rbinom", "rnbinom", "rnbinom_mu", "rhyper", "r_unif_index"];
    for (name, _) in FUNCTIONS {
        let f = &nmath::kernel(name).expect("it is in the list");
        let count = f.params().len() - 3;
        if count == 0 {
            continue;
        }
        for code in 0..NASTY.len().pow(count as u32) {
            let p: Vec<f64> = (0..count).map(|i| NASTY[code / NASTY.len().pow(i as u32) % NASTY.len()]).collect();
            let params: Vec<&[f64]> = p.iter().map(std::slice::from_ref).collect();
            let draw = || f64::from_bits(block(*f, Level::best(), u64::MAX - 1, &params, 1)[0]);
            assert!(ends_within(Duration::from_millis(500), draw), "{}{p:?} takes long", f.name());
            let x = draw();
            assert_eq!(x.is_nan(), !valid(f.name(), &p), "{}{p:?} gives {x}", f.name());
            if whole.contains(&f.name()) && x.is_finite() {
                assert!(x >= 0.0 && x == x.floor(), "{}{p:?} gives {x}", f.name());
            }
        }
    }
}

#[test]
fn edges_are_those_of_r() {
    let inf = f64::INFINITY;
    assert_eq!(nmath::rnorm(1, 1, 1, inf, 1.0), inf);
    assert_eq!(nmath::rnorm(1, 1, 1, 3.0, 0.0), 3.0);
    assert_eq!(nmath::runif(1, 1, 1, 2.0, 2.0), 2.0);
    assert!(nmath::runif(1, 1, 1, -1.5e308, 1.5e308).is_finite()); // R overflows here
    assert_eq!(nmath::rexp(1, 1, 1, 0.0), 0.0);
    for (shape, scale, expected) in
        [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (inf, 1.0, inf), (1.0, inf, inf), (0.0, inf, 0.0), (inf, 0.0, 0.0)]
    {
        assert_eq!(nmath::rgamma(1, 1, 1, shape, scale), expected, "rgamma({shape}, {scale})");
    }
    for (a, b, expected) in [
        (inf, inf, 0.5),
        (inf, 1.0, 1.0),
        (1.0, inf, 0.0),
        (0.0, 1.0, 0.0),
        (1.0, 0.0, 1.0),
        (0.0, inf, 0.0),
        (inf, 0.0, 1.0),
    ] {
        assert_eq!(nmath::rbeta(1, 1, 1, a, b), expected, "rbeta({a}, {b})");
    }
    let ones: f64 = (0..1000).map(|i| nmath::rbeta(1, 1, i, 0.0, 0.0)).sum();
    assert!((ones - 500.0).abs() < 80.0, "{ones}");
    assert_eq!(nmath::rt(1, 1, 9, inf), nmath::norm_rand(1, 1, 9));
    assert_eq!(nmath::rf(1, 1, 1, inf, inf), 1.0);
    assert_eq!(nmath::rlnorm(1, 1, 1, f64::NEG_INFINITY, 1.0), 0.0);
    assert_eq!(nmath::rlnorm(1, 1, 1, inf, 1.0), inf);
    assert_eq!(nmath::rweibull(1, 1, 1, 1.0, 0.0), 0.0);
    assert_eq!(nmath::rlogis(1, 1, 1, inf, 1.0), inf);
    assert_eq!(nmath::rcauchy(1, 1, 1, 4.0, 0.0), 4.0);
    for (n, p, expected) in [(0.0, 0.5, 0.0), (5.0, 0.0, 0.0), (5.0, 1.0, 5.0)] {
        assert_eq!(nmath::rbinom(1, 1, 1, n, p), expected, "rbinom({n}, {p})");
    }
    assert!(nmath::rbinom(1, 1, 1, 5.0000000001, 0.5).is_nan());
    assert_eq!(nmath::rnbinom(1, 1, 1, 3.0, 1.0), 0.0);
    assert_eq!(nmath::rnbinom(1, 1, 1, inf, 0.5), inf); // R gives half of its largest double
    assert_eq!(nmath::rnbinom_mu(1, 1, 1, 3.0, 0.0), 0.0);
    assert_eq!(nmath::rpois(1, 1, 1, 0.0), 0.0);
    assert_eq!(nmath::rgeom(1, 1, 1, 1.0), 0.0);
    for (r, b, n, expected) in
        [(5.0, 5.0, 10.0, 5.0), (0.0, 5.0, 3.0, 0.0), (5.0, 0.0, 3.0, 3.0), (5.6, 5.0, 11.0, 6.0)]
    {
        assert_eq!(nmath::rhyper(1, 1, 1, r, b, n), expected, "rhyper({r}, {b}, {n})");
    }
    assert_eq!(nmath::r_unif_index(1, 1, 1, 0.0), 0.0);
    assert_eq!(nmath::r_unif_index(1, 1, 1, -3.0), 0.0);
}

#[test]
fn tiny_shapes_do_not_underflow_before_the_result_does() {
    // x = beta(a, a) with a tiny a is next to 0 or next to 1, each half of the time, and never NaN.
    for a in [1e-3, 1e-100, 1e-290, 1e-310, 5e-324] {
        let x: Vec<f64> = (0..2000).map(|i| nmath::rbeta(8, 0, i, a, a)).collect();
        let high = x.iter().filter(|x| **x > 0.5).count() as f64;
        assert!((high - 1000.0).abs() < 5.0 * 500f64.sqrt(), "shape {a}: {high} of 2000 above 1/2");
        let z: Vec<f64> = (0..2000).map(|i| nmath::rf(8, 0, i, a, a)).collect();
        let high = z.iter().filter(|z| **z > 1.0).count() as f64;
        assert!((high - 1000.0).abs() < 5.0 * 500f64.sqrt(), "df {a}: {high} of 2000 above 1");
    }
    // unequal ones: P(x > 1/2) = a/(a + b)
    let high = (0..2000).filter(|i| nmath::rbeta(8, 0, *i, 3e-310, 1e-310) > 0.5).count() as f64;
    assert!((high - 1500.0).abs() < 5.0 * 375f64.sqrt(), "{high}");
    // x^a is nearly uniform: the far powers are there, down to the smallest double
    let smallest = (0..DRAWS).map(|i| nmath::rgamma(8, 0, i, 0.01, 1.0)).filter(|x| *x > 0.0).fold(1.0, f64::min);
    assert!(smallest < 1e-300, "{smallest}");
}
