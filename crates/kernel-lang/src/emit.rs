//! Typed IR -> OpenCL C.
//!
//! Rust is an expression language and evaluates left to right; C is neither. So [`Emit::value`] gives a C expression
//! without side effects and writes, before it, the statements that the Rust expression implies. When a later operand
//! needs statements, the earlier ones are stored in temporaries first.
//!
//! Arrays are wrapped into structs (`gm_a4_f64 { double v[4]; }`), so that C copies, passes and returns them by value.

use crate::ir::*;
use crate::{REF_END, REF_START};
use gristmill_scalar::{hex_f32, hex_f64, names};
use std::collections::HashSet;

/// Where the value of an expression goes.
#[derive(Clone)]
enum Target {
    Nowhere,
    Variable(String),
    Return,
}

/// The C text of one function.
#[derive(Debug, Clone)]
pub struct CText {
    /// The definition without return type and name: starts with the parameter list.
    pub text: String,
    /// The return type.
    pub ret: String,
    /// Structs for tuples and arrays, in order of definition.
    pub typedefs: Vec<Typedef>,
}

/// A struct that stands for a tuple or an array in C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typedef {
    /// Its name; may hold reference markers.
    pub name: String,
    /// Its members; may hold reference markers.
    pub members: String,
}

/// One loop of the emitted C, while it is open.
struct CLoop {
    endless: bool,
    /// A `return` inside it became a flag: test it after the loop.
    flagged: bool,
}

struct Emit<'a> {
    f: &'a Func,
    out: String,
    depth: usize,
    names: Vec<String>,
    lens: Vec<Option<String>>,
    used: HashSet<String>,
    temps: usize,
    typedefs: Vec<Typedef>,
    loop_targets: Vec<Target>,
    c_loops: Vec<CLoop>,
    /// The flag and value of a `return` inside an endless loop.
    done: Option<(String, String)>,
    /// The line that the C compiler would give to the next line of text.
    next_line: usize,
    /// An index that is being written stands inside a place whose outer index needs statements: it is kept in a variable.
    keep_indices: bool,
}

/// Collects the structs that `ty` needs, inner ones first.
pub(crate) fn typedefs_of(ty: &Ty, out: &mut Vec<Typedef>) {
    let members = match ty {
        Ty::Tuple(items) => {
            items.iter().for_each(|t| typedefs_of(t, out));
            let list: Vec<String> = items.iter().enumerate().map(|(i, t)| format!("{} v{i};", c_type(t))).collect();
            list.join(" ")
        }
        Ty::Array(elem, n) => {
            typedefs_of(elem, out);
            format!("{} v[{n}];", c_type(elem))
        }
        Ty::Ref(inner) => return typedefs_of(inner, out),
        _ => return,
    };
    let def = Typedef { name: c_type(ty), members };
    if !out.contains(&def) {
        out.push(def);
    }
}

/// Emits `f`. An entry point becomes a `__kernel` whose first parameter is the number of work-items.
pub fn emit(f: &Func, entry: bool) -> CText {
    let mut cx = Emit {
        out: String::new(),
        depth: 1,
        names: vec![],
        lens: vec![None; f.locals.len()],
        used: HashSet::new(),
        temps: 0,
        typedefs: vec![],
        loop_targets: vec![Target::Nowhere; f.loops.len()],
        c_loops: vec![],
        done: None,
        next_line: 0,
        keep_indices: false,
        f,
    };
    for local in &f.locals {
        // A trailing underscore keeps clear of keywords, built-ins and macros of OpenCL C.
        let name = cx.unique(&format!("{}_", local.name));
        cx.names.push(name);
    }
    let mut list = vec![];
    for (k, p) in f.params.iter().enumerate() {
        let (ty, name) = (cx.c(&p.ty), cx.names[p.id].clone());
        if entry && k == 0 {
            list.push("ulong n_items_".to_string());
            cx.line(&format!("ulong {name} = get_global_id(0);"));
            cx.line(&format!("if ({name} >= n_items_) return;"));
            continue;
        }
        list.push(if ty.ends_with('*') { format!("{ty}{name}") } else { format!("{ty} {name}") });
        if matches!(p.ty, Ty::Slice(..)) {
            let len = cx.unique(&format!("{name}len_"));
            list.push(format!("ulong {len}"));
            cx.lens[p.id] = Some(len);
        }
        if p.ty == Ty::Bool {
            cx.line(&format!("{name} = {name} != 0;")); // a hand-written caller may pass any int
        }
    }
    let ret = cx.c(&f.ret);
    cx.block_inner(&f.body, &if f.ret == Ty::Unit { Target::Nowhere } else { Target::Return });
    if let Some((flag, value)) = &cx.done {
        let mut head = format!("    int {flag} = 0;\n");
        if f.ret != Ty::Unit {
            head.push_str(&format!("    {ret} {value};\n"));
        }
        cx.out.insert_str(0, &head);
    }
    let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
    CText { text: format!("({list})\n{{\n{}}}\n", cx.out), ret, typedefs: cx.typedefs }
}

