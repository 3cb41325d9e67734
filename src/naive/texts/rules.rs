//! Rules: the definition, the layers of clauses, the options and the states that an id such as
//! `society-text+circe` names.

use super::book::{Book, Line};
use super::circles;
use super::ini::{Key, Section};
use super::state::{self, Declared};
use super::value::Outcome;
use super::{types, written};
use crate::defined::definition::{BISHOP, Definition, KNIGHT, QUEEN, ROOK, Which};
use crate::defined::ini as plain;
use cel::IdedExpr;
use cel::common::ast::Expr;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The keys of clauses whose values are expressions, apart from those with the name of a piece or state.
const CLAUSES: &[&str] = &[
    "ontoOwn",
    "activeIf",
    "captureIf",
    "royalIf",
    "checkIf",
    "legalIf",
    "prefer",
    "stepCount",
    "continues",
    "stepIf",
    "stepSide",
    "takes",
    "landsOn",
    "endsOn",
    "turnsInto",
    "joins",
    "removes",
    "converts",
    "rebirthIf",
    "rebirth",
    "rebirthSide",
    "rebirthKind",
    "toHand",
    "handKind",
    "takeOff",
    "drops",
    "dropIf",
];

/// Clauses that two conditions may both have.
const COMBINED: &[&str] = &[
    "legalIf",
    "activeIf",
    "captureIf",
    "prefer",
    "rebirth",
    "rebirthIf",
    "turnsInto",
    "joins",
    "removes",
    "converts",
    "stepIf",
    "dropIf",
    "checkIf",
];

/// Keys whose values are words.
const WORDS: &[&str] = &["ownCheck", "stepSafety", "rebirthRights"];

/// The entry that stands for those of the parent.
pub const PARENT: &str = "parent.ends";

/// An entry of `ends`.
#[derive(Clone)]
pub struct End {
    pub no_turn: bool,
    pub reason: String,
    /// The result, or `None` for `checkmate` and `stalemate` alone, the parent's entry, and for [`PARENT`].
    pub result: Option<String>,
    pub condition: Option<Code>,
}

/// A definition `let.NAME`, with its parameters.
pub type Named = (Vec<String>, Code);

/// The clauses of one section.
#[derive(Clone, Default)]
pub struct Layer {
    /// The rule set is group 0, each condition a group of its own. Sections of one group are parents and
    /// children, parents first.
    pub group: usize,
    pub clauses: BTreeMap<String, Code>,
    pub words: BTreeMap<String, String>,
    pub named: BTreeMap<String, Named>,
    pub ends: Option<Vec<End>>,
    pub fen_if: Option<Vec<(Code, String)>>,
}

/// An option.
pub struct Choice {
    pub value: i64,
    /// The least and the greatest number; `None` for a flag.
    pub range: Option<(i64, i64)>,
}

/// Checks that no text in quotation marks is the name of a square that the board lacks. Whether an expression takes it
/// for a square does not count.
fn refuse_missing_squares(text: &str, files: i32, ranks: i32) -> Outcome<()> {
    for quoted in written::quoted(text) {
        let mut letters = quoted.chars();
        let file = letters.next().filter(char::is_ascii_lowercase);
        let rank = letters.as_str().parse::<i32>();
        if let (Some(file), Ok(rank)) = (file, rank)
            && !(i32::from(file as u8 - b'a') < files && (1..=ranks).contains(&rank))
        {
            return Err(format!(
                "'{quoted}' is not a square of this {files}x{ranks} board"
            ));
        }
    }
    Ok(())
}

/// The rules that an id names.
pub struct Rules {
    pub law: Definition,
    /// Whether the definition gives drops out of a hand by itself.
    pub fairy_drops: bool,
    /// Whether orthodox chess is the first parent.
    pub orthodox: bool,
    pub layers: Vec<Layer>,
    /// The options, by group and name.
    pub options: BTreeMap<(usize, String), Choice>,
    pub states: Vec<Declared>,
    /// The files, from which the rules of other ids are read.
    pub book: Arc<Book>,
}

