// Misbehaving callbacks, tools and middleware, by seeds: each run ends, reports its end once, and its agent can be used further.

import assert from 'node:assert/strict';
import test from 'node:test';
import { require } from '../packages.mjs';
import { randomness } from '../random_agent.mjs';
import { call, finished, frames, never, pause, started, text } from '../scripted_agent.mjs';

const { Agent } = require('ag-ui-native/client');

const callbacks = [
  'onRunInitialized',
  'onRunFailed',
  'onRunFinalized',
  'onEvent',
  'onRunStartedEvent',
  'onTextMessageContentEvent',
  'onToolCallEndEvent',
  'onRunFinishedEvent',
  'onNewMessage',
  'onNewToolCall',
  'onMessagesChanged',
  'onStateChanged',
];
const wrong = [5, 'text', null, [], { messages: 5 }, { nonsense: 1 }, { messages: [{ role: 'nobody' }] }, { state: undefined }, { stopPropagation: 'yes' }];
const thrown = [new Error('mine'), undefined, null, 'text', new DOMException('mine', 'AbortError')];

/** An agent of a seed, and the records of its runs. */
function chaotic(seed) {
  const random = randomness(seed + 1);
  const chance = (percent) => random(100) < percent;
  const pick = (list) => list[random(list.length || 1)];
  const known = { ends: '', refused: new Set(), isCalm: false };
  const subscriptions = [];

  /** Changes the conversation during a run: the change may be refused, and has no other effect. */
  const change = () => {
    const message = { id: `y${random(1000)}`, role: 'user', content: 'y' };
    try {
      pick([() => agent.addMessage(message), () => agent.setMessages([message]), () => agent.setState({ y: 1 }), () => agent.addMessage(5)])();
    } catch (error) {
      assert.ok(error instanceof Error);
    }
  };
  /** Begins a run from within another one. */
  const within = () => agent.runAgent().then(() => known.refused.add('none'), (error) => known.refused.add(error.code));

  /** Does a random action. Returns the value for the callback to return. */
  const anything = () => {
    if (known.isCalm) return undefined;
    const number = random(100);
    if (number < 4) throw pick(thrown);
    if (number < 6) agent.abortRun();
    else if (number < 12) agent.tools.splice(0);
    else if (number < 15) pick(subscriptions)?.unsubscribe();
    else if (number < 17) subscriptions.push(agent.subscribe(subscriber()));
    else if (number < 20) change();
    else if (number < 22) within();
    else if (number < 30) return pick(wrong);
    else if (number < 36) return { stopPropagation: true };
    else if (number < 39) return { state: { n: number } };
    else if (number < 42) return { messages: [{ id: `x${number}`, role: 'user', content: 'x' }] };
    // A callback that is removed before it is called.
    else if (number < 44) for (const holder of agent.subscribers.slice(1)) delete holder[pick(callbacks)];
    return undefined;
  };
  const anythingLater = async () => {
    if (known.isCalm) return undefined;
    if (chance(5)) await within();
    if (chance(2)) await never;
    if (chance(30)) await pause(random(3));
    return anything();
  };
  const subscriber = () => Object.fromEntries(callbacks.filter(() => chance(30)).map((name) => [name, chance(50) ? anything : anythingLater]));
  async function* middleware(input, next) {
    for await (const event of next(input)) {
      if (chance(3)) anything();
      yield event;
    }
  }

  let rounds = 0;
  async function* transport() {
    const at = rounds++;
    const says = known.isCalm || chance(50) ? text(`m${at}`, 'Hel', 'lo') : [...call(`c${at}`, 'look'), ...call(`d${at}`, 'look')];
    for (const piece of frames(started, ...says, finished)) {
      if (chance(1) && !known.isCalm) throw new Error('lost');
      yield piece;
    }
  }
  const agent = new Agent(transport, {
    timeouts: { idle: 5000, total: chance(30) ? 3000 : 4000 },
    middleware: chance(30) ? [middleware] : [],
    tools: [{ name: 'look', execute: chance(50) ? anything : anythingLater }],
    onError: () => undefined,
  });
  agent.subscribe({
    onRunInitialized: () => void (known.ends += 'i'),
    onRunFailed: () => void (known.ends += 'f'),
    onRunFinalized: () => void (known.ends += 'z'),
  });
  for (let count = random(4); count > 0; count--) subscriptions.push(agent.subscribe(subscriber()));
  return { agent, known, leave: chance(20) ? random(20) : undefined };
}

/** Runs the agent. Returns the outcome of the run. */
async function live(seed, { agent, known, leave }) {
  const timer = leave === undefined ? undefined : setTimeout(() => agent.abortRun(), leave);
  const outcome = await agent.runAgent().then((result) => result.outcome, () => 'raised');
  clearTimeout(timer);
  assert.equal(agent.isRunning, false, `seed ${seed}`);
  assert.ok([...known.refused].every((code) => code === 'agent_busy'), `seed ${seed}: ${[...known.refused]}`);
  assert.match(known.ends, /^(if?z)*$/, `seed ${seed}`);
  return outcome;
}

/** Runs the agent once more, with nothing in the way. */
async function liveCalmly(seed, { agent, known }) {
  known.isCalm = true;
  agent.subscribers = [];
  const result = await agent.runAgent();
  assert.equal(result.outcome, 'success', `seed ${seed}`);
  assert.equal(result.newMessages.at(-1).content, 'Hello', `seed ${seed}`);
}

test('runs end, whatever callbacks do', { timeout: 300_000 }, async () => {
  const unhandled = [];
  const note = (error) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const wanted = ['success', 'aborted', 'raised'];
  const all = Array.from({ length: 300 }, (_, seed) => chaotic(seed));
  const outcomes = new Set(await Promise.all(all.map((chaos, seed) => live(seed, chaos))));
  // On a busy machine all may have exceeded their timeouts: what runs alone gets to its end.
  for (let seed = 300; !wanted.every((outcome) => outcomes.has(outcome)) && seed < 600; seed++) outcomes.add(await live(seed, chaotic(seed)));
  // The runs are not parallel, so that none of them exceeds its timeouts.
  for (const [seed, chaos] of all.entries()) await liveCalmly(seed, chaos);
  await pause(10); // A rejection would come in a later turn.
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
  for (const outcome of wanted) assert.ok(outcomes.has(outcome), outcome);
});

test('what a callback returns of a wrong kind is reported, and the run goes on', async () => {
  for (const given of [5, 'text', null, [], [{ stopPropagation: true }], true]) {
    for (const later of [(value) => value, (value) => Promise.resolve(value)]) {
      const errors = [];
      const agent = new Agent(() => frames(started, ...text('m', 'Hel', 'lo'), finished), { onError: (error) => errors.push(error) });
      const result = await agent.runAgent({}, { onTextMessageStartEvent: () => later(given) });
      assert.equal(result.newMessages.at(-1).content, 'Hello');
      assert.deepEqual(errors.map(({ message }) => message.includes('nothing or an object')), [true]);
    }
  }
});
