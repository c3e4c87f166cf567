//! Typed IR -> OpenCL C.
//!
//! Rust is an expression language and evaluates left to right; C is neither. So [`Emit::value`] gives a C expression
//! without side effects and writes, before it, the statements that the Rust expression implies. When a later operand
//! needs statements, the earlier ones are stored in temporaries first.

use crate::ir::*;
use crate::{Param, REF_END, REF_START, Reference, Translation, Use, hex_f64};
use std::collections::HashSet;

/// Where the value of an expression goes.
#[derive(Clone)]
enum Target {
    Nowhere,
    Variable(String),
    Return,
}

struct Emit {
    f: Func,
    out: String,
    depth: usize,
    names: Vec<String>,
    used: HashSet<String>,
    temps: usize,
    uses: Vec<Vec<Use>>,
    tuples: Vec<Ty>,
    loop_targets: Vec<Target>,
    has_loop: bool,
}

pub fn emit(f: Func) -> Translation {
    let mut cx = Emit {
        out: String::new(),
        depth: 1,
        names: vec![],
        used: HashSet::new(),
        temps: 0,
        uses: vec![vec![]; f.references.len()],
        tuples: vec![],
        loop_targets: vec![Target::Nowhere; f.loops.len()],
        has_loop: !f.loops.is_empty(),
        f,
    };
    for i in 0..cx.f.locals.len() {
        // A trailing underscore keeps clear of keywords, built-ins and macros of OpenCL C.
        let base = format!("{}_", cx.f.locals[i].name);
        let mut name = base.clone();
        let mut n = 2;
        while !cx.used.insert(name.clone()) {
            name = format!("{base}{n}");
            n += 1;
        }
        cx.names.push(name);
    }
    let params: Vec<Param> =
        cx.f.params.iter().map(|(id, ty)| Param { name: cx.f.locals[*id].name.clone(), ty: ty.clone() }).collect();
    let list: Vec<String> = cx.f.params.iter().map(|(id, ty)| format!("{} {}", c_type(ty), cx.names[*id])).collect();
    for (id, ty) in cx.f.params.clone() {
        if ty == Ty::Bool {
            let name = cx.names[id].clone();
            cx.line(&format!("{name} = {name} != 0;")); // a hand-written caller may pass any int
        }
    }
    let ret = cx.f.ret.clone();
    let ret_c = cx.c(&ret);
    let body = cx.f.body.clone();
    cx.block_inner(&body, &if ret == Ty::Unit { Target::Nowhere } else { Target::Return });
    let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
    let text = format!("({list})\n{{\n{}}}\n", cx.out);
    let references =
        cx.f.references
            .iter()
            .zip(cx.uses)
            .map(|((path, span), uses)| Reference { path: path.clone(), span: *span, uses })
            .collect();
    Translation { params, ret, text, ret_c, references, tuples: cx.tuples, has_loop: cx.has_loop }
}

fn block_is_plain(b: &Block) -> bool {
    b.stmts.is_empty() && b.tail.as_ref().is_some_and(|t| !needs(t))
}

/// Does this expression need statements, or have effects? Otherwise it is one pure C expression.
fn needs(e: &Expr) -> bool {
    match &e.kind {
        Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Local(_) | Kind::Const(_) => false,
        Kind::Unary(_, a) | Kind::Cast(a) | Kind::Field(a, _) | Kind::Deref(a) | Kind::RefMut(a) => needs(a),
        Kind::Binary(_, a, b) | Kind::Index(a, b) => needs(a) || needs(b),
        Kind::Call(_, args) => args.iter().any(|a| needs(a) || matches!(a.ty, Ty::Ref(_))),
        Kind::Method(_, args) | Kind::Tuple(args) => args.iter().any(needs),
        Kind::Block(b) => !block_is_plain(b),
        Kind::If(c, then, Some(other)) => needs(c) || !block_is_plain(then) || needs(other) || e.ty == Ty::Never,
        _ => true,
    }
}

