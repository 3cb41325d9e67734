//! Exploring and solving on several threads, processes and machines, each with a part of the states.
