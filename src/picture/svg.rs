//! Diagrams as SVG: one picture, or the frames of a line on one board.
//!
//! In browsers, colors follow the reader's light or dark setting; all other programs show the light
//! appearance. The shape of every mark shows its meaning without color.

use crate::diagram::{Arrow, Cell, Diagram, Hand, Mark, Unit};
use crate::markup::escaped;
use crate::outline;
use crate::svg_shapes::{place, shape};
pub use crate::svg_style::style;
use crate::svg_style::with_attributes;
use board::{Color, Geometry, Square};
use std::fmt::{self, Write};

/// The side of a square. All lengths are in pixels.
const SIDE: i32 = 45;
/// The margin left of the board, for the rank numbers.
const LEFT: i32 = 22;
/// The margin above the board.
const TOP: i32 = 8;
/// The margin below the board, for the file letters.
const FOOT: i32 = 20;
/// The margin right of the board, for the mark of the side to move.
const RIGHT: i32 = 20;
/// The width of the hands.
const HANDS: i32 = 104;
/// The height of a line of text.
const LINE: i32 = 18;
/// The minimum width of a picture, so that short lines of text fit.
const NARROWEST: i32 = 226;

/// Options for drawing a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Whether the picture contains its own style, symbols and background. Otherwise, the page must contain
    /// [`style`] and [`symbols`].
    pub alone: bool,
    /// Whether the side to move, rights and variant state are written below the board.
    pub notes: bool,
    /// Whether each square has an id for scripts.
    pub named: bool,
    /// Whether royal units and checks are also marked under orthodox rules. Under all other rules, they are
    /// always marked.
    pub marked: bool,
}

impl Look {
    /// The options for a separate file, with notes.
    pub const FILE: Look = Look {
        alone: true,
        notes: true,
        named: false,
        marked: false,
    };
    /// The options for a part of a page, with notes.
    pub const PART: Look = Look {
        alone: false,
        notes: true,
        named: false,
        marked: false,
    };
}

/// Returns a diagram as a complete SVG element.
pub fn draw(diagram: &Diagram, look: Look) -> String {
    frames(std::slice::from_ref(diagram), look)
}

/// Returns diagrams of one board as a single SVG element. Each diagram is a group with the class `f`. Only
/// the first also has the class `on`, which makes it visible. Returns an empty text for an empty list.
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

/// Returns symbols as an invisible SVG element, for pages: a letter in upper case for its figure, or in lower
/// case for the letter in a disc.
pub fn symbols(symbols: &[char]) -> String {
    let mut out =
        "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>".to_string();
    let _ = outline::write_symbols(symbols, &mut out);
    out + "</defs></svg>\n"
}

/// Returns the letters that have drawn outlines.
pub fn drawn_letters() -> Vec<char> {
    outline::drawn().collect()
}

/// Returns the symbols of all letters, for pages with several rule sets.
pub fn all_symbols() -> Vec<char> {
    let letters = outline::drawn().map(|letter| letter.to_ascii_lowercase());
    ('A'..='Z').chain(letters).collect()
}

/// The layout that all frames of a picture share.
struct Sheet {
    geometry: Geometry,
    look: Look,
    hands: bool,
    width: i32,
    height: i32,
    /// The upper edge of the text below the board.
    text: i32,
}

/// Appends a text, wrapped into lines of at most `width` characters.
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
            let mut symbols: Vec<char> = diagrams.iter().flat_map(Diagram::symbols).collect();
            symbols.sort_unstable();
            symbols.dedup();
            // Programs other than browsers would render variables as no color.
            write!(
                out,
                "<style>@supports(fill:var(--ink)){{{}}}</style>\n<defs>",
                style()
            )?;
            outline::write_symbols(&symbols, out)?;
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
        // Draw all squares of a shade as one path, unless scripts need to address each square.
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
            // Draw an invisible rectangle, so that the tooltip appears on the whole square.
            write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#fff\" \
                 fill-opacity=\"0\"/>"
            )?;
            match (marked.mark, occupied) {
                (Mark::Origin, _) => self.rect("or", marked.square, 2, out)?,
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
            if cell.checked {
                self.rect("ck", square, 0, out)?;
            }
            if cell.checks {
                self.rect("by", square, 2, out)?;
            }
        }
        Ok(())
    }

    /// Draws a rectangle on a square. Its edges are `inset` inside the edges of the square.
    fn rect(&self, class: &str, square: Square, inset: i32, out: &mut String) -> fmt::Result {
        let (x, y) = (self.x(square) + inset, self.y(square) + inset);
        let side = SIDE - 2 * inset;
        write!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
        )
    }

    fn cell(&self, square: Square, cell: &Cell, out: &mut String) -> fmt::Result {
        let (x, y) = (self.x(square), self.y(square));
        if let Some(unit) = cell.unit {
            // A unit is drawn smaller if its square also has bound units.
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

    /// Draws a diamond at a royal unit, and a plus if the unit is in check.
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
        // Black's hands are above White's, like the sides of the board.
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
