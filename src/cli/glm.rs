//! `gristmill glm`: generalized linear models of a table.

mod after;
mod diagnostics;
mod grid;
mod npz;
mod plot;
mod predict;
mod prior;
mod progress;
mod r_format;
mod raw;
mod read;
mod report;

// Bindings read tables for formulas, predict and print fits as the command does.
pub use predict::predictions;
pub use read::table as read_table;
pub use report::Printed;

use super::named::named;
use super::output::{Format as TextOrJson, count, count_with_separators};
use super::{Outcome, Result};
use after::{After, Intervals, Test};
use gristmill::cl_runtime::Device;
use gristmill::glm::formula::{Design, Formula, Roles};
use gristmill::glm::{Family, Fit, FitOutcome, GlmData, GlmError, Link, Matrix, Model, Summary, Variance};
use gristmill_table_io::{Format, Missing, open};
use std::path::PathBuf;
use std::time::Instant;

/// Fit a generalized linear model, or evaluate its posterior at a grid of coefficients
///
/// Formulas are written as in R: `admit ~ gre + gpa + rank`. Columns of text are factors with treatment contrasts; any
/// expression of `gristmill eval` can be a variable, `I(x^2)`, `log(x)`. Rows with a missing value are left out. Without a prior
/// the fit is that of R's `glm`; with one it is the posterior's mode.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill glm examples/budworm.csv --family binomial \\
      --formula 'cbind(dead, moths - dead) ~ sex * log2(dose)'
  gristmill glm data.csv --formula 'count ~ x + offset(log(time))' --family poisson --format json
  gristmill glm data.csv --formula 'y ~ ns(x, 4) + relevel(g, ref = \"b\")' --confint --anova --plot fit.svg
  gristmill glm data.csv --formula 'y ~ x' --predict new.csv -o predicted.csv
  gristmill glm --x X.npy --y y.npy --family binomial --prior-precision 1 --grid B.npy -o out.npz
  gristmill glm data.csv --formula 'y ~ x' --prior-precision 0.1 --grid-around-mode 2 -o grid.csv")]
