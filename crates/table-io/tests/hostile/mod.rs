//! Files that claim what they do not hold: an error, and no memory or time for the claim.

mod types;

use gristmill_table_io::arrow::array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int32Array, ListArray, NullArray, RecordBatch, StringArray,
};
use gristmill_table_io::arrow::datatypes::{Field, Int32Type, Schema};
use gristmill_table_io::arrow::ipc::CompressionType;
use gristmill_table_io::arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use gristmill_table_io::{Carry, Format, Wanted, open};
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Rows of the tables that are damaged here: a number that no other number of the file is.
const ROWS: i64 = 77_777;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Reads all of it and gives the rows, or the error with its causes.
fn read(path: &Path, numeric: &[&str]) -> Result<usize, String> {
    let start = Instant::now();
    let numeric = numeric.iter().map(ToString::to_string).collect();
    let told = |error: &dyn Error| {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            text = format!("{text}: {inner}");
            cause = inner.source();
        }
        text
    };
    let wanted = Wanted { numeric, carry: Carry::Columns, ..Wanted::default() };
    let batches = open(path, None).and_then(|table| table.batches(&wanted)).map_err(|e| told(&e))?;
    let rows = batches.map(|batch| batch.map(|b| b.rows).map_err(|e| told(&e))).sum();
    assert!(start.elapsed() < Duration::from_secs(10), "{}: {:?}", path.display(), start.elapsed());
    rows
}

/// The error for a file of these bytes.
fn refused(name: &str, bytes: &[u8], numeric: &[&str]) -> String {
    let folder = folder();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    let error = read(&path, numeric).expect_err("the file should be refused");
    error.replace(&format!("{}/", folder.path().display()), "")
}

