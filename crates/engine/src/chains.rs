//! Chains of operations as loops that are compiled at run time.
//!
//! What a plan does besides calls of nmath is written as functions of the kernel language, one for each chain: steps that only
//! one another use. Their code computes what the steps' kernels compute on each element, hence the same bits, and keeps what lies
//! between them in registers. Constants and results of reductions are arguments, so that a text stands for all of them, and is
//! compiled once for the process.
//!
//! Compiling takes a millisecond, so it waits until a text has run over so many rows that the time it saves would have paid for it
//! ([`Chains::are_worth_compiling`]).
//!
//! The numbers in SAFETY comments are the rules of `gristmill_ckernel::abi`.

use crate::fusion::{Fused, Fusion};
use crate::ops;
use crate::plan::{Plan, Step, StepId};
use crate::steps::{MOST_OPERANDS, copy};
use crate::strided::StridedLoop;
use gristmill_ckernel::typed::Leaf;
use gristmill_ckernel::{CKernelPrefix, CKernelType, builtin_type, guard, scratch, type_id};
use gristmill_kernel::{Column, ColumnMut, Function, Scalar, ShardKey};
use gristmill_kernel_jit::{BlockLoop, KernelSource};
use gristmill_nmath as nmath;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::slice;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The most operations of a chain: compiling takes longer than linear.
const MOST_OPERATIONS: usize = 200;
/// What compiling takes, in nanoseconds, and each operation more: `cargo xtask bench chains` and `bench jit`.
const COMPILING: f64 = 800_000.0;
const COMPILING_AN_OPERATION: f64 = 20_000.0;
/// Chains that would save less on a row stay steps.
pub(crate) const LEAST_SAVED: f64 = 0.15;
/// What a chain loses whose result is a truth value: lanes have 64 bits, and bytes are made from them.
const TRUTH_COSTS: f64 = 0.6;
/// Texts that are compiled in a process at most: what was read of them stays to its end.
const MOST_COMPILED: usize = 1000;
/// Texts whose rows are counted at a time.
const MOST_COUNTED: usize = 4000;

/// How an operation is written in the kernel language, and what it weighs.
struct Written {
    /// With `$0`, `$1`, `$2` for its operands.
    text: &'static str,
    /// What it takes as a step more than in a compiled loop, in nanoseconds a row: `cargo xtask bench chains`.
    saves: f64,
}

/// What can be part of a chain: the operations of [`crate::ops`] that are one expression, and the root.
fn operations() -> &'static HashMap<ShardKey, Written> {
    static OPERATIONS: OnceLock<HashMap<ShardKey, Written>> = OnceLock::new();
    OPERATIONS.get_or_init(|| {
        let cheap = |text| Written { text, saves: 0.1 };
        // Steps have longer vectors than compiled loops, which tells where an operation takes longer than its operands.
        let slow = |text| Written { text, saves: -0.3 };
        [
            (ops::add::FUNCTION, cheap("$0 + $1")),
            (ops::subtract::FUNCTION, cheap("$0 - $1")),
            (ops::multiply::FUNCTION, cheap("$0 * $1")),
            (ops::divide::FUNCTION, slow("$0 / $1")),
            (ops::negate::FUNCTION, cheap("-$0")),
            (ops::equal::FUNCTION, cheap("$0 == $1")),
            (ops::not_equal::FUNCTION, cheap("$0 != $1")),
            (ops::less::FUNCTION, cheap("$0 < $1")),
            (ops::less_equal::FUNCTION, cheap("$0 <= $1")),
            (ops::unordered::FUNCTION, cheap("$0.is_nan() || $1.is_nan()")),
            (ops::absolute::FUNCTION, cheap("$0.abs()")),
            (ops::round_down::FUNCTION, cheap("$0.floor()")),
            (ops::round_up::FUNCTION, cheap("$0.ceil()")),
            (ops::round_to_zero::FUNCTION, cheap("$0.trunc()")),
            (ops::smaller::FUNCTION, slow("if $0.is_nan() || $1.is_nan() { f64::NAN } else { $0.min($1) }")),
            (ops::larger::FUNCTION, slow("if $0.is_nan() || $1.is_nan() { f64::NAN } else { $0.max($1) }")),
            (ops::not_a_number::FUNCTION, cheap("$0.is_nan()")),
            (ops::finite::FUNCTION, cheap("$0.abs() < f64::INFINITY")),
            (ops::infinite::FUNCTION, cheap("$0.abs() == f64::INFINITY")),
            (ops::to_number::FUNCTION, cheap("if $0 { 1.0 } else { 0.0 }")),
            (ops::to_logical::FUNCTION, cheap("$0 != 0.0")),
            (ops::both::FUNCTION, cheap("$0 & $1")),
            (ops::either::FUNCTION, cheap("$0 | $1")),
            (ops::not::FUNCTION, cheap("!$0")),
            (ops::exactly_one::FUNCTION, cheap("$0 != $1")),
            (ops::select_number::FUNCTION, cheap("if $0 { $1 } else { $2 }")),
            (ops::select_logical::FUNCTION, cheap("if $0 { $1 } else { $2 }")),
            (ops::row_number::FUNCTION, cheap("$0 as f64 + 1.0")),
            (nmath::sqrt::FUNCTION, slow("$0.sqrt()")),
        ]
        .map(|(function, written)| (function.shard().key(), written))
        .into()
    })
}

