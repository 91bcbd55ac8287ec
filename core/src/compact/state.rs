//! The state of a run: a snapshot and the deltas after it, folded into one snapshot.

use super::compaction::{Compaction, made, metadata};
use super::plan::{Action, CompactionPlan};
use super::row::{Kind, Row};
use crate::limits::Limits;
use crate::patch;
use crate::types::{Event, StateSnapshotEvent};
use crate::warning::Warning;

/// Plans the state events at `indices`. Without a snapshot they stay unchanged, otherwise they become one snapshot.
pub fn decide(rows: &[Row], indices: &[usize], plan: &mut CompactionPlan) {
    let has_snapshot = indices.iter().any(|&index| rows[index].kind == Kind::StateSnapshot);
    match indices {
        [only] if !rows[*only].is_dressed => plan.keep(*only),
        _ if has_snapshot => plan.add(Action::State, indices.iter().copied()),
        _ => indices.iter().for_each(|&index| plan.keep(index)),
    }
}

/// Writes the state events at `indices` as one snapshot. A delta that does not apply is dropped as a whole, as in a replay.
pub fn write(events: &[Event], indices: &[usize], compaction: &mut Compaction) {
    let snapshot = |&index: &usize| match &events[index] {
        Event::StateSnapshot(event) => Some(event),
        _ => None,
    };
    let Some(last) = indices.iter().rposition(|index| snapshot(index).is_some()) else { return };
    let mut folded = StateSnapshotEvent { metadata: metadata(events, indices), ..Default::default() };
    if let Some(event) = snapshot(&indices[last]) {
        folded.snapshot = event.snapshot.clone();
    }
    for &index in &indices[last + 1..] {
        if let Event::StateDelta(delta) = &events[index]
            && let Err(error) = patch::apply(&mut folded.snapshot, &delta.delta, &Limits::default())
        {
            let issues = error.issues.into_iter().take(1);
            compaction.warnings.extend(issues.map(|issue| Warning { event_index: index, issue }));
        }
    }
    let tag = events[indices[last]].subagent_run_id();
    if indices.iter().all(|&index| events[index].subagent_run_id() == tag) {
        folded.subagent_run_id = tag.map(str::to_owned);
    }
    compaction.events.push(made(folded.into(), events, indices[last]));
}
