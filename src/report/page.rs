//! The page of a variant: the rules from the head of its source file, and facts from its entry in the
//! registry.

use diagnostics::Diagnostic;
use notation::with_setup;
use notation::{Setup, board_text, fen, turns};
use rules::Variant;

/// Returns the page of a rule set as users see it. Links to items become plain names. The section "Options"
/// is removed, since the options with their values are listed separately.
fn for_people(page: &str) -> String {
    let page = page.replace("[`", "`").replace("`]", "`");
    let mut text = String::new();
    let mut left_out = false;
    for line in page.trim_end().lines() {
        if line.starts_with("## ") {
            left_out = line == "## Options";
        }
        if !left_out {
            text += line;
            text.push('\n');
        }
    }
    text.trim_end().to_string() + "\n"
}

/// Returns the page as Markdown.
///
/// # Errors
/// If the start position cannot be read.
pub fn text(variant: &Variant) -> Result<String, Diagnostic> {
    let rule_set = &variant.rule_set;
    let mut text = for_people(&rule_set.page_text());
    let has_example = text.contains("\n## Example\n");
    let mut section = |title: &str, intro: &str, items: Vec<String>| {
        text += &format!("\n## {title}\n{intro}");
        for item in items {
            text += &format!("{item}\n");
        }
    };

    let listed = || {
        rule_set
            .options()
            .iter()
            .filter(|option| option.is_listed())
    };
    let options = listed().map(|option| match option.range {
        None => format!("* `{}:{}`: {}", rule_set.id(), option.name, option.help),
        Some((least, most)) => format!(
            "* `{}:{}=N`, N from {least} to {most}: {}",
            rule_set.id(),
            option.name,
            option.help
        ),
    });
    let none = |empty: bool| if empty { "None.\n" } else { "" };
    section(
        "Options",
        none(listed().next().is_none()),
        options.collect(),
    );

    let state = rule_set.state().iter();
    section(
        "State (seventh field of the FEN)",
        none(rule_set.state().is_empty()),
        state
            .map(|(key, help)| format!("* `{key}=`: {help}"))
            .collect(),
    );

    let reasons = rule_set.reasons().iter();
    section(
        "Outcomes",
        "In the order in which they are tested; while none holds the game is `ongoing`.\n",
        reasons
            .map(|(reason, help)| format!("* `{reason}`: {help}"))
            .collect(),
    );

    with_setup!(Setup::read(variant, None)?, start => {
        let game = start.game.as_ref();
        let fen = fen::print(game, &start.position);
        let board = board_text::print(game, &start.position);
        section(
            "Start",
            "",
            vec![format!("`{fen}`\n\n```text\n{board}```")],
        );
        let legal = turns::sorted(game, &start.position);
        if let Some((first, turn)) = legal.first().filter(|_| !has_example) {
            let after = fen::print(game, &game.play(&start.position, turn));
            section(
                "Example",
                "",
                vec![format!(
                    "There are {} legal turns at the start. After `{first}`:\n\n`{after}`",
                    legal.len()
                )],
            );
        }
    });
    Ok(text)
}
