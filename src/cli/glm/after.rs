//! What is asked for beside the fit: intervals, the covariance, the analysis of deviance.

use super::Job;
use super::r_format::{format_real, p_values, statistics, zapped};
use crate::cli::Result;
use crate::cli::output::table;
use gristmill::glm::{AnovaRow, Fit, GlmData, Summary};
use gristmill::nmath;
use serde_json::{Value, json};

/// How confidence intervals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Intervals {
    /// From the profile of the likelihood, as R's `confint`
    Profile,
    /// The estimate and multiples of its standard error, as R's `confint.default`
    Wald,
}

/// Which test the analysis of deviance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Test {
    /// Chi-squared for families without a dispersion, else F
    Auto,
    /// Chi-squared
    Chisq,
    /// F
    F,
}

#[derive(Debug, Default)]
pub(super) struct After {
    intervals: Option<Vec<(f64, f64)>>,
    covariance: Option<Vec<f64>>,
    anova: Option<Anova>,
}

#[derive(Debug)]
struct Anova {
    rows: Vec<AnovaRow>,
    /// The statistic (of F) and the p value of each term.
    tests: Vec<(f64, f64)>,
    f: bool,
}

impl After {
    pub(super) fn compute(job: &Job<'_>, data: &GlmData, fit: &Fit, summary: &Summary) -> Result<After> {
        let args = job.args;
        let n = fit.coefficients.len();
        let mut after = After::default();
        if let Some(kind) = args.confint {
            let z = nmath::qnorm(0.5 + 0.5 * args.level, 0.0, 1.0, true, false);
            after.intervals = Some(match kind {
                Intervals::Profile if job.is_flat() => data.profile_intervals(fit, summary.dispersion, args.level)?,
                Intervals::Profile => {
                    return Err("--confint=profile needs a flat prior; take --confint=wald, which uses the \
                                posterior's standard deviations"
                        .into());
                }
                Intervals::Wald => {
                    summary.coefficients.iter().map(|c| (c.estimate - z * c.sd, c.estimate + z * c.sd)).collect()
                }
            });
        }
        if args.vcov {
            let covariance = if job.is_flat() { &fit.expected_covariance } else { &fit.covariance };
            let scale = if job.is_flat() { summary.dispersion } else { 1.0 };
            after.covariance = Some(covariance.iter().map(|v| v * scale).collect());
            debug_assert_eq!(covariance.len(), n * n);
        }
        if let Some(test) = args.anova {
            if !job.is_flat() {
                return Err("--anova compares fits by their likelihood alone: leave the prior out".into());
            }
            let f = match test {
                Test::Auto => summary.estimated,
                Test::Chisq => false,
                Test::F => true,
            };
            let rows = job.design.analysis_of_deviance(*data.model())?;
            let tests = rows.iter().map(|row| tested(row, summary, f)).collect();
            after.anova = Some(Anova { rows, tests, f });
        }
        Ok(after)
    }

    pub(super) fn text(&self, job: &Job<'_>) -> String {
        let mut out = String::new();
        let names = &job.design.names;
        if let Some(intervals) = &self.intervals {
            let tail = 50.0 * (1.0 - job.args.level);
            let percent = |p: f64| format!("{} %", format_real(&[p], 3)[0]);
            let kind = match job.args.confint {
                Some(Intervals::Wald) => "estimate and standard error",
                _ => "profile likelihood",
            };
            out.push_str(&format!("\nConfidence intervals ({kind}):\n"));
            let mut rows = vec![vec![String::new(), percent(tail), percent(100.0 - tail)]];
            let both: Vec<f64> = intervals.iter().flat_map(|(low, high)| [*low, *high]).collect();
            let texts = format_real(&both, 7);
            rows.extend(
                names.iter().zip(texts.chunks_exact(2)).map(|(n, t)| vec![n.clone(), t[0].clone(), t[1].clone()]),
            );
            out.push_str(&table(&rows, &[1, 2]));
        }
        if let Some(covariance) = &self.covariance {
            out.push_str("\nCovariance of the coefficients:\n");
            let n = names.len();
            let columns: Vec<Vec<String>> =
                (0..n).map(|j| format_real(&(0..n).map(|i| covariance[i * n + j]).collect::<Vec<f64>>(), 7)).collect();
            let mut rows = vec![std::iter::once(String::new()).chain(names.iter().cloned()).collect::<Vec<_>>()];
            for (i, name) in names.iter().enumerate() {
                rows.push(std::iter::once(name.clone()).chain(columns.iter().map(|c| c[i].clone())).collect());
            }
            out.push_str(&table(&rows, &(1..=n).collect::<Vec<_>>()));
        }
        if let Some(anova) = &self.anova {
            out.push_str(&anova.text());
        }
        out
    }

