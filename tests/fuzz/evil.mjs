// Objects that no JSON document can produce. Some must have the same result as the plain object; the others must only not crash the
// process.

/** The error that an evil object throws. */
export class Evil extends Error {}

const isContainer = (value) => typeof value === 'object' && value !== null;

/** Returns a copy in which some containers are replaced by one of the variants. */
export function changed(random, value, changes, share) {
  if (!isContainer(value) || ArrayBuffer.isView(value)) return value;
  const copy = Array.isArray(value) ? value.map((item) => changed(random, item, changes, share)) : {};
  if (!Array.isArray(value)) for (const key of Object.keys(value)) set(copy, key, changed(random, value[key], changes, share));
  return random.chance(share) ? random.one(changes)(random, copy) : copy;
}

function set(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

const anyKey = (random, value) => random.one(Object.keys(value).concat('type'));

const getter = (random, value, get) => {
  const key = anyKey(random, value);
  const old = value[key];
  return Object.defineProperty(value, key, { enumerable: true, configurable: true, get: () => get(old, value, key) });
};

class Instance {
  method() {}
}

/** Objects that say the same as the plain one. */
export const behaved = [
  (random, value) => Object.freeze(value),
  (random, value) => new Proxy(value, {}),
  (random, value) => (Array.isArray(value) ? value : Object.assign(Object.create(null), value)),
  (random, value) => (Array.isArray(value) ? value : Object.setPrototypeOf(value, Instance.prototype)),
  (random, value) => {
    for (const key of Object.keys(value)) {
      const old = value[key];
      Object.defineProperty(value, key, { enumerable: true, configurable: true, get: () => old });
    }
    return value;
  },
  (random, value) => Object.assign(value, { [Symbol('s')]: 1n }),
  (random, value) => Object.defineProperty(value, 'hidden', { value: 1n, enumerable: false }),
  (random, value) => {
    if (Array.isArray(value)) return value;
    const setters = Object.create(Object.prototype);
    for (const key of [...Object.keys(value), 'extra']) {
      Object.defineProperty(setters, key, { set: () => fail('setter'), get: () => undefined, configurable: true });
    }
    return Object.setPrototypeOf(value, setters);
  },
];

function fail(why) {
  throw new Evil(why);
}

const TRAPS = ['get', 'ownKeys', 'has', 'getOwnPropertyDescriptor', 'getPrototypeOf', 'set', 'defineProperty', 'deleteProperty'];

let deep = [];
for (let level = 0; level < 12_000; level++) deep = level % 2 ? [deep] : { a: deep };
const cycle = {};
cycle.cycle = [cycle];
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const detached = new Uint8Array(8);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const sparse = [];
sparse.length = 1_000;

/** Values without a JSON form, and values with hidden behaviour. */
export const odd = [
  ...[1n, Symbol('s'), undefined, NaN, Infinity, -0, 2 ** 60, 1e400, '\ud800', '\u0000\u2028', '__proto__', null, true, 5, '', [], {}],
  ...[() => 1, new Date(NaN), new Date(0), new Map([[1, 2]]), new Set([1]), new Uint8Array(3), new Float64Array(2), new ArrayBuffer(4), detached],
  ...[new String('x'), new Number(5), new Boolean(false), Object(1n), Object(Symbol('b')), /x/g, new Error('e'), Promise.resolve(1), new WeakMap()],
  ...[cycle, deep, revoked.proxy, sparse, [, 1], { length: 3 }, { type: 1 }, { toJSON: 5 }, 'x'.repeat(5_000), Object.create({ type: 'RAW', event: 1 })],
];

/** Changes after which every result is allowed. `enter` calls the called function once more. */
export const wild = (enter) => [
  (random, value) => getter(random, value, () => fail('getter')),
  (random, value) => {
    const thrown = random.one([undefined, null, 'text', 5, Symbol('t'), { code: 'AGUI' }, Object.assign(new Error('x'), { code: 'AGUI' }), new RangeError('mine')]);
    return getter(random, value, () => {
      throw thrown;
    });
  },
  (random, value) => new Proxy(value, { [random.one(TRAPS)]: () => fail('trap') }),
  (random, value) => new Proxy(value, { get: (target, key) => (key !== 'length' && random.chance(0.3) ? random.one(odd) : target[key]) }),
  (random, value) => new Proxy(value, { ownKeys: (target) => Reflect.ownKeys(target).concat('more'), get: (target, key) => target[key] }),
  (random, value) => getter(random, value, (old) => (enter(), old)),
  (random, value) => getter(random, value, (old, of) => (delete of[anyKey(random, of)], old)),
  (random, value) => getter(random, value, (old, of) => ((of[random.one(['type', 'delta', 'more', 0])] = random.one(odd)), old)),
  (random, value) => {
    let times = 0;
    return getter(random, value, (old) => (times++ ? random.one(odd) : old));
  },
  (random, value) => getter(random, value, (old, of) => (Array.isArray(of) ? (of.length = 0) : Object.freeze(of), old)),
  (random, value) => Object.assign(value, { toJSON: () => random.one(odd) }),
  (random, value) => Object.assign(value, { toJSON: () => fail('toJSON') }),
  (random, value) => Object.assign(value, { toJSON: () => (enter(), { type: 'RAW', event: 1 }) }),
  (random, value) => ((value[anyKey(random, value)] = random.one(odd)), value),
  (random, value) => ((value[anyKey(random, value)] = value), value),
  (random, value) => ((value[random.one(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'more'])] = random.one(odd)), value),
  (random) => random.one(odd),
  (random, value) => (Array.isArray(value) ? Object.setPrototypeOf(value, null) : value),
  (random, value) => (Array.isArray(value) ? Object.assign(value, { [Symbol.iterator]: () => fail('iterator') }) : value),
  (random, value) => (Array.isArray(value) ? Object.assign(value, { map: 5, slice: 5, push: () => fail('push') }) : value),
];

