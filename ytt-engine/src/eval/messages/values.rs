//! Errors of operators, attributes, indexes, iteration and changes of containers.

use super::place::ErrorSite;
use super::{Message, matched};
use crate::diag::{Diagnostic, Fact, suggest};
use crate::template::snippet::Snippet;
use crate::template::{FILE_FUNCTION, methods};

/// The words for an error of this form, if it is one of them.
pub(super) fn words(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    operation(text, place)
        .or_else(|| attribute(text))
        .or_else(|| index(text, place))
        .or_else(|| container(text, place))
        .or_else(|| name(text, place))
        .or_else(|| arithmetic(text))
}

fn told(text: impl Into<String>) -> Option<Message> {
    Some(Message::from(text.into()))
}

fn operation(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    if let Some([operator, left, right]) = matched(text, "Operation `", ["` not supported for types `", "` and `", "`"])
    {
        return Some(binary(operator, left, right, place));
    }
    let [operator, kind] = matched(text, "Operation `", ["` not supported on type `", "`"])?;
    match operator {
        "call()" => {
            let fact = Fact::NotCallable { kind: kind.to_owned() };
            Some(Message::of(format!("invalid call of non-function ({kind})"), fact))
        }
        "(iter)" | "(iter mut)" => iteration(kind, place),
        "len()" => Some(Message::of(format!("got {kind} in sequence assignment"), Fact::NotUnpacked { counts: None })),
        "[::]" => told(format!("invalid slice operand {kind}")),
        "[]" => told(format!("unhandled index operation {kind}")),
        "-" | "+" | "~" => told(format!("unknown unary op: {operator} {kind}")),
        _ => match operator.strip_prefix('.') {
            Some(name) => match name.strip_suffix('=') {
                Some(name) => {
                    let fact = Fact::NotSettable { kind: kind.to_owned() };
                    Some(Message::of(format!("can't assign to .{name} field of {kind}"), fact))
                }
                None => told(format!("{kind} has no .{name} field or method")),
            },
            None => None,
        },
    }
}

fn binary(operator: &str, left: &str, right: &str, place: &ErrorSite<'_>) -> Message {
    let operator =
        operator.strip_suffix('=').filter(|operator| !matches!(*operator, "<" | ">" | "=" | "!")).unwrap_or(operator);
    match operator {
        "compare" | "cmp()" if left == "yamlfragment" && right == left => {
            Message::from("yamlfragment.CompareSameType: Not implemented".to_owned())
        }
        "compare" | "cmp()" | "<>" => {
            let operator = place.snippet.as_ref().and_then(Snippet::comparison).unwrap_or("<");
            let fact = Fact::Operands { operator: operator.to_owned(), left: left.to_owned(), right: right.to_owned() };
            Message { fact: Some(fact), ..Message::from(format!("{left} {operator} {right} not implemented")) }
        }
        "[]" => Message::from(format!("unhandled index operation {left}[{right}]")),
        "<<" | ">>" if left == "int" => Message::from(format!("got {right}, want int")),
        _ => {
            let text = format!("unknown binary op: {left} {operator} {right}");
            let fact = Fact::Operands { operator: operator.to_owned(), left: left.to_owned(), right: right.to_owned() };
            let message = match operator {
                "|" => Message::hinted(text, "use 'or' instead of '|' for logical-or"),
                "&" => Message::hinted(text, "use 'and' instead of '&' for logical-and"),
                "+" if matches!(
                    (left, right),
                    ("string", "int" | "float" | "bool") | ("int" | "float" | "bool", "string")
                ) =>
                {
                    Message::hinted(text, "str(…) makes a string of a number or boolean")
                }
                _ => Message::from(text),
            };
            Message { fact: Some(fact), ..message }
        }
    }
}

fn iteration(kind: &str, place: &ErrorSite<'_>) -> Option<Message> {
    // loops and assignments look at their values before; what is left is the target of an item of another one
    if let (None, Some(snippet)) = (place.method, &place.snippet)
        && !snippet.is_call()
    {
        return Some(Message::of(format!("got {kind} in sequence assignment"), Fact::NotUnpacked { counts: None }));
    }
    told(match place.method {
        Some(method) => format!("{method}: for parameter 1: got {kind}, want iterable"),
        None => match &place.snippet {
            // the place is a statement: `x += 1`
            None => format!("unknown binary op: list + {kind}"),
            Some(_) => format!("{kind} value is not iterable"),
        },
    })
}

fn attribute(text: &str) -> Option<Message> {
    let (kind, name, known) =
        match matched(text, "Object of type `", ["` has no attribute `", "`, did you mean `", "`?"]) {
            Some([kind, name, known]) => (kind, name, Some(known)),
            None => {
                let [kind, name] = matched(text, "Object of type `", ["` has no attribute `", "`"])?;
                (kind, name, None)
            }
        };
    let near = match kind {
        "string" | "list" | "dict" | "set" => suggest::nearest(name, methods::of_kind(kind)),
        _ => known.and_then(|known| suggest::nearest(name, [known])),
    };
    let told = Diagnostic::no_member(kind, name, near);
    let hint = (kind == "NoneType").then(|| {
        format!("what stands in front of .{name} is None (null in YAML): check it first, as in `if x: … x.{name}`")
    });
    Some(Message { text: told.message().to_owned(), hint, fact: told.parts().fact.clone() })
}

