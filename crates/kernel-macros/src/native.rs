//! The native side of a function: the body as rustc compiles it, for each instruction set, and the entry that chooses.

use crate::Options;
use crate::block_loops::{block_loops, eval_value};
use crate::on_lanes::on_lanes;
use crate::page::laid_out;
use crate::rewrite::rewrite;
use crate::shard::companion;
use crate::typed_call::{has_columns, scalar_results, typed_call, typed_calls};
use gristmill_kernel_lang::ir::Shape;
use gristmill_kernel_lang::{LaneCode, Translation, Ty};
use gristmill_scalar::REGISTER_ARGUMENTS;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Error, Result};

/// The types of the parameters as written; with a lifetime on references, and whether there was one.
pub(crate) fn parameter_types(item: &syn::ItemFn) -> (Vec<syn::Type>, Vec<syn::Type>, bool) {
    let types: Vec<syn::Type> = item
        .sig
        .inputs
        .iter()
        .filter_map(|a| match a {
            syn::FnArg::Typed(p) => Some((*p.ty).clone()),
            syn::FnArg::Receiver(_) => None,
        })
        .collect();
    let mut any = false;
    let bound = types
        .iter()
        .cloned()
        .map(|mut ty| {
            if let syn::Type::Reference(r) = &mut ty {
                any = true;
                r.lifetime = Some(syn::parse_quote!('gm));
            }
            ty
        })
        .collect();
    (types, bound, any)
}

pub(crate) fn result_type(item: &syn::ItemFn) -> TokenStream {
    match &item.sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    }
}

/// The function that other Rust code calls: it chooses the instruction set.
pub(crate) fn outer(item: &syn::ItemFn, t: &Translation, options: &Options) -> TokenStream {
    let (vis, ident, output) = (&item.vis, &item.sig.ident, &item.sig.output);
    let attrs = laid_out(&item.attrs);
    let (types, ..) = parameter_types(item);
    let names: Vec<Ident> = t.params.iter().map(|p| parameter_ident(&p.name)).collect();
    // Where rustdoc shows it: the companion that has the call is hidden, or every link to the function would be ambiguous.
    let documented = item.attrs.iter().any(|a| a.path().is_ident("doc"));
    let over_slices = typed_call(ident, t).filter(|_| documented && has_columns(item, t, options)).map(|call| {
        let on_threads = call.replacen("::map(", "::par_map(", 1);
        let text = format!(
            "\n\nOver slices: `{call}`, on threads `{on_threads}`, on a device `{ident}::on(&device)?.map(..)?`; an argument is a \
             slice, or one value for all."
        );
        quote!(#[doc = #text])
    });
    quote! {
        #(#attrs)*
        #over_slices
        #[inline]
        #[allow(clippy::too_many_arguments)]
        #vis fn #ident(#(#names: #types),*) #output {
            match ::gristmill_kernel::__private::native::V3::get() {
                ::core::option::Option::Some(isa) => #ident::v3(isa, #(#names),*),
                ::core::option::Option::None => #ident::base(#(#names),*),
            }
        }
    }
}

/// The name of a parameter, clear of `isa` in `outer`.
fn parameter_ident(name: &str) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) if name != "isa" => Ident::new(name, Span::call_site()),
        Ok(_) => format_ident!("isa_"),
        Err(_) => Ident::new_raw(name, Span::call_site()),
    }
}

