//! What rustc checks behind `#[kernel]`, for texts that it never sees.
//!
//! The lowering unifies types and trusts that rustc has refused what is left: operators on types that have none, matches that do
//! not cover everything, variables without a value, literals out of range, references that alias. Here it is refused with the place
//! in the text, so that every other consumer of the IR may rely on it.

use crate::ir::*;
use proc_macro2::Span;
use std::collections::HashSet;
use syn::{Error, Result};

/// The most words (numbers, bools) that a value of one type may have: larger ones belong into buffers.
pub(crate) const MOST_WORDS: usize = 4096;

fn err<T>(span: Span, message: impl std::fmt::Display) -> Result<T> {
    Err(Error::new(span, message))
}

/// Checks a function of a text.
pub(crate) fn check(func: &Func, name: Span) -> Result<()> {
    if func.body.ty == Ty::Unit && func.ret != Ty::Unit {
        return err(name, format!("`{}` ends without a value, but returns `{}`", func.name, func.ret.spell()));
    }
    let mut first: Result<()> = Ok(());
    func.visit(&mut |e| {
        if first.is_ok() {
            first = expression(func, e);
        }
    });
    first?;
    let mut known =
        Known { func, set: func.params.iter().map(|p| p.id).collect(), breaks: vec![None; func.loops.len()] };
    known.block(&func.body).map(drop)
}

fn expression(func: &Func, e: &Expr) -> Result<()> {
    let operand = |a: &Expr, fits: bool, op: &str| match fits {
        true => Ok(()),
        false => err(a.span, format!("`{op}` does not work on `{}`", a.ty.spell())),
    };
    match &e.kind {
        Kind::Int(v) => {
            let (lo, hi) = match e.ty {
                Ty::I32 => (i32::MIN.into(), i32::MAX.into()),
                Ty::I64 => (i64::MIN.into(), i64::MAX.into()),
                Ty::U32 => (0, u32::MAX.into()),
                Ty::U64 | Ty::Usize => (0, u64::MAX.into()),
                _ => {
                    return err(e.span, format!("an integer stands where `{}` is needed: write `{v}.0`", e.ty.spell()));
                }
            };
            if !(lo..=hi).contains(v) {
                return err(e.span, format!("{v} is out of range for `{}`", e.ty.spell()));
            }
        }
        Kind::Unary(UnaryOp::Neg, a) => operand(a, a.ty.is_float() || a.ty.is_signed(), "-")?,
        Kind::Unary(UnaryOp::Not, a) => operand(a, a.ty.is_int() || a.ty == Ty::Bool, "!")?,
        Kind::Binary(op, a, b) | Kind::AssignOp(op, a, b) => {
            let (symbol, fits) = match op {
                Op::Add => ("+", a.ty.is_int() || a.ty.is_float()),
                Op::Sub => ("-", a.ty.is_int() || a.ty.is_float()),
                Op::Mul => ("*", a.ty.is_int() || a.ty.is_float()),
                Op::Div => ("/", a.ty.is_int() || a.ty.is_float()),
                Op::Rem => ("%", a.ty.is_int()),
                Op::And => ("&&", a.ty == Ty::Bool),
                Op::Or => ("||", a.ty == Ty::Bool),
                Op::BitAnd => ("&", a.ty.is_int() || a.ty == Ty::Bool),
                Op::BitOr => ("|", a.ty.is_int() || a.ty == Ty::Bool),
                Op::BitXor => ("^", a.ty.is_int() || a.ty == Ty::Bool),
                Op::Shl => ("<<", a.ty.is_int() && b.ty.is_int()),
                Op::Shr => (">>", a.ty.is_int() && b.ty.is_int()),
                Op::Eq => ("==", a.ty.is_scalar()),
                Op::Ne => ("!=", a.ty.is_scalar()),
                Op::Lt => ("<", a.ty.is_scalar()),
                Op::Le => ("<=", a.ty.is_scalar()),
                Op::Gt => (">", a.ty.is_scalar()),
                Op::Ge => (">=", a.ty.is_scalar()),
            };
            if a.ty != Ty::Never && b.ty != Ty::Never {
                operand(a, fits, symbol)?;
            }
        }
        Kind::Cast(a) => {
            let fits = a.ty.is_int() || a.ty.is_float() || (a.ty == Ty::Bool && e.ty.is_int()) || a.ty == Ty::Never;
            if !fits {
                return err(a.span, format!("`{}` cannot be cast to `{}`", a.ty.spell(), e.ty.spell()));
            }
        }
        Kind::Call(_, args) => {
            let mut borrowed = HashSet::new();
            for a in args {
                if let (Ty::Ref(_), Some(root)) = (&a.ty, root(a))
                    && !borrowed.insert(root)
                {
                    return err(a.span, format!("`{}` is borrowed twice in one call", func.locals[root].name));
                }
            }
        }
        Kind::If(_, then, None) if !matches!(then.ty, Ty::Unit | Ty::Never) => {
            return err(e.span, "an `if` without `else` has no value: end its block with `;`");
        }
        Kind::Return(None) if func.ret != Ty::Unit => {
            return err(
                e.span,
                format!("`return` without a value, but `{}` returns `{}`", func.name, func.ret.spell()),
            );
        }
        Kind::Match(scrutinee, arms) => exhaustive(scrutinee, arms, e.span)?,
        Kind::For { lo, .. } if !lo.ty.is_int() => {
            return err(lo.span, format!("a range of `{}` cannot be counted: use integers", lo.ty.spell()));
        }
        _ => {}
    }
    Ok(())
}

