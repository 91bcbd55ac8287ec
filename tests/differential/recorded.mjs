// Outcomes of ours in the form of tests/fixtures/stream/stream-cases.json, which is that of the official side.

const isStripped = { unknown_field: true, unknown_variant: true, no_part_source: true };

function failed({ error }) {
  if (!error) return {};
  const rule = error.rule ?? 'E01';
  return { error: true, atIndex: error.index, rule, ...(rule === 'E01' && { paths: error.paths }) };
}

/** Returns the removed parts: the official side reports those of events that pass, and none if the stream fails. */
function stripped({ events }, { warnings, error }) {
  if (error) return [];
  return warnings.flatMap(([index, code, path]) => {
    const { type } = events[index];
    if (code === 'unknown_event_type') return [`dropped ${type}`];
    return isStripped[code] ? [`${type} ${path}`] : [];
  });
}

const STATE = new Set(['state_set', 'state_patched']);
const QUIET = new Set(['message_ended', 'call_ended', 'run_finished', 'run_failed', 'interrupts_set', 'patch_failed']);

/** Returns the changes that each event reports. Some events report a change although the values are equal. */
function changed({ events }, { changes, error }) {
  const reports = [];
  const end = error ? error.index : events.length;
  events.slice(0, end).forEach((event, index) => {
    const kinds = changes.filter(([at]) => at === index).map(([, kind]) => kind);
    const messages =
      kinds.some((kind) => !STATE.has(kind) && !QUIET.has(kind)) ||
      event.type === 'ACTIVITY_SNAPSHOT' ||
      (event.type === 'RUN_STARTED' && event.input !== undefined);
    const parts = [...(messages ? ['messages'] : []), ...(kinds.some((kind) => STATE.has(kind)) ? ['state'] : [])];
    if (parts.length) reports.push([index, ...parts]);
  });
  return reports;
}

function finished(end) {
  const { outcome, result, pending_tool_call_ids: pendingToolCallIds } = end;
  if (outcome !== 'success') return { outcome };
  return { outcome, pendingToolCallIds, ...(result !== null && { result }) };
}

function conversation(input, { messages, state, pending_interrupts: pendingInterrupts }) {
  const isThere = pendingInterrupts.length || input.pendingInterrupts;
  return { messages, state, ...(isThere && { pendingInterrupts }) };
}

const forms = {
  verify: (input, outcome) => (outcome.error ? failed(outcome) : { accepted: outcome.events.length }),
  chunks: (input, outcome) => ({ ...failed(outcome), events: outcome.events }),
  compact: (input, outcome) => ({ ...failed(outcome), events: outcome.events }),
  enforce(input, outcome) {
    const removed = stripped(input, outcome);
    return { ...failed(outcome), events: outcome.events, ...(removed.length && { stripped: removed }) };
  },
  apply(input, outcome) {
    const found = { ...failed(outcome), ...conversation(input, outcome), changed: changed(input, outcome) };
    const told = (kind, what) => outcome.changes.filter((change) => change[1] === kind).map(what);
    const notes = {
      finished: told('run_finished', ([, , , end]) => finished(end)),
      newMessages: told('message_ended', ([, , id]) => id),
      newToolCalls: told('call_ended', ([, , id]) => id),
    };
    for (const [name, list] of Object.entries(notes)) if (list.length) found[name] = list;
    return found;
  },
  pipeline(input, outcome) {
    const found = { ...failed(outcome), ...conversation(input, outcome) };
    if (outcome.error) return found;
    const before = new Set((input.messages ?? []).map(({ id }) => id));
    // A result is the last one that a success has; a success without a result does not replace it.
    const ends = outcome.changes.filter(([, kind, , end]) => kind === 'run_finished' && end.outcome === 'success');
    const result = ends.at(-1)?.[3].result ?? null;
    return { ...found, ...(result !== null && { result }), newMessages: outcome.messages.map(({ id }) => id).filter((id) => !before.has(id)) };
  },
};

/** The recorded form of an outcome of ours. */
export const recorded = (stage, input, outcome) => comparable(forms[stage](input, outcome));

/** Removes parts that do not matter: the order of reports, and the interrupts of an end, which are pending anyway. */
export function comparable({ paths, stripped, finished, ...outcome }) {
  return {
    ...outcome,
    ...(stripped && { stripped: [...stripped].sort() }),
    ...(paths && { paths: [...new Set(paths)].sort() }),
    ...(finished && { finished: finished.map(({ interrupts, ...end }) => end) }),
  };
}
