//! The table that a capture or promotion leads to, and the seats of the units in its class.

use super::super::class_table::Table;
use std::sync::Arc;

/// The table that a kind of capture or promotion leads to.
pub struct Route {
    pub table: Arc<Table>,
    pub swap: bool,
    pub seats: Vec<u8>,
}
