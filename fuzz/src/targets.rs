//! What is fed with damaged inputs. A target may refuse an input; it may not panic, die, or take long.

use crate::mutate::Rng;
use gristmill_cl_library as cl;
use gristmill_table_io::{Carry, Format, TableWriter, Wanted, open};
use std::path::Path;

/// A reader or parser.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, and the folder of its seeds.
    pub name: &'static str,
    /// What its inputs are made of.
    pub tokens: &'static [&'static str],
    /// Reads the input, which is also in the file.
    pub run: fn(&[u8], &Path, &mut Rng),
}

const TEXT: &[&str] = &[",", "\t", "\"", "\n", "\r\n", "NA", "Inf", "-", "1e308", "\u{feff}", "\0", "é", "TRUE"];
const NPY: &[&str] = &["'descr'", "'<f8'", "'shape'", "(", ")", ",", "{", "[('a', '<i2')]", "True", "0", "L", "\\'"];
const BINARY: &[&str] = &["PAR1", "ARROW1", "\0\0\0\0", "\u{1}\0\0\0", "PK\u{5}\u{6}", "PK\u{1}\u{2}"];
const CODE: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "#define ",
    "#if ",
    "#endif\n",
    "##",
    "\\\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "@depends: ",
    "@provides: ",
    "__kernel ",
    "defined(",
    "1e",
    "0x",
    "::",
    "<<",
    "=",
    "~",
    "+",
    "^",
    "-",
    "%in%",
    "`",
    "I(",
    "if ",
    "else ",
    "let ",
    "while ",
    "fn ",
    "as ",
    "&",
    "!",
    "\u{1f600}",
];

const TYPE: &[&str] =
    &["*", "{", "}", ":", ",", "[", "]", "var", "strided", "float64", "pointer", "bytes", "align=", "<"];

/// All of them.
///
/// What is read and has no target: entries of the program cache and the file with its key, because nothing behind the check
/// of their authenticity sees them (its property tests are in cl-runtime's cache.rs); `crossover.json`, of which `serde_json`
/// makes a tree in which numbers are looked up; signatures of gufuncs and arrays behind the Arrow C data interface, which
/// come from NumPy and other libraries of the same process and are as trusted as they are.
pub const TARGETS: &[Target] = &[
    Target { name: "csv", tokens: TEXT, run: |_, path, rng| table(path, Format::Csv, rng) },
    Target { name: "tsv", tokens: TEXT, run: |_, path, rng| table(path, Format::Tsv, rng) },
    Target { name: "npy", tokens: NPY, run: |bytes, path, rng| npy(bytes, path, rng) },
    Target { name: "npz", tokens: NPY, run: |_, path, rng| table(path, Format::Npz, rng) },
    Target { name: "parquet", tokens: BINARY, run: |_, path, rng| table(path, Format::Parquet, rng) },
    Target { name: "arrow", tokens: BINARY, run: |_, path, rng| table(path, Format::Arrow, rng) },
    Target { name: "arrow_stream", tokens: BINARY, run: |_, path, rng| table(path, Format::Arrow, rng) },
    Target { name: "compressed", tokens: TEXT, run: |_, path, rng| table(path, Format::Csv, rng) },
    Target { name: "rds", tokens: BINARY, run: |bytes, _, _| rds(bytes) },
    Target { name: "annotations", tokens: CODE, run: |bytes, _, _| drop(cl::Annotations::parse(&text(bytes))) },
    Target { name: "opencl", tokens: CODE, run: |bytes, _, _| opencl(bytes) },
    Target { name: "expression", tokens: CODE, run: |bytes, _, _| drop(gristmill_engine::expr::parse(&text(bytes))) },
    Target { name: "formula", tokens: CODE, run: |bytes, _, _| formula(&text(bytes)) },
    Target { name: "kernel_language", tokens: CODE, run: |bytes, _, _| kernel_language(&text(bytes)) },
    Target { name: "kernel_text", tokens: CODE, run: |bytes, _, rng| kernel_text(&text(bytes), rng) },
    Target { name: "type_text", tokens: TYPE, run: |bytes, _, _| type_text(&text(bytes)) },
    Target { name: "manifest", tokens: TEXT, run: |bytes, _, _| drop(cl::Manifest::parse(&text(bytes), "m.tsv")) },
    Target {
        name: "index",
        tokens: TEXT,
        run: |bytes, _, _| drop(cl::Index::parse_tsv(&text(bytes), Path::new("i.tsv"))),
    },
];

