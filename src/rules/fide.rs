//! Orthodox chess, as free functions that take a rule set and call back through it.
//!
//! FIDE Laws of Chess, articles 3 and 5. The functions are what the hooks of [`Rules`] default
//! to; an override can call them by name. [`Fide`](super::sets::fide::Fide) is the rule set that
//! overrides nothing.

use super::{Action, Flow, Outcome, Rules, Safety, Sink, Step, Sure, Turn, before, reason};
use crate::board::{Board, Color, Kind, Men, Movement, Square, Squares};
use crate::position::{Layout, Position, Rights};

/// The array at the start.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The same without castling rights.
pub const START_NO_CASTLING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

/// The kinds that are no pawns.
pub const PIECES: [Kind; 5] = [
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Queen,
    Kind::King,
];

/// A kind that slides, if all that slide have one range, so that lines need to be looked up only
/// once.
const fn one_range(men: &Men) -> Option<Kind> {
    let mut found: Option<(Kind, u8)> = None;
    let mut i = 0;
    while i < PIECES.len() {
        if let Movement::Slider(slides) = men.movements[PIECES[i] as usize] {
            match found {
                Some((_, range)) if range != slides.range => return None,
                _ => found = Some((PIECES[i], slides.range)),
            }
        }
        i += 1;
    }
    match found {
        Some((kind, _)) => Some(kind),
        None => None,
    }
}

/// The sliders of `by` that see a square, with these squares occupied.
#[inline(always)]
pub fn slider_attackers<W: Layout>(
    men: &Men,
    b: &Board<W::Set>,
    p: &Position<W>,
    target: Square,
    by: Color,
    occupied: W::Set,
) -> W::Set {
    let theirs = p.color(by);
    let mut found = W::Set::EMPTY;
    if let Some(lines) = one_range(men) {
        let (mut orthogonal, mut diagonal) = (W::Set::EMPTY, W::Set::EMPTY);
        for kind in PIECES {
            if let Movement::Slider(slides) = men.movements[kind.index()] {
                if slides.orthogonal {
                    orthogonal |= p.kind(kind);
                }
                if slides.diagonal {
                    diagonal |= p.kind(kind);
                }
            }
        }
        found |= b.slide_orthogonal(lines, target, occupied) & orthogonal;
        found |= b.slide_diagonal(lines, target, occupied) & diagonal;
        return found & theirs;
    }
    for kind in PIECES {
        if let Movement::Slider(slides) = men.movements[kind.index()] {
            let units = p.kind(kind) & theirs;
            if slides.orthogonal {
                found |= b.slide_orthogonal(kind, target, occupied) & units;
            }
            if slides.diagonal {
                found |= b.slide_diagonal(kind, target, occupied) & units;
            }
        }
    }
    found
}

/// The pawns and leapers of `by` that attack a square.
#[inline(always)]
fn leaper_attackers<W: Layout>(
    men: &Men,
    b: &Board<W::Set>,
    p: &Position<W>,
    target: Square,
    by: Color,
) -> W::Set {
    let mut found = b.pawn_captures(!by, target) & p.kind(Kind::Pawn);
    for kind in PIECES {
        if let Movement::Leaper(_) = men.movements[kind.index()] {
            found |= b.leap(kind, target) & p.kind(kind);
        }
    }
    found & p.color(by)
}

/// The units of `by` that attack a square, as the men move: those that could capture there.
/// Leaps are taken to be symmetric (for every offset its opposite).
#[inline(always)]
pub fn attackers<W: Layout>(
    men: &Men,
    b: &Board<W::Set>,
    p: &Position<W>,
    target: Square,
    by: Color,
    occupied: W::Set,
) -> W::Set {
    leaper_attackers(men, b, p, target, by) | slider_attackers(men, b, p, target, by, occupied)
}

/// Whether a side attacks a square.
#[inline]
pub fn attacked<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    target: Square,
    by: Color,
) -> bool {
    !r.attackers(b, p, target, by, p.occupied()).is_empty()
}

/// The royal units of a side that stand attacked.
pub fn royals_attacked<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    color: Color,
) -> W::Set {
    r.royals(b, p, color)
        .iter()
        .filter(|&square| attacked(r, b, p, square, !color))
        .fold(W::Set::EMPTY, W::Set::with)
}

