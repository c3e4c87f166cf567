//! Single calls and block loops of every level give the same bits; no call takes long; ends and conventions are R's.

use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use gristmill_nmath::{KERNELS, dsignrank, dwilcox, psignrank, pwilcox, qsignrank, qwilcox, rsignrank, rwilcox};
use std::time::Instant;

use crate::support::Random;

enum Values {
    F64(Vec<f64>),
    U64(Vec<u64>),
    U32(Vec<u32>),
    Bool(Vec<bool>),
}

impl Values {
    fn column(&self) -> Column<'_> {
        match self {
            Values::F64(v) => Column::F64(v),
            Values::U64(v) => Column::U64(v),
            Values::U32(v) => Column::U32(v),
            Values::Bool(v) => Column::Bool(v),
        }
    }
}

/// Arguments of `f`: `count` of each, or one size for all.
fn arguments(f: Function, count: usize, size: Option<f64>, random: &mut Random) -> Vec<Values> {
    let quantile = f.name().starts_with('q');
    let params = f.params().enumerate();
    params
        .map(|(i, (_, scalar))| match scalar {
            Scalar::U64 => Values::U64((0..count).map(|_| random.word() >> 11).collect()),
            Scalar::U32 => Values::U32(vec![7]),
            Scalar::Bool => Values::Bool((0..count).map(|_| random.unit() < 0.5).collect()),
            _ if i == 0 && quantile => Values::F64((0..count).map(|_| random.unit()).collect()),
            _ if i == 0 => {
                let ugly = [-1.0, 0.0, 0.5, 1.0 + 1e-9, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300];
                let mut x: Vec<f64> = (0..count).map(|_| (random.unit() * 200.0).floor()).collect();
                for (x, ugly) in x.iter_mut().step_by(3).zip(ugly) {
                    *x = ugly;
                }
                Values::F64(x)
            }
            _ => match size {
                Some(size) => Values::F64(vec![size]),
                None => Values::F64((0..count).map(|_| (random.unit() * 22.0).floor() - 1.0).collect()),
            },
        })
        .collect()
}

#[test]
fn single_calls_and_block_loops_give_the_same_bits() {
    let mut random = Random(14);
    for f in KERNELS.iter().filter(|f| f.module().ends_with("::wilcoxon") || f.module().ends_with("::signed_rank")) {
        // with a table; without: counts of the tail, and the circle; sizes that vary
        for (size, count) in [(Some(9.0), 61), (Some(50.0), 19), (Some(120.0), 9), (None, 27)] {
            let arguments = arguments(*f, count, size, &mut random);
            let ins: Vec<Column<'_>> = arguments.iter().map(Values::column).collect();
            let mut expected = vec![0.0; count];
            for i in 0..count {
                f.call_at(Level::Base, &ins, &mut [ColumnMut::F64(&mut expected)], i).expect("the columns fit");
            }
            for level in Level::all() {
                let mut block = vec![0.0; count];
                f.map_on(level, &ins, &mut [ColumnMut::F64(&mut block)]).expect("the columns fit");
                for i in 0..count {
                    let same = expected[i].to_bits() == block[i].to_bits() || expected[i].is_nan() && block[i].is_nan();
                    let (name, level) = (f.name(), level.name());
                    assert!(same, "{name}, sizes {size:?}, element {i} on {level}: {} != {}", block[i], expected[i]);
                }
            }
        }
    }
}

/// Calls a function of `x`, sizes and a flag over a column, whose table it draws on.
fn over(f: &str, x: &[f64], sizes: &[f64]) -> Vec<f64> {
    let f = gristmill_nmath::kernel(f).expect("a kernel");
    let sizes: Vec<[f64; 1]> = sizes.iter().map(|s| [*s]).collect();
    let mut ins = vec![Column::F64(x)];
    ins.extend(sizes.iter().map(|s| Column::F64(s)));
    ins.push(Column::Bool(&[false]));
    let mut y = vec![0.0; x.len()];
    f.map_on(Level::best(), &ins, &mut [ColumnMut::F64(&mut y)]).expect("the columns fit");
    y
}

