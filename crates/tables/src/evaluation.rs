//! What to evaluate, and how.

use crate::error::EvaluationError;
use crate::job::Job;
use crate::summary::{Cost, Progress, Summary};
use gristmill_engine::Engine;
use gristmill_kernel::Function;
use gristmill_table_io::{Format, Missing, Opened, ReadOptions, open_all};
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
    /// None: this many rows.
    Rows(u64),
}

impl Input {
    /// The first one, for messages.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Input::Table(paths) => paths.first().map(PathBuf::as_path),
            Input::Rows(_) => None,
        }
    }

    pub(crate) fn paths(&self) -> &[PathBuf] {
        match self {
            Input::Table(paths) => paths,
            Input::Rows(_) => &[],
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
    pub fn run_with(&self, progress: impl FnMut(&Progress) + Send) -> Result<Summary, EvaluationError> {
        Job::new(self)?.run(progress)
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
        let Input::Table(paths) = &self.input else { return Ok(None) };
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
