//! The shapes that block loops know: `eval(x.., setup(params..), flags..)`, `if in_main { main } else { rest }` and
//! `let y = main; if holds(y) { y } else { rest }`, the last two also after `let s = setup(params..)`, and then perhaps with another setup of the
//! same parameters for the rest. They are read from the IR, once, into [`Func::shape`].

use crate::ir::{Block, Eval, Expr, Func, Kind, LocalId, Masked, Pat, Shape, Split, Stmt, Test};
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

/// The callee, if the arguments are these variables in order.
fn call_of(e: &Expr, args: &[LocalId]) -> Option<usize> {
    let (callee, given) = call(e)?;
    let in_order = given.len() == args.len() && args.iter().zip(given).all(|(id, a)| is_local(a, *id));
    in_order.then_some(callee)
}

fn split(func: &Func, name: Span) -> Result<Split> {
    let wrong = |span| {
        Error::new(
            span,
            "#[kernel(split)]: the body must be exactly `eval(x.., setup(params..))` or `eval(x.., setup(params..), \
             flags..)`, with parameters of the function as arguments, each used once; or `let s = setup(params..);` and \
             then `if in_main(x.., s) { main(x.., s) } else { rest(x.., s) }`, where the rest may take \
             `setup_of_rest(params..)` instead, with the same parameters in the same order",
        )
    };
    // `setup(params..)`: the callee and the parameters.
    let setup_of = |e: &Expr| -> Result<Option<(usize, Vec<usize>)>> {
        let Some((callee, list)) = call(e) else { return Ok(None) };
        let mut params = vec![];
        for p in list {
            match parameter(p, func) {
                Some(i) => params.push(i),
                None => return Err(wrong(p.span)),
            }
        }
        Ok(Some((callee, params)))
    };
    let (mut varying, mut flags, mut setup_of_rest) = (vec![], vec![], None);
    let (eval, setup) = match func.body.stmts.as_slice() {
        [] => {
            let Some(body) = only_expr(&func.body) else { return Err(wrong(name)) };
            let Some((eval, args)) = call(body) else { return Err(wrong(body.span)) };
            let mut setup = None;
            for a in args {
                match parameter(a, func) {
                    Some(i) if setup.is_some() => flags.push(i),
                    Some(i) => varying.push(i),
                    None if setup.is_some() => return Err(wrong(a.span)),
                    None => match setup_of(a)? {
                        Some(found) => setup = Some(found),
                        None => return Err(wrong(a.span)),
                    },
                }
            }
            (Eval::Call(eval), setup)
        }
        [Stmt::Let(Pat::Local(s), Some(value), _), rest @ ..] => {
            let Some(setup) = setup_of(value)? else { return Err(wrong(value.span)) };
            let Some(tail) = func.body.tail.as_deref() else { return Err(wrong(name)) };
            // The main path says where the setup stands among the arguments.
            let main = match (rest, &tail.kind) {
                ([Stmt::Let(_, Some(main), _)], _) => Some(main),
                ([], Kind::If(_, then, _)) => only_expr(then),
                _ => None,
            };
            let Some((_, args)) = main.and_then(call) else { return Err(wrong(name)) };
            let (mut order, mut seen) = (vec![], false);
            for a in args {
                match parameter(a, func) {
                    Some(i) if seen => flags.push(i),
                    Some(i) => varying.push(i),
                    None if !seen && is_local(a, *s) => seen = true,
                    None => return Err(wrong(a.span)),
                }
                order.push(if let Kind::Local(id) = a.kind { id } else { return Err(wrong(a.span)) });
            }
            let of_rest = |e: &Expr| {
                let (callee, given) = call(e)?;
                let here = given.len() == order.len();
                let mut other = None;
                for (id, a) in order.iter().zip(given).filter(|(id, a)| !is_local(a, **id)) {
                    match setup_of(a).ok()?? {
                        (found, params) if *id == *s && params == setup.1 => other = Some(found),
                        _ => return None,
                    }
                }
                here.then_some((callee, other))
            };
            match masked_body(rest, tail, &order, of_rest) {
                Some((masked, other)) if seen => {
                    setup_of_rest = other;
                    (Eval::Masked(masked), Some(setup))
                }
                _ => return Err(wrong(tail.span)),
            }
        }
        _ => return Err(wrong(name)),
    };
    let Some((setup, params)) = setup else { return Err(wrong(name)) };
    let mut all: Vec<usize> = [&varying[..], &params, &flags].concat();
    all.sort_unstable();
    if varying.is_empty() || !all.into_iter().eq(0..func.params.len()) {
        return Err(wrong(name));
    }
    Ok(Split { eval, setup, varying, params, flags, setup_of_rest })
}

/// `if in_main(args) { main(args) } else { rest(args) }`, or with `let y = main(args);` before it a test of `y`; `rest` reads the last
/// call, and what it finds beside the callee comes along.
fn masked_body<T>(
    stmts: &[Stmt],
    branch: &Expr,
    args: &[LocalId],
    rest: impl Fn(&Expr) -> Option<(usize, T)>,
) -> Option<(Masked, T)> {
    let bound = match stmts {
        [] => None,
        [Stmt::Let(Pat::Local(y), Some(value), _)] => Some((*y, value)),
        _ => return None,
    };
    let Kind::If(cond, then, Some(other)) = &branch.kind else { return None };
    let then = only_expr(then)?;
    let Kind::Block(other) = &other.kind else { return None };
    let (rest, found) = rest(only_expr(other)?)?;
    let (main, test) = match bound {
        None => (call_of(then, args)?, Test::Arguments(call_of(cond, args)?)),
        Some((y, value)) => {
            let test = match call(cond)? {
                (holds, [arg]) if is_local(arg, y) && is_local(then, y) => Test::Result(holds),
                _ => return None,
            };
            (call_of(value, args)?, test)
        }
    };
    Some((Masked { test, main, rest }, found))
}

fn masked(func: &Func, name: Span) -> Result<Masked> {
    let args: Vec<LocalId> = func.params.iter().map(|p| p.id).collect();
    let branch = func.body.tail.as_deref();
    let rest = |e: &Expr| call_of(e, &args).map(|callee| (callee, ()));
    if let Some((masked, ())) = branch.and_then(|branch| masked_body(&func.body.stmts, branch, &args, rest)) {
        return Ok(masked);
    }
    let known = matches!(func.body.stmts.as_slice(), [] | [Stmt::Let(Pat::Local(_), Some(_), _)]);
    let span = branch.filter(|e| known && matches!(e.kind, Kind::If(..))).map_or(name, |e| e.span);
    Err(Error::new(
        span,
        "#[kernel(masked)]: the body must be exactly `if in_main(args) { main(args) } else { rest(args) }` or \
         `let y = main(args); if holds(y) { y } else { rest(args) }`, args being all parameters in order",
    ))
}