/// A parsed expression.
pub type Code = Arc<IdedExpr>;

/// The maximum number of signs of an expression, such as operators and brackets. The parser and the evaluation recurse.
const MAX_SIGNS: usize = 4000;
/// The maximum depth of brackets.
const MAX_LEVELS: usize = 200;

/// Parses an expression.
///
/// # Errors
/// If the text is not an expression, or longer or deeper than this implementation reads.
pub fn parse(text: &str) -> Outcome<Code> {
    let (mut signs, mut level, mut deepest) = (0, 0_usize, 0);
    for (letter, _) in written::letters(text)
        .into_iter()
        .filter(|(_, quoted)| !quoted)
    {
        match letter {
            '(' | '[' | '{' => level += 1,
            ')' | ']' | '}' => level = level.saturating_sub(1),
            _ => {}
        }
        deepest = level.max(deepest);
        signs += usize::from(letter.is_ascii_punctuation() && letter != '_');
    }
    if signs > MAX_SIGNS || deepest > MAX_LEVELS {
        return Err(format!(
            "an expression of {signs} signs, {deepest} brackets deep; the second implementation reads at most \
             {MAX_SIGNS}, {MAX_LEVELS} deep"
        ));
    }
    let parser = cel::parser::Parser::new();
    let code = parser.parse(text).map_err(|why| format!("{text}: {why}"))?;
    Ok(Arc::new(code))
}

fn is_movement(name: &str) -> bool {
    let parts = ["movement.", "targets.", "quiet.", "attacks."];
    parts.iter().any(|part| name.starts_with(part))
}

/// Returns whether a key is one of rule texts, whose value may contain comments and continue on other lines.
pub fn is_text_key(name: &str) -> bool {
    is_clause(name) && name != "condition"
}

pub fn is_clause(name: &str) -> bool {
    let others = ["let.", "state."].iter().any(|part| name.starts_with(part));
    let plain = [
        "options",
        "state",
        "ends",
        "fenIf",
        "condition",
        "conditions",
    ];
    let known = |names: &[&str]| names.contains(&name);
    others || is_movement(name) || known(&plain) || known(CLAUSES) || known(WORDS)
}

fn end(text: &str) -> Outcome<End> {
    let (no_turn, rest) = match text.strip_prefix("no turn:") {
        Some(rest) => (true, rest.trim()),
        None => (false, text),
    };
    let (reason, rest) = match rest.split_once(':') {
        None => (rest, None),
        Some((reason, rest)) => (reason.trim(), Some(rest.trim())),
    };
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if reason != PARENT && (reason.is_empty() || !reason.chars().all(is_plain)) {
        return Err(format!("ends: {reason} is not a reason in small letters"));
    }
    let Some(rest) = rest else {
        return match reason {
            "checkmate" | "stalemate" => Ok(End {
                no_turn: true,
                reason: reason.to_string(),
                result: None,
                condition: None,
            }),
            PARENT => Ok(End {
                no_turn: false,
                reason: reason.to_string(),
                result: None,
                condition: None,
            }),
            _ => Err(format!("ends: {text}: no result")),
        };
    };
    let (result, condition) = match rest.split_once(" if ") {
        Some((result, condition)) => (result, Some(parse(condition)?)),
        None => (rest, None),
    };
    let words: Vec<&str> = result.split_whitespace().collect();
    let known = matches!(
        words.as_slice(),
        ["draw"]
            | ["mover" | "side", "wins" | "loses"]
            | ["mover" | "side", "wins" | "loses", "weakly"]
            | ["white" | "black", "wins" | "loses"]
            | ["white" | "black", "wins" | "loses", "weakly"]
    );
    if !known {
        return Err(format!("ends: {result} is not a result"));
    }
    Ok(End {
        no_turn,
        reason: reason.to_string(),
        result: Some(words.join(" ")),
        condition,
    })
}

fn fen_if(text: &str) -> Outcome<(Code, String)> {
    let (condition, message) = text.rsplit_once(':').ok_or("fenIf: no : and text")?;
    Ok((parse(condition)?, message.trim().to_string()))
}

