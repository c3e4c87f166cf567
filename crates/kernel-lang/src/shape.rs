//! The two shapes that block loops know: `eval(x.., setup(params..), flags..)` and `if in_main { main } else { rest }`.

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

/// `#[kernel(masked)]`: three functions of the same arguments.
#[derive(Debug, Clone)]
pub struct Masked {
    /// True where `main` holds.
    pub in_main: syn::Path,
    /// The branch-free path.
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

/// Reads the body of a `#[kernel(masked)]` function.
pub fn masked(item: &syn::ItemFn) -> Result<Masked> {
    let names = parameter_names(item);
    let wrong = |span| {
        Err(Error::new(
            span,
            "#[kernel(masked)]: the body must be exactly `if in_main(args) { main(args) } else { rest(args) }`, each with \
             all parameters in order",
        ))
    };
    let Some(Expr::If(i)) = only_expr(&item.block) else { return wrong(item.sig.ident.span()) };
    let all = |e: &Expr| -> Option<syn::Path> {
        let (path, args) = call(e)?;
        let order: Option<Vec<usize>> = args.iter().map(|a| parameter(a, &names)).collect();
        (order? == (0..names.len()).collect::<Vec<_>>()).then(|| path.clone())
    };
    let main = only_expr(&i.then_branch).and_then(all);
    let rest = match i.else_branch.as_ref().map(|(_, e)| &**e) {
        Some(Expr::Block(b)) if b.label.is_none() => only_expr(&b.block).and_then(all),
        _ => None,
    };
    match (all(&i.cond), main, rest) {
        (Some(in_main), Some(main), Some(rest)) => Ok(Masked { in_main, main, rest }),
        _ => wrong(i.if_token.span),
    }
}
