//! NumPy's files: arrays (`.npy`) and archives of them (`.npz`), as arrays and as tables.

mod array;
mod spool;
mod table;
mod zip;

pub use array::*;

use crate::arrow::array::RecordBatch;
use crate::batch::{Batches, Stored, Survey, Wanted};
use crate::error::TableError;
use crate::format::{Encode, Input, NewTable, Sink, Table, TableFormat};
use crate::write::{Encoded, Output};
use std::path::Path;
use std::sync::Arc;
use table::{NpyEncoder, NpySink, NpyTable};

/// One array, or an archive with an array for each column.
pub(crate) struct NumPy {
    ending: &'static [&'static str],
    apart: bool,
}

pub(crate) const NPY: NumPy = NumPy { ending: &["npy"], apart: false };
pub(crate) const NPZ: NumPy = NumPy { ending: &["npz"], apart: true };

impl TableFormat for NumPy {
    fn endings(&self) -> &'static [&'static str] {
        self.ending
    }

    fn can_be_streamed(&self) -> bool {
        !self.apart
    }

    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError> {
        Ok(Box::new(match input.file {
            Some(file) if !self.apart && input.stamp.is_some() => NpyTable::from_file(input.path, file)?,
            file if !self.apart => NpyTable::from_stream(input.path, Input::stream(file))?,
            _ => {
                let (path, file) = input.into_file()?;
                NpyTable::from_archive(path, file)?
            }
        }))
    }

    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError> {
        // Beside the output, where there is room for it, unless that is a device or a pipe.
        let folder = new.out.folder().map(Path::to_path_buf);
        Ok(Box::new(NpySink::new(new.path, folder.as_deref(), new.out, new.schema, self.apart)?))
    }
}

impl Table for NpyTable {
    fn columns(&self) -> Vec<String> {
        NpyTable::columns(self)
    }

    fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        let truth = self.truth_columns();
        Ok(Survey { truth: columns.iter().map(|name| truth.contains(name.as_str())).collect(), ..Survey::default() })
    }

    fn batches(self: Box<Self>, wanted: &Wanted) -> Result<Batches, TableError> {
        NpyTable::batches(*self, wanted)
    }
}

impl Encode for NpyEncoder {
    fn encode(&self, _: Option<&Stored>, batch: RecordBatch) -> Result<Encoded, TableError> {
        Ok(Encoded::new(self.encode_rows(&batch)?))
    }
}

impl Sink for NpySink<Output> {
    fn encoder(&self) -> Arc<dyn Encode> {
        Arc::new(NpySink::encoder(self))
    }

    fn write(&mut self, rows: Encoded) -> Result<(), TableError> {
        let rows = rows.of(self.path())?;
        NpySink::write(self, rows).map_err(|cause| TableError::Write { path: self.path().to_path_buf(), cause })
    }

    fn finish(self: Box<Self>) -> Result<Output, TableError> {
        let path = self.path().to_path_buf();
        NpySink::finish(*self).map_err(|cause| TableError::Write { path, cause })
    }
}
