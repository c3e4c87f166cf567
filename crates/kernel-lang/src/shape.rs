//! The shapes that block loops know: `eval(x.., setup(params..), flags..)`, `if in_main { main } else { rest }` and
//! `let y = main; if holds(y) { y } else { rest }`. They are read from the IR, once, into [`Func::shape`].

use crate::ir::{Block, Expr, Func, Kind, LocalId, Masked, Pat, Shape, Split, Stmt, Test};
use proc_macro2::Span;
use syn::{Error, Result};

/// What `#[kernel(..)]` says that a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// `#[kernel]`, `#[kernel(inline)]`: any body.
    #[default]
    Function,
    /// `#[kernel(split)]`.
    Split,
    /// `#[kernel(masked)]`.
    Masked,
    /// `#[kernel(entry)]`.
    Entry,
}

/// The shape of `func`, whose name stands at `name`.
pub(crate) fn shape(func: &Func, form: Form, name: Span) -> Result<Shape> {
    Ok(match form {
        Form::Function | Form::Entry => Shape::Plain,
        Form::Split => Shape::Split(split(func, name)?),
        Form::Masked => Shape::Masked(masked(func, name)?),
    })
}

/// The one expression of a block.
fn only_expr(block: &Block) -> Option<&Expr> {
    block.tail.as_deref().filter(|_| block.stmts.is_empty())
}

fn call(e: &Expr) -> Option<(usize, &[Expr])> {
    match &e.kind {
        Kind::Call(callee, args) => Some((*callee, args)),
        _ => None,
    }
}

fn is_local(e: &Expr, id: LocalId) -> bool {
    matches!(e.kind, Kind::Local(local) if local == id)
}

fn parameter(e: &Expr, func: &Func) -> Option<usize> {
    func.params.iter().position(|p| is_local(e, p.id))
}

/// The callee, if the arguments are all parameters in order.
fn call_of_all(e: &Expr, func: &Func) -> Option<usize> {
    let (callee, args) = call(e)?;
    let in_order = args.len() == func.params.len() && func.params.iter().zip(args).all(|(p, a)| is_local(a, p.id));
    in_order.then_some(callee)
}

fn split(func: &Func, name: Span) -> Result<Split> {
    let wrong = |span| {
        Err(Error::new(
            span,
            "#[kernel(split)]: the body must be exactly `eval(x.., setup(params..))` or `eval(x.., setup(params..), \
             flags..)`, with parameters of the function as arguments, each used once",
        ))
    };
    let Some(body) = only_expr(&func.body) else { return wrong(name) };
    let Some((eval, args)) = call(body) else { return wrong(body.span) };
    let (mut setup, mut varying, mut params, mut flags) = (None, vec![], vec![], vec![]);
    for a in args {
        match (parameter(a, func), call(a)) {
            (Some(i), _) if setup.is_some() => flags.push(i),
            (Some(i), _) => varying.push(i),
            (None, Some((callee, list))) if setup.is_none() => {
                setup = Some(callee);
                for p in list {
                    match parameter(p, func) {
                        Some(i) => params.push(i),
                        None => return wrong(p.span),
                    }
                }
            }
            _ => return wrong(a.span),
        }
    }
    let mut all: Vec<usize> = [&varying[..], &params, &flags].concat();
    all.sort_unstable();
    match setup {
        Some(setup) if !varying.is_empty() && all.into_iter().eq(0..func.params.len()) => {
            Ok(Split { eval, setup, varying, params, flags })
        }
        _ => wrong(name),
    }
}

fn masked(func: &Func, name: Span) -> Result<Masked> {
    let wrong = |span| {
        Err(Error::new(
            span,
            "#[kernel(masked)]: the body must be exactly `if in_main(args) { main(args) } else { rest(args) }` or \
             `let y = main(args); if holds(y) { y } else { rest(args) }`, args being all parameters in order",
        ))
    };
    let bound = match func.body.stmts.as_slice() {
        [] => None,
        [Stmt::Let(Pat::Local(y), Some(value), _)] => Some((*y, value)),
        _ => return wrong(name),
    };
    let Some(branch) = func.body.tail.as_deref() else { return wrong(name) };
    let Kind::If(cond, then, other) = &branch.kind else { return wrong(name) };
    let then = only_expr(then);
    let rest = other.as_deref().and_then(|e| match &e.kind {
        Kind::Block(b) => call_of_all(only_expr(b)?, func),
        _ => None,
    });
    let (main, test) = match bound {
        None => (then.and_then(|e| call_of_all(e, func)), call_of_all(cond, func).map(Test::Arguments)),
        Some((y, value)) => {
            let test = match call(cond) {
                Some((holds, [arg])) if is_local(arg, y) => Some(Test::Result(holds)),
                _ => None,
            };
            (call_of_all(value, func).filter(|_| then.is_some_and(|e| is_local(e, y))), test)
        }
    };
    match (main, test, rest) {
        (Some(main), Some(test), Some(rest)) => Ok(Masked { test, main, rest }),
        _ => wrong(branch.span),
    }
}
