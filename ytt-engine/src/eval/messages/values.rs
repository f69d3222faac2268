//! Errors of operators, attributes, indexes, iteration and changes of containers.

use super::place::{ErrorSite, last_bracket, scan, split, split_at};
use super::{Message, matched};
use crate::diag::{Diagnostic, Fact, suggest};
use crate::template::methods;

/// The words for an error of this form, if it is one of them.
pub(super) fn words(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    operation(text, place)
        .or_else(|| attribute(text, place))
        .or_else(|| index(text, place))
        .or_else(|| container(text, place))
        .or_else(|| name(text, place))
        .or_else(|| arithmetic(text))
}

fn plain(text: impl Into<String>) -> Option<Message> {
    Some(Message::from(text.into()))
}

fn operation(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    if let Some(parts) = matched(text, ["Operation `", "` not supported for types `", "` and `", "`"]) {
        return Some(binary(parts[0], parts[1], parts[2], place));
    }
    let parts = matched(text, ["Operation `", "` not supported on type `", "`"])?;
    let (operator, kind) = (parts[0], kind(parts[1], place));
    match operator {
        "call()" => plain(format!("invalid call of non-function ({kind})")),
        "(iter)" | "(iter mut)" => iteration(kind, place),
        "len()" => plain(format!("got {kind} in sequence assignment")),
        "[::]" => plain(format!("invalid slice operand {kind}")),
        "[]" => plain(format!("unhandled index operation {kind}")),
        "-" | "+" | "~" => plain(format!("unknown unary op: {operator} {kind}")),
        _ => match operator.strip_prefix('.') {
            Some(name) => match name.strip_suffix('=') {
                Some(name) => plain(format!("can't assign to .{name} field of {kind}")),
                None => plain(format!("{kind} has no .{name} field or method")),
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
            let operator = comparison(place.snippet).unwrap_or("<");
            Message::from(format!("{left} {operator} {right} not implemented"))
        }
        "[]" => Message::from(format!("unhandled index operation {left}[{right}]")),
        "<<" | ">>" if left == "int" => Message::from(format!("got {right}, want int")),
        _ => {
            let text = format!("unknown binary op: {left} {operator} {right}");
            match operator {
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
            }
        }
    }
}

/// The comparison of an expression: there is one only, since they do not associate.
fn comparison(snippet: &str) -> Option<&'static str> {
    let mut found = None;
    let bytes = snippet.as_bytes();
    scan(snippet, |at, character, depth| {
        if depth > 0 || !matches!(character, '<' | '>') {
            return false;
        }
        let shift = bytes.get(at + 1) == Some(&bytes[at]) || at > 0 && bytes[at - 1] == bytes[at];
        if !shift {
            found = Some(match (character, bytes.get(at + 1) == Some(&b'=')) {
                ('<', true) => "<=",
                ('<', false) => "<",
                (_, true) => ">=",
                _ => ">",
            });
        }
        !shift
    });
    found
}

/// Built-ins share the interpreter's type name with functions: the expression tells them apart where it is a name.
fn kind<'k>(kind: &'k str, place: &ErrorSite<'_>) -> &'k str {
    match kind {
        "function" if is_builtin(place.snippet) => "builtin_function_or_method",
        _ => kind,
    }
}

/// Is the value before the first dot or bracket a built-in function?
fn is_builtin(snippet: &str) -> bool {
    let name = base(snippet);
    !name.is_empty()
        && [
            "all",
            "any",
            "bool",
            "chr",
            "dict",
            "dir",
            "enumerate",
            "fail",
            "float",
            "getattr",
            "hasattr",
            "hash",
            "int",
        ]
        .iter()
        .chain(&["len", "list", "max", "min", "ord", "print", "range", "repr", "reversed", "set", "sorted", "str"])
        .chain(&["tuple", "type", "zip"])
        .any(|known| *known == name)
}

fn base(snippet: &str) -> &str {
    let end = snippet.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(snippet.len());
    let simple = snippet[end..].strip_prefix('.').is_some_and(|rest| !rest.contains('.'));
    if simple { &snippet[..end] } else { "" }
}

