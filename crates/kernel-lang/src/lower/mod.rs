//! Rust syntax -> typed IR, with every refusal.

mod bindings;
mod calls;
mod control_flow;
mod expressions;
mod extent;
mod operators;
mod resolve;
mod types;

pub(crate) use types::{Place, parse_type};

use crate::Reference;
use crate::environment::{Environment, FunctionType};
use crate::infer::Types;
use crate::ir::*;
use crate::shape::{self, Form};
use proc_macro2::Span;
use resolve::Resolve;
use std::collections::HashMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Error, Result};
use types::array_len;

fn err<R>(span: Span, message: impl std::fmt::Display) -> Result<R> {
    Err(Error::new(span, format!("#[kernel]: {message}")))
}

struct Lower {
    scopes: Vec<HashMap<String, LocalId>>,
    locals: Vec<Local>,
    loops: Vec<LoopInfo>,
    loop_stack: Vec<LoopId>,
    references: Vec<Reference>,
    types: Types,
    ret: Ty,
    name: String,
    lengths: HashMap<String, usize>,
    /// Types by the address of the syntax node: the macro rewrites the native copy by them.
    by_node: HashMap<usize, Ty>,
    /// What names outside mean, where a whole text is known.
    environment: Option<Rc<Environment>>,
}

/// The IR, and the type of every expression in the order in which `syn::visit` meets them.
pub(crate) struct Lowered {
    pub(crate) func: Func,
    pub(crate) node_types: Vec<Option<Ty>>,
}

fn context(name: &str, ret: Ty, references: Vec<Reference>, environment: Option<Rc<Environment>>) -> Lower {
    let mut types = Types::default();
    types.distinct_structs = environment.is_some();
    Lower {
        scopes: vec![HashMap::new()],
        locals: vec![],
        loops: vec![],
        loop_stack: vec![],
        references,
        types,
        ret,
        name: name.to_string(),
        lengths: HashMap::new(),
        by_node: HashMap::new(),
        environment,
    }
}

/// The value of a constant item, as a function without parameters: for the interpreter.
pub(crate) fn lower_const(
    name: &str,
    ty: &syn::Type,
    value: &syn::Expr,
    environment: Option<Rc<Environment>>,
) -> Result<Func> {
    let mut references = vec![];
    let ret = parse_type(ty, &mut references, Place::Inside)?;
    let mut cx = context(name, ret.clone(), references, environment);
    let e = cx.expr(value)?;
    cx.same(&e.ty, &ret, e.span)?;
    let body = Block { stmts: vec![], ty: e.ty.clone(), tail: Some(Box::new(e)) };
    Ok(cx.finish(vec![], ret, body))
}

pub(crate) fn lower(item: &syn::ItemFn, form: Form, environment: Option<Rc<Environment>>) -> Result<Lowered> {
    let entry = form == Form::Entry;
    let sig = &item.sig;
    if let Some(p) = sig.generics.params.first() {
        return err(p.span(), "a kernel cannot be generic: write one kernel per type");
    }
    if let Some(t) = &sig.asyncness {
        return err(t.span(), "a kernel cannot be async");
    }
    if let Some(t) = &sig.constness {
        return err(t.span(), "a kernel cannot be `const`: it chooses its instruction set at run time");
    }
    if let Some(t) = &sig.abi {
        return err(t.span(), "a kernel has Rust's own calling convention: remove `extern`");
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        return err(sig.fn_token.span, "a kernel cannot be unsafe");
    }
    let mut references = vec![];
    let ret = match &sig.output {
        syn::ReturnType::Default => Ty::Unit,
        syn::ReturnType::Type(_, ty) => parse_type(ty, &mut references, Place::Inside)?,
    };
    if matches!(ret, Ty::Ref(_)) {
        return err(sig.output.span(), "a kernel returns values: numbers, tuples, arrays or a struct");
    }
    let mut cx = context(&sig.ident.to_string(), ret.clone(), references, environment);
    let mut params = vec![];
    for input in &sig.inputs {
        let syn::FnArg::Typed(input) = input else {
            return err(input.span(), "a kernel is a free function: no `self`");
        };
        let syn::Pat::Ident(pat) = &*input.pat else {
            return err(input.pat.span(), "a parameter must be a plain name: take the tuple apart inside");
        };
        let place = if entry { Place::EntryParam } else { Place::Inside };
        let ty = parse_type(&input.ty, &mut cx.references, place)?;
        if entry && matches!(ty, Ty::Ref(_)) {
            return err(input.ty.span(), "an entry point writes through slices: `&mut [f64]`");
        }
        let id = cx.declare(&pat.ident, ty.clone())?;
        params.push(FuncParam { id, ty });
    }
    if entry {
        if params.first().is_none_or(|p| p.ty != Ty::Usize) {
            return err(
                sig.ident.span(),
                "the first parameter of an entry point is the index of the work-item: `i: usize`",
            );
        }
        if ret != Ty::Unit {
            return err(sig.output.span(), "an entry point returns nothing: it writes to a `&mut` slice");
        }
    }
    let body = cx.block(&item.block)?;
    cx.same(&body.ty, &ret, item.block.span())?;
    let node_types = cx.node_types(&item.block);
    let mut func = cx.finish(params, ret, body);
    func.shape = shape::shape(&func, form, sig.ident.span())?;
    Ok(Lowered { func, node_types })
}

