//! Draws the units and marks of a diagram at a point.

use crate::diagram::{Mark, Unit};
use crate::markup::escaped;
use board::Color;
use std::fmt::{self, Write};

/// Draws a unit with its upper left corner at a point. A promoted unit also has a plus at the bottom.
pub(crate) fn place(unit: Unit, x: f64, y: f64, scale: f64, out: &mut String) -> fmt::Result {
    let class = match unit.color {
        Color::White => 'w',
        Color::Black => 'b',
    };
    let letter = escaped_letter(unit.symbol);
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
pub(crate) fn shape(mark: Mark, x: i32, y: i32, r: i32, out: &mut String) -> fmt::Result {
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
