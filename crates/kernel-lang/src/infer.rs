//! Unification over the few types there are.

use crate::ir::{StructRef, Ty};

#[derive(Debug, Clone, Copy, PartialEq)]
enum VarKind {
    /// An unsuffixed integer literal: any integer type, `i32` when nothing else says.
    Int,
    /// An unsuffixed float literal: f64 when nothing else says.
    Float,
    /// A field, an uninitialised `let`: anything, `f64` when nothing else says.
    Any,
    /// The same of which a number or bool was asked: no tuple, array or struct, whatever it meets.
    Scalar,
    /// What `references[i]` returns, or is if it is a constant: anything. If nothing in the function says more, it stays
    /// just that.
    Result(usize),
}

impl VarKind {
    fn is_any(self) -> bool {
        matches!(self, VarKind::Any | VarKind::Scalar | VarKind::Result(_))
    }
}

/// The type variables of one function.
#[derive(Debug, Default)]
pub(crate) struct Types {
    vars: Vec<(VarKind, Option<Ty>)>,
    /// Parts that were named (`t.0`) of a tuple of which nothing else is known: the variable, the index, its type.
    parts: Vec<(usize, usize, Ty)>,
    /// Structs of different names are different types: a whole text is known. Otherwise rustc decides.
    pub(crate) distinct_structs: bool,
}

impl Types {
    fn var(&mut self, kind: VarKind) -> Ty {
        self.vars.push((kind, None));
        Ty::Var(self.vars.len() - 1)
    }

    pub(crate) fn int_var(&mut self) -> Ty {
        self.var(VarKind::Int)
    }

    pub(crate) fn float_var(&mut self) -> Ty {
        self.var(VarKind::Float)
    }

    pub(crate) fn any_var(&mut self) -> Ty {
        self.var(VarKind::Any)
    }

    pub(crate) fn result_var(&mut self, reference: usize) -> Ty {
        self.var(VarKind::Result(reference))
    }

