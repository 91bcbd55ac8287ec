// Made from core and node/src/border.rs by `make generate`. Do not edit.

/**
 * The protocol version that this package speaks.
 *
 * @example
 * ```ts
 * import { PROTOCOL_VERSION } from 'ag-ui-native';
 *
 * PROTOCOL_VERSION; // => '1.1'
 * ```
 */
export const PROTOCOL_VERSION = '1.1';

/**
 * The media type of the protobuf transport.
 *
 * @example
 * ```ts
 * import { AGUI_MEDIA_TYPE } from 'ag-ui-native/encoder';
 *
 * AGUI_MEDIA_TYPE; // => 'application/vnd.ag-ui.event+proto'
 * ```
 */
export const AGUI_MEDIA_TYPE = 'application/vnd.ag-ui.event+proto';

/** The media type of the text transport. */
export const SSE_MEDIA_TYPE = 'text/event-stream';

/**
 * Limits on the cost of reading input.
 *
 * @example
 * ```ts
 * import type { Limits } from 'ag-ui-native';
 * import { decodeEvent } from 'ag-ui-native/stream';
 *
 * const limits: Limits = { eventBytes: 1024 * 1024, depth: 20 };
 * decodeEvent('{"type": "TEXT_MESSAGE_END", "messageId": "m1"}', { limits })?.type; // => 'TEXT_MESSAGE_END'
 * ```
 */
export interface Limits {
  /** The largest event, in bytes of its text. By default 16 MiB. */
  eventBytes?: number | undefined;
  /** The largest body of a request for a run, in bytes. It holds a whole conversation, and each message may be as long as an event. By default 64 MiB. */
  inputBytes?: number | undefined;
  /** The maximum number of values in the input of a run; each list, object and scalar counts. By default 1,000,000. */
  inputValues?: number | undefined;
  /** The deepest nesting of lists and objects; at most 1000. By default 200. */
  depth?: number | undefined;
  /** The longest id, in bytes. By default 64 KiB. */
  idBytes?: number | undefined;
  /** The maximum number of messages, calls, spans, steps and subagents that are open at one time. By default 10,000. */
  openEntities?: number | undefined;
  /** The maximum number of members that the events of a message or call may add to its metadata. By default 1,000. */
  metadataMembers?: number | undefined;
  /** The maximum number of messages, calls, spans, activities and subagents of one run that are remembered, open or not; owners of steps count too. By default 1,000,000. */
  runEntities?: number | undefined;
  /** The maximum number of warnings about one stream; one more warning says that others are left out. By default 10,000. */
  warnings?: number | undefined;
  /** The maximum number of operations in one patch. By default 100,000. */
  patchOperations?: number | undefined;
  /** The maximum number of values that the `copy` operations of one patch make, and that its moves take to deeper places; each list, object and scalar counts. By default 100,000. */
  patchCopies?: number | undefined;
  /** The maximum number of places by which the insertions and removals of one patch shift the items of lists; in Rust's own objects, members too. By default 200,000,000. */
  patchShifts?: number | undefined;
  /** The maximum number of values in the state of a run that is compared at each await. A larger state is compared when a message, a tool call or a step ends, when it is flushed, and at the end of the run. Each list, object and scalar counts. By default 10,000. */
  stateValues?: number | undefined;
}

/** The value of a client's header `Accept`. */
export const ACCEPT = 'text/event-stream';

/** The same where protobuf is asked for. */
export const ACCEPT_PROTOBUF = 'application/vnd.ag-ui.event+proto, text/event-stream;q=0.5';

/** The text that the agent gets for a tool's result without a JSON form. */
export const NO_JSON_RESULT = 'The result is not valid JSON.';

/** The callbacks of subscribers: true if the result of one counts. */
export const callbacks = {
  onRunInitialized: true,
  onRunFailed: true,
  onRunFinalized: true,
  onEvent: true,
  onNewMessage: false,
  onNewToolCall: false,
  onMessagesChanged: false,
  onStateChanged: false,
  onTextMessageStartEvent: true,
  onTextMessageContentEvent: true,
  onTextMessageEndEvent: true,
  onTextMessageChunkEvent: true,
  onToolCallStartEvent: true,
  onToolCallArgsEvent: true,
  onToolCallEndEvent: true,
  onToolCallChunkEvent: true,
  onToolCallResultEvent: true,
  onStateSnapshotEvent: true,
  onStateDeltaEvent: true,
  onMessagesSnapshotEvent: true,
  onActivitySnapshotEvent: true,
  onActivityDeltaEvent: true,
  onRawEvent: true,
  onCustomEvent: true,
  onRunStartedEvent: true,
  onRunFinishedEvent: true,
  onRunErrorEvent: true,
  onStepStartedEvent: true,
  onStepFinishedEvent: true,
  onReasoningStartEvent: true,
  onReasoningMessageStartEvent: true,
  onReasoningMessageContentEvent: true,
  onReasoningMessageEndEvent: true,
  onReasoningMessageChunkEvent: true,
  onReasoningEndEvent: true,
  onReasoningEncryptedValueEvent: true,
  onSubagentStartedEvent: true,
  onSubagentFinishedEvent: true,
  onSubagentErrorEvent: true,
} as const;

