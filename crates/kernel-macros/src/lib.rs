//! The attribute macro `#[kernel]` over gristmill-kernel-lang, which reads the item and writes C and lanes; what is put
//! around them is made here.
//!
//! It puts beside an item, in the type namespace, a struct of the same name that carries its shard, its signature and its
//! native versions. A struct and not a module: its `impl`s stand in the item's own scope, so every path in the body means
//! the same there, also inside functions. The emitted code contains no `unsafe`.
#![forbid(unsafe_code)]

mod block_loops;
mod function;
mod item;
mod native;
mod on_lanes;
mod page;
mod rewrite;
mod shard;
mod typed_call;

use gristmill_kernel_lang::Form;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
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