/// The bytes of a table in the stream and in the file format.
fn arrow(column: ArrayRef, compression: Option<CompressionType>) -> [(&'static str, Vec<u8>); 2] {
    let field = Field::new("x", column.data_type().clone(), true);
    let schema = Arc::new(Schema::new(vec![field]));
    let batch = RecordBatch::try_new(schema.clone(), vec![column]).expect("one column");
    let options = IpcWriteOptions::default().try_with_compression(compression).expect("known");
    let mut stream = StreamWriter::try_new_with_options(Vec::new(), &schema, options.clone()).expect("memory");
    stream.write(&batch).and_then(|()| stream.finish()).expect("memory");
    let mut file = FileWriter::try_new_with_options(Vec::new(), &schema, options).expect("memory");
    file.write(&batch).and_then(|()| file.finish()).expect("memory");
    [("stream.arrow", stream.into_inner().expect("done")), ("file.arrow", file.into_inner().expect("done"))]
}

/// Every place where the number stands gets another.
fn replace(bytes: &[u8], from: i64, to: i64) -> Vec<u8> {
    let (from, to) = (from.to_le_bytes(), to.to_le_bytes());
    let mut bytes = bytes.to_vec();
    let mut found = 0;
    for at in 0..bytes.len() - 7 {
        if bytes[at..at + 8] == from {
            bytes[at..at + 8].copy_from_slice(&to);
            found += 1;
        }
    }
    assert!(found > 0, "the number is not in the file");
    bytes
}

#[test]
fn a_column_of_2_to_the_40_missing_values_is_refused() {
    for (name, bytes) in arrow(Arc::new(NullArray::new(ROWS as usize)), None) {
        for numeric in [&["x"][..], &[]] {
            assert_eq!(
                refused(name, &replace(&bytes, ROWS, 1 << 40), numeric),
                format!(
                    "{name}: claims 1099511627776 rows, but at most 4294967296 are read; if it is no mistake, set \
                     GRISTMILL_MAX_ROWS=1099511627776"
                )
            );
        }
    }
}

#[test]
fn a_long_column_of_missing_values_is_read_in_parts() {
    let folder = folder();
    for (name, bytes) in arrow(Arc::new(NullArray::new(ROWS as usize)), None) {
        let path = folder.path().join(name);
        std::fs::write(&path, replace(&bytes, ROWS, 3_000_000)).expect("a file");
        assert_eq!(read(&path, &["x"]), Ok(3_000_000));
    }
}

#[test]
fn lengths_that_the_bytes_do_not_cover_are_refused() {
    let numbers: ArrayRef = Arc::new(Float64Array::from_iter_values((0..ROWS).map(|i| i as f64)));
    for (name, bytes) in arrow(numbers, None) {
        for claim in [ROWS + 1_000_000, 1 << 60, i64::MAX, -1] {
            let error = refused(name, &replace(&bytes, ROWS, claim), &["x"]);
            assert!(error.starts_with(name), "{error}");
            // The buffer's length, in the metadata.
            let error = refused(name, &replace(&bytes, ROWS * 8, claim.saturating_mul(8)), &["x"]);
            assert!(error.contains("column `x` has a buffer of") || error.contains("cut off"), "{error}");
        }
    }
}

#[test]
fn a_compressed_buffer_that_claims_2_to_the_60_bytes_is_refused() {
    for compression in [CompressionType::ZSTD, CompressionType::LZ4_FRAME] {
        let zeros: ArrayRef = Arc::new(Float64Array::from(vec![0.0; ROWS as usize]));
        for (name, bytes) in arrow(zeros, Some(compression)) {
            for claim in [1_i64 << 60, 1 << 40, -2] {
                let error = refused(name, &replace(&bytes, ROWS * 8, claim), &["x"]);
                assert!(error.ends_with(&format!("bytes that claim to be {claim}, compressed")), "{error}");
            }
        }
    }
}

#[test]
fn offsets_of_lists_and_texts_must_lie_in_their_values() {
    let mut lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), Some(2)]), Some(vec![])]);
    lists = lists.slice(0, 2);
    let texts = StringArray::from(vec!["a", "bcd"]);
    for (column, ends) in [(Arc::new(lists) as ArrayRef, [0_i32, 2, 2]), (Arc::new(texts), [0, 1, 4])] {
        for (name, bytes) in arrow(column, None) {
            let offsets: Vec<u8> = ends.iter().flat_map(|n| n.to_le_bytes()).collect();
            let at = bytes.windows(12).rposition(|w| w == offsets).expect("the offsets");
            for damage in [[0, 1 << 30, 1 << 30], [0, -1, 2], [0, 2, 1]] {
                let mut bytes = bytes.clone();
                bytes[at..at + 12].copy_from_slice(&damage.map(i32::to_le_bytes).concat());
                let error = refused(name, &bytes, &[]);
                assert!(error.starts_with(&format!("{name}: cannot be read or written as a table")), "{error}");
            }
        }
    }
}

