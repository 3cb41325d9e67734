//! Lines of ambiguous words, compared with all readings.

use super::{says, verified_with};
use catalog::Catalog;
use control::Random;
use fairyproof_claims::Verdict;
use notation::{Setup, turns, with_setup};
use position::{Layout, Position};
use rules::Game;

/// Units that leap in many ways, so that most words without a square of origin are ambiguous.
const LEAPS: &str = "[leaps:chess]
maxRank = 4
maxFile = 4
pawn = -
knight = -
bishop = -
rook = -
queen = -
king = -
customPiece1 = a:WFDN
customPiece2 = w:WD
startFen = 1w2/4/1A1W/AA2 w - - 0 1
castling = false
doubleStep = false
promotionPawnTypes = -
flagPiece = a
flagRegionWhite = *4
";

/// The readings of a line: whether one is legal, and whether one of these ends with a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Readings {
    legal: bool,
    won: bool,
}

fn readings<W: Layout>(game: &dyn Game<W>, p: &Position<W>, words: &[String]) -> Readings {
    let Some((first, rest)) = words.split_first() else {
        return Readings {
            legal: true,
            won: !game.outcome(p).is_ongoing(),
        };
    };
    let mut found = Readings {
        legal: false,
        won: false,
    };
    for turn in turns::matching(game, p, first) {
        let more = readings(game, &game.play(p, &turn), rest);
        found.legal |= more.legal;
        found.won |= more.won;
    }
    found
}

/// Returns a line of a random game, most turns without their square of origin. Some words come from elsewhere.
fn line<W: Layout>(game: &dyn Game<W>, start: &Position<W>, random: &mut Random) -> Vec<String> {
    let (mut p, mut words) = (*start, Vec::new());
    for _ in 0..1 + random.scaled_below(6) {
        let mut list = turns::sorted(game, &p);
        if list.is_empty() {
            break;
        }
        let (text, turn) = list.swap_remove(random.scaled_below(list.len()));
        let kind = p
            .unit(turn.first().from)
            .map(|(_, kind)| game.men().name(board::Color::White, kind));
        let to = &text[text.len().min(2)..];
        words.push(match (random.scaled_below(8), kind) {
            (0, _) => text.clone(),
            (1, Some(kind)) => format!("{}a1", &*kind),
            (_, Some(kind)) => format!("{}{to}", &*kind),
            _ => text.clone(),
        });
        p = game.play(&p, &turn);
    }
    words
}

#[test]
fn line_of_ambiguous_words_is_judged_by_all_readings() {
    let mut catalog = Catalog::new();
    catalog.add_text("rules.ini", LEAPS).expect("a definition");
    let setup = Setup::read(&catalog.open("leaps").expect("a variant"), None).expect("a start");
    let mut random = Random::numbered(59, 0);
    let (mut claims, mut truths) = (String::new(), Vec::new());
    for number in 0..60 {
        let (words, truth) = with_setup!(&setup, start => {
            let words = line(start.game.as_ref(), &start.position, &mut random);
            let truth = readings(start.game.as_ref(), &start.position, &words);
            (words, truth)
        });
        let words = words.join(" ");
        for (kind, key) in ["", "legal = false", "ends = 'white-wins'"]
            .iter()
            .enumerate()
        {
            claims += &format!(
                "[[claim]]\nid = '{number}-{kind}'\nsays = 'a'\nvariant = 'leaps'\nline = '{words}'\n{key}\n"
            );
            truths.push((words.clone(), kind, truth));
        }
    }
    let findings = verified_with(&claims, LEAPS);
    for (found, (words, kind, truth)) in findings.iter().zip(&truths) {
        let holds = match kind {
            0 => truth.legal,
            1 => !truth.legal,
            _ => truth.won,
        };
        // A line that White wins ends after a turn of White.
        let is_whites = words.split(' ').count() % 2 == 1;
        if *kind == 2 && !is_whites {
            continue;
        }
        assert_eq!(
            found.verdict,
            Verdict::of(holds),
            "{words}, {kind}: {}",
            found.summary
        );
    }
    for kind in [0, 1, 2] {
        let verdicts: Vec<Verdict> = findings
            .iter()
            .skip(kind)
            .step_by(3)
            .map(|f| f.verdict)
            .collect();
        assert!(
            verdicts.contains(&Verdict::Confirmed),
            "{kind}: {verdicts:?}"
        );
        assert!(verdicts.contains(&Verdict::Refuted), "{kind}: {verdicts:?}");
    }
}

/// Eight units of one kind, each of which can go nearly everywhere.
const AMBIGUOUS: &str = "[amb:chess]
maxRank = 8
maxFile = 8
pawn = -
knight = -
bishop = -
rook = -
queen = -
king = -
customPiece1 = a:mWmFmDmNmAmHmCmZmG
customPiece2 = w:mW
startFen = 7w/8/8/8/8/8/AAAA4/AAAA4 w - - 0 1
castling = false
doubleStep = false
promotionPawnTypes = -
";

#[test]
fn line_with_too_many_readings_is_open() {
    let claims = "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'amb'\nlegal = false\n\
                  line = 'Aa3 Wh7 Ab3 Wh8 Ac3 Wh7 Ad3 Wh8 Aa4 Wh7 Ab4 Wh8 a1c4'\n\
                  [[claim]]\nid = 'b'\nsays = 'a'\nvariant = 'amb'\n\
                  line = 'a2a3 Wh7 b2b3 Wh8 c2c3 Wh7 d2d3 Wh8 d1a4 Wh7 c1b4 Wh8 a1c4'\n";
    let found = verified_with(claims, AMBIGUOUS);
    assert_eq!(found[0].verdict, Verdict::Open, "{}", found[0].summary);
    says(&found[0], "20000 turns");
    assert_eq!(found[1].verdict, Verdict::Confirmed, "{}", found[1].summary);
}

#[test]
fn order_of_printed_replies_does_not_matter() {
    let rest = "Na3, Nc3, Ng1, Ne1, Nd4, Ne5, Ng5, Nh4, Nh2, Kg1, Kg2, Kh2";
    for first in ["Nd2, Nbd2", "Nbd2, Nd2"] {
        let claim = format!(
            "[[claim]]\nid = 'a'\nsays = 'a'\nfen = '4k3/8/8/8/8/5N2/8/1N5K w - - 0 1'\nreplies = '{first}, {rest}'\n"
        );
        let found = verified_with(&claim, "").remove(0);
        assert_eq!(found.verdict, Verdict::Confirmed, "{}", found.summary);
    }
}
