//! Expressions as ckernels, and over arrays of any shape.

use crate::engine::Engine;
use crate::error::EngineError;
use crate::plan::{Plan, StepId};
use crate::reduce::Reduced;
use crate::steps::{PreparedSteps, Source};
use gristmill_ckernel::Deferred;
use gristmill_kernel::Scalar;
use gristmill_ndtypes::{Array, ArrayMut, ArrayRef, Parallel, Primitive, Type, par_apply};
use std::sync::Arc;

/// An expression as a ckernel: its tree of kernels behind one function of the C ABI.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// Of the expr prototype: the destination is f64 or bool, then come the sources.
    pub kernel: Deferred,
    /// What the sources are.
    pub sources: Vec<Source>,
}

/// A result over arrays.
#[derive(Debug)]
pub struct ArrayResult {
    /// Its values, f64 or bool.
    pub values: Array,
    /// Where they are missing, bool; `None`: nowhere.
    pub missing: Option<Array>,
}

impl Engine {
    /// The plan's result number `output` as a deferred ckernel, and another that says where it is missing, if it can be.
    /// Any runtime that speaks the C ABI can call them; they give the bits that this engine gives. `known` holds the
    /// results of all the plan's reductions. A column's missing values and, for r functions, the row's number are sources.
    ///
    /// ```
    /// use gristmill_ckernel::{KernelRequest, Operand, OperandMut};
    /// use gristmill_engine::expr::parse;
    /// use gristmill_engine::plan::{Bindings, bind};
    /// use gristmill_engine::Engine;
    ///
    /// let bindings = Bindings { columns: vec!["x".into(), "sd".into()], ..Bindings::default() };
    /// let plan = bind(&[parse("pnorm(x / sd, lower.tail = FALSE)")?], &bindings)?;
    /// let (tail, _) = Engine::new().compile(&plan, 0, &[])?;
    /// let kernel = tail.kernel.instantiate(KernelRequest::Strided)?;
    /// let mut p = [0.0; 2];
    /// kernel.run(OperandMut::slice(&mut p), &[Operand::slice(&[0.0, 3.0]), Operand::repeat(&1.5)])?;
    /// assert_eq!(p, [0.5, 0.02275013194817921]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such output, or a kernel cannot be built.
    pub fn compile(
        &self,
        plan: &Plan,
        output: usize,
        known: &[Reduced],
    ) -> Result<(Compiled, Option<Compiled>), EngineError> {
        let outputs = plan.outputs.len();
        let bound = plan.outputs.get(output).map(|o| o.bound);
        let bound = bound.ok_or(EngineError::ArrayCount { what: "outputs", found: output + 1, expected: outputs })?;
        let plan = Arc::new(plan.clone());
        let compile = |root| compile(&plan, root, known, |_| None);
        Ok((compile(bound.value)?, bound.missing.map(compile).transpose()?))
    }

