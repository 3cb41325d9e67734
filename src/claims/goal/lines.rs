//! What the page says of positions that a line of turns from the start leads to.

use super::{Line, captures, named, start, yes};
use crate::{Effort, Evidence, Finding, Scope, Verdict, listed};
use board::{Color, DIRECTIONS, Geometry, Kind, Square, Squares};
use notation::turns;
use position::{Narrow, Position};
use rules::{Game, Outcome, Turn, reason, with_turns};
use variants::blunder_mate::BLUNDER_MATE;
use variants::linkage::LINKAGE_MATE;
use variants::submission::SUBMISSION;
use variants::triple_check::TRIPLE_CHECK;

/// Returns a finding about one position.
fn witness(holds: bool, summary: String, evidence: Evidence) -> Finding {
    Finding {
        verdict: Verdict::of(holds),
        scope: Scope::Witness,
        summary,
        evidence,
    }
}

/// Returns what was found, or that the line is illegal.
fn either(found: Result<Finding, Finding>) -> Finding {
    match found {
        Ok(finding) | Err(finding) => finding,
    }
}

/// The same position as orthodox chess sees it.
fn orthodox(p: &Position<Narrow>) -> Position<Narrow> {
    let mut plain = *p;
    plain.state = 0;
    plain
}

/// Returns the legal turns that win at once for this reason.
fn wins(game: &dyn Game<Narrow>, p: &Position<Narrow>, reason: &'static str) -> Vec<String> {
    turns::sorted(game, p)
        .into_iter()
        .filter(|(_, turn)| game.outcome(&game.play(p, turn)) == Outcome::Win(p.side, reason))
        .map(|(text, _)| text)
        .collect()
}

pub(super) fn blunder_mate_1(_: &Effort) -> Finding {
    either(blunder_mate("f2f4 e7e6", "g2g4", "d8h4"))
}

pub(super) fn blunder_mate_2(_: &Effort) -> Finding {
    either(blunder_mate("e2e3 e7e5 d1h5", "e8e7", "h5e5"))
}

/// After a line every reply loses at once: to a blunder-mate, or to a checkmate as `mate` after
/// the blunder itself.
///
/// # Errors
/// The finding that refutes the claim.
pub fn blunder_mate(text: &str, blunder: &str, mate: &str) -> Result<Finding, Finding> {
    let line = Line::play("blunder-mate", text)?;
    let (game, p) = (line.game(), line.last());
    let winner = !p.side;
    let mut evidence = Evidence::new(&["fen", "reply", "outcome", "checkmates"]);
    let (mut pointed, mut mated, mut saved) = (0, 0, Vec::new());
    let mut as_printed = false;
    let replies = turns::sorted(game, &p);
    for (text, turn) in &replies {
        let after = game.play(&p, turn);
        let outcome = game.outcome(&after);
        let mates = wins(game, &after, reason::CHECKMATE);
        as_printed |= text == blunder && mates.iter().any(|m| m == mate);
        if outcome == Outcome::Win(winner, BLUNDER_MATE) {
            pointed += 1;
        } else if !mates.is_empty() {
            mated += 1;
        } else {
            saved.push(text.clone());
        }
        evidence.row([
            line.fen(),
            text.clone(),
            outcome.to_string(),
            mates.join(" "),
        ]);
    }
    let summary = format!(
        "of {} replies {pointed} lose to a blunder-mate, {mated} allow a checkmate, {} save the \
         game{}; {blunder} {mate} is {}a checkmate",
        replies.len(),
        saved.len(),
        if saved.is_empty() {
            String::new()
        } else {
            format!(": {}", listed(&saved))
        },
        if as_printed { "" } else { "not " },
    );
    let holds = saved.is_empty() && as_printed && !replies.is_empty();
    Ok(Finding::exhaustive(holds, summary, evidence))
}

pub(super) fn contravention(_: &Effort) -> Finding {
    either(check_to_be_ended("d2d3 d7d5 e2e4 d5e4 d3e4 e8d7"))
}

