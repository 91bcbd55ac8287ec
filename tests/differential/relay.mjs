// Streams as relays receive them: undeclared members, types and roles, contents of any kind, JSON in every legal spelling. The
// official client is not run on them; our three languages must agree.
import { Random } from './random.mjs';
import { streamOf } from './streams.mjs';
import { call, event, id, json, message, metadata, object, patch, tag, text, TYPES } from './values.mjs';

const ROLES = ['critic', 'critic', 'toString', 'User', ''];

/** A message with an undeclared role, or a declared one with wrong members. */
function odd(random) {
  const contents = [undefined, null, 5, true, '', 'x', ['x'], [{ type: 'text', text: 'x' }], [{ type: 'hologram', at: 1 }], {}, { k: 1 }];
  if (random.chance(0.3)) {
    const nulls = { content: null, toolCalls: null, metadata: null, name: null, encryptedValue: null, subagentRunId: null };
    const made = { ...message(random), ...random.some(Object.fromEntries(Object.keys(nulls).map((name) => [name, () => null])), 0.3) };
    if (made.role !== 'assistant') for (const name of ['content', 'toolCalls']) if (made[name] === null) delete made[name];
    return { ...made, ...random.some({ extra: json }) };
  }
  const made = {
    ...(random.chance(0.9) && { id: random.chance(0.95) ? id(random) : 5 }),
    role: random.one(ROLES),
    content: random.one(contents),
    ...random.some({ metadata: (random) => random.one([metadata(random), null, 'ab', 5, [1]]), toolCalls: (random) => random.one([[call(random)], 5, null]) }),
    ...random.some({ extra: json, subagentRunId: tag, activityType: () => 'plan' }, 0.2),
  };
  if (made.content === undefined) delete made.content;
  return made;
}

const odds = (random) => random.list(3, (random) => (random.chance(0.7) ? odd(random) : message(random)));

/** Events about messages that are likely to be there. */
const followers = [
  (random) => event(random, 'TEXT_MESSAGE_CONTENT'),
  (random) => event(random, 'TEXT_MESSAGE_CONTENT', { metadata: metadata(random) }),
  (random) => event(random, 'TEXT_MESSAGE_START'),
  (random) => event(random, 'TEXT_MESSAGE_END', { metadata: metadata(random) }),
  (random) => event(random, 'TOOL_CALL_START', { parentMessageId: id(random) }),
  (random) => event(random, 'TOOL_CALL_ARGS'),
  (random) => event(random, 'REASONING_MESSAGE_CONTENT'),
  (random) => event(random, 'REASONING_ENCRYPTED_VALUE'),
  (random) => event(random, 'ACTIVITY_SNAPSHOT'),
  (random) => event(random, 'ACTIVITY_DELTA'),
  (random) => event(random, 'TOOL_CALL_RESULT'),
];

/** An event with undeclared parts. */
function strange(random, event) {
  return random.one([
    () => ({ ...event, [random.one(['extra', 'toString', '__proto_', 'a/b', 'é'])]: json(random) }),
    () => ({ ...event, type: random.one(['WEIRD', 'toString', 'text_message_start']) }),
    () => ({ ...event, [random.one(['metadata', 'rawEvent', 'subagentRunId', 'timestamp', 'name', 'role', 'result'])]: null }),
    () => ({ type: 'STATE_DELTA', delta: [...patch(random), { op: 'increment', path: '/k', by: 1 }] }),
    () => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'postponed', until: json(random) } }),
    () => ({ ...event, metadata: object(random), [random.one(TYPES)]: [json(random)] }),
  ])();
}

/** The stream of a seed: the conversation that it starts from, and the text of each event. */
export function relayOf(seed) {
  const random = new Random(seed ^ 0x5eed);
  const { seed: _, kind, events, resume, ...start } = streamOf(seed);
  const made = events.flatMap((event) => {
    const here = random.chance(0.25) ? strange(random, event) : event;
    if (random.chance(0.15)) return [here, { type: 'MESSAGES_SNAPSHOT', messages: odds(random) }, ...random.list(5, (random) => random.one(followers)(random))];
    if (here.type === 'RUN_STARTED' && here.input && random.chance(0.5)) return [{ ...here, input: { ...here.input, messages: odds(random) } }];
    return [here];
  });
  return { ...start, texts: made.map((event) => spell(random, event)) };
}

const blank = (random) => (random.chance(0.85) ? '' : random.one([' ', '  ', '\t', '\n', '\r', ' \n ']));

/** JSON text of a value, in any spelling. */
export function spell(random, value) {
  const around = (text) => blank(random) + text + blank(random);
  const between = (texts) => texts.map(around).join(',') || blank(random);
  if (Array.isArray(value)) return `[${between(value.map((item) => spell(random, item)))}]`;
  if (typeof value === 'string') return quoted(random, value);
  if (typeof value === 'number') return number(random, value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const pairs = members.map(([key, inner]) => `${quoted(random, key)}${blank(random)}:${blank(random)}${spell(random, inner)}`);
  return `{${between(pairs)}}`;
}

function quoted(random, text) {
  const plain = JSON.stringify(text);
  if (random.chance(0.9)) return plain;
  const units = [...Array(text.length).keys()].map((at) => text.charCodeAt(at));
  const hex = (unit) => unit.toString(16).padStart(4, '0');
  const escaped = (unit) => `\\u${random.chance(0.5) ? hex(unit).toUpperCase() : hex(unit)}`;
  return `"${units.map(escaped).join('')}"`;
}

/** Returns a number in another spelling. */
function number(random, value) {
  const plain = JSON.stringify(value);
  if (random.chance(0.85) || /e/.test(plain)) return plain;
  return random.one(Number.isInteger(value) ? [`${plain}.0`, `${plain}e0`, `${plain}0e-1`, `${plain}E+00`] : [`${plain}0`, `${plain}e0`]);
}
