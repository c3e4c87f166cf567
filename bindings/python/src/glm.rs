//! Generalized linear models: formulas over tables, fits, and the posterior over grids.

use crate::device_array::DeviceArray;
use crate::table::Table;
use crate::{devices, errors, work};
use gristmill::cli::glm::{Printed, predictions, read_table};
use gristmill::glm::formula::{Design, Formula, Roles};
use gristmill::glm::{
    Curvature, Family, Fit, FitOutcome, GlmData, GlmError, Matrix, Model, Partial, SparseMatrix, Summary, Variance,
};
use gristmill::tables::io::open_memory;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use std::path::Path;
use std::sync::Arc;

/// Family, link and what else a model is.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ModelOptions {
    family: String,
    link: Option<String>,
    variance: Option<String>,
    size: Option<f64>,
    constants: bool,
}

impl ModelOptions {
    fn family(&self) -> PyResult<Family> {
        self.family.parse().map_err(|e: GlmError| errors::of_glm(&e))
    }

    fn model(&self) -> PyResult<Model> {
        let of_glm = |e: GlmError| errors::of_glm(&e);
        let family = self.family()?;
        let link = self.link.as_ref().map(|l| l.parse().map_err(of_glm)).transpose()?;
        let variance: Option<Variance> = self.variance.as_ref().map(|v| v.parse().map_err(of_glm)).transpose()?;
        if variance.is_some() && family != Family::Quasi {
            return Err(PyValueError::new_err(format!(
                "`variance` was given, but only the family `quasi` has one, not `{family}`"
            )));
        }
        // Until it is estimated, any size does.
        let size = self.size.or((family == Family::NegativeBinomial).then_some(1.0));
        let model = match family {
            Family::Quasi => Ok(Model::quasi(variance.unwrap_or(Variance::Constant), link)),
            family => Model::new(family, link, size),
        };
        let model = model.map_err(of_glm)?;
        Ok(if self.constants { model.with_constants() } else { model })
    }
}

/// Numbers of an array, in the order of its elements.
fn numbers(array: &PyReadonlyArray1<'_, f64>) -> Vec<f64> {
    array.as_array().to_vec()
}

/// A matrix with its numbers.
struct Owned {
    data: Vec<f64>,
    rows: usize,
    columns: usize,
}

impl Owned {
    fn of(array: &PyReadonlyArray2<'_, f64>) -> Owned {
        let view = array.as_array();
        Owned { data: view.iter().copied().collect(), rows: view.nrows(), columns: view.ncols() }
    }

    fn matrix(&self) -> Result<Matrix<'_>, GlmError> {
        Matrix::row_major(&self.data, self.rows, self.columns)
    }
}

/// A matrix that Python gave as it is: read without a copy where it is contiguous.
fn with_matrix<R>(
    array: &PyReadonlyArray2<'_, f64>,
    f: impl FnOnce(Matrix<'_>) -> Result<R, GlmError>,
) -> Result<R, GlmError> {
    let (rows, columns) = (array.shape()[0], array.shape()[1]);
    match array.as_slice() {
        Ok(data) if array.is_c_contiguous() => f(Matrix::row_major(data, rows, columns)?),
        Ok(data) => f(Matrix::column_major(data, rows, columns)?),
        Err(_) => f(Owned::of(array).matrix()?),
    }
}

/// A formula's matrix and what belongs to it.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct GlmDesign {
    formula: Formula,
    roles: Roles,
    design: Arc<Design>,
}

