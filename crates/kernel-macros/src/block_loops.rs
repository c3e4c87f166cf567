//! A function from scalars to scalars over columns: one element of a block, and block loops over elements and over lanes.
//!
//! In the emitted code `ins` and `outs` are the columns, `a0`, `a1`, … the arguments (on lanes a `Source` each), `r0`, … the results,
//! `i` an element, `l` the lanes, `at` the place of a vector, `s` the setup of a split kernel.

use crate::on_lanes::eval_paths;
use crate::shard::{companion, variant};
use gristmill_kernel_lang::ir::{Eval, Shape, Split, Test};
use gristmill_kernel_lang::{Reference, Translation, Ty};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Result};

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

/// The implementation of `Native` for a function with these results.
pub(crate) fn block_loops(item: &syn::ItemFn, t: &Translation, results: &[Ty], ordered: bool) -> Result<TokenStream> {
    if ordered && t.params[0].ty != Ty::F64 {
        return Err(Error::new(item.sig.ident.span(), "#[kernel(ordered)]: the first parameter must be an `f64`"));
    }
    let loops = Loops {
        ident: &item.sig.ident,
        t,
        results,
        args: (0..t.params.len()).map(|i| format_ident!("a{i}")).collect(),
        outs: (0..results.len()).map(|i| format_ident!("r{i}")).collect(),
        split: match &t.func.shape {
            Shape::Split(split) => Some(split),
            _ => None,
        },
        ordered,
    };
    Ok(loops.native())
}

/// A function whose loops are emitted.
struct Loops<'a> {
    ident: &'a Ident,
    t: &'a Translation,
    results: &'a [Ty],
    /// The names of the arguments and of the results.
    args: Vec<Ident>,
    outs: Vec<Ident>,
    split: Option<&'a Split>,
    /// Whether elements with similar first arguments run together.
    ordered: bool,
}

