//! Which of Arrow's types Parquet can hold, asked before anything is written.

use crate::arrow::datatypes::{DataType, Schema};
use crate::error::TableError;
use crate::format::Format;
use arrow_schema::{
    DECIMAL32_MAX_PRECISION, DECIMAL64_MAX_PRECISION, DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, IntervalUnit,
};
use std::path::Path;

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
