//! `gristmill eval`: expressions for every row of a table.

use super::crossover;
use super::output::count_with_separators;
use super::{Outcome, Result};
use gristmill::cl_runtime::Device;
use gristmill::engine::expr::{ExprError, Statement, parse};
use gristmill::engine::plan::{Bindings, Plan, Step, bind};
use gristmill::engine::{Engine, InputColumn, Prepared, Reduced, ResultColumn, ResultValues, Rows};
use gristmill::kernel::Scalar;
use gristmill_table_io::arrow::array::{Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchOptions};
use gristmill_table_io::arrow::buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill_table_io::{
    Batch, Batches, Carry, Encoded, Encoder, FileStamp, Format, Missing, Note, Notes, Opened, Origin, Size, TableError,
    TableWriter, Wanted, in_order, open,
};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Rows per batch where there is no input.
const BATCH: u64 = 64 * 1024;

/// An error that a thread may hand to another.
type Failed = Box<dyn std::error::Error + Send + Sync>;

/// Evaluate expressions for every row of a table
///
/// Expressions are written as in R: `z = (x - mean) / sd`, `p = pnorm(z, lower.tail = FALSE)`. Names are columns of the
/// table or results of earlier expressions; one that R would not take is put in backticks. `gristmill functions` lists what
/// can be called; sum, mean, min, max and count are over all rows.
///
/// The output has the columns of the input and one more for each expression; one with the name of a column takes its place.
/// Text tables have a header line; empty fields and, among numbers, NA without quotes are missing values, and what is
/// computed from a missing value is missing. Numbers are written with as many digits as it takes to read the same number
/// back. Tables larger than memory are fine, and an output file appears when it is complete or not at all.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill eval 'p = pbinom(killed, beetles, 0.5)' examples/beetles.csv
  gristmill eval 'z = (x - mean(x)) / 2' 'up = z > 1' data.parquet -o out.parquet
  gristmill eval --n 5 'u = runif()' 'x = qnorm(u)'
  zcat data.csv.gz | gristmill eval --only 'd = dnorm(`a b`)' - > out.csv")]
