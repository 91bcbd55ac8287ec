// The laws of compaction, and the differences of our compaction from the client's: it may differ only where the client's would
// break a law. The client's verification and reduction decide.
import { isDeepStrictEqual } from 'node:util';
import * as official from './official.mjs';
import { outcomeOf } from './ours.mjs';
import { Random } from './random.mjs';

const byOurs = async (events) => (await outcomeOf('compact', { events })).events;
const byClient = async (events) => (await official.compact({ events }, { rfc6902: true })).events;

const MEMBERS = ['messageId', 'toolCallId', 'parentMessageId', 'entityId', 'id'];
const named = (event) => MEMBERS.map((member) => event[member]).filter((id) => id !== undefined);
const idsOf = (events) => [...new Set(events.flatMap((event) => [event, ...(event.messages ?? event.input?.messages ?? [])].flatMap(named)))];

const call = (id) => ({ id, type: 'function', function: { name: 'before', arguments: 'before' } });
const kinds = [
  (id, ids, random) => [{ id, role: 'assistant', content: 'before', toolCalls: random.list(2, () => call(random.one(ids))) }],
  (id) => [{ id, role: 'user', content: 'before' }],
  (id) => [{ id, role: 'activity', activityType: 'plan', content: { before: true } }],
  (id) => [{ id, role: 'reasoning', content: 'before' }],
];

/** Makes random messages of none, some or all of the ids that the events name. */
function messagesFor(events, seed) {
  const random = new Random(seed);
  const ids = idsOf(events);
  return () => {
    const share = random.one([0, 0.5, 1]);
    return ids.filter(() => random.chance(share)).flatMap((id) => random.one(kinds)(id, ids, random));
  };
}

/** Returns conversations to start with: the stream's own, an empty one, and random ones. */
function conversations({ events, ...own }) {
  const messages = messagesFor(events, events.length);
  return [own, {}, ...Array.from({ length: 3 }, () => ({ messages: messages() }))];
}

/**
 * The conversations that do not have the entities of the stream yet: our compaction assumes that a list has all events of its
 * entities.
 */
function freshConversations(stream) {
  const made = new Set(idsOf(stream.events.filter(({ type }) => /_(START|STARTED|CHUNK|RESULT|SNAPSHOT)$/.test(type))));
  const isFresh = ({ id, toolCalls = [] }) => ![id, ...toolCalls.map((call) => call.id)].some((name) => made.has(name));
  return conversations(stream).map(({ messages = [], ...start }) => ({ ...start, messages: messages.filter(isFresh) }));
}

/** Returns true if both lists have the same effect on every conversation. If their chunks do not expand, they have no conversation. */
async function areSame({ events: list }, others, starts) {
  const [whole, shorter] = [list, others].map((events) => official.chunks({ events }));
  if (whole.error || shorter.error) return whole.error === shorter.error;
  for (const start of starts) {
    const one = await official.reduce({ ...start, events: whole.events });
    const other = await official.reduce({ ...start, events: shorter.events });
    if (!isDeepStrictEqual(one, other)) return false;
  }
  return true;
}

const isAccepted = (events) => !official.refusalOf(structuredClone(events));

/** Returns the laws that the shorter list breaks: it is valid if the stream is, and both make the same conversation. */
async function lawsBroken(stream, shorter, starts) {
  const broken = [];
  if (isAccepted(stream.events) && !isAccepted(shorter)) broken.push('valid');
  if (!(await areSame(stream, shorter, starts))) broken.push('same');
  return broken;
}

async function isIdempotent(compact, events) {
  const once = await compact(events);
  return isDeepStrictEqual(await compact(once), once);
}

const isBoundary = ({ type }) => /^RUN_|_CHUNK$/.test(type);

/** Returns the list in pieces: the events across which ours moves nothing, and the events between them. */
function pieces(events) {
  const list = [[]];
  for (const event of events) {
    if (isBoundary(event)) list.push([event], []);
    else list.at(-1).push(event);
  }
  return list;
}

/** Returns the explanations of a difference, as in compare.mjs; `broken` are the laws that our compaction breaks. */
export async function compareCompaction(input, found, expected) {
  // Chunks that do not expand make no conversation.
  if (official.chunks(input).error) return {};
  const broken = await lawsBroken(input, found.events, freshConversations(input));
  if (!(await isIdempotent(byOurs, input.events))) broken.push('idempotent');
  if (broken.length) return { explained: [], broken };
  if (isDeepStrictEqual(found, expected)) return {};
  const made = pieces(found.events);
  if (made.length !== pieces(input.events).length) return { explained: [] };
  const names = [];
  for (const at of made.keys()) names.push(await differenceIn(at, input, made));
  if (names.includes(UNEXPLAINED)) return { explained: [] };
  const explained = [...new Set(names.filter((name) => name !== undefined))];
  // Piece by piece there is no difference.
  if (!explained.length) explained.push('nothing crosses a run or a chunk');
  return { explained: explained.map((name) => `compaction: ${name}`) };
}

const UNEXPLAINED = 'unexplained';

