use super::answer::{Answer, Verdict};
use catalog::Catalog;
use definition::{CLAUSE_KEYS, ClauseKey, Definition, KeyInfo, Suffix, key_infos};
use diagnostics::{Diagnostic, Severity, shortened};
use report::page;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show a variant's page of the rule book; check a file of definitions; export a rule set as one
///
/// The page lists the differences from orthodox chess, rulings, options, state fields, outcomes with their
/// reasons, the start array, and an example.
///
/// `rules check FILE` reads a file of definitions (variants.ini) and prints all errors and warnings with line
/// and column, then the meaning of each section. `rules export ID` prints a rule set as a section of such a
/// file, if the format or clauses can express it. `rules keys` lists the keys of such files, and `rules new NAME`
/// writes a first rule text.
#[derive(clap::Args)]
#[command(
    subcommand_negates_reqs = true,
    override_usage = "fairyproof rules [OPTIONS] <ID>\n       fairyproof rules <COMMAND>",
    after_help = "Examples:\n  fairyproof rules bachelor\n  fairyproof rules check my.ini\n  fairyproof rules keys\n  \
                  fairyproof --rules my.ini rules hill\n  fairyproof rules export decastellation"
)]
pub struct Args {
    /// Variant with its options, such as `bachelor` or `spartan:moves=40`
    #[arg(value_name = "ID", required = true)]
    id: Option<String>,
    /// Print the rule text instead of the page
    #[arg(long)]
    text: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Check a file of definitions: all findings with line and column, then what each section means
    #[command(after_help = "Example:\n  fairyproof rules check my.ini")]
    Check {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// List the keys of definitions, explain one, or search for what expresses an idea
    #[command(
        after_help = "Examples:\n  fairyproof rules keys\n  fairyproof rules keys flagRegion\n  fairyproof rules keys three in a row"
    )]
    Keys {
        /// Name of a key, or an idea in a few words
        #[arg(value_name = "KEY|IDEA")]
        idea: Vec<String>,
    },
    /// Write a first rule text with comments, to be changed
    #[command(
        after_help = "Examples:\n  fairyproof rules new calm\n  fairyproof rules new tired --condition"
    )]
    New {
        /// Name of the new rule set or condition
        #[arg(value_name = "NAME")]
        name: String,
        /// Write a condition, which is applied to other rule sets
        #[arg(long)]
        condition: bool,
    },
    /// Print a rule set as a section of a file of definitions
    #[command(after_help = "Example:\n  fairyproof rules export decastellation")]
    Export {
        /// Variant with its options, such as `bachelor` or `spartan:moves=40`
        #[arg(value_name = "ID")]
        id: String,
    },
}

impl Args {
    /// Returns the file that `rules check` reports on.
    pub fn checked_file(&self) -> Option<&Path> {
        match &self.command {
            Some(Command::Check { file }) => Some(file),
            _ => None,
        }
    }

    /// Runs the command and writes its answer to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        match (&self.command, &self.id) {
            (Some(Command::Check { file }), _) => check(catalog, file, out),
            (Some(Command::Export { id }), _) => export(catalog, id, out),
            (Some(Command::New { name, condition }), _) => new_text(catalog, name, *condition, out),
            (Some(Command::Keys { idea }), _) if idea.is_empty() => list_keys(out),
            (Some(Command::Keys { idea }), _) => explain_key(catalog, &idea.join(" "), out),
            (None, Some(id)) if self.text => export(catalog, id, out),
            (None, Some(id)) => {
                out.write_all(page::text(&catalog.open(id)?)?.as_bytes())?;
                Ok(Verdict::Done)
            }
            // Clap excludes this case.
            (None, None) => Err(Diagnostic::new("rules", "it takes ID").into()),
        }
    }
}

/// Prints all findings, then the page of each section without errors.
fn check(catalog: &Catalog, path: &Path, out: &mut dyn Write) -> Answer {
    let (book, catalog) = &catalog.check_file(path)?;
    let name = path.display();
    for finding in &book.findings {
        writeln!(out, "{name}:{}", finding.line())?;
    }
    if !book.findings.is_empty() {
        writeln!(out)?;
    }
    for definition in book.definitions() {
        writeln!(out, "{}", definition.page())?;
        if !definition.layers.is_empty() {
            write_effects(catalog, definition, out)?;
        }
    }
    for condition in book
        .sections
        .iter()
        .filter_map(|read| read.condition.as_ref())
    {
        if let Some(definition) = catalog.fide_with(condition) {
            writeln!(
                out,
                "# {}, a condition, as `{}`\n",
                condition.section, definition.name
            )?;
            write_effects(catalog, &definition, out)?;
        }
    }
    let count = |severity| {
        book.findings
            .iter()
            .filter(|f| f.severity == severity)
            .count()
    };
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let notes = match count(Severity::Note) {
        0 => String::new(),
        notes => format!(", {}", plural(notes, "note")),
    };
    writeln!(
        out,
        "{}, {}, {}{notes}",
        plural(book.sections.len(), "section"),
        plural(count(Severity::Error), "error"),
        plural(count(Severity::Warning), "warning")
    )?;
    Ok(match book.has_errors() {
        true => Verdict::BadInput,
        false => Verdict::Done,
    })
}

