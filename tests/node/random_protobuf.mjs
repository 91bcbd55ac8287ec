// Random valid events of all types with everything that the binary form carries, and bytes that were one.

const KEYS = ['', 'a', 'b', '10', '2', '1', 'ag-ui', 'é', '😀', '\u0000', 'constructor', 'toString', 'k'.repeat(128)];
const TEXTS = ['', 'a', 'text', 'é日本😀', '"\\\n\u0000', '\u2028', 'x'.repeat(127), 'x'.repeat(128), 'y'.repeat(300)];
// No minus zero: JSON.stringify, through which events cross, writes it as 0.
const NUMBERS = [0, 1, -1, 0.1, 1e300, 5e-324, 1e21, 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 31, -1.5];
const INTEGERS = [0, 1, 127, 128, 16384, 2 ** 31, 2 ** 32, 2 ** 53 - 1];

const text = ({ of }) => of(TEXTS);
const several = (random, make, most = 3) => Array.from({ length: random.below(most + 1) }, () => make(random));

function object(random, depth = 4) {
  return Object.fromEntries(several(random, () => [random.of(KEYS), value(random, depth - 1)], 4));
}

function value(random, depth = 4) {
  const simple = () => random.of([null, true, false, random.of(NUMBERS), text(random)]);
  if (depth === 0) return simple();
  return random.of([simple, () => several(random, () => value(random, depth - 1)), () => object(random, depth)])();
}

/** Returns a value that is not null, because null would mean no value. */
const present = (random) => value(random) ?? {};

/** Returns the required members, and some of the optional ones. */
function members(random, required, optional = {}) {
  const made = (table) => Object.entries(table).map(([key, make]) => [key, make(random)]);
  const chosen = Object.entries(optional).filter(() => random.sometimes(2));
  return Object.fromEntries([...made(required), ...made(Object.fromEntries(chosen))]);
}

const one = (...choices) => ({ of }) => of(choices);
const integer = one(...INTEGERS);

const sources = [
  (random) => members(random, { type: one('data'), value: text, mimeType: text }),
  (random) => members(random, { type: one('url'), value: text }, { mimeType: text }),
  (random) => members(random, { type: one('file'), value: text }, { provider: text, mimeType: text }),
];
function part(random) {
  const type = random.of(['text', 'image', 'audio', 'video', 'document']);
  const own = type === 'text' ? { text } : { source: () => random.of(sources)(random) };
  return members(random, { type: () => type, ...own }, { id: text, metadata: present });
}
const content = (random) => (random.sometimes(2) ? text(random) : several(random, part));

const called = (random) => members(random, { name: text, arguments: text });
const call = (random) =>
  members(random, { id: text, type: one('function'), function: called }, { encryptedValue: text, metadata: object });

const named = { name: text, encryptedValue: text };
const roles = {
  developer: [{ content: text }, named],
  system: [{ content: text }, named],
  assistant: [{}, { ...named, content: text, toolCalls: (random) => several(random, call) }],
  user: [{ content }, named],
  tool: [{ content, toolCallId: text }, { error: text, encryptedValue: text }],
  activity: [{ activityType: text, content: object }],
  reasoning: [{ content: text }, { encryptedValue: text }],
};
function message(random) {
  const role = random.of(Object.keys(roles));
  const [required, optional] = roles[role];
  return members(random, { id: text, role: () => role, ...required }, { ...optional, metadata: object, subagentRunId: text });
}
const messages = (random) => several(random, message);

const tool = (random) => members(random, { name: text, description: text }, { parameters: present, metadata: object });
const context = (random) => members(random, { description: text, value: text });
const answer = (random) =>
  members(random, { interruptId: text, status: one('resolved', 'cancelled') }, { payload: present, metadata: object });
const tools = (random) => several(random, tool);
const contexts = (random) => several(random, context);
const input = (random) => members(random, { threadId: text, runId: text, messages, tools, context: contexts }, {
  protocolVersion: one('1.0', '0.9'), parentRunId: text, state: present, forwardedProps: present,
  resume: (random) => several(random, answer),
});

const interrupt = (random) => members(random, { id: text, reason: text }, {
  message: text, toolCallId: text, responseSchema: object, expiresAt: text, metadata: object, subagentRunId: text,
});
const interrupts = (random) => [interrupt(random), ...several(random, interrupt, 2)];
const outcomes = [
  (random) => members(random, { type: one('success') }, { pendingToolCallIds: (random) => several(random, text) }),
  (random) => members(random, { type: one('interrupt'), interrupts }),
  () => ({ type: 'cancelled' }),
];
const subagentOutcomes = [
  () => ({ type: 'success' }),
  (random) => members(random, { type: one('suspended') }, { interruptIds: (random) => several(random, text) }),
];
const usage = (random) => several(random, (random) => members(random, {}, {
  provider: text, model: text, inputTokens: integer, outputTokens: integer, totalTokens: integer, reasoningTokens: integer,
  cachedInputTokens: integer, cacheWriteInputTokens: integer,
}));

