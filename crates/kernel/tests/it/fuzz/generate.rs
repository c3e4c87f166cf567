//! Random well-typed programs of the kernel language, as Rust text.
//!
//! Elements of one column must take different ways, or a lowering with masks is not tried at all. So every function
//! hashes its arguments into a variable `dice`, most conditions and many trip counts come from it, and it is rolled anew
//! inside loops. Every loop is bounded by construction, and what a function costs is estimated, so that kernels which call
//! kernels in nested loops stay affordable for the interpreter.

use crate::data::Rng;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    F64,
    F32,
    I32,
    I64,
    U32,
    U64,
    Usize,
    Bool,
}
use Ty::*;
const ALL: [Ty; 8] = [F64, F32, I32, I64, U32, U64, Usize, Bool];
/// f64 more often than the others.
const WEIGHTED: [Ty; 11] = [F64, F64, F64, F64, F32, I32, I64, U32, U64, Usize, Bool];
const INTS: [Ty; 5] = [I32, I64, U32, U64, Usize];

impl Ty {
    fn name(self) -> &'static str {
        match self {
            F64 => "f64",
            F32 => "f32",
            I32 => "i32",
            I64 => "i64",
            U32 => "u32",
            U64 => "u64",
            Usize => "usize",
            Bool => "bool",
        }
    }
    fn is_float(self) -> bool {
        matches!(self, F64 | F32)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    Scalar(Ty),
    Array(Ty, u64),
    Tuple(Vec<Ty>),
    /// Index into the structs of the module.
    Struct(usize),
}

#[derive(Clone, PartialEq, Eq)]
struct Param {
    shape: Shape,
    by_ref: bool,
}

fn value(ty: Ty) -> Param {
    Param { shape: Shape::Scalar(ty), by_ref: false }
}

/// A finished function that later ones may call.
#[derive(Clone)]
struct Done {
    name: String,
    params: Vec<Param>,
    result: Shape,
    inline: bool,
    /// Steps of a call, at most.
    cost: u64,
    /// Size of its text with all that it calls: compilers may inline everything.
    size: u64,
}

#[derive(Clone)]
struct Var {
    name: String,
    shape: Shape,
    mutable: bool,
    by_ref: bool,
}

/// A loop or labelled block around the place where text is being made.
struct Target {
    label: usize,
    /// What `break` must give.
    value: Option<Ty>,
    is_loop: bool,
}

const MAX_COST: u64 = 2_500;
const MAX_SIZE: u64 = 700;

/// The text of a module with `count` public kernels `k0`, `k1`, ..., what they need, and a list `KERNELS` of them. `wild`:
/// indices may be out of range, which panics in native debug builds.
pub fn module(seed: u64, count: usize, wild: bool) -> String {
    let mut g = Gen {
        rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
        structs: vec![],
        tables: vec![],
        done: vec![],
        vars: vec![],
        targets: vec![],
        result: Shape::Scalar(F64),
        inline: false,
        jumps: true,
        bare_jumps: true,
        fresh: 0,
        budget: 0,
        rounds: 1,
        cost: 0,
        size: 0,
        wild,
        helpers: 0,
    };
    let mut text =
        format!("// Random kernels, seed {seed}: see generate.rs.\nuse gristmill_kernel::{{Function, kernel}};\n\n");
    for _ in 0..4 {
        text.push_str(&g.structure());
    }
    for _ in 0..8 {
        text.push_str(&g.constant());
    }
    for i in 0..count {
        // Helpers with references, structs and arrays: nothing but other kernels can call them.
        if g.chance(45) {
            text.push_str(&g.helper());
        }
        let name = format!("k{i}");
        text.push_str(&match g.below(20) {
            0..=7 => g.public(&name, false),
            8..=12 => g.public(&name, true),
            13..=16 => g.split(&name),
            _ => {
                let count = 1 + g.below(3);
                let params: Vec<Param> = (0..count).map(|_| value(g.pick(&WEIGHTED))).collect();
                let result = g.public_result();
                g.masked(&name, "pub ", &params, &result)
            }
        });
        text.push('\n');
    }
    let list: Vec<String> = (0..count).map(|i| format!("k{i}::FUNCTION")).collect();
    let _ = writeln!(text, "pub const KERNELS: &[Function] = &[{}];", list.join(", "));
    text
}

struct Gen {
    rng: Rng,
    structs: Vec<Vec<Shape>>,
    /// Name, element, lengths.
    tables: Vec<(String, Ty, Vec<u64>)>,
    done: Vec<Done>,
    vars: Vec<Var>,
    targets: Vec<Target>,
    result: Shape,
    /// The function being made is `inline`, and may call only such.
    inline: bool,
    /// Jumps are allowed here: not so in the condition of `while`.
    jumps: bool,
    /// Jumps may leave out their label: the innermost loop of the text here is the innermost of `targets`.
    bare_jumps: bool,
    fresh: usize,
    budget: i32,
    /// How often the place where text is being made may be reached.
    rounds: u64,
    cost: u64,
    size: u64,
    wild: bool,
    helpers: usize,
}

