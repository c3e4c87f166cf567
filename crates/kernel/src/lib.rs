//! What `#[kernel]` emits into user crates, and the assembly of shards into one program text.
#![deny(unsafe_code)]
#![allow(missing_docs, missing_debug_implementations)]

pub use gristmill_kernel_macros::kernel;

use std::collections::HashMap;
use std::fmt::Write;

/// A scalar type of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    F64,
    I32,
    I64,
    U32,
    U64,
    Usize,
    Bool,
}

impl Scalar {
    pub fn c_name(self) -> &'static str {
        match self {
            Scalar::F64 => "double",
            Scalar::I32 | Scalar::Bool => "int",
            Scalar::I64 => "long",
            Scalar::U32 => "uint",
            Scalar::U64 | Scalar::Usize => "ulong",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Param {
    pub name: &'static str,
    pub ty: Scalar,
    /// `&mut`: such a kernel has no elementwise entry point.
    pub by_ref: bool,
}

/// Several results: a tuple.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    pub params: &'static [Param],
    pub results: &'static [Scalar],
    pub tuple: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum Piece {
    Text(&'static str),
    Ref(&'static Shard),
}

#[derive(Debug, Clone, Copy)]
pub enum Value {
    F64(&'static [f64]),
    I32(&'static [i32]),
    I64(&'static [i64]),
    U32(&'static [u32]),
    U64(&'static [u64]),
}

#[derive(Debug, Clone, Copy)]
pub enum Item {
    Fn(Signature),
    /// rustc evaluated it: the text is printed from the value, exactly.
    Const {
        value: Value,
        table: bool,
    },
}

/// One piece of OpenCL C, with everything it refers to.
#[derive(Debug)]
pub struct Shard {
    pub name: &'static str,
    pub c_name: &'static str,
    pub module: &'static str,
    pub file: &'static str,
    pub line: u32,
    pub item: Item,
    /// Struct definitions for tuples: (name, members).
    pub tuples: &'static [(&'static str, &'static str)],
    pub ret_c: &'static str,
    pub text: &'static [Piece],
}

/// Operations that Rust itself leaves open (the sign of zero in `min`, the bits of NaN): `#[kernel]` calls these instead,
/// so that the scalar function, the vectorised loop and the device agree. The prelude defines the same in C.
pub mod exact {
    pub trait Ordered: Copy {
        fn min(self, other: Self) -> Self;
        fn max(self, other: Self) -> Self;
    }
    macro_rules! ints {
        ($($t:ty)*) => {$(impl Ordered for $t {
            #[inline(always)]
            fn min(self, other: $t) -> $t { if other < self { other } else { self } }
            #[inline(always)]
            fn max(self, other: $t) -> $t { if other > self { other } else { self } }
        })*};
    }
    ints!(i32 i64 u32 u64 usize);
    impl Ordered for f64 {
        #[inline(always)]
        fn min(self, other: f64) -> f64 {
            if self.is_nan() || (!other.is_nan() && key(other) < key(self)) { other } else { self }
        }
        #[inline(always)]
        fn max(self, other: f64) -> f64 {
            if self.is_nan() || (!other.is_nan() && key(other) > key(self)) { other } else { self }
        }
    }
    /// The order of the numbers, with -0 below +0. Integers, because LLVM 15 turns `x > 0.0 ? -0.0 : x` into `x >= 0.0 ? ...`.
    #[inline(always)]
    fn key(x: f64) -> i64 {
        let b = x.to_bits() as i64;
        b ^ ((b >> 63) as u64 >> 1) as i64
    }
    /// IEEE 754-2019 minimumNumber: a NaN loses, -0 is below +0.
    #[inline(always)]
    pub fn min<T: Ordered>(a: T, b: T) -> T {
        a.min(b)
    }
    /// IEEE 754-2019 maximumNumber: a NaN loses, -0 is below +0.
    #[inline(always)]
    pub fn max<T: Ordered>(a: T, b: T) -> T {
        a.max(b)
    }
    /// Every NaN is 0x7ff8000000000000.
    #[inline(always)]
    pub fn to_bits(x: f64) -> u64 {
        if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() }
    }
    /// A NaN counts as positive.
    #[inline(always)]
    pub fn is_sign_negative(x: f64) -> bool {
        to_bits(x) >> 63 == 1
    }
    /// The sign of a NaN counts as positive.
    #[inline(always)]
    pub fn copysign(x: f64, sign: f64) -> f64 {
        x.copysign(f64::from_bits(to_bits(sign)))
    }
}

/// What every kernel and kernel constant has beside it, in the type namespace, under the same name.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a kernel", note = "put `#[kernel]` on it")]
pub trait Kernel {
    const SHARD: &'static Shard;
    /// Inlined always, so that the block loop around it vectorises.
    const INLINE: bool = false;
}

/// Columns for the type-erased block loops.
#[derive(Debug, Clone, Copy)]
pub enum Column<'a> {
    F64(&'a [f64]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    Usize(&'a [usize]),
    Bool(&'a [bool]),
}
#[derive(Debug)]
pub enum ColumnMut<'a> {
    F64(&'a mut [f64]),
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
    U32(&'a mut [u32]),
    U64(&'a mut [u64]),
    Usize(&'a mut [usize]),
    Bool(&'a mut [bool]),
}

/// A kernel as data: what an engine or a test needs to run it without knowing its type.
#[derive(Clone, Copy)]
pub struct Entry {
    pub shard: &'static Shard,
    /// One call per element, through a function pointer: the reference.
    pub scalar: fn(&[Column], &mut [ColumnMut]),
    /// The block loop compiled for the baseline instruction set.
    pub baseline: fn(&[Column], &mut [ColumnMut]),
    /// The block loop for AVX2+FMA, and the same with all arguments but the first constant (columns of length 1).
    pub v3: Option<(BlockV3, BlockV3)>,
}

/// Safe to call exactly where [`has_v3`].
pub type BlockV3 = unsafe fn(&[Column], &mut [ColumnMut]);

#[allow(unsafe_code)]
impl Entry {
    /// The block loop for the best instruction set of this machine.
    pub fn block(&self, ins: &[Column], outs: &mut [ColumnMut]) {
        match self.v3 {
            // SAFETY: the features were detected.
            Some((block, _)) if has_v3() => unsafe { block(ins, outs) },
            _ => (self.baseline)(ins, outs),
        }
    }

    /// As [`Entry::block`], every argument but the first constant. (Prototype: false without AVX2+FMA.)
    pub fn block_uniform(&self, ins: &[Column], outs: &mut [ColumnMut]) -> bool {
        match self.v3 {
            // SAFETY: the features were detected.
            Some((_, uniform)) if has_v3() => unsafe { uniform(ins, outs) },
            _ => return false,
        }
        true
    }
}

/// True where the AVX2+FMA versions may run.
pub fn has_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Compile-time check of one call against the callee's real signature; `None`: the caller's text fits any type.
pub const fn check_call(callee: &Shard, args: &[Option<(Scalar, bool)>], results: &[Scalar]) {
    let Item::Fn(sig) = callee.item else { panic!("this is a kernel constant, not a kernel function") };
    assert!(sig.params.len() == args.len(), "wrong number of arguments");
    let mut i = 0;
    while i < args.len() {
        if let Some((ty, by_ref)) = args[i] {
            assert!(
                ty as u8 == sig.params[i].ty as u8 && by_ref == sig.params[i].by_ref,
                "#[kernel] took an argument of this call for another type than the kernel has: \
                 write the literal with a suffix, or `let x: TYPE = ...` before the call"
            );
        }
        i += 1;
    }
    check_results(sig.results, results);
}

const fn check_results(real: &[Scalar], used: &[Scalar]) {
    const MESSAGE: &str = "#[kernel] cannot see the type of this call and took it for another (f64 where nothing says): \
        write `let x: TYPE = ...`";
    assert!(real.len() == used.len(), "{}", MESSAGE);
    let mut i = 0;
    while i < real.len() {
        assert!(real[i] as u8 == used[i] as u8, "{}", MESSAGE);
        i += 1;
    }
}

/// Compile-time check of the use of a constant.
pub const fn check_const(callee: &Shard, ty: Scalar, table: bool) {
    let Item::Const { value, table: real_table } = callee.item else {
        panic!("this is a kernel function, not a constant: call it")
    };
    let real = match value {
        Value::F64(_) => Scalar::F64,
        Value::I32(_) => Scalar::I32,
        Value::I64(_) => Scalar::I64,
        Value::U32(_) => Scalar::U32,
        Value::U64(_) => Scalar::U64,
    };
    assert!(
        real as u8 == ty as u8 && table == real_table,
        "#[kernel] took this constant for another type: write `let x: TYPE = CONSTANT;`"
    );
}

/// Orders the shards that `roots` need, callees first, and writes them as one program text (without `__kernel`s).
/// The C names of two different items never collide: the second one gets a number.
pub struct Assembly {
    names: HashMap<(&'static str, &'static str), String>,
    taken: HashMap<String, usize>,
    tuples: Vec<&'static str>,
    pub text: String,
    pub order: Vec<&'static Shard>,
}

impl Default for Assembly {
    fn default() -> Self {
        Assembly {
            names: HashMap::new(),
            taken: HashMap::new(),
            tuples: vec![],
            text: gristmill_kernel_lang::PRELUDE.to_string(),
            order: vec![],
        }
    }
}

impl Assembly {
    /// Adds a shard and what it needs; gives its C name.
    pub fn add(&mut self, shard: &'static Shard) -> String {
        // Not the address: a constant may be copied into every crate that uses it.
        let key = (shard.module, shard.name);
        if let Some(name) = self.names.get(&key) {
            return name.clone();
        }
        let names: Vec<Option<String>> = shard
            .text
            .iter()
            .map(|p| match p {
                Piece::Ref(r) => Some(self.add(r)),
                Piece::Text(_) => None,
            })
            .collect();
        let count = self.taken.entry(shard.c_name.to_string()).and_modify(|n| *n += 1).or_insert(1);
        let name = if *count == 1 { shard.c_name.to_string() } else { format!("{}__{count}", shard.c_name) };
        match shard.item {
            Item::Const { value, table } => {
                let (ty, items): (&str, Vec<String>) =
                    match value {
                        Value::F64(v) => ("double", v.iter().map(|x| gristmill_kernel_lang::hex_f64(*x)).collect()),
                        Value::I32(v) => (
                            "int",
                            v.iter()
                                .map(|x| if *x == i32::MIN { "(-2147483647 - 1)".into() } else { format!("({x})") })
                                .collect(),
                        ),
                        Value::I64(v) => (
                            "long",
                            v.iter()
                                .map(|x| {
                                    if *x == i64::MIN {
                                        "(-9223372036854775807L - 1L)".into()
                                    } else {
                                        format!("({x}L)")
                                    }
                                })
                                .collect(),
                        ),
                        Value::U32(v) => ("uint", v.iter().map(|x| format!("{x}u")).collect()),
                        Value::U64(v) => ("ulong", v.iter().map(|x| format!("{x}UL")).collect()),
                    };
                if table {
                    let n = items.len();
                    let _ = writeln!(
                        self.text,
                        "__constant {ty} {name}[{n}] = {{{}}};\n#define {name}_LEN {n}UL",
                        items.join(", ")
                    );
                } else {
                    let _ = writeln!(self.text, "#define {name} {}", items[0]);
                }
            }
            Item::Fn(_) => {
                for (tuple, members) in shard.tuples {
                    if !self.tuples.contains(tuple) {
                        self.tuples.push(tuple);
                        let _ = writeln!(self.text, "typedef struct {{ {members} }} {tuple};");
                    }
                }
                let _ = write!(self.text, "#line {} \"{}\"\n{} {name}", shard.line, shard.file, shard.ret_c);
                for (piece, name) in shard.text.iter().zip(&names) {
                    match (piece, name) {
                        (Piece::Text(t), _) => self.text.push_str(t),
                        (Piece::Ref(_), Some(n)) => self.text.push_str(n),
                        (Piece::Ref(_), None) => unreachable!("named above"),
                    }
                }
            }
        }
        self.names.insert(key, name.clone());
        self.order.push(shard);
        name
    }

    /// Adds `__kernel void map_NAME(n, columns and strides, results)`; a stride of 0 repeats the argument.
    pub fn add_map(&mut self, shard: &'static Shard) -> String {
        let name = self.add(shard);
        let Item::Fn(sig) = shard.item else { panic!("a constant has no entry point") };
        let entry = format!("map_{name}");
        let mut params = vec!["ulong n".to_string()];
        let mut args = vec![];
        for (i, p) in sig.params.iter().enumerate() {
            assert!(!p.by_ref, "a kernel with `&mut` parameters is not elementwise");
            params.push(format!("__global const {} *a{i}, ulong s{i}", p.ty.c_name()));
            args.push(format!("a{i}[i * s{i}]"));
        }
        for (i, r) in sig.results.iter().enumerate() {
            params.push(format!("__global {} *r{i}", r.c_name()));
        }
        let call = format!("{name}({})", args.join(", "));
        let store = if sig.tuple {
            let parts: Vec<String> = (0..sig.results.len()).map(|i| format!("r{i}[i] = y.v{i};")).collect();
            format!("{} y = {call}; {}", shard.ret_c, parts.join(" "))
        } else {
            format!("r0[i] = {call};")
        };
        let _ = writeln!(
            self.text,
            "__kernel void {entry}({})\n{{\n    ulong i = get_global_id(0);\n    if (i >= n) return;\n    {store}\n}}",
            params.join(", ")
        );
        entry
    }
}
