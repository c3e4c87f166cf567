//! `cargo xtask bench eval [memory|files|peers|peak]… [--rows N] [--gigabytes N]`: `gristmill eval` and the engine behind it.
//!
//! - `memory`: expressions over columns in memory, on one thread and on two, against NumPy and SciPy (if python3 has
//!   them) on the same machine in turns with ours.
//! - `files`: a CSV file and a Parquet file through the command, against pandas (if python3 has it), and where the time goes.
//! - `peers`: filters, groups, compressed text and quantiles over CSV and Parquet files, against polars and DuckDB (if python3 has
//!   them): seconds and peak memory of whole processes, without the time that Python takes to start.
//! - `peak`: the command's peak memory on a large CSV file, and on a Parquet file of one row group (if python3 has pyarrow).
//!
//! Times are minima of a few rounds of one run; the figures to read are the ratios, each with its goal.
#![allow(missing_docs)]

use gristmill::engine::expr::parse;
use gristmill::engine::plan::{Bindings, bind};
use gristmill::engine::{Engine, InputColumn, Rows};
use gristmill_table_io::{Carry, Format, TableWriter, Wanted, open};
use std::fs;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const GRISTMILL: &str = env!("CARGO_BIN_EXE_gristmill");
/// Rounds of the measurements in memory.
const ROUNDS: usize = 7;

/// Name, our expression, and how users of NumPy and SciPy write it: by hand or with scipy.special (`sp`), and with
/// scipy.stats, whose functions are the ones that take the same arguments as R's.
const EXPRESSIONS: &[(&str, &str, &[&str])] = &[
    ("arithmetic", "(x - 0.5) * 2 + x / 3", &["(x - 0.5) * 2 + x / 3"]),
    ("dnorm", "dnorm(x)", &["np.exp(-0.5 * x * x) * 0.3989422804014327", "stats.norm.pdf(x)"]),
    ("pnorm", "pnorm(x)", &["sp.ndtr(x)", "stats.norm.cdf(x)"]),
    ("plogis(a+b*x)", "plogis(0.3 + 1.7 * x)", &["sp.expit(0.3 + 1.7 * x)", "stats.logistic.cdf(0.3 + 1.7 * x)"]),
];

/// What is computed for the rows of a file, and the same in pandas.
const FILE_EXPRESSION: &str = "p = pnorm((x - 1) / 2, lower.tail = FALSE)";

fn main() {
    let mut parts: Vec<String> = Vec::new();
    let (mut rows, mut gigabytes) = (10_000_000, 2.0);
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().and_then(|v| v.replace('_', "").parse::<f64>().ok());
        match argument.as_str() {
            "memory" | "files" | "peers" | "peak" => parts.push(argument),
            "--rows" => rows = value().expect("--rows takes a number") as usize,
            "--gigabytes" => gigabytes = value().expect("--gigabytes takes a number"),
            other => {
                eprintln!("`{other}` is none of: memory, files, peers, peak, --rows N, --gigabytes N");
                std::process::exit(2);
            }
        }
    }
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|p| p == part);
    if wanted("memory") {
        memory(rows);
    }
    if wanted("files") {
        files(rows);
    }
    if wanted("peers") {
        peers(rows);
    }
    if wanted("peak") {
        peak(gigabytes);
    }
}

/// A line of the report: a figure, the least or most it should be, and whether it is.
fn report(what: &str, figure: f64, goal: f64, at_least: bool, unit: &str) {
    let met = if at_least { figure >= goal } else { figure <= goal };
    let (sign, verdict) = (if at_least { ">=" } else { "<=" }, if met { "met" } else { "NOT MET" });
    println!("  {what:<44} {figure:8.2}{unit}   goal {sign} {goal}{unit}: {verdict}");
}

/// Normal numbers, the same in every run.
fn normals(count: usize) -> Vec<f64> {
    let draws = bind(&[parse("x = rnorm()").expect("an expression")], &Bindings { seed: 7, ..Bindings::default() });
    let results = Engine::new().run(&draws.expect("a plan"), &Rows { count, first: 0, columns: &[] });
    match results.expect("no kernel fails").swap_remove(0).values {
        gristmill::engine::ResultValues::F64(x) => x,
        gristmill::engine::ResultValues::Bool(_) => unreachable!("rnorm gives numbers"),
    }
}