/** The largest count that an option takes. */
export const LARGEST_COUNT = 9_007_199_254_740_991;
/** The longest time that an option of runs with a log takes. */
export const LONGEST_TIME = 9_007_199_254_740_991;
/** Silence after which a server sends a comment. */
export const HEARTBEAT = 15_000;
/** The longest time that the body of a request for a run may take to arrive. */
export const BODY_TIMEOUT = 30_000;
/** Time that a client has to read the end of a run that was stopped by its time limit or by the server's shutdown. */
export const END_GRACE = 5_000;
/** Time that runs with a log have to end when their process shuts down. */
export const DRAIN = 10_000;
/** Time behind that in which clients read the ends of those runs. Then their connections end, whatever they read. */
export const DRAIN_READING = 1_000;
/** The longest time to wait for the reply of an engine that keeps logs. */
export const LOG_PATIENCE = 5_000;
/** The pause before a subscription to hints that has failed is made again. Readers look at their logs meanwhile. */
export const SUBSCRIBE_PAUSE = 1_000;
/** The maximum number of bytes that may wait to be sent while an agent does not await. */
export const MAX_WAITING = 16_777_216;
/** The maximum length, in bytes of text, of a delta that is joined from adjacent ones. */
export const COALESCE_BYTES = 4_096;
/** The longest time that a delta waits to be joined. */
export const COALESCE_DELAY = 50;
/** The longest time that a client waits for a connection. */
export const CONNECT_TIMEOUT = 10_000;
/** The longest time that a client waits for the next piece of an answer. */
export const IDLE_TIMEOUT = 60_000;
/** The maximum number of attempts to send a request that may be repeated. */
export const RETRY_ATTEMPTS = 3;
/** The pause before the second attempt. */
export const RETRY_FIRST = 500;
/** The longest pause before an attempt. */
export const RETRY_LONGEST = 30_000;
/** The part of a pause that is random. */
export const RETRY_JITTER = 0.5;
/** The maximum number of attempts without progress to go on with a run whose connection is lost. */
export const RECONNECT_ATTEMPTS = 8;
/** The pause before the second attempt; the first one does not wait. */
export const RECONNECT_FIRST = 250;
/** The longest pause before an attempt. */
export const RECONNECT_LONGEST = 10_000;
/** The part of a pause that is random. */
export const RECONNECT_JITTER = 0.5;
/** The maximum number of redirects that are followed. */
export const MAX_REDIRECTS = 5;
/** The maximum number of times that one call runs the agent, which is run again after functions have answered its tool calls. */
export const MAX_RUNS = 10;
/**
 * Number of an agent's last runs whose ids are remembered, to warn of an id that is used
 * twice.
 */
export const REMEMBERED_RUNS = 1_000;
/** The maximum number of bytes that are read of a refusal's body. The body is for people. */
export const MOST_PAYLOAD = 65_536;
/** The longest time that reading a refusal's body may take. The status matters more. */
export const LONGEST_PAYLOAD = 5_000;
/** Time that abandoned callbacks and background work get to return. */
export const CALLBACK_GRACE = 1_000;
/** The longest time for which a client reads what has arrived without a turn for other tasks. */
export const YIELD_INTERVAL = 10;
/** The longest time that the peer of a WebSocket may take to close it. */
export const CLOSE_GRACE = 1_000;

/** The subprotocols of a WebSocket that a client offers which asks for protobuf, and can set no header. */
export const SUBPROTOCOLS: readonly string[] = ['vnd.ag-ui.event+proto', 'vnd.ag-ui.event+json'];

/** The prefixes of ids. */
export const idPrefixes = {
  thread: 'thread',
  run: 'run',
  message: 'msg',
  toolCall: 'tool',
  step: 'step',
} as const;

/** The class of an error. */
export type Category = 'validation' | 'stream' | 'limit' | 'sequence' | 'patch' | 'connection' | 'internal';

