//! What stands in for a format whose feature this build lacks: it is known by its name, and every use of it says what is missing.

use crate::error::TableError;
use crate::format::{Input, NewTable, Sink, Table, TableFormat};

/// A format that was left out.
pub(crate) struct Absent {
    endings: &'static [&'static str],
    feature: &'static str,
}

impl TableFormat for Absent {
    fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    fn open(&self, input: Input) -> Result<Box<dyn Table>, TableError> {
        Err(TableError::LeftOut { path: input.path, feature: self.feature })
    }

    fn create(&self, new: NewTable<'_>) -> Result<Box<dyn Sink>, TableError> {
        Err(TableError::LeftOut { path: new.path, feature: self.feature })
    }
}

#[cfg(not(feature = "arrow"))]
pub(crate) mod ipc {
    use super::Absent;

    pub(crate) const ARROW: Absent = Absent { endings: &["arrow", "feather", "ipc"], feature: "arrow" };
}

#[cfg(not(feature = "parquet"))]
pub(crate) mod parquet {
    use super::Absent;

    pub(crate) const PARQUET: Absent = Absent { endings: &["parquet", "pq"], feature: "parquet" };

    pub(crate) mod read {
        /// No file can be open.
        #[derive(Debug)]
        pub(crate) enum ParquetFile {}

        /// No row can come from one.
        #[derive(Debug, Clone, Copy)]
        pub enum StoredRows {}
    }
}