pub(crate) struct Args {
    /// The expressions, then the table: a .csv, .tsv, .parquet, .arrow, .npy or .npz file, or - for standard input
    #[arg(required = true, value_name = "EXPRESSION… FILE")]
    words: Vec<String>,
    /// Write the table there instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// No input: compute this many rows, with `i` as the row's number from 1
    #[arg(long, value_name = "ROWS")]
    n: Option<u64>,
    /// Write only the results, without the columns of the input
    #[arg(long)]
    only: bool,
    /// Compute on this OpenCL device: a number, `cpu`, `gpu` or a part of its name (see `gristmill devices`); or `auto`: on
    /// a device where `gristmill bench --crossover` has found that it pays, else on the CPU
    #[arg(long, value_name = "DEVICE", env = "GRISTMILL_DEVICE")]
    device: Option<String>,
    /// Use this many threads; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    seed: u64,
    /// The format of the output, if its name does not tell: csv, tsv, parquet, arrow, npy or npz
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The format of the input, if its name does not tell
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<Format>,
    /// The words that stand for missing values in a text table, in every column and beside empty fields, instead of NA among
    /// numbers
    #[arg(long, value_name = "WORDS", value_delimiter = ',', allow_hyphen_values = true)]
    na: Option<Vec<String>>,
    /// What stands for a missing value in text output; if not given, what the first one of the input's numbers looks like,
    /// or nothing
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    na_out: Option<String>,
    /// Print what would be computed, and how, instead of computing it
    #[arg(long)]
    explain: bool,
    /// Wait until the disk has the output before it gets its name: it then also survives a crash of the machine
    #[arg(long)]
    sync: bool,
    /// No summary and no progress
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result {
    let (expressions, input) = split_words(args)?;
    let statements: Vec<Statement> = expressions.iter().map(|e| parse(e)).collect::<std::result::Result<_, _>>()?;
    if let Some(threads) = args.threads {
        // For reading and writing too. It can only be set once, and this command runs once.
        rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global()?;
    }
    let engine = match args.device.as_deref() {
        Some(name) if name.eq_ignore_ascii_case("auto") => auto(args, &statements, input)?,
        Some(name) => Engine::new().on_device(Device::named(name)?),
        None => Engine::new(),
    };
    let job = Job::new(args, &engine, statements, input)?;
    if args.explain {
        return job.explain();
    }
    job.run()
}

/// The expressions, and the table behind them unless there is none.
fn split_words(args: &Args) -> Result<(&[String], Option<&Path>)> {
    match (args.n, args.words.split_last()) {
        (Some(_), _) => Ok((&args.words, None)),
        (None, Some((file, expressions))) if !expressions.is_empty() => Ok((expressions, Some(Path::new(file)))),
        (None, _) => {
            Err(format!("`{}` is the only argument; give one or more expressions and then a table", args.words[0])
                .into())
        }
    }
}

/// The device, if a stored measurement says that it pays for this work, else the CPU. Says which, and why.
fn auto(args: &Args, statements: &[Statement], input: Option<&Path>) -> Result<Engine> {
    let say = |why: &str| {
        if !args.quiet {
            eprintln!("auto: {why}");
        }
    };
    let threads = rayon::current_num_threads();
    let device = match super::source::device_info(Some("auto")) {
        Ok(device) => device,
        Err(e) => {
            say(&format!("cpu, because {e}"));
            return Ok(Engine::new());
        }
    };
    let Some(measured) = crossover::load(&device, threads)? else {
        say(&format!(
            "cpu, because nothing is known of {} beside {threads} threads; `gristmill bench --crossover` measures it",
            device.label()
        ));
        return Ok(Engine::new());
    };
    let engine = Engine::new();
    // A stream must not be opened here: its rows would be gone.
    let cost = match input {
        Some(path) if is_stream(path) => None,
        _ => Job::new(args, &engine, statements.to_vec(), input)?.cost()?,
    };
    let Some(cost) = cost else {
        say("cpu, because it is not known how many rows will come");
        return Ok(engine);
    };
    let per_row = cost.per_row / threads as f64;
    let on_cpu = cost.rows as f64 * per_row;
    let on_device = measured.device_seconds(cost.rows, per_row, cost.bytes_per_row);
    let pays = on_device < on_cpu;
    say(&format!(
        "{}, because about {} rows take about {on_cpu:.3} s on the cpu, {on_device:.3} s on {}",
        if pays { device.label() } else { "cpu".to_string() },
        count_with_separators(cost.rows),
        device.label(),
    ));
    Ok(if pays { engine.on_device(Device::open(&device)?) } else { engine })
}

/// Whether the input can be read once only: standard input, or a pipe by its name.
fn is_stream(path: &Path) -> bool {
    path == Path::new("-") || std::fs::metadata(path).is_ok_and(|m| !m.is_file())
}

/// What the work takes on one CPU thread.
struct Cost {
    rows: u64,
    /// Seconds.
    per_row: f64,
    /// Of input and output.
    bytes_per_row: usize,
}

/// The expressions, and what their names stand for.
struct Expressions<'a> {
    args: &'a Args,
    engine: &'a Engine,
    statements: Vec<Statement>,
    /// The columns that they use, by name.
    used: Vec<String>,
    /// Which of them hold truth values.
    truth: Vec<bool>,
}

impl Expressions<'_> {
    /// The plan for batches whose columns have missing values where `with_missing` says so.
    fn plan(&self, with_missing: Vec<bool>) -> std::result::Result<Plan, ExprError> {
        self.plan_over(self.used.clone(), with_missing)
    }

    fn plan_over(&self, columns: Vec<String>, with_missing: Vec<bool>) -> std::result::Result<Plan, ExprError> {
        let row_name = self.args.n.is_some().then(|| "i".to_string());
        let truth = self.truth.clone();
        bind(&self.statements, &Bindings { columns, with_missing, truth, seed: self.args.seed, row_name })
    }
}

