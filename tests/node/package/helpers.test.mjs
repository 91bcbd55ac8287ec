import assert from 'node:assert/strict';
import test from 'node:test';
import { asSet, failure, fixture, issueSet, official, ours } from '../packages.mjs';

const optional = (value) => value ?? undefined;
const words = { thread: 'ThreadId', run: 'RunId', message: 'MessageId', msg: 'MessageId', tool_call: 'ToolCallId', tool: 'ToolCallId', step: 'StepId' };
const maker = (kind) => ours[`new${words[kind]}`];

const functions = {
  token_usage_from_langchain: (report, provider, model) =>
    ours.tokenUsageFromLangChainMetadata(report, { provider: optional(provider), model: optional(model) }),
  token_usage_from_ai_sdk: (report, provider, model) =>
    ours.tokenUsageFromAiSdkUsage(report, { provider: optional(provider), model: optional(model) }),
  aggregate_token_usage: ours.aggregateTokenUsage,
  merge_metadata: (old, incoming) => ours.mergeMetadata(optional(old), optional(incoming)),
  content_to_text: ours.contentToText,
  content_has_media: ours.contentHasMedia,
  content_parts: ours.contentParts,
  thread_id_of: ours.threadIdOf,
  run_id_of: ours.runIdOf,
  generate_id: (kind) => maker(kind)(),
  validate_non_empty: (event) => ours.validate(event, { nonEmpty: true }),
};

function decode(text, options) {
  const warnings = [];
  const event = ours.stream.decodeEvent(text, { ...options, onWarning: (warning) => warnings.push(warning) });
  return { event, warnings };
}

test('helpers.json', (context) => {
  for (const { name, function: called, input, output, matches, errors, warnings } of fixture('helpers')) {
    if (called === 'read_go_member_names') {
      const [event] = JSON.parse(input);
      const text = typeof event === 'string' ? event : JSON.stringify(event);
      if (errors?.length) {
        assert.deepEqual(issueSet(failure(() => decode(text, { goMemberNames: true }))), asSet(errors), name);
        continue;
      }
      const decoded = decode(text, { goMemberNames: true });
      if (matches) {
        assert.match(JSON.stringify(decoded.event), new RegExp(matches), name);
        continue;
      }
      assert.deepEqual(decoded.event, JSON.parse(output), name);
      assert.deepEqual(asSet(decoded.warnings), asSet(warnings ?? []), name);
      continue;
    }
    const parameters = JSON.parse(input);
    if (called === 'generate_timestamp_id') {
      const [prefix, kind, milliseconds] = parameters;
      context.mock.timers.enable({ apis: ['Date'], now: milliseconds });
      const id = maker(kind)(new ours.TimestampGenerator(prefix ?? undefined));
      context.mock.timers.reset();
      assert.match(id, new RegExp(matches), name);
      continue;
    }
    if (errors?.length) {
      assert.deepEqual(issueSet(failure(() => functions[called](...parameters))), asSet(errors), name);
      continue;
    }
    const result = functions[called](...parameters);
    if (matches) assert.match(result, new RegExp(matches), name);
    else if (called !== 'validate_non_empty') assert.deepEqual(JSON.parse(JSON.stringify(result ?? null)), JSON.parse(output), name);
  }
});

test('what the official helpers give', () => {
  const entries = [{ provider: 'a', model: 'b', inputTokens: 1 }, { inputTokens: 2, outputTokens: 0 }, { provider: 'a', model: 'b', inputTokens: 3, totalTokens: 5 }];
  assert.deepEqual(ours.aggregateTokenUsage(entries), official.aggregateTokenUsage(entries));
  assert.deepEqual(ours.mergeMetadata(undefined, undefined), official.mergeMetadata(undefined, undefined));
  const metadata = { a: { b: 1 } };
  assert.equal(ours.mergeMetadata(metadata, undefined), metadata);
  assert.notEqual(ours.mergeMetadata(undefined, metadata), metadata);
  for (const content of [undefined, '', 'text', [], [{ type: 'text', text: 'a' }, { type: 'image', source: { type: 'url', value: 'u' } }, { type: 'text', text: 'b' }]]) {
    assert.equal(ours.contentToText(content), official.contentToText(content));
    assert.equal(ours.contentHasMedia(content), official.contentHasMedia(content));
  }
});

test('many pairs', () => {
  const entries = Array.from({ length: 500 }, (_, at) => ({ provider: `p${at % 7}`, model: `m${at % 30}`, inputTokens: at }));
  for (const length of [0, 1, 8, 9, 10, 17, 500]) {
    const some = entries.slice(0, length);
    assert.deepEqual(ours.aggregateTokenUsage(some), official.aggregateTokenUsage(some));
  }
});

test('pairs of provider and model are told apart', () => {
  const entries = [{ provider: 'a b', model: 'c', inputTokens: 1 }, { provider: 'a', model: 'b c', inputTokens: 1 }, { provider: '', inputTokens: 1 }, { inputTokens: 1 }];
  assert.equal(ours.aggregateTokenUsage(entries).length, 4);
});

test('ids', () => {
  const counter = { at: 0, messageId: () => `custom-${counter.at++}` };
  const before = ours.getDefaultGenerator();
  assert.ok(before instanceof ours.UuidGenerator);
  ours.setDefaultGenerator(counter);
  assert.equal(ours.newMessageId(), 'custom-0');
  ours.setDefaultGenerator(null);
  assert.ok(ours.getDefaultGenerator() instanceof ours.UuidGenerator);
  assert.match(ours.newMessageId(), /^msg-[0-9a-f-]{36}$/);
  assert.equal(ours.newMessageId(counter), 'custom-1');
  assert.match(ours.newStepId(new ours.TimestampGenerator('app')), /^app-step-\d{13}-[0-9a-f]{8}$/);
});

test('toJson and validate', () => {
  const message = { id: 'a', role: 'user', content: 'c', name: null };
  assert.equal(ours.toJson(message), '{"id":"a","role":"user","content":"c"}');
  assert.equal(ours.toJson({ threadId: 't', runId: 'r', messages: [message], state: null }), '{"threadId":"t","runId":"r","messages":[{"id":"a","role":"user","content":"c"}]}');
  assert.deepEqual(issueSet(failure(() => ours.validate(message))), ['null_not_allowed /name']);
  ours.validate({ threadId: 't', runId: 'r', messages: [] });
  assert.throws(() => ours.validate(undefined), ours.AGUIValidationError);
  assert.throws(() => ours.validate({ threadId: 't', runId: 5, messages: [] }), { code: 'wrong_type', path: '/runId' });
});