const place = one('', '/a', '/a/0', '/~0~1', '/é/-');
function operation(random) {
  const op = random.of(['add', 'remove', 'replace', 'move', 'copy', 'test']);
  const own = op === 'remove' ? {} : op === 'move' || op === 'copy' ? { from: place } : { value };
  return members(random, { op: () => op, path: place, ...own });
}
const patch = (random) => several(random, operation);

const ofSubagent = { subagentRunId: text };
const streamed = one('developer', 'system', 'assistant', 'user');
const piece = (random) => text(random) || 'x';

/** The required and the optional members of every type. */
const types = {
  TEXT_MESSAGE_START: [{ messageId: text }, { role: streamed, name: text, ...ofSubagent }],
  TEXT_MESSAGE_CONTENT: [{ messageId: text, delta: piece }, ofSubagent],
  TEXT_MESSAGE_END: [{ messageId: text }, ofSubagent],
  TEXT_MESSAGE_CHUNK: [{}, { messageId: text, role: streamed, delta: text, name: text, ...ofSubagent }],
  TOOL_CALL_START: [{ toolCallId: text, toolCallName: text }, { parentMessageId: text, ...ofSubagent }],
  TOOL_CALL_ARGS: [{ toolCallId: text, delta: text }, ofSubagent],
  TOOL_CALL_END: [{ toolCallId: text }, ofSubagent],
  TOOL_CALL_CHUNK: [{}, { toolCallId: text, toolCallName: text, parentMessageId: text, delta: text, ...ofSubagent }],
  TOOL_CALL_RESULT: [{ messageId: text, toolCallId: text, content }, { role: one('tool'), ...ofSubagent }],
  STATE_SNAPSHOT: [{ snapshot: value }, ofSubagent],
  STATE_DELTA: [{ delta: patch }, ofSubagent],
  MESSAGES_SNAPSHOT: [{ messages }],
  ACTIVITY_SNAPSHOT: [{ messageId: text, activityType: text, content: object }, { replace: one(true, false), ...ofSubagent }],
  ACTIVITY_DELTA: [{ messageId: text, activityType: text, patch }, ofSubagent],
  RAW: [{ event: value }, { source: text, ...ofSubagent }],
  CUSTOM: [{ name: text, value }, ofSubagent],
  RUN_STARTED: [{ threadId: text, runId: text }, { protocolVersion: one('1.0'), parentRunId: text, input }],
  RUN_FINISHED: [
    { threadId: text, runId: text },
    { result: present, outcome: (random) => random.of(outcomes)(random), usage },
  ],
  RUN_ERROR: [{ message: text }, { code: text, usage }],
  STEP_STARTED: [{ stepName: text }, ofSubagent],
  STEP_FINISHED: [{ stepName: text }, ofSubagent],
  REASONING_START: [{ messageId: text }, ofSubagent],
  REASONING_MESSAGE_START: [{ messageId: text, role: one('reasoning') }, ofSubagent],
  REASONING_MESSAGE_CONTENT: [{ messageId: text, delta: text }, ofSubagent],
  REASONING_MESSAGE_END: [{ messageId: text }, ofSubagent],
  REASONING_MESSAGE_CHUNK: [{}, { messageId: text, delta: text, ...ofSubagent }],
  REASONING_END: [{ messageId: text }, ofSubagent],
  REASONING_ENCRYPTED_VALUE: [{ subtype: one('tool-call', 'message'), entityId: text, encryptedValue: text }, ofSubagent],
  SUBAGENT_STARTED: [
    { subagentRunId: text, name: text },
    { description: text, parentSubagentRunId: text, parentToolCallId: text, parentMessageId: text },
  ],
  SUBAGENT_FINISHED: [
    { subagentRunId: text },
    { result: present, outcome: (random) => random.of(subagentOutcomes)(random) },
  ],
  SUBAGENT_ERROR: [{ subagentRunId: text, message: text }, { code: text }],
};

const shared = { timestamp: one(...INTEGERS, -1, 1 - 2 ** 53), rawEvent: present, metadata: object };

/** An event that may be of any type. */
export function event(random) {
  const type = random.of(Object.keys(types));
  const [required, optional] = types[type];
  return members(random, { type: () => type, ...required }, { ...shared, ...optional });
}

const anyByte = (random) => random.of([0, 1, 2, 8, 10, 0x7f, 0x80, 0xff, random.below(256)]);

