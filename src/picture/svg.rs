//! Diagrams as SVG: one picture, or the frames of a line on one board.
//!
//! In browsers, colors follow the reader's light or dark setting; every other program shows the light
//! appearance. The meaning of every mark is visible from its shape, without color.

use crate::diagram::{Arrow, Cell, Diagram, Hand, Mark, Unit};
use crate::markup::escaped;
use crate::outline;
use board::{Color, Geometry, Square};
use std::fmt::{self, Write};
use std::sync::OnceLock;

/// Side of a square. All lengths are in pixels.
const SIDE: i32 = 45;
/// Margin left of the board, for the rank numbers.
const LEFT: i32 = 22;
/// Margin above the board.
const TOP: i32 = 8;
/// Margin below the board, for the file letters.
const FOOT: i32 = 20;
/// Margin right of the board, for the mark of the side to move.
const RIGHT: i32 = 20;
/// Width of the hands.
const HANDS: i32 = 104;
/// Height of a line of text.
const LINE: i32 = 18;
/// Minimum width, so that short lines of text fit.
const NARROWEST: i32 = 226;

/// Colors: name, value for light and for dark appearance.
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

/// Properties of a class of shapes: names with values. A value that begins with `$` is a color.
type Properties = &'static [(&'static str, &'static str)];

/// The line around a unit.
const OUTLINE: Properties = &[
    ("stroke-width", "1.5"),
    ("stroke-linejoin", "round"),
    ("stroke-linecap", "round"),
];

/// The appearance of every class. Style sheet and presentation attributes are made from it.
const CLASSES: [(&str, &[Properties]); 23] = [
    ("lt", &[&[("fill", "$sql")]]),
    ("dk", &[&[("fill", "$sqd")]]),
    ("pp", &[&[("fill", "$paper")]]),
    (
        "w",
        &[
            &[("fill", "$wf"), ("stroke", "$wo"), ("color", "$wo")],
            OUTLINE,
        ],
    ),
    (
        "b",
        &[
            &[("fill", "$bf"), ("stroke", "$bo"), ("color", "$bo")],
            OUTLINE,
        ],
    ),
    (
        "c",
        &[&[
            ("font-size", "12px"),
            ("fill", "$ink"),
            ("text-anchor", "middle"),
        ]],
    ),
    ("n", &[&[("font-size", "13px"), ("fill", "$ink")]]),
    (
        "rim",
        &[&[("fill", "none"), ("stroke", "$ink"), ("stroke-width", "1")]],
    ),
    (
        "seam",
        &[&[
            ("stroke", "$one"),
            ("stroke-width", "3"),
            ("stroke-dasharray", "6 4"),
        ]],
    ),
    (
        "ar",
        &[&[
            ("fill", "$two"),
            ("stroke", "$paper"),
            ("stroke-width", "1"),
            ("opacity", ".85"),
        ]],
    ),
    (
        "rg",
        &[&[("fill", "none"), ("stroke", "$two"), ("stroke-width", "4")]],
    ),
    ("ck", &[&[("fill", "$two"), ("opacity", ".5")]]),
    (
        "by",
        &[&[
            ("fill", "none"),
            ("stroke", "$two"),
            ("stroke-width", "2"),
            ("stroke-dasharray", "3 3"),
        ]],
    ),
    (
        "ro",
        &[&[("fill", "$one"), ("stroke", "#fff"), ("stroke-width", "1")]],
    ),
    (
        "pl",
        &[&[
            ("font-size", "17px"),
            ("font-weight", "700"),
            ("fill", "#000"),
            ("stroke", "#fff"),
            ("stroke-width", "3"),
            ("paint-order", "stroke"),
        ]],
    ),
    (
        "or",
        &[&[("fill", "none"), ("stroke", "$one"), ("stroke-width", "4")]],
    ),
    (
        "m1",
        &[&[
            ("fill", "$one"),
            ("stroke", "#fff"),
            ("stroke-width", "1.5"),
        ]],
    ),
    (
        "m2",
        &[&[
            ("fill", "none"),
            ("stroke", "#fff"),
            ("stroke-width", "2.6"),
            ("stroke-linecap", "round"),
        ]],
    ),
    (
        "m3",
        &[&[
            ("fill", "none"),
            ("stroke", "#fff"),
            ("stroke-width", "7"),
            ("stroke-linecap", "round"),
        ]],
    ),
    (
        "m4",
        &[&[
            ("fill", "none"),
            ("stroke", "$two"),
            ("stroke-width", "4"),
            ("stroke-linecap", "round"),
        ]],
    ),
    (
        "m5",
        &[&[
            ("fill", "#fff"),
            ("stroke", "#000"),
            ("stroke-width", "2.5"),
        ]],
    ),
    ("f", &[&[("display", "none")]]),
    ("on", &[&[("display", "inline")]]),
];

