//! No call takes long, whatever its arguments: every loop has a bound that is small.
#![allow(missing_docs)]

mod support;

use gristmill_kernel::Function;
use gristmill_nmath::KERNELS;
use support::Random;
use support::calls::{Argument, time};

/// Microseconds. The slowest calls known take a quarter of the first (a hypergeometric tail of 1e14 balls).
const LIMIT: f64 = if cfg!(debug_assertions) { 1000.0 } else { 100.0 };

/// A quantile of a noncentral beta sums up to ten thousand terms in each of sixty steps: the slowest known takes a quarter.
const NONCENTRAL_LIMIT: f64 = 50.0 * LIMIT;

/// A quantile of the studentised range of thousands of means sums over a hundred thousand nodes in each of ten steps.
const RANGE_LIMIT: f64 = 5000.0 * LIMIT;

fn limit(f: &Function) -> f64 {
    match f.module().rsplit("::").next() {
        Some("studentised_range") => RANGE_LIMIT,
        Some(module) if module.starts_with("noncentral_") => NONCENTRAL_LIMIT,
        _ => LIMIT,
    }
}

#[test]
fn no_call_of_any_kernel_takes_long() {
    let mut problems = vec![];
    // The work of the rank statistics grows with the sizes; their own tests hold its end.
    let by_size = |f: &Function| f.module().ends_with("::wilcoxon") || f.module().ends_with("::signed_rank");
    for (i, f) in KERNELS.iter().filter(|f| !by_size(f)).enumerate() {
        let mut random = Random(i as u64 + 1);
        for _ in 0..1500 {
            let arguments: Vec<Argument> = f.params().map(|p| Argument::draw(p.1, &mut random)).collect();
            // a busy machine makes single measurements long: only those are repeated
            if time(*f, &arguments, 1) > limit(f) {
                let least = time(*f, &arguments, 20);
                if least > limit(f) {
                    problems.push(format!("{}{arguments:?}: {least:.0} microseconds", f.name()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