/// Reads `NAME` or `NAME(a, b)`.
fn heading(text: &str) -> (String, Vec<String>) {
    match text.split_once('(') {
        None => (text.trim().to_string(), Vec::new()),
        Some((name, rest)) => {
            let parameters = rest.trim_end_matches(')').split(',');
            let parameters = parameters.map(|name| name.trim().to_string());
            (name.trim().to_string(), parameters.collect())
        }
    }
}

impl Layer {
    fn read(section: &Section, group: usize) -> Outcome<Layer> {
        let mut layer = Layer {
            group,
            ..Layer::default()
        };
        for key in &section.keys {
            layer.key(key).map_err(|why| {
                format!(
                    "[{}], line {}: {}: {why}",
                    section.name, key.number, key.name
                )
            })?;
        }
        Ok(layer)
    }

    fn key(&mut self, key: &Key) -> Outcome<()> {
        let value = key.value();
        if let Some(name) = key.name.strip_prefix("let.") {
            let (name, parameters) = heading(name);
            self.named.insert(name, (parameters, parse(&value)?));
        } else if key.name == "ends" {
            let ends: Outcome<Vec<End>> = key.entries().iter().map(|text| end(text)).collect();
            self.ends = Some(ends?);
        } else if key.name == "fenIf" {
            let all: Outcome<Vec<_>> = key.entries().iter().map(|text| fen_if(text)).collect();
            self.fen_if = Some(all?);
        } else if WORDS.contains(&key.name.as_str()) {
            self.words.insert(key.name.clone(), value);
        } else if is_clause(&key.name)
            && !["options", "state", "condition", "conditions"].contains(&key.name.as_str())
        {
            self.clauses.insert(key.name.clone(), parse(&value)?);
        }
        Ok(())
    }
}

/// Returns orthodox chess as the rule book has it on a board of this size.
fn fide(files: i32, ranks: i32) -> Definition {
    let mut law = Definition::chess();
    (law.files, law.ranks) = (files, ranks);
    let rank = |rank: i32| (0..16).map(|file| (file, rank)).collect();
    law.promotion_region = [rank(ranks - 1), rank(0)];
    law.double_region = match ranks >= 6 {
        true => [rank(1), rank(ranks - 2)],
        false => [Vec::new(), Vec::new()],
    };
    law.castling = files == 8;
    let types = [KNIGHT, BISHOP, ROOK, QUEEN].map(Which::Kind).to_vec();
    law.promotions = [types.clone(), types];
    law
}

/// Returns the numbers of files and ranks of a FEN.
pub fn size_of(fen: &str) -> (i32, i32) {
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    let rows: Vec<&str> = board.split('/').collect();
    let mut files = 0;
    let mut run = 0;
    for letter in rows[0].chars() {
        match letter.to_digit(10) {
            Some(digit) => run = 10 * run + digit as i32,
            None => {
                files += run + i32::from(letter.is_ascii_alphabetic() || letter == '*');
                run = 0;
            }
        }
    }
    (files + run, rows.len() as i32)
}

/// Returns the sections of an id: those of the rule set, then those of each condition. A condition that is both
/// among the `conditions` of a section and named in the id is wrong.
///
/// # Errors
/// If a section is missing or cannot be read.
pub fn sections_of<'b>(book: &'b Book, id: &str) -> Outcome<Vec<Line<'b>>> {
    let (names, _) = id.split_once(':').unwrap_or((id, ""));
    let mut names = names.split('+').map(str::trim);
    let line = book.line(names.next().unwrap_or_default())?;
    let listed = last(&line.sections, "conditions").map(Key::value);
    let listed = listed
        .iter()
        .flat_map(|names| names.split(','))
        .map(str::trim);
    let conditions: Outcome<Vec<Line>> = listed
        .chain(names)
        .map(|name| book.condition(name))
        .collect();
    let conditions = conditions?;
    let name = |line: &Line<'_>| line.sections.first().map(|section| section.name.clone());
    if let Some(at) = (1..conditions.len()).find(|&at| {
        let mut before = conditions[..at].iter();
        before.any(|line| name(line) == name(&conditions[at]))
    }) {
        return Err(format!(
            "the condition {} is named twice",
            name(&conditions[at]).unwrap_or_default()
        ));
    }
    let mut lines = vec![line];
    lines.extend(conditions);
    Ok(lines)
}

