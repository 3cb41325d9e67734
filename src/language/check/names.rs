//! Resolves bare names and members, and suggests a name for an unknown one.

use super::provenance::Provenance;
use super::{Checked, Checker, field_type};
use crate::code::{Code, Op};
use crate::error::ExpressionError;
use crate::names::{FORMS, NAMES, Name, Owner};
use crate::tree::{Node, Span, Tree, Word};
use crate::types::{Item, Type};
use diagnostics::nearest;

/// Words from other tools and languages, and the expression that a user probably means by them.
struct Idea {
    words: &'static [&'static str],
    /// The expression about a position.
    position: &'static str,
    /// The expression about a turn, if it differs.
    turn: Option<&'static str>,
}

/// The known words. Reasons of the rule sets are found without this table.
const IDEAS: [Idea; 12] = [
    idea(
        &["mate", "mated", "is_checkmate"],
        "reason == 'checkmate'",
        Some("mates"),
    ),
    idea(&["win", "wins", "winner", "white_wins"], "won(white)", None),
    idea(&["loss", "lost", "loses"], "won(other(side))", None),
    idea(&["draw", "draws", "is_draw"], "drawn", None),
    idea(
        &["ended", "finished", "game_over", "terminal"],
        "over",
        Some("ends"),
    ),
    idea(&["in_check", "is_check", "checked"], "check", None),
    idea(
        &["moves", "legal", "legal_moves", "mobility"],
        "size(turns)",
        None,
    ),
    idea(
        &["capture", "is_capture", "takes"],
        "turns.exists(t, size(t.captures) > 0)",
        Some("size(captures) > 0"),
    ),
    idea(
        &["promotion", "promoted"],
        "turns.exists(t, t.promotes)",
        Some("promotes"),
    ),
    idea(
        &["stm", "to_move", "side_to_move", "turn"],
        "side == white",
        None,
    ),
    idea(&["pieces", "men", "material"], "count()", None),
    idea(&["result", "score"], "outcome", None),
];

/// Why a value is refused that the graph or the table does not have.
const UNVALUED: &str = "is not known of this position";
/// The positions whose values are known.
const VALUED: &str = "values are known of the position itself, of positions after legal turns, and of `flip`, the same position with the other side to move";
/// Why a member of `flip` is refused.
const NO_MEMBER_OF_FLIP: &str = "does not exist of `flip`, which has `value` and `plies` only";
/// What to use instead of `flip`.
const PASS_HAS_MEMBERS: &str =
    "`pass` is the same position with the other side to move, whether legal or not";

const fn idea(
    words: &'static [&'static str],
    position: &'static str,
    turn: Option<&'static str>,
) -> Idea {
    Idea {
        words,
        position,
        turn,
    }
}

