//! `if`, `match` and loops.

use super::*;
use crate::builtins;
use syn::Lit;

impl Lower {
    pub(super) fn condition(&mut self, e: &syn::Expr) -> Result<Expr> {
        let cond = self.expr(e)?;
        self.same(&cond.ty, &Ty::Bool, cond.span)?;
        Ok(cond)
    }

    pub(super) fn if_(&mut self, i: &syn::ExprIf, span: Span) -> Result<(Kind, Ty)> {
        let cond = self.condition(&i.cond)?;
        let then = self.block(&i.then_branch)?;
        let other = i.else_branch.as_ref().map(|(_, e)| self.expr(e)).transpose()?;
        let ty = match &other {
            Some(other) => {
                self.same(&then.ty, &other.ty, span)?;
                if then.ty == Ty::Never { other.ty.clone() } else { then.ty.clone() }
            }
            None => Ty::Unit,
        };
        Ok((Kind::If(Box::new(cond), then, other.map(Box::new)), ty))
    }

    pub(super) fn match_(&mut self, m: &syn::ExprMatch) -> Result<(Kind, Ty)> {
        let scrutinee = self.expr(&m.expr)?;
        let mut ty = Ty::Never;
        let mut arms = vec![];
        for arm in &m.arms {
            self.scopes.push(HashMap::new());
            let (pat, guard) = match &arm.pat {
                syn::Pat::Guard(g) => (&*g.pat, Some(&*g.guard)),
                other => (other, None),
            };
            let mut ranges = vec![];
            let bind = self.arm_pattern(pat, &scrutinee.ty, &mut ranges)?;
            let guard = guard.map(|g| self.condition(g)).transpose()?;
            let body = self.expr(&arm.body)?;
            self.same(&body.ty, &ty, body.span)?;
            if ty == Ty::Never {
                ty = body.ty.clone();
            }
            self.scopes.pop();
            arms.push(Arm { ranges, bind, guard, body });
        }
        let known = self.types.resolve(&scrutinee.ty);
        if !(known.is_int() || known == Ty::Bool) {
            return err(
                scrutinee.span,
                format!("`match` works on integers and bools, not on `{}`: use `if`", known.spell()),
            );
        }
        Ok((Kind::Match(Box::new(scrutinee), arms), ty))
    }

    pub(super) fn arm_pattern(
        &mut self,
        pat: &syn::Pat,
        ty: &Ty,
        ranges: &mut Vec<(Option<i128>, Option<i128>)>,
    ) -> Result<Option<LocalId>> {
        match pat {
            syn::Pat::Wild(_) => {}
            syn::Pat::Ident(p) if p.subpat.is_none() => {
                // A capital name is a constant in Rust's eyes: it would compare, not bind.
                if p.ident.to_string().starts_with(char::is_uppercase) {
                    return err(p.ident.span(), "a constant cannot be a pattern here: use a guard, `x if x == LIMIT`");
                }
                return Ok(Some(self.declare(&p.ident, ty.clone())?));
            }
            syn::Pat::Paren(p) => return self.arm_pattern(&p.pat, ty, ranges),
            syn::Pat::Lit(l) => {
                let v = self.pattern_value(&l.lit, ty, l.span())?;
                ranges.push((Some(v), Some(v)));
            }
            syn::Pat::Range(r) => {
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                let lo = r.start.as_ref().map(|e| self.pattern_bound(e, ty)).transpose()?;
                let hi = r.end.as_ref().map(|e| self.pattern_bound(e, ty)).transpose()?;
                ranges.push((lo, hi.map(|v| if inclusive { v } else { v - 1 })));
            }
            syn::Pat::Or(o) => {
                for case in &o.cases {
                    if matches!(case, syn::Pat::Wild(_) | syn::Pat::Ident(_)) {
                        return err(case.span(), "only literals and ranges in `a | b`");
                    }
                    self.arm_pattern(case, ty, ranges)?;
                }
            }
            other => {
                return err(
                    other.span(),
                    "only integer and boolean literals, ranges, `|`, `_` and a name can be matched",
                );
            }
        }
        Ok(None)
    }

