//! Where the reader is in a document.

use crate::error::push_token;

/// Where the reader is: a chain through the stack, made into a pointer only when there is something to report.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    step: Step,
}

#[derive(Clone, Copy, Debug)]
pub enum Step {
    Root,
    Key(&'static str),
    Index(usize),
}

impl Place<'_> {
    pub const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

    /// Appends the place as a JSON pointer.
    pub fn write(&self, path: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(path);
        }
        match self.step {
            Step::Root => {}
            Step::Key(key) => push_token(path, key),
            Step::Index(index) => push_token(path, &index.to_string()),
        }
    }
}

impl<'p> Place<'p> {
    /// The place one step further in.
    pub fn then(&'p self, step: Step) -> Place<'p> {
        Place { parent: Some(self), step }
    }
}