/// A Python that computes on request: a line with a statement in, a line with its seconds out.
struct Python {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    errors: ChildStderr,
}

impl Python {
    /// With these imports; `None`, and a line that says so, if it has not all of them.
    fn start(imports: &str) -> Option<Python> {
        let program = format!(
            "{imports}\nimport sys, time\nprint('ready', flush=True)\nfor _line in sys.stdin:\n    _start = time.perf_counter()\n    exec(_line)\n    print(time.perf_counter() - _start, flush=True)\n"
        );
        let child = Command::new("python3")
            .args(["-c", &program])
            .env("OMP_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let python = child.ok().and_then(|mut child| {
            let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
            let errors = child.stderr.take()?;
            Some(Python { child, input, output, errors })
        });
        let mut python = python.or_else(|| skipped(imports))?;
        let mut line = String::new();
        match python.output.read_line(&mut line) {
            Ok(_) if line.trim() == "ready" => Some(python),
            _ => skipped(imports),
        }
    }

    fn seconds(&mut self, statement: &str) -> f64 {
        let mut line = String::new();
        let asked = writeln!(self.input, "{statement}").and_then(|()| self.output.read_line(&mut line).map(drop));
        asked.ok().and_then(|()| line.trim().parse().ok()).unwrap_or_else(|| {
            let _ = self.child.kill();
            let mut errors = String::new();
            let _ = self.errors.read_to_string(&mut errors);
            panic!("python3 failed on `{statement}`; it said `{}`\n{errors}", line.trim())
        })
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn skipped(imports: &str) -> Option<Python> {
    println!("  skipped: python3 has not all of `{imports}`");
    None
}

fn memory(count: usize) {
    println!("memory: {count} rows; ms, the least of {ROUNDS} rounds");
    let x = normals(count);
    let columns = [InputColumn { values: &x, missing: None }];
    let rows = Rows { count, first: 0, columns: &columns };
    let engines = [1, 2].map(|threads| Engine::with_threads(threads).expect("threads"));
    let mut python = Python::start("import numpy as np, scipy.special as sp, scipy.stats as stats");
    if let Some(python) = &mut python {
        python.seconds(&format!("x = np.random.default_rng(7).standard_normal({count})"));
    }
    let mut copy = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        black_box(x.clone());
        copy = copy.min(start.elapsed().as_secs_f64());
    }
    println!("a copy of the column into fresh memory: {:.1}", copy * 1e3);
    for (name, ours, theirs) in EXPRESSIONS {
        let plan = Arc::new(
            bind(
                &[parse(ours).expect("an expression")],
                &Bindings { columns: vec!["x".into()], ..Bindings::default() },
            )
            .expect("a plan"),
        );
        let prepared = engines.each_ref().map(|e| e.prepare(&plan, &[]).expect("kernels"));
        let (mut best, mut given, mut peers) =
            ([f64::INFINITY; 2], [f64::INFINITY; 2], vec![f64::INFINITY; theirs.len()]);
        let mut results = Vec::new();
        for _ in 0..ROUNDS {
            for (i, engine) in engines.iter().enumerate() {
                let start = Instant::now();
                black_box(engine.evaluate_prepared(&prepared[i], &rows).expect("no kernel fails"));
                best[i] = best[i].min(start.elapsed().as_secs_f64());
                let start = Instant::now();
                engine.evaluate_into(&prepared[i], &rows, &mut results).expect("no kernel fails");
                given[i] = given[i].min(start.elapsed().as_secs_f64());
                black_box(&results);
            }
            if let Some(python) = &mut python {
                for (peer, text) in peers.iter_mut().zip(*theirs) {
                    *peer = peer.min(python.seconds(&format!("y = None; y = {text}")));
                }
            }
        }
        println!(
            "{name}: 1 thread {:.1}, 2 threads {:.1}; into memory that is there {:.1}, {:.1}",
            best[0] * 1e3,
            best[1] * 1e3,
            given[0] * 1e3,
            given[1] * 1e3
        );
        if python.is_some() {
            for (peer, text) in peers.iter().zip(*theirs) {
                println!("  {text}: {:.1}", peer * 1e3);
                report("one thread, times as fast", peer / best[0], 3.0, true, "x");
            }
        }
        report("two threads, times as fast as one", best[0] / best[1], 1.7, true, "x");
    }
    for count in [1, 1000] {
        small_call(&x[..count], &engines[1], python.as_mut());
    }
}

