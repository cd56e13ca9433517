//! Text to tokens.
//!
//! Nesting is measured here, by the real tokens and before anything recurses: a text that nests
//! deeper than the limit is refused as a whole, so no later stage can be driven off its stack.

use assay_base::json::is_invisible;
use assay_base::{Code, Diagnostic, numeral};
use assay_base::{Source, Span};
use unicode_security::MixedScript as _;

use crate::budget::{MAX_IDENTIFIER_BYTES, MAX_NESTING, MAX_STRING_BYTES};
use crate::token::{Comment, Sign, Token, TokenKind};

/// What the lexer found.
#[derive(Debug)]
pub(crate) struct Lexed {
    /// The tokens, of which the last is the end of the text.
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    /// Whether parsing may go on; false when the text nests too deep.
    pub(crate) parsable: bool,
}

/// Splits a source into tokens and comments.
pub(crate) fn lex(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Lexed {
    let mut lexer = Lexer {
        text: source.text(),
        position: 0,
        depth: 0,
        line_is_blank: true,
        lexed: Lexed { tokens: Vec::new(), comments: Vec::new(), parsable: true },
        diagnostics,
    };
    if lexer.text.starts_with('\u{feff}') {
        lexer.position = '\u{feff}'.len_utf8();
    }
    while lexer.lexed.parsable && lexer.next() {}
    let end = span(lexer.text.len(), lexer.text.len());
    lexer.lexed.tokens.push(Token { kind: TokenKind::End, span: end });
    lexer.lexed
}

struct Lexer<'a> {
    text: &'a str,
    position: usize,
    depth: usize,
    line_is_blank: bool,
    lexed: Lexed,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// Takes one token, comment or stretch of white space; false at the end of the text.
    fn next(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        match first {
            '\n' => {
                self.position += 1;
                self.line_is_blank = true;
                return true;
            }
            _ if first.is_ascii_whitespace() => {
                self.position += 1;
                return true;
            }
            '/' if rest.starts_with("//") => self.comment(rest),
            '"' => self.string(rest),
            '“' | '”' | '„' | '‘' | '’' | '\'' => self.typographic_string(rest, first),
            '0'..='9' => self.number(rest),
            _ if first.is_alphabetic() || first == '_' => self.word(rest),
            '#' => self.foreign_comment(rest),
            '&' | '|' => self.foreign_logic(rest),
            '!' if !rest.starts_with("!=") => self.foreign_logic(rest),
            _ => self.sign(rest, first),
        }
        self.line_is_blank = false;
        true
    }

    fn push(&mut self, length: usize, kind: TokenKind) {
        let span = span(self.position, self.position + length);
        self.position += length;
        self.lexed.tokens.push(Token { kind, span });
    }

    fn report(&mut self, span: Span, code: Code, message: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, span, message).help(help));
    }

    fn comment(&mut self, rest: &str) {
        let length = rest.find('\n').unwrap_or(rest.len());
        let text = rest.get(..length).unwrap_or_default();
        let hidden = |it: char| is_invisible(it) || (it.is_control() && it != '\t');
        for (offset, character) in text.char_indices().filter(|(_, it)| hidden(*it)) {
            let from = self.position + offset;
            self.report(
                span(from, from + character.len_utf8()),
                Code::Character,
                format!("the comment holds the invisible character {}", name_of(character)),
                "remove it: it changes what a reader of the ruleset sees",
            );
        }
        let span = span(self.position, self.position + length);
        self.lexed.comments.push(Comment { span, own_line: self.line_is_blank });
        self.position += length;
    }

    fn string(&mut self, rest: &str) {
        let inner = rest.get(1..).unwrap_or_default();
        let close = closing_quote(inner);
        let closed = close.is_some();
        // A string without its end is taken to end where the text around it most likely goes on.
        let end = || inner.find([',', ';', ')', ']', '}', '\n']).unwrap_or(inner.len());
        let text = inner.get(..close.unwrap_or_else(end)).unwrap_or_default();
        let text = if closed { text } else { text.trim_end() };
        let length = text.len();
        let whole = span(self.position, self.position + 1 + length + usize::from(closed));
        if closed {
            self.check_string(text, whole);
        } else {
            self.report(
                whole,
                Code::UnterminatedString,
                "the string does not end on its line",
                "close it with a double quote",
            );
        }
        self.push(1 + length + usize::from(closed), TokenKind::String(text.to_owned()));
    }

    /// Text in typographic or single quotes is a string with the wrong quotes, not a row of names.
    fn typographic_string(&mut self, rest: &str, open: char) {
        let inner = rest.get(open.len_utf8()..).unwrap_or_default();
        let stop = |it: &(usize, char)| matches!(it.1, '“' | '”' | '‘' | '’' | '\'' | '"' | '\n');
        let close = inner.char_indices().find(stop).filter(|it| it.1 != '\n');
        let (length, tail) = close.map_or((0, 0), |(at, it)| (at, it.len_utf8()));
        let text = inner.get(..length).unwrap_or_default().to_owned();
        let whole = open.len_utf8() + length + tail;
        self.report(
            span(self.position, self.position + whole),
            Code::Character,
            format!("{} is not part of the language", name_of(open)),
            "strings stand in straight double quotes: \"…\"",
        );
        self.push(whole, TokenKind::String(text));
    }

    fn check_string(&mut self, text: &str, whole: Span) {
        let forbidden =
            text.char_indices().find(|(_, it)| *it == '\\' || it.is_control() || is_invisible(*it));
        if let Some((offset, character)) = forbidden {
            let from = self.position + 1 + offset;
            self.report(
                span(from, from + character.len_utf8()),
                Code::StringCharacter,
                format!("a string cannot hold {}", name_of(character)),
                "remove the character: strings hold printable text without quotes and backslashes",
            );
        } else if text.is_empty() || text.len() > MAX_STRING_BYTES {
            self.report(
                whole,
                Code::StringLength,
                format!("the string has {} bytes", text.len()),
                &format!("a string has between 1 and {MAX_STRING_BYTES} bytes"),
            );
        } else if !text.is_single_script() {
            self.report(
                whole,
                Code::MixedScript,
                format!("`{text}` mixes letters of several alphabets"),
                "retype the word in one alphabet",
            );
        }
    }

    fn number(&mut self, rest: &str) {
        match numeral::scan(rest) {
            Ok((value, length)) => self.push(length, TokenKind::Number(value)),
            Err((error, length)) => {
                let length = length.max(1);
                self.report(
                    span(self.position, self.position + length),
                    Code::Numeral,
                    error.to_string(),
                    "write digits with an optional fraction and exponent, such as `0.05` or `2.5e6`",
                );
                self.push(length, TokenKind::Number(assay_base::Rational::ZERO));
            }
        }
    }

    /// Letters of other alphabets, and marks that cannot be seen, are reported and stay part of the
    /// word, so that a look-alike in a name is one problem.
    fn word(&mut self, rest: &str) {
        let length = rest.find(|it| !is_word_part(it)).unwrap_or(rest.len());
        let text = rest.get(..length).unwrap_or_default();
        if let Some((offset, foreign)) = text.char_indices().find(|(_, it)| !it.is_ascii()) {
            let from = self.position + offset;
            self.report(
                span(from, from + foreign.len_utf8()),
                Code::Character,
                format!("{} is not part of the language", name_of(foreign)),
                "names use ASCII letters, digits and underscores",
            );
        }
        if length > MAX_IDENTIFIER_BYTES {
            self.report(
                span(self.position, self.position + length),
                Code::IdentifierLength,
                format!("the name has {length} bytes"),
                &format!("a name has at most {MAX_IDENTIFIER_BYTES} bytes"),
            );
        }
        match text {
            "IF" | "CASE" => self.open(length),
            "END" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.push(length, TokenKind::Word);
    }

    fn foreign_logic(&mut self, rest: &str) {
        let length = rest.bytes().take(2).take_while(|it| matches!(it, b'&' | b'|' | b'!')).count();
        self.push(length, TokenKind::ForeignLogic);
    }

    fn sign(&mut self, rest: &str, first: char) {
        let found = Sign::ALL.iter().find(|(text, _)| rest.starts_with(text));
        let Some(&(text, sign)) = found else {
            return match FOREIGN_SIGNS.iter().find(|(it, _)| *it == first) {
                Some(&(_, meant)) => self.foreign_sign(first, meant),
                None => self.unknown_characters(rest, first),
            };
        };
        match sign {
            Sign::OpenParenthesis | Sign::OpenBracket | Sign::OpenBrace => self.open(text.len()),
            Sign::CloseParenthesis | Sign::CloseBracket | Sign::CloseBrace => {
                self.depth = self.depth.saturating_sub(1);
            }
            // No bracket reaches beyond its statement.
            Sign::Semicolon => self.depth = 0,
            _ => {}
        }
        self.push(text.len(), TokenKind::Sign(sign));
    }

    /// A run of characters that the language does not use is one problem.
    fn unknown_characters(&mut self, rest: &str, first: char) {
        let foreign = |it: &char| !it.is_ascii() || "$?@\\^`~.".contains(*it) || it.is_control();
        let length = rest.chars().take_while(foreign).map(char::len_utf8).sum::<usize>();
        let length = length.max(first.len_utf8());
        let what = span(self.position, self.position + length);
        let message = format!("{} is not part of the language", name_of(first));
        let help = match first {
            '.' => "write a digit before the decimal point",
            '$' => "write the unit behind the number, as in `5 \"USD\"`",
            _ => "remove it",
        };
        self.report(what, Code::Character, message, help);
        self.position += length;
    }

    /// A sign of mathematics counts as the sign that it stands for.
    fn foreign_sign(&mut self, first: char, sign: Sign) {
        let what = span(self.position, self.position + first.len_utf8());
        let message = format!("{} is not part of the language", name_of(first));
        self.report(what, Code::Character, message, &format!("write {}", sign.text()));
        self.push(first.len_utf8(), TokenKind::Sign(sign));
    }

    fn foreign_comment(&mut self, rest: &str) {
        let what = span(self.position, self.position + 1);
        let message = "`#` is not part of the language";
        self.report(what, Code::Character, message, "comments begin with //");
        self.position += rest.find('\n').unwrap_or(rest.len());
    }

    fn open(&mut self, length: usize) {
        self.depth += 1;
        if self.depth > MAX_NESTING && self.lexed.parsable {
            self.lexed.parsable = false;
            self.report(
                span(self.position, self.position + length),
                Code::Nesting,
                format!("the ruleset nests more than {MAX_NESTING} deep here"),
                "name a part with `declare local` and `let`, or split the assertion",
            );
        }
    }
}

