//! A function from scalars to scalars over columns: the block loops, and the function as data.

use crate::native::parameter_types;
use crate::on_lanes::eval_paths;
use crate::{Options, companion, variant};
use gristmill_kernel_lang::ir::{Eval, Shape, Split, Test};
use gristmill_kernel_lang::{Reference, Translation, Ty};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Result};

/// The types of the results, if the function returns scalars: one, or the parts of a tuple.
pub(crate) fn scalar_results(t: &Translation) -> Option<Vec<Ty>> {
    match &t.func.ret {
        Ty::Tuple(items) if items.iter().all(Ty::is_scalar) => Some(items.clone()),
        ty if ty.is_scalar() => Some(vec![ty.clone()]),
        _ => None,
    }
}

/// Does the function go over columns: from scalars to scalars? One that is inlined into its callers and not `pub` is a part of them:
/// nobody maps it over a slice, and what it takes to do so is most of its code.
pub(crate) fn has_columns(item: &syn::ItemFn, t: &Translation, options: &Options) -> bool {
    let is_part = options.inline && !matches!(item.vis, syn::Visibility::Public(_));
    let scalars = !t.params.is_empty() && t.params.iter().all(|p| p.ty.is_scalar()) && scalar_results(t).is_some();
    scalars && !is_part
}

/// The typed call as a user writes it, for functions from scalars to scalars: `dnorm::map((x, mu, sigma, log), &mut out)?`.
pub(crate) fn typed_call(ident: &Ident, t: &Translation) -> Option<String> {
    let results = scalar_results(t)?.len();
    let names: Vec<&str> = t.params.iter().map(|p| p.name.as_str()).collect();
    let args = if let [one] = names[..] { format!("({one},)") } else { format!("({})", names.join(", ")) };
    let out = match results {
        1 => "&mut out".to_string(),
        n => format!("({})", (1..=n).map(|i| format!("&mut out{i}")).collect::<Vec<_>>().join(", ")),
    };
    Some(format!("{ident}::map({args}, {out})?"))
}

/// The documentation of a typed call.
fn call_doc(ident: &Ident, t: &Translation, method: &str, where_: &str) -> String {
    let call = typed_call(ident, t).unwrap_or_default().replacen("::map(", &format!("::{method}("), 1);
    format!(
        "Evaluates every element: `{call}`, {where_}.\n\nAn argument is a slice with a value for each element, or one value for \
         all; what depends only on the latter is done once. The bits are those of the function `{ident}` for each \
         element.\n\n# Errors\nWhen a slice has another length than the results; nothing was written then."
    )
}

