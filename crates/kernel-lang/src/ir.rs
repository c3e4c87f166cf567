//! The typed intermediate form of one kernel function.
//!
//! [`crate::translate`] makes it; every [`Expr`] then carries its final type (no inference variable is left), every name is
//! a [`LocalId`] or an index into [`Func::references`], and control flow is structured: blocks, `if`, `match` and three
//! loops, left by `break`, `continue` and `return`. The C emitter and the interpreter both start from here, and so may
//! any other lowering.
//!
//! What an `Expr` means is what the same Rust means, made total (docs/kernel-language.md): operands are evaluated left
//! to right, the right side of an assignment before its place; integers wrap; an index is clamped into its array.

use gristmill_scalar::{CType, Scalar, TypeShape, type_name, type_tag};
use proc_macro2::Span;
use std::fmt;

/// A type of the kernel language.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A number or bool.
    Scalar(Scalar),
    /// No value.
    Unit,
    /// The type of `return`, `break` and `continue`.
    Never,
    /// A tuple of two or more.
    Tuple(Vec<Ty>),
    /// A fixed-size array. Length 0 stands for "known to the definition only" (a constant table, a field).
    Array(Box<Ty>, usize),
    /// A `#[kernel] struct`.
    Struct(StructRef),
    /// `&mut T`: a parameter, or `&mut place` as an argument.
    Ref(Box<Ty>),
    /// `&[T]` (false) or `&mut [T]` (true): parameters of an entry point.
    Slice(Scalar, bool),
    /// Only while inference runs.
    Var(usize),
}

/// As derived, but for a scalar, which nearly every type is: `show --lang ir` has its name alone.
impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(scalar) => scalar.fmt(f),
            Ty::Unit => f.write_str("Unit"),
            Ty::Never => f.write_str("Never"),
            Ty::Tuple(parts) => f.debug_tuple("Tuple").field(parts).finish(),
            Ty::Array(element, length) => f.debug_tuple("Array").field(element).field(length).finish(),
            Ty::Struct(of) => f.debug_tuple("Struct").field(of).finish(),
            Ty::Ref(to) => f.debug_tuple("Ref").field(to).finish(),
            Ty::Slice(element, written) => f.debug_tuple("Slice").field(element).field(written).finish(),
            Ty::Var(number) => f.debug_tuple("Var").field(number).finish(),
        }
    }
}

/// How a function knows a struct: by its path, or as what another kernel returns, a constant or a field is (which may then be a tuple too).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StructRef {
    /// `references[i]` names the struct.
    Path(usize),
    /// `references[i]` is a kernel that returns it, or a constant of this type. Where fields are numbered it is a tuple; where
    /// none is named it may be any type: the function only passes the value on.
    ResultOf(usize),
    /// A field, of any type, that is passed on to a kernel or into a struct: only their definitions say what it is.
    Passed,
}

/// Stands for the type of a field that is passed on, where C needs its name: it has none.
pub(crate) const UNKNOWN_TYPE: &str = "gm_unknown_type";

/// The scalars under their own names, also as patterns.
#[expect(non_upper_case_globals, missing_docs, reason = "they stand for the variants of `Scalar`")]
impl Ty {
    pub const F64: Ty = Ty::Scalar(Scalar::F64);
    pub const F32: Ty = Ty::Scalar(Scalar::F32);
    pub const I32: Ty = Ty::Scalar(Scalar::I32);
    pub const I64: Ty = Ty::Scalar(Scalar::I64);
    pub const U32: Ty = Ty::Scalar(Scalar::U32);
    pub const U64: Ty = Ty::Scalar(Scalar::U64);
    pub const Usize: Ty = Ty::Scalar(Scalar::Usize);
    pub const Bool: Ty = Ty::Scalar(Scalar::Bool);
}

