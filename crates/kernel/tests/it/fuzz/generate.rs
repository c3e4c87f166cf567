//! Random well-typed programs of the kernel language, as Rust text. Every loop is bounded by construction.

use crate::data::Rng;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Ty {
    F64,
    F32,
    I32,
    I64,
    U32,
    U64,
    Bool,
}
use Ty::*;
const ALL: [Ty; 7] = [F64, F32, I32, I64, U32, U64, Bool];
/// f64 twice as often as the others.
const WEIGHTED: [Ty; 9] = [F64, F64, F64, F32, I32, I64, U32, U64, Bool];
const INTS: [Ty; 4] = [I32, I64, U32, U64];

impl Ty {
    fn name(self) -> &'static str {
        match self {
            F64 => "f64",
            F32 => "f32",
            I32 => "i32",
            I64 => "i64",
            U32 => "u32",
            U64 => "u64",
            Bool => "bool",
        }
    }
    fn is_float(self) -> bool {
        matches!(self, F64 | F32)
    }
    fn is_int(self) -> bool {
        INTS.contains(&self)
    }
}

struct Kernel {
    name: String,
    params: Vec<Ty>,
    results: Vec<Ty>,
    calls: bool,
}

#[derive(Clone)]
struct Var {
    name: String,
    ty: Ty,
    mutable: bool,
}

/// What every batch has besides its random functions.
const HEADER: &str = r"
#[kernel]
pub struct Pair {
    a: f64,
    b: i32,
    c: [f32; 3],
    d: bool,
}

#[kernel]
pub const TABLE: [f64; 5] = [0.0, -0.0, 1.5, f64::INFINITY, -2.25e-310];

#[kernel]
pub const ROWS: [[i32; 2]; 3] = [[i32::MIN, -1], [0, 7], [i32::MAX, 100]];

#[kernel]
pub const SCALE: f32 = 0.1;

#[kernel]
fn twist(p: Pair, x: f64) -> Pair {
    let mut c: [f32; 3] = p.c;
    c[1] = x as f32 * SCALE;
    Pair { a: x - p.a, b: p.b / 3, c, d: !p.d }
}

#[kernel]
fn poke(p: &mut Pair, x: &mut f64, n: i32) -> i32 {
    p.a += *x;
    *x = if p.d { -*x } else { p.a };
    let old: i32 = p.b;
    p.b = n % old;
    old
}
";

/// The text of a module with `count` kernels `k0`, `k1`, …, and a list `KERNELS` of them. `wild`: indices may be out of
/// range, which panics in native debug builds.
pub fn module(seed: u64, count: usize, wild: bool) -> String {
    let mut g = Gen {
        rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
        vars: vec![],
        arrays: vec![],
        pairs: vec![],
        results: vec![],
        done: vec![],
        fresh: 0,
        loops: 0,
        no_continue: 0,
        calls: false,
        budget: 0,
        wild,
    };
    let mut text = format!(
        "// Random kernels, seed {seed}: see generate.rs.\nuse gristmill_kernel::{{Function, kernel}};\n{HEADER}\n"
    );
    for i in 0..count {
        text.push_str(&g.kernel(i));
        text.push('\n');
    }
    let list: Vec<String> = (0..count).map(|i| format!("k{i}::FUNCTION")).collect();
    let _ = writeln!(text, "pub const KERNELS: &[Function] = &[{}];", list.join(", "));
    text
}

