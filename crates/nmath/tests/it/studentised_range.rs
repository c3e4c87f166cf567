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

/// The distance of a value from the true one in units of its last place.
fn ulps(value: f64, truth: f64) -> f64 {
    if value == truth {
        return 0.0;
    }
    (value - truth).abs() / (truth.abs().next_up() - truth.abs())
}

/// Twice the tail of a t number, by its power of `q` with 50 digits of mpmath; beyond 1e20 degrees of freedom by
/// `(1 + q^2/(2 df))^(-df/2)`.
#[test]
fn quantiles_beyond_1e100_and_below_1e_minus_100_are_those_of_the_power_laws() {
    let inf = f64::INFINITY;
    let cases = [
        ((-2000.0, 3.0, false, true), 6.232_465_005_358_910_376_5e289),
        ((-1000.0, 2.0, false, true), 1.984_979_150_528_814_493_5e217),
        ((-5000.0, 10.0, false, true), 5.455_895_053_316_851_110_5e217),
        ((-700.0, 3.0, false, true), 3.984_596_574_402_152_979_9e101),
        ((-1000.0, 4.0, false, true), 8.292_267_169_695_893_471_8e108),
        ((1e-300, 2.5, false, false), 1.635_688_545_886_751_753_1e120),
        ((-1e-300, 2.5, true, true), 1.635_688_545_886_751_753_1e120),
        ((1e-250, 2.0, false, false), 1.414_213_562_373_095_010_6e125),
        ((-1e42, 1e40, false, true), 3.801_571_719_203_984_830_5e63),
        ((-1e304, 1e302, false, true), 3.801_571_719_203_927_304_7e194),
        ((-1e300, inf, false, true), 2.000_000_000_000_000_052_5e150),
        ((-5e30, 1e25, false, true), inf),
        ((-2000.0, 2.0, false, true), inf),
        ((-500.0, 2.0, true, true), 1.424_915_281_348_257_106_3e-217),
        ((-690.0, 3.0, true, true), 4.178_043_845_928_811_869_2e-300),
        ((-720.0, 10.0, true, true), 3.693_069_182_122_393_520_2e-313),
        ((-800.0, 10.0, true, true), 0.0),
    ];
    for ((p, df, lower, log), truth) in cases {
        let q = qtukey(p, 1.0, 2.0, df, lower, log);
        assert!(ulps(q, truth) <= 4.0, "{p} {df} {lower} {log}: {q:e} for {truth:e}");
    }
    // three means and 30 degrees of freedom: beyond the largest double
    assert_eq!(qtukey(-1e5, 1.0, 3.0, 30.0, false, true), inf);
}

/// Quantiles lead back to the probabilities, where they are neither 0 nor infinite, from -1e-300 to -1e7 on the log scale.
#[test]
fn quantiles_of_all_sizes_lead_back() {
    for df in [2.0, 2.5, 10.0, 200.0, 1e8, 1e30, f64::INFINITY] {
        for (means, ranges) in [(2.0, 1.0), (3.0, 10.0), (10.0, 1.0), (3.0, 1000.0), (100.0, 1.0)] {
            for p in [-1e-300, -1e-10, -0.1, -10.0, -300.0, -700.0, -1000.0, -2000.0, -1e5, -1e7] {
                for lower in [true, false] {
                    let q = qtukey(p, ranges, means, df, lower, true);
                    assert!(q >= 0.0, "{p} {ranges} {means} {df} {lower}: {q}");
                    if q > 1e-305 && q < f64::INFINITY {
                        let back = ptukey(q, ranges, means, df, lower, true);
                        assert!(
                            (back / p - 1.0).abs() < 1e-11,
                            "{p} {ranges} {means} {df} {lower}: {q:e}, back {back}"
                        );
                    }
                }
            }
        }
    }
}

