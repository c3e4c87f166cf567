//! `--residuals FILE`: what each row says about the fit.

use super::{Fitted, Job};
use crate::cli::Result;
use gristmill::glm::RowInfluence;
use gristmill_table_io::arrow::array::{ArrayRef, Float64Array, RecordBatch, UInt64Array};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill_table_io::{Format, TableWriter};
use std::path::Path;
use std::sync::Arc;

/// A column's name, and where its numbers are.
type NumberColumn = (&'static str, fn(&RowInfluence) -> f64);

const COLUMNS: [NumberColumn; 10] = [
    ("fitted", |r| r.fitted),
    ("link", |r| r.link),
    ("deviance", |r| r.deviance),
    ("pearson", |r| r.pearson),
    ("response", |r| r.response),
    ("working", |r| r.working),
    ("hat", |r| r.hat),
    ("std_deviance", |r| r.standardised_deviance),
    ("std_pearson", |r| r.standardised_pearson),
    ("cook", |r| r.cook),
];

pub(super) fn write(job: &Job<'_>, fitted: &Fitted, path: &Path) -> Result<()> {
    let rows = fitted.data.influence(&fitted.fit, fitted.summary.dispersion);
    let row = Field::new("row", DataType::UInt64, false);
    let numbers = COLUMNS.iter().map(|(name, _)| Field::new(*name, DataType::Float64, true));
    let schema: SchemaRef = Arc::new(Schema::new(std::iter::once(row).chain(numbers).collect::<Vec<Field>>()));
    let mut columns: Vec<ArrayRef> =
        vec![Arc::new(UInt64Array::from_iter_values(job.design.rows.iter().map(|r| *r as u64)))];
    for (_, of) in COLUMNS {
        let known = |row| Some(of(row)).filter(|v| !v.is_nan());
        columns.push(Arc::new(Float64Array::from_iter(rows.iter().map(known))));
    }
    let format = if path == Path::new("-") { Format::Csv } else { Format::of_path(path)? };
    let mut writer = TableWriter::create(path, format, &schema)?;
    writer.write(&RecordBatch::try_new(schema, columns)?)?;
    writer.finish()?;
    Ok(())
}
