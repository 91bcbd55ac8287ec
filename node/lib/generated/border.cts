// Made from core and node/src/border.rs by `make generate`. Do not edit.

/** The protocol version that this package speaks. */
export const PROTOCOL_VERSION = '1.1';

/** The media type of the protobuf transport. */
export const AGUI_MEDIA_TYPE = 'application/vnd.ag-ui.event+proto';

/** The media type of the text transport. */
export const SSE_MEDIA_TYPE = 'text/event-stream';

/** Limits on the cost of reading input. */
export interface Limits {
  /** Largest event, in bytes of its text. By default 16 MiB. */
  eventBytes?: number | undefined;
  /** Largest body of a request for a run. It holds a conversation, of which each message may have come in an event of its own. By default 64 MiB. */
  inputBytes?: number | undefined;
  /** Most values in the input of a run; each list, object and scalar counts. By default 1,000,000. */
  inputValues?: number | undefined;
  /** Deepest nesting of lists and objects; at most 1000. By default 200. */
  depth?: number | undefined;
  /** Longest id, in bytes. By default 64 KiB. */
  idBytes?: number | undefined;
  /** Most messages, calls, spans, steps and subagents that are open at one time. By default 10,000. */
  openEntities?: number | undefined;
  /** Most members that the events of a message or call may add to its metadata. By default 1,000. */
  metadataMembers?: number | undefined;
  /** Most messages, calls, spans, activities and subagents of one run that are remembered, open or not; owners of steps count too. By default 1,000,000. */
  runEntities?: number | undefined;
  /** Most warnings about one stream; one more says that there would be others. By default 10,000. */
  warnings?: number | undefined;
  /** Most operations in one patch. By default 100,000. */
  patchOperations?: number | undefined;
  /** Most values that the `copy` operations of one patch make, and that its moves take to deeper places; each list, object and scalar counts. By default 100,000. */
  patchCopies?: number | undefined;
  /** Most places by which the insertions and removals of one patch move the items of lists; in Rust's own objects, members too. By default 200,000,000. */
  patchShifts?: number | undefined;
  /** Most values of a run's state that is compared whenever something written is awaited; a larger one is compared when a message, a tool call or a step ends, when it is flushed, and at the end of the run. Each list, object and scalar counts. By default 10,000. */
  stateValues?: number | undefined;
}

/** The value of a client's header `Accept`. */
export const ACCEPT = 'text/event-stream';

/** The same where protobuf is asked for. */
export const ACCEPT_PROTOBUF = 'application/vnd.ag-ui.event+proto, text/event-stream;q=0.5';

/** The text that the agent gets for a tool's result without a JSON form. */
export const NO_JSON_RESULT = 'The result is no JSON.';

/** Silence after which a server sends a comment. */
export const HEARTBEAT = 15_000;
/** Longest time that the body of a request for a run may take to arrive. */
export const BODY_TIMEOUT = 30_000;
/** Time that a client has to read the end of a run that was stopped by its time limit or by the server's shutdown. */
export const END_GRACE = 5_000;
/** Most bytes that may wait to be sent while an agent does not await. */
export const MAX_WAITING = 16_777_216;
/** Most bytes of text in a delta that is joined of adjacent ones. */
export const COALESCE_BYTES = 4_096;
/** Longest time that a delta waits to be joined. */
export const COALESCE_DELAY = 50;
/** Longest time that a client waits for a connection. */
export const CONNECT_TIMEOUT = 10_000;
/** Longest time that a client waits for the next piece of an answer. */
export const IDLE_TIMEOUT = 60_000;
/** Most attempts to send a request that may be repeated. */
export const RETRY_ATTEMPTS = 3;
/** The pause before the second attempt. */
export const RETRY_FIRST = 500;
/** The longest pause before an attempt. */
export const RETRY_LONGEST = 30_000;
/** The part of a pause that is random. */
export const RETRY_JITTER = 0.5;
/** Most redirects that are followed. */
export const MAX_REDIRECTS = 5;
/** Most consecutive answers of tools to an agent. */
export const MAX_ROUNDS = 10;
/**
 * Number of an agent's last runs whose ids are remembered, to warn of an id that is used
 * twice.
 */
