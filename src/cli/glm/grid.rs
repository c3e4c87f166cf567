//! The negative log-posterior and its gradient at the points of a grid, batch by batch.

use super::prior::column_of;
use super::progress::Progress;
use super::{Job, threads_text};
use crate::cli::Result;
use crate::cli::output::{count, count_with_separators};
use gristmill::glm::{GlmData, Matrix, PointStatus};
use gristmill_table_io::arrow::array::{Array, ArrayRef, Float64Array, RecordBatch};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill_table_io::{Carry, Format, TableWriter, Wanted, open};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Points that are evaluated together.
const POINTS: usize = 4096;
/// The most points of a grid around the mode: about as many as 14 coefficients have.
const MOST_POINTS: u128 = 5_000_000;

/// The points of a table.
pub(super) fn from_table(job: &Job<'_>, path: &Path) -> Result<()> {
    has_coefficients(job)?;
    let opened = open(path, None)?;
    let names = &job.design.names;
    for name in names {
        column_of(opened.columns(), name, path)?;
    }
    let batches = opened.batches(&Wanted { numeric: names.clone(), carry: Carry::Nothing, ..Wanted::default() })?;
    let mut run = Run::new(job, job.posterior()?, None)?;
    for batch in batches {
        let batch = batch?;
        // A missing coordinate is NaN, and counted.
        let coordinate = |i: usize, c: &Float64Array| if c.is_null(i) { f64::NAN } else { c.value(i) };
        for first in (0..batch.rows).step_by(POINTS) {
            let rows = first..batch.rows.min(first + POINTS);
            let points: Vec<f64> = rows.flat_map(|i| batch.numeric.iter().map(move |c| coordinate(i, c))).collect();
            run.evaluate(&points)?;
        }
    }
    run.finish()
}

fn has_coefficients(job: &Job<'_>) -> Result<()> {
    if job.design.names.is_empty() {
        return Err(format!(
            "`{}` has no coefficients, so there is no grid of them",
            job.args.formula.as_deref().unwrap_or("x")
        )
        .into());
    }
    Ok(())
}

/// The mode, and `k` standard deviations to both sides of it in every coordinate; the first one changes fastest.
pub(super) fn around_mode(job: &Job<'_>, k: f64) -> Result<()> {
    has_coefficients(job)?;
    let names = &job.design.names;
    let count = 3_u128.checked_pow(names.len() as u32).unwrap_or(u128::MAX);
    if count > MOST_POINTS {
        let points = match 3_u128.checked_pow(names.len() as u32) {
            Some(points) => format!("3^{} = {points}", names.len()),
            None => format!("3^{}", names.len()),
        };
        return Err(format!(
            "the grid around the mode would have {points} points, three values for each of {} coefficients, but the most \
             is {MOST_POINTS}; give the points with --grid",
            names.len()
        )
        .into());
    }
    let data = job.posterior()?;
    let fit = data.fit()?;
    if let Some(problem) = job.problem(&fit) {
        return Err(format!("there is no mode to put a grid around: {problem}").into());
    }
    if let Some(aliased) = fit.aliased.iter().position(|a| *a) {
        return Err(format!(
            "there is no mode to put a grid around: `{}` depends on the columns before it; leave it out, or give it a \
             prior",
            names[aliased]
        )
        .into());
    }
    let sd = fit.standard_deviations();
    if let Some(j) = sd.iter().position(|s| !s.is_finite()) {
        return Err(format!("the standard deviation of `{}` at the mode is not known", names[j]).into());
    }
    let count = count as u64;
    let mut run = Run::new(job, data, Some(count))?;
    let mut digits = vec![0_usize; names.len()];
    let mut points = Vec::with_capacity(POINTS.min(count as usize) * names.len());
    for i in 0..count {
        for ((digit, mode), sd) in digits.iter().zip(&fit.coefficients).zip(&sd) {
            points.push(mode + [-k, 0.0, k][*digit] * sd);
        }
        for digit in &mut digits {
            *digit += 1;
            if *digit < 3 {
                break;
            }
            *digit = 0;
        }
        if points.len() == POINTS * names.len() || i + 1 == count {
            run.evaluate(&points)?;
            points.clear();
        }
    }
    run.finish()
}