/// Everything native: the body, its versions, its form on lanes, and the block loops.
pub(crate) fn native(item: &syn::ItemFn, t: &Translation, options: &Options, code: &LaneCode) -> Result<TokenStream> {
    let ident = &item.sig.ident;
    let (types, bound, any_ref) = parameter_types(item);
    let args: Vec<Ident> = (0..types.len()).map(|i| format_ident!("a{i}")).collect();
    let ret = result_type(item);
    let isa = Ident::new("gm_isa", Span::mixed_site());

    let mut body = item.clone();
    rewrite(&mut body.block, t, isa.clone());
    let (inputs, block) = (&body.sig.inputs, &body.block);
    let life = if any_ref { quote!(<'gm>) } else { quote!() };
    // One by one, in registers; too many as one tuple.
    let together = types.len() > REGISTER_ARGUMENTS;
    let entry = if together { format_ident!("call1") } else { format_ident!("call{}", types.len()) };
    let (arguments, arguments_type) = if together {
        (quote!(((#(#args),*),)), quote!(((#(#bound),*),)))
    } else {
        (quote!((#(#args,)*)), quote!((#(#bound,)*)))
    };
    let passed = if together { vec![quote!((#(#args),*))] } else { args.iter().map(|a| quote!(#a)).collect() };
    let inferred = vec![quote!(_); passed.len()];
    let kept = kept(t, &args, &types, &ret);
    let by_itself = if kept.is_some() { format_ident!("by_itself") } else { format_ident!("body") };
    // What is inlined into its callers exists by itself only where somebody calls it by itself: `#[inline]`.
    let (inlining, base, call) = if options.inline {
        let out_of_line = quote!(Self::out_of_line(::gristmill_kernel::__private::native::Base, #(#args),*));
        let call = quote! {
            if const { GmI::CALLS } { Self::out_of_line(isa, #(#args),*) } else { Self::body(isa, #(#args),*) }
        };
        (quote!(#[inline]), out_of_line, call)
    } else {
        let base = quote!(Self::#by_itself(::gristmill_kernel::__private::native::Base, #(#args),*));
        let call = quote! {
            match isa.v3() {
                ::core::option::Option::Some(isa) => Self::v3(isa, #(#args),*),
                ::core::option::Option::None => Self::base(#(#args),*),
            }
        };
        (quote!(#[inline(never)]), base, call)
    };
    let out_of_line = options.inline.then(|| {
        quote! {
            /// One copy for all callers.
            #[inline(never)]
            fn out_of_line<GmI: ::gristmill_kernel::__private::native::Isa>(isa: GmI, #(#args: #types),*) -> #ret {
                Self::body(isa, #(#args),*)
            }
        }
    });
    let mut out = quote! {
        impl #life ::gristmill_kernel::__private::native::Call<#arguments_type> for #ident {
            type Out = #ret;
            #[inline(always)]
            fn call<GmI: ::gristmill_kernel::__private::native::Isa>(isa: GmI, #arguments: #arguments_type) -> #ret {
                #ident::#by_itself(isa, #(#args),*)
            }
        }
        #[doc(hidden)]
        impl #ident {
            #kept
            #[inline(always)]
            #[allow(unused_variables)]
            fn body<GmI: ::gristmill_kernel::__private::native::Isa>(#isa: GmI, #inputs) -> #ret #block
            #out_of_line
            /// For the target's own instruction set.
            #inlining
            pub fn base(#(#args: #types),*) -> #ret {
                #base
            }
            /// For AVX2 with FMA.
            #inlining
            pub fn v3(isa: ::gristmill_kernel::__private::native::V3, #(#args: #types),*) -> #ret {
                isa.#entry::<Self, #(#inferred),*>(#(#passed),*)
            }
            /// For the instruction set of the caller.
            #[inline(always)]
            pub fn call<GmI: ::gristmill_kernel::__private::native::Isa>(isa: GmI, #(#args: #types),*) -> #ret {
                #call
            }
        }
        impl ::gristmill_kernel::__private::native::Returns for #ident {
            type Out = #ret;
        }
    };
    if options.entry {
        out.extend(launch(ident, &types, &bound));
        return Ok(out);
    }
    if !any_ref {
        out.extend(on_lanes(item, t, code));
    }
    let Some(results) = scalar_results(t).filter(|_| !any_ref && !types.is_empty()) else {
        if !matches!(t.func.shape, Shape::Plain) {
            return Err(Error::new(
                ident.span(),
                "#[kernel]: `split` and `masked` functions take values and return scalars",
            ));
        }
        return Ok(out);
    };
    if has_columns(item, t, options) {
        out.extend(block_loops(item, t, &results, options.ordered)?);
        out.extend(typed_calls(item, t, &results));
    }
    Ok(out)
}

/// A split kernel called for one element: an expensive setup is kept from the last call of this thread, a cheap one is made again
/// for the other path. Where that path has a setup of its own, it is made, and kept, only there.
fn kept(t: &Translation, args: &[Ident], types: &[syn::Type], ret: &TokenStream) -> Option<TokenStream> {
    let Shape::Split(split) = &t.func.shape else { return None };
    let references = &t.func.references;
    let params: Vec<&Ident> = split.params.iter().map(|i| &args[*i]).collect();
    let count = params.len();
    let key = quote!([#(::gristmill_kernel::__private::native::KeyBits::key_bits(#params)),*]);
    // The operations of a setup with a flag are those of both its settings, of which a call needs one.
    let flagged = split.params.iter().any(|i| t.params[*i].ty == Ty::Bool);
    let parts = |setup: usize| {
        let setup = companion(references, setup);
        let out = quote!(<#setup as ::gristmill_kernel::__private::native::Returns>::Out);
        let cost = quote!(<#setup as ::gristmill_kernel::KernelItem>::LOOP_COST);
        (quote!(#setup::call(isa, #(#params),*)), out, cost)
    };
    let (make, out, cost) = parts(split.setup);
    let argument = |i: usize| args[i].to_token_stream();
    let (of_rest_when_kept, of_rest_when_made) = match split.setup_of_rest {
        // What is called takes a setup by its address: were it the one of the main path, it would have to be in memory there too.
        None => (quote!(::gristmill_kernel::__private::native::Kept::last(&GM_KEPT).unwrap_or(s)), make.clone()),
        Some(own) => {
            let (make, out, cost) = parts(own);
            let value = quote! {
                if const { ::gristmill_kernel::__private::native::keeps::<#out>(#cost, #flagged) } {
                    ::std::thread_local! {
                        static GM_KEPT_OF_REST: ::gristmill_kernel::__private::native::Kept<#count, #out> =
                            const { ::gristmill_kernel::__private::native::Kept::new() };
                    }
                    ::gristmill_kernel::__private::native::Kept::of(&GM_KEPT_OF_REST, #key, #[inline(always)] || #make)
                } else {
                    #make
                }
            };
            (value.clone(), value)
        }
    };
    let of_kept = eval_value(split, references, of_rest_when_kept, argument);
    let of_made = eval_value(split, references, of_rest_when_made, argument);
    Some(quote! {
        #[inline(always)]
        fn by_itself<GmI: ::gristmill_kernel::__private::native::Isa>(isa: GmI, #(#args: #types),*) -> #ret {
            ::std::thread_local! {
                static GM_KEPT: ::gristmill_kernel::__private::native::Kept<#count, #out> =
                    const { ::gristmill_kernel::__private::native::Kept::new() };
            }
            if const { ::gristmill_kernel::__private::native::keeps::<#out>(#cost, #flagged) } {
                let s = ::gristmill_kernel::__private::native::Kept::of(&GM_KEPT, #key, #[inline(always)] || #make);
                #of_kept
            } else if const { #cost <= ::gristmill_kernel::__private::lanes::KEPT } {
                let s = #make;
                #of_made
            } else {
                Self::body(isa, #(#args),*)
            }
        }
    })
}

/// An entry point over a range of work-items.
fn launch(ident: &Ident, types: &[syn::Type], bound: &[syn::Type]) -> TokenStream {
    let args: Vec<Ident> = (1..types.len()).map(|i| format_ident!("a{i}")).collect();
    let (types, bound) = (&types[1..], &bound[1..]);
    let fields: Vec<Ident> = (1..=types.len()).map(|i| format_ident!("f{i}")).collect();
    let pass: Vec<TokenStream> = types
        .iter()
        .zip(&fields)
        .map(|(ty, f)| match ty {
            syn::Type::Reference(r) if r.mutability.is_some() => quote!(&mut *self.#f),
            _ => quote!(self.#f),
        })
        .collect();
    quote! {
        struct GmLaunch<'gm> { n: usize, marker: ::core::marker::PhantomData<&'gm ()>, #(#fields: #bound),* }
        impl<'gm> ::gristmill_kernel::__private::native::Body for GmLaunch<'gm> {
            type Out = ();
            #[inline(always)]
            fn run<GmI: ::gristmill_kernel::__private::native::Isa>(self, isa: GmI) {
                for i in 0..self.n {
                    #ident::body(isa, i, #(#pass),*);
                }
            }
        }
        impl #ident {
            /// Runs the work-items 0 to `n`, in order.
            pub fn launch(n: usize, #(#args: #types),*) {
                let body = GmLaunch { n, marker: ::core::marker::PhantomData, #(#fields: #args),* };
                match ::gristmill_kernel::__private::native::V3::get() {
                    ::core::option::Option::Some(isa) => ::gristmill_kernel::__private::native::Isa::enter(isa, body),
                    ::core::option::Option::None => {
                        ::gristmill_kernel::__private::native::Isa::enter(::gristmill_kernel::__private::native::Base, body)
                    }
                }
            }
        }
    }
}
