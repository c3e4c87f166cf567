//! The attribute macro `#[kernel]`, thin over gristmill-kernel-lang.
//!
//! It puts beside an item, in the type namespace, a struct of the same name that carries its shard, its signature and its
//! native versions. A struct and not a module: its `impl`s stand in the item's own scope, so every path in the body means
//! the same there, also inside functions. The emitted code contains no `unsafe`.
#![forbid(unsafe_code)]

mod columns;
mod function;
mod item;
mod native;
mod on_lanes;
mod rewrite;

use gristmill_kernel_lang::{Form, callee};
use gristmill_scalar::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Error, Item, Result};

/// What stands in the parentheses.
#[derive(Default)]
struct Options {
    name: Option<String>,
    inline: bool,
    split: bool,
    masked: bool,
    entry: bool,
    /// Block loops run elements with similar first arguments together.
    ordered: bool,
    /// Where the crate gristmill-kernel is, if not under its own name.
    krate: Option<syn::Path>,
}

impl Options {
    fn form(&self) -> Form {
        match () {
            () if self.split => Form::Split,
            () if self.masked => Form::Masked,
            () if self.entry => Form::Entry,
            () => Form::Function,
        }
    }
}

/// Marks a function, a constant or a struct as part of the kernel language (docs/kernel-language.md).
///
/// - `#[kernel]` on a function: rustc compiles it, for the target, for AVX2 with FMA and on lanes; the same text becomes
///   OpenCL C.
/// - `#[kernel(inline)]`: inlined into its callers, on lanes if it is not large; may call only such kernels.
/// - `#[kernel(split)]`: the body is `eval(x.., setup(params..))`, or `let s = setup(params..);` and a masked body over `x.., s`:
///   block loops call `setup` once for constant parameters.
/// - `#[kernel(masked)]`: the body is `if in_main(args) { main(args) } else { rest(args) }`, or `let y = main(args);
///   if holds(y) { y } else { rest(args) }`: block loops run `main`, then `rest` over the elements where the test failed,
///   together.
/// - `#[kernel(ordered)]`, also beside `split` or `masked`: block loops run elements with similar first arguments together.
/// - `#[kernel(entry)]`: a `__kernel` over slices; the first parameter is the index of the work-item.
/// - `#[kernel(name = "dnorm4")]`: its name in C.
/// - `#[kernel(crate = "gristmill::kernel")]`: where gristmill-kernel is, if it is no direct dependency.
/// - On a constant: a number, a bool, a tuple of them or an array of them. On a struct: named fields of such types.
#[proc_macro_attribute]
pub fn kernel(args: proc_macro::TokenStream, input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let original: TokenStream = input.clone().into();
    match expand(args.into(), original.clone()) {
        Ok((tokens, Some(path))) => move_crate(tokens, &quote!(#path)).into(),
        Ok((tokens, None)) => tokens.into(),
        Err(e) => {
            // The item stays, so that rustc's own messages and the callers are not lost.
            let errors = e.to_compile_error();
            quote!(#original #errors).into()
        }
    }
}

/// Puts `path` for every `::gristmill_kernel`.
fn move_crate(tokens: TokenStream, path: &TokenStream) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
    let mut out: Vec<TokenTree> = vec![];
    for t in tokens {
        match t {
            TokenTree::Group(g) => {
                let mut moved = Group::new(g.delimiter(), move_crate(g.stream(), path));
                moved.set_span(g.span());
                out.push(moved.into());
            }
            TokenTree::Ident(i) if i == "gristmill_kernel" => {
                let colon = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ':');
                for _ in 0..2 {
                    if out.last().is_some_and(colon) {
                        out.pop();
                    }
                }
                out.extend(path.clone());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// What to emit, and where gristmill-kernel is.
fn expand(args: TokenStream, input: TokenStream) -> Result<(TokenStream, Option<syn::Path>)> {
    let mut options = Options::default();
    let parser = syn::meta::parser(|meta| {
        let known: &mut bool = match () {
            () if meta.path.is_ident("name") => {
                let name = meta.value()?.parse::<syn::LitStr>()?;
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                if !name.value().chars().all(plain) || name.value().starts_with(|c: char| !c.is_ascii_alphabetic()) {
                    return Err(Error::new(name.span(), "#[kernel]: a name in C is letters, digits and `_`"));
                }
                options.name = Some(name.value());
                return Ok(());
            }
            () if meta.path.is_ident("crate") => {
                options.krate = Some(meta.value()?.parse::<syn::LitStr>()?.parse()?);
                return Ok(());
            }
            () if meta.path.is_ident("inline") => &mut options.inline,
            () if meta.path.is_ident("split") => &mut options.split,
            () if meta.path.is_ident("masked") => &mut options.masked,
            () if meta.path.is_ident("entry") => &mut options.entry,
            () if meta.path.is_ident("ordered") => &mut options.ordered,
            () => {
                return Err(meta.error(
                    "#[kernel] knows `inline`, `split`, `masked`, `ordered`, `entry`, `name = \"...\"` and `crate = \"...\"` \
                     (docs/kernel-language.md)",
                ));
            }
        };
        *known = true;
        Ok(())
    });
    syn::parse::Parser::parse2(parser, args)?;
    let kinds = [options.inline, options.split, options.masked, options.entry].iter().filter(|k| **k).count();
    if kinds > 1 {
        return Err(Error::new(
            Span::call_site(),
            "#[kernel]: `inline`, `split`, `masked` and `entry` exclude each other",
        ));
    }
    if options.ordered && (options.inline || options.entry) {
        return Err(Error::new(
            Span::call_site(),
            "#[kernel]: `ordered` says how the block loop of an expensive kernel runs: it goes with neither `inline` nor `entry`",
        ));
    }
    let tokens = match syn::parse2::<Item>(input)? {
        Item::Fn(item) => function::function(item, &options)?,
        other if kinds > 0 || options.ordered => {
            let text = "#[kernel]: `inline`, `split`, `masked`, `ordered` and `entry` are for functions";
            return Err(Error::new_spanned(other, text));
        }
        Item::Const(item) => item::constant(item, &options)?,
        Item::Struct(item) => item::structure(item, &options)?,
        other => return Err(Error::new_spanned(other, "#[kernel] goes on a function, a constant or a struct")),
    };
    Ok((tokens, options.krate))
}

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

/// Attributes that decide whether the item exists at all go on everything beside it too.
fn cfgs(attrs: &[syn::Attribute]) -> Vec<&syn::Attribute> {
    attrs.iter().filter(|a| a.path().is_ident("cfg")).collect()
}

/// The documentation as text.
fn doc_text(attrs: &[syn::Attribute]) -> String {
    let mut lines = vec![];
    for a in attrs.iter().filter(|a| a.path().is_ident("doc")) {
        if let syn::Meta::NameValue(nv) = &a.meta
            && let syn::Expr::Lit(l) = &nv.value
            && let syn::Lit::Str(s) = &l.lit
        {
            let text = s.value();
            lines.push(text.strip_prefix(' ').unwrap_or(&text).to_string());
        }
    }
    lines.join("\n")
}

/// The companion of a kernel that the function calls: `references[index]`.
fn companion(references: &[gristmill_kernel_lang::Reference], index: usize) -> Ident {
    callee(index, references[index].span)
}

/// One alias per path, so that a path which is not a kernel is reported once, where it stands.
fn aliases(references: &[gristmill_kernel_lang::Reference]) -> impl Iterator<Item = TokenStream> + '_ {
    references.iter().enumerate().map(|(i, r)| {
        let alias = callee(i, r.span);
        let mut path = r.path.clone();
        for segment in &mut path.segments {
            // Same place, but known to come from the macro: rustc then adds "in this attribute macro expansion".
            segment.ident.set_span(Span::mixed_site().located_at(segment.ident.span()));
        }
        quote_spanned!(r.span => type #alias = #path;)
    })
}

fn shard_of(references: &[gristmill_kernel_lang::Reference], index: usize) -> TokenStream {
    let span = references[index].span;
    let alias = callee(index, span);
    quote_spanned!(span => <#alias as ::gristmill_kernel::KernelItem>::SHARD)
}

/// The variant of `Scalar`, `Column` and `Value` for a scalar type.
fn variant(scalar: Scalar) -> Ident {
    format_ident!("{scalar:?}")
}

/// A type as a `gristmill_kernel::Type`.
fn type_value(ty: &gristmill_kernel_lang::Ty, references: &[gristmill_kernel_lang::Reference]) -> TokenStream {
    use gristmill_kernel_lang::Ty;
    use gristmill_kernel_lang::ir::StructRef;
    match ty {
        Ty::Scalar(scalar) => {
            let name = Ident::new(&scalar.name().to_uppercase(), Span::call_site());
            quote!(::gristmill_kernel::__private::shard::types::#name)
        }
        Ty::Tuple(items) if items[..] == [Ty::F64, Ty::F64] => {
            quote!(::gristmill_kernel::__private::shard::types::PAIR)
        }
        Ty::Tuple(items) => {
            let items = items.iter().map(|t| type_value(t, references));
            quote!(::gristmill_kernel::Type::Tuple(&[#(#items),*]))
        }
        Ty::Array(elem, n) => {
            let elem = type_value(elem, references);
            quote!(::gristmill_kernel::Type::Array(&#elem, #n))
        }
        Ty::Struct(StructRef::Path(i)) => {
            let shard = shard_of(references, *i);
            quote!(::gristmill_kernel::Type::Struct(#shard))
        }
        Ty::Struct(StructRef::ResultOf(i)) => {
            let shard = shard_of(references, *i);
            quote!(::gristmill_kernel::__private::shard::result_type(#shard))
        }
        Ty::Ref(inner) => {
            let inner = type_value(inner, references);
            quote!(::gristmill_kernel::Type::Ref(&#inner))
        }
        Ty::Slice(elem, mutable) => {
            let v = variant(*elem);
            quote!(::gristmill_kernel::Type::Slice(::gristmill_kernel::Scalar::#v, #mutable))
        }
        _ => quote!(::gristmill_kernel::Type::Unit),
    }
}

/// What a shard's text is made of.
struct Text<'a> {
    typedefs: &'a [gristmill_kernel_lang::Typedef],
    /// Before the shard's own name.
    before: &'a str,
    after: &'a str,
    references: &'a [gristmill_kernel_lang::Reference],
}

/// What a shard says besides its item and its text.
struct Header<'a> {
    ident: &'a Ident,
    vis: &'a syn::Visibility,
    attrs: &'a [syn::Attribute],
    given_name: Option<&'a str>,
}

/// The static of an item's shard. `checks` stand in its initialiser: they ask the shards of what is called, so that kernels that call
/// each other in a circle are a cycle that rustc refuses.
fn shard(header: &Header<'_>, item: &TokenStream, text: &Text<'_>, checks: &[TokenStream]) -> TokenStream {
    let name = header.ident.to_string();
    let given = match header.given_name {
        Some(n) => quote!(::core::option::Option::Some(#n)),
        None => quote!(::core::option::Option::None),
    };
    let public = matches!(header.vis, syn::Visibility::Public(_));
    let line = u32::try_from(header.ident.span().start().line).unwrap_or(0);
    let doc = doc_text(header.attrs);
    let Text { before, after, .. } = text;
    let typedefs = text.typedefs.iter().map(|d| {
        let (name, members) = (&d.name, &d.members);
        quote!((#name, #members))
    });
    let references = text.references.iter().enumerate().map(|(i, r)| {
        let alias = callee(i, r.span);
        quote_spanned!(r.span => ::gristmill_kernel::ShardRef::Of(<#alias as ::gristmill_kernel::KernelItem>::shard))
    });
    quote! {
        static GM_SHARD: ::gristmill_kernel::EmittedShard = {
            #(#checks;)*
            ::gristmill_kernel::EmittedShard {
                name: #name,
                given_name: #given,
                public: #public,
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: #line,
                doc: #doc,
                item: #item,
                typedefs: &[#(#typedefs),*],
                text: (#before, #after),
                references: &[#(#references),*],
            }
        };
    }
}
