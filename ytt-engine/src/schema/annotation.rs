//! Arguments of the annotations `@schema/*`, and what is said of wrong ones. `infer` makes types of them.
//!
//! The texts are the reference's: its description is the message, `found` and `expected` are notes, hints are helps.

use std::sync::Arc;

use crate::call::{Args, Call, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic, Note, NoteKind, Step, StepKind};
use crate::overlay::host_kind;
use crate::source::Span;
use crate::yaml::words::place_text;
use crate::yaml::{Annotation, NodeId, PosId, Val};

/// An annotation `@schema/NAME` of a node, with its arguments.
pub(super) struct SchemaAnnotation {
    pub(super) name: Arc<str>,
    pub(super) pos: PosId,
    pub(super) args: Arc<Args>,
    node: NodeId,
}

const EXAMPLE: &str = "2-tuple containing description (string) and example value (of expected type)";

pub(super) const SUMMARY: Option<&str> = Some("Invalid schema");

/// The annotation of that name that counts, if the node has one.
pub(super) fn given(calls: &dyn Call, node: NodeId, name: &str) -> Option<SchemaAnnotation> {
    let Annotation { name, args, pos } = calls.arena().borrow().ann(node, name)?.clone();
    Some(SchemaAnnotation { name, pos, args: calls.args(args), node })
}

/// What is wrong with an annotation.
pub(super) struct Misuse<'a> {
    pub(super) code: Code,
    /// The reference's summary, unless the message is the summary itself.
    pub(super) summary: Option<&'a str>,
    pub(super) message: String,
    pub(super) found: Option<String>,
    pub(super) expected: Option<String>,
    pub(super) hints: &'a [&'a str],
}

impl<'a> Misuse<'a> {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Misuse<'a> {
        Misuse { code, summary: None, message: message.into(), found: None, expected: None, hints: &[] }
    }

    pub(super) fn noted(self, found: impl Into<String>, expected: impl Into<String>) -> Misuse<'a> {
        Misuse { found: Some(found.into()), expected: Some(expected.into()), ..self }
    }

    /// The diagnostic, with the annotations and then the node as places.
    pub(super) fn at(self, calls: &dyn Call, annotations: &[PosId], node: NodeId) -> Diagnostic {
        let arena = calls.arena().borrow();
        let mut told = Diagnostic::error(self.code, self.message);
        if let Some(summary) = self.summary {
            told = told.context(Step::new(StepKind::Summary, summary));
        }
        for place in annotations.iter().filter_map(|pos| arena.place(*pos)) {
            told = told.label(place.whole(), "");
        }
        if let Some(place) = arena.place_of(node) {
            let array = self.code == Code::SCHEMA_ARRAY;
            told = told.label(if array { place.value_or_key(calls.sources()) } else { place.key() }, "");
        }
        // A document without `---` and without anything in it stands where it is said to be a schema.
        let of_document = arena.ann(node, "data/values-schema").and_then(|annotation| arena.place(annotation.pos));
        told = told.at(of_document.map(|place| place.whole()));
        for (kind, text) in [(NoteKind::Found, self.found), (NoteKind::Expected, self.expected)] {
            if let Some(text) = text {
                told = told.note(Note::new(kind, text));
            }
        }
        self.hints.iter().fold(told, |told, hint| told.help(*hint))
    }
}

impl SchemaAnnotation {
    /// Where the annotation is, as `file:line`.
    pub(super) fn place(&self, calls: &dyn Call) -> String {
        place_text(&calls.arena().borrow(), calls.sources(), self.pos)
    }

    fn misuse(
        &self,
        calls: &dyn Call,
        message: &str,
        found: String,
        expected: impl Into<String>,
        hints: &[&str],
    ) -> Diagnostic {
        let misuse = Misuse::new(Code::SCHEMA_ANNOTATION, message).noted(found, expected);
        let misuse = Misuse { summary: SUMMARY, hints, ..misuse };
        let wanted = match &*self.name {
            "schema/type" => "must be any=True or any=False".to_owned(),
            "schema/nullable" => "this annotation has no arguments".to_owned(),
            _ => {
                let expected = misuse.expected.as_deref().unwrap_or_default();
                format!("must be: {}", expected.split_once(" (by ").map_or(expected, |(expected, _)| expected))
            }
        };
        let mut told = misuse.at(calls, &[self.pos], self.node);
        let labels = &mut told.parts_mut().labels;
        if let Some(label) = labels.first_mut() {
            // What is given is wrong, not that there is the annotation.
            label.span = self.written(calls).unwrap_or(label.span);
            label.text = wanted;
        }
        if let Some(node) = labels.get_mut(1) {
            node.text = "annotated here".to_owned();
        }
        told
    }

