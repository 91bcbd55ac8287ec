//! Where in a document somebody is.

use crate::error::push_token;

/// Where somebody is: a chain through the stack, made into a pointer only when there is something to report.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
pub enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl Place<'_> {
    pub const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

    /// The place as a JSON pointer.
    pub fn pointer(&self) -> String {
        let mut path = String::new();
        self.write(&mut path);
        path
    }

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
    pub fn then(&'p self, step: Step<'p>) -> Place<'p> {
        Place { parent: Some(self), step }
    }
}
