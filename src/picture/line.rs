//! A line of play to step through: one board with a frame for each position, and the turns as text. The first
//! position is visible even without the script.

use crate::diagram::Diagram;
use crate::markup::escaped;
use crate::svg;
use diagnostics::Diagnostic;
use notation::{Start, turns};
use problems::Layout;
use std::fmt::Write;

/// Returns the line as HTML: caption, board, turns, and the end of the line in words.
///
/// # Errors
/// If a turn is not legal.
pub fn html<W: Layout>(
    start: &Start<W>,
    line: &[&str],
    caption: &str,
    end: &str,
) -> Result<String, Diagnostic> {
    let game = start.game.as_ref();
    let mut p = start.position;
    let mut frames = vec![Diagram::new(game, &p)];
    for (n, text) in line.iter().enumerate() {
        let turn = turns::find(game, &p, text, n + 1)?;
        frames.push(Diagram::after(game, &p, &turn));
        p = game.play(&p, &turn);
    }
    let mut out = format!(
        "<figure class=\"line\"><figcaption>{}</figcaption>\n{}",
        escaped(caption),
        svg::frames(&frames, svg::Look::PART)
    );
    out.push_str("<div class=\"steps\">");
    for (step, label, sign) in [
        ("first", "to the first position", "|◀"),
        ("back", "one turn back", "◀"),
        ("on", "one turn on", "▶"),
        ("last", "to the last position", "▶|"),
    ] {
        let _ = write!(
            out,
            "<button type=\"button\" data-step=\"{step}\" aria-label=\"{label}\">{sign}</button>"
        );
    }
    out.push_str(
        "</div>\n<ol class=\"turns\" start=\"0\"><li><button type=\"button\">start</button></li>",
    );
    for text in line {
        let _ = write!(
            out,
            "<li><button type=\"button\">{}</button></li>",
            escaped(text)
        );
    }
    let _ = write!(
        out,
        "</ol>\n<p class=\"end\">{}<br><code>{}</code></p></figure>\n",
        escaped(end),
        escaped(&frames[0].fen)
    );
    Ok(out)
}
