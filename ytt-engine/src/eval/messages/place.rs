//! Where an error of the interpreter arose: the expression, the method that was called, the function that refused a call.

use starlark::codemap::FileSpan;

use super::{Definition, Scene};
use crate::nearest::only;
use crate::source::to_u32;
use crate::template::methods::{self, Way};
use crate::template::snippet::{Parameter, Snippet, definitions};
use crate::template::{Binding, Program};

/// The place of an error.
pub(super) struct ErrorSite<'e> {
    /// The innermost expression, if the error has one.
    pub(super) snippet: Option<Snippet>,
    /// The method of the interpreter that raised the error.
    pub(super) method: Option<&'e str>,
    /// By what a value was to be changed here, its type, and whether the end of its file locked it, if that is known.
    pub(super) changed: Option<(&'e str, &'static str, bool)>,
    /// The last function that was called.
    pub(super) called: Option<&'e str>,
    /// Its file, if the error names it.
    file: Option<String>,
    span: Option<&'e FileSpan>,
    /// Did the call fail before its function began?
    refused: bool,
    scene: Scene<'e>,
}

/// The file in `… for call to `FILE.FUNCTION``.
fn file_of(text: &str) -> Option<String> {
    let (_, function) = text.rsplit_once(" for call to ")?;
    let (file, _) = function.trim_matches('`').split_once('.')?;
    Some(file.to_owned())
}

/// Is it a method that the interpreter brings?
fn is_native(name: &str) -> bool {
    methods::named(name.as_bytes()).is_some_and(|method| method.way != Way::Ours)
}

impl<'e> ErrorSite<'e> {
    pub(super) fn of(failure: &'e starlark::Error, scene: Scene<'e>) -> ErrorSite<'e> {
        let span = failure.span();
        let frames = &failure.call_stack().frames;
        let last = frames.last();
        // A function of the interpreter was called exactly where the error is.
        let native = last.filter(|frame| frame.location.as_ref() == span && is_native(&frame.name));
        let snippet = span.and_then(|span| Snippet::read(span.source_span()));
        let is_call = |name: &&str| snippet.as_ref().is_some_and(|snippet| snippet.calls(name));
        let method = native.map(|frame| frame.name.as_str()).filter(is_call);
        ErrorSite {
            method,
            snippet,
            changed: scene.changed.filter(|(by, ..)| method.map_or(matches!(*by, "=" | "+="), |method| method == *by)),
            called: last.map(|frame| frame.name.as_str()),
            file: file_of(&failure.without_diagnostic().to_string()),
            span,
            refused: last.is_some_and(|frame| frame.location.is_some() && frame.location.as_ref() == span),
            scene,
        }
    }

    /// The definitions of the function that could not be called with its arguments: its frame stands exactly where the
    /// error is. The error names the file too, where it names the function.
    fn refused_functions(&self) -> impl Iterator<Item = (&'e Program, usize, Vec<Parameter>)> {
        let name = self.called.filter(|_| self.refused && self.method.is_none());
        let files = self.scene.files.iter().filter(|(file, _)| self.file.as_ref().is_none_or(|known| known == file));
        let all = name.into_iter().flat_map(move |name| files.clone().map(move |(_, program)| (name, *program)));
        all.flat_map(|(name, program)| {
            definitions(&program.text, name).map(move |(at, parameters)| (program, at, parameters))
        })
    }

    /// That function, and where it is defined; `None` for a lambda.
    pub(super) fn refused(&self) -> Option<(&'e str, Definition<'e>)> {
        let name = self.called.filter(|name| *name != "lambda")?;
        let found = self.refused_functions();
        let (program, at, _) = only(found)?;
        let before = program.text.get(..at)?;
        let line = to_u32(before.matches('\n').count());
        let column = to_u32(before.rsplit('\n').next().unwrap_or_default().chars().count());
        Some((name, Definition { program, line, column }))
    }

    /// What that function takes; `None` if there are several of its name that differ, such as lambdas.
    pub(super) fn parameters(&self) -> Option<Vec<Parameter>> {
        let mut found = self.refused_functions().map(|(.., parameters)| parameters);
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// Where the file binds a name, and whether the error lies in front of that place.
    pub(super) fn binding(&self, name: &str) -> Option<(&'e Binding, bool)> {
        let span = self.span?;
        let program = self.scene.program(span.filename())?;
        let at = span.resolve_span().begin;
        let here = program.lines.span(to_u32(at.line), to_u32(at.column))?;
        program.names.binding(name).map(|binding| (binding, here.start < binding.first.start))
    }
}

impl<'e> Scene<'e> {
    /// The program of a file, which the interpreter knows by the number of its source.
    fn program(&self, file: &str) -> Option<&'e Program> {
        self.files.iter().find(|(known, _)| known == file).map(|(_, program)| *program)
    }
}

/// Is it the name of a function written in Starlark?
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
