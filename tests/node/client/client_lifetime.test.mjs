// Runs end in time, also if an agent, a tool, middleware or a callback hangs, if the reader leaves, and if an error occurs at the
// end.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, require } from '../packages.mjs';
import { call, finished, frames, hang, hello, never, pause, scripted, started, text } from '../scripted_agent.mjs';
import { listen, until } from '../servers.mjs';

const { Agent, HttpAgent } = require('ag-ui-native/client');

const limited = { timeout: 20_000 };
const calling = frames(started, ...call('c', 'look'), finished);
const refusing = { '~standard': { validate: hang } };

/** Parts that can hang: an agent, and a subscriber of its run. */
const hanging = {
  'a transport': (options) => [new Agent(hang, options)],
  'an answer': (options) => [new Agent(() => ({ contentType: 'text/event-stream', read: hang, cancel() {} }), options)],
  'headers()': (options) => [new HttpAgent('http://127.0.0.1:1/', { ...options, headers: hang })],
  'a tool': (options) => [scripted([calling], { ...options, tools: [{ name: 'look', execute: hang }] })],
  'the check of arguments': (options) => [scripted([calling], { ...options, tools: [{ name: 'look', parameters: {}, schema: refusing, execute: () => 1 }] })],
  'middleware before the run': (options) => [scripted([hello], { ...options, middleware: [async function* () { await hang(); }] })],
  'middleware amid the run': (options) => [scripted([hello], { ...options, middleware: [async function* (input, next) { for await (const event of next(input)) { yield event; await hang(); } }] })],
};
for (const name of ['onRunInitialized', 'onEvent', 'onTextMessageContentEvent', 'onNewMessage', 'onMessagesChanged']) {
  hanging[name] = (options) => [scripted([hello], options), { [name]: hang }];
}

test('what cuts the callback for an end short does not undo the end', limited, async () => {
  for (const way of ['abortRun', 'detachActiveRun', 'total']) {
    for (const wanted of ['runAgent', 'run']) {
      const told = [];
      const agent = scripted([hello], { timeouts: way === 'total' ? { total: 1000 } : {} });
      const note = (name) => () => void told.push(name);
      const subscriber = { onRunFinishedEvent: () => (told.push('end'), never), onRunFailed: note('failed'), onRunFinalized: note('finalized') };
      const ending = wanted === 'run' ? agent.run({}, subscriber) : agent.runAgent({}, subscriber);
      const items = wanted === 'run' && (async () => { for await (const _ of ending); })();
      await until(() => told.length > 0);
      if (way !== 'total') await agent[way]();
      await items;
      const result = wanted === 'run' ? ending.result : await ending;
      assert.deepEqual([result.outcome, result.text, told], ['success', 'Hello', ['end', 'finalized']], `${way}, ${wanted}`);
    }
  }
});

for (const [what, make] of Object.entries(hanging)) {
  test(`aborted while ${what} hangs`, limited, async () => {
    for (const way of ['abortRun', 'signal', 'detach']) {
      const [agent, subscriber] = make();
      hang.count = 0;
      const controller = new AbortController();
      const ending = agent.runAgent({ signal: controller.signal }, subscriber);
      await until(() => hang.count > 0);
      if (way === 'abortRun') agent.abortRun();
      else if (way === 'signal') controller.abort();
      else await agent.detachActiveRun();
      assert.equal((await ending).outcome, 'aborted', way);
      assert.equal(agent.isRunning, false);
    }
  });

  test(`timed out while ${what} hangs`, limited, async () => {
    const [agent, subscriber] = make({ timeouts: { total: 30 } });
    await assert.rejects(agent.runAgent({}, subscriber), ({ code, limit, run }) => code === 'timed_out' && limit === 'totalTimeout' && run.outcome === 'failed');
    assert.equal(agent.isRunning, false);
  });
}

test('an abort does not wait for a callback of the end that hangs', limited, async () => {
  const agent = scripted([hello]);
  const asked = [];
  const hang = (name) => ({ [name]: () => (asked.push(name), never) });
  const ending = agent.runAgent({}, hang('onRunFinalized'));
  await until(() => asked.includes('onRunFinalized'));
  assert.equal(agent.isRunning, true);
  agent.abortRun();
  assert.equal((await ending).outcome, 'success');
  const cut = scripted([frames(started)]);
  let finalized = 0;
  const failing = cut.runAgent({}, { ...hang('onRunFailed'), onRunFinalized: () => void finalized++ });
  await until(() => asked.includes('onRunFailed'));
  cut.abortRun();
  await assert.rejects(failing, { code: 'stream_truncated' });
  assert.equal(finalized, 1);
});

