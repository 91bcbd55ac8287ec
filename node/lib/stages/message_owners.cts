import { projectionText, projectionsOf, TAG } from './projection.cjs';
import { isObject, type Loose } from '../json/check.cjs';
import type { Engine } from '../native/engine.cjs';
import { errorFrom } from '../errors/errors.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { Ask } from '../generated/border.cjs';
import { nestedProjections } from '../generated/projections.cjs';

/**
 * The projections of messages in one list: role, id, the number of calls or undefined, and the ids of the calls. Objects would
 * double the cost.
 */
type Flat = (string | number | undefined)[];

/** The maximum number of strings that are held. */
const MOST = 30_000;

/** Core checks longer ids, because it has a limit for them. */
const LONG = 1_024;

/** The roles of messages. The value is true if the role has calls. */
const roles: ReadonlyMap<unknown, boolean> = new Map(
  Object.entries(nestedProjections).flatMap(([role, { keys }]): [string, boolean][] => (keys.includes('role') ? [[role, keys.includes('toolCalls')]] : [])),
);

const snapshotProjection = projectionsOf('verify').get('MESSAGES_SNAPSHOT');

/**
 * Holds messages of snapshots back from core. Their owners are not needed as long as no event of a run has a tag (`OwnersUpdate` in
 * core/src/verify). They are held until the first tag or the next run.
 */
export class MessageOwners {
  readonly #engine: Engine<BaseEvent>;
  #held: Flat = [];
  /** The messages of the previous snapshot: most of them are repeated. */
  #last: Flat = [];
  /** True after the first tag: core gets every message then. */
  #isTagged = false;

  constructor(engine: Engine<BaseEvent>) {
    this.#engine = engine;
  }

  /** Holds the messages of a snapshot. Returns false if core must get them. */
  hold(event: BaseEvent): boolean {
    const messages = event['messages'];
    if (this.#isTagged || !Array.isArray(messages)) return false;
    const heldBefore = this.#held.length;
    if (this.#areAllRead(messages)) {
      if (this.#held.length > MOST) this.#send();
      return true;
    }
    this.#held.length = heldBefore;
    this.#last = [];
    return false;
  }

  /** Holds new messages. Returns true if they have no tags and are all valid. */
  #areAllRead(messages: readonly unknown[]): boolean {
    const last = this.#last;
    let at = 0;
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index] as Loose | null;
      if (typeof message !== 'object' || message === null || message['subagentRunId'] !== undefined) return false;
      const calls = message['toolCalls'];
      if (at < last.length && last[at + 1] === message['id'] && last[at] === message['role'] && areSame(calls, last, at + 2)) {
        at += widthOf(last, at);
        continue;
      }
      // Messages after this one may have moved.
      last.length = at;
      if (!add(last, message['role'], message['id'], calls)) return false;
      for (; at < last.length; at++) this.#held.push(last[at]);
    }
    return true;
  }

  /** Begins a run. */
  begin({ input }: BaseEvent): void {
    this.#held = [];
    this.#last = [];
    const messages = isObject(input) ? input['messages'] : undefined;
    this.#isTagged = Array.isArray(messages) && messages.some((message) => isObject(message) && message[TAG] !== undefined);
  }

  /** Passes the held messages to core and stops holding. Returns true if there were any. */
  flush(): boolean {
    this.#isTagged = true;
    return this.#send();
  }

  #send(): boolean {
    const messages = messagesOf(this.#held);
    if (messages.length === 0) return false;
    this.#held = [];
    const event = { type: 'MESSAGES_SNAPSHOT', messages } as unknown as BaseEvent;
    const failure = this.#engine.ask(Ask.MessageOwners, projectionText(event, snapshotProjection));
    if (failure !== '') throw errorFrom(failure);
    return true;
  }
}

/** Adds a message. Returns false if it is not valid. */
function add(to: Flat, role: unknown, id: unknown, calls: unknown): boolean {
  if (typeof role !== 'string' || typeof id !== 'string' || id.length > LONG) return false;
  const hasCalls = roles.get(role);
  if (hasCalls === undefined) return false;
  if (!hasCalls || calls === undefined) return to.push(role, id, undefined) > 0;
  if (!Array.isArray(calls)) return false;
  to.push(role, id, calls.length);
  for (let at = 0; at < calls.length; at++) {
    const call = isObject(calls[at]) ? calls[at]['id'] : undefined;
    if (typeof call !== 'string' || call.length > LONG) return false;
    to.push(call);
  }
  return true;
}

const widthOf = (flat: Flat, at: number): number => 3 + ((flat[at + 2] as number | undefined) ?? 0);

/** Returns true if the calls of a message equal the calls at a place. */
function areSame(calls: unknown, flat: Flat, at: number): boolean {
  const count = flat[at];
  if (calls === undefined || count === undefined) return calls === count;
  if (!Array.isArray(calls) || calls.length !== count) return false;
  for (let index = 0; index < calls.length; index++) if ((calls[index] as Loose | null)?.['id'] !== flat[at + 1 + index]) return false;
  return true;
}

function messagesOf(flat: Flat): object[] {
  const messages: object[] = [];
  for (let at = 0; at < flat.length; at += widthOf(flat, at)) {
    const [role, id, count] = flat.slice(at, at + 3);
    const toolCalls = count === undefined ? undefined : flat.slice(at + 3, at + 3 + (count as number)).map((call) => ({ id: call }));
    messages.push({ role, id, toolCalls });
  }
  return messages;
}
