//! Orthodox chess: the functions that the default methods of `Law` call, and functions that several variants
//! share.

use super::board::{Kind, Pos, Step, Turn, Way, ahead};
use super::{CastlingTest, Law, draw, wins};

/// Orthodox chess itself.
pub struct Fide;

impl Law for Fide {}

/// Returns whether the unit on `from` attacks `to`.
pub fn attacks<L: Law + ?Sized>(_law: &L, pos: &Pos, from: usize, to: usize) -> bool {
    let white = pos.board.owns(true, from);
    match pos.board.kind(from) {
        Some(kind) => attacks_as(pos, kind, white, from, to),
        None => false,
    }
}

/// Returns whether an orthodox unit of this kind (upper case) and side on `from` would attack `to`.
pub fn attacks_as(pos: &Pos, kind: char, white: bool, from: usize, to: usize) -> bool {
    let board = &pos.board;
    let bishop = || board.diagonal(from, to) && (board.open(from, to) || planted!(BishopsPass));
    let rook = || board.straight(from, to) && board.open(from, to);
    match kind {
        'P' => {
            let (files, ranks) = board.delta(from, to);
            files.abs() == 1 && ranks == ahead(white) && !planted!(PawnsDoNotCapture)
        }
        'N' if planted!(LongKnights) => board.gap(from, to) == (1, 3),
        'N' => board.gap(from, to) == (1, 2),
        'B' => bishop(),
        'R' => rook(),
        'Q' => bishop() || rook(),
        'K' => board.next_to(from, to),
        _ => false,
    }
}

/// Returns the kind of the pseudo-legal step from one square to another, or `None` if there is none. Castling
/// is not considered.
pub fn reach<L: Law + ?Sized>(law: &L, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
    if pos.board.kind(from) == Some('P') {
        return reach_of_pawn(law, pos, from, to);
    }
    law.attacks(pos, from, to).then_some(Kind::Plain)
}

fn reach_of_pawn<L: Law + ?Sized>(law: &L, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
    let board = &pos.board;
    let white = board.owns(true, from);
    if !board.is_empty(to) {
        return law.attacks(pos, from, to).then_some(Kind::Plain);
    }
    let (files, ranks) = board.delta(from, to);
    if files == 0 && ranks == ahead(white) {
        return Some(Kind::Plain);
    }
    let may_double = law.basics().double_step && board.ranks >= 6 && board.depth(from, white) == 1;
    if may_double
        && !planted!(NoDoubleStep)
        && files == 0
        && ranks == 2 * ahead(white)
        && board.open(from, to)
    {
        return Some(Kind::Double);
    }
    if pos.ep == Some(to)
        && !planted!(NoEnPassant)
        && pos.white == white
        && law.has_en_passant(pos)
        && law.attacks(pos, from, to)
    {
        return Some(Kind::EnPassant);
    }
    None
}

/// Returns all pseudo-legal steps of a side except castling.
pub fn steps<L: Law + ?Sized>(law: &L, pos: &Pos, white: bool) -> Vec<Step> {
    let board = &pos.board;
    let mut list = Vec::new();
    for step in steps_without_promotion(law, pos, white) {
        if step.is('P') && board.depth(step.to, white) + 1 == board.ranks {
            list.extend(promoted(&step, &law.promotions(pos, white)));
        } else {
            list.push(step);
        }
    }
    list
}

/// Returns all pseudo-legal steps of a side except castling, in a game in which pawns do not promote.
pub fn steps_without_promotion<L: Law + ?Sized>(law: &L, pos: &Pos, white: bool) -> Vec<Step> {
    let untouchable = law.royals(pos, !white);
    let mut list = Vec::new();
    for from in pos.board.units(white) {
        for to in pos.board.squares() {
            if to == from
                || pos.board.is_hole(to)
                || pos.board.owns(white, to)
                || untouchable.contains(&to)
            {
                continue;
            }
            if let Some(kind) = law.reach(pos, from, to) {
                list.push(step(pos, kind, from, to));
            }
        }
    }
    list
}

/// Returns a step without promotion, with the unit that it captures, if any.
pub fn step(pos: &Pos, kind: Kind, from: usize, to: usize) -> Step {
    let captured = match kind {
        Kind::EnPassant => pos.board.unit(passed(pos, from, to)),
        _ => pos.board.unit(to),
    };
    Step {
        kind,
        unit: pos.board.cells[from],
        from,
        to,
        captured,
        promotion: None,
    }
}

/// Returns the step once for each kind (upper case) that the unit may become.
pub fn promoted(step: &Step, kinds: &[char]) -> Vec<Step> {
    let white = step.unit.is_ascii_uppercase();
    let count = if planted!(OnePromotion) {
        1
    } else {
        kinds.len()
    };
    kinds[..count.min(kinds.len())]
        .iter()
        .map(|&kind| Step {
            promotion: Some(super::board::letter(white, kind)),
            ..step.clone()
        })
        .collect()
}

