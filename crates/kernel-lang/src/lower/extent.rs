//! Where an expression stands: from its first token to its last.
//!
//! `Spanned::span` finds the same two by writing out all tokens between them, which for every expression within the next is
//! quadratic in the length of a text. Here only the left and the right edge of the tree are followed.

use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

pub(super) fn extent(e: &Expr) -> Span {
    let first = first(e);
    first.join(last(e)).unwrap_or(first)
}

fn first(mut e: &Expr) -> Span {
    loop {
        e = match e {
            Expr::Assign(a) => &a.left,
            Expr::Binary(b) => &b.left,
            Expr::Call(c) => &c.func,
            Expr::Cast(c) => &c.expr,
            Expr::Field(f) => &f.base,
            Expr::Index(i) => &i.expr,
            Expr::MethodCall(m) => &m.receiver,
            Expr::Array(a) => return a.bracket_token.span.join(),
            Expr::Paren(p) => return p.paren_token.span.join(),
            Expr::Tuple(t) => return t.paren_token.span.join(),
            Expr::Unary(u) => return u.op.span(),
            other => return other.span(),
        }
    }
}

fn last(mut e: &Expr) -> Span {
    loop {
        e = match e {
            Expr::Assign(a) => &a.right,
            Expr::Binary(b) => &b.right,
            Expr::Unary(u) => &u.expr,
            Expr::Array(a) => return a.bracket_token.span.join(),
            Expr::Call(c) => return c.paren_token.span.join(),
            Expr::Cast(c) => return c.ty.span(),
            Expr::Field(f) => return f.member.span(),
            Expr::Index(i) => return i.bracket_token.span.join(),
            Expr::MethodCall(m) => return m.paren_token.span.join(),
            Expr::Paren(p) => return p.paren_token.span.join(),
            Expr::Tuple(t) => return t.paren_token.span.join(),
            other => return other.span(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_is_that_of_all_tokens() {
        let texts = [
            "a + b * f(c, d)",
            "(a).g(1)[2].h as f64",
            "-x.0",
            "[1.0, y]",
            "(p, q)",
            "a = b = c",
            "!m",
            "x",
            "1.5e3",
            "if a { b } else { c }",
            "a.b(c) - { let d = 1; d }",
            "s::T { x: 1 }",
            "f",
            "a..b",
            "*p",
            "(a + b) * (c + d)",
            "x as u64 as f64",
            "a += 2",
            "match a { 1 => 2, _ => 3 }",
            "f(g(h(1)))",
        ];
        for text in texts {
            let e: Expr = syn::parse_str(text).expect(text);
            let (ours, whole) = (extent(&e), e.span());
            assert_eq!((ours.start(), ours.end()), (whole.start(), whole.end()), "{text}");
        }
    }
}
