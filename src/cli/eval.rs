//! `gristmill eval`: expressions for every row of a table.

use super::crossover;
use super::kernels::{self, FuelArgs};
use super::named::named;
use super::output::{count_with_separators, many};
use super::{Outcome, Result};
use gristmill::cl_runtime::Device;
use gristmill::engine::Engine;
use gristmill::engine::expr::{BinaryOp, Expr, ExprKind, parse_expression};
use gristmill::tables::io::{Format, Note, Notes, Size, TableError};
use gristmill::tables::{Evaluation, EvaluationError, Progress, Summary};
use gristmill_support::nearest;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Evaluate expressions for every row of a table
///
/// Expressions are written as in R: `z = (x - mean) / sd`, `p = pnorm(z, lower.tail = FALSE)`. Names are columns of the
/// table or results of earlier expressions; one that R would not take is put in backticks. `gristmill functions` lists what
/// can be called; sum, mean, sd, quantile and their kin are over all rows, or over groups (`--by`, `mean(x, by = g)`).
///
/// The output has the columns of the input and one more for each expression; one with the name of a column takes its place.
/// Text tables have a header line; empty fields and, among numbers, NA without quotes are missing values, and what is
/// computed from a missing value is missing. Numbers are written with as many digits as it takes to read the same number
/// back. Tables larger than memory are fine, and an output file appears when it is complete or not at all.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gristmill eval 'p = pbinom(killed, beetles, 0.5)' examples/beetles.csv
  gristmill eval 'z = (x - mean(x)) / 2' 'up = z > 1' data.parquet -o out.parquet
  gristmill eval --only 'n = n()' 'm = mean(x)' 'q = quantile(x, c(0.25, 0.75))' data.csv
  gristmill eval --by sex,site --where 'age >= 18' 'm = mean(x)' data.csv
  gristmill eval --n 1e6 'u = runif()' 'x = qnorm(u)'
  gristmill eval --kernels mine.rs 'y = growth(t, a, b)' data.csv
  zcat data.csv.gz | gristmill eval --only 'd = dnorm(`a b`)' - > out.csv")]
