//! Values at the ends of the range of doubles, and at the borders between regions: by mpmath with 60 to 800 digits.

use gristmill_nmath as nmath;

/// The distance of a value from the true one in units of its last place.
fn ulps(value: f64, truth: f64) -> f64 {
    if value == truth {
        return 0.0;
    }
    (value - truth).abs() / (truth.abs().next_up() - truth.abs())
}

fn check(cases: &[(&str, f64, f64)], most: f64) {
    let bad: Vec<String> = cases
        .iter()
        .filter(|(_, value, truth)| !(ulps(*value, *truth) <= most))
        .map(|(name, value, truth)| format!("{name}: {value:?}, but it is {truth:?}"))
        .collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn gamma_functions_hold_at_their_borders() {
    check(
        &[
            ("gamma(1e-17)", nmath::gammafn(1e-17), 99999999999999992.26854193),
            ("lgamma(1e-300)", nmath::lgammafn(1e-300), 690.7755278982137051803383),
            ("lgamma(-1e-200)", nmath::lgammafn(-1e-200), 460.517018598809136821498),
            ("lgamma(-1e-154)", nmath::lgammafn(-1e-154), 354.598104321083035365862),
            ("lgamma(-1e-20)", nmath::lgammafn(-1e-20), 46.05170185988091373521233),
            ("lgammafn_sign(-1e-200)", nmath::lgammafn_sign(-1e-200).0, 460.517018598809136821498),
        ],
        1.0,
    );
}

#[test]
fn beta_functions_hold_below_one_half() {
    let h = 0.49999999999999994;
    check(
        &[
            ("pbeta", nmath::pbeta(0.3, h, 2.2, true, false), 0.7644826869422781411631784),
            ("dbeta", nmath::dbeta(0.3, h, 2.2, false), 0.9412792857967722260869829),
            ("pf", nmath::pf(0.7, 3.3, 2.0 * h, true, false), 0.3107704741213911560666981),
        ],
        1.0,
    );
}
