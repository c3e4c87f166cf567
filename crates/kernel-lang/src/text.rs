//! A whole text as a [`Module`]: every item is a kernel, with `#[kernel]` or without, and every type is known.

use crate::checks::{self, MOST_WORDS};
use crate::environment::{Environment, Externs, FunctionType};
use crate::interp::{Module, form_of};
use crate::ir::*;
use crate::{Form, lower, parse_const_type, translate_struct};
use proc_macro2::Span;
use std::collections::HashMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Error, Result};

/// What a text says about an item besides its meaning.
#[derive(Debug, Clone)]
pub struct ItemNote {
    /// The line of its name, from 1.
    pub line: usize,
    /// Its documentation, one line each.
    pub doc: String,
    /// What its attribute says that it is.
    pub form: Form,
}

fn err<T>(span: Span, message: impl std::fmt::Display) -> Result<T> {
    Err(Error::new(span, message))
}

/// An item that is neither a function nor a constant nor a struct.
fn refused(item: &syn::Item) -> Result<()> {
    match item {
        // A file that rustc compiles too imports the macro and the kernels; here they are known by name.
        syn::Item::Use(u) => match renamed(&u.tree) {
            Some(name) => err(name, "a kernel keeps its name here: call it by that"),
            None => Ok(()),
        },
        other => err(other.span(), "a text has functions, constants and structs only (docs/kernel-language.md)"),
    }
}

fn renamed(tree: &syn::UseTree) -> Option<Span> {
    match tree {
        syn::UseTree::Rename(r) if r.rename != "_" => Some(r.rename.span()),
        syn::UseTree::Path(p) => renamed(&p.tree),
        syn::UseTree::Group(g) => g.items.iter().find_map(renamed),
        _ => None,
    }
}

fn attributes(attrs: &[syn::Attribute]) -> Result<(Form, String)> {
    let (mut form, mut doc) = (Form::Function, String::new());
    for attr in attrs {
        if attr.path().is_ident("kernel") {
            form = form_of(attr);
        } else if let (true, syn::Meta::NameValue(value)) = (attr.path().is_ident("doc"), &attr.meta) {
            if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &value.value {
                let line = line.value();
                doc.push_str(line.strip_prefix(' ').unwrap_or(&line));
                doc.push('\n');
            }
        } else if !["allow", "expect", "derive", "inline", "must_use", "rustfmt"]
            .iter()
            .any(|a| attr.path().is_ident(a))
        {
            return err(attr.span(), "this attribute has no meaning here: `#[kernel]` and its forms have");
        }
    }
    Ok((form, doc.trim_end().to_string()))
}

impl Module {
    /// Reads a whole text: all its functions, constants and structs, which may call each other and `externs`. Nothing is
    /// left to rustc: what is not a valid program is refused, with the place in the text.
    ///
    /// The syntax tree is walked recursively: the caller limits the depth of the text, or gives it a large stack.
    ///
    /// # Errors
    /// The refusals of the language, Rust's syntax errors, and what rustc would have refused.
    pub fn of_text(text: &str, externs: Rc<dyn Externs>) -> Result<Module> {
        let file: syn::File = syn::parse_str(text)?;
        let mut module = Module { externs: Some(externs.clone()), ..Module::default() };
        let mut environment =
            Environment { functions: HashMap::new(), constants: HashMap::new(), structs: HashMap::new(), externs };
        for item in &file.items {
            let (ident, attrs) = match item {
                syn::Item::Fn(f) => (&f.sig.ident, &f.attrs),
                syn::Item::Const(c) => (&c.ident, &c.attrs),
                syn::Item::Struct(s) => (&s.ident, &s.attrs),
                other => {
                    refused(other)?;
                    continue;
                }
            };
            let name = ident.to_string();
            if !name.is_ascii() {
                return err(ident.span(), "names must be ASCII: OpenCL compilers know no other");
            }
            let (form, doc) = attributes(attrs)?;
            if module.notes.insert(name.clone(), ItemNote { line: ident.span().start().line, doc, form }).is_some() {
                return err(ident.span(), format!("`{name}` is defined twice"));
            }
            match item {
                syn::Item::Fn(f) if form == Form::Entry => {
                    let _ = f;
                    environment.functions.insert(name.clone(), FunctionType::Entry);
                }
                syn::Item::Fn(f) => {
                    environment.functions.insert(name.clone(), FunctionType::Written(Box::new(f.sig.clone())));
                }
                syn::Item::Const(c) => {
                    parse_const_type(&c.ty)?;
                    environment.constants.insert(name.clone(), (*c.ty).clone());
                }
                syn::Item::Struct(s) => {
                    module.structs.insert(name.clone(), translate_struct(s)?);
                    let fields = s.fields.iter().filter_map(|f| Some((f.ident.as_ref()?.to_string(), f.ty.clone())));
                    environment.structs.insert(name.clone(), fields.collect());
                }
                _ => {}
            }
            module.order.push((name, form == Form::Entry));
        }
        module.structs_are_finite(&file, &environment)?;
        let environment = Rc::new(environment);
        let mut spans = HashMap::new();
        for item in &file.items {
            match item {
                syn::Item::Fn(f) => {
                    let form = module.notes[&f.sig.ident.to_string()].form;
                    let func = lower::lower(f, form, Some(environment.clone()))?.func;
                    module.check(&environment, &func, f.sig.ident.span())?;
                    spans.insert(func.name.clone(), f.sig.ident.span());
                    module.functions.insert(func.name.clone(), func);
                }
                syn::Item::Const(c) => {
                    let name = c.ident.to_string();
                    let func = lower::lower_const(&name, &c.ty, &c.expr, Some(environment.clone()))?;
                    module.check(&environment, &func, c.ident.span())?;
                    spans.insert(name.clone(), c.ident.span());
                    module.constants.insert(name, func);
                }
                _ => {}
            }
        }
        module.no_circle()?;
        module.callees_first();
        for (name, _) in &module.order {
            if module.constants.contains_key(name)
                && let Err(e) = module.constant(name)
            {
                return err(spans[name], format!("`{name}` has no value: {e}"));
            }
        }
        Ok(module)
    }

