//! Numbers as R prints them, so that tables can be laid side by side.

/// A number in the digits that it needs, at most so many.
struct Digits {
    negative: bool,
    /// Significant digits after zeros at the end are left out.
    significant: i32,
    exponent: i32,
}

impl Digits {
    fn of(x: f64, most: usize) -> Digits {
        if x == 0.0 {
            return Digits { negative: false, significant: 1, exponent: 0 };
        }
        let text = format!("{:.*e}", most.saturating_sub(1), x.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let significant = digits.trim_end_matches('0').len().max(1) as i32;
        Digits { negative: x < 0.0, significant, exponent: exponent.parse().unwrap_or(0) }
    }
}

/// Some numbers in one form: as many decimals as the one that needs most of them for `digits` significant digits, or all with
/// an exponent where that is shorter.
pub(super) fn format_real(values: &[f64], digits: usize) -> Vec<String> {
    let parts: Vec<Digits> = values.iter().filter(|v| v.is_finite()).map(|v| Digits::of(*v, digits)).collect();
    let largest = |f: &dyn Fn(&Digits) -> i32| parts.iter().map(f).max().unwrap_or(0);
    let decimals = largest(&|d| (d.significant - d.exponent - 1).max(0));
    let left = largest(&|d| i32::from(d.negative) + (d.exponent + 1).max(1));
    let mantissa = largest(&|d| d.significant);
    let negative = largest(&|d| i32::from(d.negative));
    let exponent = if parts.iter().any(|d| d.exponent.abs() >= 100) { 3 } else { 2 };
    let fixed_width = left + decimals + i32::from(decimals > 0);
    let scientific_width = negative + mantissa + i32::from(mantissa > 1) + 2 + exponent;
    let one = |v: &f64| match v {
        v if v.is_nan() => "NA".to_string(),
        v if v.is_infinite() => if *v > 0.0 { "Inf" } else { "-Inf" }.to_string(),
        v if fixed_width <= scientific_width => format!("{v:.*}", decimals as usize),
        v => scientific(*v, (mantissa - 1) as usize),
    };
    values.iter().map(one).collect()
}

/// `6.09e-08`: R's exponents have two digits or more.
fn scientific(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
            format!("{mantissa}e{sign}{exponent:0>2}")
        }
        None => text,
    }
}

/// Rounded to so many significant digits.
pub(super) fn signif(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x)
}

/// Rounded to so many decimals.
fn round(x: f64, decimals: i32) -> f64 {
    format!("{x:.*}", decimals.max(0) as usize).parse().unwrap_or(x)
}

/// Rounded to the decimals that so many digits of the largest have, as R's `zapsmall` does.
pub(super) fn zapped(values: &[f64], digits: usize) -> Vec<f64> {
    let largest = values.iter().filter(|v| v.is_finite()).fold(0.0, |m: f64, v| m.max(v.abs()));
    let decimals =
        if largest > 0.0 { (digits as f64 - largest.log10()).max(0.0).round() as i32 } else { digits as i32 };
    values.iter().map(|v| if v.is_finite() { round(*v, decimals) } else { *v }).collect()
}

/// Estimates with their standard errors, in one form, as R's tables of coefficients have them: so many decimals that the smallest
/// has `digits` significant ones, but what would be 0 then is written by itself.
pub(super) fn estimates(estimates: &[f64], sds: &[f64], digits: usize) -> (Vec<String>, Vec<String>) {
    let all: Vec<f64> = estimates.iter().chain(sds).copied().collect();
    let sizes = all.iter().filter(|v| v.is_finite() && **v != 0.0).map(|v| v.abs().log10().floor() as i32 + 1);
    let smallest = sizes.min().unwrap_or(1);
    let decimals = (digits as i32 - smallest).max(1);
    let rounded: Vec<f64> = all.iter().map(|v| if v.is_finite() { round(*v, decimals) } else { *v }).collect();
    let mut texts = format_real(&rounded, digits);
    mend_zeros(&all, &mut texts, digits);
    let sds = texts.split_off(estimates.len());
    (texts, sds)
}