/// What one call costs that has few rows.
fn small_call(x: &[f64], engine: &Engine, python: Option<&mut Python>) {
    const CALLS: usize = 1000;
    let bindings = Bindings { columns: vec!["x".into()], ..Bindings::default() };
    let plan = Arc::new(bind(&[parse("pnorm(x)").expect("an expression")], &bindings).expect("a plan"));
    let prepared = engine.prepare(&plan, &[]).expect("kernels");
    let columns = [InputColumn { values: x, missing: None }];
    let rows = Rows { count: x.len(), first: 0, columns: &columns };
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box(engine.evaluate_prepared(&prepared, black_box(&rows)).expect("no kernel fails"));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let micro = 1e6 / CALLS as f64;
    println!("pnorm of {} rows: {:.2} us a call", x.len(), best * micro);
    if let Some(python) = python {
        python.seconds(&format!("s = x[:{}].copy()", x.len()));
        let statement = format!("for _ in range({CALLS}): sp.ndtr(s)");
        let peer = (0..ROUNDS).map(|_| python.seconds(&statement)).fold(f64::INFINITY, f64::min);
        println!("  sp.ndtr(s): {:.2}, {:.2} times ours", peer * micro, peer / best);
    }
}

/// A folder that goes away, on the disk that the build is on: /tmp may be memory.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(Path::new(GRISTMILL).parent().expect("a folder")).expect("a folder")
}

/// Writes a table of `rows` rows with the columns id, x, y in the format of the name.
fn make_table(path: &Path, rows: usize) {
    let status = Command::new(GRISTMILL)
        .args(["eval", "--quiet", "--only", "--n", &rows.to_string()])
        .args(["id = i", "x = rnorm()", "y = rexp(0.5)", "-o"])
        .arg(path)
        .status();
    assert!(status.expect("gristmill starts").success(), "the table could not be made");
}

/// Seconds of the command; the least of `rounds` rounds.
fn eval_seconds(rounds: usize, input: &Path, output: &Path, more: &[&str]) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        // Freeing an old file's pages is no part of the work.
        let _ = fs::remove_file(output);
        let start = Instant::now();
        let status = Command::new(GRISTMILL)
            .args(["eval", "--quiet"])
            .args(more)
            .arg(FILE_EXPRESSION)
            .arg(input)
            .arg("-o")
            .arg(output)
            .status();
        assert!(status.expect("gristmill starts").success());
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

fn files(rows: usize) {
    println!("files: {rows} rows of id, x, y; `{FILE_EXPRESSION}`; s");
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let size = |path: &PathBuf| fs::metadata(path).map_or(0.0, |m| m.len() as f64 / 1e6);
    let (csv, parquet) = (at("in.csv"), at("in.parquet"));
    make_table(&csv, rows);
    make_table(&parquet, rows);
    let one = eval_seconds(2, &csv, &at("out.csv"), &["--threads", "1"]);
    let text = eval_seconds(3, &csv, &at("out.csv"), &[]);
    let binary = eval_seconds(3, &parquet, &at("out.parquet"), &[]);
    println!(
        "csv to csv {text:.2} (one thread {one:.2}; {:.0} MB in, {:.0} MB out), parquet to parquet {binary:.3} ({:.0} MB in, {:.0} MB out)",
        size(&csv),
        size(&at("out.csv")),
        size(&parquet),
        size(&at("out.parquet")),
    );
    if let Some(mut python) = Python::start("import numpy as np, pandas as pd, scipy.special as sp") {
        let (input, output) = (csv.display(), at("pandas.csv"));
        let seconds = python.seconds(&format!(
            "t = pd.read_csv('{input}'); t['p'] = sp.ndtr(-(t['x'] - 1) / 2); t.to_csv('{}', index=False)",
            output.display()
        ));
        println!("pandas: read_csv, evaluate, to_csv {seconds:.2}");
        report("csv to csv, times as fast as pandas", seconds / text, 1.0, true, "x");
    }
    report("parquet to parquet, times as fast as csv to csv", text / binary, 5.0, true, "x");
    let [read, compute, write] = phases(&csv, &at("phases.csv"));
    println!("one thread: reading {read:.2}, computing {compute:.2}, writing {write:.2}");
    report(
        "text (reading and writing), share of the time",
        100.0 * (read + write) / (read + compute + write),
        50.0,
        true,
        "%",
    );
}