/** The bytes with up to two of them changed, added or taken away, or cut short. */
export function mutated(random, bytes) {
  const result = [...bytes];
  for (let times = 1 + random.below(2); times > 0; times -= 1) {
    const at = random.below(result.length + 1);
    const change = () => result.splice(at, 1, anyByte(random));
    const flip = () => (result[at] ^= 1 << random.below(8));
    const [add, remove, cut] = [
      () => result.splice(at, 0, anyByte(random)), () => result.splice(at, 1), () => (result.length = at),
    ];
    random.of([change, change, flip, flip, flip, add, remove, cut])();
  }
  return Uint8Array.from(result);
}

function varint(number) {
  return number < 128 ? [number] : [(number % 128) | 128, ...varint(Math.floor(number / 128))];
}

/** Returns the fields of a message, as far as the bytes can be read as fields. */
function fieldsOf(bytes) {
  const fields = [];
  let at = 0;
  const read = () => {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      number += (byte & 127) * factor;
      if (byte < 128) return number;
    }
  };
  while (at < bytes.length) {
    const tag = read();
    const [field, wire, start] = [Math.floor(tag / 8), tag % 8, at];
    if (field === 0 || ![0, 1, 2, 5].includes(wire)) return [];
    const length = { 0: () => (read(), 0), 1: () => 8, 2: read, 5: () => 4 }[wire]();
    const from = wire === 2 ? at : start;
    at += length;
    if (at > bytes.length) return [];
    fields.push({ field, wire, payload: [...bytes.slice(from, at)] });
  }
  return fields;
}

const written = ({ field, wire, payload }) =>
  [...varint(field * 8 + wire), ...(wire === 2 ? varint(payload.length) : []), ...payload];

/** Returns the message with one field repeated, left out, moved, or with another number or kind. The result is protobuf, too. */
export function reshaped(random, bytes) {
  const fields = fieldsOf(bytes);
  if (fields.length === 0) return mutated(random, bytes);
  const index = random.below(fields.length);
  const field = fields[index];
  if (field.wire === 2 && !random.sometimes(4)) field.payload = [...reshaped(random, field.payload)];
  else {
    random.of([
      () => fields.splice(index, 0, field),
      () => fields.splice(index, 1),
      () => fields.push(...fields.splice(index, 1)),
      () => fields.unshift(...fields.splice(index, 1)),
      () => (field.field = 1 + random.below(random.of([8, 16, 40]))),
      () => Object.assign(field, { wire: 0, payload: varint(random.of([0, 1, 5, 300])) }),
      () => Object.assign(field, { wire: 2, payload: random.of([[], [97], field.payload]) }),
    ])();
  }
  return Uint8Array.from(fields.flatMap(written));
}

const source = { 1: { 1: {}, 2: {}, 3: {} } };
const contentPart = { 2: source, 3: source, 4: source, 5: source };
const inMessage = { 5: { 3: {} }, 8: contentPart };
/** The way to the messages that the official decoder reads without looking at their ends, field by field. */
const UNCHECKED = {
  9: { 2: inMessage },
  12: { 5: { 5: inMessage, 7: {} } },
  13: { 7: {} },
  14: { 4: {} },
  22: { 7: contentPart },
};

/** The way to those messages from the envelope on, and to every base event, whose lengths the official decoder cuts to 32 bits. */
const EVENTS = Object.fromEntries(Array.from({ length: 40 }, (_, arm) => [arm, { 1: {}, ...UNCHECKED[arm] }]));

/** Returns true if these messages are well-formed. The official decoder may read past the end of a malformed message. */
export function wellFormed(bytes, children = EVENTS) {
  const groups = [];
  let at = 0;
  const varint = (most) => {
    let number = 0;
    for (let index = 0; index < most && at < bytes.length; index += 1) {
      const byte = bytes[at++];
      number += (byte & 127) * 2 ** (7 * index);
      if (byte < 128) return number;
    }
    return NaN;
  };
  while (at < bytes.length) {
    const tag = varint(5);
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (!(field > 0 && tag < 2 ** 32)) return false;
    if (wire === 3) groups.push(field);
    else if (wire === 4 && groups.pop() !== field) return false;
    else if (wire === 0 && Number.isNaN(varint(10))) return false;
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire > 5) return false;
    else if (wire === 2) {
      const length = varint(5);
      const payload = bytes.subarray(at, (at += length));
      if (!(at <= bytes.length)) return false;
      if (groups.length === 0 && Object.hasOwn(children, field) && !wellFormed(payload, children[field])) return false;
    }
  }
  return at === bytes.length && groups.length === 0;
}
