// Random events over so few ids and names that they meet again and again.

/** Numbers that are the same in every run of a test. */
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit) => next() % limit;
  return { below, of: (list) => list[below(list.length)], sometimes: (odds = 3) => below(odds) === 0 };
}

const IDS = ['a', 'b', 'c', 'd'];
const KEYS = ['x', 'y', '__proto__', 'list'];
const PIECES = ['', 'hello ', 'é', '日本', '😀', '"\\\n', 'x'.repeat(40)];

/** An object whose members have any name. */
const dict = (key, value) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`);

function value({ of, below }) {
  return of([null, true, below(9), 'text', [], [1, [2]], {}, { list: [0], x: { y: 1 } }, dict('__proto__', { x: 1 })]);
}

function patch(random) {
  const { of, below, sometimes } = random;
  const place = () => `/${of(KEYS)}${sometimes() ? `/${of([...KEYS, '0', '1', '-'])}` : ''}`;
  return Array.from({ length: 1 + below(3) }, () => {
    const op = of(['add', 'add', 'add', 'replace', 'remove', 'move', 'copy', 'test']);
    const path = place();
    if (op === 'remove') return { op, path };
    return op === 'move' || op === 'copy' ? { op, from: place(), path } : { op, path, value: value(random) };
  });
}

function message(random, id) {
  const { of } = random;
  const role = of(['user', 'assistant', 'tool', 'activity', 'reasoning', 'system']);
  if (role === 'activity') return { id, role, activityType: of(['plan', 'search']), content: { x: 1 } };
  if (role === 'tool') return { id, role, toolCallId: of(IDS), content: 'result' };
  if (role === 'user') return { id, role, content: of(['hi', [{ type: 'text', text: 'part' }]]) };
  const calls = role === 'assistant' ? { toolCalls: [{ id: of(IDS), type: 'function', function: { name: 'f', arguments: '{' } }] } : {};
  return { id, role, content: 'there', ...calls };
}

/** Messages with ids of their own. */
export const messages = (random) => IDS.filter(() => random.sometimes()).map((id) => message(random, id));

const kinds = {
  TEXT_MESSAGE_START: (random) => ({ messageId: random.of(IDS), role: random.of(['assistant', 'user', 'system']) }),
  TEXT_MESSAGE_CONTENT: (random) => ({ messageId: random.of(IDS), delta: random.of(PIECES) || 'x' }),
  TEXT_MESSAGE_END: (random) => ({ messageId: random.of(IDS) }),
  REASONING_MESSAGE_START: (random) => ({ messageId: random.of(IDS), role: 'reasoning' }),
  REASONING_MESSAGE_CONTENT: (random) => ({ messageId: random.of(IDS), delta: random.of(PIECES) || 'x' }),
  REASONING_ENCRYPTED_VALUE: (random) => ({ subtype: random.of(['message', 'tool-call']), entityId: random.of(IDS), encryptedValue: 'e', encryptedValueType: random.of([undefined, 'p.t', 'q.t']) }),
  TOOL_CALL_START: (random) => ({ toolCallId: random.of(IDS), toolCallName: random.of(['f', 'g']), ...(random.sometimes() && { parentMessageId: random.of(IDS) }) }),
  TOOL_CALL_ARGS: (random) => ({ toolCallId: random.of(IDS), delta: random.of(PIECES) }),
  TOOL_CALL_END: (random) => ({ toolCallId: random.of(IDS) }),
  TOOL_CALL_RESULT: (random) => ({ messageId: random.of(IDS), toolCallId: random.of(IDS), content: random.of(PIECES) }),
  STATE_SNAPSHOT: (random) => ({ snapshot: random.sometimes() ? value(random) : { x: {}, list: [1, 2] } }),
  STATE_DELTA: (random) => ({ delta: patch(random) }),
  MESSAGES_SNAPSHOT: (random) => ({ messages: messages(random) }),
  ACTIVITY_SNAPSHOT: (random) => ({ messageId: random.of(IDS), activityType: random.of(['plan', 'search']), content: { x: 1, list: [] }, ...(random.sometimes() && { replace: false }) }),
  ACTIVITY_DELTA: (random) => ({ messageId: random.of(IDS), activityType: random.of(['plan', 'search']), patch: patch(random) }),
  RUN_STARTED: (random) => ({ threadId: 't', runId: 'r', ...(random.sometimes() && { input: { threadId: 't', runId: 'r', state: {}, messages: messages(random), tools: [], context: [], forwardedProps: {} } }) }),
  RUN_FINISHED: (random) => ({ threadId: 't', runId: 'r', result: value(random), ...(random.sometimes() && { outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'asked' }] } }) }),
  RUN_ERROR: () => ({ message: 'failed', code: 'c' }),
  CUSTOM: (random) => ({ name: 'n', value: value(random) }),
};

const TYPES = Object.keys(kinds);

/** Returns an event of any type but chunks. The order of events is random. */
export function event(random) {
  const type = random.of(TYPES);
  const metadata = random.sometimes(5) ? { metadata: dict(random.of(KEYS), value(random)) } : {};
  return { type, ...kinds[type](random), ...metadata };
}

export const events = (random, length) => Array.from({ length }, () => event(random));

/** An event as the text transport carries it. */
export const frame = (event) => Buffer.from(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
