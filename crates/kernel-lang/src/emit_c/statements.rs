//! Statements: what an expression does, and where its value goes.

use super::operations::binary;
use super::pure::{atom, is_simple, needs};
use super::*;

impl Emit<'_> {
    pub(super) fn finish(&mut self, value: &str, target: &Target) {
        match target {
            Target::Nowhere => {}
            Target::Variable(name) => self.line(&format!("{name} = {value};")),
            Target::Return => self.return_(Some(value)),
        }
    }

    /// Evaluates `e` and sends its value to `target`.
    pub(super) fn put(&mut self, e: &Expr, target: &Target) {
        match &e.kind {
            Kind::Unit => {}
            Kind::Block(b) => {
                self.open("{");
                self.block_inner(b, target);
                self.close("}");
            }
            Kind::Labeled(id, b) => {
                let mut inner = target.clone();
                let unit = matches!(e.ty, Ty::Unit | Ty::Never);
                if matches!(target, Target::Return) && !unit {
                    inner = Target::Variable(self.declare(&e.ty));
                }
                self.loop_targets[*id] = inner.clone();
                self.open("{");
                self.block_inner(b, &inner);
                self.close("}");
                if self.f.loops[*id].broken {
                    self.line(&format!("break_{id}: ;"));
                }
                if let (Target::Return, Target::Variable(v)) = (target, &inner) {
                    self.finish(v, target);
                }
            }
            Kind::If(c, then, other) if needs(e) || !matches!(target, Target::Variable(_)) => {
                let c = self.value(c);
                self.open(&format!("if ({c}) {{"));
                self.block_inner(then, target);
                let mut other = other.as_deref();
                while let Some(o) = other {
                    other = None;
                    match &o.kind {
                        Kind::If(c, then, rest) if !needs(c) => {
                            let c = self.value(c);
                            self.close(&format!("}} else if ({c}) {{"));
                            self.depth += 1;
                            self.block_inner(then, target);
                            other = rest.as_deref();
                        }
                        kind => {
                            self.close("} else {");
                            self.depth += 1;
                            match kind {
                                Kind::Block(b) => self.block_inner(b, target),
                                _ => self.put(o, target),
                            }
                        }
                    }
                }
                self.close("}");
            }
            Kind::Match(scrutinee, arms) => {
                let v = self.value(scrutinee);
                let v = self.spill(&scrutinee.ty, &v);
                self.arms(arms, &v, &scrutinee.ty, target);
            }
            Kind::Loop(id, body) => {
                // One way out: see `return_`.
                if matches!(target, Target::Return) && !matches!(e.ty, Ty::Unit | Ty::Never) {
                    let name = self.declare(&e.ty);
                    self.put(e, &Target::Variable(name.clone()));
                    return self.finish(&name, target);
                }
                self.loop_targets[*id] = target.clone();
                self.loop_body(*id, "while (1) {", body, true, |_| ());
            }
            Kind::While(id, cond, body) => {
                if needs(cond) {
                    self.loop_body(*id, "while (1) {", body, false, |cx| {
                        let c = cx.value(cond);
                        cx.line(&format!("if (!{}) break;", atom(&c)));
                    });
                } else {
                    let c = self.value(cond);
                    self.loop_body(*id, &format!("while ({c}) {{"), body, false, |_| ());
                }
            }
            Kind::For { id, var, lo, hi, inclusive, rev, body } => {
                self.for_(*id, *var, (lo, hi), *inclusive, *rev, body);
            }
            Kind::Assign(place, value) => {
                // The right side comes first, in Rust.
                if let Kind::Index(base, i) = &place.kind
                    && matches!(base.ty, Ty::Slice(..))
                {
                    let v = self.value(value);
                    let v = if is_simple(value) { v } else { self.spill(&value.ty, &v) };
                    let (x, n, i) = self.slice_element(base, i);
                    let v = if value.ty == Ty::Bool { format!("(uchar)({v})") } else { v };
                    self.line(&format!("if ({i} < {n}) {x}[{i}] = {v};"));
                } else if matches!(place.kind, Kind::Local(_)) {
                    let p = self.place(place);
                    self.put(value, &Target::Variable(p));
                } else {
                    let mut v = self.value(value);
                    if needs(place) {
                        v = self.spill(&value.ty, &v);
                    }
                    let p = self.place(place);
                    self.line(&format!("{p} = {v};"));
                }
            }
            Kind::AssignTuple(places, value) if places.is_empty() => self.put(value, &Target::Nowhere),
            Kind::AssignTuple(places, value) => {
                let values = self.components(value, places.len());
                for (place, v) in places.iter().zip(values) {
                    let Some(place) = place else { continue };
                    if let Kind::Index(base, i) = &place.kind
                        && matches!(base.ty, Ty::Slice(..))
                    {
                        let (x, n, i) = self.slice_element(base, i);
                        self.line(&format!("if ({i} < {n}) {x}[{i}] = {v};"));
                    } else {
                        let p = self.place(place);
                        self.line(&format!("{p} = {v};"));
                    }
                }
            }
            Kind::AssignOp(op, place, value) => {
                let mut v = self.value(value);
                if let Kind::Index(base, i) = &place.kind
                    && matches!(base.ty, Ty::Slice(..))
                {
                    let v = if is_simple(value) { v } else { self.spill(&value.ty, &v) };
                    let (x, n, i) = self.slice_element(base, i);
                    let sum = binary(*op, &place.ty, &format!("{x}[{i}]"), &v);
                    self.line(&format!("if ({i} < {n}) {x}[{i}] = {sum};"));
                    return;
                }
                if needs(place) {
                    v = self.spill(&value.ty, &v);
                }
                let p = self.place(place);
                let sum = binary(*op, &place.ty, &p, &v);
                self.line(&format!("{p} = {sum};"));
            }
            Kind::Return(None) => self.return_(None),
            Kind::Return(Some(v)) => {
                if self.f.ret == Ty::Unit {
                    self.put(v, &Target::Nowhere);
                    self.return_(None);
                } else {
                    self.put(v, &Target::Return);
                }
            }
            Kind::Break(id, value) => {
                if let Some(v) = value {
                    let target = self.loop_targets[*id].clone();
                    self.put(v, &target);
                }
                let info = &self.f.loops[*id];
                self.line(&if info.block || info.far_break { format!("goto break_{id};") } else { "break;".into() });
            }
            Kind::Continue(id) => {
                let far = self.f.loops[*id].far_continue;
                self.line(&if far { format!("goto continue_{id};") } else { "continue;".into() });
            }
            Kind::Call(k, args) if e.ty == Ty::Unit || matches!(target, Target::Nowhere) => {
                // What it returns may not be known here: nobody looks at it.
                let values = self.values(&args.iter().collect::<Vec<_>>());
                self.line(&format!("{REF_START}{k}{REF_END}({});", values.join(", ")));
            }
            _ => {
                let v = self.value(e);
                if !matches!(e.ty, Ty::Unit | Ty::Never) {
                    self.finish(&v, target);
                }
            }
        }
    }

    /// The parts of a tuple value, each safe to use after the others were assigned.
    pub(super) fn components(&mut self, e: &Expr, n: usize) -> Vec<String> {
        if let Kind::Tuple(items) = &e.kind {
            let values = self.values(&items.iter().collect::<Vec<_>>());
            return items.iter().zip(values).map(|(item, v)| self.spill(&item.ty, &v)).collect();
        }
        let v = self.value(e);
        let t = self.spill(&e.ty, &v);
        (0..n).map(|i| format!("{t}.v{i}")).collect()
    }

    pub(super) fn block_inner(&mut self, b: &Block, target: &Target) {
        for stmt in &b.stmts {
            match stmt {
                Stmt::Expr(e) => {
                    self.mark(e.span);
                    self.put(e, &Target::Nowhere);
                }
                Stmt::Let(pat, init, span) => {
                    self.mark(*span);
                    self.let_(pat, init.as_ref());
                }
            }
        }
        if let Some(tail) = &b.tail {
            self.mark(tail.span);
            self.put(tail, target);
        }
    }

    pub(super) fn let_(&mut self, pat: &Pat, init: Option<&Expr>) {
        match (pat, init) {
            (Pat::Wild, Some(e)) => self.put(e, &Target::Nowhere),
            (Pat::Wild, None) => {}
            (Pat::Local(id), init) => self.let_local(*id, init),
            (Pat::Tuple(pats, _), Some(e)) => {
                let values = self.components(e, pats.len());
                for (p, v) in pats.iter().zip(values) {
                    self.bind(p, &v);
                }
            }
            (Pat::Tuple(pats, _), None) => pats.iter().for_each(|p| self.let_(p, None)),
        }
    }

    pub(super) fn bind(&mut self, pat: &Pat, value: &str) {
        match pat {
            Pat::Wild => {}
            Pat::Local(id) => {
                let ty = self.f.locals[*id].ty.clone();
                let (c, name) = (self.c(&ty), self.names[*id].clone());
                self.line(&format!("{c} {name} = {value};"));
            }
            Pat::Tuple(pats, _) => {
                for (i, p) in pats.iter().enumerate() {
                    self.bind(p, &format!("{value}.v{i}"));
                }
            }
        }
    }

    pub(super) fn let_local(&mut self, id: LocalId, init: Option<&Expr>) {
        let ty = self.f.locals[id].ty.clone();
        if ty == Ty::Unit {
            if let Some(e) = init {
                self.put(e, &Target::Nowhere);
            }
            return;
        }
        let (c, name) = (self.c(&ty), self.names[id].clone());
        match init {
            Some(e) if !needs(e) => {
                let v = self.value(e);
                self.line(&format!("{c} {name} = {v};"));
            }
            Some(e) => {
                self.line(&format!("{c} {name};"));
                self.put(e, &Target::Variable(name));
            }
            None => self.line(&format!("{c} {name};")),
        }
    }
}
