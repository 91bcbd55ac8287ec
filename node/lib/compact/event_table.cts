import { isObject } from '../json/check.cjs';
import type { BaseEvent } from '../types/events.cjs';
import { DRESSED, METADATA, table, ROW_WORDS, type Rows, KNOWN_STRINGS } from '../generated/event_table.cjs';

// The table of a list of events: kinds, and numbers for ids and tags. Core needs only this table to plan a compaction.

/** Replaces a number whose value is not a string. */
const ODD = -1;

/** A head that no row has. */
const NO_HEAD = -1;

/** The rows that a new table has room for. A larger table is not kept for the next list. */
const FEW = 64;
const MANY = 16_384;
let spare: Pick<EventTable, 'words' | 'places'> | undefined;

/** A row of deltas. */
interface DeltaRow {
  id: unknown;
  tag: unknown;
  /** Its number. */
  row: number;
  /** The turn to which the row belongs: an event that is not a delta begins the next turn. */
  turn: number;
}

/** The table of a list of events. */
export class EventTable implements Rows {
  /** True if the table has events that can be joined or moved. */
  isLoose = false;
  /** The words of rows. */
  words: Uint32Array<ArrayBuffer>;
  /** For each row, the index of its first event and the index after its last, if its events are adjacent. */
  places: Uint32Array<ArrayBuffer>;
  /** The text of each row of deltas. Entries of other rows are unused. */
  readonly texts: string[] = [];
  /** The messages of lists, if the table is full. */
  readonly listed: number[] | undefined;
  rows = 0;
  /** The number of assigned numbers. */
  count = KNOWN_STRINGS.length + 1;
  #numbers: Map<string, number> | undefined;
  /** The strings that were looked up last. */
  #newer: unknown = KNOWN_STRINGS[0];
  #newerNumber = 1;
  #older: unknown = KNOWN_STRINGS[0];
  #olderNumber = 1;
  #at = 0;
  /** The last row, if another event can be part of it. */
  #head = NO_HEAD;
  #id: unknown;
  #tag: unknown;
  /** The last rows of deltas, by their heads. They can be extended until another event comes. */
  readonly #deltas: DeltaRow[] = [];
  #turn = 1;
  /** The turn of the last row of deltas. */
  #deltaTurn = 0;
  #takesTurns = false;

  private constructor(isFull: boolean) {
    this.words = spare?.words ?? new Uint32Array(FEW * ROW_WORDS);
    this.places = spare?.places ?? new Uint32Array(FEW * 2);
    spare = undefined;
    this.listed = isFull ? [] : undefined;
  }

  /** Keeps the memory for the next table. */
  release(): void {
    if (this.words.length <= MANY * ROW_WORDS) spare = { words: this.words, places: this.places };
  }

  /**
   * Makes the table of events. Undefined if an event cannot be a row. A table that is not full compares strings only with their
   * neighbours, and has no lists. That is enough unless streams alternate: then a full table is made.
   */
  static of(events: readonly BaseEvent[], isFull: boolean): EventTable | undefined {
    const rows = new EventTable(isFull);
    for (let at = 0; at < events.length; at++) {
      rows.#at = at;
      if (!table(events[at]!, rows)) return undefined;
      if (rows.#takesTurns) {
        rows.release();
        return EventTable.of(events, true);
      }
    }
    return rows;
  }

