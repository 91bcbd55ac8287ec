//! Places in a document.

use crate::error::push_token;

/// The members and indexes that lead to a value: a chain on the stack, which becomes a JSON Pointer only for an issue.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: PathStep<'p>,
}

#[derive(Clone, Copy, Debug)]
pub enum PathStep<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl Path<'_> {
    pub const ROOT: Path<'static> = Path { parent: None, step: PathStep::Root };

    /// The path as a JSON Pointer.
    pub fn pointer(&self) -> String {
        let mut path = String::new();
        self.write(&mut path);
        path
    }

    /// Appends the path as a JSON Pointer.
    pub fn write(&self, path: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(path);
        }
        match self.step {
            PathStep::Root => {}
            PathStep::Key(key) => push_token(path, key),
            PathStep::Index(index) => push_token(path, &index.to_string()),
        }
    }
}

impl<'p> Path<'p> {
    /// The path extended by one step.
    pub fn then(&'p self, step: PathStep<'p>) -> Path<'p> {
        Path { parent: Some(self), step }
    }
}
