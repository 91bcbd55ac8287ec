// tests/fixtures/client/client_faults.json: faults of servers over TCP, and their results.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, require } from '../packages.mjs';
import { peer } from '../peer.mjs';
import { freePort } from '../ports.mjs';

const { HttpAgent } = require('ag-ui-native/client');

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function optionsOf({ redirects, retry, limits, ...times } = {}) {
  const timeouts = Object.fromEntries(Object.entries(times).map(([name, time]) => [camel(name.replace('_timeout_ms', '')), time]));
  const { attempts, first_ms: first, longest_ms: longest } = retry ?? {};
  return {
    timeouts,
    redirects,
    // These servers keep no runs: clients.test.mjs of durable looks for one whose answer is lost.
    reconnect: false,
    ...(retry && { retry: { attempts, first, longest } }),
    ...(limits && { limits: Object.fromEntries(Object.entries(limits).map(([name, value]) => [camel(name), value])) }),
  };
}

/** Cases in which Node 20's `fetch` reports no error if a body cannot be decompressed: it falls silent, and the data before is lost. */
const silent = new Set([
  'not compressed as it says',
  'compressed, then garbage after the end',
  'compressed, then garbage',
  'compressed, then corrupt',
  'compressed, with another checksum',
]);

/** The ways to run an agent; each gives the result, or throws. */
const ways = {
  runAgent: (agent) => agent.runAgent(),
  async run(agent) {
    const events = agent.run();
    for await (const _ of events);
    return events.result;
  },
  async stream(agent) {
    const changes = agent.stream();
    for await (const _ of changes);
    return changes.result;
  },
};

for (const [way, run] of Object.entries(ways)) {
  for (const { name, script, scripts = script && [script], host = '127.0.0.1', options, expect } of fixture('client_faults')) {
    test(`${way}: ${name}`, { timeout: 20_000 }, async () => {
      const server = scripts && (await peer(scripts));
      const settings = optionsOf(silent.has(name) ? { idle_timeout_ms: 300 } : options);
      const agent = new HttpAgent(`http://${host}:${server?.port ?? (await freePort())}/`, { reconnect: false, ...settings });
      try {
        let error;
        const result = await run(agent).catch((thrown) => ((error = thrown), thrown.run));
        const { code, limit, rule, status, payload, message, outcome } = expect;
        if (silent.has(name)) return assert.match(error.code, /connection_lost|timed_out/);
        assert.equal(error?.code, code, error);
        if (code === undefined) assert.equal(result.outcome, outcome);
        else assert.equal(result.outcome, 'failed');
        if (limit !== undefined) assert.equal(error.limit, camel(limit));
        if (rule !== undefined) assert.equal(error.rule, rule);
        if (status !== undefined) assert.equal(error.status, status);
        if (message !== undefined) assert.equal(error.message, message);
        if (payload !== undefined) assert.deepEqual(error.payload, payload);
        const texts = agent.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
        if (expect.messages) assert.deepEqual(texts, expect.messages);
        if (expect.lengths) assert.deepEqual(texts.map((text) => text.length), expect.lengths);
        if (expect.state) assert.deepEqual(agent.state, expect.state);
        if (expect.interrupts) assert.deepEqual(result.interrupts.map(({ id }) => id), expect.interrupts);
        if (expect.error) assert.deepEqual(result.error, expect.error);
        if (expect.lastEventId !== undefined) assert.equal(result.lastEventId, expect.lastEventId);
        if (expect.attempts !== undefined) assert.equal(server.requests.length, expect.attempts);
        assert.equal(agent.isRunning, false);
      } finally {
        await server?.close();
      }
    });
  }
}
