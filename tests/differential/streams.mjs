// Random streams: what verification accepts, the same with one thing changed, and anything at all. A seed is a stream.
import { refusalOf } from './official.mjs';
import { Random } from './random.mjs';
import { event, id, interrupt, json, messages, state, tag, TYPES } from './values.mjs';
import { walk } from './walk.mjs';

const pick = (random, list) => random.below(list.length);

const NAMING = ['messageId', 'toolCallId', 'parentMessageId', 'entityId'];
const OPTIONAL = ['metadata', 'rawEvent', 'timestamp', 'name', 'role', 'outcome', 'result', 'parentMessageId', 'delta'];

/** Changes of one event that follow the schema or break it. */
const members = {
  retarget: (random, event) => change(event, random.one([...NAMING, 'stepName']), () => id(random)),
  retag: (random, event) => ({ ...event, subagentRunId: tag(random) }),
  untag: (random, { subagentRunId, ...event }) => event,
  retype: (random, event) => ({ ...event, type: random.one(TYPES) }),
  swapKind: (random, made) => event(random, random.one(TYPES)),
  nullify: (random, event) => change(event, any(random, event), () => null),
  nullTag: (random, event) => ({ ...event, subagentRunId: null }),
  addNull: (random, event) => ({ [random.one(OPTIONAL)]: null, ...event }),
  remove: (random, event) => change(event, any(random, event), () => undefined),
  replace: (random, event) => change(event, any(random, event), () => json(random)),
  unknownMember: (random, event) => ({ ...event, [random.one(['extra', 'toString', 'constructor'])]: json(random) }),
  unknownType: (random, event) => ({ ...event, type: random.one(['WEIRD', 'toString', 'text_message_start']) }),
  deeper: (random, event) => deeper(random, event),
};

// That a type is a non-empty string is the transport's to check.
const any = (random, event) => random.one(Object.keys(event).filter((key) => key !== 'type').concat('messageId'));

function change(event, member, value) {
  if (!Object.hasOwn(event, member)) return event;
  const changed = { ...event, [member]: value() };
  if (changed[member] === undefined) delete changed[member];
  return changed;
}

/** Changes something inside a list or object that the event holds. */
function deeper(random, value) {
  if (Array.isArray(value)) {
    return value.map((element, at) => (at === 0 || random.chance(0.3) ? deeper(random, element) : element));
  }
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.keys(value).filter((key) => typeof value[key] === 'object' && value[key] !== null);
  if (inner.length && random.chance(0.8)) {
    const key = random.one(inner);
    return { ...value, [key]: deeper(random, value[key]) };
  }
  const what = random.one(['nullify', 'remove', 'replace', 'unknownMember', 'unknownTag']);
  return members[what]?.(random, value) ?? { ...value, type: 'weird', role: 'weird', op: 'weird' };
}

/** Changes of the list. */
const lists = {
  drop: (random, events) => events.splice(pick(random, events), 1),
  repeat: (random, events) => events.splice(pick(random, events), 0, events[pick(random, events)]),
  swap(random, events) {
    const at = pick(random, events);
    if (at > 0) [events[at - 1], events[at]] = [events[at], events[at - 1]];
  },
  move: (random, events) => events.splice(pick(random, events), 0, ...events.splice(pick(random, events), 1)),
  insert: (random, events) => events.splice(pick(random, events), 0, event(random, random.one(TYPES))),
};

function mutate(random, events) {
  if (!events.length) return;
  if (random.chance(0.4)) return lists[random.one(Object.keys(lists))](random, events);
  const at = pick(random, events);
  events[at] = members[random.one(Object.keys(members))](random, events[at]);
}

function hostile(random) {
  const events = Array.from({ length: random.below(20) }, () => event(random, random.one(TYPES)));
  if (random.chance(0.85)) events.unshift(event(random, 'RUN_STARTED'));
  if (random.chance(0.4)) for (let times = random.below(4); times >= 0; times--) mutate(random, events);
  return events;
}

/** Inserts shapes of AG-UI 0.x between the events. */
function addLegacy(random, events) {
  const put = (at, ...made) => events.splice(at, 0, ...made);
  const at = 1 + random.below(events.length);
  const thinking = [
    { type: 'THINKING_START', ...random.some({ title: () => 'x' }) },
    { type: 'THINKING_TEXT_MESSAGE_START' },
    { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'x' },
    { type: 'THINKING_TEXT_MESSAGE_END' },
    { type: 'THINKING_END' },
  ];
  if (random.chance(0.25)) lists[random.one(['drop', 'repeat', 'swap'])](random, thinking);
  const binary = {
    type: 'binary',
    mimeType: random.one(['image/png', 'audio/mp3', 'video/mp4', 'text/plain', 'IMAGE/png']),
    ...random.some(
      {
        data: () => random.one(['QQ==', '']),
        url: () => random.one(['https://x.test/a', '']),
        id,
        filename: () => random.one(['f', 'f', '']),
      },
      0.6,
    ),
  };
  const source = { type: 'data', value: 'QQ==', mimeType: 'image/png' };
  const modern = { type: 'image', source, ...random.some({ metadata: () => ({ filename: 'f' }) }) };
  const user = { id: id(random), role: 'user', content: random.one([[binary], [modern, binary], [binary, binary]]) };
  random.one([
    () => put(at, ...thinking),
    () => put(at, { type: 'MESSAGES_SNAPSHOT', messages: [user, ...messages(random)] }),
    () => events.forEach((event) => random.chance(0.3) && (event.rawEvent = null)),
    () => events.forEach((event) => /RUN_FINISHED|SUBAGENT_FINISHED/.test(event.type) && (event[random.one(['result', 'outcome'])] = null)),
    () => events.forEach((event) => /TOOL_CALL_(START|CHUNK)/.test(event.type) && (event.parentMessageId = null)),
    () => events.forEach((event) => event.input && Object.assign(event.input, { forwardedProps: null, state: null, messages: [user] })),
  ])();
}

