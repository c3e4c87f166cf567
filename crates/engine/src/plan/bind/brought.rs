//! Calls of kernels that are not R's: those that whoever binds the expressions brought along.

use super::{Binder, Bound};
use crate::expr::functions::function;
use crate::expr::{Argument, Expr, ExprError, Span};
use gristmill_kernel::{Function, MOST_PARAMETERS, Scalar};

impl Binder<'_> {
    /// The kernel that was brought under this name, if one was.
    pub(super) fn brought(&self, name: &str, at: Span) -> Result<Option<Function>, ExprError> {
        let mut of_name = self.bindings.kernels.iter().filter(|kernel| kernel.name() == name);
        let Some(kernel) = of_name.next() else { return Ok(None) };
        // The same text may be given twice.
        if of_name.any(|other| !std::ptr::eq(other.shard(), kernel.shard())) {
            let help = format!("rename one of them, so that it is clear which `{name}` is meant");
            return self.error(at, format!("several of the kernels given are called `{name}`"), Some(help));
        }
        if function(name).is_some() || name == "c" {
            let help = format!("rename the kernel, so that it is clear which `{name}` is meant");
            return self.error(
                at,
                format!("`{name}` is a function of R, and a kernel given has that name too"),
                Some(help),
            );
        }
        Ok(Some(*kernel))
    }

    /// A call of such a kernel: every argument is given, in order or by name.
    pub(super) fn brought_call(
        &mut self,
        kernel: Function,
        span: Span,
        arguments: &[Argument],
    ) -> Result<Bound, ExprError> {
        let name = kernel.name();
        let params: Vec<(&str, Scalar)> = kernel.params().collect();
        let results = kernel.results();
        let usage = Some(format!("usage: {}", signature(&kernel)));
        if let Some((param, scalar)) = params.iter().find(|(_, scalar)| !is_in_expressions(*scalar)) {
            let help = format!("make it `{param}: f64`, and write `{param} as {scalar}` in the kernel");
            let message = format!("`{param}` of `{name}` is {scalar}, but expressions have f64 and bool");
            return self.error(span, message, Some(help));
        }
        match results[..] {
            [result] if is_in_expressions(result) => {}
            [result] => {
                let message = format!("the result of `{name}` is {result}, but expressions have f64 and bool");
                return self.error(span, message, Some("return `… as f64`".to_string()));
            }
            _ => {
                let message = format!("`{name}` has {} results, but an expression has one", results.len());
                let help = "write a kernel for each of them, which calls this one".to_string();
                return self.error(span, message, Some(help));
            }
        }
        if params.len() > MOST_PARAMETERS {
            let message =
                format!("`{name}` has {} parameters, but at most {MOST_PARAMETERS} are possible", params.len());
            return self.error(span, message, None);
        }
        let given = self.matched(&kernel, &params, arguments)?;
        let mut bound = Vec::with_capacity(params.len());
        for (value, (param, _)) in given.into_iter().zip(&params) {
            match value {
                Some(value) => bound.push(self.expression(value)?),
                None => return self.error(span, format!("`{name}` needs `{param}`"), usage),
            }
        }
        self.kernel_call(kernel, span, &bound, None)
    }

    /// For each parameter its argument: those with names first, then the others in order.
    fn matched<'a>(
        &self,
        kernel: &Function,
        params: &[(&str, Scalar)],
        arguments: &'a [Argument],
    ) -> Result<Vec<Option<&'a Expr>>, ExprError> {
        let usage = || Some(format!("usage: {}", signature(kernel)));
        let mut given: Vec<Option<&Expr>> = vec![None; params.len()];
        for argument in arguments {
            let Some((name, at)) = &argument.name else { continue };
            match params.iter().position(|(param, _)| param == name) {
                Some(k) if given[k].is_none() => given[k] = Some(&argument.value),
                Some(_) => return self.error(*at, format!("`{name}` is given twice"), usage()),
                None => return self.error(*at, format!("`{}` has no argument `{name}`", kernel.name()), usage()),
            }
        }
        for argument in arguments.iter().filter(|a| a.name.is_none()) {
            match given.iter_mut().find(|g| g.is_none()) {
                Some(place) => *place = Some(&argument.value),
                None => {
                    let plural = if params.len() == 1 { "" } else { "s" };
                    let message =
                        format!("`{}` takes {} argument{plural}, and this is one more", kernel.name(), params.len());
                    return self.error(argument.value.span, message, usage());
                }
            }
        }
        Ok(given)
    }
}

fn is_in_expressions(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F64 | Scalar::Bool)
}

/// `growth(t: f64, a: f64, b: f64)`
fn signature(kernel: &Function) -> String {
    let params: Vec<String> = kernel.params().map(|(name, scalar)| format!("{name}: {scalar}")).collect();
    format!("{}({})", kernel.name(), params.join(", "))
}
