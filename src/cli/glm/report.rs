//! The fit as R's `summary` prints it, and as JSON.

use super::after::After;
use super::{Fitted, Job, r_format};
use crate::cli::output::{Format, table, write_json};
use crate::cli::{Result, write_stdout};
use gristmill::glm::{CoefficientSummary, Curvature};
use gristmill::glm::{Fit, Model, Summary};
use serde_json::{Value, json};

pub(super) fn print(job: &Job<'_>, fitted: &Fitted, after: &After) -> Result<()> {
    match job.args.format {
        Format::Text => write_stdout((job.printed(fitted).text() + &after.text(job)).as_bytes()),
        Format::Json => {
            let mut object = to_json(job, fitted);
            if let Some(object) = object.as_object_mut() {
                after.add_json(job, object);
            }
            write_json(&object)
        }
    }
}

/// A number, or null where there is none.
pub(super) fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

fn to_json(job: &Job<'_>, fitted: &Fitted) -> Value {
    let Fitted { fit, summary, .. } = fitted;
    let printed = job.printed(fitted);
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
        "variance": job.model.variance_function().map(|v| v.name()),
        "size": printed.model.size(),
        "size_sd": fitted.size_sd,
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
        "aic": printed.aic().map_or(Value::Null, number),
        "bic": printed.bic().map_or(Value::Null, number),
        "negative_log_posterior": number(fit.value),
        "iterations": fit.iterations,
        "converged": fit.converged(),
        "problem": job.problem(fit),
        "rows": job.design.y.len(),
        "rows_dropped": job.design.dropped,
    })
}

/// Significant digits of estimates, as R's `summary` has them.
const DIGITS: usize = 4;

/// A fit and what is known about it, to be printed.
#[derive(Debug, Clone, Copy)]
pub struct Printed<'a> {
    /// The names of the coefficients.
    pub names: &'a [String],
    /// With its size, if that was estimated.
    pub model: &'a Model,
    pub fit: &'a Fit,
    pub summary: &'a Summary,
    /// Rows that were left out because a value is missing.
    pub dropped: usize,
    /// The dispersion that was given.
    pub dispersion: Option<f64>,
    /// The standard error of an estimated size.
    pub size_sd: Option<f64>,
}

impl Printed<'_> {
    /// Parameters of the likelihood, the dispersion and an estimated size included.
    fn parameters(&self) -> f64 {
        let beside = u8::from(self.model.family().has_dispersion()) + u8::from(self.size_sd.is_some());
        self.fit.rank() as f64 + f64::from(beside)
    }

    /// Akaike's criterion, where there is a likelihood.
    pub fn aic(&self) -> Option<f64> {
        self.summary.aic.map(|aic| aic + if self.size_sd.is_some() { 2.0 } else { 0.0 })
    }

    /// Schwarz's criterion, where there is a likelihood.
    pub fn bic(&self) -> Option<f64> {
        let rows = self.fit.rows_used as f64;
        self.aic().map(|aic| aic + (rows.ln() - 2.0) * self.parameters())
    }

    /// As R's `summary` prints it.
    pub fn text(&self) -> String {
        text(self)
    }
}

fn text(printed: &Printed<'_>) -> String {
    let Printed { fit, summary, .. } = printed;
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
    let column = |of: fn(&CoefficientSummary) -> f64| -> Vec<f64> { summary.coefficients.iter().map(of).collect() };
    let (estimates, sds) = r_format::estimates(&column(|c| c.estimate), &column(|c| c.sd), DIGITS);
    let statistics = r_format::statistics(&column(|c| c.z), DIGITS);
    let p_values = r_format::p_values(&column(|c| c.p), DIGITS - 1);
    for (j, c) in summary.coefficients.iter().enumerate() {
        rows.push(vec![
            printed.names[j].clone(),
            estimates[j].clone(),
            sds[j].clone(),
            statistics[j].clone(),
            p_values[j].clone(),
            stars(c.p).to_string(),
        ]);
    }
    out.push_str(&table(&rows, &[1, 2, 3, 4]));
    out.push_str("---\nSignif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1\n\n");
    let family = match printed.model.variance_function() {
        Some(variance) => format!("quasi family with variance {variance}"),
        None => format!("{} family", printed.model.family()),
    };
    let plain = |x: f64| r_format::format_real(&[x], 7).remove(0);
    match (summary.estimated, summary.curvature) {
        (_, Curvature::Expected) => {
            out.push_str(&format!("(Dispersion parameter for {family} taken to be {})\n", plain(summary.dispersion)));
        }
        (_, Curvature::Exact) => {
            let dispersion = printed.dispersion.unwrap_or(1.0);
            out.push_str(&format!("(Mode of the posterior; dispersion parameter for {family} is {dispersion})\n"));
        }
    }
    out.push('\n');
    let deviances = r_format::format_real(&[summary.null_deviance, summary.deviance], DIGITS + 1);
    let degrees = |n: usize| format!("on {n} degrees of freedom");
    let lines = [
        vec!["    Null deviance:".to_string(), deviances[0].clone(), degrees(summary.null_degrees)],
        vec!["Residual deviance:".to_string(), deviances[1].clone(), degrees(summary.residual_degrees)],
    ];
    out.push_str(&table(&lines, &[1]));
    match printed.dropped {
        0 => {}
        1 => out.push_str("  (1 observation deleted due to missingness)\n"),
        n => out.push_str(&format!("  ({n} observations deleted due to missingness)\n")),
    }
    let five = |x: f64| r_format::format_real(&[x], DIGITS + 1).remove(0);
    match (printed.aic(), printed.bic()) {
        (Some(aic), Some(bic)) => out.push_str(&format!("AIC: {}  BIC: {}\n", five(aic), five(bic))),
        _ if summary.curvature == Curvature::Expected => out.push_str("AIC: NA\n"),
        _ => {}
    }
    out.push_str(&format!("\nNumber of Newton iterations: {}\n", fit.iterations));
    if let (Some(size), Some(sd)) = (printed.model.size(), printed.size_sd) {
        // Three digits of the standard error, and as many decimals of the size.
        let decimals = (2.0 - sd.log10().floor()).clamp(0.0, 15.0) as usize;
        out.push_str(&format!(
            "\n              Theta:  {size:.decimals$}\n          Std. Err.:  {sd:.decimals$}\n 2 x log-likelihood:  {:.3}\n",
            -2.0 * fit.value
        ));
    }
    out
}

pub(super) fn stars(p: f64) -> &'static str {
    match p {
        p if p.is_nan() => "",
        p if p < 0.001 => "***",
        p if p < 0.01 => "**",
        p if p < 0.05 => "*",
        p if p < 0.1 => ".",
        _ => "",
    }
}
