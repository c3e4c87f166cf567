//! Tables through files and back.

mod hostile;

use gristmill_table_io::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float64Array, RecordBatch, StringArray,
};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Float64Type, Int64Type, Schema};
use gristmill_table_io::{Batch, Carry, Format, Missing, Note, TableError, TableWriter, Wanted, open};
use proptest::prelude::*;
use std::fs;
use std::io::Write;
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
    let wanted = Wanted { numeric: numeric.iter().map(ToString::to_string).collect(), carry, ..Wanted::default() };
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
    assert_eq!(error("a,b\n1,2\n3\n", &[]), "data.csv:3: the row has 1 field, but the header has 2");
    assert_eq!(error("a,b\n1,2\n\n3,4,5\n", &[]), "data.csv:4: the row has 3 fields, but the header has 2");
    assert_eq!(
        error("a,b\n1,2\n3,x y\n", &["b"]),
        "data.csv:3: column `b` holds `x y`, which is neither a number nor NA"
    );
    assert_eq!(
        error("a,b\n\"p\nq\",2\n3,?\n", &["b"]),
        "data.csv:4: column `b` holds `?`, which is neither a number nor NA"
    );
    assert_eq!(error("", &[]), "data.csv: is empty, but must start with a header line");
    assert_eq!(error("\n\n", &[]), "data.csv: is empty, but must start with a header line");
    assert_eq!(error("a,b,a\n", &[]), "data.csv: `a` is the name of two columns, 1 and 3; rename one");
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
    let out = folder.path().join("out.csv");
    carry_fields(&path, &["x"], &out);
    assert_eq!(fs::read_to_string(out).unwrap(), text);
}