impl Lower {
    fn node_types(&self, block: &syn::Block) -> Vec<Option<Ty>> {
        struct Order<'a>(&'a Lower, Vec<Option<Ty>>);
        impl<'ast> syn::visit::Visit<'ast> for Order<'_> {
            fn visit_expr(&mut self, e: &'ast syn::Expr) {
                let ty = self.0.by_node.get(&(e as *const syn::Expr as usize));
                self.1.push(ty.map(|t| self.0.types.resolve(t)));
                syn::visit::visit_expr(self, e);
            }
        }
        let mut order = Order(self, vec![]);
        syn::visit::Visit::visit_block(&mut order, block);
        order.1
    }

    fn finish(mut self, params: Vec<FuncParam>, ret: Ty, mut body: Block) -> Func {
        let mut uses = vec![vec![]; self.references.len()];
        Resolve { types: &self.types, uses: &mut uses }.block(&mut body);
        for (r, uses) in self.references.iter_mut().zip(uses) {
            for u in uses {
                if !r.uses.contains(&u) {
                    r.uses.push(u);
                }
            }
        }
        for l in &mut self.locals {
            l.ty = self.types.resolve(&l.ty);
        }
        for l in &mut self.loops {
            l.ty = self.types.resolve(&l.ty);
        }
        Func {
            name: self.name,
            params,
            ret,
            locals: self.locals,
            loops: self.loops,
            body,
            references: self.references,
            shape: Shape::Plain,
        }
    }

    fn parse_type(&mut self, ty: &syn::Type) -> Result<Ty> {
        if let syn::Type::Array(a) = ty {
            let elem = self.parse_type(&a.elem)?;
            return Ok(Ty::Array(Box::new(elem), array_len(&a.len, &self.lengths)?));
        }
        parse_type(ty, &mut self.references, Place::Inside)
    }

    fn declare(&mut self, ident: &syn::Ident, ty: Ty) -> Result<LocalId> {
        let name = ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_string();
        if !name.is_ascii() {
            return err(ident.span(), "names must be ASCII: OpenCL compilers know no other");
        }
        self.locals.push(Local { name: name.clone(), ty });
        let id = self.locals.len() - 1;
        self.scopes.last_mut().expect("a scope").insert(name, id);
        Ok(id)
    }

    fn find(&self, name: &str) -> Option<LocalId> {
        self.scopes.iter().rev().find_map(|s| s.get(name.strip_prefix("r#").unwrap_or(name)).copied())
    }

    fn same(&mut self, a: &Ty, b: &Ty, span: Span) -> Result<()> {
        if self.types.unify(a, b) {
            return Ok(());
        }
        let (a, b) = (self.types.resolve(a).spell(), self.types.resolve(b).spell());
        err(
            span,
            format!("`{a}` meets `{b}` here; if a call or constant is involved, give its type: `let x: {a} = ...`"),
        )
    }
}