#[pymethods]
impl GlmDesign {
    #[new]
    fn new(
        py: Python<'_>,
        formula: String,
        table: PyRef<'_, Table>,
        weights: Option<String>,
        offset: Option<String>,
        binomial: bool,
    ) -> PyResult<GlmDesign> {
        let table = table.0.clone();
        let task = move |_: &work::Stop| -> Result<GlmDesign, String> {
            let text = |e: &dyn std::error::Error| errors::text(e);
            let opened = open_memory(&table);
            let formula = Formula::parse(&formula, opened.columns()).map_err(|e| text(&e))?;
            let roles = Roles { weights, offset, binomial };
            let names = formula.names_used(&roles).map_err(|e| text(&e))?;
            let table = read_table(opened, &names, Path::new("the table"), true).map_err(|e| text(e.as_ref()))?;
            let design = Arc::new(formula.design(&table, &roles).map_err(|e| text(&e))?);
            Ok(GlmDesign { formula, roles, design })
        };
        work::run(py, task, |_| Ok(()))?.map_err(PyValueError::new_err)
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.design.names.clone()
    }

    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.design.rows.iter().map(|row| *row as i64 - 1).collect())
    }

    #[getter]
    fn dropped(&self) -> usize {
        self.design.dropped
    }

    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (rows, columns) = (self.design.y.len(), self.design.names.len());
        let by_columns = PyArray1::from_slice(py, &self.design.x.dense()).reshape([columns, rows])?;
        by_columns.transpose()
    }

    #[getter]
    fn response<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.design.y)
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.design.weights)
    }

    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.design.offset)
    }

    /// The fit with this prior, whose precision is row-major.
    fn fit(
        slf: Bound<'_, Self>,
        model: ModelOptions,
        dispersion: Option<f64>,
        prior_mean: Vec<f64>,
        prior_precision: Vec<f64>,
    ) -> PyResult<GlmFit> {
        let (py, design) = (slf.py(), slf.get().design.clone());
        if let Some(value) = dispersion {
            let family = model.family()?;
            if !(value > 0.0 && value.is_finite()) {
                return Err(PyValueError::new_err(format!("`dispersion` is {value}, but must be positive and finite")));
            }
            if !family.has_dispersion() {
                return Err(PyValueError::new_err(format!(
                    "`dispersion` was given, but the family `{family}` has none"
                )));
            }
        }
        let estimates_size = model.family()? == Family::NegativeBinomial && model.size.is_none();
        let model = model.model()?;
        let rows = design.clone();
        let task = move |stop: &work::Stop| {
            fit(&design, model, dispersion, &prior_mean, &prior_precision, estimates_size, stop)
        };
        let fitted = work::run(py, task, |_| Ok(()))?.map_err(|e| explained(e, &rows))?;
        Ok(GlmFit { design: slf.unbind(), fitted: Arc::new(fitted) })
    }
}

/// Rows in errors are rows of the table, not of what is left of it.
fn explained(error: GlmError, design: &Design) -> PyErr {
    let table_row = |row: usize| design.rows.get(row).map_or(row, |r| r - 1);
    errors::of_glm(&match error {
        GlmError::Response { model, row, value, weight } => {
            GlmError::Response { model, row: table_row(row), value, weight }
        }
        GlmError::Weight { family, row, value } => GlmError::Weight { family, row: table_row(row), value },
        other => other,
    })
}

struct Fitted {
    data: GlmData,
    /// Stops what is computed from the data.
    stop: work::Stop,
    fit: Fit,
    summary: Summary,
    size_sd: Option<f64>,
    size_found: bool,
    flat: bool,
    dispersion: Option<f64>,
}

/// As the command fits: with a flat prior the dispersion is R's, which scales the covariance; with another one it divides the
/// weights.
fn fit(
    design: &Design,
    model: Model,
    dispersion: Option<f64>,
    prior_mean: &[f64],
    prior_precision: &[f64],
    estimates_size: bool,
    stop: &work::Stop,
) -> Result<Fitted, GlmError> {
    let flat = prior_precision.iter().all(|p| *p == 0.0);
    let n = design.names.len();
    let make = |weights: &[f64]| {
        let precision = Matrix::row_major(prior_precision, n, n)?;
        let data = design.builder(model)?.weights(weights).prior_mean(prior_mean);
        Ok::<_, GlmError>(data.prior_precision(precision).build()?.stopped_by(stop.flag()))
    };
    let mut data = make(&design.weights)?;
    if let Some(dispersion) = dispersion.filter(|d| !flat && *d != 1.0) {
        let scaled: Vec<f64> = design.weights.iter().map(|w| w / dispersion).collect();
        data = make(&scaled)?;
    }
    let (mut size_sd, mut size_found) = (None, true);
    let (data, fit) = if estimates_size {
        let found = data.fit_negative_binomial()?;
        (size_sd, size_found) = (Some(found.size_sd), found.converged);
        (found.data, found.fit)
    } else {
        let fit = data.fit()?;
        (data, fit)
    };
    let summary = data.summary(&fit, design.intercept, dispersion.filter(|_| flat));
    Ok(Fitted { data, stop: stop.clone(), fit, summary, size_sd, size_found, flat, dispersion })
}

