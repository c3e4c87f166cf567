//! `gristmill eval`: expressions for every row of a table.

use super::output::count_with_separators;
use super::{Outcome, Result};
use arrow::array::{Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchOptions};
use arrow::buffer::{BooleanBuffer, NullBuffer, ScalarBuffer};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill::cl_runtime::Device;
use gristmill::engine::expr::{Statement, parse};
use gristmill::engine::plan::{Bindings, Plan, Step, bind};
use gristmill::engine::{Engine, InputColumn, Reduced, ResultColumn, ResultValues, Rows};
use gristmill_table_io::{Batch, Format, TableWriter, Wanted, open};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rows per batch where there is no input.
const BATCH: usize = 64 * 1024;

/// Evaluate expressions for every row of a table
///
/// Expressions are written as in R: `z = (x - mean) / sd`, `p = pnorm(z, lower.tail = FALSE)`. Names are columns of the
/// table or results of earlier expressions; `gristmill functions` lists what can be called. The output has the columns of
/// the input and one more for each expression.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill eval 'p = pbinom(killed, beetles, 0.5)' examples/beetles.csv
  gristmill eval 'z = (x - mean(x)) / 2' 'up = z > 1' data.parquet -o out.parquet
  gristmill eval --n 5 'u = runif()' 'x = qnorm(u)'")]
