//! Escapes text for XML and HTML. All text from users and files passes through this module.

use std::fmt::{self, Write};

/// Returns a text with the special characters of XML and HTML replaced. The result is valid in elements and
/// in attributes with either kind of quotes. Control characters, which XML forbids, are shown as `\u{...}`.
pub fn escaped(text: &str) -> Escaped<'_> {
    Escaped(text)
}

/// The result of [`escaped`].
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                    write!(f, "{}", c.escape_default())?;
                }
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_with_a_meaning_gets_through() {
        assert_eq!(
            escaped("<script>alert(\"a\" & 'b')</script>\u{1}\u{0}é").to_string(),
            "&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;\\u{1}\\u{0}é"
        );
    }
}
