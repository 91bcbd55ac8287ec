// What the tests of adapters share: the recorded streams, and their replies.

import { fixture } from '../packages.mjs';

export const STREAMS = fixture('model_streams');

const next = () => 'm';

/** The ids of the fixtures. */
export const ids = { threadId: next, runId: next, messageId: next, toolCallId: next, stepId: next };

/** The recorded body of a case. */
export function body(name, api = 'openai_chat') {
  return STREAMS.find((one) => one.name === name && one.api === api).body;
}

/** The reply as fixtures have it. */
export function plain({ toolCalls, ...reply }) {
  const calls = toolCalls.map(({ id, name, argumentsText }) => ({ id, type: 'function', function: { name, arguments: argumentsText } }));
  return { ...reply, usage: reply.usage ?? null, toolCalls: calls };
}
