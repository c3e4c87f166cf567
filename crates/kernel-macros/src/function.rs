//! `#[kernel]` on functions.

use crate::native::{native, outer};
use crate::shard::{Header, Text, aliases, companion, shard, shard_of, type_value};
use crate::{Options, cfgs, refuse_type_names};
use gristmill_kernel_lang::ir::{Eval, Shape, Split, StructRef};
use gristmill_kernel_lang::{Reference, Ty, Use, callee, emit_lanes};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Result;

pub(crate) fn function(item: syn::ItemFn, options: &Options) -> Result<TokenStream> {
    refuse_type_names(&item.sig.ident)?;
    let t = gristmill_kernel_lang::translate(&item, options.form())?;
    let references = &t.func.references;
    let ident = &item.sig.ident;
    let vis = &item.vis;
    let cfg = cfgs(&item.attrs);

    let params = t.params.iter().map(|p| {
        let (name, ty) = (&p.name, type_value(&p.ty, references));
        quote!(::gristmill_kernel::Param { name: #name, ty: #ty })
    });
    let result = type_value(&t.func.ret, references);
    let kind = if options.entry { format_ident!("Entry") } else { format_ident!("Fn") };
    let signature = quote!(::gristmill_kernel::Item::#kind(::gristmill_kernel::Signature {
        params: &[#(#params),*],
        result: #result,
    }));
    let before = if options.entry { "__kernel void ".to_string() } else { format!("{} ", t.c.ret) };
    let text = Text { typedefs: &t.c.typedefs, before: &before, after: &t.c.text, references };
    let header = Header { ident, vis, attrs: &item.attrs, given_name: options.name.as_deref() };
    let shard = shard(&header, &signature, &text, &checks(references, options.inline));

    let aliases = aliases(references);

    let inline = options.inline;
    let lane_code = emit_lanes(&t.func);
    let cost = if inline { lane_code.cost.clone() } else { quote!(u32::MAX) };
    let (masked, loop_cost) = match &t.func.shape {
        Shape::Plain => (quote!(false), lane_code.cost.clone()),
        Shape::Split(Split { eval: Eval::Call(eval), .. }) => {
            let eval = companion(references, *eval);
            let of_eval = quote!(<#eval as ::gristmill_kernel::KernelItem>);
            (quote!(#of_eval::MASKED), quote!(#of_eval::LOOP_COST))
        }
        Shape::Masked(masked) | Shape::Split(Split { eval: Eval::Masked(masked), .. }) => {
            let main = companion(references, masked.main);
            (quote!(true), quote!(<#main as ::gristmill_kernel::KernelItem>::LOOP_COST))
        }
    };
    let native = native(&item, &t, options, &lane_code)?;
    let outer = outer(&item, &t, options);
    Ok(quote! {
        #outer

        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, unreachable_pub)]
        #vis struct #ident {}

        #(#cfg)*
        #[allow(non_camel_case_types, dead_code, missing_docs, missing_debug_implementations, unreachable_pub, unused_imports)]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, unused_braces, unused_parens)]
        const _: () = {
            use ::gristmill_kernel::__private::lanes as gm_lanes;
            #(#aliases)*
            #shard
            impl ::gristmill_kernel::KernelItem for #ident {
                const SHARD: &'static ::gristmill_kernel::EmittedShard = &GM_SHARD;
                const INLINE: bool = #inline;
                const COST: u32 = #cost;
                const MASKED: bool = #masked;
                const LOOP_COST: u32 = #loop_cost;
            }
            #native
        };
    })
}

/// Calls that fail while rustc compiles unless what the macro inferred about things outside the function is true. They stand in one
/// initialiser: each of its own would be a body to check and evaluate, about eight for a kernel of nmath.
fn checks(references: &[Reference], inline: bool) -> Vec<TokenStream> {
    let mut checks = vec![];
    for (i, r) in references.iter().enumerate() {
        let (alias, shard) = (callee(i, r.span), shard_of(references, i));
        let mut is_struct = true;
        for u in &r.uses {
            let check = match u {
                Use::Call { args, ret } => {
                    is_struct = false;
                    let args = args.iter().map(|a| match a {
                        Some(Ty::F64) => quote!(::gristmill_kernel::__private::shard::types::SOME_F64),
                        Some(Ty::Tuple(items)) if items[..] == [Ty::F64, Ty::F64] => {
                            quote!(::gristmill_kernel::__private::shard::types::SOME_PAIR)
                        }
                        Some(ty) => {
                            let ty = type_value(ty, references);
                            quote!(::core::option::Option::Some(#ty))
                        }
                        None => quote!(::core::option::Option::None),
                    });
                    let ret = type_value(ret, references);
                    quote_spanned!(r.span => ::gristmill_kernel::__private::shard::check_call(#shard, &[#(#args),*], #ret))
                }
                Use::Const { ty: Ty::Struct(StructRef::ResultOf(own)) } if *own == i => {
                    is_struct = false;
                    quote_spanned!(r.span => ::gristmill_kernel::__private::shard::check_passed_const(#shard))
                }
                Use::Const { ty } => {
                    is_struct = false;
                    let ty = type_value(ty, references);
                    quote_spanned!(r.span => ::gristmill_kernel::__private::shard::check_const(#shard, #ty))
                }
                Use::Field { name, ty, of_result } => {
                    let ty = type_value(ty, references);
                    let structure = if *of_result {
                        quote_spanned!(r.span => ::gristmill_kernel::__private::shard::result_type(#shard))
                    } else {
                        quote_spanned!(r.span => ::gristmill_kernel::Type::Struct(#shard))
                    };
                    quote_spanned!(r.span => ::gristmill_kernel::__private::shard::check_field(#structure, #name, #ty))
                }
            };
            checks.push(check);
            if inline && matches!(u, Use::Call { .. }) {
                checks.push(quote_spanned!(r.span =>
                    ::gristmill_kernel::__private::shard::check_inline(<#alias as ::gristmill_kernel::KernelItem>::INLINE)));
            }
        }
        if is_struct {
            checks.push(quote_spanned!(r.span => ::gristmill_kernel::__private::shard::check_struct(#shard)));
        }
    }
    checks
}
