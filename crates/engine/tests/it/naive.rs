//! The slow, obvious meaning of an expression: one row at a time, straight down the tree, R's rules for missing values
//! written out. It shares nothing with the engine but the parser and the scalar functions.

use gristmill_engine::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use gristmill_nmath as nmath;

/// A value of one row; `None` is NA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    Number(Option<f64>),
    Truth(Option<bool>),
}

impl Cell {
    fn number(self) -> Option<f64> {
        match self {
            Cell::Number(x) => x,
            Cell::Truth(b) => b.map(|b| f64::from(u8::from(b))),
        }
    }

    fn truth(self) -> Option<bool> {
        match self {
            Cell::Truth(b) => b,
            Cell::Number(x) => x.filter(|x| !x.is_nan()).map(|x| x != 0.0),
        }
    }

    /// Equal bits; all NaN are alike.
    pub(crate) fn same(self, other: Cell) -> bool {
        match (self, other) {
            (Cell::Number(Some(a)), Cell::Number(Some(b))) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (a, b) => a == b,
        }
    }
}

pub(crate) fn evaluate(expr: &Expr, row: &dyn Fn(&str) -> Cell) -> Cell {
    let arithmetic =
        |a: Cell, b: Cell, f: fn(f64, f64) -> f64| Cell::Number(a.number().zip(b.number()).map(|(a, b)| f(a, b)));
    let comparison = |a: Cell, b: Cell, f: fn(&f64, &f64) -> bool| {
        let both = a.number().zip(b.number()).filter(|(a, b)| !a.is_nan() && !b.is_nan());
        Cell::Truth(both.map(|(a, b)| f(&a, &b)))
    };
    match &expr.kind {
        ExprKind::Number(x) => Cell::Number(Some(*x)),
        ExprKind::Bool(b) => Cell::Truth(Some(*b)),
        ExprKind::Missing => Cell::Truth(None),
        ExprKind::Text(text) => panic!("the naive interpreter has no text: {text:?}"),
        ExprKind::Name(name) => row(name),
        ExprKind::Unary(op, inner) => {
            let inner = evaluate(inner, row);
            match op {
                UnaryOp::Negate => Cell::Number(inner.number().map(|x| -x)),
                UnaryOp::Plus => Cell::Number(inner.number()),
                UnaryOp::Not => Cell::Truth(inner.truth().map(|b| !b)),
            }
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (evaluate(a, row), evaluate(b, row));
            match op {
                BinaryOp::Add => arithmetic(a, b, |a, b| a + b),
                BinaryOp::Subtract => arithmetic(a, b, |a, b| a - b),
                BinaryOp::Multiply => arithmetic(a, b, |a, b| a * b),
                BinaryOp::Divide => arithmetic(a, b, |a, b| a / b),
                BinaryOp::Power => match (a.number(), b.number()) {
                    (_, Some(0.0)) | (Some(1.0), _) => Cell::Number(Some(1.0)),
                    _ => arithmetic(a, b, nmath::r_pow),
                },
                BinaryOp::Modulo => arithmetic(a, b, remainder),
                BinaryOp::FloorDivide => arithmetic(a, b, gristmill_engine::ops::floor_divide),
                BinaryOp::Equal => comparison(a, b, f64::eq),
                BinaryOp::NotEqual => comparison(a, b, f64::ne),
                BinaryOp::Less => comparison(a, b, f64::lt),
                BinaryOp::LessEqual => comparison(a, b, f64::le),
                BinaryOp::Greater => comparison(a, b, f64::gt),
                BinaryOp::GreaterEqual => comparison(a, b, f64::ge),
                BinaryOp::And => Cell::Truth(match (a.truth(), b.truth()) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                }),
                BinaryOp::Or => Cell::Truth(match (a.truth(), b.truth()) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }),
                BinaryOp::In => panic!("the naive interpreter has no `%in%`"),
            }
        }
        ExprKind::Call { function, arguments, .. } => {
            let cells: Vec<Cell> = arguments.iter().map(|a| evaluate(&a.value, row)).collect();
            call(function, &cells)
        }
    }
}

/// Rust's own exact remainder, moved to the sign of the divisor.
fn remainder(a: f64, b: f64) -> f64 {
    if b.is_infinite() && a.is_finite() {
        return if a == 0.0 || (a < 0.0) == (b < 0.0) { a } else { b };
    }
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

fn call(function: &str, cells: &[Cell]) -> Cell {
    let one = |f: fn(f64) -> f64| Cell::Number(cells[0].number().map(f));
    let test = |f: fn(f64) -> bool, missing: bool| match cells[0] {
        Cell::Number(Some(x)) => Cell::Truth(Some(f(x))),
        Cell::Number(None) | Cell::Truth(None) => Cell::Truth(Some(missing)),
        Cell::Truth(Some(b)) => Cell::Truth(Some(f(f64::from(u8::from(b))))),
    };
    match function {
        "exp" => one(nmath::exp),
        "log" => one(nmath::log),
        "sin" => one(nmath::sin),
        "sqrt" => one(f64::sqrt),
        "abs" => one(f64::abs),
        "floor" => one(f64::floor),
        "pmin" => {
            Cell::Number(cells[0].number().zip(cells[1].number()).map(|(a, b)| gristmill_engine::ops::smaller(a, b)))
        }
        "is.na" => test(f64::is_nan, true),
        "is.nan" => test(f64::is_nan, false),
        "is.finite" => test(f64::is_finite, false),
        "is.infinite" => test(f64::is_infinite, false),
        "xor" => Cell::Truth(cells[0].truth().zip(cells[1].truth()).map(|(a, b)| a != b)),
        "ifelse" => {
            let truths = matches!((cells[1], cells[2]), (Cell::Truth(_), Cell::Truth(_)));
            let chosen = cells[0].truth().map(|t| if t { cells[1] } else { cells[2] });
            match chosen {
                None if truths => Cell::Truth(None),
                None => Cell::Number(None),
                Some(cell) if truths => cell,
                Some(cell) => Cell::Number(cell.number()),
            }
        }
        other => panic!("the naive interpreter has no `{other}`"),
    }
}