/** The index of the status bits in `marks`. */
export const STATUS = 0;
/** The index of the count of marks that follow. */
export const LENGTH = 1;
/** The index of the first mark. */
export const FIRST = 2;
/** The stream has failed; ask for the error. */
export const FAILED = 1;
/** There are warnings; ask for them. */
export const WARNED = 2;
/** The array is too short; provide `LENGTH + 2` marks and ask again. */
export const SHORT = 4;
/** Stages set it: nothing has changed, and the same event gives the same result again. */
export const SAME = 8;
/** Expansion sets it: from now on the same event gives the last of the events that were made, and changes nothing. */
export const LAST = 16;
/**
 * Expansion sets it: an event that differs from the last in its id alone gives the same events, with its id in all but the first
 * event, and with the last one's id there.
 */
export const NEXT = 32;
/** Pipelines and intakes set it: a run has ended, and no other run has begun since. */
export const ENDED = 64;
/**
 * The input of an engine that reads an event by its strings; the place of the event's type is added. The event has only its tag and
 * its required members, which are the strings after `extra`. The answer is undefined if the engine needs JSON text.
 */
export const STRINGS = 256;
/**
 * The input of a stage that verifies the projection of an event, with its `subagentRunId` as `extra` if it has one. The answer is one
 * of the numbers from `UNSTEPPED` to `STEP_FAILED`.
 */
export const STEPS = 512;
/** The stage needs the event as JSON text. */
export const UNSTEPPED = 0;
/** The event is admitted. */
export const STEPPED = 1;
/** The event is admitted, and the same event gives the same result again. */
export const SAME_STEP = 2;
/** The event is refused, or there are warnings: ask for them. */
export const STEP_FAILED = 3;
/** The shape of an event that is handed over as JSON text. */
export const JSON_TEXT = 255;
/** Replaces the index of the caller's object + 1 in a stage's output: the event is handed over as JSON text. */
export const MADE = 0;
/** Replaces it for an event of strings: the marks of a decoder's event follow. */
export const FLAT = 4_294_967_295;
/**
 * Marks of a change: kind and member, index of the event, slot (of an inserted message: its place), call from 1, end of its
 * text. Call 0 is the message itself.
 */
export const CHANGE_WIDTH = 5;
/** The bits of the kind in its mark; the bits above hold the member that is changed. */
export const KIND_MASK = 255;
/** The shift of the member's bits. */
export const MEMBER_SHIFT = 8;
/** The maximum number of changes that are handed over at a time. */
export const MAX_CHANGES = 256;
/** The code by which a server closes a WebSocket that shuts down before a run is asked for. */
export const CLOSE_GOING_AWAY = 1_001;
/** A step of a path: the place after the last item of a list. */
export const END = 4_294_967_295;
/** The answer of compaction that needs a full table. */
export const MISSING_TABLE = 4_294_967_295;
/** The answer of compaction that needs the events themselves. */
export const MISSING_EVENTS = 4_294_967_294;
/** A flag of an end, or beside an `EndCause`: the state could not be sent. */
export const STATE_UNSENT = 256;
/** A flag of an end: the run ends with this event unchanged. */
export const AS_IT_IS = 512;
/** The answer of a conclusion after the agent was told to stop: later writes of the agent are discarded. */
export const IS_FORCED = 1;
/** The answer of a conclusion whose unsent state is to be reported. */
export const TELLS_UNSENT = 2;
/** The answer of patching for a value that is too deep. */
export const TOO_DEEP = -1;
/** The answer of patching for a value with too many values. */
export const TOO_MANY = -2;
/** By how many places an operation may move the items of a list, if the patch is carried out in parts. */
export const MAX_SCALAR_SHIFTS = 100_000;

/** The deepest level of JSON that core reads. */
export const MAX_DEPTH = 1_000;

/** The default of the limit `eventBytes`. */
export const EVENT_BYTES = 16_777_216;

