//! The appearance of diagrams: colors and classes, as a style sheet and as attributes.

use std::fmt::Write;
use std::sync::OnceLock;

/// The colors: name, value in the light appearance, value in the dark appearance.
const COLORS: [(&str, &str, &str); 10] = [
    ("sql", "#f0e2c8", "#b9c0c9"),
    ("sqd", "#c39c6e", "#75808c"),
    ("wf", "#ffffff", "#ffffff"),
    ("wo", "#1b1b1b", "#1b1b1b"),
    ("bf", "#24272c", "#24272c"),
    ("bo", "#f4f1ea", "#f4f1ea"),
    ("ink", "#1c1f23", "#eceff2"),
    ("paper", "#ffffff", "#16191d"),
    ("one", "#0b57a4", "#0f4f92"),
    ("two", "#a83a0b", "#a3360a"),
];

/// The appearance of every class of shapes, as CSS declarations. The style sheet and the presentation attributes
/// are derived from this table. A value that begins with `$` is a color.
const CLASSES: [(&str, &str); 23] = [
    ("lt", "fill:$sql"),
    ("dk", "fill:$sqd"),
    ("pp", "fill:$paper"),
    (
        "w",
        "fill:$wf;stroke:$wo;color:$wo;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round",
    ),
    (
        "b",
        "fill:$bf;stroke:$bo;color:$bo;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round",
    ),
    ("c", "font-size:12px;fill:$ink;text-anchor:middle"),
    ("n", "font-size:13px;fill:$ink"),
    ("rim", "fill:none;stroke:$ink;stroke-width:1"),
    ("seam", "stroke:$one;stroke-width:3;stroke-dasharray:6 4"),
    ("ar", "fill:$two;stroke:$paper;stroke-width:1;opacity:.85"),
    ("rg", "fill:none;stroke:$two;stroke-width:4"),
    ("ck", "fill:$two;opacity:.5"),
    (
        "by",
        "fill:none;stroke:$two;stroke-width:2;stroke-dasharray:3 3",
    ),
    ("ro", "fill:$one;stroke:#fff;stroke-width:1"),
    (
        "pl",
        "font-size:17px;font-weight:700;fill:#000;stroke:#fff;stroke-width:3;paint-order:stroke",
    ),
    ("or", "fill:none;stroke:$one;stroke-width:4"),
    ("m1", "fill:$one;stroke:#fff;stroke-width:1.5"),
    (
        "m2",
        "fill:none;stroke:#fff;stroke-width:2.6;stroke-linecap:round",
    ),
    (
        "m3",
        "fill:none;stroke:#fff;stroke-width:7;stroke-linecap:round",
    ),
    (
        "m4",
        "fill:none;stroke:$two;stroke-width:4;stroke-linecap:round",
    ),
    ("m5", "fill:#fff;stroke:#000;stroke-width:2.5"),
    ("f", "display:none"),
    ("on", "display:inline"),
];

/// Returns the properties that a class declares, with their values.
fn properties(declarations: &str) -> impl Iterator<Item = (&str, &str)> {
    declarations
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'))
}

/// Returns the style sheet of all pictures, for browsers. Colors are variables, so they follow the reader's
/// light or dark setting.
pub fn style() -> &'static str {
    static STYLE: OnceLock<String> = OnceLock::new();
    STYLE.get_or_init(|| {
        let colors = |of: fn(&(&str, &str, &str)) -> String| {
            COLORS.iter().map(of).collect::<Vec<_>>().join(";")
        };
        let light = colors(|(name, light, _)| format!("--{name}:{light}"));
        let dark = colors(|(name, _, dark)| format!("--{name}:{dark}"));
        let mut style = format!(
            ".fp{{{light};font-family:system-ui,sans-serif}}\
             @media(prefers-color-scheme:dark){{.fp{{{dark}}}}}"
        );
        for (class, declarations) in CLASSES {
            let _ = write!(style, ".fp .{class}{{");
            for (name, value) in properties(declarations) {
                let _ = match value.strip_prefix('$') {
                    Some(color) => write!(style, "{name}:var(--{color});"),
                    None => write!(style, "{name}:{value};"),
                };
            }
            style.push('}');
        }
        style + ".fp .s{outline:none}"
    })
}

/// Returns a picture in which presentation attributes with the light appearance follow each class. Programs
/// that do not support variables in style sheets (rsvg-convert, Inkscape, ImageMagick) use these.
pub(crate) fn with_attributes(svg: &str) -> String {
    const CLASS: &str = "class=\"";
    let mut out = String::with_capacity(2 * svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once(CLASS) {
        let (classes, after) = after.split_once('"').unwrap_or((after, ""));
        let _ = write!(out, "{before}{CLASS}{classes}\"");
        // If two classes set a property, the later class wins, as in the style sheet.
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        for (class, declarations) in CLASSES {
            if classes.split(' ').any(|word| word == class) {
                for (name, value) in properties(declarations) {
                    attributes.retain(|(other, _)| *other != name);
                    attributes.push((name, value));
                }
            }
        }
        for (name, value) in attributes {
            let value = match value.strip_prefix('$') {
                Some(color) => (COLORS.iter())
                    .find(|(name, ..)| *name == color)
                    .map_or("#000000", |(_, light, _)| light),
                None => value,
            };
            let _ = write!(out, " {name}=\"{value}\"");
        }
        rest = after;
    }
    out + rest
}