/// Writes the fields of a text table, as they stand, to another.
fn carry_fields(from: &Path, numeric: &[&str], to: &Path) {
    let wanted = Wanted {
        numeric: numeric.iter().map(ToString::to_string).collect(),
        carry: Carry::Fields,
        ..Wanted::default()
    };
    let batches = open(from, None).unwrap().batches(&wanted).unwrap();
    let mut writer = TableWriter::create(to, Format::of_path(to).unwrap(), &batches.carried_schema()).unwrap();
    for batch in batches {
        writer.write(&batch.unwrap().carried.unwrap()).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn fields_keep_their_quotes_and_their_meaning_where_the_delimiter_changes() {
    let text = "a,b,c\n\"NA\",\"\",5\" pipe\nNA,,\"x, y\"\n\"1\t2\",a\tb,\"q \"\"r\"\"\"\n";
    let (folder, path) = file(text);
    let (tsv, back) = (folder.path().join("out.tsv"), folder.path().join("back.csv"));
    carry_fields(&path, &[], &folder.path().join("same.csv"));
    assert_eq!(fs::read_to_string(folder.path().join("same.csv")).unwrap(), text);
    carry_fields(&path, &[], &tsv);
    let expected = "a\tb\tc\n\"NA\"\t\"\"\t\"5\"\" pipe\"\nNA\t\t\"x, y\"\n\"1\t2\"\t\"a\tb\"\t\"q \"\"r\"\"\"\n";
    assert_eq!(fs::read_to_string(&tsv).unwrap(), expected);
    carry_fields(&tsv, &[], &back);
    let typed = |path: &Path| read(path, &[], Carry::TypedColumns).unwrap()[0].carried.clone().unwrap();
    assert_eq!(typed(&back), typed(&path));
}

#[test]
fn typed_columns_take_the_type_of_their_values() {
    let (_folder, path) = file("i,f,code,t,empty\n1,1.5,007,x,\nNA,2,010,NA,NA\n-3,,1,y,\n");
    let batches = read(&path, &[], Carry::TypedColumns).unwrap();
    let batch = batches[0].carried.as_ref().unwrap();
    let types: Vec<&DataType> = batch.columns().iter().map(|c| c.data_type()).collect();
    assert_eq!(types, [&DataType::Int64, &DataType::Float64, &DataType::Utf8, &DataType::Utf8, &DataType::Utf8]);
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
    // One row group, as other programs write them: of few parts, which are decoded each by itself, and of many.
    for rows in [300_000, 2_500_000] {
        let schema = Arc::new(Schema::new(vec![Field::new("i", DataType::Float64, false)]));
        let column: ArrayRef = Arc::new(Float64Array::from_iter_values((0..rows).map(f64::from)));
        let batch = RecordBatch::try_new(schema.clone(), vec![column]).unwrap();
        let properties =
            parquet::file::properties::WriterProperties::builder().set_max_row_group_row_count(None).build();
        let file = fs::File::create(&path).unwrap();
        let mut writer = parquet::arrow::ArrowWriter::try_new(file, schema, Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        for carry in [Carry::Nothing, Carry::Columns, Carry::Stored { results: 1 }] {
            let batches = read(&path, &["i"], carry).unwrap();
            assert!(batches.len() > 2, "the group should be read in several parts");
            let all: Vec<f64> = batches.iter().flat_map(|b| b.numeric[0].values().to_vec()).collect();
            assert!(all.len() == rows as usize && all.iter().enumerate().all(|(i, x)| *x == i as f64));
        }
    }
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
    let wanted = Wanted { numeric: vec!["x".into()], carry: Carry::Stored { results: 1 }, ..Wanted::default() };
    let batches = open(&path, None).unwrap().batches(&wanted).unwrap();
    let out = folder.path().join("out.csv");
    let results = Arc::new(Schema::new(vec![Field::new("y", DataType::Float64, true)]));
    let mut fields: Vec<_> = batches.carried_schema().fields().iter().cloned().collect();
    fields.extend(results.fields().iter().cloned());
    let mut writer =
        TableWriter::create(&out, Format::Csv, &Arc::new(Schema::new(fields))).unwrap().with_missing("NA", "");
    for batch in batches {
        let batch = batch.unwrap();
        let y: ArrayRef = Arc::new(batch.numeric[0].clone());
        let table = RecordBatch::try_new(results.clone(), vec![y]).unwrap();
        let encoded = writer.encoder().encode(batch.stored.as_ref(), table).unwrap();
        writer.write_encoded(encoded).unwrap();
    }
    writer.finish().unwrap();
    let expected = "id,note,x,y\n007,\"a, \"\"b\"\"\",1.50,1.5\n8,plain,2,2\n,\"line\nbreak\",NA,NA\n";
    assert_eq!(fs::read_to_string(out).unwrap(), expected);
}

/// Every row of a Parquet file, as another reader sees them.
fn all_rows(path: &Path) -> RecordBatch {
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap());
    let reader = reader.unwrap();
    let schema = reader.schema().clone();
    let reader = reader.build().unwrap();
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    gristmill_table_io::arrow::compute::concat_batches(&schema, &batches).unwrap()
}

/// Reads a Parquet file and writes it again with its columns as they are stored, but for those whose place has a result:
/// `x` as a number and as a truth value.
fn copy_stored(from: &Path, to: &Path, columns: &[Option<usize>], fields: Vec<Field>) -> Result<(), TableError> {
    let wanted = Wanted { numeric: vec!["x".into()], carry: Carry::Stored { results: 2 }, ..Wanted::default() };
    let batches = open(from, None)?.batches(&wanted)?;
    let origin = batches.origin().expect("its row groups are small");
    let metadata = batches.carried_schema().metadata().clone();
    let results: Vec<Field> =
        fields.iter().zip(columns).filter(|(_, from)| from.is_none()).map(|(field, _)| field.clone()).collect();
    let results = Arc::new(Schema::new(results));
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let mut writer = TableWriter::create_over(to, Format::Parquet, &schema, Some((origin, columns)))?;
    for batch in batches {
        let batch = batch?;
        let positive: BooleanArray = batch.numeric[0].iter().map(|x| x.map(|x| x > 0.0)).collect();
        let arrays: Vec<ArrayRef> = vec![Arc::new(batch.numeric[0].clone()), Arc::new(positive)];
        let table = RecordBatch::try_new(results.clone(), arrays).unwrap();
        let encoded = writer.encoder().encode(batch.stored.as_ref(), table)?;
        writer.write_encoded(encoded)?;
    }
    writer.finish()
}

/// Columns of every kind that a Parquet file may hold.
fn all_kinds(rows: usize) -> RecordBatch {
    use gristmill_table_io::arrow::array::{
        Date32Array, Decimal128Array, DictionaryArray, FixedSizeBinaryArray, Int64Array, ListArray, StructArray,
        TimestampNanosecondArray,
    };
    use gristmill_table_io::arrow::datatypes::Int32Type;
    let some = |i: usize| i % 7 != 3;
    let ints: Int64Array = (0..rows).map(|i| some(i).then_some(i64::MAX - i as i64)).collect();
    let words: DictionaryArray<Int32Type> = (0..rows).map(|i| some(i).then_some(["a", "b", "c"][i % 3])).collect();
    let decimals: Decimal128Array = (0..rows).map(|i| some(i).then_some(i as i128 * 1_000_000_007)).collect();
    let lists = ListArray::from_iter_primitive::<Int64Type, _, _>(
        (0..rows).map(|i| some(i).then(|| (0..i % 4).map(|j| (j != 2).then_some(j as i64)).collect::<Vec<_>>())),
    );
    let texts: ArrayRef = Arc::new((0..rows).map(|i| some(i).then(|| format!("text {i}"))).collect::<StringArray>());
    let inner = Arc::new(Field::new("s", DataType::Utf8, true));
    let fixed = FixedSizeBinaryArray::try_from_iter((0..rows).map(|i| (i as u32).to_be_bytes())).unwrap();
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("x", Arc::new((0..rows).map(|i| some(i).then(|| (i as f64).sin())).collect::<Float64Array>()), true),
        ("int", Arc::new(ints), true),
        ("word", Arc::new(words), true),
        ("decimal", Arc::new(decimals.with_precision_and_scale(30, 4).unwrap()), true),
        ("list", Arc::new(lists), true),
        ("struct", Arc::new(StructArray::from(vec![(inner, texts)])), false),
        ("day", Arc::new(Date32Array::from_iter_values((0..rows).map(|i| i as i32))), false),
        (
            "when",
            Arc::new(
                TimestampNanosecondArray::from_iter_values((0..rows).map(|i| i as i64)).with_timezone("Europe/Rome"),
            ),
            false,
        ),
        ("fixed", Arc::new(fixed), false),
        ("flag", Arc::new((0..rows).map(|i| some(i).then_some(i % 2 == 0)).collect::<BooleanArray>()), true),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(n, a, nullable)| Field::new(*n, a.data_type().clone(), *nullable)).collect();
    let metadata: std::collections::HashMap<String, String> = [("maker".to_string(), "a test".to_string())].into();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    RecordBatch::try_new(schema, columns.into_iter().map(|c| c.1).collect()).unwrap()
}

fn write_foreign(path: &Path, batch: &RecordBatch, compression: parquet::basic::Compression) {
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(140_000))
        .build();
    let file = fs::File::create(path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn stored_columns_come_out_as_they_went_in_with_the_results_behind_them() {
    use parquet::basic::Compression;
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    // More rows than one group, and groups of more than one part; none at all; one.
    for (rows, compression) in [
        (300_000, Compression::SNAPPY),
        (0, Compression::UNCOMPRESSED),
        (1, Compression::UNCOMPRESSED),
        (1003, Compression::ZSTD(Default::default())),
    ] {
        let batch = all_kinds(rows.max(1)).slice(0, rows);
        write_foreign(&from, &batch, compression);
        let mut fields: Vec<Field> = batch.schema().fields().iter().map(|f| f.as_ref().clone()).collect();
        let mut columns: Vec<Option<usize>> = (0..fields.len()).map(Some).collect();
        fields.extend([Field::new("y", DataType::Float64, true), Field::new("up", DataType::Boolean, true)]);
        columns.extend([None, None]);
        copy_stored(&from, &to, &columns, fields).unwrap();
        let copy = all_rows(&to);
        assert_eq!(copy.project(&(0..batch.num_columns()).collect::<Vec<_>>()).unwrap().columns(), batch.columns());
        assert_eq!(copy.column_by_name("y").unwrap(), batch.column(0), "{rows} rows");
        let up: BooleanArray =
            batch.column(0).as_primitive::<Float64Type>().iter().map(|x| x.map(|x| x > 0.0)).collect();
        assert_eq!(copy.column_by_name("up").unwrap().as_boolean(), &up);
        assert_eq!(copy.schema().metadata().get("maker").map(String::as_str), Some("a test"));
        let groups = |path: &Path| -> Vec<i64> {
            let reader = parquet::file::reader::SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
            let metadata = parquet::file::reader::FileReader::metadata(&reader);
            metadata.row_groups().iter().map(|g| g.num_rows()).collect()
        };
        assert_eq!(groups(&to), groups(&from));
    }
}

#[test]
fn a_result_takes_the_place_of_a_stored_column() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    let batch = all_kinds(1000).project(&[5, 0, 4]).unwrap();
    write_foreign(&from, &batch, parquet::basic::Compression::SNAPPY);
    let fields = vec![
        batch.schema().field(0).clone(),
        Field::new("x", DataType::Float64, true),
        batch.schema().field(2).clone(),
        Field::new("up", DataType::Boolean, true),
    ];
    copy_stored(&from, &to, &[Some(0), None, Some(2), None], fields).unwrap();
    assert_eq!(all_rows(&to).columns()[..3], *batch.columns());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn other_readers_see_the_numbers_that_we_write(
        values in prop::collection::vec(any_number(), 0..200),
        parts in 1_usize..4,
        skip in 0_usize..10,
        missing in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        let values: Vec<Option<f64>> = values.into_iter().filter(|v| missing || v.is_some()).collect();
        let whole = sample(&values);
        // Slices have their bits at odd places.
        let batch = whole.slice(skip.min(values.len()), values.len() - skip.min(values.len()));
        write(&path, &vec![batch.clone(); parts]).unwrap();
        let found = all_rows(&path);
        let expected = gristmill_table_io::arrow::compute::concat_batches(&batch.schema(), &vec![batch; parts]).unwrap();
        prop_assert_eq!(found.columns(), expected.columns());
    }
}

#[test]
fn the_range_of_a_column_is_that_of_its_values_without_nan() {
    use parquet::file::statistics::Statistics;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let range = |values: &[Option<f64>]| {
        write(&path, &[sample(values).project(&[0]).unwrap()]).unwrap();
        let reader = parquet::file::reader::SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
        let group = parquet::file::reader::FileReader::metadata(&reader).row_group(0).clone();
        match group.column(0).statistics() {
            Some(Statistics::Double(s)) => {
                (s.min_opt().map(|x| x.to_bits()), s.max_opt().map(|x| x.to_bits()), s.null_count_opt())
            }
            other => panic!("{other:?}"),
        }
    };
    let bits = |x: f64| Some(x.to_bits());
    let noise = |i: usize| (i as f64 * 0.73).sin() * 1e3;
    let mut values: Vec<Option<f64>> = (0..1000).map(|i| Some(noise(i))).collect();
    values[17] = Some(f64::NAN);
    values[18] = None;
    values[900] = Some(-1e9);
    values[999] = Some(f64::INFINITY);
    assert_eq!(range(&values), (bits(-1e9), bits(f64::INFINITY), Some(1)));
    assert_eq!(range(&[Some(f64::NAN), None]), (None, None, Some(1)));
    assert_eq!(range(&[Some(0.0), Some(-0.0)]), (bits(-0.0), bits(0.0), Some(0)));
    assert_eq!(range(&[Some(0.0)]), (bits(-0.0), bits(0.0), Some(0)));
}

#[test]
fn what_is_no_text_in_utf8_is_an_error_that_says_what_to_do() {
    let error = |bytes: &[u8], carry| {
        let (_folder, path) = file(bytes);
        message(read(&path, &[], carry).unwrap_err(), &path)
    };
    let columns = |bytes: &[u8]| error(bytes, Carry::Columns);
    assert!(columns(b"\x1f\x8b\x08\x00rest\n").starts_with("data.csv: cannot be read"));
    assert!(columns(b"\xfd7zXZ\0\n").starts_with("data.csv: is compressed by xz"));
    assert!(columns(b"PK\x03\x04\n").starts_with("data.csv: is a zip archive"));
    assert!(columns(b"\xff\xfea\0,\0b\0\n\0").starts_with("data.csv: is UTF-16, but must be UTF-8"));
    assert!(columns(b"gr\xf6\xdfe,b\n1,2\n").starts_with("data.csv: has a header that is not UTF-8"));
    assert!(columns(b"a,b\r1,2\r").starts_with("data.csv: has lines that end in a carriage return alone"));
    assert!(columns(b"PAR1\x15\x04").starts_with("data.csv: is a Parquet file"));
    assert_eq!(columns(b"a,b\n1,2\n3,\"4\n5,6\n"), "data.csv:3: a quote is opened in this record and closed nowhere");
    assert_eq!(columns(b"a,\"b\n1,2\n"), "data.csv:1: a quote is opened in this record and closed nowhere");
    assert!(
        error(b"a\ncaf\xe9\n", Carry::TypedColumns)
            .contains("data.csv:2: column `a` holds `caf\u{fffd}`, which is not UTF-8")
    );
    // As text it is carried to the byte.
    let (_folder, path) = file(b"a\ncaf\xe9\n\0\n");
    let batches = read(&path, &[], Carry::Columns).unwrap();
    let found: Vec<Option<&[u8]>> = batches[0].carried.as_ref().unwrap().column(0).as_binary::<i32>().iter().collect();
    assert_eq!(found, [Some(&b"caf\xe9"[..]), Some(&b"\0"[..])]);
}

#[test]
fn the_types_of_a_file_are_those_of_all_its_values() {
    // The first blocks say less than the last rows.
    let mut text = String::from("int,num,word,big,n\n");
    (0..200_000).for_each(|i| text.push_str(&format!("{i},{i},{i},{i},{i}\n")));
    text.push_str("-7,2.5,x7,9223372036854775808,1e3\n");
    let (_folder, path) = file(&text);
    let types = |numeric: &[&str]| -> Vec<DataType> {
        let batches = read(&path, numeric, Carry::TypedColumns).unwrap();
        assert!(batches.len() > 2, "the file should be read in several blocks");
        assert_eq!(batches.iter().map(|b| b.rows).sum::<usize>(), 200_001);
        batches[0].carried.as_ref().unwrap().schema().fields().iter().map(|f| f.data_type().clone()).collect()
    };
    use DataType::{Float64, Int64, UInt64, Utf8};
    assert_eq!(types(&[]), [Int64, Float64, Utf8, UInt64, Float64]);
    assert_eq!(types(&["int", "num", "big", "n"]), types(&[]), "whatever is computed with them");
}

#[test]
fn a_column_that_is_computed_with_is_carried_to_the_last_digit() {
    let (_folder, path) =
        file("id,code,x\n9007199254740993,007,1\n-9007199254740995,010,0.5\n12,,123456789.0123456789\n");
    let batches = read(&path, &["id", "code", "x"], Carry::TypedColumns).unwrap();
    let carried = batches[0].carried.as_ref().unwrap();
    let ids: Vec<Option<i64>> = carried.column(0).as_primitive::<Int64Type>().iter().collect();
    assert_eq!(ids, [Some(9007199254740993), Some(-9007199254740995), Some(12)]);
    let codes: Vec<Option<&str>> = carried.column(1).as_string::<i32>().iter().collect();
    assert_eq!(codes, [Some("007"), Some("010"), None]);
    assert_eq!(numbers(&batches, 1), [Some(7.0), Some(10.0), None]);
    let notes: Vec<(Note, &str, u64)> = batches[0].notes.iter().collect();
    assert_eq!(notes, [(Note::LargeInteger, "id", 2), (Note::LongDecimal, "x", 1)]);
    // Nobody computes with them: nothing to say.
    let batches = read(&path, &[], Carry::TypedColumns).unwrap();
    assert_eq!(batches[0].notes.iter().collect::<Vec<_>>(), [(Note::LongDecimal, "x", 1)]);
}

#[test]
fn typed_files_tell_of_large_integers_too() {
    let folder = tempfile::tempdir().unwrap();
    let (signed, unsigned) = (vec![i64::MIN, 1 << 53, 5], vec![u64::MAX, u64::MAX - 1, (1 << 53) + 1]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("i", Arc::new(gristmill_table_io::arrow::array::Int64Array::from(signed))),
        ("u", Arc::new(gristmill_table_io::arrow::array::UInt64Array::from(unsigned))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    for name in ["t.parquet", "t.arrow", "t.npy", "t.npz"] {
        let path = folder.path().join(name);
        write(&path, std::slice::from_ref(&batch)).unwrap();
        let batches = read(&path, &["u", "i"], Carry::TypedColumns).unwrap();
        let notes: Vec<(Note, &str, u64)> = batches[0].notes.iter().collect();
        assert_eq!(notes, [(Note::LargeInteger, "i", 1), (Note::LargeInteger, "u", 3)], "{name}");
        assert_eq!(batches[0].carried.as_ref().unwrap().columns(), batch.columns(), "{name}");
    }
}

#[test]
fn text_na_quoted_na_and_an_empty_field_are_three_things() {
    let (_folder, path) = file("land,x,empty\nNA,NA,\n\"NA\",1,NA\n,,\n\"\",\"\",NA\nDE,2,\n");
    let texts = |batch: &RecordBatch, column: usize| -> Vec<Option<String>> {
        batch.column(column).as_string::<i32>().iter().map(|t| t.map(str::to_string)).collect()
    };
    let some = |text: &str| Some(text.to_string());
    let batches = read(&path, &["x"], Carry::TypedColumns).unwrap();
    let carried = batches[0].carried.as_ref().unwrap();
    assert_eq!(texts(carried, 0), [some("NA"), some("NA"), None, some(""), some("DE")]);
    let x: Vec<Option<i64>> = carried.column(1).as_primitive::<Int64Type>().iter().collect();
    assert_eq!(x, [None, Some(1), None, None, Some(2)]);
    assert_eq!(texts(carried, 2), [None, None, None, None, None]);
    assert_eq!(batches[0].notes.iter().collect::<Vec<_>>(), [(Note::KeptAsText, "land", 1)]);
    // Said so, the word without quotes is missing in text too.
    let missing = Missing::Words(vec!["-9".into(), "NA".into()]);
    let wanted = Wanted { numeric: vec!["x".into()], carry: Carry::TypedColumns, ..Wanted::default() };
    let opened = open(&path, None).unwrap().with_missing(missing);
    let batches: Vec<Batch> = opened.batches(&wanted).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(texts(batches[0].carried.as_ref().unwrap(), 0), [None, some("NA"), None, some(""), some("DE")]);
    assert_eq!(batches[0].notes, Default::default());
}

#[test]
fn quoted_na_is_no_number() {
    let (_folder, path) = file("x,y\n1,\"a\"\n\"NA\",b\n");
    let error = read(&path, &["x"], Carry::Nothing).unwrap_err();
    assert_eq!(
        message(error, &path),
        "data.csv:3: column `x` holds `NA` in quotes, which is text and no number; `--na NA` makes it missing"
    );
    let types = |carry| read(&path, &[], carry).unwrap()[0].carried.as_ref().unwrap().column(0).data_type().clone();
    assert_eq!(types(Carry::TypedColumns), DataType::Utf8);
    let opened = open(&path, None).unwrap().with_missing(Missing::Words(vec!["NA".into()]));
    let wanted = Wanted { numeric: vec!["x".into()], carry: Carry::Nothing, ..Wanted::default() };
    let batches: Vec<Batch> = opened.batches(&wanted).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(numbers(&batches, 0), [Some(1.0), None]);
}

#[test]
fn text_out_keeps_missing_values_apart_from_text() {
    let folder = tempfile::tempdir().unwrap();
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("NA"), Some(""), None, Some("-9"), Some("a")]));
    let numbers: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), None, Some(f64::NAN), Some(-0.0), None]));
    let both = RecordBatch::try_from_iter([("t", texts.clone()), ("x", numbers.clone())]).unwrap();
    let text_with = |batch: &RecordBatch, word: &str, of_text: &str| {
        let path = folder.path().join("out.csv");
        let mut writer = TableWriter::create(&path, Format::Csv, &batch.schema()).unwrap().with_missing(word, of_text);
        writer.write(batch).unwrap();
        writer.finish().unwrap();
        fs::read_to_string(path).unwrap()
    };
    let text = |batch: &RecordBatch, word: &str| text_with(batch, word, word);
    assert_eq!(text(&both, ""), "t,x\n\"NA\",1\n\"\",\n,NaN\n-9,-0\na,\n");
    assert_eq!(text(&both, "-9"), "t,x\n\"NA\",1\n\"\",-9\n-9,NaN\n\"-9\",-0\na,-9\n");
    // Among text `NA` is no missing value to a reader.
    assert_eq!(text_with(&both, "NA", ""), "t,x\n\"NA\",1\n\"\",NA\n,NaN\n-9,-0\na,NA\n");
    // An empty line would be no row at all.
    let one = RecordBatch::try_from_iter([("x", numbers)]).unwrap();
    assert_eq!(text(&one, ""), "x\n1\n\"\"\nNaN\n-0\n\"\"\n");
    assert_eq!(text(&one, "NA"), "x\n1\nNA\nNaN\n-0\nNA\n");
}

