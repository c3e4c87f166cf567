//! Every type that Arrow has, through every format: it works, or an error says which column and type cannot be written.

use arrow_schema::{Fields, IntervalUnit, TimeUnit, UnionFields, UnionMode};
use gristmill_table_io::arrow::array::{ArrayRef, RecordBatch, new_empty_array, new_null_array};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill_table_io::{Carry, Format, TableError, TableWriter, Wanted, open};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

fn all_types() -> Vec<DataType> {
    use DataType::*;
    let item = |t: DataType| Arc::new(Field::new("item", t, true));
    let mut types = vec![
        Null,
        Boolean,
        Int8,
        Int16,
        Int32,
        Int64,
        UInt8,
        UInt16,
        UInt32,
        UInt64,
        Float16,
        Float32,
        Float64,
        Date32,
        Date64,
        Utf8,
        LargeUtf8,
        Utf8View,
        Binary,
        LargeBinary,
        BinaryView,
        FixedSizeBinary(0),
        FixedSizeBinary(3),
    ];
    for unit in [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond] {
        types.push(Timestamp(unit, None));
        types.push(Timestamp(unit, Some("+02:00".into())));
        types.push(Duration(unit));
        types.push(if matches!(unit, TimeUnit::Second | TimeUnit::Millisecond) { Time32(unit) } else { Time64(unit) });
    }
    types.extend([IntervalUnit::YearMonth, IntervalUnit::DayTime, IntervalUnit::MonthDayNano].map(Interval));
    for (precision, scale) in [(1, 0), (5, 2), (9, 9), (5, -2), (5, 7), (0, 0), (77, 0)] {
        types.extend([Decimal32(precision, scale), Decimal64(precision, scale)]);
        types.extend([Decimal128(precision, scale), Decimal256(precision, scale)]);
    }
    let pair = Fields::from(vec![Field::new("keys", Utf8, false), Field::new("values", Int32, true)]);
    let union = UnionFields::try_new([0, 5], [Field::new("a", Int32, true), Field::new("b", Utf8, true)]).expect("two");
    let nested = vec![
        List(item(Int32)),
        LargeList(item(Utf8)),
        ListView(item(Int32)),
        LargeListView(item(Int32)),
        FixedSizeList(item(Int32), 0),
        FixedSizeList(item(Int32), 2),
        FixedSizeList(item(Null), 2),
        Struct(Fields::empty()),
        Struct(pair.clone()),
        Map(Arc::new(Field::new("entries", Struct(pair), false)), false),
        Union(union.clone(), UnionMode::Sparse),
        Union(union.clone(), UnionMode::Dense),
        List(item(Union(union, UnionMode::Sparse))),
        Dictionary(Box::new(Int8), Box::new(Utf8)),
        Dictionary(Box::new(UInt32), Box::new(Float64)),
        Dictionary(Box::new(Int32), Box::new(FixedSizeBinary(0))),
        RunEndEncoded(Arc::new(Field::new("run_ends", Int32, false)), item(Float64)),
        List(item(List(item(Null)))),
    ];
    types.extend(nested);
    types
}

fn table(column: ArrayRef) -> (SchemaRef, RecordBatch) {
    let schema = Arc::new(Schema::new(vec![Field::new("the column", column.data_type().clone(), true)]));
    let batch = RecordBatch::try_new(schema.clone(), vec![column]).expect("one column");
    (schema, batch)
}

/// Writes the batches and reads them again.
fn through(path: &Path, format: Format, schema: &SchemaRef, batch: &RecordBatch) -> Result<usize, TableError> {
    let mut writer = TableWriter::create(path, format, schema)?;
    writer.write(batch)?;
    writer.write(&batch.slice(0, batch.num_rows() / 2))?;
    writer.finish()?;
    let wanted = Wanted { numeric: Vec::new(), carry: Carry::Columns, ..Wanted::default() };
    open(path, Some(format))?.batches(&wanted)?.map(|b| b.map(|b| b.rows)).sum()
}

const FORMATS: [Format; 6] = [Format::Csv, Format::Tsv, Format::Parquet, Format::Arrow, Format::Npy, Format::Npz];

#[test]
fn every_type_goes_through_every_format_or_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for data_type in all_types() {
        for rows in [0, 3] {
            // (Arrow's own constructors refuse some types; a file can have them without rows.)
            let make = || if rows == 0 { new_empty_array(&data_type) } else { new_null_array(&data_type, rows) };
            let Ok(column) = catch_unwind(AssertUnwindSafe(make)) else { continue };
            let (schema, batch) = table(column);
            for format in FORMATS {
                // No file has such decimals: the reader refuses them.
                if format == Format::Arrow
                    && (data_type.to_string().contains("(0, ") || data_type.to_string().contains("(77, "))
                {
                    continue;
                }
                let path = folder.path().join(format!("x.{format}"));
                let _ = std::fs::remove_file(&path);
                let what = format!("{rows} rows of {data_type} as {format}");
                match catch_unwind(AssertUnwindSafe(|| through(&path, format, &schema, &batch))) {
                    Err(_) => wrong.push(format!("{what}: panic")),
                    Ok(Ok(read)) if read == rows + rows / 2 => {}
                    Ok(Ok(read)) => wrong.push(format!("{what}: {read} rows come back")),
                    Ok(Err(error)) => {
                        if !error.to_string().contains("`the column`") || path.exists() {
                            wrong.push(format!(
                                "{what}: {error}, {:?}, exists {}",
                                std::error::Error::source(&error),
                                path.exists()
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
