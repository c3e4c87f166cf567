//! Tables through files and back.

use gristmill_table_io::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float64Array, RecordBatch, StringArray,
};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Float64Type, Int64Type, Schema};
use gristmill_table_io::{Batch, Carry, Format, TableError, TableWriter, Wanted, open};
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

fn read(path: &Path, numeric: &[&str], carry: Carry) -> Result<Vec<Batch>, TableError> {
    let wanted = Wanted { numeric: numeric.iter().map(ToString::to_string).collect(), carry };
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
    let batches = read(&path, &["x"], Carry::Nothing).unwrap();
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
        message(read(&path, numeric, Carry::Columns).unwrap_err(), &path)
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
    assert_eq!(read(&path, &["a"], Carry::Columns).unwrap().iter().map(|b| b.rows).sum::<usize>(), 0);
}

#[test]
fn carried_text_comes_out_to_the_letter() {
    let text = "id,note,x\n007,\"a, \"\"b\"\"\",1.50\n8,plain,2\n,\"line\nbreak\",NA\n";
    let (folder, path) = file(text);
    let wanted = Wanted { numeric: vec!["x".into()], carry: Carry::Columns };
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
    let batches = read(&path, &[], Carry::TypedColumns).unwrap();
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
            let batches = read(&path, &["flag", "x"], Carry::TypedColumns).unwrap();
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
    let batches = read(&path, &["i"], Carry::Columns).unwrap();
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
        assert!(matches!(read(&path, &[], Carry::TypedColumns), Err(TableError::Columnar { .. })), "{name}");
    }
    let error = read(&folder.path().join("nothing.csv"), &[], Carry::TypedColumns).unwrap_err();
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
    let error = read(&path, &["text"], Carry::Nothing).unwrap_err();
    assert!(error.to_string().contains("column `text` holds Utf8, but an expression needs numbers"), "{error}");
    let only_x = read(&path, &["x"], Carry::Nothing).unwrap();
    assert_eq!(only_x[0].numeric[0], *batch.column(0).as_primitive::<Float64Type>());
}

/// The numbers of a table, without text, in a batch that NumPy files can hold.
fn numbers_only(values: &[f64]) -> RecordBatch {
    let schema = Schema::new(vec![
        Field::new("x", DataType::Float64, true),
        Field::new("it's \\ a name", DataType::Boolean, true),
        Field::new("é", DataType::Int32, true),
    ]);
    let flags: Vec<bool> = values.iter().map(|v| *v > 0.0).collect();
    let numbers: Vec<i32> = (0..values.len() as i32).map(|i| i - 3).collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Float64Array::from(values.to_vec())),
        Arc::new(BooleanArray::from(flags)),
        Arc::new(gristmill_table_io::arrow::array::Int32Array::from(numbers)),
    ];
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

fn write(path: &Path, batches: &[RecordBatch]) -> Result<(), TableError> {
    let mut writer = TableWriter::create(path, Format::of_path(path)?, &batches[0].schema())?;
    for batch in batches {
        writer.write(batch)?;
    }
    writer.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn numbers_survive_numpy_files_bit_for_bit(bits in prop::collection::vec(any::<u64>(), 0..50)) {
        let folder = tempfile::tempdir().unwrap();
        let values: Vec<f64> = bits.iter().map(|b| f64::from_bits(*b)).collect();
        let batch = numbers_only(&values);
        for name in ["t.npy", "t.npz"] {
            let path = folder.path().join(name);
            write(&path, &[batch.clone(), batch.clone()]).unwrap();
            let batches = read(&path, &["é", "x"], Carry::TypedColumns).unwrap();
            let found: Vec<u64> = batches.iter().flat_map(|b| b.numeric[1].values().iter().map(|x| x.to_bits()).collect::<Vec<_>>()).collect();
            prop_assert_eq!(found, [&bits[..], &bits[..]].concat(), "{}", name);
            for carried in batches.iter().filter_map(|b| b.carried.as_ref()) {
                prop_assert_eq!(carried.schema(), batch.schema());
                prop_assert_eq!(carried.column(1), &gristmill_table_io::arrow::compute::concat(&[batch.column(1), batch.column(1)]).unwrap());
            }
        }
    }
}

