// Our stages in Node. The outcomes have the form of those of ours.py, word for word.
import { ours, require } from '../node/packages.mjs';
import { withNumberedIds } from './official.mjs';

const { shareIds } = require('./dist/reduce/reducer.cjs');

const { EventDecoder, EventPipeline, Reducer, compactEvents, enforceEvents, expandChunks, verifyEvents } = ours.stream;

function failure(error) {
  if (!(error instanceof ours.AGUIError)) throw error;
  const { code, rule = null, eventIndex: index = null, issues, message } = error;
  return { code, rule, index, paths: issues.map(({ aguiPath }) => aguiPath), message };
}

const told = (warnings) => warnings.map(({ eventIndex, code, path, rule = null, message }) => [eventIndex, code, path, rule, message]);

/** Returns the result of a stage for a list of events. */
function passed(stage, { events }, options) {
  const warnings = [];
  const onWarning = (warning) => warnings.push(warning);
  try {
    const made = stage(events, { ...options, onWarning });
    return { events: made, warnings: told(warnings) };
  } catch (error) {
    const failed = failure(error);
    return { events: error.partial, warnings: told(warnings), error: failed };
  }
}

const ends = {
  run_finished: ({ outcome, result = null, pendingToolCallIds = null, interrupts = null, usage = null }) =>
    ({ outcome, result, pending_tool_call_ids: pendingToolCallIds, interrupts, usage }),
  run_failed: ({ message, code = null, usage = null }) => ({ message, code, usage }),
};

/** Returns the changes of a reducer or pipeline for each event, and the conversation at the end. */
function talked(conversation, step, events) {
  const changes = [];
  const outcome = {};
  const note = (list) => {
    for (const { kind, eventIndex, target, value } of list) {
      changes.push([eventIndex, kind, target?.id ?? null, ends[kind]?.(value) ?? null]);
    }
  };
  try {
    for (const event of events) note(step(event));
  } catch (error) {
    outcome.error = failure(error);
    note(error.partial ?? []);
  }
  const { messages, state, pendingInterrupts, stateInSync, warnings } = conversation;
  return { ...outcome, messages, state, pending_interrupts: pendingInterrupts, state_in_sync: stateInSync, changes, warnings: told(warnings) };
}

const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

/** An event's text as a frame: a line of data for each of its lines. */
const framed = (text) => Buffer.from(`data: ${text.replaceAll(/\r|\n/g, '\ndata: ')}\n\n`);

const start = ({ messages, state, pendingInterrupts }) => ({ messages, state, pendingInterrupts });

const stages = {
  enforce: (input) => passed(enforceEvents, input),
  verify: (input) => passed(verifyEvents, input, { profile: 'strict' }),
  chunks: (input) => passed(expandChunks, input, { profile: 'strict' }),
  compact: (input) => passed(compactEvents, input, { profile: 'strict' }),
  apply(input) {
    const reducer = new Reducer({ ...start(input), profile: 'strict', onPatchFailure: 'flag' });
    return talked(reducer, (event) => reducer.apply(event), input.events);
  },
  pipeline(input) {
    const line = new EventPipeline(start(input));
    return talked(line, (event) => line.feed(frame(event)), input.events);
  },
  /** Like the above, but an answer and a thought with the same id share a message, as in the client. */
  shared(input) {
    const line = new EventPipeline({ ...start(input), reduce: false });
    const reducer = new Reducer(start(input));
    shareIds(reducer);
    return talked(reducer, (event) => line.feed(frame(event)).flatMap((made) => reducer.apply(made)), input.events);
  },
  burst(input) {
    const line = new EventPipeline(start(input));
    return talked(line, (bytes) => line.feed(bytes), [Buffer.concat(input.events.map(frame))]);
  },
  relay(input) {
    const line = new EventPipeline({ ...start(input), profile: 'relay' });
    return talked(line, (bytes) => line.feed(bytes), [Buffer.concat(input.texts.map(framed))]);
  },
  tolerate(input) {
    const line = new EventPipeline({ ...start(input), verify: false });
    return talked(line, (text) => line.feed(framed(text)), input.texts);
  },
  decode(input) {
    return passed((events, options) => new EventDecoder({ ...options, profile: 'relay' }).feed(Buffer.concat(events.map(framed))), { events: input.texts });
  },
};

/** Returns the result of the stage for the input, with new ids numbered in order of appearance. The input is not changed. */
export function outcomeOf(stage, input) {
  const before = JSON.stringify(input);
  const outcome = withNumberedIds(stages[stage](input));
  if (JSON.stringify(input) !== before) throw new Error(`${stage} has changed what it was given`);
  return outcome;
}