  delta(head: number, event: BaseEvent, id: unknown, tag: unknown): boolean {
    const text = event['delta'];
    if (typeof text !== 'string') return false;
    const isPlain = event.metadata === undefined;
    const last = (this.#deltas[head] ??= { id: undefined, tag: undefined, row: 0, turn: 0 });
    if (last.turn === this.#turn && isPlain && last.id === id && last.tag === tag) {
      this.words[last.row * ROW_WORDS]! |= DRESSED;
      this.texts[last.row] += text;
      return true;
    }
    this.isLoose = true;
    const isDressed = event.timestamp !== undefined || event.rawEvent !== undefined;
    const turn = this.#turn;
    if (turn === this.#deltaTurn && this.listed === undefined) this.#takesTurns = true;
    this.#deltaTurn = turn;
    if (!this.#write(head | (isPlain ? 0 : METADATA) | (isDressed ? DRESSED : 0), id, tag, undefined, undefined)) return false;
    this.#turn = turn;
    last.id = id;
    last.tag = tag;
    last.row = this.rows - 1;
    while (this.texts.length < last.row) this.texts.push('');
    this.texts.push(text);
    last.turn = isPlain ? turn : 0;
    return true;
  }

  edge(head: number, event: BaseEvent, id: unknown, tag: unknown, one?: unknown, other?: unknown): boolean {
    this.isLoose = true;
    return this.#write(event.metadata === undefined ? head : head | METADATA, id, tag, one, other);
  }

  state(head: number, event: BaseEvent): boolean {
    this.isLoose = true;
    const isDressed = event.timestamp !== undefined || event.rawEvent !== undefined;
    return this.#put(isDressed ? head | DRESSED : head, 0, 0, 0, 0);
  }

  row(head: number, event: BaseEvent, id?: unknown, tag?: unknown, one?: unknown, other?: unknown): boolean {
    return this.#write(event.metadata === undefined ? head : head | METADATA, id, tag, one, other);
  }

  same(head: number, _event: BaseEvent, id?: unknown, tag?: unknown): boolean {
    if (head === this.#head && id === this.#id && tag === this.#tag) {
      this.places[2 * this.rows - 1] = this.#at + 1;
      return true;
    }
    if (!this.#write(head, id, tag, undefined, undefined)) return false;
    this.#head = head;
    this.#id = id;
    this.#tag = tag;
    return true;
  }

  list(head: number, messages: unknown): boolean {
    if (messages === undefined) return this.#put(head, 0, 0, 0, 0);
    if (this.listed === undefined) return this.#put(head, 0, 0, 0, 0);
    const start = this.listed.length;
    if (!Array.isArray(messages)) return false;
    for (let at = 0; at < messages.length; at++) if (!this.#message(messages[at], this.listed)) return false;
    return this.#put(head, 0, 0, start, this.listed.length);
  }

  #message(message: unknown, listed: number[]): boolean {
    if (!isObject(message)) return false;
    const calls = message['toolCalls'] ?? [];
    if (!Array.isArray(calls)) return false;
    const start = listed.length;
    listed.push(this.#number(message['role']), this.#number(message['id']), calls.length);
    for (let at = 0; at < calls.length; at++) listed.push(isObject(calls[at]) ? this.#number(calls[at]['id']) : ODD);
    for (let at = start; at < listed.length; at++) if (listed[at]! < 0) return false;
    return listed[start] !== 0 && listed[start + 1] !== 0;
  }

  #write(head: number, id: unknown, tag: unknown, one: unknown, other: unknown): boolean {
    // Only a full table looks up the other strings.
    const isFull = this.listed !== undefined;
    return this.#put(head, this.#number(id), this.#number(tag), isFull ? this.#seldom(one) : 0, isFull ? this.#seldom(other) : 0);
  }

  #put(head: number, id: number, tag: number, one: number, other: number): boolean {
    if ((id | tag | one | other) < 0) return false;
    const row = this.rows++;
    const at = row * ROW_WORDS;
    if (at === this.words.length) this.#grow();
    const { words, places } = this;
    words[at] = head;
    words[at + 1] = id;
    words[at + 2] = tag;
    words[at + 3] = one;
    words[at + 4] = other;
    places[2 * row] = this.#at;
    places[2 * row + 1] = this.#at + 1;
    this.#head = NO_HEAD;
    this.#turn++;
    return true;
  }

  #grow(): void {
    const [words, places] = [new Uint32Array(4 * this.words.length), new Uint32Array(4 * this.places.length)];
    words.set(this.words);
    places.set(this.places);
    this.words = words;
    this.places = places;
  }

  /** Returns the number of a string; 0 for an absent one. */
  #number(text: unknown): number {
    if (text === undefined) return 0;
    if (text === this.#newer) return this.#newerNumber;
    if (text === this.#older) return this.#olderNumber;
    const number = this.#seldom(text);
    this.#older = this.#newer;
    this.#olderNumber = this.#newerNumber;
    this.#newer = text;
    this.#newerNumber = number;
    return number;
  }

  /** Returns the number of a string that is rarely repeated. */
  #seldom(text: unknown): number {
    if (text === undefined) return 0;
    if (typeof text !== 'string') return ODD;
    if (this.listed === undefined) return this.count++;
    const numbers = (this.#numbers ??= new Map(KNOWN_STRINGS.map((word, at) => [word, at + 1])));
    let number = numbers.get(text);
    if (number === undefined) numbers.set(text, (number = this.count++));
    return number;
  }
}
