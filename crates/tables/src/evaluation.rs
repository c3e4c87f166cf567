//! What to evaluate, and how.

use crate::error::EvaluationError;
use crate::job::{Destination, Done, Job};
use crate::summary::{Cost, Progress, Summary};
use gristmill_engine::Engine;
use gristmill_kernel::Function;
use gristmill_table_io::{Collected, Format, MemoryTable, Missing, Opened, ReadOptions, open_all, open_memory};
use std::path::{Path, PathBuf};

/// Expressions over a table.
///
/// Without an output the table goes to standard output, as CSV if [`Evaluation::output_format`] does not say otherwise.
#[derive(Debug)]
pub struct Evaluation {
    pub(crate) expressions: Vec<String>,
    pub(crate) input: Input,
    pub(crate) output: PathBuf,
    pub(crate) engine: Engine,
    pub(crate) kernels: Vec<Function>,
    pub(crate) only: bool,
    pub(crate) condition: Option<String>,
    pub(crate) by: Vec<String>,
    pub(crate) select: Option<Vec<String>>,
    pub(crate) seed: u64,
    pub(crate) input_format: Option<Format>,
    pub(crate) output_format: Option<Format>,
    pub(crate) delimiter: Option<u8>,
    pub(crate) no_header: bool,
    pub(crate) missing: Option<Vec<String>>,
    pub(crate) missing_out: Option<String>,
    pub(crate) width: usize,
    pub(crate) durably: bool,
}

/// Where rows come from.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    /// One file, or several with the same columns.
    Table(Vec<PathBuf>),
    /// Columns in memory.
    Memory(MemoryTable),
    /// None: this many rows.
    Rows(u64),
}

/// What became of an evaluation in memory.
#[derive(Debug)]
#[non_exhaustive]
pub struct Results {
    /// The columns of the input and the results, or what [`Evaluation::only`] and [`Evaluation::select`] left of them.
    pub table: MemoryTable,
    /// Which of its columns are results.
    pub is_result: Vec<bool>,
    /// Whether there is one row, or one for each group, instead of one for each row of the input.
    pub aggregated: bool,
    /// The rows of the input that were kept, from 0; `None` if there was no condition.
    pub kept: Option<Vec<u64>>,
    /// What was done.
    pub summary: Summary,
}

impl Input {
    /// The first one, for messages.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Input::Table(paths) => paths.first().map(PathBuf::as_path),
            Input::Memory(_) | Input::Rows(_) => None,
        }
    }

    pub(crate) fn paths(&self) -> &[PathBuf] {
        match self {
            Input::Table(paths) => paths,
            Input::Memory(_) | Input::Rows(_) => &[],
        }
    }

    /// Whether it can be read once only: standard input, or a pipe by its name.
    pub(crate) fn is_stream(&self) -> bool {
        let is_stream = |p: &PathBuf| p == Path::new("-") || std::fs::metadata(p).is_ok_and(|m| !m.is_file());
        self.paths().iter().any(is_stream)
    }
}

impl Evaluation {
    /// These expressions, in R's syntax (docs/expressions.md); later ones see the results of earlier ones.
    pub fn new<T: Into<String>>(expressions: impl IntoIterator<Item = T>) -> Evaluation {
        Evaluation {
            expressions: expressions.into_iter().map(Into::into).collect(),
            input: Input::Rows(0),
            output: PathBuf::from("-"),
            engine: Engine::new(),
            kernels: Vec::new(),
            only: false,
            condition: None,
            by: Vec::new(),
            select: None,
            seed: 1,
            input_format: None,
            output_format: None,
            delimiter: None,
            no_header: false,
            missing: None,
            missing_out: None,
            width: 80,
            durably: false,
        }
    }

    /// For every row of this table; `-` is standard input.
    #[must_use]
    pub fn input(self, path: impl Into<PathBuf>) -> Evaluation {
        self.inputs([path])
    }

