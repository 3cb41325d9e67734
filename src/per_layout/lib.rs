//! The attribute [`macro@per_layout`], which compiles a generic function once for each layout of positions,
//! in the crate that declares the function.
//!
//! Without the attribute, the compiler compiles a generic function again in every crate that calls it, which
//! doubles the time of a build. The attribute relies on `position::PerLayout`. It never changes the behavior
//! of a function.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, format_ident, quote};
use syn::parse::Error;
use syn::punctuated::Punctuated;
use syn::visit_mut::{VisitMut, visit_expr_path_mut};
use syn::{
    FnArg, GenericParam, Generics, Ident, ImplItem, ItemFn, ItemImpl, LifetimeParam, Pat,
    ReturnType, Signature, Token, Type, parse_macro_input, parse_quote,
};

/// The layouts of `position`, each with its constant in `position::PerLayout`.
const LAYOUTS: [(&str, &str); 4] = [
    ("NARROW", "Narrow"),
    ("NARROW_BOUND", "NarrowBound"),
    ("OPEN", "Open"),
    ("WIDE", "Wide"),
];

/// Compiles a function once for each layout. Crates that call the function link to the compiled code.
///
/// The attribute applies to a function, or to all functions of an `impl` block. A function must have exactly
/// one type parameter, the layout, named `W`; it may be that of the `impl` block. Parameters must be plain
/// names, and `impl Trait` is not supported. In the signature, sets of squares must be written as `<W as
/// Layout>::Set`, and `Self` as the name of the type.
#[proc_macro_attribute]
pub fn per_layout(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Ok(function) = syn::parse::<ItemFn>(item.clone()) {
        return expanded_function(function)
            .unwrap_or_else(Error::into_compile_error)
            .into();
    }
    let block = parse_macro_input!(item as ItemImpl);
    expanded_block(block)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

fn expanded_function(mut function: ItemFn) -> Result<Tokens, Error> {
    let body = function.block.to_token_stream();
    let dispatch = dispatch(&mut function.sig, None, &body)?;
    function.block = parse_quote!({ #dispatch });
    Ok(function.into_token_stream())
}

fn expanded_block(mut block: ItemImpl) -> Result<Tokens, Error> {
    let (generics, self_type) = (block.generics.clone(), block.self_ty.clone());
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            if function.sig.receiver().is_some() {
                RenameSelf.visit_block_mut(&mut function.block);
            }
            let body = function.block.to_token_stream();
            let dispatch = dispatch(&mut function.sig, Some((&generics, &self_type)), &body)?;
            function.block = parse_quote!({ #dispatch });
        }
    }
    Ok(block.into_token_stream())
}

/// Renames `self` to `this` in a body that becomes a free function.
struct RenameSelf;

impl VisitMut for RenameSelf {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.is_ident("self") {
            path.path = parse_quote!(this);
        }
        visit_expr_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        call.tokens = renamed(call.tokens.clone());
    }
}

/// Renames `self` to `this` in the arguments of a macro.
fn renamed(tokens: Tokens) -> Tokens {
    let rename = |token| match token {
        proc_macro2::TokenTree::Ident(name) if name == "self" => {
            proc_macro2::Ident::new("this", name.span()).into()
        }
        proc_macro2::TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), renamed(group.stream()));
            inner.set_span(group.span());
            inner.into()
        }
        other => other,
    };
    tokens.into_iter().map(rename).collect()
}

/// The parameters of the free function that receives the body.
struct Parameters {
    lifetimes: Vec<LifetimeParam>,
    /// The parameters as declared.
    declared: Vec<Tokens>,
    names: Vec<Tokens>,
    types: Vec<Type>,
}

impl Parameters {
    /// Returns the parameters of a function. The receiver of a method becomes the first parameter, `this`.
    ///
    /// # Errors
    /// If a parameter is not a plain name, or a type parameter is not the layout.
    fn of(signature: &Signature, block: Option<(&Generics, &Type)>) -> Result<Parameters, Error> {
        let mut lifetimes = Vec::new();
        let outer = block.iter().flat_map(|(generics, _)| &generics.params);
        for parameter in outer.chain(&signature.generics.params) {
            match parameter {
                GenericParam::Lifetime(lifetime) => lifetimes.push(lifetime.clone()),
                GenericParam::Type(layout) if layout.ident == "W" => {}
                other => return Err(Error::new_spanned(other, "expected the layout `W` only")),
            }
        }
        let (mut declared, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for input in &signature.inputs {
            match (input, block) {
                (FnArg::Receiver(receiver), Some((_, self_type))) => {
                    let (and, lifetime) = match &receiver.reference {
                        Some((and, lifetime)) => (Some(and), lifetime.as_ref()),
                        None => (None, None),
                    };
                    let mutable = receiver.mutability.filter(|_| and.is_some());
                    let this: Type = parse_quote!(#and #lifetime #mutable #self_type);
                    declared.push(quote!(this: #this));
                    names.push(quote!(self));
                    types.push(this);
                }
                (FnArg::Typed(typed), _) => {
                    let Pat::Ident(pattern) = &*typed.pat else {
                        return Err(Error::new_spanned(&typed.pat, "expected a plain name"));
                    };
                    declared.push(typed.to_token_stream());
                    names.push(pattern.ident.to_token_stream());
                    types.push((*typed.ty).clone());
                }
                (other, _) => return Err(Error::new_spanned(other, "not within an impl block")),
            }
        }
        Ok(Parameters {
            lifetimes,
            declared,
            names,
            types,
        })
    }
}

/// Returns a body that calls the code compiled for the layout. Removes `mut` from the parameters in
/// `signature`, because the new body does not change them.
fn dispatch(
    signature: &mut Signature,
    block: Option<(&Generics, &Type)>,
    body: &Tokens,
) -> Result<Tokens, Error> {
    let Parameters {
        lifetimes,
        declared,
        names,
        types,
    } = Parameters::of(signature, block)?;
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input
            && let Pat::Ident(pattern) = &mut *typed.pat
        {
            pattern.mutability = None;
        }
    }
    let output: &ReturnType = &signature.output;
    let passed: Vec<Ident> = (0..names.len()).map(|n| format_ident!("p{n}")).collect();
    let layouts = LAYOUTS.iter().map(|(constant, layout)| {
        let (constant, layout) = (format_ident!("{constant}"), format_ident!("{layout}"));
        quote! {
            const #constant: Self::Function<::position::#layout> = {
                type W = ::position::#layout;
                #[inline(never)]
                #[allow(clippy::too_many_arguments)]
                fn compiled<#(#lifetimes),*>(#(#passed: #types),*) #output {
                    generic::<W>(#(#passed),*)
                }
                compiled
            };
        }
    });
    let generics: Punctuated<Tokens, Token![,]> = lifetimes
        .iter()
        .map(ToTokens::to_token_stream)
        .chain([quote!(W: ::position::Layout)])
        .collect();
    Ok(quote! {
        #[allow(clippy::too_many_arguments)]
        fn generic<#generics>(#(#declared),*) #output #body

        enum Compiled {}

        #[allow(clippy::type_complexity)]
        impl ::position::PerLayout for Compiled {
            type Function<W: ::position::Layout> = for<#(#lifetimes),*> fn(#(#types),*) #output;
            #(#layouts)*
        }

        <W as ::position::Layout>::compiled::<Compiled>()(#(#names),*)
    })
}
