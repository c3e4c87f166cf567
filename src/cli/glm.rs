//! `gristmill glm`: generalized linear models of a table.

mod grid;
mod prior;
mod read;
mod report;

use super::output::{Format as TextOrJson, count, count_with_separators};
use super::{Outcome, Result};
use gristmill::cl_runtime::Device;
use gristmill::glm::formula::{Design, Formula, Roles};
use gristmill::glm::{Family, Fit, FitOutcome, GlmData, GlmError, Link, Matrix, Model, Summary};
use gristmill_table_io::{Format, open};
use std::path::PathBuf;
use std::time::Instant;

/// Fit a generalized linear model, or evaluate its posterior at a grid of coefficients
///
/// Formulas are written as in R: `admit ~ gre + gpa + rank`. Columns of text are factors with treatment contrasts; any
/// expression of `gristmill eval` can be a variable, `I(x^2)`, `log(x)`. Rows with a missing value are left out. Without a prior
/// the fit is that of R's `glm`; with one it is the posterior's mode. docs/glm.md has the models, the names and the formats.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill glm examples/budworm.csv --family binomial \\
      --formula 'cbind(dead, moths - dead) ~ sex * log2(dose)'
  gristmill glm data.csv --formula 'count ~ x + offset(log(time))' --family poisson --format json
  gristmill glm data.csv --formula 'y ~ x' --prior-precision 0.1 --grid-around-mode 2 -o grid.csv")]
pub(crate) struct Args {
    /// The table: a .csv, .tsv, .parquet or .arrow file, or - for standard input
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// The model: `response ~ terms`
    #[arg(long, value_name = "FORMULA")]
    formula: String,
    /// The distribution: binomial, quasibinomial, poisson, quasipoisson, Gamma, gaussian or negative.binomial
    #[arg(long, default_value = "gaussian", value_name = "FAMILY")]
    family: Family,
    /// How the mean depends on the terms: logit, probit, cloglog, cauchit, log, inverse or identity; R's default if not given
    #[arg(long, value_name = "LINK")]
    link: Option<Link>,
    /// The size of the negative binomial family: the variance is mean + mean^2/size
    #[arg(long, value_name = "SIZE")]
    size: Option<f64>,
    /// The dispersion of the families that have one; estimated by the fit if not given, 1 with a prior and for grids
    #[arg(long, value_name = "NUMBER")]
    dispersion: Option<f64>,
    /// A column, or an expression, for the weights: trials, precisions, shapes or copies of a row
    #[arg(long, value_name = "EXPRESSION")]
    weights: Option<String>,
    /// A column, or an expression, that is added to the linear predictor
    #[arg(long, value_name = "EXPRESSION")]
    offset: Option<String>,
    /// The prior's mean: a number, one for each coefficient (`0,1`), some by name (`x=1,z=2`), or a table of one row
    #[arg(long, value_name = "NUMBERS|FILE", requires = "prior_precision", allow_hyphen_values = true)]
    prior_mean: Option<String>,
    /// The prior's precision: as for the mean, the diagonal; or a table with the whole matrix. Flat if not given
    #[arg(long, value_name = "NUMBERS|FILE", allow_hyphen_values = true)]
    prior_precision: Option<String>,
    /// Print the fit; this is what is done if no grid is given
    #[arg(long)]
    fit: bool,
    /// Evaluate the negative log-posterior and its gradient at the points of this table, which has a column per coefficient
    #[arg(long, value_name = "FILE", conflicts_with = "grid_around_mode")]
    grid: Option<PathBuf>,
    /// Evaluate it at the mode and K standard deviations to both sides of it in every coordinate: 3^p points
    #[arg(long, value_name = "K")]
    grid_around_mode: Option<f64>,
    /// Write the grid there instead of to standard output: a .csv, .tsv, .parquet or .arrow file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to print the fit
    #[arg(long, value_enum, default_value_t)]
    format: TextOrJson,
    /// The format of the table, if its name does not tell: csv, tsv, parquet or arrow
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<Format>,
    /// Evaluate the grid on this OpenCL device: a number, `cpu`, `gpu` or a part of its name; see `gristmill devices`
    /// (default: GRISTMILL_DEVICE)
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Use this many threads; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// No summary and no progress
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result {
    let start = Instant::now();
    check(args)?;
    super::threads::start(args.threads)?;
    let job = Job::read(args)?;
    let mut outcome = Outcome::Fine;
    if job.wants_fit() {
        outcome = job.fit(start)?;
    }
    if let Some(k) = args.grid_around_mode {
        grid::around_mode(&job, k)?;
    } else if let Some(path) = &args.grid {
        grid::from_table(&job, path)?;
    }
    Ok(outcome)
}

/// What options say together.
fn check(args: &Args) -> Result<()> {
    let has_grid = args.grid.is_some() || args.grid_around_mode.is_some();
    if args.output.is_some() && !has_grid {
        return Err("-o is where the grid goes, but there is no grid; give --grid or --grid-around-mode, \
                    or redirect the fit with `>`"
            .into());
    }
    if args.fit && has_grid && args.output.is_none() {
        return Err("--fit and the grid would both go to standard output; give -o for the grid".into());
    }
    if args.format == TextOrJson::Json && has_grid && !args.fit {
        return Err("--format json is for the fit, but only a grid is asked for; add --fit, \
                    and -o for the grid, which is a table"
            .into());
    }
    if let Some(k) = args.grid_around_mode.filter(|k| !(*k > 0.0 && k.is_finite())) {
        return Err(format!("--grid-around-mode is {k}, but must be positive and finite").into());
    }
    if let Some(d) = args.dispersion {
        if !(d > 0.0 && d.is_finite()) {
            return Err(format!("--dispersion is {d}, but must be positive and finite").into());
        }
        if !args.family.has_dispersion() {
            return Err(format!("--dispersion was given, but the family `{}` has none", args.family).into());
        }
    }
    Ok(())
}

/// A model and its data.
pub(super) struct Job<'a> {
    args: &'a Args,
    model: Model,
    design: Design,
    prior_mean: Vec<f64>,
    /// Row-major.
    prior_precision: Vec<f64>,
}

