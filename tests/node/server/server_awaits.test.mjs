// Results of writing calls: awaiting one sends at once, and has no other visible effect.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { asking, listen } from '../servers.mjs';

const { nodeHandler } = require('ag-ui-native/server');
const { runAgent } = require('ag-ui-native/testing');

/** Serves an agent that receives a message and a function. The function returns the number of writes to the connection so far. */
async function served(agent) {
  let result;
  const { url, close } = await listen((request, response) => {
    let writes = 0;
    const { write } = request.socket;
    request.socket.write = function (...given) {
      writes++;
      return write.apply(this, given);
    };
    return nodeHandler(async (run) => {
      const message = run.textMessage();
      // The head and the earlier events are sent.
      await message.write('first');
      await new Promise(setImmediate);
      const before = writes;
      result = await agent(message, () => writes - before);
    })(request, response);
  });
  const text = await (await fetch(url, asking)).text();
  close();
  return { result, deltas: [...text.matchAll(/"delta":"(.*?)"/g)].map(([, delta]) => delta) };
}

const waits = async (promise) => void (await promise);

test('await sends before what is behind it runs', async () => {
  const { result, deltas } = await served((message, writes) => {
    const seen = [writes()];
    const written = message.write('a');
    seen.push(writes());
    return waits(written).then(() => [...seen, writes()]);
  });
  assert.deepEqual(result, [0, 0, 1]);
  assert.deepEqual(deltas, ['first', 'a']);
});

test('writes that are not awaited go in the same turn, as one chunk', async () => {
  const { result } = await served(async (message, writes) => {
    message.write('a');
    await undefined;
    await undefined;
    message.write('b');
    await undefined;
    const soon = writes();
    await new Promise(setImmediate);
    return [soon, writes()];
  });
  assert.deepEqual(result, [0, 1]);
});

test('a write is a promise if it is used as one', async () => {
  const agent = async (run) => {
    const message = run.textMessage();
    const order = [];
    const first = message.write('a').then(() => order.push('then'));
    order.push('goes on');
    await first;
    await Promise.all([message.write('b'), message.write('c')]);
    await Promise.race([message.write('d')]);
    await (async () => message.write('e'))();
    await message.write('f').finally(() => order.push('finally'));
    order.push(await message.write('g').catch(() => 'caught'));
    for await (const nothing of [message.write('h')]) order.push(nothing);
    return order.map(String);
  };
  const { result } = await runAgent(agent);
  assert.deepEqual(result, ['goes on', 'then', 'finally', 'undefined', 'undefined']);
});

test('a state that cannot be sent is the error of who awaits', async () => {
  const agent = async (run) => {
    run.state = { broken: 1n };
    const caught = [];
    for (const ask of [(sent) => waits(sent), (sent) => sent.then()]) await ask(run.custom('a', 1)).catch(({ code }) => caught.push(code));
    run.state = {};
    return caught;
  };
  const { result } = await runAgent(agent);
  assert.deepEqual(result, ['wrong_type', 'wrong_type']);
});

test('others have their turn though every write is awaited', async () => {
  let turns = 0;
  const agent = async (run) => {
    let isRunning = true;
    const turn = () => {
      turns++;
      if (isRunning) setImmediate(turn);
    };
    setImmediate(turn);
    const message = run.textMessage();
    for (let at = 0; at < 1_000; at++) await message.write('token');
    isRunning = false;
  };
  await runAgent(agent);
  assert.ok(turns > 10, `${turns}`);
});