test('who is told of an abort and hangs is waited for a second, or until the next one', limited, async () => {
  const told = [];
  const deaf = { onRunFailed: () => (told.push('failed'), never), onRunFinalized: () => (told.push('finalized'), never) };
  const agent = new Agent(() => never);
  const ending = agent.runAgent({}, deaf);
  agent.abortRun();
  assert.equal((await ending).outcome, 'aborted');
  for await (const _ of scripted([hello]).run({}, deaf)) break;
  assert.deepEqual(told, ['failed', 'finalized', 'failed', 'finalized']);
  const patient = new Agent(() => never);
  const second = patient.runAgent({}, deaf);
  patient.abortRun();
  await until(() => told.length > 4);
  patient.abortRun();
  assert.equal((await second).outcome, 'aborted');
});

test('who is told of an abort is waited for', async () => {
  const told = [];
  const agent = new Agent(() => never);
  const ending = agent.runAgent({}, {
    async onRunFailed() {
      await pause(20);
      told.push('failed');
    },
    async onRunFinalized() {
      await pause(20);
      told.push('finalized');
    },
  });
  agent.abortRun();
  await ending;
  assert.deepEqual(told, ['failed', 'finalized']);
});

test('what is left behind goes on, and what it throws is told', limited, async () => {
  const errors = [];
  let begun = false;
  let goOn;
  const late = async () => {
    begun = true;
    await new Promise((resolve) => (goOn = resolve));
    throw new RangeError('late');
  };
  for (const [agent, subscriber] of [
    [scripted([hello], { onError: (error) => errors.push(error.message) }), { onEvent: late }],
    [scripted([calling], { onError: (error) => errors.push(error.message), tools: [{ name: 'look', execute: late }] })],
  ]) {
    begun = false;
    const ending = agent.runAgent({}, subscriber);
    await until(() => begun);
    agent.abortRun();
    assert.equal((await ending).outcome, 'aborted');
    assert.deepEqual(errors, []);
    goOn();
    await until(() => errors.length > 0);
    assert.deepEqual(errors.splice(0), ['late']);
    assert.deepEqual(agent.messages.filter(({ role }) => role === 'tool'), []);
  }
});

test('aborted between two tools', limited, async () => {
  for (const way of ['abortRun', 'signal']) {
    const controller = new AbortController();
    const seen = [];
    const execute = (_, { agent, toolCall }) => {
      seen.push(toolCall.id);
      if (way === 'signal') controller.abort();
      else agent.abortRun();
      return 'done';
    };
    const agent = scripted([frames(started, ...call('c', 'look'), ...call('d', 'look'), finished)], { tools: [{ name: 'look', execute }] });
    const result = await agent.runAgent({ signal: controller.signal });
    assert.deepEqual([result.outcome, seen], ['aborted', ['c']], way);
    assert.equal(agent.isRunning, false);
  }
});

test('what tools have answered before an abort stays', limited, async () => {
  const aborts = (agent) => (agent.abortRun(), new Promise(() => undefined));
  const execute = (_, { agent, toolCall }) => (toolCall.id === 'c' ? 'first' : aborts(agent));
  const agent = scripted([frames(started, ...call('c', 'look'), ...call('d', 'look'), finished)], { tools: [{ name: 'look', execute }] });
  const result = await agent.runAgent();
  assert.deepEqual([result.outcome, result.pendingToolCallIds], ['aborted', ['d']]);
  assert.deepEqual(result.newMessages.map(({ role, content }) => [role, content]), [['assistant', undefined], ['assistant', undefined], ['tool', 'first']]);
});

/** Places within a run from which the run can be left. */
const inside = {
  async onEvent(leave) {
    return scripted([hello]).runAgent({}, { onEvent: ({ agent }) => leave(agent) });
  },
  async onNewMessage(leave) {
    return scripted([hello]).runAgent({}, { onNewMessage: ({ agent }) => leave(agent) });
  },
  async onRunInitialized(leave) {
    return scripted([hello]).runAgent({}, { onRunInitialized: ({ agent }) => leave(agent) });
  },
  async onRunFinalized(leave) {
    return scripted([hello]).runAgent({}, { onRunFinalized: ({ agent }) => leave(agent) });
  },
  async 'a tool'(leave) {
    return scripted([calling], { tools: [{ name: 'look', execute: (_, { agent }) => leave(agent) }] }).runAgent();
  },
  async 'middleware'(leave) {
    const agent = scripted([hello]);
    agent.use(async function* (input, next) {
      await leave(agent);
      yield* next(input);
    });
    return agent.runAgent();
  },
  async 'a loop'(leave) {
    const agent = scripted([hello]);
    const events = agent.run();
    for await (const _ of events) await leave(agent);
    return events.result;
  },
};

