//! Apache Parquet.

mod plain;
pub(crate) mod read;
mod shared_file;
mod types;
mod write;

use crate::arrow::array::RecordBatch;
use crate::arrow::datatypes::Schema;
use crate::batch::{Batches, Carry, Stored, Survey, Time, Wanted};
use crate::columnar::{check_wanted, names, survey, times};
use crate::error::TableError;
use crate::format::{Encode, Input, NewTable, Sink, Table, TableFormat};
use crate::write::{Encoded, Output};
use read::ParquetFile;
use std::sync::Arc;
use write::{Copied, ParquetEncoder, ParquetGroup, ParquetResults, ParquetSink};

pub(crate) struct Parquet;

pub(crate) const PARQUET: Parquet = Parquet;

impl TableFormat for Parquet {
    fn endings(&self) -> &'static [&'static str] {
        &["parquet", "pq"]
    }

    fn can_be_streamed(&self) -> bool {
        false
    }

    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError> {
        let (path, file) = input.into_file()?;
        Ok(Box::new(ParquetFile::open(path, file)?))
    }

    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError> {
        let copied = new.origin.and_then(|(origin, columns)| Some(Copied { file: origin.0?, columns }));
        Ok(Box::new(ParquetSink::new(new.path, new.out, new.schema, copied)?))
    }
}

impl Table for ParquetFile {
    fn columns(&self) -> Vec<String> {
        names(self.schema())
    }

    fn times(&self) -> Vec<Option<Time>> {
        times(self.schema())
    }

    fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        Ok(survey(self.schema(), columns))
    }

    fn batches(self: Box<Self>, wanted: &Wanted) -> Result<Batches, TableError> {
        check_wanted(self.path(), self.schema(), wanted)?;
        let schema = if wanted.carry == Carry::Nothing { Arc::new(Schema::empty()) } else { self.schema().clone() };
        Ok(ParquetFile::batches(*self, schema, wanted))
    }
}

/// Rows in the form in which they are written.
enum ParquetRows {
    /// A whole group.
    Group(ParquetGroup),
    /// Results beside columns that are copied.
    Results(ParquetResults),
    /// Too few for a group: they are collected.
    Rows(RecordBatch),
}

impl Encode for ParquetEncoder {
    fn encode(&self, stored: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        Ok(Encoded::new(match stored {
            Some(Stored::Rows(rows)) => ParquetRows::Results(self.encode_results(*rows, &batch)?),
            _ if self.is_group(&batch) => ParquetRows::Group(self.encode_group(&[batch])?),
            _ => ParquetRows::Rows(batch),
        }))
    }
}

impl Sink for ParquetSink<Output> {
    fn encoder(&self) -> Arc<dyn Encode> {
        Arc::new(ParquetSink::encoder(self))
    }

    fn write(&mut self, rows: Encoded) -> Result<(), TableError> {
        match rows.of(self.path())? {
            ParquetRows::Group(group) => self.write_group(group),
            ParquetRows::Results(results) => self.write_results(results),
            ParquetRows::Rows(batch) => self.write_rows(batch),
        }
    }

    fn finish(self: Box<Self>) -> Result<Output, TableError> {
        ParquetSink::finish(*self)
    }
}
