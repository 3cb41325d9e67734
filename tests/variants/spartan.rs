//! Spartan Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{ends, positions, read};
use fairyproof::catalog::Catalog;
use fairyproof::notation::{fen, turns};
use fairyproof::position::{KEY_WORDS, Narrow};
use fairyproof::variants::spartan::{Ending, MatchResult, match_result};
use fairyproof::with_setup;

const V: &str = "spartan";

positions! {
    V:
    white_starts_without_three_units {
        "start": fen "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/3QKBNR w Kkq - 0 1";
    }

    move_sixty_one_is_too_late {
        "7k/8/8/8/8/8/8/K7 b - - 0 60": outcome "ongoing";
        "7k/8/8/8/8/8/8/K7 b - - 0 60" after "h8g8": outcome "white-wins time";
        "7k/8/8/8/8/8/8/K7 w - - 0 999999": outcome "white-wins time";
        "7k/8/8/8/8/8/8/K7 b - - 0 61": outcome "white-wins time";
    }

    checkmate_on_the_last_move_comes_before_time {
        "K7/8/1k6/8/8/8/8/7r b - - 0 60" after "h1h8": outcome "black-wins checkmate";
    }

    white_wins_by_stalemate_whoever_is_stalemated {
        "K7/8/1q6/8/8/8/8/7k w - - 0 9": outcome "white-wins stalemate";
        "K7/8/1q6/8/8/8/8/7k w - - 0 61": outcome "white-wins time";
        "k7/8/1Q6/8/8/8/8/7K b - - 0 9": outcome "white-wins stalemate";
    }

    white_wins_by_checkmate_too {
        "k7/8/1K6/8/8/8/8/7R w - - 0 3" after "h1h8": outcome "white-wins checkmate";
    }
}

#[test]
fn number_of_moves_is_an_option() {
    let text = "7k/8/8/8/8/8/8/K7 b - - 0 2";
    ends("spartan:moves=2", text, "h8g8", "white-wins time");
    ends("spartan:moves=3", text, "h8g8", "ongoing");
    for bad in ["spartan:moves", "spartan:moves=0", "spartan:moves=10000"] {
        assert!(Catalog::new().open(bad).is_err(), "{bad}");
    }
}

#[test]
fn move_number_belongs_to_the_position_up_to_the_last() {
    let text = |number: u32| format!("7k/8/8/8/8/8/8/K7 w - - 0 {number}");
    let position = |number| {
        let setup = read(V, &text(number));
        setup.get::<Narrow>().expect("64 squares").clone()
    };
    let five = position(5);
    assert_ne!(five.position, position(6).position);
    assert_eq!(position(61).position, position(700).position);
    // From its key a position comes back with its number, and counts on.
    let game = five.game.as_ref();
    let codec = game.codec(&five.position);
    let mut key = [0; KEY_WORDS];
    codec.encode(&five.position, &mut key);
    let p = codec.decode(&key);
    assert_eq!(fen::print(game, &p), text(5));
    let p = game.play(&p, &turns::find(game, &p, "a1a2", 1).unwrap());
    let p = game.play(&p, &turns::find(game, &p, "h8h7", 2).unwrap());
    assert!(fen::print(game, &p).ends_with(" 6"));
}

#[test]
fn match_of_two_games_is_judged_by_the_games_as_black() {
    use Ending::{BlackMated, Unmated, WhiteMated};
    use MatchResult::{Draw, FirstBlack, SecondBlack};
    let judge = |first, second| match_result(60, first, second);
    assert_eq!(judge(WhiteMated(30), WhiteMated(31)), FirstBlack);
    assert_eq!(judge(WhiteMated(31), WhiteMated(30)), SecondBlack);
    assert_eq!(judge(WhiteMated(30), WhiteMated(30)), Draw);
    assert_eq!(judge(WhiteMated(60), Unmated), FirstBlack);
    assert_eq!(judge(Unmated, Unmated), Draw);
    // No game counts more than 61 moves.
    assert_eq!(judge(WhiteMated(70), Unmated), Draw);
    assert_eq!(judge(BlackMated(59), Unmated), SecondBlack);
    assert_eq!(judge(BlackMated(20), BlackMated(19)), FirstBlack);
    assert_eq!(judge(BlackMated(20), BlackMated(20)), Draw);
    assert_eq!(judge(BlackMated(20), BlackMated(21)), SecondBlack);
}

#[test]
fn endings_are_read_off_the_last_position() {
    let ending = |text: &str| {
        with_setup!(read(V, text), start => {
            Ending::of(start.game.outcome(&start.position), start.position.fullmove)
        })
    };
    // Black mated on move 60, White on move 3.
    assert_eq!(
        ending("K6r/8/1k6/8/8/8/8/8 w - - 0 61"),
        Some(Ending::WhiteMated(60))
    );
    assert_eq!(
        ending("k6R/8/1K6/8/8/8/8/8 b - - 0 3"),
        Some(Ending::BlackMated(3))
    );
    assert_eq!(
        ending("7k/8/8/8/8/8/8/K7 w - - 0 61"),
        Some(Ending::Unmated)
    );
    assert_eq!(ending("7k/8/8/8/8/8/8/K7 w - - 0 60"), None);
}
