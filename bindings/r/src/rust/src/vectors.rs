//! What works on whole vectors: multinomial counts, sums of exponentials.

use crate::devices;
use crate::error::{ErrorText, guarded, with_causes};
use crate::map::Key;
use gristmill_cl_runtime::{Arg, Launch, entry_signature};
use gristmill_kernel::KernelItem;
use gristmill_kernel_cl::Assembly;
use gristmill_nmath::{logspace_sum, rmultinom, rmultinoms};

/// `vectors` random vectors of counts, one after the other: that of index `i` at `i * components`.
///
/// # Safety
/// 1. `key` and `error` are there; `weights` has `components` values, `counts` `vectors * components` places that are nobody else's.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)] // the key, the shape and the arrays
pub(crate) unsafe extern "C" fn gm_multinomial(
    key: *const Key,
    vectors: usize,
    size: f64,
    weights: *const f64,
    components: usize,
    counts: *mut f64,
    on_device: i32,
    error: *mut ErrorText,
) {
    // SAFETY: (1).
    unsafe {
        guarded(error, (), || {
            let (weights, key) = (std::slice::from_raw_parts(weights, components), &*key);
            let counts = std::slice::from_raw_parts_mut(counts, vectors * components);
            if on_device != 0 {
                return multinomial_on_device(key, vectors, size, weights, counts);
            }
            for (index, row) in counts.chunks_exact_mut(components).enumerate() {
                rmultinom(key.seed, key.stream, index as u64, size, weights, row);
            }
            Ok(())
        });
    }
}

fn multinomial_on_device(
    key: &Key,
    vectors: usize,
    size: f64,
    weights: &[f64],
    counts: &mut [f64],
) -> Result<(), String> {
    let shard = <rmultinoms as KernelItem>::SHARD;
    let signature = entry_signature(shard).ok_or("`rmultinoms` is no entry point")?;
    let mut assembly = Assembly::new();
    assembly.add(shard);
    let program = devices::device()?.build(&assembly.text(), "").map_err(|e| with_causes(&e))?;
    let kernel = program.kernel_with(&signature).map_err(|e| with_causes(&e))?;
    let (width, all) = (weights.len() as u64, counts.len() as u64);
    let mut args = [
        Arg::value(vectors as u64),
        Arg::value(key.seed),
        Arg::value(key.stream),
        Arg::value(0_u64),
        Arg::value(size),
        Arg::value(width),
        Arg::input(weights),
        Arg::value(width),
        Arg::output(counts),
        Arg::value(all),
    ];
    kernel.run_guarded(&Launch::linear(vectors), &mut args).map(drop).map_err(|e| with_causes(&e))
}

/// `log(sum(exp(x)))`.
///
/// # Safety
/// 1. `x` has `length` values.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn gm_log_sum(x: *const f64, length: usize) -> f64 {
    if length == 0 {
        return f64::NEG_INFINITY;
    }
    // SAFETY: (1).
    logspace_sum(unsafe { std::slice::from_raw_parts(x, length) })
}