/// The variable in which a reference's place lies.
fn root(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        Kind::Local(id) => Some(*id),
        Kind::RefMut(a) | Kind::Deref(a) | Kind::Field(a, _) | Kind::Member(a, _) | Kind::Index(a, _) => root(a),
        _ => None,
    }
}

fn exhaustive(scrutinee: &Expr, arms: &[Arm], span: Span) -> Result<()> {
    let (lo, hi): (i128, i128) = match scrutinee.ty {
        Ty::Bool => (0, 1),
        Ty::I32 => (i32::MIN.into(), i32::MAX.into()),
        Ty::I64 => (i64::MIN.into(), i64::MAX.into()),
        Ty::U32 => (0, u32::MAX.into()),
        _ => (0, u64::MAX.into()),
    };
    let mut covered: Vec<(i128, i128)> = vec![];
    for arm in arms.iter().filter(|a| a.guard.is_none()) {
        match arm.ranges.as_slice() {
            [] => return Ok(()),
            ranges => covered.extend(ranges.iter().map(|(a, b)| (a.unwrap_or(lo), b.unwrap_or(hi)))),
        }
    }
    covered.sort_unstable();
    let mut next = lo;
    for (a, b) in covered {
        if a > next {
            break;
        }
        next = next.max(b.saturating_add(1));
    }
    if next > hi {
        return Ok(());
    }
    err(span, format!("`match` does not cover {next}: add an arm `_ => ..`"))
}

/// Which variables have a value; `None`: this point is never reached.
type Set = Option<HashSet<LocalId>>;

struct Known<'a> {
    func: &'a Func,
    set: HashSet<LocalId>,
    /// What every `break` out of a loop or block has in common.
    breaks: Vec<Set>,
}