impl Loops<'_> {
    fn references(&self) -> &[Reference] {
        &self.t.func.references
    }

    fn is_tuple(&self) -> bool {
        matches!(self.t.func.ret, Ty::Tuple(_))
    }

    fn native(&self) -> TokenStream {
        let (ident, open) = (self.ident, self.open());
        let (hoisted, single) = (self.hoisted(), self.single());
        let (variants, known) = self.variants();
        let args = &self.args;
        let (lane_hoisted, plain) = (self.lane_hoisted(), self.plain_loop(&[]));
        quote! {
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
        }
    }

    /// The columns by their names.
    fn open(&self) -> TokenStream {
        let (args, outs) = (&self.args, &self.outs);
        let in_variants: Vec<Ident> = self.t.params.iter().filter_map(|p| p.ty.scalar()).map(variant).collect();
        let out_variants: Vec<Ident> = self.results.iter().filter_map(Ty::scalar).map(variant).collect();
        quote! {
            let [#(::gristmill_kernel::Column::#in_variants(#args)),*] = *ins else {
                panic!("the columns do not fit the kernel")
            };
            let [#(::gristmill_kernel::ColumnMut::#out_variants(#outs)),*] = outs else {
                panic!("the results do not fit the kernel")
            };
            // Where a result begins and ends, in registers: what a loop stores might be the list of results itself.
            #(let #outs = &mut **#outs;)*
        }
    }

    /// Stores what the expression gives for the element.
    fn store(&self, value: &TokenStream) -> TokenStream {
        let outs = &self.outs;
        if self.is_tuple() { quote!((#(#outs[i]),*) = #value;) } else { quote!(r0[i] = #value;) }
    }

    /// The arguments of the element.
    fn every(&self) -> Vec<TokenStream> {
        self.args.iter().map(|a| quote!(#a[if #a.len() == 1 { 0 } else { i }])).collect()
    }

    /// One element.
    fn single(&self) -> TokenStream {
        let every = self.every();
        self.store(&quote!(Self::call(isa, #(#every),*)))
    }

    /// Element after element where the parameters of the setup are the same for all.
    fn hoisted(&self) -> Option<TokenStream> {
        let (split, references) = (self.split?, self.references());
        let setup = companion(references, split.setup);
        let params: Vec<&Ident> = split.params.iter().map(|i| &self.args[*i]).collect();
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
        let every = self.every();
        let each = self.store(&eval_value(split, references, of_rest, |i| every[i].clone()));
        Some(quote! {
            if true #(&& #params.len() == 1)* {
                let s = #setup::call(isa, #(#params[0]),*);
                #state
                for i in 0..n { #each }
                return;
            }
        })
    }

    /// An argument on lanes; `known` are those whose value stands in a variable of that name.
    fn get(&self, i: usize, known: &[usize]) -> TokenStream {
        let a = &self.args[i];
        if known.contains(&i) { quote!(<bool as gm_lanes::LaneType>::splat(l, #a)) } else { quote!(#a.get(l, at)) }
    }

    /// The test that the parameters of the setup are the same for all.
    fn uniform(&self, known: &[usize]) -> TokenStream {
        let params = self.split.into_iter().flat_map(|s| &s.params).filter(|i| !known.contains(i));
        let params = params.map(|i| &self.args[*i]);
        quote!(true #(&& #params.uniform())*)
    }

    /// The loop over vectors, by the paths that hold for most elements and for the rest.
    fn run(&self, first: TokenStream, rest: TokenStream) -> TokenStream {
        let (ident, outs) = (self.ident, &self.outs);
        // What elements are put in order by: the first argument, where the others are the same for all.
        let keys = if self.ordered {
            let others = self.args.iter().zip(&self.t.params).skip(1).filter(|(_, p)| p.ty != Ty::Bool).map(|(a, _)| a);
            quote!(if true #(&& #others.uniform())* { a0.each() } else { ::core::option::Option::None })
        } else {
            quote!(::core::option::Option::None)
        };
        let parts: Vec<TokenStream> = (0..outs.len())
            .map(|k| {
                let k = syn::Index::from(k);
                if self.is_tuple() { quote!(&y.#k) } else { quote!(&y) }
            })
            .collect();
        quote! {
            gm_lanes::run(
                l, n, <#ident as ::gristmill_kernel::KernelItem>::MASKED, #keys,
                #first,
                #rest,
                #[inline(always)] |at, y| { #(gm_lanes::put(l, at, #parts, &mut *#outs);)* },
            );
        }
    }

    /// The loop where the parameters of the setup are the same for all.
    fn hoisted_loop(&self, split: &Split, known: &[usize]) -> TokenStream {
        let references = self.references();
        let params: Vec<TokenStream> = split
            .params
            .iter()
            .map(|i| {
                let a = &self.args[*i];
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
        let (first, _) = eval_paths(split, references, quote!(s), |i| self.get(i, known));
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
        let (_, rest) = eval_paths(split, references, place, |i| self.get(i, known));
        let made = make(split.setup);
        let run = self
            .run(quote!(#[inline(always)] |m0, at| { #first }), quote!(#[inline(always)] |m0, at| { #prepare #rest }));
        quote! {
            let s = #made;
            #state
            #run
        }
    }

    /// The loop where they vary. Columns mostly hold the same parameters for many rows: an expensive setup is kept until they change.
    fn kept_loop(&self, split: &Split, known: &[usize]) -> TokenStream {
        let references = self.references();
        let lane_type = quote!(gm_lanes::LaneType);
        let (mut parameters, mut kept, mut values, mut types) = (vec![], vec![], vec![], vec![]);
        for i in &split.params {
            parameters.push(format_ident!("p{i}"));
            kept.push(format_ident!("kept{i}"));
            values.push(self.get(*i, known));
            types.push(Ident::new(&self.t.params[*i].ty.spell(), Span::call_site()));
        }
        // Each path keeps its own: the elements of one may have other parameters than those of the other. It is that of all lanes, also
        // where few are left for a vector, as the next one may have them all.
        let path = |name: &str, setup: usize, of: fn((TokenStream, TokenStream)) -> TokenStream| {
            let setup = companion(references, setup);
            let (s, known_s) = (format_ident!("s_of_{name}"), format_ident!("known_of_{name}"));
            let kept: Vec<Ident> = kept.iter().map(|k| format_ident!("{k}_of_{name}")).collect();
            let value = of(eval_paths(split, references, &s, |i| self.get(i, known)));
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
        let run = self.run(quote!(#[inline(always)] |m0, at| { #first }), quote!(#[inline(always)] |m0, at| { #rest }));
        quote! {
            #first_state
            #rest_state
            #run
        }
    }

    /// The loop without a setup that was made before it.
    fn plain_loop(&self, known: &[usize]) -> TokenStream {
        let every: Vec<TokenStream> = (0..self.args.len()).map(|i| self.get(i, known)).collect();
        let kept = self.split.map(|split| {
            let kept = self.kept_loop(split, known);
            let setups = [split.setup].into_iter().chain(split.setup_of_rest);
            let setups = setups.map(|i| companion(self.references(), i));
            quote! {
                if const { false #(|| <#setups as ::gristmill_kernel::KernelItem>::LOOP_COST > gm_lanes::KEPT)* } {
                    #kept
                    return;
                }
            }
        });
        let run = self.run(
            quote!(#[inline(always)] |m, at| Self::lanes_first(l, m, #(#every),*)),
            quote!(#[inline(always)] |m, at| Self::lanes_rest(l, m, #(#every),*)),
        );
        quote! {
            #kept
            #run
        }
    }

    /// The flags among the arguments.
    fn flags(&self) -> Vec<usize> {
        (0..self.args.len()).filter(|i| self.t.params[*i].ty == Ty::Bool).collect()
    }

    /// The test that a loop is cheap enough to notice its flags.
    fn is_cheap(&self) -> TokenStream {
        let ident = self.ident;
        quote!(<#ident as ::gristmill_kernel::KernelItem>::LOOP_COST <= gm_lanes::VARIANTS)
    }

    /// The choice of a loop for the setting of the flags, and that loop. A flag is nearly always the same for all. Where a loop is cheap
    /// enough to notice, each setting has one of its own, in which the compiler sees its value. Parameters that vary mostly cost more
    /// than that gains: one loop serves all then.
    fn variants(&self) -> (TokenStream, TokenStream) {
        let flags = self.flags();
        if flags.is_empty() {
            return (quote!(), quote!());
        }
        let (ident, args, cheap, uniform) = (self.ident, &self.args, self.is_cheap(), self.uniform(&flags));
        let tiny = quote!(<#ident as ::gristmill_kernel::KernelItem>::LOOP_COST <= gm_lanes::VARYING_VARIANTS);
        let looped = match self.split {
            Some(split) => {
                let (hoisted, plain) = (self.hoisted_loop(split, &flags), self.plain_loop(&flags));
                quote! {
                    if const { !(#tiny) } || (#uniform) {
                        #hoisted
                        return;
                    }
                    #plain
                }
            }
            None => self.plain_loop(&flags),
        };
        let names: Vec<&Ident> = flags.iter().map(|i| &args[*i]).collect();
        let values: Vec<Ident> = (0..flags.len()).map(|k| format_ident!("flag{k}")).collect();
        let arms = (0..1usize << flags.len()).map(|setting| {
            let values: Vec<bool> = (0..flags.len()).map(|k| setting >> k & 1 == 1).collect();
            quote!((#(#values,)*) => Self::lane_block_known(l, ins, outs, #(#values),*))
        });
        let choice = quote! {
            if const { #cheap } && (const { #tiny } || (#uniform)) #(&& #names.uniform())* {
                return match (#(#names.first(),)*) { #(#arms),* };
            }
        };
        let open = self.open();
        let known = quote! {
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
        (choice, known)
    }

    /// The loop over lanes where the parameters of the setup are the same for all, if no variant was it.
    fn lane_hoisted(&self) -> Option<TokenStream> {
        let split = self.split?;
        let (uniform, looped) = (self.uniform(&[]), self.hoisted_loop(split, &[]));
        let cheap = self.is_cheap();
        let wanted = if self.flags().is_empty() { quote!(true) } else { quote!(!(#cheap)) };
        Some(quote! {
            if const { #wanted } && #uniform {
                #looped
                return;
            }
        })
    }
}