/// The log of the upper tail of two means where there are so many degrees of freedom that `s` is nearly 1, which does not say that they
/// do not count: `(1 + q^2/(2 df))^(-df/2)` and the average of the rest to second order, with 60 digits of mpmath.
#[test]
fn very_many_degrees_of_freedom_count_in_far_tails() {
    let cases = [
        (8.0, 1.1e17, -17.987_778_312_103_004_032),
        (38.0, 1.1e17, -364.518_184_200_239_715_42),
        (1e6, 2e17, -249_999_687_514.215_559_43),
        (1e12, 1e20, -4.258_696_585_709_451_846_9e20),
        (1e99, 1e200, -2.493_770_755_519_536_643_4e197),
        (1e150, 1e22, -3.197_127_543_358_923_774e24),
        (1e150, 1e300, -2.027_325_540_540_821_864_9e299),
        (1e150, f64::INFINITY, -2.499_999_999_999_999_904e299),
    ];
    for (q, df, truth) in cases {
        let log = ptukey(q, 1.0, 2.0, df, false, true);
        assert!(ulps(log, truth) <= 3.0, "{q} {df}: {log} for {truth}");
    }
}

/// Few degrees of freedom and hundreds of means: the sum over the range must reach as far as it is wide.
#[test]
fn few_degrees_of_freedom_and_hundreds_of_means_keep_their_digits() {
    let cases = [
        (6.135, 1000.0, 2.0, 0.330_040_060_209_760_241_25),
        (6.07, 1000.0, 2.5, 0.329_983_141_656_842_441_62),
        (6.037, 1000.0, 3.0, 0.329_969_050_115_151_302_38),
        (6.011, 1000.0, 4.0, 0.329_968_642_196_559_445_76),
        (5.742, 500.0, 2.0, 0.330_047_448_418_150_631_04),
    ];
    for (q, means, df, truth) in cases {
        let p = ptukey(q, 1.0, means, df, true, false);
        assert!(ulps(p, truth) <= 3.0, "{q} {means} {df}: {p} for {truth}");
        let other = ptukey(q, 1.0, means, df, false, false);
        assert!(ulps(other, 1.0 - truth) <= 2.0, "{q} {means} {df}: {other}");
    }
}

/// Sums in Arb with 140 bits: the probability of a range is raised to the power of their number.
#[test]
fn many_ranges_do_not_multiply_rounding_errors() {
    let inf = f64::INFINITY;
    let cases = [
        ((3.101, 1000.0, 3.0, 2.5), 0.049_961_268_750_304_446_436),
        ((3.541, 1000.0, 3.0, 6.0), 0.049_949_773_128_076_610_543),
        ((4.93, 1000.0, 3.0, 20.0), 0.330_154_877_651_557_743_45),
        ((3.554, 50.0, 20.0, 4.0), 0.049_956_728_022_145_485_562),
        ((2.024, 10.0, 50.0, 6.0), 1.006_435_434_920_288_776_4e-6),
        ((2.455_249_769_987_333, 5.0, 13.0, 30.0), 0.000_999_999_999_999_999_684_958_9),
        (
            (2.429_683_219_949_494, 1.0, 42.942_669_442_877_66, 33.648_269_992_475_15),
            0.000_999_999_999_999_999_210_608_7,
        ),
        ((3.786_341_822_734_287_5, 5.0, 8.0, inf), 0.499_999_999_999_999_781_991_6),
        ((4.290_34, 1000.0, 100.0, 2.0), 0.049_999_958_360_276_560_625_92),
        ((6.494_02, 1000.0, 100.0, 10_000.0), 9.998_521_826_334_456_926_259e-7),
        ((4.742_81, 1000.0, 3.0, inf), 0.099_997_510_162_343_622_600_04),
        ((5.329_01, 1000.0, 15.0, inf), 9.999_857_742_218_130_256_617e-7),
        ((1.929_52, 1000.0, 78.0, 2.0), 1.000_036_714_512_530_711_000e-6),
        ((3.817_22, 1000.0, 2.0, 10_000.0), 0.000_999_934_851_790_837_559_127_0),
        ((4.873_74, 1000.0, 3.0, 24.0), 0.299_998_423_418_149_466_773_5),
        ((5.183_11, 1000.0, 5.0, inf), 0.100_000_446_488_101_567_271_1),
    ];
    for ((q, ranges, means, df), truth) in cases {
        let p = ptukey(q, ranges, means, df, true, false);
        let most = if ranges > 10.0 { 16.0 } else { 6.0 };
        assert!(ulps(p, truth) <= most, "{q} {ranges} {means} {df}: {p} for {truth}");
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
        for (lower, log, ranges) in [(true, false, 1.0), (false, false, 1.0), (true, false, 20.0)] {
            let (ranges, lower, log) = ([ranges], [lower], [log]);
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