impl Ty {
    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(s) => Some(*s),
            _ => None,
        }
    }
    /// An integer type, `usize` included.
    pub fn is_int(&self) -> bool {
        matches!(*self, Ty::I32 | Ty::I64 | Ty::U32 | Ty::U64 | Ty::Usize)
    }
    /// f64 or f32.
    pub fn is_float(&self) -> bool {
        matches!(*self, Ty::F64 | Ty::F32)
    }
    /// i32 or i64.
    pub fn is_signed(&self) -> bool {
        matches!(*self, Ty::I32 | Ty::I64)
    }
    /// A number or a bool.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Scalar(_))
    }
    /// Width of a number.
    pub fn bits(&self) -> u32 {
        if matches!(*self, Ty::I32 | Ty::U32 | Ty::F32) { 32 } else { 64 }
    }
    /// The spelling in Rust, for messages.
    pub fn spell(&self) -> String {
        match self {
            Ty::Scalar(s) => s.name().into(),
            Ty::Unit => "()".into(),
            Ty::Never => "!".into(),
            Ty::Tuple(items) => format!("({})", items.iter().map(Ty::spell).collect::<Vec<_>>().join(", ")),
            Ty::Array(elem, 0) => format!("[{}; _]", elem.spell()),
            Ty::Array(elem, n) => format!("[{}; {n}]", elem.spell()),
            Ty::Struct(StructRef::Path(_)) => "struct".into(),
            Ty::Struct(StructRef::ResultOf(_)) => "result of a call or constant".into(),
            Ty::Struct(StructRef::Passed) => "field".into(),
            Ty::Ref(inner) => format!("&mut {}", inner.spell()),
            Ty::Slice(elem, true) => format!("&mut [{elem}]"),
            Ty::Slice(elem, false) => format!("&[{elem}]"),
            Ty::Var(_) => "_".into(),
        }
    }
    /// Part of the names of helper functions in C, of tuples and arrays: [`type_tag`].
    pub fn tag(&self) -> String {
        type_tag(self, &struct_marker)
    }
}

impl CType for Ty {
    type Struct = StructRef;

    fn shape(&self) -> TypeShape<'_, Ty, StructRef> {
        match self {
            Ty::Scalar(s) => TypeShape::Scalar(*s),
            Ty::Unit | Ty::Never => TypeShape::Unit,
            Ty::Tuple(items) => TypeShape::Tuple(items),
            Ty::Array(elem, n) => TypeShape::Array(elem, *n),
            Ty::Struct(r) => TypeShape::Struct(*r),
            Ty::Ref(inner) => TypeShape::Ref(inner),
            Ty::Slice(elem, mutable) => TypeShape::Slice(*elem, *mutable),
            Ty::Var(_) => unreachable!("types are resolved before they are spelled"),
        }
    }
}

/// The name of a struct inside emitted text.
pub fn struct_marker(r: StructRef) -> String {
    use crate::{REF_END, REF_START};
    match r {
        StructRef::Path(i) => format!("{REF_START}{i}{REF_END}"),
        StructRef::ResultOf(i) => format!("{REF_START}r{i}{REF_END}"),
        StructRef::Passed => UNKNOWN_TYPE.into(),
    }
}

/// The OpenCL C spelling of a type; structs appear as reference markers.
pub fn c_type(ty: &Ty) -> String {
    type_name(ty, &struct_marker)
}

/// Index into [`Func::locals`].
pub type LocalId = usize;
/// Index into [`Func::loops`].
pub type LoopId = usize;

/// A parameter or variable. Shadowing makes a new one.
#[derive(Debug, Clone)]
pub struct Local {
    /// As in the source.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

/// Binary operators. On integers all are total: `+ - *` wrap, shifts mask their count, `x / 0 = 0`, `x % 0 = x`,
/// `MIN / -1 = MIN`, `MIN % -1 = 0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the operators of Rust")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`; wraps on integers.
    Neg,
    /// `!x`, of bools and integers.
    Not,
}

/// An expression with its type and its place in the source.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// Its type.
    pub ty: Ty,
    /// Its first token.
    pub span: Span,
}