struct Job<'a> {
    args: &'a Args,
    expressions: Expressions<'a>,
    input: Option<&'a Path>,
    /// The input, opened and not yet read.
    opened: Option<Opened>,
    /// The names of its columns.
    columns: Vec<String>,
    /// What it was when it was first opened, if it is a file.
    stamp: Option<FileStamp>,
    /// How it writes missing values.
    missing_word: Option<String>,
}

impl<'a> Job<'a> {
    fn new(args: &'a Args, engine: &'a Engine, statements: Vec<Statement>, input: Option<&'a Path>) -> Result<Job<'a>> {
        let mut opened = input.map(|path| open_input(args, path)).transpose()?;
        if args.na.is_some() && !opened.as_ref().is_some_and(|o| o.format().is_text()) {
            return Err("`--na` is for text tables: other inputs say themselves what is missing; leave it out".into());
        }
        let columns = opened.as_ref().map_or(Vec::new(), |o| o.columns().to_vec());
        let mut expressions = Expressions { args, engine, statements, used: Vec::new(), truth: Vec::new() };
        let plan = expressions.plan_over(columns.clone(), Vec::new())?;
        if input.is_some_and(is_stream) && plan.stage_count() > 0 {
            return Err("sum, mean, min, max and count need a second pass over the table, \
                        which standard input or a pipe does not allow; give a file"
                .into());
        }
        let mut used: Vec<usize> = plan.columns_used();
        used.sort_unstable();
        expressions.used = used.into_iter().map(|c| columns[c].clone()).collect();
        let survey = opened.as_mut().map(|o| o.survey(&expressions.used)).transpose()?.unwrap_or_default();
        expressions.truth = survey.truth;
        let stamp = opened.as_ref().and_then(|o| o.stamp().cloned());
        Ok(Job { args, expressions, input, opened, columns, stamp, missing_word: survey.missing })
    }

    /// Starts reading, from the beginning: what is open already, or, for another pass, the file once more.
    fn source(&mut self, carry: Carry) -> Result<Source> {
        let Some(path) = self.input else { return Ok(Source::Rows { next: 0, end: self.args.n.unwrap_or(0) }) };
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => open_input(self.args, path)?,
        };
        if opened.stamp() != self.stamp.as_ref() || opened.columns() != self.columns {
            return Err(TableError::Changed { path: path.to_path_buf() }.into());
        }
        Ok(Source::Table(opened.batches(&Wanted { numeric: self.expressions.used.clone(), carry })?))
    }

    /// What the work takes, found out with the first rows; `None` if it is not known how many there are.
    fn cost(mut self) -> Result<Option<Cost>> {
        let mut source = self.source(Carry::Nothing)?;
        let Some(size) = source.size() else { return Ok(None) };
        let batch = match source.next_piece() {
            Some(piece) => piece.and_then(Piece::decode).map_err(|e| e as Box<dyn std::error::Error>)?,
            None => return Ok(Some(Cost { rows: 0, per_row: 0.0, bytes_per_row: 0 })),
        };
        let rows = match size {
            Size::Rows(rows) => rows,
            Size::Bytes(bytes) => (bytes as f64 / batch.extent.max(1) as f64 * batch.rows as f64) as u64,
        };
        let missing = missing_of(&batch);
        let plan = Arc::new(self.expressions.plan(missing.iter().map(Option::is_some).collect())?);
        // Reductions are not known yet; their values hardly change the time.
        let known = vec![Reduced::default(); plan.reductions.len()];
        let prepared = self.expressions.engine.prepare(&plan, &known)?;
        let columns = columns_of(&batch, &missing);
        let start = Instant::now();
        prepared.evaluate_here(&rows_of(&batch, 0, &columns))?;
        let per_row = start.elapsed().as_secs_f64() / batch.rows.max(1) as f64;
        let bytes_per_row = (batch.numeric.len() + plan.outputs.len()) * size_of::<f64>();
        Ok(Some(Cost { rows, per_row, bytes_per_row }))
    }

