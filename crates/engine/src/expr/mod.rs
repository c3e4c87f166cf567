//! The expression language: R's syntax for arithmetic, comparisons and calls, over columns.
//!
//! [`parse`] turns text into a [`Statement`]; [`functions`] knows R's functions, their arguments and defaults.

mod ast;
mod error;
pub mod functions;
mod lexer;
mod parser;

pub use ast::{Argument, BinaryOp, Expr, ExprKind, Span, Statement, UnaryOp};
pub use error::ExprError;
pub use gristmill_support::nearest;
pub use parser::{parse, parse_condition, parse_expression};