struct Gen {
    rng: Rng,
    vars: Vec<Var>,
    /// Arrays of four.
    arrays: Vec<(String, Ty)>,
    pairs: Vec<String>,
    results: Vec<Ty>,
    done: Vec<Kernel>,
    fresh: usize,
    loops: usize,
    /// Inside a valued loop `continue` could skip its way out for ever.
    no_continue: usize,
    calls: bool,
    budget: i32,
    wild: bool,
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
    fn name(&mut self) -> String {
        self.fresh += 1;
        // Often the name of an older variable: shadowing.
        if self.fresh > 4 && self.chance(20) { format!("v{}", self.fresh / 2) } else { format!("v{}", self.fresh) }
    }
    fn number(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn literal(&mut self, ty: Ty) -> String {
        match ty {
            F64 => self
                .pick(&[
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
                ])
                .to_string(),
            F32 => self
                .pick(&[
                    "0.0f32",
                    "(-0.0f32)",
                    "1.0f32",
                    "(-1.5f32)",
                    "0.1f32",
                    "3.0e38f32",
                    "f32::INFINITY",
                    "f32::NAN",
                ])
                .to_string(),
            Bool => self.pick(&["true", "false"]).to_string(),
            _ => {
                let n = ty.name();
                match self.below(4) {
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

    fn var(&mut self, ty: Ty) -> Option<String> {
        let names: Vec<String> = self.visible().filter(|v| v.ty == ty).map(|v| v.name.clone()).collect();
        if names.is_empty() { None } else { Some(names[self.below(names.len() as u64) as usize].clone()) }
    }

    fn mutable(&mut self) -> Option<Var> {
        let list: Vec<Var> = self.visible().filter(|v| v.mutable).cloned().collect();
        if list.is_empty() { None } else { Some(list[self.below(list.len() as u64) as usize].clone()) }
    }

    fn any_pair(&mut self) -> String {
        let k = self.below(self.pairs.len() as u64) as usize;
        self.pairs[k].clone()
    }

    fn leaf(&mut self, ty: Ty) -> String {
        match self.var(ty) {
            Some(v) if self.chance(75) => v,
            _ => self.literal(ty),
        }
    }

    /// An index into `n` elements.
    fn index(&mut self, n: u64, d: u32) -> String {
        if self.chance(30) {
            return format!("{}", self.below(n));
        }
        let e = self.expr(U32, d);
        if self.wild && self.chance(50) {
            format!("(({e}) as usize)")
        } else {
            format!("(u32::wrapping_rem({e}, {n}) as usize)")
        }
    }

    fn expr(&mut self, ty: Ty, depth: u32) -> String {
        self.budget -= 1;
        if depth == 0 || self.budget < 0 || self.chance(12) {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.below(24) {
            0 => {
                let c = self.expr(Bool, d);
                let (a, b) = (self.block(ty, d), self.block(ty, d));
                format!("(if {c} {a} else {b})")
            }
            1 if self.chance(50) => {
                let t = self.pick(&INTS);
                let m = self.expr(t, d);
                let (a, b, c) = (self.expr(ty, d), self.block(ty, d), self.expr(ty, d));
                let (lo, n) = (self.below(3), t.name());
                let leaf = self.leaf(ty);
                format!("(match {m} {{ {lo} => {a}, 4 | 6..=9 => {b}, x if x > 40{n} => {leaf}, _ => {c} }})")
            }
            2 => self.block(ty, d),
            3 if ty != Bool => {
                let from = if ty.is_float() { self.pick(&[I32, I64, U32, U64, F64, F32]) } else { self.pick(&ALL) };
                let e = self.expr(from, d);
                format!("(({e}) as {})", ty.name())
            }
            4 => {
                let fits: Vec<usize> =
                    (0..self.done.len()).filter(|&i| self.done[i].results == [ty] && !self.done[i].calls).collect();
                if fits.is_empty() || self.loops > 0 {
                    return self.leaf(ty);
                }
                self.calls = true;
                let k = fits[self.below(fits.len() as u64) as usize];
                let (name, params) = (self.done[k].name.clone(), self.done[k].params.clone());
                let args: Vec<String> = params.iter().map(|t| self.typed(*t, d)).collect();
                let ty = ty.name();
                format!("{{ let r: {ty} = {name}({}); r }}", args.join(", "))
            }
            5 => {
                let arrays: Vec<String> = self.arrays.iter().filter(|a| a.1 == ty).map(|a| a.0.clone()).collect();
                if arrays.is_empty() {
                    return self.leaf(ty);
                }
                let a = arrays[self.below(arrays.len() as u64) as usize].clone();
                let i = self.index(4, d);
                format!("{a}[{i}]")
            }
            6 if self.loops < 2 => {
                // A valued loop that ends after at most five rounds.
                let k = self.number();
                self.no_continue += 1;
                self.loops += 1;
                let (mark, arrays, pairs) = (self.vars.len(), self.arrays.len(), self.pairs.len());
                let value = self.expr(ty, d);
                let body = self.stmts(2, d);
                let (early, c) = (self.expr(ty, d), self.expr(Bool, d));
                self.vars.truncate(mark);
                self.arrays.truncate(arrays);
                self.pairs.truncate(pairs);
                self.loops -= 1;
                self.no_continue -= 1;
                let rounds = self.below(5);
                format!(
                    "{{ let mut n{k} = 0u32; loop {{ n{k} += 1; if n{k} > {rounds} {{ break {value}; }} {body} if {c} {{ break {early}; }} }} }}"
                )
            }
            7 => {
                let l = self.number();
                let (c, early) = (self.expr(Bool, d), self.expr(ty, d));
                let (mark, arrays, pairs) = (self.vars.len(), self.arrays.len(), self.pairs.len());
                let (body, last) = (self.stmts(1, d), self.expr(ty, d));
                self.vars.truncate(mark);
                self.arrays.truncate(arrays);
                self.pairs.truncate(pairs);
                format!("('l{l}: {{ if {c} {{ break 'l{l} ({early}); }} {body} {last} }})")
            }
            8 if ty == F64 || ty == I32 || ty == F32 || ty == Bool => {
                if self.pairs.is_empty() {
                    return self.leaf(ty);
                }
                let p = self.any_pair();
                let field = match ty {
                    F64 => format!("{p}.a"),
                    I32 => format!("{p}.b"),
                    F32 => format!("{p}.c[{}]", self.index(3, d)),
                    _ => format!("{p}.d"),
                };
                format!("{{ let r: {} = {field}; r }}", ty.name())
            }
            9 if ty == F64 => format!("{{ let r: f64 = TABLE[{}]; r }}", self.index(5, d)),
            9 if ty == I32 => format!("{{ let r: i32 = ROWS[{}][{}]; r }}", self.index(3, d), self.index(2, d)),
            10 => {
                let (t, k) = (self.pick(&ALL), self.number());
                let (a, b) = (self.expr(ty, d), self.expr(t, d));
                let pick = self.chance(50);
                let (first, second) = if pick { (a, b) } else { (b, a) };
                let types = if pick { (ty.name(), t.name()) } else { (t.name(), ty.name()) };
                format!("{{ let t{k}: ({}, {}) = ({first}, {second}); t{k}.{} }}", types.0, types.1, u8::from(!pick))
            }
            11 if ty == I32 && self.loops == 0 && !self.pairs.is_empty() => {
                // References, in the middle of an expression.
                let p = self.any_pair();
                let k = self.number();
                let (x, n) = (self.typed(F64, d), self.typed(I32, d));
                format!(
                    "{{ let mut q{k}: f64 = {x}; let n{k}: i32 = {n}; let r: i32 = poke(&mut {p}, &mut q{k}, n{k}); r.wrapping_add(q{k} as i32) }}"
                )
            }
            _ => self.operation(ty, d),
        }
    }

    /// An expression whose type rustc and the macro know without the context.
    fn typed(&mut self, ty: Ty, d: u32) -> String {
        let e = self.expr(ty, d);
        format!("{{ let r: {} = {e}; r }}", ty.name())
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
                    format!("({} {op} {})", self.expr(Bool, d), self.expr(Bool, d))
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
        let (mark, arrays, pairs) = (self.vars.len(), self.arrays.len(), self.pairs.len());
        let n = self.below(3);
        let s = self.stmts(n, d);
        let e = self.expr(ty, d);
        self.vars.truncate(mark);
        self.arrays.truncate(arrays);
        self.pairs.truncate(pairs);
        format!("{{ {s}{e} }}")
    }

    fn stmts(&mut self, n: u64, d: u32) -> String {
        (0..n).map(|_| self.stmt(d) + " ").collect()
    }

    fn scoped(&mut self, n: u64, d: u32) -> String {
        let (mark, arrays, pairs) = (self.vars.len(), self.arrays.len(), self.pairs.len());
        let s = self.stmts(n, d);
        self.vars.truncate(mark);
        self.arrays.truncate(arrays);
        self.pairs.truncate(pairs);
        s
    }

    fn value_of_results(&mut self, d: u32) -> String {
        let types = self.results.clone();
        let parts: Vec<String> = types.iter().map(|t| self.expr(*t, d)).collect();
        if parts.len() == 1 { parts[0].clone() } else { format!("({})", parts.join(", ")) }
    }

    fn stmt(&mut self, depth: u32) -> String {
        self.budget -= 1;
        if depth == 0 || self.budget < 0 {
            return String::new();
        }
        let d = depth - 1;
        match self.below(16) {
            0..=3 => {
                let ty = self.pick(&WEIGHTED);
                let (e, mutable) = (self.expr(ty, d + 1), self.chance(60));
                let name = self.name();
                self.vars.push(Var { name: name.clone(), ty, mutable });
                format!("let {}{name}: {} = {e};", if mutable { "mut " } else { "" }, ty.name())
            }
            4..=5 => match self.mutable() {
                Some(v) => {
                    let op = match v.ty {
                        F64 | F32 => self.pick(&["=", "+=", "-=", "*=", "/="]),
                        Bool => self.pick(&["=", "&=", "|=", "^="]),
                        _ => self.pick(&["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]),
                    };
                    let e = if v.ty.is_int() { self.typed(v.ty, d + 1) } else { self.expr(v.ty, d + 1) };
                    format!("{} {op} {e};", v.name)
                }
                None => String::new(),
            },
            6 => {
                let c = self.expr(Bool, d);
                let a = self.scoped(2, d);
                if self.chance(50) {
                    format!("if {c} {{ {a} }} else {{ {} }}", self.scoped(2, d))
                } else {
                    format!("if {c} {{ {a} }}")
                }
            }
            7 if self.loops < 2 => {
                let ty = self.pick(&INTS);
                let (lo, hi) = (self.below(3), self.below(6));
                let n = ty.name();
                let range = match self.below(4) {
                    0 => format!("{lo}{n}..{hi}{n}"),
                    1 => format!("{n}::MAX - {hi}..={n}::MAX"),
                    2 => format!("({n}::MIN..={n}::MIN + {hi}).rev()"),
                    _ => format!("({lo}{n}..{hi}{n}).rev()"),
                };
                let name = self.name();
                self.loops += 1;
                let (mark, valued) = (self.vars.len(), std::mem::take(&mut self.no_continue));
                self.vars.push(Var { name: name.clone(), ty, mutable: false });
                let body = self.scoped(3, d);
                self.vars.truncate(mark);
                self.loops -= 1;
                self.no_continue = valued;
                format!("for {name} in {range} {{ {body} }}")
            }
            8 if self.loops > 0 && self.no_continue == 0 => {
                let c = self.expr(Bool, d);
                format!("if {c} {{ {} }}", self.pick(&["continue;", "break;"]))
            }
            9 if self.chance(40) => {
                let c = self.expr(Bool, d);
                format!("if {c} {{ return {}; }}", self.value_of_results(d))
            }
            10 => {
                let (ta, tb) = (self.pick(&WEIGHTED), self.pick(&WEIGHTED));
                let (ea, eb) = (self.expr(ta, d), self.expr(tb, d));
                let (a, b) = (self.name(), self.name() + "b");
                self.vars.push(Var { name: a.clone(), ty: ta, mutable: true });
                self.vars.push(Var { name: b.clone(), ty: tb, mutable: false });
                format!("let (mut {a}, {b}): ({}, {}) = ({ea}, {eb});", ta.name(), tb.name())
            }
            11 => {
                let ty = self.pick(&WEIGHTED);
                let name = format!("a{}", self.number());
                let init = if self.chance(70) {
                    let items: Vec<String> = (0..4).map(|_| self.expr(ty, d.min(1))).collect();
                    format!("[{}]", items.join(", "))
                } else {
                    format!("[{}; 4]", self.expr(ty, d.min(1)))
                };
                let (i, e) = (self.index(4, d), self.expr(ty, d));
                self.arrays.push((name.clone(), ty));
                format!("let mut {name}: [{}; 4] = {init}; {name}[{i}] = {e};", ty.name())
            }
            12 => {
                let k = self.number();
                let (a, b, d_) = (self.expr(F64, d), self.expr(I32, d), self.expr(Bool, d));
                let c: Vec<String> = (0..3).map(|_| self.leaf(F32)).collect();
                self.pairs.push(format!("p{k}s"));
                format!("let mut p{k}s = Pair {{ a: {a}, d: {d_}, b: {b}, c: [{}] }};", c.join(", "))
            }
            13 if !self.pairs.is_empty() => {
                let p = self.any_pair();
                match self.below(5) {
                    0 => format!("{p}.a = {};", self.expr(F64, d)),
                    1 => format!("{p}.b = {};", self.typed(I32, d)),
                    2 => format!("{p}.c[{}] = {};", self.index(3, d), self.expr(F32, d)),
                    3 => format!("{p} = twist({p}, {});", self.typed(F64, d)),
                    _ => {
                        let other = self.any_pair();
                        format!("{p} = {other};")
                    }
                }
            }
            14 if self.loops < 2 && self.no_continue == 0 => {
                let k = self.number();
                self.loops += 1;
                // `continue` could skip the count: it stands first.
                let body = self.scoped(2, d);
                self.loops -= 1;
                let rounds = self.below(4);
                format!("let mut w{k} = 0i32; while w{k} < {rounds} {{ w{k} += 1; {body} }}")
            }
            15 if self.arrays.len() > 1 => {
                let (i, j) =
                    (self.below(self.arrays.len() as u64) as usize, self.below(self.arrays.len() as u64) as usize);
                if self.arrays[i].1 == self.arrays[j].1 {
                    format!("{} = {};", self.arrays[i].0, self.arrays[j].0)
                } else {
                    String::new()
                }
            }
            _ => String::new(),
        }
    }

    fn kernel(&mut self, index: usize) -> String {
        let count = 1 + self.below(4);
        let params: Vec<Ty> = (0..count).map(|_| self.pick(&WEIGHTED)).collect();
        let results: Vec<Ty> =
            if self.chance(75) { vec![self.pick(&WEIGHTED)] } else { vec![self.pick(&ALL), self.pick(&ALL)] };
        self.vars =
            params.iter().enumerate().map(|(i, ty)| Var { name: format!("p{i}"), ty: *ty, mutable: false }).collect();
        (self.arrays, self.pairs, self.results) = (vec![], vec![], results.clone());
        (self.fresh, self.loops, self.calls, self.budget) = (0, 0, false, 120);
        let n = 2 + self.below(4);
        let mut body = String::new();
        for _ in 0..n {
            let s = self.stmt(4);
            if !s.is_empty() {
                let _ = write!(body, "\n    {s}");
            }
        }
        self.budget += 30;
        let tail = self.value_of_results(4);
        let list: Vec<String> = params.iter().enumerate().map(|(i, t)| format!("p{i}: {}", t.name())).collect();
        let ret: Vec<&str> = results.iter().map(|t| t.name()).collect();
        let ret = if ret.len() == 1 { ret[0].to_string() } else { format!("({})", ret.join(", ")) };
        let name = format!("k{index}");
        let text = format!("#[kernel]\npub fn {name}({}) -> {ret} {{{body}\n    {tail}\n}}\n", list.join(", "));
        self.done.push(Kernel { name, params, results, calls: self.calls });
        text
    }
}