/// After a line the king of the side that has just moved is attacked, and all turns are illegal
/// that leave it so.
///
/// # Errors
/// The finding that refutes the claim.
pub fn check_to_be_ended(text: &str) -> Result<Finding, Finding> {
    let line = Line::play("contravention", text)?;
    let (game, p) = (line.game(), line.last());
    let checked = !p.side;
    let attacked = game.in_check(&p, checked);
    let legal = turns::sorted(game, &p);
    let mut evidence = Evidence::new(&["fen", "turn", "leaves_the_check", "legal", "refusal"]);
    let (mut ends, mut refused, mut wrong) = (Vec::new(), 0, 0);
    for (text, turn) in pseudo(game, &p) {
        let remains = game.in_check(&game.play(&p, &turn), checked);
        let allowed = named(&legal, &text).is_some();
        match (remains, allowed) {
            (true, true) => wrong += 1,
            (true, false) => refused += 1,
            (false, true) => ends.push(text.clone()),
            (false, false) => {}
        }
        let refusal = if allowed {
            String::new()
        } else {
            game.refusal(&p, &turn)
        };
        evidence.row([line.fen(), text, yes(remains), yes(allowed), refusal]);
    }
    let summary = format!(
        "Black's king is {}attacked; {} of White's turns are legal and end that: {}; {refused} \
         leave it and are refused, {wrong} leave it and are legal",
        if attacked { "" } else { "not " },
        ends.len(),
        listed(&ends),
    );
    let holds = attacked && wrong == 0 && refused > 0 && ends.len() == legal.len();
    Ok(Finding::exhaustive(holds, summary, evidence))
}

/// Returns the pseudo-legal turns with their texts, in byte order.
fn pseudo(game: &dyn Game<Narrow>, p: &Position<Narrow>) -> Vec<(String, Turn)> {
    with_turns(|list| {
        game.pseudo_turns(p, list);
        let mut texts: Vec<(String, Turn)> = list
            .iter()
            .map(|turn| (turns::print(game, p, turn), *turn))
            .collect();
        texts.sort_unstable();
        texts
    })
}

/// The replies as the page prints them.
const REPLIES: &str = "a6/b5, Be6/Bd7, Bf5/Bd7, Bg4/Bd7, Bh3/Bd7, Nf3/Nd7";

/// The meanings that a printed letter may have had.
const LETTERS: &str = "abcdefgh12345678KQRBN";

pub(super) fn deadline(_: &Effort) -> Finding {
    either(replies("e2e3 d7d6 f1b5", REPLIES))
}

/// Returns the steps of a turn as the page prints them: letter (none for a pawn) and target of each.
fn printed_steps(game: &dyn Game<Narrow>, turn: &Turn) -> String {
    let step = |step: rules::Step| {
        let letter = match step.kind() {
            Kind::Pawn => String::new(),
            kind => game.men().letter(Color::White, kind).to_string(),
        };
        letter + &game.board().geometry().name(step.to)
    };
    let steps: Vec<String> = turn.steps().map(step).collect();
    steps.join("/")
}

/// Returns the list with one letter replaced, in every way.
fn readings(printed: &str) -> Vec<String> {
    let letters: Vec<char> = printed.chars().collect();
    let mut found = Vec::new();
    for (i, &old) in letters.iter().enumerate() {
        if !old.is_ascii_alphanumeric() {
            continue;
        }
        for new in LETTERS.chars().filter(|&new| new != old) {
            let mut other = letters.clone();
            other[i] = new;
            found.push(other.into_iter().collect());
        }
    }
    found
}

/// Returns the items of a printed list, in order.
fn items(printed: &str) -> Vec<String> {
    let mut items: Vec<String> = printed.split(", ").map(str::to_string).collect();
    items.sort_unstable();
    items
}