impl<'a> Job<'a> {
    fn read(args: &'a Args) -> Result<Job<'a>> {
        let model = Model::new(args.family, args.link, args.size)?;
        let opened = open(&args.table, args.input_format)?;
        let formula = Formula::parse(&args.formula, opened.columns())?;
        let roles = Roles {
            weights: args.weights.clone(),
            offset: args.offset.clone(),
            binomial: matches!(args.family, Family::Binomial | Family::QuasiBinomial),
        };
        let names = formula.names_used(&roles)?;
        let table = read::table(opened, &names, &args.table, args.quiet)?;
        let design = formula.design(&table, &roles)?;
        let (prior_mean, prior_precision) = prior::prior(args, &design.names)?;
        Ok(Job { args, model, design, prior_mean, prior_precision })
    }

    fn wants_fit(&self) -> bool {
        self.args.fit || (self.args.grid.is_none() && self.args.grid_around_mode.is_none())
    }

    fn is_flat(&self) -> bool {
        self.prior_precision.iter().all(|p| *p == 0.0)
    }

    /// The data; weights are divided by the dispersion.
    fn data(&self, dispersion: f64) -> Result<GlmData> {
        let (rows, columns) = (self.design.y.len(), self.design.names.len());
        let make = |weights: &[f64]| {
            GlmData::new(
                self.model,
                Matrix::column_major(&self.design.x, rows, columns)?,
                &self.design.y,
                Some(weights),
                Some(&self.design.offset),
                Some(&self.prior_mean),
                Some(Matrix::row_major(&self.prior_precision, columns, columns)?),
            )
        };
        // The data is checked with the weights that the user sees.
        let data = make(&self.design.weights).map_err(|e| self.explained(e))?;
        if dispersion == 1.0 {
            return Ok(data);
        }
        let scaled: Vec<f64> = self.design.weights.iter().map(|w| w / dispersion).collect();
        make(&scaled).map_err(|e| self.explained(e))
    }

    /// The data whose posterior grids are about.
    pub(super) fn posterior(&self) -> Result<GlmData> {
        self.data(self.args.dispersion.unwrap_or(1.0))
    }

    /// Rows in errors are rows of the table, not of what is left of it; a proportion without trials gets a hint.
    fn explained(&self, error: GlmError) -> Box<dyn std::error::Error> {
        let table_row = |row: usize| self.design.rows.get(row).map_or(row, |r| r - 1);
        match error {
            GlmError::Response { family, row, value, weight } => {
                let error = GlmError::Response { family, row: table_row(row), value, weight };
                if family == Family::Binomial && self.args.weights.is_none() && value > 0.0 && value < 1.0 {
                    return format!("{error}; give the number of trials with --weights").into();
                }
                error.into()
            }
            GlmError::Weight { family, row, value } => GlmError::Weight { family, row: table_row(row), value }.into(),
            other => other.into(),
        }
    }

    fn fit(&self, start: Instant) -> Result {
        // With a flat prior the dispersion is R's: it scales the covariance, and the deviance stays unscaled.
        let flat = self.is_flat();
        let data = if flat { self.data(1.0)? } else { self.posterior()? };
        let fit = data.fit()?;
        let summary = data.summary(&fit, self.design.intercept, self.args.dispersion.filter(|_| flat));
        report::print(self, &fit, &summary)?;
        if !self.args.quiet {
            self.summary_line(&fit, start);
        }
        self.warnings(&fit, &summary);
        Ok(if fit.converged() { Outcome::Fine } else { Outcome::ProblemsFound })
    }

    fn summary_line(&self, fit: &Fit, start: Instant) {
        say!(
            "{}, {}, {}, {:.3} s, {}",
            self.rows_text(),
            count(self.design.names.len(), "coefficient"),
            count(fit.iterations, "iteration"),
            start.elapsed().as_secs_f64(),
            threads_text(),
        );
    }

    /// `8 rows`, `5 rows (3 with missing values left out)`
    pub(super) fn rows_text(&self) -> String {
        let rows = count_with_separators(self.design.y.len() as u64);
        match self.design.dropped {
            0 => format!("{rows} rows"),
            dropped => format!("{rows} rows ({} with missing values left out)", count_with_separators(dropped as u64)),
        }
    }

    fn names_of(&self, coefficients: &[usize]) -> String {
        let names: Vec<String> = coefficients.iter().map(|j| format!("`{}`", self.design.names[*j])).collect();
        names.join(", ")
    }

    /// Everything that makes the numbers something else than they seem.
    fn warnings(&self, fit: &Fit, summary: &Summary) {
        let aliased: Vec<usize> = (0..fit.aliased.len()).filter(|j| fit.aliased[*j]).collect();
        if !aliased.is_empty() {
            let names = self.names_of(&aliased);
            match aliased.len() {
                1 => say!("warning: {names} depends on the columns before it and has no value of its own"),
                _ => say!("warning: {names} depend on the columns before them and have no value of their own"),
            }
        }
        if let Some(reason) = self.problem(fit) {
            say!("warning: {reason}");
        }
        if summary.estimated && summary.residual_degrees == 0 {
            say!("warning: there are no more rows than coefficients; the dispersion cannot be estimated");
        }
    }

    /// Why a fit is not one.
    pub(super) fn problem(&self, fit: &Fit) -> Option<String> {
        match &fit.outcome {
            FitOutcome::Converged => None,
            FitOutcome::Separated { coefficients } => Some(format!(
                "the likelihood has no maximum: it rises without end along {}, by which the responses are separated; the \
                 values are those where the search stopped. --prior-precision makes them finite",
                self.names_of(coefficients)
            )),
            FitOutcome::NotConverged { last_step } => Some(format!(
                "the search for the mode did not converge in {} iterations; the last step was {last_step:.2e} standard \
                 deviations",
                fit.iterations
            )),
            other => Some(format!("the search for the mode ended with {other:?}")),
        }
    }

    pub(super) fn device(&self) -> Result<Option<Device>> {
        super::devices::wanted(self.args.device.as_deref())?.map(|device| device.open()).transpose()
    }
}

pub(super) fn threads_text() -> String {
    match rayon::current_num_threads() {
        1 => "cpu, 1 thread".to_string(),
        n => format!("cpu, {n} threads"),
    }
}