#[test]
fn what_numpy_files_cannot_hold_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.npy");
    let error = write(&path, &[sample(&[Some(1.0)])]).unwrap_err().to_string();
    assert!(
        error.ends_with("column `text` holds Utf8, but a NumPy file holds numbers and truth values only; leave it out"),
        "{error}"
    );
    let batch = sample(&[Some(1.0), None]).project(&[0, 1]).unwrap();
    let error = write(&path, std::slice::from_ref(&batch)).unwrap_err().to_string();
    assert!(error.contains("column `flag` has a missing value, for which NumPy's bool has no sign"), "{error}");
    assert!(!path.exists());
    // A missing number is NaN.
    write(&path, &[batch.project(&[0]).unwrap()]).unwrap();
    let x = numbers(&read(&path, &["V1"], Carry::Nothing).unwrap(), 0);
    assert!(x[0] == Some(1.0) && x[1].unwrap().is_nan());
}

#[test]
fn damaged_numpy_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("t.npz");
    write(&whole, &[numbers_only(&[1.0, 2.0, 3.0])]).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let damaged = folder.path().join("d.npz");
    for cut in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&damaged, &bytes[..cut]).unwrap();
        assert!(read(&damaged, &["x"], Carry::TypedColumns).is_err(), "cut at {cut}");
    }
    // One bit of the data: the check sum tells.
    let data = bytes.windows(8).position(|w| w == 2.0_f64.to_ne_bytes()).unwrap();
    let mut flipped = bytes.clone();
    flipped[data + 7] ^= 1;
    fs::write(&damaged, &flipped).unwrap();
    let error = read(&damaged, &["x"], Carry::Nothing).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("check sum"), "{error}");
    let npy = folder.path().join("t.npy");
    write(&npy, &[numbers_only(&[1.0, 2.0])]).unwrap();
    let bytes = fs::read(&npy).unwrap();
    for cut in [0, 10, bytes.len() - 1] {
        fs::write(&npy, &bytes[..cut]).unwrap();
        assert!(read(&npy, &["x"], Carry::Nothing).is_err(), "cut at {cut}");
    }
}