/// Returns the value of a key in the last section that has it.
fn last<'s>(line: &[&'s Section], name: &str) -> Option<&'s Key> {
    let mut keys = line.iter().flat_map(|section| &section.keys);
    keys.rfind(|key| key.name == name)
}

/// Returns the definition that a line of sections states, for a board of `size` if the rules allow others.
fn definition(line: &[&Section], orthodox: bool, size: Option<(i32, i32)>) -> Outcome<Definition> {
    let rooted = line.first().is_some_and(|section| section.parent.is_none());
    let mut law = match (rooted, orthodox) {
        (true, _) => Definition::bare(),
        (false, true) => {
            let start = last(line, "startFen").map(|key| size_of(&key.value()));
            let (files, ranks) = size.or(start).unwrap_or((8, 8));
            fide(files, ranks)
        }
        (false, false) => Definition::chess(),
    };
    for section in line {
        let fixed = |key: &Key| size.is_some() && ["maxFile", "maxRank"].contains(&&*key.name);
        let keys = section.keys.iter().filter(|key| !is_clause(&key.name));
        let keys = keys.filter(|key| !fixed(key)).map(|key| plain::Key {
            name: key.name.clone(),
            value: key.value(),
            line: key.number,
        });
        let section = plain::Section {
            name: section.name.clone(),
            parent: None,
            keys: keys.collect(),
            fault: None,
        };
        law = law
            .with(&section)
            .map_err(|why| format!("[{}]: {why}", section.name))?;
    }
    Ok(law.played())
}

/// Returns the name of a key that the clauses are not combined with here.
fn unsupported(law: &Definition) -> Option<&'static str> {
    let keys = [
        (law.blast, "blastOnCapture"),
        (law.sittuyin_promotion, "sittuyinPromotion"),
        (law.gating || law.seirawan, "gating"),
        (law.cambodian, "cambodianMoves"),
        (law.makpong, "makpongRule"),
        (law.flying_general, "flyingGeneral"),
        (law.shatar, "shatarMateRule"),
        (law.pseudo_royal, "extinctionPseudoRoyal"),
        (law.duple_check, "dupleCheck"),
        (law.demotion, "pieceDemotion"),
        (
            law.promoted.iter().any(Option::is_some),
            "promotedPieceType",
        ),
        (law.must_drop, "mustDrop"),
        (law.drop_opposite_bishop, "dropOppositeColoredBishop"),
        (law.immobility_illegal, "immobilityIllegal"),
        (law.n_moves_kept, "nMoveRuleKept"),
        (law.castling_dropped, "castlingDroppedPiece"),
        (law.opposite_castling, "oppositeCastling"),
        (!law.mutually_immune.is_empty(), "mutuallyImmuneTypes"),
        (law.pawn_drop_mate_illegal, "shogiPawnDropMateIllegal"),
    ];
    let found = keys.into_iter().find(|(has, _)| *has);
    found.map(|(_, key)| key)
}

/// Returns the name of a key of passes, if clauses concern more than whole turns and positions.
fn refused_with(law: &Definition, layers: &[Layer]) -> Option<&'static str> {
    let whole = |key: &String| ["legalIf", "prefer"].contains(&&**key) || key.starts_with("state.");
    let of_whole_turns = |layer: &Layer| layer.words.is_empty() && layer.clauses.keys().all(whole);
    match layers.iter().all(of_whole_turns) {
        true => None,
        false if law.pass.contains(&true) => Some("pass"),
        false if law.pass_on_stalemate.contains(&true) => Some("passOnStalemate"),
        false => None,
    }
}