export const REMEMBERED_RUNS = 1_000;
/** Most bytes that are read of a refusal's body. The body is for people. */
export const MOST_PAYLOAD = 65_536;
/** Longest time that reading a refusal's body may take. The status says more. */
export const LONGEST_PAYLOAD = 5_000;
/** Time that is given to background work whose result is no longer used. */
export const LEFT_GRACE = 1_000;
/** Longest time that the peer of a WebSocket may take to close it. */
export const CLOSE_GRACE = 1_000;

/** The subprotocols of a WebSocket that a client offers which asks for protobuf, and can set no header. */
export const SUBPROTOCOLS: readonly string[] = ['vnd.ag-ui.event+proto', 'vnd.ag-ui.event+json'];

/** The words that ids begin with. */
export const idWords = {
  thread: 'thread',
  run: 'run',
  message: 'msg',
  toolCall: 'tool',
  step: 'step',
} as const;

/** The class of an error. */
export type Category = 'validation' | 'stream' | 'limit' | 'sequence' | 'patch' | 'connection' | 'internal';

/** In `marks[STATUS]`: bits. */
export const STATUS = 0;
/** In `marks[LENGTH]`: the number of marks that follow. */
export const LENGTH = 1;
/** Where the first of them stands. */
export const FIRST = 2;
/** The stream has failed; ask for the error. */
export const FAILED = 1;
/** There are warnings; ask for them. */
export const WARNED = 2;
/** The marks are too few; provide `LENGTH + 2` and ask again. */
export const SHORT = 4;
/** Of stages: nothing has changed, and the same event would come to the same again. */
export const SAME = 8;
/** Of expansion: from now on the same event comes to the last of those that were made, and changes nothing. */
export const LAST = 16;
/**
 * Of expansion: an event that differs from the last in its id alone comes to the same, with its id in all but the first event, and
 * with the last one's id there.
 */
export const NEXT = 32;
/** Of pipelines and intakes: a run has ended, and no other one has begun since. */
export const ENDED = 64;
/**
 * As input of an engine, with the place of an event's type among all: the event has just its tag and required members, which
 * are the strings behind `extra`. The answer is nothing if it is to come as JSON text.
 */
export const STRINGS = 256;
/**
 * The same of an event in brief that a stage only judges, with its `subagentRunId` as `extra` if it has one. The answer is a
 * number: `STEPPED` and such.
 */
export const STEPS = 512;
/** A step's event is to come as JSON text. */
export const UNSTEPPED = 0;
/** It may come. */
export const STEPPED = 1;
/** The same, and the same event again would come to the same. */
export const SAME_STEP = 2;
/** It may not, or there are warnings: ask for them. */
export const TOLD = 3;
/** The shape of an event that is handed over as JSON text. */
export const JSON_TEXT = 255;
/** In a stage's output, in place of the index of the caller's object + 1: an event that is handed over as JSON text. */
export const MADE = 0;
/** The same for an event of strings: its marks are those of a decoder, and they follow. */
export const FLAT = 4_294_967_295;
/**
 * Marks of a change: kind and member, index of the event, slot (of an inserted message: its place), call from 1, end of its
 * text. Call 0 is the message itself.
 */
export const CHANGE_WIDTH = 5;
/** The bits of the kind in its mark; above them stands which member is changed. */
export const KIND_MASK = 255;
/** By how many bits that is moved. */
export const MEMBER_SHIFT = 8;
/** Most changes that are handed over at a time. */
export const MAX_CHANGES = 256;
/** The code by which a WebSocket is closed behind a run. */
export const CLOSE_DONE = 1_000;
/** The same where the server shuts down. */
export const CLOSE_GOING_AWAY = 1_001;
/** As a step of a path: the place behind the last item of a list. */
export const END = 4_294_967_295;
/** What compaction answers when it needs a full table. */
export const MISSING_TABLE = 4_294_967_295;
/** And when it needs the events themselves. */
export const MISSING_EVENTS = 4_294_967_294;
/** Of an end, or beside an `EndCause`: the state could not be sent. */
export const STATE_UNSENT = 256;
/** Beside that: the run ends by this event as it is. */
export const AS_IT_IS = 512;
/** What a conclusion answers when the agent was told to stop: what it writes still is nobody's. */
export const IS_FORCED = 1;
/** And when it is to be told that the state could not be sent. */
export const TELLS_UNSENT = 2;
/** What patching answers when a value is too deep. */
export const TOO_DEEP = -1;
/** And when it holds too many values. */
export const TOO_MANY = -2;
/** By how many places an operation may move the items of a list, if the patch is carried out in parts. */
export const MAX_DIRECT_SHIFTS = 100_000;