pub(crate) struct Args {
    /// The expressions, then the table: a .csv, .tsv, .parquet, .arrow, .npy or .npz file, or - for standard input (also
    /// without it, if something is piped in); several files with the same columns are one table, and so is a pattern in quotes
    /// ('part-*.csv'). Text may be compressed: .gz, .zst, .bz2
    #[arg(required = true, value_name = "EXPRESSION… FILE…")]
    words: Vec<String>,
    /// Write the table there instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// No input: compute this many rows (1000, 1e6), with `i` as the row's number from 1
    #[arg(long, value_name = "ROWS", value_parser = super::output::whole_number)]
    n: Option<u64>,
    /// Keep only the rows where this expression over the table's columns is true; reductions in it are over all rows, those
    /// of the other expressions over the rows that are kept
    #[arg(long = "where", value_name = "EXPRESSION")]
    condition: Option<String>,
    /// Reductions are over the rows that are equal in these columns: one row for each group if all results are reductions,
    /// else the group's value in each row
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    by: Vec<String>,
    /// Write only these columns of the table and results, in this order
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', conflicts_with = "only")]
    select: Option<Vec<String>>,
    /// Write only the results, without the columns of the input: one row if all are reductions
    #[arg(long)]
    only: bool,
    /// Compute on this OpenCL device: a number, `cpu`, `gpu` or a part of its name (see `gristmill devices`); or `auto`: on
    /// a device where `gristmill bench --crossover` has found that it pays, else on the CPU (default: GRISTMILL_DEVICE)
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// A file with functions of your own in the kernel language (`gristmill guide kernels-at-run-time`), which expressions
    /// may call; may be given more than once
    #[arg(long, value_name = "FILE.rs")]
    kernels: Vec<PathBuf>,
    #[command(flatten)]
    fuel: FuelArgs,
    /// Use this many threads; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = super::threads::number)]
    threads: Option<usize>,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    seed: u64,
    /// The format of the output, if its name does not tell: csv, tsv, parquet, arrow, npy, npz, jsonl, or table:
    /// the first and last rows for a person, which is what a terminal gets
    #[arg(long, value_name = "FORMAT", hide_possible_values = true,
        value_parser = named::<Format>(Format::ALL.iter().map(|f| f.name())))]
    format: Option<Format>,
    /// The format of the input, if its name does not tell
    #[arg(long, value_name = "FORMAT", hide_possible_values = true,
        value_parser = named::<Format>(Format::ALL.iter().map(|f| f.name())))]
    input_format: Option<Format>,
    /// What separates the fields of a text table: one character, or `tab`
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// The text table has no header line: its columns are V1, V2 and so on
    #[arg(long)]
    no_header: bool,
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
    super::threads::start(args.threads)?;
    args.fuel.set();
    let (expressions, tables) = split_words(args)?;
    let mut evaluation = evaluation(args, expressions, &tables)?;
    for file in &args.kernels {
        evaluation = evaluation.kernels(&kernels::read_functions(file)?);
    }
    let engine = match super::devices::wanted(args.device.as_deref())? {
        Some(device) if device.is_auto() => auto(args, &evaluation)?,
        Some(device) => Engine::new().on_device(device.open()?),
        None => Engine::new(),
    };
    if engine.device().is_some() {
        args.fuel.refuse_on_device()?;
    } else if !args.quiet && !args.explain {
        args.kernels.iter().for_each(|file| kernels::note_if_interpreted(file));
    }
    let on = engine.device().map(|device| device.info().label());
    let evaluation = evaluation.engine(engine);
    if args.explain {
        let plan = evaluation.explain().map_err(|e| about_naming(e, args))?;
        super::write_stdout(plan.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    for path in &tables {
        super::output::refuse_own_input(args.output.as_deref(), Some(path))?;
    }
    let mut bar = Bar::new(args.quiet);
    let done = evaluation.run_with(|progress| bar.show(progress));
    bar.clear();
    match done {
        Ok(summary) if !args.quiet => print_summary(&summary, on),
        Ok(_) => {}
        // Whoever read our output has seen enough: `gristmill eval … | head`.
        Err(e) if is_broken_pipe(&e) => {}
        Err(e) => return Err(args.fuel.explain(about_naming(e, args))),
    }
    Ok(Outcome::Fine)
}

fn evaluation(args: &Args, expressions: &[String], tables: &[PathBuf]) -> Result<Evaluation> {
    let mut evaluation = Evaluation::new(expressions).only(args.only).seed(args.seed).durably(args.sync);
    evaluation = match args.n {
        Some(rows) => evaluation.rows(rows),
        None => evaluation.inputs(tables),
    };
    if let Some(delimiter) = args.delimiter {
        evaluation = evaluation.delimiter(delimiter);
    }
    evaluation = evaluation.no_header(args.no_header);
    if let Some(path) = &args.output {
        evaluation = evaluation.output(path);
    }
    if let Some(format) = args.input_format {
        evaluation = evaluation.input_format(format);
    }
    if let Some(format) = output_format(args)? {
        evaluation = evaluation.output_format(format);
    }
    if let Some((terminal_size::Width(width), _)) = terminal_size::terminal_size() {
        evaluation = evaluation.width(usize::from(width));
    }
    if let Some(condition) = &args.condition {
        evaluation = evaluation.condition(condition);
    }
    evaluation = evaluation.by(&args.by);
    if let Some(columns) = &args.select {
        evaluation = evaluation.select(columns);
    }
    if let Some(words) = &args.na {
        evaluation = evaluation.missing(words);
    }
    if let Some(word) = &args.na_out {
        evaluation = evaluation.missing_out(word);
    }
    Ok(evaluation)
}

/// What was asked for. A terminal gets a table for a person, and nothing that is no text.
fn output_format(args: &Args) -> Result<Option<Format>> {
    let to_stdout = args.output.as_deref().is_none_or(|path| path == Path::new("-"));
    if !to_stdout || !std::io::stdout().is_terminal() {
        return Ok(args.format);
    }
    match args.format {
        None => Ok(Some(Format::Display)),
        Some(format) if format.is_readable() => Ok(Some(format)),
        Some(format) => {
            Err(format!("{format} is no text, and the output is a terminal; give it a name with -o, or a pipe").into())
        }
    }
}

/// One character, or the name of one that cannot be typed.
fn delimiter(text: &str) -> std::result::Result<u8, String> {
    match text.as_bytes() {
        _ if matches!(text, "tab" | "\\t") => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("must be one character, such as `;`, or `tab`".to_string()),
    }
}

/// The expressions, and the tables behind them.
///
/// The last words are tables as long as they name one; the last of all is one, unless there is no input or something is
/// piped in.
fn split_words(args: &Args) -> Result<(&[String], Vec<PathBuf>)> {
    if args.n.is_some() {
        return Ok((&args.words, Vec::new()));
    }
    let mut expressions = args.words.as_slice();
    let mut tables: Vec<PathBuf> = Vec::new();
    while let Some((word, before)) = expressions.split_last()
        && let Some(paths) = tables_of(word, args.input_format)?
    {
        tables.splice(..0, paths);
        expressions = before;
    }
    let alone = || format!("`{}` is the only argument; give one or more expressions and then a table", args.words[0]);
    match (expressions, tables.is_empty()) {
        ([], _) => Err(alone().into()),
        (expressions, false) => Ok((expressions, tables)),
        // `gristmill eval 'x = a + b' < data.csv`
        ([.., last], true) if is_piped_in() && !names_file(last) => Ok((expressions, vec![PathBuf::from("-")])),
        ([_], true) => Err(alone().into()),
        // What the last one names is not there, which opening it will say.
        ([expressions @ .., file], true) => {
            if let Some(near) = beside(Path::new(file)) {
                return Err(format!("{file}: there is no such file; did you mean `{}`?", near.display()).into());
            }
            Ok((expressions, vec![PathBuf::from(file)]))
        }
    }
}

/// The file whose name is nearest to that of one that is not there, in the same folder.
fn beside(path: &Path) -> Option<PathBuf> {
    let wanted = path.file_name().filter(|_| !path.exists())?.to_str()?;
    let folder = path.parent()?;
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = std::fs::read_dir(here).ok()?.flatten().filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    nearest(wanted, names.iter().map(String::as_str)).map(|name| folder.join(name))
}

/// Whether standard input is a file or a pipe, and no terminal or device.
fn is_piped_in() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let stdin = std::fs::metadata("/dev/stdin");
        stdin.is_ok_and(|m| m.is_file() || m.file_type().is_fifo() || m.file_type().is_socket())
    }
    #[cfg(not(unix))]
    {
        !std::io::stdin().is_terminal()
    }
}

