//! The table of names: every name of the language, with its types, meaning and an example.
//!
//! The type checker, `eval ID --names`, the guide's reference and the error messages read this table.

use crate::code::Op;
use crate::types::{Item, Type};

/// The kind of value to which a name belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// None: the name is always bare.
    Global,
    /// A position. A bare name refers to the position that the expression is about.
    Position,
    /// A turn. A bare name refers to the turn that the expression is about, if there is one.
    Turn,
    /// A unit.
    Unit,
    /// A square.
    Square,
}

/// An example of a name: an expression about a position, and its value.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The rule set.
    pub variant: &'static str,
    /// The position; empty for the start position.
    pub fen: &'static str,
    /// The expression. For a name that [needs facts](Name::needs_facts), it is about the states of the solved
    /// graph, or a bound of a claims file.
    pub expression: &'static str,
    /// The value as `eval` prints it, or the number of states as `explore --solve --count` does. Empty for
    /// bounds.
    pub answer: &'static str,
}

/// A name.
#[derive(Debug)]
pub struct Name {
    /// The name.
    pub name: &'static str,
    /// The kind of value to which the name belongs.
    pub owner: Owner,
    /// The types of the arguments, if the name is a function.
    pub params: Option<&'static [Type]>,
    /// The type of the value.
    pub result: Type,
    /// The meaning in words.
    pub meaning: &'static str,
    /// An example.
    pub example: Example,
    pub(crate) op: Op,
}

impl Name {
    /// Returns the name as it is written, with the types of its arguments: `attacked(square, side)`.
    pub fn usage(&self) -> String {
        match self.params {
            None => self.name.to_owned(),
            Some(params) => {
                let params: Vec<String> = params.iter().map(Type::to_string).collect();
                format!("{}({})", self.name, params.join(", "))
            }
        }
    }

    /// Returns whether the name is available only in graphs, tables or the bounds of claims files.
    pub fn needs_facts(&self) -> bool {
        matches!(
            self.op,
            Op::Value | Op::Plies | Op::Flip | Op::Depth | Op::OutDegree | Op::Mover
        )
    }
}

const BOOL: Type = Type::BOOL;
const INT: Type = Type::INT;
const TEXT: Type = Type::One(Item::Text);
const SIDE: Type = Type::One(Item::Side);
const KIND: Type = Type::One(Item::Kind);
const SQUARE: Type = Type::One(Item::Square);
const UNIT: Type = Type::One(Item::Unit);
const POSITION: Type = Type::One(Item::Position);
const UNITS: Type = Type::List(Item::Unit);
const SQUARES: Type = Type::List(Item::Square);
const INTS: Type = Type::List(Item::Int);
const TURNS: Type = Type::List(Item::Turn);

/// A position in which a rook can mate on the back rank.
const MATE_IN_1: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
/// A position in which a pawn can promote, with and without a capture, and give check.
const PROMOTION: &str = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
/// A position with a small graph: king and pawn against king, three files.
const SMALL: &str = "1k1/3/1P1/1K1 w - - 0 1";
/// A position with an en passant capture.
const PASSING: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";

macro_rules! names {
    ($($owner:ident $name:literal $(($($param:expr),*))? $result:ident $op:ident $meaning:literal
        [$variant:literal $fen:expr, $expression:literal => $answer:literal])*) => {
        /// Every name.
        pub static NAMES: &[Name] = &[$(Name {
            name: $name,
            owner: Owner::$owner,
            params: names!(@params $(($($param),*))?),
            result: $result,
            meaning: $meaning,
            example: Example {
                variant: $variant,
                fen: $fen,
                expression: $expression,
                answer: $answer,
            },
            op: Op::$op,
        }),*];
    };
    (@params) => { None };
    (@params ($($param:expr),*)) => { Some(&[$($param),*]) };
}

const OUTCOME: Type = Type::One(Item::Outcome);
const VALUE: Type = Type::One(Item::Value);