/** Chunks of bytes in every shape. Of each: the chunk, and true if it has the bytes; undefined if it is not a chunk. */
export const chunks = [
  (bytes) => [bytes, true],
  (bytes) => [new Uint8Array(bytes), true],
  (bytes) => [new Uint8Array([...Buffer.from('xx'), ...bytes]).subarray(2), true],
  (bytes) => [new DataView(new Uint8Array(bytes).buffer), true],
  (bytes) => [new Uint8Array(bytes).buffer, true],
  (bytes) => [new Int8Array(bytes), true],
  (bytes) => [shared(bytes), true],
  (bytes) => [shared(bytes).buffer, true],
  (bytes) => [resizable(bytes), true],
  (bytes) => [new (class extends Uint8Array {})(bytes), true],
  (bytes) => [new (class extends Uint8Array { get length() { return 3; } get byteLength() { return 1e9; } })(bytes), true],
  (bytes) => {
    const chunk = resizable(bytes);
    chunk.buffer.resize(0);
    return [chunk, false];
  },
  (bytes) => {
    const chunk = new Uint8Array(bytes);
    structuredClone(chunk.buffer, { transfer: [chunk.buffer] });
    return [chunk, false];
  },
  (bytes) => [new Proxy(new Uint8Array(bytes), {})],
  (bytes) => [[...bytes]],
  (bytes) => [bytes.toString()],
  () => [Object.create(Uint8Array.prototype)],
  () => [{ length: 3, 0: 100 }],
];

function shared(bytes) {
  const made = new Uint8Array(new SharedArrayBuffer(bytes.length));
  made.set(bytes);
  return made;
}

function resizable(bytes) {
  const made = new Uint8Array(new ArrayBuffer(bytes.length, { maxByteLength: bytes.length + 64 }));
  made.set(bytes);
  return made;
}

/** Streams of chunks in every shape. All of them yield the items of the generator, and close it when they are not read any more. */
export const sources = [
  (given) => given,
  (given) => [...given],
  (given) => new Set(given),
  (given) => [...given].map((chunk) => Promise.resolve(chunk)),
  (given) => new Proxy([...given], {}),
  (given) => later(given),
  (given) => ({ [Symbol.asyncIterator]: () => later(given), [Symbol.iterator]: () => fail('iterator') }),
  (given) => ({ [Symbol.asyncIterator]: () => bare(given) }),
  (given) => ({ [Symbol.iterator]: () => bare(given) }),
  (given) => Object.create(bare(given), { [Symbol.asyncIterator]: { value() { return this; } } }),
  (given) => webStream(given),
  (given) => new Response(webStream(given), { headers: { 'content-type': 'text/event-stream' } }),
  // As an older runtime has it.
  (given) => ({ getReader: () => webStream(given).getReader() }),
];

const STEPS = ['next', 'return', 'throw'];

/** Streams for which any result is allowed. */
export const wildSources = [
  ...sources.map((make) => (given, random, enter) => make(cut(given, random, () => fail('next')))),
  (given, random, enter) => (function* () { for (const chunk of given) { enter(); yield chunk; } })(),
  (given, random) => ({ [Symbol.asyncIterator]: () => ({ ...bare(given), [random.one(STEPS)]: random.one(odd) }) }),
  (given, random) => ({ [Symbol.asyncIterator]: () => ({ ...bare(given), [random.one(STEPS)]: () => random.one(odd) }) }),
  (given, random) => ({ [Symbol.asyncIterator]: () => ({ ...bare(given), [random.one(STEPS)]: random.one([() => Promise.reject(new Evil('next')), () => fail('next'), () => ({ get done() { return fail('done'); } })]) }) }),
  (given) => ({ [Symbol.asyncIterator]: () => ({ next: () => ({ done: false, get value() { return fail('value'); } }), return: () => fail('return') }) }),
  (given, random) => ({ [random.one([Symbol.asyncIterator, Symbol.iterator])]: random.one(odd) }),
  (given, random) => ({ get [random.one([Symbol.asyncIterator, Symbol.iterator, 'getReader'])]() { return fail('getter'); } }),
  (given, random) => new Proxy(later(given), { [random.one(TRAPS)]: () => fail('trap') }),
  (given, random) => ({ getReader: random.one([() => fail('reader'), () => random.one(odd), () => ({ read: () => random.one(odd), cancel: () => fail('cancel'), releaseLock() {} }), random.one(odd)]) }),
  (given) => { const stream = webStream(given); stream.getReader(); return stream; },
  (given) => new ReadableStream({ start: (control) => control.error(new Evil('stream')) }),
  (given) => new Response('no stream', { headers: { 'content-type': 'text/html' } }),
  (given) => new Response(null),
  (given, random) => random.one(odd),
];

async function* later(given) {
  yield* given;
}

/** An iterator with only the required methods. */
const bare = (given) => ({ next: () => given.next(), return: (value) => given.return(value) });

const webStream = (given) =>
  new ReadableStream(
    { pull: (control) => { const { done, value } = given.next(); return done ? control.close() : control.enqueue(value); }, cancel: () => void given.return() },
    { highWaterMark: 0 },
  );

function* cut(given, random, then) {
  for (const chunk of given) {
    if (random.chance(0.3)) then();
    yield chunk;
  }
}