fn written(function: &Function) -> Option<&'static Written> {
    operations().get(&function.shard().key())
}

/// One chain: its steps, in order, and what they need.
#[derive(Debug)]
struct Chain {
    steps: Vec<usize>,
    arguments: Vec<StepId>,
}

/// The chains of a plan, as text.
#[derive(Debug)]
pub(crate) struct Chains {
    chains: Vec<Chain>,
    text: String,
    /// What a row saves at least, in nanoseconds on one thread.
    saves: f64,
}

/// How far a text is.
#[derive(Debug, Default)]
struct Heat {
    /// Over how many rows it has run.
    rows: u64,
    /// It was worth compiling. Its code is there as long as this is.
    compiled: Option<KernelSource>,
}

fn texts() -> MutexGuard<'static, HashMap<String, Heat>> {
    static TEXTS: OnceLock<Mutex<HashMap<String, Heat>>> = OnceLock::new();
    // Whole after every step.
    TEXTS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

impl Chains {
    /// The chains among what `roots` need of which each saves at least so much on a row; `None` if there are none.
    pub(crate) fn of(plan: &Plan, roots: &[StepId], least: f64) -> Option<Chains> {
        let steps = plan.steps();
        let needed = plan.needed(roots);
        let operation = |i: usize| match &steps[i] {
            Step::Call(function, operands) if needed[i] && !plan.is_uniform(StepId(i)) => {
                let simple = |a: &StepId| is_simple(plan.scalar(*a));
                let simple = is_simple(plan.scalar(StepId(i))) && operands.iter().all(simple);
                written(function).filter(|_| simple).map(|written| (written, operands))
            }
            _ => None,
        };
        // The chain of each step, by its last one, from the last to the first: a step joins the chain that all of its users are in.
        let mut chain_of: Vec<Option<usize>> = vec![None; steps.len()];
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
        // What each chain has, and what it needs as far as it is known.
        let mut members: HashMap<usize, (usize, BTreeSet<StepId>)> = HashMap::new();
        let mut is_root = vec![false; steps.len()];
        roots.iter().for_each(|root| is_root[root.0] = true);
        for i in (0..steps.len()).rev().filter(|i| needed[*i]) {
            if let Step::Call(_, operands) = &steps[i] {
                operands.iter().for_each(|a| users[a.0].push(i));
            }
            let Some((_, operands)) = operation(i) else { continue };
            let of_first = users[i].first().and_then(|user| chain_of[*user]);
            let joined = of_first.filter(|chain| {
                let one = !is_root[i] && users[i].iter().all(|user| chain_of[*user] == Some(*chain));
                let (count, needs) = &members[chain];
                let new = operands.iter().filter(|a| !needs.contains(a)).count();
                one && *count < MOST_OPERATIONS && needs.len() - 1 + new <= MOST_OPERANDS
            });
            let chain = joined.unwrap_or(i);
            let (count, needs) = members.entry(chain).or_default();
            *count += 1;
            needs.remove(&StepId(i));
            needs.extend(operands);
            chain_of[i] = Some(chain);
        }
        let mut chains: Vec<Chain> = Vec::new();
        let mut saves = 0.0;
        for (end, (_, arguments)) in members {
            let steps: Vec<usize> = (0..=end).filter(|i| chain_of[*i] == Some(end)).collect();
            let saved: f64 = steps.iter().filter_map(|i| operation(*i)).map(|(written, _)| written.saves).sum();
            let saved = saved - if plan.scalar(StepId(end)) == Scalar::Bool { TRUTH_COSTS } else { 0.0 };
            if saved >= least {
                saves += saved;
                chains.push(Chain { steps, arguments: arguments.into_iter().collect() });
            }
        }
        if chains.is_empty() {
            return None;
        }
        // In the order of the plan: the same expression is the same text.
        chains.sort_unstable_by_key(|chain| chain.steps.last().copied());
        let text = text(plan, &chains);
        Some(Chains { chains, text, saves })
    }

