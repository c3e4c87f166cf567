//! `#[kernel]` on functions.

use crate::lanes::{self, LaneCode};
use crate::rewrite::Rewrite;
use crate::{
    Header, Options, alias, aliases, cfgs, pieces, refuse_type_names, shard, shard_of, type_value, typedefs, variant,
};
use gristmill_kernel_lang::{Reference, Translation, Ty, Use, shape};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Error, Result};

pub(crate) fn function(item: syn::ItemFn, options: &Options) -> Result<TokenStream> {
    refuse_type_names(&item.sig.ident)?;
    let t = gristmill_kernel_lang::translate(&item, options.entry)?;
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
    let mut text = typedefs(&t.c.typedefs, references);
    let head = if options.entry { "__kernel void ".to_string() } else { format!("{} ", t.c.ret) };
    text.extend(pieces(&head, references));
    text.push(quote!(::gristmill_kernel::Piece::Own));
    text.extend(pieces(&t.c.text, references));
    let header = Header { ident, vis, attrs: &item.attrs, given_name: options.name.as_deref() };
    let shard = shard(&header, &signature, &text);

    let aliases = aliases(references);
    let checks = checks(references, options.inline);

    let inline = options.inline;
    let lane_code = lanes::lower(&t.func);
    let cost = if inline { lane_code.cost.clone() } else { quote!(u32::MAX) };
    let masked = if options.split {
        let eval = reference(&t, &shape::split(&item)?.eval);
        quote!(<#eval as ::gristmill_kernel::Kernel>::MASKED)
    } else {
        let masked = options.masked;
        quote!(#masked)
    };
    let loop_cost = if options.split {
        let eval = reference(&t, &shape::split(&item)?.eval);
        quote!(<#eval as ::gristmill_kernel::Kernel>::LOOP_COST)
    } else if options.masked {
        let main = reference(&t, &shape::masked(&item)?.main);
        quote!(<#main as ::gristmill_kernel::Kernel>::LOOP_COST)
    } else {
        lane_code.cost.clone()
    };
    let native = native(&item, &t, options, &lane_code)?;
    let outer = outer(&item, &t);
    Ok(quote! {
        #outer

        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, unreachable_pub)]
        #vis struct #ident {}

        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_docs, missing_debug_implementations, unreachable_pub)]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, unused_braces, unused_parens)]
        const _: () = {
            #(#aliases)*
            #shard
            impl ::gristmill_kernel::Kernel for #ident {
                const SHARD: &'static ::gristmill_kernel::Shard = &GM_SHARD;
                const INLINE: bool = #inline;
                const COST: u32 = #cost;
                const MASKED: bool = #masked;
                const LOOP_COST: u32 = #loop_cost;
            }
            #(#checks)*
            #native
        };
    })
}