/// Points go in, rows of the output come out.
struct Run<'a, 'b> {
    job: &'a Job<'b>,
    data: GlmData,
    writer: TableWriter,
    schema: SchemaRef,
    start: Instant,
    progress: Progress,
    points: u64,
    infinite: u64,
    bad: u64,
    place: String,
}

impl<'a, 'b> Run<'a, 'b> {
    fn new(job: &'a Job<'b>, data: GlmData, total: Option<u64>) -> Result<Run<'a, 'b>> {
        let start = Instant::now();
        let names = &job.design.names;
        let coordinates = names.iter().cloned();
        let slopes = names.iter().map(|n| format!("gradient_{n}"));
        let fields: Vec<Field> = coordinates
            .chain(["value".to_string()])
            .chain(slopes)
            .map(|name| Field::new(name, DataType::Float64, false))
            .collect();
        let schema: SchemaRef = Arc::new(Schema::new(fields));
        let (path, format) = match &job.args.output {
            Some(path) if path != Path::new("-") => (path.clone(), Format::of_path(path)?),
            _ => (PathBuf::from("-"), Format::Csv),
        };
        let (data, place) = match job.device()? {
            Some(device) => (data.on_device(&device)?, device.info().label()),
            None => (data, threads_text()),
        };
        let writer = TableWriter::create(&path, format, &schema)?;
        let progress = Progress::points(job.args.quiet, total);
        Ok(Run { job, data, writer, schema, start, progress, points: 0, infinite: 0, bad: 0, place })
    }

    /// Points one after the other.
    fn evaluate(&mut self, points: &[f64]) -> Result<()> {
        let n = self.job.design.names.len();
        let count = points.len().checked_div(n).unwrap_or(0);
        let result = self.data.evaluate(Matrix::row_major(points, count, n)?)?;
        for j in 0..count {
            match result.status(j) {
                PointStatus::Finite => {}
                PointStatus::Infinite => self.infinite += 1,
                PointStatus::BadPoint => self.bad += 1,
            }
        }
        let column = |of: &[f64], k: usize| -> ArrayRef {
            Arc::new(Float64Array::from_iter_values((0..count).map(|j| of[j * n + k])))
        };
        let mut columns: Vec<ArrayRef> = (0..n).map(|k| column(points, k)).collect();
        columns.push(Arc::new(Float64Array::from_iter_values(result.values().iter().copied())));
        columns.extend((0..n).map(|k| column(result.gradients(), k)));
        self.writer.write(&RecordBatch::try_new(self.schema.clone(), columns)?)?;
        self.points += count as u64;
        self.progress.show(self.points);
        Ok(())
    }

    fn finish(self) -> Result<()> {
        self.writer.finish()?;
        self.progress.clear();
        let time = self.start.elapsed().as_secs_f64();
        if !self.job.args.quiet {
            say!(
                "{}, {}, {}, {time:.3} s, {}, {} points/s",
                points_text(self.points),
                self.job.rows_text(),
                count(self.job.design.names.len(), "coefficient"),
                self.place,
                count_with_separators((self.points as f64 / time.max(1e-9)) as u64),
            );
        }
        if self.bad > 0 {
            say!(
                "warning: {} with a coordinate that is missing or not finite; the value there is NaN",
                points_text(self.bad)
            );
        }
        if self.infinite > 0 {
            say!(
                "warning: {} where the posterior is 0 or leaves the range of numbers; the value there is Inf",
                points_text(self.infinite)
            );
        }
        Ok(())
    }
}

/// `1 point`, `1,234 points`
fn points_text(points: u64) -> String {
    if points == 1 { "1 point".to_string() } else { format!("{} points", count_with_separators(points)) }
}