impl Checker<'_> {
    /// Returns the code of the position to which bare names refer.
    pub(super) fn here(&self) -> Code {
        match self.environment.about.after {
            true => Code::Name(Op::After, vec![Code::ThisTurn]),
            false => Code::Here,
        }
    }

    /// Returns the code of the value to which a bare name of this owner refers, or `Some(None)` for a global
    /// name. Returns `None` if such a name cannot be bare here.
    pub(super) fn implied(&self, owner: Owner) -> Option<Option<Code>> {
        match owner {
            Owner::Global => Some(None),
            Owner::Position => Some(Some(self.here())),
            Owner::Turn => (self.environment.about.turn).then_some(Some(Code::ThisTurn)),
            Owner::Unit | Owner::Square => None,
        }
    }

    /// Returns the rows of a bare name, each with the value to which the name refers.
    pub(super) fn bare_rows(&self, name: &str) -> Vec<(&'static Name, Option<Code>)> {
        let rows = NAMES.iter().filter(|row| row.name == name);
        rows.filter_map(|row| Some((row, self.implied(row.owner)?)))
            .collect()
    }

    pub(super) fn bare(&mut self, name: &str, span: &Span) -> Checked {
        if let Some(at) = self.scope.iter().rposition(|bound| bound.name == name) {
            let hops = (self.scope.len() - 1 - at) as u32;
            return Ok((Code::Variable(hops), Type::One(self.scope[at].item)));
        }
        if let Some(given) = self.given(name) {
            return Ok(given);
        }
        if name == "state" {
            return Err(ExpressionError::new(span.clone(), "`state` needs a field")
                .help(self.fields_help()));
        }
        let rows = self.bare_rows(name);
        match rows.iter().find(|(row, _)| row.params.is_none()) {
            Some((row, target)) => {
                self.available(row, target.as_ref(), span)?;
                Ok((
                    Code::Name(row.op, target.iter().cloned().collect()),
                    row.result,
                ))
            }
            None if !rows.is_empty() => {
                let usages: Vec<String> = rows.iter().map(|(row, _)| row.usage()).collect();
                let why = format!("`{name}` is a function");
                Err(ExpressionError::new(span.clone(), why)
                    .help(format!("write {}", usages.join(" or "))))
            }
            None => Err(self.unknown(name, span)),
        }
    }

    pub(super) fn unknown(&self, name: &str, span: &Span) -> ExpressionError {
        if let Some(error) = form_without_parentheses(name, span) {
            return error;
        }
        if let Some(error) = self.given_elsewhere(name, span) {
            return error;
        }
        let shown = diagnostics::shortened(name);
        let why = format!("there is no name `{shown}`");
        let error = ExpressionError::new(span.clone(), why);
        if let Some(near) = self.near_given(name) {
            return error.help(format!("did you mean `{near}`?"));
        }
        let elsewhere = NAMES.iter().find(|row| row.name == name);
        if let Some(row) = elsewhere {
            let (owner, example) = match row.owner {
                Owner::Turn => ("turns", format!("turns.exists(t, t.{name} ...)")),
                Owner::Unit => ("units", format!("units.exists(u, u.{name} ...)")),
                _ => ("squares", format!("squares.exists(s, s.{name} ...)")),
            };
            let why = format!("`{name}` belongs to {owner}, not to the position");
            return ExpressionError::new(span.clone(), why).help(format!("such as `{example}`"));
        }
        let known = NAMES
            .iter()
            .filter(|row| self.implied(row.owner).is_some())
            .map(|row| row.name)
            .chain(self.scope.iter().map(|bound| bound.name.as_str()))
            .chain(["size", "state"]);
        let sides_and_kinds = || {
            let kinds = self.rules[0].names.iter().map(|kind| kind.name.as_str());
            let found = kinds.chain(self.environment.kinds_elsewhere.iter().copied());
            found
                .chain(crate::kinds::compiled_names())
                .any(|kind| kind.eq_ignore_ascii_case(name))
        };
        if sides_and_kinds() || self.rules[0].geometry.named(name).is_some() {
            return error.help(format!("kinds and squares are texts: '{name}'"));
        }
        if let Some(expression) = self.idea(name) {
            return error.help(format!("write `{expression}`"));
        }
        match nearest(name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("`fairyproof eval ID --names` lists all names"),
        }
    }

    /// Returns a suggested expression for an unknown word.
    pub(super) fn idea(&self, word: &str) -> Option<String> {
        let reason = word.replace('_', "-");
        if self.reasons().any(|known| known == reason) {
            return Some(format!("reason == '{reason}'"));
        }
        let idea = IDEAS.iter().find(|idea| idea.words.contains(&word))?;
        let about_turn = idea.turn.filter(|_| self.environment.about.turn);
        Some(about_turn.unwrap_or(idea.position).to_owned())
    }

    /// Checks that the environment provides what a name needs.
    pub(super) fn available(
        &self,
        row: &Name,
        target: Option<&Code>,
        span: &Span,
    ) -> Result<(), ExpressionError> {
        let about = self.environment.about;
        let refuse = |why: &str, help: &str| {
            let why = format!("`{}` {why}", row.name);
            Err(ExpressionError::new(span.clone(), why).help(help))
        };
        let origin = || target.map_or(Provenance::SUBJECT, |code| self.provenance(code));
        self.in_stage(row, origin().foreign, span)?;
        match row.op {
            Op::Value | Op::Plies | Op::Flip if !about.values => refuse(
                "is not known here",
                "values are known in `explore --solve`, in `table find`, and in claims over a graph without depth or a table",
            ),
            Op::Value | Op::Plies if !origin().values => refuse(UNVALUED, VALUED),
            Op::Value | Op::Plies => Ok(()),
            _ if origin().flip => refuse(NO_MEMBER_OF_FLIP, PASS_HAS_MEMBERS),
            Op::Flip if !origin().values => refuse(UNVALUED, VALUED),
            Op::Depth | Op::OutDegree if !about.graph => refuse(
                "is not known here",
                "it exists for the states of a graph, in `explore`",
            ),
            Op::Depth | Op::OutDegree if !matches!(target, Some(Code::Here)) => refuse(
                "is known of the state itself only",
                "write it without a position before it",
            ),
            Op::Mover if !about.mover => refuse(
                "is not known here",
                "it exists in the bounds of claims files; `side` is the side to move",
            ),
            _ => Ok(()),
        }
    }

    /// Returns the owner of the members that values of a type have.
    pub(super) fn owner(result: Type) -> Option<Owner> {
        match result {
            Type::One(Item::Position) => Some(Owner::Position),
            Type::One(Item::Turn) => Some(Owner::Turn),
            Type::One(Item::Unit) => Some(Owner::Unit),
            Type::One(Item::Square) => Some(Owner::Square),
            _ => None,
        }
    }

    /// If the tree is `state` or `position.state`, returns the position.
    pub(super) fn state_of(&mut self, tree: &Tree) -> Result<Option<Code>, ExpressionError> {
        match &tree.node {
            Node::Name(name)
                if name == "state" && !self.scope.iter().any(|bound| bound.name == *name) =>
            {
                Ok(Some(self.here()))
            }
            Node::Member(position, name) if name.text == "state" => {
                self.want(position, Type::One(Item::Position)).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn fields_help(&self) -> String {
        let fields: Vec<&str> = self.fields().map(|(name, _)| name).collect();
        match fields.is_empty() {
            true => format!("`{}` has no state", self.environment.game.variant()),
            false => format!("its fields: {}", fields.join(", ")),
        }
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, Item)> {
        let rule_set = &self.environment.game.variant().rule_set;
        rule_set
            .state()
            .iter()
            .map(|(name, _)| (*name, field_type(name)))
    }

    pub(super) fn member(&mut self, target: &Tree, name: &Word) -> Checked {
        if let Some(position) = self.state_of(target)? {
            if self.provenance(&position).flip {
                let why = format!("`state` {NO_MEMBER_OF_FLIP}");
                return Err(ExpressionError::new(target.span.clone(), why).help(PASS_HAS_MEMBERS));
            }
            if let Some(declared) = self.declared_field(&position, name, None) {
                return declared;
            }
            let found = self.fields().find(|(field, _)| *field == name.text);
            let Some((field, item)) = found else {
                let shown = diagnostics::shortened(&name.text);
                let why = format!("the state has no field `{shown}`");
                return Err(ExpressionError::new(name.span.clone(), why).help(self.fields_help()));
            };
            return Ok((Code::State(Box::new(position), field), Type::One(item)));
        }
        if self.environment.text.is_some()
            && matches!(&target.node, Node::Name(name) if name == "option")
        {
            return self.option(name);
        }
        let (code, found) = self.check(target)?;
        let mut found = self.seen_type(found);
        // Of the types that are written as texts, only squares have members.
        let is_square_member = |row: &Name| row.owner == Owner::Square && row.name == name.text;
        if let Type::One(item @ Item::Open(_)) = found
            && NAMES.iter().any(is_square_member)
            && self.unify(item, Item::Square)
        {
            found = Type::One(Item::Square);
        }
        let rows: Vec<&Name> = NAMES
            .iter()
            .filter(|row| Some(row.owner) == Self::owner(found) && row.name == name.text)
            .collect();
        if let Some(row) = rows.iter().find(|row| row.params.is_none()) {
            self.available(row, Some(&code), &name.span)?;
            return Ok((Code::Name(row.op, vec![code]), row.result));
        }
        if let Some(row) = rows.first() {
            let why = format!("`{}` is a function", name.text);
            let help = format!("write {}", row.usage());
            return Err(ExpressionError::new(name.span.clone(), why).help(help));
        }
        Err(self.no_member(found, name))
    }

    pub(super) fn no_member(&self, found: Type, name: &Word) -> ExpressionError {
        let has_form = match found {
            Type::List(_) => true,
            Type::One(item) => item.is_textual() && name.text == "size",
        };
        if has_form && let Some(error) = form_without_parentheses(&name.text, &name.span) {
            return error;
        }
        let shown = diagnostics::shortened(&name.text);
        let why = format!("a value of the type {found} has no member `{shown}`");
        let error = ExpressionError::new(name.span.clone(), why);
        let owner = Self::owner(found);
        let members = || {
            NAMES
                .iter()
                .filter(|row| Some(row.owner) == owner)
                .map(|row| row.name)
        };
        let forms = FORMS.iter().map(|(form, ..)| *form);
        let near = match found {
            Type::List(_) => nearest(&name.text, forms),
            Type::One(_) => nearest(&name.text, members()),
        };
        match (near, found) {
            (Some(near), _) => error.help(format!("did you mean `{near}`?")),
            (None, Type::List(_)) => {
                error.help("lists have size(), all, exists, exists_one, filter and map")
            }
            (None, _) if owner.is_some() => {
                let mut all: Vec<&str> = members().collect();
                all.dedup();
                error.help(format!("its members: {}", all.join(", ")))
            }
            _ => error,
        }
    }
}

/// Returns the error for a form such as `size` that is written without parentheses, if the name is one.
fn form_without_parentheses(name: &str, span: &Span) -> Option<ExpressionError> {
    let (_, usage, ..) = FORMS.iter().find(|(form, ..)| *form == name)?;
    let why = format!("`{name}` is a function");
    Some(ExpressionError::new(span.clone(), why).help(format!("write {usage}")))
}
