//! The kernels that ship with the command, by name.

use super::Result;
use gristmill::kernel::Function;
use gristmill::nmath::{KERNELS, kernel};
use gristmill_support::nearest;

/// All kernels, or those named, in the order of the names.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<Function>> {
    if names.is_empty() {
        return Ok(KERNELS.to_vec());
    }
    names.iter().map(|name| find(name)).collect()
}

/// By its name in Rust or in C.
pub(crate) fn find(name: &str) -> Result<Function> {
    if let Some(function) = kernel(name).or_else(|| KERNELS.iter().find(|f| f.c_name() == name).copied()) {
        return Ok(function);
    }
    // As R and expressions call it: `lgamma`.
    let of_r = gristmill::engine::expr::functions::function(name);
    if let Some(function) = of_r.and_then(|f| f.kernels().iter().rev().find_map(|name| kernel(name))) {
        return Ok(function);
    }
    let help = match nearest(name, KERNELS.iter().map(Function::name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`gristmill functions` lists what expressions call".to_string(),
    };
    Err(format!("no kernel is called `{name}`; {help}").into())
}
