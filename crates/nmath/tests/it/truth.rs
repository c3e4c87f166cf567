//! Values beside the true ones.

/// The distance of a value from the true one in units of its last place.
pub(crate) fn ulps(value: f64, truth: f64) -> f64 {
    if value == truth {
        return 0.0;
    }
    (value - truth).abs() / (truth.abs().next_up() - truth.abs())
}

/// Each value is within `most` units in the last place of the true one.
pub(crate) fn check(cases: &[(&str, f64, f64)], most: f64) {
    let bad: Vec<String> = cases
        .iter()
        .filter(|(_, value, truth)| {
            let error = ulps(*value, *truth);
            error.is_nan() || error > most
        })
        .map(|(name, value, truth)| format!("{name}: {value:?}, but it is {truth:?}"))
        .collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
