//! Random programs that call compiled kernels: where a block loop goes by stages, calls them for many elements at once, computes once
//! what is the same for all, and calls them under masks. Against the interpreter.

use crate::data::{Data, Rng, by_block, by_single, by_strided, difference};
use gristmill_kernel::Scalar;
use gristmill_kernel_jit::{KernelSource, Lowering};
use std::fmt::Write;

const CALLS: [&str; 10] = [
    "exp(@)",
    "log(@)",
    "expm1(@ * 0.1)",
    "pnorm(@, 0.5, 2.0, true, false)",
    "dnorm(@, @, 1.5, false)",
    "pow(@.abs(), @ * 0.25)",
    "helper(@, @)",
    "early(@, n)",
    "lgammafn(@)",
    "atan2(@, @)",
];

struct Program {
    rng: Rng,
    text: String,
    /// Floats that may be read, and those among them that may be assigned to.
    readable: Vec<String>,
    writable: Vec<String>,
}

impl Program {
    fn pick(&mut self) -> String {
        let k = self.rng.below(self.readable.len() as u64) as usize;
        self.readable[k].clone()
    }

    fn expr(&mut self, depth: u64) -> String {
        if depth == 0 {
            return match self.rng.below(4) {
                0 => format!("{:?}", self.rng.below(9) as f64 * 0.5 - 2.0),
                _ => self.pick(),
            };
        }
        match self.rng.below(9) {
            0..=2 => {
                let op = ["+", "-", "*", "/"][self.rng.below(4) as usize];
                format!("({} {op} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
            3 => format!("{}.mul_add({}, {})", self.expr(0), self.expr(depth - 1), self.expr(0)),
            4 => {
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                format!("(if {} < {} {{ {a} }} else {{ {b} }})", self.expr(0), self.expr(0))
            }
            5 => {
                let v = format!("v{}", self.text.len());
                format!("{{ let {v} = {}; {v} * {v} }}", self.expr(depth - 1))
            }
            _ => {
                let call = CALLS[self.rng.below(CALLS.len() as u64) as usize];
                call.split('@').enumerate().fold(String::new(), |mut out, (k, part)| {
                    if k > 0 {
                        out += &format!("({})", self.expr(depth - 1));
                    }
                    out + part
                })
            }
        }
    }

    fn statement(&mut self, indent: &str) {
        let depth = 1 + self.rng.below(2);
        let line = match self.rng.below(10) {
            0..=4 => {
                let name = format!("x{}", self.text.len());
                let is_mutable = self.rng.below(3) == 0;
                let value = self.expr(depth);
                self.readable.push(name.clone());
                if is_mutable {
                    self.writable.push(name.clone());
                }
                format!("let {}{name}: f64 = {value};", if is_mutable { "mut " } else { "" })
            }
            5 | 6 if !self.writable.is_empty() => {
                let k = self.rng.below(self.writable.len() as u64) as usize;
                format!(
                    "{} {} {};",
                    self.writable[k].clone(),
                    ["=", "+=", "*="][self.rng.below(3) as usize],
                    self.expr(depth)
                )
            }
            7 if !self.writable.is_empty() => {
                let k = self.rng.below(self.writable.len() as u64) as usize;
                let name = self.writable[k].clone();
                let (test, value) = (self.expr(0), self.expr(depth));
                format!("if {test} > 0.5 {{ {name} = {value}; }}")
            }
            8 if !self.writable.is_empty() => {
                let k = self.rng.below(self.writable.len() as u64) as usize;
                let name = self.writable[k].clone();
                format!("for i in 0..n % 4 {{ {name} = {name} * 0.5 + {}; }}", self.expr(1))
            }
            9 if self.rng.below(3) == 0 => format!("if {} > 3.0 {{ return {}; }}", self.expr(0), self.expr(1)),
            _ => format!("let _ = {};", self.expr(0)),
        };
        let _ = writeln!(self.text, "{indent}{line}");
    }
}

fn program(seed: u64) -> String {
    let mut p = Program {
        rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
        text: "fn helper(a: f64, b: f64) -> f64 { let c = exp(-a.abs()); c * b + log(1.0 + c) }\n\
               fn early(a: f64, n: i32) -> f64 {\n    if a < 0.0 { return -a; }\n    let mut s = a;\n    \
               for i in 0..n % 3 { s += sqrt(a + i as f64); }\n    exp(-s)\n}\n\
               fn f(a: f64, b: f64, c: f64, n: i32) -> f64 {\n    let n = n & 7;\n"
            .into(),
        readable: ["a", "b", "c"].map(String::from).to_vec(),
        writable: vec![],
    };
    for _ in 0..2 + p.rng.below(7) {
        p.statement("    ");
    }
    let value = p.expr(2);
    let _ = writeln!(p.text, "    {value}\n}}");
    p.text
}

#[test]
fn programs_that_call_compiled_kernels_give_the_interpreters_bits_on_every_path() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (first, count) = (number("SEED", 1), number("SEEDS", 16));
    let mut on_lanes = 0;
    for seed in first..first + count {
        let text = program(seed);
        let source = KernelSource::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        match source.explain("f") {
            Some(Lowering::Native { lanes, .. }) => on_lanes += u64::from(lanes > 1),
            other => panic!("seed {seed}: {other:?}\n{text}"),
        }
        let (f, reference) = (source.function("f").expect("there"), source.interpreted("f").expect("there"));
        let mut rng = Rng(seed | 1 << 33);
        // More than two chunks now and then; mostly what fills no vector.
        let n = if seed % 8 == 0 { 1100 } else { 1 + rng.below(40) as usize };
        let scalars: Vec<Scalar> = f.params().map(|(_, scalar)| scalar).collect();
        let ins: Vec<Data> = scalars.iter().map(|s| Data::random(*s, n, &mut rng)).collect();
        let check = |what: &str, ins: &[Data], given: &[Data], expected: &[Data]| {
            if let Some(d) = difference(ins, expected, given, n) {
                panic!("seed {seed}: interpreter or {what}: {d}\n{text}");
            }
        };
        let expected = by_block(&reference, &ins, n);
        check("single", &ins, &by_single(&f, &ins, n), &expected);
        check("block", &ins, &by_block(&f, &ins, n), &expected);
        check("strided", &ins, &by_strided(&f, &ins, n).expect("one result"), &expected);
        for mask in [rng.word() & 15, 0b1110] {
            let some: Vec<Data> =
                ins.iter().enumerate().map(|(k, d)| if mask >> k & 1 == 1 { d.first() } else { d.clone() }).collect();
            check("block, some uniform", &some, &by_block(&f, &some, n), &by_block(&reference, &some, n));
        }
    }
    println!("{count} programs, {on_lanes} on lanes");
}
