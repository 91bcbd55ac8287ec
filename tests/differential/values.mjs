// The values of random events: few ids, tags and names, so that they occur again and again.

export const id = (random) => random.one(['a', 'a', 'b', 'b', 'c', 'd', '']);
export const tag = (random) => random.one(['s', 's', 't', '']);
export const name = (random) => random.one(['n', 'n', 'm', '']);
export const text = (random) => random.one(['x', 'y', 'zz', '', 'é😀', '{"k":', '1}']);
export const activityType = (random) => random.one(['plan', 'plan', 'search']);

const scalar = (random) => random.one([null, true, false, 0, 1, -1.5, 2 ** 53 - 1, 1e21, '', 'x', 'é😀', '__proto__']);
const key = (random) => random.one(['k', 'k', 'l', 'm', 'n', '', 'a/b', 'm~n', 'toString', 'constructor', 'prototype']);

/** Any JSON. */
export function json(random, depth = 2) {
  const kind = depth > 0 ? random.below(4) : 0;
  if (kind === 2) return random.list(3, () => json(random, depth - 1));
  if (kind === 3) return object(random, depth);
  return scalar(random);
}

export const notNull = (random) => json(random) ?? {};

export const object = (random, depth = 2) =>
  Object.fromEntries(random.list(3, () => [key(random), json(random, depth - 1)]));

/** A random document in which many of the pointers below exist. */
export const document = (random) => ({
  k: { l: json(random, 1), m: [1, 'x', null] },
  l: [0, { n: 'n' }, [2, 3]].slice(0, 1 + random.below(3)),
  ...object(random),
});

export const state = (random) => (random.chance(0.85) ? document(random) : json(random));

const pointers = ['/k', '/k/l', '/k/m', '/k/m/0', '/k/m/2', '/k/m/-', '/l', '/l/0', '/l/1', '/l/1/n', '/l/2', '/l/-', '/m', '/n', ''];
const missing = [
  ...['/x/y', '/k/m/3', '/l/9', '/l/x', '/a~1b', '/m~0n', '/', '/k/l/m', '/-', '/l/-/x'],
  ...['/toString', '/k/constructor/prototype'],
];
const odd = [
  ...['/l/01', '/l/', '/l/4294967296', '/k/m/00', '/l/1e0', '/l/+1'],
  ...['/__proto__/x', '/__proto__', '/l/1/__proto__', '/constructor/prototype/y'],
];

const pointer = (random) => random.one(random.chance(0.75) ? pointers : random.chance(0.85) ? missing : odd);

function operation(random) {
  const op = random.one(['add', 'add', 'replace', 'replace', 'remove', 'move', 'copy', 'test']);
  const path = pointer(random);
  if (op === 'remove') return { op, path, ...random.some({ value: json, extra: json }, 0.05) };
  if (op === 'move' || op === 'copy') return { op, from: pointer(random), path };
  return { op, path, value: json(random) };
}

export const patch = (random) => random.list(3, operation);

export const metadata = (random) => object(random);

/** Metadata of a messages snapshot: its declaration about activities. */
export function declaration(random) {
  const types = random.one([null, [], ['plan'], ['plan', 'search'], 'plan', [1], {}, 7]);
  const client = random.one([{ authoritativeActivityTypes: types }, { authoritativeActivityTypes: types }, {}, null, 'x', []]);
  return { ...metadata(random), '@ag-ui/client': client };
}

function source(random) {
  return random.one([
    { type: 'data', value: 'QQ==', mimeType: 'image/png' },
    { type: 'url', value: 'https://x.test/a', ...random.some({ mimeType: () => 'text/plain' }) },
    { type: 'file', value: 'f1', ...random.some({ provider: () => 'p', mimeType: () => 'a/b' }) },
  ]);
}

function part(random) {
  const optional = random.some({ id, metadata: notNull }, 0.15);
  if (random.chance(0.5)) return { type: 'text', text: text(random), ...optional };
  return { type: random.one(['image', 'audio', 'video', 'document']), source: source(random), ...optional };
}

export const content = (random) => (random.chance(0.7) ? text(random) : random.list(2, part));

export const call = (random) => ({
  id: id(random),
  type: 'function',
  function: { name: name(random), arguments: text(random) },
  ...random.some({ encryptedValue: text, metadata }, 0.15),
});

const roles = {
  developer: (random) => ({ content: text(random), ...random.some({ name }) }),
  system: (random) => ({ content: text(random), ...random.some({ name }) }),
  assistant: (random) => random.some({ content: text, name, toolCalls: () => random.list(2, call) }, 0.6),
  user: (random) => ({ content: content(random), ...random.some({ name }) }),
  tool: (random) => ({ content: content(random), toolCallId: id(random), ...random.some({ error: text }, 0.2) }),
  activity: (random) => ({ activityType: activityType(random), content: document(random) }),
  reasoning: (random) => ({ content: text(random) }),
};

export function message(random) {
  const role = random.one(['assistant', 'assistant', 'assistant', ...Object.keys(roles)]);
  const shared = random.some({ subagentRunId: tag, metadata, ...(role !== 'activity' && { encryptedValue: text }) }, 0.2);
  return { id: id(random), role, ...roles[role](random), ...shared };
}

export const messages = (random) => random.list(4, message);

export const interrupt = (random) => ({
  id: id(random),
  reason: 'r',
  ...random.some({ message: text, toolCallId: id, subagentRunId: tag, responseSchema: object, metadata }, 0.2),
  ...random.some({ expiresAt: () => '2999-01-01T00:00:00Z' }, 0.2),
});

const tool = (random) => ({ name: name(random), description: text(random), ...random.some({ parameters: notNull, metadata }) });
const entry = (random) => ({
  interruptId: id(random),
  status: random.one(['resolved', 'cancelled']),
  ...random.some({ payload: notNull, metadata }),
});

