//! # French Revolution Chess
//!
//! The pawns start past each other in the middle of the board, and every turn moves two units:
//! first a piece, then a pawn. As pawns only go forward, the pawns' steps are the game's clock.
//!
//! ## Against FIDE
//! | FIDE | French Revolution |
//! |---|---|
//! | pawns on the second rank | White's on the fifth, Black's on the fourth |
//! | one unit a turn | a step of a piece (or castling) and then a step of a pawn; White's first turn is a pawn step alone |
//! | double step, en passant | neither |
//! | all units can be captured | pawns on the fourth and fifth rank cannot |
//!
//! ## Rulings
//! * Each of the two steps is by itself legal in FIDE's sense: the own king is not attacked after
//!   it. So a check must be met by the first step.
//! * Promotion to Q, R, B, N; the new unit is a piece from the next turn on.
//! * In check without a legal first step is checkmate. Any other position without a legal turn is
//!   a draw, also in check when only the pawn step is missing.
//! * The ranks where pawns cannot be captured are the two in the middle, or the one on a board
//!   with an odd number of ranks.
//!
//! ## Options
//! * `weak-loss`: who has no legal turn without being checkmated loses weakly, 1/3 to 2/3.
//! * `no-promotion`: a pawn on its last rank stays there for good. (A FEN may then show pawns on
//!   the first rank too.)
//! * `ten-rows`: two more empty ranks.
//! * `avalanche`: the second step moves a pawn of the opponent one square straight ahead, as that
//!   pawn sees it, onto a vacant square; the player who moves it chooses what it becomes, and that player's
//!   own king may not be attacked after it.
//!
//! ## Example
//! White begins with one of `a5a6` to `h5h6`, a pawn step alone. Black answers with two steps, such
//! as `b8c6+a4a3`. After `a5a6` the rook may take the pawn that has left the protected ranks,
//! `a8a6+b4b3`; on a5 it could not be taken.

use board::{Color, Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::{
    Action, AnyGame, Carried, Consumer, Each, Facts, Flow, IndependentSteps, Legality, Outcome,
    Rules, SecondSteps, Sink, Step, Symmetries, Turn, after, fide, reason,
};
use rules::{MATE, OptionPurpose, Variant, VariantInfo, VariantOption};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "french-revolution",
    name: "French Revolution Chess",
    inventor: "Hans Bodlaender",
    page: "The Chess Variant Pages, 32-turn contest, 2000",
    difference: "a turn is a piece step and then a pawn step; pawns start in the middle",
    options: &[
        VariantOption {
            name: "weak-loss",
            range: None,
            purpose: OptionPurpose::Play,
            help: "who has no legal turn without being checkmated loses weakly (1/3 to 2/3)",
        },
        VariantOption {
            name: "no-promotion",
            range: None,
            purpose: OptionPurpose::Play,
            help: "a pawn on its last rank stays there as a pawn",
        },
        VariantOption {
            name: "ten-rows",
            range: None,
            purpose: OptionPurpose::Play,
            help: "two more empty ranks",
        },
        VariantOption {
            name: "avalanche",
            range: None,
            purpose: OptionPurpose::Play,
            help: "the second step moves a pawn of the opponent straight ahead",
        },
    ],
    state: &[(
        "first",
        "1 while White has not yet moved; its turn is then a pawn step alone",
    )],
    reasons: &[
        MATE,
        (
            reason::NO_TURN,
            "the side to move has no legal turn otherwise: a draw, with `weak-loss` a weak loss",
        ),
    ],
    source: include_str!("french_revolution.rs"),
    start: |options| {
        let ten = options.iter().any(|(name, _)| *name == "ten-rows");
        let gap = if ten { "8/8/8" } else { "8/8" };
        format!("rnbqkbnr/{gap}/PPPPPPPP/pppppppp/{gap}/RNBQKBNR w KQkq - 0 1 first=1")
    },
    open: |variant, geometry| {
        AnyGame::plain(FrenchRevolution::new(variant), variant.clone(), geometry)
    },
    ..VariantInfo::FIDE
};

