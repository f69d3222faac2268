//! Where names stand in a program, for those who ask whether a part of it uses one.

use hashbrown::HashMap;

use crate::source::to_u32;
use crate::template::input::Input;
use crate::template::parse::Parsed;
use crate::template::token::Kind;
use crate::template::tree::TokenId;

/// The tokens of each name, in the order of the program.
pub(super) struct Uses<'a> {
    by_name: HashMap<&'a [u8], Vec<TokenId>>,
}

/// A part of a program, by its first and last token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) first: TokenId,
    pub(super) last: TokenId,
}

impl Part {
    pub(super) fn has(self, inner: Part) -> bool {
        self.first <= inner.first && inner.last <= self.last
    }
}

impl<'a> Uses<'a> {
    pub(super) fn read(input: &'a Input, parsed: &Parsed) -> Uses<'a> {
        let mut by_name: HashMap<&[u8], Vec<TokenId>> = HashMap::new();
        for (number, token) in parsed.tokens.iter().enumerate() {
            if token.kind == Kind::Name && !token.made {
                by_name.entry(input.token(*token)).or_default().push(to_u32(number));
            }
        }
        Uses { by_name }
    }

    /// The tokens of a name within a part.
    pub(super) fn within(&self, name: &[u8], part: Part) -> &[TokenId] {
        let all = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        let start = all.partition_point(|token| *token < part.first);
        let end = all.partition_point(|token| *token <= part.last);
        all.get(start..end).unwrap_or_default()
    }
}