/// A fitted model.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct GlmFit {
    design: Py<GlmDesign>,
    fitted: Arc<Fitted>,
}

impl GlmFit {
    fn printed(&self) -> Printed<'_> {
        let (design, fitted) = (self.design.get(), &*self.fitted);
        Printed {
            names: &design.design.names,
            model: fitted.data.model(),
            fit: &fitted.fit,
            summary: &fitted.summary,
            dropped: design.design.dropped,
            dispersion: fitted.dispersion,
            size_sd: fitted.size_sd,
        }
    }

    /// What the covariance of the expected information is multiplied by.
    fn scale(&self) -> f64 {
        if self.fitted.flat { self.fitted.summary.dispersion } else { 1.0 }
    }
}

#[pymethods]
impl GlmFit {
    #[getter]
    fn design(&self, py: Python<'_>) -> Py<GlmDesign> {
        self.design.clone_ref(py)
    }

    /// As R's `summary` prints it.
    fn text(&self) -> String {
        self.printed().text()
    }

    /// All numbers of the fit, by name.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Fitted { fit, summary, data, .. } = &*self.fitted;
        let printed = self.printed();
        let dict = PyDict::new(py);
        let column = |of: fn(&gristmill::glm::CoefficientSummary) -> f64| -> Bound<'py, PyArray1<f64>> {
            PyArray1::from_vec(py, summary.coefficients.iter().map(of).collect())
        };
        dict.set_item("coef", column(|c| c.estimate))?;
        dict.set_item("bse", column(|c| c.sd))?;
        dict.set_item("statistics", column(|c| c.z))?;
        dict.set_item("pvalues", column(|c| c.p))?;
        let n = fit.coefficients.len();
        let covariance = if self.fitted.flat { &fit.expected_covariance } else { &fit.covariance };
        let scale = self.scale();
        let vcov: Vec<f64> = covariance.iter().map(|v| v * scale).collect();
        dict.set_item("vcov", PyArray1::from_vec(py, vcov).reshape([n, n])?)?;
        dict.set_item("test", if summary.estimated { "t" } else { "z" })?;
        dict.set_item("is_posterior", summary.curvature == Curvature::Exact)?;
        dict.set_item("dispersion", summary.dispersion)?;
        dict.set_item("dispersion_estimated", summary.estimated)?;
        dict.set_item("deviance", summary.deviance)?;
        dict.set_item("null_deviance", summary.null_deviance)?;
        dict.set_item("df_residual", summary.residual_degrees)?;
        dict.set_item("df_null", summary.null_degrees)?;
        dict.set_item("aic", printed.aic())?;
        dict.set_item("bic", printed.bic())?;
        dict.set_item("negative_log_posterior", fit.value)?;
        dict.set_item("iterations", fit.iterations)?;
        dict.set_item("converged", fit.converged() && self.fitted.size_found)?;
        dict.set_item("aliased", fit.aliased.clone())?;
        dict.set_item("rows", data.rows())?;
        dict.set_item("family", data.model().family().name())?;
        dict.set_item("link", data.model().link().name())?;
        dict.set_item("size", data.model().size())?;
        dict.set_item("size_sd", self.fitted.size_sd)?;
        Ok(dict)
    }

    /// What makes the numbers something else than they seem.
    fn problems(&self) -> Vec<String> {
        let Fitted { fit, summary, .. } = &*self.fitted;
        let names = &self.design.get().design.names;
        let named = |which: &[usize]| -> String {
            which.iter().map(|j| format!("`{}`", names[*j])).collect::<Vec<_>>().join(", ")
        };
        let mut all = Vec::new();
        let aliased: Vec<usize> = (0..fit.aliased.len()).filter(|j| fit.aliased[*j]).collect();
        if !aliased.is_empty() {
            all.push(format!("{}: no value of its own, because it depends on columns before it", named(&aliased)));
        }
        match &fit.outcome {
            FitOutcome::Converged => {}
            FitOutcome::Separated { coefficients } => all.push(format!(
                "the likelihood has no maximum: it rises without end along {}, by which the responses are separated; the \
                 values are those where the search stopped. `prior` makes them finite",
                named(coefficients)
            )),
            FitOutcome::NotConverged { last_step } => all.push(format!(
                "the search for the mode did not converge in {} iterations; the last step was {last_step:.2e} standard \
                 deviations",
                fit.iterations
            )),
            other => all.push(format!("the search for the mode ended with {other:?}")),
        }
        if !self.fitted.size_found {
            all.push(
                "the size of the negative binomial has no finite estimate: the counts vary as a poisson model says; take \
                 `family=\"poisson\"`, or give `size`"
                    .to_string(),
            );
        }
        if summary.estimated && summary.residual_degrees == 0 {
            all.push("there are no more rows than coefficients; the dispersion cannot be estimated".to_string());
        }
        all
    }

    /// For the rows of another table: link, its standard error, response, its standard error.
    fn predict<'py>(&self, py: Python<'py>, table: PyRef<'py, Table>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let design = self.design.get();
        let (formula, roles, frame) = (design.formula.clone(), design.roles.clone(), design.design.frame.clone());
        let (table, fitted, scale) = (table.0.clone(), self.fitted.clone(), self.scale());
        let task = move |_: &work::Stop| -> Result<Vec<[f64; 4]>, String> {
            let names = formula.names_of_terms(&roles).map_err(|e| errors::text(&e))?;
            let path = Path::new("the table");
            let table = read_table(open_memory(&table), &names, path, true).map_err(|e| errors::text(e.as_ref()))?;
            let new = formula.new_rows(&frame, &table, &roles).map_err(|e| errors::text(&e))?;
            Ok(predictions(&new, table.rows(), &fitted.fit, fitted.data.model(), scale))
        };
        let rows = work::run(py, task, |_| Ok(()))?.map_err(PyValueError::new_err)?;
        let count = rows.len();
        PyArray1::from_vec(py, rows.into_iter().flatten().collect()).reshape([count, 4])
    }

    /// Of each row that was used: its numbers, by name.
    fn influence<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (fitted, dispersion) = (self.fitted.clone(), self.scale());
        let rows = work::run(py, move |_: &work::Stop| fitted.data.influence(&fitted.fit, dispersion), |_| Ok(()))?;
        let dict = PyDict::new(py);
        let put = |name: &str, of: fn(&gristmill::glm::RowInfluence) -> f64| {
            dict.set_item(name, PyArray1::from_vec(py, rows.iter().map(of).collect()))
        };
        put("link", |r| r.link)?;
        put("fitted", |r| r.fitted)?;
        put("response", |r| r.response)?;
        put("working", |r| r.working)?;
        put("pearson", |r| r.pearson)?;
        put("deviance", |r| r.deviance)?;
        put("leverage", |r| r.hat)?;
        put("standardised_deviance", |r| r.standardised_deviance)?;
        put("standardised_pearson", |r| r.standardised_pearson)?;
        put("cook", |r| r.cook)?;
        Ok(dict)
    }

    /// Ends of confidence intervals, from the profile of the likelihood.
    fn profile_intervals<'py>(&self, py: Python<'py>, level: f64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        if !self.fitted.flat {
            return Err(PyValueError::new_err(
                "`kind` is \"profile\", which needs a flat prior; \"wald\" uses the posterior's standard deviations",
            ));
        }
        let fitted = self.fitted.clone();
        let dispersion = self.fitted.summary.dispersion;
        let task = move |_: &work::Stop| fitted.data.profile_intervals(&fitted.fit, dispersion, level);
        let ends = work::run_with(py, self.fitted.stop.clone(), task, |_| Ok(()))?.map_err(|e| errors::of_glm(&e))?;
        let count = ends.len();
        PyArray1::from_vec(py, ends.into_iter().flat_map(|(low, high)| [low, high]).collect()).reshape([count, 2])
    }
}

