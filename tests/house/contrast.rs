//! Text on the pages stands out from what is behind it, in light and in dark.

use crate::sources::place;
use std::collections::HashMap;

/// The least contrast of text, as the Web Content Accessibility Guidelines (2.1, criterion 1.4.3)
/// ask for on level AA.
const MIN: f64 = 4.5;

/// Returns the relative luminance of a color such as `#0b57a4` or `#fff` (the guidelines' definition).
fn luminance(color: &str) -> f64 {
    let digits = color.strip_prefix('#').expect("a color by its digits");
    let wide: String = match digits.len() {
        3 => digits.chars().flat_map(|c| [c, c]).collect(),
        6 => digits.to_string(),
        _ => panic!("{color}: three or six digits"),
    };
    let part = |at: usize| {
        let part = u8::from_str_radix(&wide[at..at + 2], 16).expect("two digits");
        let part = f64::from(part) / 255.0;
        match part <= 0.03928 {
            true => part / 12.92,
            false => ((part + 0.055) / 1.055).powf(2.4),
        }
    };
    0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the variables of each `:root` of a style sheet: the light one, the dark one and, where there is
/// one, that of print. Each begins with those of the first.
fn palettes(sheet: &str) -> Vec<HashMap<&str, &str>> {
    let mut list: Vec<HashMap<&str, &str>> = Vec::new();
    for root in sheet.split(":root{").skip(1) {
        let inside = root.split('}').next().expect("an end");
        let mut all = list.first().cloned().unwrap_or_default();
        all.extend(inside.split(';').filter_map(|one| one.split_once(':')));
        list.push(all);
    }
    list
}

#[test]
fn text_stands_out_on_every_ground() {
    assert!((contrast("#fff", "#000000") - 21.0).abs() < 1e-9);
    for (sheet, least) in [("src/picture/page.css", 3), ("src/serve/app.css", 2)] {
        let text = std::fs::read_to_string(place(sheet)).expect("a style sheet");
        let palettes = palettes(&text);
        assert_eq!(palettes.len(), least, "{sheet}");
        for palette in palettes {
            for name in ["--text", "--soft", "--link", "--won", "--lost", "--drawn"] {
                let Some(color) = palette.get(name) else {
                    // The local page has no links.
                    assert_eq!((name, sheet), ("--link", "src/serve/app.css"));
                    continue;
                };
                for ground in ["--bg", "--panel"] {
                    let found = contrast(color, palette[ground]);
                    assert!(found >= MIN, "{sheet}: {name} on {ground}: {found:.2}");
                }
            }
        }
    }
}
