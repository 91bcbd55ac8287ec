// tests/fixtures/stream/requirements.json: the requirements of the specification, and the verdict of each profile.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fixture, ours, require } from '../packages.mjs';

const { Agent } = require('ag-ui-native/client');
const { upgradeInput } = require('ag-ui-native/compat');
const { fetchHandler } = require('ag-ui-native/server');
const { EventPipeline, decodeEvent, decodeEvents } = ours.stream;
const { AGUI_MEDIA_TYPE, EventEncoder } = ours.encoder;

const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const plain = (value) => (value === undefined ? value : JSON.parse(JSON.stringify(value)));

/** An error or a warning in a line: its code, the rule, the event of a stream, the place. */
function summary({ code, rule, eventIndex, path }, indexed) {
  const at = indexed && eventIndex !== undefined ? `at ${eventIndex}` : undefined;
  return [code, rule, at, path].filter(Boolean).join(' ');
}

/** Returns true if `found` has every wanted member, and none that is wanted as "(absent)". Lists have the same length. */
function isWithin(wanted, found) {
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && wanted.length === found.length && wanted.every((item, at) => isWithin(item, found[at]));
  }
  if (wanted === null || typeof wanted !== 'object') return wanted === found;
  if (found === null || typeof found !== 'object' || Array.isArray(found)) return false;
  return Object.entries(wanted).every(([key, value]) => (value === '(absent)' ? !(key in found) : key in found && isWithin(value, found[key])));
}

function verdict(error, warnings, indexed = false) {
  if (error && !(error instanceof ours.AGUIError)) throw error;
  const told = warnings.map((warning) => summary(warning, indexed)).sort();
  return { ...(error && { error: summary(error, indexed) }), ...(told.length > 0 && { warnings: told }) };
}

/** Returns the events as protobuf; undefined if protobuf does not have all of them. */
function framesOf(stream) {
  try {
    const events = stream.map((event) => decodeEvent(JSON.stringify(event), { profile: 'strict' }));
    return Buffer.concat(events.map((event) => new EventEncoder().encodeProtobuf(event)));
  } catch (error) {
    if (!(error instanceof ours.AGUIError)) throw error;
  }
}

/** Feeds a stream, or the bytes of one, to a pipeline. If protobuf has all of its events, the result over protobuf must be the same. */
function tellStream({ stream, body, peer }, profile) {
  if (body !== undefined) return tellBytes(Buffer.from(body), { profile });
  const options = { profile, ...(peer && { peer }) };
  const found = tellBytes(Buffer.concat(stream.map(frame)), options);
  const frames = framesOf(stream);
  if (frames) assert.deepEqual(tellBytes(frames, { ...options, contentType: AGUI_MEDIA_TYPE }), found);
  return found;
}

function tellBytes(bytes, options) {
  const warnings = [];
  const pipeline = new EventPipeline({ ...options, onWarning: (warning) => warnings.push(warning) });
  let error;
  try {
    pipeline.feed(bytes);
    pipeline.close();
  } catch (failure) {
    error = failure;
  }
  return { ...verdict(error, warnings, true), messages: plain(pipeline.messages), state: plain(pipeline.state) };
}

/** An event, or a run's input, by itself. */
function tellDocument({ event, input }, profile) {
  const warnings = [];
  try {
    if (event) decodeEvent(JSON.stringify(event), { profile, onWarning: (warning) => warnings.push(warning) });
    else warnings.push(...ours.readRunInput(JSON.stringify(input), { profile }).warnings);
  } catch (error) {
    return verdict(error, warnings);
  }
  return verdict(undefined, warnings);
}

/** Runs an agent of the client. The result is that of the last run. */
async function tellClient({ client: { start: { stored, ...start } = {}, runs }, tolerant }, profile) {
  const seen = [];
  async function* watch(input, next) {
    for await (const event of next(input)) {
      seen.push(plain(event));
      yield event;
    }
  }
  const asked = [];
  const warnings = [];
  const transport = ({ body }) => {
    asked.push(JSON.parse(body));
    return runs[asked.length - 1].answer.map(frame);
  };
  if (tolerant.seen) start.middleware = [watch];
  if (stored) start.messages = upgradeInput({ messages: stored }).input.messages;
  let agent;
  let found;
  try {
    agent = new Agent(transport, { threadId: 't', profile, onWarning: (warning) => warnings.push(warning), ...start });
    for (const { runId = 'r', resume } of runs) {
      warnings.length = 0;
      const { outcome } = await agent.runAgent({ runId, ...(resume && { resume }) });
      found = { outcome };
    }
    found = { ...found, ...verdict(undefined, warnings) };
  } catch (error) {
    found = verdict(error, warnings);
  }
  return { ...found, messages: plain(agent?.messages), state: plain(agent?.state), asked: asked.length, sent: asked.at(-1), seen };
}

/** A request to a server whose agent sends the events one by one. */
async function tellServer({ server: { accept = 'text/event-stream', body, agent } }) {
  const handle = fetchHandler(async (run) => {
    for (const event of agent) await run.event(event);
  });
  const headers = { 'content-type': 'application/json', accept };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await handle(new Request('http://localhost/', { method: 'POST', headers, body: text }));
  if (response.status !== 200) return { status: response.status };
  const type = response.headers.get('content-type').split(';')[0];
  const events = [];
  for await (const event of decodeEvents(response)) events.push(plain(event));
  return { status: 200, type, events };
}

/** Returns the names of the members that differ from the wanted ones. */
function judge(one, wanted, found) {
  const wrong = ['error', 'warnings'].filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(found[name]));
  const both = {};
  const take = (from, ...names) => names.filter((name) => name in from).forEach((name) => (both[name] = from[name]));
  if (!('error' in wanted)) take(one, 'messages', 'state');
  take(wanted, 'status', 'type', 'events', 'outcome', 'asked', 'sent', 'seen', 'messages', 'state');
  wrong.push(...Object.keys(both).filter((name) => !isWithin(both[name], found[name])));
  for (const path of wanted.unsent ?? []) {
    const keys = path.split('.');
    const last = keys.pop();
    const value = keys.reduce((value, key) => value?.[key], found.sent);
    if (!value || last in value) wrong.push(path);
  }
  return wrong;
}

function tell(one, profile) {
  if (one.server) return tellServer(one);
  if (one.client) return tellClient(one, profile);
  return (one.event || one.input ? tellDocument : tellStream)(one, profile);
}

for (const one of fixture('requirements')) {
  for (const profile of ['strict', 'tolerant', 'relay', 'answer'].filter((name) => name in one)) {
    test(`${one.page} ${one.number} ${profile}`, async () => {
      const found = await tell(one, profile);
      const wrong = judge(one, one[profile], found);
      const today = one.today?.[profile];
      if (today) assert.notDeepEqual(wrong, [], 'it is right now: take `today` away');
      const differs = today ? judge(one, today, found) : wrong;
      assert.deepEqual(differs, [], JSON.stringify(found));
    });
  }
}
