// Agents that tests/fixtures/server/websocket_cases.json names, and its options as Node has them.

import { setTimeout as pause } from 'node:timers/promises';

/** The agents that the table names, and a record of their ends. */
export function agents() {
  const seen = { fate: '' };
  const hello = async (run) => {
    const message = run.textMessage();
    await message.write('Hello');
    message.end();
    return 'done';
  };
  const wait = async (run) => {
    await run.write('Hello');
    try {
      await pause(3_600_000, undefined, { signal: run.signal });
    } finally {
      seen.fate = 'cancelled';
    }
  };
  const fail = async (run) => {
    run.textMessage().write('Hello');
    throw new Error('no such thing');
  };
  const ask = async (run) => void (await run.interrupt({ id: 'i', reason: 'confirmation' }));
  return { seen, answer: hello, wait, fail, ask };
}

/** The options of a case as Node has them. */
export function optionsOf({ time_limit, body_timeout, pending_interrupts, accept_wildcards, limits, cors } = {}) {
  const milliseconds = (seconds) => (seconds === undefined ? undefined : seconds * 1000);
  return {
    timeLimit: milliseconds(time_limit),
    bodyTimeout: milliseconds(body_timeout),
    acceptWildcards: accept_wildcards,
    pendingInterrupts: pending_interrupts && (() => pending_interrupts),
    limits: limits && { inputBytes: limits.input_bytes, inputValues: limits.input_values },
    cors,
    onError: () => undefined,
  };
}
