//! Exploring and solving with the states in sorted files on disk, where memory holds only a part.
