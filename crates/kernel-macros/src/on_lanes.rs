//! A function on lanes: the emitted body under its mask, and what callers and block loops use of it.

use crate::native::{parameter_types, result_type};
use crate::shard::companion;
use gristmill_kernel_lang::ir::{Eval, Masked, Shape, Split, Test};
use gristmill_kernel_lang::{LaneCode, Reference, Translation, Ty, Use, callee, lane_type, struct_alias};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The main path of a masked kernel with the lanes for which it holds, and the other path.
fn masked_paths(masked: &Masked, references: &[Reference], args: &[impl ToTokens]) -> (TokenStream, TokenStream) {
    let (main, rest) = (companion(references, masked.main), companion(references, masked.rest));
    let first = match masked.test {
        Test::Arguments(i) => {
            let in_main = companion(references, i);
            quote! {
                const _: () = ::gristmill_kernel::__private::shard::check_masked(<#in_main as ::gristmill_kernel::KernelItem>::INLINE);
                const _: () = ::gristmill_kernel::__private::shard::check_masked(<#main as ::gristmill_kernel::KernelItem>::INLINE);
                let inside = l.mask_and(m0, #in_main::lanes_call(l, m0, #(#args),*));
                (#main::lanes_loop(l, inside, #(#args),*), inside)
            }
        }
        Test::Result(i) => {
            let holds = companion(references, i);
            quote! {
                let y = #main::lanes_loop(l, m0, #(#args),*);
                (y, l.mask_and(m0, #holds::lanes_call(l, m0, y)))
            }
        }
    };
    (first, quote!(#rest::lanes_call(l, m0, #(#args),*)))
}

/// The same of a split kernel whose setup stands in the place `setup`; `argument` gives the others.
pub(crate) fn eval_paths(
    split: &Split,
    references: &[Reference],
    setup: impl ToTokens,
    argument: impl Fn(usize) -> TokenStream,
) -> (TokenStream, TokenStream) {
    let setup = quote!(gm_lanes::pass(&#setup));
    let args: Vec<TokenStream> = split.arguments(setup, argument);
    match &split.eval {
        Eval::Call(i) => {
            let eval = companion(references, *i);
            (quote!(#eval::lanes_first(l, m0, #(#args),*)), quote!(#eval::lanes_rest(l, m0, #(#args),*)))
        }
        Eval::Masked(masked) => masked_paths(masked, references, &args),
    }
}

/// The forms on lanes: `lanes` is the body, `lanes_call` what callers use; `lanes_first` and `lanes_rest` take a masked
/// kernel apart for the block loop.
pub(crate) fn on_lanes(item: &syn::ItemFn, t: &Translation, code: &LaneCode) -> TokenStream {
    let references = &t.func.references;
    let ident = &item.sig.ident;
    let (types, ..) = parameter_types(item);
    let ret = result_type(item);
    let args: Vec<Ident> = (0..types.len()).map(|i| format_ident!("a{i}")).collect();
    let of = |written: &TokenStream, ty: &Ty| {
        lane_type(ty).unwrap_or_else(|| quote!(<#written as gm_lanes::LaneType>::Of<GmL>))
    };
    // A struct is passed by reference.
    let by_reference: Vec<bool> = t.params.iter().map(|p| matches!(p.ty, Ty::Struct(_))).collect();
    let any_reference = by_reference.contains(&true);
    let arg_types_for = |life: TokenStream| -> Vec<TokenStream> {
        let each = types.iter().zip(&t.params).zip(&by_reference).map(|((ty, p), by_reference)| {
            let of = of(&quote!(#ty), &p.ty);
            if *by_reference { quote!(&#life #of) } else { of }
        });
        each.collect()
    };
    let arg_types = arg_types_for(quote!());
    let held_types = arg_types_for(quote!('gm));
    let life = any_reference.then(|| quote!('gm,));
    let out = of(&ret, &t.func.ret);
    let fields: Vec<syn::Index> = (1..=types.len()).map(syn::Index::from).collect();
    let body = match &code.body {
        Some(body) => quote!(#body),
        None => {
            let places = args
                .iter()
                .zip(&by_reference)
                .map(|(a, by_reference)| if *by_reference { quote!(#a) } else { quote!(&#a) });
            quote! {
                gm_lanes::each(l, m0, #[inline(always)] |i| Self::call(
                    l, #(<#types as gm_lanes::LaneType>::get(l, #places, i)),*
                ))
            }
        }
    };
    // What is large is compiled once and called, also if it is `inline`: for several lanes a call costs little.
    let call = quote! {
        if const { <#ident as ::gristmill_kernel::KernelItem>::COST <= gm_lanes::INLINE } {
            Self::lanes(l, m0, #(#args),*)
        } else {
            l.outline(GmLaneArgs(m0, #(#args),*))
        }
    };
    let (first, rest) = match &t.func.shape {
        Shape::Masked(masked) => masked_paths(masked, references, &args),
        Shape::Split(split) => {
            let params: Vec<&Ident> = split.params.iter().map(|i| &args[*i]).collect();
            let (first, rest) = eval_paths(split, references, quote!(s), |i| args[i].to_token_stream());
            let with = |setup: usize, path: TokenStream| {
                let setup = companion(references, setup);
                quote!(let s = #setup::lanes_call(l, m0, #(#params),*); #path)
            };
            (with(split.setup, first), with(split.setup_of_rest.unwrap_or(split.setup), rest))
        }
        Shape::Plain => {
            (quote!((Self::lanes_loop(l, m0, #(#args),*), m0)), quote!(Self::lanes_call(l, m0, #(#args),*)))
        }
    };
    let literals = t.params.iter().enumerate().filter(|(_, p)| p.ty.is_int()).map(|(k, _)| {
        let (name, ty, of) = (format_ident!("lanes_arg{k}"), &types[k], &arg_types[k]);
        quote! {
            /// A literal for this parameter.
            #[inline(always)]
            pub fn #name<GmL: gm_lanes::Lanes>(l: GmL, x: #ty) -> #of {
                gm_lanes::LaneType::splat(l, x)
            }
        }
    });
    let structs = references.iter().enumerate().map(|(i, r)| {
        let is_struct = !r.uses.iter().any(|u| matches!(u, Use::Call { .. } | Use::Const { .. }));
        let (name, path) = (struct_alias(i), callee(i, r.span));
        is_struct.then(|| quote!(type #name<L> = <#path as gm_lanes::LaneType>::Of<L>;))
    });
    quote! {
        #(#structs)*
        struct GmLaneArgs<#life GmL: gm_lanes::Lanes>(GmL::Mask, #(#held_types),*);
        impl<#life GmL: gm_lanes::Lanes> gm_lanes::LaneBody<GmL> for GmLaneArgs<#life GmL> {
            type Out = #out;
            #[inline(always)]
            fn run(self, l: GmL) -> #out {
                #ident::lanes(l, self.0, #(self.#fields),*)
            }
        }
        #[doc(hidden)]
        #[allow(unused_mut, unused_variables, unused_assignments, unreachable_code)]
        impl #ident {
            #[inline(always)]
            fn lanes<GmL: gm_lanes::Lanes>(l: GmL, mut m0: GmL::Mask, #(#args: #arg_types),*) -> #out {
                #body
            }
            #(#literals)*
            /// On lanes, those in the mask.
            #[inline(always)]
            pub fn lanes_call<GmL: gm_lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> #out {
                #call
            }
            /// The same for the body of a block loop, of which there are few: it is inlined while it is cheap enough to notice.
            #[inline(always)]
            pub fn lanes_loop<GmL: gm_lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> #out {
                if const { <#ident as ::gristmill_kernel::KernelItem>::LOOP_COST <= gm_lanes::VARIANTS } {
                    Self::lanes(l, m0, #(#args),*)
                } else {
                    Self::lanes_call(l, m0, #(#args),*)
                }
            }
            /// The main path of a masked kernel, and for which lanes it holds.
            #[inline(always)]
            pub fn lanes_first<GmL: gm_lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> (#out, GmL::Mask) {
                #first
            }
            /// The other path of a masked kernel.
            #[inline(always)]
            pub fn lanes_rest<GmL: gm_lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> #out {
                #rest
            }
        }
    }
}