    /// What is known so far, one level deep.
    pub(crate) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(v) = ty
            && let Some(next) = &self.vars[*v].1
        {
            ty = next;
        }
        ty.clone()
    }

    /// Is this an unbound variable that may still become any type (not only a number)?
    pub(crate) fn is_open(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Var(v) if self.vars[v].0.is_any())
    }

    pub(crate) fn is_float_var(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Var(v) if self.vars[v].0 == VarKind::Float)
    }

    pub(crate) fn is_int_var(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Var(v) if self.vars[v].0 == VarKind::Int)
    }

    /// Something that only numbers and bools can do was done with it.
    pub(crate) fn make_scalar(&mut self, ty: &Ty) {
        if let Ty::Var(v) = self.shallow(ty)
            && self.vars[v].0.is_any()
        {
            self.vars[v].0 = VarKind::Scalar;
        }
    }

    /// The kernel whose result this open type is, or the constant.
    pub(crate) fn origin(&self, ty: &Ty) -> Option<usize> {
        match self.shallow(ty) {
            Ty::Var(v) => match self.vars[v].0 {
                VarKind::Result(k) => Some(k),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of part `index` of what a kernel returns or a constant is, which is a tuple then.
    pub(crate) fn part(&mut self, ty: &Ty, index: usize) -> Option<Ty> {
        self.origin(ty)?;
        let Ty::Var(v) = self.shallow(ty) else { return None };
        if let Some((_, _, known)) = self.parts.iter().find(|(var, i, _)| (*var, *i) == (v, index)) {
            return Some(known.clone());
        }
        let part = self.any_var();
        self.parts.push((v, index, part.clone()));
        Some(part)
    }

    /// The parts that were named of an unbound variable, which it gives away.
    fn take_parts(&mut self, v: usize) -> Vec<(usize, Ty)> {
        let (mine, others) = std::mem::take(&mut self.parts).into_iter().partition(|(var, ..)| *var == v);
        self.parts = others;
        let mine: Vec<(usize, usize, Ty)> = mine;
        mine.into_iter().map(|(_, i, ty)| (i, ty)).collect()
    }

    /// Binds a variable that may be anything to another variable: what was named of it is part of that one now.
    fn bind_to_var(&mut self, from: usize, to: usize) -> bool {
        self.vars[from].1 = Some(Ty::Var(to));
        self.take_parts(from).into_iter().all(|(i, ty)| {
            match self.parts.iter().find(|(var, k, _)| (*var, *k) == (to, i)).map(|(_, _, known)| known.clone()) {
                Some(known) => self.unify(&known, &ty),
                None => {
                    self.parts.push((to, i, ty));
                    self.vars[to].0.is_any()
                }
            }
        })
    }

    pub(crate) fn is_int_like(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(v) => self.vars[v].0 == VarKind::Int,
            other => other.is_int(),
        }
    }

    /// The final type: open variables take their defaults.
    pub(crate) fn resolve(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Var(v) => match self.vars[v].0 {
                VarKind::Int => Ty::I32,
                VarKind::Float | VarKind::Any | VarKind::Scalar => Ty::F64,
                VarKind::Result(k) => Ty::Struct(StructRef::ResultOf(k)),
            },
            Ty::Tuple(items) => Ty::Tuple(items.iter().map(|t| self.resolve(t)).collect()),
            Ty::Array(elem, n) => Ty::Array(Box::new(self.resolve(&elem)), n),
            Ty::Ref(inner) => Ty::Ref(Box::new(self.resolve(&inner))),
            other => other,
        }
    }

    /// Makes two types one. `Never` goes with everything. False when they cannot be one.
    pub(crate) fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Never, _) | (_, Ty::Never) => true,
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => {
                let (kx, ky) = (self.vars[*x].0, self.vars[*y].0);
                // The narrower variable is the one that stays; of two that are equal the older, to which all elements of a
                // long array are then bound rather than each to the next.
                match (kx, ky) {
                    _ if kx == ky => self.bind_to_var(*x.max(y), *x.min(y)),
                    (VarKind::Int, VarKind::Float) | (VarKind::Float, VarKind::Int) => false,
                    (VarKind::Any, _) => self.bind_to_var(*x, *y),
                    (_, VarKind::Any) => self.bind_to_var(*y, *x),
                    (VarKind::Result(_), _) => self.bind_to_var(*x, *y),
                    (_, VarKind::Result(_)) => self.bind_to_var(*y, *x),
                    (VarKind::Scalar, _) => self.bind_to_var(*x, *y),
                    _ => self.bind_to_var(*y, *x),
                }
            }
            (Ty::Var(x), other) | (other, Ty::Var(x)) => {
                let fits = match self.vars[*x].0 {
                    VarKind::Int => other.is_int(),
                    VarKind::Float => other.is_float(),
                    VarKind::Scalar => other.is_scalar(),
                    VarKind::Any | VarKind::Result(_) => true,
                };
                if !fits {
                    return false;
                }
                self.vars[*x].1 = Some(other.clone());
                let named = self.take_parts(*x);
                match other {
                    Ty::Tuple(items) => {
                        let items = items.clone();
                        named.iter().all(|(i, ty)| items.get(*i).is_some_and(|item| self.unify(item, ty)))
                    }
                    _ => named.is_empty(),
                }
            }
            (Ty::Tuple(x), Ty::Tuple(y)) => x.len() == y.len() && x.iter().zip(y).all(|(p, q)| self.unify(p, q)),
            // Length 0: known to a definition elsewhere.
            (Ty::Array(x, n), Ty::Array(y, m)) => (n == m || *n == 0 || *m == 0) && self.unify(x, y),
            (Ty::Ref(x), Ty::Ref(y)) => self.unify(x, y),
            (Ty::Slice(x, m), Ty::Slice(y, n)) => m == n && x == y,
            // Two ways to know a struct may mean the same one: rustc decides.
            (Ty::Struct(a), Ty::Struct(b)) => !self.distinct_structs || a == b,
            _ => a == b,
        }
    }
}
