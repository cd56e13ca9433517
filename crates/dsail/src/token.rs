//! The words and signs that the lexer tells apart.

use assay_base::{Rational, Span};

/// One token and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// What a token is. Names and keywords are told apart by the parser, which knows the place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    /// A name, a keyword or a function.
    Word,
    /// A number without sign.
    Number(Rational),
    /// A string without its quotes.
    String(String),
    /// A sign of the grammar.
    Sign(Sign),
    /// A sign that other languages use for logic: `&`, `|`, `!`.
    ForeignLogic,
    /// The end of the text.
    End,
}

/// A sign of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Semicolon,
    Comma,
    Colon,
    OpenParenthesis,
    CloseParenthesis,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Assign,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

impl Sign {
    /// Every sign with its spelling, two-character signs before their prefixes.
    pub(crate) const ALL: [(&'static str, Self); 21] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        (";", Self::Semicolon),
        (",", Self::Comma),
        (":", Self::Colon),
        ("(", Self::OpenParenthesis),
        (")", Self::CloseParenthesis),
        ("[", Self::OpenBracket),
        ("]", Self::CloseBracket),
        ("{", Self::OpenBrace),
        ("}", Self::CloseBrace),
        ("=", Self::Assign),
        ("<", Self::Less),
        (">", Self::Greater),
        ("+", Self::Plus),
        ("-", Self::Minus),
        ("*", Self::Times),
        ("/", Self::Divide),
        ("%", Self::Modulo),
    ];

    /// How the sign is written.
    pub(crate) fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, sign)| *sign == self).map_or("", |(text, _)| text)
    }
}

/// A comment, which the compiler ignores and annotations live in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comment {
    /// From the slashes to the end of the line.
    pub(crate) span: Span,
    /// Whether nothing but white space stands before it on its line.
    pub(crate) own_line: bool,
}

/// Words that can name nothing.
pub(crate) const KEYWORDS: [&str; 19] = [
    "version", "declare", "local", "as", "assert", "let", "in", "boolean", "numeric", "enum", "IF",
    "THEN", "ELSE", "END", "CASE", "OF", "DEFAULT", "True", "False",
];
