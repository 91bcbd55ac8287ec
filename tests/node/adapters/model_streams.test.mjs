// Streams of models as events of a run, and conversations as requests. tests/fixtures/adapters has what the providers send and take; every
// language reads it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, fixture, require } from '../packages.mjs';
import { body, ids, plain, STREAMS } from './recorded.mjs';

const { AGUIError } = require('ag-ui-native');
const { runAgent } = require('ag-ui-native/testing');
const openai = require('ag-ui-native/adapters/openai');
const anthropic = require('ag-ui-native/adapters/anthropic');

const apis = {
  openai_chat: { stream: openai.streamChat, messages: openai.chatMessages, tools: openai.chatTools },
  openai_responses: { stream: openai.streamResponse, messages: openai.responseInput, tools: openai.responseTools },
  anthropic: { stream: anthropic.streamMessage, messages: anthropic.messageParams, tools: anthropic.messageTools },
};

/** A stream of an SDK: the chunks of a body. */
function chunks(text) {
  const data = text.split(/\r?\n/).filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length));
  const all = data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one));
  const controller = new AbortController();
  return { controller, async *[Symbol.asyncIterator]() { yield* all; } };
}

for (const { name, api, body: text, events, reply, error, usage } of STREAMS) {
  test(`${api}: ${name}`, async () => {
    let made;
    const stream = chunks(text);
    const ran = await runAgent(async (run) => void (made = await apis[api].stream(run, stream)), {}, { ids });
    assert.deepEqual(ran.events.slice(1, -1), events);
    assert.deepEqual(ran.events.at(-1).usage ?? [], usage === null ? [] : [usage]);
    if (reply) {
      assert.equal(ran.outcome, 'success');
      assert.deepEqual(plain(made), reply);
    } else {
      assert.ok(ran.error instanceof AGUIError, String(ran.error));
      assert.deepEqual({ code: ran.error.code, message: ran.error.message }, error);
      assert.equal(stream.controller.signal.aborted, error.code !== 'model_truncated');
    }
  });
}

for (const { name, api, chunks: texts, text } of fixture('model_chunks')) {
  test(`${api}: ${name} are null`, async () => {
    const all = texts.map((one) => JSON.parse(one, (_, value) => (value === '$NaN' ? NaN : value)));
    let made;
    const stream = { async *[Symbol.asyncIterator]() { yield* all; } };
    const ran = await runAgent(async (run) => void (made = await apis[api].stream(run, stream)));
    assert.equal(ran.error, undefined);
    assert.equal(made.text, text);
  });
}

for (const { name, messages, ...expected } of fixture('model_requests')) {
  for (const [api, request] of Object.entries(expected)) {
    test(`${api}: ${name}`, () => {
      if (request.error === undefined) return assert.deepEqual(apis[api].messages(messages), request);
      const { code, path } = failure(() => apis[api].messages(messages));
      assert.deepEqual({ code, path }, request.error);
    });
  }
}

test('tools are those of the request', () => {
  const { tools, ...expected } = fixture('model_tools');
  for (const [api, made] of Object.entries(expected)) {
    assert.deepEqual(apis[api].tools(tools), made);
    assert.deepEqual(apis[api].tools(), []);
  }
});

test('what is no message is refused with its place', () => {
  const { code, path } = failure(() => anthropic.messageParams([{ id: 'u', role: 'user', content: 'Hello?' }, { role: 'user', content: '?' }]));
  assert.deepEqual([code, path], ['missing_field', '/1/id']);
  assert.throws(() => openai.chatMessages('Hello?'), { name: 'TypeError', message: 'messages: expected an array or another iterable, got a string' });
  assert.throws(() => openai.chatTools(1), { name: 'TypeError', message: 'tools: expected an array or another iterable, got a number' });
});

test('the answer of a call is a result, and the message for the next request', async () => {
  const answers = [];
  const ran = await runAgent(async (run) => {
    const reply = await openai.streamChat(run, chunks(body('two parallel calls in pieces')));
    assert.deepEqual(reply.toolCalls.map((call) => call.arguments), [{ city: 'Bern' }, { city: 'Rome' }]);
    answers.push(await reply.toolCalls[0].answer({ degrees: 7 }), await reply.toolCalls[1].answer([{ type: 'text', text: 'sun' }]));
    const made = openai.chatMessages([...run.messages, ...reply.messages, ...answers]);
    assert.deepEqual(made.map(({ role }) => role), ['user', 'assistant', 'tool', 'tool']);
  }, 'Weather?');
  assert.equal(ran.error, undefined);
  assert.equal(answers[0].content, '{"degrees":7}');
  assert.deepEqual(answers.map(({ id }) => id), ran.events.filter(({ type }) => type === 'TOOL_CALL_RESULT').map(({ messageId }) => messageId));
});