/// Whether a side is in check: a royal unit attacked, or an intruder on the board.
#[inline]
pub fn in_check<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    color: Color,
) -> bool {
    r.royals(b, p, color)
        .iter()
        .any(|square| attacked(r, b, p, square, !color))
        || !r.intruders(b, p, color).is_empty()
}

/// Whether a side stands as the law wants it after its turn: not in check.
#[inline]
pub fn safe<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    mover: Color,
) -> bool {
    !in_check(r, b, p, mover)
}

/// Steps of pawns onto squares of `allowed`: straight ahead, the double step, captures.
#[inline(always)]
pub fn pawn_steps<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    pawns: W::Set,
    allowed: W::Set,
    sink: &mut K,
) -> Flow {
    let us = p.side;
    let ahead = b.ahead(us);
    let vacant = !p.occupied();
    let one = b.pushed(pawns, us) & vacant;
    pawns_to(r, b, p, ahead, one & allowed, sink)?;
    if r.double_step() && b.geometry().ranks() >= 6 {
        let passed = b.pushed(pawns & b.rank_of(us, 1), us) & vacant;
        let two = b.pushed(passed, us) & vacant & allowed;
        sink.pawns(2 * ahead, two, Action::DoubleStep)?;
    }
    let victims = r.capturable(b, p, Kind::Pawn) & allowed;
    for (offset, targets) in b.pushed_aside(pawns, us) {
        pawns_to(r, b, p, offset, targets & victims, sink)?;
    }
    Flow::Continue(())
}

/// Pawns that go `offset` squares to these targets, promoting on the last rank.
#[inline(always)]
pub fn pawns_to<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    offset: i32,
    targets: W::Set,
    sink: &mut K,
) -> Flow {
    let last = b.last_rank(p.side) & targets;
    if last.is_empty() {
        return sink.pawns(offset, targets, Action::Go);
    }
    sink.pawns(offset, targets & !last, Action::Go)?;
    match r.promotions(b, p) {
        [] => sink.pawns(offset, last, Action::Go),
        choices => sink.pawns_becoming(offset, last, choices),
    }
}

/// A unit that may go to these targets, changing on the last rank where the rules let it.
#[inline(always)]
pub fn unit_to<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    kind: Kind,
    from: Square,
    targets: W::Set,
    sink: &mut K,
) -> Flow {
    sink.unit(kind, from, targets)?;
    if r.changes().contains(&kind) {
        let last = targets & b.last_rank(p.side);
        if !last.is_empty() {
            for choice in r.changes() {
                if *choice != kind {
                    sink.unit_becoming(kind, from, last, std::slice::from_ref(choice))?;
                }
            }
        }
    }
    Flow::Continue(())
}

/// The en passant captures of these pawns of the side to move.
#[inline(always)]
pub fn en_passants<W: Layout>(
    b: &Board<W::Set>,
    p: &Position<W>,
    pawns: W::Set,
    mut found: impl FnMut(Turn) -> Flow,
) -> Flow {
    if let Some(target) = p.en_passant() {
        for from in (b.pawn_captures(!p.side, target) & pawns).iter() {
            found(Turn::of(Step::new(
                Action::EnPassant,
                Kind::Pawn,
                from,
                target,
            )))?;
        }
    }
    Flow::Continue(())
}

/// The castlings whose squares are empty and whose king neither stands nor passes attacked
/// (nor, with `landing`, arrives so). Without royal units attacks do not matter.
#[inline]
pub fn castlings<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    landing: bool,
    mut found: impl FnMut(Turn) -> Flow,
) -> Flow {
    let us = p.side;
    if p.rights.0 >> (us.index() * 2) & 3 == 0 {
        return Flow::Continue(());
    }
    let Some(castling) = r.castling() else {
        return Flow::Continue(());
    };
    let royal = R::SAFETY != Safety::Free;
    let occupied = p.occupied();
    for higher in [true, false] {
        if !p.rights.has(Rights::bit(us, higher)) {
            continue;
        }
        let (king, rook) = castling.homes(b.geometry(), us, higher);
        let toward = if higher { 1 } else { -1 };
        let passed = before(king, -toward);
        let target = before(king, -2 * toward);
        // The squares between king and rook are one line; a hole cuts it.
        let between = b.between(king, rook);
        let whole = between.len() == u32::from(king.0.abs_diff(rook.0)) - 1;
        if !whole || !(between & occupied).is_empty() {
            continue;
        }
        if royal
            && (attacked(r, b, p, king, !us)
                || attacked(r, b, p, passed, !us)
                || (landing && attacked(r, b, p, target, !us)))
        {
            continue;
        }
        found(Turn::of(Step::new(
            Action::Castle,
            Kind::King,
            king,
            target,
        )))?;
    }
    Flow::Continue(())
}

