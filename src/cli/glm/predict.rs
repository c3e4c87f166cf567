//! `--predict FILE`: the linear predictor and the mean for new rows, with their standard errors.

use super::{Fitted, Job, read};
use crate::cli::Result;
use crate::cli::output::count_with_separators;
use gristmill::glm::formula::{DesignMatrix, NewRows};
use gristmill::glm::{Fit, Model};
use gristmill_table_io::arrow::array::{ArrayRef, Float64Array, RecordBatch};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill_table_io::{Format, TableWriter, open};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn write(job: &Job<'_>, fitted: &Fitted, path: &Path) -> Result<()> {
    let Some((formula, roles)) = &job.formula else {
        return Err("--predict needs a formula".into());
    };
    let opened = open(path, None)?.with_missing(job.args.missing());
    let names = formula.names_of_terms(roles)?;
    let table = read::table(opened, &names, path, job.args.quiet)?;
    let new = formula.new_rows(&job.design.frame, &table, roles)?;
    let (fit, rows) = (&fitted.fit, table.rows());
    let scale = if job.is_flat() { fitted.summary.dispersion } else { 1.0 };
    let all = predictions(&new, rows, fit, fitted.data.model(), scale);
    let missing = all.iter().filter(|row| row[0].is_nan()).count();
    let names = ["link", "link_se", "response", "response_se"];
    let fields: Vec<Field> = names.iter().map(|n| Field::new(*n, DataType::Float64, true)).collect();
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    let column = |k: usize| -> ArrayRef {
        Arc::new(Float64Array::from_iter(all.iter().map(|row| Some(row[k]).filter(|v| !v.is_nan()))))
    };
    let (to, format) = match &job.args.output {
        Some(path) if path != Path::new("-") => (path.clone(), Format::of_path(path)?),
        _ => (PathBuf::from("-"), Format::Csv),
    };
    let mut writer = TableWriter::create(&to, format, &schema)?;
    writer.write(&RecordBatch::try_new(schema, (0..4).map(column).collect())?)?;
    writer.finish()?;
    if missing > 0 && !job.args.quiet {
        let missing = count_with_separators(missing as u64);
        say!(
            "warning: {missing} of {} rows have a missing value, and so no prediction",
            count_with_separators(rows as u64)
        );
    }
    if fit.aliased.contains(&true) && !job.args.quiet {
        say!("warning: predictions of a rank-deficient fit leave out the coefficients without a value, as R's do");
    }
    Ok(())
}

/// For each of so many new rows the linear predictor, its standard error, the mean and its standard error; NaN where a value
/// is missing. `scale` is what the covariance of the fit is multiplied by.
pub fn predictions(new: &NewRows, rows: usize, fit: &Fit, model: &Model, scale: f64) -> Vec<[f64; 4]> {
    let n = fit.coefficients.len();
    let elements = |i: usize| -> Vec<(usize, f64)> {
        match &new.x {
            DesignMatrix::Dense(x) => (0..n).map(|j| (j, x[j * rows + i])).collect(),
            DesignMatrix::Sparse(x) => {
                let (places, values) = x.row(i);
                places.iter().map(|k| *k as usize).zip(values.iter().copied()).collect()
            }
        }
    };
    let one = |i: usize| {
        let row = elements(i);
        let known = row.iter().filter(|(k, _)| !fit.aliased[*k]);
        let link = known.fold(new.offset[i], |sum, (k, x)| x.mul_add(fit.coefficients[*k], sum));
        let link_se = (fit.quadratic(row.iter().copied()) * scale).sqrt();
        [link, link_se, model.mean(link), link_se * model.mean_derivative(link).abs()]
    };
    (0..rows).into_par_iter().with_min_len(64).map(one).collect()
}
