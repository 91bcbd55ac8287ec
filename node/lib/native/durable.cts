// The classes of the addon for runs with a log. Times are in milliseconds of `performance.now()`; keys and hints are JSON text.

/** An operation of an engine. */
export interface NativeOperation {
  toJson(): string;
}

/** A reply of an engine. */
export interface NativeReply {
  toJson(): string;
}

/** The next thing that a machine wants. Its members depend on `kind`. */
export interface Command {
  kind: string;
  operation?: NativeOperation | undefined;
  text?: string | undefined;
  bytes?: Uint8Array | undefined;
  number?: number | undefined;
}

/** A state machine that sends operations: its commands are `send`, and those that its owner describes. */
export interface Machine {
  /** Returns the next command; nothing until the next input or the deadline. */
  poll(now: number): Command | null | undefined;
  /** Takes the reply to an operation; none if the engine has failed. */
  reply(now: number, operation: NativeOperation, reply?: NativeReply): void;
  /** Takes a hint of its log. */
  hint(hint: string): void;
  /** The time of the next poll, unless an input comes before. */
  deadline(): number | null | undefined;
  /** The next notice for the application, as JSON text. */
  notice(): string | null;
}

/** Starts a run: `begun` with the place before the first frame, and 1 if this request has begun it, or `refused` with the refusal. */
export interface LogStart {
  readonly machine: Machine;
  /** Makes the recorder of a run that this request has begun. */
  recorder(): Recorder | null;
}

/** Stores the frames of a run: `stored` with the number of the last stored frame, `stop` with the reason, and 1 if the end is still stored; `closed`. */
export interface Recorder {
  readonly machine: Machine;
  write(now: number, frames: Uint8Array): { last: number; isAwaited: boolean; hasRoom: boolean };
  readonly hasRoom: boolean;
  /** The process shuts down: the run ends within its time to drain. */
  drain(now: number): void;
  /** The run counts no longer. Called when no more commands are carried out. */
  close(): void;
}

/**
 * Reads a log for one client: `refused` with the whole response, or `opened` with the headers, `bytes`, and `end` with the code that closes a WebSocket. For WebSockets
 * `ping`, and `giveUp` if the client answers none.
 */
export interface LogStream {
  readonly machine: Machine;
  /** The process shuts down: the stream ends soon. */
  drain(now: number): void;
  /** Called when the client of a WebSocket has sent a message. */
  heard(): void;
  /** Says whether the connection takes more bytes. Without room only the longest duration ends it. */
  setRoom(hasRoom: boolean): void;
  /** The client counts no longer. Called when no more commands are carried out. */
  close(): void;
}

/** The options of a server with a log that core reads. */
export interface NativeLogOptions {
  onDisconnect?: string | undefined;
  grace?: number | undefined;
  onBusy?: string | undefined;
  lease?: number | undefined;
  logBytes?: number | undefined;
  keep?: number | undefined;
  keepThread?: number | undefined;
  maxConnection?: number | undefined;
  maxAge?: number | undefined;
  maxActiveRuns?: number | undefined;
  maxReaders?: number | undefined;
  drain?: number | undefined;
}

/** Counts the runs and the readers of each scope in this process. */
export interface NativeOccupancy {
  /** The process shuts down: it starts no more runs. */
  drain(): void;
}

/** A reader that is counted until this is released, or its stream is over. */
export interface Place {
  release(): void;
}

/** The client that reads a log. */
export interface ReaderHead {
  key: string;
  threadId: string;
  runId: string;
  /** The place behind which it begins; without one the client joins. */
  after?: string | undefined;
  wireFormat: string;
  address: string;
  /** The WebSocket that gets the frames, in place of a response of HTTP: `pinged`, or `silent` if its host sends the pings. */
  socket?: 'pinged' | 'silent' | undefined;
  /** True if the run was begun by this request. */
  isNew: boolean;
}

/** The rules of a server with a log. */
export interface NativeLogServer {
  /** Checks the head of a request, which is JSON text. */
  accept(head: string): string;
  /** Returns the key of a log, or a refusal. */
  key(scope: string, threadId: string, runId: string): string;
  /** Counts a reader of a scope; returns the refusal if it has too many. */
  place(scope: string): Place | string;
  /** With `now`, in milliseconds since the Unix epoch, the input has to answer the interrupts that wait in the thread. Returns the refusal if an id is too long. */
  start(scope: string, input: string, resume: string | undefined, now: number | undefined, isDraining: boolean): LogStart | string;
  /** Reads a log behind a cursor, or joins its run. The stream has the place from now on. */
  read(head: ReaderHead, place: Place): LogStream;
  /** The notice of a request that was refused with this code, as JSON text. */
  refusedNotice(code: string, scope: string | undefined, threadId: string | undefined, runId: string | undefined): string;
  /** `response` with its text, or `refused` with the refusal. */
  cancel(key: string): Machine;
  readThread(scope: string, threadId: string): Machine;
}

/** The engine in memory. */
export interface NativeMemoryStore {
  /** `hints` are pairs of a key and a hint, one after the other. */
  execute(now: number, operation: NativeOperation): { reply: NativeReply; hints: string[] };
}

/** The next step of an operation in Redis: a command, or the reply. Without both, it has failed; `text` says why. `warning` is one for the application. */
export interface RedisStep {
  warning?: string | undefined;
  command?: string[] | undefined;
  reply?: NativeReply | undefined;
  text?: string | undefined;
}

/** The commands of Redis as an engine. */
export interface NativeRedisKeyspace {
  channel(key: string): string;
  hint(message: string): string | null;
  begin(operation: NativeOperation): { start(): RedisStep; reply(reply: string): RedisStep };
}

/** The reply to an operation, or a hint of a watched log, by its number. Without both, the operation has failed; `text` says why. */
export interface LogEvent {
  number: number;
  reply?: NativeReply | undefined;
  text?: string | undefined;
}

/** The engine on a disk. */
export interface NativeSqliteStore {
  execute(number: number, operation: NativeOperation): void;
  watch(number: number, key: string): { close(): void };
  close(): void;
}

/** A case of the suite that every engine passes. */
export interface NativeLogCase {
  /** The next step: an operation as JSON text, or the milliseconds to wait; nothing behind the last one. */
  step(): { operation?: string | undefined; wait?: number | undefined } | null;
  /** The difference between a reply, as JSON text, and the one that the last step expects; nothing if there is none, or if the case begins again. */
  difference(reply: string): string | null;
}

/** The classes. */
export interface DurableNative {
  LogOperation: { fromJson(json: string): NativeOperation; deleteThread(scope: string, threadId: string): NativeOperation };
  LogReply: { fromJson(json: string): NativeReply };
  /** Checks which options a server was given, by their names. Returns the error as text. */
  checkLogOptions(names: string[]): string | null;
  LogOccupancy: new () => NativeOccupancy;
  LogServer: new (options: NativeLogOptions, settings: string, heartbeat: number, occupancy: NativeOccupancy) => NativeLogServer;
  MemoryLogStore: new (maxLogs?: number, maxThreads?: number, maxBytes?: number) => NativeMemoryStore;
  SqliteLogStore: new (path: string, replied: (event: LogEvent) => void, hinted: (event: LogEvent) => void) => NativeSqliteStore;
  RedisLogKeyspace: new (prefix: string) => NativeRedisKeyspace;
  logCases(scope: string): NativeLogCase[];
}
