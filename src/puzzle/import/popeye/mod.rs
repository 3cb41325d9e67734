//! The input language of Popeye, in English: `BeginProblem` ... `NextProblem` ... `EndProblem`.
//!
//! Keywords may be shortened as long as they stay unique; letters are of any case. A problem has
//! `Pieces` (`White Kc3 Qa4 pd2 Black ...`) or `Forsyth`, a `Stipulation`, `Option`s, and remarks:
//! `Author`, `Origin`, `Title`, `Award`, `Remark`. Knights are `S`. Conditions, fairy pieces, twins
//! and whatever else changes what is asked are refused by name. White begins, but Black in help
//! play of whole moves and in the series of helpmates. Kings and rooks at home may castle.

mod draft;
mod words;

use super::List;
use draft::Draft;
use input::InputError;
use words::{KEYWORDS, Reader, unfold};

/// Reads the problems of a text.
pub fn read(text: &str) -> List {
    let mut list = List::new();
    let mut reader = Reader::new(text);
    match reader.next() {
        Some(word) if unfold(word.text, &KEYWORDS) == Some("beginproblem") => {}
        word => {
            let (line, text) = word.map_or((1, ""), |word| (word.line, word.text));
            let error = InputError::new("Popeye input", format!("it begins with `{text}`"));
            return vec![(line, Err(error.help("`BeginProblem`")))];
        }
    }
    loop {
        let line = reader.peek().map_or(reader.last, |word| word.line);
        let mut draft = Draft::default();
        let mut failed = None;
        let end = loop {
            let Some(word) = reader.next() else { break "" };
            match unfold(word.text, &KEYWORDS) {
                Some(end @ ("endproblem" | "nextproblem")) => break end,
                // After a mistake the rest of the problem is passed over.
                _ if failed.is_some() => {}
                known => {
                    failed = draft.take(known, word, &mut reader).err();
                }
            }
        };
        if let Some(error) = failed {
            list.push((line, Err(error)));
        } else if end.is_empty() {
            let error = InputError::new("Popeye input", "it ends within a problem");
            list.push((line, Err(error.help("`EndProblem`"))));
        } else {
            match draft.finish() {
                Ok(problems) => list.extend(problems.into_iter().map(|p| (line, Ok(p)))),
                Err(error) => list.push((line, Err(error))),
            }
        }
        if end != "nextproblem" {
            return list;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Imported;
    use super::*;

    fn one(text: &str) -> Imported {
        let mut list = read(text);
        assert_eq!(list.len(), 1);
        list.remove(0).1.unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn pieces_options_and_remarks_are_read() {
        let text = "BeginProblem\nauthor A. Composer\norigin A Magazine\npieces\n  white Kc3 Qa4 \
                    pd2\n  black ka1 ba2 pa5d3\nstip #2\nopti vari try maxsol 5\nremark easy\n\
                    EndProblem";
        let found = one(text);
        assert_eq!(found.fen, "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1");
        assert_eq!(found.stipulation, "#2");
        assert_eq!(found.source, "A. Composer; A Magazine");
        assert_eq!(found.comment, "easy");
        let same = "begin forsyth 8/8/8/p7/Q7/2Kp4/b2P4/k7 stip #2 end";
        assert_eq!(one(same).fen, found.fen);
        let long = "begin forsyth 24p7Q9Kp4b2P4k7 stip #2 end";
        assert_eq!(one(long).fen, found.fen);
    }

    #[test]
    fn who_begins_follows_the_stipulation() {
        let side = |stipulation: &str, more: &str| {
            let text = format!(
                "BeginProblem Pieces White Ke1 Rh1 Sb1 Black Ke8 Stipulation {stipulation} {more} \
                 EndProblem"
            );
            let fen = one(&text).fen;
            fen.split(' ').nth(1).expect("a side").to_string()
        };
        for (stipulation, more, expected) in [
            ("#2", "", "w"),
            ("s#2", "", "w"),
            ("h#2", "", "b"),
            ("h=2.5", "", "w"),
            ("hs#2", "", "w"),
            ("hr#2.5", "", "b"),
            ("ser-h#3", "", "b"),
            ("ser-#3", "", "w"),
            ("h#2", "Option WhiteToPlay", "w"),
            ("#2", "Option HalfDuplex", "b"),
        ] {
            assert_eq!(side(stipulation, more), expected, "{stipulation} {more}");
        }
        let text = "BeginProblem Pieces White Ke1 Rh1 Ra1 Black Ke8 Stipulation #2 \
                    Option Duplex NoCastling a1 EnPassant d6 EndProblem";
        let list = read(text);
        let fens: Vec<&str> = list
            .iter()
            .map(|(_, p)| &*p.as_ref().expect("read").fen)
            .collect();
        assert_eq!(
            fens,
            [
                "4k3/8/8/8/8/8/8/R3K2R w K d6 0 1",
                "4k3/8/8/8/8/8/8/R3K2R b K d6 0 1"
            ]
        );
    }

    #[test]
    fn a_double_step_is_told_by_one_square_or_three() {
        for squares in ["g6", "g7g6g5", "g7 g6 g5"] {
            let text = format!(
                "begin pieces white Kf5 ph5 black kh7 pg5 stip H#2.5 opti enpass {squares} end"
            );
            let found = one(&text);
            assert_eq!(found.fen, "8/7k/8/5KpP/8/8/8/8 w - g6 0 1");
            assert_eq!(found.stipulation, "h#2.5");
        }
    }

    #[test]
    fn what_is_not_orthodox_is_refused_by_name() {
        for (inside, told) in [
            ("Condition Circe", "line 2: condition `Circe`"),
            ("Option Quodlibet", "option `quodlibet`"),
            ("Option Setplai", "no option `Setplai`"),
            ("Pieces White GHa1", "`GHa1` is no orthodox piece"),
            ("Pieces White Na1", "`Na1` is no orthodox piece"),
            ("Pieces Neutral Ka1", "neutral"),
            ("Pieces Ka1", "before a color"),
            ("Pieces White Ka1 Qa1", "already"),
            ("Forsyth 8/8/8/n7", "`n` is no orthodox piece"),
            ("Twin Move a1 a2", "twins"),
            ("Stipulatoin #2", "is no keyword"),
            ("Forsyth 99", "64 squares"),
            ("Option MaxTime soon", "no number"),
            ("Option EnPassant", "no square"),
            ("Option EnPassant e2e3", "one square or three"),
            ("Option NoWK", "option `nowk`"),
            ("Stipulation #2", "no pieces"),
            ("Pieces White Ka1 Black Ka8", "no stipulation"),
        ] {
            let list = read(&format!("BeginProblem\n{inside}\nEndProblem"));
            let error = list[0].1.as_ref().expect_err(inside);
            assert!(error.to_string().contains(told), "{inside}: {error}");
        }
        assert!(read("")[0].1.is_err());
        assert!(read("Pieces White Ka1")[0].1.is_err());
        assert!(read("BeginProblem")[0].1.is_err());
    }

    #[test]
    fn a_wrong_problem_does_not_spoil_the_next() {
        let text = "BeginProblem\nCondition Circe\nStip #2\nNextProblem\nPieces White Kc3 Qb3 \
                    Black Ka1\nStip #1\nEndProblem\nwhatever follows";
        let list = read(text);
        assert_eq!(list.len(), 2);
        assert!(list[0].1.is_err());
        assert_eq!(list[1].0, 5);
        assert_eq!(list[1].1.as_ref().expect("a problem").stipulation, "#1");
    }
}
