// The results of encrypted values of providers and of their types.

import assert from 'node:assert/strict';
import test from 'node:test';
import { HttpAgent } from 'ag-ui-native/client';
import { asSet, failure, fixture, issueSet, official, ours } from '../packages.mjs';

const { documents, conversations, protobuf } = fixture('encrypted_values');
const { EventPipeline, Reducer, compactEvents, decodeEvent } = ours.stream;
const text = (value) => JSON.stringify(value);
const frame = (event) => Buffer.from(`data: ${text(event)}\n\n`);
const value = { encryptedValue: 'A', encryptedValueType: 'p.t' };

for (const profile of ['strict', 'tolerant', 'relay']) {
  test(`a type stands beside its value only: ${profile}`, () => {
    let read = 0;
    for (const { name, type, json, ...verdicts } of documents) {
      const verdict = verdicts[profile] ?? verdicts.strict;
      if (type === 'Event') {
        const warnings = [];
        const decode = () => decodeEvent(json, { profile, onWarning: (warning) => warnings.push(warning) });
        if (verdict.errors) assert.deepEqual(issueSet(failure(decode)), asSet(verdict.errors), name);
        else assert.equal(text(decode()), text(JSON.parse(verdict.value)), name);
        assert.deepEqual(asSet(warnings), asSet(verdict.warnings ?? []), name);
        read++;
      } else if (type.endsWith('Message')) {
        const at = ({ code, path }) => ({ code, path: `/messages/0${path}` });
        const warnings = [];
        const snapshot = `{"type":"MESSAGES_SNAPSHOT","messages":[${json}]}`;
        const decode = () => decodeEvent(snapshot, { profile, onWarning: (warning) => warnings.push(warning) });
        if (verdict.errors) assert.deepEqual(issueSet(failure(decode)), asSet(verdict.errors.map(at)), name);
        else assert.equal(text(decode().messages[0]), text(JSON.parse(verdict.value)), name);
        assert.deepEqual(asSet(warnings), asSet((verdict.warnings ?? []).map(at)), name);
        read++;
      }
    }
    assert.ok(read > 25, String(read));
  });

  test(`a type is of one value: ${profile}`, () => {
    for (const { name, start, events, messages, warnings } of conversations) {
      const reducer = new Reducer({ messages: start, profile });
      reducer.applyAll(events);
      const pipeline = new EventPipeline({ messages: start, profile });
      pipeline.feed(Buffer.concat(events.map(frame)));
      const compact = new Reducer({ messages: start, profile });
      compact.applyAll(compactEvents(events));
      for (const one of [reducer, pipeline, compact]) assert.deepEqual(one.messages, messages, name);
      assert.deepEqual(reducer.warnings.map(({ eventIndex, code }) => [eventIndex, code]), warnings, name);
    }
  });
}

test('protobuf has slots for it', () => {
  for (const { name, json, hex } of protobuf) {
    const event = JSON.parse(json);
    assert.equal(Buffer.from(ours.proto.encode(event)).toString('hex'), hex, name);
    assert.deepEqual(ours.proto.decode(new Uint8Array(Buffer.from(hex, 'hex'))), event, name);
  }
});

test('the schemas have the shapes of the official ones, and keep it', () => {
  for (const [name, document] of [
    ['AssistantMessage', { id: 'm', role: 'assistant', ...value }],
    ['ReasoningMessage', { id: 'm', role: 'reasoning', content: '', ...value }],
    ['ReasoningEncryptedValueEvent', { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm', ...value }],
  ]) {
    const schema = ours.schemas[`${name}Schema`];
    assert.ok(!('encryptedValueType' in schema.shape), name);
    assert.deepEqual(Object.keys(schema.shape).sort(), Object.keys(official.schemas[`${name}Schema`].shape).sort());
    for (const given of [document, { ...document, encryptedValueType: 5 }]) {
      assert.equal(text(schema.parse(given)), text(official.schemas[`${name}Schema`].parse(given)), name);
    }
  }
});

test('what is written and judged strictly knows it', () => {
  const event = { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm', ...value };
  ours.validate(event);
  assert.equal(failure(() => ours.validate({ ...event, encryptedValueType: 5 })).path, '/encryptedValueType');
  const alone = { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', encryptedValueType: 'p.t' }] };
  assert.equal(failure(() => ours.validate(alone)).code, 'stray_field');
});

for (const [peer, sent, lost] of [['1.0', '1.1', 1], [undefined, '1.1', 0], ['0.0.58', undefined, 1]]) {
  test(`what an agent sends to a peer of ${peer}`, async () => {
    const bodies = [];
    const fetch = async (url, { body }) => {
      bodies.push(JSON.parse(Buffer.from(body).toString()));
      const { threadId, runId } = bodies[0];
      const events = [{ type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }, { type: 'RUN_FINISHED', threadId, runId }];
      return new Response(events.map((event) => `data: ${text(event)}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } });
    };
    const warnings = [];
    const messages = [{ id: 'm', role: 'assistant', ...value, content: '' }];
    const agent = new HttpAgent('http://localhost/', { fetch, messages, peer, onWarning: (warning) => warnings.push(warning) });
    assert.equal((await agent.ask('Hi')).text, '');
    assert.equal(bodies[0].protocolVersion, sent);
    assert.equal('encryptedValueType' in bodies[0].messages[0], lost === 0);
    const wanted = Array(lost).fill(['foreign_version', '/messages/0/encryptedValueType']);
    assert.deepEqual(warnings.map(({ code, path }) => [code, path]), wanted);
  });
}