/// Assertions that what the macro inferred about things outside the function is true.
fn checks(references: &[Reference], inline: bool) -> Vec<TokenStream> {
    let mut checks = vec![];
    for (i, r) in references.iter().enumerate() {
        let (alias, shard) = (alias(i, r.span), shard_of(references, i));
        let mut is_struct = true;
        for u in &r.uses {
            let check = match u {
                Use::Call { args, ret } => {
                    is_struct = false;
                    let args = args.iter().map(|a| match a {
                        Some(ty) => {
                            let ty = type_value(ty, references);
                            quote!(::core::option::Option::Some(#ty))
                        }
                        None => quote!(::core::option::Option::None),
                    });
                    let ret = type_value(ret, references);
                    quote_spanned!(r.span => ::gristmill_kernel::shard::check_call(#shard, &[#(#args),*], #ret))
                }
                Use::Const { ty } => {
                    is_struct = false;
                    let ty = type_value(ty, references);
                    quote_spanned!(r.span => ::gristmill_kernel::shard::check_const(#shard, #ty))
                }
                Use::Field { name, ty, of_result } => {
                    let ty = type_value(ty, references);
                    let structure = if *of_result {
                        quote_spanned!(r.span => ::gristmill_kernel::shard::result_type(#shard))
                    } else {
                        quote_spanned!(r.span => ::gristmill_kernel::Type::Struct(#shard))
                    };
                    quote_spanned!(r.span => ::gristmill_kernel::shard::check_field(#structure, #name, #ty))
                }
            };
            checks.push(quote_spanned!(r.span => const _: () = #check;));
            if inline && matches!(u, Use::Call { .. }) {
                checks.push(quote_spanned!(r.span => const _: () =
                    ::gristmill_kernel::shard::check_inline(<#alias as ::gristmill_kernel::Kernel>::INLINE);));
            }
        }
        if is_struct {
            checks.push(quote_spanned!(r.span => const _: () = ::gristmill_kernel::shard::check_struct(#shard);));
        }
    }
    checks
}

/// The types of the parameters as written; with a lifetime on references, and whether there was one.
fn parameter_types(item: &syn::ItemFn) -> (Vec<syn::Type>, Vec<syn::Type>, bool) {
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

fn result_type(item: &syn::ItemFn) -> TokenStream {
    match &item.sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    }
}

/// The function that other Rust code calls: it chooses the instruction set.
fn outer(item: &syn::ItemFn, t: &Translation) -> TokenStream {
    let (attrs, vis, ident, output) = (&item.attrs, &item.vis, &item.sig.ident, &item.sig.output);
    let (types, ..) = parameter_types(item);
    let names: Vec<Ident> = t.params.iter().map(|p| parameter_ident(&p.name)).collect();
    quote! {
        #(#attrs)*
        #[inline]
        #[allow(clippy::too_many_arguments)]
        #vis fn #ident(#(#names: #types),*) #output {
            match ::gristmill_kernel::native::V3::get() {
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
fn native(item: &syn::ItemFn, t: &Translation, options: &Options, code: &LaneCode) -> Result<TokenStream> {
    let ident = &item.sig.ident;
    let (types, bound, any_ref) = parameter_types(item);
    let args: Vec<Ident> = (0..types.len()).map(|i| format_ident!("a{i}")).collect();
    let ret = result_type(item);
    let isa = Ident::new("gm_isa", Span::mixed_site());

    let mut body = item.clone();
    Rewrite::new(t, isa.clone()).visit_block_mut(&mut body.block);
    let (inputs, block) = (&body.sig.inputs, &body.block);
    let life = if any_ref { quote!(<'gm>) } else { quote!() };
    let fields: Vec<syn::Index> = (0..types.len()).map(syn::Index::from).collect();
    let call = if options.inline {
        quote!(Self::body(isa, #(#args),*))
    } else {
        quote! {
            match isa.v3() {
                ::core::option::Option::Some(isa) => Self::v3(isa, #(#args),*),
                ::core::option::Option::None => Self::base(#(#args),*),
            }
        }
    };
    let mut out = quote! {
        struct GmArgs #life(#(#bound),*);
        impl #life ::gristmill_kernel::native::Body for GmArgs #life {
            type Out = #ret;
            #[inline(always)]
            fn run<GmI: ::gristmill_kernel::native::Isa>(self, isa: GmI) -> #ret {
                #ident::body(isa, #(self.#fields),*)
            }
        }
        impl #ident {
            #[inline(always)]
            #[allow(unused_variables)]
            fn body<GmI: ::gristmill_kernel::native::Isa>(#isa: GmI, #inputs) -> #ret #block
            /// For the target's own instruction set.
            #[inline(never)]
            pub fn base(#(#args: #types),*) -> #ret {
                Self::body(::gristmill_kernel::native::Base, #(#args),*)
            }
            /// For AVX2 with FMA.
            #[inline(never)]
            pub fn v3(isa: ::gristmill_kernel::native::V3, #(#args: #types),*) -> #ret {
                ::gristmill_kernel::native::Isa::enter(isa, GmArgs(#(#args),*))
            }
            /// For the instruction set of the caller.
            #[inline(always)]
            pub fn call<GmI: ::gristmill_kernel::native::Isa>(isa: GmI, #(#args: #types),*) -> #ret {
                #call
            }
        }
        impl ::gristmill_kernel::native::Returns for #ident {
            type Out = #ret;
        }
    };
    if options.entry {
        out.extend(launch(ident, &types, &bound));
        return Ok(out);
    }
    if !any_ref {
        out.extend(on_lanes(item, t, options, code)?);
    }
    let results: Option<Vec<Ty>> = match &t.func.ret {
        Ty::Tuple(items) if items.iter().all(Ty::is_scalar) => Some(items.clone()),
        ty if ty.is_scalar() => Some(vec![ty.clone()]),
        _ => None,
    };
    let Some(results) = results.filter(|_| !any_ref && !types.is_empty()) else {
        if options.split || options.masked {
            return Err(Error::new(
                ident.span(),
                "#[kernel]: `split` and `masked` functions take values and return scalars",
            ));
        }
        return Ok(out);
    };
    if t.params.iter().all(|p| p.ty.is_scalar()) {
        out.extend(columns(item, t, options, &results)?);
    }
    Ok(out)
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
        impl<'gm> ::gristmill_kernel::native::Body for GmLaunch<'gm> {
            type Out = ();
            #[inline(always)]
            fn run<GmI: ::gristmill_kernel::native::Isa>(self, isa: GmI) {
                for i in 0..self.n {
                    #ident::body(isa, i, #(#pass),*);
                }
            }
        }
        impl #ident {
            /// Runs the work-items 0 to `n`, in order.
            pub fn launch(n: usize, #(#args: #types),*) {
                let body = GmLaunch { n, marker: ::core::marker::PhantomData, #(#fields: #args),* };
                match ::gristmill_kernel::native::V3::get() {
                    ::core::option::Option::Some(isa) => ::gristmill_kernel::native::Isa::enter(isa, body),
                    ::core::option::Option::None => {
                        ::gristmill_kernel::native::Isa::enter(::gristmill_kernel::native::Base, body)
                    }
                }
            }
        }
    }
}

/// The companion of a kernel that the function calls.
fn reference(t: &Translation, path: &syn::Path) -> Ident {
    let references = &t.func.references;
    let index = references.iter().position(|r| r.path == *path).expect("translated");
    alias(index, references[index].span)
}

/// The forms on lanes: `lanes` is the body, `lanes_call` what callers use; `lanes_first` and `lanes_rest` take a masked
/// kernel apart for the block loop.
fn on_lanes(item: &syn::ItemFn, t: &Translation, options: &Options, code: &LaneCode) -> Result<TokenStream> {
    let ident = &item.sig.ident;
    let (types, ..) = parameter_types(item);
    let ret = result_type(item);
    let args: Vec<Ident> = (0..types.len()).map(|i| format_ident!("a{i}")).collect();
    let of = |ty: &TokenStream| quote!(<#ty as ::gristmill_kernel::lanes::LaneType>::Of<GmL>);
    let arg_types: Vec<TokenStream> = types.iter().map(|ty| of(&quote!(#ty))).collect();
    let out = of(&ret);
    let fields: Vec<syn::Index> = (1..=types.len()).map(syn::Index::from).collect();
    let body = match &code.body {
        Some(body) => quote!(#body),
        None => quote! {
            ::gristmill_kernel::lanes::each(l, m0, #[inline(always)] |i| Self::call(
                l, #(<#types as ::gristmill_kernel::lanes::LaneType>::get(l, &#args, i)),*
            ))
        },
    };
    // What is large is compiled once and called, also if it is `inline`: for several lanes a call costs little.
    let call = quote! {
        if const { <#ident as ::gristmill_kernel::Kernel>::COST <= ::gristmill_kernel::lanes::INLINE } {
            Self::lanes(l, m0, #(#args),*)
        } else {
            l.outline(GmLaneArgs::<GmL>(m0, #(#args),*))
        }
    };
    let (first, rest) = if options.masked {
        let shape = shape::masked(item)?;
        let (main, rest) = (reference(t, &shape.main), reference(t, &shape.rest));
        let first = match &shape.test {
            shape::Test::Arguments(path) => {
                let in_main = reference(t, path);
                quote! {
                    const _: () = ::gristmill_kernel::shard::check_masked(<#in_main as ::gristmill_kernel::Kernel>::INLINE);
                    const _: () = ::gristmill_kernel::shard::check_masked(<#main as ::gristmill_kernel::Kernel>::INLINE);
                    let inside = l.mask_and(m0, #in_main::lanes_call(l, m0, #(#args),*));
                    (#main::lanes_loop(l, inside, #(#args),*), inside)
                }
            }
            shape::Test::Result(path) => {
                let holds = reference(t, path);
                quote! {
                    let y = #main::lanes_loop(l, m0, #(#args),*);
                    (y, l.mask_and(m0, #holds::lanes_call(l, m0, y)))
                }
            }
        };
        (first, quote!(#rest::lanes_call(l, m0, #(#args),*)))
    } else if options.split {
        let shape = shape::split(item)?;
        let (eval, setup) = (reference(t, &shape.eval), reference(t, &shape.setup));
        let pick = |list: &[usize]| -> Vec<Ident> { list.iter().map(|i| args[*i].clone()).collect() };
        let (xs, params, flags) = (pick(&shape.varying), pick(&shape.params), pick(&shape.flags));
        let with = |f: TokenStream| {
            quote! {
                let s = #setup::lanes_call(l, m0, #(#params),*);
                #eval::#f(l, m0, #(#xs,)* s, #(#flags),*)
            }
        };
        (with(quote!(lanes_first)), with(quote!(lanes_rest)))
    } else {
        (quote!((Self::lanes_loop(l, m0, #(#args),*), m0)), quote!(Self::lanes_call(l, m0, #(#args),*)))
    };
    let literals = t.params.iter().enumerate().filter(|(_, p)| p.ty.is_int()).map(|(k, _)| {
        let (name, ty, of) = (format_ident!("lanes_arg{k}"), &types[k], &arg_types[k]);
        quote! {
            /// A literal for this parameter.
            #[inline(always)]
            pub fn #name<GmL: ::gristmill_kernel::lanes::Lanes>(l: GmL, x: #ty) -> #of {
                ::gristmill_kernel::lanes::LaneType::splat(l, x)
            }
        }
    });
    let structs = t.func.references.iter().enumerate().map(|(i, r)| {
        let is_struct = !r.uses.iter().any(|u| matches!(u, Use::Call { .. } | Use::Const { .. }));
        let (name, path) = (lanes::struct_alias(i), alias(i, r.span));
        is_struct.then(|| quote!(type #name<L> = <#path as ::gristmill_kernel::lanes::LaneType>::Of<L>;))
    });
    Ok(quote! {
        #(#structs)*
        struct GmLaneArgs<GmL: ::gristmill_kernel::lanes::Lanes>(GmL::Mask, #(#arg_types),*);
        impl<GmL: ::gristmill_kernel::lanes::Lanes> ::gristmill_kernel::lanes::LaneBody<GmL> for GmLaneArgs<GmL> {
            type Out = #out;
            #[inline(always)]
            fn run(self, l: GmL) -> #out {
                #ident::lanes(l, self.0, #(self.#fields),*)
            }
        }
        #[allow(unused_mut, unused_variables, unused_assignments, unreachable_code)]
        impl #ident {
            #[inline(always)]
            fn lanes<GmL: ::gristmill_kernel::lanes::Lanes>(l: GmL, mut m0: GmL::Mask, #(#args: #arg_types),*) -> #out {
                #body
            }
            #(#literals)*
            /// On lanes, those in the mask.
            #[inline(always)]
            pub fn lanes_call<GmL: ::gristmill_kernel::lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> #out {
                #call
            }
            /// The same for the body of a block loop, of which there are few: it is inlined while it is cheap enough to notice.
            #[inline(always)]
            pub fn lanes_loop<GmL: ::gristmill_kernel::lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> #out {
                if const { <#ident as ::gristmill_kernel::Kernel>::LOOP_COST <= ::gristmill_kernel::lanes::VARIANTS } {
                    Self::lanes(l, m0, #(#args),*)
                } else {
                    Self::lanes_call(l, m0, #(#args),*)
                }
            }
            /// The main path of a masked kernel, and for which lanes it holds.
            #[inline(always)]
            pub fn lanes_first<GmL: ::gristmill_kernel::lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> (#out, GmL::Mask) {
                #first
            }
            /// The other path of a masked kernel.
            #[inline(always)]
            pub fn lanes_rest<GmL: ::gristmill_kernel::lanes::Lanes>(
                l: GmL, m0: GmL::Mask, #(#args: #arg_types),*
            ) -> #out {
                #rest
            }
        }
    })
}

/// The versions over columns, and the kernel as data.
fn columns(item: &syn::ItemFn, t: &Translation, options: &Options, results: &[Ty]) -> Result<TokenStream> {
    let ident = &item.sig.ident;
    let n = t.params.len();
    let args: Vec<Ident> = (0..n).map(|i| format_ident!("a{i}")).collect();
    let outs: Vec<Ident> = (0..results.len()).map(|i| format_ident!("r{i}")).collect();
    let in_variants: Vec<Ident> = t.params.iter().filter_map(|p| variant(&p.ty)).collect();
    let out_variants: Vec<Ident> = results.iter().filter_map(variant).collect();
    let open = quote! {
        let [#(::gristmill_kernel::Column::#in_variants(#args)),*] = *ins else {
            panic!("the columns do not fit the kernel")
        };
        let [#(::gristmill_kernel::ColumnMut::#out_variants(#outs)),*] = outs else {
            panic!("the results do not fit the kernel")
        };
    };
    let tuple = matches!(t.func.ret, Ty::Tuple(_));
    let store = |call: &TokenStream| if tuple { quote!((#(#outs[i]),*) = #call;) } else { quote!(r0[i] = #call;) };
    let at = |list: &[usize]| -> Vec<TokenStream> {
        list.iter().map(|i| &args[*i]).map(|a| quote!(#a[if #a.len() == 1 { 0 } else { i }])).collect()
    };
    let all: Vec<usize> = (0..n).collect();
    let every = at(&all);
    let single = store(&quote!(Self::call(isa, #(#every),*)));
    let put = {
        let parts: Vec<TokenStream> = (0..outs.len())
            .map(|k| {
                let k = syn::Index::from(k);
                if tuple { quote!(&y.#k) } else { quote!(&y) }
            })
            .collect();
        quote!(#[inline(always)] |at, y| { #(::gristmill_kernel::lanes::put(l, at, #parts, &mut *#outs);)* })
    };
    let mut hoisted = quote!();
    if options.split {
        let shape = shape::split(item)?;
        let (eval, setup) = (reference(t, &shape.eval), reference(t, &shape.setup));
        let params: Vec<&Ident> = shape.params.iter().map(|i| &args[*i]).collect();
        let (xs, flags) = (at(&shape.varying), at(&shape.flags));
        let each = store(&quote!(#eval::call(isa, #(#xs,)* s, #(#flags),*)));
        hoisted = quote! {
            if true #(&& #params.len() == 1)* {
                let s = #setup::call(isa, #(#params[0]),*);
                for i in 0..n { #each }
                return;
            }
        };
    }
    // The loops over lanes; `known` are arguments whose value stands in a variable of that name.
    let loops = |known: &[usize]| -> Result<TokenStream> {
        let get = |i: &usize| {
            let a = &args[*i];
            if known.contains(i) {
                quote!(<bool as ::gristmill_kernel::lanes::LaneType>::splat(l, #a))
            } else {
                quote!(#a.get(l, at))
            }
        };
        let mut hoisted = quote!();
        if options.split {
            let shape = shape::split(item)?;
            let (eval, setup) = (reference(t, &shape.eval), reference(t, &shape.setup));
            let uniform = shape.params.iter().filter(|i| !known.contains(i)).map(|i| &args[*i]);
            let first = shape.params.iter().map(|i| {
                let a = &args[*i];
                if known.contains(i) { quote!(#a) } else { quote!(#a.first()) }
            });
            let xs: Vec<TokenStream> = shape.varying.iter().map(get).collect();
            let flags: Vec<TokenStream> = shape.flags.iter().map(get).collect();
            hoisted = quote! {
                if true #(&& #uniform.uniform())* {
                    let s = #setup::call(l, #(#first),*);
                    let s = <<#setup as ::gristmill_kernel::native::Returns>::Out as ::gristmill_kernel::lanes::LaneType>::splat(l, s);
                    ::gristmill_kernel::lanes::run(
                        l, n, <#eval as ::gristmill_kernel::Kernel>::MASKED,
                        #[inline(always)] |m, at| #eval::lanes_first(l, m, #(#xs,)* s, #(#flags),*),
                        #[inline(always)] |m, at| #eval::lanes_rest(l, m, #(#xs,)* s, #(#flags),*),
                        #put,
                    );
                    return;
                }
            };
        }
        let every: Vec<TokenStream> = all.iter().map(get).collect();
        Ok(quote! {
            #hoisted
            ::gristmill_kernel::lanes::run(
                l, n, <#ident as ::gristmill_kernel::Kernel>::MASKED,
                #[inline(always)] |m, at| Self::lanes_first(l, m, #(#every),*),
                #[inline(always)] |m, at| Self::lanes_rest(l, m, #(#every),*),
                #put,
            );
        })
    };
    // A flag is nearly always the same for all. Where a loop is cheap enough to notice, each setting has one of its own, in
    // which the compiler sees its value.
    let flags: Vec<usize> = (0..n).filter(|i| t.params[*i].ty == Ty::Bool).collect();
    let (mut lane_variants, mut lane_known) = (quote!(), quote!());
    if !flags.is_empty() {
        let known = loops(&flags)?;
        let names: Vec<&Ident> = flags.iter().map(|i| &args[*i]).collect();
        let values: Vec<Ident> = (0..flags.len()).map(|k| format_ident!("flag{k}")).collect();
        let arms = (0..1usize << flags.len()).map(|setting| {
            let values: Vec<bool> = (0..flags.len()).map(|k| setting >> k & 1 == 1).collect();
            quote!((#(#values,)*) => Self::lane_block_known(l, ins, outs, #(#values),*))
        });
        lane_variants = quote! {
            if const { <#ident as ::gristmill_kernel::Kernel>::LOOP_COST <= ::gristmill_kernel::lanes::VARIANTS }
                #(&& #names.uniform())*
            {
                return match (#(#names.first(),)*) { #(#arms),* };
            }
        };
        lane_known = quote! {
            /// The block loops where the flags are the same for all.
            #[inline(always)]
            #[allow(unused_variables)]
            fn lane_block_known<GmL: ::gristmill_kernel::lanes::Lanes>(
                l: GmL, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>],
                #(#values: bool),*
            ) {
                #open
                let n = r0.len();
                #(let #args = ::gristmill_kernel::lanes::Source::new(#args);)*
                #(let #names = #values;)*
                #known
            }
        };
    }
    let lane_loops = loops(&[])?;
    Ok(quote! {
        impl ::gristmill_kernel::Native for #ident {
            #[inline(always)]
            fn single<GmI: ::gristmill_kernel::native::Isa>(
                isa: GmI, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>], i: usize,
            ) {
                #open
                #single
            }
            #[inline(always)]
            fn block<GmI: ::gristmill_kernel::native::Isa>(
                isa: GmI, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>],
            ) {
                #open
                let n = r0.len();
                #hoisted
                for i in 0..n { #single }
            }
            #[inline(always)]
            fn lane_block<GmL: ::gristmill_kernel::lanes::Lanes>(
                l: GmL, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>],
            ) {
                #open
                let n = r0.len();
                #(let #args = ::gristmill_kernel::lanes::Source::new(#args);)*
                #lane_variants
                #lane_loops
            }
        }
        impl #ident {
            #lane_known
            /// The kernel as data.
            pub const FUNCTION: ::gristmill_kernel::Function = ::gristmill_kernel::Function::of::<#ident>();
        }
    })
}