/** What an engine can be asked for besides reading. */
export const enum Ask {
  /** Ends the stream. */
  Close = 0,
  /** Hands the last result over again, into marks that are large enough. */
  Again = 1,
  /** Describes the failure, as JSON text. */
  Error = 2,
  /** The warnings since the last time, as JSON text. */
  Warnings = 3,
  /** Of decoders and pipelines: the stream's last event id and retry time, as JSON text. */
  Resume = 4,
  /** Of pipelines and reducers, once: the messages and interrupts a conversation begins with, as JSON text. */
  Start = 5,
  /**
   * Of verifiers: where the stream stands, as JSON text. Of partial arguments: whether they are whole. Of reducers: whether the last
   * event may have changed messages, `true` or `false`.
   */
  Status = 6,
  /**
   * Of pipelines and reducers: tells, as JSON text in `extra`, that a patch of the state did not apply. There is a warning then, or
   * the answer describes an error.
   */
  Unpatched = 7,
  /** Of guards: the events that end the run of an agent that has failed, as JSON text; `extra` is what the client is told of it. */
  Failed = 8,
  /** Of stages: that so many events, a number in `extra`, were not handed over before the last one. */
  Skipped = 9,
  /**
   * Of verifiers: messages of snapshots that core has not been shown, a snapshot of them as JSON text in `extra`. The answer describes
   * an error, if there is one.
   */
  Seeds = 10,
  /** Of pipelines and reducers: slot and place of the first call whose id is `extra`, as JSON text; nothing if there is none. */
  Call = 11,
  /** Of pipelines and reducers: the slot of the first message whose id is `extra`; nothing if there is none. */
  Message = 12,
  /**
   * Of pipelines and reducers: the conversation goes on with what `extra` says, as it has begun. The answer is that to `Start`, or
   * describes an error.
   */
  Replace = 13,
  /** Of pipelines and reducers: messages are added at the end, those of a beginning in `extra`. The answer is the same. */
  Append = 14,
  /** Of verifiers and pipelines: tells which thread and run the stream was asked for with, a list of both as JSON text in `extra`. */
  Asked = 15,
  /** Of reducers: that text of messages with one id goes into one message, whatever kinds they are. */
  Shared = 16,
  /**
   * Of pipelines and reducers: the ids of the runs behind the first, and the number of the run of each message that they brought, as
   * JSON text.
   */
  Later = 17,
  /** Of pipelines that make events: the index in the stream of each since the last time, with commas between. */
  Indices = 18,
  /** Of reducers: the next event has the index in `extra`. */
  GoTo = 19,
  /** Of pipelines: the transport has failed, with the code that comes with it; `Close` says what that comes to. */
  Lost = 20,
}

/**
 * What a run that is written is asked for; what stands behind it depends on that. `lib/server/writer.cts` asks.
 * 
 * Where the answer is how many bytes wait, it is -1 less that number from the end of the run on.
 */
