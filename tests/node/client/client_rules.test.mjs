// tests/fixtures/client/client_rules.json: what core decides for a client, as it comes out in JavaScript.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, native, require } from '../packages.mjs';

const { Agent, toolCallFilter } = require('ag-ui-native/client');
const { clientError } = require('./dist/errors/errors.cjs');
const { responseFailure } = require('./dist/client/transport/failures.cjs');
const { headersOf } = require('./dist/client/transport/headers.cjs');
const { frameMessage } = require('./dist/client/transport/websocket.cjs');
const { addressed } = require('./dist/official/drop_in.cjs');
const cases = fixture('client_rules');

/** A time in 2026, between the expired and the unexpired entries of the cases. */
const NOW = 1_767_225_600_000;

test('headers', () => {
  for (const { name, value, valid } of cases.headers) {
    if (valid) assert.deepEqual(headersOf({ [name]: value }), { [name.toLowerCase()]: value });
    else {
      const { code, path } = failure(() => headersOf({ [name]: value }));
      assert.deepEqual([code, path], ['invalid_header', `/headers/${name}`]);
    }
  }
  for (const name of cases.reserved.yes) assert.deepEqual(headersOf({ [name]: 'x' }), {});
  for (const name of cases.reserved.no.filter((name) => name !== '')) assert.deepEqual(headersOf({ [name]: 'x' }), { [name]: 'x' });
});

test('addresses', () => {
  const apart = ({ of, to, before, sameOrigin = false }) => JSON.parse(native.addressOf(of ?? to, before ?? undefined, sameOrigin));
  for (const given of [...cases.addresses, ...cases.redirectedAddresses]) {
    const { url, authorization } = given;
    assert.deepEqual(apart(given), { url, authorization });
  }
  // An address from which nothing is removed stays as it is written; an address is anything that `URL` can parse.
  const requested = (address) => {
    const [url, { headers }] = addressed(address, {});
    return { url, authorization: new Headers(headers).get('authorization') };
  };
  assert.deepEqual(requested('http://a.example'), { url: 'http://a.example', authorization: null });
  assert.deepEqual(requested('/run#part'), { url: '/run', authorization: null });
  assert.deepEqual(requested(' http:user:p%40@a.example '), { url: 'http://a.example/', authorization: 'Basic dXNlcjpwQA==' });
});

test('redirects', () => {
  for (const { status, followed, from, to, anyOrigin, sameOrigin } of cases.redirects) {
    const tell = native.createRequest(JSON.stringify({ redirects: anyOrigin ? 'any' : 'same-origin' }));
    const told = (input, more) => JSON.parse(tell(JSON.stringify({ input, ...more })));
    told('prepared', { url: from, headers: [] });
    for (let hop = 0; hop < followed; hop++) (told('head', { status: 307, location: from }), told('closed'));
    assert.equal(told('head', { status, location: to }).command, 'close');
    const { command, leftBehind, error } = told('closed');
    if (sameOrigin === null) assert.deepEqual([command, error.code], ['fail', 'redirect_refused'], `${from} ${to}`);
    else assert.deepEqual([command, leftBehind.length === 0], ['send', sameOrigin], `${from} ${to}`);
  }
});

test('calls of some tools', async () => {
  for (const { name, allow, deny, events, passed } of fixture('tool_filter')) {
    const filter = toolCallFilter(allow ? { allow } : { deny });
    // Each run begins anew.
    for (let run = 0; run < 2; run++) {
      const kept = [];
      for await (const event of filter({}, async function* () { yield* events; })) kept.push(event);
      assert.deepEqual(kept, passed, name);
      assert.ok(kept.every((event) => events.includes(event) || events.some(({ type }) => type.endsWith('_CHUNK'))), name);
    }
  }
});

test('refusals', () => {
  for (const { status, contentType, body, payload, says } of cases.failures) {
    const error = responseFailure(status, contentType, Buffer.from(body));
    assert.deepEqual([error.code, error.status, error.payload], ['http_error', status, payload]);
    assert.ok(error.message.includes(says), error.message);
    assert.equal(error.name, 'AGUIConnectionError');
  }
});

test('inputs', () => {
  for (const { given, pending = [], peer, sent, rule, code = 'sequence_broken' } of cases.inputs) {
    const prepare = () => native.prepareInput(JSON.stringify(given), JSON.stringify(pending), peer, '{}', NOW);
    const answer = prepare();
    if (sent) assert.deepEqual(JSON.parse(answer.slice(answer.indexOf('\n') + 1)), sent);
    else assert.deepEqual([JSON.parse(answer).error.rule, JSON.parse(answer).error.code], [rule, code]);
  }
});

test('answers to interrupts', () => {
  for (const { pending, answers, order, code } of cases.resumes) {
    const entries = answers.map((interruptId) => ({ interruptId, status: 'resolved' }));
    const agent = new Agent(() => []);
    agent.pendingInterrupts = pending.map((id) => ({ id, reason: 'ask' }));
    const build = () => agent.buildResume(entries);
    if (order) assert.deepEqual(build().map(({ interruptId }) => interruptId), order);
    else assert.equal(failure(build).code, code);
  }
});

test('messages of a socket', () => {
  for (const { text, frame } of cases.messages) assert.equal(Buffer.from(frameMessage(Buffer.from(text), false, false)).toString(), frame);
  assert.deepEqual([...frameMessage(Buffer.from('ab'), true, true)], [0, 0, 0, 2, 97, 98]);
  assert.equal(failure(() => frameMessage(Buffer.from('abc'), true, true, { eventBytes: 2 })).limit, 'eventBytes');
});

test('what a client meets', () => {
  for (const [name, limit] of [['timed_out', 'idleTimeout'], ['too_many_runs', 'maxRuns']]) {
    const error = clientError(name, '', limit, 'cause');
    assert.deepEqual([error.code, error.limit, error.cause], [name, limit, 'cause']);
  }
  const { content, error, toolCallId } = JSON.parse(native.answerTool('c', 'no', true, '{}'));
  assert.deepEqual([content, error, toolCallId], ['no', 'no', 'c']);
});