/// Checks that no clause `takes` lists the moved unit by its name.
fn refuse_own_capture(layers: &[Layer]) -> Outcome<()> {
    fn lists(code: &Expr, is_item: bool) -> bool {
        match code {
            Expr::Ident(name) => is_item && name == "unit",
            Expr::List(list) => list.elements.iter().any(|item| lists(&item.expr, true)),
            Expr::Call(call) => match call.func_name.as_str() {
                "_?_:_" => call.args[1..].iter().any(|part| lists(&part.expr, is_item)),
                "_+_" => call.args.iter().any(|part| lists(&part.expr, false)),
                "at" if is_item => matches!(
                    &call.args[..],
                    [square] if matches!(&square.expr, Expr::Ident(name) if name == "from")
                ),
                _ => false,
            },
            _ => false,
        }
    }
    let mut clauses = layers.iter().filter_map(|layer| layer.clauses.get("takes"));
    match clauses.any(|code| lists(&code.expr, false)) {
        true => Err("takes: a step cannot capture the unit that makes it".to_string()),
        false => Ok(()),
    }
}

impl Rules {
    /// Reads the rules that an id names, for a board of `size` if they allow others.
    ///
    /// # Errors
    /// If a section is missing or wrong.
    pub fn read(book: &Arc<Book>, id: &str, size: Option<(i32, i32)>) -> Outcome<Rules> {
        let lines = sections_of(book, id)?;
        let orthodox = lines[0].root == Some("fide-text");
        let chosen_size = if orthodox { size } else { None };
        let mut law = definition(&lines[0].sections, orthodox, chosen_size)?;
        if let Some((files, ranks)) = size.filter(|size| *size != (law.files, law.ranks)) {
            if files > law.files || ranks > law.ranks {
                return Err(format!("{files}x{ranks} is larger than the board"));
            }
            law = law.on_board(files, ranks)?;
        }
        if let Some(key) = unsupported(&law) {
            return Err(format!(
                "the second implementation does not play {key} with clauses"
            ));
        }
        let mut rules = Rules {
            fairy_drops: law.drops,
            orthodox,
            layers: Vec::new(),
            options: BTreeMap::new(),
            states: Vec::new(),
            book: Arc::clone(book),
            law: Definition::bare(),
        };
        for (group, line) in lines.iter().enumerate() {
            for section in &line.sections {
                rules.layers.push(Layer::read(section, group)?);
                rules.declare(section, group)?;
            }
        }
        let (_, chosen) = id.split_once(':').unwrap_or((id, ""));
        for text in chosen.split(',').filter(|text| !text.is_empty()) {
            rules.choose(text)?;
        }
        rules.refuse_rivals()?;
        rules.refuse_circles()?;
        if rules.layers.len() > 60 {
            return Err("more than 60 sections".to_string());
        }
        refuse_missing_squares(&written::rules_text(book, id)?, law.files, law.ranks)?;
        let has = |key: &str| {
            let mut layers = rules.layers.iter();
            layers.any(|layer| layer.clauses.contains_key(key))
        };
        law.clause_to_hand = has("toHand");
        law.drops |= law.clause_to_hand || law.captures_to_hand && has("drops");
        refuse_own_capture(&rules.layers)?;
        if let Some(key) = refused_with(&law, &rules.layers) {
            return Err(format!(
                "the second implementation does not play {key} with these clauses"
            ));
        }
        types::check_rules(&rules, &law)?;
        rules.law = law;
        Ok(rules)
    }

