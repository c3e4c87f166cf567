//! Unification over the few types there are.

use crate::ir::Ty;

#[derive(Debug, Clone, Copy, PartialEq)]
enum VarKind {
    /// An unsuffixed integer literal: any integer type, `i32` when nothing else says.
    Int,
    /// A callee's result, a constant, an uninitialised `let`: anything, `f64` when nothing else says.
    Any,
}

/// The type variables of one function.
#[derive(Debug, Default)]
pub struct Types {
    vars: Vec<(VarKind, Option<Ty>)>,
}

impl Types {
    pub fn int_var(&mut self) -> Ty {
        self.vars.push((VarKind::Int, None));
        Ty::Var(self.vars.len() - 1)
    }

    pub fn any_var(&mut self) -> Ty {
        self.vars.push((VarKind::Any, None));
        Ty::Var(self.vars.len() - 1)
    }

    /// What is known so far, one level deep.
    pub fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Var(v) = ty {
            match &self.vars[v].1 {
                Some(next) => ty = next.clone(),
                None => break,
            }
        }
        ty
    }

    /// Is this an unbound variable that may still become any type (not only an integer)?
    pub fn is_open(&self, ty: &Ty) -> bool {
        matches!(self.shallow(ty), Ty::Var(v) if self.vars[v].0 == VarKind::Any)
    }

    pub fn is_int_like(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(v) => self.vars[v].0 == VarKind::Int,
            other => other.is_int(),
        }
    }

    /// The final type: open variables take their defaults.
    pub fn resolve(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Var(v) if self.vars[v].0 == VarKind::Int => Ty::I32,
            Ty::Var(_) => Ty::F64,
            Ty::Tuple(items) => Ty::Tuple(items.iter().map(|t| self.resolve(t)).collect()),
            Ty::Array(elem, n) => Ty::Array(Box::new(self.resolve(&elem)), n),
            Ty::Ref(inner) => Ty::Ref(Box::new(self.resolve(&inner))),
            other => other,
        }
    }

    /// Makes two types one. `Never` goes with everything. False when they cannot be one.
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Never, _) | (_, Ty::Never) => true,
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => {
                // The integer variable is the narrower one, so it is the one that stays.
                if self.vars[*x].0 == VarKind::Any {
                    self.vars[*x].1 = Some(b)
                } else {
                    self.vars[*y].1 = Some(a)
                }
                true
            }
            (Ty::Var(x), other) | (other, Ty::Var(x)) => {
                if self.vars[*x].0 == VarKind::Int && !other.is_int() {
                    return false;
                }
                self.vars[*x].1 = Some(other.clone());
                true
            }
            (Ty::Tuple(x), Ty::Tuple(y)) => x.len() == y.len() && x.iter().zip(y).all(|(p, q)| self.unify(p, q)),
            (Ty::Array(x, n), Ty::Array(y, m)) => n == m && self.unify(x, y),
            (Ty::Ref(x), Ty::Ref(y)) => self.unify(x, y),
            _ => a == b,
        }
    }
}
