//! The last step: final types into the IR, and what the function assumes about things outside.

use crate::Use;
use crate::infer::Types;
use crate::ir::*;

/// Puts the final types into the IR and collects how things outside are used.
pub(super) struct Resolve<'a> {
    pub(super) types: &'a Types,
    pub(super) uses: &'a mut Vec<Vec<Use>>,
}

impl Resolve<'_> {
    fn ty(&self, ty: &mut Ty) {
        *ty = self.types.resolve(ty);
    }

    fn pat(&mut self, p: &mut Pat) {
        if let Pat::Tuple(items, ty) = p {
            self.ty(ty);
            items.iter_mut().for_each(|p| self.pat(p));
        }
    }

    pub(super) fn block(&mut self, b: &mut Block) {
        self.ty(&mut b.ty);
        for s in &mut b.stmts {
            match s {
                Stmt::Let(p, e, _) => {
                    self.pat(p);
                    if let Some(e) = e {
                        self.expr(e);
                    }
                }
                Stmt::Expr(e) => self.expr(e),
            }
        }
        if let Some(t) = &mut b.tail {
            self.expr(t);
        }
    }

    fn field_use(&mut self, structure: &Ty, name: &str, ty: &Ty) {
        match structure {
            // rustc holds what the definitions say about it against each other.
            _ if *ty == Ty::Struct(StructRef::Passed) => {}
            Ty::Struct(StructRef::Path(i)) => {
                self.uses[*i].push(Use::Field { name: name.into(), ty: ty.clone(), of_result: false });
            }
            Ty::Struct(StructRef::ResultOf(i)) => {
                self.uses[*i].push(Use::Field { name: name.into(), ty: ty.clone(), of_result: true });
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let literals: Vec<bool> = match &e.kind {
            // A bare integer literal fits any integer parameter.
            Kind::Call(_, args) => args
                .iter()
                .map(|a| matches!(a.kind, Kind::Int(_)) && matches!(self.types.shallow(&a.ty), Ty::Var(_)))
                .collect(),
            _ => vec![],
        };
        self.ty(&mut e.ty);
        match &mut e.kind {
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Unit | Kind::Local(_) => {}
            Kind::Continue(_) | Kind::Return(None) | Kind::Break(_, None) => {}
            Kind::Const(k) => self.uses[*k].push(Use::Const { ty: e.ty.clone() }),
            Kind::Unary(_, a)
            | Kind::Cast(a)
            | Kind::Repeat(a, _)
            | Kind::Len(a)
            | Kind::Deref(a)
            | Kind::RefMut(a)
            | Kind::Return(Some(a))
            | Kind::Break(_, Some(a)) => self.expr(a),
            Kind::Field(a, index) => {
                self.expr(a);
                let (structure, name) = (a.ty.clone(), index.to_string());
                self.field_use(&structure, &name, &e.ty);
            }
            Kind::Member(a, name) => {
                self.expr(a);
                let name = name.clone();
                let structure = a.ty.clone();
                self.field_use(&structure, &name, &e.ty);
            }
            Kind::Binary(_, a, b) | Kind::Index(a, b) | Kind::Assign(a, b) | Kind::AssignOp(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Kind::Call(k, list) => {
                list.iter_mut().for_each(|e| self.expr(e));
                let passed = Ty::Struct(StructRef::Passed);
                let known = |(e, lit): (&Expr, bool)| (!lit && e.ty != passed).then(|| e.ty.clone());
                let args = list.iter().zip(literals).map(known).collect();
                self.uses[*k].push(Use::Call { args, ret: e.ty.clone() });
            }
            Kind::Method(_, list) | Kind::Tuple(list) | Kind::Array(list) => {
                list.iter_mut().for_each(|e| self.expr(e));
            }
            Kind::Struct(fields) => {
                for (name, value) in fields.iter_mut() {
                    self.expr(value);
                    let (name, ty) = (name.clone(), value.ty.clone());
                    self.field_use(&e.ty, &name, &ty);
                }
            }
            Kind::Block(b) | Kind::Labeled(_, b) | Kind::Loop(_, b) => self.block(b),
            Kind::If(c, then, other) => {
                self.expr(c);
                self.block(then);
                if let Some(o) = other {
                    self.expr(o);
                }
            }
            Kind::Match(s, arms) => {
                self.expr(s);
                for a in arms {
                    if let Some(g) = &mut a.guard {
                        self.expr(g);
                    }
                    self.expr(&mut a.body);
                }
            }
            Kind::While(_, c, b) => {
                self.expr(c);
                self.block(b);
            }
            Kind::For { lo, hi, body, .. } => {
                self.expr(lo);
                self.expr(hi);
                self.block(body);
            }
            Kind::AssignTuple(places, v) => {
                places.iter_mut().flatten().for_each(|e| self.expr(e));
                self.expr(v);
            }
        }
    }
}