/// Returns the square of the pawn captured en passant: on the file of the target and the rank of the origin.
pub fn passed(pos: &Pos, from: usize, to: usize) -> usize {
    pos.board.rank(from) * pos.board.files + pos.board.file(to)
}

/// Returns the four orthodox ways to castle. They exist only on boards of exactly 8 files.
pub fn castling_ways<L: Law + ?Sized>(law: &L, pos: &Pos) -> Vec<Way> {
    let board = &pos.board;
    if !law.basics().castling || board.files != 8 {
        return Vec::new();
    }
    ways(pos, 4, [('K', 7, 6, 5), ('Q', 0, 2, 3)])
}

/// Returns the ways to castle of both sides. `king` is the home file of the king. Each wing has White's
/// letter, the home file of the rook, and the files of the targets of king and rook.
pub fn ways(pos: &Pos, king: usize, wings: [(char, usize, usize, usize); 2]) -> Vec<Way> {
    let mut ways = Vec::new();
    for white in [true, false] {
        let rank = if white { 0 } else { pos.board.ranks - 1 };
        let on = |file: usize| rank * pos.board.files + file;
        for (letter, rook, king_to, rook_to) in wings {
            ways.push(Way {
                letter: if white {
                    letter
                } else {
                    letter.to_ascii_lowercase()
                },
                white,
                king: on(king),
                rook: on(rook),
                king_to: on(king_to),
                rook_to: on(rook_to),
            });
        }
    }
    ways
}

/// Returns whether the king and the rook of a way to castle are on their home squares.
pub fn at_home(pos: &Pos, way: &Way) -> bool {
    pos.board.owns(way.white, way.king)
        && pos.board.kind(way.king) == Some('K')
        && pos.board.owns(way.white, way.rook)
        && pos.board.kind(way.rook) == Some('R')
}

/// Removes castling rights that the variant does not have, or whose king or rook is not at home.
pub fn drop_rights<L: Law + ?Sized>(law: &L, pos: &mut Pos) {
    let kept: Vec<char> = law
        .castling_ways(pos)
        .iter()
        .filter(|way| at_home(pos, way))
        .map(|way| way.letter)
        .collect();
    pos.castling.retain(|letter| kept.contains(letter));
}

/// Returns the castling steps of a side.
pub fn castlings<L: Law + ?Sized>(law: &L, pos: &Pos, white: bool) -> Vec<Step> {
    let mut list = Vec::new();
    for way in law.castling_ways(pos) {
        if way.white != white || !pos.castling.contains(&way.letter) || !at_home(pos, &way) {
            continue;
        }
        if !pos.board.open(way.king, way.rook) || planted!(NoCastling) {
            continue;
        }
        let mut asked = Vec::new();
        if law.castling_test() != CastlingTest::Free {
            asked.push(way.king);
            asked.extend(pos.board.between(way.king, way.king_to));
        }
        if law.castling_test() == CastlingTest::Full {
            asked.push(way.king_to);
        }
        if asked
            .iter()
            .any(|&square| law.attacked(pos, square, !white))
        {
            continue;
        }
        list.push(step(pos, Kind::Castle, way.king, way.king_to));
    }
    list
}

/// Returns whether a unit of the side `by` attacks the square.
pub fn attacked<L: Law + ?Sized>(law: &L, pos: &Pos, square: usize, by: bool) -> bool {
    pos.board
        .units(by)
        .any(|from| from != square && law.attacks(pos, from, square))
}

/// Returns whether a royal unit of the side is attacked.
pub fn in_danger<L: Law + ?Sized>(law: &L, pos: &Pos, white: bool) -> bool {
    if planted!(NoCheck) {
        return false;
    }
    law.royals(pos, white)
        .into_iter()
        .any(|square| law.attacked(pos, square, !white))
}

/// Returns the units that attack a royal unit of the side.
pub fn checkers<L: Law + ?Sized>(law: &L, pos: &Pos, white: bool) -> Vec<usize> {
    let royals = law.royals(pos, white);
    pos.board
        .units(!white)
        .filter(|&from| royals.iter().any(|&royal| law.attacks(pos, from, royal)))
        .collect()
}

/// Returns the position after one step, with the same side to move.
pub fn apply<L: Law + ?Sized>(law: &L, pos: &Pos, step: &Step) -> Pos {
    let mut now = pos.clone();
    let cells = &mut now.board.cells;
    cells[step.from] = super::board::EMPTY;
    cells[step.to] = step.promotion.unwrap_or(step.unit);
    now.ep = None;
    match step.kind {
        Kind::Plain | Kind::Drop => {}
        Kind::Double => now.ep = Some(pos.board.between(step.from, step.to)[0]),
        Kind::EnPassant => cells[passed(pos, step.from, step.to)] = super::board::EMPTY,
        Kind::Castle => {
            let ways = law.castling_ways(pos);
            let way = ways
                .iter()
                .find(|way| way.king == step.from && way.king_to == step.to)
                .expect("a castling step has its way");
            cells[way.rook_to] = cells[way.rook];
            cells[way.rook] = super::board::EMPTY;
        }
    }
    drop_rights(law, &mut now);
    now
}

