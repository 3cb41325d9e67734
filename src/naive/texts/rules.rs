//! Rules: the definition, the layers of clauses, the options and the states that an id such as
//! `society-text+circe` names.

use super::circles;
use super::ini::{self, Key, Section};
use super::state::{self, Declared};
use super::value::Outcome;
use crate::defined::definition::{BISHOP, Definition, KNIGHT, QUEEN, ROOK, Which};
use crate::defined::ini as plain;
use cel::IdedExpr;
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

/// An entry of `ends`.
#[derive(Clone)]
pub struct End {
    pub no_turn: bool,
    pub reason: String,
    /// The result, or `None` for `checkmate` and `stalemate` alone: the parent's entry.
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

/// The rules that an id names.
pub struct Rules {
    pub law: Definition,
    /// Whether the definition gives drops out of a hand by itself.
    pub fairy_drops: bool,
    /// Whether orthodox chess is the first parent.
    pub orthodox: bool,
    pub layers: Vec<Layer>,
    /// The options, by group and name, each with its value and whether it is a flag.
    pub options: BTreeMap<(usize, String), (i64, bool)>,
    pub states: Vec<Declared>,
    /// The file, from which the rules of other ids are read.
    pub file: Arc<String>,
}

/// A parsed expression.
pub type Code = Arc<IdedExpr>;

/// Parses an expression.
///
/// # Errors
/// If the text is not an expression.
pub fn parse(text: &str) -> Outcome<Code> {
    let parser = cel::parser::Parser::new();
    let code = parser.parse(text).map_err(|why| format!("{text}: {why}"))?;
    Ok(Arc::new(code))
}

fn is_movement(name: &str) -> bool {
    let parts = ["movement.", "targets.", "quiet.", "attacks."];
    parts.iter().any(|part| name.starts_with(part))
}

fn is_clause(name: &str) -> bool {
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
    let Some(rest) = rest else {
        return match reason {
            "checkmate" | "stalemate" => Ok(End {
                no_turn: true,
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
            | ["white" | "black", "wins"]
            | ["white" | "black", "wins", "weakly"]
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

/// A part `id:option,option=value` of an id.
fn part(text: &str) -> (String, Vec<(String, String)>) {
    let (id, rest) = text.split_once(':').unwrap_or((text, ""));
    let options = rest.split(',').filter(|option| !option.is_empty());
    let pair = |option: &str| {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        (name.to_string(), value.to_string())
    };
    (id.trim().to_string(), options.map(pair).collect())
}

/// Finds sections.
struct Book {
    sections: Vec<Section>,
}

impl Book {
    fn find(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Returns the sections from the first parent to this one, and whether orthodox chess of the rule book is
    /// the parent of the first. A compiled rule set stands for its text.
    fn line(&self, id: &str) -> Outcome<(Vec<&Section>, bool)> {
        let mut line = Vec::new();
        let mut name = id.to_string();
        loop {
            let text = format!("{name}-text");
            let section = match self.find(&name) {
                Some(section) => section,
                None if name == "chess" => return Ok((line, false)),
                None if name == "fide" || name == "fide-text" => return Ok((line, true)),
                None => self.find(&text).ok_or(format!("no rule set {name}"))?,
            };
            if line.len() > 100 {
                return Err(format!("{id} is its own parent"));
            }
            line.insert(0, section);
            match &section.parent {
                Some(parent) => name = parent.clone(),
                None => return Ok((line, false)),
            }
        }
    }
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
        (law.pass.contains(&true), "pass"),
        (law.pass_on_stalemate.contains(&true), "passOnStalemate"),
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

impl Rules {
    /// Reads the rules that an id names, for a board of `size` if they allow others.
    ///
    /// # Errors
    /// If a section is missing or wrong.
    pub fn read(file: &Arc<String>, id: &str, size: Option<(i32, i32)>) -> Outcome<Rules> {
        let book = Book {
            sections: ini::sections(file)?,
        };
        let mut parts = id.split('+').map(part);
        let (first, chosen) = parts.next().ok_or("an empty id")?;
        let (line, orthodox) = book.line(&first)?;
        let mut groups = vec![(line, chosen)];
        if let Some(key) = last(&groups[0].0, "conditions") {
            for name in key.value().split(',') {
                let (id, chosen) = part(name.trim());
                groups.push((book.line(&id)?.0, chosen));
            }
        }
        for (id, chosen) in parts {
            groups.push((book.line(&id)?.0, chosen));
        }
        for (line, _) in &groups[1..] {
            let condition = last(line, "condition").is_some_and(|key| key.value() == "true");
            if !condition {
                return Err(format!("{id}: a part after + is not a condition"));
            }
        }
        let size = if orthodox { size } else { None };
        let mut law = definition(&groups[0].0, orthodox, size)?;
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
            file: Arc::clone(file),
            law: Definition::bare(),
        };
        for (group, (line, chosen)) in groups.iter().enumerate() {
            for section in line {
                rules.layers.push(Layer::read(section, group)?);
                rules.declare(section, group)?;
            }
            for (name, value) in chosen {
                let option = rules.options.get_mut(&(group, name.replace('-', "_")));
                let option = option.ok_or(format!("unknown option {name}"))?;
                option.0 = value
                    .parse()
                    .map_err(|_| format!("option {name}: {value}"))?;
            }
        }
        rules.refuse_rivals()?;
        rules.refuse_circles()?;
        if rules.layers.len() > 60 {
            return Err("more than 60 sections".to_string());
        }
        law.drops |= rules
            .layers
            .iter()
            .any(|layer| layer.clauses.contains_key("toHand"));
        rules.law = law;
        Ok(rules)
    }

    /// Adds the options and states of a section.
    fn declare(&mut self, section: &Section, group: usize) -> Outcome<()> {
        for key in &section.keys {
            match key.name.as_str() {
                "options" => {
                    for text in key.value().split(';') {
                        let flag = !text.contains(':');
                        let (text, value) = text.split_once('=').unwrap_or((text, "0"));
                        let name = text.split(':').next().unwrap_or_default().trim();
                        let value = value.trim().parse();
                        let value = value.map_err(|_| format!("options: {text}"))?;
                        self.options
                            .insert((group, name.replace('-', "_")), (value, flag));
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