names! {
    Position "side" SIDE Side "the side to move" ["fide" "", "side" => "white"]
    Global "white" SIDE White "the first player" ["fide" "", "white == side" => "true"]
    Global "black" SIDE Black "the second player" ["fide" "", "count(black)" => "16"]
    Global "other"(SIDE) SIDE Other "the opponent of a side" ["fide" "", "other(white)" => "black"]
    Global "mover" SIDE Mover "the side whose turns are counted; only in bounds of claims files"
        ["fide" "", "sum(units(mover, 'pawn').map(u, 8 - u.row))" => ""]
    Position "squares" SQUARES Squares "the squares of the board, in the order of ranks; holes are not squares"
        ["fide" "", "squares.size()" => "64"]
    Position "files" INT Files "the number of files" ["bachelor" "", "files" => "7"]
    Position "ranks" INT Ranks "the number of ranks" ["bachelor" "", "ranks" => "6"]
    Position "units" UNITS Units "all units on the board, in the order of squares; bound units are not included"
        ["fide" MATE_IN_1, "units" => "Ra1 Ke1 pf7 pg7 ph7 kg8"]
    Position "units"(SIDE) UNITS UnitsOfSide "the units of a side" ["fide" MATE_IN_1, "units(white)" => "Ra1 Ke1"]
    Position "units"(KIND) UNITS UnitsOfKind "the units of a kind" ["fide" MATE_IN_1, "units('king')" => "Ke1 kg8"]
    Position "units"(SIDE, KIND) UNITS UnitsOf "the units of a side and a kind"
        ["fide" MATE_IN_1, "units(black, 'pawn')" => "pf7 pg7 ph7"]
    Position "bound"(SIDE) UNITS Bound "the bound units of a side (Chromopolis)"
        ["chromopolis" "", "bound(white).size()" => "0"]
    Position "count"() INT Count "the number of units on the board" ["fide" "", "count()" => "32"]
    Position "count"(SIDE) INT CountOfSide "the number of units of a side" ["fide" "", "count(white)" => "16"]
    Position "count"(KIND) INT CountOfKind "the number of units of a kind" ["fide" "", "count('rook')" => "4"]
    Position "count"(SIDE, KIND) INT CountOf "the number of units of a side and a kind"
        ["fide" "", "count(white, 'pawn')" => "8"]
    Position "at"(SQUARE) UNIT At "the unit on a square; the missing unit if the square is empty"
        ["fide" "", "at('d8')" => "qd8"]
    Position "empty"(SQUARE) BOOL Empty "whether no unit is on a square" ["fide" "", "empty('e4')" => "true"]
    Position "on_board"(TEXT) BOOL OnBoardText "whether the board has a square of this name"
        ["bachelor" "", "on_board('h8')" => "false"]
    Position "on_board"(SQUARE) BOOL OnBoard "whether a square is not the missing square"
        ["fide" "", "on_board(at('e4').square)" => "false"]
    Position "attacked"(SQUARE, SIDE) BOOL Attacked
        "whether a side attacks a square, as the rule set defines attack"
        ["fide" "", "attacked('f3', white)" => "true"]
    Position "attackers"(SQUARE, SIDE) UNITS Attackers "the units of a side that attack a square"
        ["fide" "", "attackers('f3', white)" => "Ng1 Pe2 Pg2"]
    Position "check" BOOL Check "whether the side to move is in check, as the rule set defines it"
        ["fide" "4k3/8/8/8/8/8/8/4RK2 b - - 0 1", "check" => "true"]
    Position "check"(SIDE) BOOL CheckOf "whether a side is in check" ["fide" "", "check(black)" => "false"]
    Position "turns" TURNS Turns "the legal turns, in the order of the rule set; empty if the game is over"
        ["fide" "", "size(turns)" => "20"]
    Position "pseudo" TURNS Pseudo "the pseudo-legal turns: by the rules of movement, safety not considered"
        ["fide" "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "size(pseudo) - size(turns)" => "2"]
    Position "pass" POSITION Pass "the same position with the other side to move"
        ["fide" MATE_IN_1, "pass.side" => "black"]
    Position "under"(TEXT) POSITION Under
        "the same units, side, counters and applicable rights under another rule set with the same board, with the hands and states that both have"
        ["submission" "", "size(under('fide').turns)" => "20"]
    Position "reach"(UNIT) SQUARES Reach "where a unit could step on an empty board"
        ["fide" "", "reach(at('b1'))" => "d2 a3 c3"]
    Position "walk"(KIND, SIDE, SQUARE, SQUARE) INT Walk
        "the fewest steps of a unit of a kind and side from one square to another on an empty board; -1 if it cannot get there"
        ["fide" "", "walk('knight', white, 'a1', 'h8')" => "6"]
    Position "distance"(SQUARE, SQUARE) INT Distance "the number of king steps between two squares"
        ["fide" "", "distance('a1', 'h7')" => "7"]
    Position "aligned"(SQUARE, SQUARE) BOOL Aligned
        "whether two squares are on a common rank, file or diagonal" ["fide" "", "aligned('a1', 'h8')" => "true"]
    Position "between"(SQUARE, SQUARE) SQUARES Between
        "the squares between two squares on a common rank, file or diagonal"
        ["fide" "", "between('a1', 'd4')" => "b2 c3"]
    Position "light"(SQUARE) BOOL Light "whether a square is light; `a1` is dark" ["fide" "", "light('h1')" => "true"]
    Position "hand"(SIDE, KIND) INT Hand "the number of units of a kind that a side has in hand"
        ["reentrant" "", "hand(white, 'rook')" => "0"]
    Position "castling_rights"(SIDE) INT CastlingRights "the number of castling rights of a side"
        ["fide" "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "castling_rights(white)" => "1"]
    Position "checks_left"(SIDE) INT ChecksLeft
        "the number of checks that a side still has to give, where a FEN contains it, as `3+3`; 0 elsewhere"
        ["3check" "", "checks_left(white)" => "3"]
    Position "outcome" OUTCOME Outcome
        "'ongoing', 'white-wins', 'black-wins', 'draw', 'white-wins-weakly' or 'black-wins-weakly'"
        ["fide" "", "outcome" => "ongoing"]
    Position "reason" TEXT Reason "why the game is over, as 'checkmate'; '' while it is not"
        ["fide" "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "reason" => "stalemate"]
    Position "won"(SIDE) BOOL Won "whether a side has won, a weak win not included"
        ["fide" "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "won(white)" => "true"]
    Position "won"(SIDE, TEXT) BOOL WonBy "whether a side has won for this reason"
        ["bachelor" "", "won(white, 'marriage')" => "false"]
    Position "drawn" BOOL Drawn "whether the game is over and drawn"
        ["fide" "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "drawn" => "true"]
    Position "over" BOOL IsOver "whether the game is over" ["fide" "", "over" => "false"]
    Position "fen" TEXT Fen "the position as a FEN"
        ["fide" "", "fen" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
    Position "value" VALUE Value
        "'win', 'weak-win', 'draw', 'weak-loss' or 'loss' for the side to move; only in solved graphs and tables"
        ["fide" SMALL, "value == 'win'" => "713"]
    Position "plies" INT Plies "the distance to the end under best play, -1 for a draw; only in solved graphs and tables"
        ["fide" SMALL, "plies > 4" => "890"]
    Position "flip" POSITION Flip
        "the same position with the other side to move; of its members, only `value` and `plies` exist, and an illegal position has no value"
        ["fide" SMALL, "value == 'loss' && flip.value == 'draw'" => "6"]
    Position "depth" INT Depth "the distance from the root, in plies; only in graphs" ["fide" SMALL, "depth == 1" => "5"]
    Position "out_degree" INT OutDegree "the number of turns; only in graphs" ["fide" SMALL, "out_degree > 6" => "549"]
    Turn "text" TEXT TurnText "the turn in coordinate notation" ["fide" MATE_IN_1, "turns[0].text.size() > 0" => "true"]
    Turn "kind" KIND TurnKind
        "the kind of the moved unit before the turn: of the king in a castling, of the dropped unit in a drop, of the first moved unit in a turn of several steps"
        ["fide" PROMOTION, "turns.exists(t, t.kind == 'pawn')" => "true"]
    Turn "becomes" KIND Becomes "the kind of the moved unit after the turn"
        ["fide" PROMOTION, "turns.filter(t, t.becomes == 'rook').size()" => "2"]
    Turn "from" SQUARE From "the first square of the moved unit; a drop has none: ''"
        ["fide" PROMOTION, "turns.exists(t, t.from == 'a7')" => "true"]
    Turn "to" SQUARE To "the last square of the moved unit"
        ["fide" PROMOTION, "turns.exists(t, t.to == 'b8')" => "true"]
    Turn "captures" UNITS Captures "the units that leave the board or are bound, as they were before the turn"
        ["fide" PASSING, "turns.filter(t, size(t.captures) > 0)" => "e5d6"]
    Turn "promotes" BOOL Promotes "whether the turn promotes a unit"
        ["fide" PROMOTION, "turns.filter(t, t.promotes).size()" => "8"]
    Turn "castles" BOOL Castles "whether the turn is a castling" ["fide" MATE_IN_1, "turns.filter(t, t.castles)" => "e1c1"]
    Turn "drops" BOOL Drops "whether the turn puts a unit on the board" ["fide" "", "turns.exists(t, t.drops)" => "false"]
    Turn "en_passant" BOOL EnPassant "whether the turn captures a pawn in passing"
        ["fide" PASSING, "turns.filter(t, t.en_passant)" => "e5d6"]
    Turn "steps" TURNS Steps "the single steps, in order; `before` and `after` of a step are those of the turn"
        ["fide" "", "turns.all(t, size(t.steps) == 1)" => "true"]
    Turn "length2" INT Length2 "the squared distance from `from` to `to`"
        ["fide" "", "max(turns.map(t, t.length2))" => "5"]
    Turn "before" POSITION Before "the position before the turn" ["fide" "", "turns.all(t, t.before.side == white)" => "true"]
    Turn "after" POSITION After "the position after the turn" ["fide" "", "turns.all(t, t.after.side == black)" => "true"]
    Turn "checks" BOOL Checks "whether the opponent is in check after the turn"
        ["fide" MATE_IN_1, "turns.filter(t, t.checks)" => "a1a8"]
    Turn "mates" BOOL Mates "whether the turn wins by checkmate" ["fide" MATE_IN_1, "turns.filter(t, t.mates)" => "a1a8"]
    Turn "ends" BOOL Ends "whether the game is over after the turn" ["fide" MATE_IN_1, "turns.filter(t, t.ends)" => "a1a8"]
    Turn "exists" BOOL TurnExists "whether it is a turn; false for a missing element of a list"
        ["fide" "", "turns[20].exists" => "false"]
    Unit "kind" KIND UnitKind "its kind" ["fide" "", "at('a1').kind" => "rook"]
    Unit "side" SIDE UnitSide "its side" ["fide" "", "at('a8').side" => "black"]
    Unit "square" SQUARE UnitSquare "its square" ["fide" "", "units(white, 'king')[0].square" => "e1"]
    Unit "file" INT UnitFile "its file, from 1" ["fide" "", "units(white, 'king')[0].file" => "5"]
    Unit "rank" INT UnitRank "its rank, from 1" ["fide" "", "units(black, 'king')[0].rank" => "8"]
    Unit "row" INT UnitRow "its rank counted from its owner's side, from 1" ["fide" "", "units(black, 'king')[0].row" => "1"]
    Unit "royal" BOOL Royal "whether it may not be left attacked" ["fide" "", "units(white).filter(u, u.royal)" => "Ke1"]
    Unit "promoted" BOOL Promoted "whether it remembers in its notation that it has promoted" ["fide" "", "at('d1').promoted" => "false"]
    Unit "moves" SQUARES Moves "the squares to which a legal turn takes it" ["fide" "", "at('b1').moves" => "a3 c3"]
    Unit "exists" BOOL UnitExists "whether it is a unit; false for an empty square" ["fide" "", "at('e4').exists" => "false"]
    Square "file" INT SquareFile "its file, from 1" ["fide" "", "squares.filter(s, s.file == 8).size()" => "8"]
    Square "rank" INT SquareRank "its rank, from 1" ["fide" "", "squares.filter(s, s.rank == 8).size()" => "8"]
    Position "home"(UNIT) SQUARE Home
        "where a unit of this kind begins, as problems use it: king and queen on their square of the array, pawns on their second rank and own file, rooks, bishops and knights on the home square of the color of their square, other pieces on their promotion rank and own file"
        ["fide" "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "home(at('d5'))" => "b1"]
    Position "nearest"(SQUARE, INT, INT) UNIT Nearest
        "the first unit from a square in a direction, given as steps to the right and up; the missing unit if there is none"
        ["fide" MATE_IN_1, "nearest('a1', 1, 0)" => "Ke1"]
    Position "offset"(SQUARE, INT, INT) SQUARE Offset
        "the square so many steps to the right and up from a square; '' if there is none"
        ["fide" "", "offset('b1', 1, 2)" => "c3"]
    Position "square"(INT, INT) SQUARE SquareAt "the square of a file and a rank, counted from 1; '' if there is none"
        ["fide" "", "square(5, 4)" => "e4"]
    Position "neighbors"(SQUARE) UNITS Neighbors "the units on the eight squares around a square"
        ["fide" "", "neighbors('b1')" => "Ra1 Bc1 Pa2 Pb2 Pc2"]
    Position "row"(SQUARE, INT, INT) UNITS Row
        "the unbroken row of units through a square, in a direction and its opposite; empty if the square is"
        ["fide" MATE_IN_1, "row('g7', 1, 0)" => "pf7 pg7 ph7"]
    Position "without"(UNIT) POSITION Without "the position without a unit; as it is if the unit is missing"
        ["fide" MATE_IN_1, "without(at('a1')).count(white)" => "1"]
    Global "sum"(INTS) INT Sum "the sum of a list" ["fide" "", "sum(units(white, 'pawn').map(u, 8 - u.row))" => "48"]
    Global "min"(INTS) INT Min "the least element of a list; 0 if it is empty" ["fide" "", "min(units.map(u, u.rank))" => "1"]
    Global "max"(INTS) INT Max "the greatest element of a list; 0 if it is empty" ["fide" "", "max(units.map(u, u.rank))" => "8"]
}

/// Forms that take a list of any type, or a body. Each row has the name, usage, meaning and example.
pub static FORMS: &[(&str, &str, &str, Example)] = &[
    (
        "size",
        "size(list), list.size()",
        "the number of elements of a list, or of characters of a text",
        example("fide", "", "units(white).size()", "16"),
    ),
    (
        "all",
        "list.all(x, condition)",
        "whether the condition holds for all elements `x`",
        example("fide", "", "units(white).all(u, u.rank <= 2)", "true"),
    ),
    (
        "exists",
        "list.exists(x, condition)",
        "whether the condition holds for some element `x`",
        example("fide", "", "turns.exists(t, t.checks)", "false"),
    ),
    (
        "exists_one",
        "list.exists_one(x, condition)",
        "whether the condition holds for exactly one element `x`",
        example(
            "fide",
            "",
            "units(white).exists_one(u, u.kind == 'king')",
            "true",
        ),
    ),
    (
        "filter",
        "list.filter(x, condition)",
        "the elements `x` for which the condition holds",
        example("fide", "", "units.filter(u, u.kind == 'queen')", "Qd1 qd8"),
    ),
    (
        "map",
        "list.map(x, value)",
        "the values for all elements `x`",
        example("fide", "", "units(white, 'rook').map(u, u.square)", "a1 h1"),
    ),
];

const fn example(
    variant: &'static str,
    fen: &'static str,
    expression: &'static str,
    answer: &'static str,
) -> Example {
    Example {
        variant,
        fen,
        expression,
        answer,
    }
}