    /// The size of a type in words.
    pub fn words(&self, ty: &Ty, references: &[crate::Reference]) -> usize {
        match ty {
            Ty::Unit | Ty::Never => 0,
            Ty::Tuple(items) => items.iter().fold(0, |n, t| n.saturating_add(self.words(t, references))),
            Ty::Array(elem, n) => self.words(elem, references).saturating_mul(*n),
            Ty::Struct(StructRef::Path(k)) => {
                let name = references[*k].path.segments.last().expect("a path has a segment").ident.to_string();
                let Some(s) = self.structs.get(&name) else { return 0 };
                s.fields.iter().fold(0, |n, f| n.saturating_add(self.words(&f.ty, &s.references)))
            }
            _ => 1,
        }
    }

    /// No struct contains itself, and all that are named in fields are there.
    fn structs_are_finite(&self, file: &syn::File, environment: &Environment) -> Result<()> {
        // Depth first; a struct is done when all its fields are.
        fn visit(
            module: &Module,
            env: &Environment,
            name: &str,
            span: Span,
            open: &mut Vec<String>,
            done: &mut Vec<String>,
        ) -> Result<()> {
            if done.iter().any(|d| d == name) {
                return Ok(());
            }
            if open.iter().any(|o| o == name) {
                return err(span, format!("`{name}` contains itself"));
            }
            let Some(s) = module.structs.get(name) else {
                return err(span, format!("no struct is called `{name}`{}", env.did_you_mean(name)));
            };
            open.push(name.to_string());
            for r in &s.references {
                let inner = r.path.segments.last().expect("a path has a segment").ident.to_string();
                visit(module, env, &inner, r.span, open, done)?;
            }
            open.pop();
            done.push(name.to_string());
            Ok(())
        }
        let mut done = vec![];
        for item in &file.items {
            if let syn::Item::Struct(s) = item {
                visit(self, environment, &s.ident.to_string(), s.ident.span(), &mut vec![], &mut done)?;
            }
        }
        Ok(())
    }

    fn check(&self, environment: &Environment, func: &Func, name: Span) -> Result<()> {
        let fits = |ty: &Ty, span: Span| -> Result<()> {
            if let Some(k) = unknown_struct(ty, &mut |k| {
                let path = &func.references[k].path;
                path.segments.len() == 1 && environment.structs.contains_key(&path.segments[0].ident.to_string())
            }) {
                let r = &func.references[k];
                let named = r.path.segments.last().expect("a path has a segment").ident.to_string();
                return err(r.span, format!("no struct is called `{named}`{}", environment.did_you_mean(&named)));
            }
            match self.words(ty, &func.references) {
                n if n > MOST_WORDS => {
                    err(span, format!("a value of {n} numbers is too large: at most {MOST_WORDS} are possible"))
                }
                _ => Ok(()),
            }
        };
        fits(&func.ret, name)?;
        for p in &func.params {
            fits(&p.ty, name)?;
        }
        let mut first = Ok(());
        func.visit(&mut |e| {
            if first.is_ok() {
                first = fits(&e.ty, e.span);
            }
        });
        first?;
        for local in &func.locals {
            fits(&local.ty, name)?;
        }
        checks::check(func, name)
    }