/** The requests to an engine besides reading. */
export const enum Ask {
  /** Ends the stream. */
  Close = 0,
  /** Hands over the last result again, into a larger array of marks. */
  Again = 1,
  /** Describes the failure, as JSON text. */
  Error = 2,
  /** Returns the warnings since the last request, as JSON text. */
  Warnings = 3,
  /** Returns the stream's last event id and retry time, as JSON text. For decoders and pipelines. */
  Resume = 4,
  /** Returns once the messages and interrupts of a new conversation, as JSON text. For pipelines and reducers. */
  Start = 5,
  /**
   * Returns a status: of verifiers the state of the stream, as JSON text; of partial arguments `true` if they are complete; of reducers
   * `true` if the last event may have changed messages.
   */
  Status = 6,
  /**
   * Reports, as JSON text in `extra`, a patch of the state that did not apply. There is a warning then, or the answer describes an
   * error. For pipelines and reducers.
   */
  Unpatched = 7,
  /** Ends the run of an agent that has failed; `extra` is the text for the client. For guards. */
  Failed = 8,
  /** Reports the number, in `extra`, of events that were not handed over before the last one. For stages. */
  Skipped = 9,
  /**
   * Adds messages of snapshots that were held back, a snapshot of them as JSON text in `extra`. The answer describes an error, if
   * there is one. For verifiers.
   */
  MessageOwners = 10,
  /** Returns slot and place of the first call whose id is `extra`, as JSON text, or nothing. For pipelines and reducers. */
  Call = 11,
  /** Returns the slot of the first message whose id is `extra`, or nothing. For pipelines and reducers. */
  Message = 12,
  /**
   * Replaces the conversation by the one in `extra`, which has the form of its start. The answer is that to `Start`, or describes an
   * error. For pipelines and reducers.
   */
  Replace = 13,
  /** Appends messages, in the form of a start in `extra`. The answer is that to `Start`. For pipelines and reducers. */
  Append = 14,
  /** Sets the thread and the run that the stream was requested for, a list of both as JSON text in `extra`. For verifiers and pipelines. */
  Asked = 15,
  /** Joins the text of messages with one id in one message, even if their kinds differ. For reducers. */
  Shared = 16,
  /**
   * Returns the ids of the runs after the first, and the number of the run of each message of these, as JSON text. For pipelines and
   * reducers.
   */
  Later = 17,
  /** Returns the stream index of each event since the last request, with commas between. For pipelines that make events. */
  Indices = 18,
  /** Sets the index of the next event to that in `extra`. For reducers. */
  GoTo = 19,
  /**
   * Reports a failure of the transport, with its code; `Close` then returns the error. Of middleware, for intakes: the answer is `true` if the run
   * ends as finished. For pipelines and intakes.
   */
  Lost = 20,
  /**
   * Returns the milliseconds to wait for more after the end of a run; `extra` is `{"now", "idle", "isOneRun"}`. 0 means that the stream
   * has ended, no answer means no limit. For pipelines and intakes.
   */
  IdleTime = 21,
}

/**
 * The calls to the writer of a run, with their arguments. `lib/server/writer.cts` makes them.
 * 
 * An answer that counts waiting bytes is -1 minus the count after the end of the run.
 */
