//! Which of Arrow's types Parquet can hold, asked before anything is written, and what it holds others as.

use crate::arrow::array::{Array, ArrayRef, AsArray};
use crate::arrow::datatypes::{
    DataType, Date32Type, Date64Type, Field, Schema, SchemaRef, Time32MillisecondType, Time32SecondType, TimeUnit,
    TimestampMillisecondType, TimestampSecondType,
};
use crate::arrow::error::ArrowError;
use crate::error::TableError;
use crate::format::Format;
use arrow_schema::{
    DECIMAL32_MAX_PRECISION, DECIMAL64_MAX_PRECISION, DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, IntervalUnit,
};
use std::path::Path;
use std::sync::Arc;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Parquet has no seconds and no dates in milliseconds: they would be plain integers for other readers. Their columns are stored
/// in the next unit that it has.
pub(crate) fn stored(schema: &SchemaRef) -> SchemaRef {
    let stored = |field: &Arc<Field>| match stored_type(field.data_type()) {
        Some(data_type) => Arc::new(field.as_ref().clone().with_data_type(data_type)),
        None => field.clone(),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(stored).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn stored_type(data_type: &DataType) -> Option<DataType> {
    match data_type {
        DataType::Timestamp(TimeUnit::Second, zone) => Some(DataType::Timestamp(TimeUnit::Millisecond, zone.clone())),
        DataType::Time32(TimeUnit::Second) => Some(DataType::Time32(TimeUnit::Millisecond)),
        DataType::Date64 => Some(DataType::Date32),
        _ => None,
    }
}

/// A column as [`stored`] says; an error if a value has no place there.
pub(crate) fn as_stored(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let outside = |value: i64| {
        ArrowError::ComputeError(format!("{value} {} is outside of what Parquet holds", column.data_type()))
    };
    Ok(match column.data_type() {
        DataType::Timestamp(TimeUnit::Second, zone) => {
            let more = |v: i64| v.checked_mul(1000).ok_or_else(|| outside(v));
            let array =
                column.as_primitive::<TimestampSecondType>().try_unary::<_, TimestampMillisecondType, _>(more)?;
            Arc::new(array.with_timezone_opt(zone.clone()))
        }
        DataType::Time32(TimeUnit::Second) => {
            let more = |v: i32| v.checked_mul(1000).ok_or_else(|| outside(i64::from(v)));
            Arc::new(column.as_primitive::<Time32SecondType>().try_unary::<_, Time32MillisecondType, _>(more)?)
        }
        DataType::Date64 => {
            let days = |v: i64| match i32::try_from(v / DAY) {
                Ok(days) if v % DAY == 0 => Ok(days),
                _ => Err(outside(v)),
            };
            Arc::new(column.as_primitive::<Date64Type>().try_unary::<_, Date32Type, _>(days)?)
        }
        _ => column.clone(),
    })
}

/// An error that names the first column that a Parquet file cannot hold.
pub(crate) fn check(path: &Path, schema: &Schema) -> Result<(), TableError> {
    for field in schema.fields() {
        if let Some(why) = lacking(field.data_type()) {
            let (path, column, found) = (path.to_path_buf(), field.name().clone(), field.data_type().to_string());
            return Err(TableError::NotForFormat { path, column, found, format: Format::Parquet, why });
        }
    }
    Ok(())
}

/// What of the type Parquet does not have.
fn lacking(data_type: &DataType) -> Option<&'static str> {
    let decimal = |precision: u8, scale: i8, most: u8| {
        let possible = (1..=most).contains(&precision) && u8::try_from(scale).is_ok_and(|scale| scale <= precision);
        (!possible)
            .then_some("a decimal there has at least one digit and between none and all of them behind the point")
    };
    match data_type {
        DataType::Union(..) => Some("it has no unions; leave the column out, or write arrow"),
        DataType::FixedSizeBinary(..=0) => Some("a value of no bytes cannot be stored; leave the column out"),
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            Some("its intervals end at milliseconds; leave the column out, or write arrow")
        }
        DataType::Decimal32(p, s) => decimal(*p, *s, DECIMAL32_MAX_PRECISION),
        DataType::Decimal64(p, s) => decimal(*p, *s, DECIMAL64_MAX_PRECISION),
        DataType::Decimal128(p, s) => decimal(*p, *s, DECIMAL128_MAX_PRECISION),
        DataType::Decimal256(p, s) => decimal(*p, *s, DECIMAL256_MAX_PRECISION),
        DataType::Struct(fields) if fields.is_empty() => Some("a structure without fields cannot be stored"),
        DataType::Struct(fields) => fields.iter().find_map(|f| lacking(f.data_type())),
        DataType::List(f)
        | DataType::LargeList(f)
        | DataType::ListView(f)
        | DataType::LargeListView(f)
        | DataType::FixedSizeList(f, _)
        | DataType::Map(f, _) => lacking(f.data_type()),
        DataType::RunEndEncoded(_, values) => lacking(values.data_type()),
        DataType::Dictionary(_, value) => lacking(value),
        _ => None,
    }
}