/// A float literal, rounded once to either width.
#[derive(Debug, Clone, Copy)]
pub struct FloatLit {
    /// The value as f64.
    pub f64: f64,
    /// The value as f32.
    pub f32: f32,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A float literal or known constant (`f64::NAN`, `consts::PI`).
    Float(FloatLit),
    /// An integer literal or known constant (`i32::MAX`).
    Int(i128),
    /// `true`, `false`.
    Bool(bool),
    /// `()`.
    Unit,
    /// The value of a variable; as a place, the variable.
    Local(LocalId),
    /// A `#[kernel] const`: index into the references.
    Const(usize),
    /// `-x`, `!x`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`; `&&` and `||` evaluate `b` only if needed.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `x as T` with `T` the type of this expression: saturating from floats, NaN to 0.
    Cast(Box<Expr>),
    /// A call of another kernel: index into the references, arguments.
    Call(usize, Vec<Expr>),
    /// An exact method by its name (docs/kernel-language.md#methods); the receiver is the first argument.
    Method(&'static str, Vec<Expr>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `[x; n]`.
    Repeat(Box<Expr>, usize),
    /// `S { field: value, .. }`, in the order written.
    Struct(Vec<(String, Expr)>),
    /// `base[index]`: of an array or constant table (clamped), or of a slice (outside: reads 0, writes nothing).
    Index(Box<Expr>, Box<Expr>),
    /// `slice.len()`.
    Len(Box<Expr>),
    /// `tuple.0`.
    Field(Box<Expr>, usize),
    /// `structure.field`.
    Member(Box<Expr>, String),
    /// `*reference`.
    Deref(Box<Expr>),
    /// `&mut place`.
    RefMut(Box<Expr>),
    /// `{ .. }`.
    Block(Block),
    /// `'a: { .. break 'a value .. }`.
    Labeled(LoopId, Block),
    /// `if c { } else { }`.
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// `match` on an integer or bool; the last arm needs no test.
    Match(Box<Expr>, Vec<Arm>),
    /// `loop { }`.
    Loop(LoopId, Block),
    /// `while c { }`.
    While(LoopId, Box<Expr>, Block),
    /// `for var in lo..hi`; the ends are evaluated once.
    For {
        /// The loop.
        id: LoopId,
        /// The loop variable, unless `_`.
        var: Option<LocalId>,
        /// First value.
        lo: Box<Expr>,
        /// Last value (inclusive) or the one after it.
        hi: Box<Expr>,
        /// `..=`
        inclusive: bool,
        /// `.rev()`
        rev: bool,
        /// What is repeated.
        body: Block,
    },
    /// `place = value`: the value first.
    Assign(Box<Expr>, Box<Expr>),
    /// `(a, _, b) = value`.
    AssignTuple(Vec<Option<Expr>>, Box<Expr>),
    /// `place op= value`: the value first.
    AssignOp(Op, Box<Expr>, Box<Expr>),
    /// `return value`.
    Return(Option<Box<Expr>>),
    /// `break 'id value`.
    Break(LoopId, Option<Box<Expr>>),
    /// `continue 'id`.
    Continue(LoopId),
}

/// Statements and a value.
#[derive(Debug, Clone)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub tail: Option<Box<Expr>>,
    /// The type of the value.
    pub ty: Ty,
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Stmt {
    /// `let pattern = value;`
    Let(Pat, Option<Expr>, Span),
    /// An expression for its effect.
    Expr(Expr),
}

/// What a `let` binds.
#[derive(Debug, Clone)]
pub enum Pat {
    /// `_`
    Wild,
    /// A variable.
    Local(LocalId),
    /// `(a, b)`, and the type of the whole.
    Tuple(Vec<Pat>, Ty),
}

/// One arm of a `match`.
#[derive(Debug, Clone)]
pub struct Arm {
    /// Inclusive ranges; empty: matches everything.
    pub ranges: Vec<(Option<i128>, Option<i128>)>,
    /// `x => ..` binds the value.
    pub bind: Option<LocalId>,
    /// `if ..` after the pattern.
    pub guard: Option<Expr>,
    /// The value of the arm.
    pub body: Expr,
}

/// A loop or labelled block.
#[derive(Debug, Clone)]
pub struct LoopInfo {
    /// The type of its value.
    pub ty: Ty,
    /// Its label.
    pub label: Option<String>,
    /// A labelled block, not a loop.
    pub block: bool,
    /// Some `break` leaves it.
    pub broken: bool,
    /// A `break` leaves it from inside an inner loop.
    pub far_break: bool,
    /// A `continue` goes to it from inside an inner loop.
    pub far_continue: bool,
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct FuncParam {
    /// The variable it initialises.
    pub id: LocalId,
    /// Its type.
    pub ty: Ty,
}

/// What a block loop knows about a function besides its body; callees are indices into [`Func::references`].
#[derive(Debug, Clone, Default)]
pub enum Shape {
    /// Nothing.
    #[default]
    Plain,
    /// `#[kernel(split)]`.
    Split(Split),
    /// `#[kernel(masked)]`.
    Masked(Masked),
}

/// `eval(x.., setup(params..), flags..)`: which parameters go where.
#[derive(Debug, Clone)]
pub struct Split {
    /// What is done with the varying arguments, the setup and the flags.
    pub eval: Eval,
    /// The function of the parameters.
    pub setup: usize,
    /// Indices of the parameters that stand before `setup(..)`.
    pub varying: Vec<usize>,
    /// Indices of the parameters that `setup` takes.
    pub params: Vec<usize>,
    /// Indices of the parameters that stand after `setup(..)`.
    pub flags: Vec<usize>,
    /// The function of the same parameters for the path of the rest, where that has a setup of its own.
    pub setup_of_rest: Option<usize>,
}

impl Split {
    /// The arguments of what is done for each element, in order: `setup` among those that `argument` gives by their index.
    pub fn arguments<T>(&self, setup: T, argument: impl Fn(usize) -> T) -> Vec<T> {
        let (before, after) = (self.varying.iter().map(|i| argument(*i)), self.flags.iter().map(|i| argument(*i)));
        before.chain([setup]).chain(after).collect()
    }
}

/// What a split function does for each element.
#[derive(Debug, Clone)]
pub enum Eval {
    /// One function.
    Call(usize),
    /// `let s = setup(params..); if in_main(x.., s) { main(x.., s) } else { rest(x.., s) }`.
    Masked(Masked),
}

/// How it is known where the main path of a masked function holds.
#[derive(Debug, Clone, Copy)]
pub enum Test {
    /// By a function of the arguments, before the main path.
    Arguments(usize),
    /// By a function of what the main path gives.
    Result(usize),
}

/// `if in_main(args) { main(args) } else { rest(args) }`: two functions of the same arguments, and which of them holds.
#[derive(Debug, Clone)]
pub struct Masked {
    /// Where `main` holds.
    pub test: Test,
    /// The path of most elements.
    pub main: usize,
    /// Everything else.
    pub rest: usize,
}

/// One function.
#[derive(Debug, Clone)]
pub struct Func {
    /// Its name in Rust.
    pub name: String,
    /// In order.
    pub params: Vec<FuncParam>,
    /// What it returns.
    pub ret: Ty,
    /// All variables.
    pub locals: Vec<Local>,
    /// All loops.
    pub loops: Vec<LoopInfo>,
    /// The body.
    pub body: Block,
    /// Everything outside the function that it names.
    pub references: Vec<crate::Reference>,
    /// What block loops know about it.
    pub shape: Shape,
}

impl Expr {
    /// Calls `f` on this expression and every one in it, outermost first.
    pub fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        visit_expr(self, f);
    }
}

/// The variable that a place is part of.
pub(crate) fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        Kind::Local(id) => Some(*id),
        Kind::Field(base, _) | Kind::Member(base, _) | Kind::Index(base, _) => root(base),
        _ => None,
    }
}

