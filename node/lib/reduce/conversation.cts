import type { Change, RunEnd } from './changes.cjs';
import { isObject, type Loose, mapped, put } from '../json/check.cjs';
import { ScalarPatch } from '../patch/scalar_patch.cjs';
import type { Engine } from '../native/engine.cjs';
import { answerOf } from '../errors/errors.cjs';
import {
  append,
  Ask,
  CHANGE_WIDTH,
  ChangeKind,
  changeKinds,
  FIRST,
  KIND_MASK,
  LENGTH,
  type Limits,
  Member,
  MEMBER_SHIFT,
  memberPaths,
  Part,
} from '../generated/border.cjs';
import type { Interrupt, JsonPatchOperation, Message, ToolCall } from '../generated/types.cjs';
import { asLimit, stringify } from '../json/text.cjs';
import type { ConversationOptions } from '../options/options.cjs';
import { PartialArguments } from '../json/partial.cjs';
import { patchOwned, Unpatched } from '../patch/patching.cjs';
import { checkValue } from '../json/value.cjs';

/** The name of the list of calls. */
const CALLS = memberPaths[Member.ToolCalls]!.key;

/**
 * A copy of core's conversation as JavaScript objects, which applies the changes of core's reducer.
 *
 * Objects that a caller has received are never changed. Objects that were made after that are private and are changed in place. All
 * others are copied once, along the changed path. So the cost of a change does not depend on the length of the conversation.
 */
export class Conversation {
  /** The interrupts that wait for an answer. */
  pendingInterrupts: Interrupt[];
  /** True if the state equals the agent's. */
  stateInSync = true;
  /** The messages by their slots. */
  #slots: Loose[] = [];
  /** For each slot, the turn in which its message was made. */
  #born: number[] = [];
  /** The current list of messages. */
  #current: Loose[] = [];
  /** The slots in the order of the list, and the place of each slot. */
  #order: number[] = [];
  #places: number[] = [];
  /** The list that was handed out; undefined after a change. */
  #list: Message[] | undefined;
  #state: unknown;
  /** The number of times that messages were handed out. Objects of the current turn are private. */
  #turn = 0;
  /** Objects inside messages that were made since messages were last handed out. */
  #made = new Set<object>();
  /** Containers of the state that were made since the state was handed out. */
  #stateMade = new Set<object>();
  #changes: Change[] = [];
  /** The parts of the patch that is being received. */
  #patch: ScalarPatch | undefined;
  /** Failed patches that the engine does not know yet. */
  #unpatched: Failure[] = [];
  /** The arguments that are read as they arrive, by slot and place of their call. */
  readonly #partialArguments = new Map<string, PartialArguments>();
  readonly #limits: Limits | undefined;
  readonly #owned = (holder: any, key: string) => this.#own(holder, key);

  /** `start` is the engine's answer to `Ask.Start`, `text` the text of the first messages and state. */
  constructor(start: string, text: string, limits?: Limits) {
    const { messages, pendingInterrupts } = JSON.parse(start) as { messages: Loose[]; pendingInterrupts: Interrupt[] };
    this.#arrange(messages);
    this.pendingInterrupts = pendingInterrupts;
    this.#state = stateIn(text);
    this.#limits = limits;
  }

  /** Replaces the messages, the state, or both. Both are validated before anything is replaced. */
  replace({ messages, state }: Pick<ConversationOptions<any>, 'messages' | 'state'>, engine: Engine<any>): void {
    const text = messages === undefined ? stateText(state) : startText({ messages, state });
    const read = answerOf<{ messages: Loose[] }>(engine.ask(Ask.Replace, text));
    if (messages !== undefined) this.#arrange(read.messages);
    if (state === undefined) return;
    this.#state = stateIn(text);
    this.#stateMade = new Set();
  }

  /** Appends messages. */
  append(messages: readonly Message[], engine: Engine<any>): void {
    const read = answerOf<{ messages: Loose[] }>(engine.ask(Ask.Append, startText({ messages })));
    for (const message of read.messages) this.#insert(this.#order.length, message);
    this.#handOut();
  }