    /// Where the arguments are, if there are any.
    fn written(&self, calls: &dyn Call) -> Option<Span> {
        let arena = calls.arena().borrow();
        arena.place(self.pos).map(|place| place.value()).filter(|span| span.start < span.end)
    }

    fn syntax(&self, calls: &dyn Call, found: &str, expected: &str, hints: &[&str]) -> Diagnostic {
        let message = format!("syntax error in @{} annotation", self.name);
        let found = format!("{found} in @{} (by {})", self.name, self.place(calls));
        self.misuse(calls, &message, found, expected, hints)
    }

    /// `any=` of `@schema/type`.
    pub(super) fn any(&self, calls: &dyn Call) -> Result<bool, Diagnostic> {
        let place = self.place(calls);
        if self.args.named.is_empty() {
            let mut misuse = self.misuse(
                calls,
                "expected @schema/type annotation to have keyword argument and value",
                format!("missing keyword argument and value (by {place})"),
                "valid keyword argument and value",
                &["Supported key-value pairs are 'any=True', 'any=False'"],
            );
            if let Some(node) = misuse.parts_mut().labels.get_mut(1) {
                node.text = "has the type of its value, without any annotation".to_owned();
            }
            let arena = calls.arena().borrow();
            // Programs see the reference's hints only.
            let lines = arena
                .place(self.pos)
                .filter(|_| !calls.is_tried())
                .and_then(|place| calls.sources().get(place.source).whole_lines(place.whole()));
            return Err(match lines {
                Some(lines) => misuse.help_edit("remove the annotation: the value says the type", lines, ""),
                None => misuse,
            });
        }
        let wrong = |found: String, expected: &str, label: &str| {
            let message = "unknown @schema/type annotation keyword argument";
            let found = format!("{found} (by {place})");
            let mut told = self.misuse(calls, message, found, expected, &["Supported kwargs are 'any'"]);
            if let Some(argument) = told.parts_mut().labels.first_mut() {
                argument.text = label.to_owned();
            }
            told
        };
        let mut any = false;
        for (name, value) in &self.args.named {
            if &**name != "any" {
                return Err(wrong(name.to_string(), "A valid kwarg", "the one argument is any=True or any=False"));
            }
            let Seen::Bool(value) = calls.see(*value) else {
                return Err(wrong(
                    host_kind(calls.kind(*value)).to_owned(),
                    "starlark.Bool",
                    "`any` must be True or False",
                ));
            };
            any = value;
        }
        Ok(any)
    }

    /// `@schema/nullable` has no arguments.
    pub(super) fn nullable(&self, calls: &dyn Call) -> Result<(), Diagnostic> {
        if self.args.named.is_empty() {
            return Ok(());
        }
        let misuse = self.misuse(
            calls,
            "expected @schema/nullable annotation to not contain any keyword arguments",
            format!("keyword argument in @schema/nullable (by {})", self.place(calls)),
            "starlark.Bool",
            &["Supported kwargs are 'any'"],
        );
        let arena = calls.arena().borrow();
        Err(match arena.place(self.pos).filter(|_| !calls.is_tried()) {
            Some(place) => {
                let arguments = Span::new(place.source, place.key_end, place.end);
                misuse.help_edit("remove the arguments: it has none", arguments, "")
            }
            None => misuse,
        })
    }

    /// The string of `@schema/title`, `desc` or `deprecated`.
    pub(super) fn text(&self, calls: &dyn Call) -> Result<String, Diagnostic> {
        let hint = "this annotation only accepts one argument: a string.";
        match calls.see(self.only(calls, "string", &[hint])?) {
            Seen::Str(text) => Ok(text.to_string()),
            _ => Err(self.syntax(calls, "Non-string value", "string", &[])),
        }
    }

    /// The one argument; the hints are for those who give it by name.
    fn only(&self, calls: &dyn Call, expected: &str, hints: &[&str]) -> Result<ValueHandle, Diagnostic> {
        if !self.args.named.is_empty() {
            return Err(self.syntax(calls, "keyword argument", expected, hints));
        }
        match self.args.positional[..] {
            [] => Err(self.syntax(calls, "missing value", expected, &[])),
            [value] => Ok(value),
            ref more => Err(self.syntax(calls, &format!("{} values", more.len()), expected, &[])),
        }
    }