/// The zone of the ranks where pawns cannot be captured.
const PROTECTED: usize = 0;

/// French Revolution Chess with its options (`ten-rows` changes only the start).
#[derive(Clone, Copy, Debug)]
pub struct FrenchRevolution {
    weak_loss: bool,
    no_promotion: bool,
    avalanche: bool,
}

impl FrenchRevolution {
    /// Returns the rule set with the options of a variant.
    pub fn new(variant: &Variant) -> FrenchRevolution {
        FrenchRevolution {
            weak_loss: variant.has("weak-loss"),
            no_promotion: variant.has("no-promotion"),
            avalanche: variant.has("avalanche"),
        }
    }

    /// Returns the position after a first step, with the same side to move.
    fn halfway<W: Layout>(&self, b: &BoardOf<W>, p: &Position<W>, step: Step) -> Position<W> {
        let mut halfway = *p;
        fide::carry_out(self, b, &mut halfway, step);
        halfway
    }

    /// Generates pushes of the opponent's pawns. Does not check the safety of the pushing side.
    fn pushes<W: Layout, K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        let them = !p.side;
        let targets = b.pushed(p.units(them, Kind::Pawn), them) & !p.occupied();
        let last = b.last_rank(them);
        for to in targets.iter() {
            let step = Step::new(
                Action::Push,
                Kind::Pawn,
                rules::before(to, b.ahead(them)),
                to,
            );
            match self.promotions(p) {
                choices if last.has(to) && !choices.is_empty() => {
                    for &choice in choices {
                        consumer.turn(Turn::of(step.becoming(choice)))?;
                    }
                }
                _ => consumer.turn(Turn::of(step))?,
            }
        }
        Flow::Continue(())
    }

    /// Generates the pawn steps that would be legal as single steps.
    fn legal_pawn_steps<W: Layout, K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        if !self.avalanche {
            return fide::unfiltered_by_pins(self, b, p, p.units(p.side, Kind::Pawn), consumer);
        }
        self.pushes(
            b,
            p,
            &mut Each(|turn: Turn| {
                if fide::in_check(self, b, &self.halfway(b, p, turn.first()), p.side) {
                    Flow::Continue(())
                } else {
                    consumer.turn(turn)
                }
            }),
        )
    }

    /// Generates the pawn steps. Does not check the safety of the moving side.
    fn pseudo_pawn_steps<W: Layout, K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        if self.avalanche {
            self.pushes(b, p, consumer)
        } else {
            self.pawn_steps(b, p, p.units(p.side, Kind::Pawn), b.squares(), consumer)
        }
    }

    /// Returns whether there is a legal first step.
    fn can_begin<W: Layout>(&self, b: &BoardOf<W>, p: &Position<W>) -> bool {
        let mut any = rules::Any::default();
        let _: Flow = if p.state == FIRST {
            self.legal_pawn_steps(b, p, &mut any)
        } else {
            fide::unfiltered_by_pins(self, b, p, pieces(p), &mut any)
        };
        any.0
    }
}

/// The state while White has not yet moved.
const FIRST: u64 = 1;

/// Returns the pieces of the side to move: its units except pawns.
fn pieces<W: Layout>(p: &Position<W>) -> W::Set {
    p.color(p.side) & !p.kind(Kind::Pawn)
}

/// The second steps of turns, from a position after a first step.
struct Second<'a, W: Layout> {
    rules: &'a FrenchRevolution,
    board: &'a BoardOf<W>,
    halfway: &'a Position<W>,
    legal: bool,
}

impl<W: Layout> SecondSteps<W::Set> for Second<'_, W> {
    fn run<K: Consumer<W::Set> + ?Sized>(&self, consumer: &mut K) -> Flow {
        if self.legal {
            self.rules
                .legal_pawn_steps(self.board, self.halfway, consumer)
        } else {
            self.rules
                .pseudo_pawn_steps(self.board, self.halfway, consumer)
        }
    }
}