/// What a split kernel gives for one element once its setup is the variable `s`, for the instruction set `isa`; `argument` gives
/// the others, and `of_rest` the setup where the main path does not hold.
pub(crate) fn eval_value(
    split: &Split,
    references: &[Reference],
    of_rest: TokenStream,
    argument: impl Fn(usize) -> TokenStream,
) -> TokenStream {
    let call = |i: usize, setup: TokenStream| {
        let (callee, list) = (companion(references, i), split.arguments(setup, &argument));
        quote!(#callee::call(isa, #(#list),*))
    };
    match &split.eval {
        Eval::Call(i) => call(*i, quote!(s)),
        Eval::Masked(masked) => {
            let (main, rest) = (call(masked.main, quote!(s)), call(masked.rest, of_rest));
            match masked.test {
                Test::Arguments(i) => {
                    let inside = call(i, quote!(s));
                    quote!(if #inside { #main } else { #rest })
                }
                Test::Result(i) => {
                    let holds = companion(references, i);
                    quote!({ let y = #main; if #holds::call(isa, y) { y } else { #rest } })
                }
            }
        }
    }
}

/// The versions over columns, and the kernel as data.
pub(crate) fn columns(item: &syn::ItemFn, t: &Translation, results: &[Ty], ordered: bool) -> Result<TokenStream> {
    let references = &t.func.references;
    let ident = &item.sig.ident;
    let n = t.params.len();
    let args: Vec<Ident> = (0..n).map(|i| format_ident!("a{i}")).collect();
    let outs: Vec<Ident> = (0..results.len()).map(|i| format_ident!("r{i}")).collect();
    let in_variants: Vec<Ident> = t.params.iter().filter_map(|p| p.ty.scalar()).map(variant).collect();
    let out_variants: Vec<Ident> = results.iter().filter_map(Ty::scalar).map(variant).collect();
    let open = quote! {
        let [#(::gristmill_kernel::Column::#in_variants(#args)),*] = *ins else {
            panic!("the columns do not fit the kernel")
        };
        let [#(::gristmill_kernel::ColumnMut::#out_variants(#outs)),*] = outs else {
            panic!("the results do not fit the kernel")
        };
        // Where a result begins and ends, in registers: what a loop stores might be the list of results itself.
        #(let #outs = &mut **#outs;)*
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
        quote!(#[inline(always)] |at, y| { #(gm_lanes::put(l, at, #parts, &mut *#outs);)* })
    };
    let split = match &t.func.shape {
        Shape::Split(split) => Some(split),
        _ => None,
    };
    let hoisted = split.map(|split| {
        let setup = companion(references, split.setup);
        let params: Vec<&Ident> = split.params.iter().map(|i| &args[*i]).collect();
        // A setup of the rest's own is made for the first element that needs it.
        let own = split.setup_of_rest.map(|i| companion(references, i));
        let (state, of_rest) = match own {
            None => (None, quote!(s)),
            Some(own) => (
                Some(quote!(let mut known = ::core::option::Option::None;)),
                quote! {
                    match known {
                        ::core::option::Option::Some(s) => s,
                        ::core::option::Option::None => {
                            let s = #own::call(isa, #(#params[0]),*);
                            known = ::core::option::Option::Some(s);
                            s
                        }
                    }
                },
            ),
        };
        let value = eval_value(split, references, of_rest, |i| every[i].clone());
        let each = store(&value);
        quote! {
            if true #(&& #params.len() == 1)* {
                let s = #setup::call(isa, #(#params[0]),*);
                #state
                for i in 0..n { #each }
                return;
            }
        }
    });
    // What elements are put in order by: the first argument, where the others are the same for all.
    let keys = if ordered {
        if t.params[0].ty != Ty::F64 {
            return Err(Error::new(ident.span(), "#[kernel(ordered)]: the first parameter must be an `f64`"));
        }
        let others = args[1..].iter().enumerate().filter(|(i, _)| t.params[i + 1].ty != Ty::Bool).map(|(_, a)| a);
        quote!(if true #(&& #others.uniform())* { a0.each() } else { ::core::option::Option::None })
    } else {
        quote!(::core::option::Option::None)
    };
    // The loops over lanes; `known` are arguments whose value stands in a variable of that name.
    let get = |i: &usize, known: &[usize]| {
        let a = &args[*i];
        if known.contains(i) { quote!(<bool as gm_lanes::LaneType>::splat(l, #a)) } else { quote!(#a.get(l, at)) }
    };
    // Where the parameters of the setup are the same for all.
    let uniform = |known: &[usize]| {
        let params = split.into_iter().flat_map(|s| &s.params).filter(|i| !known.contains(i)).map(|i| &args[*i]);
        quote!(true #(&& #params.uniform())*)
    };
    let hoisted_loop = |split: &Split, known: &[usize]| {
        let params: Vec<TokenStream> = split
            .params
            .iter()
            .map(|i| {
                let a = &args[*i];
                if known.contains(i) { quote!(#a) } else { quote!(#a.first()) }
            })
            .collect();
        let make = |setup: usize| {
            let setup = companion(references, setup);
            quote! {
                <<#setup as ::gristmill_kernel::__private::native::Returns>::Out as gm_lanes::LaneType>::splat(
                    l, #setup::call(l, #(#params),*),
                )
            }
        };
        // What leaves this function by reference is read from memory again after every store. The main path, which mostly stays
        // inside, has a copy of its own. A setup of the rest's own is made for the first elements that need it.
        let (first, _) = eval_paths(split, references, quote!(s), |i| get(&i, known));
        let (state, prepare, place) = match split.setup_of_rest {
            None => (quote!(let s_of_rest = s;), quote!(), quote!(s_of_rest)),
            Some(own) => {
                let made = make(own);
                let prepare = quote! {
                    if known_of_rest.is_none() {
                        known_of_rest = ::core::option::Option::Some(#made);
                    }
                    let ::core::option::Option::Some(s_of_rest) = &known_of_rest else { unreachable!() };
                };
                (quote!(let mut known_of_rest = ::core::option::Option::None;), prepare, quote!(*s_of_rest))
            }
        };
        let (_, rest) = eval_paths(split, references, place, |i| get(&i, known));
        let made = make(split.setup);
        quote! {
            let s = #made;
            #state
            gm_lanes::run(
                l, n, <#ident as ::gristmill_kernel::KernelItem>::MASKED, #keys,
                #[inline(always)] |m0, at| { #first },
                #[inline(always)] |m0, at| { #prepare #rest },
                #put,
            );
        }
    };
    // Where they vary. Columns mostly hold the same parameters for many rows: an expensive setup is kept until they change.
    let kept_loop = |split: &Split, known: &[usize]| {
        let lane_type = quote!(gm_lanes::LaneType);
        let (mut parameters, mut kept, mut values, mut types) = (vec![], vec![], vec![], vec![]);
        for i in &split.params {
            parameters.push(format_ident!("p{i}"));
            kept.push(format_ident!("kept{i}"));
            values.push(get(i, known));
            types.push(Ident::new(&t.params[*i].ty.spell(), Span::call_site()));
        }
        // Each path keeps its own: the elements of one may have other parameters than those of the other. It is that of all lanes, also
        // where few are left for a vector, as the next one may have them all.
        let path = |name: &str, setup: usize, of: fn((TokenStream, TokenStream)) -> TokenStream| {
            let setup = companion(references, setup);
            let (s, known_s) = (format_ident!("s_of_{name}"), format_ident!("known_of_{name}"));
            let kept: Vec<Ident> = kept.iter().map(|k| format_ident!("{k}_of_{name}")).collect();
            let value = of(eval_paths(split, references, &s, |i| get(&i, known)));
            let state = quote! {
                let mut #s: <<#setup as ::gristmill_kernel::__private::native::Returns>::Out as #lane_type>::Of<GmL> =
                    gm_lanes::Blend::<GmL>::zero(l);
                #(let mut #kept: <#types as #lane_type>::Of<GmL> = gm_lanes::Blend::<GmL>::zero(l);)*
                let mut #known_s = false;
            };
            let call = quote! {
                #(let #parameters = #values;)*
                if !(#known_s #(&& <#types as gm_lanes::SameBits>::same_bits(l, &#parameters, &#kept))*) {
                    #s = #setup::lanes_call(l, gm_lanes::Lanes::mask_splat(l, true), #(#parameters),*);
                    #(#kept = #parameters;)*
                    #known_s = true;
                }
                #value
            };
            (state, call)
        };
        let (first_state, first) = path("first", split.setup, |p| p.0);
        let (rest_state, rest) = path("rest", split.setup_of_rest.unwrap_or(split.setup), |p| p.1);
        quote! {
            #first_state
            #rest_state
            gm_lanes::run(
                l, n, <#ident as ::gristmill_kernel::KernelItem>::MASKED, #keys,
                #[inline(always)] |m0, at| { #first },
                #[inline(always)] |m0, at| { #rest },
                #put,
            );
        }
    };
    let plain_loop = |known: &[usize]| {
        let every: Vec<TokenStream> = all.iter().map(|i| get(i, known)).collect();
        let kept = split.map(|split| {
            let kept = kept_loop(split, known);
            let setups = [split.setup].into_iter().chain(split.setup_of_rest).map(|i| companion(references, i));
            quote! {
                if const { false #(|| <#setups as ::gristmill_kernel::KernelItem>::LOOP_COST > gm_lanes::KEPT)* } {
                    #kept
                    return;
                }
            }
        });
        quote! {
            #kept
            gm_lanes::run(
                l, n, <#ident as ::gristmill_kernel::KernelItem>::MASKED, #keys,
                #[inline(always)] |m, at| Self::lanes_first(l, m, #(#every),*),
                #[inline(always)] |m, at| Self::lanes_rest(l, m, #(#every),*),
                #put,
            );
        }
    };
    // A flag is nearly always the same for all. Where a loop is cheap enough to notice, each setting has one of its own, in
    // which the compiler sees its value. Parameters that vary mostly cost more than that gains: one loop serves all then.
    let flags: Vec<usize> = (0..n).filter(|i| t.params[*i].ty == Ty::Bool).collect();
    let cheap = quote!(<#ident as ::gristmill_kernel::KernelItem>::LOOP_COST <= gm_lanes::VARIANTS);
    let tiny = quote!(<#ident as ::gristmill_kernel::KernelItem>::LOOP_COST <= gm_lanes::VARYING_VARIANTS);
    let (mut variants, mut known) = (quote!(), quote!());
    if !flags.is_empty() {
        let looped = match split {
            Some(split) => {
                let (uniform, hoisted, plain) = (uniform(&flags), hoisted_loop(split, &flags), plain_loop(&flags));
                quote! {
                    if const { !(#tiny) } || (#uniform) {
                        #hoisted
                        return;
                    }
                    #plain
                }
            }
            None => plain_loop(&flags),
        };
        let names: Vec<&Ident> = flags.iter().map(|i| &args[*i]).collect();
        let values: Vec<Ident> = (0..flags.len()).map(|k| format_ident!("flag{k}")).collect();
        let arms = (0..1usize << flags.len()).map(|setting| {
            let values: Vec<bool> = (0..flags.len()).map(|k| setting >> k & 1 == 1).collect();
            quote!((#(#values,)*) => Self::lane_block_known(l, ins, outs, #(#values),*))
        });
        let uniform = uniform(&flags);
        variants = quote! {
            if const { #cheap } && (const { #tiny } || (#uniform)) #(&& #names.uniform())* {
                return match (#(#names.first(),)*) { #(#arms),* };
            }
        };
        known = quote! {
            /// The block loop where the flags, and mostly the parameters of a setup, are the same for all.
            #[inline(always)]
            #[allow(unused_variables)]
            fn lane_block_known<GmL: gm_lanes::Lanes>(
                l: GmL, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>],
                #(#values: bool),*
            ) {
                #open
                let n = r0.len();
                #(let #args = gm_lanes::Source::new(#args, n);)*
                #(let #names = #values;)*
                #looped
            }
        };
    }
    let lane_hoisted = split.map(|split| {
        let (uniform, looped) = (uniform(&[]), hoisted_loop(split, &[]));
        let wanted = if flags.is_empty() { quote!(true) } else { quote!(!(#cheap)) };
        quote! {
            if const { #wanted } && #uniform {
                #looped
                return;
            }
        }
    });
    let plain = plain_loop(&[]);
    let (in_types, ..) = parameter_types(item);
    let fields: Vec<syn::Index> = (0..n).map(syn::Index::from).collect();
    let out_types: Vec<Ident> = results.iter().map(|ty| Ident::new(&ty.spell(), Span::call_site())).collect();
    let outs_pattern = if tuple { quote!((#(#outs),*)) } else { quote!(r0) };
    let places = |life: TokenStream| {
        if tuple { quote!((#(&#life mut [#out_types]),*)) } else { quote!(#(&#life mut [#out_types])*) }
    };
    let (out_type, out_of_life) = (places(quote!()), places(quote!('gm)));
    let columns =
        quote!(&[#(::gristmill_kernel::Column::#in_variants(::gristmill_kernel::Argument::values(&args.#fields))),*]);
    let places = quote!(&mut [#(::gristmill_kernel::ColumnMut::#out_variants(#outs)),*]);
    let on_one = "on one thread, by the block loop of the machine's best instruction set";
    let map_doc = call_doc(ident, t, "map", on_one);
    let par_map_doc = call_doc(ident, t, "par_map", "on the threads of the current rayon pool");
    let on_doc = format!(
        "Builds the function for a device: `{ident}::on(&device)?.map(..)?` evaluates every element there, with the same \
         bits.\n\n# Errors\nWhen the device's compiler refuses it."
    );
    Ok(quote! {
        impl ::gristmill_kernel::Native for #ident {
            #[inline(always)]
            fn single<GmI: ::gristmill_kernel::__private::native::Isa>(
                isa: GmI, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>], i: usize,
            ) {
                #open
                #single
            }
            #[inline(always)]
            fn block<GmI: ::gristmill_kernel::__private::native::Isa>(
                isa: GmI, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>],
            ) {
                #open
                let n = r0.len();
                #hoisted
                for i in 0..n { #single }
            }
            #[inline(always)]
            fn lane_block<GmL: gm_lanes::Lanes>(
                l: GmL, ins: &[::gristmill_kernel::Column<'_>], outs: &mut [::gristmill_kernel::ColumnMut<'_>],
            ) {
                #open
                let n = r0.len();
                #(let #args = gm_lanes::Source::new(#args, n);)*
                #variants
                #lane_hoisted
                #plain
            }
        }
        #[doc(hidden)]
        impl #ident {
            #known
        }
        impl ::gristmill_kernel::TypedCall for #ident {
            type Params = (#(#in_types,)*);
            type Out<'gm> = #out_of_life;
            fn with_places<GmR>(
                #outs_pattern: Self::Out<'_>,
                then: impl ::core::ops::FnOnce(&mut [::gristmill_kernel::ColumnMut<'_>]) -> GmR,
            ) -> GmR {
                then(#places)
            }
        }
        impl #ident {
            #[doc = #map_doc]
            pub fn map(args: (#(impl ::gristmill_kernel::Argument<#in_types>,)*), #outs_pattern: #out_type)
                -> ::core::result::Result<(), ::gristmill_kernel::ColumnError>
            {
                Self::FUNCTION.map(#columns, #places)
            }
            #[doc = #par_map_doc]
            pub fn par_map(args: (#(impl ::gristmill_kernel::Argument<#in_types>,)*), #outs_pattern: #out_type)
                -> ::core::result::Result<(), ::gristmill_kernel::ColumnError>
            {
                Self::FUNCTION.par_map(#columns, #places)
            }
            #[doc = #on_doc]
            pub fn on<GmT: ::gristmill_kernel::Target>(target: &GmT)
                -> ::core::result::Result<::gristmill_kernel::On<#ident, GmT>, GmT::Error>
            {
                ::gristmill_kernel::On::new(target)
            }
            /// The kernel as data.
            pub const FUNCTION: ::gristmill_kernel::Function = ::gristmill_kernel::Function::of::<#ident>();
        }
    })
}
