//! The words of the language: kinds of tokens, keywords, and how messages name them.

/// Declares the kinds with their texts: what messages call by a name of its own, signs (longer ones in front of those
/// that they begin with), signs that assign, and keywords.
macro_rules! kinds {
    (
        named { $($(#[$doc:meta])* $named:ident = $name:literal,)* }
        signs { $($sign:ident = $($character:literal)+,)* }
        assigning { $($assigning:ident = $($operator:literal)+,)* }
        keywords { $($keyword:ident = $word:literal,)* }
    ) => {
        /// Kind of a token.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind {
            $($(#[$doc])* $named,)*
            $($sign,)*
            $($assigning,)*
            $($keyword,)*
        }

        impl Kind {
            /// The keyword or reserved word that `text` is.
            pub(super) fn keyword(text: &[u8]) -> Option<Kind> {
                Some(match std::str::from_utf8(text).ok()? {
                    $($word => Kind::$keyword,)*
                    "as" | "class" | "del" | "except" | "finally" | "from" | "global" | "import" | "is" | "nonlocal"
                    | "raise" | "try" | "with" | "yield" => Kind::Reserved,
                    _ => return None,
                })
            }

            /// The sign with which a text begins, and its length.
            pub(super) fn sign(text: &[u8]) -> Option<(Kind, usize)> {
                let kind = match [0, 1, 2].map(|at| text.get(at).map_or('\0', |byte| char::from(*byte))) {
                    $([$($operator,)+ ..] => Kind::$assigning,)*
                    $([$($character,)+ ..] => Kind::$sign,)*
                    _ => return None,
                };
                // its name is the sign between quotes
                Some((kind, kind.name().len().saturating_sub(2)))
            }

            pub(super) fn is_keyword(self) -> bool {
                matches!(self, Kind::Reserved $(| Kind::$keyword)*)
            }

            /// Is it `+=` or one of its like?
            pub(super) fn assigns(self) -> bool {
                matches!(self, $(Kind::$assigning)|*)
            }

            /// How messages name it: punctuation in quotes, words without.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Kind::$named => $name,)*
                    $(Kind::$sign => concat!("'", $($character,)+ "'"),)*
                    $(Kind::$assigning => concat!("'", $($operator,)+ "'"),)*
                    $(Kind::$keyword => $word,)*
                }
            }
        }
    };
}

kinds! {
    named {
        End = "end of file",
        Newline = "newline",
        Indent = "indent",
        Outdent = "outdent",
        Name = "identifier",
        Int = "int literal",
        Float = "float literal",
        Str = "string literal",
        /// A word that is reserved and has no meaning.
        Reserved = "illegal token",
        /// Put together by the parser.
        NotIn = "not in",
        /// A whole statement of the compiler's; people's code never meets one.
        Made = "identifier",
    }
    signs {
        Dot = '.',
        Comma = ',',
        Colon = ':',
        Semicolon = ';',
        OpenParen = '(',
        CloseParen = ')',
        OpenBracket = '[',
        CloseBracket = ']',
        OpenBrace = '{',
        CloseBrace = '}',
        Equal = '=' '=',
        Assign = '=',
        NotEqual = '!' '=',
        Plus = '+',
        Minus = '-',
        DoubleStar = '*' '*',
        Star = '*',
        DoubleSlash = '/' '/',
        Slash = '/',
        Percent = '%',
        Ampersand = '&',
        Pipe = '|',
        Caret = '^',
        Tilde = '~',
        ShiftLeft = '<' '<',
        LessEqual = '<' '=',
        Less = '<',
        ShiftRight = '>' '>',
        GreaterEqual = '>' '=',
        Greater = '>',
    }
    assigning {
        AddAssign = '+' '=',
        SubtractAssign = '-' '=',
        MultiplyAssign = '*' '=',
        FloorDivideAssign = '/' '/' '=',
        DivideAssign = '/' '=',
        RemainderAssign = '%' '=',
        AndAssign = '&' '=',
        OrAssign = '|' '=',
        XorAssign = '^' '=',
        ShiftLeftAssign = '<' '<' '=',
        ShiftRightAssign = '>' '>' '=',
    }
    keywords {
        And = "and",
        Break = "break",
        Continue = "continue",
        Def = "def",
        Elif = "elif",
        Else = "else",
        For = "for",
        If = "if",
        In = "in",
        Lambda = "lambda",
        Load = "load",
        Not = "not",
        Or = "or",
        Pass = "pass",
        Return = "return",
        While = "while",
    }
}

/// A token: its kind and its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Begins in text that the compiler made.
    pub(super) made: bool,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Kind {
    /// As [`Kind::name`], without quotes.
    pub(super) fn bare(self) -> &'static str {
        self.name().trim_matches('\'')
    }

    /// What closes an open bracket.
    pub(super) fn closing(self) -> Kind {
        match self {
            Kind::OpenParen => Kind::CloseParen,
            Kind::OpenBracket => Kind::CloseBracket,
            _ => Kind::CloseBrace,
        }
    }

    /// May this token not follow the comma of a list of expressions? Then the comma was the last one.
    pub(super) fn ends_list(self) -> bool {
        use Kind::{Assign, CloseBrace, CloseBracket, CloseParen, End, Newline, Semicolon};
        matches!(self, End | Newline | Assign | CloseBrace | CloseBracket | CloseParen | Semicolon)
    }

    /// Precedence of a binary operator, from `or` (0) to `*` (9).
    pub(super) fn precedence(self) -> Option<u8> {
        use Kind::{Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, NotIn};
        Some(match self {
            Kind::Or => 0,
            Kind::And => 1,
            Equal | NotEqual | Less | Greater | LessEqual | GreaterEqual | In | NotIn => COMPARISON,
            Kind::Pipe => 4,
            Kind::Caret => 5,
            Kind::Ampersand => 6,
            Kind::ShiftLeft | Kind::ShiftRight => 7,
            Kind::Minus | Kind::Plus => 8,
            Kind::Star | Kind::Percent | Kind::Slash | Kind::DoubleSlash => 9,
            _ => return None,
        })
    }
}

/// Strength of comparisons, which do not associate.
pub(super) const COMPARISON: u8 = 3;
/// Strength of `not`.
pub(super) const NOT: u8 = 2;
