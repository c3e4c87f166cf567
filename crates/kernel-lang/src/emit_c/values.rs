//! Expressions and places: a C expression, and before it the statements that it needs.

use super::operations::{binary, cast, float, int, method, unwrap, wrap};
use super::pure::{atom, block_is_plain, in_table, is_simple, needs};
use super::*;
use gristmill_scalar::names;

impl Emit<'_> {
    /// Operands, left to right.
    pub(super) fn values(&mut self, list: &[&Expr]) -> Vec<String> {
        let mut out = vec![];
        for (i, e) in list.iter().enumerate() {
            let mut v = self.value(e);
            let constant = matches!(e.kind, Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::RefMut(_));
            // C could not name the type of a field that is passed on; where nobody assigns to it, it may be read later.
            let lasting = e.ty == Ty::Struct(StructRef::Passed) && root(e).is_some_and(|id| !self.assigned[id]);
            if !constant && !lasting && !matches!(e.ty, Ty::Never | Ty::Unit) && list[i + 1..].iter().any(|e| needs(e))
            {
                v = self.spill(&e.ty, &v);
            }
            out.push(v);
        }
        out
    }

    pub(super) fn pair(&mut self, a: &Expr, b: &Expr) -> (String, String) {
        let mut v = self.values(&[a, b]);
        let b = v.pop().expect("two");
        (v.pop().expect("two"), b)
    }

    pub(super) fn value(&mut self, e: &Expr) -> String {
        let ty = &e.ty;
        match &e.kind {
            Kind::Float(v) => float(*v, ty),
            Kind::Int(v) => int(*v, ty),
            Kind::Bool(b) => (*b as i32).to_string(),
            Kind::Local(id) => self.names[*id].clone(),
            Kind::Const(k) if !matches!(ty, Ty::Array(..)) => format!("{REF_START}{k}{REF_END}"),
            Kind::Const(_) => self.copy_table(e),
            Kind::Index(..) if in_table(e) && matches!(ty, Ty::Array(..)) => self.copy_table(e),
            Kind::Unary(op, a) => {
                let v = atom(&self.value(a));
                match (op, ty) {
                    (UnaryOp::Neg, &(Ty::F64 | Ty::F32)) => format!("-{v}"),
                    (UnaryOp::Neg, t) => wrap(t, &format!("0 - {}", unwrap(t, &v))),
                    (UnaryOp::Not, &Ty::Bool) => format!("!{v}"),
                    (UnaryOp::Not, _) => format!("~{v}"),
                }
            }
            Kind::Binary(op @ (Op::And | Op::Or), a, b) => {
                if !needs(b) {
                    let (a, b) = (self.value(a), self.value(b));
                    return format!("{} {} {}", atom(&a), if *op == Op::And { "&&" } else { "||" }, atom(&b));
                }
                let a = self.value(a);
                let t = self.spill(&Ty::Bool, &a);
                self.open(&format!("if ({}{t}) {{", if *op == Op::And { "" } else { "!" }));
                self.put(b, &Target::Variable(t.clone()));
                self.close("}");
                t
            }
            Kind::Binary(op, a, b) => {
                let (va, vb) = self.pair(a, b);
                binary(*op, &a.ty, &va, &vb)
            }
            Kind::Cast(a) => {
                let v = self.value(a);
                cast(&a.ty, ty, &v)
            }
            Kind::Call(k, args) => {
                let values = self.values(&args.iter().collect::<Vec<_>>());
                let call = format!("{REF_START}{k}{REF_END}({})", values.join(", "));
                if args.iter().any(|a| matches!(a.ty, Ty::Ref(_))) {
                    if *ty == Ty::Unit {
                        self.line(&format!("{call};"));
                        return String::new();
                    }
                    return self.spill(ty, &call);
                }
                call
            }
            Kind::Method(name, args) => {
                let v = self.values(&args.iter().collect::<Vec<_>>());
                method(name, &args[0].ty, &v)
            }
            Kind::Tuple(items) => {
                let values = self.values(&items.iter().collect::<Vec<_>>());
                let c = self.c(ty);
                format!("(({c}){{{}}})", values.join(", "))
            }
            Kind::Array(items) => {
                let values = self.values(&items.iter().collect::<Vec<_>>());
                let c = self.c(ty);
                format!("(({c}){{{{{}}}}})", values.join(", "))
            }
            Kind::Repeat(item, n) => {
                if !needs(e) {
                    let v = self.value(item);
                    let c = self.c(ty);
                    return format!("(({c}){{{{{}}}}})", vec![v; *n].join(", "));
                }
                let v = self.value(item);
                let v = if is_simple(item) { v } else { self.spill(&item.ty, &v) };
                let t = self.declare(ty);
                self.line(&format!("for (int k_ = 0; k_ < {n}; k_++) {t}.v[k_] = {v};"));
                t
            }
            Kind::Struct(fields) => {
                let values = self.values(&fields.iter().map(|(_, v)| v).collect::<Vec<_>>());
                let c = self.c(ty);
                let list: Vec<String> =
                    fields.iter().zip(values).map(|((f, _), v)| format!(".{} = {v}", names::member(f))).collect();
                format!("(({c}){{{}}})", list.join(", "))
            }
            Kind::Index(base, i) if matches!(base.ty, Ty::Slice(..)) => {
                let (x, n, i) = self.slice_element(base, i);
                let zero = if ty.is_float() { float(FloatLit { f64: 0.0, f32: 0.0 }, ty) } else { int(0, ty) };
                match ty {
                    &Ty::Bool => format!("({i} < {n} && {x}[{i}] != 0)"),
                    _ => format!("({i} < {n} ? {x}[{i}] : {zero})"),
                }
            }
            Kind::Len(a) => match (&a.ty, &a.kind) {
                (Ty::Slice(..), Kind::Local(id)) => self.lens[*id].clone().expect("a slice parameter"),
                (Ty::Array(_, n), _) if *n > 0 => int(*n as i128, &Ty::Usize),
                _ => {
                    let (base, _) = self.indexed(a);
                    format!("(sizeof({base}) / sizeof({base}[0]))")
                }
            },
            Kind::Index(..) | Kind::Field(..) | Kind::Member(..) | Kind::Deref(_) => self.place(e),
            Kind::RefMut(p) => format!("&{}", self.place(p)),
            Kind::Block(b) if block_is_plain(b) => self.value(b.tail.as_ref().expect("plain")),
            Kind::If(c, then, Some(other)) if !needs(e) => {
                let c = self.value(c);
                let a = self.value(then.tail.as_ref().expect("plain"));
                let b = self.value(other);
                format!("{} ? {} : {}", atom(&c), atom(&a), atom(&b))
            }
            _ if matches!(ty, Ty::Unit | Ty::Never) => {
                self.put(e, &Target::Nowhere);
                "0".into()
            }
            _ => {
                let name = self.declare(ty);
                self.put(e, &Target::Variable(name.clone()));
                name
            }
        }
    }

    /// A table in `__constant` memory as an array value.
    pub(super) fn copy_table(&mut self, e: &Expr) -> String {
        let source = self.place(e);
        let t = self.declare(&e.ty);
        fn copy(ty: &Ty, to: String, from: String, depth: usize, out: &mut Vec<String>) {
            match ty {
                Ty::Array(elem, n) => {
                    let k = format!("k{depth}_");
                    out.push(format!("for (int {k} = 0; {k} < {n}; {k}++)"));
                    copy(elem, format!("{to}.v[{k}]"), format!("{from}[{k}]"), depth + 1, out);
                }
                _ => out.push(format!("{to} = {from};")),
            }
        }
        let mut parts = vec![];
        copy(&e.ty, t.clone(), source, 0, &mut parts);
        self.line(&parts.join(" "));
        t
    }

    pub(super) fn slice_element(&mut self, base: &Expr, index: &Expr) -> (String, String, String) {
        let Kind::Local(id) = base.kind else { unreachable!("slices are parameters") };
        let mut i = self.value(index);
        if !is_simple(index) {
            i = self.spill(&Ty::Usize, &i);
        }
        (self.names[id].clone(), self.lens[id].clone().expect("a slice parameter"), i)
    }

    /// The C array behind an array value, and whether it lies in a table.
    pub(super) fn indexed(&mut self, base: &Expr) -> (String, bool) {
        let place = self.place(base);
        if in_table(base) { (place, true) } else { (format!("{place}.v"), false) }
    }

    pub(super) fn place(&mut self, e: &Expr) -> String {
        match &e.kind {
            Kind::Local(id) => self.names[*id].clone(),
            Kind::Const(k) => format!("{REF_START}{k}{REF_END}"),
            Kind::Deref(a) => format!("(*{})", atom(&self.value(a))),
            Kind::Field(a, i) => format!("{}.v{i}", atom(&self.place(a))),
            Kind::Member(a, name) => format!("{}.{}", atom(&self.place(a)), names::member(name)),
            Kind::Index(a, i) if !matches!(a.ty, Ty::Slice(..)) => {
                // The base is a place, read after the index; but the indices inside it come first, and are kept if
                // this one needs statements.
                let keep = needs(i) || self.keep_indices;
                let outer = std::mem::replace(&mut self.keep_indices, keep);
                let (base, _) = self.indexed(a);
                self.keep_indices = false;
                let mut index = self.value(i);
                self.keep_indices = outer;
                if outer && !matches!(i.kind, Kind::Int(_)) {
                    index = self.spill(&Ty::Usize, &index);
                }
                match (&i.kind, &a.ty) {
                    // In range: checked when lowered.
                    (Kind::Int(v), Ty::Array(_, n)) if *n > 0 => format!("{base}[{v}]"),
                    (_, Ty::Array(_, 0)) => format!("{base}[gm_index({index}, sizeof({base}) / sizeof({base}[0]))]"),
                    (_, Ty::Array(_, n)) => format!("{base}[gm_index({index}, {n})]"),
                    _ => unreachable!("checked when lowered"),
                }
            }
            _ => self.value(e),
        }
    }
}
