//! The columns of the output.

use crate::error::EvaluationError;
use gristmill_engine::plan::Plan;
use gristmill_engine::{ResultColumn, ResultValues};
use gristmill_kernel::Scalar;
use gristmill_table_io::Batch;
use gristmill_table_io::arrow::array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchOptions};
use gristmill_table_io::arrow::buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill_table_io::arrow::error::ArrowError;
use std::collections::HashMap;
use std::sync::Arc;

/// Where the columns of the output come from.
pub(crate) struct Layout {
    pub(crate) schema: SchemaRef,
    /// Of the columns that are assembled.
    batch_schema: SchemaRef,
    columns: Vec<Place>,
    /// For each column of the output, which stored column of the input it is.
    pub(crate) stored: Vec<Option<usize>>,
}

/// Where a column of the output comes from.
enum Place {
    Carried(usize),
    Result(usize),
}

impl Layout {
    /// The input's columns, then the results; a result replaces what has its name. With `stored`, the input's columns are
    /// carried as they are stored, and only the results are assembled.
    pub(crate) fn new(input: &SchemaRef, plan: &Plan, stored: bool) -> Layout {
        let mut fields: Vec<Field> = input.fields().iter().map(|f| f.as_ref().clone()).collect();
        let mut columns: Vec<Place> = (0..fields.len()).map(Place::Carried).collect();
        // The first column of each name; looked up, so that wide tables take no longer per column.
        let mut places: HashMap<String, usize> = HashMap::with_capacity(fields.len());
        for (at, field) in fields.iter().enumerate() {
            places.entry(field.name().clone()).or_insert(at);
        }
        for (r, output) in plan.outputs.iter().enumerate() {
            let data_type = match plan.scalar(output.bound.value) {
                Scalar::Bool => DataType::Boolean,
                _ => DataType::Float64,
            };
            let field = Field::new(&output.name, data_type, true);
            match places.get(&output.name) {
                Some(at) => {
                    fields[*at] = field;
                    columns[*at] = Place::Result(r);
                }
                None => {
                    places.insert(output.name.clone(), fields.len());
                    fields.push(field);
                    columns.push(Place::Result(r));
                }
            }
        }
        let schema = |fields: Vec<Field>| Arc::new(Schema::new_with_metadata(fields, input.metadata().clone()));
        let places = columns.iter().map(|place| match place {
            Place::Carried(c) => Some(*c),
            Place::Result(_) => None,
        });
        let places: Vec<Option<usize>> = places.collect();
        let is_result = |at: usize| places[at].is_none();
        let assembled: Vec<Field> =
            fields.iter().enumerate().filter(|(at, _)| !stored || is_result(*at)).map(|(_, f)| f.clone()).collect();
        if stored {
            columns.retain(|place| matches!(place, Place::Result(_)));
        }
        Layout { schema: schema(fields), batch_schema: schema(assembled), columns, stored: places }
    }

    /// The columns of the output, or, where the others are carried as they are stored, only the results.
    pub(crate) fn assemble(&self, batch: &Batch, results: Vec<ResultColumn>) -> Result<RecordBatch, EvaluationError> {
        let mut results: Vec<Option<ResultColumn>> = results.into_iter().map(Some).collect();
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.columns.len());
        for origin in &self.columns {
            match origin {
                Place::Carried(c) => {
                    let carried = batch.carried.as_ref().ok_or_else(|| unfit("a batch does not carry its columns"))?;
                    arrays.push(carried.column(*c).clone());
                }
                Place::Result(r) => {
                    let result = results[*r].take().ok_or_else(|| unfit("a result stands in two places"))?;
                    arrays.push(array_of(result));
                }
            }
        }
        let options = RecordBatchOptions::new().with_row_count(Some(batch.rows));
        Ok(RecordBatch::try_new_with_options(self.batch_schema.clone(), arrays, &options)?)
    }
}

fn array_of(result: ResultColumn) -> ArrayRef {
    let nulls = result.missing.map(|m| NullBuffer::new(BooleanBuffer::collect_bool(m.len(), |i| !m[i])));
    match result.values {
        ResultValues::F64(values) => Arc::new(Float64Array::new(ScalarBuffer::from(values), nulls)),
        ResultValues::Bool(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), nulls)),
    }
}

fn unfit(what: &str) -> EvaluationError {
    EvaluationError::Columns(ArrowError::SchemaError(what.to_string()))
}