    /// The value of `@schema/default`; `expected` is the type with its place.
    pub(super) fn default(&self, calls: &dyn Call, expected: &str) -> Result<Val, Diagnostic> {
        let hints = [
            "this annotation only accepts one argument: the default value.",
            "value must be in Starlark format, e.g.: {'key': 'value'}, True.",
        ];
        self.to_val(calls, self.only(calls, expected, &hints)?, |found| {
            self.wrong_type(calls, Code::SCHEMA_DEFAULT, format!("{found} (at {})", self.place(calls)), expected)
        })
    }

    /// A value that cannot be a node is called by its kind. That it is too much has nothing to do with its type.
    fn to_val(
        &self,
        calls: &dyn Call,
        value: ValueHandle,
        misfit: impl FnOnce(&str) -> Diagnostic,
    ) -> Result<Val, Diagnostic> {
        calls.to_val(value).map_err(|refused| match calls.kind(value) {
            _ if matches!(refused.code(), Code::LIMIT | Code::LIMIT_BUDGET) => {
                refused.at(calls.arena().borrow().place(self.pos).map(|place| place.whole()))
            }
            "int" => misfit("integer out of range"),
            kind => misfit(kind),
        })
    }

    fn wrong_type(&self, calls: &dyn Call, code: Code, found: String, expected: &str) -> Diagnostic {
        let verb = if code == Code::SCHEMA_DEFAULT { "is" } else { "has" };
        let message = format!("Invalid schema - @{} {verb} wrong type", self.name);
        Misuse::new(code, message).noted(found, expected).at(calls, &[self.pos], self.node)
    }

    /// It stands where it cannot: `@schema/default` on an array item, `@schema/deprecated` on a document.
    pub(super) fn misplaced(&self, calls: &dyn Call) -> Diagnostic {
        let (summary, message, hints) = match &*self.name {
            "schema/default" => (
                None,
                "Invalid schema - @schema/default not supported on array item",
                [
                    "do you mean to set a default value for the array?",
                    "set an array's default by annotating its parent.",
                ],
            ),
            _ => (
                SUMMARY,
                "@schema/deprecated not supported on a document",
                ["do you mean to deprecate the entire schema document?", "use schema/deprecated on individual keys."],
            ),
        };
        let misuse = Misuse { summary, hints: &hints, ..Misuse::new(Code::SCHEMA_ANNOTATION, message) };
        let mut told = misuse.at(calls, &[self.pos], self.node);
        let words = match summary {
            None => ["for the key of a list, not for an item of it", "this is an item of the list"],
            Some(_) => ["for a key, not for the document", "this is the document"],
        };
        for (label, text) in told.parts_mut().labels.iter_mut().zip(words).filter(|(label, _)| label.text.is_empty()) {
            text.clone_into(&mut label.text);
        }
        told
    }

    /// Descriptions and values of `@schema/examples`.
    pub(super) fn examples(&self, calls: &dyn Call, expected: &str) -> Result<Vec<(String, Val)>, Diagnostic> {
        if !self.args.named.is_empty() {
            return Err(self.syntax(calls, "keyword argument", EXAMPLE, &[]));
        }
        if self.args.positional.is_empty() {
            return Err(self.syntax(calls, "missing value", EXAMPLE, &[]));
        }
        let message = "syntax error in @schema/examples annotation";
        let place = self.place(calls);
        let mut examples = Vec::with_capacity(self.args.positional.len());
        for &example in &self.args.positional {
            let Seen::Tuple(parts) = calls.see(example) else {
                let found = format!("{} for @schema/examples (at {place})", calls.kind(example));
                return Err(self.misuse(calls, message, found, EXAMPLE, &[]));
            };
            let (text, value) = match parts[..] {
                [text, value] => (text, value),
                [] => return Err(self.syntax(calls, "empty tuple", EXAMPLE, &[])),
                [_] => {
                    let told = self.syntax(calls, "empty tuple", EXAMPLE, &[]);
                    return Err(told.note("the tuple has one element, the value is missing"));
                }
                ref more => {
                    return Err(self.syntax(calls, &format!("{}-tuple argument", more.len()), EXAMPLE, &[]));
                }
            };
            let Seen::Str(text) = calls.see(text) else {
                let found = format!("{} value for @schema/examples (at {place})", calls.kind(text));
                return Err(self.misuse(calls, message, found, EXAMPLE, &[]));
            };
            let value = self.to_val(calls, value, |found| {
                self.wrong_type(calls, Code::SCHEMA_EXAMPLES, format!("{found} (by {place})"), expected)
            })?;
            examples.push((text.to_string(), value));
        }
        Ok(examples)
    }
}