/// Returns whether a printed list names all legal turns after a line and nothing else: as printed, or with
/// one letter or figure replaced, or two.
///
/// # Errors
/// The finding that refutes the claim.
pub fn replies(text: &str, printed: &str) -> Result<Finding, Finding> {
    let line = Line::play("deadline", text)?;
    let (game, p) = (line.game(), line.last());
    let legal = turns::sorted(game, &p);
    let mut wanted: Vec<String> = legal
        .iter()
        .map(|(_, turn)| printed_steps(game, turn))
        .collect();
    wanted.sort_unstable();
    let mut evidence = Evidence::new(&["fen", "turn", "in_words_of_the_page", "printed"]);
    let on_page = items(printed);
    for (text, turn) in &legal {
        let words = printed_steps(game, turn);
        let there = on_page.contains(&words);
        evidence.row([line.fen(), text.clone(), words, yes(there)]);
    }
    let mut tried = 1;
    let mut fits: Vec<String> = Vec::new();
    let mut letters = 0;
    if on_page == wanted {
        fits.push(printed.to_string());
    }
    let mut front = vec![printed.to_string()];
    while fits.is_empty() && letters < 2 {
        letters += 1;
        front = front.iter().flat_map(|list| readings(list)).collect();
        tried += front.len();
        fits = front
            .iter()
            .filter(|r| items(r) == wanted)
            .cloned()
            .collect();
        fits.sort_unstable();
        fits.dedup();
    }
    let missing: Vec<String> = wanted
        .iter()
        .filter(|item| !on_page.contains(item))
        .cloned()
        .collect();
    let extra: Vec<String> = on_page
        .iter()
        .filter(|item| !wanted.contains(item))
        .cloned()
        .collect();
    let count = format!("{} legal replies, {} printed", wanted.len(), on_page.len());
    let (verdict, summary) = if fits.is_empty() {
        let summary = format!(
            "{count}; printed but illegal: {}; legal but not printed: {}; none of {tried} \
             readings with up to {letters} letters replaced is right",
            listed(&extra),
            listed(&missing)
        );
        (Verdict::Refuted, summary)
    } else if letters == 0 {
        (Verdict::Confirmed, format!("{count}, the same ones"))
    } else {
        let amendments: Vec<String> = fits
            .iter()
            .map(|list| {
                let was = printed.split(", ").zip(list.split(", "));
                let pairs: Vec<String> = was
                    .filter(|(old, new)| old != new)
                    .map(|(old, new)| format!("{new} for {old}"))
                    .collect();
                listed(&pairs)
            })
            .collect();
        let summary = format!(
            "{count}; the list is right with {letters} letter{} replaced: {} ({} of {tried} \
             readings fit)",
            if letters == 1 { "" } else { "s" },
            amendments.join(" or "),
            fits.len()
        );
        (Verdict::ConfirmedAsAmended, summary)
    };
    Ok(Finding {
        verdict,
        scope: Scope::Exhaustive,
        summary,
        evidence,
    })
}

pub(super) fn linkage(_: &Effort) -> Finding {
    either(linkage_mate("g2g3 d7d5 c2c3", "e7e6", ["d8h4", "f8b4"]))
}

/// Returns how many occupied squares form an unbroken row with this one, counted along a direction and
/// its opposite; and whether the other square is among them.
fn row(
    geometry: Geometry,
    p: &Position<Narrow>,
    from: Square,
    other: Square,
    (dx, dy): (i32, i32),
) -> (u32, bool) {
    let mut length = 1;
    let mut met = false;
    for sign in [1, -1] {
        let mut at = from;
        while let Some(next) = geometry.step(at, sign * dx, sign * dy) {
            if p.unit(next).is_none() {
                break;
            }
            length += 1;
            met |= next == other;
            at = next;
        }
    }
    (length, met)
}

/// Returns the pseudo-legal steps by which a side would complete a row of four with the enemy king. It is
/// taken to be to move.
fn linkages(game: &dyn Game<Narrow>, p: &Position<Narrow>, by: Color) -> Vec<String> {
    let mut p = *p;
    if p.side != by {
        p.side = by;
        p.set_en_passant(None);
    }
    let Some(king) = p.units(!by, Kind::King).first() else {
        return Vec::new();
    };
    let geometry = game.board().geometry();
    pseudo(game, &p)
        .into_iter()
        .filter(|(_, turn)| {
            let step = turn.first();
            let after = game.play(&p, turn);
            step.action() != rules::Action::Castle
                && DIRECTIONS[..4]
                    .iter()
                    .any(|&way| row(geometry, &after, step.to, king, way) == (4, true))
        })
        .map(|(text, _)| text)
        .collect()
}

