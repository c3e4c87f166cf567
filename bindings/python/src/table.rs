//! Tables in memory, for Python: columns in, columns out, and the Arrow PyCapsule interface.

use crate::{arrow_memory, errors};
use gristmill::tables::io::MemoryTable;
use gristmill::tables::io::arrow::array::RecordBatch;
use gristmill::tables::io::arrow::compute::{concat, concat_batches};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

/// Columns of one length.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct Table(pub(crate) MemoryTable);

#[pymethods]
impl Table {
    /// Of columns that were sorted out: `(name, kind, values, mask, more)`.
    #[staticmethod]
    fn of_columns(rows: usize, columns: &Bound<'_, PyList>) -> PyResult<Table> {
        arrow_memory::table_of_columns(rows, columns).map(Table)
    }

    /// Of something with the Arrow PyCapsule interface.
    #[staticmethod]
    fn of_capsules(object: &Bound<'_, PyAny>) -> PyResult<Table> {
        arrow_memory::table_of_capsules(object).map(Table)
    }

    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.schema().fields().iter().map(|field| field.name().as_str()).collect()
    }

    #[getter]
    fn types(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.data_type().to_string()).collect()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.rows()
    }

    /// The values of a column, where they are missing, and the unit of times. A result that is `ours`, of which nobody else will
    /// ask, may be the table's own memory.
    #[pyo3(signature = (place, ours=false))]
    fn column<'py>(&self, py: Python<'py>, place: usize, ours: bool) -> PyResult<arrow_memory::Values<'py>> {
        let Some(field) = self.0.schema().fields().get(place) else {
            return Err(PyKeyError::new_err(format!("there is no column {place}")));
        };
        let parts: Vec<_> = self.0.batches().iter().map(|batch| batch.column(place).clone()).collect();
        if let Some(doubles) = arrow_memory::doubles_of(py, &parts, ours)? {
            return Ok((doubles, None, None));
        }
        let column = match parts.as_slice() {
            [] => gristmill::tables::io::arrow::array::new_empty_array(field.data_type()),
            [one] => one.clone(),
            many => {
                let many: Vec<_> = many.iter().map(AsRef::as_ref).collect();
                concat(&many).map_err(|e| errors::value(&e))?
            }
        };
        arrow_memory::values_of(py, &column)
    }

    /// Only these columns, in one part.
    fn select(&self, py: Python<'_>, places: Vec<usize>) -> PyResult<Table> {
        py.detach(|| {
            let schema = self.0.schema().project(&places).map_err(|e| errors::value(&e))?;
            let schema = std::sync::Arc::new(schema);
            let parts = self.0.batches().iter().map(|batch| batch.project(&places));
            let parts: Vec<RecordBatch> = parts.collect::<Result<_, _>>().map_err(|e| errors::value(&e))?;
            let batches = match parts.len() {
                0 | 1 => parts,
                _ => vec![concat_batches(&schema, &parts).map_err(|e| errors::value(&e))?],
            };
            MemoryTable::new(schema, batches).map(Table).map_err(|e| errors::of_table(&e))
        })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer ignore what it cannot do.
        let _ = requested_schema;
        arrow_memory::stream(py, &self.0)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow_memory::schema(py, &self.0)
    }
}
