//! Rules by hand.
