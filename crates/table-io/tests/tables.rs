//! Tables through files and back.

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Float64Type, Int64Type, Schema};
use gristmill_table_io::{Batch, Format, TableError, TableWriter, Wanted, open};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

fn file(text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn read(path: &Path, numeric: &[&str], carry: bool, typed: bool) -> Result<Vec<Batch>, TableError> {
    let wanted = Wanted { numeric: numeric.iter().map(ToString::to_string).collect(), carry, typed };
    open(path, None)?.batches(&wanted)?.collect()
}

fn numbers(batches: &[Batch], column: usize) -> Vec<Option<f64>> {
    batches.iter().flat_map(|b| b.numeric[column].iter().collect::<Vec<_>>()).collect()
}

fn message(error: TableError, path: &Path) -> String {
    error.to_string().replace(&path.display().to_string(), "data.csv")
}

#[test]
fn missing_values_are_null_and_special_values_are_numbers() {
    let (_folder, path) = file("x,name\n1.5,a\n,b\nNA,\n NaN ,c\nInf,\n-inf,d\nTRUE,e\n1e400,f");
    let batches = read(&path, &["x"], false, false).unwrap();
    let x = numbers(&batches, 0);
    assert_eq!(x[0], Some(1.5));
    assert_eq!((x[1], x[2]), (None, None));
    assert!(x[3].unwrap().is_nan());
    assert_eq!(&x[4..], [Some(f64::INFINITY), Some(f64::NEG_INFINITY), Some(1.0), Some(f64::INFINITY)]);
}

#[test]
fn bad_rows_are_errors_that_name_line_and_column() {
    let error = |text: &str, numeric: &[&str]| {
        let (_folder, path) = file(text);
        message(read(&path, numeric, true, false).unwrap_err(), &path)
    };
    assert_eq!(error("a,b\n1,2\n3\n", &[]), "data.csv:3: the row has 1 fields, but the header has 2");
    assert_eq!(error("a,b\n1,2\n\n3,4,5\n", &[]), "data.csv:4: the row has 3 fields, but the header has 2");
    assert_eq!(error("a,b\n1,2\n3,x y\n", &["b"]), "data.csv:3: column `b` holds `x y`, which is not a number");
    assert_eq!(error("a,b\n\"p\nq\",2\n3,?\n", &["b"]), "data.csv:4: column `b` holds `?`, which is not a number");
    assert_eq!(error("", &[]), "data.csv: is empty, but must start with a header line");
    assert_eq!(error("\n\n", &[]), "data.csv: is empty, but must start with a header line");
    assert_eq!(error("a,b,a\n", &[]), "data.csv: the header names `a` twice, as columns 1 and 3");
    assert_eq!(error("a\n1\n", &["z"]), "data.csv: has no column `z`");
}

#[test]
fn a_header_alone_is_a_table_without_rows() {
    let (_folder, path) = file("\u{feff}a,b\r\n");
    assert_eq!(open(&path, None).unwrap().columns(), ["a", "b"]);
    assert_eq!(read(&path, &["a"], true, false).unwrap().iter().map(|b| b.rows).sum::<usize>(), 0);
}

#[test]
fn carried_text_comes_out_to_the_letter() {
    let text = "id,note,x\n007,\"a, \"\"b\"\"\",1.50\n8,plain,2\n,\"line\nbreak\",NA\n";
    let (folder, path) = file(text);
    let wanted = Wanted { numeric: vec!["x".into()], carry: true, typed: false };
    let batches = open(&path, None).unwrap().batches(&wanted).unwrap();
    let out = folder.path().join("out.csv");
    let mut writer = TableWriter::create(&out, Format::Csv, &batches.carried_schema()).unwrap();
    for batch in batches {
        writer.write(&batch.unwrap().carried.unwrap()).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(fs::read_to_string(out).unwrap(), text);
}

#[test]
fn typed_columns_take_the_type_of_their_values() {
    let (_folder, path) = file("i,f,code,t,empty\n1,1.5,007,x,\nNA,2,010,NA,NA\n-3,,1,y,\n");
    let batches = read(&path, &[], true, true).unwrap();
    let batch = batches[0].carried.as_ref().unwrap();
    let types: Vec<&DataType> = batch.columns().iter().map(|c| c.data_type()).collect();
    assert_eq!(types, [&DataType::Int64, &DataType::Float64, &DataType::Float64, &DataType::Utf8, &DataType::Utf8]);
    let i: Vec<Option<i64>> = batch.column(0).as_primitive::<Int64Type>().iter().collect();
    assert_eq!(i, [Some(1), None, Some(-3)]);
    assert_eq!(batch.column(4).null_count(), 3);
}

fn sample(values: &[Option<f64>]) -> RecordBatch {
    let schema = Schema::new(vec![
        Field::new("x", DataType::Float64, true),
        Field::new("flag", DataType::Boolean, true),
        Field::new("text", DataType::Utf8, true),
    ]);
    let flags: Vec<Option<bool>> = values.iter().map(|v| v.map(|v| v > 0.0)).collect();
    let texts: Vec<String> = values.iter().map(|v| format!("v,{v:?}\"")).collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Float64Array::from(values.to_vec())),
        Arc::new(BooleanArray::from(flags)),
        Arc::new(StringArray::from(texts)),
    ];
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

fn any_number() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        8 => any::<u64>().prop_map(|bits| Some(f64::from_bits(bits))).prop_filter("one NaN is enough", |x| !x.unwrap().is_nan()),
        1 => Just(Some(f64::NAN)),
        1 => Just(None),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn numbers_survive_every_format_bit_for_bit(values in prop::collection::vec(any_number(), 0..50)) {
        let folder = tempfile::tempdir().unwrap();
        let batch = sample(&values);
        for name in ["t.csv", "t.tsv", "t.parquet", "t.arrow"] {
            let path = folder.path().join(name);
            let mut writer = TableWriter::create(&path, Format::of_path(&path).unwrap(), &batch.schema()).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap();
            let batches = read(&path, &["flag", "x"], true, true).unwrap();
            let x = numbers(&batches, 1);
            prop_assert_eq!(x.len(), values.len());
            for (found, expected) in x.iter().zip(&values) {
                prop_assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{}", name);
            }
            let flags = numbers(&batches, 0);
            for (found, expected) in flags.iter().zip(&values) {
                prop_assert_eq!(*found, expected.map(|v| f64::from(u8::from(v > 0.0))));
            }
        }
    }
}