for (const [where, run] of Object.entries(inside)) {
  test(`a run is left from within: ${where}`, limited, async () => {
    const result = await run(async (agent) => {
      await agent.detachActiveRun();
      // The run is over once the detaching has been awaited.
      assert.equal(agent.isRunning, false);
    });
    assert.equal(result.outcome, where === 'onRunFinalized' ? 'success' : 'aborted');
  });
}

/** A server for a test, which counts its connections. */
async function serve(t, answer) {
  const seen = { open: 0 };
  const { url, close } = await listen((request, response) => {
    seen.open++;
    response.on('close', () => seen.open--);
    request.resume().on('end', () => answer(response));
  }, createServer);
  t.after(close);
  return { url, seen };
}

const head = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' });
/** A server that sends these pieces, and then nothing. */
const silent = (t, pieces) => serve(t, (response) => head(response).write(pieces.join('')));

test('leaving while the next event is awaited', limited, async (t) => {
  const { url, seen } = await silent(t, hello.slice(0, 3));
  for (const how of ['return', 'throw']) {
    for (const [way, count] of [['run', 3], ['stream', 2], ['askStream', 1]]) {
      const agent = new HttpAgent(url);
      const items = way === 'askStream' ? agent.askStream('Hi') : agent[way]();
      for (let at = 0; at < count; at++) await items.next();
      const waiting = items.next();
      const left = how === 'return' ? items.return() : assert.rejects(items.throw(new RangeError('mine')), RangeError);
      assert.deepEqual(await waiting, { done: true, value: undefined }, `${how} ${way}`);
      await left;
      assert.equal(agent.isRunning, false);
      assert.equal((way === 'askStream' ? items.reply.result : items.result).outcome, 'aborted');
      await until(() => seen.open === 0, `${how} ${way}: the connection stays`);
    }
  }
});

test('a stream that is garbage closes its connection', limited, async (t) => {
  const { url, seen } = await silent(t, hello.slice(0, 3));
  const script = `
    const { HttpAgent } = require('ag-ui-native/client');
    (async () => {
      const agents = [];
      for (const way of ['run', 'stream', 'askStream']) {
        for (let count = 0; count < 3; count++) {
          const agent = new HttpAgent(process.argv[1]);
          agents.push(agent);
          await (way === 'askStream' ? agent.askStream('Hi') : agent[way]()).next();
        }
      }
      for (let turn = 0; turn < 500 && agents.some((agent) => agent.isRunning); turn++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      process.exitCode = agents.filter((agent) => agent.isRunning).length;
    })();`;
  const left = await new Promise((resolve) => {
    spawn(process.execPath, ['--expose-gc', '-e', script, url], { cwd: fileURLToPath(folder), stdio: 'inherit' }).on('exit', resolve);
  });
  assert.equal(left, 0);
  await until(() => seen.open === 0);
});

test('an event behind the end delays the result by no more than idle', limited, async (t) => {
  const { url } = await serve(t, (response) => {
    head(response).write(hello.join(''));
    const beats = setInterval(() => response.write(': still here\n\n'), 10);
    response.on('close', () => clearInterval(beats));
  });
  const passing = [(input, next) => next(input)];
  const deaf = [async function* (input, next) { yield* next(input); await never; }];
  for (const middleware of [[], passing, deaf]) {
    const agent = new HttpAgent(url, { timeouts: { idle: 150, firstByte: 20_000 }, middleware });
    assert.equal((await agent.runAgent()).text, 'Hello');
    const events = agent.run();
    for await (const _ of events);
    assert.equal(events.result.outcome, 'success');
  }
  const { url: other, seen } = await silent(t, hello);
  assert.equal((await new HttpAgent(other, { timeouts: { idle: 500, firstByte: 20_000 } }).runAgent()).outcome, 'success');
  await until(() => seen.open === 0);
});

test('an unknown event behind the end delays the result by no more than idle', limited, async () => {
  const unknown = frames({ type: 'SOMETHING_NEW', n: 1 })[0];
  async function* endless() {
    yield Buffer.concat([...hello, unknown]);
    for (;;) {
      await pause(10);
      yield unknown;
    }
  }
  for (const run of ['run', 'stream', 'runAgent']) {
    const agent = new Agent(endless, { timeouts: { idle: 150 } });
    const made = agent[run]();
    if (run !== 'runAgent') for await (const _ of made);
    assert.equal((run === 'runAgent' ? await made : made.result).outcome, 'success', run);
  }
});