/** Returns the explanation of the difference in one piece, if there is one. */
async function differenceIn(at, stream, made) {
  const read = pieces(stream.events)[at];
  if (isDeepStrictEqual(await byClient(read), made[at])) return undefined;
  const theirs = await byClient(withoutRestarts(read));
  if (isDeepStrictEqual(theirs, made[at])) return 'of several starts the first stays';
  const whole = rejoined(made[at]);
  if (isDeepStrictEqual(untagged(theirs), untagged(whole))) {
    const isTold = tagsOf(made[at]).every((tag) => tagsOf(read).includes(tag));
    if (!isTold) return UNEXPLAINED;
    return whole.length < made[at].length ? 'what has different tags stays apart' : 'tags of what is joined stay';
  }
  const law = await lawBrokenByClient(at, stream, made);
  if (law) return `the client's is not ${law}`;
  if (!(await isIdempotent(byClient, read))) return "the client's is not idempotent";
  // Compaction depends neither on contents nor on earlier messages.
  for (let tries = 0; tries < 6; tries++) {
    const other = withOtherContents(stream, tries);
    const alone = { events: pieces(other.events)[at] };
    if (await lawBrokenByClient(at, other, pieces(await byOurs(other.events)))) return "the client's is the same by chance";
    if (await lawBrokenByClient(0, alone, pieces(await byOurs(alone.events)))) return "the client's is the same by what was before";
  }
  const moves = (await movesWhatMinds(read)) || (await movesWhatMinds(startedOnce(read)));
  return moves ? 'the client moves what may mind it' : UNEXPLAINED;
}

/** The law that does not hold with the client's piece among ours. */
async function lawBrokenByClient(at, stream, made) {
  const theirs = await byClient(withoutRestarts(pieces(stream.events)[at]));
  return (await lawsBroken(stream, made.with(at, theirs).flat(), conversations(stream)))[0];
}

/** Returns the stream with other messages in its snapshots, and with texts and metadata that are different in each event. */
function withOtherContents(stream, seed) {
  const messages = messagesFor(stream.events, seed);
  const events = stream.events.map((event, number) => ({
    ...event,
    metadata: { number },
    ...(event.type === 'MESSAGES_SNAPSHOT' && { messages: messages() }),
    ...(typeof event.delta === 'string' && { delta: `${number} ` }),
  }));
  return { ...stream, events };
}

/** Gives later starts of an open entity the members of its first start; a call gets a new name. */
function withoutRestarts(events) {
  const open = new Map();
  return events.map((event) => {
    const { type, messageId, toolCallId, toolCallName, metadata } = event;
    const [, kind, part] = /^(TEXT_MESSAGE|TOOL_CALL)_(START|END)$/.exec(type) ?? [];
    const stream = `${kind} ${messageId ?? toolCallId}`;
    if (part === 'END') open.delete(stream);
    if (part !== 'START') return event;
    if (!open.has(stream)) open.set(stream, event);
    const { metadata: _, ...first } = open.get(stream);
    return { ...first, ...(toolCallName !== undefined && { toolCallName }), ...(metadata && { metadata }) };
  });
}

/** The stream with only the first start of an open entity: the client keeps the last one, which hides that the first has moved. */
function startedOnce(events) {
  const open = new Set();
  const list = [];
  for (const event of events) {
    const [, kind, part] = /^(TEXT_MESSAGE|TOOL_CALL)_(START|END)$/.exec(event.type) ?? [];
    const stream = `${kind} ${event.messageId ?? event.toolCallId}`;
    if (part === 'START' && open.has(stream)) continue;
    if (part === 'START') open.add(stream);
    if (part === 'END') open.delete(stream);
    list.push(event);
  }
  return list;
}

/** Joins neighbours of one stream, with any tags. */
function rejoined(events) {
  const list = [];
  for (const event of events) {
    const last = list.at(-1);
    const isNext = /^(TEXT_MESSAGE|TOOL_CALL)_(START|CONTENT|ARGS)$/.test(event.type) && ['type', 'messageId', 'toolCallId'].every((member) => last?.[member] === event[member]);
    if (!isNext) {
      list.push(event);
      continue;
    }
    const { timestamp, rawEvent, ...first } = last;
    const metadata = last.metadata || event.metadata ? { metadata: { ...last.metadata, ...event.metadata } } : {};
    const delta = event.delta === undefined ? {} : { delta: last.delta + event.delta };
    const name = event.toolCallName === undefined ? {} : { toolCallName: event.toolCallName };
    list[list.length - 1] = { ...(event.delta === undefined ? last : first), ...metadata, ...delta, ...name };
  }
  return list;
}

const isJoined = ({ type }) => /_(CONTENT|ARGS)$|^STATE_SNAPSHOT$/.test(type);
const untagged = (events) => events.map(({ subagentRunId, ...event }) => (isJoined(event) ? event : { ...event, subagentRunId }));

/** The tags of the events of each stream. */
function tagsOf(events) {
  const told = events.filter((event) => isJoined(event) && event.subagentRunId !== undefined);
  return told.map(({ type, messageId, toolCallId, subagentRunId }) => [type, messageId, toolCallId, subagentRunId].join('\n'));
}

/** Returns true if the client changes the order of two events of which one may depend on the other. */
async function movesWhatMinds(events) {
  // A joined event has the metadata of all its parts, and no timestamp.
  const numbered = events.map((event, number) => ({ ...event, timestamp: number, metadata: { [number]: true } }));
  const order = (await byClient(numbered)).flatMap(({ timestamp, metadata = {} }) => timestamp ?? Object.keys(metadata).map(Number));
  return order.some((later, place) => order.slice(place + 1).some((earlier) => earlier < later && mayMind(events[earlier], events[later])));
}

/** Two events may depend on each other's order if one is a snapshot, if both name the same id, or if both add messages. */
const mayMind = (one, other) =>
  [one, other].some(({ type }) => /^(MESSAGES|ACTIVITY)_SNAPSHOT$/.test(type)) ||
  [one, other].every(({ type }) => /MESSAGE_START$|TOOL_CALL_(START|RESULT)$/.test(type)) ||
  named(one).some((id) => named(other).includes(id));