export const enum RunCall {
  /**
   * `(entity, delta)`: appends to a message or to the arguments of a call. With `lengths` these are several deltas in a row: how
   * many, and how many UTF-16 units each has. The answer is how many bytes wait.
   */
  Write = 0,
  /** `(tag, event)`: sends an event, which is JSON text. The answer is how many bytes wait. */
  Send = 1,
  /** `(tag, event)`: opens something by the event that starts it. The answer is the entity. */
  Open = 2,
  /** `(tag, id)`: opens a span of reasoning and its message. The answer is the entity. */
  OpenReasoning = 3,
  /** `(entity)`: closes it. The answer is how many bytes wait. */
  End = 4,
  /** `(entity, event)`: closes a subagent as the run would end by this event. */
  EndAs = 5,
  /** `(entity, text)`: the same as its agent has failed, with this text. */
  EndFailed = 6,
  /**
   * `(STATE_UNSENT, AS_IT_IS, event)`: closes what is open, and ends the run by this event. Where the state could not be sent and is
   * needed for it, the answer is `unsent`, and the run goes on.
   */
  EndRun = 7,
  /**
   * `(cause)`: notes why the run is going to end, an `EndCause`, before its agent is told to stop. Only the first counts. The answer
   * is how many milliseconds the client has to read the end; 0 for any time.
   */
  Decide = 8,
  /**
   * `(cause, text)`: ends the run, unless it has ended; beside the `EndCause`, `STATE_UNSENT`. The text is that of an error, that of the state first; or what was returned, as the event by which the run would end. The answer is
   * `IS_FORCED` and `TELLS_UNSENT`; or what else is to be told, an error's description.
   */
  Conclude = 9,
  /** `(undefined, entries)`: adds to the tokens that the end of the run reports; a list, which is JSON text. */
  AddUsage = 10,
  /** `(bytes)`: fills them with what waits, if it fits, and forgets it. The answer is how many bytes waited. */
  Take = 11,
  /**
   * The same as `Write`, if there is a delta. The answer is what waits as a chunk of HTTP/1.1, each byte a character, and is
   * forgotten.
   */
  Chunk = 12,
  /**
   * `(pause, is_socket)`: counts silence from now on, which a comment, or a ping of a WebSocket, fills after so many microseconds. Their
   * time is 0.
   */
  KeepAlive = 13,
  /** When to look for silence next, in microseconds; 0 for never. */
  NextLook = 14,
  /**
   * `(now, is_behind, was_composed)`: looks for silence. The client may be behind, and something may have been written that was not taken
   * here. The answer is a `Beat`.
   */
  Look = 15,
  /** The client has said anything. */
  Heard = 16,
  /** Forgets what waits, and what is written from now on. */
  Drop = 17,
  /** `(bytes)`: ends the run as that of a client that is too slow, if so many bytes wait. The answer is how many bytes wait. */
  CheckRoom = 18,
  /** `(body)`: reads a request's body. The answer is JSON text: the input and the warnings, or the refusal. */
  Read = 19,
  /** `(echo)`: begins the run that was read; with `true`, RUN_STARTED carries its input. The answer is how many bytes wait. */
  Start = 20,
  /** Has the calls that write be one call, from now on (`about` is true) or no longer. The answer is how many bytes wait. */
  OneCall = 21,
  /** Writes an event of the state: its JSON text. It goes before the frames of the last call. The answer is how many bytes wait. */
  State = 22,
  /** Whether the state is to be sent before the end of the run, or (`about` is true) where something is awaited: 1 or 0. */
  StateWanted = 23,
  /**
   * Whether a state of so many values (`about`) is to be compared where something is awaited: 2 if it is, as long as it is no larger;
   * 1 if it is, 0 if it is not; or how, the description of an error. Without `about`: it is being compared.
   */
  StateDue = 24,
  /** `(tag, event, content)`: writes one of an activity, of which the client has that, if any is known. The answer is `=` and what it has then. */
  Activity = 25,
  /** The same of a snapshot of which only goes out what has changed. */
  ActivityUpdate = 26,
  /** Panics, for the test that a panic stays inside. */
  Panic = 27,
}

/** What is to be done about silence. */
export const enum Beat {
  /** Nothing. */
  Nothing = 0,
  /** A comment waits to be sent. */
  Comment = 1,
  /** A ping is to be sent. */
  Ping = 2,
  /** The client is to be given up: it answers no ping. */
  GiveUp = 3,
}

/** Why a run ends, as far as that is said here. */
export const enum EndCause {
  /** The agent has returned. */
  Returned = 0,
  /** It has thrown. */
  Raised = 1,
  /** It has called itself off. */
  CalledOff = 2,
  /** It has taken longer than it may. */
  TimedOut = 3,
  /** Its server stops it. */
  Stopped = 4,
}

/** A step in which a value grows that arrives in pieces. */
export const enum Growth {
  /** The text is the key of the next value. */
  Key = 0,
  /** An object begins. */
  Object = 1,
  /** A list begins. */
  List = 2,
  /** The text is a string, so far. */
  Text = 3,
  /** The text is more of the last string. */
  Append = 4,
  /** The text is the JSON of a value. */
  Json = 5,
  /** The last object or list ends. */
  Close = 6,
  /** The text is the JSON pointer of what is complete. */
  Complete = 7,
}

