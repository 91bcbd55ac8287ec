//! python

use crate::File;

/// The files.
pub fn files() -> Vec<File> {
    Vec::new()
}
