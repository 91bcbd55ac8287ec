//! The steps in which a document grows.

/// One step in which a document grows. Hosts apply the steps to their own values, so these are never built again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth<'a> {
    /// The key under which the next value goes.
    Key(&'a str),
    /// An object begins.
    Object,
    /// A list begins.
    List,
    /// A string begins, with this text.
    Text(&'a str),
    /// More text of the string that began last.
    Append(&'a str),
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text.
    Number(&'a str),
    /// The innermost open list or object ends.
    Close,
    /// The JSON pointer of a complete value: the one that began last, or the one just closed.
    Complete(&'a str),
}

/// Receives each step in which a document grows.
pub type Grow<'g> = dyn FnMut(Growth<'_>) + 'g;
