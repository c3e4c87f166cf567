//! The passes over a table.

use crate::error::EvaluationError;
use crate::evaluation::{Evaluation, Input};
use crate::explain::describe;
use crate::expressions::Expressions;
use crate::layout::Layout;
use crate::row_numbers::RowNumbers;
use crate::source::{Source, UndecodedRows, columns_of, missing_of, numbered, rows_of};
use crate::summary::{Cost, Progress, Summary};
use crate::work::{Part, Work};
use gristmill_engine::Reduced;
use gristmill_engine::plan::Step;
use gristmill_table_io::{Carry, FileStamp, Format, Opened, Size, TableError, TableWriter, Wanted, in_order};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

pub(crate) struct Job<'a> {
    evaluation: &'a Evaluation,
    expressions: Expressions<'a>,
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
    pub(crate) fn new(evaluation: &'a Evaluation) -> Result<Job<'a>, EvaluationError> {
        let input = &evaluation.input;
        if input.path().is_none() && evaluation.missing.is_some() {
            return Err(EvaluationError::MissingOfTypedInput);
        }
        let mut opened = input.path().map(|path| evaluation.open(path)).transpose()?;
        let columns = opened.as_ref().map_or(Vec::new(), |o| o.columns().to_vec());
        let (mut expressions, passes) = Expressions::new(evaluation, &columns)?;
        if input.is_stream() && passes > 0 {
            return Err(EvaluationError::ReductionOverStream);
        }
        let survey = opened.as_mut().map(|o| o.survey(&expressions.used)).transpose()?.unwrap_or_default();
        expressions.truth = survey.truth;
        let stamp = opened.as_ref().and_then(|o| o.stamp().cloned());
        Ok(Job { evaluation, expressions, opened, columns, stamp, missing_word: survey.missing })
    }

    /// Starts reading, from the beginning: what is open already, or, for another pass, the file once more.
    fn source(&mut self, carry: Carry) -> Result<Source, EvaluationError> {
        let path = match &self.evaluation.input {
            Input::Rows(rows) => return Ok(Source::Rows { next: 0, end: *rows }),
            Input::Table(path) => path,
        };
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => self.evaluation.open(path)?,
        };
        if opened.stamp() != self.stamp.as_ref() || opened.columns() != self.columns {
            return Err(self.changed());
        }
        Ok(Source::Table(opened.batches(&Wanted { numeric: self.expressions.used.clone(), carry })?))
    }

    pub(crate) fn cost(mut self) -> Result<Option<Cost>, EvaluationError> {
        let mut source = self.source(Carry::Nothing)?;
        let Some(size) = source.size() else { return Ok(None) };
        let batch = match source.next_piece() {
            Some(piece) => piece.and_then(UndecodedRows::decode)?,
            None => return Ok(Some(Cost { rows: 0, per_row: 0.0, bytes_per_row: 0 })),
        };
        let rows = match size {
            Size::Rows(rows) => rows,
            Size::Bytes(bytes) => (bytes as f64 / batch.extent.max(1) as f64 * batch.rows as f64) as u64,
        };
        let missing = missing_of(&batch);
        let plan = self.expressions.plan(&missing.iter().map(Option::is_some).collect::<Vec<_>>())?;
        // Reductions are not known yet; their values hardly change the time.
        let known = vec![Reduced::default(); plan.reductions.len()];
        let prepared = self.expressions.engine().prepare(&plan, &known)?;
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
        let columns: HashSet<&String> = self.columns.iter().collect();
        let replaces = self.expressions.statements.iter().any(|s| columns.contains(&s.name));
        match input {
            _ if self.evaluation.only => Carry::Nothing,
            // A line is carried whole, of a Parquet file every column by itself.
            Some(input) if input == format && (!replaces || !format.is_text()) => {
                Carry::Stored { results: self.expressions.statements.len() }
            }
            Some(_) if format.is_text() => Carry::Fields,
            _ => Carry::TypedColumns,
        }
    }

    pub(crate) fn run(mut self, mut tell: impl FnMut(&Progress) + Send) -> Result<Summary, EvaluationError> {
        let start = Instant::now();
        let format = self.evaluation.format_of_output()?;
        if self.evaluation.missing_out.is_some() && !format.is_text() {
            return Err(EvaluationError::MissingInTypedOutput { format });
        }
        let carry = self.carry(format);
        let (known, rows_before) = self.reductions()?;
        let source = self.source(carry)?;
        let plan = self.expressions.plan_with(false)?;
        let origin = source.origin();
        let layout = Layout::new(&source.schema(), &plan, origin.is_some());
        let origin = origin.map(|origin| (origin, layout.stored.as_slice()));
        let word = self.evaluation.missing_out.as_ref().or(self.missing_word.as_ref()).map_or("", String::as_str);
        let writer = TableWriter::create_over(&self.evaluation.output, format, &layout.schema, origin)?;
        let mut writer = writer.with_missing(word);
        let work = Work {
            expressions: &self.expressions,
            known: &known,
            layout: &layout,
            encoder: writer.encoder(),
            prepared: Mutex::default(),
            device: Mutex::new(()),
            numbers: plan.steps_used().any(|(_, step)| matches!(step, Step::RowIndex)).then(RowNumbers::default),
        };
        let mut progress = Progress { size: source.size(), done: 0, rows: 0, time: start.elapsed() };
        let mut summary = Summary { columns: layout.schema.fields().len(), ..Summary::default() };
        let done = in_order(
            rayon::current_num_threads(),
            numbered(source),
            |(number, piece)| work.piece(number, piece),
            |part: Part| {
                writer.write_encoded(part.encoded)?;
                summary.rows += part.rows;
                summary.nans += part.nans;
                summary.notes.merge(part.notes);
                progress.done += part.extent;
                (progress.rows, progress.time) = (summary.rows, start.elapsed());
                tell(&progress);
                Ok(())
            },
        );
        // Reductions of other rows than those that are written would be wrong ones.
        match rows_before {
            Some(_) if self.was_changed() => return Err(self.changed()),
            Some(rows) if done.is_ok() && rows != summary.rows => return Err(self.changed()),
            _ => done?,
        }
        if self.evaluation.durably { writer.finish_durably() } else { writer.finish() }?;
        summary.time = start.elapsed();
        Ok(summary)
    }

    /// The passes over the data that reductions need before the results can be computed, and how many rows they saw.
    fn reductions(&mut self) -> Result<(Vec<Reduced>, Option<u64>), EvaluationError> {
        // Every column may have missing values: the reductions are then the same whichever batches have some.
        let plan = self.expressions.plan_with(true)?;
        let mut known = vec![Reduced::default(); plan.reductions.len()];
        let mut rows = None;
        for stage in 0..plan.stage_count() {
            let source = self.source(Carry::Nothing)?;
            let engine = self.expressions.engine();
            let mut pass = engine.reduction_pass(&plan, stage, &known)?;
            let mut first = 0;
            let done = in_order(
                rayon::current_num_threads(),
                numbered(source),
                |(_, piece)| piece.decode(),
                |batch| {
                    let missing = missing_of(&batch);
                    engine.reduce(&mut pass, &rows_of(&batch, first, &columns_of(&batch, &missing)))?;
                    first += batch.rows as u64;
                    Ok(())
                },
            );
            if self.was_changed() || rows.is_some_and(|before| done.is_ok() && before != first) {
                return Err(self.changed());
            }
            done?;
            pass.finish(&mut known);
            rows = Some(first);
        }
        Ok((known, rows))
    }

    /// Whether the input is another file than at the beginning, or was written to.
    fn was_changed(&self) -> bool {
        let now = || self.evaluation.input.path().and_then(|path| FileStamp::of_path(path).ok().flatten());
        self.stamp.is_some() && now() != self.stamp
    }

    fn changed(&self) -> EvaluationError {
        let path = self.evaluation.input.path().map_or_else(PathBuf::new, PathBuf::from);
        EvaluationError::Table(TableError::Changed { path })
    }

    pub(crate) fn explain(self) -> Result<String, EvaluationError> {
        let plan = self.expressions.plan_with(false)?;
        let mut text = describe(&plan, &self.expressions.used);
        if self.expressions.engine().device().is_some() {
            // Results of reductions stand in the text as constants; here they are not known.
            let known = vec![Reduced::default(); plan.reductions.len()];
            text.push_str("program:\n");
            text.push_str(&self.expressions.engine().device_text(&plan, &known)?);
        }
        Ok(text)
    }
}