impl Known<'_> {
    fn meet(a: Set, b: Set) -> Set {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
            (a, b) => a.or(b),
        }
    }

    /// `false`: what follows is never reached.
    fn block(&mut self, b: &Block) -> Result<bool> {
        for s in &b.stmts {
            let reached = match s {
                Stmt::Let(pat, value, _) => {
                    let reached = value.as_ref().map_or(Ok(true), |v| self.expr(v))?;
                    if value.is_some() {
                        self.bind(pat);
                    }
                    reached
                }
                Stmt::Expr(e) => self.expr(e)?,
            };
            if !reached {
                return Ok(false);
            }
        }
        b.tail.as_ref().map_or(Ok(true), |t| self.expr(t))
    }

    fn bind(&mut self, pat: &Pat) {
        match pat {
            Pat::Wild => {}
            Pat::Local(id) => {
                self.set.insert(*id);
            }
            Pat::Tuple(items, _) => items.iter().for_each(|p| self.bind(p)),
        }
    }

    /// A place that is written: the indices are read, and so is the variable if only a part of it is written.
    fn place(&mut self, e: &Expr) -> Result<()> {
        match &e.kind {
            Kind::Local(id) => {
                self.set.insert(*id);
                Ok(())
            }
            _ => self.expr(e).map(drop),
        }
    }

    /// One way and another: what both leave known.
    fn ways(&mut self, ways: Vec<Set>) -> bool {
        match ways.into_iter().fold(None, Self::meet) {
            Some(set) => {
                self.set = set;
                true
            }
            None => false,
        }
    }

    fn leave(&mut self, id: LoopId) {
        let here = Some(self.set.clone());
        let known = self.breaks[id].take();
        self.breaks[id] = Self::meet(known, here);
    }

    fn expr(&mut self, e: &Expr) -> Result<bool> {
        let all = |this: &mut Self, list: &mut dyn Iterator<Item = &Expr>| -> Result<bool> {
            for e in list {
                if !this.expr(e)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match &e.kind {
            Kind::Local(id) if !self.set.contains(id) => {
                err(e.span, format!("`{}` may have no value here", self.func.locals[*id].name))
            }
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Unit | Kind::Local(_) | Kind::Const(_) => Ok(true),
            Kind::Unary(_, a)
            | Kind::Cast(a)
            | Kind::Repeat(a, _)
            | Kind::Len(a)
            | Kind::Field(a, _)
            | Kind::Member(a, _)
            | Kind::Deref(a)
            | Kind::RefMut(a) => self.expr(a),
            Kind::Binary(Op::And | Op::Or, a, b) => {
                if !self.expr(a)? {
                    return Ok(false);
                }
                let after = self.set.clone();
                self.expr(b)?;
                self.set = after;
                Ok(true)
            }
            Kind::Binary(_, a, b) | Kind::Index(a, b) => all(self, &mut [&**a, &**b].into_iter()),
            Kind::Call(_, list) | Kind::Method(_, list) | Kind::Tuple(list) | Kind::Array(list) => {
                all(self, &mut list.iter())
            }
            Kind::Struct(fields) => all(self, &mut fields.iter().map(|f| &f.1)),
            Kind::Block(b) => self.block(b),
            Kind::Labeled(id, b) => {
                let end = self.block(b)?.then(|| self.set.clone());
                let broken = self.breaks[*id].take();
                Ok(self.ways(vec![end, broken]))
            }
            Kind::If(c, then, other) => {
                if !self.expr(c)? {
                    return Ok(false);
                }
                let before = self.set.clone();
                let a = self.block(then)?.then(|| std::mem::replace(&mut self.set, before.clone()));
                self.set = before;
                let b = other.as_ref().map_or(Ok(true), |o| self.expr(o))?.then(|| self.set.clone());
                Ok(self.ways(vec![a, b]))
            }
            Kind::Match(s, arms) => {
                if !self.expr(s)? {
                    return Ok(false);
                }
                let before = self.set.clone();
                let mut ends = vec![];
                for arm in arms {
                    self.set = before.clone();
                    self.set.extend(arm.bind);
                    if let Some(g) = &arm.guard {
                        self.expr(g)?;
                    }
                    ends.push(self.expr(&arm.body)?.then(|| self.set.clone()));
                }
                Ok(self.ways(ends))
            }
            Kind::Loop(id, body) => {
                self.block(body)?;
                let broken = self.breaks[*id].take();
                Ok(self.ways(vec![broken]))
            }
            Kind::While(id, c, body) => {
                if !self.expr(c)? {
                    return Ok(false);
                }
                let after = self.set.clone();
                self.block(body)?;
                let broken = self.breaks[*id].take();
                Ok(self.ways(vec![Some(after), broken]))
            }
            Kind::For { id, var, lo, hi, body, .. } => {
                if !all(self, &mut [&**lo, &**hi].into_iter())? {
                    return Ok(false);
                }
                let after = self.set.clone();
                self.set.extend(*var);
                self.block(body)?;
                let broken = self.breaks[*id].take();
                Ok(self.ways(vec![Some(after), broken]))
            }
            Kind::Assign(place, v) => {
                let reached = self.expr(v)?;
                self.place(place)?;
                Ok(reached)
            }
            Kind::AssignTuple(places, v) => {
                let reached = self.expr(v)?;
                places.iter().flatten().try_for_each(|p| self.place(p))?;
                Ok(reached)
            }
            Kind::AssignOp(_, place, v) => all(self, &mut [&**v, &**place].into_iter()),
            Kind::Return(v) => {
                v.as_ref().map_or(Ok(true), |v| self.expr(v))?;
                Ok(false)
            }
            Kind::Break(id, v) => {
                if v.as_ref().map_or(Ok(true), |v| self.expr(v))? {
                    self.leave(*id);
                }
                Ok(false)
            }
            Kind::Continue(_) => Ok(false),
        }
    }
}