/// After a line, a turn of another unit opens these two threats, and no reply meets both.
///
/// # Errors
/// The finding that refutes the claim.
pub fn linkage_mate(text: &str, key: &str, threats: [&str; 2]) -> Result<Finding, Finding> {
    let before = Line::play("linkage", text)?;
    let line = Line::play("linkage", &format!("{text} {key}"))?;
    let (game, p) = (line.game(), line.last());
    let mover = !p.side;
    let old = linkages(game, &before.last(), mover);
    let new = linkages(game, &p, mover);
    let by_mover = |threat: &String| threat.get(..2) == key.get(2..4);
    let discovered = new.iter().all(|t| !old.contains(t) && !by_mover(t));
    let outcome = game.outcome(&p);
    let mut evidence = Evidence::new(&["fen", "reply", "king_attacked", "remaining_threats"]);
    let (mut replies, mut both, mut one, mut none) = (0, 0, 0, 0);
    for (text, turn) in pseudo(game, &p) {
        let after = game.play(&p, &turn);
        let attacked = game.in_check(&after, p.side);
        let left = linkages(game, &after, mover);
        let kept = threats.iter().filter(|t| left.iter().any(|l| l == *t));
        replies += 1;
        match (kept.count(), attacked || !left.is_empty()) {
            (2, _) => both += 1,
            (_, true) => one += 1,
            (_, false) => none += 1,
        }
        evidence.row([line.fen(), text, yes(attacked), left.join(" ")]);
    }
    let holds = new == threats
        && discovered
        && none == 0
        && replies > 0
        && outcome == Outcome::Win(mover, LINKAGE_MATE);
    let summary = format!(
        "{key} threatens {} ({}, {} before it); of {replies} replies {both} leave both, {one} \
         another danger or one of them, {none} nothing; outcome {outcome}",
        listed(&new),
        if discovered {
            "discovered"
        } else {
            "not all discovered"
        },
        if old.is_empty() {
            "no threat".to_string()
        } else {
            listed(&old)
        },
    );
    Ok(Finding::exhaustive(holds, summary, evidence))
}

/// Returns the orthodox legal turns of a position after a turn, with what follows.
fn orthodox_replies(
    game: &dyn Game<Narrow>,
    p: &Position<Narrow>,
) -> Vec<(String, Turn, Position<Narrow>)> {
    let p = orthodox(p);
    turns::sorted(game, &p)
        .into_iter()
        .map(|(text, turn)| {
            let after = game.play(&p, &turn);
            (text, turn, after)
        })
        .collect()
}

pub(super) fn submission_1a(_: &Effort) -> Finding {
    either(mate_refused("f2f4 e7e6 g2g4", "d8h4"))
}

/// After a line this turn is an orthodox checkmate, and not allowed.
///
/// # Errors
/// The finding that refutes the claim.
pub fn mate_refused(text: &str, mate: &str) -> Result<Finding, Finding> {
    let line = Line::play("submission", text)?;
    let (game, p) = (line.game(), line.last());
    let fide = start("fide");
    let checkmate = orthodox_replies(fide.game.as_ref(), &p)
        .into_iter()
        .find(|(text, ..)| text == mate)
        .is_some_and(|(_, _, after)| {
            fide.game.outcome(&after) == Outcome::Win(p.side, reason::CHECKMATE)
        });
    let allowed = named(&turns::sorted(game, &p), mate).is_some();
    let refusal = pseudo(game, &p)
        .iter()
        .find(|(text, _)| text == mate && !allowed)
        .map_or(String::new(), |(_, turn)| game.refusal(&p, turn));
    let mut evidence = Evidence::new(&["fen", "turn", "orthodox_checkmate", "legal", "refusal"]);
    evidence.row([
        line.fen(),
        mate.to_string(),
        yes(checkmate),
        yes(allowed),
        refusal,
    ]);
    let summary = format!(
        "{mate} is {}an orthodox checkmate and {}",
        if checkmate { "" } else { "not " },
        if allowed { "legal" } else { "refused" }
    );
    Ok(witness(checkmate && !allowed, summary, evidence))
}

pub(super) fn submission_1b(_: &Effort) -> Finding {
    either(piece_lost("f2f4 e7e6 g2g4 b8c6 g1f3", "d8h4"))
}

/// After a line this check is legal, does not win, and the unit that gives it can be captured
/// without being recaptured.
///
/// # Errors
/// The finding that refutes the claim.
pub fn piece_lost(text: &str, check: &str) -> Result<Finding, Finding> {
    let line = Line::play("submission", &format!("{text} {check}"))?;
    let (game, p) = (line.game(), line.last());
    let checked = game.in_check(&p, p.side);
    let outcome = game.outcome(&p);
    let target = check.get(2..4).unwrap_or_default();
    let mut evidence = Evidence::new(&["fen", "reply", "captures_the_unit", "recaptures"]);
    let (mut free, mut replies) = (Vec::new(), 0);
    for (text, turn) in turns::sorted(game, &p) {
        let after = game.play(&p, &turn);
        let takes = captures(&p, &after) && text.get(2..4) == Some(target);
        let recaptures: Vec<String> = turns::sorted(game, &after)
            .into_iter()
            .filter(|(t, turn)| {
                takes && t.get(2..4) == Some(target) && captures(&after, &game.play(&after, turn))
            })
            .map(|(t, _)| t)
            .collect();
        replies += 1;
        if takes && recaptures.is_empty() {
            free.push(text.clone());
        }
        evidence.row([line.fen(), text, yes(takes), recaptures.join(" ")]);
    }
    let summary = format!(
        "{check} is legal, {} and leaves the game {outcome}; of {replies} replies {} take the \
         unit without recapture: {}",
        if checked {
            "gives check"
        } else {
            "gives no check"
        },
        free.len(),
        listed(&free)
    );
    let holds = checked && outcome.is_ongoing() && !free.is_empty();
    Ok(witness(holds, summary, evidence))
}