#[test]
fn keys_must_lie_in_their_dictionary() {
    let keys = Int32Array::from(vec![0, 1, 0]);
    let column = DictionaryArray::new(keys, Arc::new(StringArray::from(vec!["u", "v"])));
    for (name, bytes) in arrow(Arc::new(column), None) {
        let keys: Vec<u8> = [0_i32, 1, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
        let at = bytes.windows(12).rposition(|w| w == keys).expect("the keys");
        let mut bytes = bytes.clone();
        bytes[at + 4..at + 8].copy_from_slice(&1_000_000_i32.to_le_bytes());
        let error = refused(name, &bytes, &[]);
        assert!(error.starts_with(&format!("{name}: cannot be read or written as a table")), "{error}");
    }
}

#[test]
fn a_footer_must_fit_into_its_file_and_its_batches_apart_from_each_other() {
    let column = || Arc::new(Float64Array::from(vec![1.0, 2.0])) as ArrayRef;
    let [_, (name, whole)] = arrow(column(), None);
    let length = whole.len();
    let mut bytes = whole.clone();
    bytes[length - 10..length - 6].copy_from_slice(&i32::MAX.to_le_bytes());
    let expected = format!(
        "{name}: cannot be read or written as a table: the file is damaged: it has {length} bytes, and \
                            its footer claims 2147483647"
    );
    assert_eq!(refused(name, &bytes, &[]), expected);
    assert!(refused(name, &whole[..length - 1], &[]).ends_with("it does not end as Arrow files do; is it cut off?"));

    // A second batch whose block is made that of the first.
    let schema = Arc::new(Schema::new(vec![Field::new("x", column().data_type().clone(), true)]));
    let batch = RecordBatch::try_new(schema.clone(), vec![column()]).expect("one column");
    let mut file = FileWriter::try_new(Vec::new(), &schema).expect("memory");
    file.write(&batch).and_then(|()| file.write(&batch)).and_then(|()| file.finish()).expect("memory");
    let bytes = file.into_inner().expect("done");
    let footer_length = u32::from_le_bytes(bytes[bytes.len() - 10..bytes.len() - 6].try_into().expect("four")) as usize;
    let footer = bytes.len() - 10 - footer_length;
    // A block is an offset, a length of metadata with padding, and a length of data.
    let block = |at: usize| i64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
    let first = (footer..bytes.len() - 58)
        .find(|at| block(*at) > 0 && block(at + 24) == block(*at) + (block(at + 8) & 0xffff_ffff) + block(at + 16))
        .expect("two blocks");
    let mut shared = bytes.clone();
    shared.copy_within(first..first + 24, first + 24);
    assert!(refused(name, &shared, &[]).ends_with("two of its batches share bytes"));
}

/// A `.npy` file of version 1.
fn npy(shape: &str, descr: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn columns_of_an_array_without_rows_are_limited() {
    let too_many = |count: u64| {
        format!(
            "x.npy: claims {count} columns, but at most 1000000 are read; if it is no mistake, set \
             GRISTMILL_MAX_COLUMNS={count}"
        )
    };
    assert_eq!(
        refused("x.npy", &npy("(0, 1000000000000000000)", "'<f8'", b""), &[]),
        too_many(1_000_000_000_000_000_000)
    );
    assert_eq!(refused("x.npy", &npy("(0, 1000000000)", "'<f8'", b""), &[]), too_many(1_000_000_000));
    // More than a machine can count.
    assert!(refused("x.npy", &npy("(0, 9000000000000000000)", "'<f8'", b""), &[]).ends_with("is too large"));
    let folder = folder();
    let path = folder.path().join("wide.npy");
    std::fs::write(&path, npy("(0, 100000)", "'<f8'", b"")).expect("a file");
    assert_eq!(read(&path, &["V1", "V100000"]), Ok(0));
}

#[test]
fn a_header_is_read_up_to_its_limit() {
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend(3_000_000_000_u32.to_le_bytes());
    let expected = "x.npy: cannot be read or written as a table: the header claims 3000000000 bytes, but at most 16777216 \
                    are read; if it is no mistake, set GRISTMILL_MAX_HEADER_BYTES=3000000000";
    assert_eq!(refused("x.npy", &bytes, &[]), expected);
}

/// An archive of these members: name, compressed bytes, their method, their unpacked size, and how many entries name each.
fn archive(members: &[(&str, Vec<u8>, u16, u32, usize)]) -> Vec<u8> {
    let (mut bytes, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u16);
    for (name, data, method, size, entries) in members {
        let at = bytes.len() as u32;
        let common = |to: &mut Vec<u8>| {
            to.extend([20_u16, 0, *method, 0, 0x21].map(u16::to_le_bytes).concat());
            to.extend([0_u32, data.len() as u32, *size].map(u32::to_le_bytes).concat());
        };
        bytes.extend(0x0403_4b50_u32.to_le_bytes());
        common(&mut bytes);
        bytes.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        bytes.extend(name.as_bytes());
        bytes.extend(data);
        for entry in 0..*entries {
            let name = if *entries == 1 { name.to_string() } else { format!("{name}{entry}") };
            directory.extend(0x0201_4b50_u32.to_le_bytes());
            directory.extend(20_u16.to_le_bytes());
            common(&mut directory);
            directory.extend([name.len() as u16, 0, 0, 0, 0, 0, 0].map(u16::to_le_bytes).concat());
            directory.extend(at.to_le_bytes());
            directory.extend(name.as_bytes());
            count += 1;
        }
    }
    let start = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(0x0605_4b50_u32.to_le_bytes());
    bytes.extend([0_u16, 0, count, count].map(u16::to_le_bytes).concat());
    bytes.extend([directory.len() as u32, start].map(u32::to_le_bytes).concat());
    bytes.extend([0; 2]);
    bytes
}

#[test]
fn a_deflated_header_is_not_unpacked_beyond_the_limit() {
    let mut header = b"\x93NUMPY\x02\x00".to_vec();
    header.extend(3_000_000_000_u32.to_le_bytes());
    header.resize(40_000_000, b' ');
    let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&header).expect("memory");
    let packed = packed.finish().expect("memory");
    let error = refused("x.npz", &archive(&[("x.npy", packed, 8, 3_000_000_100, 1)]), &[]);
    assert!(error.contains("the header claims 3000000000 bytes"), "{error}");
}

#[test]
fn members_over_one_local_header_are_refused() {
    let member = npy("(1,)", "'<f8'", &1.0_f64.to_le_bytes());
    let size = member.len() as u32;
    let error = refused("x.npz", &archive(&[("x", member.clone(), 0, size, 60_000)]), &[]);
    assert!(error.ends_with("the zip archive is damaged: two members share bytes"), "{error}");
}

#[test]
fn rows_of_a_parquet_file_are_limited_beside_its_size() {
    use gristmill_table_io::TableWriter;
    let folder = folder();
    let path = folder.path().join("x.parquet");
    let column: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
    let batch = RecordBatch::try_from_iter([("x", column)]).expect("one column");
    let mut writer = TableWriter::create(&path, Format::Parquet, &batch.schema()).expect("a file");
    writer.write(&batch).and_then(|()| writer.finish()).expect("written");
    let bytes = std::fs::read(&path).expect("read");
    // The group's number of rows is the field 3 of a row group, in Thrift's compact protocol: 0x16 (a step of one, an i64),
    // and 6 (3 in zigzag). A longer number moves what follows, so the footer is made anew.
    let at = bytes.windows(2).rposition(|w| w == [0x16, 6]).expect("the group's rows");
    let mut claimed = bytes[..at + 1].to_vec();
    let mut claim = 1_u64 << 61;
    while claim >= 0x80 {
        claimed.push(claim as u8 | 0x80);
        claim >>= 7;
    }
    claimed.push(claim as u8);
    claimed.extend(&bytes[at + 2..]);
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().expect("four"));
    let grown = footer + (claimed.len() - bytes.len()) as u32;
    let end = claimed.len();
    claimed[end - 8..end - 4].copy_from_slice(&grown.to_le_bytes());
    let error = refused("y.parquet", &claimed, &["x"]);
    assert!(error.contains("GRISTMILL_MAX_ROWS"), "{error}");
}

#[test]
fn a_text_table_with_too_many_columns_or_too_long_a_record_names_the_limit() {
    assert_eq!(
        refused("wide.csv", &[&vec![b','; 1_000_000][..], b"\n"].concat(), &[]),
        "wide.csv: claims 1000001 columns, but at most 1000000 are read; if it is no mistake, set \
         GRISTMILL_MAX_COLUMNS=1000001"
    );
    let error = refused("long.csv", &vec![b'a'; (64 << 20) + 1], &[]);
    assert!(error.contains("longer than 67108864 bytes") && error.contains("GRISTMILL_MAX_RECORD_BYTES"), "{error}");
}
