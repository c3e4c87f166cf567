//! Operators, structs, elements and fields.

use super::*;
use syn::{BinOp, UnOp};

impl Lower {
    pub(super) fn unary(&mut self, u: &syn::ExprUnary, span: Span) -> Result<(Kind, Ty)> {
        // `-5` is one literal: `-2147483648` must not become minus an i32 that does not exist.
        if let (UnOp::Neg(_), syn::Expr::Lit(l)) = (&u.op, &*u.expr) {
            match self.literal(&l.lit)? {
                (Kind::Int(v), ty) => return Ok((Kind::Int(-v), ty)),
                (Kind::Float(v), ty) => return Ok((Kind::Float(FloatLit { f64: -v.f64, f32: -v.f32 }), ty)),
                _ => {}
            }
        }
        let inner = self.expr(&u.expr)?;
        let mut ty = self.types.shallow(&inner.ty);
        match u.op {
            UnOp::Deref(_) => match ty {
                Ty::Ref(target) => Ok((Kind::Deref(Box::new(inner)), *target)),
                _ => err(span, "only a `&mut` parameter can be dereferenced"),
            },
            UnOp::Not(_) => {
                if self.types.is_open(&ty) {
                    self.types.unify(&ty, &Ty::Bool);
                    ty = Ty::Bool;
                }
                Ok((Kind::Unary(UnaryOp::Not, Box::new(inner)), ty))
            }
            UnOp::Neg(_) => {
                self.types.make_scalar(&ty);
                Ok((Kind::Unary(UnaryOp::Neg, Box::new(inner)), ty))
            }
            _ => err(span, "unknown operator"),
        }
    }

    pub(super) fn binary(&mut self, b: &syn::ExprBinary, span: Span) -> Result<(Kind, Ty)> {
        use BinOp::*;
        let (op, assigns) = match b.op {
            Add(_) => (Op::Add, false),
            Sub(_) => (Op::Sub, false),
            Mul(_) => (Op::Mul, false),
            Div(_) => (Op::Div, false),
            Rem(_) => (Op::Rem, false),
            And(_) => (Op::And, false),
            Or(_) => (Op::Or, false),
            BitXor(_) => (Op::BitXor, false),
            BitAnd(_) => (Op::BitAnd, false),
            BitOr(_) => (Op::BitOr, false),
            Shl(_) => (Op::Shl, false),
            Shr(_) => (Op::Shr, false),
            Eq(_) => (Op::Eq, false),
            Ne(_) => (Op::Ne, false),
            Lt(_) => (Op::Lt, false),
            Le(_) => (Op::Le, false),
            Gt(_) => (Op::Gt, false),
            Ge(_) => (Op::Ge, false),
            AddAssign(_) => (Op::Add, true),
            SubAssign(_) => (Op::Sub, true),
            MulAssign(_) => (Op::Mul, true),
            DivAssign(_) => (Op::Div, true),
            RemAssign(_) => (Op::Rem, true),
            BitXorAssign(_) => (Op::BitXor, true),
            BitAndAssign(_) => (Op::BitAnd, true),
            BitOrAssign(_) => (Op::BitOr, true),
            ShlAssign(_) => (Op::Shl, true),
            ShrAssign(_) => (Op::Shr, true),
            _ => return err(span, "unknown operator"),
        };
        let left = if assigns { self.place(&b.left)? } else { self.expr(&b.left)? };
        let right = self.expr(&b.right)?;
        match op {
            Op::And | Op::Or => {
                self.same(&left.ty, &Ty::Bool, left.span)?;
                self.same(&right.ty, &Ty::Bool, right.span)?;
            }
            Op::Shl | Op::Shr => {
                if !self.types.is_int_like(&right.ty) && !self.types.is_open(&right.ty) {
                    return err(right.span, "a shift needs an integer");
                }
                if self.types.is_open(&right.ty) {
                    return err(right.span, "the type of this shift count is not known: `let k: u32 = ...`");
                }
            }
            _ => self.same(&left.ty, &right.ty, span)?,
        }
        self.types.make_scalar(&left.ty);
        let operand = self.types.shallow(&left.ty);
        if matches!(operand, Ty::Tuple(_) | Ty::Array(..) | Ty::Struct(_)) {
            return err(b.op.span(), "operators work on numbers and bools: take the value apart");
        }
        if op == Op::Rem && (operand.is_float() || self.types.is_float_var(&operand) || self.types.is_open(&operand)) {
            return err(
                b.op.span(),
                "`%` on floats is not part of the kernel language: `x - (x / y).trunc() * y` rounds, so write what you need",
            );
        }
        let ty = match op {
            _ if assigns => Ty::Unit,
            Op::And | Op::Or | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => Ty::Bool,
            _ => left.ty.clone(),
        };
        let (left, right) = (Box::new(left), Box::new(right));
        Ok((if assigns { Kind::AssignOp(op, left, right) } else { Kind::Binary(op, left, right) }, ty))
    }