    /// How the input's columns get into the output.
    fn carry(&self, format: Format) -> Carry {
        let input = self.opened.as_ref().map(Opened::format);
        let replaces = self.expressions.statements.iter().any(|s| self.columns.contains(&s.name));
        match input {
            _ if self.args.only => Carry::Nothing,
            // A line is carried whole, of a Parquet file every column by itself.
            Some(input) if input == format && (!replaces || !format.is_text()) => {
                Carry::Stored { results: self.expressions.statements.len() }
            }
            Some(_) if format.is_text() => Carry::Fields,
            _ => Carry::TypedColumns,
        }
    }

    fn run(mut self) -> Result {
        let start = Instant::now();
        let format = self.output_format()?;
        if self.args.na_out.is_some() && !format.is_text() {
            return Err(
                format!("`--na-out` is for text, but the output is {format}, which has a sign of its own").into()
            );
        }
        let carry = self.carry(format);
        let (known, rows_before) = self.reductions()?;
        let source = self.source(carry)?;
        let plan = self.expressions.plan(vec![false; self.expressions.used.len()])?;
        let origin = source.origin();
        let layout = Layout::new(&source.schema(), &plan, origin.is_some());
        let output = self.args.output.clone().unwrap_or_else(|| PathBuf::from("-"));
        let origin = origin.map(|origin| (origin, layout.stored.as_slice()));
        let missing_word = self.args.na_out.as_ref().or(self.missing_word.as_ref()).map_or("", String::as_str);
        let mut writer = TableWriter::create_over(&output, format, &layout.schema, origin)?.with_missing(missing_word);
        let work = Work {
            expressions: &self.expressions,
            known: &known,
            layout: &layout,
            encoder: writer.encoder(),
            prepared: Mutex::default(),
            device: Mutex::new(()),
            numbers: plan.steps_used().any(|(_, step)| matches!(step, Step::RowIndex)).then(RowNumbers::default),
        };
        let mut progress = Progress::new(self.args.quiet, source.size());
        let mut counts = Counts::default();
        let done = in_order(
            rayon::current_num_threads(),
            numbered(source),
            |(number, piece)| work.piece(number, piece),
            |part: Part| {
                writer.write_encoded(part.encoded)?;
                counts.rows += part.rows;
                counts.nans += part.nans;
                counts.notes.merge(part.notes);
                progress.show(part.extent, counts.rows, start.elapsed());
                Ok(())
            },
        );
        progress.clear();
        // Reductions of other rows than those that are written would be wrong ones.
        let done = match rows_before.filter(|_| self.was_changed() || done.is_ok()) {
            Some(rows) if self.was_changed() || rows != counts.rows => Err(self.changed().into()),
            _ => done,
        };
        let finish = || if self.args.sync { writer.finish_durably() } else { writer.finish() };
        match done.and_then(|()| Ok(finish()?)) {
            Ok(()) => {}
            // Whoever read our output has seen enough: `gristmill eval … | head`.
            Err(e) if self.args.output.is_none() && is_broken_pipe(e.as_ref()) => return Ok(Outcome::Fine),
            Err(e) => return Err(e as Box<dyn std::error::Error>),
        }
        if !self.args.quiet {
            self.summary(&counts, &layout, start.elapsed());
        }
        Ok(Outcome::Fine)
    }

    fn output_format(&self) -> Result<Format> {
        match (&self.args.format, &self.args.output) {
            (Some(format), _) => Ok(*format),
            (None, Some(path)) if path != Path::new("-") => Ok(Format::of_path(path)?),
            _ => Ok(Format::Csv),
        }
    }