/** Returns events that the rules of order allow next, and sometimes one that they do not allow. */
function lawful(random) {
  const events = [event(random, 'RUN_STARTED')];
  const types = random.chance(0.3) ? TYPES.filter((type) => /_CHUNK$|^RAW$/.test(type)) : TYPES;
  for (let tries = random.below(60); tries > 0; tries--) {
    const next = event(random, random.one(types));
    if (random.chance(0.01) || !refusalOf([...events, next])) events.push(next);
  }
  return events;
}

/**
 * An event about the same entity as an earlier event: the same event with another tag or with only its contents, or any other
 * event.
 */
function related(random, earlier) {
  const { subagentRunId, messageId, toolCallId, ...rest } = earlier;
  const name = messageId ?? toolCallId ?? id(random);
  const other = event(random, random.one(['TOOL_CALL_START', 'REASONING_ENCRYPTED_VALUE', ...TYPES]));
  const naming = NAMING.filter((member) => random.chance(0.7) && member in other);
  return random.one([
    () => ({ ...earlier, subagentRunId: tag(random) }),
    () => rest,
    () => ({ ...other, ...Object.fromEntries(naming.map((member) => [member, name])), subagentRunId: tag(random) }),
    () => ({ ...other, ...(other.type === 'TOOL_CALL_START' ? { parentMessageId: name } : {}) }),
  ])();
}

/** Rules that any event is likely to break. */
const COMMON = new Set(['V01', 'V02', 'V03', 'V04', 'V13', 'V19', 'V22', 'V25', 'V26', 'V33', 'C04', 'C05', 'C07']);

/** Runs that are refused somewhere, by one of the rules that an event could break there. */
function refused(random) {
  const events = random.one([walk, lawful])(random);
  const begun = events.slice(0, random.below(events.length + 1));
  const byRule = new Map();
  for (let tries = 60; tries > 0; tries--) {
    const next = begun.length && random.chance(0.6) ? related(random, random.one(begun)) : event(random, random.one(TYPES));
    byRule.set(refusalOf([...begun, next]), next);
  }
  byRule.delete(undefined);
  const rules = [...byRule.keys()];
  const rare = rules.filter((rule) => !COMMON.has(rule));
  const rule = random.one(rare.length && random.chance(0.8) ? rare : rules);
  return [...begun, ...(rule ? [byRule.get(rule)] : []), ...events.slice(begun.length)];
}

/** Gives an event a value that ours refuses and the client accepts: half a surrogate pair, or too many levels. */
function poison(random, events) {
  const at = pick(random, events);
  const nested = (depth) => (depth > 0 ? [nested(depth - 1)] : 0);
  const [name, value] = random.one([
    ['messageId', 'x\ud83d'],
    ['delta', '\ude00'],
    ['rawEvent', { k: ['\ud83d\ud83d'] }],
    ['metadata', { '\ude00': 1 }],
    ['rawEvent', nested(300)],
    ['rawEvent', nested(150)],
  ]);
  events[at] = { ...events[at], [name]: value };
}

const classes = {
  valid: walk,
  lawful,
  refused,
  mutated(random) {
    const events = walk(random);
    mutate(random, events);
    return events;
  },
  hostile,
};

/** Gives runs ids of their own, in most streams: those that begin and end them have all the same. */
function identify(seed, events) {
  const random = new Random(seed);
  if (random.chance(0.1)) return;
  let count = 0;
  const ids = (holder) => holder?.threadId === 't' && holder.runId === 'r' && (holder.runId = `r${count}`);
  for (const event of events) {
    if (event?.type === 'RUN_STARTED') count++;
    if (event?.type !== 'RUN_STARTED' && event?.type !== 'RUN_FINISHED') continue;
    ids(event);
    ids(event.input);
    const { interrupts } = event.outcome ?? {};
    if (Array.isArray(interrupts)) interrupts.forEach((interrupt, at) => interrupt?.id && (interrupt.id = `${interrupt.id}${at}`));
  }
}

/** The stream of a seed. */
export function streamOf(seed) {
  const random = new Random(seed);
  random.next();
  const kind = random.one(['valid', 'valid', 'mutated', 'mutated', 'refused', 'refused', 'lawful', 'hostile']);
  const events = classes[kind](random);
  const isLegacy = random.chance(0.15);
  if (isLegacy && events.length) addLegacy(random, events);
  if (events.length && random.chance(0.02)) poison(random, events);
  // In Python, None as the initial state means no state.
  const startState = () => state(random) ?? {};
  const interrupts = () => random.list(2, interrupt);
  const stream = { seed, kind, events, ...random.some({ messages, state: startState, pendingInterrupts: interrupts }, 0.25) };
  // A run without answers does not begin: the client's part, and no stage's.
  if (stream.pendingInterrupts) {
    stream.resume = stream.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' }));
  }
  // Nothing is shared, and nothing is there that JSON does not have.
  const made = JSON.parse(JSON.stringify(stream));
  identify(seed, made.events);
  return made;
}