/**
 * What stands among changes and is none: the parts of a patch that JavaScript can carry out as they are. They come
 * before the change, and their numbers are beyond those of changes.
 */
export const enum Part {
  /** An operation. The slot is 1 for one that replaces, the text its path. */
  Operation = 128,
  /**
   * A step of the operation's path: the index of an item from 1, or `END`; and the name of a member, unless that is the item's
   * index.
   */
  Step = 129,
  /** The operation's value. The slot is 1 for a string, 0 for JSON text. */
  Value = 130,
}

/** What JavaScript does while core patches its objects: places in the list of functions. */
export const enum PatchFunction {
  /** `(container, context)`: the container, or its copy, to be changed. */
  Own = 0,
  /** `(container, key)`: the member or item; undefined if there is none. */
  Look = 1,
  /** `(container, key, context)`: the same, to be changed. */
  Reach = 2,
  /** `(object, name, value)`: sets a member and returns what was there, or undefined. */
  Set = 3,
  /** `(container, key, value)`: replaces what is there and returns it, or undefined. */
  Replace = 4,
  /** `(container, key, value, order?)`: inserts what is not there. */
  Insert = 5,
  /** `(container, key)`: removes what is there and returns it, and the order of names before; or undefined. */
  Remove = 6,
  /**
   * `(value, levels, values, context?)`: a deep copy and how many values it has; or a refusal. With the context, the
   * value itself if the context says so.
   */
  Copy = 7,
  /** `(value, levels, values)`: how many values it has; or a refusal. */
  Measure = 8,
  /** `(one, other, levels)`: 1 if both are the same JSON, 0 if not; or a refusal. */
  Equal = 9,
  /** `(value)`: its length, if it is a list; or undefined. */
  Length = 10,
  /** No function that is called: the constructor of lists. */
  Array = 11,
}

/** The kind of a change. */
export const enum ChangeKind {
  MessageInserted = 0,
  MessageReplaced = 1,
  MessagesArranged = 2,
  MessageEnded = 3,
  CallAdded = 4,
  CallEnded = 5,
  TextAppended = 6,
  MemberSet = 7,
  ContentSet = 8,
  ContentPatched = 9,
  MetadataMerged = 10,
  StateSet = 11,
  StatePatched = 12,
  PatchFailed = 13,
  InterruptsSet = 14,
  RunFinished = 15,
  RunFailed = 16,
}

/** The names of the kinds, in the same order. */
export const changeKinds = [
  'message_inserted',
  'message_replaced',
  'messages_arranged',
  'message_ended',
  'call_added',
  'call_ended',
  'text_appended',
  'member_set',
  'content_set',
  'content_patched',
  'metadata_merged',
  'state_set',
  'state_patched',
  'patch_failed',
  'interrupts_set',
  'run_finished',
  'run_failed',
] as const;

/** A member of messages or calls that changes touch. */
export const enum Member {
  Content = 0,
  Arguments = 1,
  Name = 2,
  EncryptedValue = 3,
  EncryptedValueType = 4,
  ActivityType = 5,
  SubagentRunId = 6,
  Metadata = 7,
  ToolCalls = 8,
}

/** The path of each in its message or call: the keys on the way, its own last. */
export const memberPaths: readonly { way: readonly string[]; key: string }[] = [
  { way: [], key: 'content' },
  { way: ['function'], key: 'arguments' },
  { way: ['function'], key: 'name' },
  { way: [], key: 'encryptedValue' },
  { way: [], key: 'encryptedValueType' },
  { way: [], key: 'activityType' },
  { way: [], key: 'subagentRunId' },
  { way: [], key: 'metadata' },
  { way: [], key: 'toolCalls' },
];

/** Appends to a member that holds text. `owned` answers what stands under a key, to be changed. */
export function append(member: Member, target: any, text: string, owned: (holder: any, key: string) => any): void {
  switch (member) {
    case Member.Content:
      target.content += text;
      break;
    case Member.Arguments:
      owned(target, 'function').arguments += text;
      break;
  }
}
