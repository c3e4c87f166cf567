//! Expressions over columns that are on a device, whose results stay there.

use crate::device_array::DeviceArray;
use crate::{devices, errors, work};
use gristmill::engine::expr::{ExprError, parse};
use gristmill::engine::plan::{Bindings, Bound, Output, Plan};
use gristmill::engine::{Engine, EngineError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The plan of expressions, and how many results they have. Whether a result is missing somewhere (a comparison with NaN, a
/// reduction) is a result of its own behind them: arrays of a device have no place for it.
fn bind(expressions: &[String], bindings: Bindings) -> Result<(Plan, usize), ExprError> {
    let statements = expressions.iter().map(|text| parse(text)).collect::<Result<Vec<_>, _>>()?;
    let mut plan = Engine::new().bind(&statements, &bindings)?;
    let count = plan.outputs.len();
    let missing = plan.outputs.iter_mut().filter_map(|output| {
        let value = output.bound.missing.take()?;
        Some(Output { bound: Bound { value, missing: None }, ..output.clone() })
    });
    let missing: Vec<Output> = missing.collect();
    plan.outputs.extend(missing);
    Ok((plan, count))
}

/// The columns whose numbers the expressions use, and whether all results are one for all rows. `None` where they need more than
/// numbers, or are not right: who reads whole tables says what is wrong.
#[pyfunction]
pub(crate) fn columns_used(expressions: Vec<String>, table: Vec<String>) -> Option<(Vec<String>, bool)> {
    let bindings = Bindings { columns: table.clone(), table: table.clone(), ..Bindings::default() };
    let (plan, _) = bind(&expressions, bindings).ok().filter(|(plan, _)| plan.can_stay_on_device())?;
    let used = plan.columns_used().into_iter().map(|c| table[c].clone()).collect();
    Some((used, plan.is_aggregate()))
}

/// The results by name, on the device of the columns, which come each with its name, its doubles, and whether they are truth values.
/// `None` if something is missing in the results.
#[pyfunction]
pub(crate) fn evaluate_there(
    py: Python<'_>,
    expressions: Vec<String>,
    table: Vec<String>,
    columns: Vec<(String, PyRef<'_, DeviceArray>, bool)>,
    rows: usize,
    seed: u64,
) -> PyResult<Option<Vec<(String, DeviceArray)>>> {
    devices::check_process()?;
    let mut buffers = Vec::with_capacity(columns.len());
    for (name, array, _) in &columns {
        let first: &Arc<_> = buffers.first().unwrap_or(&array.buffer);
        if first.device().info().index != array.buffer.device().info().index {
            let message = format!("column `{name}` is on another device than `{}`", columns[0].0);
            return Err(PyValueError::new_err(message));
        }
        buffers.push(array.buffer.clone());
    }
    let Some(device) = buffers.first().map(|buffer| buffer.device().clone()) else { return Ok(None) };
    let bindings = Bindings {
        columns: columns.iter().map(|(name, ..)| name.clone()).collect(),
        truth: columns.iter().map(|(.., truth)| *truth).collect(),
        table,
        seed,
        ..Bindings::default()
    };
    let (plan, count) = bind(&expressions, bindings).map_err(|e| errors::value(&e))?;
    if !plan.can_stay_on_device() {
        return Ok(None);
    }
    let names: Vec<String> = plan.outputs[..count].iter().map(|output| output.name.clone()).collect();
    let task = move |_: &work::Stop| {
        let columns: Vec<_> = buffers.iter().map(Arc::as_ref).collect();
        let mut results = Engine::new().on_device(device).run_there(&plan, &columns, rows)?;
        for missing in results.drain(count..) {
            if missing.to_vec::<u8>().map_err(EngineError::Device)?.contains(&1) {
                return Ok(None);
            }
        }
        Ok(Some(results))
    };
    let results = work::run(py, task, |_| Ok(()))?.map_err(|e: EngineError| errors::of_engine(&e))?;
    let Some(results) = results else { return Ok(None) };
    Ok(Some(names.into_iter().zip(results.into_iter().map(DeviceArray::vector)).collect()))
}
