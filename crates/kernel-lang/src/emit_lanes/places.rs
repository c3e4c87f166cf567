//! Elements of arrays and tables, and assignment under a mask.

use super::{Emit, Result, Unsupported, Value};
use crate::Ty;
use crate::ir::{Expr, Kind, StructRef, root};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Emit<'_> {
    pub(super) fn index(&mut self, base: &Expr, i: &Expr) -> Result<Value> {
        if let Some((table, row)) = self.table(base) {
            let list: Vec<&Expr> = row.into_iter().chain([i]).collect();
            let Some(v) = self.operands(&list)? else { return Ok(Value::Never) };
            return Ok(Value::Lanes(match &v[..] {
                [i] => quote!(gm_lanes::look_up(l, &#table, #i)),
                [i, j] => quote!(gm_lanes::look_up_2(l, &#table, #i, #j)),
                _ => unreachable!("one or two indices"),
            }));
        }
        if self.is_uniform(i) {
            let Some(v) = self.operands(&[base])? else { return Ok(Value::Never) };
            let (v, at) = (&v[0], self.uniform_tokens(i));
            return Ok(Value::Lanes(quote! {
                #v[gm_lanes::index(#at, ::gristmill_kernel::__private::exact::len(&#v))]
            }));
        }
        let Some(v) = self.operands(&[base, i])? else { return Ok(Value::Never) };
        let (array, i, m) = (&v[0], &v[1], &self.mask);
        Ok(Value::Lanes(quote!(gm_lanes::element(l, #m, &#array, #i))))
    }

    /// A struct or an array, or such a part of one, that nobody assigns to, so that a reference to it serves for a copy.
    pub(super) fn is_lasting(&self, e: &Expr) -> bool {
        fn is_place(e: &Expr) -> bool {
            match &e.kind {
                Kind::Local(_) => true,
                Kind::Field(base, _) | Kind::Member(base, _) => is_place(base),
                _ => false,
            }
        }
        matches!(e.ty, Ty::Struct(_) | Ty::Array(..)) && is_place(e) && root(e).is_some_and(|id| !self.assigned[id])
    }

    /// A reference to a place.
    pub(super) fn reference_to(&mut self, e: &Expr) -> Result<TokenStream> {
        let place = self.place(e)?;
        Ok(match e.kind {
            Kind::Local(id) if self.reference[id] => place,
            _ => quote!(&#place),
        })
    }

    /// What a callee takes for the argument `e`, whose value is `value`: a reference to a struct, the value otherwise. Where only
    /// the callee knows which of the two it is, the type decides.
    pub(super) fn argument(&mut self, e: &Expr, value: TokenStream) -> Result<TokenStream> {
        let place = if self.is_lasting(e) { self.reference_to(e)? } else { quote!(&#value) };
        Ok(match (&e.ty, &e.kind) {
            (Ty::Struct(StructRef::Path(_)), _) => place,
            (Ty::Struct(StructRef::ResultOf(_)), _) | (_, Kind::Member(..)) => {
                quote!(gm_lanes::pass(#place))
            }
            _ => value,
        })
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
                quote!(#base[gm_lanes::index(#i, ::gristmill_kernel::__private::exact::len(&#base))])
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
            self.push(quote!(let at = #i; gm_lanes::set_element(l, #m, &mut #base, at, #t);));
            return Ok(());
        }
        let place = self.place(place)?;
        if self.region_of[id] == self.region {
            self.push(quote!(#place = #value;));
        } else {
            let m = self.mask.clone();
            self.push(quote!(#place = gm_lanes::Blend::<GmL>::blend(l, #m, #value, #place);));
        }
        Ok(())
    }
}

pub(super) fn field(name: &str) -> Ident {
    syn::parse_str::<Ident>(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}
