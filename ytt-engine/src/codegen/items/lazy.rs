//! Types of the user's: read at first use from a constant, and checked by a test of the package.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::{Maker, describe, lints, named, select};
use crate::Rendered;
use crate::codegen::call::{StaticItem, Written};
use crate::codegen::types::emit::Writer;
use crate::codegen::types::names;
use crate::diag::path::{push_index, push_key};
use crate::yaml::NodeRef;

/// Expands a constant of a type of the user's that is read at first use.
pub(super) fn serde(maker: &mut Maker<'_>, item: &StaticItem, result: &Rendered, nodes: &[NodeRef<'_>]) -> TokenStream {
    let Written::Lazy { ty, is_list } = &item.ty else { return TokenStream::new() };
    let span = item.source.span;
    let mut writer = Writer::new(maker.style(false), &[], result.outer().1.output_bytes);
    let written = match is_list {
        true => {
            writer.has_values = true;
            writer.out.push_str("YttV::Seq(&[");
            let done = nodes.iter().try_for_each(|node| {
                writer.any(*node)?;
                writer.out.push_str(", ");
                Ok(())
            });
            writer.out.push_str("])");
            done
        }
        false => nodes.first().map_or(Ok(()), |node| writer.any(*node)),
    };
    if let Err(problem) = written {
        maker.limit(&problem, result, span);
        return TokenStream::new();
    }
    let value = maker.parsed(&writer.finish(), span);
    let name = &item.name;
    let plain = name.to_string().trim_start_matches("r#").to_owned();
    let hidden = Ident::new(&format!("__YTT_{}", plain.to_uppercase()), Span::call_site());
    let test =
        format_ident!("ytt_{}_fits_its_type", names::snake(&plain).unwrap_or(plain.clone()).trim_start_matches("r#"));
    let (visibility, lazy) = (&item.visibility, &item.tokens);
    let head = maker.head(&item.attributes, &describe(item, None), &[]);
    let cfg = named(&item.attributes, "cfg");
    let lints = lints(maker.place, &[]);
    let places = places(nodes, *is_list);
    let (at, found): (Vec<&String>, Vec<&String>) = places.iter().map(|(path, place)| (path, place)).unzip();
    let failed = format!("ytt: `{plain}`: {{}}");
    let shown = ty.to_string().replace(' ', "");
    let misfit = format!("ytt: `{plain}` does not fit `{}`: {{}}", shown.replace('{', "{{").replace('}', "}}"));
    let misfit_at = format!("{misfit} at {{}}");
    quote! {
        #lints #cfg #[doc(hidden)]
        static #hidden: ::ytt_engine::constant::Value = #value;
        #head
        #visibility static #name: #lazy = <#lazy>::new(|| match ::ytt_engine::constant::from_value::<#ty>(&#hidden) {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(error) => ::core::panic!(#failed, error),
        });
        #lints #cfg #[cfg(test)] #[test]
        fn #test() {
            const AT: &[(&str, &str)] = &[#((#at, #found)),*];
            if let ::core::result::Result::Err(error) = ::ytt_engine::constant::from_value::<#ty>(&#hidden) {
                match error.nearest(AT) {
                    ::core::option::Option::Some(place) => ::core::panic!(#misfit_at, error, place),
                    ::core::option::Option::None => ::core::panic!(#misfit, error),
                }
            }
        }
    }
}

/// Paths of all values, as errors name them, and where they stand; a value stands behind what holds it.
fn places(nodes: &[NodeRef<'_>], is_list: bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        let mut path = if is_list { format!("[{number}]") } else { String::new() };
        collect(*node, &mut path, &mut found, 0);
    }
    found
}

/// Places that are worth their bytes: values deeper than this have that of what holds them.
const DEPTH: usize = 64;

fn collect(node: NodeRef<'_>, path: &mut String, found: &mut Vec<(String, String)>, depth: usize) {
    if depth > DEPTH {
        return;
    }
    if node.span().is_some() {
        found.push((path.clone(), select::place(node)));
    }
    let length = path.len();
    for (key, value) in node.entries() {
        if let Some(key) = key.as_str() {
            push_key(path, key);
            collect(value, path, found, depth.saturating_add(1));
            path.truncate(length);
        }
    }
    for (number, value) in node.items().enumerate() {
        push_index(path, number);
        collect(value, path, found, depth.saturating_add(1));
        path.truncate(length);
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::constant::{Value, from_value};
    use crate::yaml::DocumentSet;

    #[test]
    fn places_are_found_by_the_paths_of_errors() {
        let keys = ["a", "a b", "a.b", "", "é\"", "x/y", "[0]", "9", "a\nb", "💥", "`"];
        for key in keys {
            let text = format!("top:\n- {{}}\n- {key:?}: {{ {key:?}: true }}\n");
            let set = DocumentSet::parse("a.yml", text.as_bytes()).unwrap();
            let found = places(&[set.get(0).unwrap()], false);
            let map = |value: Value| Value::Map(vec![(Value::Str(key), value)].leak());
            let list = Value::Seq(vec![Value::Map(&[]), map(map(Value::Bool(true)))].leak());
            let whole = Value::Map(vec![(Value::Str("top"), list)].leak());
            let error =
                from_value::<BTreeMap<String, Vec<BTreeMap<String, BTreeMap<String, u8>>>>>(&whole).unwrap_err();
            assert_eq!(Some(error.path()), found.last().map(|(path, _)| path.as_str()), "{key:?}");
        }
    }
}
