//! The fit as R's `summary` prints it, and as JSON.

use super::Job;
use crate::cli::output::{Format, table, write_json};
use crate::cli::{Result, write_stdout};
use gristmill::glm::{Curvature, Fit, Summary};
use serde_json::{Value, json};

pub(super) fn print(job: &Job<'_>, fit: &Fit, summary: &Summary) -> Result<()> {
    match job.args.format {
        Format::Text => write_stdout(text(job, fit, summary).as_bytes()),
        Format::Json => write_json(&to_json(job, fit, summary)),
    }
}

/// A number, or null where there is none.
fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

fn to_json(job: &Job<'_>, fit: &Fit, summary: &Summary) -> Value {
    let coefficients: Vec<Value> = job
        .design
        .names
        .iter()
        .zip(&summary.coefficients)
        .map(|(name, c)| {
            json!({
                "name": name,
                "estimate": number(c.estimate),
                "sd": number(c.sd),
                "z": number(c.z),
                "p": number(c.p),
            })
        })
        .collect();
    json!({
        "formula": job.args.formula,
        "family": job.model.family().name(),
        "link": job.model.link().name(),
        "coefficients": coefficients,
        "test": if summary.estimated { "t" } else { "z" },
        "sd_from": match summary.curvature {
            Curvature::Expected => "expected information",
            Curvature::Exact => "posterior curvature",
        },
        "dispersion": number(summary.dispersion),
        "dispersion_estimated": summary.estimated,
        "deviance": number(summary.deviance),
        "df_residual": summary.residual_degrees,
        "null_deviance": number(summary.null_deviance),
        "df_null": summary.null_degrees,
        "aic": summary.aic.map_or(Value::Null, number),
        "negative_log_posterior": number(fit.value),
        "iterations": fit.iterations,
        "converged": fit.converged(),
        "problem": job.problem(fit),
        "rows": job.design.y.len(),
        "rows_dropped": job.design.dropped,
    })
}

fn text(job: &Job<'_>, fit: &Fit, summary: &Summary) -> String {
    let mut out = String::from("Coefficients:");
    match fit.aliased.iter().filter(|a| **a).count() {
        0 => {}
        n => out.push_str(&format!(" ({n} not defined because of singularities)")),
    }
    out.push('\n');
    let letter = if summary.estimated { "t" } else { "z" };
    let sd = if summary.curvature == Curvature::Exact { "Posterior sd" } else { "Std. Error" };
    let mut rows = vec![vec![
        String::new(),
        "Estimate".to_string(),
        sd.to_string(),
        format!("{letter} value"),
        format!("Pr(>|{letter}|)"),
        String::new(),
    ]];
    let column = |values: Vec<f64>| aligned(&values);
    let estimates = column(summary.coefficients.iter().map(|c| c.estimate).collect());
    let sds = column(summary.coefficients.iter().map(|c| c.sd).collect());
    for (j, c) in summary.coefficients.iter().enumerate() {
        rows.push(vec![
            job.design.names[j].clone(),
            estimates[j].clone(),
            sds[j].clone(),
            if c.z.is_nan() { "NA".to_string() } else { format!("{:.3}", c.z) },
            probability(c.p),
            stars(c.p).to_string(),
        ]);
    }
    out.push_str(&table(&rows, &[1, 2, 3, 4]));
    out.push_str("---\nSignif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1\n\n");
    let family = job.model.family();
    match (summary.estimated, summary.curvature) {
        (true, _) => {
            out.push_str(&format!(
                "(Dispersion parameter for {family} family taken to be {})\n",
                digits(summary.dispersion)
            ));
        }
        (false, Curvature::Expected) => {
            out.push_str(&format!("(Dispersion parameter for {family} family taken to be {})\n", summary.dispersion));
        }
        (false, Curvature::Exact) => {
            let dispersion = job.args.dispersion.unwrap_or(1.0);
            out.push_str(&format!(
                "(Mode of the posterior; dispersion parameter for {family} family is {dispersion})\n"
            ));
        }
    }
    out.push('\n');
    let degrees = |n: usize| format!("on {n} degrees of freedom");
    let deviances = [
        vec!["    Null deviance:".to_string(), digits(summary.null_deviance), degrees(summary.null_degrees)],
        vec!["Residual deviance:".to_string(), digits(summary.deviance), degrees(summary.residual_degrees)],
    ];
    out.push_str(&table(&deviances, &[1]));
    match job.design.dropped {
        0 => {}
        1 => out.push_str("  (1 observation deleted due to missingness)\n"),
        n => out.push_str(&format!("  ({n} observations deleted due to missingness)\n")),
    }
    match summary.aic {
        Some(aic) => out.push_str(&format!("AIC: {}\n", digits(aic))),
        None if summary.curvature == Curvature::Expected => out.push_str("AIC: NA\n"),
        None => {}
    }
    out.push_str(&format!("\nNumber of Newton iterations: {}\n", fit.iterations));
    out
}

/// Five significant digits, without an exponent where that is short.
fn digits(x: f64) -> String {
    if x.is_nan() {
        return "NA".to_string();
    }
    if x == 0.0 || x.is_infinite() {
        return format!("{x}");
    }
    let exponent = x.abs().log10().floor() as i32;
    if (-5..9).contains(&exponent) { format!("{x:.*}", (4 - exponent).max(0) as usize) } else { scientific(x, 4) }
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

/// A column of numbers with a common number of decimals: the smallest has five significant digits. Where that would take
/// too much room, each has an exponent.
fn aligned(values: &[f64]) -> Vec<String> {
    let exponents = values.iter().filter(|v| v.is_finite() && **v != 0.0).map(|v| v.abs().log10().floor() as i32);
    let (smallest, largest) = exponents.fold((i32::MAX, i32::MIN), |(low, high), e| (low.min(e), high.max(e)));
    let decimals = if smallest == i32::MAX { 0 } else { (4 - smallest).max(0) };
    let wide = decimals + largest.max(0) > 13;
    let one = |v: &f64| match v {
        v if v.is_nan() => "NA".to_string(),
        v if wide => scientific(*v, 4),
        v => format!("{v:.*}", decimals as usize),
    };
    values.iter().map(one).collect()
}

/// As R prints p values.
fn probability(p: f64) -> String {
    match p {
        p if p.is_nan() => "NA".to_string(),
        p if p < f64::EPSILON => "<2e-16".to_string(),
        p if p < 1e-3 => scientific(p, 2),
        p => format!("{p:.5}"),
    }
}

fn stars(p: f64) -> &'static str {
    match p {
        p if p.is_nan() => "",
        p if p < 0.001 => "***",
        p if p < 0.01 => "**",
        p if p < 0.05 => "*",
        p if p < 0.1 => ".",
        _ => "",
    }
}