    pub(super) fn structure(&mut self, s: &syn::ExprStruct) -> Result<(Kind, Ty)> {
        if let Some(rest) = &s.rest {
            return err(rest.span(), "`..base` is not part of the kernel language: name every field");
        }
        let ty = parse_type(
            &syn::Type::Path(syn::TypePath { attrs: vec![], qself: None, path: s.path.clone() }),
            &mut self.references,
            Place::Inside,
        )?;
        let mut fields = vec![];
        for f in &s.fields {
            let syn::Member::Named(name) = &f.member else {
                return err(f.member.span(), "a `#[kernel] struct` has named fields");
            };
            let value = self.expr(&f.expr)?;
            match self.known_field(&ty, name)? {
                Some(known) => self.same(&value.ty, &known, value.span)?,
                None => self.pass_field(&value),
            }
            if fields.iter().any(|(given, _): &(String, Expr)| name == given) {
                return err(name.span(), format!("`{name}` is given twice"));
            }
            fields.push((name.to_string(), value));
        }
        if let (Some(environment), Some(last)) = (&self.environment, s.path.segments.last()) {
            let all = environment.structs.get(&last.ident.to_string()).map_or(&[][..], Vec::as_slice);
            if let Some((missing, _)) = all.iter().find(|(name, _)| !fields.iter().any(|(given, _)| given == name)) {
                return err(last.ident.span(), format!("`{missing}` is missing"));
            }
        }
        Ok((Kind::Struct(fields), ty))
    }

    /// The type of a struct's field, where the whole text is known.
    fn known_field(&mut self, structure: &Ty, field: &syn::Ident) -> Result<Option<Ty>> {
        let (Some(environment), Ty::Struct(StructRef::Path(k))) = (self.environment.clone(), structure) else {
            return Ok(None);
        };
        let name = self.references[*k].path.segments.last().expect("a path has a segment").ident.to_string();
        let Some(fields) = environment.structs.get(&name) else {
            let near = environment.did_you_mean(&name);
            return err(self.references[*k].span, format!("no struct is called `{name}`{near}"));
        };
        match fields.iter().find(|(known, _)| field == known) {
            Some((_, ty)) => self.parse_type(ty).map(Some),
            None => err(field.span(), format!("`{name}` has no field `{field}`")),
        }
    }

    /// A bare field that is passed on: whoever takes it says its type.
    pub(super) fn pass_field(&mut self, value: &Expr) {
        if matches!(value.kind, Kind::Member(..)) && self.types.is_open(&value.ty) {
            self.types.unify(&value.ty, &Ty::Struct(StructRef::Passed));
        }
    }

