//! Expressions for every row of a table: `gristmill.eval`.

use crate::table::Table;
use crate::{devices, errors, work};
use gristmill::engine::Engine;
use gristmill::tables::io::{Format, Note, Size};
use gristmill::tables::{Evaluation, FEW_ROWS, Progress, Summary};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Where rows come from.
#[derive(FromPyObject)]
pub(crate) enum Source<'py> {
    Table(PyRef<'py, Table>),
    Rows(u64),
    Files(Vec<PathBuf>),
}

/// What can be said beside the expressions and the table; `None` leaves it as it is.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    output: Option<PathBuf>,
    r#where: Option<String>,
    by: Vec<String>,
    select: Option<Vec<String>>,
    only: bool,
    seed: u64,
    input_format: Option<String>,
    output_format: Option<String>,
    delimiter: Option<String>,
    header: bool,
    na: Option<Vec<String>>,
    na_out: Option<String>,
    device: Option<String>,
}

fn evaluation(expressions: Vec<String>, source: &Source<'_>, options: Options) -> PyResult<Evaluation> {
    let mut evaluation = Evaluation::new(expressions);
    evaluation = match source {
        Source::Table(table) => evaluation.memory(table.0.clone()),
        Source::Rows(rows) => evaluation.rows(*rows),
        Source::Files(paths) => evaluation.inputs(paths.iter().cloned()),
    };
    let format = |name: &str| name.parse::<Format>().map_err(|e| errors::value(&e));
    if let Some(name) = &options.input_format {
        evaluation = evaluation.input_format(format(name)?);
    }
    if let Some(name) = &options.output_format {
        evaluation = evaluation.output_format(format(name)?);
    }
    if let Some(text) = &options.delimiter {
        let [byte] = text.as_bytes() else {
            return Err(PyValueError::new_err(format!("`delimiter` is {text:?}, but must be one ASCII character")));
        };
        evaluation = evaluation.delimiter(*byte);
    }
    if let Some(path) = options.output {
        evaluation = evaluation.output(path);
    }
    if let Some(condition) = options.r#where {
        evaluation = evaluation.condition(condition);
    }
    if let Some(columns) = options.select {
        evaluation = evaluation.select(columns);
    }
    if let Some(words) = options.na {
        evaluation = evaluation.missing(words);
    }
    if let Some(word) = options.na_out {
        evaluation = evaluation.missing_out(word);
    }
    if let Some(device) = devices::open(options.device.as_deref())? {
        evaluation = evaluation.engine(Engine::new().on_device(device));
    }
    Ok(evaluation.by(options.by).only(options.only).seed(options.seed).no_header(!options.header))
}

/// Evaluates into memory: the table, which of its columns are results, whether rows are groups, which rows were kept, and
/// what was done. With `to_file` the output is written instead, and only what was done comes back.
#[pyfunction]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    expressions: Vec<String>,
    source: Source<'py>,
    options: Options,
    to_file: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let evaluation = evaluation(expressions, &source, options)?;
    let is_short = matches!(&source, Source::Table(table) if table.0.rows() as u64 <= FEW_ROWS) && !to_file;
    drop(source);
    let last: Arc<Mutex<Option<Progress>>> = Arc::default();
    let seen = last.clone();
    let look = |py: Python<'_>| match &progress {
        Some(tell) => match last.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(at) => tell.call1(py, (describe_progress(py, &at)?,)).map(drop),
            None => Ok(()),
        },
        None => Ok(()),
    };
    let task = move |stop: &work::Stop| {
        let go_on = |at: &Progress| {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(*at);
            stop.go_on()
        };
        match to_file {
            true => evaluation.run_while(go_on).map(|summary| (None, summary)),
            false => evaluation.collect_while(go_on).map(|results| {
                let summary = results.summary.clone();
                (Some(results), summary)
            }),
        }
    };
    let done = if is_short { work::run_short(py, task) } else { work::run(py, task, look) };
    let (results, summary) = done?.map_err(|e| errors::of_evaluation(&e))?;
    // However short it was, its end is told.
    look(py)?;
    let summary = describe(py, &summary)?;
    match results {
        None => Ok(summary.into_any()),
        Some(results) => {
            let kept = results
                .kept
                .map(|rows| PyArray1::from_vec(py, rows.into_iter().map(|row| row as i64).collect::<Vec<i64>>()));
            let all = (Table(results.table), results.is_result, results.aggregated, kept, summary);
            Ok(all.into_pyobject(py)?.into_any())
        }
    }
}

fn describe<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("rows", summary.rows)?;
    dict.set_item("columns", summary.columns)?;
    dict.set_item("new_nans", summary.nans)?;
    dict.set_item("seconds", summary.time.as_secs_f64())?;
    dict.set_item("delimiter", summary.delimiter.map(String::from))?;
    let notes: Vec<(&str, &str, u64)> = summary
        .notes
        .iter()
        .map(|(note, column, count)| {
            let note = match note {
                Note::LargeInteger => "integers beyond 2^53 were computed with as doubles",
                Note::LongDecimal => "decimals of more than 17 digits were rounded to doubles",
                _ => "NA is text in a column of text",
            };
            (note, column, count)
        })
        .collect();
    dict.set_item("notes", notes)?;
    Ok(dict)
}

fn describe_progress<'py>(py: Python<'py>, at: &Progress) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("rows", at.rows)?;
    dict.set_item("done", at.done)?;
    let (size, unit) = match at.size {
        Some(Size::Rows(size)) => (Some(size), "rows"),
        Some(Size::Bytes(size)) => (Some(size), "bytes"),
        None => (None, "rows"),
    };
    dict.set_item("size", size)?;
    dict.set_item("unit", unit)?;
    dict.set_item("pass", at.pass)?;
    dict.set_item("passes", at.passes)?;
    dict.set_item("seconds", at.time.as_secs_f64())?;
    dict.set_item("seconds_left", at.left().map(|left| left.as_secs_f64()))?;
    Ok(dict)
}
