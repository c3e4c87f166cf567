//! Where tables come from: a file, several with the same columns, or standard input.

use crate::batch::{Batches, Carry, Piece, Size, Survey, Time, Wanted};
use crate::compression::Compression;
use crate::csv::types::{Kinds, Missing};
use crate::error::TableError;
use crate::format::{Format, Input, Table};
use crate::memory::MemoryTable;
use crate::stamp::FileStamp;
use std::fs::File;
use std::path::{Path, PathBuf};

/// How to read, where the name of a table does not tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The format.
    pub format: Option<Format>,
    /// What separates the fields of a text table; if not given, what its name says or, if its header has no comma, what
    /// its header suggests.
    pub delimiter: Option<u8>,
    /// Whether a text table starts with its first row: its columns are then called `V1`, `V2` and so on.
    pub no_header: bool,
}

/// A table whose column names are known and whose rows are not yet read.
#[derive(Debug)]
pub struct Opened {
    columns: Vec<String>,
    format: Format,
    table: Box<dyn Table>,
    stamps: Vec<Option<FileStamp>>,
    /// The files whose rows follow, each opened when it is its turn.
    rest: Vec<PathBuf>,
    path: PathBuf,
    options: ReadOptions,
    missing: Option<Missing>,
}

/// Opens a table; `-` is standard input, for which the format has to be given.
///
/// # Errors
/// When it cannot be opened, or is no table.
pub fn open(path: &Path, format: Option<Format>) -> Result<Opened, TableError> {
    open_all(&[path.to_path_buf()], &ReadOptions { format, ..ReadOptions::default() })
}

/// Opens tables with the same columns as one: the rows of the first, then those of the second, and so on.
///
/// # Errors
/// When there is none, or one cannot be opened or is no table. What the others hold is found out when they are read.
pub fn open_all(paths: &[PathBuf], options: &ReadOptions) -> Result<Opened, TableError> {
    let [path, rest @ ..] = paths else { return Err(TableError::Empty { path: PathBuf::new() }) };
    let (table, format, stamp) = open_one(path, options)?;
    let of_path =
        |path: &PathBuf| FileStamp::of_path(path).map_err(|cause| TableError::Open { path: path.clone(), cause });
    let mut stamps = vec![stamp];
    for path in rest {
        stamps.push(of_path(path)?);
    }
    let columns = table.columns();
    let (path, rest, options) = (path.clone(), rest.to_vec(), options.clone());
    Ok(Opened { columns, format, table, stamps, rest, path, options, missing: None })
}

/// A table that is in memory already. It can be opened again for another pass, and messages call it "the table".
pub fn open_memory(table: &MemoryTable) -> Opened {
    let (options, path) = (ReadOptions::default(), PathBuf::from(crate::memory::NAME));
    let (columns, table) = (table.columns(), Box::new(table.clone()));
    // Its columns have Arrow's types.
    let format = Format::Arrow;
    Opened { columns, format, table, stamps: vec![None], rest: Vec::new(), path, options, missing: None }
}

/// A table, its format, and what its file was.
type OpenedOne = (Box<dyn Table>, Format, Option<FileStamp>);

fn open_one(path: &Path, options: &ReadOptions) -> Result<OpenedOne, TableError> {
    let is_stdin = path == Path::new("-");
    let format = match options.format {
        Some(format) => format,
        None if is_stdin => Format::Csv,
        None => Format::of_path(path)?,
    };
    let name = if is_stdin { PathBuf::from("standard input") } else { path.to_path_buf() };
    // Looked at before it is opened: to open a pipe is to wait for somebody to write to it.
    let is_stream = is_stdin || std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_stream && !format.implementation().can_be_streamed() {
        return Err(TableError::NotFromStream { format });
    }
    let mut file = match is_stdin {
        true => None,
        false => Some(File::open(path).map_err(|cause| TableError::Open { path: path.to_path_buf(), cause })?),
    };
    if let Some(file) = file.as_mut().filter(|_| !format.implementation().can_be_compressed()) {
        let found = Compression::of_file(file).map_err(|cause| TableError::Read { path: name.clone(), cause })?;
        if let Some(compression) = found {
            return Err(TableError::CompressedAsAWhole { path: name, format, compression });
        }
    }
    let stamp = file.as_ref().and_then(FileStamp::of_file);
    let input = Input { path: name, file, stamp: stamp.clone(), format, options: options.clone() };
    Ok((format.implementation().open(input)?, format, stamp))
}

impl Opened {
    /// The names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// For each column what it counts, if it holds dates or times.
    pub fn times(&self) -> Vec<Option<Time>> {
        self.table.times()
    }

    /// The format that it is read in; of several files that of the first.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether the rows come from more than one file.
    pub fn is_several(&self) -> bool {
        !self.rest.is_empty()
    }

    /// What separates the fields of a text table, and whether that was guessed.
    pub fn delimiter(&self) -> Option<(u8, bool)> {
        self.table.delimiter()
    }