/// Prints what a rule text switches off, and for each clause where it matters.
fn write_effects(
    catalog: &Catalog,
    definition: &Definition,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    writeln!(out, "## Switched off")?;
    let [left, lost] = report::clauses::symmetries(catalog, definition);
    if !lost.is_empty() {
        writeln!(out, "* symmetry of {}", lost.join("; of "))?;
    }
    writeln!(out, "* the pruning of searches for mates")?;
    if !catalog::concern_whole_turns(definition) {
        writeln!(out, "* pins: every turn is played and tested")?;
    }
    if !left.is_empty() {
        writeln!(
            out,
            "\nThe rules keep the symmetry of {}.",
            left.join(" and of ")
        )?;
    }
    writeln!(out, "\n## Where the clauses matter")?;
    for effect in report::clauses::effects(catalog, definition) {
        let of = match effect.section == definition.name {
            true => String::new(),
            false => format!(" of `{}`", effect.section),
        };
        if effect.examples.is_empty() {
            writeln!(
                out,
                "* `{}`{of}: it made no difference in {} positions of random games, but may in others",
                effect.key,
                report::clauses::POSITIONS
            )?;
        }
        for example in effect.examples {
            writeln!(out, "* `{}`{of}: {example}", effect.key)?;
        }
    }
    writeln!(out)
}

/// Prints one line for each key: the name, the values and the meaning.
fn list_keys(out: &mut dyn Write) -> Answer {
    let infos = key_infos();
    let width = infos.iter().map(|info| info.name.len()).max().unwrap_or(0);
    for KeyInfo {
        name,
        values,
        meaning,
        ..
    } in &infos
    {
        writeln!(out, "{name:<width$}  {meaning} ({values})")?;
    }
    for row in CLAUSE_KEYS {
        let name = clause_name(row);
        writeln!(
            out,
            "{name:<width$}  {} (clause about {}: {})",
            row.meaning, row.about, row.result
        )?;
    }
    Ok(Verdict::Done)
}

/// Returns the name of a clause key with what follows it.
fn clause_name(row: &ClauseKey) -> String {
    match row.suffix {
        Suffix::None => row.name.to_owned(),
        Suffix::Piece => format!("{}.PIECE", row.name),
        Suffix::Name => format!("{}.NAME", row.name),
    }
}

/// Prints all information about a clause key.
fn explain_clause(row: &ClauseKey, out: &mut dyn Write) -> Answer {
    writeln!(out, "{}: {}", clause_name(row), row.meaning)?;
    writeln!(out, "a clause of rule texts, about {}", row.about)?;
    writeln!(out, "value: {}", row.result)?;
    writeln!(out, "the guide's chapter `rule-texts` has examples")?;
    Ok(Verdict::Done)
}

/// Prints what expresses an idea, the best first, or what comes nearest.
fn search_idea(catalog: &Catalog, idea: &str, out: &mut dyn Write) -> Answer {
    let error = || Diagnostic::new("key", format!("there is no key `{}`", shortened(idea)));
    if let Some(near) = definition::misspelled(idea) {
        return Err(error().help(format!("did you mean `{near}`?")).into());
    }
    let variants: Vec<(&str, String)> = catalog
        .iter()
        .map(|entry| (entry.id(), entry.difference()))
        .collect();
    let matches = definition::search(idea, &variants);
    if matches.best.is_empty() {
        let help = "no key, clause or variant has a similar name or meaning; `fairyproof rules keys` lists all keys";
        return Err(error().help(help).into());
    }
    if let Some(why) = matches.missing {
        writeln!(
            out,
            "nothing expresses `{}`: {why}; what comes nearest:",
            shortened(idea)
        )?;
    }
    for found in matches.best {
        writeln!(out, "{}: {}", found.name, found.meaning)?;
    }
    Ok(Verdict::Done)
}