#[test]
fn probabilities_of_rank_sums_are_counts_over_their_number() {
    // the counts of (m, n) are those of (m, n - 1) and, n places further, those of (m - 1, n): sums only
    let mut counts: Vec<Vec<u128>> = vec![vec![1]; 51];
    for n in 1..=50 {
        for m in 1..=50 {
            let (below, at) = counts.split_at_mut(m);
            at[0].resize(m * n + 1, 0);
            for (k, c) in below[m - 1].iter().enumerate() {
                at[0][k + n] += c;
            }
            let chosen = if n <= 13 { m <= 13 } else { n == 50 && [3, 7, 22, 37, 50].contains(&m) };
            if !chosen {
                continue;
            }
            let all: u128 = at[0].iter().sum();
            let x: Vec<f64> = (0..at[0].len()).map(|k| k as f64).collect();
            for ((k, y), c) in x.iter().zip(over("dwilcox", &x, &[m as f64, n as f64])).zip(&at[0]) {
                let p = *c as f64 / all as f64;
                assert!((y - p).abs() <= 4e-16 * p, "dwilcox({k}, {m}, {n}) is {y}, but must be {p}");
            }
        }
    }
}

#[test]
fn probabilities_of_signed_ranks_are_counts_over_a_power_of_two() {
    let mut counts: Vec<u128> = vec![1];
    for n in 1..=53 {
        let before = counts.clone();
        counts.resize(before.len() + n, 0);
        for (k, c) in before.iter().enumerate() {
            counts[k + n] += c;
        }
        let x: Vec<f64> = (0..counts.len()).map(|k| k as f64).collect();
        for ((k, y), c) in x.iter().zip(over("dsignrank", &x, &[n as f64])).zip(&counts) {
            // exactly: a count below 2^53
            assert_eq!(y * 2f64.powi(n as i32), *c as f64, "dsignrank({k}, {n})");
        }
    }
}

#[test]
fn next_to_the_ends_of_large_sizes_the_counts_are_those_of_partitions() {
    // into different parts, and into any: the first factors of the product are all there is, and half of each is computed
    for (k, c) in [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0].iter().enumerate() {
        assert_eq!(dsignrank(k as f64, 100.0, false) * 2f64.powi(100), *c, "dsignrank({k}, 100)");
    }
    let one = dwilcox(0.0, 100.0, 100.0, false);
    for (k, c) in [1.0, 1.0, 2.0, 3.0, 5.0, 7.0, 11.0, 15.0, 22.0, 30.0, 42.0].iter().enumerate() {
        let p: f64 = dwilcox(k as f64, 100.0, 100.0, false) / one;
        assert!((p - c).abs() < 1e-14 * c, "dwilcox({k}, 100, 100) is {p} of the first, but must be {c}");
    }
}

#[test]
fn impossible_sizes_give_nan_and_others_are_rounded_to_even() {
    for m in [-1.0, 0.0, 0.4, 0.5, f64::NAN, f64::INFINITY, 1e300] {
        assert!(dwilcox(1.0, m, 3.0, false).is_nan(), "{m}");
        assert!(pwilcox(1.0, 3.0, m, true, false).is_nan(), "{m}");
        assert!(qwilcox(0.5, m, 3.0, true, false).is_nan(), "{m}");
        assert!(dsignrank(1.0, m, false).is_nan(), "{m}");
        assert!(psignrank(1.0, m, true, false).is_nan(), "{m}");
        assert!(qsignrank(0.5, m, true, false).is_nan(), "{m}");
    }
    assert_eq!(dwilcox(1.0, 0.6, 3.0, false), 0.25);
    assert_eq!(dwilcox(1.0, 2.5, 3.0, false), 0.1);
    assert_eq!(psignrank(1.0, 1.5, true, false), 0.5);
    assert!(rwilcox(1, 2, 3, -1.0, 3.0).is_nan() && rsignrank(1, 2, 3, -1.0).is_nan());
    assert_eq!((rwilcox(1, 2, 3, 0.0, 3.0), rsignrank(1, 2, 3, 0.0)), (0.0, 0.0));
}