    /// The passes over the data that reductions need before the results can be computed.
    /// With how many rows there were.
    fn reductions(&mut self) -> Result<(Vec<Reduced>, Option<u64>)> {
        // Every column may have missing values: the reductions are then the same whichever batches have some.
        let plan = self.expressions.plan(vec![true; self.expressions.used.len()])?;
        let mut known = vec![Reduced::default(); plan.reductions.len()];
        let mut rows = None;
        for stage in 0..plan.stage_count() {
            let source = self.source(Carry::Nothing)?;
            let engine = self.expressions.engine;
            let mut pass = engine.reduction_pass(&plan, stage, &known)?;
            let mut first = 0;
            in_order(
                rayon::current_num_threads(),
                numbered(source),
                |(_, piece)| piece.decode(),
                |batch| {
                    let missing = missing_of(&batch);
                    engine.reduce(&mut pass, &rows_of(&batch, first, &columns_of(&batch, &missing)))?;
                    first += batch.rows as u64;
                    Ok(())
                },
            )
            .map_err(|e: Failed| {
                if self.was_changed() { self.changed().into() } else { e as Box<dyn std::error::Error> }
            })?;
            pass.finish(&mut known);
            if rows.is_some_and(|before| before != first) {
                return Err(self.changed().into());
            }
            rows = Some(first);
        }
        Ok((known, rows))
    }

    /// Whether the input is another file than at the beginning, or was written to.
    fn was_changed(&self) -> bool {
        let now = || self.input.and_then(|path| FileStamp::of_path(path).ok().flatten());
        self.stamp.is_some() && now() != self.stamp
    }

    fn changed(&self) -> TableError {
        TableError::Changed { path: self.input.unwrap_or(Path::new("the input")).to_path_buf() }
    }

    fn summary(&self, counts: &Counts, layout: &Layout, time: Duration) {
        let device = match self.expressions.engine.device() {
            Some(device) => device.info().label(),
            None => match rayon::current_num_threads() {
                1 => "cpu, 1 thread".to_string(),
                n => format!("cpu, {n} threads"),
            },
        };
        let rate = counts.rows as f64 / time.as_secs_f64().max(1e-9);
        eprintln!(
            "{} rows, {} columns, {:.3} s, {device}, {} rows/s",
            count_with_separators(counts.rows),
            layout.schema.fields().len(),
            time.as_secs_f64(),
            count_with_separators(rate as u64),
        );
        if counts.nans > 0 {
            eprintln!("warning: NaNs produced: {}", count_with_separators(counts.nans));
        }
        for line in describe_notes(&counts.notes) {
            eprintln!("{line}");
        }
    }

    fn explain(self) -> Result {
        let used = &self.expressions.used;
        let plan = self.expressions.plan(vec![false; used.len()])?;
        let mut text = describe(&plan, used);
        if self.expressions.engine.device().is_some() {
            // Results of reductions stand in the text as constants; here they are not known.
            let known = vec![Reduced::default(); plan.reductions.len()];
            text.push_str("program:\n");
            text.push_str(&self.expressions.engine.device_text(&plan, &known)?);
        }
        super::write_stdout(text.as_bytes())?;
        Ok(Outcome::Fine)
    }
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(TableError::Write { cause, .. }) if cause.kind() == std::io::ErrorKind::BrokenPipe)
}

fn open_input(args: &Args, path: &Path) -> std::result::Result<Opened, TableError> {
    let opened = open(path, args.input_format)?;
    Ok(match &args.na {
        Some(words) => opened.with_missing(Missing::Words(words.iter().filter(|w| !w.is_empty()).cloned().collect())),
        None => opened,
    })
}

/// A line for each kind of note, with how often it holds and in which columns.
fn describe_notes(notes: &Notes) -> Vec<String> {
    let mut lines = Vec::new();
    for note in [Note::LargeInteger, Note::LongDecimal, Note::KeptAsText] {
        let found: Vec<(&str, u64)> = notes.iter().filter(|n| n.0 == note).map(|n| (n.1, n.2)).collect();
        let count: u64 = found.iter().map(|f| f.1).sum();
        if count == 0 {
            continue;
        }
        let names: Vec<String> = found.iter().take(8).map(|f| format!("`{}`", f.0)).collect();
        let more = if found.len() > 8 { format!(" and {} more", found.len() - 8) } else { String::new() };
        let (count, columns) = (count_with_separators(count), format!("{}{more}", names.join(", ")));
        lines.push(match note {
            Note::LargeInteger => format!(
                "warning: integers beyond 2^53 were computed with as doubles, which may be their neighbours: {count}, in \
                 {columns}"
            ),
            Note::LongDecimal => {
                format!("warning: decimals of more than 17 digits were rounded to doubles: {count}, in {columns}")
            }
            _ => format!("note: NA is text in columns of text: {count}, in {columns}; `--na NA` makes it missing"),
        });
    }
    lines
}

