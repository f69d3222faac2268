//! The words of the language: kinds of tokens, keywords, and how messages name them.

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    End,
    Newline,
    Indent,
    Outdent,
    Name,
    Int,
    Float,
    Str,
    /// A word that is reserved and has no meaning.
    Reserved,
    Plus,
    Minus,
    Star,
    Slash,
    DoubleSlash,
    Percent,
    Ampersand,
    Pipe,
    Caret,
    ShiftLeft,
    ShiftRight,
    Tilde,
    Dot,
    Comma,
    Assign,
    Semicolon,
    Colon,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Less,
    Greater,
    GreaterEqual,
    LessEqual,
    Equal,
    NotEqual,
    DoubleStar,
    /// `+=` and its like.
    AssignWith(Operator),
    And,
    Break,
    Continue,
    Def,
    Elif,
    Else,
    For,
    If,
    In,
    Lambda,
    Load,
    Not,
    /// `not in`, put together by the parser.
    NotIn,
    Or,
    Pass,
    Return,
    While,
}

/// The operator of an assignment such as `+=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Plus,
    Minus,
    Star,
    Slash,
    DoubleSlash,
    Percent,
    Ampersand,
    Pipe,
    Caret,
    ShiftLeft,
    ShiftRight,
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
    /// The keyword or reserved word that `text` is.
    pub(super) fn keyword(text: &[u8]) -> Option<Kind> {
        Some(match text {
            b"and" => Kind::And,
            b"break" => Kind::Break,
            b"continue" => Kind::Continue,
            b"def" => Kind::Def,
            b"elif" => Kind::Elif,
            b"else" => Kind::Else,
            b"for" => Kind::For,
            b"if" => Kind::If,
            b"in" => Kind::In,
            b"lambda" => Kind::Lambda,
            b"load" => Kind::Load,
            b"not" => Kind::Not,
            b"or" => Kind::Or,
            b"pass" => Kind::Pass,
            b"return" => Kind::Return,
            b"while" => Kind::While,
            b"as" | b"class" | b"del" | b"except" | b"finally" | b"from" | b"global" | b"import" | b"is"
            | b"nonlocal" | b"raise" | b"try" | b"with" | b"yield" => Kind::Reserved,
            _ => return None,
        })
    }

    pub(super) fn is_keyword(self) -> bool {
        use Kind::{
            And, Break, Continue, Def, Elif, Else, For, If, In, Lambda, Load, Not, Or, Pass, Reserved, Return, While,
        };
        matches!(
            self,
            And | Break
                | Continue
                | Def
                | Elif
                | Else
                | For
                | If
                | In
                | Lambda
                | Load
                | Not
                | Or
                | Pass
                | Reserved
                | Return
                | While
        )
    }

    /// How messages name it: punctuation in quotes, words without.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::End => "end of file",
            Kind::Newline => "newline",
            Kind::Indent => "indent",
            Kind::Outdent => "outdent",
            Kind::Name => "identifier",
            Kind::Int => "int literal",
            Kind::Float => "float literal",
            Kind::Str => "string literal",
            Kind::Reserved => "illegal token",
            Kind::Plus => "'+'",
            Kind::Minus => "'-'",
            Kind::Star => "'*'",
            Kind::Slash => "'/'",
            Kind::DoubleSlash => "'//'",
            Kind::Percent => "'%'",
            Kind::Ampersand => "'&'",
            Kind::Pipe => "'|'",
            Kind::Caret => "'^'",
            Kind::ShiftLeft => "'<<'",
            Kind::ShiftRight => "'>>'",
            Kind::Tilde => "'~'",
            Kind::Dot => "'.'",
            Kind::Comma => "','",
            Kind::Assign => "'='",
            Kind::Semicolon => "';'",
            Kind::Colon => "':'",
            Kind::OpenParen => "'('",
            Kind::CloseParen => "')'",
            Kind::OpenBracket => "'['",
            Kind::CloseBracket => "']'",
            Kind::OpenBrace => "'{'",
            Kind::CloseBrace => "'}'",
            Kind::Less => "'<'",
            Kind::Greater => "'>'",
            Kind::GreaterEqual => "'>='",
            Kind::LessEqual => "'<='",
            Kind::Equal => "'=='",
            Kind::NotEqual => "'!='",
            Kind::DoubleStar => "'**'",
            Kind::AssignWith(operator) => operator.assignment(),
            Kind::And => "and",
            Kind::Break => "break",
            Kind::Continue => "continue",
            Kind::Def => "def",
            Kind::Elif => "elif",
            Kind::Else => "else",
            Kind::For => "for",
            Kind::If => "if",
            Kind::In => "in",
            Kind::Lambda => "lambda",
            Kind::Load => "load",
            Kind::Not => "not",
            Kind::NotIn => "not in",
            Kind::Or => "or",
            Kind::Pass => "pass",
            Kind::Return => "return",
            Kind::While => "while",
        }
    }

    /// The same without quotes.
    pub(super) fn bare(self) -> &'static str {
        self.name().trim_matches('\'')
    }

    /// May this token not follow the comma of a list of expressions? Then the comma was the last one.
    pub(super) fn ends_list(self) -> bool {
        matches!(
            self,
            Kind::End
                | Kind::Newline
                | Kind::Assign
                | Kind::CloseBrace
                | Kind::CloseBracket
                | Kind::CloseParen
                | Kind::Semicolon
        )
    }

    /// Precedence of a binary operator, from `or` (0) to `*` (9).
    pub(super) fn precedence(self) -> Option<u8> {
        Some(match self {
            Kind::Or => 0,
            Kind::And => 1,
            Kind::Equal
            | Kind::NotEqual
            | Kind::Less
            | Kind::Greater
            | Kind::LessEqual
            | Kind::GreaterEqual
            | Kind::In
            | Kind::NotIn => COMPARISON,
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

impl Operator {
    /// Without the `=`.
    pub(super) fn sign(self) -> &'static str {
        self.assignment().trim_matches('\'').trim_end_matches('=')
    }

    fn assignment(self) -> &'static str {
        match self {
            Operator::Plus => "'+='",
            Operator::Minus => "'-='",
            Operator::Star => "'*='",
            Operator::Slash => "'/='",
            Operator::DoubleSlash => "'//='",
            Operator::Percent => "'%='",
            Operator::Ampersand => "'&='",
            Operator::Pipe => "'|='",
            Operator::Caret => "'^='",
            Operator::ShiftLeft => "'<<='",
            Operator::ShiftRight => "'>>='",
        }
    }
}