pub(crate) struct Args {
    /// The table: a .csv, .tsv, .parquet or .arrow file, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "x")]
    table: Option<PathBuf>,
    /// The model: `response ~ terms`
    #[arg(long, value_name = "FORMULA", required_unless_present = "x")]
    formula: Option<String>,
    /// The model matrix as it is, instead of a table and a formula: an .npy file of two dimensions, rows by coefficients, in C
    /// (row-major) or Fortran (column-major) order. --weights, --offset, --prior-mean, --prior-precision and --grid are then .npy
    /// files too (or, for the prior, numbers)
    #[arg(long, value_name = "X.npy", requires = "y", conflicts_with_all = ["table", "formula", "predict", "anova"])]
    x: Option<PathBuf>,
    /// The response for --x: an .npy file of one dimension
    #[arg(long, value_name = "Y.npy", requires = "x")]
    y: Option<PathBuf>,
    /// The distribution: binomial, quasibinomial, poisson, quasipoisson, Gamma, gaussian, inverse.gaussian, negative.binomial or
    /// quasi
    #[arg(long, default_value = "gaussian", value_name = "FAMILY", hide_possible_values = true,
        value_parser = named::<Family>(Family::ALL.iter().map(|f| f.name())))]
    family: Family,
    /// How the mean depends on the terms: logit, probit, cloglog, cauchit, log, inverse, identity, sqrt or 1/mu^2, or one of the
    /// last five as power(0), power(-1), power(1), power(0.5) or power(-2); R's default if not given
    #[arg(long, value_name = "LINK", hide_possible_values = true,
        value_parser = named::<Link>(Link::ALL.iter().map(|l| l.name())))]
    link: Option<Link>,
    /// The variance of the family quasi: constant, mu, mu(1-mu), mu^2 or mu^3; constant if not given
    #[arg(long, value_name = "VARIANCE", hide_possible_values = true,
        value_parser = named::<Variance>(Variance::ALL.iter().map(|v| v.name())))]
    variance: Option<Variance>,
    /// The size of the negative binomial family: the variance is mean + mean^2/size. Estimated by the fit if not given
    #[arg(long, value_name = "SIZE")]
    size: Option<f64>,
    /// Add the constants of the binomial or poisson density to the values of quasi families, as other programs do
    #[arg(long)]
    constants: bool,
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
    /// Words that stand for missing values in a text table, beside empty fields; NA in columns of numbers if not given
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    na: Vec<String>,
    /// Print the fit; this is what is done if no grid is given
    #[arg(long)]
    fit: bool,
    /// Print confidence intervals: `profile` (if no kind is given) or `wald`
    #[arg(long, value_enum, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "profile")]
    confint: Option<Intervals>,
    /// The level of confidence intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    level: f64,
    /// Print the covariance of the coefficients
    #[arg(long)]
    vcov: bool,
    /// Print the analysis of deviance, terms added one after the other: `chisq` or `F`; the usual one if not given
    #[arg(long, value_enum, value_name = "TEST", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    anova: Option<Test>,
    /// Write predictions for the rows of this table: link and response with their standard errors
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grid", "grid_around_mode"])]
    predict: Option<PathBuf>,
    /// Write residuals, leverages and Cook's distances of all rows there: a .csv, .tsv, .parquet or .arrow file
    #[arg(long, value_name = "FILE")]
    residuals: Option<PathBuf>,
    /// Draw the four diagnostic plots and the coefficients with their intervals there: an .svg file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Evaluate the negative log-posterior and its gradient at the points of this table, which has a column per coefficient
    #[arg(long, value_name = "FILE", conflicts_with = "grid_around_mode")]
    grid: Option<PathBuf>,
    /// Evaluate it at the mode and K standard deviations to both sides of it in every coordinate: 3^p points
    #[arg(long, value_name = "K")]
    grid_around_mode: Option<f64>,
    /// Write the grid or the predictions there instead of to standard output: a .csv, .tsv, .parquet or .arrow file; of raw
    /// matrices an .npz file with `values` and `gradients` (points by coefficients, row-major)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to print the fit
    #[arg(long, value_enum, default_value_t)]
    format: TextOrJson,
    /// The format of the table, if its name does not tell: csv, tsv, parquet or arrow
    #[arg(long, value_name = "FORMAT", hide_possible_values = true,
        value_parser = named::<Format>(Format::ALL.iter().map(|f| f.name())))]
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

impl Args {
    /// What stands for missing values in text.
    fn missing(&self) -> Missing {
        if self.na.is_empty() { Missing::Usual } else { Missing::Words(self.na.clone()) }
    }
}

pub(crate) fn run(args: &Args) -> Result {
    let start = Instant::now();
    check(args)?;
    super::threads::start(args.threads)?;
    let job = Job::read(args)?;
    let mut outcome = Outcome::Fine;
    if job.wants_fit() || args.predict.is_some() || args.residuals.is_some() || args.plot.is_some() {
        let fitted = job.fit()?;
        outcome = if job.wants_fit() { job.report(&fitted, start)? } else { job.outcome(&fitted) };
        if let Some(path) = &args.residuals {
            diagnostics::write(&job, &fitted, path)?;
        }
        if let Some(path) = &args.plot {
            plot::write(&job, &fitted, path)?;
        }
        if let Some(path) = &args.predict {
            predict::write(&job, &fitted, path)?;
        }
    }
    if let Some(k) = args.grid_around_mode {
        grid::around_mode(&job, k)?;
    } else if let Some(path) = &args.grid {
        if args.x.is_some() { raw::grid(&job, path)? } else { grid::from_table(&job, path)? }
    }
    Ok(outcome)
}

