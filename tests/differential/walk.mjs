// A walk through runs that verification accepts: it knows the open entities and the owner of each.
import { event, id, name, tag, text } from './values.mjs';

const MESSAGE_IDS = ['a', 'b', 'c', 'd', ''];
const CHUNK_IDS = ['e', 'f', 'g'];

/**
 * Entities that are opened, continued and closed: the types of their events, the member with their id, and the family in which
 * their owner is found.
 */
const kinds = {
  text: { open: 'TEXT_MESSAGE_START', go: 'TEXT_MESSAGE_CONTENT', close: 'TEXT_MESSAGE_END', key: 'messageId', family: 'message' },
  tool: { open: 'TOOL_CALL_START', go: 'TOOL_CALL_ARGS', close: 'TOOL_CALL_END', key: 'toolCallId', family: 'call' },
  reasoning: {
    open: 'REASONING_MESSAGE_START',
    go: 'REASONING_MESSAGE_CONTENT',
    close: 'REASONING_MESSAGE_END',
    key: 'messageId',
    family: 'reasoning',
  },
  span: { open: 'REASONING_START', close: 'REASONING_END', key: 'messageId', family: 'reasoning' },
};

const families = { reasoning: 'reasoning', activity: 'activity' };

/** The moves. A move that is listed more often is more likely. */
const MOVES = [
  ...['start', 'start', 'go', 'go', 'go', 'close', 'close', 'chunk', 'chunk'],
  ...['result', 'activity', 'other', 'other', 'step', 'subagent', 'encrypted'],
];

class Walk {
  events = [];

  constructor(random) {
    this.random = random;
    this.clear();
  }

  clear() {
    this.open = [];
    this.owners = new Map();
    this.subagents = new Set();
  }

  emit(type, members) {
    const made = event(this.random, type, members);
    this.events.push(made);
    return made;
  }

  isOwned(family, id) {
    return this.owners.has(`${family} ${id}`);
  }

  owner(family, id) {
    return this.owners.get(`${family} ${id}`);
  }

  own(family, id, owner) {
    this.owners.set(`${family} ${id}`, owner);
  }

  /** A tag that agrees with the entity's owner: the owner's, or none. */
  agreeing(family, id) {
    return this.random.chance(0.7) ? this.owner(family, id) : undefined;
  }

  /** Returns the tag of an event that opens an entity. The tag becomes the owner if the entity has none. */
  opening(family, id) {
    if (this.isOwned(family, id)) return this.agreeing(family, id);
    const owner = this.random.chance(0.4) ? tag(this.random) : undefined;
    this.own(family, id, owner);
    return owner;
  }

  seed(list, isAuthoritative) {
    for (const { id, role, subagentRunId, toolCalls = [] } of list) {
      const family = families[role] ?? 'message';
      for (const [kind, name] of [[family, id], ...toolCalls.map((call) => ['call', call.id])]) {
        if (isAuthoritative || !this.isOwned(kind, name)) this.own(kind, name, subagentRunId);
      }
    }
  }

  // Moves.

  start() {
    const { random } = this;
    const kind = random.one(Object.keys(kinds));
    const { open, key, family } = kinds[kind];
    const free = MESSAGE_IDS.filter((id) => !this.open.some((entity) => entity.kind === kind && entity.id === id));
    if (!free.length) return;
    const id = random.one(free);
    const members = { [key]: id };
    if (kind === 'tool') Object.assign(members, this.call(id));
    else members.subagentRunId = this.opening(family, id);
    this.emit(open, members);
    this.open.push({ kind, id });
  }

  /** Parent and tag of a tool call: both belong to the same owner. */
  call(id) {
    const parentMessageId = this.random.chance(0.5) ? this.random.one(MESSAGE_IDS) : undefined;
    if (parentMessageId === undefined || !this.isOwned('message', parentMessageId)) {
      return { parentMessageId, subagentRunId: this.opening('call', id) };
    }
    const owner = this.owner('message', parentMessageId);
    if (!this.isOwned('call', id)) this.own('call', id, owner);
    const isSame = this.owner('call', id) === owner;
    return { parentMessageId: isSame ? parentMessageId : undefined, subagentRunId: this.agreeing('call', id) };
  }

  go() {
    const going = this.open.filter(({ kind }) => kinds[kind]?.go);
    if (!going.length) return this.start();
    const { kind, id } = this.random.one(going);
    const { go, key, family } = kinds[kind];
    this.emit(go, { [key]: id, subagentRunId: this.agreeing(family, id) });
  }