/// Seconds on one thread for reading and parsing, computing, and printing and writing.
fn phases(input: &Path, output: &Path) -> [f64; 3] {
    let mut seconds = [0.0; 3];
    let mut clock = Instant::now();
    let mut lap = |phase: usize| {
        seconds[phase] += clock.elapsed().as_secs_f64();
        clock = Instant::now();
    };
    let bindings = Bindings { columns: vec!["x".into()], ..Bindings::default() };
    let plan = Arc::new(bind(&[parse(FILE_EXPRESSION).expect("an expression")], &bindings).expect("a plan"));
    let prepared = Engine::new().prepare(&plan, &[]).expect("kernels");
    let opened = open(input, None).expect("the table");
    let batches = opened
        .batches(&Wanted { numeric: vec!["x".into()], carry: Carry::Stored { results: 1 }, ..Wanted::default() })
        .expect("the table");
    let mut fields: Vec<_> = batches.carried_schema().fields().iter().cloned().collect();
    let field = Arc::new(gristmill_table_io::arrow::datatypes::Field::new(
        "p",
        gristmill_table_io::arrow::datatypes::DataType::Float64,
        true,
    ));
    fields.push(field.clone());
    let schema = |fields: Vec<_>| Arc::new(gristmill_table_io::arrow::datatypes::Schema::new(fields));
    let results_schema = schema(vec![field]);
    let mut writer = TableWriter::create(output, Format::Csv, &schema(fields)).expect("a file");
    for batch in batches {
        let batch = batch.expect("rows");
        lap(0);
        let columns = [InputColumn { values: batch.numeric[0].values(), missing: None }];
        let rows = Rows { count: batch.rows, first: 0, columns: &columns };
        let results = prepared.evaluate_here(&rows).expect("no kernel fails").swap_remove(0);
        lap(1);
        let gristmill::engine::ResultValues::F64(values) = results.values else { unreachable!("pnorm gives numbers") };
        let array: gristmill_table_io::arrow::array::ArrayRef =
            Arc::new(gristmill_table_io::arrow::array::Float64Array::from(values));
        let table = gristmill_table_io::arrow::array::RecordBatch::try_new(results_schema.clone(), vec![array])
            .expect("a column");
        let encoded = writer.encoder().encode(batch.stored.as_ref(), table).expect("text");
        writer.write_encoded(encoded).expect("a disk with room");
        lap(2);
    }
    writer.finish().expect("a disk with room");
    lap(2);
    seconds
}

/// What a question is called, our words for it, and those of polars and DuckDB; `{in}` and `{out}` are files, `{sink}` is the
/// format of the output.
struct Question {
    name: &'static str,
    inputs: &'static [&'static str],
    ours: &'static [&'static str],
    polars: &'static str,
    duckdb: &'static str,
}