/// At each point of a grid.
type ValuesAndGradients<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

/// A model matrix with its data, to be evaluated at grids of coefficients.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct GlmPosterior {
    data: Arc<GlmData>,
    stop: work::Stop,
}

#[pymethods]
impl GlmPosterior {
    #[new]
    #[allow(clippy::too_many_arguments)] // Python's side names them
    fn new(
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        y: PyReadonlyArray1<'_, f64>,
        model: ModelOptions,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        offset: Option<PyReadonlyArray1<'_, f64>>,
        prior_mean: Option<PyReadonlyArray1<'_, f64>>,
        prior_precision: Option<PyReadonlyArray2<'_, f64>>,
        first_row: usize,
        device: Option<String>,
        there: Option<PyRef<'_, DeviceArray>>,
    ) -> PyResult<GlmPosterior> {
        if model.family()? == Family::NegativeBinomial && model.size.is_none() {
            return Err(PyValueError::new_err(
                "`size` is None, but a grid needs the size of the negative binomial family; a fit estimates it",
            ));
        }
        let model = model.model()?;
        let device = devices::open(device.as_deref())?;
        let (there, stop) = (there.map(|array| array.buffer.clone()), work::Stop::default());
        let (y, weights, offset, mean) = (
            numbers(&y),
            weights.as_ref().map(numbers),
            offset.as_ref().map(numbers),
            prior_mean.as_ref().map(numbers),
        );
        let precision = prior_precision.as_ref().map(Owned::of);
        let sparse = sparse_of(x)?;
        let dense = match &sparse {
            None => Some(x.extract::<PyReadonlyArray2<'_, f64>>()?),
            Some(_) => None,
        };
        let build = |x: Option<Matrix<'_>>| -> Result<GlmData, GlmError> {
            let mut data = GlmData::builder(model).y(&y);
            data = match (x, &sparse) {
                (Some(x), _) => data.x(x),
                (None, Some(x)) => data.sparse_x(x),
                (None, None) => data,
            };
            if let Some(weights) = &weights {
                data = data.weights(weights);
            }
            if let Some(offset) = &offset {
                data = data.offset(offset);
            }
            if let Some(mean) = &mean {
                data = data.prior_mean(mean);
            }
            if let Some(precision) = &precision {
                data = data.prior_precision(precision.matrix()?);
            }
            let data = data.build()?.starting_at(first_row)?.stopped_by(stop.flag());
            match (&there, &device) {
                (Some(x), _) => data.on_device_of(x.clone()),
                (None, Some(device)) => data.on_device(device),
                (None, None) => Ok(data),
            }
        };
        let data = match &dense {
            Some(x) => with_matrix(x, |x| build(Some(x))),
            None => py.detach(|| build(None)),
        };
        let data = Arc::new(data.map_err(|e| errors::of_glm(&e))?);
        Ok(GlmPosterior { data, stop })
    }

