//! How deeply a call is nested. What reads types and values calls itself, inside of a compiler whose stack is what it is:
//! a call without an end to its brackets must be a mistake of the call, not a crash of the compiler.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree, token_stream};

use super::CallError;

/// Brackets, those of generic types too, around one place.
const BRACKETS: usize = 64;

/// Marks and words without a comma, a semicolon or a block between them: `&&&&T` nests without brackets.
const MARKS: usize = 64;

/// Words in front of an expression.
const EXPRESSIONS: [&str; 9] = ["async", "break", "let", "match", "move", "return", "try", "unsafe", "yield"];

/// The tokens of one pair of brackets that are not read yet, and what is open there.
struct Level {
    rest: token_stream::IntoIter,
    /// `<` without a `>`.
    generics: usize,
    /// Marks since the last separator.
    marks: usize,
    /// The same before a block: `else` goes on behind it.
    before_block: usize,
}

impl Level {
    fn new(tokens: TokenStream) -> Level {
        Level { rest: tokens.into_iter(), generics: 0, marks: 0, before_block: 0 }
    }
}

/// Refuses tokens that are nested too deeply, at the first of them.
#[allow(clippy::arithmetic_side_effects, reason = "counts of tokens; what is taken away was added before")]
pub(super) fn check(tokens: &TokenStream) -> Result<(), CallError> {
    let mut levels = vec![Level::new(tokens.clone())];
    // Of all levels but the last.
    let mut generics = 0;
    let mut is_arrow = false;
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.rest.next() else {
            levels.pop();
            generics -= levels.last().map_or(0, |level| level.generics);
            continue;
        };
        let span = token.span();
        let was_arrow = std::mem::take(&mut is_arrow);
        match &token {
            TokenTree::Punct(mark) => {
                level.marks += 1;
                match mark.as_char() {
                    ',' | ';' => level.marks = 0,
                    // Neither a path nor an attribute nests.
                    ':' | '#' => level.marks -= 1,
                    '<' => level.generics += 1,
                    '>' if !was_arrow => level.generics = level.generics.saturating_sub(1),
                    '-' | '=' => is_arrow = mark.spacing() == Spacing::Joint,
                    _ => {}
                }
            }
            TokenTree::Ident(word) if *word == "else" => level.marks += level.before_block + 1,
            TokenTree::Ident(word) if EXPRESSIONS.iter().any(|known| word == known) => level.marks += 1,
            _ => {}
        }
        let inside = if let TokenTree::Group(group) = token { Some(group) } else { None };
        let (own, marks) = (level.generics, level.marks);
        if inside.as_ref().is_some_and(|group| group.delimiter() == Delimiter::Brace) {
            level.before_block = std::mem::take(&mut level.marks);
        }
        if levels.len() + generics + own > BRACKETS || marks > MARKS {
            return Err(CallError::new("too-deep", span, "this is nested too deeply"));
        }
        if let Some(group) = inside {
            generics += own;
            levels.push(Level::new(group.stream()));
        }
    }
    Ok(())
}

/// The same tokens with nothing between their brackets; what comes through `macro_rules!` in a group without any stays.
pub(super) fn outermost(tokens: TokenStream) -> TokenStream {
    let emptied = |token| match token {
        TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
            TokenTree::Group(Group::new(group.delimiter(), TokenStream::new()))
        }
        token => token,
    };
    tokens.into_iter().map(emptied).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(text: &str) -> bool {
        let tokens: TokenStream = text.parse().unwrap();
        check(&tokens).is_err()
    }

    #[test]
    fn an_arrow_closes_no_bracket() {
        // Behind a comma marks are counted anew.
        let nested = |inner: &str, levels: usize| format!("{}T{}", inner.repeat(levels), ">".repeat(levels));
        for inner in ["Pair<A, ", "fn() -> Pair<A, ", "A => Pair<A, "] {
            assert!(!is_refused(&nested(inner, BRACKETS - 1)), "{inner}");
            assert!(is_refused(&nested(inner, BRACKETS + 1)), "{inner}");
        }
    }
}