    pub(super) fn add_json(&self, job: &Job<'_>, object: &mut serde_json::Map<String, Value>) {
        let number = super::report::number;
        if let Some(intervals) = &self.intervals {
            let kind = if job.args.confint == Some(Intervals::Wald) { "wald" } else { "profile" };
            let ends: Vec<Value> = intervals.iter().map(|(l, h)| json!([number(*l), number(*h)])).collect();
            object.insert("confint".into(), json!({ "kind": kind, "level": job.args.level, "intervals": ends }));
        }
        if let Some(covariance) = &self.covariance {
            let n = job.design.names.len().max(1);
            let rows: Vec<Value> =
                covariance.chunks(n).map(|row| row.iter().map(|v| number(*v)).collect::<Vec<_>>().into()).collect();
            object.insert("vcov".into(), rows.into());
        }
        if let Some(anova) = &self.anova {
            let rows: Vec<Value> = anova
                .rows
                .iter()
                .zip(&anova.tests)
                .map(|(row, (statistic, p))| {
                    json!({
                        "term": row.term,
                        "df": row.degrees,
                        "deviance": row.reduction.map_or(Value::Null, number),
                        "df_residual": row.residual_degrees,
                        "residual_deviance": number(row.residual_deviance),
                        "statistic": number(*statistic),
                        "p": number(*p),
                    })
                })
                .collect();
            object.insert("anova".into(), json!({ "test": if anova.f { "F" } else { "Chisq" }, "terms": rows }));
        }
    }
}

/// The statistic and the p value of a term.
fn tested(row: &AnovaRow, summary: &Summary, f: bool) -> (f64, f64) {
    let (Some(degrees), Some(reduction)) = (row.degrees, row.reduction) else { return (f64::NAN, f64::NAN) };
    if degrees == 0 {
        return (f64::NAN, f64::NAN);
    }
    let scaled = reduction / summary.dispersion;
    let df = degrees as f64;
    match f {
        true => {
            // A dispersion that is known has as many degrees of freedom as anybody wants, as in R.
            let known = if summary.estimated { summary.residual_degrees as f64 } else { f64::INFINITY };
            (scaled / df, nmath::pf(scaled / df, df, known, false, false))
        }
        false => (scaled, nmath::pchisq(scaled, df, false, false)),
    }
}

impl Anova {
    fn text(&self) -> String {
        let mut out = String::from("\nAnalysis of deviance, terms added in order:\n");
        let heading = ["", "Df", "Deviance", "Resid. Df", "Resid. Dev"];
        let mut head: Vec<String> = heading.map(String::from).to_vec();
        if self.f {
            head.push("F".to_string());
        }
        head.push(if self.f { "Pr(>F)" } else { "Pr(>Chi)" }.to_string());
        head.push(String::new());
        let signed = |values: Vec<f64>| format_real(&zapped(&values, 5), 5);
        let reductions = signed(self.rows.iter().map(|r| r.reduction.unwrap_or(f64::NAN)).collect());
        let residuals = signed(self.rows.iter().map(|r| r.residual_deviance).collect());
        let f_texts = statistics(&self.tests.iter().map(|t| t.0).collect::<Vec<_>>(), 5);
        let p_texts = p_values(&self.tests.iter().map(|t| t.1).collect::<Vec<_>>(), 4);
        let blank = |text: &str, known: bool| if known { text.to_string() } else { String::new() };
        let mut rows = vec![head];
        for (i, row) in self.rows.iter().enumerate() {
            let known = row.degrees.is_some_and(|d| d > 0);
            let mut cells = vec![
                row.term.clone(),
                row.degrees.map_or(String::new(), |d| d.to_string()),
                blank(&reductions[i], row.reduction.is_some()),
                row.residual_degrees.to_string(),
                residuals[i].clone(),
            ];
            if self.f {
                cells.push(blank(&f_texts[i], known));
            }
            cells.push(blank(&p_texts[i], known));
            cells.push(super::report::stars(self.tests[i].1).to_string());
            rows.push(cells);
        }
        let right: Vec<usize> = (1..if self.f { 7 } else { 6 }).collect();
        out.push_str(&table(&rows, &right));
        out
    }
}
