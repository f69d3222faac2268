//! Functions that a program can do without: to read and compile a function costs the interpreter as much as to call it
//! hundreds of times, and of a file with many of them a `load` mostly asks for few.
//!
//! The program of a file always has all of them, and so do its names, its line map and what messages ask it. For the
//! interpreter [`Spare::text`] writes the program with empty lines where a function is left out, so that all places stay
//! where they are. A function may be left out if that can be noticed by nobody: it stands at the top level, its name is bound
//! once in the file, its defaults can neither fail nor do anything, and what is kept does not name it. Who reads a name is
//! told by the tokens alone: a field or an argument of that name keeps the function, which does no harm.

use std::ops::Range;

use hashbrown::HashMap;

use crate::template::input::Input;
use crate::template::names::Resolved;
use crate::template::parse::Parsed;
use crate::template::token::Kind;
use crate::template::tree::{Expr, ExprKind, Stmt, StmtKind, TokenId};

/// A file with fewer functions that could be left out is not looked at: there is nothing to win.
const FEW: usize = 4;

/// The functions of a file that a program may lack, in the order of the file.
#[derive(Debug)]
pub(crate) struct Spare {
    functions: Vec<Function>,
    numbers: HashMap<String, usize>,
    /// Those that other code of the file names.
    always: Vec<usize>,
    /// Where the text lists the names that are always bound, and how many these are.
    names: Range<usize>,
    definite: usize,
}

#[derive(Debug)]
struct Function {
    /// Its number among the names that are always bound.
    definite: usize,
    first: TokenId,
    last: TokenId,
    /// Where it stands in the text of the program, with the last line break.
    text: Range<usize>,
    /// The functions that it names.
    reads: Vec<usize>,
}

/// Which of them a program has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Needed(Vec<bool>);

/// Finds the functions of a file that programs may lack; nothing where they are few.
pub(super) fn find(input: &Input, parsed: &Parsed, resolved: &Resolved) -> Option<Spare> {
    let is_def = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Def(_));
    if parsed.stmts.iter().filter(is_def).count() < FEW {
        return None;
    }
    let token = |id: TokenId| parsed.tokens.get(id as usize).copied();
    let names = resolved.names.definite.iter().zip(0..);
    let names: HashMap<&[u8], usize> = names.map(|(name, at)| (name.as_bytes(), at)).collect();
    let (mut functions, mut numbers, mut own) = (Vec::new(), HashMap::new(), HashMap::new());
    for stmt in &parsed.stmts {
        let StmtKind::Def(def) = &stmt.kind else { continue };
        let text = input.token(token(def.name)?);
        let Some((definite, name)) = names.get(text).and_then(|at| Some((*at, resolved.names.definite.get(*at)?)))
        else {
            continue;
        };
        // loops that the compiler writes call builtins by their names
        let is_other = resolved.repeated.contains(name)
            || resolved.names.loaded.contains(name)
            || resolved.builtins.contains(name);
        let mut defaults = def.params.iter().filter_map(|param| param.default.as_ref());
        if is_other || !defaults.all(|default| is_harmless(default, input, parsed, resolved)) {
            continue;
        }
        let (first, last) = (stmt.first, def.body.close);
        own.insert(text, functions.len());
        numbers.insert(name.clone(), functions.len());
        functions.push(Function { definite, first, last, text: 0..0, reads: Vec::new() });
    }
    if functions.len() < FEW {
        return None;
    }
    let mut always = Vec::new();
    let mut around = functions.iter_mut().zip(0..).peekable();
    for (token, id) in parsed.tokens.iter().zip(0..) {
        if token.kind != Kind::Name || token.made {
            continue;
        }
        let Some(read) = own.get(input.token(*token)) else { continue };
        while around.next_if(|(function, _)| function.last < id).is_some() {}
        match around.peek_mut() {
            Some((function, number)) if function.first <= id => {
                if read != number {
                    function.reads.push(*read);
                }
            }
            _ => always.push(*read),
        }
    }
    Some(Spare { functions, numbers, always, names: 0..0, definite: resolved.names.definite.len() })
}

