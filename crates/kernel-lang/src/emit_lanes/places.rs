//! Elements of arrays and tables, and assignment under a mask.

use super::{Emit, Result, Unsupported, Value};
use crate::ir::{Expr, Kind, LocalId};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Emit<'_> {
    pub(super) fn index(&mut self, base: &Expr, i: &Expr) -> Result<Value> {
        if let Some((table, row)) = self.table(base) {
            let list: Vec<&Expr> = row.into_iter().chain([i]).collect();
            let Some(v) = self.operands(&list)? else { return Ok(Value::Never) };
            return Ok(Value::Lanes(match &v[..] {
                [i] => quote!(::gristmill_kernel::__private::lanes::look_up(l, &#table, #i)),
                [i, j] => quote!(::gristmill_kernel::__private::lanes::look_up_2(l, &#table, #i, #j)),
                _ => unreachable!("one or two indices"),
            }));
        }
        if self.is_uniform(i) {
            let Some(v) = self.operands(&[base])? else { return Ok(Value::Never) };
            let (v, at) = (&v[0], self.uniform_tokens(i));
            return Ok(Value::Lanes(quote! {
                #v[::gristmill_kernel::__private::lanes::index(#at, ::gristmill_kernel::__private::exact::len(&#v))]
            }));
        }
        let Some(v) = self.operands(&[base, i])? else { return Ok(Value::Never) };
        let (array, i, m) = (&v[0], &v[1], &self.mask);
        Ok(Value::Lanes(quote!(::gristmill_kernel::__private::lanes::element(l, #m, &#array, #i))))
    }

    /// The tokens of a place, without an index that varies.
    pub(super) fn place(&mut self, e: &Expr) -> Result<TokenStream> {
        Ok(match &e.kind {
            Kind::Local(id) => {
                let x = self.local(*id);
                quote!(#x)
            }
            Kind::Field(base, k) => {
                let (base, k) = (self.place(base)?, syn::Index::from(*k));
                quote!(#base.#k)
            }
            Kind::Member(base, name) => {
                let (base, name) = (self.place(base)?, field(name));
                quote!(#base.#name)
            }
            Kind::Index(base, i) if self.is_uniform(i) => {
                let (base, i) = (self.place(base)?, self.uniform_tokens(i));
                quote!(#base[::gristmill_kernel::__private::lanes::index(#i, ::gristmill_kernel::__private::exact::len(&#base))])
            }
            _ => return Err(Unsupported),
        })
    }

    pub(super) fn assign(&mut self, place: &Expr, value: TokenStream) -> Result<()> {
        let id = root(place).ok_or(Unsupported)?;
        if let Kind::Index(base, i) = &place.kind
            && !self.is_uniform(i)
        {
            let t = self.fresh("t");
            self.push(quote!(let #t = #value;));
            let base = self.place(base)?;
            let Some(i) = self.operands(&[i])? else { return Err(Unsupported) };
            let (i, m) = (&i[0], self.mask.clone());
            self.push(
                quote!(let at = #i; ::gristmill_kernel::__private::lanes::set_element(l, #m, &mut #base, at, #t);),
            );
            return Ok(());
        }
        let place = self.place(place)?;
        if self.region_of[id] == self.region {
            self.push(quote!(#place = #value;));
        } else {
            let m = self.mask.clone();
            self.push(
                quote!(#place = ::gristmill_kernel::__private::lanes::Blend::<GmL>::blend(l, #m, #value, #place);),
            );
        }
        Ok(())
    }
}

/// The variable that a place is part of.
pub(super) fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        Kind::Local(id) => Some(*id),
        Kind::Field(base, _) | Kind::Member(base, _) | Kind::Index(base, _) => root(base),
        _ => None,
    }
}

pub(super) fn field(name: &str) -> Ident {
    syn::parse_str::<Ident>(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}