/// What the threads need to turn a piece of the input into a piece of the output.
struct Work<'a> {
    expressions: &'a Expressions<'a>,
    known: &'a [Reduced],
    layout: &'a Layout,
    encoder: Encoder,
    /// The plans that are ready to run, by which columns have missing values.
    prepared: Mutex<HashMap<Vec<bool>, Arc<Prepared>>>,
    /// Held while a device computes: it does one thing at a time.
    device: Mutex<()>,
    /// Only where expressions use the row's number.
    numbers: Option<RowNumbers>,
}

/// A piece of the output.
struct Part {
    encoded: Encoded,
    rows: u64,
    nans: u64,
    extent: u64,
    notes: Notes,
}

impl Work<'_> {
    fn piece(&self, number: u64, piece: Piece) -> std::result::Result<Part, Failed> {
        let mut batch = match (piece.decode(), &self.numbers) {
            (Ok(batch), _) => batch,
            (Err(e), numbers) => {
                numbers.iter().for_each(RowNumbers::give_up);
                return Err(e);
            }
        };
        let first = match &self.numbers {
            Some(numbers) => numbers.first(number, batch.rows as u64)?,
            None => 0,
        };
        let notes = std::mem::take(&mut batch.notes);
        let missing = missing_of(&batch);
        let prepared = self.prepared(missing.iter().map(Option::is_some).collect())?;
        let columns = columns_of(&batch, &missing);
        let rows = rows_of(&batch, first, &columns);
        let results = if self.expressions.engine.device().is_some() {
            let _turn = self.device.lock().unwrap_or_else(PoisonError::into_inner);
            prepared.evaluate_here(&rows)?
        } else {
            prepared.evaluate_here(&rows)?
        };
        let nans = new_nans(prepared.plan(), &batch, &results);
        let table = self.layout.assemble(&batch, results)?;
        let encoded = self.encoder.encode(batch.stored.as_ref(), table)?;
        Ok(Part { encoded, rows: batch.rows as u64, nans, extent: batch.extent, notes })
    }

    fn prepared(&self, with_missing: Vec<bool>) -> std::result::Result<Arc<Prepared>, Failed> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = prepared.get(&with_missing) {
            return Ok(ready.clone());
        }
        let plan = Arc::new(self.expressions.plan(with_missing.clone())?);
        let ready = Arc::new(self.expressions.engine.prepare(&plan, self.known)?);
        prepared.insert(with_missing, ready.clone());
        Ok(ready)
    }
}

/// The number of each piece's first row. It is known when all pieces before it have been decoded; they are on other
/// threads, which wait for none behind them.
#[derive(Default)]
struct RowNumbers {
    state: Mutex<RowState>,
    changed: Condvar,
}

#[derive(Default)]
struct RowState {
    /// Pieces that are counted in `rows`.
    pieces: u64,
    rows: u64,
    given_up: bool,
}

impl RowNumbers {
    /// The first row of piece `number`, which has `rows` rows.
    fn first(&self, number: u64, rows: u64) -> std::result::Result<u64, Failed> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.pieces == number {
                let first = state.rows;
                state.pieces += 1;
                state.rows += rows;
                self.changed.notify_all();
                return Ok(first);
            }
            if state.given_up {
                // The piece that failed is an earlier one, and its error is the one that is reported.
                return Err("an earlier row could not be read".into());
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give_up(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).given_up = true;
        self.changed.notify_all();
    }
}

/// NaNs in the results of rows where no column that they use is NaN: R's "NaNs produced".
fn new_nans(plan: &Plan, batch: &Batch, results: &[ResultColumn]) -> u64 {
    let mut count = 0;
    for (output, result) in plan.outputs.iter().zip(results) {
        let ResultValues::F64(values) = &result.values else { continue };
        // Most batches have none, which a loop without branches tells.
        if values.iter().filter(|v| v.is_nan()).count() == 0 {
            continue;
        }
        for (row, value) in values.iter().enumerate() {
            let made_here = value.is_nan()
                && !result.missing.as_ref().is_some_and(|m| m[row])
                && !output.columns.iter().any(|c| batch.numeric[*c].value(row).is_nan());
            count += u64::from(made_here);
        }
    }
    count
}