test('arguments that are no object are a text for the model', async () => {
  let reply;
  const cut = body('calls without index and id').replace('{\\"x\\":1}', '{\\"x');
  await runAgent(async (run) => void (reply = await openai.streamChat(run, chunks(cut))));
  assert.throws(() => reply.toolCalls[0].arguments, { name: 'TypeError', message: 'The arguments are not valid JSON.' });
});

test('the usage names the provider that is given', async () => {
  const ran = await runAgent((run) => openai.streamChat(run, chunks(body('text and usage')), { provider: 'ollama' }).then(() => undefined));
  const [{ provider, model, inputTokens }] = ran.events.at(-1).usage;
  assert.deepEqual([provider, model, inputTokens], ['ollama', 'gpt-5-mini-2026-03-01', 19]);
});

test('an unknown option is refused', async () => {
  const ran = await runAgent((run) => openai.streamChat(run, chunks(''), { vendor: 'x' }));
  assert.match(ran.error.message, /vendor/);
});

test('what is no stream is refused', async () => {
  for (const [stream, got] of [[Promise.resolve(chunks('')), 'an object'], [undefined, 'undefined'], [[], 'an array']]) {
    const ran = await runAgent((run) => openai.streamChat(run, stream));
    assert.equal(ran.error.message, `stream: expected the stream of an SDK, whose request has \`stream: true\` and is awaited, got ${got}`);
  }
  const ran = await runAgent((run) => openai.streamChat(run, chunks(''), { provider: 1 }));
  assert.equal(ran.error.message, 'provider: expected a string, got a number');
});

test('a subagent has the reply', async () => {
  const ran = await runAgent((run) => run.subagent('helper', { id: 'sub' }).run(async (helper) => {
    await openai.streamChat(helper, chunks(body('text before a call')));
  }));
  const written = ran.events.filter(({ type }) => /^(TEXT|TOOL)/.test(type));
  assert.equal(written.length, 6);
  assert.ok(written.every(({ subagentRunId }) => subagentRunId === 'sub'));
});

test('reasoning is kept by the client, and goes back', async () => {
  const ran = await runAgent(async (run) => {
    const reply = await anthropic.streamMessage(run, chunks(body('thinking with a signature, then a call', 'anthropic')));
    await reply.toolCalls[0].answer('rain');
  }, 'Rain?');
  assert.equal(ran.messages[1].encryptedValue, 'EqQB/Cg==');
  assert.deepEqual(anthropic.messageParams(ran.messages).messages[1].content.map(({ type }) => type), ['thinking', 'tool_use']);
});

for (const [api, kinds] of [
  ['anthropic', ['thinking', 'text', 'server_tool_use', 'web_search_tool_result', 'text']],
  ['openai_responses', ['reasoning', 'web_search_call', 'file_search_call', 'code_interpreter_call']],
]) {
  test(`${api}: tools of the provider are kept by the client, and go back as they came`, async () => {
    const ran = await runAgent(async (run) => {
      const { toolCalls } = await apis[api].stream(run, chunks(body('tools of the provider', api)));
      assert.deepEqual(toolCalls, []);
    }, 'Rain?');
    assert.equal(ran.error, undefined);
    const made = apis[api].messages(ran.messages);
    const parts = api === 'anthropic' ? made.messages[1].content : made;
    assert.deepEqual(parts.flatMap(({ type }) => type ?? []), kinds);
  });
}

test('a silent generator is left, and open messages are ended, when the run is aborted', async () => {
  let returned = false;
  const silent = {
    [Symbol.asyncIterator]: () => {
      const pieces = [{ choices: [{ index: 0, delta: { content: 'Hel' } }] }];
      return {
        next: () => (pieces.length > 0 ? Promise.resolve({ done: false, value: pieces.shift() }) : new Promise(() => {})),
        return: () => ((returned = true), Promise.resolve({ done: true, value: undefined })),
      };
    },
  };
  let reason;
  const ran = await runAgent(async (run) => {
    await openai.streamChat(run, silent).catch((error) => {
      reason = error;
      throw error;
    });
  }, {}, { timeLimit: 300 });
  assert.ok(returned);
  assert.ok(reason instanceof Error);
  assert.deepEqual(ran.events.slice(1, -1).map(({ type }) => type), ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END']);
  assert.equal(ran.outcome, 'error');
});

test('an agent may go on behind a failure of the provider', async () => {
  const ran = await runAgent(async (run) => {
    await assert.rejects(openai.streamChat(run, chunks(body('an error in the middle'))), { code: 'model_failed' });
    await openai.streamChat(run, chunks(body('text and usage')));
  });
  assert.equal(ran.outcome, 'success');
  assert.deepEqual(ran.messages.map(({ content }) => content), ['Hel', 'Hello there, 世界 🌍.']);
});