/// The place of the quote that closes a string. One behind a backslash was not meant to, unless no
/// other follows soon on the line.
fn closing_quote(inner: &str) -> Option<usize> {
    const ESCAPED: usize = 8;
    let mut quotes = inner.match_indices(['"', '\n']).take(ESCAPED).peekable();
    let first = quotes.peek().filter(|it| it.1 == "\"").map(|it| it.0);
    let mut quotes = quotes.take_while(|it| it.1 == "\"").map(|it| it.0);
    let unescaped = |it: &usize| !inner.get(..*it).is_some_and(|before| before.ends_with('\\'));
    quotes.find(unescaped).or(first)
}

/// Signs that people type for a sign of the language.
const FOREIGN_SIGNS: [(char, Sign); 8] = [
    ('≤', Sign::LessOrEqual),
    ('≥', Sign::GreaterOrEqual),
    ('≠', Sign::NotEqual),
    ('×', Sign::Times),
    ('÷', Sign::Divide),
    ('–', Sign::Minus),
    ('—', Sign::Minus),
    ('−', Sign::Minus),
];

/// Whether a word goes on with this character, be it allowed there or not.
fn is_word_part(character: char) -> bool {
    let combining = ('\u{300}'..='\u{36f}').contains(&character);
    character.is_alphanumeric() || character == '_' || combining || is_invisible(character)
}

/// A character as a message names it: itself where it can be seen, and its code point.
fn name_of(character: char) -> String {
    let code = u32::from(character);
    if character.is_control() || is_invisible(character) || character.is_whitespace() {
        return format!("U+{code:04X}");
    }
    if character.is_ascii() {
        format!("`{character}`")
    } else {
        format!("`{character}` (U+{code:04X})")
    }
}

/// Sources are capped far below 4 GiB.
fn span(start: usize, end: usize) -> Span {
    let offset = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}
