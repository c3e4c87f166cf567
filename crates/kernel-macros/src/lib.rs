//! `#[kernel]`: leaves the item, and puts beside it, in the type namespace, a struct of the same name that carries the
//! shard and the block loops. A struct and not a module: its `impl`s stand in the item's own scope, so every path in
//! the body means the same there, also inside functions.
#![forbid(unsafe_code)]

use gristmill_kernel_lang::{Translation, Ty, Use, c_type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Error, Item, Result};

#[derive(Default)]
struct Options {
    name: Option<String>,
    inline: bool,
}

/// Marks a function or a constant as part of the kernel language.
/// `#[kernel(inline)]`: always inlined (may call only such kernels); `#[kernel(name = "dnorm4")]`: its name in C.
#[proc_macro_attribute]
pub fn kernel(args: proc_macro::TokenStream, input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let original: TokenStream = input.clone().into();
    match expand(args.into(), original.clone()) {
        Ok(tokens) => tokens.into(),
        Err(e) => {
            // The item stays, so that rustc's own messages and the callers are not lost.
            let errors = e.to_compile_error();
            quote!(#original #errors).into()
        }
    }
}

fn expand(args: TokenStream, input: TokenStream) -> Result<TokenStream> {
    let mut options = Options::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("name") {
            options.name = Some(meta.value()?.parse::<syn::LitStr>()?.value());
        } else if meta.path.is_ident("inline") {
            options.inline = true;
        } else {
            return Err(meta.error("#[kernel] knows `inline` and `name = \"...\"`"));
        }
        Ok(())
    });
    syn::parse::Parser::parse2(parser, args)?;
    match syn::parse2::<Item>(input)? {
        Item::Fn(item) => function(item, options),
        Item::Const(item) => constant(item, options),
        other => Err(Error::new_spanned(other, "#[kernel] goes on a function or a constant")),
    }
}

/// Names that OpenCL C owns, as functions, macros or keywords (a part; the real list is in its specification).
const OWNED: &[&str] = &[
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "logb",
    "pow",
    "pown",
    "powr",
    "rootn",
    "sqrt",
    "rsqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "sinpi",
    "cospi",
    "tanpi",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "lgamma",
    "lgamma_r",
    "tgamma",
    "fma",
    "mad",
    "fmin",
    "fmax",
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "round",
    "fmod",
    "modf",
    "frexp",
    "ldexp",
    "ilogb",
    "hypot",
    "nan",
    "min",
    "max",
    "clamp",
    "mix",
    "step",
    "sign",
    "dot",
    "cross",
    "length",
    "distance",
    "normalize",
    "select",
    "rotate",
    "popcount",
    "clz",
    "abs",
    "half",
    "double",
    "int",
    "uint",
    "long",
    "ulong",
    "char",
    "short",
    "float",
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "barrier",
    "any",
    "all",
    "shuffle",
    "printf",
    "main",
    "signbit",
    "isnan",
    "isinf",
    "copysign",
    "degrees",
    "radians",
    "smoothstep",
];

/// The companion lives in the type namespace: there it would hide these.
fn refuse_type_names(ident: &Ident) -> Result<()> {
    const TYPES: &[&str] = &[
        "f32",
        "f64",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "bool",
        "char",
        "str",
        "core",
        "std",
        "gristmill_kernel",
        "Option",
        "Vec",
        "String",
        "Box",
        "Result",
    ];
    if TYPES.contains(&ident.to_string().as_str()) {
        return Err(Error::new(
            ident.span(),
            format!("#[kernel]: `{ident}` is the name of a type or crate: choose another"),
        ));
    }
    Ok(())
}

fn c_name(name: &str, options: &Options) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    match &options.name {
        Some(given) => given.clone(),
        None if OWNED.contains(&name) || name.starts_with("gm_") || name.starts_with("map_") => format!("gm_{name}"),
        None => name.to_string(),
    }
}