/// The pseudo-legal steps of units that are no pawns.
#[inline(always)]
pub fn piece_steps<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    sink: &mut K,
) -> Flow {
    let own = p.color(p.side);
    let occupied = p.occupied();
    for kind in PIECES {
        let units = p.kind(kind) & own;
        if units.is_empty() {
            continue;
        }
        let allowed = !(occupied & !r.capturable(b, p, kind));
        for from in units.iter() {
            unit_to(
                r,
                b,
                p,
                kind,
                from,
                r.reach(b, p, kind, from) & allowed,
                sink,
            )?;
        }
    }
    Flow::Continue(())
}

/// The pseudo-legal turns: pieces, pawns, en passant, castling.
#[inline(always)]
pub fn pseudo<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    sink: &mut K,
) -> Flow {
    let pawns = p.units(p.side, Kind::Pawn);
    r.pawn_steps(b, p, pawns, b.squares(), sink)?;
    en_passants(b, p, pawns, |turn| sink.turn(turn))?;
    piece_steps(r, b, p, sink)?;
    castlings(r, b, p, false, |turn| sink.turn(turn))
}

/// The legal turns, found as the rule set's [`Safety`] says.
#[inline(always)]
pub fn legal<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    sink: &mut K,
) -> Flow {
    match R::SAFETY {
        Safety::Pins => legal_by_pins(r, b, p, b.squares(), sink),
        Safety::Trial => legal_by_trial(r, b, p, sink),
        Safety::Free => r.pseudo(b, p, sink),
    }
}

/// The legal turns: each pseudo-legal one is played and judged, those aside that are surely safe.
#[inline(always)]
pub fn legal_by_trial<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    sink: &mut K,
) -> Flow {
    let sure = r.sure(b, p);
    r.pseudo(
        b,
        p,
        &mut Tried {
            rules: r,
            board: b,
            position: p,
            sure,
            sink,
        },
    )
}

/// Lets through what is surely safe, whole sets of targets at a time, and of the rest the turns
/// that turn out to be safe.
#[derive(Debug)]
pub struct Tried<'a, W: Layout, R, K> {
    /// The rules.
    pub rules: &'a R,
    /// The board.
    pub board: &'a Board<W::Set>,
    /// The position before the turn.
    pub position: &'a Position<W>,
    /// What need not be tried.
    pub sure: Sure<W::Set>,
    /// Where legal turns go.
    pub sink: &'a mut K,
}

