//! The shapes that block loops know: `eval(x.., setup(params..), flags..)`, `if in_main { main } else { rest }` and
//! `let y = main; if holds(y) { y } else { rest }`.

use syn::spanned::Spanned;
use syn::{Error, Expr, Result};

/// `#[kernel(split)]`: which parameters go where.
#[derive(Debug, Clone)]
pub struct Split {
    /// The function of the varying arguments and the setup.
    pub eval: syn::Path,
    /// The function of the parameters.
    pub setup: syn::Path,
    /// Indices of the parameters that stand before `setup(..)`.
    pub varying: Vec<usize>,
    /// Indices of the parameters that `setup` takes.
    pub params: Vec<usize>,
    /// Indices of the parameters that stand after `setup(..)`.
    pub flags: Vec<usize>,
}

/// How it is known where the main path of a `#[kernel(masked)]` function holds.
#[derive(Debug, Clone)]
pub enum Test {
    /// By a function of the arguments, before the main path.
    Arguments(syn::Path),
    /// By a function of what the main path gives.
    Result(syn::Path),
}

/// `#[kernel(masked)]`: two functions of the same arguments, and which of them holds.
#[derive(Debug, Clone)]
pub struct Masked {
    /// Where `main` holds.
    pub test: Test,
    /// The path of most elements.
    pub main: syn::Path,
    /// Everything else.
    pub rest: syn::Path,
}

fn parameter_names(item: &syn::ItemFn) -> Vec<String> {
    item.sig
        .inputs
        .iter()
        .filter_map(|a| match a {
            syn::FnArg::Typed(t) => match &*t.pat {
                syn::Pat::Ident(p) => Some(p.ident.to_string()),
                _ => None,
            },
            syn::FnArg::Receiver(_) => None,
        })
        .collect()
}

fn only_expr(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(e, None)] => Some(e),
        _ => None,
    }
}

fn call(e: &Expr) -> Option<(&syn::Path, Vec<&Expr>)> {
    match e {
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) => Some((&p.path, c.args.iter().collect())),
            _ => None,
        },
        _ => None,
    }
}

fn parameter(e: &Expr, names: &[String]) -> Option<usize> {
    match e {
        Expr::Path(p) => p.path.get_ident().and_then(|i| names.iter().position(|n| i == n)),
        _ => None,
    }
}

/// Reads the body of a `#[kernel(split)]` function.
pub fn split(item: &syn::ItemFn) -> Result<Split> {
    let names = parameter_names(item);
    let wrong = |span| {
        Err(Error::new(
            span,
            "#[kernel(split)]: the body must be exactly `eval(x.., setup(params..))` or `eval(x.., setup(params..), \
             flags..)`, with parameters of the function as arguments, each used once",
        ))
    };
    let Some(body) = only_expr(&item.block) else { return wrong(item.sig.ident.span()) };
    let Some((eval, args)) = call(body) else { return wrong(body.span()) };
    let mut split = Split { eval: eval.clone(), setup: eval.clone(), varying: vec![], params: vec![], flags: vec![] };
    let mut seen = false;
    for a in args {
        match (parameter(a, &names), call(a)) {
            (Some(i), _) if seen => split.flags.push(i),
            (Some(i), _) => split.varying.push(i),
            (None, Some((setup, params))) if !seen => {
                seen = true;
                split.setup = setup.clone();
                for p in params {
                    match parameter(p, &names) {
                        Some(i) => split.params.push(i),
                        None => return wrong(p.span()),
                    }
                }
            }
            _ => return wrong(a.span()),
        }
    }
    let mut all: Vec<usize> = [&split.varying[..], &split.params, &split.flags].concat();
    all.sort_unstable();
    if !seen || split.varying.is_empty() || all != (0..names.len()).collect::<Vec<_>>() {
        return wrong(item.sig.ident.span());
    }
    Ok(split)
}

/// The name that `let name = value;` binds, and the value.
fn binding(s: &syn::Stmt) -> Option<(&syn::Ident, &Expr)> {
    let syn::Stmt::Local(local) = s else { return None };
    let init = local.init.as_ref().filter(|i| i.diverge.is_none())?;
    let pat = match &local.pat {
        syn::Pat::Type(t) => &*t.pat,
        pat => pat,
    };
    match pat {
        syn::Pat::Ident(p) if p.subpat.is_none() && p.mutability.is_none() => Some((&p.ident, &init.expr)),
        _ => None,
    }
}

/// Reads the body of a `#[kernel(masked)]` function.
pub fn masked(item: &syn::ItemFn) -> Result<Masked> {
    let names = parameter_names(item);
    let wrong = |span| {
        Err(Error::new(
            span,
            "#[kernel(masked)]: the body must be exactly `if in_main(args) { main(args) } else { rest(args) }` or \
             `let y = main(args); if holds(y) { y } else { rest(args) }`, args being all parameters in order",
        ))
    };
    let all = |e: &Expr| -> Option<syn::Path> {
        let (path, args) = call(e)?;
        let order: Option<Vec<usize>> = args.iter().map(|a| parameter(a, &names)).collect();
        (order? == (0..names.len()).collect::<Vec<_>>()).then(|| path.clone())
    };
    let (bound, branch) = match item.block.stmts.as_slice() {
        [syn::Stmt::Expr(e, None)] => (None, e),
        [first, syn::Stmt::Expr(e, None)] => match binding(first) {
            Some(bound) => (Some(bound), e),
            None => return wrong(item.sig.ident.span()),
        },
        _ => return wrong(item.sig.ident.span()),
    };
    let Expr::If(i) = branch else { return wrong(item.sig.ident.span()) };
    let then = only_expr(&i.then_branch);
    let rest = match i.else_branch.as_ref().map(|(_, e)| &**e) {
        Some(Expr::Block(b)) if b.label.is_none() => only_expr(&b.block).and_then(all),
        _ => None,
    };
    let (main, test) = match bound {
        None => (then.and_then(all), all(&i.cond).map(Test::Arguments)),
        Some((name, value)) => {
            let is_name = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident(name));
            let test = match call(&i.cond) {
                Some((path, args)) if args.len() == 1 && is_name(args[0]) => Some(Test::Result(path.clone())),
                _ => None,
            };
            (all(value).filter(|_| then.is_some_and(is_name)), test)
        }
    };
    match (main, test, rest) {
        (Some(main), Some(test), Some(rest)) => Ok(Masked { test, main, rest }),
        _ => wrong(i.if_token.span),
    }
}
