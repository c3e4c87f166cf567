//! The passes over a table.

use crate::FEW_ROWS;
use crate::error::EvaluationError;
use crate::evaluation::{Evaluation, Input};
use crate::explain::describe;
use crate::expressions::Expressions;
use crate::layout::Layout;
use crate::query::Query;
use crate::source::{Source, UndecodedRows, columns_of, missing_of, numbered, rows_of};
use crate::summary::{Cost, Progress, Summary};
use crate::work::{Part, Rowing, Work};
use gristmill_engine::Reduced;
use gristmill_engine::expr::{parse, parse_condition};
use gristmill_engine::plan::Plan;
use gristmill_support::nearest;
use gristmill_table_io::arrow::array::{ArrayRef, AsArray, RecordBatch, new_empty_array};
use gristmill_table_io::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use gristmill_table_io::{
    Carry, Collected, FileStamp, Format, Missing, Notes, Opened, Size, TableError, TableWriter, Wanted,
    column_of_texts, in_order,
};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Rows of groups that are written at once.
const GROUPS: usize = 64 * 1024;

/// Where the rows go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Destination<'a> {
    /// To what the evaluation names.
    Named,
    /// To the caller.
    Memory(&'a Collected),
}

/// What a job leaves behind beside its rows.
pub(crate) struct Done {
    pub(crate) schema: SchemaRef,
    /// Which columns are results.
    pub(crate) is_result: Vec<bool>,
    pub(crate) aggregated: bool,
    /// The rows of the input that are in the output, if they were asked for.
    pub(crate) kept: Option<Vec<u64>>,
    pub(crate) summary: Summary,
}

pub(crate) struct Job<'a> {
    table: Table<'a>,
    query: Query<'a>,
    /// Which rows to keep.
    filter: Option<Query<'a>>,
    /// Whether the output has a row for each group, or a single one, instead of one for each row.
    aggregates: bool,
}

