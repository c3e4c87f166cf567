//! Libraries of annotated OpenCL C, and the kernels of this package as OpenCL C.

use crate::errors;
use gristmill::cl_library::{
    Diagnostic, Folder, Index, LibraryError, Packages, PreludeRequest, ProgramRequest, Severity, Shard, Subset,
    check_library, check_program, strict_findings,
};
use gristmill::kernel_cl::Assembly;
use gristmill_nmath::KERNELS;
use gristmill_support::nearest;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

fn packages() -> Packages {
    Packages::from_env(gristmill::BUILTIN_PACKAGES)
}

fn failed(error: LibraryError) -> PyErr {
    let text = errors::text(&error);
    match std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<std::io::Error>()) {
        Some(cause) if cause.kind() == std::io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        Some(_) => PyOSError::new_err(text),
        None => PyValueError::new_err(text),
    }
}

/// A folder of annotated `.cl` files.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct Library {
    name: String,
    folder: Folder,
    library: gristmill::cl_library::Library,
}

#[pymethods]
impl Library {
    #[new]
    fn new(py: Python<'_>, name: String) -> PyResult<Library> {
        py.detach(|| {
            let folder = packages().folder(&name, None)?;
            let library = folder.library()?;
            Ok(Library { name, folder, library })
        })
        .map_err(failed)
    }

    #[getter]
    fn name(&self) -> &str {
        self.library.name()
    }

    #[getter]
    fn path(&self) -> String {
        self.folder.shown()
    }

    #[getter]
    fn stems(&self) -> Vec<&str> {
        self.library.shards().iter().map(Shard::stem).collect()
    }

    /// The text of a file.
    fn text(&self, stem: &str) -> PyResult<&str> {
        let found = self.library.shard(stem);
        found.map(Shard::text).ok_or_else(|| {
            let near = nearest(stem, self.library.shards().iter().map(Shard::stem));
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            PyKeyError::new_err(format!("`{stem}` is no file of `{}`{help}", self.library.name()))
        })
    }

    /// The files, each behind those that it needs.
    fn order(&self) -> PyResult<Vec<String>> {
        let order = self.library.order().map_err(failed)?;
        Ok(order.shards(&self.library).map(|shard| shard.stem().to_string()).collect())
    }

    /// The text of all files, in order.
    fn load(&self) -> PyResult<String> {
        self.library.load().map_err(failed)
    }

    /// For each file, in order, all that it needs.
    fn index(&self) -> PyResult<Vec<(String, Vec<String>)>> {
        let index = Index::of_library(&self.library).map_err(failed)?;
        Ok(index.rows().iter().map(|row| (row.stem.clone(), row.all_depends.clone())).collect())
    }

    /// For each file what it needs directly.
    fn edges(&self) -> Vec<(String, Vec<String>)> {
        let needs = |i: usize| self.library.stems(self.library.graph().needs(i));
        self.library.shards().iter().enumerate().map(|(i, shard)| (shard.stem().to_string(), needs(i))).collect()
    }

    /// The files that provide these names, and what those need, in order.
    fn closure(&self, names: Vec<String>) -> PyResult<Vec<String>> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let shards = self.library.closure(&names).map_err(failed)?;
        Ok(shards.into_iter().map(|shard| shard.stem().to_string()).collect())
    }

    /// Copies what kernels need into a folder, with an index for just that.
    fn subset(
        &self,
        py: Python<'_>,
        kernels: Vec<String>,
        dest: PathBuf,
        tag: Option<String>,
        overwrite: bool,
        plan: bool,
    ) -> PyResult<Vec<(String, PathBuf, PathBuf, bool)>> {
        py.detach(|| {
            let packages = packages();
            let read = |name: &String| Ok(packages.file(name, None)?.0);
            let kernels: Vec<Shard> = kernels.iter().map(read).collect::<Result<_, LibraryError>>()?;
            let subset = Subset { tag: tag.as_deref(), overwrite, plan_only: plan };
            let rows = subset.extract(&kernels, &self.folder, &dest)?;
            Ok(rows.into_iter().map(|row| (row.stem, row.source, row.dest, row.copied)).collect())
        })
        .map_err(failed)
    }

    /// What is wrong with it.
    fn check<'py>(&self, py: Python<'py>, strict: bool) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let folder = std::slice::from_ref(&self.folder);
        let prelude = PreludeRequest::default().load(&packages(), folder, None).unwrap_or_default();
        let mut found = py.detach(|| check_library(&self.library, &prelude));
        if strict {
            found.extend(strict_findings(&self.library));
        }
        found.iter().map(|finding| described(py, finding)).collect()
    }

    /// One text for the device: what comes first, what the kernel needs of this library, and the kernel.
    fn program(
        &self,
        py: Python<'_>,
        kernel: String,
        tag: Option<String>,
        defines: Vec<(String, String)>,
        check: bool,
    ) -> PyResult<String> {
        let request = ProgramRequest {
            kernel,
            libraries: vec![self.name.clone()],
            tags: tag.map(|tag| (None, tag)).into_iter().collect(),
            ..ProgramRequest::default()
        };
        let (text, found) = py
            .detach(|| {
                let program = request.assemble(&packages())?.program;
                let found = if check { check_program(&program, &defines) } else { Vec::new() };
                Ok((program.text(), found))
            })
            .map_err(failed)?;
        let errors: Vec<String> = found
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| match &finding.place {
                Some(place) => format!("{}:{}: {}", place.file, place.line, finding.message),
                None => finding.message.clone(),
            })
            .collect();
        if errors.is_empty() { Ok(text) } else { Err(PyValueError::new_err(errors.join("\n"))) }
    }
}

fn described<'py>(py: Python<'py>, finding: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("code", finding.code)?;
    dict.set_item("severity", finding.severity.name())?;
    dict.set_item("message", &finding.message)?;
    dict.set_item("file", finding.place.as_ref().map(|place| place.file.clone()))?;
    dict.set_item("line", finding.place.as_ref().map(|place| place.line))?;
    dict.set_item("column", finding.place.as_ref().map(|place| place.column))?;
    dict.set_item("help", finding.help.clone())?;
    Ok(dict)
}

/// OpenCL C of a kernel with everything that it needs, and the name of its elementwise entry point.
#[pyfunction]
pub(crate) fn kernel_source(name: &str) -> PyResult<(String, String)> {
    let of_r = |name: &str| {
        let function = gristmill::engine::expr::functions::function(name)?;
        function.kernels().iter().rev().find_map(|name| gristmill_nmath::kernel(name))
    };
    let found = gristmill_nmath::kernel(name)
        .or_else(|| KERNELS.iter().find(|function| function.c_name() == name).copied())
        .or_else(|| of_r(name));
    let Some(function) = found else {
        let near = nearest(name, KERNELS.iter().map(|function| function.name()));
        let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(PyValueError::new_err(format!("no kernel is called `{name}`{help}")));
    };
    let mut program = Assembly::new();
    let entry = program.add_map(function.shard());
    Ok((program.text(), entry))
}