fn iteration(kind: &str, place: &ErrorSite<'_>) -> Option<Message> {
    match place.method {
        Some("update") => return plain(format!("update: got {kind}, want iterable")),
        Some(method) => return plain(format!("{method}: for parameter 1: got {kind}, want iterable")),
        None => {}
    }
    if place.after().trim_start().starts_with("+=") || is_augmented(place.snippet) {
        return plain(format!("unknown binary op: list + {kind}"));
    }
    if is_sequence_assignment(place) {
        return plain(format!("got {kind} in sequence assignment"));
    }
    Some(Message::of(format!("{kind} value is not iterable"), Fact::NotIterable))
}

fn is_augmented(snippet: &str) -> bool {
    let mut found = false;
    scan(snippet, |at, character, depth| {
        found |= character == '+' && depth == 0 && snippet[at..].starts_with("+=");
        found
    });
    found
}

/// Is the place an `a, b = …`, on either side of its sign?
fn is_sequence_assignment(place: &ErrorSite<'_>) -> bool {
    let Some((line, _)) = place.line() else { return false };
    let mut sign = None;
    scan(line, |at, character, depth| {
        if character == '=' && depth == 0 && !line[at + 1..].starts_with('=') {
            sign = Some(at);
        }
        sign.is_some()
    });
    sign.is_some_and(|at| split(&line[..at]).len() > 1 || line[..at].trim_start().starts_with(['(', '[']))
}

fn attribute(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    let parts = matched(text, ["Object of type `", "` has no attribute `", "`, did you mean `", "`?"])
        .or_else(|| matched(text, ["Object of type `", "` has no attribute `", "`"]))?;
    let (kind, name) = (kind(parts[0], place), parts[1]);
    let near = match kind {
        "string" | "list" | "dict" | "set" => suggest::nearest(name, methods::of_kind(kind)),
        _ => parts.get(2).and_then(|known| suggest::nearest(name, [*known])),
    };
    let told = Diagnostic::no_member(kind, name, near);
    let hint = (kind == "NoneType").then(|| {
        format!("what stands in front of .{name} is None (null in YAML): check it first, as in `if x: … x.{name}`")
    });
    Some(Message { text: told.message().to_owned(), hint, fact: told.parts().fact.clone() })
}

fn index(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    let inside = last_bracket(place.snippet, '[').unwrap_or_default();
    let bounds = bounds(inside);
    if let Some(parts) = matched(text, ["Index `", "` is out of bound"]) {
        if place.method == Some("pop") {
            return plain(format!("pop: list index {} out of range", parts[0]));
        }
        if bounds.len() == 3 && parts[0] == "0" {
            return plain("zero is not a valid slice step");
        }
        // The interpreter has added the length to an index from the end.
        let number = if inside.parse::<i64>().is_ok() { inside } else { parts[0] };
        return Some(Message::of(format!("list index {number} out of range"), Fact::OutOfRange));
    }
    if let Some(parts) = matched(text, ["Key `", "` was not found"]) {
        return plain(format!("key {} not in dict", parts[0]));
    }
    let parts = matched(text, ["Expected `", "`, but got `", "`"])
        .or_else(|| matched(text, ["Type of parameters mismatch, expected `", "`, actual `", "`"]))?;
    let ["int", got] = parts[..] else { return None };
    let got = kind_of(got);
    match bounds.len() {
        0 | 1 => plain(format!("got {got}, want int")),
        _ if assigns(place) => plain(format!("got {got}, want int")),
        _ if bounds[0].starts_with(['"', '\'']) => plain(format!("invalid start index: got {got}, want int")),
        3 if bounds[1].is_empty() => plain(format!("got {got} for slice step, want int")),
        _ => plain(format!("invalid end index: got {got}, want int")),
    }
}

/// The parts of a slice, or the one part of an index.
fn bounds(inside: &str) -> Vec<&str> {
    split_at(inside, ':')
}

