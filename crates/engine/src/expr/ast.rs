//! What the parser makes of an expression, before any name is looked up.

/// A range of bytes of the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// From the start of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

/// `name = expression`; without a name, the text of the expression is the name, as in R's data frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The name of the result.
    pub name: String,
    /// Its value.
    pub value: Expr,
    /// The whole text, for messages that point into it.
    pub source: String,
}

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// Whether it calls one of the functions that combine all rows.
    pub fn has_reduction(&self) -> bool {
        match &self.kind {
            ExprKind::Call { function, arguments, .. } => {
                super::functions::is_reduction(function) || arguments.iter().any(|a| a.value.has_reduction())
            }
            ExprKind::Unary(_, inner) => inner.has_reduction(),
            ExprKind::Binary(_, a, b) => a.has_reduction() || b.has_reduction(),
            _ => false,
        }
    }
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `1.5`, `0x1F`, `3L`, `Inf`, `NaN`, `pi`.
    Number(f64),
    /// `TRUE`, `FALSE`, `T`, `F`.
    Bool(bool),
    /// `NA`: a value that is not known.
    Missing,
    /// `"m"` or `'m'`: what columns of text are compared with.
    Text(String),
    /// A column, or an earlier result.
    Name(String),
    /// `f(a, b = c)`.
    Call {
        /// The function's name.
        function: String,
        /// Where the name stands.
        function_span: Span,
        /// What it is called with.
        arguments: Vec<Argument>,
    },
    /// `-x`, `+x`, `!x`.
    Unary(UnaryOp, Box<Expr>),
    /// `x + y` and the like.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// One argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// `mean` of `mean = 3`, and where it stands.
    pub name: Option<(String, Span)>,
    /// Its value.
    pub value: Expr,
}

/// Operators before their operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `+x`
    Plus,
    /// `!x`
    Not,
}

/// Operators between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `x + y`
    Add,
    /// `x - y`
    Subtract,
    /// `x * y`
    Multiply,
    /// `x / y`
    Divide,
    /// `x ^ y`
    Power,
    /// `x %% y`: the remainder with the sign of `y`
    Modulo,
    /// `x %/% y`: the floor of the quotient
    FloorDivide,
    /// `x == y`
    Equal,
    /// `x != y`
    NotEqual,
    /// `x < y`
    Less,
    /// `x <= y`
    LessEqual,
    /// `x > y`
    Greater,
    /// `x >= y`
    GreaterEqual,
    /// `x & y`
    And,
    /// `x | y`
    Or,
    /// `x %in% c(1, 2)`: whether it is one of several constants
    In,
}

impl BinaryOp {
    /// As R writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Power => "^",
            BinaryOp::Modulo => "%%",
            BinaryOp::FloorDivide => "%/%",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::In => "%in%",
        }
    }
}