const QUESTIONS: &[Question] = &[
    Question {
        name: "--where",
        inputs: &["csv", "parquet"],
        ours: &["--where", "x > 1", "z = x * 2"],
        polars: "scan().filter(pl.col('x') > 1).with_columns((pl.col('x') * 2).alias('z')).sink_{sink}('{out}')",
        duckdb: "duckdb.sql(\"copy (select *, x * 2 as z from '{in}' where x > 1) to '{out}'\")",
    },
    Question {
        name: "--by",
        inputs: &["csv", "parquet"],
        ours: &["--only", "--by", "g", "m = mean(x)", "s = sd(y)", "n = n()"],
        polars: "scan().group_by('g').agg(pl.col('x').mean().alias('m'), pl.col('y').std().alias('s'), pl.len().alias('n')).sink_{sink}('{out}')",
        duckdb: "duckdb.sql(\"copy (select g, avg(x) as m, stddev(y) as s, count(*) as n from '{in}' group by g) to '{out}'\")",
    },
    Question {
        name: "mean of .gz",
        inputs: &["csv.gz"],
        ours: &["--only", "m = mean(x)", "s = sd(y)"],
        polars: "scan().select(pl.col('x').mean().alias('m'), pl.col('y').std().alias('s')).sink_{sink}('{out}')",
        duckdb: "duckdb.sql(\"copy (select avg(x) as m, stddev(y) as s from '{in}') to '{out}'\")",
    },
    Question {
        name: "quantile",
        inputs: &["csv", "parquet"],
        ours: &["--only", "q = quantile(y, c(0.25, 0.5, 0.75))"],
        polars: "scan().select(*[pl.col('y').quantile(p, 'linear').alias(str(p)) for p in (0.25, 0.5, 0.75)]).sink_{sink}('{out}')",
        duckdb: "duckdb.sql(\"copy (select quantile_cont(y, 0.25) as a, quantile_cont(y, 0.5) as b, quantile_cont(y, 0.75) as c from '{in}') to '{out}'\")",
    },
];

/// Each question as one process, three times in turns; the least seconds of each, and the most memory.
fn peers(rows: usize) {
    println!("peers: {rows} rows of id, g (97 groups), x, y; s and peak MB of whole processes, without Python's start");
    if !Path::new("/proc/self/status").exists() {
        return println!("  skipped: /proc/PID/status, which tells the memory, is not on this system");
    }
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for ending in ["csv", "parquet", "csv.gz"] {
        let status = Command::new(GRISTMILL)
            .args(["eval", "--quiet", "--only", "--n", &rows.to_string()])
            .args(["id = i", "g = i %% 97", "x = rnorm()", "y = rexp(0.5)", "-o"])
            .arg(at(&format!("in.{ending}")))
            .status();
        assert!(status.expect("gristmill starts").success(), "the table could not be made");
    }
    for question in QUESTIONS {
        for ending in question.inputs {
            let (input, sink) = (at(&format!("in.{ending}")), ending.strip_suffix(".gz").unwrap_or(ending));
            let output = at(&format!("out.{sink}"));
            let filled = |text: &str| {
                let text = text.replace("{in}", &input.display().to_string()).replace("{sink}", sink);
                text.replace("{out}", &output.display().to_string())
            };
            let python = |imports: &str, scan: &str, statement: &str| {
                let program = format!(
                    "import time\n{imports}\n{scan}\nstart = time.perf_counter()\n{}\nprint(time.perf_counter() - start)",
                    filled(statement)
                );
                peer(Command::new("python3").args(["-c", &program]))
            };
            let scan = filled(&format!("def scan(): return pl.scan_{sink}('{{in}}')"));
            let mut best: [Option<(f64, f64)>; 3] = [None; 3];
            for _ in 0..3 {
                let mut ours = Command::new(GRISTMILL);
                ours.args(["eval", "--quiet"]).args(question.ours).arg(&input).arg("-o").arg(&output);
                let start = Instant::now();
                let megabytes = peak_of(&mut ours);
                let runs = [
                    Some((start.elapsed().as_secs_f64(), megabytes)),
                    python("import polars as pl", &scan, question.polars),
                    python("import duckdb", "", question.duckdb),
                ];
                for (best, run) in best.iter_mut().zip(runs) {
                    *best = match (*best, run) {
                        (Some((s, m)), Some((seconds, megabytes))) => Some((s.min(seconds), m.max(megabytes))),
                        (before, run) => before.or(run),
                    };
                }
            }
            let [Some((seconds, megabytes)), polars, duckdb] = best else { continue };
            println!("{} of {ending}: {seconds:.2} s, {megabytes:.0} MB", question.name);
            for (name, theirs) in [("polars", polars), ("DuckDB", duckdb)] {
                match theirs {
                    Some((s, m)) => {
                        println!("  {name}: {s:.2} s, {m:.0} MB");
                        report(&format!("times as fast as {name}"), s / seconds, 1.0, true, "x");
                        report(&format!("share of the memory of {name}"), 100.0 * megabytes / m, 10.0, false, "%");
                    }
                    None => println!("  skipped: python3 has no {name}"),
                }
            }
        }
    }
}

