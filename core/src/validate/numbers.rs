//! Numbers of free values that some languages cannot hold.

use super::build::Build;
use super::validator::{Validator, note};
use crate::error::Code;
use crate::json::{BEYOND_DOUBLES, Input, Number, View};
use crate::path::{Path, PathStep};
use crate::profile::UnsafeIntegers;

impl<B: Build> Validator<'_, B> {
    /// Reports the numbers of a free value that are lost.
    pub(super) fn note_lost_numbers<'a, I: Input<'a>>(&mut self, at: &Path<'_>, input: I) {
        if self.rules.unsafe_integers != UnsafeIntegers::Allow {
            self.check_numbers(at, input, Number::exceeds_double);
        } else if input.may_hold_infinite() {
            let is_wrong = if self.rules.finite { Number::is_infinite } else { Number::is_lost };
            self.check_numbers(at, input, is_wrong);
        }
    }

    /// Reports the numbers for which `is_wrong` is true. The depth of nesting is limited.
    fn check_numbers<'a, I: Input<'a>>(&mut self, at: &Path<'_>, input: I, is_wrong: fn(&Number) -> bool) {
        match input.view() {
            View::Number if is_wrong(&input.number()) => self.unheld(at),
            View::List(items) => {
                for (index, item) in items.enumerate() {
                    self.check_numbers(&at.then(PathStep::Index(index)), item, is_wrong);
                }
            }
            View::Object(members) => {
                for (key, member) in members {
                    self.check_numbers(&at.then(PathStep::Key(key)), member, is_wrong);
                }
            }
            _ => {}
        }
    }

    fn unheld(&mut self, at: &Path<'_>) {
        let is_error = self.rules.finite || self.rules.unsafe_integers == UnsafeIntegers::Error;
        let issues = if is_error { &mut self.errors } else { &mut self.warnings };
        let detail = match self.rules.unsafe_integers {
            UnsafeIntegers::Allow => BEYOND_DOUBLES,
            _ => "a double cannot hold it exactly",
        };
        if let Some(issue) = note(issues, at, Code::NumberOutOfRange, None, detail) {
            issue.advice = Some("send it as a string");
        }
    }
}