    pub(super) fn pattern_bound(&mut self, e: &syn::Expr, ty: &Ty) -> Result<i128> {
        let e = self.expr(e)?;
        self.same(&e.ty, ty, e.span)?;
        match e.kind {
            Kind::Int(v) => Ok(v),
            _ => err(e.span, "a bound of a range must be a literal"),
        }
    }

    pub(super) fn pattern_value(&mut self, lit: &Lit, ty: &Ty, span: Span) -> Result<i128> {
        // syn keeps the sign of a negative pattern inside the literal's digits.
        match lit {
            Lit::Bool(b) => {
                self.same(ty, &Ty::Bool, span)?;
                Ok(b.value as i128)
            }
            Lit::Int(i) => {
                let var = match i.suffix() {
                    "" => self.types.int_var(),
                    s => builtins::prim(s).unwrap_or(Ty::I32),
                };
                self.same(ty, &var, span)?;
                i.base10_parse::<i128>()
            }
            other => err(other.span(), "only integers and booleans can be matched: use `if`"),
        }
    }

    pub(super) fn enter_loop(&mut self, label: &Option<syn::Label>, ty: Ty, block: bool) -> LoopId {
        let label = label.as_ref().map(|l| l.name.ident.to_string());
        self.loops.push(LoopInfo { ty, label, block, broken: false, far_break: false, far_continue: false });
        self.loop_stack.push(self.loops.len() - 1);
        self.loops.len() - 1
    }

    /// Does a jump to `id` from here leave an inner loop, or a block that C knows nothing of?
    pub(super) fn is_far(&self, id: LoopId) -> bool {
        let innermost = self.loop_stack.iter().rev().find(|i| !self.loops[**i].block);
        self.loops[id].block || innermost != Some(&id)
    }

    pub(super) fn target(&self, label: &Option<syn::Lifetime>, span: Span) -> Result<LoopId> {
        let wanted = label.as_ref().map(|l| l.ident.to_string());
        let fits = |id: &&LoopId| match &wanted {
            None => !self.loops[**id].block,
            some => self.loops[**id].label == *some,
        };
        match self.loop_stack.iter().rev().find(fits) {
            Some(id) => Ok(*id),
            None => err(span, "no such loop"),
        }
    }

    pub(super) fn for_(&mut self, f: &syn::ExprForLoop) -> Result<(Kind, Ty)> {
        let (range, rev) = peel_range(&f.expr)?;
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return err(range.span(), "a range needs both ends");
        };
        let (lo, hi) = (self.expr(start)?, self.expr(end)?);
        self.same(&lo.ty, &hi.ty, range.span())?;
        if self.types.is_open(&lo.ty) {
            return err(lo.span, "the type of this range is not known here: `let n: i32 = ...` before the loop");
        }
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        self.scopes.push(HashMap::new());
        let var = match &*f.pat {
            syn::Pat::Wild(_) => None,
            syn::Pat::Ident(p) => Some(self.declare(&p.ident, lo.ty.clone())?),
            other => return err(other.span(), "a loop variable must be a name"),
        };
        let id = self.enter_loop(&f.label, Ty::Unit, false);
        let body = self.block(&f.body);
        self.loop_stack.pop();
        self.scopes.pop();
        Ok((Kind::For { id, var, lo: Box::new(lo), hi: Box::new(hi), inclusive, rev, body: body? }, Ty::Unit))
    }
}

fn peel_range(e: &syn::Expr) -> Result<(&syn::ExprRange, bool)> {
    match e {
        syn::Expr::Range(r) => Ok((r, false)),
        syn::Expr::Paren(p) => peel_range(&p.expr),
        syn::Expr::Group(p) => peel_range(&p.expr),
        syn::Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
            peel_range(&m.receiver).map(|(r, rev)| (r, !rev))
        }
        other => err(other.span(), "a `for` loop runs over `a..b`, `a..=b` or `(a..b).rev()`"),
    }
}
