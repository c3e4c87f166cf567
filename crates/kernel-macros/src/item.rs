//! `#[kernel]` on constants and structs.

use crate::shard::{Header, Text, aliases, shard, shard_of, type_value, variant};
use crate::{Options, cfgs, refuse_type_names};
use gristmill_kernel_lang::Ty;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Result;

/// A constant, or the part of one that `place` names, as a `gristmill_kernel::Value`.
fn value_of(ty: &Ty, place: TokenStream) -> TokenStream {
    if let Ty::Tuple(items) = ty {
        let parts = items.iter().enumerate().map(|(k, ty)| {
            let k = syn::Index::from(k);
            value_of(ty, quote!(#place.#k))
        });
        return quote!(::gristmill_kernel::Value::Tuple(&[#(#parts),*]));
    }
    let (mut elem, mut depth) = (ty, 0);
    while let Ty::Array(inner, _) = elem {
        elem = inner;
        depth += 1;
    }
    let variant = variant(elem.scalar().expect("checked: a scalar"));
    let values = match depth {
        0 => quote!(&[#place]),
        1 => quote!(&#place),
        _ => {
            let flatten = (2..depth).map(|_| quote!(.as_flattened()));
            quote!(#place.as_flattened() #(#flatten)*)
        }
    };
    quote!(::gristmill_kernel::Value::#variant(#values))
}

pub(crate) fn constant(item: syn::ItemConst, options: &Options) -> Result<TokenStream> {
    let (ident, vis) = (&item.ident, &item.vis);
    refuse_type_names(ident)?;
    let cfg = cfgs(&item.attrs);
    let ty = gristmill_kernel_lang::parse_const_type(&item.ty)?;
    let value = value_of(&ty, quote!(#ident));
    let typedefs = gristmill_kernel_lang::const_typedefs(&ty);
    let text = Text { typedefs: &typedefs, before: "", after: "", references: &[] };
    let ty = type_value(&ty, &[]);
    let header = Header { ident, vis, attrs: &item.attrs, given_name: options.name.as_deref() };
    let shard = shard(&header, &quote!(::gristmill_kernel::Item::Const { ty: #ty, value: #value }), &text, &[]);
    Ok(quote! {
        #[allow(clippy::excessive_precision, clippy::approx_constant, clippy::unreadable_literal)]
        #item

        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, unreachable_pub)]
        #vis struct #ident {}

        #(#cfg)*
        #[allow(dead_code, non_camel_case_types, clippy::all)]
        const _: () = {
            #shard
            impl ::gristmill_kernel::KernelItem for #ident {
                const SHARD: &'static ::gristmill_kernel::EmittedShard = &GM_SHARD;
            }
        };
    })
}

pub(crate) fn structure(item: syn::ItemStruct, options: &Options) -> Result<TokenStream> {
    let (ident, vis) = (&item.ident, &item.vis);
    let cfg = cfgs(&item.attrs);
    let t = gristmill_kernel_lang::translate_struct(&item)?;
    let mut derives = vec!["Clone", "Copy", "Debug"];
    for a in item.attrs.iter().filter(|a| a.path().is_ident("derive")) {
        let _ = a.parse_nested_meta(|meta| {
            derives.retain(|d| meta.path.segments.last().is_none_or(|s| s.ident != d));
            Ok(())
        });
    }
    let derives = derives.iter().map(|d| syn::Ident::new(d, proc_macro2::Span::call_site()));
    let aliases = aliases(&t.references);
    let checks = t.references.iter().enumerate().map(|(i, r)| {
        let shard = shard_of(&t.references, i);
        quote_spanned!(r.span => const _: () = ::gristmill_kernel::__private::shard::check_struct(#shard);)
    });
    let fields = t.fields.iter().map(|f| {
        let (name, ty) = (&f.name, type_value(&f.ty, &t.references));
        quote!(::gristmill_kernel::Param { name: #name, ty: #ty })
    });
    let before = format!("typedef struct {{ {} }} ", t.members);
    let text = Text { typedefs: &t.typedefs, before: &before, after: ";\n", references: &t.references };
    let header = Header { ident, vis, attrs: &item.attrs, given_name: options.name.as_deref() };
    let shard = shard(&header, &quote!(::gristmill_kernel::Item::Struct { fields: &[#(#fields),*] }), &text, &[]);
    let names: Vec<&syn::Ident> = item.fields.iter().filter_map(|f| f.ident.as_ref()).collect();
    let types: Vec<&syn::Type> = item.fields.iter().map(|f| &f.ty).collect();
    Ok(quote! {
        #[derive(#(#derives),*)]
        #item

        #(#cfg)*
        #[allow(dead_code, non_camel_case_types, clippy::all)]
        const _: () = {
            #(#aliases)*
            #shard
            impl ::gristmill_kernel::KernelItem for #ident {
                const SHARD: &'static ::gristmill_kernel::EmittedShard = &GM_SHARD;
            }
            /// A value for each lane.
            #[derive(Clone, Copy)]
            pub struct GmLanes<L: ::gristmill_kernel::__private::lanes::Lanes> {
                #(pub #names: <#types as ::gristmill_kernel::__private::lanes::LaneType>::Of<L>),*
            }
            impl<L: ::gristmill_kernel::__private::lanes::Lanes> ::gristmill_kernel::__private::lanes::Blend<L> for GmLanes<L> {
                #[inline(always)]
                fn blend(lanes: L, mask: L::Mask, yes: Self, no: Self) -> Self {
                    GmLanes { #(#names: ::gristmill_kernel::__private::lanes::Blend::<L>::blend(lanes, mask, yes.#names, no.#names)),* }
                }
                #[inline(always)]
                fn zero(lanes: L) -> Self {
                    GmLanes { #(#names: ::gristmill_kernel::__private::lanes::Blend::<L>::zero(lanes)),* }
                }
            }
            impl ::gristmill_kernel::__private::lanes::LaneType for #ident {
                type Of<L: ::gristmill_kernel::__private::lanes::Lanes> = GmLanes<L>;
                #[inline(always)]
                fn splat<L: ::gristmill_kernel::__private::lanes::Lanes>(lanes: L, x: Self) -> GmLanes<L> {
                    GmLanes { #(#names: ::gristmill_kernel::__private::lanes::LaneType::splat(lanes, x.#names)),* }
                }
                #[inline(always)]
                fn get<L: ::gristmill_kernel::__private::lanes::Lanes>(lanes: L, x: &GmLanes<L>, i: usize) -> Self {
                    #ident { #(#names: <#types as ::gristmill_kernel::__private::lanes::LaneType>::get(lanes, &x.#names, i)),* }
                }
                #[inline(always)]
                fn collect<L: ::gristmill_kernel::__private::lanes::Lanes>(
                    lanes: L, f: impl ::core::ops::FnMut(usize) -> Self,
                ) -> GmLanes<L> {
                    let all = ::gristmill_kernel::__private::lanes::values::<L, Self>(f);
                    GmLanes { #(#names: <#types as ::gristmill_kernel::__private::lanes::LaneType>::collect(lanes, #[inline(always)] |i| all[i].#names)),* }
                }
                #[inline(always)]
                fn zero() -> Self {
                    #ident { #(#names: ::gristmill_kernel::__private::lanes::LaneType::zero()),* }
                }
            }
            #(#checks)*
        };
    })
}
