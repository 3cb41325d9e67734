//! Lines with turns inserted and replaced, one after the other, and their number.

use super::{Amending, Candidate, Flow, Split, Word, take};
use notation::turns;
use position::{Layout, Position};

impl<W: Layout + tables::Layout> Amending<'_, W> {
    /// Calls `visit` for each line with turns inserted and replaced.
    pub(super) fn each_line(
        &self,
        candidate: &Candidate<W>,
        split: Split,
        visit: &mut dyn FnMut(Candidate<W>) -> Flow,
    ) -> Flow {
        match split.inserted_turns {
            0 => self.replaced(candidate, split.replaced_turns, visit),
            turns => self.inserted(candidate, turns, &mut |candidate| {
                self.replaced(&candidate, split.replaced_turns, visit)
            }),
        }
    }

    /// Subtracts the number of lines with turns inserted and replaced from `room`. Breaks if there are more.
    pub(super) fn count_lines(
        &self,
        candidate: &Candidate<W>,
        split: Split,
        room: &mut u64,
    ) -> Flow {
        match (split.inserted_turns, split.replaced_turns) {
            (0, replaced) => self.count_replaced(candidate, replaced, room),
            (inserted, 0) => {
                for place in self.places_to_insert(candidate) {
                    let Some(p) = self.after(&candidate.position, &candidate.words[..place]) else {
                        break;
                    };
                    self.count_sequences(&p, inserted, room)?;
                }
                Flow::Continue(())
            }
            (inserted, replaced) => self.inserted(candidate, inserted, &mut |candidate| {
                self.count_replaced(&candidate, replaced, room)
            }),
        }
    }

    /// Subtracts the number of sequences of `turns` turns from `room`. Breaks if there are more.
    fn count_sequences(&self, p: &Position<W>, turns: u32, room: &mut u64) -> Flow {
        let game = self.start.game.as_ref();
        self.go_on()?;
        if turns == 1 {
            return take(room, game.count(p));
        }
        let mut list = Vec::new();
        game.turns(p, &mut list);
        list.iter()
            .try_for_each(|turn| self.count_sequences(&game.play(p, turn), turns - 1, room))
    }

    /// Subtracts the number of lines with `turns` turns replaced from `room`. Breaks if there are more.
    fn count_replaced(&self, candidate: &Candidate<W>, turns: u32, room: &mut u64) -> Flow {
        match turns {
            0 => take(room, 1),
            1 => self.each_place_to_replace(candidate, &mut |place, legal| {
                let printed = &candidate.words[place].text;
                let others = legal.iter().filter(|text| *text != printed).count();
                take(room, others as u64)
            }),
            _ => self.replaced(candidate, 1, &mut |candidate| {
                self.count_replaced(&candidate, turns - 1, room)
            }),
        }
    }

    /// Returns the indices before which turns may be inserted.
    fn places_to_insert(&self, candidate: &Candidate<W>) -> impl Iterator<Item = usize> {
        let places = 0..candidate.words.len() + 1;
        places.filter(|place| is_allowed(&self.budget.insert_at, *place))
    }

    /// Calls `visit` for each line with consecutive turns inserted.
    fn inserted(
        &self,
        candidate: &Candidate<W>,
        turns: u32,
        visit: &mut dyn FnMut(Candidate<W>) -> Flow,
    ) -> Flow {
        for place in self.places_to_insert(candidate) {
            let Some(p) = self.after(&candidate.position, &candidate.words[..place]) else {
                break;
            };
            self.each_sequence(&mut Vec::new(), &p, turns, &mut |line| {
                let change = format!("insert {} as turn {}", line.join(" "), place + 1);
                let mut words = candidate.words.clone();
                let supplied = line.iter().map(|text| Word {
                    text: text.clone(),
                    printed: false,
                });
                words.splice(place..place, supplied);
                visit(Candidate {
                    position: candidate.position,
                    words,
                    changes: and(&candidate.changes, change),
                    replace_from: 0,
                })
            })?;
        }
        Flow::Continue(())
    }

    /// Calls `visit` for each sequence of `left` legal turns from a position.
    fn each_sequence(
        &self,
        line: &mut Vec<String>,
        p: &Position<W>,
        left: u32,
        visit: &mut dyn FnMut(&[String]) -> Flow,
    ) -> Flow {
        if left == 0 {
            return visit(line);
        }
        self.go_on()?;
        let game = self.start.game.as_ref();
        for (text, turn) in turns::sorted(game, p) {
            line.push(text);
            self.each_sequence(line, &game.play(p, &turn), left - 1, visit)?;
            line.pop();
        }
        Flow::Continue(())
    }

    /// Calls `visit` for each printed turn that may be replaced, with its index and the legal turns.
    fn each_place_to_replace(
        &self,
        candidate: &Candidate<W>,
        visit: &mut dyn FnMut(usize, Vec<String>) -> Flow,
    ) -> Flow {
        let game = self.start.game.as_ref();
        let places = candidate.replace_from..candidate.words.len();
        for place in places.filter(|place| is_allowed(&self.budget.replace_at, *place)) {
            self.go_on()?;
            if !candidate.words[place].printed {
                continue;
            }
            let Some(p) = self.after(&candidate.position, &candidate.words[..place]) else {
                break;
            };
            let legal = turns::sorted(game, &p).into_iter();
            visit(place, legal.map(|(text, _)| text).collect())?;
        }
        Flow::Continue(())
    }

    /// Calls `visit` for each line with `left` printed turns replaced by other legal turns.
    fn replaced(
        &self,
        candidate: &Candidate<W>,
        left: u32,
        visit: &mut dyn FnMut(Candidate<W>) -> Flow,
    ) -> Flow {
        if left == 0 {
            return visit(candidate.clone());
        }
        self.each_place_to_replace(candidate, &mut |place, legal| {
            let printed = &candidate.words[place].text;
            for text in legal.into_iter().filter(|text| text != printed) {
                let change = format!("turn {} {text} for `{printed}`", place + 1);
                let mut words = candidate.words.clone();
                words[place] = Word {
                    text,
                    printed: false,
                };
                let candidate = Candidate {
                    position: candidate.position,
                    words,
                    changes: and(&candidate.changes, change),
                    replace_from: place + 1,
                };
                self.replaced(&candidate, left - 1, visit)?;
            }
            Flow::Continue(())
        })
    }
}

/// Returns whether the turn with this index may be corrected. `plies` are the allowed places from 1; if empty,
/// all places are allowed.
fn is_allowed(plies: &[u32], index: usize) -> bool {
    plies.is_empty() || plies.iter().any(|ply| *ply as usize == index + 1)
}

/// Returns a copy of a list with one text appended.
fn and(list: &[String], text: String) -> Vec<String> {
    let mut list = list.to_vec();
    list.push(text);
    list
}