impl<W: Layout, R: Rules<W>, K: Sink<W::Set>> Sink<W::Set> for Tried<'_, W, R, K> {
    const LOOKS: bool = K::LOOKS;

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, mut targets: W::Set) -> Flow {
        if self.sure.movers.has(from) {
            self.sink.unit(kind, from, targets & self.sure.targets)?;
            targets &= !self.sure.targets;
        }
        for to in targets.iter() {
            self.turn(Turn::of(Step::go(kind, from, to)))?;
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: W::Set, action: Action) -> Flow {
        let sure = targets & self.sure.movers.shift(offset) & self.sure.targets;
        self.sink.pawns(offset, sure, action)?;
        for to in (targets & !sure).iter() {
            let from = before(to, offset);
            self.turn(Turn::of(Step::new(action, Kind::Pawn, from, to)))?;
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn unit_becoming(
        &mut self,
        kind: Kind,
        from: Square,
        targets: W::Set,
        choices: &[Kind],
    ) -> Flow {
        for to in targets.iter() {
            for &choice in choices {
                self.turn(Turn::of(Step::go(kind, from, to).becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: W::Set, choices: &[Kind]) -> Flow {
        let sure = targets & self.sure.movers.shift(offset) & self.sure.targets;
        self.sink.pawns_becoming(offset, sure, choices)?;
        for to in (targets & !sure).iter() {
            let step = Step::go(Kind::Pawn, before(to, offset), to);
            for &choice in choices {
                self.turn(Turn::of(step.becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn placed(&mut self, kind: Kind, targets: W::Set) -> Flow {
        self.sink.placed(kind, targets & self.sure.targets)?;
        for to in (targets & !self.sure.targets).iter() {
            self.turn(Turn::of(Step::place(kind, to)))?;
        }
        Flow::Continue(())
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        let after = moved(self.rules, self.board, self.position, &turn);
        if self.rules.safe(self.board, self.position, &turn, &after) {
            self.sink.turn(turn)
        } else {
            Flow::Continue(())
        }
    }
}

/// The legal turns of the units in `movers`, by lines of check and pins, without playing any.
/// Right only where the rule set's safety is [`Safety::Pins`].
#[inline(always)]
pub fn legal_by_pins<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    movers: W::Set,
    sink: &mut K,
) -> Flow {
    let us = p.side;
    let own = p.color(us);
    let occupied = p.occupied();
    let mut mask = b.squares();
    let mut pinned = W::Set::EMPTY;
    let mut pins = [(Square(0), W::Set::EMPTY); 8];
    let mut pin_count = 0;
    let king = r.royals(b, p, us).first();

    if let Some(king) = king {
        let intruders = r.intruders(b, p, us);
        let mut threats = attackers(r.men(), b, p, king, !us, occupied);
        if movers.has(king) {
            king_steps(r, b, p, king, intruders, sink)?;
            if (threats | intruders).is_empty() {
                castlings(r, b, p, true, |turn| sink.turn(turn))?;
            }
        }
        if !intruders.is_empty() {
            mask &= intruders;
            threats |= intruders;
        }
        if threats.several() {
            // Two threats: no single capture or block meets both.
            return Flow::Continue(());
        }
        if let Some(checker) = threats.first() {
            // For a leaper nothing lies between that would help.
            let line = if intruders.is_empty() && slides(r.men(), p.kind_on(checker)) {
                b.between(king, checker)
            } else {
                W::Set::EMPTY
            };
            mask &= line.with(checker);
        }
        let snipers = slider_attackers(r.men(), b, p, king, !us, p.color(!us));
        for sniper in snipers.iter() {
            let line = b.between(king, sniper);
            let blockers = line & own;
            if !blockers.is_empty() && !blockers.several() {
                pinned |= blockers;
                pins[pin_count] = (blockers.lowest(), line.with(sniper));
                pin_count += 1;
            }
        }
    }
    if mask.is_empty() {
        return Flow::Continue(());
    }

    let movers = movers & own;
    let pawns = p.kind(Kind::Pawn) & movers;
    let free_pawns = pawns & !pinned;
    if !free_pawns.is_empty() {
        r.pawn_steps(b, p, free_pawns, mask, sink)?;
    }
    for kind in PIECES {
        if kind == Kind::King {
            continue;
        }
        let units = p.kind(kind) & movers & !pinned;
        if units.is_empty() {
            continue;
        }
        let allowed = mask & !(occupied & !r.capturable(b, p, kind));
        for from in units.iter() {
            let targets = reach(r.men(), b, kind, from, occupied) & allowed;
            unit_to(r, b, p, kind, from, targets, sink)?;
        }
    }
    for &(from, line) in &pins[..pin_count] {
        if !movers.has(from) {
            continue;
        }
        match p.kind_on(from) {
            Kind::Pawn => r.pawn_steps(b, p, W::Set::of(from), mask & line, sink)?,
            kind => {
                let allowed = mask & line & !(occupied & !r.capturable(b, p, kind));
                let targets = reach(r.men(), b, kind, from, occupied) & allowed;
                unit_to(r, b, p, kind, from, targets, sink)?;
            }
        }
    }
    if p.en_passant().is_some() {
        en_passants(b, p, pawns, |turn| {
            if safe(r, b, &moved(r, b, p, &turn), us) {
                sink.turn(turn)
            } else {
                Flow::Continue(())
            }
        })?;
    }
    Flow::Continue(())
}

/// Whether the men of this kind slide.
#[inline(always)]
fn slides(men: &Men, kind: Kind) -> bool {
    matches!(men.movements[kind.index()], Movement::Slider(_))
}

/// Where a piece goes, looked up with what is known of the men when compiling.
#[inline(always)]
pub fn reach<S: Squares>(men: &Men, b: &Board<S>, kind: Kind, from: Square, occupied: S) -> S {
    match men.movements[kind.index()] {
        Movement::Leaper(_) => b.leap(kind, from),
        Movement::Slider(slides) => {
            let mut seen = S::EMPTY;
            if slides.orthogonal {
                seen |= b.slide_orthogonal(kind, from, occupied);
            }
            if slides.diagonal {
                seen |= b.slide_diagonal(kind, from, occupied);
            }
            seen
        }
        Movement::Special => S::EMPTY,
    }
}

/// The king's steps to squares that are not attacked once he has left his own, and that leave no
/// intruder.
#[inline(always)]
fn king_steps<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    king: Square,
    intruders: W::Set,
    sink: &mut K,
) -> Flow {
    let us = p.side;
    let occupied = p.occupied();
    let mut targets = b.leap(Kind::King, king) & !(occupied & !r.capturable(b, p, Kind::King));
    if !intruders.is_empty() {
        targets &= if intruders.several() {
            W::Set::EMPTY
        } else {
            intruders
        };
    }
    let without = occupied.without(king);
    let mut safe = W::Set::EMPTY;
    for target in targets.iter() {
        if leaper_attackers(r.men(), b, p, target, !us).is_empty()
            && slider_attackers(r.men(), b, p, target, !us, without).is_empty()
        {
            safe = safe.with(target);
        }
    }
    sink.unit(Kind::King, king, safe)
}

/// What an orthodox turn captures.
#[inline(always)]
pub fn captured<W: Layout>(p: &Position<W>, turn: &Turn) -> Option<Kind> {
    let step = turn.first();
    match step.action() {
        Action::EnPassant => Some(Kind::Pawn),
        _ => p.color(!p.side).has(step.to).then(|| p.kind_on(step.to)),
    }
}

/// Where the unit stands that an orthodox turn captures.
#[inline(always)]
pub fn captured_on<W: Layout>(b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> Option<Square> {
    let step = turn.first();
    match step.action() {
        Action::EnPassant => Some(before(step.to, b.ahead(p.side))),
        _ => p.color(!p.side).has(step.to).then_some(step.to),
    }
}

/// Carries a step out on the board: units, captures, promotion and castling rights. Side, clocks,
/// en passant square and state are not touched. Returns whether something was captured.
#[inline(always)]
pub fn carry_out<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &mut Position<W>,
    step: Step,
) -> bool {
    let before = *p;
    carry_out_of(r, b, &before, p, step)
}

/// The same, when the position before the step is at hand: reading from it what the copy still
/// has spares waiting for the copy.
#[inline(always)]
fn carry_out_of<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    before_step: &Position<W>,
    p: &mut Position<W>,
    step: Step,
) -> bool {
    let us = before_step.side;
    let (from, to, kind) = (step.from, step.to, step.kind());
    let mut captured = false;
    match step.action() {
        Action::None => {}
        Action::Go | Action::DoubleStep => {
            if before_step.color(!us).has(to) {
                p.take(!us, before_step.kind_on(to), to);
                captured = true;
            }
            match step.becomes() {
                None => p.shift(us, kind, from, to),
                Some(new) => {
                    p.take(us, kind, from);
                    p.put(us, new, to);
                }
            }
            if before_step.rights.0 != 0 {
                p.rights = p.rights.without(Rights(b.mark(from) | b.mark(to)));
            }
        }
        Action::EnPassant => {
            p.take(!us, Kind::Pawn, before(to, b.ahead(us)));
            p.shift(us, Kind::Pawn, from, to);
            captured = true;
        }
        Action::Castle => {
            let higher = to > from;
            if let Some(castling) = r.castling() {
                let (_, rook) = castling.homes(b.geometry(), us, higher);
                let passed = before(from, if higher { -1 } else { 1 });
                p.shift(us, Kind::King, from, to);
                p.shift(us, Kind::Rook, rook, passed);
                p.rights = p.rights.without(Rights(b.mark(from)));
            }
        }
        Action::Place => p.put(us, kind, to),
        Action::Mirror => {
            p.shift(us, kind, from, to);
            p.rights = p.rights.without(Rights(b.mark(from)));
        }
        Action::Push => match step.becomes() {
            None => p.shift(!us, Kind::Pawn, from, to),
            Some(new) => {
                p.take(!us, Kind::Pawn, from);
                p.put(!us, new, to);
            }
        },
    }
    captured
}

/// The board after a turn with the opponent to move, en passant square and clocks set, the state
/// as it was: what own safety is judged on.
#[inline(always)]
pub fn moved<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    turn: &Turn,
) -> Position<W> {
    let mut after = *p;
    move_on(r, b, p, turn, &mut after);
    after
}

/// Makes of `after`, a copy of `p`, the position after a turn, the state as it was.
#[inline(always)]
fn move_on<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    turn: &Turn,
    after: &mut Position<W>,
) {
    let pawn = |step: Step| step.kind() == Kind::Pawn && step.action() != Action::Place;
    let [first, second] = turn.steps;
    let mut resets = carry_out_of(r, b, p, after, first) || pawn(first);
    if !second.is_none() {
        resets |= carry_out(r, b, after, second) || pawn(second);
    }
    pass(after, resets);
    let last = if second.is_none() { first } else { second };
    if last.action() == Action::DoubleStep {
        offer_en_passant(r, b, after, last);
    }
}

/// Gives the turn to the opponent: side, clocks, no en passant square.
#[inline(always)]
pub fn pass<W: Layout>(p: &mut Position<W>, resets: bool) {
    p.set_en_passant(None);
    p.halfmove = if resets {
        0
    } else {
        p.halfmove.saturating_add(1)
    };
    if p.side == Color::Black {
        p.fullmove = p.fullmove.saturating_add(1);
    }
    p.side = !p.side;
}

/// Sets the en passant square behind a pawn that has just made a double step, if a pawn of the
/// side to move stands so that it could take there.
#[inline(always)]
pub fn offer_en_passant<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &mut Position<W>,
    step: Step,
) {
    let us = p.side;
    let passed = before(step.to, b.ahead(!us));
    if r.en_passant(p) && !(b.pawn_captures(!us, passed) & p.units(us, Kind::Pawn)).is_empty() {
        p.set_en_passant(Some(passed));
    }
}

/// Makes of `after`, a copy of `p`, the position after a turn.
#[inline(always)]
pub fn effect<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    turn: &Turn,
    after: &mut Position<W>,
) {
    move_on(r, b, p, turn, after);
    r.note(b, p, turn, after);
}

/// Without a legal turn: checkmate if in check, else a draw by stalemate.
pub fn no_turn<W: Layout, R: Rules<W>>(r: &R, b: &Board<W::Set>, p: &Position<W>) -> Outcome {
    if in_check(r, b, p, p.side) {
        Outcome::Win(!p.side, reason::CHECKMATE)
    } else {
        Outcome::Draw(reason::STALEMATE)
    }
}

/// Whether any turn is legal by the rule set's own generator, filters aside.
pub fn has_legal<W: Layout, R: Rules<W>>(r: &R, b: &Board<W::Set>, p: &Position<W>) -> bool {
    let mut any = super::Any::default();
    let _ = r.legal(b, p, &mut any);
    any.0
}

/// Whether the side to move is checkmated, filters aside.
pub fn is_checkmate<W: Layout, R: Rules<W>>(r: &R, b: &Board<W::Set>, p: &Position<W>) -> bool {
    in_check(r, b, p, p.side) && !has_legal(r, b, p)
}

/// The side that has just moved may not stand in check.
pub fn mover_stands<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
) -> Result<(), String> {
    let mover = !p.side;
    let name = |square| b.geometry().name(square);
    if let Some(square) = royals_attacked(r, b, p, mover).first() {
        return Err(format!(
            "the side that has just moved stands with its royal unit on {} attacked",
            name(square)
        ));
    }
    if let Some(square) = r.intruders(b, p, mover).first() {
        return Err(format!(
            "the side that has just moved has left the intruder on {} standing",
            name(square)
        ));
    }
    Ok(())
}

/// Why a pseudo-legal turn is illegal.
pub fn refusal<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    turn: &Turn,
) -> String {
    let after = moved(r, b, p, turn);
    let name = |square| b.geometry().name(square);
    if let Some(royal) = royals_attacked(r, b, &after, p.side).first() {
        let by = r.attackers(b, &after, royal, after.side, after.occupied());
        let by: Vec<String> = by.iter().map(name).collect();
        return format!(
            "it leaves the royal unit on {} attacked from {}",
            name(royal),
            by.join(" and ")
        );
    }
    if let Some(square) = r.intruders(b, &after, p.side).first() {
        return format!("it leaves the intruder on {} standing", name(square));
    }
    "the rules of this variant forbid it here".to_string()
}
