//! Splits an expression into tokens, each with its place.

use crate::error::ExpressionError;
use crate::tree::Span;
use winnow::combinator::{alt, repeat};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, take_till, take_while};

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A name or a word of the language.
    Name(String),
    /// Digits.
    Digits(String),
    /// A string in quotation marks, after escapes were resolved.
    Text(String),
    /// A sign.
    Sign(&'static str),
    /// An invalid token, with the fault and perhaps a correction.
    Wrong(String, Option<&'static str>),
}

/// The signs, longer ones before their prefixes.
const SIGNS: [&str; 24] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",",
    "(", ")", "[", "]", "{", "}",
];

type Input<'i> = LocatingSlice<&'i str>;
type Parsed<T> = winnow::Result<T>;

/// Returns the tokens of a text.
///
/// # Errors
/// If a character does not begin a token, or a string is not terminated.
pub fn tokens(text: &str) -> Result<Vec<(Token, Span)>, ExpressionError> {
    let mut input = LocatingSlice::new(text);
    let mut tokens = Vec::new();
    loop {
        blank(&mut input);
        if input.is_empty() {
            return Ok(tokens);
        }
        let start = input.current_token_start();
        let token = token
            .parse_next(&mut input)
            .map_err(|_| ExpressionError::new(start..start + 1, "this is not a token"))?;
        let span = start..input.previous_token_end();
        if let Token::Wrong(why, help) = token {
            let mut error = ExpressionError::new(span, why);
            error.help = help.map(str::to_owned);
            return Err(error);
        }
        tokens.push((token, span));
    }
}

/// Skips blanks, line breaks and comments.
fn blank(input: &mut Input<'_>) {
    let blanks = take_while(1.., [' ', '\t', '\n', '\r', '\x0c']).void();
    let comment = ("//", take_till(0.., '\n')).void();
    let all: Parsed<()> = repeat(0.., alt((blanks, comment))).parse_next(input);
    debug_assert!(all.is_ok(), "repetition of optional parts cannot fail");
}

fn token(input: &mut Input<'_>) -> Parsed<Token> {
    alt((name, number, text, sign, other)).parse_next(input)
}

fn name(input: &mut Input<'_>) -> Parsed<Token> {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let more = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (take_while(1, first), take_while(0.., more))
        .take()
        .map(|word: &str| Token::Name(word.to_owned()))
        .parse_next(input)
}

fn number(input: &mut Input<'_>) -> Parsed<Token> {
    let digits: &str = take_while(1.., |c: char| c.is_ascii_digit()).parse_next(input)?;
    let glued: &str =
        take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_').parse_next(input)?;
    Ok(if glued.is_empty() {
        Token::Digits(digits.to_owned())
    } else {
        Token::Wrong(
            format!(
                "`{}` is not a number",
                diagnostics::shortened(&format!("{digits}{glued}"))
            ),
            Some("numbers are whole, in decimal digits"),
        )
    })
}

fn text(input: &mut Input<'_>) -> Parsed<Token> {
    let quote = alt(('\'', '"')).parse_next(input)?;
    let mut text = String::new();
    loop {
        let c: char = match any::<_, winnow::error::ContextError>.parse_next(input) {
            Ok('\n') | Err(_) => {
                return Ok(Token::Wrong(
                    "the text has no end".into(),
                    Some("close it with the quotation mark that opened it"),
                ));
            }
            Ok(c) => c,
        };
        match c {
            _ if c == quote => return Ok(Token::Text(text)),
            '\\' => match any::<_, winnow::error::ContextError>.parse_next(input) {
                Ok(c @ ('\\' | '\'' | '"')) => text.push(c),
                Ok('n') => text.push('\n'),
                Ok('t') => text.push('\t'),
                Ok('r') => text.push('\r'),
                _ => {
                    return Ok(Token::Wrong(
                        "this escape is not known".into(),
                        Some("one of \\\\ \\' \\\" \\n \\t \\r"),
                    ));
                }
            },
            _ => text.push(c),
        }
    }
}

fn sign(input: &mut Input<'_>) -> Parsed<Token> {
    for mut sign in SIGNS {
        if input.starts_with(sign) {
            let token = sign;
            let _: &str = sign.parse_next(input)?;
            return Ok(Token::Sign(token));
        }
    }
    winnow::combinator::fail.parse_next(input)
}

fn other(input: &mut Input<'_>) -> Parsed<Token> {
    let c: char = any.parse_next(input)?;
    let help = match c {
        '=' => Some("equality is written `==`"),
        '&' => Some("both conditions: `&&`"),
        '|' => Some("either condition: `||`"),
        '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' => Some("quotation marks are ' or \""),
        _ => None,
    };
    Ok(Token::Wrong(
        format!("`{}` has no meaning here", c.escape_debug()),
        help,
    ))
}