/// The plan as text: a line per step that is used.
fn describe(plan: &Plan, used: &[String]) -> String {
    let mut text = String::from("steps:\n");
    for (i, step) in plan.steps_used() {
        let what = match step {
            Step::Column(c) => format!("column `{}`", used[*c]),
            Step::ColumnMissing(c) => format!("where column `{}` is missing", used[*c]),
            Step::RowIndex => "the row's number from 0".to_string(),
            Step::Constant(value) => value.to_string(),
            Step::Reduced(r) => format!("{:?} of %{}", plan.reductions[*r].reduction, plan.reductions[*r].over.value.0),
            Step::ReducedMissing(r) => format!("whether reduction {r} is missing"),
            Step::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|a| format!("%{}", a.0)).collect();
                let once = if plan.is_uniform(gristmill::engine::plan::StepId(i)) { " (once)" } else { "" };
                format!("{}({}){once}", function.name(), arguments.join(", "))
            }
        };
        text.push_str(&format!("  %{i} = {what}\n"));
    }
    text.push_str("results:\n");
    for output in &plan.outputs {
        text.push_str(&format!("  `{}` = %{}\n", output.name, output.bound.value.0));
    }
    text
}

/// Where batches come from.
enum Source {
    Table(Batches),
    /// No input: the numbers of rows.
    Rows {
        next: u64,
        end: u64,
    },
}

/// Rows that are not yet decoded.
enum Piece {
    Table(gristmill_table_io::Piece),
    Rows(u64),
}

impl Source {
    /// The carried columns.
    fn schema(&self) -> SchemaRef {
        match self {
            Source::Table(batches) => batches.carried_schema(),
            Source::Rows { .. } => Arc::new(Schema::empty()),
        }
    }

    /// Where the rows are stored, if they are carried along so.
    fn origin(&self) -> Option<Origin> {
        match self {
            Source::Table(batches) => batches.origin(),
            Source::Rows { .. } => None,
        }
    }

    fn size(&self) -> Option<Size> {
        match self {
            Source::Table(batches) => batches.size(),
            Source::Rows { end, .. } => Some(Size::Rows(*end)),
        }
    }

    fn next_piece(&mut self) -> Option<std::result::Result<Piece, Failed>> {
        match self {
            Source::Table(batches) => batches.next_piece().map(|piece| Ok(Piece::Table(piece?))),
            Source::Rows { next, end } => {
                let count = BATCH.min(*end - *next);
                *next += count;
                (count > 0).then_some(Ok(Piece::Rows(count)))
            }
        }
    }
}

impl Piece {
    fn decode(self) -> std::result::Result<Batch, Failed> {
        match self {
            Piece::Table(piece) => Ok(piece.decode()?),
            Piece::Rows(count) => {
                let (rows, notes) = (count as usize, Notes::default());
                Ok(Batch { rows, numeric: Vec::new(), carried: None, stored: None, extent: count, notes })
            }
        }
    }
}

/// The pieces of a source with their numbers.
fn numbered(mut source: Source) -> impl FnMut() -> Option<std::result::Result<(u64, Piece), Failed>> {
    let mut number = 0;
    move || {
        let piece = source.next_piece()?;
        number += 1;
        Some(piece.map(|piece| (number - 1, piece)))
    }
}

/// Where each column's values are missing; `None` for columns without missing values.
fn missing_of(batch: &Batch) -> Vec<Option<Vec<bool>>> {
    batch
        .numeric
        .iter()
        .map(|a| a.nulls().filter(|n| n.null_count() > 0).map(|n| n.iter().map(|v| !v).collect()))
        .collect()
}

fn columns_of<'a>(batch: &'a Batch, missing: &'a [Option<Vec<bool>>]) -> Vec<InputColumn<'a>> {
    batch.numeric.iter().zip(missing).map(|(a, m)| InputColumn { values: a.values(), missing: m.as_deref() }).collect()
}