test('another run may follow within the time', limited, async () => {
  const [begins, ...second] = frames({ ...started, runId: 's' }, ...text('n', 'again'), { ...finished, runId: 's' });
  const agent = new Agent(async function* () {
    yield* hello;
    yield begins;
    for (const piece of second) {
      await pause(250);
      yield piece;
    }
    await never;
  }, { timeouts: { idle: 1_000 } });
  for (const run of ['run', 'stream']) {
    agent.setMessages([]);
    for await (const _ of agent[run]());
    assert.deepEqual(agent.messages.map(({ content }) => content), ['Hello', 'again'], run);
  }
});

/** Transports that fail when they are left. */
const failing = {
  'cancel() throws': (pieces) => ({ contentType: 'text/event-stream', read: reader(pieces), cancel: () => { throw new Error('cancel') } }),
  'cancel() rejects': (pieces) => ({ contentType: 'text/event-stream', read: reader(pieces), cancel: () => Promise.reject(new Error('cancel')) }),
  'return() throws': (pieces) => ({ [Symbol.iterator]: () => ({ next: stepper(pieces), return: () => { throw new Error('return') } }) }),
  'return() rejects': (pieces) => ({ [Symbol.asyncIterator]: () => ({ next: asynchronous(stepper(pieces)), return: () => Promise.reject(new Error('return')) }) }),
  'a generator that throws in the end': (pieces) => (function* () { try { yield* pieces; throw new Error('the cause'); } finally { throw new Error('finally'); } })(),
};

const asynchronous = (step) => async () => step();
const reader = (pieces) => {
  const step = stepper(pieces);
  return async () => step().value;
};
const stepper = (pieces) => {
  const rest = [...pieces];
  return () => {
    if (rest.length === 0) throw new Error('the cause');
    return { done: false, value: rest.shift() };
  };
};

for (const [what, answer] of Object.entries(failing)) {
  test(`a transport fails when it is left: ${what}`, limited, async () => {
    const told = [];
    const subscriber = { onRunFailed: ({ error }) => void told.push(error.code ?? error.message), onRunFinalized: () => void told.push('finalized') };
    const agent = new Agent(() => answer(hello.slice(0, 3)));
    const cause = what.startsWith('a generator') ? 'finally' : 'the cause';
    await assert.rejects(agent.runAgent({}, subscriber), { message: cause });
    assert.deepEqual(told.splice(0), [cause, 'finalized']);
    for await (const _ of agent.run({}, subscriber)) break;
    assert.deepEqual(told, ['run_aborted', 'finalized']);
    const invalid = new Agent(() => answer([...hello.slice(0, 3), Buffer.from('data: {}\n\n'), ...hello]));
    await assert.rejects(invalid.runAgent({}, subscriber), ({ code, run }) => code !== undefined && run.text === 'Hel');
    assert.equal(invalid.isRunning, false);
  });
}

test('middleware fails when it is left', limited, async () => {
  const event = () => ({ done: false, value: { type: 'CUSTOM', name: 'c', value: 1 } });
  const wrong = () => ({ [Symbol.asyncIterator]: () => ({ next: async () => event(), return: () => { throw new Error('return'); } }) });
  const told = [];
  const agent = scripted([hello], { middleware: [wrong] });
  await assert.rejects(agent.runAgent({}, { onRunFinalized: () => void told.push('finalized') }), ({ rule }) => rule !== undefined);
  assert.deepEqual(told, ['finalized']);
});

test('middleware that reads no more closes the connection', limited, async (t) => {
  const { url, seen } = await silent(t, hello.slice(0, 3));
  const agent = new HttpAgent(url);
  agent.use(async function* (input, next) {
    for await (const event of next(input)) {
      yield event;
      if (event.type === 'RUN_STARTED') break;
    }
    await until(() => seen.open === 0);
    yield finished;
  });
  assert.equal((await agent.runAgent()).outcome, 'success');
});

test('what a stream has come to is known however it ended', limited, async () => {
  for (const way of ['run', 'stream']) {
    const left = scripted([hello])[way]();
    for await (const _ of left) break;
    assert.equal(left.result.outcome, 'aborted');
    const cut = scripted([hello.slice(0, 3)])[way]();
    await assert.rejects(async () => {
      for await (const _ of cut);
    }, { code: 'stream_truncated' });
    assert.deepEqual([cut.result.outcome, cut.result.text], ['failed', 'Hel']);
  }
  const whole = scripted([hello]).run();
  for await (const { type } of whole) if (type === 'RUN_FINISHED') break;
  assert.deepEqual([whole.result.outcome, whole.result.text], ['success', 'Hello']);
});