impl Emit {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    fn ty(&self, e: &Expr) -> Ty {
        self.f.types.resolve(&e.ty)
    }

    /// The C spelling; remembers tuples so that their structs get defined.
    fn c(&mut self, ty: &Ty) -> String {
        if let Ty::Tuple(items) = ty {
            for item in items {
                self.c(item);
            }
            if !self.tuples.contains(ty) {
                self.tuples.push(ty.clone());
            }
        }
        c_type(ty)
    }

    fn temp(&mut self) -> String {
        loop {
            self.temps += 1;
            let name = format!("t{}_", self.temps);
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }

    fn spill(&mut self, ty: &Ty, value: &str) -> String {
        let name = self.temp();
        let c = self.c(ty);
        self.line(&format!("{c} {name} = {value};"));
        name
    }

    /// Operands, left to right.
    fn values(&mut self, list: &[Expr]) -> Vec<String> {
        let mut out = vec![];
        for (i, e) in list.iter().enumerate() {
            let mut v = self.value(e);
            let constant = matches!(e.kind, Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::RefMut(_));
            if !constant && e.ty != Ty::Never && list[i + 1..].iter().any(needs) {
                let ty = self.ty(e);
                v = self.spill(&ty, &v);
            }
            out.push(v);
        }
        out
    }

    fn pair(&mut self, a: &Expr, b: &Expr) -> (String, String) {
        let mut v = self.values(&[a.clone(), b.clone()]);
        let b = v.pop().expect("two");
        (v.pop().expect("two"), b)
    }

    fn value(&mut self, e: &Expr) -> String {
        let ty = self.ty(e);
        match &e.kind {
            Kind::Float(v) => hex_f64(*v),
            Kind::Int(v) => int(*v, &ty),
            Kind::Bool(b) => (*b as i32).to_string(),
            Kind::Local(id) => self.names[*id].clone(),
            Kind::Const(k) => {
                self.uses[*k].push(Use::Const { ty });
                format!("{REF_START}{k}{REF_END}")
            }
            Kind::Unary(op, a) => {
                let v = self.value(a);
                match (op, &ty) {
                    (UnaryOp::Neg, Ty::F64) => format!("(-{v})"),
                    (UnaryOp::Neg, t) => wrap(t, &format!("0 - {}", unwrap(t, &v))),
                    (UnaryOp::Not, Ty::Bool) => format!("(!{v})"),
                    (UnaryOp::Not, _) => format!("(~{v})"),
                }
            }
            Kind::Binary(op @ (Op::And | Op::Or), a, b) => {
                if !needs(b) {
                    let (a, b) = (self.value(a), self.value(b));
                    return format!("({a} {} {b})", if *op == Op::And { "&&" } else { "||" });
                }
                let a = self.value(a);
                let t = self.spill(&Ty::Bool, &a);
                self.open(&format!("if ({}{t}) {{", if *op == Op::And { "" } else { "!" }));
                self.put(b, &Target::Variable(t.clone()));
                self.close("}");
                t
            }
            Kind::Binary(op, a, b) => {
                let (ta, tb) = (self.ty(a), self.ty(b));
                let (a, b) = self.pair(a, b);
                binary(*op, &ta, &a, &tb, &b)
            }
            Kind::Cast(a) => {
                let from = self.ty(a);
                let v = self.value(a);
                cast(&from, &ty, &v)
            }
            Kind::Call(k, args) => {
                let known = |e: &Expr| match e.kind {
                    Kind::Int(_) if matches!(self.f.types.shallow(&e.ty), Ty::Var(_)) => None,
                    _ => Some(self.ty(e)),
                };
                let types = args.iter().map(known).collect();
                let values = self.values(args);
                let call = format!("{REF_START}{k}{REF_END}({})", values.join(", "));
                self.uses[*k].push(Use::Call { args: types, ret: ty.clone() });
                if args.iter().any(|a| matches!(self.ty(a), Ty::Ref(_))) {
                    if ty == Ty::Unit {
                        self.line(&format!("{call};"));
                        return String::new();
                    }
                    return self.spill(&ty, &call);
                }
                call
            }
            Kind::Method(name, args) => {
                let receiver = self.ty(&args[0]);
                let v = self.values(args);
                method(name, &receiver, &v)
            }
            Kind::Tuple(items) => {
                let values = self.values(items);
                let c = self.c(&ty);
                format!("(({c}){{{}}})", values.join(", "))
            }
            Kind::Index(..) | Kind::Field(..) | Kind::Deref(_) => self.place(e),
            Kind::RefMut(p) => {
                let p = self.place(p);
                format!("(&{p})")
            }
            Kind::Block(b) if block_is_plain(b) => self.value(b.tail.as_ref().expect("plain")),
            Kind::If(c, then, Some(other)) if !needs(e) => {
                let c = self.value(c);
                let a = self.value(then.tail.as_ref().expect("plain"));
                let b = self.value(other);
                format!("({c} ? {a} : {b})")
            }
            _ if matches!(ty, Ty::Unit | Ty::Never) => {
                self.put(e, &Target::Nowhere);
                "0".into()
            }
            _ => {
                let name = self.temp();
                let c = self.c(&ty);
                self.line(&format!("{c} {name};"));
                self.put(e, &Target::Variable(name.clone()));
                name
            }
        }
    }

    fn place(&mut self, e: &Expr) -> String {
        match &e.kind {
            Kind::Local(id) => self.names[*id].clone(),
            Kind::Deref(a) => {
                let v = self.value(a);
                format!("(*{v})")
            }
            Kind::Field(a, i) => {
                let v = self.value(a);
                format!("{v}.v{i}")
            }
            Kind::Index(a, i) => {
                let elem = self.ty(e);
                let base = if let Kind::Const(k) = &a.kind {
                    self.uses[*k].push(Use::Table { elem });
                    format!("{REF_START}{k}{REF_END}")
                } else {
                    self.value(a)
                };
                let n = match self.ty(a) {
                    Ty::Array(_, 0) => format!("{base}_LEN"),
                    Ty::Array(_, n) => format!("{n}"),
                    _ => unreachable!("checked when lowered"),
                };
                match (&i.kind, self.ty(a)) {
                    (Kind::Int(v), Ty::Array(_, n)) if *v < n as i128 => format!("{base}[{v}]"),
                    _ => {
                        let index = self.value(i);
                        format!("{base}[gm_index({index}, {n})]")
                    }
                }
            }
            _ => self.value(e),
        }
    }

    fn finish(&mut self, value: &str, target: &Target) {
        match target {
            Target::Nowhere => {}
            Target::Variable(name) => self.line(&format!("{name} = {value};")),
            Target::Return => self.line(&format!("return {value};")),
        }
    }

    /// Evaluates `e` and sends its value to `target`.
    fn put(&mut self, e: &Expr, target: &Target) {
        match &e.kind {
            Kind::Unit => {}
            Kind::Block(b) => {
                self.open("{");
                self.block_inner(b, target);
                self.close("}");
            }
            Kind::If(c, then, other) if needs(e) || !matches!(target, Target::Variable(_)) => {
                let c = self.value(c);
                self.open(&format!("if ({c}) {{"));
                self.block_inner(then, target);
                if let Some(other) = other {
                    self.close("} else {");
                    self.depth += 1;
                    match &other.kind {
                        Kind::Block(b) => self.block_inner(b, target),
                        _ => self.put(other, target),
                    }
                }
                self.close("}");
            }
            Kind::Match(scrutinee, arms) => {
                let ty = self.ty(scrutinee);
                let v = self.value(scrutinee);
                let v = self.spill(&ty, &v);
                self.arms(arms, &v, &ty, target);
            }
            Kind::Loop(id, body) => {
                // One way out: PoCL 3.1 miscompiles some endless loops that end only by `return` (found by fuzzing).
                let ty = self.ty(e);
                if matches!(target, Target::Return) && !matches!(ty, Ty::Unit | Ty::Never) {
                    let (name, c) = (self.temp(), self.c(&ty));
                    self.line(&format!("{c} {name};"));
                    self.put(e, &Target::Variable(name.clone()));
                    return self.finish(&name, target);
                }
                self.loop_targets[*id] = target.clone();
                self.loop_body(*id, "while (1) {", body, |_| ());
            }
            Kind::While(id, cond, body) => {
                if needs(cond) {
                    self.loop_body(*id, "while (1) {", body, |cx| {
                        let c = cx.value(cond);
                        cx.line(&format!("if (!{c}) break;"));
                    });
                } else {
                    let c = self.value(cond);
                    self.loop_body(*id, &format!("while ({c}) {{"), body, |_| ());
                }
            }
            Kind::For { id, var, lo, hi, inclusive, rev, body } => self.for_(*id, *var, lo, hi, *inclusive, *rev, body),
            Kind::Assign(place, value) => {
                // The right side comes first, in Rust.
                let simple = matches!(place.kind, Kind::Local(_)) && !matches!(self.ty(value), Ty::Array(..));
                if simple {
                    let p = self.place(place);
                    self.put(value, &Target::Variable(p));
                } else {
                    let ty = self.ty(value);
                    let mut v = self.value(value);
                    if needs(place) {
                        v = self.spill(&ty, &v);
                    }
                    let p = self.place(place);
                    self.line(&format!("{p} = {v};"));
                }
            }
            Kind::AssignTuple(places, value) => {
                let values = self.components(value, places.len());
                for (place, v) in places.iter().zip(values) {
                    if let Some(place) = place {
                        let p = self.place(place);
                        self.line(&format!("{p} = {v};"));
                    }
                }
            }
            Kind::AssignOp(op, place, value) => {
                let (tp, tv) = (self.ty(place), self.ty(value));
                let mut v = self.value(value);
                if needs(place) {
                    v = self.spill(&tv, &v);
                }
                let p = self.place(place);
                let sum = binary(*op, &tp, &p, &tv, &v);
                self.line(&format!("{p} = {sum};"));
            }
            Kind::Return(None) => self.line("return;"),
            Kind::Return(Some(v)) => self.put(v, &Target::Return),
            Kind::Break(id, value) => {
                if let Some(v) = value {
                    let target = self.loop_targets[*id].clone();
                    self.put(v, &target);
                }
                let far = self.f.loops[*id].far_break;
                self.line(&if far { format!("goto break_{id};") } else { "break;".into() });
            }
            Kind::Continue(id) => {
                let far = self.f.loops[*id].far_continue;
                self.line(&if far { format!("goto continue_{id};") } else { "continue;".into() });
            }
            Kind::Call(..) if self.ty(e) == Ty::Unit && !needs(e) => {
                let v = self.value(e);
                self.line(&format!("{v};"));
            }
            _ => {
                let v = self.value(e);
                if !matches!(self.ty(e), Ty::Unit | Ty::Never) {
                    self.finish(&v, target);
                }
            }
        }
    }

    fn loop_body(&mut self, id: LoopId, head: &str, body: &Block, first: impl FnOnce(&mut Self)) {
        self.open(head);
        first(self);
        let far_continue = self.f.loops[id].far_continue;
        if far_continue {
            self.open("{");
        }
        self.block_inner(body, &Target::Nowhere);
        if far_continue {
            self.close("}");
            self.line(&format!("continue_{id}: ;"));
        }
        self.close("}");
        if self.f.loops[id].far_break {
            self.line(&format!("break_{id}: ;"));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn for_(
        &mut self,
        id: LoopId,
        var: Option<LocalId>,
        lo: &Expr,
        hi: &Expr,
        inclusive: bool,
        rev: bool,
        body: &Block,
    ) {
        let ty = self.ty(lo);
        let c = self.c(&ty);
        self.open("{");
        let (lo, hi) = self.pair(lo, hi);
        let (lo, hi) = (self.spill(&ty, &lo), self.spill(&ty, &hi));
        let n = self.temp();
        let one = int(1, &ty);
        let head = match (inclusive, rev) {
            (false, false) => format!("for ({c} {n} = {lo}; {n} < {hi}; {n} = {n} + {one}) {{"),
            (false, true) => format!("for ({c} {n} = {hi}; {n} > {lo}; {n} = {n} - {one}) {{"),
            (true, _) => {
                // The counter must not step past the type's last value.
                let (from, to, cmp, sign) = if rev { (&hi, &lo, ">", "-") } else { (&lo, &hi, "<", "+") };
                let more = self.temp();
                self.line(&format!("{c} {n} = {from};"));
                self.line(&format!("int {more} = {lo} <= {hi};"));
                format!("for (; {more}; {more} = {n} {cmp} {to}, {n} = {n} {sign} ({c}){more}) {{")
            }
        };
        let step_first = rev && !inclusive;
        self.loop_body(id, &head, body, |cx| {
            if let Some(var) = var {
                let name = cx.names[var].clone();
                let value = if step_first { format!("{n} - {one}") } else { n.clone() };
                cx.line(&format!("{c} {name} = {value};"));
            }
        });
        self.close("}");
    }

    fn arms(&mut self, arms: &[Arm], v: &str, ty: &Ty, target: &Target) {
        let Some((arm, rest)) = arms.split_first() else { return };
        self.open("{");
        if let Some(id) = arm.bind {
            let (c, name) = (self.c(ty), self.names[id].clone());
            self.line(&format!("{c} {name} = {v};"));
        }
        let tests: Vec<String> = arm
            .ranges
            .iter()
            .map(|(lo, hi)| match (lo, hi) {
                (Some(a), Some(b)) if a == b => format!("{v} == {}", int(*a, ty)),
                (Some(a), Some(b)) => format!("({v} >= {} && {v} <= {})", int(*a, ty), int(*b, ty)),
                (Some(a), None) => format!("{v} >= {}", int(*a, ty)),
                (None, Some(b)) => format!("{v} <= {}", int(*b, ty)),
                (None, None) => "1".into(),
            })
            .collect();
        let mut test = (!arm.ranges.is_empty()).then(|| format!("({})", tests.join(" || ")));
        if let Some(guard) = &arm.guard {
            let t = self.spill(&Ty::Bool, test.as_deref().unwrap_or("1"));
            self.open(&format!("if ({t}) {{"));
            self.put(guard, &Target::Variable(t.clone()));
            self.close("}");
            test = Some(t);
        }
        // rustc has checked that the arms are exhaustive, so the last one needs no test.
        match test {
            Some(test) if !rest.is_empty() => {
                self.open(&format!("if ({test}) {{"));
                self.put(&arm.body, target);
                self.close("} else {");
                self.depth += 1;
                self.arms(rest, v, ty, target);
                self.close("}");
            }
            _ => self.put(&arm.body, target),
        }
        self.close("}");
    }

    /// The parts of a tuple value, each safe to use after the others were assigned.
    fn components(&mut self, e: &Expr, n: usize) -> Vec<String> {
        if let Kind::Tuple(items) = &e.kind {
            let values = self.values(items);
            return items
                .iter()
                .zip(values)
                .map(|(item, v)| {
                    let ty = self.ty(item);
                    self.spill(&ty, &v)
                })
                .collect();
        }
        let ty = self.ty(e);
        let v = self.value(e);
        let t = self.spill(&ty, &v);
        (0..n).map(|i| format!("{t}.v{i}")).collect()
    }

    fn block_inner(&mut self, b: &Block, target: &Target) {
        for stmt in &b.stmts {
            match stmt {
                Stmt::Expr(e) => self.put(e, &Target::Nowhere),
                Stmt::Let(pat, init) => self.let_(pat, init.as_ref()),
            }
        }
        if let Some(tail) = &b.tail {
            self.put(tail, target);
        }
    }

    fn let_(&mut self, pat: &Pat, init: Option<&Expr>) {
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

    fn bind(&mut self, pat: &Pat, value: &str) {
        match pat {
            Pat::Wild => {}
            Pat::Local(id) => {
                let ty = self.f.types.resolve(&self.f.locals[*id].ty);
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

    fn let_local(&mut self, id: LocalId, init: Option<&Expr>) {
        let ty = self.f.types.resolve(&self.f.locals[id].ty);
        let (c, name) = (self.c(&ty), self.names[id].clone());
        if let Ty::Array(_, n) = ty {
            match init.map(|e| &e.kind) {
                Some(Kind::Array(items)) => {
                    let values = self.values(items);
                    self.line(&format!("{c} {name}[{n}] = {{{}}};", values.join(", ")));
                }
                Some(kind) => {
                    let source = match kind {
                        Kind::Repeat(item, _) => {
                            let ty = self.ty(item);
                            let v = self.value(item);
                            self.spill(&ty, &v)
                        }
                        _ => {
                            let v = self.value(init.expect("some"));
                            format!("{v}[k_]")
                        }
                    };
                    self.line(&format!("{c} {name}[{n}];"));
                    self.line(&format!("for (int k_ = 0; k_ < {n}; k_++) {name}[k_] = {source};"));
                }
                None => self.line(&format!("{c} {name}[{n}];")),
            }
            return;
        }
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

fn int(v: i128, ty: &Ty) -> String {
    match ty {
        Ty::I32 if v == i32::MIN as i128 => "(-2147483647 - 1)".into(),
        Ty::I64 if v == i64::MIN as i128 => "(-9223372036854775807L - 1L)".into(),
        Ty::U32 => format!("{v}u"),
        Ty::U64 | Ty::Usize => format!("{v}UL"),
        Ty::I64 if v < 0 => format!("({v}L)"),
        Ty::I64 => format!("{v}L"),
        _ if v < 0 => format!("({v})"),
        _ => format!("{v}"),
    }
}

fn unsigned_of(ty: &Ty) -> &'static str {
    if ty.bits() == 32 { "uint" } else { "ulong" }
}

/// `v` as the unsigned type of the same width.
fn unwrap(ty: &Ty, v: &str) -> String {
    if ty.is_signed() { format!("as_{}({v})", unsigned_of(ty)) } else { v.to_string() }
}

/// An unsigned expression as `ty`.
fn wrap(ty: &Ty, v: &str) -> String {
    if ty.is_signed() { format!("as_{}({v})", c_type(ty)) } else { format!("({v})") }
}

fn binary(op: Op, ta: &Ty, a: &str, tb: &Ty, b: &str) -> String {
    let symbol = match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Rem => "%",
        Op::And => "&&",
        Op::Or => "||",
        Op::BitAnd => "&",
        Op::BitOr => "|",
        Op::BitXor => "^",
        Op::Shl => "<<",
        Op::Shr => ">>",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
    };
    let tag = if *ta == Ty::Usize { "u64".to_string() } else { ta.tag() };
    match op {
        Op::Add | Op::Sub | Op::Mul if ta.is_int() => {
            wrap(ta, &format!("{} {symbol} {}", unwrap(ta, a), unwrap(ta, b)))
        }
        Op::Div if ta.is_int() => format!("gm_div_{tag}({a}, {b})"),
        Op::Rem if ta.is_int() => format!("gm_rem_{tag}({a}, {b})"),
        Op::Shl | Op::Shr => {
            let mask = format!("((uint)({b}) & {}u)", ta.bits() - 1);
            debug_assert!(tb.is_int());
            if op == Op::Shl { wrap(ta, &format!("{} << {mask}", unwrap(ta, a))) } else { format!("({a} >> {mask})") }
        }
        _ => format!("({a} {symbol} {b})"),
    }
}

fn cast(from: &Ty, to: &Ty, v: &str) -> String {
    match (from, to) {
        (a, b) if a == b => v.to_string(),
        (Ty::F64, Ty::Usize) => format!("gm_f64_u64({v})"),
        (Ty::F64, to) => format!("gm_f64_{}({v})", to.tag()),
        (_, Ty::F64) => format!("((double)({v}))"),
        (from, Ty::I32) if from.is_int() => format!("as_int((uint)({v}))"),
        (Ty::U64 | Ty::Usize, Ty::I64) => format!("as_long({v})"),
        (_, to) => format!("(({})({v}))", c_type(to)),
    }
}

fn method(name: &str, ty: &Ty, v: &[String]) -> String {
    let x = &v[0];
    let y = v.get(1).map_or("", String::as_str);
    if *ty == Ty::F64 {
        return match name {
            "abs" => format!("fabs({x})"),
            "round_ties_even" => format!("gm_rint({x})"),
            "floor" | "ceil" | "trunc" => format!("gm_{name}({x})"),
            "sqrt" => format!("sqrt({x})"),
            "recip" => format!("({} / {x})", hex_f64(1.0)),
            "mul_add" => format!("fma({x}, {y}, {})", v[2]),
            "copysign" => format!("gm_copysign({x}, {y})"),
            "min" | "max" => format!("gm_{name}_f64({x}, {y})"),
            "to_bits" => format!("gm_bits({x})"),
            "is_nan" => format!("(isnan({x}) != 0)"),
            "is_finite" => format!("(isfinite({x}) != 0)"),
            "is_infinite" => format!("(isinf({x}) != 0)"),
            "is_sign_negative" => format!("((int)(gm_bits({x}) >> 63))"),
            _ => unreachable!("the table of methods says otherwise: {name}"),
        };
    }
    let bits = ty.bits();
    match name {
        "from_bits" => format!("as_double({x})"),
        "wrapping_add" => binary(Op::Add, ty, x, ty, y),
        "wrapping_sub" => binary(Op::Sub, ty, x, ty, y),
        "wrapping_mul" => binary(Op::Mul, ty, x, ty, y),
        "wrapping_div" => binary(Op::Div, ty, x, ty, y),
        "wrapping_rem" => binary(Op::Rem, ty, x, ty, y),
        "wrapping_shl" => binary(Op::Shl, ty, x, &Ty::U32, y),
        "wrapping_shr" => binary(Op::Shr, ty, x, &Ty::U32, y),
        "wrapping_neg" => wrap(ty, &format!("0 - {}", unwrap(ty, x))),
        "wrapping_abs" => wrap(ty, &format!("({x} < 0 ? 0 - {u} : {u})", u = unwrap(ty, x))),
        "rotate_left" => wrap(ty, &format!("rotate({}, ({})({y} & {}u))", unwrap(ty, x), unsigned_of(ty), bits - 1)),
        "rotate_right" => {
            wrap(ty, &format!("rotate({}, ({})((0u - {y}) & {}u))", unwrap(ty, x), unsigned_of(ty), bits - 1))
        }
        "count_ones" => format!("((uint)popcount({x}))"),
        "leading_zeros" => format!("((uint)clz({}))", unwrap(ty, x)),
        "trailing_zeros" => {
            let u = unwrap(ty, x);
            format!("((uint)popcount(~{u} & ({u} - 1)))")
        }
        "min" | "max" => format!("{name}({x}, {y})"),
        _ => unreachable!("the table of methods says otherwise: {name}"),
    }
}