/// Runs Python with NumPy in a folder; false, with a message, if there is none.
fn numpy(folder: &Path, program: &str) -> bool {
    let has =
        std::process::Command::new("python3").args(["-c", "import numpy"]).output().is_ok_and(|o| o.status.success());
    if !has {
        eprintln!("skipped: python3 has no numpy");
        return false;
    }
    let program = format!("import numpy as np, zipfile\n{program}");
    let output = std::process::Command::new("python3").args(["-c", &program]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

#[test]
fn numpy_reads_what_we_write() {
    let folder = tempfile::tempdir().unwrap();
    let batch = numbers_only(&[1.5, -0.0, f64::NAN]);
    write(&folder.path().join("t.npy"), std::slice::from_ref(&batch)).unwrap();
    write(&folder.path().join("t.npz"), std::slice::from_ref(&batch)).unwrap();
    write(&folder.path().join("one.npy"), &[batch.project(&[2]).unwrap()]).unwrap();
    numpy(
        folder.path(),
        r#"
t, z, one = np.load('t.npy'), np.load('t.npz'), np.load('one.npy')
names = ['x', "it's \\ a name", 'é']
assert list(t.dtype.names) == names, t.dtype
assert list(z.keys()) == names, list(z.keys())
for a in (t, z):
    assert a['x'].dtype == np.float64 and a['x'].tobytes() == np.array([1.5, -0.0, np.nan]).tobytes()
    assert a[names[1]].dtype == np.bool_ and a[names[1]].tolist() == [True, False, False]
    assert a['é'].dtype == np.int32 and a['é'].tolist() == [-3, -2, -1]
assert one.dtype == np.int32 and one.tolist() == [-3, -2, -1]
assert zipfile.ZipFile('t.npz').testzip() is None
"#,
    );
}

#[test]
fn we_read_what_numpy_writes() {
    let folder = tempfile::tempdir().unwrap();
    let made = numpy(
        folder.path(),
        r#"
x, n = np.array([1.5, -2.0, 3.0]), np.array([1, 2, 3], dtype='>i2')
np.save('x.npy', x)
np.save('c.npy', np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype='f4'))
np.save('f.npy', np.asfortranarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
np.save('r.npy', np.array([(1.5, 7, True), (2.5, 8, False)], dtype=[('x', '>f8'), ('n', 'u1'), ('b', '?')]))
np.savez('s.npz', x=x, n=n)
np.savez_compressed('d.npz', x=x, n=n)
np.savez('bad.npz', x=x, y=x[:2])
np.save('three.npy', np.zeros((2, 2, 2)))
"#,
    );
    if !made {
        return;
    }
    let column = |file: &str, name: &str| {
        let batches =
            read(&folder.path().join(file), &[name], Carry::TypedColumns).unwrap_or_else(|e| panic!("{file}: {e}"));
        numbers(&batches, 0).into_iter().map(Option::unwrap).collect::<Vec<f64>>()
    };
    assert_eq!(column("x.npy", "V1"), [1.5, -2.0, 3.0]);
    for file in ["c.npy", "f.npy"] {
        assert_eq!(column(file, "V1"), [1.0, 3.0, 5.0], "{file}");
        assert_eq!(column(file, "V2"), [2.0, 4.0, 6.0], "{file}");
    }
    assert_eq!(column("r.npy", "x"), [1.5, 2.5]);
    assert_eq!(column("r.npy", "n"), [7.0, 8.0]);
    assert_eq!(column("r.npy", "b"), [1.0, 0.0]);
    for file in ["s.npz", "d.npz"] {
        assert_eq!(column(file, "x"), [1.5, -2.0, 3.0], "{file}");
        assert_eq!(column(file, "n"), [1.0, 2.0, 3.0], "{file}");
    }
    let message = |file: &str| {
        let error = open(&folder.path().join(file), None).unwrap_err();
        std::error::Error::source(&error).unwrap().to_string()
    };
    assert_eq!(message("bad.npz"), "has shape [2], but must have shape (3,), as the other columns");
    assert!(message("three.npy").starts_with("has shape [2, 2, 2], but a table has one dimension"));
}

#[test]
fn parts_of_large_parquet_groups_keep_the_order_of_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let rows = 300_000;
    let schema = Arc::new(Schema::new(vec![Field::new("i", DataType::Float64, false)]));
    let column: ArrayRef = Arc::new(Float64Array::from_iter_values((0..rows).map(f64::from)));
    let batch = RecordBatch::try_new(schema.clone(), vec![column]).unwrap();
    // One row group, as other programs write them.
    let mut writer = parquet::arrow::ArrowWriter::try_new(fs::File::create(&path).unwrap(), schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let batches = read(&path, &["i"], Carry::Nothing).unwrap();
    assert!(batches.len() > 2, "the group should be read in several parts");
    let all: Vec<f64> = batches.iter().flat_map(|b| b.numeric[0].values().to_vec()).collect();
    assert!(all.len() == rows as usize && all.iter().enumerate().all(|(i, x)| *x == i as f64));
}

#[test]
fn small_batches_become_large_parquet_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let values: Vec<f64> = (0..5_000).map(f64::from).collect();
    write(&path, &vec![numbers_only(&values); 100]).unwrap();
    let reader = parquet::file::reader::SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
    let metadata = parquet::file::reader::FileReader::metadata(&reader);
    assert_eq!(metadata.file_metadata().num_rows(), 500_000);
    assert!(metadata.num_row_groups() <= 5, "{} groups", metadata.num_row_groups());
}

#[test]
fn lines_come_out_to_the_letter_with_the_results_behind_them() {
    let text = "id,note,x\r\n007,\"a, \"\"b\"\"\",1.50\n\n8,plain,2\n,\"line\nbreak\",NA";
    let (folder, path) = file(text);
    let wanted = Wanted { numeric: vec!["x".into()], carry: Carry::Lines };
    let batches = open(&path, None).unwrap().batches(&wanted).unwrap();
    let out = folder.path().join("out.csv");
    let results = Arc::new(Schema::new(vec![Field::new("y", DataType::Float64, true)]));
    let mut fields: Vec<_> = batches.carried_schema().fields().iter().cloned().collect();
    fields.extend(results.fields().iter().cloned());
    let mut writer = TableWriter::create(&out, Format::Csv, &Arc::new(Schema::new(fields))).unwrap();
    for batch in batches {
        let batch = batch.unwrap();
        let y: ArrayRef = Arc::new(batch.numeric[0].clone());
        let table = RecordBatch::try_new(results.clone(), vec![y]).unwrap();
        let encoded = writer.encoder().encode(batch.lines.as_ref(), table).unwrap();
        writer.write_encoded(encoded).unwrap();
    }
    writer.finish().unwrap();
    let expected = "id,note,x,y\n007,\"a, \"\"b\"\"\",1.50,1.5\n8,plain,2,2\n,\"line\nbreak\",NA,NA\n";
    assert_eq!(fs::read_to_string(out).unwrap(), expected);
}