fn block_is_plain(b: &Block) -> bool {
    b.stmts.is_empty() && b.tail.as_ref().is_some_and(|t| !needs(t))
}

/// A constant table, or a row of one: lives in `__constant` memory and cannot be copied by `=`.
fn in_table(e: &Expr) -> bool {
    match &e.kind {
        Kind::Const(_) => matches!(e.ty, Ty::Array(..)),
        Kind::Index(base, _) => in_table(base),
        _ => false,
    }
}

/// Short `[x; n]` are written out.
const UNROLL: usize = 8;

/// Does this expression need statements, or have effects? Otherwise it is one pure C expression.
fn needs(e: &Expr) -> bool {
    match &e.kind {
        Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Local(_) | Kind::Len(_) => false,
        Kind::Const(_) => matches!(e.ty, Ty::Array(..)),
        Kind::Index(a, b) => match a.ty {
            Ty::Slice(..) => !is_simple(b), // tested, then used: twice
            _ => index_needs(a) || needs(b) || (in_table(e) && matches!(e.ty, Ty::Array(..))),
        },
        Kind::Unary(_, a) | Kind::Cast(a) | Kind::Field(a, _) | Kind::Member(a, _) | Kind::Deref(a) => needs(a),
        Kind::RefMut(a) => match &a.kind {
            Kind::Index(base, i) => index_needs(base) || needs(i),
            _ => needs(a),
        },
        Kind::Binary(_, a, b) => needs(a) || needs(b),
        Kind::Call(_, args) => args.iter().any(|a| needs(a) || matches!(a.ty, Ty::Ref(_))),
        Kind::Method(_, args) | Kind::Tuple(args) | Kind::Array(args) => args.iter().any(needs),
        Kind::Struct(fields) => fields.iter().any(|(_, v)| needs(v)),
        Kind::Repeat(v, n) => needs(v) || *n > UNROLL || !is_simple(v),
        Kind::Block(b) => !block_is_plain(b),
        Kind::If(c, then, Some(other)) => needs(c) || !block_is_plain(then) || needs(other) || e.ty == Ty::Never,
        _ => true,
    }
}

/// The base of an index is a place, so a table there needs no copy.
fn index_needs(base: &Expr) -> bool {
    match &base.kind {
        Kind::Const(_) => false,
        Kind::Index(b, i) => index_needs(b) || needs(i),
        _ => needs(base),
    }
}

/// May be written twice.
fn is_simple(e: &Expr) -> bool {
    matches!(e.kind, Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Local(_))
}

/// `v` with parentheses unless it is one name, number, call or parenthesised already.
fn atom(v: &str) -> String {
    let number = v.starts_with(|c: char| c.is_ascii_digit()) && !v.contains(' ');
    let mut depth = 0usize;
    let mut plain = true;
    for c in v.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            c if depth == 0 => {
                plain &= c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | REF_START | REF_END);
            }
            _ => {}
        }
    }
    // `(int)x`: a cast is no atom.
    let cast = v.starts_with('(') && !matching_paren_ends(v);
    if number || (plain && !cast) { v.to_string() } else { format!("({v})") }
}

fn matching_paren_ends(v: &str) -> bool {
    let mut depth = 0usize;
    for (i, c) in v.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return i + 1 == v.len();
                }
            }
            _ => {}
        }
    }
    false
}