    /// For every row of these tables, which have the same columns, one after the other.
    #[must_use]
    pub fn inputs<T: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = T>) -> Evaluation {
        self.input = Input::Table(paths.into_iter().map(Into::into).collect());
        self
    }

    /// For every row of a table in memory.
    #[must_use]
    pub fn memory(mut self, table: MemoryTable) -> Evaluation {
        self.input = Input::Memory(table);
        self
    }

    /// What separates the fields of a text table, instead of what its name or its header says.
    #[must_use]
    pub fn delimiter(mut self, delimiter: u8) -> Evaluation {
        self.delimiter = Some(delimiter);
        self
    }

    /// Whether a text table starts with its first row: its columns are then called `V1`, `V2` and so on.
    #[must_use]
    pub fn no_header(mut self, no_header: bool) -> Evaluation {
        self.no_header = no_header;
        self
    }

    /// For this many rows, without a table; `i` is the row's number from 1.
    #[must_use]
    pub fn rows(mut self, rows: u64) -> Evaluation {
        self.input = Input::Rows(rows);
        self
    }

    /// Writes the table there; `-` is standard output.
    #[must_use]
    pub fn output(mut self, path: impl Into<PathBuf>) -> Evaluation {
        self.output = path.into();
        self
    }

    /// Computes there.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Evaluation {
        self.engine = engine;
        self
    }

    /// With kernels that the expressions may call beside R's functions, and those of the engine: see [`Engine::with_kernels`].
    #[must_use]
    pub fn kernels(mut self, kernels: impl IntoIterator<Item = Function>) -> Evaluation {
        self.kernels.extend(kernels);
        self
    }

    /// Whether only the results are written, without the columns of the input.
    #[must_use]
    pub fn only(mut self, only: bool) -> Evaluation {
        self.only = only;
        self
    }

    /// Only for the rows where this expression over the table's columns is true; reductions in it are over all rows. The
    /// others are left out before the expressions see them.
    #[must_use]
    pub fn condition(mut self, expression: impl Into<String>) -> Evaluation {
        self.condition = Some(expression.into());
        self
    }

    /// Reductions and running results that name no groups are those of the rows that are equal in these columns. If all
    /// results are reductions, the output has a row for each group, in the order in which they first appear.
    #[must_use]
    pub fn by<T: Into<String>>(mut self, columns: impl IntoIterator<Item = T>) -> Evaluation {
        for name in columns.into_iter().map(Into::into) {
            if !self.by.contains(&name) {
                self.by.push(name);
            }
        }
        self
    }

    /// Writes these columns of the table and results, in this order.
    #[must_use]
    pub fn select<T: Into<String>>(mut self, columns: impl IntoIterator<Item = T>) -> Evaluation {
        self.select = Some(columns.into_iter().map(Into::into).collect());
        self
    }

    /// The seed of the random numbers; 1 if this is not called.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Evaluation {
        self.seed = seed;
        self
    }

    /// The format of the input, if its name does not tell.
    #[must_use]
    pub fn input_format(mut self, format: Format) -> Evaluation {
        self.input_format = Some(format);
        self
    }

    /// The format of the output, if its name does not tell.
    #[must_use]
    pub fn output_format(mut self, format: Format) -> Evaluation {
        self.output_format = Some(format);
        self
    }

    /// The words that stand for missing values in a text table, in every column, instead of `NA` among numbers.
    #[must_use]
    pub fn missing<T: Into<String>>(mut self, words: impl IntoIterator<Item = T>) -> Evaluation {
        self.missing = Some(words.into_iter().map(Into::into).filter(|w: &String| !w.is_empty()).collect());
        self
    }

    /// What stands for a missing value in text output, instead of what does in the input.
    #[must_use]
    pub fn missing_out(mut self, word: impl Into<String>) -> Evaluation {
        self.missing_out = Some(word.into());
        self
    }

    /// How many characters fit in a line, for [`Format::Display`].
    #[must_use]
    pub fn width(mut self, width: usize) -> Evaluation {
        self.width = width;
        self
    }

    /// Whether to wait until the disk has the output before it gets its name.
    #[must_use]
    pub fn durably(mut self, durably: bool) -> Evaluation {
        self.durably = durably;
        self
    }

    /// Evaluates. The output appears when it is complete, or, after an error, not at all.
    ///
    /// # Errors
    /// When an expression is wrong, the table cannot be read or was changed meanwhile, or the output cannot be written.
    pub fn run(&self) -> Result<Summary, EvaluationError> {
        self.run_with(|_| {})
    }

    /// As [`Evaluation::run`]; `progress` is called after each piece of the output.
    ///
    /// # Errors
    /// As there.
    pub fn run_with(&self, mut progress: impl FnMut(&Progress) + Send) -> Result<Summary, EvaluationError> {
        self.run_while(|at| {
            progress(at);
            true
        })
    }

    /// As [`Evaluation::run`], as long as `go_on`, which is called after each piece, says so.
    ///
    /// # Errors
    /// As there, and [`EvaluationError::Stopped`] if it was told to.
    pub fn run_while(&self, go_on: impl FnMut(&Progress) -> bool + Send) -> Result<Summary, EvaluationError> {
        Ok(Job::new(self)?.run(go_on, Destination::Named)?.summary)
    }

    /// Evaluates, and keeps the results in memory instead of writing them, as long as `go_on` says so.
    ///
    /// # Errors
    /// As [`Evaluation::run_while`].
    pub fn collect_while(&self, go_on: impl FnMut(&Progress) -> bool + Send) -> Result<Results, EvaluationError> {
        let rows = Collected::default();
        let done = Job::new(self)?.run(go_on, Destination::Memory(&rows))?;
        let table = MemoryTable::new(done.schema, rows.take())?;
        let Done { is_result, aggregated, kept, summary, .. } = done;
        Ok(Results { table, is_result, aggregated, kept, summary })
    }

    /// The steps that would be run, and the program if a device would run them, as text.
    ///
    /// # Errors
    /// When an expression is wrong, or the table cannot be read.
    pub fn explain(&self) -> Result<String, EvaluationError> {
        Job::new(self)?.explain()
    }

    /// What the work takes, found out with the first rows; `None` if it is not known how many there are.
    ///
    /// # Errors
    /// When an expression is wrong, or the table cannot be read.
    pub fn cost(&self) -> Result<Option<Cost>, EvaluationError> {
        // A stream must not be opened for this: its rows would be gone.
        if self.input.is_stream() { Ok(None) } else { Job::new(self)?.cost() }
    }

    pub(crate) fn format_of_output(&self) -> Result<Format, EvaluationError> {
        match self.output_format {
            Some(format) => Ok(format),
            None if self.output == Path::new("-") => Ok(Format::Csv),
            None => Ok(Format::of_path(&self.output)?),
        }
    }

    /// Opens the tables.
    pub(crate) fn open(&self) -> Result<Option<Opened>, EvaluationError> {
        let paths = match &self.input {
            Input::Table(paths) => paths,
            Input::Memory(_) if self.delimiter.is_some() || self.no_header => {
                return Err(EvaluationError::FieldsOfTypedInput);
            }
            Input::Memory(table) => return Ok(Some(open_memory(table))),
            Input::Rows(_) => return Ok(None),
        };
        let mut options = ReadOptions::default();
        (options.format, options.delimiter, options.no_header) = (self.input_format, self.delimiter, self.no_header);
        let opened = open_all(paths, &options)?;
        let is_text = opened.format().is_text();
        if !is_text && (self.delimiter.is_some() || self.no_header) {
            return Err(EvaluationError::FieldsOfTypedInput);
        }
        Ok(Some(match &self.missing {
            Some(_) if !is_text => return Err(EvaluationError::MissingOfTypedInput),
            Some(words) => opened.with_missing(Missing::Words(words.clone())),
            None => opened,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_table_io::arrow::array::{Array, ArrayRef, AsArray, Float64Array, RecordBatch, StringArray};
    use gristmill_table_io::arrow::datatypes::Float64Type;
    use std::sync::Arc;

    fn table(parts: &[&[(f64, &str)]]) -> MemoryTable {
        let batch = |rows: &&[(f64, &str)]| {
            let x: ArrayRef = Arc::new(Float64Array::from_iter(rows.iter().map(|r| Some(r.0).filter(|x| *x != 0.0))));
            let g: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|r| r.1)));
            RecordBatch::try_from_iter([("x", x), ("g", g)]).expect("columns of one length")
        };
        let batches: Vec<RecordBatch> = parts.iter().map(batch).collect();
        MemoryTable::new(batches[0].schema(), batches).expect("one schema")
    }

    /// All numbers of a column; NaN where one is missing.
    fn numbers(table: &MemoryTable, name: &str) -> Vec<f64> {
        let place = table.schema().index_of(name).expect("a column");
        let parts = table.batches().iter().map(|batch| batch.column(place).as_primitive::<Float64Type>().clone());
        parts
            .flat_map(|p| (0..p.len()).map(|i| if p.is_null(i) { f64::NAN } else { p.value(i) }).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn a_table_in_memory_gives_its_columns_and_the_results() {
        let parts = table(&[&[(1.0, "a"), (3.0, "b")], &[], &[(8.0, "a")]]);
        let results = Evaluation::new(["z = x - mean(x)"]).memory(parts).collect_while(|_| true).expect("it runs");
        assert_eq!(results.is_result, [false, false, true]);
        assert_eq!(
            (numbers(&results.table, "x"), numbers(&results.table, "z")),
            (vec![1.0, 3.0, 8.0], vec![-3.0, -1.0, 4.0])
        );
        assert_eq!((results.aggregated, results.kept, results.summary.rows), (false, None, 3));
    }

    #[test]
    fn rows_that_are_kept_are_named_and_groups_are_rows() {
        let all = || table(&[&[(1.0, "a"), (0.0, "b")], &[(8.0, "a"), (9.0, "b")]]);
        let kept =
            Evaluation::new(["y = 2 * x"]).memory(all()).condition("x > 1").collect_while(|_| true).expect("it runs");
        assert_eq!((kept.kept, numbers(&kept.table, "y")), (Some(vec![2, 3]), vec![16.0, 18.0]));
        let groups = Evaluation::new(["s = sum(x, na.rm = TRUE)"]).memory(all()).by(["g"]).collect_while(|_| true);
        let groups = groups.expect("it runs");
        assert_eq!((groups.aggregated, numbers(&groups.table, "s")), (true, vec![9.0, 9.0]));
        let same = Evaluation::new(["g = sum(x)"]).memory(all()).by(["g"]).collect_while(|_| true);
        let same = same.err().map(|e| e.to_string());
        let expected = "`g` is a result and also the column that makes the groups; give the result another name";
        assert_eq!(same.as_deref(), Some(expected));
    }

    #[test]
    fn whoever_has_enough_stops_it() {
        let stopped = Evaluation::new(["y = i"]).rows(1_000_000).collect_while(|_| false);
        assert!(matches!(stopped, Err(EvaluationError::Stopped)), "{stopped:?}");
        let other = table(&[&[(1.0, "a")]]);
        let error = Evaluation::new(["y = x"]).memory(other).missing(["NA"]).run().expect_err("memory has no words");
        assert!(matches!(error, EvaluationError::MissingOfTypedInput), "{error}");
    }
}
