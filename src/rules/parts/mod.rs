//! Clauses that several rule sets share, with their parameters as arguments.
