//! A kernel as OpenCL C text, with everything it refers to.

use gristmill_scalar::{CType, Marker, Scalar, TypeShape, names, split_references};

/// A type of a signature.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// A number or bool.
    Scalar(Scalar),
    /// No value.
    Unit,
    /// A tuple.
    Tuple(&'static [Type]),
    /// A fixed-size array; length 0 stands for any length.
    Array(&'static Type, usize),
    /// A `#[kernel] struct`.
    Struct(&'static EmittedShard),
    /// `&mut`.
    Ref(&'static Type),
    /// `&[T]` or `&mut [T]` (true), of an entry point.
    Slice(Scalar, bool),
}

impl Type {
    /// The scalar, if it is one.
    pub const fn scalar(self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(s),
            _ => None,
        }
    }
}

impl CType for Type {
    type Struct = &'static EmittedShard;

    fn shape(&self) -> TypeShape<'_, Type, &'static EmittedShard> {
        match self {
            Type::Scalar(s) => TypeShape::Scalar(*s),
            Type::Unit => TypeShape::Unit,
            Type::Tuple(items) => TypeShape::Tuple(items),
            Type::Array(elem, n) => TypeShape::Array(elem, *n),
            Type::Struct(shard) => TypeShape::Struct(shard),
            Type::Ref(inner) => TypeShape::Ref(inner),
            Type::Slice(s, mutable) => TypeShape::Slice(*s, *mutable),
        }
    }
}

/// A parameter, or a field of a struct.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name in Rust.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
}

/// What a kernel takes and gives.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// In order.
    pub params: &'static [Param],
    /// The result.
    pub result: Type,
}

impl Signature {
    /// The results as scalars: one, or the parts of a tuple; `None` if one of them is no scalar.
    pub fn results(&self) -> Option<Vec<Scalar>> {
        match self.result {
            Type::Scalar(s) => Some(vec![s]),
            Type::Tuple(items) => items.iter().map(|t| t.scalar()).collect(),
            _ => None,
        }
    }
}