impl<W: Layout> Rules<W> for FrenchRevolution {
    const FACTS: Facts = Facts {
        symmetries: Symmetries {
            ranks: false,
            diagonals: false,
            ..Symmetries::ALL
        },
        double_step: false,
        // A turn is a pawn step alone while White has not moved, and otherwise the step of a piece and that of
        // a pawn. In `avalanche`, the pawn is the opponent's.
        independent_steps: Some(IndependentSteps {
            states: &[0, FIRST],
            two_units: true,
        }),
        ..Facts::DEFAULT
    };

    fn zones(&self, b: &BoardOf<W>) -> [W::Set; 4] {
        let ranks = b.geometry().ranks();
        let middle = b.rank_set((ranks - 1) / 2) | b.rank_set(ranks / 2);
        [middle, W::Set::EMPTY, W::Set::EMPTY, W::Set::EMPTY]
    }

    fn promotions(&self, _: &Position<W>) -> &[Kind] {
        if self.no_promotion {
            &[]
        } else {
            &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight]
        }
    }

    fn capturable(&self, b: &BoardOf<W>, p: &Position<W>, _: Kind) -> W::Set {
        let spared = p.kind(Kind::Pawn) & b.zone(PROTECTED);
        p.color(!p.side) & !p.kind(Kind::King) & !spared
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        if p.state == FIRST {
            return self.pseudo_pawn_steps(b, p, c);
        }
        let mut begin = |turn: Turn| {
            let second = Second {
                rules: self,
                board: b,
                halfway: &self.halfway(b, p, turn.first()),
                legal: false,
            };
            after(turn.first(), c, second)
        };
        fide::piece_steps(self, b, p, &mut Each(&mut begin))?;
        for castling in fide::castlings(self, b, p, false).turns() {
            begin(castling)?;
        }
        Flow::Continue(())
    }

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        if p.state == FIRST {
            return self.legal_pawn_steps(b, p, c);
        }
        fide::unfiltered_by_pins(
            self,
            b,
            p,
            pieces(p),
            &mut Each(|turn: Turn| {
                let second = Second {
                    rules: self,
                    board: b,
                    halfway: &self.halfway(b, p, turn.first()),
                    legal: true,
                };
                after(turn.first(), c, second)
            }),
        )
    }

    fn update_state(&self, _: &BoardOf<W>, _: &Position<W>, _: &Turn, after: &mut Position<W>) {
        after.state = 0;
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        if fide::in_check(self, b, p, p.side) && !self.can_begin(b, p) {
            Outcome::Win(!p.side, reason::CHECKMATE)
        } else if self.weak_loss {
            Outcome::WeakWin(!p.side, reason::NO_TURN)
        } else {
            Outcome::Draw(reason::NO_TURN)
        }
    }

    fn no_pawns(&self, b: &BoardOf<W>, color: Color) -> W::Set {
        if self.no_promotion {
            W::Set::EMPTY
        } else {
            b.rank_of(color, 0) | b.last_rank(color)
        }
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let [first, second] = turn.steps;
        let halfway = self.halfway(b, p, first);
        if fide::in_check(self, b, &halfway, p.side) && !second.is_none() {
            return "its first step leaves the own king attacked; each step must be legal by itself"
                .to_string();
        }
        fide::refusal(self, b, p, turn)
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for FrenchRevolution {
    fn state_bits(&self) -> u32 {
        1
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        if p.state == FIRST {
            vec![("first", "1".to_string())]
        } else {
            Vec::new()
        }
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        if value != "1" {
            return Err("a flag knows only the value 1".into());
        }
        if p.side == Color::Black {
            return Err("White has moved when it is Black's turn".into());
        }
        p.state = FIRST;
        Ok(())
    }

    // Only White can still have to play the first turn.
    fn swapped_state(&self, state: u64) -> Option<u64> {
        (state != FIRST).then_some(state)
    }

    fn passed_state(&self, _: u64) -> u64 {
        0
    }
}
