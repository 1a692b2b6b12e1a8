//! The public face of the library as a snapshot: a change of it is seen in the review.

#![cfg(test)]

use quote::ToTokens;
use std::path::Path;
use syn::{ImplItem, Item, TraitItem, Visibility};

/// What users see: signatures without bodies, attributes and comments.
fn face(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = Vec::new();
    for item in file.items {
        match item {
            Item::Struct(one) if is_public(&one.vis) => {
                lines.push(format!("struct {}{}", one.ident, one.generics.to_token_stream()));
                for field in one.fields.iter().filter(|field| is_public(&field.vis)) {
                    let name = field.ident.as_ref().map_or("0".to_owned(), ToString::to_string);
                    lines.push(format!("    {name}: {}", field.ty.to_token_stream()));
                }
            }
            Item::Enum(one) if is_public(&one.vis) => {
                lines.push(format!("enum {}", one.ident));
                lines.extend(one.variants.iter().map(|variant| {
                    let fields: Vec<String> =
                        variant.fields.iter().map(|field| field.ty.to_token_stream().to_string()).collect();
                    format!("    {}({})", variant.ident, fields.join(", "))
                }));
            }
            Item::Fn(one) if is_public(&one.vis) => lines.push(one.sig.to_token_stream().to_string()),
            Item::Impl(one) => {
                let of = one.self_ty.to_token_stream();
                match &one.trait_ {
                    Some((name, _)) => lines.push(format!("impl {} for {of}", name.to_token_stream())),
                    None => lines.extend(one.items.iter().filter_map(|item| match item {
                        ImplItem::Fn(method) if is_public(&method.vis) && !is_hidden(&method.attrs) => {
                            Some(format!("{of}::{}", method.sig.to_token_stream()))
                        }
                        _ => None,
                    })),
                }
            }
            Item::Trait(one) if is_public(&one.vis) => {
                let above = one.supertraits.to_token_stream();
                lines.push(format!("trait {}{} : {above}", one.ident, one.generics.to_token_stream()));
                lines.extend(one.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => {
                        let default = if method.default.is_some() { " { .. }" } else { "" };
                        Some(format!("    {}{default}", method.sig.to_token_stream()))
                    }
                    _ => None,
                }));
            }
            Item::Const(one) if is_public(&one.vis) => {
                lines.push(format!("const {}: {}", one.ident, one.ty.to_token_stream()));
            }
            Item::Type(one) if is_public(&one.vis) => {
                lines.push(format!("type {} = {}", one.ident, one.ty.to_token_stream()));
            }
            Item::Use(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                lines.push(format!("use {}", one.tree.to_token_stream()));
            }
            Item::Mod(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                lines.push(format!("mod {}", one.ident));
            }
            Item::Macro(one) if one.attrs.iter().any(|one| one.path().is_ident("macro_export")) => {
                lines.push(format!("macro {}", one.ident.to_token_stream()));
            }
            _ => {}
        }
    }
    lines
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_hidden(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|one| one.to_token_stream().to_string().contains("hidden"))
}

#[test]
fn the_public_face_changes_on_purpose() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for file in [
        "src/lib.rs",
        "src/library/error.rs",
        "src/library/expectation.rs",
        "src/library/harness.rs",
        "src/library/message.rs",
        "src/library/model.rs",
        "src/library/verifier.rs",
        "../runtime/src/embedding/mod.rs",
        "../runtime/src/embedding/listening.rs",
        "../runtime/src/embedding/options.rs",
        "../runtime/src/embedding/report.rs",
        "../runtime/src/embedding/value.rs",
        "../runtime/src/embedding/walk.rs",
        "../embedding/src/lib.rs",
        "../embedding/src/config.rs",
        "../embedding/src/decode.rs",
        "../embedding/src/replay.rs",
        "../embedding/src/verification.rs",
    ] {
        text += &format!("{file}\n");
        for line in face(&root.join(file)) {
            text += &format!("  {line}\n");
        }
    }
    insta::assert_snapshot!(text);
}