/// The input.
struct Table<'a> {
    evaluation: &'a Evaluation,
    /// Opened and not yet read.
    opened: Option<Opened>,
    /// The names of its columns.
    columns: Vec<String>,
    /// Those whose numbers are used, and those whose texts are.
    used: Vec<String>,
    texts: Vec<String>,
    /// What it was when it was first opened, if it is a file.
    stamps: Vec<Option<FileStamp>>,
    format: Option<Format>,
    /// What separates its fields, and whether that was guessed.
    delimiter: Option<(u8, bool)>,
    several: bool,
    /// How it writes missing values.
    missing_word: Option<String>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(evaluation: &'a Evaluation) -> Result<Job<'a>, EvaluationError> {
        let input = &evaluation.input;
        if input.path().is_none() && evaluation.missing.is_some() {
            return Err(EvaluationError::MissingOfTypedInput);
        }
        let mut opened = evaluation.open()?;
        let columns = opened.as_ref().map_or(Vec::new(), |o| o.columns().to_vec());
        if let Some(unknown) = evaluation.by.iter().find(|name| !columns.contains(name)) {
            return Err(no_such_column("--by", unknown, &columns));
        }
        let times = opened.as_ref().map_or(Vec::new(), Opened::times);
        let with_gaps = evaluation.condition.is_some();
        let expressions = |statements, gaps| Expressions::new(evaluation, statements, &columns, &times, gaps);
        let statements = evaluation.expressions.iter().map(|e| parse(e)).collect::<Result<_, _>>()?;
        let mut of_query = expressions(statements, with_gaps);
        let condition = evaluation.condition.as_ref().map(|c| parse_condition(c)).transpose()?;
        let mut of_filter = condition.map(|condition| expressions(vec![condition], false));
        // First as if all columns were numbers, to know which to look at; then with what they are.
        let uses = |query: &Expressions<'_>, filter: Option<&Expressions<'_>>| {
            let (mut used, mut texts) = query.uses()?;
            if let Some(filter) = filter {
                let (more_used, more_texts) = filter.uses().map_err(|e| about_results(e, query))?;
                used.extend(more_used.into_iter().filter(|name| !used.contains(name)).collect::<Vec<_>>());
                texts.extend(more_texts.into_iter().filter(|name| !texts.contains(name)).collect::<Vec<_>>());
            }
            used.sort_by_key(|name| columns.iter().position(|c| c == name));
            Ok::<_, EvaluationError>((used, texts))
        };
        let (looked_at, _) = uses(&of_query, of_filter.as_ref())?;
        let survey = opened.as_mut().map(|o| o.survey(&looked_at)).transpose()?.unwrap_or_default();
        of_query.learn(&looked_at, &survey);
        of_filter.iter_mut().for_each(|filter| filter.learn(&looked_at, &survey));
        let (used, texts) = uses(&of_query, of_filter.as_ref())?;
        of_query.settle(&used, &texts);
        of_filter.iter_mut().for_each(|filter| filter.settle(&used, &texts));
        let query = Query::new(of_query)?;
        let filter = of_filter.map(Query::new).transpose()?;
        let plan = query.expressions.plan_with(true)?;
        let whole = evaluation.only || evaluation.select.is_some();
        let aggregates = plan.is_aggregate() && (plan.by.is_some() || (whole && !selects_columns(evaluation, &plan)));
        if let Some(result) = plan.outputs.iter().find(|o| aggregates && evaluation.by.contains(&o.name)) {
            return Err(EvaluationError::ResultIsGroup { name: result.name.clone() });
        }
        let of_filter = filter.as_ref().map(|f| f.expressions.plan_with(true)).transpose()?;
        let passes = plan.stage_count() + of_filter.map_or(0, |plan| plan.stage_count());
        if input.is_stream() && passes > usize::from(aggregates) {
            return Err(EvaluationError::ReductionOverStream);
        }
        let stamps = opened.as_ref().map_or(Vec::new(), |o| o.stamps().to_vec());
        let delimiter = opened.as_ref().and_then(Opened::delimiter);
        let several = opened.as_ref().is_some_and(Opened::is_several);
        let (format, missing_word) = (opened.as_ref().map(Opened::format), survey.missing);
        let table =
            Table { evaluation, opened, columns, used, texts, stamps, format, delimiter, several, missing_word };
        let job = Job { table, query, filter, aggregates };
        job.check_selection(&plan)?;
        Ok(job)
    }

    /// What `--select` names is there.
    fn check_selection(&self, plan: &Plan) -> Result<(), EvaluationError> {
        let Some(select) = &self.table.evaluation.select else { return Ok(()) };
        let of_table = if self.aggregates { &self.table.evaluation.by } else { &self.table.columns };
        let mut there: Vec<String> = plan.outputs.iter().map(|o| o.name.clone()).collect();
        there.extend(of_table.iter().cloned());
        match select.iter().find(|name| !there.contains(name)) {
            Some(unknown) => Err(no_such_column("--select", unknown, &there)),
            None => Ok(()),
        }
    }

    pub(crate) fn cost(mut self) -> Result<Option<Cost>, EvaluationError> {
        let mut source = self.table.source(Carry::Nothing)?;
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
        let plan = self.query.expressions.plan(&missing.iter().map(Option::is_some).collect::<Vec<_>>())?;
        // Reductions are not known yet; their values hardly change the time. What is derived is taken as nothing.
        let known = vec![Reduced::default(); plan.reductions.len()];
        let prepared = self.query.expressions.engine().prepare(&plan, &known)?;
        let mut columns = columns_of(&batch, &missing);
        let nothing = vec![0.0; batch.rows];
        columns.extend(plan.derived().map(|_| gristmill_engine::InputColumn { values: &nothing, missing: None }));
        let start = Instant::now();
        prepared.evaluate_here(&rows_of(&batch, 0, &columns))?;
        let per_row = start.elapsed().as_secs_f64() / batch.rows.max(1) as f64;
        let bytes_per_row = (batch.numeric.len() + plan.outputs.len()) * size_of::<f64>();
        Ok(Some(Cost { rows, per_row, bytes_per_row }))
    }

    /// How the input's columns get into the output.
    fn carry(&self, format: Format) -> Carry {
        let (evaluation, plan) = (self.table.evaluation, self.query.expressions.plan_with(true));
        let names: Vec<String> = plan.map_or(Vec::new(), |p| p.outputs.iter().map(|o| o.name.clone()).collect());
        let columns: HashSet<&String> = self.table.columns.iter().collect();
        let replaces = names.iter().any(|name| columns.contains(name));
        match self.table.format {
            _ if evaluation.only => Carry::Nothing,
            // A line is carried whole, of a Parquet file every column by itself, with all its rows.
            Some(input) if input == format && evaluation.select.is_none() && self.can_be_stored(format, replaces) => {
                Carry::Stored { results: names.len() }
            }
            Some(_) if format.is_text() => Carry::Fields,
            Some(_) if !format.is_typed() => Carry::Columns,
            _ => Carry::TypedColumns,
        }
    }

    /// Whether the rows can go on as they are stored.
    fn can_be_stored(&self, format: Format, replaces: bool) -> bool {
        match self.table.delimiter {
            Some((delimiter, _)) => !replaces && format.delimiter() == Some(delimiter),
            None => self.filter.is_none() && !self.table.several,
        }
    }

    /// As long as `tell` says so.
    pub(crate) fn run(
        mut self,
        mut tell: impl FnMut(&Progress) -> bool + Send,
        to: Destination<'_>,
    ) -> Result<Done, EvaluationError> {
        let start = Instant::now();
        let evaluation = self.table.evaluation;
        let format = match to {
            Destination::Named => evaluation.format_of_output()?,
            // Columns with types.
            Destination::Memory(_) => Format::Arrow,
        };
        if evaluation.missing_out.is_some() && !format.is_text() {
            return Err(EvaluationError::MissingInTypedOutput { format });
        }
        let carry = self.carry(format);
        let mut progress = Progress::new(start, self.pass_count()?);
        let mut notes = Notes::default();
        let rows_before = self.passes(&mut notes, &mut progress, &mut tell)?;
        if self.aggregates {
            return self.write_groups(format, start, notes, to);
        }
        let at_once = matches!(to, Destination::Memory(_)) && self.can_be_done_at_once()?;
        let source = self.table.source_of(carry, at_once)?;
        self.query.rewind()?;
        self.filter.iter_mut().try_for_each(Query::rewind)?;
        let plan = self.query.expressions.plan_with(false)?;
        let origin = source.origin();
        let layout = Layout::new(&source.schema(), &plan, origin.is_some(), evaluation.select.as_deref());
        let origin = origin.map(|origin| (origin, layout.stored.as_slice()));
        let writer = match to {
            Destination::Named => TableWriter::create_over(&evaluation.output, format, &layout.schema, origin)?,
            Destination::Memory(rows) => TableWriter::collect(rows),
        };
        let (word, of_text) = self.table.missing_words();
        let mut writer = writer.with_missing(word, of_text).with_width(evaluation.width);
        // Whoever has the input in memory may want to know which of its rows these are.
        let wants_rows = matches!(to, Destination::Memory(_)) && self.filter.is_some();
        let mut kept: Option<Vec<u64>> = wants_rows.then(Vec::new);
        let work = Work {
            rowing: Rowing::new(self.filter.as_ref(), self.is_numbered()? || wants_rows),
            query: &self.query,
            layout: &layout,
            encoder: writer.encoder(),
        };
        progress.next_pass(source.size());
        let mut summary = Summary { columns: layout.schema.fields().len(), ..Summary::default() };
        summary.delimiter = self.table.guessed_delimiter();
        let mut read = 0;
        let mut take = |part: Part| -> Result<(), EvaluationError> {
            writer.write_encoded(part.encoded)?;
            read += part.read;
            summary.rows += part.rows;
            summary.nans += part.nans;
            summary.notes.merge(part.notes);
            if let (Some(kept), Some(numbers)) = (&mut kept, part.numbers) {
                kept.extend(numbers.into_iter().map(|number| number as u64));
            }
            Ok(())
        };
        let done = if at_once {
            let mut go_on = |rows: usize| {
                progress.go_on(rows as u64, rows as u64);
                tell(&progress)
            };
            std::iter::from_fn(numbered(source)).try_for_each(|piece| take(work.piece_at_once(piece?.1, &mut go_on)?))
        } else {
            in_order(
                threads_for(&source),
                numbered(source),
                |(number, piece)| work.piece(number, piece),
                |part: Part| {
                    let (extent, rows) = (part.extent, part.rows);
                    take(part)?;
                    progress.go_on(extent, rows);
                    if tell(&progress) { Ok(()) } else { Err(EvaluationError::Stopped) }
                },
            )
        };
        // Reductions of other rows than those that are written would be wrong ones.
        match rows_before {
            Some(_) if self.table.was_changed() => return Err(self.table.changed()),
            Some(rows) if done.is_ok() && rows != read => return Err(self.table.changed()),
            None if self.table.was_overwritten() => return Err(self.table.changed()),
            _ => done?,
        }
        if evaluation.durably { writer.finish_durably() } else { writer.finish() }?;
        summary.time = start.elapsed();
        let (is_result, schema) = (layout.are_results(), layout.schema.clone());
        Ok(Done { schema, is_result, aggregated: false, kept, summary })
    }

    /// One row, or one for each group.
    fn write_groups(
        &mut self,
        format: Format,
        start: Instant,
        notes: Notes,
        to: Destination<'_>,
    ) -> Result<Done, EvaluationError> {
        let evaluation = self.table.evaluation;
        let plan = self.query.expressions.plan_with(true)?;
        let groups = plan.by.map(|by| &self.query.groups[by]);
        let count = groups.map_or(1, |groups| groups.count());
        let keys = match groups {
            Some(groups) => groups.keys()?,
            None => Some(Vec::new()),
        };
        let keys = keys.unwrap_or_else(|| evaluation.by.iter().map(|_| new_empty_array(&DataType::Utf8)).collect());
        let is_text = self.table.format.is_some_and(Format::is_text);
        let missing = evaluation.missing.clone().map_or(Missing::Usual, Missing::Words);
        // What a text table holds has the type that its groups suggest.
        let typed = |key: ArrayRef| match key.as_binary_opt::<i32>() {
            Some(texts) if is_text => column_of_texts(texts, &missing, format.is_typed()),
            _ => key,
        };
        let keys: Vec<ArrayRef> = keys.into_iter().map(typed).collect();
        let fields = evaluation.by.iter().zip(&keys).map(|(name, key)| Field::new(name, key.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let layout = Layout::new(&schema, &plan, false, evaluation.select.as_deref());
        let writer = match to {
            Destination::Named => TableWriter::create(&evaluation.output, format, &layout.schema)?,
            Destination::Memory(rows) => TableWriter::collect(rows),
        };
        let (word, of_text) = self.table.missing_words();
        let mut writer = writer.with_missing(word, of_text).with_width(evaluation.width);
        let mut summary = Summary { columns: layout.schema.fields().len(), ..Summary::default() };
        (summary.delimiter, summary.notes) = (self.table.guessed_delimiter(), notes);
        for first in (0..count).step_by(GROUPS) {
            let rows = GROUPS.min(count - first);
            let carried = match keys.is_empty() {
                true => None,
                false => {
                    let part = keys.iter().map(|key| key.slice(first, rows)).collect();
                    Some(RecordBatch::try_new(schema.clone(), part)?)
                }
            };
            let results = self.query.aggregate(first, first + rows)?;
            writer.write(&layout.assemble_from(carried.as_ref(), rows, results)?)?;
            summary.rows += rows as u64;
        }
        if evaluation.durably { writer.finish_durably() } else { writer.finish() }?;
        summary.time = start.elapsed();
        let (is_result, schema) = (layout.are_results(), layout.schema.clone());
        Ok(Done { schema, is_result, aggregated: true, kept: None, summary })
    }

    /// Whether the rows are all in memory, as numbers that need no decoding, and all of them stay: results can then be written to
    /// where they will be, on all threads, instead of piece by piece.
    fn can_be_done_at_once(&self) -> Result<bool, EvaluationError> {
        let Input::Memory(table) = &self.table.evaluation.input else { return Ok(false) };
        Ok(self.filter.is_none() && table.is_of_doubles(&self.table.used) && self.query.can_take_all()?)
    }

    fn is_numbered(&self) -> Result<bool, EvaluationError> {
        let of_filter = self.filter.as_ref().map_or(Ok(false), Query::uses_row_numbers)?;
        Ok(of_filter || self.query.uses_row_numbers()?)
    }

    /// How many passes over the data there will be, if quantiles need no more.
    fn pass_count(&self) -> Result<usize, EvaluationError> {
        let of_filter = self.filter.as_ref().map(|f| f.expressions.plan_with(true)).transpose()?;
        let of_query = self.query.expressions.plan_with(true)?.stage_count();
        Ok(of_query + of_filter.map_or(0, |plan| plan.stage_count()) + usize::from(!self.aggregates))
    }

    /// The passes over the data that reductions need before the results can be computed, and how many rows they saw.
    fn passes(
        &mut self,
        notes: &mut Notes,
        progress: &mut Progress,
        tell: &mut (dyn FnMut(&Progress) -> bool + Send),
    ) -> Result<Option<u64>, EvaluationError> {
        let numbered = self.is_numbered()?;
        let mut seen = Seen { rows: None, notes: Notes::default() };
        if let Some(filter) = &mut self.filter {
            passes(&mut self.table, filter, None, numbered, &mut seen, progress, tell)?;
        }
        passes(&mut self.table, &mut self.query, self.filter.as_mut(), numbered, &mut seen, progress, tell)?;
        *notes = seen.notes;
        Ok(seen.rows)
    }

    pub(crate) fn explain(self) -> Result<String, EvaluationError> {
        let plan = self.query.expressions.plan_with(false)?;
        let mut text = String::new();
        if let Some(filter) = &self.filter {
            text.push_str("where:\n");
            text.push_str(&describe(&*filter.expressions.plan_with(false)?, &self.table.used));
        }
        text.push_str(&describe(&plan, &self.table.used));
        if self.query.expressions.engine().device().is_some() {
            // Results of reductions stand in the text as constants; here they are not known.
            let known = vec![Reduced::default(); plan.reductions.len()];
            text.push_str("program:\n");
            text.push_str(&self.query.expressions.engine().device_text(&plan, &known)?);
        }
        Ok(text)
    }
}

/// Threads for the pieces of a source: to wake others for a few rows takes longer than to compute them.
fn threads_for(source: &Source) -> usize {
    match source.size() {
        Some(Size::Rows(rows)) if rows <= FEW_ROWS => 1,
        _ => rayon::current_num_threads(),
    }
}

/// What a pass saw.
struct Seen {
    /// How many rows.
    rows: Option<u64>,
    notes: Notes,
}

/// The passes that the reductions of a query need, over the rows that a filter leaves.
fn passes(
    table: &mut Table<'_>,
    query: &mut Query<'_>,
    mut filter: Option<&mut Query<'_>>,
    is_numbered: bool,
    seen: &mut Seen,
    progress: &mut Progress,
    tell: &mut (dyn FnMut(&Progress) -> bool + Send),
) -> Result<(), EvaluationError> {
    // Every column may have missing values: the reductions are then the same whichever batches have some.
    let plan = query.expressions.plan_with(true)?;
    for stage in 0..plan.stage_count() {
        let mut next = Some(query.expressions.engine().reduction_pass(&plan, stage, &query.known.single)?);
        while let Some(mut pass) = next {
            let source = table.source(Carry::Nothing)?;
            progress.next_pass(source.size());
            query.rewind()?;
            if let Some(filter) = filter.as_deref_mut() {
                filter.rewind()?;
            }
            let rowing = Rowing::new(filter.as_deref(), is_numbered);
            let (mut first, by) = (0, query.grouper());
            seen.notes = Notes::default();
            let done = in_order(
                threads_for(&source),
                numbered(source),
                |(number, piece)| {
                    let rows = rowing.rows(number, piece)?;
                    let local = by.local_groups(&plan, &rows.batch)?;
                    Ok((rows, local))
                },
                |(mut row, local)| {
                    if !is_numbered {
                        row.first = first;
                    }
                    first += row.read;
                    seen.notes.merge(std::mem::take(&mut row.batch.notes));
                    query.reduce(&mut pass, stage, &row.batch, &local, row.place())?;
                    progress.go_on(row.batch.extent, row.read);
                    if tell(progress) { Ok(()) } else { Err(EvaluationError::Stopped) }
                },
            );
            if table.was_changed() || seen.rows.is_some_and(|before| done.is_ok() && before != first) {
                return Err(table.changed());
            }
            done?;
            seen.rows = Some(first);
            next = pass.finish(&mut query.known);
        }
    }
    Ok(())
}

impl Table<'_> {
    /// Starts reading, from the beginning: what is open already, or, for another pass, the file once more.
    fn source(&mut self, carry: Carry) -> Result<Source, EvaluationError> {
        self.source_of(carry, false)
    }

    /// The same; of a table in memory in pieces that are as large as its parts, if asked for.
    fn source_of(&mut self, carry: Carry, whole: bool) -> Result<Source, EvaluationError> {
        if let Input::Rows(rows) = &self.evaluation.input {
            return Ok(Source::Rows { next: 0, end: *rows });
        }
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None if self.evaluation.input.is_stream() => return Err(EvaluationError::ReductionOverStream),
            None => self.evaluation.open()?.ok_or_else(|| self.changed())?,
        };
        if opened.stamps() != self.stamps || opened.columns() != self.columns {
            return Err(self.changed());
        }
        let (numeric, texts, only) = (self.used.clone(), self.texts.clone(), self.evaluation.select.clone());
        Ok(Source::Table(opened.batches(&Wanted { numeric, texts, carry, only, whole })?))
    }

    fn guessed_delimiter(&self) -> Option<char> {
        self.delimiter.filter(|(_, guessed)| *guessed).map(|(delimiter, _)| char::from(delimiter))
    }

    /// What stands for a missing result, and what for a missing text: for the latter nothing, if the user has not said a word,
    /// because the word that stands among the numbers of the input would be a text there.
    fn missing_words(&self) -> (&str, &str) {
        let said = self.evaluation.missing_out.as_ref();
        (said.or(self.missing_word.as_ref()).map_or("", String::as_str), said.map_or("", String::as_str))
    }

    /// Whether the input is another file than at the beginning, or was written to.
    fn was_changed(&self) -> bool {
        self.is_any(|path, stamp| FileStamp::of_path(path).ok().flatten().as_ref() != Some(stamp))
    }

    /// Whether a part of what was read, once, may be gone or torn.
    fn was_overwritten(&self) -> bool {
        self.is_any(|path, stamp| stamp.is_overwritten(path))
    }

    /// Whether something holds for a file of the input, given what it was.
    fn is_any(&self, holds: impl Fn(&Path, &FileStamp) -> bool) -> bool {
        let mut files = self.evaluation.input.paths().iter().zip(&self.stamps);
        files.any(|(path, stamp)| stamp.as_ref().is_some_and(|stamp| holds(path, stamp)))
    }

    fn changed(&self) -> EvaluationError {
        let path = self.evaluation.input.path().map_or_else(PathBuf::new, PathBuf::from);
        EvaluationError::Table(TableError::Changed { path })
    }
}

/// Whether a selection names columns of the table, of which there is a value in each row.
fn selects_columns(evaluation: &Evaluation, plan: &Plan) -> bool {
    let is_result = |name: &String| plan.outputs.iter().any(|output| output.name == *name);
    evaluation.select.as_ref().is_some_and(|select| select.iter().any(|name| !is_result(name)))
}

/// A name that the condition does not know may be that of a result.
fn about_results(error: EvaluationError, query: &Expressions<'_>) -> EvaluationError {
    match error {
        EvaluationError::Expression(e) => {
            let named = e.source.get(e.span.start..e.span.end).unwrap_or_default();
            let is_result = query.statements.iter().any(|s| s.name == named.trim_matches('`'));
            let help =
                "`--where` sees the columns of the table, not the results: write out what it is, or filter afterwards";
            EvaluationError::Expression(if is_result { e.help(help) } else { e })
        }
        other => other,
    }
}

fn no_such_column(option: &'static str, name: &str, there: &[String]) -> EvaluationError {
    let near = nearest(name, there.iter().map(String::as_str)).map(str::to_string);
    EvaluationError::NoSuchColumn { option, name: name.to_string(), near }
}