    pub(super) fn index(&mut self, i: &syn::ExprIndex) -> Result<(Kind, Ty)> {
        let base = self.expr(&i.expr)?;
        let index = self.expr(&i.index)?;
        self.same(&index.ty, &Ty::Usize, index.span)?;
        if !is_path(&base) {
            return err(base.span, "only a variable, a field or a constant table can be indexed: bind the array first");
        }
        let elem = match self.types.shallow(&base.ty) {
            Ty::Array(elem, _) => *elem,
            Ty::Slice(elem, _) => Ty::Scalar(elem),
            Ty::Ref(target) => match self.types.shallow(&target) {
                Ty::Array(..) => return err(base.span, "write `(*x)[i]` to index what a `&mut` parameter points to"),
                _ => return err(base.span, "only arrays, slices and constant tables can be indexed"),
            },
            open if self.types.is_open(&open) && !matches!(base.kind, Kind::Local(_)) => {
                let elem = self.types.any_var();
                // Length 0 stands for "known to the definition".
                self.types.unify(&open, &Ty::Array(Box::new(elem.clone()), 0));
                elem
            }
            open if self.types.is_open(&open) => {
                return err(base.span, "the type of this array is not known here: `let a: [f64; 4] = ...`");
            }
            _ => return err(base.span, "only arrays, slices and constant tables can be indexed"),
        };
        if let (Kind::Int(v), Ty::Array(_, n)) = (&index.kind, self.types.shallow(&base.ty))
            && n > 0
            && *v >= n as i128
        {
            return err(index.span, format!("index {v} is outside an array of {n}"));
        }
        Ok((Kind::Index(Box::new(base), Box::new(index)), elem))
    }

    pub(super) fn field(&mut self, f: &syn::ExprField) -> Result<(Kind, Ty)> {
        let base = self.expr(&f.base)?;
        let ty = self.types.shallow(&base.ty);
        match &f.member {
            syn::Member::Unnamed(index) => {
                let index = index.index as usize;
                if matches!(base.kind, Kind::Member(..)) && index < 2 && self.types.is_open(&ty) {
                    // A tuple in a struct is a pair of numbers, where nothing else is said.
                    let (first, second) = (self.types.any_var(), self.types.any_var());
                    self.types.unify(&ty, &Ty::Tuple(vec![first, second]));
                }
                let ty = match self.types.shallow(&ty) {
                    Ty::Tuple(items) => match items.get(index) {
                        Some(ty) => ty.clone(),
                        None => return err(f.member.span(), "no such field"),
                    },
                    ty => match self.types.part(&ty, index) {
                        Some(ty) => ty,
                        None => {
                            return err(base.span, "the type of this tuple is not known: `let t: (f64, f64) = ...`");
                        }
                    },
                };
                Ok((Kind::Field(Box::new(base), index), ty))
            }
            syn::Member::Named(member) => {
                let name = member.to_string();
                let (base, ty) = match ty {
                    // `p.x` through a `&mut` parameter.
                    Ty::Ref(target) => {
                        let span = base.span;
                        let ty = *target;
                        (Expr { kind: Kind::Deref(Box::new(base)), ty: ty.clone(), span }, self.types.shallow(&ty))
                    }
                    ty => (base, ty),
                };
                match (&ty, self.types.origin(&ty)) {
                    (Ty::Struct(_), _) => {}
                    (_, Some(callee)) => {
                        self.types.unify(&ty, &Ty::Struct(StructRef::ResultOf(callee)));
                    }
                    (open, None) if self.types.is_open(open) => {
                        return err(base.span, "the struct type of this value is not known here: `let s: TYPE = ...`");
                    }
                    (other, _) => {
                        return err(
                            f.member.span(),
                            format!("`{}` has no field `{name}`", self.types.resolve(other).spell()),
                        );
                    }
                }
                let var = match (self.known_field(&ty, member)?, self.environment.is_some()) {
                    (Some(known), _) => known,
                    (None, true) => return err(member.span(), "only a struct has named fields"),
                    (None, false) => self.types.any_var(),
                };
                Ok((Kind::Member(Box::new(base), name), var))
            }
        }
    }
}

/// A variable, constant, field, dereference or element of one: something that can be read twice.
fn is_path(e: &Expr) -> bool {
    match &e.kind {
        Kind::Local(_) | Kind::Const(_) => true,
        Kind::Field(base, _) | Kind::Member(base, _) | Kind::Index(base, _) | Kind::Deref(base) => is_path(base),
        _ => false,
    }
}
