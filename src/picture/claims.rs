//! The page of verified claims: verdicts, boards of witnesses and counterexamples, and lines to step through.
//!
//! Relies only on the columns `variant`, `root`, `line`, `turn`, `fen` and `result` of the evidence. Never
//! verifies a claim.

use crate::diagram::Diagram;
use crate::markup::escaped;
use crate::{line, page, svg};
use catalog::Catalog;
use claims::Evidence;
use notation::{Setup, with_setup};
use report::ledger::ClaimRow;
use std::fmt::Write;

/// The maximum number of boards for one claim.
const MAX_BOARDS: usize = 12;

/// A verified claim.
pub struct Verified<'a> {
    /// The claim's row in the ledger.
    pub row: &'a ClaimRow,
    /// The claim's evidence.
    pub evidence: &'a Evidence,
    /// The rule sets that the evidence names.
    pub catalog: &'a Catalog,
}

/// Returns the page of the given claims.
pub fn html(title: &str, claims: &[Verified<'_>]) -> String {
    let mut body = svg::symbols(&svg::drawn_letters());
    // Writing to a `String` cannot fail.
    let _ = writeln!(body, "<h1>{}</h1>\n<table>", escaped(title));
    body.push_str("<tr><th>claim</th><th>statement</th><th>verdict</th><th>scope</th></tr>\n");
    for claim in claims {
        let _ = writeln!(
            body,
            "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td></tr>",
            escaped(&claim.row.claim),
            escaped(&claim.row.statement),
            escaped(&claim.row.verdict),
            escaped(&claim.row.scope)
        );
    }
    body.push_str("</table>\n");
    for claim in claims {
        section(claim, &mut body);
    }
    page(title, &body)
}

fn section(claim: &Verified<'_>, body: &mut String) {
    let row = claim.row;
    let _ = writeln!(
        body,
        "<section id=\"{0}\">\n<h2>{0}: {1}</h2>\n<p><q>{2}</q> ({3})</p>\n<p>{4} ({5})</p>",
        escaped(&row.claim),
        escaped(&row.verdict),
        escaped(&row.statement),
        escaped(&row.source),
        escaped(&row.summary),
        escaped(&row.scope)
    );
    let mut drawn = Vec::new();
    for fields in &claim.evidence.rows {
        let field = |name: &str| {
            let column = claim.evidence.columns.iter().position(|own| own == name);
            column
                .and_then(|column| fields.get(column))
                .map_or("", String::as_str)
        };
        let place = [field("variant"), field("root"), field("line"), field("fen")];
        if drawn.len() < MAX_BOARDS && !drawn.contains(&place) {
            drawn.push(place);
            let caption = format!("{} {}", field("result"), field("turn"));
            body.push_str(&board(claim.catalog, place, caption.trim()).unwrap_or_default());
        }
    }
    body.push_str("</section>\n");
}

/// Returns the board of a row of evidence, with the line that leads to it if there is one. Returns `None` for
/// a row without a position.
fn board(
    catalog: &Catalog,
    [variant, root, turns, fen]: [&str; 4],
    caption: &str,
) -> Option<String> {
    let variant = catalog.open(variant).ok()?;
    let turns: Vec<&str> = turns.split(' ').filter(|turn| !turn.is_empty()).collect();
    if !turns.is_empty() && !root.is_empty() {
        let setup = Setup::read(&variant, Some(root)).ok()?;
        return with_setup!(&setup, start => line::html(start, &turns, caption, fen)).ok();
    }
    if fen.is_empty() {
        return None;
    }
    let setup = Setup::read(&variant, Some(fen)).ok()?;
    let diagram = with_setup!(&setup, start => {
        Diagram::new(start.game.as_ref(), &start.position)
    });
    Some(format!(
        "<figure><figcaption>{}</figcaption>\n{}<p><code>{}</code></p></figure>\n",
        escaped(caption),
        svg::draw(&diagram, svg::Look::PART),
        escaped(fen)
    ))
}
