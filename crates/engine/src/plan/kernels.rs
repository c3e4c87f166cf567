//! Kernels by name: those of nmath, and the engine's own for what R has as operators or simple functions.

use crate::hyperbolic;
use crate::ops;
use gristmill_kernel::Function;
use gristmill_nmath as nmath;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The engine's kernels under the names that the table of R's functions uses for them.
fn own() -> Vec<(&'static str, Function)> {
    vec![
        ("log_base", ops::log_base::FUNCTION),
        ("abs", ops::absolute::FUNCTION),
        ("floor", ops::round_down::FUNCTION),
        ("ceiling", ops::round_up::FUNCTION),
        ("trunc", ops::round_to_zero::FUNCTION),
        ("pmin", ops::smaller::FUNCTION),
        ("pmax", ops::larger::FUNCTION),
        ("asinh", hyperbolic::asinh::FUNCTION),
        ("acosh", hyperbolic::acosh::FUNCTION),
        ("atanh", hyperbolic::atanh::FUNCTION),
    ]
}

/// The kernel of that name.
pub(super) fn kernel(name: &str) -> Option<Function> {
    static OWN: OnceLock<HashMap<&'static str, Function>> = OnceLock::new();
    OWN.get_or_init(|| own().into_iter().collect()).get(name).copied().or_else(|| nmath::kernel(name))
}