    #[getter]
    fn rows(&self) -> usize {
        self.data.rows()
    }

    #[getter]
    fn coefficients(&self) -> usize {
        self.data.coefficients()
    }

    /// Values and gradients.
    fn evaluate<'py>(&self, py: Python<'py>, grid: PyReadonlyArray2<'py, f64>) -> PyResult<ValuesAndGradients<'py>> {
        let (data, grid) = (self.data.clone(), Owned::of(&grid));
        let points = grid.rows;
        let task = move |_: &work::Stop| data.evaluate(grid.matrix()?);
        let result = work::run_with(py, self.stop.clone(), task, |_| Ok(()))?.map_err(|e| errors::of_glm(&e))?;
        self.arrays(py, points, result.into_parts())
    }

    /// What the rows from `start` to `end` add.
    fn partial(
        &self,
        py: Python<'_>,
        grid: PyReadonlyArray2<'_, f64>,
        start: usize,
        end: usize,
    ) -> PyResult<GlmPartial> {
        let (data, grid) = (self.data.clone(), Owned::of(&grid));
        let task = move |_: &work::Stop| data.partial(grid.matrix()?, start..end);
        work::run_with(py, self.stop.clone(), task, |_| Ok(()))?.map(GlmPartial).map_err(|e| errors::of_glm(&e))
    }