/// Whether a word is the name of a table rather than an expression.
fn names_file(word: &str) -> bool {
    Format::of_path(Path::new(word)).is_ok() || gristmill::engine::expr::parse(word).is_err()
}

/// The tables that a word names: a file that is there, standard input, or what a pattern matches.
fn tables_of(word: &str, format: Option<Format>) -> Result<Option<Vec<PathBuf>>> {
    let path = Path::new(word);
    if path == Path::new("-") {
        return Ok(Some(vec![path.to_path_buf()]));
    }
    let is_known = format.is_some() || names_file(word);
    if path.exists() && is_known {
        return Ok(Some(vec![path.to_path_buf()]));
    }
    if is_known
        && word.contains(['*', '?', '['])
        && let Ok(matches) = glob::glob(word)
    {
        let found: Vec<PathBuf> = matches.collect::<std::result::Result<_, _>>()?;
        if found.is_empty() && Format::of_path(path).is_ok() {
            return Err(format!("`{word}` matches no file").into());
        }
        return Ok(Some(found).filter(|found| !found.is_empty()));
    }
    Ok(None)
}

/// The device, if a stored measurement says that it pays for this work, else the CPU. Says which, and why.
fn auto(args: &Args, evaluation: &Evaluation) -> Result<Engine> {
    let say = |why: &str| {
        if !args.quiet {
            say!("auto: {why}");
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
    let cost = evaluation.cost().map_err(|e| about_naming(e, args))?;
    let Some(cost) = cost else {
        say("cpu, because it is not known how many rows will come");
        return Ok(Engine::new());
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
    Ok(if pays { Engine::new().on_device(Device::open(&device)?) } else { Engine::new() })
}

/// `p == 2` where nothing is called `p`: what was meant may be `p = 2`. In a condition it is not.
fn about_naming(error: EvaluationError, args: &Args) -> EvaluationError {
    let EvaluationError::Expression(e) = error else { return error };
    let is_name = |left: &Expr| matches!(left.kind, ExprKind::Name(_)) && left.span == e.span;
    let is_meant = args.words.contains(&e.source)
        && parse_expression(&e.source)
            .is_ok_and(|whole| matches!(&whole.kind, ExprKind::Binary(BinaryOp::Equal, left, _) if is_name(left)));
    if !is_meant {
        return EvaluationError::Expression(e);
    }
    let other = e.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
    EvaluationError::Expression(e.help(format!("a result is named by one `=`{other}")))
}

fn is_broken_pipe(error: &EvaluationError) -> bool {
    matches!(error, EvaluationError::Table(TableError::Write { cause, .. }) if cause.kind() == std::io::ErrorKind::BrokenPipe)
}

fn print_summary(summary: &Summary, device: Option<String>) {
    let on = device.unwrap_or_else(|| match rayon::current_num_threads() {
        1 => "cpu, 1 thread".to_string(),
        n => format!("cpu, {n} threads"),
    });
    let rate = summary.rows as f64 / summary.time.as_secs_f64().max(1e-9);
    say!(
        "{}, {}, {:.3} s, {on}, {} rows/s",
        many(summary.rows, "row"),
        many(summary.columns as u64, "column"),
        summary.time.as_secs_f64(),
        count_with_separators(rate as u64),
    );
    if let Some(delimiter) = summary.delimiter {
        let shown = if delimiter == '\t' { "a tab".to_string() } else { format!("`{delimiter}`") };
        say!("note: {shown} separates the fields, because the header has no comma; `--delimiter ,` says otherwise");
    }
    if summary.nans > 0 {
        say!("warning: NaNs produced: {}", count_with_separators(summary.nans));
    }
    for line in describe_notes(&summary.notes) {
        say!("{line}");
    }
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

/// `3,000,000 rows, pass 1 of 2, 10 s left`
fn describe_progress(progress: &Progress) -> String {
    let mut parts = vec![many(progress.rows, "row")];
    if let Some(Size::Rows(size)) = progress.size {
        parts[0] = format!("{} of {}", count_with_separators(progress.rows), many(size, "row"));
    }
    if progress.passes > 1 {
        parts.push(format!("pass {} of {}", progress.pass, progress.passes));
    }
    parts.push(match progress.left() {
        Some(left) => format!("{} left", indicatif::HumanDuration(left)),
        None => format!("{} s", progress.time.as_secs()),
    });
    parts.join(", ")
}

/// A line on stderr that says how far the work is, once it takes more than a second, if a person is there to read it.
struct Bar {
    bar: Option<indicatif::ProgressBar>,
    wanted: bool,
}

impl Bar {
    fn new(quiet: bool) -> Bar {
        Bar { bar: None, wanted: !quiet && std::io::stderr().is_terminal() }
    }

    fn show(&mut self, progress: &Progress) {
        if !self.wanted || progress.time < Duration::from_secs(1) {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let template = if progress.size.is_some() { "{wide_bar} {msg}" } else { "{spinner} {msg}" };
            let bar = indicatif::ProgressBar::with_draw_target(None, indicatif::ProgressDrawTarget::stderr());
            if let Ok(style) = indicatif::ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        if let Some(Size::Rows(size) | Size::Bytes(size)) = progress.size {
            bar.set_length(size);
        }
        bar.set_message(describe_progress(progress));
        bar.set_position(progress.done);
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
