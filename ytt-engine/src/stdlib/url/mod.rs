//! `@ytt:url`: escapes of parts, queries, and URLs as values.
//!
//! Own code: the crate `url` follows the rules of browsers (`http://H/a/../b` becomes `http://h/b`, and `a/b` is refused),
//! those for RFC 3986 refuse `/a b` and bytes that are not UTF-8; the reference changes nothing and takes all of that.
//! Byte strings all the way; `escape` has the tables, `parse` the grammar.

mod escape;
mod parse;

use std::collections::BTreeMap;

use starlark::eval::Evaluator;
use starlark::values::dict::AllocDict;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value, ValueTyped};

use self::escape::{Part, escape, escaped, unescape};
use self::parse::User;
use super::arguments::{expect_count, only, only_text};
use super::{constant, value_object};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::to_star;
use crate::eval::{FileInstance, Returned, convert, error};
use crate::yaml::{Arena, Body, Raw, Val};

pub(super) const FUNCTIONS: Functions = &[
    ("path_segment_encode", |function, given, eval| encode(function, &given, Part::PathSegment, eval.heap())),
    ("path_segment_decode", |function, given, eval| decode(function, &given, Part::PathSegment, eval.heap())),
    ("query_param_value_encode", |function, given, eval| encode(function, &given, Part::Query, eval.heap())),
    ("query_param_value_decode", |function, given, eval| decode(function, &given, Part::Query, eval.heap())),
    ("query_params_encode", query_params_encode),
    ("query_params_decode", query_params_decode),
    ("parse", parse_url),
];

fn star<'v>(bytes: &[u8], heap: Heap<'v>) -> Value<'v> {
    heap.alloc_str(&to_star(bytes)).to_value()
}

fn bad_text(message: String) -> starlark::Error {
    error::wrap(Diagnostic::error(Code::MODULE_DECODE, message))
}

fn encode<'v>(function: &Func<'v>, given: &CallArgs<'v>, part: Part, heap: Heap<'v>) -> Returned<'v> {
    Ok(star(&escaped(&only_text(function, given)?, part), heap))
}

fn decode<'v>(function: &Func<'v>, given: &CallArgs<'v>, part: Part, heap: Heap<'v>) -> Returned<'v> {
    let bytes = unescape(&only_text(function, given)?, part).map_err(bad_text)?;
    Ok(star(&bytes, heap))
}

fn query_params_encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let host = function.inst.as_ref().host.as_ref();
    let params = convert::to_val(host, only(function, &given)?, eval.heap())?;
    let arena = host.arena.borrow();
    let encoded = query(&arena, params).map_err(|text| {
        let problem = Diagnostic::error(Code::MODULE_ARGUMENT, text);
        error::wrap(match unlisted(&arena, params) {
            (keys, _) if keys.is_empty() => problem,
            (keys, are_all) => problem.fact(Fact::Unlisted { keys, are_all }),
        })
    })?;
    Ok(star(&encoded, eval.heap()))
}

/// `k=v&k=v2`, sorted by key; takes a raw dict of raw lists only.
fn query(arena: &Arena, params: Val) -> Result<Vec<u8>, String> {
    let expected = |what: &str, value: Val| format!("expected {what}, but was {}", foreign_kind(arena, value));
    let raw = |value: Val| if let Val::Raw(number) = value { Some(arena.raw(number)) } else { None };
    let Some(Raw::Dict(entries)) = raw(params) else {
        return Err(expected("argument to be a map", params));
    };
    let mut sorted: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
    for (key, values) in entries {
        let name = arena.text_bytes(*key).ok_or_else(|| expected("map key to be string", *key))?;
        let Some(Raw::List(values)) = raw(*values) else {
            return Err(expected("map value to be array", *values));
        };
        let texts = values
            .iter()
            .map(|value| arena.text_bytes(*value).ok_or_else(|| expected("array value to be string", *value)));
        sorted.insert(name, texts.collect::<Result<_, _>>()?);
    }
    let mut out = Vec::new();
    for (name, values) in sorted {
        for value in values {
            if !out.is_empty() {
                out.push(b'&');
            }
            escape(name, Part::Query, &mut out);
            out.push(b'=');
            escape(value, Part::Query, &mut out);
        }
    }
    Ok(out)
}

/// The parameters that have a text in place of a list of texts, if the first that has no list has a text;
/// whether all have one.
fn unlisted(arena: &Arena, params: Val) -> (Vec<String>, bool) {
    let Val::Raw(number) = params else { return Default::default() };
    let Raw::Dict(entries) = arena.raw(number) else { return Default::default() };
    let is_list = |value: &Val| matches!(value, Val::Raw(number) if matches!(arena.raw(*number), Raw::List(_)));
    let first = entries.iter().find(|(_, value)| !is_list(value));
    if !first.is_some_and(|(_, value)| matches!(value, Val::Str { .. })) {
        return Default::default();
    }
    let bare = entries.iter().filter(|(_, value)| matches!(value, Val::Str { .. }));
    let keys: Vec<String> = bare.filter_map(|(key, _)| Some(arena.str(*key)?.to_owned())).collect();
    let are_all = keys.len() == entries.len();
    (keys, are_all)
}