fn rows_of<'a>(batch: &Batch, first: u64, columns: &'a [InputColumn<'a>]) -> Rows<'a> {
    Rows { count: batch.rows, first, columns }
}

#[derive(Default)]
struct Counts {
    rows: u64,
    nans: u64,
    notes: Notes,
}

/// Where the columns of the output come from.
struct Layout {
    schema: SchemaRef,
    /// Of the columns that are assembled.
    batch_schema: SchemaRef,
    columns: Vec<Place>,
    /// For each column of the output, which stored column of the input it is.
    stored: Vec<Option<usize>>,
}

/// Where a column of the output comes from.
enum Place {
    Carried(usize),
    Result(usize),
}

impl Layout {
    /// The input's columns, then the results; a result replaces what has its name. With `stored`, the input's columns are
    /// carried as they are stored, and only the results are assembled.
    fn new(input: &SchemaRef, plan: &Plan, stored: bool) -> Layout {
        let mut fields: Vec<Field> = input.fields().iter().map(|f| f.as_ref().clone()).collect();
        let mut columns: Vec<Place> = (0..fields.len()).map(Place::Carried).collect();
        for (r, output) in plan.outputs.iter().enumerate() {
            let data_type = match plan.scalar(output.bound.value) {
                Scalar::Bool => DataType::Boolean,
                _ => DataType::Float64,
            };
            let field = Field::new(&output.name, data_type, true);
            match fields.iter().position(|f| *f.name() == output.name) {
                Some(at) => {
                    fields[at] = field;
                    columns[at] = Place::Result(r);
                }
                None => {
                    fields.push(field);
                    columns.push(Place::Result(r));
                }
            }
        }
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

    /// The columns of the output, or, where the others are carried as they are stored, only the results.
    fn assemble(&self, batch: &Batch, results: Vec<ResultColumn>) -> std::result::Result<RecordBatch, Failed> {
        let mut results: Vec<Option<ResultColumn>> = results.into_iter().map(Some).collect();
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.columns.len());
        for origin in &self.columns {
            match origin {
                Place::Carried(c) => {
                    let carried = batch.carried.as_ref().ok_or("a batch does not carry its columns")?;
                    arrays.push(carried.column(*c).clone());
                }
                Place::Result(r) => {
                    let result = results[*r].take().ok_or("a result stands in two places")?;
                    arrays.push(array_of(result));
                }
            }
        }
        let options = RecordBatchOptions::new().with_row_count(Some(batch.rows));
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

/// A line on stderr that says how far the work is, once it takes more than a second, if a person is there to read it.
struct Progress {
    bar: Option<indicatif::ProgressBar>,
    size: Option<Size>,
    /// How much of it.
    done: u64,
    wanted: bool,
}

impl Progress {
    fn new(quiet: bool, size: Option<Size>) -> Progress {
        Progress { bar: None, size, done: 0, wanted: !quiet && std::io::stderr().is_terminal() }
    }

    fn show(&mut self, extent: u64, rows: u64, time: Duration) {
        self.done += extent;
        if !self.wanted || time < Duration::from_secs(1) {
            return;
        }
        let (size, done) = (self.size, self.done);
        let bar = self.bar.get_or_insert_with(|| {
            let (total, template) = match size {
                Some(Size::Rows(rows)) => (Some(rows), "{wide_bar} {human_pos} of {human_len} rows, {eta} left"),
                Some(Size::Bytes(bytes)) => (Some(bytes), "{wide_bar} {msg}, {bytes} of {total_bytes}, {eta} left"),
                None => (None, "{spinner} {msg}, {elapsed}"),
            };
            // The work began when the bar was not there yet: the time left is estimated from all of it.
            let bar = indicatif::ProgressBar::with_draw_target(total, indicatif::ProgressDrawTarget::stderr())
                .with_elapsed(time);
            if let Ok(style) = indicatif::ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        bar.set_message(format!("{} rows", count_with_separators(rows)));
        bar.set_position(done);
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