test('aborted while events are not read', limited, async () => {
  for (const way of ['run', 'stream']) {
    const failures = [];
    const agent = scripted([hello]);
    const items = agent[way]({}, { onRunFailed: ({ error }) => void failures.push(error.code) });
    await items.next();
    agent.abortRun();
    await until(() => !agent.isRunning);
    assert.deepEqual([items.result.outcome, failures], ['aborted', ['run_aborted']]);
    assert.equal((await agent.runAgent()).outcome, 'success');
    assert.deepEqual(await items.next(), { done: true, value: undefined });
    let last;
    const whole = agent.run({}, { onRunFailed: () => assert.fail('it has not failed') });
    for await (last of whole) if (last.type === 'RUN_FINISHED') agent.abortRun();
    assert.equal(whole.result.outcome, 'success');
  }
});

test('aborted before the first step', limited, async () => {
  for (const way of ['run', 'stream', 'askStream']) {
    for (const leave of ['abortRun', 'detachActiveRun']) {
      let asked = 0;
      const agent = new Agent(() => (asked++, hello));
      const items = way === 'askStream' ? agent.askStream('Hi') : agent[way]();
      await agent[leave]();
      for await (const _ of items) assert.fail('it has begun');
      assert.equal((way === 'askStream' ? items.reply.result : items.result).outcome, 'aborted', `${way} ${leave}`);
      assert.deepEqual([asked, agent.messages], [0, []]);
      assert.equal((await agent.runAgent()).outcome, 'success');
    }
  }
});

test('pieces that are always there leave time to timeouts and aborts', limited, async () => {
  const endless = function* () {
    yield* hello.slice(0, 2);
    for (;;) yield new Uint8Array(0);
  };
  const beating = function* () {
    yield* hello;
    for (;;) yield Buffer.from(': beat\n\n');
  };
  const timeouts = { total: 60 };
  await assert.rejects(new Agent(endless, { timeouts }).runAgent(), { limit: 'totalTimeout' });
  const agent = new Agent(endless);
  setTimeout(() => agent.abortRun(), 30);
  assert.equal((await agent.runAgent()).outcome, 'aborted');
  assert.equal((await new Agent(beating, { timeouts: { idle: 60 } }).runAgent()).outcome, 'success');
  const repeating = async function* () {
    yield started;
    for (;;) yield { type: 'CUSTOM', name: 'c', value: 1 };
  };
  await assert.rejects(scripted([hello], { timeouts, middleware: [repeating] }).runAgent(), { limit: 'totalTimeout' });
});

test('no timer is left behind', limited, async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const timeouts = { total: 60_000, idle: 60_000 };
  const ways = {
    whole: () => scripted([hello], { timeouts }).runAgent(),
    cut: () => scripted([frames(started)], { timeouts }).runAgent(),
    'through middleware': () => scripted([hello], { timeouts, middleware: [(input, next) => next(input)] }).runAgent(),
    'a debug function that throws': () => scripted([hello], { timeouts, debug: () => { throw new Error('debug'); } }).runAgent(),
    refused: () => scripted([hello], { timeouts }).runAgent({ resume: 5 }),
    left: async () => { for await (const _ of scripted([hello], { timeouts }).run()) break; },
    aborted: () => scripted([hello], { timeouts }).runAgent({ signal: AbortSignal.abort() }),
  };
  for (const [way, run] of Object.entries(ways)) {
    const before = timers();
    await run().catch((error) => assert.notEqual(error.code, 'ERR_ASSERTION'));
    await until(() => timers() <= before, way);
  }
});

test('an application that runs no more ends', limited, () => {
  const script = `
    const { Agent } = require('ag-ui-native/client');
    const started = Buffer.from('data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\\n\\n');
    void new Agent(() => [started], { timeouts: { total: 60_000 } }).run().next();
    const agent = new Agent(() => new Promise(() => undefined), { timeouts: { total: 60_000 } });
    const ending = agent.runAgent();
    setTimeout(() => agent.abortRun(), 10);
    ending.then(({ outcome }) => (process.exitCode = outcome === 'aborted' ? 0 : 1));`;
  const { status } = spawnSync(process.execPath, ['-e', script], { cwd: fileURLToPath(folder), timeout: 15_000 });
  assert.equal(status, 0);
});
