// Agents whose runs are scripts, for tests of the client.

import { require } from './packages.mjs';

const { Agent } = require('ag-ui-native/client');

export const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
export const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
export const text = (id, ...deltas) => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
export const call = (id, name, args = '{}') => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args },
  { type: 'TOOL_CALL_END', toolCallId: id },
];
export const frames = (...events) => events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
export const hello = frames(started, ...text('m', 'Hel', 'lo'), finished);

/** An agent that answers with these runs, one after the other; the last one is repeated. */
export function scripted(runs, options) {
  let count = 0;
  return new Agent(() => runs[Math.min(count++, runs.length - 1)], options);
}

export const pause = (duration) => new Promise((resolve) => setTimeout(resolve, duration));
export const never = new Promise(() => undefined);
/** Hangs, and counts how often it is called. */
export const hang = () => (hang.count++, never);
hang.count = 0;