impl Func {
    /// For each local, whether it is assigned somewhere after its declaration.
    pub(crate) fn assigned(&self) -> Vec<bool> {
        let mut assigned = vec![false; self.locals.len()];
        self.visit(&mut |e| match &e.kind {
            Kind::Assign(place, _) | Kind::AssignOp(_, place, _) | Kind::RefMut(place) => {
                root(place).into_iter().for_each(|id| assigned[id] = true);
            }
            Kind::AssignTuple(places, _) => {
                places.iter().flatten().filter_map(root).for_each(|id| assigned[id] = true);
            }
            _ => {}
        });
        assigned
    }

    /// Calls `f` on every expression, outermost first.
    pub fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        visit_block(&self.body, f);
    }
}

fn visit_block(b: &Block, f: &mut dyn FnMut(&Expr)) {
    for s in &b.stmts {
        match s {
            Stmt::Let(_, Some(e), _) | Stmt::Expr(e) => visit_expr(e, f),
            Stmt::Let(_, None, _) => {}
        }
    }
    if let Some(t) = &b.tail {
        visit_expr(t, f);
    }
}

fn visit_expr(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(e);
    match &e.kind {
        Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Unit | Kind::Local(_) | Kind::Const(_) => {}
        Kind::Continue(_) | Kind::Return(None) | Kind::Break(_, None) => {}
        Kind::Unary(_, a)
        | Kind::Cast(a)
        | Kind::Repeat(a, _)
        | Kind::Len(a)
        | Kind::Field(a, _)
        | Kind::Member(a, _)
        | Kind::Deref(a)
        | Kind::RefMut(a)
        | Kind::Return(Some(a))
        | Kind::Break(_, Some(a)) => visit_expr(a, f),
        Kind::Binary(_, a, b) | Kind::Index(a, b) | Kind::Assign(a, b) | Kind::AssignOp(_, a, b) => {
            visit_expr(a, f);
            visit_expr(b, f);
        }
        Kind::Call(_, list) | Kind::Method(_, list) | Kind::Tuple(list) | Kind::Array(list) => {
            list.iter().for_each(|e| visit_expr(e, f));
        }
        Kind::Struct(fields) => fields.iter().for_each(|(_, e)| visit_expr(e, f)),
        Kind::Block(b) | Kind::Labeled(_, b) | Kind::Loop(_, b) => visit_block(b, f),
        Kind::If(c, then, other) => {
            visit_expr(c, f);
            visit_block(then, f);
            if let Some(o) = other {
                visit_expr(o, f);
            }
        }
        Kind::Match(s, arms) => {
            visit_expr(s, f);
            for a in arms {
                if let Some(g) = &a.guard {
                    visit_expr(g, f);
                }
                visit_expr(&a.body, f);
            }
        }
        Kind::While(_, c, b) => {
            visit_expr(c, f);
            visit_block(b, f);
        }
        Kind::For { lo, hi, body, .. } => {
            visit_expr(lo, f);
            visit_expr(hi, f);
            visit_block(body, f);
        }
        Kind::AssignTuple(places, v) => {
            places.iter().flatten().for_each(|e| visit_expr(e, f));
            visit_expr(v, f);
        }
    }
}
