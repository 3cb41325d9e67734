//! Plots as inline SVG: histograms of game lengths, and bars of shares.

use crate::markup::escaped;
use std::fmt::Write;

/// The maximum number of columns of a histogram.
const COLUMNS: u32 = 40;

/// Returns a histogram. `lengths` contains lengths in plies with their counts. All columns have the same
/// width, a whole number of plies.
pub fn histogram(title: &str, lengths: &[(u32, u64)]) -> String {
    const WIDTH: f64 = 560.0;
    const HEIGHT: f64 = 150.0;
    const LEFT: f64 = 46.0;
    const TOP: f64 = 12.0;
    let Some(longest) = lengths.iter().map(|(plies, _)| *plies).max() else {
        return String::new();
    };
    let step = (longest / COLUMNS + 1).max(1);
    let columns = (longest / step + 1) as usize;
    let mut counts = vec![0u64; columns];
    for (plies, n) in lengths {
        counts[(plies / step) as usize] += n;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let wide = WIDTH / columns as f64;
    let mut out = format!(
        "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 {} {}\"><title>{}</title><desc>Columns of {step} \
         plies: {}</desc>",
        LEFT + WIDTH + 14.0,
        TOP + HEIGHT + 34.0,
        escaped(title),
        counts
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    );
    for (i, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        let height = HEIGHT * *n as f64 / most as f64;
        let from = i as u32 * step;
        let range = match step {
            1 => format!("{from}"),
            _ => format!("{from} to {}", from + step - 1),
        };
        let _ = write!(
            out,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{range} \
             plies: {n}</title></rect>",
            LEFT + i as f64 * wide,
            TOP + HEIGHT - height,
            (wide - 1.0).max(1.0)
        );
    }
    let _ = write!(
        out,
        "<path class=\"axis\" d=\"M{LEFT} {TOP}v{HEIGHT}h{WIDTH}\"/>\
         <text x=\"{0}\" y=\"{1}\" class=\"end\">{most}</text>\
         <text x=\"{0}\" y=\"{2}\" class=\"end\">0</text>",
        LEFT - 5.0,
        TOP + 10.0,
        TOP + HEIGHT
    );
    for part in 0..=4u32 {
        let plies = columns as u32 * step * part / 4;
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" class=\"mid\">{plies}</text>",
            LEFT + WIDTH * f64::from(part) / 4.0,
            TOP + HEIGHT + 15.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" class=\"mid\">plies</text></svg>",
        LEFT + WIDTH / 2.0,
        TOP + HEIGHT + 30.0
    );
    out
}

/// A part of a whole: name, class in the style sheet, count.
pub type Share<'a> = (&'a str, &'a str, u64);

/// Returns a bar divided by shares, followed by each share in words. Returns an empty text if all counts are
/// 0.
pub fn shares(parts: &[Share<'_>]) -> String {
    let whole: u64 = parts.iter().map(|(_, _, n)| n).sum();
    if whole == 0 {
        return String::new();
    }
    let mut out = "<svg class=\"shares\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" \
                   aria-hidden=\"true\">"
        .to_string();
    let mut at = 0.0;
    let mut words = Vec::new();
    for (name, class, n) in parts.iter().filter(|(_, _, n)| *n > 0) {
        let share = 100.0 * *n as f64 / whole as f64;
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{at:.3}\" width=\"{share:.3}\" height=\"10\"/>"
        );
        at += share;
        words.push(format!("{} {}", escaped(name), percent(*n, whole)));
    }
    out + "</svg><span class=\"words\">" + &words.join(", ") + "</span>\n"
}

/// Returns a percentage with two decimal places. A share between 0 and the whole is never rounded to either.
pub fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    if part > 0 && share < 0.005 {
        "< 0.01 %".to_string()
    } else if part < whole && share >= 99.995 {
        "> 99.99 %".to_string()
    } else {
        format!("{share:.2} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_every_game() {
        let plot = histogram("t", &[(0, 3), (5, 1), (499, 2)]);
        assert!(plot.contains("Columns of 13 plies: 4, 0,"), "{plot}");
        assert!(plot.contains("494 to 506 plies: 2"), "{plot}");
        assert_eq!(histogram("t", &[]), "");
        assert!(histogram("t", &[(3, 1)]).contains("Columns of 1 plies: 0, 0, 0, 1"));
    }

    #[test]
    fn a_share_is_never_rounded_to_nothing_or_all() {
        assert_eq!(percent(1, 1_000_000), "< 0.01 %");
        assert_eq!(percent(999_999, 1_000_000), "> 99.99 %");
        assert_eq!(percent(0, 7), "0.00 %");
        assert_eq!(percent(7, 7), "100.00 %");
        assert_eq!(percent(1, 3), "33.33 %");
    }
}