fn scalar(ty: &Ty, span: Span) -> Result<TokenStream> {
    let name = match ty {
        Ty::F64 => "F64",
        Ty::I32 => "I32",
        Ty::I64 => "I64",
        Ty::U32 => "U32",
        Ty::U64 => "U64",
        Ty::Usize => "Usize",
        Ty::Bool => "Bool",
        Ty::Ref(inner) => return scalar(inner, span),
        other => return Err(Error::new(span, format!("#[kernel]: `{}` cannot stand here", other.tag()))),
    };
    let name = Ident::new(name, Span::call_site());
    Ok(quote!(::gristmill_kernel::Scalar::#name))
}

fn results(ty: &Ty, span: Span) -> Result<Vec<TokenStream>> {
    match ty {
        Ty::Unit => Ok(vec![]),
        Ty::Tuple(items) => items.iter().map(|t| scalar(t, span)).collect(),
        other => Ok(vec![scalar(other, span)?]),
    }
}

/// Attributes that decide whether the item exists at all go on everything beside it too.
fn cfgs(attrs: &[syn::Attribute]) -> Vec<syn::Attribute> {
    attrs.iter().filter(|a| a.path().is_ident("cfg")).cloned().collect()
}

fn function(mut item: syn::ItemFn, options: Options) -> Result<TokenStream> {
    refuse_type_names(&item.sig.ident)?;
    let t = gristmill_kernel_lang::translate(&item)?;
    let ident = item.sig.ident.clone();
    let name = ident.to_string();
    let span = ident.span();
    let cname = c_name(&name, &options);
    let cfg = cfgs(&item.attrs);
    let vis = item.vis.clone();

    let params = t
        .params
        .iter()
        .map(|p| {
            let (name, by_ref) = (&p.name, matches!(p.ty, Ty::Ref(_)));
            let ty = scalar(&p.ty, span)?;
            Ok(quote!(::gristmill_kernel::Param { name: #name, ty: #ty, by_ref: #by_ref }))
        })
        .collect::<Result<Vec<_>>>()?;
    let result_types = results(&t.ret, item.sig.ident.span())?;
    let is_tuple = matches!(t.ret, Ty::Tuple(_));
    let pieces = gristmill_kernel_lang::split_references(&t.text).into_iter().map(|(text, index)| match index {
        Some(i) => {
            let shard = shard_of(&t, i);
            quote!(::gristmill_kernel::Piece::Text(#text), ::gristmill_kernel::Piece::Ref(#shard))
        }
        None => quote!(::gristmill_kernel::Piece::Text(#text)),
    });
    // One alias per path, so that a path which is not a kernel is reported once, at the call.
    let aliases = t.references.iter().enumerate().map(|(i, r)| {
        let alias = alias(i, r.span);
        let mut path = r.path.clone();
        for segment in &mut path.segments {
            // Same place, but known to come from the macro: rustc then adds "originates in the attribute macro `kernel`".
            segment.ident.set_span(Span::mixed_site().located_at(segment.ident.span()));
        }
        quote_spanned!(r.span => type #alias = #path;)
    });
    let tuples = t.tuples.iter().map(|ty| {
        let Ty::Tuple(items) = ty else { unreachable!("only tuples are collected") };
        let members: Vec<String> = items.iter().enumerate().map(|(i, m)| format!("{} v{i};", c_type(m))).collect();
        let (name, members) = (c_type(ty), members.join(" "));
        quote!((#name, #members))
    });
    let checks = checks(&t, options.inline)?;
    let ret_c = &t.ret_c;
    let inline = options.inline;
    let native = native(&item, &t, inline)?;

    Exact.visit_block_mut(&mut item.block);
    item.attrs.push(if inline { syn::parse_quote!(#[inline(always)]) } else { syn::parse_quote!(#[inline]) });
    Ok(quote! {
        #item

        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #ident {}

        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, clippy::all)]
        const _: () = {
            #(#aliases)*
            static SHARD: ::gristmill_kernel::Shard = ::gristmill_kernel::Shard {
                name: #name,
                c_name: #cname,
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: ::core::line!(),
                item: ::gristmill_kernel::Item::Fn(::gristmill_kernel::Signature {
                    params: &[#(#params),*],
                    results: &[#(#result_types),*],
                    tuple: #is_tuple,
                }),
                tuples: &[#(#tuples),*],
                ret_c: #ret_c,
                text: &[#(#pieces),*],
            };
            impl ::gristmill_kernel::Kernel for #ident {
                const SHARD: &'static ::gristmill_kernel::Shard = &SHARD;
                const INLINE: bool = #inline;
            }
            #(#checks)*
            #native
        };
    })
}

fn alias(index: usize, span: Span) -> Ident {
    Ident::new(&format!("callee_{index}"), span)
}

fn shard_of(t: &Translation, index: usize) -> TokenStream {
    let span = t.references[index].span;
    let alias = alias(index, span);
    quote_spanned!(span => <#alias as ::gristmill_kernel::Kernel>::SHARD)
}

/// Assertions that what the macro inferred about things outside the function is true.
fn checks(t: &Translation, inline: bool) -> Result<Vec<TokenStream>> {
    let mut checks = vec![];
    for (i, r) in t.references.iter().enumerate() {
        let (alias, shard) = (alias(i, r.span), shard_of(t, i));
        for u in &r.uses {
            let check = match u {
                Use::Call { args, ret } => {
                    let args = args
                        .iter()
                        .map(|a| match a {
                            Some(ty) => {
                                let (s, by_ref) = (scalar(ty, r.span)?, matches!(ty, Ty::Ref(_)));
                                Ok(quote!(::core::option::Option::Some((#s, #by_ref))))
                            }
                            None => Ok(quote!(::core::option::Option::None)),
                        })
                        .collect::<Result<Vec<_>>>()?;
                    let ret = results(ret, r.span)?;
                    quote_spanned!(r.span => ::gristmill_kernel::check_call(#shard, &[#(#args),*], &[#(#ret),*]))
                }
                Use::Const { ty } => {
                    let ty = scalar(ty, r.span)?;
                    quote_spanned!(r.span => ::gristmill_kernel::check_const(#shard, #ty, false))
                }
                Use::Table { elem } => {
                    let ty = scalar(elem, r.span)?;
                    quote_spanned!(r.span => ::gristmill_kernel::check_const(#shard, #ty, true))
                }
            };
            checks.push(quote_spanned!(r.span => const _: () = #check;));
            if inline && matches!(u, Use::Call { .. }) {
                checks.push(
                    quote_spanned!(r.span => const _: () = assert!(<#alias as ::gristmill_kernel::Kernel>::INLINE,
                    "a `#[kernel(inline)]` function may call only `#[kernel(inline)]` functions");),
                );
            }
        }
    }
    Ok(checks)
}

/// Calls go to the callees' AVX2+FMA versions: `exp(x)` -> `callee_0::v3(x)`.
struct ToV3<'a>(&'a Translation);
impl VisitMut for ToV3<'_> {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        syn::visit_mut::visit_expr_call_mut(self, call);
        if let syn::Expr::Path(p) = &mut *call.func
            && !gristmill_kernel_lang::is_builtin_path(&p.path)
        {
            let index = self.0.references.iter().position(|r| r.path == p.path).expect("translated");
            let alias = alias(index, self.0.references[index].span);
            p.path = syn::parse_quote!(#alias::v3);
        }
    }
}

/// Methods whose result Rust leaves open go to `gristmill_kernel::exact`; everything else stays as written.
struct Exact;
const OPEN: &[&str] = &["min", "max", "to_bits", "is_sign_negative", "copysign"];
impl VisitMut for Exact {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        syn::visit_mut::visit_expr_mut(self, e);
        match e {
            syn::Expr::MethodCall(m) if OPEN.iter().any(|o| m.method == o) => {
                let (name, receiver, args) = (&m.method, &m.receiver, &m.args);
                *e = syn::parse_quote_spanned!(m.method.span() => ::gristmill_kernel::exact::#name(#receiver, #args));
            }
            syn::Expr::Call(c) => {
                if let syn::Expr::Path(p) = &mut *c.func
                    && gristmill_kernel_lang::is_builtin_path(&p.path)
                    && let name = p.path.segments[1].ident.clone()
                    && OPEN.iter().any(|o| name == o)
                {
                    p.path = syn::parse_quote_spanned!(name.span() => ::gristmill_kernel::exact::#name);
                }
            }
            _ => {}
        }
    }
}

/// The native versions: the scalar function for AVX2+FMA, and the block loops.
fn native(item: &syn::ItemFn, t: &Translation, inline: bool) -> Result<TokenStream> {
    let ident = &item.sig.ident;
    let args: Vec<Ident> = (0..t.params.len()).map(|i| format_ident!("a{i}")).collect();
    let types: Vec<&syn::Type> = item
        .sig
        .inputs
        .iter()
        .filter_map(|a| match a {
            syn::FnArg::Typed(p) => Some(&*p.ty),
            syn::FnArg::Receiver(_) => None,
        })
        .collect();
    let ret = &item.sig.output;
    let v3 = if inline {
        // Inlined wherever it is called, so it takes over the caller's instruction set.
        quote! {
            #[inline(always)]
            pub fn v3(#(#args: #types),*) #ret { #ident(#(#args),*) }
        }
    } else {
        let mut copy = item.clone();
        ToV3(t).visit_block_mut(&mut copy.block);
        Exact.visit_block_mut(&mut copy.block);
        copy.sig.ident = format_ident!("v3");
        let (sig, block) = (&copy.sig, &copy.block);
        quote! {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            #[inline]
            pub #sig #block
            #[cfg(not(target_arch = "x86_64"))]
            #[inline]
            pub fn v3(#(#args: #types),*) #ret { #ident(#(#args),*) }
        }
    };
    if t.params.iter().any(|p| matches!(p.ty, Ty::Ref(_))) || t.ret == Ty::Unit || t.params.is_empty() {
        return Ok(quote!(impl #ident { #v3 }));
    }
    let outs: Vec<(Ident, Ty)> = match &t.ret {
        Ty::Tuple(items) => items.iter().enumerate().map(|(i, ty)| (format_ident!("r{i}"), ty.clone())).collect(),
        other => vec![(format_ident!("r0"), other.clone())],
    };
    let (outs, out_tys): (Vec<Ident>, Vec<Ty>) = outs.into_iter().unzip();
    let variant = |ty: &Ty| {
        let tag = ty.tag();
        let mut c = tag.chars();
        let name: String = c.next().into_iter().flat_map(char::to_uppercase).chain(c).collect();
        format_ident!("{name}")
    };
    let in_variants: Vec<Ident> = t.params.iter().map(|p| variant(&p.ty)).collect();
    let out_variants: Vec<Ident> = out_tys.iter().map(&variant).collect();
    let out_types: Vec<Ident> = out_tys.iter().map(|t| Ident::new(&t.tag(), Span::call_site())).collect();
    let store = |call: TokenStream| match &t.ret {
        Ty::Tuple(_) => quote! { let y = #call; (#(#outs[i]),*) = y; },
        _ => quote! { r0[i] = #call; },
    };
    let body = |f: TokenStream| {
        let store = store(quote!(#f(#(#args[i]),*)));
        quote! {
            let n = r0.len();
            #(let #args = &#args[..n];)*
            #(let #outs = &mut #outs[..n];)*
            for i in 0..n { #store }
        }
    };
    let (base_body, v3_body) = (body(quote!(#ident)), body(quote!(Self::v3)));
    let scalar_body = body(quote!(f));
    // The commonest broadcast: the first argument varies, the others do not.
    let rest = &args[1..];
    let rest_types = &types[1..];
    let first_type = types[0];
    let uniform_store = store(quote!(Self::v3(a0[i] #(, #rest)*)));
    let open = quote! {
        let [#(::gristmill_kernel::Column::#in_variants(#args)),*] = *ins else { panic!("the columns do not fit the kernel") };
        let [#(::gristmill_kernel::ColumnMut::#out_variants(#outs)),*] = outs else { panic!("the results do not fit the kernel") };
    };
    let fn_type = quote!(fn(#(#types),*) #ret);
    Ok(quote! {
        impl #ident {
            #v3
            #[inline(never)]
            pub fn block_baseline(#(#args: &[#types],)* #(#outs: &mut [#out_types]),*) { #base_body }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            #[inline(never)]
            fn block_v3(#(#args: &[#types],)* #(#outs: &mut [#out_types]),*) { #v3_body }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            #[inline(never)]
            fn uniform_v3(a0: &[#first_type] #(, #rest: #rest_types)*, #(#outs: &mut [#out_types]),*) {
                let n = r0.len();
                let a0 = &a0[..n];
                #(let #outs = &mut #outs[..n];)*
                for i in 0..n { #uniform_store }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn erased_v3(ins: &[::gristmill_kernel::Column], outs: &mut [::gristmill_kernel::ColumnMut]) {
                #open
                Self::block_v3(#(#args,)* #(#outs),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn erased_uniform_v3(ins: &[::gristmill_kernel::Column], outs: &mut [::gristmill_kernel::ColumnMut]) {
                #open
                Self::uniform_v3(a0 #(, #rest[0])*, #(#outs),*)
            }
            pub const ENTRY: ::gristmill_kernel::Entry = ::gristmill_kernel::Entry {
                shard: <Self as ::gristmill_kernel::Kernel>::SHARD,
                scalar: |ins, outs| {
                    #open
                    let f: #fn_type = ::core::hint::black_box(#ident);
                    #scalar_body
                },
                baseline: |ins, outs| { #open Self::block_baseline(#(#args,)* #(#outs),*) },
                #[cfg(target_arch = "x86_64")]
                v3: ::core::option::Option::Some((Self::erased_v3, Self::erased_uniform_v3)),
                #[cfg(not(target_arch = "x86_64"))]
                v3: ::core::option::Option::None,
            };
        }
    })
}

fn constant(item: syn::ItemConst, options: Options) -> Result<TokenStream> {
    let (ident, vis) = (&item.ident, &item.vis);
    refuse_type_names(ident)?;
    let cfg = cfgs(&item.attrs);
    let (elem, table) = match gristmill_kernel_lang::parse_type(&item.ty)? {
        Ty::Array(elem, _) => (*elem, true),
        other => (other, false),
    };
    if !matches!(elem, Ty::F64 | Ty::I32 | Ty::I64 | Ty::U32 | Ty::U64) {
        return Err(Error::new_spanned(
            &item.ty,
            "#[kernel]: a constant is f64, i32, i64, u32, u64 or an array of one of them",
        ));
    }
    let name = ident.to_string();
    // Constants become macros in C: keep them clear of M_PI, NAN, CLK_... and of each other.
    let cname = options.name.clone().unwrap_or_else(|| format!("gm_{name}"));
    let variant = Ident::new(&elem.tag().to_uppercase(), Span::call_site());
    let value = if table { quote!(&#ident) } else { quote!(&[#ident]) };
    Ok(quote! {
        #item

        #(#cfg)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #ident {}

        #(#cfg)*
        const _: () = {
            static SHARD: ::gristmill_kernel::Shard = ::gristmill_kernel::Shard {
                name: #name,
                c_name: #cname,
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: ::core::line!(),
                item: ::gristmill_kernel::Item::Const { value: ::gristmill_kernel::Value::#variant(#value), table: #table },
                tuples: &[],
                ret_c: "",
                text: &[],
            };
            impl ::gristmill_kernel::Kernel for #ident {
                const SHARD: &'static ::gristmill_kernel::Shard = &SHARD;
            }
        };
    })
}