    /// Values and gradients of all rows.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        grid: PyReadonlyArray2<'py, f64>,
        part: PyRef<'py, GlmPartial>,
    ) -> PyResult<ValuesAndGradients<'py>> {
        let grid = Owned::of(&grid);
        let result = grid.matrix().and_then(|matrix| self.data.finish(matrix, part.0.clone()));
        self.arrays(py, grid.rows, result.map_err(|e| errors::of_glm(&e))?.into_parts())
    }
}

impl GlmPosterior {
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        points: usize,
        (values, gradients): (Vec<f64>, Vec<f64>),
    ) -> PyResult<ValuesAndGradients<'py>> {
        let gradients = PyArray1::from_vec(py, gradients).reshape([points, self.data.coefficients()])?;
        Ok((PyArray1::from_vec(py, values), gradients))
    }
}

/// Of SciPy's compressed rows `(columns, indptr, indices, data)`; `None` for a dense matrix.
fn sparse_of(x: &Bound<'_, PyAny>) -> PyResult<Option<SparseMatrix>> {
    let Ok((columns, ends, places, values)) =
        x.extract::<(usize, PyReadonlyArray1<'_, i64>, PyReadonlyArray1<'_, i64>, PyReadonlyArray1<'_, f64>)>()
    else {
        return Ok(None);
    };
    let (ends, places, values) = (ends.as_array(), places.as_array(), values.as_array());
    let bad = || PyValueError::new_err("`X` is a sparse matrix whose rows are not in order; call sort_indices() on it");
    let mut matrix = SparseMatrix::new(columns);
    for row in ends.windows(2) {
        let range = usize::try_from(row[0]).ok().zip(usize::try_from(row[1]).ok());
        let (start, end) = range.filter(|(s, e)| s <= e && *e <= places.len() && *e <= values.len()).ok_or_else(bad)?;
        let mut elements: Vec<(usize, f64)> = Vec::with_capacity(end - start);
        for k in start..end {
            let place = usize::try_from(places[k]).ok().filter(|p| *p < columns).ok_or_else(bad)?;
            if elements.last().is_some_and(|(last, _)| *last >= place) {
                return Err(bad());
            }
            elements.push((place, values[k]));
        }
        matrix.push_row(elements);
    }
    Ok(Some(matrix))
}

/// What some rows add to the values and gradients at a grid.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub(crate) struct GlmPartial(Partial);

#[pymethods]
impl GlmPartial {
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<GlmPartial> {
        Partial::from_bytes(bytes).map(GlmPartial).map_err(|e| errors::of_glm(&e))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    #[staticmethod]
    fn merge_all(py: Python<'_>, parts: Vec<PyRef<'_, GlmPartial>>) -> PyResult<GlmPartial> {
        let parts: Vec<Partial> = parts.iter().map(|part| part.0.clone()).collect();
        py.detach(|| Partial::merge_all(parts)).map(GlmPartial).map_err(|e| errors::of_glm(&e))
    }

    #[getter]
    fn rows(&self) -> (usize, usize) {
        (self.0.rows().start, self.0.rows().end)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let class: Bound<'py, PyType> = slf.get_type();
        Ok((class.getattr("from_bytes")?, (slf.get().to_bytes(py),)))
    }
}

/// The families, the links and the variances of `quasi`, by name.
#[pyfunction]
pub(crate) fn glm_names(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for family in Family::ALL {
        let links: Vec<&str> = family.links().iter().map(|link| link.name()).collect();
        dict.set_item(family.name(), links)?;
    }
    if dict.is_empty() {
        return Err(PyTypeError::new_err("there are no families"));
    }
    Ok(dict)
}
