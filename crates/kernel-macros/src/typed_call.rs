//! The typed call of a function from scalars to scalars: `dnorm::map((&x, mu, sigma, log), &mut out)?`, on threads, on a device.

use crate::Options;
use crate::native::parameter_types;
use crate::shard::variant;
use gristmill_kernel_lang::{Translation, Ty};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

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

/// `map`, `par_map` and `on` of a function with these results, and the function as data.
pub(crate) fn typed_calls(item: &syn::ItemFn, t: &Translation, results: &[Ty]) -> TokenStream {
    let ident = &item.sig.ident;
    let in_variants: Vec<Ident> = t.params.iter().filter_map(|p| p.ty.scalar()).map(variant).collect();
    let out_variants: Vec<Ident> = results.iter().filter_map(Ty::scalar).map(variant).collect();
    let (in_types, ..) = parameter_types(item);
    let fields: Vec<syn::Index> = (0..t.params.len()).map(syn::Index::from).collect();
    let outs: Vec<Ident> = (0..results.len()).map(|i| format_ident!("r{i}")).collect();
    let out_types: Vec<Ident> = results.iter().map(|ty| Ident::new(&ty.spell(), Span::call_site())).collect();
    let tuple = matches!(t.func.ret, Ty::Tuple(_));
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
    quote! {
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
    }
}