/// Seconds that a program prints, and its peak memory; `None` if it fails.
fn peer(command: &mut Command) -> Option<(f64, f64)> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let megabytes = watched(&mut child)?;
    let mut text = String::new();
    child.stdout.take()?.read_to_string(&mut text).ok()?;
    Some((text.trim().parse().ok()?, megabytes))
}

fn peak(gigabytes: f64) {
    println!("peak: the command's memory on a CSV file of {gigabytes} GB");
    if !Path::new("/proc/self/status").exists() {
        return println!("  skipped: /proc/PID/status, which tells it, is not on this system");
    }
    let folder = folder();
    let (input, part) = (folder.path().join("in.csv"), folder.path().join("part.csv"));
    make_table(&part, 1_000_000);
    let text = fs::read(&part).expect("the table");
    let header = text.iter().position(|b| *b == b'\n').expect("a header") + 1;
    let mut file = std::io::BufWriter::new(fs::File::create(&input).expect("a file"));
    let mut written = 0;
    while (written as f64) < gigabytes * 1e9 {
        let piece = if written == 0 { &text[..] } else { &text[header..] };
        file.write_all(piece).expect("a disk with room");
        written += piece.len();
    }
    file.flush().expect("a disk with room");
    for (output, threads) in [("out.csv", "1"), ("out.csv", "2"), ("out.parquet", "2"), ("out.arrow", "2")] {
        peak_of_eval("csv", &input, &folder.path().join(output), threads);
    }
    // One row group with all rows, as no writer should make them and some do.
    let rows = (gigabytes * 2e7) as usize;
    let Some(mut python) = Python::start("import numpy as np, pyarrow as pa, pyarrow.parquet as pq") else { return };
    let parquet = folder.path().join("in.parquet");
    python.seconds(&format!(
        "r = np.random.default_rng(7); t = pa.table({{'id': np.arange({rows}), 'x': r.standard_normal({rows}), 'y': r.standard_normal({rows})}}); pq.write_table(t, '{}', row_group_size={rows})",
        parquet.display()
    ));
    drop(python);
    println!("and on a Parquet file of one row group of {rows} rows");
    for (output, threads) in [("out.parquet", "1"), ("out.parquet", "2"), ("out.csv", "2")] {
        peak_of_eval("parquet", &parquet, &folder.path().join(output), threads);
    }
}

fn peak_of_eval(from: &str, input: &Path, output: &Path, threads: &str) {
    let start = Instant::now();
    let megabytes = peak_of(
        Command::new(GRISTMILL)
            .args(["eval", "--quiet", "--threads", threads, FILE_EXPRESSION, "m = x - mean(x)"])
            .arg(input)
            .arg("-o")
            .arg(output),
    );
    let what = format!(
        "{from} to {}, {threads} threads, {:.1} s",
        output.extension().unwrap_or_default().display(),
        start.elapsed().as_secs_f64()
    );
    report(&what, megabytes, 500.0, false, " MB");
    let _ = fs::remove_file(output);
}

/// The most memory that a command's process had.
fn peak_of(command: &mut Command) -> f64 {
    watched(&mut command.spawn().expect("gristmill starts")).expect("the command failed")
}

/// The most memory that a process had, in MB: the kernel keeps the mark, and it is read until the process ends. `None` if it
/// fails.
fn watched(child: &mut Child) -> Option<f64> {
    let mut most = 0.0_f64;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mark = status
            .lines()
            .find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
        most = most.max(mark.unwrap_or(0.0) / 1e3);
        if let Some(status) = child.try_wait().expect("a child") {
            return status.success().then_some(most);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