impl Gen {
    fn below(&mut self, n: u64) -> u64 {
        self.rng.below(n)
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
    fn any<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.below(list.len() as u64) as usize].clone()) }
    }
    fn number(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }
    fn name(&mut self) -> String {
        let n = self.number();
        // Often the name of an older variable: shadowing.
        if n > 4 && self.chance(20) { format!("v{}", n / 2) } else { format!("v{n}") }
    }
    fn spend(&mut self, steps: u64) {
        self.budget -= 1;
        self.size += 1;
        self.cost += self.rounds * steps;
    }
    /// Loops around this place may run `n` times.
    fn may_repeat(&self, n: u64) -> bool {
        self.cost + self.rounds * n * 12 < MAX_COST && self.rounds * n <= 120
    }

    fn spell(&self, shape: &Shape) -> String {
        match shape {
            Shape::Scalar(t) => t.name().to_string(),
            Shape::Array(t, n) => format!("[{}; {n}]", t.name()),
            Shape::Tuple(ts) => format!("({})", ts.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ")),
            Shape::Struct(k) => format!("S{k}"),
        }
    }

    fn shape(&mut self, structs: bool) -> Shape {
        match self.below(6) {
            0 => Shape::Array(self.pick(&WEIGHTED), 2 + self.below(4)),
            1 => Shape::Tuple((0..2 + self.below(2)).map(|_| self.pick(&ALL)).collect()),
            2 | 3 if structs && !self.structs.is_empty() => {
                Shape::Struct(self.below(self.structs.len() as u64) as usize)
            }
            _ => Shape::Scalar(self.pick(&WEIGHTED)),
        }
    }

    fn structure(&mut self) -> String {
        let k = self.structs.len();
        let count = 2 + self.below(4);
        let fields: Vec<Shape> = (0..count).map(|_| self.shape(true)).collect();
        let list: Vec<String> = fields.iter().enumerate().map(|(i, f)| format!("f{i}: {}", self.spell(f))).collect();
        self.structs.push(fields);
        format!("#[kernel]\nstruct S{k} {{ {} }}\n\n", list.join(", "))
    }

    fn constant(&mut self) -> String {
        let (k, ty) = (self.tables.len(), self.pick(&WEIGHTED));
        let lengths: Vec<u64> = match self.below(3) {
            0 => vec![],
            1 => vec![2 + self.below(7)],
            _ => vec![1 + self.below(3), 2 + self.below(3)],
        };
        fn fill(g: &mut Gen, ty: Ty, lengths: &[u64]) -> String {
            match lengths {
                [] => g.literal(ty),
                [n, inner @ ..] => {
                    let items: Vec<String> = (0..*n).map(|_| fill(g, ty, inner)).collect();
                    format!("[{}]", items.join(", "))
                }
            }
        }
        let text = fill(self, ty, &lengths);
        let spelled = lengths.iter().rev().fold(ty.name().to_string(), |t, n| format!("[{t}; {n}]"));
        self.tables.push((format!("C{k}"), ty, lengths));
        format!("#[kernel]\nconst C{k}: {spelled} = {text};\n\n")
    }

    fn literal(&mut self, ty: Ty) -> String {
        const F64S: [&str; 20] = [
            "0.0",
            "(-0.0)",
            "0.0",
            "(-0.0)",
            "1.0",
            "(-1.0)",
            "0.5",
            "2.0",
            "3.75",
            "1e-300",
            "1e300",
            "0.1",
            "5e-324",
            "f64::MAX",
            "f64::INFINITY",
            "f64::NAN",
            "4503599627370497.5",
            "(-2147483648.5)",
            "9.3e18",
            "std::f64::consts::PI",
        ];
        const F32S: [&str; 8] =
            ["0.0f32", "(-0.0f32)", "1.0f32", "(-1.5f32)", "0.1f32", "3.0e38f32", "f32::INFINITY", "f32::NAN"];
        match ty {
            F64 => self.pick(&F64S).to_string(),
            F32 => self.pick(&F32S).to_string(),
            Bool => self.pick(&["true", "false"]).to_string(),
            _ => {
                let n = ty.name();
                match self.below(5) {
                    0 => format!("{n}::MAX"),
                    1 => format!("{n}::MIN"),
                    2 if matches!(ty, I32 | I64) => format!("(-{}{n})", self.below(100)),
                    _ => format!("{}{n}", self.below(70)),
                }
            }
        }
    }

    /// Variables that no later one of the same name hides.
    fn visible(&self) -> impl Iterator<Item = &Var> {
        self.vars
            .iter()
            .enumerate()
            .filter(|(i, v)| !self.vars[i + 1..].iter().any(|w| w.name == v.name))
            .map(|(_, v)| v)
    }

    /// Scalars inside a value; `#n` stands for an index below `n`. What a field of a field is must be said to the macro;
    /// such a path is a copy, which cannot be written.
    fn parts(&self, shape: &Shape, path: String, out: &mut Vec<(String, Ty)>) {
        match shape {
            Shape::Scalar(t) => out.push((path, *t)),
            Shape::Array(t, n) if path.contains("let w") => {
                out.push((format!("({{ let w: {} = {path}; w[#{n}] }})", self.spell(shape)), *t));
            }
            Shape::Array(t, n) => out.push((format!("{path}[#{n}]"), *t)),
            Shape::Tuple(ts) => ts.iter().enumerate().for_each(|(i, t)| out.push((format!("{path}.{i}"), *t))),
            Shape::Struct(k) => {
                for (i, f) in self.structs[*k].iter().enumerate() {
                    let field = format!("{path}.f{i}");
                    match f {
                        Shape::Scalar(_) | Shape::Array(..) => self.parts(f, field, out),
                        _ => self.parts(f, format!("({{ let w: {} = {field}; w }})", self.spell(f)), out),
                    }
                }
            }
        }
    }

    fn root(v: &Var) -> String {
        if v.by_ref { format!("(*{})", v.name) } else { v.name.clone() }
    }

    /// All scalars that can be read (or written) here, of one type or of any.
    fn places(&self, ty: Option<Ty>, write: bool) -> Vec<(String, Ty)> {
        let mut out = vec![];
        for v in self.visible().filter(|v| !write || v.mutable) {
            self.parts(&v.shape, Self::root(v), &mut out);
        }
        out.retain(|p| ty.is_none_or(|t| t == p.1) && !(write && p.0.contains("let w")));
        out
    }

    fn with_indices(&mut self, place: &str, d: u32) -> String {
        let mut out = String::new();
        let mut rest = place;
        while let Some((before, after)) = rest.split_once('#') {
            let (n, tail) = after.split_once(']').expect("an index is closed");
            let n: u64 = n.parse().expect("a length");
            let _ = write!(out, "{before}{}]", self.index(n, d));
            rest = tail;
        }
        out + rest
    }

    /// An index into `n` elements.
    fn index(&mut self, n: u64, d: u32) -> String {
        match self.below(10) {
            0..=2 => format!("{}", self.below(n)),
            3..=5 => format!("(((dice >> {}) % {n}) as usize)", self.below(60)),
            k => {
                let e = self.expr(if k == 6 { Usize } else { U32 }, d.min(1));
                if self.wild && self.chance(50) {
                    format!("(({e}) as usize)")
                } else if k == 6 {
                    format!("usize::wrapping_rem({e}, {n})")
                } else {
                    format!("(u32::wrapping_rem({e}, {n}) as usize)")
                }
            }
        }
    }

    fn leaf(&mut self, ty: Ty) -> String {
        let scalars: Vec<String> = self.visible().filter(|v| v.shape == Shape::Scalar(ty)).map(Self::root).collect();
        match self.any(&scalars) {
            Some(v) if self.chance(80) => v,
            _ if self.chance(35) => match ty {
                Bool => self.roll(),
                F64 => format!("((dice >> {}) as f64)", 11 + self.below(50)),
                F32 => format!("((dice >> {}) as f32)", 40 + self.below(22)),
                _ => format!("((dice >> {}) as {})", self.below(60), ty.name()),
            },
            _ => self.literal(ty),
        }
    }

    /// A condition that elements answer differently.
    fn roll(&mut self) -> String {
        let (shift, mask) = (self.below(58), self.pick(&[1u64, 1, 3, 3, 7, 15]));
        let op = self.pick(&["==", "<=", "!=", ">"]);
        let limit = self.below(if matches!(op, "<=" | ">") { mask } else { mask + 1 });
        format!("(((dice >> {shift}) & {mask}u64) {op} {limit}u64)")
    }

    fn condition(&mut self, d: u32) -> String {
        if self.chance(55) {
            self.spend(3);
            return self.roll();
        }
        if self.chance(30) {
            // Rolls and tests: an effect inside a condition.
            self.spend(4);
            let test = self.roll();
            return format!("{{ dice = dice * 6364136223846793005u64 + 1442695040888963407u64; {test} }}");
        }
        self.expr(Bool, d)
    }

    /// Stirs the value of a place into `dice`, so that later conditions and the result depend on it.
    fn stir(&mut self, place: &str, ty: Ty) -> String {
        let (k, turn) = (self.number(), 1 + self.below(63));
        self.spend(4);
        let bits = match ty {
            F64 => format!("f64::to_bits(z{k})"),
            F32 => format!("(f32::to_bits(z{k}) as u64)"),
            _ => format!("(z{k} as u64)"),
        };
        format!(
            "{{ let z{k}: {} = {place}; dice = (dice ^ {bits}).rotate_left({turn}) * 0x9E3779B97F4A7C15u64; }}",
            ty.name()
        )
    }

    /// The result: of an expression, and of everything that was computed.
    fn last(&mut self, shape: &Shape) -> String {
        let items = match shape {
            Shape::Scalar(t) => vec![*t],
            Shape::Tuple(ts) => ts.clone(),
            _ => return self.make(shape, 2),
        };
        let parts: Vec<String> = items
            .into_iter()
            .map(|ty| {
                let (e, n, shift) = (self.expr(ty, 3), ty.name(), self.below(20));
                match ty {
                    _ if self.chance(25) => e,
                    Bool => format!("({e} ^ ((dice >> {shift}) & 1u64 == 1u64))"),
                    F64 | F32 => format!("(if {} {{ {e} }} else {{ (dice >> {}) as {n} }})", self.roll(), 11 + shift),
                    _ => format!("({e} ^ ((dice >> {shift}) as {n}))"),
                }
            })
            .collect();
        if parts.len() == 1 { parts[0].clone() } else { format!("({})", parts.join(", ")) }
    }

    /// An expression whose type rustc and the macro know without the context.
    fn typed(&mut self, ty: Ty, d: u32) -> String {
        let e = self.expr(ty, d);
        format!("{{ let r: {} = {e}; r }}", ty.name())
    }

    fn make(&mut self, shape: &Shape, d: u32) -> String {
        let same: Vec<String> = self.visible().filter(|v| v.shape == *shape).map(Self::root).collect();
        if !matches!(shape, Shape::Scalar(_)) && self.chance(30) {
            if let Some(v) = self.any(&same) {
                return v;
            }
            if let Some(call) = self.call(shape, d) {
                return call;
            }
        }
        match shape {
            Shape::Scalar(t) => self.expr(*t, d),
            Shape::Array(t, n) if self.chance(25) => format!("[{}; {n}]", self.expr(*t, d.min(1))),
            Shape::Array(t, n) => {
                let items: Vec<String> = (0..*n).map(|_| self.expr(*t, d.min(1))).collect();
                format!("[{}]", items.join(", "))
            }
            Shape::Tuple(ts) => {
                let items: Vec<String> = ts.iter().map(|t| self.expr(*t, d)).collect();
                format!("({})", items.join(", "))
            }
            Shape::Struct(k) => {
                let fields = self.structs[*k].clone();
                let n = fields.len();
                let first = self.below(n as u64) as usize;
                // Not in the order of the definition: values are made in the order written.
                let items: Vec<String> = (0..n)
                    .map(|i| (i + first) % n)
                    .map(|i| format!("f{i}: {}", self.make(&fields[i], d.saturating_sub(1).min(1))))
                    .collect();
                format!("S{k} {{ {} }}", items.join(", "))
            }
        }
    }

    /// A call of an earlier function that gives `shape`.
    fn call(&mut self, shape: &Shape, d: u32) -> Option<String> {
        let (inline, rounds, cost, size) = (self.inline, self.rounds, self.cost, self.size);
        let fits: Vec<Done> = self
            .done
            .iter()
            .rev()
            .filter(|f| f.result == *shape && (f.inline || !inline))
            .filter(|f| cost + rounds * f.cost < MAX_COST && size + f.size < MAX_SIZE)
            .take(12)
            .cloned()
            .collect();
        let f = self.any(&fits)?;
        self.cost += self.rounds * f.cost;
        self.size += f.size;
        // Arguments first, each in a variable of its own, so that references borrow nothing that they need.
        let (mut before, mut args, mut taken) = (String::new(), vec![], vec![]);
        for p in &f.params {
            let k = self.number();
            if p.by_ref {
                let mut roots: Vec<(String, String)> = vec![];
                for v in self.visible().filter(|v| v.mutable && !taken.contains(&v.name)) {
                    let root = Self::root(v);
                    if v.shape == p.shape {
                        roots.push((v.name.clone(), root));
                    } else if let Shape::Scalar(t) = p.shape {
                        let mut parts = vec![];
                        self.parts(&v.shape, root, &mut parts);
                        // A literal index: the place must not depend on anything that the call changes. The macro does
                        // not see the types of fields, and takes them for f64 here.
                        let scalar = parts
                            .into_iter()
                            .find(|x| x.1 == t && !x.0.contains("let w") && (t == F64 || !x.0.contains(".f")));
                        roots.extend(scalar.map(|x| {
                            let place = match x.0.split_once('#') {
                                Some((a, b)) => format!("{a}1]{}", b.split_once(']').expect("an index is closed").1),
                                None => x.0,
                            };
                            (v.name.clone(), place)
                        }));
                    }
                }
                match self.any(&roots) {
                    Some((name, place)) if self.chance(85) => {
                        taken.push(name);
                        args.push(format!("&mut {place}"));
                    }
                    _ => {
                        let e = self.make(&p.shape, 1);
                        let _ = write!(before, "let mut m{k}: {} = {e}; ", self.spell(&p.shape));
                        args.push(format!("&mut m{k}"));
                    }
                }
            } else {
                let e = self.make(&p.shape, d.min(2));
                let _ = write!(before, "let x{k}: {} = {e}; ", self.spell(&p.shape));
                args.push(format!("x{k}"));
            }
        }
        Some(format!("{{ {before}let r: {} = {}({}); r }}", self.spell(shape), f.name, args.join(", ")))
    }

    fn expr(&mut self, ty: Ty, depth: u32) -> String {
        self.spend(2);
        if depth == 0 || self.budget < 0 || self.chance(10) {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.below(30) {
            0 | 1 => {
                let c = self.condition(d);
                let (a, b) = (self.block(ty, d), self.block(ty, d));
                if self.chance(20) && self.jumps {
                    let (c2, jump) = (self.condition(d), self.jump(d));
                    return format!("(if {c} {a} else if {c2} {{ {jump} }} else {b})");
                }
                format!("(if {c} {a} else {b})")
            }
            2 => {
                let t = self.pick(&INTS);
                let m = if self.chance(60) {
                    format!("(((dice >> {}) % 12) as {})", self.below(50), t.name())
                } else {
                    self.expr(t, d)
                };
                let (a, b, c) = (self.expr(ty, d), self.block(ty, d), self.expr(ty, d));
                let (lo, n) = (self.below(3), t.name());
                let other = if self.chance(30) && self.jumps { self.jump(d) } else { self.leaf(ty) };
                format!("(match {m} {{ {lo} => {a}, 4 | 6..=9 => {b}, x if x > 10{n} => {{ {other} }} _ => {c} }})")
            }
            3 => self.block(ty, d),
            4 | 5 if ty != Bool => {
                let from =
                    if ty.is_float() { self.pick(&[I32, I64, U32, U64, Usize, F64, F32]) } else { self.pick(&ALL) };
                let e = self.expr(from, d);
                format!("(({e}) as {})", ty.name())
            }
            6..=8 => match self.call(&Shape::Scalar(ty), d) {
                Some(call) => call,
                None => self.operation(ty, d),
            },
            9..=11 => {
                let places: Vec<String> =
                    self.places(Some(ty), false).into_iter().map(|p| p.0).filter(|p| p.contains(['#', '.'])).collect();
                match self.any(&places) {
                    Some(p) => format!("{{ let r: {} = {}; r }}", ty.name(), self.with_indices(&p, d)),
                    None => self.operation(ty, d),
                }
            }
            12 if self.may_repeat(4) => self.valued_loop(ty, d),
            13 => {
                // A labelled block, left early by some.
                let label = self.number();
                let mark = self.vars.len();
                self.targets.push(Target { label, value: Some(ty), is_loop: false });
                let (c, early) = (self.condition(d), self.expr(ty, d));
                let (body, last) = (self.stmts(1, d), self.expr(ty, d));
                self.targets.pop();
                self.vars.truncate(mark);
                format!("('l{label}: {{ if {c} {{ break 'l{label} ({early}); }} {body} {last} }})")
            }
            14..=16 => {
                let fits: Vec<(String, Vec<u64>)> =
                    self.tables.iter().filter(|t| t.1 == ty).map(|t| (t.0.clone(), t.2.clone())).collect();
                let Some((name, lengths)) = self.any(&fits) else { return self.operation(ty, d) };
                let indices: String = lengths.iter().map(|n| format!("[{}]", self.index(*n, d))).collect();
                format!("{{ let r: {} = {name}{indices}; r }}", ty.name())
            }
            17 => {
                let (t, k) = (self.pick(&ALL), self.number());
                let (a, b) = (self.expr(ty, d), self.expr(t, d));
                let pick = self.chance(50);
                let (first, second) = if pick { (a, b) } else { (b, a) };
                let types = if pick { (ty.name(), t.name()) } else { (t.name(), ty.name()) };
                format!("{{ let t{k}: ({}, {}) = ({first}, {second}); t{k}.{} }}", types.0, types.1, u8::from(!pick))
            }
            18 => {
                // A part of what a call gives.
                let shape = if self.chance(50) && !self.structs.is_empty() {
                    Shape::Struct(self.below(self.structs.len() as u64) as usize)
                } else {
                    Shape::Tuple(vec![ty, self.pick(&ALL)])
                };
                let mut parts = vec![];
                let k = self.number();
                self.parts(&shape, format!("y{k}"), &mut parts);
                let parts: Vec<String> = parts.into_iter().filter(|p| p.1 == ty).map(|p| p.0).collect();
                let (Some(part), Some(call)) = (self.any(&parts), self.call(&shape, d)) else {
                    return self.operation(ty, d);
                };
                let part = self.with_indices(&part, 0);
                format!("{{ let y{k}: {} = {call}; let r: {} = {part}; r }}", self.spell(&shape), ty.name())
            }
            _ => self.operation(ty, d),
        }
    }

    /// A loop with a value, of at most five rounds.
    fn valued_loop(&mut self, ty: Ty, d: u32) -> String {
        let label = self.number();
        let rounds = self.below(5);
        let (mark, before) = (self.vars.len(), self.rounds);
        // Its jumps go to the loops outside, since one to this loop would make it endless; but it stands inside.
        let bare_jumps = std::mem::replace(&mut self.bare_jumps, false);
        let last = self.expr(ty, d);
        self.bare_jumps = bare_jumps;
        self.rounds *= rounds + 1;
        self.targets.push(Target { label, value: Some(ty), is_loop: true });
        let body = self.stmts(2, d);
        let (c, early) = (self.condition(d), self.expr(ty, d));
        self.targets.pop();
        self.vars.truncate(mark);
        self.rounds = before;
        format!(
            "{{ let mut n{label} = 0u32; 'l{label}: loop {{ n{label} += 1; if n{label} > {rounds} {{ break {last}; }} \
             {body} if {c} {{ break {early}; }} }} }}"
        )
    }

    fn operation(&mut self, ty: Ty, d: u32) -> String {
        let n = ty.name();
        match ty {
            F64 | F32 => match self.below(12) {
                0..=4 => {
                    let op = self.pick(&["+", "-", "*", "/"]);
                    format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
                }
                5 => {
                    let m = self.pick(&[
                        "abs",
                        "sqrt",
                        "floor",
                        "ceil",
                        "trunc",
                        "round_ties_even",
                        "recip",
                        "fract",
                        "signum",
                    ]);
                    format!("{n}::{m}({})", self.expr(ty, d))
                }
                6 => format!("{n}::mul_add({}, {}, {})", self.expr(ty, d), self.expr(ty, d), self.expr(ty, d)),
                7 | 8 => {
                    let m = self.pick(&["min", "max", "copysign"]);
                    format!("{n}::{m}({}, {})", self.expr(ty, d), self.expr(ty, d))
                }
                9 => format!("(-({}))", self.expr(ty, d)),
                10 if ty == F64 => format!("f64::from_bits({})", self.expr(U64, d)),
                10 => format!("f32::from_bits({})", self.expr(U32, d)),
                _ => {
                    let op = self.pick(&["+", "*"]);
                    format!("({} {op} {})", self.leaf(ty), self.expr(ty, d))
                }
            },
            Bool => match self.below(8) {
                0 => format!("(!{})", self.expr(Bool, d)),
                1 | 2 => {
                    let op = self.pick(&["&&", "||", "&", "|", "^"]);
                    format!("({} {op} {})", self.condition(d), self.expr(Bool, d))
                }
                3 => {
                    let t = self.pick(&[F64, F32]);
                    let m = self.pick(&["is_nan", "is_finite", "is_infinite", "is_sign_negative", "is_sign_positive"]);
                    format!("{}::{m}({})", t.name(), self.expr(t, d))
                }
                _ => {
                    let t = self.pick(&ALL);
                    let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                    format!("(({}) {op} ({}))", self.expr(t, d), self.expr(t, d))
                }
            },
            _ => match self.below(15) {
                0..=3 => {
                    let op = self.pick(&["+", "-", "*", "/", "%"]);
                    format!("({} {op} {})", self.typed(ty, d), self.typed(ty, d))
                }
                4..=5 => {
                    let op = self.pick(&["&", "|", "^"]);
                    format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
                }
                6..=7 => {
                    let (op, by) = (self.pick(&["<<", ">>"]), self.pick(&INTS));
                    format!("(({}) {op} ({}))", self.typed(ty, d), self.typed(by, d))
                }
                8 => {
                    let op =
                        self.pick(&["wrapping_div", "wrapping_rem", "wrapping_add", "wrapping_sub", "wrapping_mul"]);
                    format!("{n}::{op}({}, {})", self.expr(ty, d), self.expr(ty, d))
                }
                9 => format!("(!{})", self.expr(ty, d)),
                10 if matches!(ty, I32 | I64) => match self.below(3) {
                    0 => format!("(-({}))", self.typed(ty, d)),
                    1 => format!("{n}::abs({})", self.expr(ty, d)),
                    _ => format!("{n}::wrapping_abs({})", self.expr(ty, d)),
                },
                11 => {
                    let m = self.pick(&["rotate_left", "rotate_right", "wrapping_shl", "wrapping_shr"]);
                    format!("{n}::{m}({}, {})", self.expr(ty, d), self.expr(U32, d))
                }
                12 if ty == U32 => {
                    let (t, m) = (self.pick(&INTS), self.pick(&["count_ones", "leading_zeros", "trailing_zeros"]));
                    format!("{}::{m}({})", t.name(), self.expr(t, d))
                }
                12 | 13 if ty == U64 => format!("f64::to_bits({})", self.expr(F64, d)),
                13 if ty == U32 => format!("f32::to_bits({})", self.expr(F32, d)),
                _ => {
                    let m = self.pick(&["min", "max"]);
                    format!("{n}::{m}({}, {})", self.expr(ty, d), self.expr(ty, d))
                }
            },
        }
    }

    /// `{ statements; value }`, new variables gone after it.
    fn block(&mut self, ty: Ty, d: u32) -> String {
        let mark = self.vars.len();
        let n = self.below(3);
        let s = self.stmts(n, d);
        let e = self.expr(ty, d);
        self.vars.truncate(mark);
        format!("{{ {s}{e} }}")
    }

    fn stmts(&mut self, n: u64, d: u32) -> String {
        (0..n).map(|_| self.stmt(d) + " ").collect()
    }

    fn scoped(&mut self, n: u64, d: u32) -> String {
        let mark = self.vars.len();
        let s = self.stmts(n, d);
        self.vars.truncate(mark);
        s
    }

    /// The body of a loop, in which `break` and `continue` are likely.
    fn looped(&mut self, label: usize, rounds: u64, n: u64, d: u32) -> String {
        let (mark, before) = (self.vars.len(), self.rounds);
        self.rounds *= rounds.max(1);
        self.targets.push(Target { label, value: None, is_loop: true });
        let mut text = String::new();
        for _ in 0..n {
            text += &self.stmt(d);
            text.push(' ');
            if self.chance(35) && self.budget > -40 {
                let (c, j) = (self.condition(d.saturating_sub(1)), self.jump(d.saturating_sub(1)));
                let _ = write!(text, "if {c} {{ {j} }} ");
            }
        }
        if self.chance(40) {
            text += "dice ^= dice >> 17; dice *= 0x9E3779B97F4A7C15u64; ";
        }
        self.targets.pop();
        self.vars.truncate(mark);
        self.rounds = before;
        text
    }

    /// Leaves: a loop, a round, a labelled block or the function.
    fn jump(&mut self, d: u32) -> String {
        let d = d.min(2);
        let n = self.targets.len() as u64;
        if n == 0 || self.chance(25) {
            let shape = self.result.clone();
            return format!("return {};", self.make(&shape, d));
        }
        // The innermost most of the time.
        let k = if self.chance(60) { n - 1 } else { self.below(n) } as usize;
        let (label, value, is_loop) = (self.targets[k].label, self.targets[k].value, self.targets[k].is_loop);
        let bare = k as u64 == n - 1 && is_loop && self.chance(60) && self.bare_jumps;
        let label = if bare { String::new() } else { format!(" 'l{label}") };
        if is_loop && self.chance(50) {
            return format!("continue{label};");
        }
        match value {
            Some(ty) => format!("break{label} ({});", self.expr(ty, d)),
            None => format!("break{label};"),
        }
    }

    fn stmt(&mut self, depth: u32) -> String {
        self.spend(1);
        if depth == 0 || self.budget < 0 {
            return String::new();
        }
        let d = depth - 1;
        match self.below(26) {
            0..=2 => {
                let ty = self.pick(&WEIGHTED);
                let (e, mutable) = (self.expr(ty, d + 1), self.chance(75));
                let name = self.name();
                self.vars.push(Var { name: name.clone(), shape: Shape::Scalar(ty), mutable, by_ref: false });
                format!("let {}{name}: {} = {e};", if mutable { "mut " } else { "" }, ty.name())
            }
            3..=7 => {
                let places = self.places(None, true);
                let Some((place, ty)) = self.any(&places) else { return String::new() };
                let op = match ty {
                    F64 | F32 => self.pick(&["=", "+=", "-=", "*=", "/="]),
                    Bool => self.pick(&["=", "&=", "|=", "^="]),
                    // A count does not say what is shifted, and the macro does not see the types of fields.
                    _ if place.contains(".f") => self.pick(&["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="]),
                    _ => self.pick(&["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]),
                };
                let e = self.typed(ty, d + 1);
                let place = self.with_indices(&place, d.min(1));
                format!("{place} {op} {e};")
            }
            8..=10 => {
                let c = self.condition(d);
                let a = self.scoped(2, d);
                match self.below(4) {
                    0 => format!("if {c} {{ {a} }}"),
                    1 => {
                        let (c2, b, e) = (self.condition(d), self.scoped(2, d), self.scoped(1, d));
                        format!("if {c} {{ {a} }} else if {c2} {{ {b} }} else {{ {e} }}")
                    }
                    _ => format!("if {c} {{ {a} }} else {{ {} }}", self.scoped(2, d)),
                }
            }
            11 | 12 if self.may_repeat(6) => {
                let ty = self.pick(&INTS);
                let (lo, hi) = (self.below(3), self.below(6));
                let n = ty.name();
                let shift = self.below(58);
                let range = match self.below(7) {
                    0 => format!("{lo}{n}..{hi}{n}"),
                    1 => format!("{n}::MAX - {hi}..={n}::MAX"),
                    2 => format!("({n}::MIN..={n}::MIN + {hi}).rev()"),
                    3 => format!("({lo}{n}..{hi}{n}).rev()"),
                    // Trip counts that differ between elements, none among them.
                    4 => format!("{lo}{n}..(((dice >> {shift}) % 6) as {n})"),
                    5 => format!("(((dice >> {shift}) % 4) as {n})..={hi}{n}"),
                    _ => format!("(0{n}..=(((dice >> {shift}) % 5) as {n})).rev()"),
                };
                let (name, label) = (self.name(), self.number());
                let mark = self.vars.len();
                self.vars.push(Var { name: name.clone(), shape: Shape::Scalar(ty), mutable: false, by_ref: false });
                let body = self.looped(label, 6, 2, d);
                self.vars.truncate(mark);
                format!("'l{label}: for {name} in {range} {{ {body} }}")
            }
            13 | 14 if self.may_repeat(6) => {
                let (k, rounds) = (self.number(), 1 + self.below(6));
                let jumps = std::mem::replace(&mut self.jumps, false);
                let c = self.condition(d.min(1));
                self.jumps = jumps;
                // The count stands first, so that `continue` cannot skip it.
                let body = self.looped(k, rounds, 2, d);
                match self.below(3) {
                    0 => format!("let mut w{k} = 0i32; 'l{k}: while w{k} < {rounds} {{ w{k} += 1; {body} }}"),
                    1 => format!("let mut w{k} = 0i32; 'l{k}: while w{k} < {rounds} && {c} {{ w{k} += 1; {body} }}"),
                    _ => format!(
                        "let mut w{k} = 0i32; 'l{k}: loop {{ w{k} += 1; if w{k} > {rounds} || {c} {{ break; }} {body} }}"
                    ),
                }
            }
            15 | 16 if self.jumps => {
                let c = self.condition(d);
                format!("if {c} {{ {} }}", self.jump(d))
            }
            17 => {
                let (ta, tb) = (self.pick(&WEIGHTED), self.pick(&WEIGHTED));
                let (ea, eb) = (self.expr(ta, d), self.expr(tb, d));
                let (a, b) = (self.name(), self.name() + "b");
                self.vars.push(Var { name: a.clone(), shape: Shape::Scalar(ta), mutable: true, by_ref: false });
                self.vars.push(Var { name: b.clone(), shape: Shape::Scalar(tb), mutable: false, by_ref: false });
                format!("let (mut {a}, {b}): ({}, {}) = ({ea}, {eb});", ta.name(), tb.name())
            }
            18..=20 => {
                let mut shape = self.shape(true);
                if let Shape::Scalar(t) = shape {
                    shape = Shape::Array(t, 4);
                }
                let name = format!("a{}", self.number());
                let e = self.make(&shape, d);
                let text = format!("let mut {name}: {} = {e};", self.spell(&shape));
                self.vars.push(Var { name, shape, mutable: true, by_ref: false });
                text
            }
            21 => {
                // A whole value: copied, or from a call.
                let list: Vec<Var> =
                    self.visible().filter(|v| v.mutable && !matches!(v.shape, Shape::Scalar(_))).cloned().collect();
                let Some(v) = self.any(&list) else { return String::new() };
                let e = self.make(&v.shape, d);
                format!("{} = {{ let y: {} = {e}; y }};", Self::root(&v), self.spell(&v.shape))
            }
            22 => {
                // Two of one type change places.
                let ty = self.pick(&WEIGHTED);
                let list: Vec<String> =
                    self.visible().filter(|v| v.mutable && v.shape == Shape::Scalar(ty)).map(Self::root).collect();
                match (self.any(&list), self.any(&list)) {
                    (Some(a), Some(b)) if a != b => format!("({a}, {b}) = ({b}, {a});"),
                    _ => "dice ^= dice >> 23; dice *= 0x2545F4914F6CDD1Du64;".into(),
                }
            }
            23 => {
                // Given in every branch.
                let ty = self.pick(&WEIGHTED);
                let (c, a, b) = (self.condition(d), self.block(ty, d), self.expr(ty, d));
                // A name of its own: inside the branches it must hide nothing.
                let name = format!("u{}", self.number());
                self.vars.push(Var { name: name.clone(), shape: Shape::Scalar(ty), mutable: false, by_ref: false });
                format!("let {name}: {}; if {c} {{ {name} = {a}; }} else {{ {name} = {b}; }}", ty.name())
            }
            24 if self.jumps => {
                let m = format!("(dice >> {}) & 7u64", self.below(60));
                let (a, b, c) = (self.scoped(2, d), self.jump(d), self.scoped(1, d));
                format!("match {m} {{ 0 | 1 => {{ {a} }} 2 => {{ {b} }} x if x > 5 => {{ {c} }} _ => {{}} }}")
            }
            25 if self.chance(50) => {
                let places = self.places(None, false);
                let Some((place, ty)) = self.any(&places) else { return String::new() };
                let place = self.with_indices(&place, d.min(1));
                self.stir(&place, ty)
            }
            _ => {
                // A call for its effects.
                let shape = self.shape(true);
                match self.call(&shape, d) {
                    Some(call) => format!("let _ = {call};"),
                    None => String::new(),
                }
            }
        }
    }

    /// One function. Its body hashes the arguments, so that conditions have something to differ in.
    fn function(&mut self, name: &str, vis: &str, inline: bool, params: &[Param], result: &Shape, size: i32) -> String {
        self.vars.clear();
        self.targets.clear();
        let (mut list, mut dice) = (vec![], "0x243F6A8885A308D3u64".to_string());
        for (i, p) in params.iter().enumerate() {
            let v = Var { name: format!("p{i}"), shape: p.shape.clone(), mutable: p.by_ref, by_ref: p.by_ref };
            list.push(format!("p{i}: {}{}", if p.by_ref { "&mut " } else { "" }, self.spell(&p.shape)));
            let mut parts = vec![];
            self.parts(&p.shape, Self::root(&v), &mut parts);
            for (k, (part, ty)) in parts.into_iter().enumerate().take(3) {
                let part = match part.split_once('#') {
                    Some((a, b)) => format!("{a}0]{}", b.split_once(']').expect("an index is closed").1),
                    None => part,
                };
                let bits = match ty {
                    F64 => format!("f64::to_bits(q{i}_{k})"),
                    F32 => format!("(f32::to_bits(q{i}_{k}) as u64)"),
                    _ => format!("(q{i}_{k} as u64)"),
                };
                let n = ty.name();
                dice = format!(
                    "({{ let q{i}_{k}: {n} = {part}; {bits} }} ^ {dice}.rotate_left(23)) * 0x9E3779B97F4A7C15u64"
                );
                dice = format!("{{ let h: u64 = {dice}; h ^ (h >> 32) }}");
            }
            self.vars.push(v);
        }
        self.result = result.clone();
        (self.inline, self.jumps) = (inline, true);
        (self.fresh, self.budget, self.rounds) = (0, size, 1);
        (self.cost, self.size) = (10, 10);
        let n = 2 + self.below(4);
        let mut body = format!("\n    let mut dice: u64 = {dice};");
        for _ in 0..n {
            let s = self.stmt(4);
            if !s.trim().is_empty() {
                let _ = write!(body, "\n    {s}");
            }
        }
        let places = self.places(None, true);
        for (place, ty) in places.into_iter().take(8) {
            let place = self.with_indices(&place, 0);
            let _ = write!(body, "\n    {}", self.stir(&place, ty));
        }
        self.budget += 12;
        let tail = self.last(result);
        let attribute = if inline { "#[kernel(inline)]" } else { "#[kernel]" };
        let text = format!(
            "{attribute}\n{vis}fn {name}({}) -> {} {{{body}\n    {tail}\n}}\n",
            list.join(", "),
            self.spell(result)
        );
        self.done.push(Done {
            name: name.to_string(),
            params: params.to_vec(),
            result: result.clone(),
            inline,
            cost: self.cost,
            size: self.size,
        });
        text
    }

    fn public_result(&mut self) -> Shape {
        if self.chance(75) {
            Shape::Scalar(self.pick(&WEIGHTED))
        } else {
            Shape::Tuple((0..2 + self.below(2)).map(|_| self.pick(&ALL)).collect())
        }
    }

    fn public(&mut self, name: &str, inline: bool) -> String {
        let count = 1 + self.below(4);
        let params: Vec<Param> = (0..count).map(|_| value(self.pick(&WEIGHTED))).collect();
        let result = self.public_result();
        self.function(name, "pub ", inline, &params, &result, 60)
    }

    fn helper(&mut self) -> String {
        self.helpers += 1;
        let name = format!("h{}", self.helpers);
        let count = 1 + self.below(3);
        let params: Vec<Param> =
            (0..count).map(|_| Param { shape: self.shape(true), by_ref: self.chance(45) }).collect();
        let result = self.shape(true);
        let inline = self.chance(50);
        self.function(&name, "", inline, &params, &result, 30)
    }

    /// `if in_main { main } else { rest }`, and the three.
    fn masked(&mut self, name: &str, vis: &str, params: &[Param], result: &Shape) -> String {
        let mut text = self.function(&format!("{name}_in"), "", true, params, &Shape::Scalar(Bool), 12);
        text += &self.function(&format!("{name}_main"), "", true, params, result, 35);
        let rest = format!("{name}_rest");
        text += &if self.chance(15) && name.len() < 10 {
            self.masked(&rest, "", params, result)
        } else {
            let inline = self.chance(40);
            self.function(&rest, "", inline, params, result, 35)
        };
        let list: Vec<String> =
            params.iter().enumerate().map(|(i, p)| format!("p{i}: {}", self.spell(&p.shape))).collect();
        let args = (0..params.len()).map(|i| format!("p{i}")).collect::<Vec<_>>().join(", ");
        let spelled = self.spell(result);
        let _ = write!(
            text,
            "#[kernel(masked)]\n{vis}fn {name}({}) -> {spelled} {{\n    if {name}_in({args}) {{ {name}_main({args}) }} else \
             {{ {name}_rest({args}) }}\n}}\n",
            list.join(", ")
        );
        self.finish_shaped(name, params, result, 3);
        text
    }

    /// `eval(x.., setup(params..), flags..)`, and the two; `eval` may be masked.
    fn split(&mut self, name: &str) -> String {
        let structure = Shape::Struct(self.below(self.structs.len() as u64) as usize);
        let [xs, ps, fs] = [1 + self.below(2), 1 + self.below(3), self.below(3)];
        let result = self.public_result();
        let mut types = |n: u64, of: &[Ty]| -> Vec<Param> { (0..n).map(|_| value(self.pick(of))).collect() };
        let (varying, params) = (types(xs, &WEIGHTED), types(ps, &WEIGHTED));
        let flags = types(fs, &[Bool, Bool, Bool, I32, F64]);
        let inline = self.chance(50);
        let mut text = self.function(&format!("{name}_setup"), "", inline, &params, &structure, 20);
        let eval = format!("{name}_eval");
        let shaped = Param { shape: structure, by_ref: false };
        let eval_params = [&varying[..], &[shaped], &flags[..]].concat();
        text += &if self.chance(35) {
            self.masked(&eval, "", &eval_params, &result)
        } else {
            let inline = self.chance(65);
            self.function(&eval, "", inline, &eval_params, &result, 40)
        };
        // The parameters stand in any order.
        let all = [&varying[..], &params, &flags].concat();
        let first = self.below(all.len() as u64) as usize;
        let order: Vec<usize> = (0..all.len()).map(|i| (i + first) % all.len()).collect();
        let list: Vec<String> =
            order.iter().enumerate().map(|(i, k)| format!("p{i}: {}", self.spell(&all[*k].shape))).collect();
        let arg = |k: usize| format!("p{}", order.iter().position(|x| *x == k).expect("a permutation"));
        let args = |from: u64, n: u64| (from..from + n).map(|k| arg(k as usize)).collect::<Vec<_>>().join(", ");
        let after = if fs == 0 { String::new() } else { format!(", {}", args(xs + ps, fs)) };
        let _ = write!(
            text,
            "#[kernel(split)]\npub fn {name}({}) -> {} {{\n    {eval}({}, {name}_setup({}){after})\n}}\n",
            list.join(", "),
            self.spell(&result),
            args(0, xs),
            args(xs, ps),
        );
        let given: Vec<Param> = order.iter().map(|k| all[*k].clone()).collect();
        self.finish_shaped(name, &given, &result, 2);
        text
    }

    /// Registers a function that calls the last `parts` ones.
    fn finish_shaped(&mut self, name: &str, params: &[Param], result: &Shape, parts: usize) {
        let last = &self.done[self.done.len() - parts..];
        let (cost, size) = (last.iter().map(|f| f.cost).sum(), last.iter().map(|f| f.size).sum());
        let (params, result) = (params.to_vec(), result.clone());
        self.done.push(Done { name: name.to_string(), params, result, inline: false, cost, size });
    }
}