/// A part of a shard's text.
#[derive(Debug, Clone, Copy)]
pub enum TextPart {
    /// As it stands.
    Text(&'static str),
    /// The C name of another shard.
    Ref(&'static EmittedShard),
    /// The C name of the type that another shard returns or, as a constant, is.
    Result(&'static EmittedShard),
}

/// Another shard, as a text refers to it.
#[derive(Debug, Clone, Copy)]
pub enum ShardRef {
    /// What the function gives: [`KernelItem::shard`]. rustc checks the value of a constant with everything it points to; a kernel
    /// that pointed to those it calls would be checked with all that these call (a fifth of the time nmath's check took).
    Of(fn() -> &'static EmittedShard),
    /// This one, made at run time.
    This(&'static EmittedShard),
}

impl ShardRef {
    /// The shard.
    pub fn shard(self) -> &'static EmittedShard {
        match self {
            ShardRef::Of(give) => give(),
            ShardRef::This(shard) => shard,
        }
    }
}

/// A text with markers for the shards that it refers to, which its shard lists: [`EmittedShard::parts`] takes it apart. As
/// one literal, because a kernel of a hundred references would be as many expressions for rustc to check.
pub type MarkedText = &'static str;

/// The values of a constant.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "one variant for each scalar")]
pub enum Value {
    F64(&'static [f64]),
    F32(&'static [f32]),
    I32(&'static [i32]),
    I64(&'static [i64]),
    U32(&'static [u32]),
    U64(&'static [u64]),
    Usize(&'static [usize]),
    Bool(&'static [bool]),
    /// The parts of a tuple, in order.
    Tuple(&'static [Value]),
}

/// What a shard defines.
#[derive(Debug, Clone, Copy)]
pub enum Item {
    /// A function.
    Fn(Signature),
    /// A `__kernel` over slices; the first parameter is the index of the work-item.
    Entry(Signature),
    /// A constant: rustc evaluated it, the text is printed from the values.
    Const {
        /// A scalar, a tuple (of tuples) of scalars, or an array (of arrays) of one.
        ty: Type,
        /// All values, row after row.
        value: Value,
    },
    /// A struct.
    Struct {
        /// In order.
        fields: &'static [Param],
    },
}

/// One piece of OpenCL C, with everything it refers to.
#[derive(Debug)]
pub struct EmittedShard {
    /// The name in Rust.
    pub name: &'static str,
    /// The name in C, where `#[kernel(name = "..")]` gives one.
    pub given_name: Option<&'static str>,
    /// `pub`: keeps its own name in C. Others are qualified by their module.
    pub public: bool,
    /// `module_path!()`.
    pub module: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line of the name there.
    pub line: u32,
    /// The documentation, one line each.
    pub doc: &'static str,
    /// What it defines.
    pub item: Item,
    /// The structs that stand for tuples and arrays in its text: their names, their members.
    pub typedefs: &'static [(MarkedText, MarkedText)],
    /// Its text before its own C name and after it; a constant's is printed from its values.
    pub text: (MarkedText, MarkedText),
    /// What the markers of these texts stand for.
    pub references: &'static [ShardRef],
}

/// What tells two shards apart: where the item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShardKey {
    module: &'static str,
    name: &'static str,
    file: &'static str,
    line: u32,
}

impl EmittedShard {
    /// The name in C, unless another shard of the program has it already.
    pub fn c_name(&self) -> String {
        match (self.given_name, self.public, self.item) {
            (Some(name), _, _) => name.to_string(),
            // Scalars become macros: `gm_` keeps them clear of M_PI, NAN, CLK_… and of a user's names.
            (None, true, Item::Const { .. }) => format!("gm_{}", self.name),
            (None, true, _) => names::exported(self.name),
            (None, false, _) => self.qualified_name(),
        }
    }

    /// The name in C with the module's path.
    pub fn qualified_name(&self) -> String {
        names::qualified(self.module, self.name)
    }

    /// What tells two shards apart. (Not the address: a constant may be copied into every crate that uses it.)
    pub fn key(&self) -> ShardKey {
        ShardKey { module: self.module, name: self.name, file: self.file, line: self.line }
    }

    /// One of its texts, taken apart.
    pub fn parts(&self, text: MarkedText) -> impl Iterator<Item = TextPart> {
        let shard = |i: usize| self.references[i].shard();
        split_references(text).into_iter().flat_map(move |(text, marker)| {
            let reference = marker.map(|marker| match marker {
                Marker::Item(i) => TextPart::Ref(shard(i)),
                Marker::ResultOf(i) => TextPart::Result(shard(i)),
            });
            (!text.is_empty()).then_some(TextPart::Text(text)).into_iter().chain(reference)
        })
    }

    /// The shards that this one refers to directly, in order of first use.
    pub fn dependencies(&self) -> Vec<&'static EmittedShard> {
        let typedefs = self.typedefs.iter().flat_map(|(name, members)| [name, members]);
        let mut out: Vec<&'static EmittedShard> = vec![];
        for text in typedefs.chain([&self.text.0, &self.text.1]) {
            for part in self.parts(text) {
                if let TextPart::Ref(s) | TextPart::Result(s) = part
                    && !out.iter().any(|o| o.key() == s.key())
                {
                    out.push(s);
                }
            }
        }
        out
    }
}

/// What every kernel, kernel constant and kernel struct has under its name in the type namespace.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kernel",
    note = "put `#[kernel]` on it (docs/kernel-language.md)"
)]
pub trait KernelItem {
    /// Its text and signature.
    const SHARD: &'static EmittedShard;
    /// The same, for whom a constant would be too much: see [`ShardRef`].
    fn shard() -> &'static EmittedShard {
        Self::SHARD
    }
    /// Always inlined, so that a block loop around it vectorises.
    const INLINE: bool = false;
    /// The operations of its form on lanes, if it is inlined: a caller that may skip it compares them with a branch.
    const COST: u32 = u32::MAX;
    /// `#[kernel(masked)]`, or split with such an evaluation.
    const MASKED: bool = false;
    /// The operations on lanes of what a block loop does for most elements: of the main path, if there is one.
    const LOOP_COST: u32 = u32::MAX;
}

/// The types that nearly every signature and check is made of, as constants of their own: emitted code has tens of thousands, and
/// is shorter with names.
#[expect(missing_docs, reason = "one for each scalar")]
pub mod types {
    use super::{Scalar, Type};
    pub const F64: Type = Type::Scalar(Scalar::F64);
    pub const F32: Type = Type::Scalar(Scalar::F32);
    pub const I32: Type = Type::Scalar(Scalar::I32);
    pub const I64: Type = Type::Scalar(Scalar::I64);
    pub const U32: Type = Type::Scalar(Scalar::U32);
    pub const U64: Type = Type::Scalar(Scalar::U64);
    pub const USIZE: Type = Type::Scalar(Scalar::Usize);
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);
    /// Two doubles.
    pub const PAIR: Type = Type::Tuple(&[F64, F64]);
    /// The same as arguments that a check asks about.
    pub const SOME_F64: Option<Type> = Some(F64);
    pub const SOME_PAIR: Option<Type> = Some(PAIR);
}

const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn same_type(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Scalar(x), Type::Scalar(y)) => *x as u8 == *y as u8,
        (Type::Unit, Type::Unit) => true,
        (Type::Tuple(x), Type::Tuple(y)) => {
            if x.len() != y.len() {
                return false;
            }
            let mut i = 0;
            while i < x.len() {
                if !same_type(&x[i], &y[i]) {
                    return false;
                }
                i += 1;
            }
            true
        }
        (Type::Array(x, n), Type::Array(y, m)) => (*n == *m || *n == 0 || *m == 0) && same_type(x, y),
        (Type::Struct(x), Type::Struct(y)) => {
            same_text(x.name, y.name) && same_text(x.module, y.module) && x.line == y.line
        }
        (Type::Ref(x), Type::Ref(y)) => same_type(x, y),
        (Type::Slice(x, m), Type::Slice(y, n)) => *x as u8 == *y as u8 && *m == *n,
        _ => false,
    }
}

/// The type that a kernel returns or a constant is.
pub const fn result_type(callee: &'static EmittedShard) -> Type {
    match callee.item {
        Item::Fn(sig) => sig.result,
        Item::Const { ty, .. } => ty,
        _ => panic!("this is not a kernel function"),
    }
}

/// Compile-time check of one call against the callee's real signature; `None`: the caller's text fits any type.
pub const fn check_call(callee: &EmittedShard, args: &[Option<Type>], result: Type) {
    let sig = match callee.item {
        Item::Fn(sig) => sig,
        Item::Entry(_) => panic!("an entry point cannot be called by a kernel"),
        Item::Const { .. } => panic!("this is a kernel constant, not a kernel function"),
        Item::Struct { .. } => panic!("a kernel struct has named fields: `S {{ x: .. }}`"),
    };
    assert!(sig.params.len() == args.len(), "wrong number of arguments");
    let mut i = 0;
    while i < args.len() {
        if let Some(ty) = &args[i] {
            assert!(
                same_type(ty, &sig.params[i].ty),
                "#[kernel] took an argument of this call for another type than the kernel has: write the literal with a \
                 suffix, or `let x: TYPE = ...` before the call"
            );
        }
        i += 1;
    }
    assert!(
        same_type(&sig.result, &result),
        "#[kernel] cannot see the type of this call and took it for another (f64 where nothing says): write \
         `let x: TYPE = ...`"
    );
}

/// Compile-time check of the use of a constant.
pub const fn check_const(callee: &EmittedShard, used: Type) {
    let ty = match callee.item {
        Item::Const { ty, .. } => ty,
        Item::Struct { .. } => panic!("this is a kernel struct, not a constant"),
        _ => panic!("this is a kernel function, not a constant: call it"),
    };
    assert!(
        same_type(&ty, &used),
        "#[kernel] took this constant for another type (f64 where nothing says): write `let x: TYPE = CONSTANT;`"
    );
}

/// Compile-time check of a constant that is only passed on, so that the function does not say its type.
pub const fn check_passed_const(constant: &EmittedShard) {
    match constant.item {
        // In C a table lies in constant memory: who passes it must know how much to copy.
        Item::Const { ty: Type::Array(..), .. } => {
            panic!("a table is passed as a variable of known type: write `let x: TYPE = CONSTANT;`")
        }
        Item::Const { .. } => {}
        Item::Struct { .. } => panic!("this is a kernel struct, not a constant"),
        _ => panic!("this is a kernel function, not a constant: call it"),
    }
}

/// Compile-time check that a path used as a type names a kernel struct.
pub const fn check_struct(shard: &EmittedShard) {
    assert!(matches!(shard.item, Item::Struct { .. }), "this is a kernel, not a `#[kernel] struct`");
}

/// `t.1` names part 1 of a tuple; `s.hi` a field.
const fn part_number(name: &str) -> Option<usize> {
    let (digits, mut number, mut i) = (name.as_bytes(), 0, 0);
    while i < digits.len() {
        if !digits[i].is_ascii_digit() {
            return None;
        }
        number = 10 * number + (digits[i] - b'0') as usize;
        i += 1;
    }
    Some(number)
}

/// Compile-time check of the use of a field, or of a part of a tuple.
pub const fn check_field(structure: Type, name: &str, used: Type) {
    let fields = match (structure, part_number(name)) {
        (Type::Struct(shard), None) => match shard.item {
            Item::Struct { fields } => fields,
            _ => panic!("this is not a kernel struct"),
        },
        (Type::Tuple(items), Some(index)) => {
            assert!(index < items.len(), "the tuple has no such part");
            assert!(
                same_type(&items[index], &used),
                "#[kernel] cannot see the type of this part of a tuple and took it for another (f64 where nothing says): \
                 write `let x: TYPE = t.0;`"
            );
            return;
        }
        (_, None) => panic!("this value is not a kernel struct"),
        (_, Some(_)) => panic!("this value is not a tuple"),
    };
    let mut i = 0;
    while i < fields.len() {
        if same_text(fields[i].name, name) {
            assert!(
                same_type(&fields[i].ty, &used),
                "#[kernel] cannot see the type of this field and took it for another (f64 where nothing says): write \
                 `let x: TYPE = s.field;`"
            );
            return;
        }
        i += 1;
    }
    panic!("the kernel struct has no such field");
}

/// Compile-time check of what an inline kernel calls.
pub const fn check_inline(inline: bool) {
    assert!(inline, "a `#[kernel(inline)]` function may call only `#[kernel(inline)]` functions");
}

/// Compile-time check of the parts of a masked kernel.
pub const fn check_masked(inline: bool) {
    assert!(inline, "the test and the main path of a `#[kernel(masked)]` function must be `#[kernel(inline)]`");
}
