//! The frame of a page: a single file that works from disk and loads nothing else.

use crate::markup::escaped;
use crate::svg;

/// The style sheet of pages.
pub const STYLE: &str = include_str!("page.css");

/// The script that steps through lines.
const SCRIPT: &str = include_str!("page.js");

/// Returns a page with this title. `body` is HTML in which all text is escaped.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <title>{}</title>\n<style>\n{}\n{STYLE}</style>\n\
         <script>document.documentElement.className='js'</script>\n</head>\n<body>\n{body}\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(title),
        svg::style()
    )
}