    /// Adds the options and states of a section.
    fn declare(&mut self, section: &Section, group: usize) -> Outcome<()> {
        for key in &section.keys {
            match key.name.as_str() {
                "options" => {
                    for text in key.value().split(';') {
                        let (text, value) = text.split_once('=').unwrap_or((text, "0"));
                        let (name, range) = match text.split_once(':') {
                            Some((name, range)) => (name, Some(range)),
                            None => (text, None),
                        };
                        let number = |text: &str| {
                            let number = text.trim().parse::<i64>();
                            number.map_err(|_| format!("options: {text}"))
                        };
                        let range = match range.and_then(|range| range.split_once("..")) {
                            Some((least, most)) => Some((number(least)?, number(most)?)),
                            None => None,
                        };
                        let value = number(value)?;
                        let (least, most) = range.unwrap_or((0, 0));
                        if !(least..=most).contains(&value) {
                            return Err(format!("options: {value} is not from {least} to {most}"));
                        }
                        let name = name.trim().replace('-', "_");
                        if self.options.contains_key(&(group, name.clone())) {
                            return Err(format!("options: {name} is declared twice"));
                        }
                        self.options.insert((group, name), Choice { value, range });
                    }
                }
                "state" => {
                    for new in state::declarations(&key.value())? {
                        let known = self.states.iter().position(|state| state.name == new.name);
                        match known {
                            Some(at) => self.states[at] = new,
                            None => self.states.push(new),
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets an option, written `name` or `name=value`.
    fn choose(&mut self, text: &str) -> Outcome<()> {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        let written = name.replace('-', "_");
        let mut options = self.options.iter_mut();
        let option = options.find(|((_, name), _)| *name == written);
        let (_, option) = option.ok_or(format!("unknown option {name}"))?;
        let value = value
            .parse()
            .map_err(|_| format!("option {name}: {value}"))?;
        let (least, most) = option.range.unwrap_or((1, 1));
        if !(least..=most).contains(&value) {
            return Err(format!(
                "option {name}: {value} is not from {least} to {most}"
            ));
        }
        option.value = value;
        Ok(())
    }

    /// Checks that no definition `let` refers to itself, directly or through others.
    fn refuse_circles(&self) -> Outcome<()> {
        let groups: BTreeSet<usize> = self.layers.iter().map(|layer| layer.group).collect();
        for group in groups {
            let own = self.layers.iter().filter(|layer| layer.group == group);
            let named: BTreeMap<&String, &Named> = own.flat_map(|layer| &layer.named).collect();
            for &name in named.keys() {
                let mut reached: Vec<&String> = Vec::new();
                let mut open = vec![name];
                while let Some(next) = open.pop() {
                    let (parameters, body) = named[next];
                    let mut words = BTreeSet::new();
                    circles::names(&body.expr, &mut parameters.clone(), &mut words);
                    for word in words {
                        if word == *name {
                            return Err(format!("let.{name} is part of its own definition"));
                        }
                        if let Some((&known, _)) = named.get_key_value(&word)
                            && !reached.contains(&known)
                        {
                            reached.push(known);
                            open.push(known);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns whether the code of a layer depends on options alone.
    pub fn is_constant(&self, layer: usize, code: &Code) -> bool {
        let group = self.layers[layer].group;
        let mut open = vec![(Vec::new(), Arc::clone(code))];
        let mut seen = BTreeSet::from(["option".to_string()]);
        while let Some((mut parameters, code)) = open.pop() {
            let mut words = BTreeSet::new();
            circles::names(&code.expr, &mut parameters, &mut words);
            let is_new = |word: &String| {
                !word.starts_with(['_', '@', '!', '-']) && seen.insert(word.clone())
            };
            for word in words.into_iter().filter(is_new) {
                let own = self.layers.iter().filter(|layer| layer.group == group);
                match own.filter_map(|layer| layer.named.get(&word)).next_back() {
                    Some(named) => open.push(named.clone()),
                    None => return false,
                }
            }
        }
        true
    }

    /// Checks that no two conditions claim one aspect.
    fn refuse_rivals(&self) -> Outcome<()> {
        let mut claimed: BTreeMap<&str, usize> = BTreeMap::new();
        for layer in self.layers.iter().filter(|layer| layer.group > 0) {
            let keys = layer.clauses.keys().chain(layer.words.keys());
            for key in keys.filter(|key| !COMBINED.contains(&key.as_str())) {
                if claimed
                    .insert(key, layer.group)
                    .is_some_and(|group| group != layer.group)
                {
                    return Err(format!("two conditions have {key}"));
                }
            }
        }
        Ok(())
    }
}