export const input = (random) => ({
  threadId: 't',
  runId: 'r',
  messages: messages(random),
  ...random.some({
    state: notNull,
    tools: () => random.list(2, tool),
    context: () => random.list(1, () => ({ description: 'd', value: text(random) })),
    forwardedProps: notNull,
    resume: () => random.list(1, entry),
    parentRunId: id,
    protocolVersion: () => random.one(['1.0', '1.1', '0.9']),
  }),
});

const count = (random) => random.one([0, 1, 12, 2 ** 53 - 1]);
const usage = (random) => random.list(2, () => random.some({ provider: name, model: name, inputTokens: count, totalTokens: count }, 0.5));
const outcomes = (random) =>
  random.one([
    { type: 'success' },
    { type: 'success', pendingToolCallIds: random.list(2, id) },
    { type: 'cancelled' },
    { type: 'interrupt', interrupts: [interrupt(random), ...random.list(1, interrupt)] },
  ]);
const subagentOutcome = (random) =>
  random.one([{ type: 'success' }, { type: 'suspended', ...random.some({ interruptIds: () => random.list(2, id) }, 0.5) }]);

const often = (members) => (random) => random.some(members, 0.7);
const tagged = { subagentRunId: tag };
const run = () => ({ threadId: 't', runId: 'r' });
const textRole = (random) => random.one(['assistant', 'assistant', 'user', 'system', 'developer']);

/** The 31 events: required members, and optional ones. */
const types = {
  RUN_STARTED: [run, { input, protocolVersion: () => '1.0', parentRunId: id }],
  RUN_FINISHED: [run, { result: notNull, outcome: outcomes, usage }],
  RUN_ERROR: [(random) => ({ message: text(random) }), { code: text, usage }],
  TEXT_MESSAGE_START: [(random) => ({ messageId: id(random) }), { role: textRole, name, ...tagged }],
  TEXT_MESSAGE_CONTENT: [(random) => ({ messageId: id(random), delta: text(random) }), tagged],
  TEXT_MESSAGE_END: [(random) => ({ messageId: id(random) }), tagged],
  TEXT_MESSAGE_CHUNK: [often({ messageId: id, delta: text }), { role: textRole, name, ...tagged }],
  TOOL_CALL_START: [(random) => ({ toolCallId: id(random), toolCallName: name(random) }), { parentMessageId: id, ...tagged }],
  TOOL_CALL_ARGS: [(random) => ({ toolCallId: id(random), delta: text(random) }), tagged],
  TOOL_CALL_END: [(random) => ({ toolCallId: id(random) }), tagged],
  TOOL_CALL_CHUNK: [often({ toolCallId: id, toolCallName: name, delta: text }), { parentMessageId: id, ...tagged }],
  TOOL_CALL_RESULT: [
    (random) => ({ messageId: id(random), toolCallId: id(random), content: content(random) }),
    { role: () => 'tool', ...tagged },
  ],
  STATE_SNAPSHOT: [(random) => ({ snapshot: state(random) }), tagged],
  STATE_DELTA: [(random) => ({ delta: patch(random) }), tagged],
  MESSAGES_SNAPSHOT: [(random) => ({ messages: messages(random), ...(random.chance(0.4) && { metadata: declaration(random) }) }), {}],
  ACTIVITY_SNAPSHOT: [
    (random) => ({ messageId: id(random), activityType: activityType(random), content: document(random) }),
    { replace: (random) => random.chance(0.4), ...tagged },
  ],
  ACTIVITY_DELTA: [(random) => ({ messageId: id(random), activityType: activityType(random), patch: patch(random) }), tagged],
  RAW: [(random) => ({ event: json(random) }), { source: name, ...tagged }],
  CUSTOM: [(random) => ({ name: name(random), value: json(random) }), tagged],
  STEP_STARTED: [(random) => ({ stepName: name(random) }), tagged],
  STEP_FINISHED: [(random) => ({ stepName: name(random) }), tagged],
  REASONING_START: [(random) => ({ messageId: id(random) }), tagged],
  REASONING_MESSAGE_START: [(random) => ({ messageId: id(random), role: 'reasoning' }), tagged],
  REASONING_MESSAGE_CONTENT: [(random) => ({ messageId: id(random), delta: text(random) }), tagged],
  REASONING_MESSAGE_END: [(random) => ({ messageId: id(random) }), tagged],
  REASONING_MESSAGE_CHUNK: [often({ messageId: id, delta: text }), tagged],
  REASONING_END: [(random) => ({ messageId: id(random) }), tagged],
  REASONING_ENCRYPTED_VALUE: [
    (random) => ({ subtype: random.one(['message', 'tool-call']), entityId: id(random), encryptedValue: text(random) }),
    tagged,
  ],
  SUBAGENT_STARTED: [
    (random) => ({ subagentRunId: tag(random), name: name(random) }),
    { description: text, parentSubagentRunId: tag, parentToolCallId: id, parentMessageId: id },
  ],
  SUBAGENT_FINISHED: [(random) => ({ subagentRunId: tag(random) }), { result: notNull, outcome: subagentOutcome }],
  SUBAGENT_ERROR: [(random) => ({ subagentRunId: tag(random), message: text(random) }), { code: text }],
};

export const TYPES = Object.keys(types);

const shared = { metadata, timestamp: (random) => random.one([0, 1, -5, 1_780_000_000_000]), rawEvent: notNull };

/** A random event of the type. `members` replace random members; `undefined` leaves a member out. */
export function event(random, type, members = {}) {
  const [required, optional] = types[type];
  const made = { type, ...random.some(shared, 0.1), ...required(random), ...random.some(optional, 0.25), ...members };
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
}
