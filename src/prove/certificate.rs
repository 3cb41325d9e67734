//! Certificates with their goals. The crate [`certificate`] defines the format of the files.

use ::certificate::Certificate as Stored;
pub use ::certificate::{Entry, Header, Kind};
use diagnostics::Diagnostic;
use rules::RuleSet;
use search::Goal;
use std::io::Read;
use std::ops::{Deref, DerefMut};

// Every key of a position fits in a file.
const _: () = assert!(position::KEY_WORDS <= ::certificate::MAX_KEY_WORDS);

/// A certificate in memory, which dereferences to its stored part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    stored: Stored,
    /// The goal, if the text in the header alone does not determine it.
    goal: Option<Goal>,
}

impl Deref for Certificate {
    type Target = Stored;

    fn deref(&self) -> &Stored {
        &self.stored
    }
}

impl DerefMut for Certificate {
    fn deref_mut(&mut self) -> &mut Stored {
        &mut self.stored
    }
}

impl From<Stored> for Certificate {
    fn from(stored: Stored) -> Certificate {
        Certificate { stored, goal: None }
    }
}

impl Certificate {
    /// Returns a certificate of these entries, which may be in any order.
    pub fn new(header: Header, words: usize, entries: Vec<Entry>) -> Certificate {
        Stored::new(header, words, entries).into()
    }

    /// Reads a file with at most `max_bytes` of memory.
    ///
    /// # Errors
    /// Those of [`::certificate::Certificate::read`].
    pub fn read(input: &mut dyn Read, max_bytes: u64) -> Result<Certificate, Diagnostic> {
        Stored::read(input, max_bytes).map(Certificate::from)
    }

    /// Returns the certificate with its goal, whose text must be that in the header. Needed for a goal that
    /// is an expression, which only the caller can compile.
    pub fn with_goal(mut self, goal: &Goal) -> Certificate {
        let needed = !matches!(goal, Goal::Win | Goal::NotLose | Goal::Reason(_));
        self.goal = (needed && goal.to_string() == self.header.goal).then(|| goal.clone());
        self
    }

    /// Returns the goal.
    ///
    /// # Errors
    /// If the rule set does not have the goal, or if the goal is an expression that
    /// [`with_goal`](Self::with_goal) has not set.
    pub fn goal(&self, rule_set: &RuleSet) -> Result<Goal, Diagnostic> {
        match &self.goal {
            Some(goal) => Ok(goal.clone()),
            None => Goal::parse(&self.header.goal, rule_set),
        }
    }
}