/// The name by which the reference's messages call the type of a value.
fn foreign_kind(arena: &Arena, value: Val) -> &'static str {
    match value {
        Val::Null => "<nil>",
        Val::Bool(_) => "bool",
        Val::Int(_) => "int64",
        Val::UInt(_) => "uint64",
        Val::Float(_) => "float64",
        Val::Str { .. } | Val::Bytes(_) => "string",
        Val::Raw(number) => match arena.raw(number) {
            Raw::List(_) => "[]interface {}",
            Raw::Dict(_) => "*orderedmap.Map",
        },
        Val::Node(id) => match arena.get(id).body {
            Body::Map(_) => "*yamlmeta.Map",
            Body::Array(_) => "*yamlmeta.Array",
            _ => "*yamlmeta.DocumentSet",
        },
    }
}

fn query_params_decode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let heap = eval.heap();
    let params = query_params(&only_text(function, &given)?).map_err(bad_text)?;
    Ok(heap.alloc(AllocDict(params.iter().map(|(name, values)| {
        (star(name, heap), heap.alloc(AllocList(values.iter().map(|value| star(value, heap)))))
    }))))
}

fn query_params(text: &[u8]) -> Result<BTreeMap<Vec<u8>, Vec<Vec<u8>>>, String> {
    let mut params: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
    for part in text.split(|byte| matches!(byte, b'&' | b';')).filter(|part| !part.is_empty()) {
        let (name, value) = parse::cut(part, b'=');
        let (name, value) = (unescape(name, Part::Query)?, unescape(value.unwrap_or_default(), Part::Query)?);
        params.entry(name).or_default().push(value);
    }
    Ok(params)
}

fn parse_url<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let text = only_text(function, &given)?;
    let url = parse::parse(&text).map_err(|message| {
        let problem = Diagnostic::error(Code::MODULE_DECODE, message);
        error::wrap(match is_user_cut(&text) {
            true => problem.help(
                "`/`, `#`, `?` and `%` in a user or a password have to be encoded where the URL is put together: \
                 `url.path_segment_encode(…)`",
            ),
            false => problem,
        })
    })?;
    let (inst, heap) = (function.inst, eval.heap());
    let (whole, without) = (star(&url.text(), heap), star(&url.without_user().text(), heap));
    Ok(url_object(inst, url.user.as_ref(), whole, without, star(url.hostname(), heap), heap))
}

/// Does an `@` follow the first sign that ends the host? Then that sign belongs to a user or password.
fn is_user_cut(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let Some((_, rest)) = text.split_once("://") else { return false };
    rest.find(['/', '#', '?', '%']).is_some_and(|end| rest.get(end..).is_some_and(|behind| behind.contains('@')))
}

/// A URL as a value: its text, its text without the user, and its host's name.
fn url_object<'v>(
    inst: ValueTyped<'v, FileInstance<'v>>,
    user: Option<&User>,
    whole: Value<'v>,
    without: Value<'v>,
    hostname: Value<'v>,
    heap: Heap<'v>,
) -> Value<'v> {
    let user = user.map_or_else(Value::new_none, |user| user_object(inst, user, heap));
    let without = Func::new(inst, "url.value.without_user", without_user).keeping(vec![without, hostname]).alloc(heap);
    let members = [
        ("user", user),
        ("without_user", without),
        ("string", constant(inst, "url.value.string", whole, heap)),
        ("hostname", constant(inst, "url.value.hostname", hostname, heap)),
    ];
    value_object("@ytt:url.value", members, heap)
}

#[allow(clippy::unreachable, reason = "`url_object` alone makes functions that run this, with both values")]
fn without_user<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    expect_count(&given, 0, "expected no argument")?;
    let [text, hostname] = function.kept[..] else { unreachable!("made with both") };
    Ok(url_object(function.inst, None, text, text, hostname, eval.heap()))
}

fn user_object<'v>(inst: ValueTyped<'v, FileInstance<'v>>, user: &User, heap: Heap<'v>) -> Value<'v> {
    let password = user.password.as_ref().map_or_else(Value::new_none, |password| star(password, heap));
    let members = [
        ("name", star(&user.name, heap)),
        ("password", password),
        // Compat: this one function goes by its bare name.
        ("string", constant(inst, "string", star(&user.text(), heap), heap)),
    ];
    value_object("@ytt:url.user", members, heap)
}