/// Prints all information about a key.
fn explain_key(catalog: &Catalog, key: &str, out: &mut dyn Write) -> Answer {
    if let Some((row, _)) = definition::clause_key(key) {
        return explain_clause(row, out);
    }
    if let Some(row) = CLAUSE_KEYS.iter().find(|row| row.name == key) {
        return explain_clause(row, out);
    }
    let infos = key_infos();
    let Some(info) = infos.iter().find(|info| info.name == key) else {
        return search_idea(catalog, key, out);
    };
    writeln!(out, "{}: {}", info.name, info.meaning)?;
    writeln!(out, "values: {}", info.values)?;
    if let Some(instead) = info.instead {
        writeln!(out, "written today: {instead}")?;
    }
    let chess = definition::chess().lines();
    for side in ["", "White", "Black"] {
        let full = format!("{key}{side}");
        if let Some((name, value)) = chess.iter().find(|(name, _)| *name == full) {
            writeln!(out, "in orthodox chess: {name} = {value}")?;
        }
    }
    for limit in &info.limits {
        writeln!(out, "limit: {limit}")?;
    }
    writeln!(out, "example: {}", info.example)?;
    // The same check that files pass through shows which keys the interpreter cannot play.
    let example = format!("[example:chess]\n{}\n", info.example);
    for finding in &catalog.check_text(&example).findings {
        writeln!(out, "note on the example: {}", finding.why)?;
    }
    Ok(Verdict::Done)
}

/// The first rule text of a new rule set.
const NEW_RULE_SET: &str = "\
# A rule text: each clause changes one aspect of the rules of its parent.
# `fairyproof rules check FILE` reads it; `fairyproof --rules FILE turns NAME` lists its turns.
[NAME:fide-text]
# A turn is legal only if this holds. Here: whoever is in check does not capture.
legalIf = !check || size(captures) == 0
# How games end, one entry a line; the first that holds. `checkmate` and `stalemate` are those of the parent.
ends = bare: mover wins if count(side) == 1  # the opponent has only its king
       no turn: checkmate
       no turn: stalemate
";

/// The first rule text of a new condition.
const NEW_CONDITION: &str = "\
# A condition: it is applied to rule sets, `fide+NAME`, or `conditions = NAME` in a section.
[NAME]
condition = true
# A unit captures, and so attacks, only targets for which this holds. Here: protected units alone capture.
captureIf = attackers(unit.square, owner).exists(a, a.square != unit.square)
";

/// Prints a first rule text.
fn new_text(catalog: &Catalog, name: &str, condition: bool, out: &mut dyn Write) -> Answer {
    let text = if condition {
        NEW_CONDITION
    } else {
        NEW_RULE_SET
    }
    .replace("NAME", name);
    let book = catalog.check_text(&text);
    if let Some(finding) = book
        .findings
        .into_iter()
        .find(|f| f.severity == Severity::Error)
    {
        return Err(Diagnostic::new(format!("name `{}`", shortened(name)), finding.why).into());
    }
    out.write_all(text.as_bytes())?;
    Ok(Verdict::Done)
}

/// The keys that describe compiled rule sets, in addition to the section head `[name:chess]`.
const EXPORTS: [(&str, &str); 2] = [
    ("fide", ""),
    (
        "decastellation",
        "king = -\ncommoner = k\ncastlingKingPiece = k\nextinctionValue = loss\nextinctionPieceTypes = kr\n",
    ),
];

/// Prints a rule set as a section. The names of compiled rule sets are reserved, so their sections are named
/// `own-...`.
fn export(catalog: &Catalog, id: &str, out: &mut dyn Write) -> Answer {
    let variant = catalog.open(id)?;
    let rule_set = &variant.rule_set;
    let known = EXPORTS.iter().any(|(name, _)| *name == rule_set.id());
    if let Some(definition) = catalog.text_of(rule_set.id()).filter(|_| !known) {
        out.write_all(definition.section().as_bytes())?;
        return Ok(Verdict::Done);
    }
    let keys = EXPORTS
        .iter()
        .find(|(name, _)| *name == rule_set.id() && variant.options.is_empty());
    let Some((_, keys)) = keys else {
        let why = format!(
            "the format of definitions has no keys for its law: {}",
            rule_set.difference()
        );
        let help = format!(
            "`variants --texts` lists the rule sets that have a text; the board and array of all can be a parent's, \
             `[name:{}]`",
            rule_set.id()
        );
        return Err(Diagnostic::new(format!("variant `{id}`"), why)
            .help(help)
            .into());
    };
    write!(out, "[own-{}:chess]\n{keys}", rule_set.id())?;
    Ok(Verdict::Done)
}
