//! One test binary: conversions against an exact oracle, assignment and lifting by the rules, wrong use.

mod bad_input;
mod conversions;
mod dimensions;
#[cfg(feature = "jit")]
mod jit;
mod kernels;
mod lifting;
mod oracle;
mod parallel;
mod stress;
mod text;

use gristmill_ndtypes::{Array, Error, ErrorMode, Result, Type, Value, assign};

/// Parses a type.
fn ty(text: &str) -> Type {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// An array of this type with these contents.
fn array(text: &str, value: impl Into<Value>) -> Array {
    Array::from_value(&ty(text), value).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Assigns one array to another.
fn set(dst: &mut Array, src: &Array, mode: ErrorMode) -> Result<()> {
    assign(&mut dst.view_mut(), &src.view(), mode)
}

/// Assigns under the default mode.
fn set_default(dst: &mut Array, src: &Array) -> Result<()> {
    set(dst, src, ErrorMode::default())
}

/// Empty rows and lists need a type for their items.
fn empty() -> Value {
    Value::List(Vec::new())
}

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::List(items.into_iter().collect())
}

fn kind(error: &Error) -> Option<gristmill_ckernel::ErrorKind> {
    match error {
        Error::Kernel(e) => Some(e.kind()),
        _ => None,
    }
}