/// Statistics: three decimals.
pub(super) fn statistics(values: &[f64], digits: usize) -> Vec<String> {
    let decimals = (digits as i32 - 1).clamp(1, 5);
    let rounded: Vec<f64> = values.iter().map(|v| if v.is_finite() { round(*v, decimals) } else { *v }).collect();
    let mut texts = format_real(&rounded, digits);
    mend_zeros(values, &mut texts, digits);
    texts
}

/// What is not 0 is not written as 0.
fn mend_zeros(values: &[f64], texts: &mut [String], digits: usize) {
    for (value, text) in values.iter().zip(texts) {
        if value.is_finite() && *value != 0.0 && text.parse::<f64>().is_ok_and(|shown| shown == 0.0) {
            *text = format_real(&[*value], digits.saturating_sub(1).max(1)).remove(0);
        }
    }
}

/// p values: those from 0.0001 on in one form, smaller ones in another, and `<2e-16` below what a double tells from 0.
pub(super) fn p_values(values: &[f64], digits: usize) -> Vec<String> {
    let tiny = |p: f64| p < f64::EPSILON;
    let large = |p: f64| p >= 1e-4 || p == 0.0;
    let group = |wanted: &dyn Fn(f64) -> bool| -> Vec<f64> {
        values.iter().copied().filter(|p| !p.is_nan() && !tiny(*p) && wanted(*p)).collect()
    };
    let (fixed, small) = (group(&large), group(&|p| !large(p)));
    let (mut fixed, mut small) = (format_real(&fixed, digits).into_iter(), format_real(&small, digits).into_iter());
    let texts: Vec<Option<String>> = values
        .iter()
        .map(|p| match p {
            p if p.is_nan() => Some("NA".to_string()),
            p if tiny(*p) => None,
            p if large(*p) => fixed.next(),
            _ => small.next(),
        })
        .collect();
    let widest = texts.iter().flatten().filter(|t| *t != "NA").map(String::len).max();
    let bound = if widest.is_none_or(|w| w <= 6) { "<2e-16" } else { "< 2e-16" };
    texts.into_iter().map(|t| t.unwrap_or_else(|| bound.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // What R 4.2.2 prints for format(x, digits = d).
    #[test]
    fn numbers_of_one_column_have_the_form_that_r_gives_them() {
        for (values, digits, texts) in [
            (&[1.0, 2.5, 1000.0][..], 4, &["1.0", "2.5", "1000.0"][..]),
            (&[0.00001234], 4, &["1.234e-05"]),
            (&[4.96249e-5, 3.2e-5], 4, &["4.962e-05", "3.200e-05"]),
            (&[123456.0, 0.5], 4, &["123456.0", "0.5"]),
            (&[124.88, 4.9937], 7, &["124.8800", "4.9937"]),
            (&[f64::NAN, -1.5], 4, &["NA", "-1.5"]),
            (&[100000.0], 7, &["1e+05"]),
            (&[123456.0], 7, &["123456"]),
            (&[0.1 + 0.2], 7, &["0.3"]),
        ] {
            assert_eq!(format_real(values, digits), texts, "{values:?}");
        }
        assert_eq!(signif(124.8756, 5), 124.88);
        assert_eq!(zapped(&[f64::NAN, 124.8756, 6.75708], 5)[1..], [124.876, 6.757]);
        assert_eq!(p_values(&[6.09e-8, 0.8221, 5.89e-8, 0.1912], 3), ["6.09e-08", "0.822", "5.89e-08", "0.191"]);
        assert_eq!(p_values(&[1e-20, 0.5], 3), ["<2e-16", "0.5"]);
        assert_eq!(p_values(&[1e-20, 6.09e-8], 3), ["< 2e-16", "6.09e-08"]);
    }
}