#[test]
fn missing_values_inside_dictionaries_and_columns_of_nothing_are_missing_in_text() {
    use gristmill_table_io::arrow::array::{DictionaryArray, Int32Array, NullArray};
    let folder = tempfile::tempdir().unwrap();
    let values: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("")]));
    let words = DictionaryArray::try_new(Int32Array::from(vec![Some(0), Some(1), None, Some(2)]), values).unwrap();
    let columns: Vec<(&str, ArrayRef)> = vec![("word", Arc::new(words)), ("none", Arc::new(NullArray::new(4)))];
    let path = folder.path().join("out.csv");
    write(&path, &[RecordBatch::try_from_iter(columns).unwrap()]).unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), "word,none\na,\n,\n,\n\"\",\n");
}

#[test]
fn truth_values_of_text_are_truth_values() {
    let (_folder, path) = file("b,c,d,e\nTRUE,true,T,TRUE\nNA,False,F,1\nFALSE,,T,\n");
    let names = ["b", "c", "d", "e"].map(String::from);
    assert_eq!(open(&path, None).unwrap().survey(&names).unwrap().truth, [true, true, false, false]);
    let batches = read(&path, &["b", "c", "d", "e"], Carry::TypedColumns).unwrap();
    let carried = batches[0].carried.as_ref().unwrap();
    let b: Vec<Option<bool>> = carried.column(0).as_boolean().iter().collect();
    assert_eq!(b, [Some(true), None, Some(false)]);
    let types: Vec<&DataType> = carried.columns()[1..].iter().map(|c| c.data_type()).collect();
    assert_eq!(types, [&DataType::Boolean, &DataType::Utf8, &DataType::Utf8]);
    assert_eq!(numbers(&batches, 2), [Some(1.0), Some(0.0), Some(1.0)]);
    assert_eq!(numbers(&batches, 3), [Some(1.0), Some(1.0), None]);
    // The last row decides.
    let mut text = String::from("a,b\n");
    (0..300_000).for_each(|_| text.push_str("TRUE,false\n"));
    let (_folder, path) = file(format!("{text}3,\n"));
    let names = ["a", "b"].map(String::from);
    assert_eq!(open(&path, None).unwrap().survey(&names).unwrap().truth, [false, true]);
}

