// The official SDKs of the providers, against a server that answers with recorded bodies.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { provider } from './provider.mjs';
import { body, ids, plain, STREAMS } from './recorded.mjs';

const { AGUIError } = require('ag-ui-native');
const { runAgent } = require('ag-ui-native/testing');
const { chatMessages, chatTools, responseInput, responseTools, streamChat, streamResponse } = require('ag-ui-native/adapters/openai');
const { messageParams, messageTools, streamMessage } = require('ag-ui-native/adapters/anthropic');
const { APIError, OpenAI } = require('openai');
const { Anthropic, APIError: AnthropicError } = require('@anthropic-ai/sdk');

const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
const common = { apiKey: 'k', maxRetries: 0 };

const ask = {
  async openai_chat(run, url, messages) {
    const client = new OpenAI({ ...common, baseURL: `${url}/v1` });
    const request = { model: 'm', messages: chatMessages(messages), tools: chatTools(tools), stream: true, stream_options: { include_usage: true } };
    return streamChat(run, await client.chat.completions.create(request));
  },
  async openai_responses(run, url, messages) {
    const client = new OpenAI({ ...common, baseURL: `${url}/v1` });
    const include = ['reasoning.encrypted_content'];
    const request = { model: 'm', input: responseInput(messages), tools: responseTools(tools), include, store: false, stream: true };
    return streamResponse(run, await client.responses.create(request));
  },
  async anthropic(run, url, messages) {
    const client = new Anthropic({ ...common, baseURL: url });
    const request = { model: 'm', max_tokens: 1024, ...messageParams(messages), tools: messageTools(tools), stream: true };
    return streamMessage(run, await client.messages.create(request));
  },
};

/** True if the SDK throws the provider's error, before an adapter sees it. */
const throwsItself = (api, error) => error?.code === 'model_failed' && api !== 'openai_responses';

for (const { name, api, body: text, events, reply, error } of STREAMS) {
  test(`${api}: ${name}`, async () => {
    const served = await provider([text]);
    let made;
    const ran = await runAgent(async (run) => void (made = await ask[api](run, served.url, run.messages)), 'Hello?', { ids });
    await served.close();
    assert.deepEqual(ran.events.slice(1, -1), events);
    if (reply) {
      assert.equal(ran.error, undefined);
      assert.deepEqual(plain(made), reply);
    } else if (throwsItself(api, error)) {
      assert.ok(ran.error instanceof APIError || ran.error instanceof AnthropicError, String(ran.error));
    } else {
      assert.ok(ran.error instanceof AGUIError, String(ran.error));
      assert.equal(ran.error.code, error.code);
    }
  });
}

const first = {
  openai_chat: 'text before a call',
  openai_responses: 'a summary of the reasoning in two parts, encrypted, then a call',
  anthropic: 'thinking with a signature, then a call',
};

for (const api of Object.keys(ask)) {
  test(`${api}: the model calls a tool, gets the result and answers; the next run has all of it`, async () => {
    const answer = body('text and usage', api);
    const served = await provider([body(first[api], api), answer, answer]);
    const agent = async (run) => {
      const messages = [...run.messages];
      while (true) {
        const reply = await ask[api](run, served.url, messages);
        messages.push(...reply.messages);
        if (reply.toolCalls.length === 0) return;
        for (const call of reply.toolCalls) messages.push(await call.answer('rain'));
      }
    };
    const one = await runAgent(agent, 'Weather?');
    assert.equal(one.error, undefined);
    assert.equal(one.messages.at(-1).content, 'Hello there, 世界 🌍.');
    const two = await runAgent(agent, { messages: [...one.messages, { id: 'v', role: 'user', content: 'And?' }] });
    assert.equal(two.error, undefined);
    await served.close();
    const said = served.requests.map((request) => (api === 'openai_responses' ? request.input : request.messages));
    assert.equal(said[0].length, 1);
    assert.deepEqual(said[1].slice(0, 1), said[0]);
    assert.deepEqual(said[2].slice(0, -2), said[1]);
    const text = JSON.stringify(said[1]);
    assert.ok(text.includes('rain'));
    assert.equal(text.includes('EqQB/Cg=='), api === 'anthropic');
    assert.equal(text.includes('gAAAAA=='), api === 'openai_responses');
  });

  test(`${api}: the request ends when the run is stopped`, async () => {
    const served = await provider([body('cut in the text', api)], { stays: true });
    const ran = await runAgent((run) => ask[api](run, served.url, run.messages), 'Hello?', { timeLimit: 5000 });
    await served.gone;
    await served.close();
    assert.equal(ran.outcome, 'error');
    assert.equal(ran.messages.at(-1).content, 'Hel');
  });
}
