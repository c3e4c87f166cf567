//! The studentised range: special values, what is known in closed form, round trips, and the same bits on every level.

use gristmill_kernel::Level;
use gristmill_kernel::{Column, ColumnMut};
use gristmill_nmath::{kernel, pt, ptukey, qt, qtukey};

#[test]
fn the_range_of_two_means_is_a_t_number() {
    for df in [2.0, 3.5, 20.0, 1e6, f64::INFINITY] {
        for x in [1e-3, 0.3, 1.0, 2.5, 7.0, 12.0] {
            // q = sqrt(2) |t|; the rounding of q is in the comparison
            let q = std::f64::consts::SQRT_2 * x;
            let log = ptukey(q, 1.0, 2.0, df, false, true);
            let twice = pt(x, df, false, true) + std::f64::consts::LN_2;
            assert!((log - twice).abs() < 2e-15 * (1.0 + x * x + twice.abs()), "{q}, {df}: {log} and {twice}");
        }
        let q = qtukey(1e-30, 1.0, 2.0, df, false, false);
        let t = std::f64::consts::SQRT_2 * qt(5e-31, df, false, false);
        assert!((q / t - 1.0).abs() < 1e-15, "{df}: {q} and {t}");
    }
}

/// Values of dev/oracle/tukey_many.py: where the tail leaves the range of a double, and hundreds of means.
#[test]
fn far_tails_and_hundreds_of_means_keep_their_digits() {
    let inf = f64::INFINITY;
    let points = [
        ((100.0, 1.0, 3.0, inf, false), -2_503.385_975_559_783_3),
        ((300.0, 1.0, 3.0, inf, false), -22_504.484_410_169_34),
        ((300.0, 2.5, 20.0, 1e5, false), -18_577.411_749_999_465),
        ((0.0448, 2.5, 1000.0, 3.0, true), -3_045.530_259_721_857_5),
        ((1.2, 1.0, 1000.0, inf, true), -791.063_797_595_554_5),
        ((2.002_154_102_760_939, 1.0, 500.0, 2.0, false), -0.000_243_013_038_139_959_6),
    ];
    for ((q, ranges, means, df, lower), expected) in points {
        let log = ptukey(q, ranges, means, df, lower, true);
        assert!((log / expected - 1.0_f64).abs() < 4e-16, "{q} {ranges} {means} {df}: {log} for {expected}");
        let back = qtukey(log, ranges, means, df, lower, true);
        assert!((back / q - 1.0).abs() < 1e-12, "{q} {ranges} {means} {df}: {back}");
    }
}

#[test]
fn the_ends_and_the_domain_are_those_of_r() {
    let inf = f64::INFINITY;
    assert_eq!(ptukey(0.0, 1.0, 3.0, 5.0, true, false), 0.0);
    assert_eq!(ptukey(-1.0, 1.0, 3.0, 5.0, false, true), 0.0);
    assert_eq!(ptukey(inf, 1.0, 3.0, 5.0, true, false), 1.0);
    assert_eq!(ptukey(inf, 1.0, 3.0, 5.0, false, true), -inf);
    assert_eq!((qtukey(0.0, 1.0, 3.0, 5.0, true, false), qtukey(0.0, 1.0, 3.0, 5.0, false, false)), (0.0, inf));
    assert_eq!((qtukey(-inf, 1.0, 3.0, 5.0, true, true), qtukey(0.0, 1.0, 3.0, 5.0, true, true)), (0.0, inf));
    for (ranges, means, df) in
        [(0.5, 3.0, 5.0), (1.0, 1.5, 5.0), (1.0, 3.0, 1.9), (f64::NAN, 3.0, 5.0), (1.0, inf, 5.0)]
    {
        assert!(ptukey(1.0, ranges, means, df, true, false).is_nan(), "{ranges} {means} {df}");
        assert!(qtukey(0.5, ranges, means, df, true, false).is_nan(), "{ranges} {means} {df}");
    }
    assert!(ptukey(f64::NAN, 1.0, 3.0, 5.0, true, false).is_nan() && qtukey(1.5, 1.0, 3.0, 5.0, true, false).is_nan());
}

/// Several ranges of the same numbers: the probability of one, as often.
#[test]
fn many_ranges_are_a_power_without_an_estimated_scale() {
    for ranges in [2.0, 3.5, 10.0] {
        for q in [0.7, 2.0, 4.0] {
            let one = ptukey(q, 1.0, 5.0, f64::INFINITY, true, true);
            let all = ptukey(q, ranges, 5.0, f64::INFINITY, true, true);
            assert!((all / (ranges * one) - 1.0).abs() < 1e-14, "{q}: {all}");
        }
    }
}

#[test]
fn quantiles_lead_back() {
    for (ranges, means, df) in [(1.0, 3.0, 10.0), (2.0, 12.0, 2.0), (1.0, 40.0, 100.0), (1.0, 4.0, f64::INFINITY)] {
        for lower in [true, false] {
            for p in [-50.0, -5.0, -0.7, -0.01] {
                let q = qtukey(p, ranges, means, df, lower, true);
                let back = ptukey(q, ranges, means, df, lower, true);
                assert!((back - p).abs() < 1e-13 * p.abs(), "{p} {ranges} {means} {df} {lower}: {q}, {back}");
            }
        }
    }
}

#[test]
fn blocks_of_every_level_have_the_bits_of_single_calls() {
    let count = 21;
    for name in ["ptukey", "qtukey"] {
        let f = kernel(name).expect("it is listed");
        let first: Vec<f64> =
            (0..count).map(|i| 0.02 + 0.05 * i as f64 * if name == "ptukey" { 8.0 } else { 0.9 }).collect();
        let means: Vec<f64> = (0..count).map(|i| 2.0 + (i % 7) as f64).collect();
        let df: Vec<f64> = (0..count).map(|i| [2.0, 5.5, 40.0, f64::INFINITY][i % 4]).collect();
        for (lower, log) in [(true, false), (false, false)] {
            let (ranges, lower, log) = ([1.0], [lower], [log]);
            let ins = [
                Column::F64(&first),
                Column::F64(&ranges),
                Column::F64(&means),
                Column::F64(&df),
                Column::Bool(&lower),
                Column::Bool(&log),
            ];
            let mut expected = vec![0.0; count];
            for at in 0..count {
                f.call_at(Level::Base, &ins, &mut [ColumnMut::F64(&mut expected)], at).expect("the columns fit");
            }
            for level in Level::all() {
                let mut out = vec![0.0; count];
                f.map_on(level, &ins, &mut [ColumnMut::F64(&mut out)]).expect("the columns fit");
                for at in 0..count {
                    let (x, y): (f64, f64) = (out[at], expected[at]);
                    assert_eq!(x.to_bits(), y.to_bits(), "{name} element {at} on {level:?}: {x:e} and {y:e}");
                }
            }
        }
    }
}