/// Returns the style sheet of all pictures, for browsers: colors are variables, so that they follow the
/// reader's light or dark setting.
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
        for (class, properties) in CLASSES {
            let _ = write!(style, ".fp .{class}{{");
            for (name, value) in properties.iter().copied().flatten() {
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

/// Returns a picture with the light appearance as presentation attributes after each class. Programs
/// without variables in style sheets (rsvg-convert, Inkscape, ImageMagick) use these.
fn with_attributes(svg: &str) -> String {
    const CLASS: &str = "class=\"";
    let mut out = String::with_capacity(2 * svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once(CLASS) {
        let (classes, after) = after.split_once('"').unwrap_or((after, ""));
        let _ = write!(out, "{before}{CLASS}{classes}\"");
        // If two classes set a property, the later class wins, as in the style sheet.
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        for (class, properties) in CLASSES {
            if classes.split(' ').any(|word| word == class) {
                for &(name, value) in properties.iter().copied().flatten() {
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

/// Options for drawing a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Whether the picture contains its style, its symbols and a background. Otherwise the page must contain
    /// [`style`] and [`symbols`].
    pub alone: bool,
    /// Whether side to move, rights and state are written below the board.
    pub notes: bool,
    /// Whether each square has an id for scripts.
    pub named: bool,
    /// Whether royal units and checks are marked under orthodox rules too. Under all other rules, these
    /// marks are always drawn.
    pub marked: bool,
}

impl Look {
    /// A file of its own, with notes.
    pub const FILE: Look = Look {
        alone: true,
        notes: true,
        named: false,
        marked: false,
    };
    /// A part of a page, with notes.
    pub const PART: Look = Look {
        alone: false,
        notes: true,
        named: false,
        marked: false,
    };
}

/// Returns a diagram as a whole SVG element.
pub fn draw(diagram: &Diagram, look: Look) -> String {
    frames(std::slice::from_ref(diagram), look)
}

/// Returns diagrams of one board as one SVG element. Each diagram is a group of the class `f`; only the first
/// has the class `on`, which makes it visible. Returns an empty text for an empty list.
pub fn frames(diagrams: &[Diagram], look: Look) -> String {
    let mut out = String::new();
    if let Some(first) = diagrams.first() {
        let sheet = Sheet::new(diagrams, look);
        // Writing to a `String` cannot fail.
        let _ = sheet.write(first, diagrams, &mut out);
    }
    match look.alone {
        true => with_attributes(&out),
        false => out,
    }
}

/// Returns the symbols of these letters as an invisible SVG element, for pages.
pub fn symbols(letters: &[char]) -> String {
    let mut out =
        "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>".to_string();
    let _ = outline::write_symbols(letters, &mut out);
    out + "</defs></svg>\n"
}

/// Returns the letters that have drawn outlines.
pub fn drawn_letters() -> Vec<char> {
    outline::drawn().collect()
}

/// Layout shared by all frames of a picture.
struct Sheet {
    geometry: Geometry,
    look: Look,
    hands: bool,
    width: i32,
    height: i32,
    /// Upper edge of the text below the board.
    text: i32,
}

/// Appends a text in lines of at most `width` characters.
fn folded(text: &str, width: usize, lines: &mut Vec<String>) {
    let mut line = String::new();
    let mut length = 0;
    for part in text.split_inclusive([' ', ',', ';', '/', '|']) {
        let more = part.chars().count();
        if length > 0 && length + more > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        for c in part.chars() {
            if length == width {
                lines.push(std::mem::take(&mut line));
                length = 0;
            }
            line.push(c);
            length += 1;
        }
    }
    lines.push(line);
}

impl Sheet {
    fn new(diagrams: &[Diagram], look: Look) -> Sheet {
        let geometry = diagrams[0].geometry;
        let hands = diagrams.iter().any(|diagram| !diagram.hands.is_empty());
        let board = LEFT + i32::from(geometry.files()) * SIDE + RIGHT;
        let mut sheet = Sheet {
            geometry,
            look,
            hands,
            width: (board + if hands { HANDS } else { 0 }).max(NARROWEST),
            height: 0,
            text: 0,
        };
        let below = |diagram: &Diagram| {
            (sheet.notes(diagram).len() + sheet.legend(diagram).len()) as i32 * LINE
        };
        let below = diagrams.iter().map(below).max().unwrap_or(0);
        let beside = |diagram: &Diagram| match diagram.hands.as_slice() {
            [] => 0,
            hands => TOP + hands.iter().map(hand_height).sum::<i32>(),
        };
        let beside = diagrams.iter().map(beside).max().unwrap_or(0);
        sheet.text = sheet.foot().max(beside);
        sheet.height = sheet.text + below + 6;
        sheet
    }

    /// Returns the left edge of a square.
    fn x(&self, square: Square) -> i32 {
        LEFT + i32::from(self.geometry.file(square)) * SIDE
    }

    /// Returns the upper edge of a square.
    fn y(&self, square: Square) -> i32 {
        TOP + i32::from(self.geometry.ranks() - 1 - self.geometry.rank(square)) * SIDE
    }

    /// Returns the lower edge of the file letters.
    fn foot(&self) -> i32 {
        TOP + i32::from(self.geometry.ranks()) * SIDE + FOOT
    }

    fn notes(&self, diagram: &Diagram) -> Vec<String> {
        let mut lines = Vec::new();
        if self.look.notes {
            let width = ((self.width - LEFT) / 7) as usize;
            folded(&diagram.standing(), width, &mut lines);
            if self.geometry.wraps() {
                folded("cylinder: left and right edge touch", width, &mut lines);
            }
            for (name, value) in &diagram.notes {
                folded(&format!("{name}: {value}"), width, &mut lines);
            }
        }
        lines
    }

    fn legend(&self, diagram: &Diagram) -> Vec<Mark> {
        Mark::TARGETS
            .into_iter()
            .filter(|mark| diagram.marks.iter().any(|marked| marked.mark == *mark))
            .collect()
    }

    fn write(&self, first: &Diagram, diagrams: &[Diagram], out: &mut String) -> fmt::Result {
        let (width, height) = (self.width, self.height);
        write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fp\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\"",
        )?;
        if !self.look.named {
            out.write_str(" role=\"img\"")?;
        }
        write!(
            out,
            ">\n<title>{}</title>\n<desc>{}</desc>\n",
            escaped(&first.title()),
            escaped(&first.description())
        )?;
        if self.look.alone {
            let mut letters: Vec<char> = diagrams.iter().flat_map(Diagram::letters).collect();
            letters.sort_unstable();
            letters.dedup();
            // Programs other than browsers would draw variables as no color.
            write!(
                out,
                "<style>@supports(fill:var(--ink)){{{}}}</style>\n<defs>",
                style()
            )?;
            outline::write_symbols(&letters, out)?;
            out.write_str("</defs>\n")?;
            writeln!(
                out,
                "<rect class=\"pp\" width=\"{width}\" height=\"{height}\"/>"
            )?;
        }
        self.board(first, out)?;
        match diagrams {
            [one] => self.frame(one, out)?,
            several => {
                for (n, diagram) in several.iter().enumerate() {
                    let on = if n == 0 { " on" } else { "" };
                    write!(out, "<g class=\"f{on}\">")?;
                    self.frame(diagram, out)?;
                    out.write_str("</g>\n")?;
                }
            }
        }
        out.write_str("</svg>\n")
    }

    /// Draws squares and coordinates, which all frames share.
    fn board(&self, diagram: &Diagram, out: &mut String) -> fmt::Result {
        let g = self.geometry;
        // All squares of a shade are one path, unless scripts need each square.
        if self.look.named {
            for (square, cell) in diagram.squares().filter(|(_, cell)| cell.exists) {
                let name = g.name(square);
                write!(
                    out,
                    "<rect class=\"s {}\" id=\"s-{name}\" data-s=\"{name}\" x=\"{}\" y=\"{}\" \
                     width=\"{SIDE}\" height=\"{SIDE}\" tabindex=\"-1\" role=\"button\" \
                     aria-label=\"{name}{}\"/>",
                    self.shade(square),
                    self.x(square),
                    self.y(square),
                    escaped(
                        &cell
                            .unit
                            .map_or(String::new(), |unit| format!(", {}", unit_name(unit)))
                    ),
                )?;
            }
        } else {
            for shade in ["lt", "dk"] {
                write!(out, "<path class=\"{shade}\" d=\"")?;
                for (square, _) in diagram.squares().filter(|(_, cell)| cell.exists) {
                    if self.shade(square) == shade {
                        let (x, y) = (self.x(square), self.y(square));
                        write!(out, "M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")?;
                    }
                }
                out.write_str("\"/>")?;
            }
        }
        out.write_char('\n')?;
        self.rim(diagram, out)?;
        for file in 0..g.files() {
            let x = LEFT + i32::from(file) * SIDE + SIDE / 2;
            let letter = (b'a' + file) as char;
            write!(
                out,
                "<text class=\"c\" x=\"{x}\" y=\"{}\">{letter}</text>",
                self.foot() - 6
            )?;
        }
        for rank in 0..g.ranks() {
            let y = TOP + i32::from(g.ranks() - 1 - rank) * SIDE + SIDE / 2 + 4;
            write!(
                out,
                "<text class=\"c\" x=\"{}\" y=\"{y}\">{}</text>",
                LEFT / 2,
                rank + 1
            )?;
        }
        out.write_char('\n')
    }

    fn shade(&self, square: Square) -> &'static str {
        match (self.geometry.file(square) + self.geometry.rank(square)) % 2 {
            0 => "dk",
            _ => "lt",
        }
    }

    /// Draws the edge of the board, also around holes, and the seam of a cylinder.
    fn rim(&self, diagram: &Diagram, out: &mut String) -> fmt::Result {
        let g = self.geometry;
        let flat = |square: Square, dx: i32, dy: i32| {
            let file = i32::from(g.file(square)) + dx;
            let rank = i32::from(g.rank(square)) + dy;
            (0..i32::from(g.files())).contains(&file)
                && (0..i32::from(g.ranks())).contains(&rank)
                && g.exists(g.square(file as u8, rank as u8))
        };
        out.write_str("<path class=\"rim\" d=\"")?;
        for (square, _) in diagram.squares().filter(|(_, cell)| cell.exists) {
            let (x, y) = (self.x(square), self.y(square));
            for (dx, dy, line) in [
                (0, 1, format!("M{x} {y}h{SIDE}")),
                (0, -1, format!("M{x} {}h{SIDE}", y + SIDE)),
                (-1, 0, format!("M{x} {y}v{SIDE}")),
                (1, 0, format!("M{} {y}v{SIDE}", x + SIDE)),
            ] {
                if !flat(square, dx, dy) {
                    out.write_str(&line)?;
                }
            }
        }
        out.write_str("\"/>\n")?;
        if g.wraps() {
            out.write_str("<path class=\"seam\" d=\"")?;
            let edges = [(0, 0), (g.files() - 1, SIDE)];
            for (file, aside) in edges {
                let squares = (0..g.ranks()).map(|rank| g.square(file, rank));
                for square in squares.filter(|square| g.exists(*square)) {
                    write!(out, "M{} {}v{SIDE}", self.x(square) + aside, self.y(square))?;
                }
            }
            out.write_str("\"/>\n")?;
        }
        Ok(())
    }

    /// Draws units, marks, arrows, hands and notes of one position.
    fn frame(&self, diagram: &Diagram, out: &mut String) -> fmt::Result {
        let marked = self.look.marked || !diagram.orthodox;
        if marked {
            self.tints(diagram, out)?;
        }
        for (square, cell) in diagram.squares() {
            self.cell(square, cell, out)?;
            if marked {
                self.royal_marks(square, cell, out)?;
            }
        }
        for arrow in &diagram.arrows {
            self.arrow(*arrow, out)?;
        }
        for marked in &diagram.marks {
            let (x, y) = (self.x(marked.square), self.y(marked.square));
            let occupied = diagram.cells[marked.square.index()].unit.is_some();
            write!(out, "<g><title>{}</title>", escaped(&marked.tip))?;
            // An invisible rectangle, so that the whole square shows the tooltip.
            write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#fff\" \
                 fill-opacity=\"0\"/>"
            )?;
            match (marked.mark, occupied) {
                (Mark::Origin, _) => write!(
                    out,
                    "<rect class=\"or\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    x + 2,
                    y + 2,
                    SIDE - 4,
                    SIDE - 4
                )?,
                (mark, false) => shape(mark, x + SIDE / 2, y + SIDE / 2, 9, out)?,
                (mark, true) => shape(mark, x + SIDE - 9, y + 9, 7, out)?,
            }
            out.write_str("</g>")?;
        }
        self.beside(diagram, out)?;
        let mut y = self.text;
        for line in self.notes(diagram) {
            y += LINE;
            write!(
                out,
                "<text class=\"n\" x=\"{LEFT}\" y=\"{}\">{}</text>",
                y - 4,
                escaped(&line)
            )?;
        }
        for mark in self.legend(diagram) {
            y += LINE;
            shape(mark, LEFT + 8, y - 8, 6, out)?;
            write!(
                out,
                "<text class=\"n\" x=\"{}\" y=\"{}\">{}</text>",
                LEFT + 24,
                y - 4,
                mark.meaning()
            )?;
        }
        out.write_char('\n')
    }

    /// Draws the tints of checks, below the units.
    fn tints(&self, diagram: &Diagram, out: &mut String) -> fmt::Result {
        for (square, cell) in diagram.squares() {
            let (x, y) = (self.x(square), self.y(square));
            if cell.checked {
                write!(
                    out,
                    "<rect class=\"ck\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
                )?;
            }
            if cell.checks {
                write!(
                    out,
                    "<rect class=\"by\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    x + 2,
                    y + 2,
                    SIDE - 4,
                    SIDE - 4
                )?;
            }
        }
        Ok(())
    }

    fn cell(&self, square: Square, cell: &Cell, out: &mut String) -> fmt::Result {
        let (x, y) = (self.x(square), self.y(square));
        if let Some(unit) = cell.unit {
            // A unit is smaller where bound units are on its square.
            match cell.bound.is_empty() {
                true => place(unit, f64::from(x), f64::from(y), 1.0, out)?,
                false => place(unit, f64::from(x + 6), f64::from(y), 0.72, out)?,
            }
        }
        if !cell.bound.is_empty() {
            let count = cell.bound.len() as f64;
            let scale = 0.4f64.min(f64::from(SIDE - 2) / count / f64::from(SIDE));
            let size = scale * f64::from(SIDE);
            let bottom = f64::from(y + SIDE) - size - 1.0;
            write!(
                out,
                "<rect x=\"{}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" \
                 stroke=\"#000\" stroke-width=\".8\" stroke-dasharray=\"2 2\"/>",
                x + 1,
                bottom - 0.5,
                size * count,
                size + 1.0
            )?;
            for (n, unit) in cell.bound.iter().enumerate() {
                place(
                    *unit,
                    f64::from(x + 1) + n as f64 * size,
                    bottom,
                    scale,
                    out,
                )?;
            }
        }
        Ok(())
    }

    /// Draws a diamond at a royal unit, and a plus at one in check.
    fn royal_marks(&self, square: Square, cell: &Cell, out: &mut String) -> fmt::Result {
        let (x, y) = (self.x(square), self.y(square));
        if cell.royal {
            write!(
                out,
                "<path class=\"ro\" d=\"M{} {}l4 4-4 4-4-4z\"/>",
                x + 6,
                y + 2
            )?;
        }
        if cell.checked {
            write!(
                out,
                "<text class=\"pl\" x=\"{}\" y=\"{}\">+</text>",
                x + 33,
                y + 14
            )?;
        }
        Ok(())
    }

    fn arrow(&self, arrow: Arrow, out: &mut String) -> fmt::Result {
        let middle = |square| {
            (
                f64::from(self.x(square) * 2 + SIDE) / 2.0,
                f64::from(self.y(square) * 2 + SIDE) / 2.0,
            )
        };
        let ((ax, ay), (bx, by)) = (middle(arrow.from), middle(arrow.to));
        let length = (bx - ax).hypot(by - ay);
        if length < 1.0 {
            return write!(
                out,
                "<circle class=\"rg\" cx=\"{ax}\" cy=\"{ay}\" r=\"19\"/>"
            );
        }
        let (ux, uy) = ((bx - ax) / length, (by - ay) / length);
        let point = |along: f64, aside: f64| {
            format!(
                "{:.1} {:.1}",
                ax + along * ux - aside * uy,
                ay + along * uy + aside * ux
            )
        };
        let (tail, neck, tip) = (8.0, length - 17.0, length - 4.0);
        write!(
            out,
            "<path class=\"ar\" d=\"M{}L{}L{}L{}L{}L{}L{}z\"/>",
            point(tail, -2.5),
            point(neck, -2.5),
            point(neck, -8.0),
            point(tip, 0.0),
            point(neck, 8.0),
            point(neck, 2.5),
            point(tail, 2.5)
        )
    }

    /// Draws the mark of the side to move and the hands.
    fn beside(&self, diagram: &Diagram, out: &mut String) -> fmt::Result {
        let g = self.geometry;
        let right = LEFT + i32::from(g.files()) * SIDE;
        if diagram.outcome == "ongoing" {
            let (class, y) = match diagram.side {
                Color::White => ("w", TOP + i32::from(g.ranks()) * SIDE - 12),
                Color::Black => ("b", TOP + 12),
            };
            write!(
                out,
                "<circle class=\"rim\" cx=\"{0}\" cy=\"{y}\" r=\"7\"/>\
                 <circle class=\"{class}\" cx=\"{0}\" cy=\"{y}\" r=\"6\"/>",
                right + 11
            )?;
        }
        if !self.hands {
            return Ok(());
        }
        let left = right + RIGHT + 8;
        let mut y = TOP;
        // Black's hands are above White's, as on the board.
        let (black, white): (Vec<&Hand>, Vec<&Hand>) = diagram
            .hands
            .iter()
            .partition(|hand| hand.name.starts_with("Black"));
        for hand in black.into_iter().chain(white) {
            write!(
                out,
                "<text class=\"n\" x=\"{left}\" y=\"{}\">{}{}</text>",
                y + 12,
                escaped(&hand.name),
                if hand.units.is_empty() { ": –" } else { "" }
            )?;
            for (n, unit) in hand.units.iter().enumerate() {
                let (column, row) = (n as i32 % 4, n as i32 / 4);
                place(
                    *unit,
                    f64::from(left + column * 23),
                    f64::from(y + 15 + row * 23),
                    0.5,
                    out,
                )?;
            }
            y += hand_height(hand);
        }
        Ok(())
    }
}

fn hand_height(hand: &Hand) -> i32 {
    22 + (hand.units.len() as i32 + 3) / 4 * 23
}

/// Returns a unit in words.
pub fn unit_name(unit: Unit) -> String {
    format!("{} {}", crate::diagram::side_name(unit.color), unit.name())
}

/// Draws a unit with its upper left corner at a point. A promoted unit has a plus at its foot.
fn place(unit: Unit, x: f64, y: f64, scale: f64, out: &mut String) -> fmt::Result {
    let class = match unit.color {
        Color::White => 'w',
        Color::Black => 'b',
    };
    let letter = escaped_letter(unit.letter);
    if scale == 1.0 {
        write!(
            out,
            "<use class=\"{class}\" href=\"#u-{letter}\" x=\"{x}\" y=\"{y}\"/>"
        )
    } else {
        write!(
            out,
            "<use class=\"{class}\" href=\"#u-{letter}\" transform=\"translate({x:.1} {y:.1}) \
             scale({scale:.3})\"/>"
        )
    }?;
    if unit.promoted {
        write!(
            out,
            "<text class=\"pl\" x=\"{:.1}\" y=\"{:.1}\">+</text>",
            x + 33.0 * scale,
            y + 43.0 * scale
        )?;
    }
    Ok(())
}

fn escaped_letter(letter: char) -> String {
    escaped(&letter.to_string()).to_string()
}

/// Draws the shape of a mark around a point.
fn shape(mark: Mark, x: i32, y: i32, r: i32, out: &mut String) -> fmt::Result {
    let cross = |r: i32| {
        format!(
            "M{} {}l{} {}m0-{}l-{} {}",
            x - r,
            y - r,
            2 * r,
            2 * r,
            2 * r,
            2 * r,
            2 * r
        )
    };
    match mark {
        Mark::Origin => Ok(()),
        Mark::Goes => write!(
            out,
            "<circle class=\"m1\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
        ),
        Mark::Captures => {
            let d = cross(r * 3 / 4);
            write!(
                out,
                "<path class=\"m3\" d=\"{d}\"/><path class=\"m4\" d=\"{d}\"/>"
            )
        }
        Mark::Both => write!(
            out,
            "<circle class=\"m1\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/><path class=\"m2\" d=\"{}\"/>",
            r + 1,
            cross(r / 2)
        ),
        Mark::Forbidden => {
            let d = r * 7 / 10;
            write!(
                out,
                "<circle class=\"m5\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><path class=\"m5\" \
                 d=\"M{} {}l{} {}\"/>",
                x - d,
                y + d,
                2 * d,
                -2 * d
            )
        }
    }
}