/// Targets that do what no target may: runs that do not report them find nothing.
pub const PLANTED: &[Target] = &[
    Target { name: "planted_abort", tokens: TEXT, run: |_, _, _| std::process::abort() },
    Target { name: "planted_panic", tokens: TEXT, run: |bytes, _, _| panic!("planted, of {} bytes", bytes.len()) },
    Target {
        name: "planted_allocation",
        tokens: TEXT,
        // A length that was believed. (Touched, so that it is not left out.)
        run: |bytes, _, _| drop(std::hint::black_box(vec![bytes.len() as u8; crate::allocator::LIMIT + 1])),
    },
    Target {
        name: "planted_hang",
        tokens: TEXT,
        run: |_, _, _| {
            loop {
                std::hint::spin_loop();
            }
        },
    },
    Target { name: "planted_overflow", tokens: TEXT, run: |bytes, _, _| assert!(descend(bytes, 1) > 0) },
];

/// A descent without an end, as of a parser that nests as deep as its input says.
#[expect(unconditional_recursion, clippy::only_used_in_recursion, reason = "it is what is planted")]
fn descend(bytes: &[u8], depth: usize) -> usize {
    std::hint::black_box(descend(bytes, depth + 1)) + bytes.len()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file can say in few bytes that it has many rows; these are enough.
const ROWS: usize = 100_000;

/// Reads the table in several ways, and writes it in one.
fn table(path: &Path, format: Format, rng: &mut Rng) {
    let Ok(table) = open(path, Some(format)) else { return };
    let columns = table.columns().to_vec();
    let numeric = columns.get(rng.below(columns.len())).cloned().into_iter().collect();
    let carry = [Carry::Nothing, Carry::Columns, Carry::TypedColumns][rng.below(3)];
    let Ok(batches) = table.batches(&Wanted { carry, ..Wanted::default() }) else { return };
    let to = [Format::Csv, Format::Parquet, Format::Arrow, Format::Npy, Format::Npz][rng.below(5)];
    let out = path.with_extension("out");
    let mut writer = TableWriter::create(&out, to, &batches.carried_schema()).ok();
    let mut rows = 0;
    for batch in batches {
        let Ok(batch) = batch else { break };
        rows += batch.rows;
        let written = writer.as_mut().zip(batch.carried).map(|(writer, carried)| writer.write(&carried));
        if rows > ROWS || matches!(written, Some(Err(_))) {
            writer = None;
            break;
        }
    }
    if let Some(writer) = writer {
        let _ = writer.finish();
    }
    let Ok(batches) = open(path, Some(format))
        .and_then(|t| t.batches(&Wanted { numeric, carry: Carry::Nothing, ..Wanted::default() }))
    else {
        return;
    };
    let mut rows = 0;
    for batch in batches {
        let Ok(batch) = batch else { break };
        rows += batch.rows;
        if rows > ROWS {
            break;
        }
    }
}

fn npy(bytes: &[u8], path: &Path, rng: &mut Rng) {
    let _ = gristmill_table_io::npy::NpyArray::read(bytes);
    table(path, Format::Npy, rng);
}

/// The container, and what the commands make of one.
fn rds(bytes: &[u8]) {
    let _ = cl::rds::read(bytes);
    let _ = cl::Index::from_r(bytes);
    let _ = cl::Manifest::from_r(bytes);
}

/// Reads a text of kernels, shows it in every language and, now and then, compiles it. Nothing is run: a text may loop.
fn kernel_text(text: &str, rng: &mut Rng) {
    let Ok(source) = gristmill_kernel_jit::KernelSource::parse(text) else { return };
    let names: Vec<String> = source.function_names().map(str::to_owned).collect();
    for name in names {
        let _ = (source.opencl(&name), source.rust(&name), source.ir(&name));
        if rng.below(8) == 0 {
            let _ = source.explain(&name);
        }
    }
}

/// What is read is written so that it is read again as the same.
fn type_text(text: &str) {
    if let Ok(ty) = text.parse::<gristmill_ndtypes::Type>() {
        assert_eq!(ty.to_string().parse::<gristmill_ndtypes::Type>().as_ref(), Ok(&ty));
        let _ = gristmill_ndtypes::metadata_words(&ty);
    }
}

fn opencl(bytes: &[u8]) {
    let text = text(bytes);
    let _ = cl::lexer::lex(&text);
    // Two files, so that one can depend on the other.
    let (first, second) =
        text.split_at(text.len() / 2 + (0..4).find(|i| text.is_char_boundary(text.len() / 2 + i)).unwrap_or(0));
    if let Ok(library) = cl::Library::new("l", vec![cl::Shard::new("f", first), cl::Shard::new("g", second)]) {
        let _ = cl::check_library(&library, &[]);
    }
}

fn formula(text: &str) {
    let columns = ["y", "x", "z", "w", "g", "n"].map(str::to_string);
    if let Ok(formula) = gristmill_glm::formula::Formula::parse(text, &columns) {
        let _ = formula.term_labels();
    }
}

fn kernel_language(text: &str) {
    let _ = gristmill_kernel_lang::interp::Module::parse(text);
}