#[test]
fn the_survey_tells_how_missing_values_are_written() {
    let word = |text: &str, missing: Missing| {
        let (_folder, path) = file(text);
        open(&path, None).unwrap().with_missing(missing).survey(&["x".to_string()]).unwrap().missing
    };
    assert_eq!(word("x,y\n1,NA\n,\nNA,2\n", Missing::Usual), Some(String::new()));
    assert_eq!(word("y,x\n,1\nNA,2\n1,NA\n", Missing::Usual), Some("NA".to_string()));
    assert_eq!(word("y,x\n,1\nNA,-9\n1,NA\n", Missing::Words(vec!["-9".into()])), Some("-9".to_string()));
    assert_eq!(word("x\n1\n", Missing::Usual), None);
}

/// Someone else writes to a pipe while we read it by its name.
#[cfg(unix)]
#[test]
fn the_types_of_a_stream_are_those_of_all_its_values() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut text = String::from("i,n,w\n");
    (0..200_000).for_each(|i| text.push_str(&format!("{i},{i},{i}\n")));
    text.push_str("7,0.5,abc\n");
    let writer = std::thread::spawn({
        let (pipe, text) = (pipe.clone(), text.clone());
        move || fs::write(pipe, text)
    });
    let from_pipe = read(&pipe, &["i"], Carry::TypedColumns).unwrap();
    writer.join().unwrap().unwrap();
    assert!(from_pipe.len() > 2);
    let (_folder, path) = file(text);
    let from_file = read(&path, &["i"], Carry::TypedColumns).unwrap();
    let whole = |batches: &[Batch]| {
        let carried: Vec<RecordBatch> = batches.iter().filter_map(|b| b.carried.clone()).collect();
        gristmill_table_io::arrow::compute::concat_batches(&carried[0].schema(), &carried).unwrap()
    };
    assert_eq!(whole(&from_pipe), whole(&from_file));
    assert_eq!(numbers(&from_pipe, 0), numbers(&from_file, 0));
}

