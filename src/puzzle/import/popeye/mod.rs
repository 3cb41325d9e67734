//! The input language of Popeye, in English, German and French: `BeginProblem` ... `NextProblem` ...
//! `EndProblem`, `AnfangProblem` ... `EndeProblem`, `DebutProbleme` ... `FinProbleme`.
//!
//! Keywords may be shortened as long as they stay unique; letters are of any case. A problem has
//! `Pieces` (`White Kc3 Qa4 pd2 Black ...`) or `Forsyth`, a `Stipulation`, `Option`s, and remarks:
//! `Author`, `Origin`, `Title`, `Award`, `Remark`. The letters of pieces are those of the language;
//! the English knight is `S`. `Twin` and `ZeroPosition` make more problems out of one. Conditions,
//! fairy pieces and whatever else changes what is asked are refused by name. White begins, but
//! Black in help play of whole moves and in the series of helpmates. Kings and rooks at home may
//! castle.

mod draft;
mod words;

use super::{List, ends_early};
use diagnostics::InputError;
use draft::Draft;
use words::{KEYWORDS, Language, TokenReader, unfold};

/// Returns the language in which a first word begins a problem; three letters are enough.
fn language(first: &str) -> Option<Language> {
    let begins = |language: &Language| {
        first.len() > 2 && unfold(first, &KEYWORDS, *language) == Some("beginproblem")
    };
    Language::ALL.into_iter().find(begins)
}

/// Returns whether a text is such input.
pub fn is_input(text: &str) -> bool {
    text.split_whitespace().next().and_then(language).is_some()
}

/// Reads the problems of a text.
pub fn read(text: &str) -> List {
    let mut list = List::new();
    let mut reader = TokenReader::new(text);
    let first = reader.next();
    match first.and_then(|word| language(word.text)) {
        Some(language) => reader.language = language,
        None => {
            let (line, text) = first.map_or((1, ""), |word| (word.line, word.text));
            let error = InputError::new("Popeye input", format!("it begins with `{text}`"));
            let right = "`BeginProblem`, `AnfangProblem` or `DebutProbleme`";
            return vec![(line, Err(error.help(right)))];
        }
    }
    let mut errors = 0;
    loop {
        let line = reader.peek().map_or(reader.last, |word| word.line);
        if ends_early(&mut list, line, errors) {
            return list;
        }
        let before = list.len();
        let end = problem(&mut reader, line, &mut list);
        errors += list[before..]
            .iter()
            .filter(|(_, read)| read.is_err())
            .count();
        if end != "nextproblem" {
            return list;
        }
    }
}

