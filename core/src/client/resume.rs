//! Answers to all pending interrupts.

use crate::collections::HashSet;
use crate::error::{Code, Error, quoted};
use crate::resume::{check, unasked};
use crate::types::{Interrupt, ResumeEntry};

/// Puts answers in the order of the pending interrupts. `now` is in milliseconds since the Unix epoch.
///
/// # Errors
/// Rules L01 and L02: an interrupt has no answer, or one that has expired is not cancelled. `unknown_interrupt`: an answer names no pending
/// interrupt, or an interrupt that has an answer already.
pub fn build_resume(
    pending: &[Interrupt],
    answers: Vec<ResumeEntry>,
    now: i64,
) -> Result<Vec<ResumeEntry>, Error> {
    check(pending, &answers, now)?;
    check_once(&answers)?;
    let mut places: Vec<Option<ResumeEntry>> = vec![None; pending.len()];
    for answer in answers {
        let place = pending.iter().position(|interrupt| interrupt.id == answer.interrupt_id);
        let place = place.ok_or_else(|| Error::new(Code::UnknownInterrupt, quoted(&answer.interrupt_id)))?;
        places[place] = Some(answer);
    }
    Ok(places.into_iter().flatten().collect())
}

/// Refuses an answer to an interrupt that is not pending, if the pending ones are known.
pub(super) fn check_asked(pending: &[Interrupt], answers: &[ResumeEntry]) -> Result<(), Error> {
    let issues = if pending.is_empty() { Vec::new() } else { unasked(pending, answers) };
    if issues.is_empty() { Ok(()) } else { Err(Error::from(issues)) }
}

/// Refuses a second answer to the same interrupt: it would be unclear which one counts.
pub(super) fn check_once(answers: &[ResumeEntry]) -> Result<(), Error> {
    let mut seen = HashSet::default();
    match answers.iter().find(|answer| !seen.insert(&answer.interrupt_id)) {
        Some(twice) => Err(Error::new(
            Code::UnknownInterrupt,
            format!("{} is answered twice", quoted(&twice.interrupt_id)),
        )),
        None => Ok(()),
    }
}