#[test]
fn a_file_that_changes_between_looking_and_reading_is_an_error() {
    let mut text = String::from("a\n");
    (0..400_000).for_each(|i| text.push_str(&format!("{i}\n")));
    let wanted = Wanted { numeric: Vec::new(), carry: Carry::TypedColumns, ..Wanted::default() };
    for change in ["0.5\n", "1\n"] {
        let (_folder, path) = file(&text);
        let mut batches = open(&path, None).unwrap().batches(&wanted).unwrap();
        assert!(batches.next().unwrap().is_ok());
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(change.as_bytes()).unwrap();
        let error = batches.find_map(Result::err).expect("an error");
        assert!(matches!(error, TableError::Changed { .. }), "{error}");
        assert!(error.to_string().contains("was changed while it was read; no file was written"));
    }
    let (_folder, path) = file(&text);
    let opened = open(&path, None).unwrap();
    fs::write(&path, &text[..2_000_000]).unwrap();
    let error = opened.batches(&wanted).and_then(Iterator::collect::<Result<Vec<Batch>, _>>).unwrap_err();
    assert!(matches!(error, TableError::Changed { .. }), "{error}");
}

#[test]
fn numbers_are_those_that_r_reads_and_nothing_else() {
    let value = |text: &str| {
        let (_folder, path) = file(format!("x,y\n{text},1\n"));
        read(&path, &["x"], Carry::Nothing).map(|batches| numbers(&batches, 0)[0]).ok()
    };
    let some = |x: f64| Some(Some(x));
    assert_eq!(value("1e999"), some(f64::INFINITY));
    assert_eq!(value("-1e999"), some(f64::NEG_INFINITY));
    assert_eq!(value("1e-999"), some(0.0));
    assert_eq!(value("9007199254740993"), some(9007199254740992.0));
    assert_eq!(value("\" 1.5 \""), some(1.5));
    assert_eq!(value("+5"), some(5.0));
    assert_eq!(value(".5"), some(0.5));
    assert_eq!(value("5."), some(5.0));
    assert_eq!(value("NA"), Some(None));
    for wrong in [
        "0x1F",
        "\"1,234\"",
        "1 234",
        "1.2.3",
        "--1",
        "1e",
        "N/A",
        "null",
        "2020-01-01",
        "1\0",
        "\u{ff11}",
        "-",
        "1d3",
        "1_000",
    ] {
        assert_eq!(value(wrong), None, "{wrong}");
    }
}