/// Reads one problem with its twins; the keyword that ends it, or nothing at the end of the text.
fn problem(reader: &mut TokenReader<'_>, line: usize, list: &mut List) -> &'static str {
    let mut draft = Draft::default();
    // The position that twins are made of, with the twins before the last one.
    let mut diagram: Option<Draft> = None;
    let mut twins: Vec<Draft> = Vec::new();
    let mut failed = None;
    let end = loop {
        let Some(word) = reader.next() else { break "" };
        match reader.unfold(word.text, &KEYWORDS) {
            Some(end @ ("endproblem" | "nextproblem")) => break end,
            // After a mistake the rest of the problem is passed over.
            _ if failed.is_some() => {}
            Some(kind @ ("twin" | "zeroposition")) => {
                let before = draft.clone();
                match &diagram {
                    Some(diagram) => draft = diagram.clone(),
                    None => diagram = Some(draft.clone()),
                }
                // The position before `ZeroPosition` asks nothing by itself.
                if kind == "twin" {
                    twins.push(before.clone());
                }
                failed = draft.twin(word, &before, reader).err();
            }
            known => {
                failed = draft.take(known, word, reader).err();
            }
        }
    };
    if let Some(error) = failed {
        list.push((line, Err(error)));
    } else if end.is_empty() {
        let error = InputError::new("Popeye input", "it ends within a problem");
        list.push((line, Err(error.help("`EndProblem`"))));
    } else {
        twins.push(draft);
        for (place, twin) in twins.iter().enumerate() {
            match twin.finish(diagram.is_some().then_some(place)) {
                Ok(problems) => list.extend(problems.into_iter().map(|p| (line, Ok(p)))),
                Err(error) => list.push((line, Err(error))),
            }
        }
    }
    end
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
            ("Pieces White GHa1", "`GHa1` is not an orthodox piece"),
            ("Pieces White Na1", "`Na1` is not an orthodox piece"),
            ("Pieces Neutral Ka1", "neutral"),
            ("Pieces Ka1", "before a color"),
            ("Pieces White Ka1 Qa1", "already"),
            ("Forsyth 8/8/8/n7", "`n` is not an orthodox piece"),
            (
                "Pieces White Ka1 Twin Condition Circe",
                "twins by `Condition`",
            ),
            ("Pieces White Ka1 Twin Move a2 a3", "no unit is on a2"),
            ("Pieces White Ka1 Twin Move a1", "two squares"),
            ("Pieces White Ka1 Twin Remove Ka1", "no square"),
            ("Pieces White Ka1 Twin Rotate 45", "no turn of the board"),
            ("Pieces White Ka1 Rh8 Twin Shift a1 a2", "leave the board"),
            ("Pieces White Ka1 Twin Mirror a1<->h1", "no mirror"),
            (
                "Pieces White Ka1 Twin Substitute K N",
                "`N` is not an orthodox piece",
            ),
            ("Pieces White Ka1 Twin", "nothing follows"),
            ("Stipulatoin #2", "is not a keyword"),
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

    #[test]
    fn german_and_french_are_read_with_their_letters() {
        let english = "BeginProblem Pieces White Kc3 Qa4 Rh1 Bh2 Sh3 pd2 Black Ka1 pa5d3 \
                       Stipulation h#2.5 Option Variation SetPlay NoCastling a1 EndProblem";
        let german = "AnfangProblem Steine Weiss Kc3 Da4 Th1 Lh2 Sh3 bd2 Schwarz Ka1 ba5d3 \
                      Forderung h#2.5 Option Varianten Satzspiel KeineRochade a1 EndeProblem";
        let french = "DebutProbleme pieces blanc Rc3 Da4 Th1 Fh2 Ch3 pd2 noir Ra1 pa5d3 \
                      enonce h#2.5 option variantes apparent sansroquer a1 FinProbleme";
        let read = one(english);
        assert_eq!(read.fen, "8/8/8/p7/Q7/2Kp3N/3P3B/k6R w - - 0 1");
        assert_eq!((one(german), one(french)), (read.clone(), read));
        let short = "anf for h#2 wei kc3 end";
        assert!(super::read(short)[0].1.is_err());
        for (text, told) in [
            ("AnfangProblem Steine Weiss Qa1 EndeProblem", "K D T L S B"),
            ("DebutProbleme pieces blanc Ka1 FinProbleme", "R D T F C P"),
        ] {
            let error = super::read(text)[0].1.clone().expect_err(text);
            assert!(error.help.is_some_and(|help| help.contains(told)), "{text}");
        }
    }

    /// Returns the boards of the twins of a problem.
    fn twins(twins: &str) -> Vec<String> {
        let text = format!(
            "BeginProblem Pieces White Kc3 pd2 Black Ka1 Stipulation h#2 {twins} EndProblem"
        );
        let board = |p: &Imported| p.fen.split(' ').next().expect("a board").to_string();
        let list = read(&text);
        let found = list.iter().map(|(_, p)| board(p.as_ref().expect(twins)));
        found.collect()
    }

    #[test]
    fn twins_are_problems_of_their_own() {
        const FIRST: &str = "8/8/8/8/8/2K5/3P4/k7";
        for (twin, board) in [
            ("Move d2 d3", "8/8/8/8/8/2KP4/8/k7"),
            ("Exchange a1 c3", "8/8/8/8/8/2k5/3P4/K7"),
            ("Remove d2", "8/8/8/8/8/2K5/8/k7"),
            ("Add White Sa3 Black pa2", "8/8/8/8/8/N1K5/p2P4/k7"),
            ("Rotate 180", "7k/4P3/5K2/8/8/8/8/8"),
            ("Rotate 90", "8/8/8/8/6P1/5K2/8/7k"),
            ("Rotate 270", "k7/8/2K5/1P6/8/8/8/8"),
            ("PolishType", "8/8/8/8/8/2k5/3p4/K7"),
            ("Mirror a1<-->h1", "8/8/8/8/8/5K2/4P3/7k"),
            ("Mirror a1<-->a8", "k7/3P4/2K5/8/8/8/8/8"),
            ("Mirror a1<-->h8", "7k/8/5K2/6P1/8/8/8/8"),
            ("Mirror a8<-->h1", "8/8/8/8/1P6/2K5/8/k7"),
            ("Shift a1 b2", "8/8/8/8/3K4/4P3/1k6/8"),
            ("Substitute P Q", "8/8/8/8/8/2K5/3Q4/k7"),
            ("Forsyth 8/8/8/8/8/8/8/K1k5", "8/8/8/8/8/8/8/K1k5"),
        ] {
            assert_eq!(twins(&format!("Twin {twin}")), [FIRST, board], "{twin}");
            let zero = format!("ZeroPosition {twin} Twin Move d2 d4");
            assert_eq!(twins(&zero), [board, "8/8/8/8/3P4/2K5/8/k7"], "{zero}");
        }
        // Each twin begins with the diagram, unless it goes on from the one before.
        assert_eq!(
            twins("Twin Move d2 d3 Twin Continued Move d3 d4 Twin Move a1 a2"),
            [
                FIRST,
                "8/8/8/8/8/2KP4/8/k7",
                "8/8/8/8/3P4/2K5/8/k7",
                "8/8/8/8/8/2K5/k2P4/8"
            ]
        );
        let text = "BeginProblem Pieces White Kc3 Black Ka1 Stipulation h#2 Twin Stipulation \
                    h#2.5 EndProblem";
        let list = read(text);
        let told = |n: usize| {
            let problem = list[n].1.clone().expect("a problem");
            (problem.stipulation, problem.comment)
        };
        assert_eq!(told(0), ("h#2".to_string(), "twin a)".to_string()));
        assert_eq!(told(1), ("h#2.5".to_string(), "twin b) h#2.5".to_string()));
    }
}
