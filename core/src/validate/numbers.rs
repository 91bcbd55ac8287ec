//! Numbers of free values that some language cannot hold.

use super::build::Build;
use super::validator::{Validator, note};
use crate::error::Code;
use crate::json::{Input, View};
use crate::path::{Path, Step};
use crate::profile::UnsafeIntegers;

impl<B: Build> Validator<'_, B> {
    /// Says what numbers of a free value, which has just been made, are lost.
    pub(super) fn note_lost_numbers<'a, I: Input<'a>>(&mut self, at: &Path<'_>, input: I) {
        if self.build.lost_number() {
            self.warn(at, Code::NumberOutOfRange, "read as infinite");
        }
        if self.rules.unsafe_integers != UnsafeIntegers::Allow {
            self.check_numbers(at, input);
        }
    }

    /// Finds the numbers that a double does not hold. Nesting is limited.
    fn check_numbers<'a, I: Input<'a>>(&mut self, at: &Path<'_>, input: I) {
        match input.view() {
            View::Number if input.number().exceeds_double() => self.unsafe_integer(at),
            View::List(items) => {
                for (index, item) in items.enumerate() {
                    self.check_numbers(&at.then(Step::Index(index)), item);
                }
            }
            View::Object(members) => {
                for (key, member) in members {
                    self.check_numbers(&at.then(Step::Key(key)), member);
                }
            }
            _ => {}
        }
    }

    fn unsafe_integer(&mut self, at: &Path<'_>) {
        let is_error = self.rules.unsafe_integers == UnsafeIntegers::Error;
        let issues = if is_error { &mut self.errors } else { &mut self.warnings };
        if let Some(issue) = note(issues, at, Code::NumberOutOfRange, None, "a double cannot hold it exactly")
        {
            issue.advice = Some("send it as a string");
        }
    }
}
