//! Where a capture or promotion leads: the table, and which unit takes which of its places.

use super::super::class_table::Table;
use std::sync::Arc;

/// Where captures or promotions lead.
pub struct Route {
    pub table: Arc<Table>,
    pub swap: bool,
    pub seats: Vec<u8>,
}
