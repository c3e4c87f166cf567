//! Expressions by their kind, literals and paths.

use super::extent::extent;
use super::types::add_reference;
use super::*;
use crate::builtins::{self, ConstValue};
use syn::Lit;

impl Lower {
    pub(super) fn exprs<'a>(&mut self, list: impl IntoIterator<Item = &'a syn::Expr>) -> Result<Vec<Expr>> {
        let list: Vec<Expr> = list.into_iter().map(|e| self.expr(e)).collect::<Result<_>>()?;
        list.iter().try_for_each(|e| self.no_slice(e))?;
        Ok(list)
    }

    pub(super) fn expr(&mut self, e: &syn::Expr) -> Result<Expr> {
        let span = extent(e);
        let (kind, ty) = self.kind(e, span)?;
        self.by_node.insert(e as *const syn::Expr as usize, ty.clone());
        Ok(Expr { kind, ty, span })
    }

    pub(super) fn kind(&mut self, e: &syn::Expr, span: Span) -> Result<(Kind, Ty)> {
        Ok(match e {
            syn::Expr::Paren(p) => {
                let e = self.expr(&p.expr)?;
                (e.kind, e.ty)
            }
            syn::Expr::Group(p) => {
                let e = self.expr(&p.expr)?;
                (e.kind, e.ty)
            }
            syn::Expr::Lit(l) => self.literal(&l.lit)?,
            syn::Expr::Path(p) if p.qself.is_none() => self.path(&p.path)?,
            syn::Expr::Unary(u) => self.unary(u, span)?,
            syn::Expr::Binary(b) => self.binary(b, span)?,
            syn::Expr::Cast(c) => {
                let inner = self.expr(&c.expr)?;
                let to = self.parse_type(&c.ty)?;
                let from = self.types.shallow(&inner.ty);
                if self.types.is_open(&from) {
                    self.types.unify(&from, &Ty::F64); // a call or constant: checked against its signature later
                }
                if !(to.is_float() || to.is_int()) {
                    return err(c.ty.span(), format!("cannot cast to `{}`: compare with 0 instead", to.spell()));
                }
                (Kind::Cast(Box::new(inner)), to)
            }
            syn::Expr::Call(c) => self.call(c)?,
            syn::Expr::MethodCall(m) => self.method_call(m)?,
            syn::Expr::Tuple(t) if t.elems.is_empty() => (Kind::Unit, Ty::Unit),
            syn::Expr::Tuple(t) if t.elems.len() == 1 => {
                return err(t.span(), "a tuple has two or more parts here");
            }
            syn::Expr::Tuple(t) => {
                let items = self.exprs(&t.elems)?;
                let ty = Ty::Tuple(items.iter().map(|e| e.ty.clone()).collect());
                (Kind::Tuple(items), ty)
            }
            syn::Expr::Array(a) => {
                let items = self.exprs(&a.elems)?;
                if items.is_empty() {
                    return err(span, "an array has at least one element");
                }
                let elem = self.types.any_var();
                for item in &items {
                    self.same(&item.ty, &elem, item.span)?;
                }
                let ty = Ty::Array(Box::new(elem), items.len());
                (Kind::Array(items), ty)
            }
            syn::Expr::Repeat(r) => {
                let item = self.expr(&r.expr)?;
                let n = array_len(&r.len, &self.lengths)?;
                let ty = Ty::Array(Box::new(item.ty.clone()), n);
                (Kind::Repeat(Box::new(item), n), ty)
            }
            syn::Expr::Struct(s) => self.structure(s)?,
            syn::Expr::Index(i) => self.index(i)?,
            syn::Expr::Field(f) => self.field(f)?,
            syn::Expr::Reference(r) if r.mutability.is_some() => {
                let place = self.place(&r.expr)?;
                if let Kind::Index(base, _) = &place.kind
                    && matches!(self.types.shallow(&base.ty), Ty::Slice(..))
                {
                    return err(span, "no reference into a slice: copy the element, change it, store it");
                }
                let ty = Ty::Ref(Box::new(place.ty.clone()));
                (Kind::RefMut(Box::new(place)), ty)
            }
            syn::Expr::Reference(r) => {
                return err(r.and_token.span, "shared references are not part of the kernel language: pass the value");
            }
            syn::Expr::Block(b) => match &b.label {
                None => {
                    let block = self.block(&b.block)?;
                    let ty = block.ty.clone();
                    (Kind::Block(block), ty)
                }
                Some(_) => {
                    let ty = self.types.any_var();
                    let id = self.enter_loop(&b.label, ty.clone(), true);
                    let block = self.block(&b.block);
                    self.loop_stack.pop();
                    let block = block?;
                    self.same(&block.ty, &ty, span)?;
                    (Kind::Labeled(id, block), ty)
                }
            },
            syn::Expr::If(i) => self.if_(i, span)?,
            syn::Expr::Match(m) => self.match_(m)?,
            syn::Expr::Loop(l) => {
                let ty = self.types.any_var();
                let id = self.enter_loop(&l.label, ty, false);
                let body = self.block(&l.body);
                self.loop_stack.pop();
                let ty = if self.loops[id].broken { self.loops[id].ty.clone() } else { Ty::Never };
                (Kind::Loop(id, body?), ty)
            }
            syn::Expr::While(w) => {
                if let syn::Expr::Let(l) = &*w.cond {
                    return err(
                        l.let_token.span,
                        "`while let` is not part of the kernel language; use `while` with a condition \
                         (docs/kernel-language.md#loops)",
                    );
                }
                let cond = self.condition(&w.cond)?;
                let id = self.enter_loop(&w.label, Ty::Unit, false);
                let body = self.block(&w.body);
                self.loop_stack.pop();
                (Kind::While(id, Box::new(cond), body?), Ty::Unit)
            }
            syn::Expr::ForLoop(f) => self.for_(f)?,
            syn::Expr::Assign(a) => self.assign(a)?,
            syn::Expr::Return(r) => {
                let ret = self.ret.clone();
                let value = match &r.expr {
                    Some(e) => {
                        let e = self.expr(e)?;
                        self.same(&e.ty, &ret, e.span)?;
                        Some(Box::new(e))
                    }
                    None => None,
                };
                (Kind::Return(value), Ty::Never)
            }
            syn::Expr::Break(b) => {
                let value = b.expr.as_ref().map(|e| self.expr(e)).transpose()?;
                let id = self.target(&b.label, span)?;
                let ty = self.loops[id].ty.clone();
                self.same(value.as_ref().map_or(&Ty::Unit, |v| &v.ty), &ty, span)?;
                self.loops[id].broken = true;
                self.loops[id].far_break |= self.is_far(id);
                (Kind::Break(id, value.map(Box::new)), Ty::Never)
            }
            syn::Expr::Continue(c) => {
                let id = self.target(&c.label, span)?;
                self.loops[id].far_continue |= self.is_far(id);
                (Kind::Continue(id), Ty::Never)
            }
            syn::Expr::Closure(_) => {
                return err(span, "closures are not part of the kernel language: write a `#[kernel] fn`");
            }
            syn::Expr::Macro(_) => {
                return err(
                    span,
                    "macros are not part of the kernel language (only `debug_assert!`, which devices ignore)",
                );
            }
            syn::Expr::Unsafe(_) => return err(span, "`unsafe` is not allowed in a kernel"),
            syn::Expr::Async(_) | syn::Expr::Await(_) => return err(span, "a kernel cannot be async"),
            syn::Expr::Try(t) => {
                return err(
                    t.question_token.span,
                    "`?` is not part of the kernel language: return a status as a number",
                );
            }
            syn::Expr::Let(_) => {
                return err(
                    span,
                    "`if let` is not part of the kernel language: there are no enums; use `if` or `match`",
                );
            }
            syn::Expr::Range(_) => return err(span, "a range may only stand in `for i in a..b`"),
            _ => return err(span, "this expression is not part of the kernel language (docs/kernel-language.md)"),
        })
    }

    pub(super) fn literal(&mut self, lit: &Lit) -> Result<(Kind, Ty)> {
        match lit {
            Lit::Float(f) => {
                let ty = match f.suffix() {
                    "" => self.types.float_var(),
                    "f64" => Ty::F64,
                    "f32" => Ty::F32,
                    s => return err(f.span(), format!("`{s}` is not a kernel type")),
                };
                Ok((Kind::Float(FloatLit { f64: f.base10_parse()?, f32: f.base10_parse()? }), ty))
            }
            Lit::Int(i) => {
                let ty = match i.suffix() {
                    "" => self.types.int_var(),
                    s => match builtins::prim(s) {
                        Some(ty) if ty.is_float() => {
                            let lit = FloatLit { f64: i.base10_parse()?, f32: i.base10_parse()? };
                            return Ok((Kind::Float(lit), ty));
                        }
                        Some(ty) => ty,
                        None => return err(i.span(), format!("`{s}` is not a kernel type: use i32, i64, u32 or u64")),
                    },
                };
                Ok((Kind::Int(i.base10_parse::<i128>()?), ty))
            }
            Lit::Bool(b) => Ok((Kind::Bool(b.value), Ty::Bool)),
            other => err(other.span(), "only numbers and booleans are values here"),
        }
    }

    pub(super) fn path(&mut self, path: &syn::Path) -> Result<(Kind, Ty)> {
        if let Some(id) = path.get_ident().and_then(|i| self.find(&i.to_string())) {
            return Ok((Kind::Local(id), self.locals[id].ty.clone()));
        }
        match builtins::constant(path) {
            Some((ConstValue::Float(v), ty)) => return Ok((Kind::Float(v), ty)),
            Some((ConstValue::Int(v), ty)) => return Ok((Kind::Int(v), ty)),
            None if builtins::is_builtin_path(path) => {
                return err(path.span(), "this constant is not part of the kernel language: write its value");
            }
            None => {}
        }
        if let Some(s) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return err(s.span(), "generic arguments are not part of the kernel language");
        }
        let index = add_reference(&mut self.references, path);
        let ty = match self.environment.clone() {
            Some(environment) => {
                let last = path.segments.last().expect("a path has a segment");
                let name = last.ident.to_string();
                let Some(ty) = environment.constants.get(&name) else {
                    let near = environment.did_you_mean(&name);
                    return err(last.ident.span(), format!("no variable or constant is called `{name}`{near}"));
                };
                self.parse_type(ty)?
            }
            None => self.types.result_var(index),
        };
        Ok((Kind::Const(index), ty))
    }
}
