//! The signatures of table files.

use super::{signature_text, size};
use catalog::Catalog;
use notation::fen;
use rules::with_game;
use tables::Listed;

/// Returns the signature of a table file in the notation of commands, and whether the file was built with the present
/// rules. Returns `None` if the catalog does not have the file's variant or board.
pub(super) fn signature_of(catalog: &Catalog, file: &Listed) -> Option<(String, bool)> {
    // The fingerprint of a definition follows `#`.
    let id = file.variant.split('#').next()?;
    let variant = catalog.open(id).ok()?;
    let own = fen::shape(&variant.start()).ok()?;
    // The holes of a board follow a hyphen.
    let (board, holes) = match file.board.split_once('-') {
        Some((board, _)) => (board, true),
        None => (file.board.as_str(), false),
    };
    let geometry = match size(board).ok()? {
        size if holes && size.size() == own.size() => own,
        size => variant.rule_set.board(size.files(), size.ranks()).ok()?,
    };
    let game = variant.on(geometry).ok()?;
    Some(with_game!(&game, game => {
        let game = game.as_ref();
        (signature_text(game, &file.key), file.is_current(game))
    }))
}
