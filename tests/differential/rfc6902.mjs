// JSON Patch exactly by the RFC, in a simple and slow way: the behaviour of the official client without its patch library.
import { isDeepStrictEqual } from 'node:util';

/** Returns the document after the patch; the given document is unchanged. Throws if the patch does not apply. */
export function applyPatch(document, operations) {
  const root = { document: structuredClone(document) };
  for (const operation of operations) operators[operation.op](root, operation);
  return { newDocument: root.document };
}

const operators = {
  add: (root, { path, value }) => add(root, path, value),
  remove: (root, { path }) => void remove(root, path),
  replace(root, { path, value }) {
    get(root, path);
    set(root, path, value);
  },
  move(root, { from, path }) {
    const value = get(root, from);
    check(!path.startsWith(`${from}/`));
    if (from === path) return;
    remove(root, from);
    add(root, path, value);
  },
  copy: (root, { from, path }) => add(root, path, get(root, from)),
  test: (root, { path, value }) => check(isDeepStrictEqual(plain(get(root, path)), plain(value))),
};

function check(holds) {
  if (!holds) throw new Error('the patch does not apply');
}

const plain = (value) => JSON.parse(JSON.stringify(value));

const isList = Array.isArray;
const isContainer = (value) => typeof value === 'object' && value !== null;

function tokens(pointer) {
  check(/^(\/([^~/]|~[01])*)*$/u.test(pointer));
  return pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function index(list, token, most) {
  check(/^(0|[1-9][0-9]*)$/.test(token));
  check(Number(token) <= most);
  return Number(token);
}

function step(container, token) {
  check(isContainer(container));
  if (isList(container)) return container[index(container, token, container.length - 1)];
  check(Object.hasOwn(container, token));
  return container[token];
}

const get = (root, pointer) => tokens(pointer).reduce(step, root.document);

/** The container that the pointer's last token is looked up in, and that token. */
function place(root, pointer) {
  const path = tokens(pointer);
  const last = path.pop();
  const container = path.reduce(step, root.document);
  check(isContainer(container));
  return [container, last];
}

const own = (container, key, value) =>
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });

function add(root, pointer, given) {
  const value = structuredClone(given);
  if (pointer === '') return void (root.document = value);
  const [container, last] = place(root, pointer);
  if (!isList(container)) return void own(container, last, value);
  container.splice(last === '-' ? container.length : index(container, last, container.length), 0, value);
}

function set(root, pointer, given) {
  const value = structuredClone(given);
  if (pointer === '') return void (root.document = value);
  const [container, last] = place(root, pointer);
  own(container, last, value);
}

function remove(root, pointer) {
  get(root, pointer);
  if (pointer === '') return void (root.document = null);
  const [container, last] = place(root, pointer);
  if (isList(container)) container.splice(Number(last), 1);
  else delete container[last];
}
