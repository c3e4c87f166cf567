//! `#[kernel]` on functions.

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
    let native = native(&item, &t, options)?;
    let (inline, specialise) = (options.inline, options.inline || options.masked);
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
                const SPECIALISE: bool = #specialise;
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

/// Everything native: the body, its two versions, and the block loops.
fn native(item: &syn::ItemFn, t: &Translation, options: &Options) -> Result<TokenStream> {
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
    let loops = Loops { item, t, options, types, args, results };
    out.extend(loops.emit()?);
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

/// What the block loops of one kernel are made from.
struct Loops<'a> {
    item: &'a syn::ItemFn,
    t: &'a Translation,
    options: &'a Options,
    types: Vec<syn::Type>,
    args: Vec<Ident>,
    results: Vec<Ty>,
}

impl Loops<'_> {
    fn outs(&self) -> Vec<Ident> {
        (0..self.results.len()).map(|i| format_ident!("r{i}")).collect()
    }

    /// `outs[i] = call`.
    fn store(&self, outs: &[Ident], call: &TokenStream) -> TokenStream {
        match self.t.func.ret {
            Ty::Tuple(_) => quote! { (#(#outs[i]),*) = #call; },
            _ => {
                let r = &outs[0];
                quote! { #r[i] = #call; }
            }
        }
    }

    fn reference(&self, path: &syn::Path) -> Ident {
        let references = &self.t.func.references;
        let index = references.iter().position(|r| r.path == *path).expect("translated");
        alias(index, references[index].span)
    }

    fn emit(&self) -> Result<TokenStream> {
        let ident = &self.item.sig.ident;
        let (args, types, outs) = (&self.args, &self.types, self.outs());
        let out_types: Vec<Ident> = self.results.iter().map(|t| Ident::new(&t.spell(), Span::call_site())).collect();
        let lanes: Vec<Ident> = (0..args.len()).map(|i| format_ident!("GmA{i}")).collect();
        let body = if self.options.split {
            self.split_lanes()?
        } else if self.options.masked {
            self.masked_lanes()?
        } else {
            self.plain_lanes(&quote!(Self::call))
        };
        let bounds = quote!(#(#lanes: ::gristmill_kernel::native::Lane<#types>),*);
        let mut out = quote! {
            struct GmRun<'gm, #(#lanes),*> { n: usize, a: (#(#lanes,)*), r: (#(&'gm mut [#out_types],)*) }
            impl<'gm, #bounds> ::gristmill_kernel::native::Body for GmRun<'gm, #(#lanes),*> {
                type Out = ();
                #[inline(always)]
                fn run<GmI: ::gristmill_kernel::native::Isa>(self, isa: GmI) {
                    let (#(#args,)*) = self.a;
                    let (#(#outs,)*) = self.r;
                    #ident::lanes(isa, self.n, #(#args,)* #(#outs),*);
                }
            }
            impl #ident {
                #[inline(always)]
                fn lanes<GmI: ::gristmill_kernel::native::Isa, #bounds>(
                    isa: GmI, n: usize, #(#args: #lanes,)* #(#outs: &mut [#out_types]),*
                ) {
                    use ::gristmill_kernel::native::Lane as _;
                    #body
                }
                /// The block loop over `n` elements.
                #[inline(always)]
                pub fn run<GmI: ::gristmill_kernel::native::Isa, #bounds>(
                    isa: GmI, n: usize, #(#args: #lanes,)* #(#outs: &mut [#out_types]),*
                ) {
                    isa.enter(GmRun { n, a: (#(#args,)*), r: (#(#outs,)*) });
                }
            }
        };
        if self.t.params.iter().all(|p| p.ty.is_scalar()) {
            out.extend(self.erased()?);
        }
        Ok(out)
    }

    fn plain_lanes(&self, f: &TokenStream) -> TokenStream {
        let (args, outs) = (&self.args, self.outs());
        let store = self.store(&outs, &quote!(#f(isa, #(#args.at(i)),*)));
        quote! {
            #(let #args = #args.part(0, n);)*
            #(let #outs = &mut #outs[..n];)*
            for i in 0..n { #store }
        }
    }

    fn masked_lanes(&self) -> Result<TokenStream> {
        let shape = shape::masked(self.item)?;
        let (args, outs) = (&self.args, self.outs());
        let (in_main, main, rest) =
            (self.reference(&shape.in_main), self.reference(&shape.main), self.reference(&shape.rest));
        let parts: Vec<Ident> = (0..args.len()).map(|i| format_ident!("p{i}")).collect();
        let places: Vec<Ident> = (0..outs.len()).map(|i| format_ident!("q{i}")).collect();
        let gathered: Vec<Ident> = (0..outs.len()).map(|i| format_ident!("g{i}")).collect();
        let out_types: Vec<Ident> = self.results.iter().map(|t| Ident::new(&t.spell(), Span::call_site())).collect();
        let store_main = self.store(&places, &quote!(#main::call(isa, #(#parts.at(i)),*)));
        let store_rest = self.store(&places, &quote!(#rest::call(isa, #(#parts.at(i)),*)));
        let test = quote!(#in_main::call(isa, #(#parts.at(i)),*));
        Ok(quote! {
            const _: () = ::gristmill_kernel::shard::check_masked(<#in_main as ::gristmill_kernel::Kernel>::INLINE);
            const _: () = ::gristmill_kernel::shard::check_masked(<#main as ::gristmill_kernel::Kernel>::INLINE);
            let mut start = 0;
            while start < n {
                let len = if n - start < ::gristmill_kernel::native::CHUNK { n - start } else { ::gristmill_kernel::native::CHUNK };
                #(let #parts = #args.part(start, len);)*
                #(let #places = &mut #outs[start..start + len];)*
                for i in 0..len { #store_main }
                // A count and not a flag: a sum of integers vectorises with the test.
                let mut outside: u64 = 0;
                for i in 0..len { outside += !#test as u64; }
                if outside > 0 {
                    if <#rest as ::gristmill_kernel::Kernel>::SPECIALISE {
                        // The rest has a loop of its own: gather its elements, run it over them, put the results back.
                        let mut index = [0u32; ::gristmill_kernel::native::CHUNK];
                        let mut m = 0;
                        for i in 0..len {
                            index[m] = i as u32; // m <= i, so this is inside
                            m += !#test as usize;
                        }
                        #(let mut #gathered = [<#out_types>::default(); ::gristmill_kernel::native::CHUNK];)*
                        #rest::run(
                            isa, m,
                            #(::gristmill_kernel::native::Gather::new(#parts, &index),)*
                            #(&mut #gathered[..m]),*
                        );
                        for j in 0..m {
                            let i = index[j] as usize;
                            #(#places[i] = #gathered[j];)*
                        }
                    } else {
                        for i in 0..len {
                            if !#test { #store_rest }
                        }
                    }
                }
                start += len;
            }
        })
    }

    fn split_lanes(&self) -> Result<TokenStream> {
        let shape = shape::split(self.item)?;
        let (args, outs) = (&self.args, self.outs());
        let (eval, setup) = (self.reference(&shape.eval), self.reference(&shape.setup));
        let lane = |i: &usize| format_ident!("GmA{i}");
        let uniform = shape.params.iter().chain(&shape.flags).map(|i| {
            let (lane, ty) = (lane(i), &self.types[*i]);
            quote!(<#lane as ::gristmill_kernel::native::Lane<#ty>>::UNIFORM)
        });
        let xs: Vec<&Ident> = shape.varying.iter().map(|i| &args[*i]).collect();
        let params = shape.params.iter().map(|i| &args[*i]);
        let flags: Vec<&Ident> = shape.flags.iter().map(|i| &args[*i]).collect();
        let run = |s: TokenStream| quote!(#eval::run(isa, n, #(#xs,)* #s, #(#flags,)* #(#outs),*));
        let plain = run(quote!(::gristmill_kernel::native::Uniform(s)));
        let arms = |count: u32| {
            let arms = (0..1u32 << count).map(|k| {
                let run = run(quote!(::gristmill_kernel::native::Flagged::<_, #k>(s)));
                if k + 1 == 1 << count { quote!(_ => #run,) } else { quote!(#k => #run,) }
            });
            quote!(match ::gristmill_kernel::native::Struct::flags(s) { #(#arms)* })
        };
        let (one, two) = (arms(1), arms(2));
        // Not through `call`, which is not inlined.
        let each = self.plain_lanes(&quote!(Self::body));
        let setup_lanes: Vec<Ident> = shape.params.iter().map(lane).collect();
        let setup_types: Vec<&syn::Type> = shape.params.iter().map(|i| &self.types[*i]).collect();
        let setup_args: Vec<&Ident> = shape.params.iter().map(|i| &args[*i]).collect();
        let per_element = run(quote!(GmEach { isa, #(#setup_args),* }));
        Ok(quote! {
            type GmSetup = <#setup as ::gristmill_kernel::native::Returns>::Out;
            const FLAGS: u32 = if <#eval as ::gristmill_kernel::Kernel>::SPECIALISE {
                <GmSetup as ::gristmill_kernel::native::Struct>::FLAGS
            } else {
                0
            };
            const ONE: bool = FLAGS == 1;
            const TWO: bool = FLAGS == 2;
            if true #(&& #uniform)* {
                let s: GmSetup = #setup::call(isa, #(#params.at(0)),*);
                if ONE {
                    #one
                } else if TWO {
                    #two
                } else {
                    #plain
                }
            } else if <#setup as ::gristmill_kernel::Kernel>::INLINE && <#eval as ::gristmill_kernel::Kernel>::SPECIALISE {
                // The setup of each element is made where it is used, inside the vector loops of `eval`.
                #[derive(Clone, Copy)]
                struct GmEach<GmI, #(#setup_lanes),*> { isa: GmI, #(#setup_args: #setup_lanes),* }
                impl<GmI: ::gristmill_kernel::native::Isa, #(#setup_lanes: ::gristmill_kernel::native::Lane<#setup_types>),*>
                    ::gristmill_kernel::native::Lane<GmSetup> for GmEach<GmI, #(#setup_lanes),*>
                {
                    const UNIFORM: bool = false;
                    #[inline(always)]
                    fn at(self, i: usize) -> GmSetup {
                        #setup::call(self.isa, #(self.#setup_args.at(i)),*)
                    }
                    #[inline(always)]
                    fn part(self, start: usize, len: usize) -> Self {
                        GmEach { isa: self.isa, #(#setup_args: self.#setup_args.part(start, len)),* }
                    }
                }
                #per_element
            } else {
                #each
            }
        })
    }

    /// The versions over columns of any kind, chosen at run time.
    fn erased(&self) -> Result<TokenStream> {
        let ident = &self.item.sig.ident;
        let (args, outs) = (&self.args, self.outs());
        let in_variants: Vec<Ident> = self.t.params.iter().filter_map(|p| variant(&p.ty)).collect();
        let out_variants: Vec<Ident> = self.results.iter().filter_map(variant).collect();
        let open = quote! {
            let [#(::gristmill_kernel::Column::#in_variants(#args)),*] = *ins else {
                panic!("the columns do not fit the kernel")
            };
            let [#(::gristmill_kernel::ColumnMut::#out_variants(#outs)),*] = outs else {
                panic!("the results do not fit the kernel")
            };
        };
        let n = args.len();
        let is_bool: Vec<bool> = self.t.params.iter().map(|p| p.ty == Ty::Bool).collect();
        let bools: Vec<usize> = (0..n).filter(|i| is_bool[*i]).collect();
        let strided = quote!(Self::run(isa, n, #(::gristmill_kernel::native::Strided::new(#args, n),)* #(#outs),*););
        let fast = self.options.inline || self.options.masked || self.options.split;
        let block = if !fast {
            strided
        } else {
            let varying: Vec<usize> = if self.options.split {
                shape::split(self.item)?.varying
            } else {
                (0..n).filter(|i| !is_bool[*i]).take(1).collect()
            };
            let numeric: Vec<usize> = (0..n).filter(|i| !is_bool[*i]).collect();
            let special = if self.options.split {
                let eval = self.reference(&shape::split(self.item)?.eval);
                quote!(<#eval as ::gristmill_kernel::Kernel>::SPECIALISE)
            } else {
                quote!(true)
            };
            // One loop for each value of the flags, where that pays.
            let for_flags = |run: &dyn Fn(Option<&[bool]>) -> TokenStream| -> TokenStream {
                let general = run(None);
                if bools.is_empty() || bools.len() > 2 {
                    return general;
                }
                let values = bools.iter().map(|i| {
                    let a = &args[*i];
                    quote!(#a[0])
                });
                let arms = (0..1usize << bools.len()).map(|k| {
                    let flags: Vec<bool> = (0..bools.len()).map(|b| k >> b & 1 == 1).collect();
                    let run = run(Some(&flags));
                    quote!((#(#flags,)*) => { #run })
                });
                quote! {
                    const SPECIAL: bool = #special;
                    if SPECIAL {
                        match (#(#values,)*) { #(#arms)* }
                    } else {
                        #general
                    }
                }
            };
            let flag = |i: usize, flags: Option<&[bool]>| {
                let a = &args[i];
                match (flags, bools.iter().position(|b| *b == i)) {
                    (Some(flags), Some(k)) => {
                        let value = flags[k];
                        quote!(::gristmill_kernel::native::Flag::<#value>)
                    }
                    _ => quote!(::gristmill_kernel::native::Uniform(#a[0])),
                }
            };
            // Leading arguments vary, the others do not.
            let leading = for_flags(&|flags| {
                let list = (0..n).map(|i| {
                    let a = &args[i];
                    if varying.contains(&i) && !is_bool[i] { quote!(#a) } else { flag(i, flags) }
                });
                quote!(Self::run(isa, n, #(#list,)* #(&mut *#outs),*);)
            });
            let leading_test = (0..n).map(|i| {
                let a = &args[i];
                if varying.contains(&i) && !is_bool[i] { quote!(#a.len() == n) } else { quote!(#a.len() == 1) }
            });
            // Every number varies, or is spread over a buffer.
            let all = if numeric.iter().all(|i| varying.contains(i)) {
                quote!()
            } else {
                let run = for_flags(&|flags| {
                    let list = (0..n).map(|i| {
                        let a = &args[i];
                        if is_bool[i] { flag(i, flags) } else { quote!(#a.part(start, len)) }
                    });
                    quote!(Self::run(isa, len, #(#list,)* #(&mut #outs[start..start + len]),*);)
                });
                let spread = numeric.iter().map(|i| {
                    let a = &args[*i];
                    quote!(let #a = ::gristmill_kernel::native::Spread::new(#a, n);)
                });
                let uniform = bools.iter().map(|i| {
                    let a = &args[*i];
                    quote!(#a.len() == 1)
                });
                quote! {
                    if true #(&& #uniform)* {
                        #(#spread)*
                        let mut start = 0;
                        while start < n {
                            let len = if n - start < ::gristmill_kernel::native::CHUNK { n - start } else { ::gristmill_kernel::native::CHUNK };
                            #run
                            start += len;
                        }
                        return;
                    }
                }
            };
            quote! {
                if GmI::FAST {
                    if true #(&& #leading_test)* {
                        #leading
                        return;
                    }
                    #all
                }
                #strided
            }
        };
        let single = match self.t.func.ret {
            Ty::Tuple(_) => quote!((#(#outs[i]),*) = y;),
            _ => quote!(r0[i] = y;),
        };
        Ok(quote! {
            impl ::gristmill_kernel::Native for #ident {
                #[inline(always)]
                fn single<GmI: ::gristmill_kernel::native::Isa>(
                    isa: GmI, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>], i: usize,
                ) {
                    #open
                    let y = Self::call(isa, #(#args[if #args.len() == 1 { 0 } else { i }]),*);
                    #single
                }
                #[inline(always)]
                fn block<GmI: ::gristmill_kernel::native::Isa>(
                    isa: GmI, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>],
                ) {
                    #open
                    #(let #outs = &mut **#outs;)*
                    let n = r0.len();
                    #block
                }
            }
            impl #ident {
                /// The kernel as data.
                pub const FUNCTION: ::gristmill_kernel::Function = ::gristmill_kernel::Function::of::<#ident>();
            }
        })
    }
}