    /// Whether the time that a compiled loop would have saved, over the rows of this text so far and `rows` more on so many threads,
    /// is worth compiling it; they count from now on.
    pub(crate) fn are_worth_compiling(&self, rows: usize, threads: usize) -> bool {
        let mut texts = texts();
        if texts.len() >= MOST_COUNTED && !texts.contains_key(&self.text) {
            texts.retain(|_, heat| heat.compiled.is_some());
        }
        let heat = texts.entry(self.text.clone()).or_default();
        heat.rows = heat.rows.saturating_add(rows as u64);
        if heat.compiled.is_some() {
            return true;
        }
        let operations: usize = self.chains.iter().map(|chain| chain.steps.len()).sum();
        let costs = COMPILING + COMPILING_AN_OPERATION * operations as f64;
        let saved = heat.rows as f64 * self.saves / threads.max(1) as f64;
        // Counted only where it is about to be compiled: there may be thousands.
        saved >= costs && texts.values().filter(|heat| heat.compiled.is_some()).count() < MOST_COMPILED
    }

    /// The chains as ckernels; `None` where there can be no native code.
    pub(crate) fn compile(&self, plan: &Plan) -> Option<Fusion> {
        let source = KernelSource::parse(&self.text).ok()?;
        let mut fusion = Fusion::none(plan);
        for (k, chain) in self.chains.iter().enumerate() {
            let varies: Vec<bool> = chain.arguments.iter().map(|a| !plan.is_uniform(*a)).collect();
            let code = source.block_loop(&format!("chain_{k}"), &varies).ok()?;
            let (end, inner) = chain.steps.split_last()?;
            inner.iter().for_each(|step| fusion.within[*step] = true);
            let params = chain.arguments.iter().map(|a| plan.scalar(*a)).zip(varies).collect();
            let kernel = Loop { code, params, result: plan.scalar(StepId(*end)) }.deferred();
            fusion.ends[*end] = Some(Fused { kernel, arguments: chain.arguments.clone() });
        }
        texts().entry(self.text.clone()).or_default().compiled = Some(source);
        Some(fusion)
    }
}

/// Types that loops have columns for.
fn is_simple(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F64 | Scalar::Bool | Scalar::U64)
}