    /// The plan's results over arrays, one for each column that the plan was bound with. The arrays are broadcast against
    /// each other; numbers of other types than f64 are converted, block by block. Needs a plan without reductions.
    ///
    /// ```
    /// use gristmill_engine::expr::parse;
    /// use gristmill_engine::plan::{Bindings, bind};
    /// use gristmill_engine::Engine;
    /// use gristmill_ndtypes::ArrayRef;
    ///
    /// let bindings = Bindings { columns: vec!["x".into(), "mean".into()], ..Bindings::default() };
    /// let plan = bind(&[parse("dnorm(x, mean, log = TRUE)")?], &bindings)?;
    /// let x = ArrayRef::from_shaped(&[0_i32, 1, 2], &[3, 1])?;
    /// let mean = ArrayRef::from_slice(&[0.0, 1.0])?;
    /// let density = Engine::new().evaluate_arrays(&plan, &[&x, &mean])?.swap_remove(0).values;
    /// assert_eq!(density.view().shape().to_string(), "(3, 2)");
    /// let half = -0.9189385332046728 - 0.5;
    /// assert_eq!(density.view().to_vec::<f64>()?[1..3], [half, half]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the number of arrays is wrong, shapes do not go together, a dimension is `var`, or a type has no numbers.
    pub fn evaluate_arrays(&self, plan: &Plan, arrays: &[&ArrayRef<'_>]) -> Result<Vec<ArrayResult>, EngineError> {
        let shape = broadcast(arrays);
        let mut results = Vec::with_capacity(plan.outputs.len());
        for output in &plan.outputs {
            let zeros = |root: StepId| allocate(plan.scalar(root), &shape);
            let mut values = zeros(output.bound.value)?;
            let mut missing = output.bound.missing.map(zeros).transpose()?;
            self.fill(plan, output.bound.value, arrays, &mut values.view_mut())?;
            if let (Some(root), Some(missing)) = (output.bound.missing, &mut missing) {
                self.fill(plan, root, arrays, &mut missing.view_mut())?;
            }
            results.push(ArrayResult { values, missing });
        }
        Ok(results)
    }

    /// As [`Engine::evaluate_arrays`], the values of each result into an array that is there: of f64 or bool, of any
    /// strides, with a shape that the arrays broadcast to.
    ///
    /// # Errors
    /// As there, and when an output's type or shape does not fit.
    pub fn evaluate_arrays_into(
        &self,
        plan: &Plan,
        arrays: &[&ArrayRef<'_>],
        outputs: &mut [ArrayMut<'_>],
    ) -> Result<(), EngineError> {
        if outputs.len() != plan.outputs.len() {
            let (found, expected) = (outputs.len(), plan.outputs.len());
            return Err(EngineError::ArrayCount { what: "outputs", found, expected });
        }
        plan.outputs.iter().zip(outputs).try_for_each(|(output, to)| self.fill(plan, output.bound.value, arrays, to))
    }

    fn fill(
        &self,
        plan: &Plan,
        root: StepId,
        arrays: &[&ArrayRef<'_>],
        to: &mut ArrayMut<'_>,
    ) -> Result<(), EngineError> {
        let columns = plan.columns_used().last().map_or(0, |c| c + 1);
        if arrays.len() < columns {
            return Err(EngineError::ArrayCount { what: "arrays", found: arrays.len(), expected: columns });
        }
        if !plan.reductions.is_empty() || plan.derived().len() > 0 {
            return Err(EngineError::ReductionOverArrays);
        }
        let compiled = compile(&Arc::new(plan.clone()), root, &[], |source| match source {
            Source::Column(c) => Some(arrays[c].ty().dtype().clone()),
            Source::Missing(_) | Source::RowIndex => None,
        })?;
        // r functions draw by the element's number in C order; no stride makes it, so it is written out.
        let index = match compiled.sources.contains(&Source::RowIndex) {
            true => Some(element_numbers(&to.as_ref())?),
            false => None,
        };
        let (nowhere, index) = (ArrayRef::from_scalar(&false), index.as_ref().map(Array::view));
        let sources: Vec<&ArrayRef<'_>> = compiled
            .sources
            .iter()
            .filter_map(|source| match source {
                Source::Column(c) => Some(arrays[*c]),
                Source::Missing(_) => Some(&nowhere),
                Source::RowIndex => index.as_ref(),
            })
            .collect();
        self.on_threads(|| par_apply(&compiled.kernel, to, &sources, Parallel::default())).map_err(EngineError::Arrays)
    }
}

fn compile(
    plan: &Arc<Plan>,
    root: StepId,
    known: &[Reduced],
    type_of: impl Fn(Source) -> Option<Type>,
) -> Result<Compiled, EngineError> {
    let steps = PreparedSteps::new(plan.clone(), vec![root], known)?;
    let sources = steps.sources().to_vec();
    let own = |source: &Source| Type::Primitive(Primitive::from(source.scalar()));
    let types: Vec<Type> = sources.iter().map(|s| type_of(*s).unwrap_or_else(|| own(s))).collect();
    Ok(Compiled { kernel: steps.deferred(&types)?, sources })
}

/// A type of `strided` dimensions over a primitive type.
fn strided(element: Primitive, dimensions: usize) -> Result<Type, EngineError> {
    (0..dimensions).try_fold(Type::Primitive(element), |ty, _| Type::strided(ty)).map_err(EngineError::Arrays)
}

fn allocate(scalar: Scalar, shape: &[usize]) -> Result<Array, EngineError> {
    Array::zeros(&strided(Primitive::from(scalar), shape.len())?, shape).map_err(EngineError::Arrays)
}

/// The shape that all arrays broadcast to; what does not go together is found when the kernel is applied.
fn broadcast(arrays: &[&ArrayRef<'_>]) -> Vec<usize> {
    let mut shape: Vec<usize> = Vec::new();
    for array in arrays {
        // Rows of a `var` dimension have no common size. Taken as 1, longer ones do not fit, which is the error.
        let sizes: Vec<usize> = array.shape().0.iter().map(|size| size.unwrap_or(1)).collect();
        if sizes.len() > shape.len() {
            let more = sizes.len() - shape.len();
            shape.splice(0..0, std::iter::repeat_n(1, more));
        }
        let offset = shape.len() - sizes.len();
        for (all, one) in shape[offset..].iter_mut().zip(sizes) {
            if *all == 1 {
                *all = one;
            }
        }
    }
    shape
}

/// 0, 1, 2, … in C order, in the shape of an array.
fn element_numbers(like: &ArrayRef<'_>) -> Result<Array, EngineError> {
    let shape: Vec<usize> = like.shape().0.iter().map(|size| size.unwrap_or(1)).collect();
    let count = shape.iter().product::<usize>();
    let numbers: Vec<u64> = (0..count as u64).collect();
    let mut array = allocate(Scalar::U64, &shape)?;
    let from = ArrayRef::from_shaped(&numbers, &shape).map_err(EngineError::Arrays)?;
    gristmill_ndtypes::assign(&mut array.view_mut(), &from, gristmill_ndtypes::ErrorMode::None)
        .map_err(EngineError::Arrays)?;
    Ok(array)
}