export const enum RunCall {
  /**
   * `(entity, delta)`: appends to a message or to the arguments of a call. With `lengths` these are several deltas in a row: their
   * count, and the UTF-16 length of each. The answer is the count of waiting bytes.
   */
  Write = 0,
  /** `(tag, event)`: sends an event, which is JSON text. The answer is the count of waiting bytes. */
  Send = 1,
  /** `(tag, event)`: opens an entity with the event that starts it. The answer is the entity. */
  Open = 2,
  /** `(tag, id)`: opens a span of reasoning and its message. The answer is the entity. */
  OpenReasoning = 3,
  /** `(entity)`: closes it. The answer is the count of waiting bytes. */
  End = 4,
  /** `(entity, event)`: closes a subagent in the way that this event would end the run. */
  EndAs = 5,
  /** `(entity, text)`: closes a subagent whose agent has failed with this text. */
  EndFailed = 6,
  /**
   * `(STATE_UNSENT, AS_IT_IS, event)`: closes open entities and ends the run by this event. If the event needs the state, which could
   * not be sent, the answer is `unsent`, and the run goes on.
   */
  EndRun = 7,
  /**
   * `(cause)`: records the `EndCause` of a run before its agent is told to stop. Only the first counts. The answer is the time in
   * milliseconds that the client has to read the end; 0 for no limit.
   */
  Decide = 8,
  /**
   * `(cause, text)`: ends the run, unless it has ended; `STATE_UNSENT` is a flag of the `EndCause`. The text is that of an error, of the
   * state's first; or the event that would end the run with the returned value. The answer is `IS_FORCED` and `TELLS_UNSENT`; or the
   * description of an error to report.
   */
  Conclude = 9,
  /** `(undefined, entries)`: adds to the tokens that the end of the run reports; a list, which is JSON text. */
  AddUsage = 10,
  /** `(bytes)`: moves the waiting frames into `bytes`, if they fit. The answer is the count of bytes that waited. */
  Take = 11,
  /** Writes the delta, if there is one, and takes the waiting frames. The answer is a chunk of HTTP/1.1, each byte a character. */
  Chunk = 12,
  /**
   * `(pause, is_socket)`: starts to measure silence. A comment, or a ping of a WebSocket, ends it after this number of microseconds. The
   * clock starts at 0.
   */
  KeepAlive = 13,
  /** Returns the time of the next check for silence, in microseconds; 0 for never. */
  NextCheck = 14,
  /** `(now, is_behind)`: checks for silence. `is_behind` says that the client reads slowly. The answer is a `Beat`. */
  CheckSilence = 15,
  /** Reports that the client has sent a message. */
  Heard = 16,
  /** Discards waiting frames and all later writes. */
  Drop = 17,
  /** `(bytes)`: ends the run because its client is too slow, if this number of bytes waits. The answer is the count of waiting bytes. */
  CheckRoom = 18,
  /** Reads the body that has been received. The answer is JSON text: the input and the warnings, or the refusal. */
  Read = 19,
  /** `(echo)`: begins the run that was read; with `true`, RUN_STARTED carries its input. The answer is the count of waiting bytes. */
  Start = 20,
  /** Starts (`about` is true) or stops treating the calls that write as one call. The answer is the count of waiting bytes. */
  OneCall = 21,
  /** Writes an event of the state: its JSON text. It goes before the frames of the last call. The answer is the count of waiting bytes. */
  State = 22,
  /** Returns 1 if the state is sent before the end of the run, or (`about` is true) at each `await`; otherwise 0. */
  WantsState = 23,
  /**
   * Decides if a state with this number of values (`about`) is compared at an `await`: 2 for yes, also later unless it grows; 1 for yes,
   * 0 for no; or the description of an error. Without `about` it reports that the state is being compared.
   */
  StateDue = 24,
  /**
   * `(tag, event, content)`: writes an event of an activity; `content` is the client's content, if known. The answer is `=` and the new
   * content.
   */
  Activity = 25,
  /** Writes a snapshot of an activity like `Activity`, but sends only its difference to the client's content. */
  ActivityUpdate = 26,
  /** Panics, for the test that a panic stays inside. */
  Panic = 27,
  /**
   * `(bytes, is_binary)`: receives a piece of a request's body; with `is_binary`, the first message of a WebSocket, which is the whole
   * body. The answer is how many bytes have come, or the refusal as JSON text.
   */
  Receive = 28,
  /** The refusal of a body that has not arrived in time, as JSON text. */
  TimedOut = 29,
  /** The code by which a WebSocket is closed after the run. */
  CloseCode = 30,
}

/** The actions against silence. */
export const enum Beat {
  /** No action. */
  Nothing = 0,
  /** A comment waits to be sent. */
  Comment = 1,
  /** A ping is to be sent. */
  Ping = 2,
  /** The client is disconnected: it answers no ping. */
  GiveUp = 3,
}

/** The causes of the end of a run that JavaScript reports. */
export const enum EndCause {
  /** The agent has returned. */
  Returned = 0,
  /** The agent has thrown. */
  Raised = 1,
  /** The agent has cancelled itself. */
  CalledOff = 2,
  /** The agent has exceeded its time limit. */
  TimedOut = 3,
  /** The server stops the agent. */
  Stopped = 4,
}

/** A step of the growth of a value that arrives in pieces. */
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
  /** The text is the JSON pointer of a complete value. */
  Complete = 7,
}

/**
 * The rows for the parts of a patch that JavaScript carries out itself. They come before the change, and their numbers are larger than
 * those of changes.
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

/** The JavaScript functions that core calls during a patch: indexes in the list of functions. */
export const enum PatchFunction {
  /** `(container, context)`: returns the container, or its copy, for a change. */
  Own = 0,
  /** `(container, key)`: returns the member or item, or undefined. */
  Get = 1,
  /** `(container, key, context)`: returns the member or item for a change. */
  Reach = 2,
  /** `(object, name, value)`: sets a member and returns the old one, or undefined. */
  Set = 3,
  /** `(container, key, value)`: replaces a member or item and returns the old one, or undefined. */
  Replace = 4,
  /** `(container, key, value, order?)`: inserts a new member or item. */
  Insert = 5,
  /** `(container, key)`: removes a member or item and returns it and the former order of names; or undefined. */
  Remove = 6,
  /**
   * `(value, levels, values, context?)`: returns a deep copy and its count of values; or a refusal. With a context that lends values, it
   * returns the value itself.
   */
  Copy = 7,
  /** `(value, levels, values)`: returns the count of values in it; or a refusal. */
  Measure = 8,
  /** `(one, other, levels)`: returns 1 if both are the same JSON, otherwise 0; or a refusal. */
  Equal = 9,
  /** `(value)`: returns the length of a list, or undefined. */
  Length = 10,
  /** The constructor of lists. It is not called. */
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