/// The functions `chain_0`, `chain_1`, … What differs between rows is called `a…`, what does not `u…`, so that texts of which one has a
/// column where the other has a constant are two.
fn text(plan: &Plan, chains: &[Chain]) -> String {
    let mut text = String::new();
    for (k, chain) in chains.iter().enumerate() {
        let argument = |k: usize, a: &StepId| format!("{}{k}", if plan.is_uniform(*a) { 'u' } else { 'a' });
        let params = chain.arguments.iter().enumerate();
        let params: Vec<String> = params.map(|(k, a)| format!("{}: {}", argument(k, a), plan.scalar(*a))).collect();
        let result = chain.steps.last().map_or(Scalar::F64, |end| plan.scalar(StepId(*end)));
        let operand = |a: &StepId| match chain.steps.binary_search(&a.0) {
            Ok(step) => format!("t{step}"),
            Err(_) => chain.arguments.binary_search(a).map_or_else(|_| String::new(), |k| argument(k, a)),
        };
        // Writing to a String does not fail.
        let _ = writeln!(text, "fn chain_{k}({}) -> {result} {{", params.join(", "));
        for (t, step) in chain.steps.iter().enumerate() {
            let Step::Call(function, operands) = &plan.steps()[*step] else { continue };
            let mut value = written(function).map_or("", |written| written.text).to_string();
            for (k, a) in operands.iter().enumerate() {
                value = value.replace(&format!("${k}"), &operand(a));
            }
            let _ = writeln!(text, "    let t{t} = {value};");
        }
        let _ = writeln!(text, "    t{}\n}}", chain.steps.len() - 1);
    }
    text
}

/// A compiled chain, called as a ckernel.
#[derive(Debug, Clone)]
struct Loop {
    code: BlockLoop,
    /// The type of each argument, and whether it differs between rows.
    params: Box<[(Scalar, bool)]>,
    result: Scalar,
}

// SAFETY: (1) `strided` reads and writes exactly these types; (2) chains of more arguments are not made.
unsafe impl StridedLoop for Loop {
    fn types(&self) -> Vec<*const CKernelType> {
        let scalars = std::iter::once(self.result).chain(self.params.iter().map(|p| p.0));
        scalars.map(|scalar| builtin_type(type_id::of(scalar))).collect()
    }

    unsafe extern "C" fn strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        guard(|_| {
            // SAFETY: rule 1: `StridedLoop::deferred` made the block.
            let chain = unsafe { &Leaf::<Loop>::of(self_).data };
            let n = chain.params.len();
            // SAFETY: rule 2.
            let (sources, strides) = unsafe { (slice::from_raw_parts(src, n), slice::from_raw_parts(src_stride, n)) };
            let size = |scalar: Scalar| scalar.size() as isize;
            // Columns must lie in a row, and not where the results go.
            let is_copied = |k: usize| {
                let (scalar, varies) = chain.params[k];
                varies && (strides[k] != size(scalar) || sources[k] == dst.cast_const())
            };
            let direct = dst_stride == size(chain.result);
            let copied = (0..n).filter(|k| is_copied(*k)).count();
            // `memory` has a place of `count` words for each copied argument and for the results.
            let run = |memory: *mut u8| {
                let mut columns = [Column::F64(&[]); MOST_OPERANDS];
                let mut free = memory;
                let mut place = || {
                    let place = free;
                    free = free.wrapping_add(count * size_of::<u64>());
                    place
                };
                for (k, (scalar, varies)) in chain.params.iter().enumerate() {
                    let mut at = sources[k];
                    if is_copied(k) {
                        let to = place();
                        // SAFETY: rule 3, and the place has room.
                        unsafe { copy(scalar.size(), (at, strides[k]), (to, size(*scalar)), count) };
                        at = to.cast_const();
                    }
                    // SAFETY: rules 3 and 5, or copied just now.
                    columns[k] = unsafe { column(*scalar, at, if *varies { count } else { 1 }) };
                }
                let to = if direct { dst } else { place() };
                if !direct {
                    // SAFETY: the place has room; zeros are values of every type.
                    unsafe { to.write_bytes(0, count * chain.result.size()) };
                }
                // SAFETY: rules 3 and 5, no column lies there; or zeros in a place of its own.
                let out = unsafe { column_mut(chain.result, to, count) };
                chain.code.run(&columns[..n], &mut [out])?;
                if !direct {
                    // SAFETY: rule 3; the place has been filled.
                    unsafe {
                        copy(chain.result.size(), (to.cast_const(), size(chain.result)), (dst, dst_stride), count)
                    };
                }
                Ok(())
            };
            if copied == 0 && direct {
                return run(std::ptr::null_mut());
            }
            // When there was no memory, the error is in the slot already.
            scratch::with((copied + 1) * count * size_of::<u64>(), |memory| run(memory.as_mut_ptr().cast()))
                .unwrap_or(Ok(()))
        });
    }
}

