//! Typed IR -> OpenCL C.
//!
//! Rust is an expression language and evaluates left to right; C is neither. So [`Emit::value`] gives a C expression
//! without side effects and writes, before it, the statements that the Rust expression implies. When a later operand
//! needs statements, the earlier ones are stored in temporaries first.
//!
//! Arrays are wrapped into structs (`gm_a4_f64 { double v[4]; }`), so that C copies, passes and returns them by value.
mod control_flow;
mod operations;
mod pure;
mod statements;
mod values;

pub(crate) use operations::int;

use crate::ir::*;
use crate::{REF_END, REF_START};
use std::collections::{HashMap, HashSet};

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
    /// Assigned somewhere after its declaration.
    assigned: Vec<bool>,
    lens: Vec<Option<String>>,
    used: HashSet<String>,
    /// The last number that made a name out of each that was taken.
    numbers: HashMap<String, usize>,
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
        assigned: f.assigned(),
        lens: vec![None; f.locals.len()],
        used: HashSet::new(),
        numbers: HashMap::new(),
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

impl Emit<'_> {
    fn unique(&mut self, base: &str) -> String {
        let mut name = base.to_string();
        while !self.used.insert(name.clone()) {
            let n = self.numbers.entry(base.to_string()).or_insert(1);
            *n += 1;
            name = format!("{base}{n}");
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
}
