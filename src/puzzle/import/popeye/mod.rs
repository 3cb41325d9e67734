//! Reads the input language of the solver Popeye in English, German and French: `BeginProblem` ...
//! `NextProblem` ... `EndProblem`, `AnfangProblem` ... `EndeProblem`, `DebutProbleme` ... `FinProbleme`.
//!
//! Keywords may be shortened as long as they are unique, and case does not matter. A problem has `Pieces`
//! (`White Kc3 Qa4 pd2 Black ...`) or `Forsyth`, a `Stipulation`, `Option`s, and texts that extend to the end
//! of their line: `Author`, `Origin`, `Title`, `Award`, `Remark`. The letters of pieces depend on the
//! language; the English knight is `S`. White makes the first turn, except that Black does in help play of
//! whole moves and in series helpmates. Kings and rooks on their home squares may castle.
//!
//! A text may also begin with another keyword. It then needs no `EndProblem`.
//!
//! `Twin` and `ZeroPosition` create further problems, and so do `Duplex` and, in help play, `SetPlay`.
//! `WhiteToPlay` turns h#3 into h#2.5. `Condition Holes` names squares that do not
//! exist. Other conditions, fairy pieces and everything else that changes the question are refused by name. Each problem and each twin is read on its own: an error in one does not affect the
//! others or their numbers.

mod draft;
mod words;

use super::{List, ends_early};
use diagnostics::Diagnostic;
use draft::Draft;
use words::{KEYWORDS, Language, TokenReader, Word, is_separator, unfold};

/// The minimum length of a shortened `BeginProblem`. After an error, when any word may follow, it also
/// applies to a shortened `NextProblem` or `EndProblem`.
const MIN_LETTERS: usize = 3;

/// Returns the language of the keyword that begins a problem.
fn language(first: &str) -> Option<Language> {
    let begins = |language: &Language| {
        first.len() >= MIN_LETTERS && unfold(first, &KEYWORDS, *language) == Some("beginproblem")
    };
    Language::ALL.into_iter().find(begins)
}

/// Returns the language of a text that begins with another keyword, as people write single problems: the
/// language in which most lines begin with a keyword. Returns `None` if the first word is not a keyword.
fn language_of_lines(text: &str) -> Option<Language> {
    let is_keyword = |word: &str, language: Language| {
        word.len() >= MIN_LETTERS && unfold(word, &KEYWORDS, language).is_some()
    };
    let firsts = || {
        let first_word = |line: &str| {
            let mut words = line.split(is_separator).map(str::to_owned);
            words.find(|word| !word.is_empty())
        };
        text.lines().filter_map(first_word)
    };
    let first = firsts().next()?;
    let begun = Language::ALL
        .into_iter()
        .filter(|&language| is_keyword(&first, language));
    let count = |language: Language| firsts().filter(|word| is_keyword(word, language)).count();
    // Of several with the most lines, the first one.
    begun.rev().max_by_key(|&language| count(language))
}

/// Returns the language of Popeye input, and whether it begins with `BeginProblem`. Returns `None` for other
/// texts.
fn recognized(text: &str) -> Option<(Language, bool)> {
    let first = text.split(is_separator).find(|word| !word.is_empty())?;
    match language(first) {
        Some(language) => Some((language, true)),
        None => Some((language_of_lines(text)?, false)),
    }
}

/// Returns whether a text is Popeye input.
pub fn is_input(text: &str) -> bool {
    recognized(text).is_some()
}

/// Reads the problems of a text, with an error in place of each problem that cannot be imported.
pub fn read(text: &str) -> List {
    let mut list = List::new();
    let mut reader = TokenReader::new(text);
    let Some((language_read, begins)) = recognized(text) else {
        let first = reader.next();
        let (line, text) = first.map_or((1, ""), |word| (word.line, word.text));
        let error = Diagnostic::new("Popeye input", format!("it begins with `{text}`"));
        let right = "`BeginProblem`, `AnfangProblem` or `DebutProbleme`";
        return vec![(line, Err(error.help(right)))];
    };
    reader.language = language_read;
    if begins {
        reader.next();
    }
    let mut errors = 0;
    for number in 1.. {
        let line = reader.peek().map_or(reader.last, |word| word.line);
        if ends_early(&mut list, line, errors) {
            break;
        }
        let before = list.len();
        let mut problem = Problem::new();
        let end = match problem.read(&mut reader) {
            // Without `BeginProblem`, the end of the text ends the last problem.
            "" if !begins => "endproblem",
            end => end,
        };
        problem.finish(end, line, number, &mut list);
        errors += list[before..]
            .iter()
            .filter(|(_, read)| read.is_err())
            .count();
        // In concatenated files, another beginning follows the end.
        let language_of = |word: Word<'_>| language(word.text);
        match (end, reader.peek().and_then(language_of)) {
            ("nextproblem", _) => {}
            ("endproblem", Some(language)) => {
                reader.next();
                reader.language = language;
            }
            _ => break,
        }
    }
    list
}