/// What options say together.
fn check(args: &Args) -> Result<()> {
    let outputs = [("-o", &args.output), ("--residuals", &args.residuals), ("--plot", &args.plot)];
    super::output::must_differ(outputs.into_iter().filter_map(|(o, path)| Some((o.to_owned(), path.clone()?))))?;
    let has_grid = args.grid.is_some() || args.grid_around_mode.is_some();
    if args.output.is_some() && !has_grid && args.predict.is_none() {
        return Err(
            "-o is where the grid or the predictions go, but there is neither; give --grid, --grid-around-mode or \
                    --predict, or redirect the fit with `>`"
                .into(),
        );
    }
    if args.fit && has_grid && args.output.is_none() {
        return Err("--fit and the grid would both go to standard output; give -o for the grid".into());
    }
    if args.fit && args.predict.is_some() && args.output.is_none() {
        return Err("--fit and the predictions would both go to standard output; give -o for the predictions".into());
    }
    if let Some(path) = &args.plot {
        plot::check(path)?;
    }
    if !(args.level > 0.0 && args.level < 1.0) {
        return Err(format!("--level is {}, but must be between 0 and 1", args.level).into());
    }
    if args.variance.is_some() && args.family != Family::Quasi {
        return Err(format!("--variance was given, but only the family `quasi` has one, not `{}`", args.family).into());
    }
    if args.constants && !matches!(args.family, Family::QuasiBinomial | Family::QuasiPoisson) {
        return Err(format!(
            "--constants was given, but only the values of `quasibinomial` and `quasipoisson` lack them, not those of `{}`",
            args.family
        )
        .into());
    }
    if args.family == Family::NegativeBinomial && args.size.is_none() && has_grid {
        return Err(
            "a grid needs the size of the negative binomial family: give --size; the fit prints its estimate".into()
        );
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
    /// Of a table, with what else the model takes from it.
    formula: Option<(Formula, Roles)>,
    design: Design,
    prior_mean: Vec<f64>,
    /// Row-major.
    prior_precision: Vec<f64>,
}

/// A fit and what is known about it.
pub(super) struct Fitted {
    data: GlmData,
    fit: Fit,
    summary: Summary,
    /// The standard error of an estimated size.
    size_sd: Option<f64>,
    warning: Option<String>,
}

impl<'a> Job<'a> {
    fn read(args: &'a Args) -> Result<Job<'a>> {
        // Until it is estimated, any size does.
        let size = args.size.or((args.family == Family::NegativeBinomial).then_some(1.0));
        let model = match args.family {
            Family::Quasi => Model::quasi(args.variance.unwrap_or(Variance::Constant), args.link),
            family => Model::new(family, args.link, size)?,
        };
        let model = if args.constants { model.with_constants() } else { model };
        if let (Some(x), Some(y)) = (&args.x, &args.y) {
            let design = raw::design(args, x, y)?;
            let (prior_mean, prior_precision) = prior::prior(args, &design.names)?;
            return Ok(Job { args, model, formula: None, design, prior_mean, prior_precision });
        }
        let (Some(path), Some(text)) = (&args.table, &args.formula) else {
            return Err("a model needs a table and --formula, or --x and --y".into());
        };
        let opened = open(path, args.input_format)?.with_missing(args.missing());
        let formula = Formula::parse(text, opened.columns())?;
        let roles = Roles {
            weights: args.weights.clone(),
            offset: args.offset.clone(),
            binomial: matches!(args.family, Family::Binomial | Family::QuasiBinomial),
        };
        let names = formula.names_used(&roles)?;
        let table = read::table(opened, &names, path, args.quiet)?;
        let design = formula.design(&table, &roles)?;
        let (prior_mean, prior_precision) = prior::prior(args, &design.names)?;
        Ok(Job { args, model, formula: Some((formula, roles)), design, prior_mean, prior_precision })
    }

    /// What there is to print.
    fn printed<'b>(&'b self, fitted: &'b Fitted) -> Printed<'b> {
        Printed {
            names: &self.design.names,
            model: fitted.data.model(),
            fit: &fitted.fit,
            summary: &fitted.summary,
            dropped: self.design.dropped,
            dispersion: self.args.dispersion,
            size_sd: fitted.size_sd,
        }
    }

    fn wants_fit(&self) -> bool {
        let args = self.args;
        args.fit || (args.grid.is_none() && args.grid_around_mode.is_none() && args.predict.is_none())
    }

    fn is_flat(&self) -> bool {
        self.prior_precision.iter().all(|p| *p == 0.0)
    }

    /// The data; weights are divided by the dispersion.
    fn data(&self, dispersion: f64) -> Result<GlmData> {
        let columns = self.design.names.len();
        let make = |weights: &[f64]| {
            let precision = Matrix::row_major(&self.prior_precision, columns, columns)?;
            let data = self.design.builder(self.model)?.weights(weights).prior_mean(&self.prior_mean);
            data.prior_precision(precision).build()
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
            GlmError::Response { model, row, value, weight } => {
                let error = GlmError::Response { model, row: table_row(row), value, weight };
                if model.family() == Family::Binomial && self.args.weights.is_none() && value > 0.0 && value < 1.0 {
                    return format!("{error}; give the number of trials with --weights").into();
                }
                error.into()
            }
            GlmError::Weight { family, row, value } => GlmError::Weight { family, row: table_row(row), value }.into(),
            other => other.into(),
        }
    }

    fn fit(&self) -> Result<Fitted> {
        // With a flat prior the dispersion is R's: it scales the covariance, and the deviance stays unscaled.
        let flat = self.is_flat();
        let data = if flat { self.data(1.0)? } else { self.posterior()? };
        let mut progress = progress::Progress::fitting(self.args.quiet);
        let (mut size_sd, mut warning) = (None, None);
        let (data, fit) = if self.args.family == Family::NegativeBinomial && self.args.size.is_none() {
            let found = data.fit_negative_binomial()?;
            if !found.converged {
                warning = Some(format!(
                    "the size of the negative binomial has no finite estimate: the search ended at {:.3e}, where the counts \
                     vary as a poisson model says; take --family poisson, or give --size",
                    found.size
                ));
            }
            size_sd = Some(found.size_sd);
            (found.data, found.fit)
        } else {
            let fit = data.fit_with(|at| {
                let step = format!("step {} of {:.0e} standard deviations, ", at.iterations, at.last_step);
                progress.say(at.iterations as u64, step);
            })?;
            (data, fit)
        };
        progress.clear();
        let summary = data.summary(&fit, self.design.intercept, self.args.dispersion.filter(|_| flat));
        Ok(Fitted { data, fit, summary, size_sd, warning })
    }

    /// Prints the fit and what was asked for beside it.
    fn report(&self, fitted: &Fitted, start: Instant) -> Result {
        let after = After::compute(self, &fitted.data, &fitted.fit, &fitted.summary)?;
        report::print(self, fitted, &after)?;
        if !self.args.quiet {
            self.summary_line(&fitted.fit, start);
        }
        Ok(self.outcome(fitted))
    }

    /// Says what is wrong with a fit.
    fn outcome(&self, fitted: &Fitted) -> Outcome {
        self.warnings(&fitted.fit, &fitted.summary);
        if let Some(warning) = &fitted.warning {
            say!("warning: {warning}");
        }
        if fitted.fit.converged() && fitted.warning.is_none() { Outcome::Fine } else { Outcome::ProblemsFound }
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
        if summary.estimated && summary.residual_degrees > 0 && self.is_perfect(summary) {
            say!("warning: the fit is perfect but for rounding; its standard errors and tests say nothing");
        }
        if summary.estimated && summary.residual_degrees == 0 {
            say!("warning: there are no more rows than coefficients; the dispersion cannot be estimated");
        }
    }

    /// Whether what is left of the responses is rounding.
    fn is_perfect(&self, summary: &Summary) -> bool {
        let size = self.design.y.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
        // In units of the responses, whatever the family's variance does to them.
        let left = (summary.deviance / summary.residual_degrees as f64).sqrt();
        self.model.family() == Family::Gaussian && left < 1e-14 * size.max(f64::MIN_POSITIVE)
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
            FitOutcome::Border { rows } => Some(format!(
                "the likelihood is highest at the border of what the {} link takes: it ends {}. The values are those there, and \
                 their standard errors say little",
                self.model.link(),
                self.rows_in_words(rows)
            )),
            FitOutcome::NotConverged { last_step } => Some(format!(
                "the search for the mode did not converge in {} iterations; the last step was {last_step:.2e} standard \
                 deviations",
                fit.iterations
            )),
            other => Some(format!("the search for the mode ended with {other:?}")),
        }
    }

    /// `in row 3`, `in 12 rows, first in row 3`: rows of the table.
    fn rows_in_words(&self, rows: &[usize]) -> String {
        let first = rows.first().map_or(0, |row| self.design.rows.get(*row).copied().unwrap_or(row + 1));
        match rows.len() {
            1 => format!("in row {first}"),
            n => format!("in {} rows, first in row {first}", count_with_separators(n as u64)),
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
