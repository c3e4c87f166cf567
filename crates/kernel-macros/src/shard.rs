//! What an item says of itself, and of what it refers to: its shard, the values of types, the companions of its callees.

use gristmill_kernel_lang::ir::StructRef;
use gristmill_kernel_lang::{Reference, Ty, Typedef, callee};
use gristmill_scalar::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

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
pub(crate) fn companion(references: &[Reference], index: usize) -> Ident {
    callee(index, references[index].span)
}

/// One alias per path, so that a path which is not a kernel is reported once, where it stands.
pub(crate) fn aliases(references: &[Reference]) -> impl Iterator<Item = TokenStream> + '_ {
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

pub(crate) fn shard_of(references: &[Reference], index: usize) -> TokenStream {
    let span = references[index].span;
    let alias = callee(index, span);
    quote_spanned!(span => <#alias as ::gristmill_kernel::KernelItem>::SHARD)
}

/// The variant of `Scalar`, `Column` and `Value` for a scalar type.
pub(crate) fn variant(scalar: Scalar) -> Ident {
    format_ident!("{scalar:?}")
}

/// A type as a `gristmill_kernel::Type`.
pub(crate) fn type_value(ty: &Ty, references: &[Reference]) -> TokenStream {
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
pub(crate) struct Text<'a> {
    pub(crate) typedefs: &'a [Typedef],
    /// Before the shard's own name.
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
    pub(crate) references: &'a [Reference],
}

/// What a shard says besides its item and its text.
pub(crate) struct Header<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) vis: &'a syn::Visibility,
    pub(crate) attrs: &'a [syn::Attribute],
    pub(crate) given_name: Option<&'a str>,
}

/// The static of an item's shard. `checks` stand in its initialiser: they ask the shards of what is called, so that kernels that call
/// each other in a circle are a cycle that rustc refuses.
pub(crate) fn shard(header: &Header<'_>, item: &TokenStream, text: &Text<'_>, checks: &[TokenStream]) -> TokenStream {
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
