//! What input may cost.

/// Limits on what is read. Each has a name, a default and a setting; the error that reports one names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest event, in bytes of its text.
    pub event_bytes: usize,
    /// Deepest nesting of lists and objects; at most [`Limits::MAX_DEPTH`].
    pub depth: usize,
}

impl Limits {
    /// The deepest nesting that can be asked for: what the stack of a thread bears with room to spare.
    pub const MAX_DEPTH: usize = 1_000;

    /// The depth in force.
    pub fn effective_depth(&self) -> usize {
        self.depth.min(Self::MAX_DEPTH)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { event_bytes: 16 * 1024 * 1024, depth: 200 }
    }
}