/// A default that can neither fail nor do anything.
fn is_harmless(expr: &Expr, input: &Input, parsed: &Parsed, resolved: &Resolved) -> bool {
    let token = |id: TokenId| parsed.tokens.get(id as usize);
    match &expr.bare().kind {
        ExprKind::Literal => true,
        ExprKind::Name => {
            let name = token(expr.bare().first).map(|token| input.token(*token));
            // of these the resolver names those that the file binds
            let known = ["None", "True", "False"].into_iter().find(|known| name == Some(known.as_bytes()));
            known.is_some_and(|known| !resolved.builtins.contains(known))
        }
        ExprKind::List(items) | ExprKind::Tuple(items) => {
            items.iter().all(|item| is_harmless(item, input, parsed, resolved))
        }
        ExprKind::Dict(items) => items.is_empty(),
        ExprKind::Unary(inner) => {
            let kind = |id| token(id).map(|token| token.kind);
            matches!(kind(expr.bare().first), Some(Kind::Minus | Kind::Plus))
                && matches!(inner.kind, ExprKind::Literal)
                && matches!(kind(inner.first), Some(Kind::Int | Kind::Float))
        }
        _ => false,
    }
}

impl Spare {
    /// Notes where a statement stands in the program that was written for it.
    pub(super) fn wrote(&mut self, number: &mut usize, first: TokenId, text: Range<usize>) {
        if let Some(function) = self.functions.get_mut(*number).filter(|function| function.first == first) {
            function.text = text;
            *number = number.saturating_add(1);
        }
    }

    /// Notes where the program lists the names, and by how much all that was noted stands further behind.
    pub(super) fn ends(&mut self, names: Range<usize>, by: usize) {
        let moved = |range: &Range<usize>| range.start.saturating_add(by)..range.end.saturating_add(by);
        self.names = moved(&names);
        self.functions.iter_mut().for_each(|function| function.text = moved(&function.text));
    }

    /// What a program needs that gives these names, and has what another one had.
    pub(crate) fn needed(&self, names: &[String], before: Option<&Needed>) -> Needed {
        let mut needed = before.cloned().unwrap_or_else(|| Needed(vec![false; self.functions.len()]));
        let asked = names.iter().filter_map(|name| self.numbers.get(name));
        let mut open: Vec<usize> = self.always.iter().chain(asked).copied().collect();
        while let Some(number) = open.pop() {
            let (Some(is_there), Some(function)) = (needed.0.get_mut(number), self.functions.get(number)) else {
                continue;
            };
            if !std::mem::replace(is_there, true) {
                open.extend(&function.reads);
            }
        }
        needed
    }

    /// The functions that a program lacks.
    fn left_out<'s>(&'s self, needed: &'s Needed) -> impl Iterator<Item = &'s Function> {
        self.functions.iter().zip(&needed.0).filter(|(_, is_needed)| !**is_needed).map(|(function, _)| function)
    }

    /// The text of a program, with what is needed alone.
    pub(crate) fn text(&self, whole: &str, needed: &Needed) -> String {
        let part = |range: Range<usize>| whole.get(range).unwrap_or_default();
        let (mut text, mut end) = (String::new(), 0);
        for function in self.left_out(needed) {
            text.push_str(part(end..function.text.start));
            text.extend(part(function.text.clone()).matches('\n'));
            end = function.text.end;
        }
        text.push_str(part(end..self.names.start));
        let names = part(self.names.clone()).split_inclusive(',');
        let mut left = self.left_out(needed).map(|function| function.definite).peekable();
        let kept = (0..).zip(names).filter(|(at, _)| left.next_if_eq(at).is_none());
        text.extend(kept.map(|(_, name)| name));
        text.push_str(part(self.names.end..whole.len()));
        text
    }

    /// The values of all names that are always bound, of those that a program gave: each that it lacks is `other`.
    pub(crate) fn values<T: Copy>(&self, given: &[T], needed: &Needed, other: T) -> Vec<T> {
        let mut given = given.iter().copied();
        let mut left = self.left_out(needed).map(|function| function.definite).peekable();
        let value = |at: usize| match left.next_if_eq(&at) {
            Some(_) => Some(other),
            None => given.next(),
        };
        (0..self.definite).map_while(value).collect()
    }
}
