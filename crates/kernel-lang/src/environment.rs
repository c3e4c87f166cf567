//! What names outside a function mean, where a whole text is known: nothing is guessed then.
//!
//! `#[kernel]` sees one item, so it infers what it can and leaves the rest to rustc. A text at run time has no rustc behind it, but all
//! of its items are there: [`Environment`] gives the lowering their types, and [`crate::checks`] does what rustc would have done.

use crate::ir::Ty;
use std::collections::HashMap;

/// Kernels outside the text that its functions may call by name: the compiled ones.
pub trait Externs: std::fmt::Debug {
    /// Parameters and result of the kernel of this name: scalars, or a tuple of them as the result.
    fn signature(&self, name: &str) -> Option<(Vec<Ty>, Ty)>;
    /// The kernel's result.
    fn call(&self, name: &str, args: &[crate::interp::Val]) -> Option<crate::interp::Val>;
    /// A name that somebody probably meant.
    fn nearest(&self, name: &str) -> Option<String>;
}

/// What a function takes and gives.
#[derive(Debug)]
pub(crate) enum FunctionType {
    /// A function of the text.
    Written(Box<syn::Signature>),
    /// An entry point: nothing calls it.
    Entry,
}

/// The items of a text, by name.
#[derive(Debug)]
pub(crate) struct Environment {
    pub(crate) functions: HashMap<String, FunctionType>,
    pub(crate) constants: HashMap<String, syn::Type>,
    pub(crate) structs: HashMap<String, Vec<(String, syn::Type)>>,
    pub(crate) externs: std::rc::Rc<dyn Externs>,
}

impl Environment {
    /// `; did you mean ..?`, or nothing.
    pub(crate) fn did_you_mean(&self, name: &str) -> String {
        let close = |known: &&String| distance_is_one(known, name);
        let own = self.functions.keys().chain(self.constants.keys()).chain(self.structs.keys()).find(close).cloned();
        own.or_else(|| self.externs.nearest(name)).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
    }
}

/// Whether one letter was added, left out or changed.
fn distance_is_one(a: &str, b: &str) -> bool {
    let same_start = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a.as_bytes()[same_start..], &b.as_bytes()[same_start..]);
    match (a, b) {
        ([], [_]) | ([_], []) => true,
        ([_, x @ ..], [_, y @ ..]) => x == y || x == b || a == y,
        _ => false,
    }
}
