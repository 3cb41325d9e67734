//! Rules at one of the stages: which sections count, and which later clauses are left out. The functions of
//! the clauses are in the files of their stages.

use super::eval::{Context, eval};
use super::position::Pos;
use super::rules::{Code, Layer, Rules};
use super::turn::Turn;
use super::value::{Outcome, Value};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// The number of clauses that may be evaluated inside each other. Rules that ask themselves, by `under`, exceed
/// any number; more than this would overflow the stack of a test.
const MAX_DEPTH: usize = 40;

thread_local! {
    /// The number of clauses that are being evaluated.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

#[derive(Clone)]
pub struct Game {
    pub rules: Arc<Rules>,
    /// The layers that count, as bits.
    pub active: u64,
    /// Whether `activeIf` and `captureIf` are left out.
    pub moves_only: bool,
    /// Whether `legalIf` and `prefer` are left out.
    pub lenient: bool,
    /// Whether positions in which the game is over have no turns.
    pub closes: bool,
}

/// The names that a clause knows besides those of its turn.
pub type Names = Vec<(&'static str, Value)>;

impl Game {
    pub fn new(rules: Arc<Rules>) -> Game {
        Game {
            active: u64::MAX,
            rules,
            moves_only: false,
            lenient: false,
            closes: true,
        }
    }

    /// Returns the layers that count, with their numbers.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = (usize, &Layer)> {
        let layers = self.rules.layers.iter().enumerate();
        layers.filter(|(at, _)| self.active & (1 << at) != 0)
    }

    /// Returns the clauses with this key: that of the rule set, then those of the conditions, each with its
    /// layer. A child's clause replaces its parent's.
    pub fn clauses(&self, key: &str) -> Vec<(usize, Code)> {
        let mut found: Vec<(usize, Code)> = Vec::new();
        for (at, layer) in self.layers() {
            if let Some(code) = layer.clauses.get(key) {
                let group = |at: usize| self.rules.layers[at].group;
                if found
                    .last()
                    .is_some_and(|(last, _)| group(*last) == layer.group)
                {
                    found.pop();
                }
                found.push((at, code.clone()));
            }
        }
        found
    }

    /// Returns the clause with this key that counts, if only one can.
    pub fn clause(&self, key: &str) -> Option<(usize, Code)> {
        self.clauses(key).pop()
    }

    /// Returns the value of a key whose value is a word.
    pub fn word(&self, key: &str) -> Option<&str> {
        let mut words = self.layers().filter_map(|(_, layer)| layer.words.get(key));
        words.next_back().map(String::as_str)
    }

    pub fn is_set(&self, key: &str) -> bool {
        self.word(key) == Some("true")
    }

    /// Returns the rules without the section of a layer, its children, or without its condition.
    pub fn parent(&self, layer: usize) -> Game {
        let group = self.rules.layers[layer].group;
        let mut parent = Game {
            moves_only: false,
            lenient: false,
            closes: true,
            ..self.clone()
        };
        for (at, other) in self.rules.layers.iter().enumerate() {
            if other.group == group && at >= layer {
                parent.active &= !(1 << at);
            }
        }
        parent
    }

    /// Returns the rules by which clauses about turns and later stages list turns.
    pub fn open(&self) -> Game {
        Game {
            closes: false,
            ..self.clone()
        }
    }

    /// Returns the rules without `legalIf` and `prefer`.
    pub fn lenient(&self) -> Game {
        Game {
            lenient: true,
            ..self.open()
        }
    }

    /// Returns the rules of movement alone, without `activeIf` and `captureIf`.
    pub fn movement_alone(&self) -> Game {
        Game {
            moves_only: true,
            ..self.open()
        }
    }

    /// Evaluates a clause.
    pub fn ask(
        &self,
        clause: &(usize, Code),
        pos: &Pos,
        turn: Option<&Rc<Turn>>,
        names: Names,
    ) -> Outcome<Value> {
        let context = Context {
            game: self.clone(),
            scope: self.active,
            layer: clause.0,
            pos: pos.clone(),
            turn: turn.cloned(),
            names,
            movement: false,
        };
        let depth = DEPTH.get();
        if depth >= MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} clauses ask each other"));
        }
        DEPTH.set(depth + 1);
        let value = eval(&context, &mut Vec::new(), &clause.1.expr);
        DEPTH.set(depth);
        value
    }
}
