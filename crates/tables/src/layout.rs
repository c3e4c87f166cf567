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
#[derive(Debug, Clone, Copy)]
enum Place {
    Carried(usize),
    Result(usize),
}

impl Layout {
    /// The input's columns, then the results; a result replaces what has its name. `select` names those that are written, in
    /// order. With `stored`, the input's columns are carried as they are stored, and only the results are assembled.
    pub(crate) fn new(input: &SchemaRef, plan: &Plan, stored: bool, select: Option<&[String]>) -> Layout {
        let mut all: Vec<(Field, Place)> =
            input.fields().iter().enumerate().map(|(i, f)| (f.as_ref().clone(), Place::Carried(i))).collect();
        // The first column of each name; looked up, so that wide tables take no longer per column.
        let mut places: HashMap<String, usize> = HashMap::with_capacity(all.len());
        for (at, (field, _)) in all.iter().enumerate() {
            places.entry(field.name().clone()).or_insert(at);
        }
        for (r, output) in plan.outputs.iter().enumerate() {
            let data_type = match plan.scalar(output.bound.value) {
                Scalar::Bool => DataType::Boolean,
                _ => DataType::Float64,
            };
            let new = (Field::new(&output.name, data_type, true), Place::Result(r));
            match places.get(&output.name) {
                Some(at) => all[*at] = new,
                None => {
                    places.insert(output.name.clone(), all.len());
                    all.push(new);
                }
            }
        }
        if let Some(select) = select {
            let find = |name: &String| all.iter().find(|(field, _)| field.name() == name).cloned();
            all = select.iter().filter_map(find).collect();
        }
        let (fields, mut columns): (Vec<Field>, Vec<Place>) = all.into_iter().unzip();
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

    /// For each column of the output whether it is a result.
    pub(crate) fn are_results(&self) -> Vec<bool> {
        self.stored.iter().map(Option::is_none).collect()
    }

    /// The columns of the output, or, where the others are carried as they are stored, only the results.
    pub(crate) fn assemble(&self, batch: &Batch, results: Vec<ResultColumn>) -> Result<RecordBatch, EvaluationError> {
        self.assemble_from(batch.carried.as_ref(), batch.rows, results)
    }

    /// As [`Layout::assemble`], from carried columns and results.
    pub(crate) fn assemble_from(
        &self,
        carried: Option<&RecordBatch>,
        rows: usize,
        results: Vec<ResultColumn>,
    ) -> Result<RecordBatch, EvaluationError> {
        let mut results: Vec<Option<ArrayRef>> = results.into_iter().map(|r| Some(array_of(r))).collect();
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.columns.len());
        for origin in &self.columns {
            match origin {
                Place::Carried(c) => {
                    let carried = carried.ok_or_else(|| unfit("a batch does not carry its columns"))?;
                    arrays.push(carried.column(*c).clone());
                }
                Place::Result(r) => {
                    let result = results[*r].take().ok_or_else(|| unfit("a result stands in two places"))?;
                    arrays.push(result);
                }
            }
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
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
