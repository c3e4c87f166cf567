//! Which expressions are one pure C expression, and which of those may be written twice.

use super::*;

pub(super) fn block_is_plain(b: &Block) -> bool {
    b.stmts.is_empty() && b.tail.as_ref().is_some_and(|t| !needs(t))
}

/// A constant table, or a row of one: lives in `__constant` memory and cannot be copied by `=`.
pub(super) fn in_table(e: &Expr) -> bool {
    match &e.kind {
        Kind::Const(_) => matches!(e.ty, Ty::Array(..)),
        Kind::Index(base, _) => in_table(base),
        _ => false,
    }
}

/// Short `[x; n]` are written out.
pub(super) const UNROLL: usize = 8;

/// Does this expression need statements, or have effects? Otherwise it is one pure C expression.
pub(super) fn needs(e: &Expr) -> bool {
    match &e.kind {
        Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Local(_) | Kind::Len(_) => false,
        Kind::Const(_) => matches!(e.ty, Ty::Array(..)),
        Kind::Index(a, b) => match a.ty {
            Ty::Slice(..) => !is_simple(b), // tested, then used: twice
            _ => index_needs(a) || needs(b) || (in_table(e) && matches!(e.ty, Ty::Array(..))),
        },
        Kind::Unary(_, a) | Kind::Cast(a) | Kind::Field(a, _) | Kind::Member(a, _) | Kind::Deref(a) => needs(a),
        Kind::RefMut(a) => match &a.kind {
            Kind::Index(base, i) => index_needs(base) || needs(i),
            _ => needs(a),
        },
        Kind::Binary(_, a, b) => needs(a) || needs(b),
        Kind::Call(_, args) => args.iter().any(|a| needs(a) || matches!(a.ty, Ty::Ref(_))),
        Kind::Method(_, args) | Kind::Tuple(args) | Kind::Array(args) => args.iter().any(needs),
        Kind::Struct(fields) => fields.iter().any(|(_, v)| needs(v)),
        Kind::Repeat(v, n) => needs(v) || *n > UNROLL || !is_simple(v),
        Kind::Block(b) => !block_is_plain(b),
        Kind::If(c, then, Some(other)) => needs(c) || !block_is_plain(then) || needs(other) || e.ty == Ty::Never,
        _ => true,
    }
}

/// The base of an index is a place, so a table there needs no copy.
pub(super) fn index_needs(base: &Expr) -> bool {
    match &base.kind {
        Kind::Const(_) => false,
        Kind::Index(b, i) => index_needs(b) || needs(i),
        _ => needs(base),
    }
}

/// May be written twice.
pub(super) fn is_simple(e: &Expr) -> bool {
    matches!(e.kind, Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Local(_))
}

/// `v` with parentheses unless it is one name, number, call or parenthesised already.
pub(super) fn atom(v: &str) -> String {
    let number = v.starts_with(|c: char| c.is_ascii_digit()) && !v.contains(' ');
    let mut depth = 0usize;
    let mut plain = true;
    for c in v.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            c if depth == 0 => {
                plain &= c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | REF_START | REF_END);
            }
            _ => {}
        }
    }
    // `(int)x`: a cast is no atom.
    let cast = v.starts_with('(') && !matching_paren_ends(v);
    if number || (plain && !cast) { v.to_string() } else { format!("({v})") }
}

fn matching_paren_ends(v: &str) -> bool {
    let mut depth = 0usize;
    for (i, c) in v.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return i + 1 == v.len();
                }
            }
            _ => {}
        }
    }
    false
}
