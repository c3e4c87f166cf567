//! Blocks, `let`, patterns, and assignment.

use super::*;

impl Lower {
    pub(super) fn block(&mut self, block: &syn::Block) -> Result<Block> {
        self.scopes.push(HashMap::new());
        let result = self.block_inner(block);
        self.scopes.pop();
        result
    }

    pub(super) fn block_inner(&mut self, block: &syn::Block) -> Result<Block> {
        let (mut stmts, mut tail, mut diverges) = (vec![], None, false);
        let count = block.stmts.len();
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Local(local) => {
                    let s = self.local(local)?;
                    diverges |= matches!(&s, Stmt::Let(_, Some(e), _) if e.ty == Ty::Never);
                    stmts.push(s);
                }
                syn::Stmt::Expr(e, None) if i + 1 == count => tail = Some(Box::new(self.expr(e)?)),
                syn::Stmt::Expr(e, _) => {
                    let e = self.expr(e)?;
                    diverges |= e.ty == Ty::Never;
                    stmts.push(Stmt::Expr(e));
                }
                syn::Stmt::Item(syn::Item::Const(c)) => {
                    let ty = self.parse_type(&c.ty)?;
                    let init = self.expr(&c.expr)?;
                    self.same(&init.ty, &ty, c.expr.span())?;
                    if let (&Ty::Usize, Kind::Int(n)) = (&ty, &init.kind) {
                        self.lengths.insert(c.ident.to_string(), *n as usize);
                    }
                    let id = self.declare(&c.ident, ty)?;
                    stmts.push(Stmt::Let(Pat::Local(id), Some(init), c.ident.span()));
                }
                syn::Stmt::Item(item) => {
                    return err(
                        item.span(),
                        "only `const` items may stand inside a kernel: move this beside the function",
                    );
                }
                // Native only.
                syn::Stmt::Macro(m)
                    if ["debug_assert", "debug_assert_eq", "debug_assert_ne"]
                        .iter()
                        .any(|n| m.mac.path.is_ident(n)) => {}
                syn::Stmt::Macro(m) => {
                    return err(
                        m.mac.path.span(),
                        "macros are not part of the kernel language (only `debug_assert!`, which devices ignore)",
                    );
                }
            }
        }
        let ty = match &tail {
            _ if diverges => Ty::Never,
            Some(e) => e.ty.clone(),
            None => Ty::Unit,
        };
        Ok(Block { stmts, tail, ty })
    }

    pub(super) fn local(&mut self, local: &syn::Local) -> Result<Stmt> {
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(t) if matches!(&*t.ty, syn::Type::Infer(_)) => (&*t.pat, None),
            syn::Pat::Type(t) => (&*t.pat, Some(self.parse_type(&t.ty)?)),
            other => (other, None),
        };
        let init = match &local.init {
            Some(init) if init.diverge.is_some() => {
                return err(local.let_token.span, "`let ... else` is not part of the kernel language: use `if`");
            }
            Some(init) => Some(self.expr(&init.expr)?),
            None => None,
        };
        let var = match &init {
            // Keeps the origin of a call's result, so that `s.field` works later.
            Some(e) if e.ty != Ty::Never => e.ty.clone(),
            _ => self.types.any_var(),
        };
        let ty = ty.unwrap_or(var);
        if let Some(init) = &init {
            self.no_slice(init)?;
            self.same(&init.ty, &ty, init.span)?;
        }
        Ok(Stmt::Let(self.pattern(pat, ty)?, init, local.let_token.span))
    }

    pub(super) fn pattern(&mut self, pat: &syn::Pat, ty: Ty) -> Result<Pat> {
        match pat {
            syn::Pat::Wild(_) => Ok(Pat::Wild),
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                Ok(Pat::Local(self.declare(&p.ident, ty)?))
            }
            syn::Pat::Paren(p) => self.pattern(&p.pat, ty),
            syn::Pat::Tuple(t) => {
                let items: Vec<Ty> = t.elems.iter().map(|_| self.types.any_var()).collect();
                let whole = Ty::Tuple(items.clone());
                self.same(&ty, &whole, t.span())?;
                let pats = t.elems.iter().zip(items).map(|(p, ty)| self.pattern(p, ty)).collect::<Result<_>>()?;
                Ok(Pat::Tuple(pats, whole))
            }
            other => err(other.span(), "only names, `_` and tuples can be bound here"),
        }
    }

    /// A slice is a pointer and a length in C: only its parameter stands for both.
    pub(super) fn no_slice(&self, e: &Expr) -> Result<()> {
        if matches!(self.types.shallow(&e.ty), Ty::Slice(..)) {
            return err(e.span, "a slice can only be indexed, or asked for its `len()`, by the parameter's name");
        }
        Ok(())
    }

    pub(super) fn place(&mut self, e: &syn::Expr) -> Result<Expr> {
        let place = self.expr(e)?;
        fn writable(e: &Expr) -> bool {
            match &e.kind {
                Kind::Local(_) | Kind::Deref(_) => true,
                Kind::Index(base, _) | Kind::Field(base, _) | Kind::Member(base, _) => writable(base),
                _ => false,
            }
        }
        if !writable(&place) {
            return err(place.span, "this cannot be assigned to: a variable, an array element, a field or `*x` can");
        }
        Ok(place)
    }

    pub(super) fn assign(&mut self, a: &syn::ExprAssign) -> Result<(Kind, Ty)> {
        if matches!(&*a.left, syn::Expr::Infer(_)) {
            let right = self.expr(&a.right)?;
            return Ok((Kind::AssignTuple(vec![], Box::new(right)), Ty::Unit));
        }
        if let syn::Expr::Tuple(t) = &*a.left {
            let right = self.expr(&a.right)?;
            let mut places = vec![];
            let mut types = vec![];
            for e in &t.elems {
                if matches!(e, syn::Expr::Infer(_)) {
                    types.push(self.types.any_var());
                    places.push(None);
                } else {
                    let p = self.place(e)?;
                    types.push(p.ty.clone());
                    places.push(Some(p));
                }
            }
            self.same(&right.ty, &Ty::Tuple(types), right.span)?;
            return Ok((Kind::AssignTuple(places, Box::new(right)), Ty::Unit));
        }
        let left = self.place(&a.left)?;
        let right = self.expr(&a.right)?;
        self.no_slice(&right)?;
        self.same(&left.ty, &right.ty, right.span)?;
        Ok((Kind::Assign(Box::new(left), Box::new(right)), Ty::Unit))
    }
}
