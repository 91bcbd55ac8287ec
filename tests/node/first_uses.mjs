// Calls every export for the first time in a process, with objects whose own code changes what is read.
//
//   node tests/node/first_uses.mjs [--times N]
//
// Each call has a process of its own. Public functions get the objects of `tests/fuzz/evil.mjs`: getters, proxies, objects that
// call back. The addon's own exports get any value as any argument: proxies, detached buffers, memory that threads share. Whatever
// they throw, the process must not crash, and no error may be internal.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { require } from './packages.mjs';

const file = fileURLToPath(import.meta.url);
const { values } = parseArgs({ options: { times: { type: 'string', default: '3' }, target: { type: 'string' }, native: { type: 'string' }, seed: { type: 'string', default: '1' } } });

/** Returns the addon as a program finds it that loads it without the package. */
function addon() {
  const [name] = Object.keys(require.cache).filter((path) => path.endsWith('.node'));
  return require(name);
}

function detached(Kind) {
  const made = new Kind(8);
  structuredClone(made.buffer, { transfer: [made.buffer] });
  return made;
}

/** Values of the wrong kind. The lists of arguments below use them by their position. */
const odd = [
  () => undefined,
  () => null,
  () => detached(Uint8Array),
  () => detached(Uint32Array),
  () => new Uint32Array(new SharedArrayBuffer(64)),
  () => new Uint8Array(new SharedArrayBuffer(64)),
  () => new Uint8Array(new ArrayBuffer(8, { maxByteLength: 64 })),
  () => new Proxy({}, { get: () => { throw new Error('mine'); } }),
  () => new Proxy([], { get: (list, key) => (key === 'length' ? 100 : detached(Uint8Array)) }),
  () => ({ get type() { throw new Error('mine'); } }),
  () => () => { throw new Error('mine'); },
  () => new Uint8Array(8),
  () => new Uint32Array(8),
  () => '\ud800{"a":1e999}',
  () => -1,
  () => NaN,
  () => 2 ** 53,
  () => 10n ** 30n,
  () => Symbol('s'),
  () => ({ a: 1 }),
  () => [1, 'a'],
];

const hosts = new Set(Object.getOwnPropertyNames(globalThis).map((name) => globalThis[name]?.prototype));

/** A function, and those of an object and of its class, unless that is the host's. */
function* functionsOf(made) {
  if (typeof made === 'function') yield made;
  if (typeof made !== 'object' || made === null) return;
  const own = Object.getPrototypeOf(made);
  for (const part of hosts.has(own) ? [made] : [made, own]) {
    for (const name of Object.getOwnPropertyNames(part)) {
      if (name !== 'constructor' && typeof made[name] === 'function') yield (...given) => made[name](...given);
    }
  }
}

/** Returns the result of a call; undefined if it throws an error, which must not be internal. */
function attempt(call) {
  try {
    return call();
  } catch (error) {
    if (error?.code === 'internal') throw error;
    return undefined;
  }
}

/** Has an export of the addon called, and the functions that it returns. */
function callNative(name, seed) {
  let state = seed;
  const next = (below) => (state = (state * 1103515245 + 12345) % 2 ** 31) % below;
  const argumentsOf = () => Array.from({ length: 6 }, () => odd[next(odd.length)]());
  for (let left = 40; left > 0; left--) {
    const made = attempt(() => addon()[name](...argumentsOf()));
    for (const inner of functionsOf(made)) attempt(() => inner(...argumentsOf()));
  }
}

async function inThisProcess() {
  const { attack } = await import('../fuzz/node_objects.mjs');
  if (values.native) return callNative(values.native, Number(values.seed));
  const why = attack(values.target, Number(values.seed));
  if (why) throw new Error(why);
}

function inProcess(given) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...given], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = [];
    child.stderr.on('data', (piece) => said.push(piece));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `${given.join(' ')}: ended with ${signal ?? code}\n${Buffer.concat(said)}`));
  });
}

async function all() {
  const { names } = await import('../fuzz/node_objects.mjs');
  const seeds = Array.from({ length: Number(values.times) }, (_, at) => String(at + 1));
  const calls = seeds.flatMap((seed) => [
    ...names.map((name) => ['--target', name, '--seed', seed]),
    ...Object.keys(addon()).filter((name) => name !== 'panic').map((name) => ['--native', name, '--seed', seed]),
  ]);
  const count = calls.length;
  const found = [];
  const work = async () => {
    for (let given = calls.pop(); given; given = calls.pop()) {
      const wrong = await inProcess(given);
      if (wrong) found.push(wrong);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  for (const wrong of found) console.log(wrong);
  console.log(`Node ${process.versions.node}: ${count} first uses, ${found.length} failed`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

await (values.target || values.native ? inThisProcess() : all());