  /** Returns the first message with this id. */
  messageOf(id: string, engine: Engine<any>): Message | undefined {
    const slot = engine.ask(Ask.Message, id);
    this.#handOut();
    return slot === '' ? undefined : (this.#slots[Number(slot)] as unknown as Message);
  }

  /** Returns the first call with this id. */
  callOf(id: string, engine: Engine<any>): ToolCall | undefined {
    const found = engine.ask(Ask.Call, id);
    if (found === '') return undefined;
    this.#handOut();
    const [slot, call] = JSON.parse(found) as [number, number];
    return this.#call(slot, call) as unknown as ToolCall;
  }

  /** The messages. It is the same list until there is a change. Making a list copies only references. */
  get messages(): Message[] {
    if (this.#list === undefined) {
      this.#list = this.#current.slice() as unknown as Message[];
      this.#handOut();
    }
    return this.#list;
  }

  /** Returns counts and flags for `util.inspect`, no contents of messages or the state. */
  summary(): object {
    const { pendingInterrupts, stateInSync } = this;
    return { messages: this.#current.length, pendingInterrupts: pendingInterrupts.length, stateInSync };
  }

  /** The state. */
  get state(): any {
    if (this.#stateMade.size > 0) this.#stateMade = new Set();
    return this.#state;
  }

  /** Returns the arguments of the first call with this id, which are read as they arrive. */
  partialArguments(toolCallId: string, engine: Engine<any>): PartialArguments | undefined {
    const found = engine.ask(Ask.Call, toolCallId);
    if (found === '') return undefined;
    const [slot, call] = JSON.parse(found) as [number, number];
    const place = `${slot} ${call + 1}`;
    let partial = this.#partialArguments.get(place);
    if (partial === undefined) {
      partial = new PartialArguments(this.#limits === undefined ? {} : { limits: this.#limits });
      const { way, key } = memberPaths[Member.Arguments]!;
      partial.feed(way.reduce((holder: any, key) => holder[key], this.#call(slot, call))[key]);
      this.#partialArguments.set(place, partial);
    }
    return partial;
  }

  /** If the text is not JSON, the arguments are no longer read. The event itself is still applied. */
  #feedArguments(place: string, text: string): void {
    try {
      this.#partialArguments.get(place)?.feed(text);
    } catch {
      this.#partialArguments.delete(place);
    }
  }

  /** Applies the recorded changes and returns them. */
  take(text: string, engine: Engine<Change>): Change[] {
    const failure = this.#carry(text, engine);
    if (failure !== undefined) this.#fail(failure);
    for (const failure of this.#unpatched) engine.unpatched(failureText(failure));
    if (this.#unpatched.length > 0) this.#unpatched = [];
    const changes = this.#changes;
    this.#changes = [];
    if (changes.length > 0) this.#handOut();
    return changes;
  }

  /** Records that the caller has the messages. */
  #handOut(): void {
    this.#turn++;
    // Making a new set is faster than clearing one.
    if (this.#made.size > 0) this.#made = new Set();
  }

  /** Applies changes while the engine waits. The answer describes the last change, if it is a patch that did not apply. */
  carry(text: string, engine: Engine<Change>): string | undefined {
    const failure = this.#carry(text, engine);
    return failure && failureText(failure);
  }

  /** Applies changes. An exception of the caller's code, such as a getter in an object of the state, does not stop later changes. */
  #carry(text: string, engine: Engine<Change>): Failure | undefined {
    const { marks } = engine;
    const end = FIRST + marks[LENGTH]!;
    let start = 0;
    for (let at = FIRST; at < end; at += CHANGE_WIDTH) {
      const head = marks[at]!;
      const piece = text.slice(start, (start = marks[at + 4]!));
      const kind = head & KIND_MASK;
      if (kind >= Part.Operation) {
        (this.#patch ??= new ScalarPatch()).add(kind as Part, marks[at + 2]!, piece);
        continue;
      }
      let failure: Failure | undefined;
      try {
        failure = this.#apply(kind as ChangeKind, head >>> MEMBER_SHIFT, marks[at + 1]!, marks[at + 2]!, marks[at + 3]!, piece, engine);
      } catch (error) {
        engine.caught(asLimit(error));
      }
      if (failure === undefined) continue;
      if (at + CHANGE_WIDTH === end) return failure;
      this.#fail(failure);
    }
    return undefined;
  }

  /** Records that a patch of the state was skipped. */
  #fail(failure: Failure): void {
    const { eventIndex, operations: value } = failure;
    this.stateInSync = false;
    this.#unpatched.push(failure);
    this.#changes.push({ kind: 'patch_failed', eventIndex, target: undefined, value });
  }

  #apply(
    kind: ChangeKind,
    member: Member,
    eventIndex: number,
    slot: number,
    call: number,
    piece: string,
    engine: Engine<Change>,
  ): Failure | undefined {
    let target: Loose | undefined;
    let value: unknown;
    let isNew = false;
    switch (kind) {
      case ChangeKind.TextAppended:
        target = this.#target(slot, call);
        append(member, target, piece, this.#owned);
        if (call > 0 && this.#partialArguments.size > 0) this.#feedArguments(`${slot} ${call}`, piece);
        value = piece;
        break;
      case ChangeKind.MessageInserted:
        target = JSON.parse(piece) as Loose;
        this.#insert(slot, target);
        isNew = true;
        break;
      case ChangeKind.MessageReplaced:
        target = JSON.parse(piece) as Loose;
        this.#put(slot, target);
        isNew = true;
        break;
      case ChangeKind.MessagesArranged:
        this.#arrange(JSON.parse(piece) as (number | Loose)[]);
        value = this.#current.slice();
        isNew = true;
        break;
      case ChangeKind.CallAdded: {
        const message = this.#target(slot, 0);
        target = JSON.parse(piece) as Loose;
        isNew = true;
        const { key } = memberPaths[member]!;
        if (message[key] == null) message[key] = [target];
        else (this.#own(message, key) as unknown as Loose[]).push(target);
        break;
      }
      case ChangeKind.MemberSet: {
        target = this.#target(slot, call);
        const { way, key } = memberPaths[member]!;
        const holder = this.#holder(target, way);
        if (piece === '') delete holder[key];
        else holder[key] = JSON.parse(piece);
        value = piece === '' ? { name: key } : { name: key, value: holder[key] };
        break;
      }
      case ChangeKind.ContentSet:
        target = this.#target(slot, 0);
        target[memberPaths[member]!.key] = value = JSON.parse(piece);
        break;
      case ChangeKind.MetadataMerged: {
        target = this.#target(slot, call);
        value = JSON.parse(piece);
        const { key } = memberPaths[member]!;
        if (!isObject(target[key])) target[key] = {};
        merge(this.#own(target, key), value as Loose);
        break;
      }
      case ChangeKind.ContentPatched: {
        const [operations, activityType] = JSON.parse(piece) as [JsonPatchOperation[], string];
        const { key } = memberPaths[member]!;
        const typeKey = memberPaths[Member.ActivityType]!.key;
        const old = this.#slots[slot]!;
        try {
          const patched = patchOwned(old[key], operations, this.#made, this.#limits);
          target = this.#target(slot, 0);
          target[key] = patched;
        } catch (error) {
          return { ...described(error, engine), eventIndex, operations, activityType: old[typeKey] as string };
        }
        target[typeKey] = activityType;
        value = operations;
        break;
      }
      case ChangeKind.StateSet:
        this.#state = JSON.parse(piece);
        this.#stateMade = new Set();
        this.stateInSync = true;
        break;
      case ChangeKind.StatePatched:
        {
          const direct = this.#patch;
          this.#patch = undefined;
          const operations = direct?.operations ?? (JSON.parse(piece) as JsonPatchOperation[]);
          const made = this.#stateMade;
          try {
            this.#state = direct?.apply(this.#state, made) ?? patchOwned(this.#state, operations, made, this.#limits);
          } catch (error) {
            return { ...described(error, engine), eventIndex, operations };
          }
          value = operations;
        }
        // Operations of unknown kinds were dropped, so the state may differ from the agent's.
        if (call > 0) this.stateInSync = false;
        break;
      case ChangeKind.PatchFailed:
        value = JSON.parse(piece);
        if (call > 0) target = this.#slots[slot];
        else this.stateInSync = false;
        break;
      case ChangeKind.InterruptsSet:
        this.pendingInterrupts = JSON.parse(piece) as Interrupt[];
        break;
      case ChangeKind.MessageEnded:
        target = this.#slots[slot];
        break;
      case ChangeKind.CallEnded:
        this.#partialArguments.delete(`${slot} ${call}`);
        target = this.#call(slot, call - 1);
        break;
      case ChangeKind.RunFinished: {
        const end = (value = JSON.parse(piece)) as RunEnd;
        // The previous change has set the interrupts.
        if (end.outcome === 'interrupt') end.interrupts = this.pendingInterrupts;
        break;
      }
      case ChangeKind.RunFailed:
        value = JSON.parse(piece);
        break;
    }
    this.#changes.push({ kind: changeKinds[kind], eventIndex, target, value } as unknown as Change);
    // A new object is handed out in its current form. Later changes are made to a copy.
    if (isNew) this.#handOut();
    return undefined;
  }

  /** Returns a message or one of its calls, as an object that may be changed. */
  #target(slot: number, call: number): Loose {
    let message = this.#slots[slot]!;
    if (this.#born[slot] !== this.#turn) this.#put(slot, (message = { ...message }));
    return call === 0 ? message : this.#own(this.#own(message, CALLS), call - 1);
  }

  /** Returns a call for reading. */
  #call(slot: number, call: number): Loose {
    return (this.#slots[slot]![CALLS] as Loose[])[call]!;
  }

  /** Returns the object with a member of a message or call, for a change. */
  #holder(target: any, way: readonly string[]): any {
    for (let at = 0; at < way.length; at++) target = this.#own(target, way[at]!);
    return target;
  }

  #put(slot: number, message: Loose): void {
    this.#slots[slot] = message;
    this.#born[slot] = this.#turn;
    this.#current[this.#places[slot]!] = message;
    this.#list = undefined;
  }

  /** Inserts a new message at a place of the list; it gets the next slot. */
  #insert(place: number, message: Loose): void {
    const slot = this.#slots.length;
    for (const moved of this.#order.slice(place)) this.#places[moved]!++;
    this.#order.splice(place, 0, slot);
    this.#places.push(place);
    this.#current.splice(place, 0, message);
    this.#put(slot, message);
  }

  /** Returns the object or list under `key` for a change: a copy, if the caller may hold it. */
  #own(holder: any, key: string | number): Loose {
    const value = holder[key];
    if (this.#made.has(value)) return value;
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    this.#made.add(copy);
    holder[key] = copy;
    return copy;
  }

  /** Rearranges the list, from slots and new messages. After this the slot of a message is its place. */
  #arrange(arranged: (number | Loose)[]): void {
    // The turn in which each was made is unknown.
    this.#born = arranged.map(() => -1);
    this.#slots = arranged.map((entry) => (typeof entry === 'number' ? this.#slots[entry]! : entry));
    this.#current = this.#slots.slice();
    this.#order = this.#slots.map((_, slot) => slot);
    this.#places = this.#order.slice();
    this.#list = undefined;
    this.#partialArguments.clear();
  }
}

/** A patch that did not apply. */
interface Failure {
  code: string | undefined;
  path: string | undefined;
  /** Index of the operation that failed. */
  operation: string | undefined;
  eventIndex: number;
  operations: JsonPatchOperation[];
  /** The type of the activity before the patch. */
  activityType?: string;
}

/** Writes a failure as `Failure` in node/src/reduce/conversation.rs reads it. */
function failureText(failure: Failure): string {
  return JSON.stringify(failure, ['code', 'path', 'operation', 'eventIndex', 'activityType']);
}

/** Returns the failure of a patch. Throws exceptions of the caller's code. */
function described(thrown: unknown, engine: Engine<Change>): Pick<Failure, 'code' | 'path' | 'operation'> {
  if (!(thrown instanceof Unpatched)) {
    engine.caught(asLimit(thrown));
    return { code: 'patch_failed', path: '', operation: undefined };
  }
  const { code, path, operation } = thrown.error;
  return { code, path, operation: operation === undefined ? undefined : String(operation) };
}

/** Sets members of an object. */
function merge(object: Loose, members: Loose): void {
  for (const key of Object.keys(members)) put(object, key, members[key]);
}

/** Returns the state, the messages, an empty line and the interrupts, each as a line of JSON text. */
export function startText({ messages, state, pendingInterrupts }: ConversationOptions): string {
  return [stateText(state), ...mapped(messages ?? [], textIn), '', ...mapped(pendingInterrupts ?? [], textIn)].join('\n');
}

function stateText(state: unknown = {}): string {
  checkValue(state, '/state');
  return textIn(state);
}

function textIn(value: unknown): string {
  return stringify(value) ?? 'null';
}

function stateIn(text: string): unknown {
  return JSON.parse(text.split('\n', 1)[0] as string);
}