pub(crate) struct Args {
    /// The expressions, then the table: a .csv, .tsv, .parquet or .arrow file, or - for standard input
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
    /// Compute on this OpenCL device: a number, `cpu`, `gpu` or a part of its name; see `gristmill devices`
    #[arg(long, value_name = "DEVICE", env = "GRISTMILL_DEVICE")]
    device: Option<String>,
    /// Use this many threads; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    seed: u64,
    /// The format of the output, if its name does not tell: csv, tsv, parquet or arrow
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The format of the input, if its name does not tell
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<Format>,
    /// Print what would be computed, and how, instead of computing it
    #[arg(long)]
    explain: bool,
    /// No summary and no progress
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result {
    let (expressions, input) = split_words(args)?;
    let statements: Vec<Statement> = expressions.iter().map(|e| parse(e)).collect::<std::result::Result<_, _>>()?;
    if let Some(threads) = args.threads {
        // For reading and writing too. It can only be set once, and this command runs once.
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    let engine = match &args.device {
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

struct Job<'a> {
    args: &'a Args,
    engine: &'a Engine,
    statements: Vec<Statement>,
    input: Option<&'a Path>,
    /// The columns that the expressions use, by name.
    used: Vec<String>,
    plans: HashMap<Vec<bool>, Plan>,
}

impl<'a> Job<'a> {
    fn new(args: &'a Args, engine: &'a Engine, statements: Vec<Statement>, input: Option<&'a Path>) -> Result<Job<'a>> {
        let columns = match input {
            // Standard input can be opened once only; its columns are looked at when it is read.
            Some(path) if path != Path::new("-") => open(path, args.input_format)?.columns().to_vec(),
            _ => Vec::new(),
        };
        let mut job = Job { args, engine, statements, input, used: Vec::new(), plans: HashMap::new() };
        if input != Some(Path::new("-")) {
            job.find_used(&columns)?;
        }
        Ok(job)
    }

    fn find_used(&mut self, columns: &[String]) -> Result<()> {
        let plan = bind(&self.statements, &self.bindings(columns.to_vec(), Vec::new()))?;
        let mut used: Vec<usize> = plan.columns_used();
        used.sort_unstable();
        self.used = used.into_iter().map(|c| columns[c].clone()).collect();
        Ok(())
    }

    fn bindings(&self, columns: Vec<String>, with_missing: Vec<bool>) -> Bindings {
        Bindings {
            columns,
            with_missing,
            seed: self.args.seed,
            row_name: self.args.n.is_some().then(|| "i".to_string()),
        }
    }

    /// The plan for batches whose columns have missing values where `with_missing` says so.
    fn plan(&mut self, with_missing: Vec<bool>) -> Result<&Plan> {
        if !self.plans.contains_key(&with_missing) {
            let plan = bind(&self.statements, &self.bindings(self.used.clone(), with_missing.clone()))?;
            self.plans.insert(with_missing.clone(), plan);
        }
        Ok(&self.plans[&with_missing])
    }

    /// Starts reading from the beginning.
    fn batches(&mut self, carry: bool, typed: bool) -> Result<Source> {
        let Some(path) = self.input else {
            let rows = self.args.n.unwrap_or(0);
            return Ok(Source { schema: Arc::new(Schema::empty()), batches: Box::new(rows_without_input(rows)) });
        };
        let opened = open(path, self.args.input_format)?;
        if path == Path::new("-") {
            self.find_used(opened.columns())?;
        }
        let batches = opened.batches(&Wanted { numeric: self.used.clone(), carry, typed })?;
        let schema = batches.carried_schema();
        Ok(Source { schema, batches: Box::new(batches.map(|b| b.map_err(Into::into))) })
    }

    fn run(mut self) -> Result {
        let start = Instant::now();
        let format = self.output_format()?;
        let known = self.reductions()?;
        let typed = !matches!(format, Format::Csv | Format::Tsv);
        let source = self.batches(!self.args.only, typed)?;
        let mut progress = Progress::new(self.args.quiet);
        let mut writer: Option<(TableWriter, Layout)> = None;
        let mut counts = Counts::default();
        let output = self.args.output.clone().unwrap_or_else(|| PathBuf::from("-"));
        for batch in source.batches {
            let batch = batch?;
            let results = self.evaluate(&batch, counts.rows, &known)?;
            counts.nans += self.count_new_nans(&batch, &results)?;
            if writer.is_none() {
                let layout = Layout::new(&source.schema, &self.statements, &results);
                writer = Some((TableWriter::create(&output, format, &layout.schema)?, layout));
            }
            if let Some((writer, layout)) = &mut writer {
                writer.write(&layout.assemble(&batch, results)?)?;
            }
            counts.rows += batch.rows as u64;
            progress.show(counts.rows, start.elapsed());
        }
        let (writer, layout) = match writer {
            Some(pair) => pair,
            // No rows: the header is written all the same.
            None => {
                let results = self.evaluate(&self.no_rows(), 0, &known)?;
                let layout = Layout::new(&source.schema, &self.statements, &results);
                (TableWriter::create(&output, format, &layout.schema)?, layout)
            }
        };
        writer.finish()?;
        progress.clear();
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
    fn reductions(&mut self) -> Result<Vec<Reduced>> {
        if self.input == Some(Path::new("-")) {
            if self.statements.iter().any(|s| s.value.has_reduction()) {
                return Err("sum, mean, min, max and count need a second pass over the table, \
                            which standard input does not allow; give a file"
                    .into());
            }
            return Ok(Vec::new());
        }
        // Every column may have missing values: the reductions are then the same whichever batches have some.
        let with_missing = vec![true; self.used.len()];
        let stages = self.plan(with_missing.clone())?.stage_count();
        let mut known = vec![Reduced::default(); self.plan(with_missing.clone())?.reductions.len()];
        for stage in 0..stages {
            let source = self.batches(false, false)?;
            let engine = self.engine;
            let mut pass = engine.reduction_pass(self.plan(with_missing.clone())?, stage, &known)?;
            let mut first = 0;
            for batch in source.batches {
                let batch = batch?;
                let missing = missing_of(&batch);
                engine.reduce(&mut pass, &rows_of(&batch, first, &columns_of(&batch, &missing)))?;
                first += batch.rows as u64;
            }
            pass.finish(&mut known);
        }
        Ok(known)
    }

    fn evaluate(&mut self, batch: &Batch, first: u64, known: &[Reduced]) -> Result<Vec<ResultColumn>> {
        let missing = missing_of(batch);
        let engine = self.engine;
        let plan = self.plan(missing.iter().map(Option::is_some).collect())?;
        let columns = columns_of(batch, &missing);
        Ok(engine.evaluate(plan, &rows_of(batch, first, &columns), known)?)
    }

    fn no_rows(&self) -> Batch {
        let numeric = self.used.iter().map(|_| Float64Array::from(Vec::<f64>::new())).collect();
        Batch { rows: 0, numeric, carried: None }
    }

    /// NaNs in the results of rows where no column that they use is NaN: R's "NaNs produced".
    fn count_new_nans(&mut self, batch: &Batch, results: &[ResultColumn]) -> Result<u64> {
        let missing: Vec<bool> = batch.numeric.iter().map(|a| a.null_count() > 0).collect();
        let plan = self.plan(missing)?;
        let mut count = 0;
        for (output, result) in plan.outputs.iter().zip(results) {
            let ResultValues::F64(values) = &result.values else { continue };
            for (row, value) in values.iter().enumerate() {
                let made_here = value.is_nan()
                    && !result.missing.as_ref().is_some_and(|m| m[row])
                    && !output.columns.iter().any(|c| batch.numeric[*c].value(row).is_nan());
                count += u64::from(made_here);
            }
        }
        Ok(count)
    }

    fn summary(&self, counts: &Counts, layout: &Layout, time: Duration) {
        let device = match self.engine.device() {
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
    }

    fn explain(mut self) -> Result {
        if self.input == Some(Path::new("-")) {
            return Err("--explain needs a file, or --n, to know the columns".into());
        }
        let (args, engine, used) = (self.args, self.engine, self.used.clone());
        let plan = self.plan(vec![false; used.len()])?;
        let mut text = describe(plan, &used);
        if args.device.is_some() {
            // Results of reductions stand in the text as constants; here they are not known.
            let known = vec![Reduced::default(); plan.reductions.len()];
            text.push_str("program:\n");
            text.push_str(&engine.device_text(plan, &known)?);
        }
        super::write_stdout(text.as_bytes())?;
        Ok(Outcome::Fine)
    }
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

/// Batches and the columns they carry.
struct Source {
    schema: SchemaRef,
    batches: Box<dyn Iterator<Item = Result<Batch>>>,
}

fn rows_without_input(rows: u64) -> impl Iterator<Item = Result<Batch>> {
    (0..rows.div_ceil(BATCH as u64)).map(move |b| {
        let count = (rows - b * BATCH as u64).min(BATCH as u64) as usize;
        Ok(Batch { rows: count, numeric: Vec::new(), carried: None })
    })
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
}

/// Where the columns of the output come from.
struct Layout {
    schema: SchemaRef,
    columns: Vec<Origin>,
}

enum Origin {
    Carried(usize),
    Result(usize),
}

impl Layout {
    /// The input's columns, then the results; a result replaces what has its name.
    fn new(input: &SchemaRef, statements: &[Statement], results: &[ResultColumn]) -> Layout {
        let mut fields: Vec<Field> = input.fields().iter().map(|f| f.as_ref().clone()).collect();
        let mut columns: Vec<Origin> = (0..fields.len()).map(Origin::Carried).collect();
        for (r, (statement, result)) in statements.iter().zip(results).enumerate() {
            let data_type = match result.values {
                ResultValues::F64(_) => DataType::Float64,
                ResultValues::Bool(_) => DataType::Boolean,
            };
            let field = Field::new(&statement.name, data_type, true);
            match fields.iter().position(|f| *f.name() == statement.name) {
                Some(at) => {
                    fields[at] = field;
                    columns[at] = Origin::Result(r);
                }
                None => {
                    fields.push(field);
                    columns.push(Origin::Result(r));
                }
            }
        }
        Layout { schema: Arc::new(Schema::new(fields)), columns }
    }

    fn assemble(&self, batch: &Batch, results: Vec<ResultColumn>) -> Result<RecordBatch> {
        let mut results: Vec<Option<ResultColumn>> = results.into_iter().map(Some).collect();
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.columns.len());
        for origin in &self.columns {
            match origin {
                Origin::Carried(c) => {
                    let carried = batch.carried.as_ref().ok_or("a batch does not carry its columns")?;
                    arrays.push(carried.column(*c).clone());
                }
                Origin::Result(r) => {
                    let result = results[*r].take().ok_or("a result stands in two places")?;
                    arrays.push(array_of(result));
                }
            }
        }
        let options = RecordBatchOptions::new().with_row_count(Some(batch.rows));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options)?)
    }
}

fn array_of(result: ResultColumn) -> ArrayRef {
    let nulls = result.missing.map(|m| NullBuffer::from_iter(m.into_iter().map(|missing| !missing)));
    match result.values {
        ResultValues::F64(values) => Arc::new(Float64Array::new(ScalarBuffer::from(values), nulls)),
        ResultValues::Bool(values) => Arc::new(BooleanArray::new(BooleanBuffer::from(values), nulls)),
    }
}

/// A line on stderr that says how far the work is, once it takes more than a second, if a person is there to read it.
struct Progress {
    bar: Option<indicatif::ProgressBar>,
    wanted: bool,
}

impl Progress {
    fn new(quiet: bool) -> Progress {
        Progress { bar: None, wanted: !quiet && std::io::stderr().is_terminal() }
    }

    fn show(&mut self, rows: u64, time: Duration) {
        if !self.wanted || time < Duration::from_secs(1) {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = indicatif::ProgressBar::new_spinner();
            bar.set_style(
                indicatif::ProgressStyle::with_template("{spinner} {human_pos} rows, {elapsed}")
                    .unwrap_or_else(|_| indicatif::ProgressStyle::default_spinner()),
            );
            bar
        });
        bar.set_position(rows);
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