    /// What each file was when it was opened; `None` for a stream.
    pub fn stamps(&self) -> &[Option<FileStamp>] {
        &self.stamps
    }

    /// Says what stands for missing values in a text table; other formats say so themselves.
    #[must_use]
    pub fn with_missing(mut self, missing: Missing) -> Opened {
        self.table.set_missing(missing.clone());
        self.missing = Some(missing);
        self
    }

    /// Looks at some columns before the rows are read. Of a text table the first rows are looked at; where they leave open
    /// whether a column holds truth values, all of it is: a file is read once more, a stream is stored in a temporary file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        let mut survey = self.table.survey(columns)?;
        for path in &self.rest {
            let of_next =
                next_table(path, &self.options, self.missing.as_ref(), &self.columns, &self.path)?.survey(columns)?;
            survey.truth.iter_mut().zip(of_next.truth).for_each(|(all, next)| *all &= next);
            survey.text.iter_mut().zip(of_next.text).for_each(|(all, next)| *all |= next);
            survey.missing = survey.missing.or(of_next.missing);
        }
        Ok(survey)
    }

    /// Starts reading.
    ///
    /// # Errors
    /// When a wanted column is not there, or holds something else.
    pub fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        let paths: Vec<PathBuf> = std::iter::once(&self.path).chain(&self.rest).cloned().collect();
        let stamps = self.stamps.clone();
        let mut batches = self.unwatched_batches(wanted)?;
        let overwritten = move || {
            let mut files = paths.into_iter().zip(&stamps);
            let (path, _) = files.find(|(path, stamp)| stamp.as_ref().is_some_and(|s| s.is_overwritten(path)))?;
            Some(Err(TableError::Changed { path }))
        };
        // Asked when the last piece has been read.
        batches.next = Box::new(batches.next.chain(std::iter::once_with(overwritten).flatten()));
        Ok(batches)
    }

    fn unwatched_batches(mut self, wanted: &Wanted) -> Result<Batches, TableError> {
        let next = |path: &PathBuf| next_table(path, &self.options, self.missing.as_ref(), &self.columns, &self.path);
        // The type of a column is that of the values of all files.
        let mut kinds: Option<Vec<Kinds>> = None;
        if wanted.carry == Carry::TypedColumns && !self.rest.is_empty() {
            kinds = self.table.kinds()?;
            for path in &self.rest {
                let of_next = next(path)?.kinds()?.unwrap_or_default();
                kinds.iter_mut().flatten().zip(of_next).for_each(|(all, next)| *all = all.and(next));
            }
            if let Some(kinds) = &kinds {
                self.table.set_kinds(kinds.clone());
            }
        }
        let Opened { table, rest, path, options, missing, columns, stamps, .. } = self;
        let mut batches = table.batches(wanted)?;
        if rest.is_empty() {
            return Ok(batches);
        }
        // Of files that are not yet open only their length is known.
        let length = |stamps: &[Option<FileStamp>]| {
            stamps.iter().map(|stamp| stamp.as_ref().map(FileStamp::length)).sum::<Option<u64>>()
        };
        batches.size = match batches.size {
            Some(Size::Bytes(_)) => length(&stamps).map(Size::Bytes),
            _ => None,
        };
        let (schema, wanted) = (batches.schema.clone(), wanted.clone());
        let open =
            move |at: &PathBuf| -> Result<Box<dyn Iterator<Item = Result<Piece, TableError>> + Send>, TableError> {
                let mut table = next_table(at, &options, missing.as_ref(), &columns, &path)?;
                if let Some(kinds) = &kinds {
                    table.set_kinds(kinds.clone());
                }
                let batches = table.batches(&wanted)?;
                let types = |schema: &crate::arrow::datatypes::Schema| -> Vec<_> {
                    schema.fields().iter().map(|f| f.data_type().clone()).collect()
                };
                if types(&batches.schema) != types(&schema) {
                    return Err(TableError::OtherColumns { path: at.clone(), first: path.clone() });
                }
                Ok(batches.next)
            };
        let rest = rest.into_iter().flat_map(move |path| match open(&path) {
            Ok(pieces) => pieces,
            Err(e) => Box::new(std::iter::once(Err(e))),
        });
        // After an error there is no more.
        let mut failed = false;
        let all = batches.next.chain(rest).take_while(move |piece| {
            let go_on = !failed;
            failed |= piece.is_err();
            go_on
        });
        batches.next = Box::new(all);
        Ok(batches)
    }
}

/// Opens another file of the same table.
fn next_table(
    path: &Path,
    options: &ReadOptions,
    missing: Option<&Missing>,
    columns: &[String],
    first: &Path,
) -> Result<Box<dyn Table>, TableError> {
    let (mut table, _, _) = open_one(path, options)?;
    if table.columns() != columns {
        return Err(TableError::OtherColumns { path: path.to_path_buf(), first: first.to_path_buf() });
    }
    if let Some(missing) = missing {
        table.set_missing(missing.clone());
    }
    Ok(table)
}