#[test]
fn blocks_on_many_threads_keep_the_order_of_the_rows() {
    let rows = 400_000;
    let mut text = String::from("i,pad\n");
    for i in 0..rows {
        text.push_str(&format!("{i},some padding\n"));
    }
    let (_folder, path) = file(text);
    let batches = read(&path, &["i"], true, false).unwrap();
    assert!(batches.len() > 2, "the file should be read in several blocks");
    let all: Vec<f64> = batches.iter().flat_map(|b| b.numeric[0].values().to_vec()).collect();
    assert_eq!(all.len(), rows);
    assert!(all.iter().enumerate().all(|(i, x)| *x == i as f64));
}

#[test]
fn an_unwritable_place_and_damaged_files_are_errors() {
    let schema = sample(&[]).schema();
    let error = TableWriter::create(Path::new("/no/such/folder/out.csv"), Format::Csv, &schema).unwrap_err();
    assert!(error.to_string().contains("cannot be written; no output was made"));
    let folder = tempfile::tempdir().unwrap();
    for name in ["t.parquet", "t.arrow"] {
        let path = folder.path().join(name);
        fs::write(&path, b"this is no table").unwrap();
        assert!(matches!(read(&path, &[], true, true), Err(TableError::Columnar { .. })), "{name}");
    }
    let error = read(&folder.path().join("nothing.csv"), &[], true, true).unwrap_err();
    assert!(error.to_string().ends_with("cannot be opened"));
    assert!(matches!(open(Path::new("x.xlsx"), None), Err(TableError::Format(_))));
}

#[test]
fn text_columns_of_columnar_files_are_not_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let batch = sample(&[Some(1.0)]);
    let mut writer = TableWriter::create(&path, Format::Parquet, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let error = read(&path, &["text"], false, true).unwrap_err();
    assert!(error.to_string().contains("column `text` holds Utf8, but an expression needs numbers"), "{error}");
    let only_x = read(&path, &["x"], false, true).unwrap();
    assert_eq!(only_x[0].numeric[0], *batch.column(0).as_primitive::<Float64Type>());
}