#[test]
fn values_between_integers_follow_r() {
    // the third column: libRmath's answers for sizes of 3
    for (x, d, p) in [
        (f64::NEG_INFINITY, 0.0, 0.0),
        (-1e-8, 0.05, 0.05),
        (0.5, 0.0, 0.05),
        (1.0 - 1e-8, 0.05, 0.1),
        (1.0 - 1e-6, 0.0, 0.05),
        (1.0 + 1e-6, 0.0, 0.1),
        (9.0, 0.05, 1.0),
        (9.5, 0.0, 1.0),
        (f64::INFINITY, 0.0, 1.0),
    ] {
        assert_eq!((dwilcox(x, 3.0, 3.0, false), pwilcox(x, 3.0, 3.0, true, false)), (d, p), "{x}");
    }
    for (x, d, p) in [
        (-0.4, 0.0, 0.125),
        (0.5, 0.0, 0.25),
        (1.0 - 1e-6, 0.0, 0.25),
        (1.0 + 1e-8, 0.125, 0.25),
        (6.0, 0.125, 1.0),
        (7.0, 0.0, 1.0),
    ] {
        assert_eq!((dsignrank(x, 3.0, false), psignrank(x, 3.0, true, false)), (d, p), "{x}");
    }
    assert!(dwilcox(f64::NAN, 3.0, 3.0, false).is_nan() && psignrank(f64::NAN, 3.0, true, false).is_nan());
    assert_eq!(dwilcox(0.5, 3.0, 3.0, true), f64::NEG_INFINITY);
    assert_eq!(pwilcox(-1.0, 3.0, 3.0, false, true), 0.0);
}

#[test]
fn the_ends_of_quantiles_are_the_ends_of_the_range() {
    for (p, lower, x) in [(0.0, true, 0.0), (1.0, true, 9.0), (0.0, false, 9.0), (1.0, false, 0.0), (1e-300, true, 0.0)]
    {
        assert_eq!(qwilcox(p, 3.0, 3.0, lower, false), x, "{p}");
    }
    assert_eq!(qwilcox(0.05, 3.0, 3.0, true, false), 0.0);
    assert_eq!(qwilcox(0.05, 3.0, 3.0, false, false), 8.0);
    assert_eq!(qwilcox(-0.1, 3.0, 3.0, true, true), 8.0);
    assert_eq!(qsignrank(0.05, 3.0, false, false), 6.0);
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(qwilcox(p, 3.0, 3.0, true, false).is_nan() && qsignrank(p, 3.0, true, false).is_nan(), "{p}");
    }
}

/// Samples of one and two have no table, no counts and no circle.
#[test]
fn the_smallest_samples_are_fractions() {
    assert_eq!(pwilcox(69_999.0, 1.0, 99_999.0, true, false), 0.7);
    assert_eq!(dwilcox(1234.0, 99_999.0, 1.0, false), 1e-5);
    // 50,001 of C(100,002, 2) arrangements; 2,500,100,001 up to the middle
    assert_eq!(dwilcox(1e5, 2.0, 1e5, false), 50_001.0 / 5_000_150_001.0);
    assert_eq!(pwilcox(1e5, 2.0, 1e5, true, false), 2_500_100_001.0 / 5_000_150_001.0);
}