pub(super) fn submission_1c(_: &Effort) -> Finding {
    either(submits("f2f4 e7e6 g2g4 b8c6 e2e4", "d8h4"))
}

/// After a line this check wins by submission: a plain king step is the only orthodox reply that
/// does not checkmate.
///
/// # Errors
/// The finding that refutes the claim.
pub fn submits(text: &str, check: &str) -> Result<Finding, Finding> {
    let line = Line::play("submission", &format!("{text} {check}"))?;
    let (game, p) = (line.game(), line.last());
    let fide = start("fide");
    let outcome = game.outcome(&p);
    let mut evidence = Evidence::new(&["fen", "reply", "king_step", "captures", "checkmates"]);
    let (mut plain, mut other) = (Vec::new(), Vec::new());
    for (text, turn, after) in orthodox_replies(fide.game.as_ref(), &p) {
        let king = turn.first().kind() == Kind::King;
        let takes = captures(&p, &after);
        let mates = fide.game.outcome(&after) == Outcome::Win(p.side, reason::CHECKMATE);
        evidence.row([line.fen(), text.clone(), yes(king), yes(takes), yes(mates)]);
        if !mates && king && !takes {
            plain.push(text);
        } else if !mates {
            other.push(text);
        }
    }
    let holds = outcome == Outcome::Win(!p.side, SUBMISSION)
        && game.in_check(&p, p.side)
        && plain.len() == 1
        && other.is_empty();
    let summary = format!(
        "after {check}: {outcome}; replies that are plain king steps: {}; other replies: {}",
        listed(&plain),
        listed(&other)
    );
    Ok(witness(holds, summary, evidence))
}

pub(super) fn triple_check(_: &Effort) -> Finding {
    either(three_conditions("b1c3 d7d5 e2e4 d5d4", "f1b5"))
}

/// After a line this check is safe, supported and no capture, and wins.
///
/// # Errors
/// The finding that refutes the claim.
pub fn three_conditions(text: &str, check: &str) -> Result<Finding, Finding> {
    let line = Line::play("triple-check", &format!("{text} {check}"))?;
    let (game, p) = (line.game(), line.last());
    let fide = start("fide");
    let before = line.positions[line.positions.len() - 2];
    let outcome = game.outcome(&p);
    let geometry = game.board().geometry();
    let king = p.units(p.side, Kind::King);
    let checkers = king.iter().fold(u64::EMPTY, |found, square| {
        found | fide.game.attackers(&orthodox(&p), square, !p.side)
    });
    let quiet = !captures(&before, &p);
    let mut evidence = Evidence::new(&[
        "fen",
        "checking_unit",
        "captured_by",
        "defended_from",
        "captures",
    ]);
    let (mut safe, mut supported) = (true, true);
    for unit in checkers.iter() {
        let takers: Vec<String> = orthodox_replies(fide.game.as_ref(), &p)
            .into_iter()
            .filter(|(_, _, after)| !after.color(!p.side).has(unit))
            .map(|(text, ..)| text)
            .collect();
        let defenders: Vec<String> = fide
            .game
            .attackers(&orthodox(&p), unit, !p.side)
            .iter()
            .map(|square| geometry.name(square))
            .collect();
        safe &= takers.is_empty();
        supported &= !defenders.is_empty();
        evidence.row([
            line.fen(),
            geometry.name(unit),
            takers.join(" "),
            defenders.join(" "),
            yes(!quiet),
        ]);
    }
    let holds = !checkers.is_empty()
        && safe
        && supported
        && quiet
        && outcome == Outcome::Win(!p.side, TRIPLE_CHECK);
    let summary = format!(
        "{check}: {} checking unit{}; safe: {safe}, supported: {supported}, non-capturing: \
         {quiet}; outcome {outcome}",
        checkers.len(),
        if checkers.len() == 1 { "" } else { "s" }
    );
    Ok(witness(holds, summary, evidence))
}
