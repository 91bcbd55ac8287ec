// The intended differences of our client from the official one, each shown by an experiment: with that one departure of the client
// removed, or with the stream repaired as our warnings say, its outcome equals ours. None of them is a pattern to skip by.

import { isDeepStrictEqual } from 'node:util';

const isPatch = ({ type }) => type === 'STATE_DELTA' || type === 'ACTIVITY_DELTA';
const told = (outcome, ...codes) => outcome.warnings.filter(([, code]) => codes.includes(code));

/**
 * `may` returns true if the difference can play a part, `as` changes the client, `rewrite` changes its input, and `compared`
 * returns the part of an outcome to compare.
 */
export const explanations = {
  /** Ours applies patches by RFC 6902; the client's library only does so in part. */
  rfc6902: {
    may: (stage, { events }) => ['apply', 'pipeline', 'compact'].includes(stage) && events.some(isPatch),
    as: { rfc6902: true },
  },
  /** Ours gives each place in the list an object of its own after a MESSAGES_SNAPSHOT. */
  unshared: {
    may: (stage, { events }) => ['apply', 'pipeline'].includes(stage) && events.some(({ type }) => type === 'MESSAGES_SNAPSHOT'),
    as: { unshared: true },
  },
  /** Ours carries a chunk's timestamp. */
  timestamps: {
    may: (stage, { events }) => stage === 'chunks' && events.some(({ type, timestamp }) => type.endsWith('_CHUNK') && timestamp !== undefined),
    as: { timestamps: true },
  },
  /** Reading by the tolerant profile, which enforcement of ours is, translates the shapes of 0.x; the client has a stage before it. */
  translated: {
    may: (stage, _, outcome) => stage === 'enforce' && told(outcome, 'legacy_shape').length > 0,
    as: { translated: true },
  },
  /** Ours takes null in an optional member as absent, and fills in members that the declaration fixes: where our warnings say so. */
  repaired: {
    may: (stage, _, outcome, expected) => told(outcome, ...MENDS).length > 0 || violationsMended(outcome, expected).length > 0,
    rewrite(input, outcome, expected) {
      const repaired = structuredClone(input);
      for (const [index, , path] of told(outcome, ...MENDS)) repair(repaired.events[index], path);
      for (const path of violationsMended(outcome, expected)) repair(repaired.events[outcome.error.index], path);
      return repaired;
    },
  },
  /** If content is neither text nor parts, the client names the content, and ours names the part. */
  deeper: {
    may: (stage, _, { error }) => error?.paths.some((path) => CONTENT.test(path)),
    compared: ({ paths, ...rest }) => ({ ...rest, paths: paths && [...new Set(paths.map((path) => path.replace(CONTENT, '$1')))] }),
  },
  /** The client counts the operations that it has not left out, ours those that were sent. */
  renumbered: {
    may: (stage, { events }, { error }) => holdsUnknownOperation(events[error?.index]),
    compared: ({ paths, ...rest }) => ({ ...rest, paths: paths && [...new Set(paths.map((path) => path.replace(OPERATION, '/patch')))] }),
  },
  /** If one of the messages is not an object, the client does not leave out the unknown ones, and names those. */
  unstripped: {
    may: (stage, { events }, { error }) => holdsNoObject(events[error?.index]),
    compared: ({ paths, ...rest }) => rest,
  },
  /** Ours leaves out values that a closed set does not have, and refuses a union without a tag, as the specification's text says. */
  words: {
    may: (stage, _, outcome) => told(outcome, 'invalid_value').length > 0,
    rewrite(input, outcome) {
      const events = structuredClone(input.events);
      const left = new Set();
      for (const [index, , path] of told(outcome, 'invalid_value')) {
        if (path === '/subtype') left.add(index);
        else if (path === '/role') delete events[index].role;
        else removeAnswer(events[index], path);
      }
      return { ...input, events: events.filter((_, index) => !left.has(index)) };
    },
  },
  untagged: {
    may: (stage, { events }, { error }) => error?.paths.some((path) => isUntagged(events[error.index], path)),
    rewrite: (input, { error }) => ({ ...input, events: input.events.slice(0, error.index) }),
    compared: withoutEnd,
  },
  /** Ours refuses half a character, and more levels than its limit: the client comes as far with the events before. */
  refused: {
    may: (stage, { events }, { error }) =>
      // JSON writes lone surrogates as escapes.
      (error?.code === 'lone_surrogate' && /\\ud[89a-f]/.test(JSON.stringify(events[error.index]))) ||
      (error?.code === 'limit_exceeded' && levels(events[error.index]) > 200),
    rewrite: (input, { error }) => ({ ...input, events: input.events.slice(0, error.index) }),
    compared: withoutEnd,
  },
  /**
   * Ours checks things that the client does not, such as the ids of runs (rules from V40 on; in strict V14 of an activity that
   * stands): the client accepts the events before.
   */
  judged: {
    may: (stage, _, { error }) => stage === 'verify' && JUDGED.test(error?.rule),
    rewrite: (input, { error }) => ({ ...input, events: input.events.slice(0, error.index) }),
    compared: ({ accepted, atIndex }) => ({ reached: accepted ?? atIndex }),
  },
};