#[test]
fn a_quantile_of_a_step_is_its_value() {
    for x in 0..=30 {
        let x = f64::from(x);
        for (lower, log) in [(true, false), (true, true), (false, false), (false, true)] {
            assert_eq!(qwilcox(pwilcox(x, 5.0, 6.0, lower, log), 5.0, 6.0, lower, log), x, "{lower} {log}");
        }
    }
    for x in [5000.0, 5600.0, 6000.0, 7000.0, 9000.0] {
        assert_eq!(qsignrank(psignrank(x, 160.0, true, false), 160.0, true, false), x);
        assert_eq!(qsignrank(psignrank(x, 160.0, false, true), 160.0, false, true), x);
    }
}

/// Chi-square of `draws` values against the masses, cells joined to at least 10 expected: its distance from the mean in standard
/// deviations.
fn chi_square(draws: &[f64], mass: impl Fn(f64) -> f64, last: usize) -> f64 {
    let mut counts = vec![0.0; last + 1];
    for x in draws {
        counts[*x as usize] += 1.0;
    }
    let (mut sum, mut cells, mut seen, mut expected) = (0.0, 0.0, 0.0, 0.0);
    for (x, count) in counts.iter().enumerate() {
        seen += count;
        expected += mass(x as f64) * draws.len() as f64;
        if expected >= 10.0 {
            sum += (seen - expected) * (seen - expected) / expected;
            cells += 1.0;
            (seen, expected) = (0.0, 0.0);
        }
    }
    (sum - cells) / f64::sqrt(2.0 * cells)
}

#[test]
fn draws_follow_their_distributions() {
    let n = 20_000;
    for (a, b) in [(1.0, 1.0), (3.0, 5.0), (5.0, 3.0), (8.0, 9.0)] {
        let draws: Vec<f64> = (0..n).map(|i| rwilcox(1, 2, i, a, b)).collect();
        let z = chi_square(&draws, |x| dwilcox(x, a, b, false), (a * b) as usize);
        assert!(z.abs() < 4.5, "{a} {b}: {z}");
    }
    for size in [1.0, 7.0, 12.0] {
        let draws: Vec<f64> = (0..n).map(|i| rsignrank(1, 2, i, size)).collect();
        let z = chi_square(&draws, |x| dsignrank(x, size, false), (size * (size + 1.0) / 2.0) as usize);
        assert!(z.abs() < 4.5, "{size}: {z}");
    }
    // beyond a word and a block of bits: mean and variance
    for size in [64.0, 65.0, 128.0, 129.0, 300.0] {
        let draws: Vec<f64> = (0..n).map(|i| rsignrank(1, 2, i, size)).collect();
        let mean = draws.iter().sum::<f64>() / n as f64;
        let variance = size * (size + 1.0) * (2.0 * size + 1.0) / 24.0;
        let z = (mean - size * (size + 1.0) / 4.0) / (variance / n as f64).sqrt();
        let spread = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64 / variance;
        assert!(z.abs() < 4.5 && (spread - 1.0).abs() < 0.05, "{size}: {z} {spread}");
    }
}

/// Milliseconds. A debug build is several times slower.
const LIMIT: f64 = if cfg!(debug_assertions) { 20_000.0 } else { 3000.0 };

#[test]
fn no_call_takes_long() {
    let sizes: [(f64, f64); 4] = [(1000.0, 1000.0), (100_000.0, 100_000.0), (3.0, 3000.0), (12.0, 20_000.0)];
    for (m, n) in sizes {
        for share in [0.5, 0.3, 1e-4] {
            let start = Instant::now();
            let p = pwilcox((m * n * share).floor(), m, n, true, true);
            assert!(p < 0.0 && start.elapsed().as_secs_f64() * 1e3 < LIMIT, "{m} {n} {share}: {p}");
        }
    }
    for n in [1000.0_f64, 100_000.0] {
        for share in [0.5, 0.3, 1e-4] {
            let start = Instant::now();
            let p = psignrank((n * (n + 1.0) / 2.0 * share).floor(), n, true, true);
            assert!(p < 0.0 && start.elapsed().as_secs_f64() * 1e3 < LIMIT, "{n} {share}: {p}");
        }
    }
}
