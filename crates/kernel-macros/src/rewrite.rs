//! The native body: operations that Rust leaves open or lets panic go to `gristmill_kernel::__private::exact`, calls of kernels go
//! to their version for the same instruction set. Everything else stays as written.
//!
//! The other lowerings print the IR; this one changes the source, because rustc is the judge of what the macro cannot see. A wrong
//! guess of a type, an unused variable, a lint are reported at the token that the user wrote, and `debug_assert!` runs and a
//! debugger steps through the function as it stands: the IR has neither the tokens nor those statements. A printer of it that kept
//! them would be longer than this file, which touches a dozen kinds of expressions of three dozen.
//!
//! The types come from the lowering by position: `syn`'s two visitors meet the expressions of a body in one order, and every body is
//! counted to its end.

use gristmill_kernel_lang::{Translation, Ty, callee};
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, UnOp};

/// Rewrites the body of a kernel; `isa` is the variable with the instruction set.
pub(crate) fn rewrite(block: &mut syn::Block, t: &Translation, isa: Ident) {
    let mut rewrite = Rewrite { t, isa, count: 0 };
    rewrite.visit_block_mut(block);
    assert_eq!(rewrite.count, t.node_types.len(), "every expression has its type");
}

struct Rewrite<'a> {
    t: &'a Translation,
    isa: Ident,
    /// Expressions met so far: the index into the types.
    count: usize,
}

/// Methods whose result Rust leaves open for some arguments.
const OPEN: &[&str] = &["min", "max", "to_bits", "is_sign_negative", "is_sign_positive", "copysign"];

fn operator(op: &BinOp) -> Option<(&'static str, bool)> {
    Some(match op {
        BinOp::Add(_) => ("add", false),
        BinOp::Sub(_) => ("sub", false),
        BinOp::Mul(_) => ("mul", false),
        BinOp::Div(_) => ("div", false),
        BinOp::Rem(_) => ("rem", false),
        BinOp::Shl(_) => ("shl", false),
        BinOp::Shr(_) => ("shr", false),
        BinOp::AddAssign(_) => ("add", true),
        BinOp::SubAssign(_) => ("sub", true),
        BinOp::MulAssign(_) => ("mul", true),
        BinOp::DivAssign(_) => ("div", true),
        BinOp::RemAssign(_) => ("rem", true),
        BinOp::ShlAssign(_) => ("shl", true),
        BinOp::ShrAssign(_) => ("shr", true),
        _ => return None,
    })
}

/// `+=` as `+`.
fn plain(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinOp::Add(Default::default()),
        BinOp::SubAssign(_) => BinOp::Sub(Default::default()),
        BinOp::MulAssign(_) => BinOp::Mul(Default::default()),
        BinOp::DivAssign(_) => BinOp::Div(Default::default()),
        BinOp::BitAndAssign(_) => BinOp::BitAnd(Default::default()),
        BinOp::BitOrAssign(_) => BinOp::BitOr(Default::default()),
        BinOp::BitXorAssign(_) => BinOp::BitXor(Default::default()),
        _ => return None,
    })
}

fn exact(name: &str, span: Span) -> proc_macro2::TokenStream {
    let name = Ident::new(name, span);
    quote_spanned!(span => ::gristmill_kernel::__private::exact::#name)
}

/// The path of an expression as written, with its own row replaced by the first one: for the length of a table's row.
fn first_row(e: &Expr) -> Expr {
    match e {
        Expr::Index(i) => {
            let mut i = i.clone();
            *i.expr = first_row(&i.expr);
            *i.index = syn::parse_quote!(0);
            Expr::Index(i)
        }
        Expr::Field(f) => {
            let mut f = f.clone();
            *f.base = first_row(&f.base);
            Expr::Field(f)
        }
        Expr::Paren(p) => first_row(&p.expr),
        Expr::Group(p) => first_row(&p.expr),
        other => other.clone(),
    }
}

impl<'a> Rewrite<'a> {
    fn ty(&self, index: usize) -> Option<&'a Ty> {
        self.t.node_types.get(index).and_then(Option::as_ref)
    }

    fn is_int(&self, index: usize) -> bool {
        self.ty(index).is_some_and(Ty::is_int)
    }
}