/// Is the place an index to which something is assigned?
fn assigns(place: &ErrorSite<'_>) -> bool {
    let after = place.after().trim_start_matches(' ');
    after.starts_with('=') && !after.starts_with("==") || item_assigned(place.snippet).is_some()
}

/// The index of `x[i] = …`, where the snippet is the whole statement.
fn item_assigned(snippet: &str) -> Option<&str> {
    let mut sign = None;
    scan(snippet, |at, character, depth| {
        let assigns = character == '=' && depth == 0 && !snippet[at + 1..].starts_with('=');
        if assigns {
            sign = Some(at);
        }
        assigns
    });
    let target = snippet[..sign?].trim_end_matches([' ', '+', '-', '*', '/', '%', '|', '&', '^']);
    if target.ends_with(']') { last_bracket(target, '[') } else { None }
}

/// The type in `string (repr: "a")`.
pub(super) fn kind_of(text: &str) -> &str {
    text.split_once(" (repr").map_or(text, |(kind, _)| kind)
}

fn container(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    if let Some(parts) = matched(text, ["Value of type `", "` is not hashable"]) {
        return match place.method {
            Some("pop") => plain("pop: missing key"),
            Some(method) => plain(format!("{method}: unhashable type: {}", parts[0])),
            None => plain(format!("unhashable type: {}", parts[0])),
        };
    }
    if let Some(parts) = matched(text, ["Dictionary key repeated for `", "`"]) {
        return plain(format!("duplicate key: {}", parts[0]));
    }
    if let Some(parts) = matched(text, ["Unpacked ", " values but expected ", ""]) {
        let (got, want) = (parts[0].parse::<u64>().ok()?, parts[1].parse::<u64>().ok()?);
        let word = if got > want { "many" } else { "few" };
        return plain(format!("too {word} values to unpack (got {got}, want {want})"));
    }
    match text {
        "Immutable" => plain("value does not support item assignment"),
        "This operation mutates an iterable for an iterator while iterating." => {
            let (text, is_frozen) = match place.method.zip(place.changed) {
                Some((method, (kind, is_frozen))) => (change(method, kind, is_frozen), is_frozen),
                None => (mutation(place), !place.in_loop()),
            };
            match is_frozen {
                false => plain(text),
                true => {
                    let hint =
                        "values of a file that was loaded cannot be changed: copy them first, as in list(x) or dict(x)";
                    Some(Message::hinted(text, hint))
                }
            }
        }
        "Cannot .popitem() on an empty dictionary" => plain("popitem: empty dict"),
        "Too many recursion levels" => plain("comparison exceeded maximum recursion depth"),
        _ if text.starts_with("Element '") && text.contains("' not found in list '") => {
            plain("remove: element not found")
        }
        _ if text.starts_with("Element '") && text.contains("' not found in '") => plain("index: value not in list"),
        "Empty separator cannot be used for partitioning" => {
            plain(format!("{}: empty separator", place.method.unwrap_or("partition")))
        }
        _ if text.starts_with("Substring '") => {
            plain(format!("{}: substring not found", place.method.unwrap_or("index")))
        }
        _ if text.starts_with("Key `") && text.contains("` not found in dictionary `") => plain("pop: missing key"),
        _ if text.starts_with("dict.update expect") => {
            plain("update: dictionary update sequence has an element with a length other than 2")
        }
        _ => None,
    }
}

/// A method was to change a list or dict that is locked.
fn change(method: &str, kind: &str, is_frozen: bool) -> String {
    let is_list = kind == "list";
    let verb = match method {
        "append" => "append to",
        "insert" if is_list => "insert into",
        "remove" => "remove from",
        "pop" if is_list => "pop from",
        "pop" | "popitem" => "delete from",
        "update" | "setdefault" => "insert into",
        other => other,
    };
    let what = if is_list { "list" } else { "hash table" };
    // of `clear` of a dict the reference leaves out the name
    let prefix = if method == "clear" && !is_list { String::new() } else { format!("{method}: ") };
    match is_frozen {
        true => format!("{prefix}cannot {verb} frozen {what}"),
        false => format!("{prefix}cannot {verb} {what} during iteration"),
    }
}