impl Emit<'_> {
    fn unique(&mut self, base: &str) -> String {
        let mut name = base.to_string();
        let mut n = 2;
        while !self.used.insert(name.clone()) {
            name = format!("{base}{n}");
            n += 1;
        }
        name
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
        self.next_line += 1;
    }

    /// The next line of text stands at this place of the source.
    fn mark(&mut self, span: proc_macro2::Span) {
        let line = span.start().line;
        if line > 0 && line != self.next_line {
            self.out.push_str(&format!("#line {line}\n"));
            self.next_line = line;
        }
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    /// The C spelling; remembers what must be defined before.
    fn c(&mut self, ty: &Ty) -> String {
        typedefs_of(ty, &mut self.typedefs);
        match ty {
            // One byte per element, as in Rust.
            Ty::Slice(elem, mutable) if **elem == Ty::Bool => {
                if *mutable {
                    "__global uchar *".into()
                } else {
                    "__global const uchar *".into()
                }
            }
            _ => c_type(ty),
        }
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

    fn declare(&mut self, ty: &Ty) -> String {
        let name = self.temp();
        let c = self.c(ty);
        self.line(&format!("{c} {name};"));
        name
    }

    fn spill(&mut self, ty: &Ty, value: &str) -> String {
        let name = self.temp();
        let c = self.c(ty);
        self.line(&format!("{c} {name} = {value};"));
        name
    }

    /// Operands, left to right.
    fn values(&mut self, list: &[&Expr]) -> Vec<String> {
        let mut out = vec![];
        for (i, e) in list.iter().enumerate() {
            let mut v = self.value(e);
            let constant = matches!(e.kind, Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::RefMut(_));
            if !constant && !matches!(e.ty, Ty::Never | Ty::Unit) && list[i + 1..].iter().any(|e| needs(e)) {
                v = self.spill(&e.ty, &v);
            }
            out.push(v);
        }
        out
    }

    fn pair(&mut self, a: &Expr, b: &Expr) -> (String, String) {
        let mut v = self.values(&[a, b]);
        let b = v.pop().expect("two");
        (v.pop().expect("two"), b)
    }

    fn value(&mut self, e: &Expr) -> String {
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
                    (UnaryOp::Neg, Ty::F64 | Ty::F32) => format!("-{v}"),
                    (UnaryOp::Neg, t) => wrap(t, &format!("0 - {}", unwrap(t, &v))),
                    (UnaryOp::Not, Ty::Bool) => format!("!{v}"),
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
                    Ty::Bool => format!("({i} < {n} && {x}[{i}] != 0)"),
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
    fn copy_table(&mut self, e: &Expr) -> String {
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

    fn slice_element(&mut self, base: &Expr, index: &Expr) -> (String, String, String) {
        let Kind::Local(id) = base.kind else { unreachable!("slices are parameters") };
        let mut i = self.value(index);
        if !is_simple(index) {
            i = self.spill(&Ty::Usize, &i);
        }
        (self.names[id].clone(), self.lens[id].clone().expect("a slice parameter"), i)
    }

    /// The C array behind an array value, and whether it lies in a table.
    fn indexed(&mut self, base: &Expr) -> (String, bool) {
        let place = self.place(base);
        if in_table(base) { (place, true) } else { (format!("{place}.v"), false) }
    }

    fn place(&mut self, e: &Expr) -> String {
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

    fn finish(&mut self, value: &str, target: &Target) {
        match target {
            Target::Nowhere => {}
            Target::Variable(name) => self.line(&format!("{name} = {value};")),
            Target::Return => self.return_(Some(value)),
        }
    }

    /// `return`, or out of endless loops: a flag, `break`, and the test after the loop. PoCL 3.1 miscompiles some
    /// endless loops that end only by `return`.
    fn return_(&mut self, value: Option<&str>) {
        if !self.c_loops.iter().any(|l| l.endless) {
            match value {
                Some(v) => self.line(&format!("return {v};")),
                None => self.line("return;"),
            }
            return;
        }
        let (flag, slot) = match &self.done {
            Some(d) => d.clone(),
            None => {
                let d = (self.unique("done_"), self.unique("result_"));
                self.done = Some(d.clone());
                d
            }
        };
        if let Some(v) = value {
            self.line(&format!("{slot} = {v};"));
        }
        self.line(&format!("{flag} = 1;"));
        self.line("break;");
        let outermost = self.c_loops.iter().position(|l| l.endless).expect("one is endless");
        for l in &mut self.c_loops[outermost..] {
            l.flagged = true;
        }
    }

    /// After a loop: pass a flagged `return` on.
    fn after_loop(&mut self, l: &CLoop, only_way_out: bool) {
        if !l.flagged {
            return;
        }
        let (flag, slot) = self.done.clone().expect("flagged");
        let test = if only_way_out { String::new() } else { format!("if ({flag}) ") };
        if self.c_loops.iter().any(|l| l.endless) {
            self.line(&format!("{test}break;"));
        } else if self.f.ret == Ty::Unit {
            self.line(&format!("{test}return;"));
        } else {
            self.line(&format!("{test}return {slot};"));
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

    fn loop_body(&mut self, id: LoopId, head: &str, body: &Block, endless: bool, first: impl FnOnce(&mut Self)) {
        self.open(head);
        self.c_loops.push(CLoop { endless, flagged: false });
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
        let l = self.c_loops.pop().expect("pushed above");
        self.after_loop(&l, endless && !self.f.loops[id].broken);
        if self.f.loops[id].far_break {
            self.line(&format!("break_{id}: ;"));
        }
    }

    fn for_(
        &mut self,
        id: LoopId,
        var: Option<LocalId>,
        ends: (&Expr, &Expr),
        inclusive: bool,
        rev: bool,
        body: &Block,
    ) {
        let ty = ends.0.ty.clone();
        let c = self.c(&ty);
        self.open("{");
        let constant = |e: &Expr| matches!(e.kind, Kind::Int(_));
        let (lo, hi) = self.pair(ends.0, ends.1);
        let lo = if constant(ends.0) { lo } else { self.spill(&ty, &lo) };
        let hi = if constant(ends.1) { hi } else { self.spill(&ty, &hi) };
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
        self.loop_body(id, &head, body, false, |cx| {
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
        let scoped = arm.bind.is_some() || arm.guard.is_some();
        if scoped {
            self.open("{");
        }
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
        let mut test = (!arm.ranges.is_empty()).then(|| tests.join(" || "));
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
                self.mark(arm.body.span);
                self.put(&arm.body, target);
                self.close("} else {");
                self.depth += 1;
                self.arms(rest, v, ty, target);
                self.close("}");
            }
            _ => {
                self.mark(arm.body.span);
                self.put(&arm.body, target);
            }
        }
        if scoped {
            self.close("}");
        }
    }

    /// The parts of a tuple value, each safe to use after the others were assigned.
    fn components(&mut self, e: &Expr, n: usize) -> Vec<String> {
        if let Kind::Tuple(items) = &e.kind {
            let values = self.values(&items.iter().collect::<Vec<_>>());
            return items.iter().zip(values).map(|(item, v)| self.spill(&item.ty, &v)).collect();
        }
        let v = self.value(e);
        let t = self.spill(&e.ty, &v);
        (0..n).map(|i| format!("{t}.v{i}")).collect()
    }

    fn block_inner(&mut self, b: &Block, target: &Target) {
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

    fn let_local(&mut self, id: LocalId, init: Option<&Expr>) {
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

fn float(v: FloatLit, ty: &Ty) -> String {
    if *ty == Ty::F32 { hex_f32(v.f32) } else { hex_f64(v.f64) }
}

/// An integer as a C constant of type `ty`.
pub(crate) fn int(v: i128, ty: &Ty) -> String {
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
    if ty.is_signed() { format!("as_{}({v})", unsigned_of(ty)) } else { atom(v) }
}

/// An unsigned expression as `ty`.
fn wrap(ty: &Ty, v: &str) -> String {
    if ty.is_signed() { format!("as_{}({v})", c_type(ty)) } else { v.to_string() }
}

fn binary(op: Op, ty: &Ty, a: &str, b: &str) -> String {
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
    match op {
        Op::Add | Op::Sub | Op::Mul if ty.is_int() => {
            wrap(ty, &format!("{} {symbol} {}", unwrap(ty, a), unwrap(ty, b)))
        }
        Op::Div if ty.is_int() => format!("gm_div_{}({a}, {b})", ty.tag()),
        Op::Rem if ty.is_int() => format!("gm_rem_{}({a}, {b})", ty.tag()),
        Op::Div if *ty == Ty::F32 => format!("gm_div_f32({a}, {b})"),
        Op::Shl | Op::Shr => {
            let mask = match b.trim_end_matches(['u', 'U', 'L']).parse::<u32>() {
                Ok(n) if n < ty.bits() => n.to_string(),
                _ => format!("((uint)({b}) & {}u)", ty.bits() - 1),
            };
            if op == Op::Shl {
                wrap(ty, &format!("{} << {mask}", unwrap(ty, a)))
            } else {
                format!("{} >> {mask}", atom(a))
            }
        }
        _ => format!("{} {symbol} {}", atom(a), atom(b)),
    }
}

fn cast(from: &Ty, to: &Ty, v: &str) -> String {
    match (from, to) {
        (a, b) if a == b => v.to_string(),
        (Ty::F32, Ty::F64) => format!("(double)({v})"),
        (_, Ty::F64) => format!("(double)({v})"),
        (_, Ty::F32) => format!("convert_float_rte({v})"),
        (Ty::F64, to) => format!("gm_f64_{}({v})", to.tag()),
        (Ty::F32, to) => format!("gm_f64_{}((double)({v}))", to.tag()),
        (from, Ty::I32) if from.is_int() => format!("as_int((uint)({v}))"),
        (Ty::U64 | Ty::Usize, Ty::I64) => format!("as_long({v})"),
        (_, to) => format!("({})({v})", c_type(to)),
    }
}

fn method(name: &str, ty: &Ty, v: &[String]) -> String {
    let x = &v[0];
    let y = v.get(1).map_or("", String::as_str);
    if ty.is_float() {
        let tag = ty.tag();
        return match name {
            "abs" => format!("fabs({x})"),
            "sqrt" if *ty == Ty::F64 => format!("sqrt({x})"),
            "recip" => binary(Op::Div, ty, &float(FloatLit { f64: 1.0, f32: 1.0 }, ty), x),
            "mul_add" => format!("fma({x}, {y}, {})", v[2]),
            "round_ties_even" => format!("gm_rint_{tag}({x})"),
            "is_nan" => format!("(isnan({x}) != 0)"),
            "is_finite" => format!("(isfinite({x}) != 0)"),
            "is_infinite" => format!("(isinf({x}) != 0)"),
            "is_sign_negative" => format!("(int)(gm_bits_{tag}({x}) >> {})", ty.bits() - 1),
            "is_sign_positive" => format!("(int)(gm_bits_{tag}({x}) >> {}) == 0", ty.bits() - 1),
            "to_bits" => format!("gm_bits_{tag}({x})"),
            "sqrt" | "floor" | "ceil" | "trunc" | "fract" | "signum" | "copysign" | "min" | "max" => {
                format!("gm_{name}_{tag}({})", v.join(", "))
            }
            _ => unreachable!("the table of methods says otherwise: {name}"),
        };
    }
    let bits = ty.bits();
    match name {
        "from_bits" if *ty == Ty::U32 => format!("as_float({x})"),
        "from_bits" => format!("as_double({x})"),
        "wrapping_add" => binary(Op::Add, ty, x, y),
        "wrapping_sub" => binary(Op::Sub, ty, x, y),
        "wrapping_mul" => binary(Op::Mul, ty, x, y),
        "wrapping_div" => binary(Op::Div, ty, x, y),
        "wrapping_rem" => binary(Op::Rem, ty, x, y),
        "wrapping_shl" => binary(Op::Shl, ty, x, y),
        "wrapping_shr" => binary(Op::Shr, ty, x, y),
        "wrapping_neg" => wrap(ty, &format!("0 - {}", unwrap(ty, x))),
        "wrapping_abs" | "abs" => format!("gm_abs_{}({x})", ty.tag()),
        "rotate_left" => {
            wrap(ty, &format!("rotate({}, ({})({} & {}u))", unwrap(ty, x), unsigned_of(ty), atom(y), bits - 1))
        }
        "rotate_right" => {
            wrap(ty, &format!("rotate({}, ({})((0u - {}) & {}u))", unwrap(ty, x), unsigned_of(ty), atom(y), bits - 1))
        }
        "count_ones" => format!("(uint)popcount({x})"),
        "leading_zeros" => format!("(uint)clz({})", unwrap(ty, x)),
        "trailing_zeros" => format!("gm_ctz_u{bits}({})", unwrap(ty, x)),
        "min" | "max" => format!("{name}({x}, {y})"),
        _ => unreachable!("the table of methods says otherwise: {name}"),
    }
}