fn index(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    if let Some([index]) = matched(text, "Index `", ["` is out of bound"]) {
        return told(match place.method {
            Some(method) => format!("{method}: list index {index} out of range"),
            None => format!("list index {index} out of range"),
        });
    }
    let [wanted, got] = matched(text, "Expected `", ["`, but got `", "`"])
        .or_else(|| matched(text, "Type of parameters mismatch, expected `", ["`, actual `", "`"]))?;
    (wanted == "int").then(|| told(format!("got {}, want int", kind_of(got)))).flatten()
}

/// The type in `string (repr: "a")`.
pub(super) fn kind_of(text: &str) -> &str {
    text.split_once(" (repr").map_or(text, |(kind, _)| kind)
}

fn container(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    if let Some([kind]) = matched(text, "Value of type `", ["` is not hashable"]) {
        return match place.method {
            Some("pop") => told("pop: missing key"),
            Some(method) => told(format!("{method}: unhashable type: {kind}")),
            None => told(format!("unhashable type: {kind}")),
        };
    }
    if let Some([key]) = matched(text, "Dictionary key repeated for `", ["`"]) {
        return told(format!("duplicate key: {key}"));
    }
    if let Some([got, want]) = matched(text, "Unpacked ", [" values but expected ", ""]) {
        let (got, want) = (got.parse::<u64>().ok()?, want.parse::<u64>().ok()?);
        let word = if got > want { "many" } else { "few" };
        let text = format!("too {word} values to unpack (got {got}, want {want})");
        return Some(Message::of(text, Fact::NotUnpacked { counts: Some((got, want)) }));
    }
    match text {
        "Immutable" => told("value does not support item assignment"),
        "This operation mutates an iterable for an iterator while iterating." => {
            match place.changed {
                Some((by, kind, is_frozen)) => Some(locked(by, kind, is_frozen)),
                // only an integer that is written out is added without a look at what it is added to
                None if place.snippet.is_none() => told("unknown binary op: list + int"),
                // a method that was kept, and is called later
                None => {
                    let method = place.method.map_or(String::new(), |method| format!("{method}: "));
                    told(format!("{method}the value is locked, by a loop over it or since its file has ended"))
                }
            }
        }
        "Cannot .popitem() on an empty dictionary" => told("popitem: empty dict"),
        "Too many recursion levels" => told("comparison exceeded maximum recursion depth"),
        _ if text.starts_with("Element '") && text.contains("' not found in list '") => {
            told("remove: element not found")
        }
        _ if text.starts_with("Element '") && text.contains("' not found in '") => told("index: value not in list"),
        "Empty separator cannot be used for partitioning" => {
            told(format!("{}: empty separator", place.method.unwrap_or("partition")))
        }
        _ if text.starts_with("Substring '") => {
            told(format!("{}: substring not found", place.method.unwrap_or("index")))
        }
        _ if text.starts_with("Key `") && text.contains("` not found in dictionary `") => told("pop: missing key"),
        _ => None,
    }
}

/// A list or dict that is locked was to be changed by a method, or by `=` or `+=`.
pub(super) fn locked(method: &str, kind: &str, is_frozen: bool) -> Message {
    let is_list = kind == "list";
    let verb = match method {
        "append" => "append to",
        "insert" if is_list => "insert into",
        "remove" => "remove from",
        "pop" if is_list => "pop from",
        "pop" | "popitem" => "delete from",
        "=" if is_list => "assign to element of",
        "+=" => "apply += to",
        "update" | "setdefault" | "=" => "insert into",
        other => other,
    };
    let what = if is_list { "list" } else { "hash table" };
    // of `clear` of a dict the reference leaves out the name
    let is_named = !(matches!(method, "=" | "+=") || method == "clear" && !is_list);
    let prefix = if is_named { format!("{method}: ") } else { String::new() };
    if !is_frozen {
        let fact = Fact::Iterated { kind: kind.to_owned() };
        return Message::of(format!("{prefix}cannot {verb} {what} during iteration"), fact);
    }
    let hint = "values of a file that was loaded cannot be changed: copy them first, as in list(x) or dict(x)";
    let fact = Fact::Frozen { kind: kind.to_owned() };
    Message { fact: Some(fact), ..Message::hinted(format!("{prefix}cannot {verb} frozen {what}"), hint) }
}

/// A name without a value yet.
fn name(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    let [name] = matched(text, "Local variable `", ["` referenced before assignment"])?;
    let unassigned = |text: String| Some(Message::of(text, Fact::Unassigned { name: name.to_owned() }));
    let in_file = place.called.is_none_or(|called| called.ends_with(FILE_FUNCTION));
    match place.binding(name) {
        Some((_, true)) if in_file => Some(Message::of(
            format!("undefined: {name}"),
            Fact::Undefined { name: name.to_owned(), is_like_others: false },
        )),
        Some((binding, _)) if binding.inner && !in_file => {
            unassigned(format!("local variable {name} referenced before assignment"))
        }
        _ => unassigned(format!("global variable {name} referenced before assignment")),
    }
}

fn arithmetic(text: &str) -> Option<Message> {
    match text {
        "Cannot divide by zero" => told("floored division by zero"),
        "Negative left shift" | "Negative right shift" | "Negative shift count" => told("negative shift count"),
        _ if text.starts_with("float division by zero") => told("real division by zero"),
        _ if text.starts_with("Floor division by zero") => told("floored division by zero"),
        _ if text.starts_with("Modulo by zero") => told("integer modulo by zero"),
        _ => {
            let [_, number] = matched(text, "Integer value is too big to fit in ", [": ", ""])?;
            told(format!("{number} out of range"))
        }
    }
}