/// As [`change`], where nobody noted what was to be changed.
fn mutation(place: &ErrorSite<'_>) -> String {
    if let Some(method) = place.method {
        return format!("{method}: the value is locked, by a loop over it or since its file has ended");
    }
    let target = place.snippet;
    let number = |index: &str| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let index = if is_augmented(target) {
        item_assigned(target)
    } else {
        item_assigned(target).or_else(|| last_bracket(target, '['))
    };
    let (verb, what) = match index {
        Some(index) if number(index) => ("assign to element of", "list"),
        Some(_) => ("insert into", "hash table"),
        None => ("apply += to", "list"),
    };
    match place.in_loop() {
        true => format!("cannot {verb} {what} during iteration (or {} frozen {what})", preposition(verb)),
        false => format!("cannot {verb} frozen {what}"),
    }
}

/// What the verb ends with, so that it can be said a second time.
fn preposition(verb: &str) -> &str {
    verb.rsplit_once(' ').map_or("a", |(_, preposition)| preposition)
}

/// A name without a value yet.
fn name(text: &str, place: &ErrorSite<'_>) -> Option<Message> {
    let parts = matched(text, ["Local variable `", "` referenced before assignment"])?;
    let name = parts[0];
    let generated = crate::eval::keywords::written(name);
    let lines: Vec<&str> = place.source().lines().collect();
    let (_, number) = place.line()?;
    for (head, start) in place.around().filter(|(head, _)| head.starts_with("def ")) {
        if head.starts_with("def __ytt_file(") {
            break;
        }
        let indent = lines[start].len() - head.len();
        let inside = |line: &&&str| line.trim().is_empty() || line.len() - line.trim_start().len() > indent;
        let end = start + 1 + lines[start + 1..].iter().take_while(inside).count();
        if lines[start + 1..end].iter().any(|line| binds(line, &generated)) {
            return plain(format!("local variable {name} referenced before assignment"));
        }
    }
    let in_function = place.around().any(|(head, _)| head.starts_with("def ") && !head.starts_with("def __ytt_file("));
    if !in_function && !lines[..number].iter().any(|line| binds(line, &generated)) {
        return Some(Message::of(format!("undefined: {name}"), Fact::Undefined { name: name.to_owned() }));
    }
    plain(format!("global variable {name} referenced before assignment"))
}

/// Does the line give the name a value?
fn binds(line: &str, name: &str) -> bool {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix("def ") {
        return rest.split('(').next() == Some(name);
    }
    let targets = match line.strip_prefix("for ") {
        Some(rest) => rest.split(" in ").next().unwrap_or_default(),
        None => {
            let mut sign = None;
            scan(line, |at, character, depth| {
                if character == '=' && depth == 0 {
                    sign = Some(at);
                }
                sign.is_some()
            });
            match sign {
                Some(at) if !line[at + 1..].starts_with('=') => {
                    line[..at].trim_end_matches(['+', '-', '*', '/', '|', '&'])
                }
                _ => return line.split("; ").skip(1).any(|statement| binds(statement, name)),
            }
        }
    };
    targets.split([',', '(', ')', '[', ']', ' ']).any(|target| target.trim() == name)
        || line.split("; ").skip(1).any(|statement| binds(statement, name))
}

fn arithmetic(text: &str) -> Option<Message> {
    match text {
        "Cannot divide by zero" => plain("floored division by zero"),
        "Negative left shift" | "Negative right shift" | "Negative shift count" => plain("negative shift count"),
        _ if text.starts_with("float division by zero") => plain("real division by zero"),
        _ if text.starts_with("Floor division by zero") => plain("floored division by zero"),
        _ if text.starts_with("Modulo by zero") => plain("integer modulo by zero"),
        _ => {
            let parts = matched(text, ["Integer value is too big to fit in ", ": ", ""])?;
            plain(format!("{} out of range", parts[1]))
        }
    }
}
