//! The typed intermediate form. Types may be [`Ty::Var`] while inference runs; the emitter resolves them.

use proc_macro2::Span;

/// A type of the kernel language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    F64,
    I32,
    I64,
    U32,
    U64,
    /// Only for indices: 64 bits on every device.
    Usize,
    Bool,
    Unit,
    /// The type of `return`, `break` and `continue`.
    Never,
    Tuple(Vec<Ty>),
    Array(Box<Ty>, usize),
    /// `&mut T`
    Ref(Box<Ty>),
    Var(usize),
}

impl Ty {
    pub fn is_int(&self) -> bool {
        matches!(self, Ty::I32 | Ty::I64 | Ty::U32 | Ty::U64 | Ty::Usize)
    }
    pub fn is_signed(&self) -> bool {
        matches!(self, Ty::I32 | Ty::I64)
    }
    pub fn bits(&self) -> u32 {
        if matches!(self, Ty::I32 | Ty::U32) { 32 } else { 64 }
    }
    /// Short name, used in the names of helpers and of tuple structs.
    pub fn tag(&self) -> String {
        match self {
            Ty::F64 => "f64".into(),
            Ty::I32 => "i32".into(),
            Ty::I64 => "i64".into(),
            Ty::U32 => "u32".into(),
            Ty::U64 => "u64".into(),
            Ty::Usize => "usize".into(),
            Ty::Bool => "bool".into(),
            Ty::Unit => "()".into(),
            Ty::Never => "!".into(),
            Ty::Tuple(items) => items.iter().map(Ty::tag).collect::<Vec<_>>().join("_"),
            Ty::Array(elem, n) => format!("[{}; {n}]", elem.tag()),
            Ty::Ref(inner) => format!("&mut {}", inner.tag()),
            Ty::Var(_) => "_".into(),
        }
    }
}

/// The OpenCL C spelling of a type.
pub fn c_type(ty: &Ty) -> String {
    match ty {
        Ty::F64 => "double".into(),
        Ty::I32 | Ty::Bool => "int".into(),
        Ty::I64 => "long".into(),
        Ty::U32 => "uint".into(),
        Ty::U64 | Ty::Usize => "ulong".into(),
        Ty::Unit | Ty::Never => "void".into(),
        Ty::Tuple(_) => format!("gm_t_{}", ty.tag()),
        Ty::Array(elem, _) => c_type(elem),
        Ty::Ref(inner) => format!("{} *", c_type(inner)),
        Ty::Var(_) => unreachable!("types are resolved before they are spelled"),
    }
}

pub type LocalId = usize;
pub type LoopId = usize;

#[derive(Debug, Clone)]
pub struct Local {
    pub name: String,
    pub ty: Ty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: Kind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum Kind {
    Float(f64),
    Int(i128),
    Bool(bool),
    Unit,
    Local(LocalId),
    Const(usize),
    Unary(UnaryOp, Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    Call(usize, Vec<Expr>),
    /// An exact method; the receiver is the first argument.
    Method(&'static str, Vec<Expr>),
    Tuple(Vec<Expr>),
    Array(Vec<Expr>),
    Repeat(Box<Expr>, usize),
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, usize),
    Deref(Box<Expr>),
    RefMut(Box<Expr>),
    Block(Block),
    If(Box<Expr>, Block, Option<Box<Expr>>),
    Match(Box<Expr>, Vec<Arm>),
    Loop(LoopId, Block),
    While(LoopId, Box<Expr>, Block),
    For {
        id: LoopId,
        var: Option<LocalId>,
        lo: Box<Expr>,
        hi: Box<Expr>,
        inclusive: bool,
        rev: bool,
        body: Block,
    },
    Assign(Box<Expr>, Box<Expr>),
    /// Destructuring assignment.
    AssignTuple(Vec<Option<Expr>>, Box<Expr>),
    AssignOp(Op, Box<Expr>, Box<Expr>),
    Return(Option<Box<Expr>>),
    Break(LoopId, Option<Box<Expr>>),
    Continue(LoopId),
}

#[derive(Debug, Clone)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub tail: Option<Box<Expr>>,
    pub ty: Ty,
}

#[derive(Debug, Clone)]
pub enum Stmt {
    Let(Pat, Option<Expr>),
    Expr(Expr),
}

#[derive(Debug, Clone)]
pub enum Pat {
    Wild,
    Local(LocalId),
    Tuple(Vec<Pat>, Ty),
}

#[derive(Debug, Clone)]
pub struct Arm {
    /// Empty: matches everything. Each entry is an inclusive range.
    pub ranges: Vec<(Option<i128>, Option<i128>)>,
    pub bind: Option<LocalId>,
    pub guard: Option<Expr>,
    pub body: Expr,
}

#[derive(Debug, Clone)]
pub struct LoopInfo {
    pub ty: Ty,
    pub label: Option<String>,
    pub broken: bool,
    /// A `break`/`continue` that skips an inner loop needs a C label.
    pub far_break: bool,
    pub far_continue: bool,
}

#[derive(Debug)]
pub struct Func {
    pub params: Vec<(LocalId, Ty)>,
    pub ret: Ty,
    pub locals: Vec<Local>,
    pub loops: Vec<LoopInfo>,
    pub body: Block,
    pub references: Vec<(syn::Path, Span)>,
    pub types: crate::infer::Types,
}