/** The value at a path. */
const at = (event, keys) => keys.reduce((value, key) => value?.[key], event);

const tokens = (path) => path.split('/').slice(1);

/** Returns true if the path is that of the tag of a union, and the value is not a string. */
const isUntagged = (event, path) => /(\/outcome\/type|\/messages\/\d+\/role|\/op|\/(content|source)(\/\d+)?\/type)$/.test(path) && typeof at(event, tokens(path)) !== 'string';

/** Takes out the answer whose status is at the path. */
function removeAnswer(event, path) {
  const [list, place] = [tokens(path).slice(0, -2), Number(tokens(path).at(-2))];
  at(event, list).splice(place, 1);
}

const holdsNoObject = (event) =>
  [event?.messages, event?.input?.messages].some((messages) => Array.isArray(messages) && messages.some((item) => typeof item !== 'object' || item === null));

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

const holdsUnknownOperation = (event) => Array.isArray(event?.patch) && event.patch.some((item) => typeof item?.op === 'string' && !OPERATIONS.includes(item.op));

const OPERATION = /^\/patch\/\d+/;

const CONTENT = /^(.*\/content)\/.*$/;

const levels = (value) => (typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levels)) : 0);

/** Returns an outcome without the members that describe its end. */
function withoutEnd({ error, atIndex, rule, paths, result, newMessages, stripped, ...rest }) {
  return rest;
}

const JUDGED = /^V(14|[45]\d)$/;

const MENDS = ['null_not_allowed', 'filled_field'];

/** Returns the paths that only the client names in an event that both refuse; ours has no warnings for them. */
function violationsMended({ error }, { atIndex, paths }) {
  if (!error || error.index !== atIndex || !paths) return [];
  return paths.filter((path) => !error.paths.includes(path));
}

/** The values that the declaration fixes, by the name of the member. */
const fixed = { role: 'reasoning', type: 'function' };

/** Takes the member at the path away if it is null; sets it if it is not there and fixed. Else it stays. */
function repair(event, path) {
  const keys = path.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  const holder = keys.reduce((value, key) => value?.[key], event);
  if (holder?.[last] === null) delete holder[last];
  else if (holder && !Object.hasOwn(holder, last) && Object.hasOwn(fixed, last)) holder[last] = fixed[last];
}

/**
 * Returns the smallest set of explanations with which the client's outcome equals what we `found`, or undefined. `run` runs the
 * client's stage on another input or in another way.
 */
export async function explain(stage, input, { outcome, found, expected }, run) {
  const possible = Object.keys(explanations).filter((name) => explanations[name].may(stage, input, outcome, expected));
  for (const names of subsets(possible)) {
    const chosen = names.map((name) => explanations[name]);
    const as = Object.assign({}, ...chosen.map((explanation) => explanation.as));
    const compared = (whole) => chosen.reduce((outcome, explanation) => explanation.compared?.(outcome) ?? outcome, whole);
    // After the repair of the first refused event, the client may reach the event that both refuse.
    let [read, reached] = [input, expected];
    for (let rounds = 2; rounds > 0; rounds--) {
      for (const { rewrite } of chosen) if (rewrite) read = rewrite(read, outcome, reached);
      reached = await run(read, as);
      if (isDeepStrictEqual(compared(found), compared(reached))) return names;
    }
  }
}

/** Returns all subsets but the empty one, small ones first. */
function subsets(names) {
  const all = names.reduce((found, name) => [...found, ...found.map((set) => [...set, name])], [[]]);
  return all.slice(1).sort((a, b) => a.length - b.length);
}
