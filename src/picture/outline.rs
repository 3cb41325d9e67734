//! The shapes of units in a box of 45 by 45: outlines for the six kinds of the standard set, and a disc with
//! a letter for every other kind.

use crate::markup::escaped;
use std::fmt::{self, Write};

/// The paths of an outline: the filled shape, and the lines drawn on top of it.
struct Outline {
    letter: char,
    body: &'static str,
    lines: &'static str,
}

const OUTLINES: [Outline; 6] = [
    Outline {
        letter: 'K',
        body: "M21 4h3v3.2h3.2v3H24v4.2h-3v-4.2h-3.2v-3H21zM22.5 14.4c2.6 0 4.1 1.9 4.2 4.2 \
               3-3.6 10.8-3.4 11 2.9.1 4.7-4 7.3-6 11.5H13.3c-2-4.2-6.1-6.8-6-11.5.2-6.3 \
               8-6.5 11-2.9.1-2.3 1.6-4.2 4.2-4.2zM12 34.5h21l1.5 5.5h-24z",
        lines: "M22.5 19v10M13.3 33h18.4",
    },
    Outline {
        letter: 'Q',
        body: "M8.5 15 13 32.5h19L36.5 15l-6.7 8.5-.6-12.5-4.5 11.5L22.5 9l-2.2 13.5L15.8 11l-.6 \
               12.5zM12 34.5h21l1.5 5.5h-24zM5.8 13a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0zM13 \
               9a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0zM19.9 7a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 \
               0-5.2 0zM26.8 9a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0zM34 13a2.6 2.6 0 1 0 5.2 \
               0 2.6 2.6 0 1 0-5.2 0z",
        lines: "M13.5 29.5h18",
    },
    Outline {
        letter: 'R',
        body: "M11.5 7h5.5v3.5h3.2V7h4.6v3.5H28V7h5.5v8.5l-3 2.5 1.2 14.5H13.3L14.5 18l-3-2.5zM10.5 \
               34.5h24V40h-24z",
        lines: "M14.5 18h16M13.6 29.5h17.8",
    },
    Outline {
        letter: 'B',
        body: "M22.5 4.5a2.9 2.9 0 0 1 1.9 5.1c5.4 3.7 8.1 8.7 8.1 13.2 0 3.4-1.6 6.2-4 \
               7.7h-12c-2.4-1.5-4-4.3-4-7.7 0-4.5 2.7-9.5 8.1-13.2a2.9 2.9 0 0 1 \
               1.9-5.1zM15.5 32.5h14v2.5c3 .5 6.5 1.8 8 5h-30c1.5-3.2 5-4.5 8-5z",
        lines: "M22.5 15v10M17.8 19.5h9.4",
    },
    Outline {
        letter: 'N',
        body: "M13 40h22c.6-9.5.5-17.5-3-23.5-2.3-3.9-5.7-6-9.8-6.5L19 5.5l-1.4 5.6c-3.1 1.5-4.7 \
               4.6-6.3 8.2L7 26.5c-1 2 .4 4.8 2.8 5.2l4.7-2.2c2.2-1.1 4.7-1.2 6.6-2.3-1.3 \
               4.3-7.6 6.3-8.1 12.8z",
        lines: "M17 17.5h.1M26.5 15c4 4.5 4.5 12 4 20",
    },
    Outline {
        letter: 'P',
        body: "M22.5 8.5a6 6 0 0 1 4 10.5h3v3h-3.3c.5 5.5 3.8 8 6.3 12h-20c2.5-4 5.8-6.5 \
               6.3-12h-3.3v-3h3a6 6 0 0 1 4-10.5zM10.5 36h24v4h-24z",
        lines: "",
    },
];

/// Writes symbols, with ids such as `u-K`. The element that uses a symbol sets its fill, stroke and color. A
/// letter in lower case stands for the letter in a disc, which letters without an outline are drawn as too.
pub fn write_symbols(symbols: &[char], out: &mut String) -> fmt::Result {
    for &symbol in symbols {
        match OUTLINES.iter().find(|outline| outline.letter == symbol) {
            Some(Outline { body, lines, .. }) => {
                write!(out, "<g id=\"u-{symbol}\"><path d=\"{body}\"/>")?;
                if !lines.is_empty() {
                    write!(out, "<path d=\"{lines}\" fill=\"none\"/>")?;
                }
                out.write_str("</g>")?;
            }
            None => write!(
                out,
                "<g id=\"u-{}\"><circle cx=\"22.5\" cy=\"22.5\" r=\"16\"/><text x=\"22.5\" \
                 y=\"30\" font-size=\"22\" font-weight=\"700\" text-anchor=\"middle\" fill=\"currentColor\" \
                 stroke=\"none\">{}</text></g>",
                escaped(&symbol.to_string()),
                escaped(&symbol.to_ascii_uppercase().to_string())
            )?,
        }
    }
    Ok(())
}

/// Returns the letters that have outlines.
pub fn drawn() -> impl Iterator<Item = char> {
    OUTLINES.iter().map(|outline| outline.letter)
}