#[test]
fn columns_of_one_name_can_be_carried_but_not_computed_with() {
    let folder = tempfile::tempdir().unwrap();
    let column: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    let field = |name: &str| Field::new(name, DataType::Float64, true);
    let schema = Arc::new(Schema::new(vec![field("a"), field("b"), field("a")]));
    let batch = RecordBatch::try_new(schema, vec![column.clone(), column.clone(), column]).unwrap();
    for name in ["t.parquet", "t.arrow"] {
        let path = folder.path().join(name);
        write(&path, std::slice::from_ref(&batch)).unwrap();
        let batches = read(&path, &["b"], Carry::Columns).unwrap();
        assert_eq!(batches[0].carried.as_ref().unwrap().num_columns(), 3);
        let error = read(&path, &["a"], Carry::Columns).unwrap_err().to_string();
        assert!(error.ends_with("`a` is the name of two columns, 1 and 3; rename one"), "{error}");
    }
}

/// Damaged files are errors, or tables: never a panic, and never memory for what a damaged number says.
#[test]
fn damaged_columnar_files_are_errors_or_tables() {
    let folder = tempfile::tempdir().unwrap();
    let batch = all_kinds(500);
    let simple = batch.project(&[0, 1, 5, 9]).unwrap();
    let whole = folder.path().join("whole.parquet");
    write_foreign(&whole, &batch, parquet::basic::Compression::SNAPPY);
    let ours = folder.path().join("ours.parquet");
    write(&ours, &[simple]).unwrap();
    let arrow = folder.path().join("whole.arrow");
    write(&arrow, &[batch.clone(), batch]).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as usize) % below
    };
    let (mut errors, mut tables) = (0, 0);
    for whole in [&whole, &ours, &arrow] {
        let bytes = fs::read(whole).unwrap();
        let damaged = whole.with_file_name("damaged").with_extension(whole.extension().unwrap());
        let mut look = |bytes: &[u8], what: String| {
            fs::write(&damaged, bytes).unwrap();
            for carry in [Carry::TypedColumns, Carry::Nothing, Carry::Stored { results: 1 }] {
                let read = std::panic::catch_unwind(|| read(&damaged, &["x"], carry));
                match read.unwrap_or_else(|_| panic!("{what} of {} panics", whole.display())) {
                    Ok(_) => tables += 1,
                    Err(_) => errors += 1,
                }
            }
        };
        for cut in [0, 1, 4, 8, 12, bytes.len() / 3, bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
            look(&bytes[..cut], format!("cut at {cut}"));
        }
        for _ in 0..300 {
            let mut bytes = bytes.clone();
            // Most harm is done in the directory, which stands at the end.
            let at = if random(2) == 0 { random(bytes.len()) } else { bytes.len() - 1 - random(bytes.len().min(4000)) };
            let byte = random(256) as u8;
            bytes[at] = byte;
            look(&bytes, format!("byte {at} as {byte}"));
        }
    }
    assert!(errors > 300 && tables > 300, "{errors} errors, {tables} tables");
}