    /// What `name` calls or reads, and where.
    fn uses(&self, name: &str) -> Vec<(String, Span)> {
        let Some(func) = self.functions.get(name).or_else(|| self.constants.get(name)) else { return vec![] };
        let mut uses = vec![];
        func.visit(&mut |e| {
            if let Kind::Call(k, _) | Kind::Const(k) = &e.kind {
                let path = &func.references[*k].path;
                uses.push((path.segments.last().expect("a path has a segment").ident.to_string(), e.span));
            }
        });
        uses
    }

    /// No function calls itself, also not through others; no constant needs itself.
    fn no_circle(&self) -> Result<()> {
        let mut done: HashMap<String, bool> = HashMap::new(); // false: on the way
        for (root, _) in &self.order {
            let mut stack: Vec<(String, Vec<(String, Span)>)> = vec![];
            if done.contains_key(root) {
                continue;
            }
            done.insert(root.clone(), false);
            stack.push((root.clone(), self.uses(root)));
            while let Some((name, uses)) = stack.last_mut() {
                match uses.pop() {
                    None => {
                        done.insert(name.clone(), true);
                        stack.pop();
                    }
                    Some((used, span)) => match done.get(&used) {
                        Some(true) => {}
                        Some(false) => {
                            let start = stack.iter().position(|(n, _)| *n == used).unwrap_or(0);
                            let way: Vec<String> =
                                stack[start..].iter().map(|(n, _)| n.clone()).chain([used.clone()]).collect();
                            return err(
                                span,
                                format!(
                                    "`{used}` needs itself ({}): OpenCL has no recursion; write a loop",
                                    way.join(" -> ")
                                ),
                            );
                        }
                        None => {
                            done.insert(used.clone(), false);
                            let next = self.uses(&used);
                            stack.push((used, next));
                        }
                    },
                }
            }
        }
        Ok(())
    }

    /// Puts callees before their callers, as C wants them.
    fn callees_first(&mut self) {
        let mut order: Vec<(String, bool)> = vec![];
        let mut placed: std::collections::HashSet<String> = self.structs.keys().cloned().collect();
        // Structs first, inner ones before outer ones: a struct follows those that it names.
        let mut structs: Vec<&(String, bool)> =
            self.order.iter().filter(|(n, _)| self.structs.contains_key(n)).collect();
        let mut known: std::collections::HashSet<String> = std::collections::HashSet::new();
        while !structs.is_empty() {
            let before = structs.len();
            structs.retain(|(name, entry)| {
                let ready = self.structs[name]
                    .references
                    .iter()
                    .all(|r| r.path.segments.last().is_some_and(|s| known.contains(&s.ident.to_string())));
                if ready {
                    known.insert(name.clone());
                    order.push((name.clone(), *entry));
                }
                !ready
            });
            if structs.len() == before {
                break;
            }
        }
        let mut stack: Vec<(String, bool, bool)> =
            self.order.iter().rev().map(|(n, e)| (n.clone(), *e, false)).collect();
        while let Some((name, entry, ready)) = stack.pop() {
            if placed.contains(&name) {
                continue;
            }
            if ready {
                placed.insert(name.clone());
                order.push((name, entry));
                continue;
            }
            stack.push((name.clone(), entry, true));
            for (used, _) in self.uses(&name) {
                if !placed.contains(&used) && (self.functions.contains_key(&used) || self.constants.contains_key(&used))
                {
                    stack.push((used, false, false));
                }
            }
        }
        self.order = order;
    }

    /// What the text says about an item.
    pub fn note(&self, name: &str) -> Option<&ItemNote> {
        self.notes.get(name)
    }
}

/// The reference of the first struct in a type for which `known` does not hold.
fn unknown_struct(ty: &Ty, known: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
    match ty {
        Ty::Struct(StructRef::Path(k) | StructRef::ResultOf(k)) => (!known(*k)).then_some(*k),
        Ty::Tuple(items) => items.iter().find_map(|t| unknown_struct(t, known)),
        Ty::Array(inner, _) | Ty::Ref(inner) => unknown_struct(inner, known),
        _ => None,
    }
}