/// Returns whether a step moves a pawn or captures.
pub fn resets_clock(steps: &[Step]) -> bool {
    steps
        .iter()
        .any(|step| step.captured.is_some() || (step.is('P') && step.kind != Kind::Drop))
}

/// Returns whether a pawn of the side to move can capture en passant on the square.
pub fn ep_qualifies<L: Law + ?Sized>(law: &L, pos: &Pos, square: usize) -> bool {
    let board = &pos.board;
    if !law.basics().double_step || board.ranks < 6 || !law.has_en_passant(pos) {
        return false;
    }
    // From the view of the side to move, from far to near: the origin, the square, the enemy pawn.
    if board.depth(square, pos.white) + 3 != board.ranks || !board.is_empty(square) {
        return false;
    }
    let Some(origin) = board.offset(square, 0, ahead(pos.white)) else {
        return false;
    };
    let Some(pawn) = board.offset(square, 0, -ahead(pos.white)) else {
        return false;
    };
    let is_pawn = |s: usize, white: bool| board.owns(white, s) && board.kind(s) == Some('P');
    board.is_empty(origin)
        && is_pawn(pawn, !pos.white)
        && [-1, 1].into_iter().any(|side| {
            board
                .offset(pawn, side, 0)
                .is_some_and(|s| is_pawn(s, pos.white))
        })
}

/// Ends a turn, see [`Law::finish`].
pub fn finish<L: Law + ?Sized>(law: &L, before: &Pos, steps: &[Step], now: Pos) -> Turn {
    let mut after = now;
    after.white = !before.white;
    after.fullmove = before.fullmove.saturating_add(u64::from(!before.white));
    after.halfmove = if law.resets_clock(before, steps, &after) {
        0
    } else {
        before.halfmove.saturating_add(1)
    };
    law.note(before, steps, &mut after);
    after.ep = after.ep.filter(|&square| ep_qualifies(law, &after, square));
    Turn {
        steps: steps.to_vec(),
        after,
    }
}

/// Returns the steps joined by `+`.
pub fn text(pos: &Pos, steps: &[Step]) -> String {
    let words: Vec<String> = steps.iter().map(|step| step_text(pos, step)).collect();
    words.join("+")
}

/// Returns the text of a step, such as `e2e4`, `e7e8q` or `N@e4`.
pub fn step_text(pos: &Pos, step: &Step) -> String {
    let to = pos.board.name(step.to);
    if step.kind == Kind::Drop {
        return format!("{}@{to}", step.unit.to_ascii_uppercase());
    }
    let mut text = pos.board.name(step.from) + &to;
    text.extend(step.promotion.map(|unit| unit.to_ascii_lowercase()));
    text
}

/// Returns all pseudo-legal steps and castlings of the side to move.
pub fn all_steps<L: Law + ?Sized>(law: &L, pos: &Pos) -> Vec<Step> {
    let mut list = law.steps(pos, pos.white);
    list.extend(law.castlings(pos, pos.white));
    list
}

/// Returns the turn that consists of this one step. Does not check whether it is legal.
pub fn one_step<L: Law + ?Sized>(law: &L, pos: &Pos, step: Step) -> Turn {
    let now = law.apply(pos, &step);
    law.finish(pos, &[step], now)
}

/// Returns the legal turns of one step.
pub fn turns<L: Law + ?Sized>(law: &L, pos: &Pos) -> Vec<Turn> {
    all_steps(law, pos)
        .into_iter()
        .map(|step| one_step(law, pos, step))
        .filter(|turn| law.legal(pos, &turn.steps, &turn.after))
        .collect()
}

/// Returns the outcome of a position without a legal turn.
pub fn no_turn<L: Law + ?Sized>(law: &L, pos: &Pos) -> String {
    if law.in_danger(pos, pos.white) {
        wins(!pos.white, "checkmate")
    } else {
        draw("stalemate")
    }
}

/// Returns the outcome of a position without a legal turn, in a game in which the side to move then loses: by
/// checkmate if it is in danger, otherwise for the given reason.
pub fn loses_without_turn<L: Law + ?Sized>(law: &L, pos: &Pos, reason: &str) -> String {
    let mated = law.in_danger(pos, pos.white);
    wins(!pos.white, if mated { "checkmate" } else { reason })
}

/// Returns whether the side to move is in danger and has no legal turn.
pub fn is_checkmate<L: Law + ?Sized>(law: &L, pos: &Pos) -> bool {
    law.in_danger(pos, pos.white) && law.turns(pos).is_empty()
}

/// Returns whether the side to move has an orthodox turn that checkmates.
pub fn can_checkmate(pos: &Pos) -> bool {
    turns(&Fide, pos)
        .iter()
        .any(|turn| is_checkmate(&Fide, &turn.after))
}