impl VisitMut for Rewrite<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let me = self.count;
        self.count += 1;
        // The operand that is met first has the next index; for an element of a slice, its base the one after that.
        let first = me + 1;
        let slice_target = match &*e {
            Expr::Assign(a) => matches!(&*a.left, Expr::Index(_)),
            Expr::Binary(b) => plain(&b.op).is_some() && matches!(&*b.left, Expr::Index(_)),
            _ => false,
        } && matches!(self.ty(first + 1), Some(Ty::Slice(..)));
        if slice_target {
            // `x[i] = v`, `x[i] += v`: the left side is no place natively; take it apart before it is rewritten.
            match e {
                Expr::Assign(a) => {
                    let Expr::Index(i) = &mut *a.left else { return };
                    self.count += 1; // the element
                    self.visit_expr_mut(&mut i.expr);
                    self.visit_expr_mut(&mut i.index);
                    self.visit_expr_mut(&mut a.right);
                    let (base, index, right) = (&i.expr, &i.index, &a.right);
                    let store = exact("store", a.eq_token.span);
                    *e = syn::parse_quote!({ let gm_value = #right; #store(&mut *#base, #index, gm_value) });
                }
                Expr::Binary(b) => {
                    let int = self.is_int(first);
                    let Expr::Index(i) = &mut *b.left else { return };
                    self.count += 1;
                    self.visit_expr_mut(&mut i.expr);
                    self.visit_expr_mut(&mut i.index);
                    self.visit_expr_mut(&mut b.right);
                    let (base, index, right) = (&i.expr, &i.index, &b.right);
                    let span = b.op.span();
                    let (load, store) = (exact("load", span), exact("store", span));
                    let sum: Expr = match (operator(&b.op), plain(&b.op)) {
                        (Some((name, _)), _) if int => {
                            let f = exact(name, span);
                            syn::parse_quote!(#f(gm_old, gm_value))
                        }
                        (_, Some(op)) => syn::parse_quote!(gm_old #op gm_value),
                        _ => return,
                    };
                    *e = syn::parse_quote!({
                        let gm_value = #right;
                        let gm_index = #index;
                        let gm_old = #load(&*#base, gm_index);
                        #store(&mut *#base, gm_index, #sum)
                    });
                }
                _ => {}
            }
            return;
        }
        syn::visit_mut::visit_expr_mut(self, e);
        match e {
            Expr::Binary(b) => {
                let Some((name, assigns)) = operator(&b.op) else { return };
                if !self.is_int(first) {
                    return;
                }
                let (left, right) = (&b.left, &b.right);
                let span = b.op.span();
                let f = exact(name, span);
                *e = if assigns {
                    // The right side first, then the place, as Rust does for numbers.
                    syn::parse_quote_spanned!(span => {
                        let gm_value = #right;
                        let gm_place = &mut #left;
                        *gm_place = #f(*gm_place, gm_value);
                    })
                } else {
                    syn::parse_quote_spanned!(span => #f(#left, #right))
                };
            }
            Expr::Unary(u) => {
                if let UnOp::Neg(minus) = &u.op
                    && self.is_int(me)
                    && !matches!(&*u.expr, Expr::Lit(_))
                {
                    let (f, inner) = (exact("neg", minus.span), &u.expr);
                    *e = syn::parse_quote_spanned!(minus.span => #f(#inner));
                }
            }
            Expr::MethodCall(m) => {
                let name = m.method.to_string();
                let target = match name.as_str() {
                    n if OPEN.contains(&n) => n,
                    "abs" if self.is_int(first) => "abs",
                    "wrapping_div" => "div",
                    "wrapping_rem" => "rem",
                    _ => return,
                };
                let (f, receiver, args) = (exact(target, m.method.span()), &m.receiver, &m.args);
                *e = syn::parse_quote_spanned!(m.method.span() => #f(#receiver, #args));
            }
            Expr::Call(c) => {
                let Expr::Path(p) = &mut *c.func else { return };
                if gristmill_kernel_lang::is_builtin_path(&p.path) {
                    let name = p.path.segments[1].ident.clone();
                    let text = name.to_string();
                    let int = p.path.segments[0].ident != "f64" && p.path.segments[0].ident != "f32";
                    let target = match text.as_str() {
                        n if OPEN.contains(&n) => n,
                        "abs" if int => "abs",
                        "wrapping_div" => "div",
                        "wrapping_rem" => "rem",
                        _ => return,
                    };
                    // `f64::min(1.0, x)` says the type of its literals: keep that.
                    let (ty, f) = (&p.path.segments[0].ident, exact(target, name.span()));
                    p.path = syn::parse_quote_spanned!(name.span() => #f::<#ty>);
                    return;
                }
                let Some(index) = self.t.func.references.iter().position(|r| r.path == p.path) else { return };
                let callee = callee(index, self.t.func.references[index].span);
                p.path = syn::parse_quote!(#callee::call);
                let isa = &self.isa;
                c.args.insert(0, syn::parse_quote!(#isa));
            }
            Expr::Index(i) => {
                let span = i.bracket_token.span.join();
                match self.ty(first) {
                    Some(Ty::Slice(..)) => {
                        let (f, base, index) = (exact("load", span), &i.expr, &i.index);
                        *e = syn::parse_quote!(#f(&*#base, #index));
                    }
                    Some(Ty::Array(_, n)) => {
                        // In range: checked already.
                        if *n > 0 && matches!(&*i.index, Expr::Lit(_)) {
                            return;
                        }
                        let f = exact("index", span);
                        let index = &i.index;
                        *i.index = if *n > 0 {
                            syn::parse_quote_spanned!(span => #f(#index, #n))
                        } else {
                            let (len, row) = (exact("len", span), first_row(&i.expr));
                            syn::parse_quote_spanned!(span => #f(#index, #len(&#row)))
                        };
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