/// `n` elements in memory as a column of a simple type.
/// # Safety
/// 1. At `at` are `n` valid, aligned elements of type `scalar`, which nobody writes during `'a`.
unsafe fn column<'a>(scalar: Scalar, at: *const u8, n: usize) -> Column<'a> {
    // SAFETY: (1).
    unsafe {
        match scalar {
            Scalar::Bool => Column::Bool(slice::from_raw_parts(at.cast(), n)),
            Scalar::U64 => Column::U64(slice::from_raw_parts(at.cast(), n)),
            _ => Column::F64(slice::from_raw_parts(at.cast(), n)),
        }
    }
}

/// `n` places in memory as a column of a simple type.
/// # Safety
/// 1. At `at` are `n` valid, aligned elements of type `scalar`, which nobody else touches during `'a`.
unsafe fn column_mut<'a>(scalar: Scalar, at: *mut u8, n: usize) -> ColumnMut<'a> {
    // SAFETY: (1).
    unsafe {
        match scalar {
            Scalar::Bool => ColumnMut::Bool(slice::from_raw_parts_mut(at.cast(), n)),
            Scalar::U64 => ColumnMut::U64(slice::from_raw_parts_mut(at.cast(), n)),
            _ => ColumnMut::F64(slice::from_raw_parts_mut(at.cast(), n)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::parse;
    use crate::plan::{Bindings, bind};
    use crate::{Compiling, Engine, InputColumn, ResultColumn, Rows};
    use std::sync::Arc;

    const NAMES: [&str; 2] = ["x", "y"];

    fn plan(texts: &[&str], with_missing: bool) -> Plan {
        let statements: Vec<_> = texts.iter().map(|t| parse(t).unwrap()).collect();
        let columns = NAMES.map(String::from).to_vec();
        let bindings = Bindings { columns, with_missing: vec![with_missing; 2], ..Bindings::default() };
        bind(&statements, &bindings).unwrap()
    }

    fn chains(texts: &[&str], least: f64) -> Option<Chains> {
        let plan = plan(texts, false);
        Chains::of(&plan, &crate::engine::output_roots(&plan), least)
    }

    #[test]
    fn a_chain_is_what_only_its_own_steps_use_and_constants_are_arguments() {
        let found =
            chains(&["d = (x - 2) * y", "e = exp(d * d + 1) - ifelse(x > 3, d, -x)"], f64::NEG_INFINITY).unwrap();
        // Arguments come in the order of the plan: columns, then constants. `e` is missing where the comparison is.
        let expected = "\
fn chain_0(a0: f64, a1: f64, u2: f64) -> f64 {
    let t0 = a0 - u2;
    let t1 = t0 * a1;
    t1
}
fn chain_1(a0: f64, u1: f64) -> f64 {
    let t0 = a0 * a0;
    let t1 = t0 + u1;
    t1
}
fn chain_2(a0: f64, u1: f64) -> bool {
    let t0 = u1.is_nan() || a0.is_nan();
    t0
}
fn chain_3(a0: f64, a1: f64, a2: f64, u3: f64) -> f64 {
    let t0 = u3 < a0;
    let t1 = -a0;
    let t2 = if t0 { a1 } else { t1 };
    let t3 = a2 - t2;
    t3
}
";
        assert_eq!(found.text, expected);
    }

    #[test]
    fn short_chains_and_single_divisions_stay_steps() {
        assert!(chains(&["(x - 0.3) / 1.7"], LEAST_SAVED).is_none());
        assert!(chains(&["sqrt(x)"], LEAST_SAVED).is_none());
        assert!(chains(&["exp(x) + 1"], LEAST_SAVED).is_none());
        assert!(chains(&["2.5 * x^2 + 1.5 * x + 0.5"], LEAST_SAVED).is_some());
    }

    #[test]
    fn a_text_is_compiled_once_its_rows_would_have_paid_for_it_and_for_whoever_has_the_same() {
        let texts = ["x * y + x * 17 - y * 18 + x"];
        let found = chains(&texts, LEAST_SAVED).unwrap();
        assert!(!found.are_worth_compiling(100_000, 1));
        assert!(!found.are_worth_compiling(100_000, 1));
        assert!(found.are_worth_compiling(10_000_000, 1));
        assert!(found.compile(&plan(&texts, false)).is_some(), "native code can be made here");
        // Other constants, the same text.
        let others = chains(&["x * y + x * 3 - y * 4 + x"], LEAST_SAVED).unwrap();
        assert!(others.are_worth_compiling(1, 1));
    }

    #[test]
    fn every_operation_gives_the_bits_of_its_kernel() {
        let values = [0.0, -0.0, 1.5, -2.5, 0.5, 3.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e300];
        let pairs = values.iter().flat_map(|x| values.map(|y| (*x, y)));
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.unzip();
        let missing: Vec<bool> = (0..x.len()).map(|i| i % 5 == 1).collect();
        let texts = [
            "x + y",
            "x - y",
            "x * y",
            "x / y",
            "-x",
            "x == y",
            "x != y",
            "x < y",
            "x <= y",
            "x > y",
            "abs(x)",
            "floor(x)",
            "ceiling(x)",
            "trunc(x)",
            "pmin(x, y)",
            "pmax(x, y)",
            "is.nan(x)",
            "is.finite(x)",
            "is.infinite(x)",
            "is.na(x)",
            "(x > y) + 1",
            "!(x > y)",
            "(x > y) & (y > 0)",
            "(x > y) | (y > 0)",
            "xor(x > y, y > 0)",
            "ifelse(x > y, x, y)",
            "ifelse(x > y, x > 0, y > 0)",
            "sqrt(x)",
            "x & y",
        ];
        for with_missing in [false, true] {
            let plan = Arc::new(plan(&texts, with_missing));
            let missing = with_missing.then_some(&missing[..]);
            let columns = [&x, &y].map(|values| InputColumn { values, missing });
            let rows = Rows { count: x.len(), first: 0, columns: &columns };
            let results = |when: Compiling| -> Vec<ResultColumn> {
                let engine = Engine::with_threads(1).unwrap().compiling(when);
                let prepared = engine.prepare(&plan, &[]).unwrap();
                engine.evaluate_prepared(&prepared, &rows).unwrap()
            };
            let (steps, compiled) = (results(Compiling::Never), results(Compiling::Always));
            for ((text, a), b) in texts.iter().zip(&steps).zip(&compiled) {
                assert_eq!(format!("{a:?}"), format!("{b:?}"), "{text}");
            }
            // All that a chain can have is tried, but the row's number.
            let is_used = |key: &&ShardKey| {
                let calls = |step: &Step| matches!(step, Step::Call(function, _) if function.shard().key() == **key);
                plan.steps().iter().any(calls)
            };
            let unused = operations().keys().filter(|key| !is_used(key)).count();
            assert!(unused <= if with_missing { 1 } else { 2 }, "{unused} operations are not tried");
        }
    }
}
