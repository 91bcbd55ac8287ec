// tests/fixtures/client/client_requests.json: the steps of a client for one request: the calls of core, and core's answers.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, native } from '../packages.mjs';

const camel = (name) => name?.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns the expected step, with the names of settings in JavaScript. */
function expected(then) {
  const named = ({ lasts, at, timeout }) => ({ ...(at === undefined ? { lasts } : { at }), timeout: camel(timeout) ?? null });
  const { deadline, connect, head, limit, ...more } = then;
  const told = { ...more };
  for (const [name, value] of Object.entries({ deadline, connect, head })) if (value !== undefined) told[name] = value && named(value);
  if (limit !== undefined) told.limit = camel(limit) ?? null;
  return told;
}

/** A command as the scripts have it. */
function told(command) {
  const { error, payload, status, ...more } = command;
  if (command.command !== 'fail') return command;
  if (error === undefined) return { ...more, given: true };
  const { code, limit = null, message } = error;
  return { ...more, code, limit, message, status, payload, payloadLength: payload?.length };
}

for (const { name, options, steps } of fixture('client_requests').scripts) {
  test(name, () => {
    const tell = native.createRequest(JSON.stringify(options));
    for (const { then, ...input } of steps) {
      const { text, times = 1, limit, ...more } = input;
      const piece = input.input === 'piece' ? Buffer.from(text.repeat(times)) : JSON.stringify({ ...more, limit: camel(limit) });
      const found = told(JSON.parse(tell(piece)));
      // The error is the host's.
      const { says, ...members } = expected(then.given ? { command: 'fail', given: true } : then);
      if (says) assert.ok(found.message.includes(says), found.message);
      for (const [member, value] of Object.entries(members)) assert.deepEqual(found[member], value, `${member} of ${JSON.stringify(input)}`);
    }
  });
}

test('what is told wrongly', () => {
  const tell = native.createRequest('{"idle":-1,"retry":{"first":"x","jitter":1e999}}');
  assert.equal(JSON.parse(tell('no JSON')).command, 'fail');
  for (const odd of ['{}', '[]', '{"input":"end"}', undefined, 5, null]) assert.equal(JSON.parse(tell(odd)).command, 'wait', `${odd}`);
});