  close() {
    if (!this.open.length) return;
    const [{ kind, id, owner }] = this.open.splice(this.random.below(this.open.length), 1);
    if (kind === 'step') return this.emit('STEP_FINISHED', { stepName: id, subagentRunId: owner });
    if (kind === 'subagent') return this.emit(this.random.one(['SUBAGENT_FINISHED', 'SUBAGENT_ERROR']), { subagentRunId: id });
    const { close, key, family } = kinds[kind];
    this.emit(close, { [key]: id, subagentRunId: this.agreeing(family, id) });
  }

  step() {
    const stepName = name(this.random);
    const owner = this.random.chance(0.4) ? tag(this.random) : undefined;
    if (this.open.some((entity) => entity.kind === 'step' && entity.id === stepName && entity.owner === owner)) return;
    this.emit('STEP_STARTED', { stepName, subagentRunId: owner });
    this.open.push({ kind: 'step', id: stepName, owner });
  }

  subagent() {
    const subagentRunId = this.random.one(['s', 't', '', 'u']);
    if (this.subagents.has(subagentRunId)) return;
    const parentSubagentRunId = this.random.chance(0.5) ? this.random.one([...this.subagents, undefined]) : undefined;
    this.emit('SUBAGENT_STARTED', { subagentRunId, parentSubagentRunId });
    this.subagents.add(subagentRunId);
    this.open.push({ kind: 'subagent', id: subagentRunId });
  }

  chunk() {
    const { random } = this;
    const type = random.one(['TEXT_MESSAGE_CHUNK', 'TEXT_MESSAGE_CHUNK', 'TOOL_CALL_CHUNK', 'REASONING_MESSAGE_CHUNK']);
    const id = random.one(CHUNK_IDS);
    const family = { TEXT_MESSAGE_CHUNK: 'message', TOOL_CALL_CHUNK: 'call', REASONING_MESSAGE_CHUNK: 'reasoning' }[type];
    const key = type === 'TOOL_CALL_CHUNK' ? 'toolCallId' : 'messageId';
    // A stream's chunks agree; the lane is that of the owner, so every chunk says whose it is.
    const isNew = !this.isOwned(family, id);
    const subagentRunId = isNew ? this.opening(family, id) : this.owner(family, id);
    const opener = { role: undefined, name: undefined, toolCallName: 'n', parentMessageId: undefined };
    const members = type === 'TOOL_CALL_CHUNK' ? { ...opener, role: undefined } : { ...opener, toolCallName: undefined };
    this.emit(type, { ...members, [key]: id, subagentRunId, ...(random.chance(0.8) && { delta: text(random) }) });
  }

  result() {
    const { messageId, subagentRunId } = this.emit('TOOL_CALL_RESULT', { messageId: this.random.one(MESSAGE_IDS) });
    this.own('message', messageId, subagentRunId);
  }

  snapshot() {
    this.seed(this.emit('MESSAGES_SNAPSHOT').messages, true);
  }

  activity() {
    const { random } = this;
    const messageId = id(random);
    if (random.chance(0.5)) {
      return this.emit('ACTIVITY_DELTA', { messageId, subagentRunId: this.agreeing('activity', messageId) });
    }
    const { replace, subagentRunId } = this.emit('ACTIVITY_SNAPSHOT', { messageId });
    if (replace !== false || !this.isOwned('activity', messageId)) this.own('activity', messageId, subagentRunId);
  }

  encrypted() {
    this.emit('REASONING_ENCRYPTED_VALUE', { subagentRunId: undefined });
  }

  other() {
    this.emit(this.random.one(['STATE_SNAPSHOT', 'STATE_DELTA', 'STATE_DELTA', 'RAW', 'CUSTOM']));
  }

  run(length) {
    const { random } = this;
    this.clear();
    this.seed(this.emit('RUN_STARTED').input?.messages ?? [], false);
    for (let left = random.below(length); left > 0; left--) this[random.chance(0.06) ? 'snapshot' : random.one(MOVES)]();
    if (random.chance(0.1)) return this.emit('RUN_ERROR');
    while (this.open.length) this.close();
    this.emit('RUN_FINISHED');
  }
}

/** The events of one to three runs, one behind the other. */
export function walk(random) {
  const walk = new Walk(random);
  for (let runs = random.one([1, 1, 1, 2, 3]); runs > 0; runs--) walk.run(24);
  if (random.chance(0.1)) walk.events.length = random.below(walk.events.length + 1);
  return walk.events;
}