/// A problem with its twins that is being read.
struct Problem {
    /// The most recent position, or the error that prevents importing it.
    current: Result<Draft, Diagnostic>,
    /// The position from which twins are created, once there is a twin.
    diagram: Option<Draft>,
    /// The earlier positions of this problem.
    before: Vec<Result<Draft, Diagnostic>>,
}

impl Problem {
    fn new() -> Problem {
        Problem {
            current: Ok(Draft::default()),
            diagram: None,
            before: Vec::new(),
        }
    }

    /// Reads the problem. Returns the keyword that ends it, or an empty text at the end of the input.
    fn read(&mut self, reader: &mut TokenReader<'_>) -> &'static str {
        while let Some(word) = reader.next() {
            let keyword = reader.unfold(word.text, &KEYWORDS);
            let failed = self.current.is_err();
            match keyword {
                Some(end @ ("endproblem" | "nextproblem"))
                    if !failed || word.text.len() >= MIN_LETTERS =>
                {
                    return end;
                }
                // After an error in the diagram, no twin can be created.
                Some(kind @ ("twin" | "zeroposition")) if !failed || self.diagram.is_some() => {
                    self.twin(kind, word, reader);
                }
                _ if failed => skip(keyword, reader),
                _ => {
                    let Ok(draft) = &mut self.current else {
                        continue;
                    };
                    if let Err(error) = draft.take(keyword, word, reader) {
                        self.current = Err(error);
                        if keyword.is_none() {
                            skip(keyword, reader);
                        }
                    }
                }
            }
        }
        ""
    }

    /// Creates a twin of the diagram.
    fn twin(&mut self, kind: &str, word: Word<'_>, reader: &mut TokenReader<'_>) {
        let previous = std::mem::replace(&mut self.current, Ok(Draft::default()));
        let diagram = match (&self.diagram, &previous) {
            (Some(diagram), _) => diagram,
            (None, Ok(draft)) => self.diagram.insert(draft.clone()),
            // The caller excludes this case.
            (None, Err(_)) => return,
        };
        let mut draft = diagram.clone();
        let made = draft.twin(word, previous.as_ref().ok(), reader);
        self.current = made.map(|()| draft);
        // The position before `ZeroPosition` is not a problem.
        if kind == "twin" {
            self.before.push(previous);
        }
    }

    /// Appends the puzzles of the problem and its twins to a list, or their errors.
    fn finish(self, end: &str, line: usize, number: usize, list: &mut List) {
        if end.is_empty() && self.current.is_ok() {
            let error = Diagnostic::new("Popeye input", "the text ends within a problem");
            list.push((line, Err(error.help("`EndProblem`"))));
            return;
        }
        let twins = self.diagram.is_some();
        let positions = self.before.into_iter().chain([self.current]);
        for (place, position) in positions.enumerate() {
            let problems = position.and_then(|draft| draft.finish(number, twins.then_some(place)));
            match problems {
                Ok(problems) => list.extend(problems.into_iter().map(|p| (line, Ok(p)))),
                Err(error) => list.push((line, Err(error))),
            }
        }
    }
}

/// After an error, skips the text that belongs to a word: the operands of text keywords, and the rest of a
/// line that begins with an unknown word.
fn skip(keyword: Option<&str>, reader: &mut TokenReader<'_>) {
    match keyword {
        Some("author" | "origin" | "title" | "award" | "remark" | "protocol" | "latex") => {
            reader.rest();
        }
        None if reader.at_first_word() => {
            reader.rest();
        }
        _ => {}
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
            ("Pieces White GHa1", "`GHa1` is not an orthodox piece"),
            ("Pieces White Na1", "`Na1` is not an orthodox piece"),
            ("Pieces Neutral Ka1", "neutral"),
            ("Pieces Ka1", "before a color"),
            ("Forsyth 8/8/8/n7", "`n` is not an orthodox piece"),
            (
                "Pieces White Ka1 Twin Condition Circe",
                "twins by `Condition`",
            ),
            ("Pieces White Ka1 Twin Move a2 a3", "no unit is on a2"),
            ("Pieces White Ka1 Twin Move a1", "two squares"),
            ("Pieces White Ka1 Twin Remove Ka1", "no square"),
            ("Pieces White Ka1 Twin Rotate 45", "not a rotation"),
            ("Pieces White Ka1 Rh8 Twin Shift a1 a2", "leave the board"),
            ("Pieces White Ka1 Twin Mirror a1<->h1", "not a mirror axis"),
            (
                "Pieces White Ka1 Twin Substitute K N",
                "`N` is not an orthodox piece",
            ),
            ("Pieces White Ka1 Twin", "nothing follows"),
            ("Stipulatoin #2", "is not a keyword"),
            ("Forsyth 99", "64 squares"),
            ("Option MaxTime soon", "needs a number"),
            ("Option EnPassant", "no square"),
            ("Option EnPassant e2e3", "one square or three"),
            ("Option NoWK", "option `nowk`"),
            ("Stipulation #2", "no pieces"),
            ("Pieces White Ka1 Black Ka8", "no stipulation"),
        ] {
            let list = read(&format!("BeginProblem\n{inside}\nEndProblem"));
            let errors: Vec<String> = list
                .iter()
                .filter_map(|(_, problem)| Some(problem.as_ref().err()?.to_string()))
                .collect();
            assert!(
                errors.iter().any(|e| e.contains(told)),
                "{inside}: {errors:?}"
            );
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
                       Stipulation h#2.5 Option Variation Try NoCastling a1 EndProblem";
        let german = "AnfangProblem Steine Weiss Kc3 Da4 Th1 Lh2 Sh3 bd2 Schwarz Ka1 ba5d3 \
                      Forderung h#2.5 Option Varianten Verfuehrung KeineRochade a1 EndeProblem";
        let french = "DebutProbleme pieces blanc Rc3 Da4 Th1 Fh2 Ch3 pd2 noir Ra1 pa5d3 \
                      enonce h#2.5 option variantes essais sansroquer a1 FinProbleme";
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

    /// Returns the boards of a problem and its twins.
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
        // Each twin starts from the diagram, unless it continues from the previous twin.
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

    /// Returns label, side to move and stipulation of each problem, or its error.
    fn summary(text: &str) -> Vec<String> {
        let one = |problem: Result<Imported, Diagnostic>| match problem {
            Ok(p) => {
                let side = p.fen.split(' ').nth(1).unwrap_or("?");
                format!("{} {side} {}", p.label, p.stipulation)
            }
            Err(error) => error.to_string(),
        };
        read(text)
            .into_iter()
            .map(|(_, problem)| one(problem))
            .collect()
    }

    fn of(inside: &str) -> Vec<String> {
        summary(&format!(
            "BeginProblem Pieces White Kc3 Rh1 Black Ka1 {inside} EndProblem"
        ))
    }

    #[test]
    fn problems_without_a_beginning_are_read() {
        let english = "stip #2\npiec white Kc3 Qa4 pd2\n  black ka1 ba2 pa5d3";
        let german = "ford #2\nstei weis Kc3 Da4 bd2\n  schw ka1 la2 ba5d3\nweit\nford h#2\n\
                      stei weis Kc3 schw ka1\nende";
        let french = "enonce #2\npieces blanc Rc3 Da4 pd2 noir ra1 fa2 pa5d3";
        let fen = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1";
        for (text, problems) in [(english, 1), (german, 2), (french, 1)] {
            assert!(is_input(text), "{text}");
            let list = read(text);
            assert_eq!(list.len(), problems, "{list:?}");
            assert_eq!(list[0].1.as_ref().expect(text).fen, fen);
        }
        for text in [
            "",
            "4k3/8/4K3/8/8/8/8/7R w - - dm 1;",
            "st #2",
            "hello world",
            "[Event \"x\"]",
        ] {
            assert!(!is_input(text), "{text}");
        }
    }

    #[test]
    fn holes_are_read_and_other_conditions_refused() {
        let problem = |condition: &str| {
            format!("begin cond {condition}\npieces white Kc3 Qa4 black ka1\nstip #2 end")
        };
        for holes in ["hole d7d8", "holes d7 d8", "Hol d7 d8"] {
            assert_eq!(
                one(&problem(holes)).fen,
                "3*4/3*4/8/8/Q7/2K5/8/k7 w - - 0 1"
            );
        }
        for (condition, told) in [
            ("hole", "no square"),
            ("hole c3", "a unit is on the hole c3"),
            ("hole d7 circe", "circe"),
            ("Circe", "Circe"),
            ("ho d7", "ho d7"),
        ] {
            let found = summary(&problem(condition));
            assert!(found[0].contains(told), "{condition}: {found:?}");
        }
    }

    #[test]
    fn the_other_side_begins_an_introductory_series() {
        assert_eq!(of("Stipulation 1->ser-h#3"), ["1 w 1->ser-h#3"]);
        assert_eq!(of("Stipulation 2->ser-=4"), ["1 b 2->ser-=4"]);
        let refused = of("Stipulation 1->ser-h#3 Option SetPlay");
        assert!(
            refused[0].contains("`setplay` does not apply to `1->ser-h#3`"),
            "{refused:?}"
        );
    }

    #[test]
    fn white_to_play_is_half_a_move_less() {
        for (stipulation, expected) in [
            ("h#3", "1 w h#2.5"),
            ("h#1", "1 w h#0.5"),
            ("h#2.5", "1 w h#2.5"),
            ("hzg74", "1 w hzg73.5"),
            ("#2", "1 w #2"),
        ] {
            let found = of(&format!("Stipulation {stipulation} Option WhiteToPlay"));
            assert_eq!(found, [expected], "{stipulation}");
        }
        let refused = of("Stipulation ser-h#3 Option WhiteToPlay");
        assert!(
            refused[0].contains("`whitetoplay` does not apply to `ser-h#3`"),
            "{refused:?}"
        );
    }

    #[test]
    fn set_play_of_help_play_is_a_problem_of_its_own() {
        assert_eq!(
            of("Stipulation h#2 Option SetPlay"),
            ["1 b h#2", "1-set w h#1.5"]
        );
        assert_eq!(
            of("Stipulation h#10.5 Option SetPlay"),
            ["1 w h#10.5", "1-set b h#10"]
        );
        assert_eq!(
            of("Stipulation ser-h#4 Option SetPlay"),
            ["1 b ser-h#4", "1-set w h#0.5"]
        );
        assert_eq!(
            of("Stipulation h#2 Option SetPlay Duplex"),
            [
                "1 b h#2",
                "1-set w h#1.5",
                "1-duplex w h#2",
                "1-duplex-set b h#1.5"
            ]
        );
        assert_eq!(of("Stipulation #2 Option SetPlay"), ["1 w #2"]);
        assert!(of("Stipulation ser-#2 Option SetPlay")[0].contains("`setplay`"));
    }

    #[test]
    fn options_that_ask_for_more_leave_a_note() {
        let text = "begin pieces white Kc3 Qa4 pd2 black ka1 ba2 pa5d3 stip #2 \
                    opti setplay try defence 2 intelligent 2 maxsol 5 variation beep 3 end";
        let asides = one(text).asides.join("; ");
        for told in [
            "`solve --set-play`",
            "`solve --tries`",
            "up to 2",
            "intelligent 2",
            "maxsolutions 5",
        ] {
            assert!(asides.contains(told), "{told}: {asides}");
        }
        let plain = "begin pieces white Kc3 black ka1 stip #2 opti vari intelligent beep end";
        assert!(one(plain).asides.is_empty());
    }

    #[test]
    fn commas_and_blanks_are_accepted() {
        for stipulation in ["# 2", "#, 2", "h # 2.5", "ser-h# 3", "hzg7 4", "zg7 4"] {
            let joined: String = stipulation.chars().filter(|c| !" ,".contains(*c)).collect();
            let found = of(&format!("Stipulation {stipulation} Option Variation"));
            assert!(found[0].ends_with(&joined), "{stipulation}: {found:?}");
        }
        let found =
            one("begin pieces white Kc3, Qa4, pd3; Rd2 black K a1 laTeX a file.tex\nstip #2 end");
        assert_eq!(found.fen, "8/8/8/8/Q7/2KP4/3R4/k7 w - - 0 1");
        let array = one("begin initialgamearray stip #2 end");
        assert_eq!(
            array.fen,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }

    #[test]
    fn texts_after_a_mistake_are_not_keywords() {
        let good = "Pieces White Kc3 Qb3 Black Ka1\nStip #1";
        let text = format!(
            "BeginProblem\nCondition Circe\nTitle the end of the next twin\nAuthor Next, End\n\
             Unknown the end of it\n{good}\nNextProblem\n{good}\nEndProblem\n\
             BeginProblem\n{good}\nEndProblem"
        );
        let found = summary(&text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("condition `Circe`"), "{found:?}");
        assert_eq!(found[1..], ["2 w #1", "3 w #1"]);
    }

    #[test]
    fn twins_that_fail_leave_the_others_with_their_letters() {
        let found = of("Stip h#2 Twin Move b7 b8 Twin Continued Move a1 a2 Twin Move c3 c4");
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!((&*found[0], &*found[3]), ("1a b h#2", "1d b h#2"));
        assert!(
            found[1].contains("no unit is on b7") && found[2].contains("`Continued`"),
            "{found:?}"
        );
        let all = of("Condition Circe\nStip h#2 Twin Move c3 c4 Twin Move c3 c5");
        assert_eq!(all.len(), 1, "{all:?}");
    }
}
