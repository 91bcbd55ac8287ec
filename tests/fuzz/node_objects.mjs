// Adversarial objects for every entrance of the Node package.
//
//   node node_objects.mjs [--calls N] [--seed S] [--verbose]
//
// Each call gets arguments that `evil.mjs` has changed. Objects that behave must have the same result as plain ones. All others
// must end in: a result, the error that the object itself threw, a TypeError that says what is wrong, or an AGUIError with a code.
// Never a crash, a bare RangeError or an internal error, and no event is lost. A failing call has a seed of its own, which repeats
// it.
import { parseArgs } from 'node:util';
import { Random } from '../differential/random.mjs';
import * as make from '../differential/values.mjs';
import { ours, require } from '../node/packages.mjs';
import { behaved, changed, chunks, Evil, odd, sources, wild, wildSources } from './evil.mjs';

const { stream, encoder, proto, schemas } = ours;
const patch = require('ag-ui-native/patch');
const compat = require('ag-ui-native/compat');

const frame = (event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const started = { type: 'TEXT_MESSAGE_START', messageId: 'm' };
const content = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' };
const anyEvent = (random) => make.event(random, random.one(make.TYPES));
const anyEvents = (random) => [started, ...random.list(4, anyEvent)];
const start = (random) => ({ messages: make.messages(random), state: make.state(random), pendingInterrupts: [] });
const runInput = (random) => ({ threadId: 't', runId: 'r', state: make.state(random), messages: make.messages(random), tools: [], context: [], forwardedProps: {} });
const usage = (random) => random.list(3, () => ({ model: 'm', inputTokens: random.below(9), ...random.some({ provider: make.name, totalTokens: () => 3 }) }));
const writer = (accept, options) => new encoder.EventEncoder({ accept, ...options });
const told = (of) => [of.messages, of.state, of.pendingInterrupts, of.stateInSync, of.warnings];

/** The functions to call: their arguments, made by a random source, and the call. `enter` is called from within it. */
const targets = {
  encode: [(random) => [anyEvent(random)], (event) => writer().encode(event)],
  encodeStamped: [(random) => [{ timestamp: 1, ...anyEvent(random) }], (event) => writer(undefined, { timestamps: true }).encode(event)],
  encodeBinary: [(random) => [anyEvent(random)], (event) => [...writer(encoder.AGUI_MEDIA_TYPE, { profile: 'tolerant' }).encodeBinary(event)]],
  encodeInto: [(random) => [anyEvent(random), new Uint8Array(64)], (event, bytes) => writer().encodeInto(event, bytes, 1)],
  protoEncode: [(random) => [anyEvent(random)], (event) => [...proto.encode(event)]],
  protoDecode: [(random) => [Buffer.from(JSON.stringify(anyEvent(random)))], (bytes) => proto.decode(bytes)],
  enforce: [(random) => [anyEvents(random)], (events) => stream.enforceEvents(events)],
  expand: [(random) => [anyEvents(random)], (events) => stream.expandChunks(events)],
  verify: [(random) => [anyEvents(random)], (events) => stream.verifyEvents(events)],
  compact: [(random) => [anyEvents(random)], (events) => stream.compactEvents(events)],
  applyEvents: [(random) => [anyEvents(random), start(random)], (events, options) => stream.applyEvents(events, options)],
  pipelineOptions: [(random) => [{ ...start(random), profile: 'tolerant', limits: { depth: 50 }, verify: false }], (options) => told(new stream.EventPipeline(options))],
  decoderOptions: [() => [{ profile: 'strict', limits: { eventBytes: 99 }, contentType: null, replaceInvalidText: true }], (options) => new stream.EventDecoder(options).feed(frame(content))],
  decodeEvent: [(random) => [JSON.stringify(anyEvent(random)), { profile: 'relay', limits: {} }], (text, options) => stream.decodeEvent(text, options)],
  partial: [() => ['{"a":[1,"x"]}'], (text) => new stream.PartialArguments().feed(text)],
  applyPatch: [(random) => [make.document(random), make.patch(random), { limits: { depth: 90 } }], (document, operations, options) => patch.applyPatch(document, operations, options)],
  applyInPlace: [(random) => [make.document(random), make.patch(random)], (document, operations) => patch.applyPatch(document, operations, { inPlace: true })],
  diff: [(random) => [make.document(random), make.document(random)], (old, next) => patch.diff(old, next)],
  safeParse: [(random) => [anyEvent(random)], (event) => schemas.EventSchemas.safeParse(event)],
  inputParse: [(random) => [runInput(random)], (input) => schemas.RunAgentInputSchema.safeParse(input)],
  validate: [(random) => [anyEvent(random), { profile: 'tolerant' }], (event, options) => ours.validate(event, options)],
  toJson: [(random) => [anyEvent(random)], (event) => ours.toJson(event)],
  omitNulls: [(random) => [anyEvent(random)], (event) => ours.omitOptionalNulls(event)],
  mergeMetadata: [(random) => [make.metadata(random), make.metadata(random)], (one, other) => ours.mergeMetadata(one, other)],
  contentToText: [(random) => [make.content(random)], (content) => [ours.contentToText(content), ours.contentHasMedia(content), ours.contentParts(content)]],
  aggregate: [(random) => [usage(random)], (entries) => ours.aggregateTokenUsage(entries)],
  langchain: [() => [{ input_tokens: 1, input_token_details: { cache_read: 2 } }, { model: 'm' }], (report, labels) => ours.tokenUsageFromLangChainMetadata(report, labels)],
  aiSdk: [() => [{ inputTokens: 1, inputTokenDetails: { cacheReadTokens: 2 } }, { model: 'm' }], (report, labels) => ours.tokenUsageFromAiSdkUsage(report, labels)],
  upgrade: [(random) => [runInput(random)], (input) => compat.upgradeInput(input)],
  downgrade: [(random) => [runInput(random), '0.0.50'], (input, peer) => compat.downgradeInput(input, peer)],
  checkResume: [() => [[{ id: 'i', reason: 'r' }], [{ interruptId: 'i', status: 'resolved', payload: 1 }]], (pending, answers) => stream.checkResume(pending, answers)],
};

/** Objects that are called again and again; the last call gets a plain event and must accept it. */
const talkers = {
  reducer: () => new stream.Reducer({ state: { k: { l: 1 } } }),
  reducerAll: () => new stream.Reducer(),
  expander: () => new stream.ChunkExpander(),
  verifier: () => new stream.EventVerifier(),
};

const step = { reducer: 'apply', reducerAll: 'applyAll', expander: 'push', verifier: 'admit' };

/** Errors that explain the failure: ours by argument, the host's own if JSON cannot hold a value. */
const TYPE_ERRORS = /requires that 'this'|incompatible receiver|this is not a|is not iterable|Symbol\.iterator method|species|^[\w.[\]]+: expected |circular structure|serialize a BigInt|proxy|BigInt value|Symbol value|revoked|read only property|not extensible|Cannot (delete|redefine|define) property|only a getter|detached ArrayBuffer|toPrimitive|convert object to primitive|Cannot convert a/;

/** The host's own errors for sources of chunks that are neither iterators nor readers. */
const SOURCE_ERRORS = /Iterator result|[iI]terator method|is not a function$|is locked|reading '(read|cancel)'|destructure property 'done'/;

/** Returns why an error is not allowed; undefined if it is allowed. */
function fault(error) {
  if (error instanceof Evil || !(error instanceof Error) || error.message === 'mine' || error.message === 'x') return undefined;
  if (error instanceof ours.AGUIError) return error.code && error.code !== 'internal' ? undefined : 'an internal error';
  if (error instanceof TypeError && TYPE_ERRORS.test(error.message)) return undefined;
  return `a bare ${error.constructor.name}`;
}

function outcome(work) {
  let made;
  try {
    made = work();
  } catch (error) {
    if (error instanceof ours.AGUIError) return { thrown: true, error, result: `${error.code} ${error.path} ${error.message}` };
    return { thrown: true, error, result: error instanceof Error ? error.message : String(error) };
  }
  try {
    return { result: JSON.stringify(made) };
  } catch {
    return { result: 'what JSON has no words for' };
  }
}

/** Makes one call. Returns the fault of its result. */
function judge(random) {
  const kind = random.below(10);
  if (kind < 6) return once(random);
  if (kind < 8) return talk(random);
  return kind < 9 ? bytes(random) : arrive(random);
}

function once(random) {
  const [name, [given, call]] = random.one(Object.entries(targets));
  const plain = given(random);
  const says = random.chance(0.3);
  const enter = () => call(...given(new Random(1)));
  const spoilt = plain.map((argument) => (says ? changed(random, argument, behaved, 0.3) : changed(random, argument, wild(enter), 0.2)));
  if (!says && random.chance(0.1)) spoilt[random.below(spoilt.length)] = random.one(odd);
  const found = outcome(() => call(...spoilt));
  const why = found.thrown && fault(found.error);
  if (why) return [name, why, found.error];
  // A patch in place copies frozen containers, and keeps getters.
  if (!says || name === 'applyInPlace') return undefined;
  const expected = outcome(() => call(...plain));
  return found.result === expected.result ? undefined : [name, `another result\n  ${found.result}\n  ${expected.result}`];
}

function talk(random) {
  const name = random.one(Object.keys(talkers));
  const of = talkers[name]();
  const method = (event) => of[step[name]](name === 'reducerAll' ? [].concat(event) : event);
  const enter = () => method(started);
  for (let left = random.below(4); left >= 0; left--) {
    const event = changed(random, random.chance(0.5) ? anyEvent(random) : started, wild(enter), 0.15);
    const given = name === 'reducerAll' ? [started, event, started] : event;
    const { thrown, error } = outcome(() => method(given));
    const why = thrown && fault(error);
    if (why) return [name, why, error];
    if (of.state && random.chance(0.2)) spoil(random, of, enter);
  }
  try {
    method({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/k', value: 1 }] });
  } catch (error) {
    if (fault(error)) return [name, fault(error), error];
  }
  if (name === 'verifier') return undefined;
  const made = outcome(() => method({ type: 'CUSTOM', name: 'n', value: 1 }));
  const lost = name === 'expander' && !made.thrown && !/"CUSTOM"/.test(made.result);
  return made.thrown ? [name, 'takes no more', made.error] : lost ? [name, 'an event is lost'] : undefined;
}

/** Changes an object that was handed out. */
function spoil(random, { state, messages }, enter) {
  const inner = Object.getOwnPropertyDescriptor(Object(state), 'k')?.value;
  const victim = random.one([state, inner, messages[0], messages]);
  if (typeof victim !== 'object' || victim === null) return;
  try {
    random.one([
      () => Object.defineProperty(victim, 'trap', { enumerable: true, configurable: true, get: enter }),
      () => Object.defineProperty(victim, 'k', { enumerable: true, configurable: true, get: () => { throw new Evil('state'); } }),
      () => (victim.k = random.one(odd)),
      () => (victim.content = random.one(odd)),
      () => Object.freeze(victim),
      () => (victim.length = 0),
      () => (victim.self = victim),
    ])();
  } catch {
    // It was made so that it cannot be.
  }
}

/** Chunks of every shape; callbacks that throw, read and feed. Every event that went in must come out. */
function bytes(random) {
  const isDecoder = random.chance(0.5);
  let of;
  const onWarning = random.one([undefined, () => {}, () => { throw new Evil('callback'); }, () => of.feed(frame(content)), () => of.messages ?? of.lastEventId]);
  const options = onWarning ? { onWarning } : {};
  of = isDecoder ? new stream.EventDecoder(options) : new stream.EventPipeline({ ...options, verify: false, expand: false, state: { k: 1 }, reduce: random.chance(0.5) });
  const made = [];
  let fed = 0;
  const run = (work) => {
    try {
      made.push(...work());
    } catch (error) {
      made.push(...((error instanceof ours.AGUIError && error.code !== 'reentrant_call' && error.partial) || []));
      return error;
    }
  };
  run(() => of.feed(frame(started)));
  for (let left = random.below(4); left >= 0; left--) {
    const count = 1 + random.below(3);
    const weird = random.chance(0.5) ? frame({ type: 'WEIRD' }) : Buffer.alloc(0);
    const [chunk, isThere] = random.one(chunks)(Buffer.concat([weird, ...Array(count).fill(frame(content))]));
    const error = run(() => of.feed(chunk));
    if (isThere) fed += count;
    const why = error && fault(error);
    if (why) return ['feed', why, error];
    if (isThere === undefined && !(error instanceof TypeError)) return ['feed', 'no chunk, and no TypeError', error];
    if (isThere !== undefined && /^chunk/.test(error?.message)) return ['feed', 'a chunk is refused', error];
    if (!isDecoder && random.chance(0.2)) spoil(random, of, () => of.feed(frame(content)));
  }
  run(() => of.feed(new Uint8Array()));
  // An object that a program has put into a message may make it unchangeable; the program gets an error then.
  if (!isDecoder) return undefined;
  return made.length === fed + 1 ? undefined : ['feed', `${fed + 1} events went in, ${made.length} came out`];
}

/** Streams of every shape, read as they arrive. Every event of an accepted chunk comes out, with anything after it. */
async function arrive(random) {
  const says = random.chance(0.5);
  const taken = [];
  let [delivered, isOver] = [0, false];
  function* given() {
    try {
      for (let left = random.below(5); left > 0; left--) {
        const count = 1 + random.below(3);
        const isWeird = random.chance(0.3);
        const bytes = Buffer.concat([...(isWeird ? [frame({ type: 'WEIRD' })] : []), ...Array(count).fill(frame(content))]);
        const [chunk, isThere] = random.one(random.chance(0.8) ? chunks.slice(0, 3) : chunks)(bytes);
        taken.push({ count: isThere ? count : 0, isNone: isThere === undefined, isWeird: isWeird && isThere });
        yield chunk;
      }
    } finally {
      isOver = true;
    }
  }
  let events;
  const enter = () => void events?.next().catch(() => undefined);
  const thrower = () => { throw new Evil('callback'); };
  const takers = [enter, () => void events?.return().catch(() => undefined)];
  const onWarning = random.one([undefined, () => {}, thrower, ...takers]);
  const plain = { ...(onWarning && { onWarning }), text: random.chance(0.5), unsafeIntegers: random.one(['allow', 'warn', 'error']) };
  const options = says ? plain : changed(random, plain, wild(enter), 0.2);
  const giveUp = random.chance(0.2) ? random.below(4) : Infinity;
  let error;
  const generator = given();
  try {
    const source = says ? random.one(sources)(generator) : random.one(wildSources)(generator, random, enter);
    events = stream.decodeEvents(source, options);
    for await (const event of events) {
      if (event.type !== 'WEIRD' && event.delta !== 'x') return ['decodeEvents', 'another event'];
      if (++delivered > giveUp) break;
    }
  } catch (thrown) {
    error = thrown;
  }
  const isForeign = !says && error instanceof TypeError && SOURCE_ERRORS.test(error.message);
  const why = error !== undefined && !isForeign && fault(error);
  if (why) return ['decodeEvents', why, error];
  if (events && !Array.isArray(events.warnings)) return ['decodeEvents', 'no warnings'];
  if (events && !(await events.next()).done) return ['decodeEvents', 'goes on behind its end'];
  if (!says) return undefined;
  if (!isOver && taken.length > 0) return ['decodeEvents', 'the source is not told that it is over', error];
  // Others have taken some, or have ended it.
  if (delivered > giveUp || takers.includes(onWarning)) return undefined;
  let expected = 0;
  for (const { count, isNone, isWeird } of taken) {
    if (isNone) break;
    expected += count;
    if (isWeird && onWarning === thrower) break;
  }
  return delivered === expected ? undefined : ['decodeEvents', `${expected} events went in, ${delivered} came out`, error];
}

/** Makes one call of a target with objects whose own code acts. Returns the fault of its result. */
export function attack(name, seed) {
  const random = new Random(seed);
  const [given, call] = targets[name];
  const spoilt = given(random).map((argument) => changed(random, argument, wild(() => call(...given(new Random(1)))), 0.4));
  const found = outcome(() => call(...spoilt));
  return found.thrown ? fault(found.error) : undefined;
}

/** The names of the targets. */
export const names = Object.keys(targets);

/** Runs the calls and returns their faults. */
export async function fuzz(calls, seed, most = 5) {
  const found = [];
  for (let number = seed; number < seed + calls && found.length < most; number++) {
    const wrong = await judge(new Random(number));
    if (wrong) found.push({ seed: number, target: wrong[0], why: wrong[1], error: wrong[2] });
  }
  return found;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { values } = parseArgs({ options: { calls: { type: 'string', default: '100000' }, seed: { type: 'string' }, most: { type: 'string', default: '5' } } });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const found = await fuzz(Number(values.calls), seed, Number(values.most));
  for (const { seed, target, why, error } of found) console.log(`seed ${seed}, ${target}: ${why}`, error ?? '');
  console.log(`${values.calls} calls from seed ${seed}: ${found.length} findings`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
