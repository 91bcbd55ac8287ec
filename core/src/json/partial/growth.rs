//! The steps in which a document grows.

/// One step in which a document grows. Hosts carry the steps out on values of their own, which so never have to be
/// made again.
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
    /// The string that began last goes on.
    Append(&'a str),
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(&'a str),
    /// The innermost open list or object ends.
    Close,
    /// The value that began last, or has just been closed, is whole: its JSON pointer.
    Complete(&'a str),
}

/// Gets each step in which a document grows.
pub type Grow<'g> = dyn FnMut(Growth<'_>) + 'g;
