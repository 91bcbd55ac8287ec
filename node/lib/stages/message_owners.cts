import { briefText, looksOf, TAG } from './projection.cjs';
import { isObject, type Loose } from '../json/check.cjs';
import type { Engine } from '../native/engine.cjs';
import { errorFrom } from '../errors/errors.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { Ask } from '../generated/border.cjs';
import { nestedProjections } from '../generated/projections.cjs';

/**
 * Messages, as far as a verifier looks at them, one behind the other: role, id, and how many calls it has, or nothing, and then their
 * ids. Objects for them would cost as much as all the rest.
 */
type Flat = (string | number | undefined)[];

/** More than so many strings do not wait. */
const MOST = 30_000;

/** Longer ids are left to core, which has a limit for them. */
const LONG = 1_024;

/** The roles of messages, and whether those have calls. */
const roles: ReadonlyMap<unknown, boolean> = new Map(
  Object.entries(nestedProjections).flatMap(([role, { keys }]): [string, boolean][] => (keys.includes('role') ? [[role, keys.includes('toolCalls')]] : [])),
);

const snapshotLook = looksOf('verify').get('MESSAGES_SNAPSHOT');

/**
 * Messages of snapshots that core has not been shown: as long as nothing of a run has a tag, nobody asks whose they are (`Seeding` in
 * core/src/verify). They wait for the first tag, or the next run.
 */
export class Seeds {
  readonly #engine: Engine<BaseEvent>;
  #waiting: Flat = [];
  /** Those of the snapshot before: most come again. */
  #last: Flat = [];
  /** A tag has come, and core sees everything. */
  #isTagged = false;

  constructor(engine: Engine<BaseEvent>) {
    this.#engine = engine;
  }

  /** True if the messages of a snapshot can wait. */
  take(event: BaseEvent): boolean {
    const messages = event['messages'];
    if (this.#isTagged || !Array.isArray(messages)) return false;
    const waited = this.#waiting.length;
    if (this.#areAllRead(messages)) {
      if (this.#waiting.length > MOST) this.#hand();
      return true;
    }
    this.#waiting.length = waited;
    this.#last = [];
    return false;
  }

  /** Reads messages, of which those that are new wait. Whether none has a tag, and all are plainly messages. */
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
      // What stood behind it may have moved.
      last.length = at;
      if (!add(last, message['role'], message['id'], calls)) return false;
      for (; at < last.length; at++) this.#waiting.push(last[at]);
    }
    return true;
  }

  /** A run has begun. */
  begin({ input }: BaseEvent): void {
    this.#waiting = [];
    this.#last = [];
    const messages = isObject(input) ? input['messages'] : undefined;
    this.#isTagged = Array.isArray(messages) && messages.some((message) => isObject(message) && message[TAG] !== undefined);
  }

  /** Has core see all at once from now on, and before that what has waited. Whether there was anything. */
  show(): boolean {
    this.#isTagged = true;
    return this.#hand();
  }

  #hand(): boolean {
    const messages = messagesOf(this.#waiting);
    if (messages.length === 0) return false;
    this.#waiting = [];
    const event = { type: 'MESSAGES_SNAPSHOT', messages } as unknown as BaseEvent;
    const failure = this.#engine.ask(Ask.Seeds, briefText(event, snapshotLook));
    if (failure !== '') throw errorFrom(failure);
    return true;
  }
}

/** Adds a message. Whether it is plainly one. */
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

/** True if a message's calls are those that stand at a place. */
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
