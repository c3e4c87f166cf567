//! The kernels that ship with the command, by name.

use super::Result;
use gristmill::kernel::Function;
use gristmill::nmath::KERNELS;

/// All kernels, or those named, in the order of the names.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<Function>> {
    if names.is_empty() {
        return Ok(KERNELS.to_vec());
    }
    names.iter().map(|name| find(name)).collect()
}

/// By its name in Rust or in C.
pub(crate) fn find(name: &str) -> Result<Function> {
    if let Some(function) = KERNELS.iter().find(|f| f.name() == name || f.c_name() == name) {
        return Ok(*function);
    }
    let mut near: Vec<&str> =
        KERNELS.iter().map(Function::name).filter(|n| n.contains(name) || name.contains(n)).collect();
    near.sort_unstable();
    let hint = if near.is_empty() {
        "`gristmill verify` without names lists all".to_string()
    } else {
        format!("there are: {}", near.join(", "))
    };
    Err(format!("no kernel is called `{name}`; {hint}").into())
}
