// The stream functions of @ag-ui/client and ours in the same forms, on event objects as JSON.parse makes them.

import { operation } from './measure.mjs';

const COUNT = 10_000;
const ID = '0123456789abcdef0123456789abcdef0123';
const DELTA = 'a piece of text of forty characters, yes';
const RUN = { threadId: 't', runId: 'r' };

const repeated = (count, make) => Array.from({ length: count }, (_, at) => make(at)).flat();
const text = (messageId, deltas) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...repeated(deltas, () => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: DELTA })),
  { type: 'TEXT_MESSAGE_END', messageId },
];
const call = (toolCallId, deltas) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'search' },
  ...repeated(deltas, () => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"query":"forty"' })),
  { type: 'TOOL_CALL_END', toolCallId },
];
const custom = { type: 'CUSTOM', name: 'progress', value: { done: 3, of: 10, labels: ['one', 'two'] } };
const delta = (at) => ({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a/b', value: at }] });

const messages = (count) =>
  repeated(count, (at) => ({
    ...(at % 2 ? { role: 'user' } : { role: 'assistant', toolCalls: [{ id: `c${at}`, type: 'function', function: { name: 'search', arguments: '{}' } }] }),
    id: ID + at,
    content: DELTA,
  }));

/** A message and a call at the same time, with alternating deltas. */
const twoAtOnce = (at) => {
  const [[start, ...deltas], [open, ...args]] = [text(ID + at, 8), call('c' + ID + at, 8)];
  return [start, open, ...deltas.flatMap((one, index) => [one, args[index]])];
};

/** The streams that runs consist of. */
const streams = {
  text: () => text(ID, COUNT),
  'short messages': () => repeated(COUNT / 4, (at) => text(ID + at, 2)),
  'tool arguments': () => call(ID, COUNT),
  'custom events': () => repeated(COUNT, () => custom),
  chunks: () => repeated(COUNT, () => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: ID, delta: DELTA })),
  'chunks of short messages': () => repeated(COUNT, (at) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: ID + (at >> 2), delta: DELTA })),
  'state deltas': () => [{ type: 'STATE_SNAPSHOT', snapshot: { a: { b: 0 } } }, ...repeated(COUNT, delta)],
  'messages snapshots': () => repeated(20, () => ({ type: 'MESSAGES_SNAPSHOT', messages: messages(100) })),
  'two streams at once': () => repeated(COUNT / 20, twoAtOnce),
  'a mixed run': () => repeated(COUNT / 50, (at) => [...text(ID + at, 30), custom, delta(at), ...call('c' + ID + at, 12), custom, custom]),
};

const made = ([, make]) => JSON.parse(JSON.stringify([{ type: 'RUN_STARTED', ...RUN }, ...make(), { type: 'RUN_FINISHED', ...RUN }]));

function through({ from }, stage, events) {
  const out = [];
  from(events).pipe(stage).subscribe((event) => out.push(event));
  return out;
}

export function clientOperations({ client: ours, stream }, { client: official }, rxjs) {
  const lists = Object.entries(streams).map((entry) => [entry[0], made(entry)]);
  const operators = ['verifyEvents', 'transformChunks', 'enforceEvents'].flatMap((name) =>
    lists.filter(([title]) => name !== 'enforceEvents' || title !== 'chunks of short messages').map(([title, events]) =>
      operation(
        `client ${name}, ${title}, each event`,
        {
          ours: () => through(rxjs, ours[name](), events),
          official: () => through(rxjs, official[name](), events),
        },
        { per: events.length },
      ),
    ),
  );
  const compactions = lists.map(([title, events]) =>
    operation(
      `client compactEvents, ${title}, each event`,
      { ours: () => ours.compactEvents(events), official: () => official.compactEvents(events) },
      // If states are moved, ours keeps more of the events around them.
      { per: events.length, same: (list) => list.filter(({ type }) => type.includes('MESSAGE')).length },
    ),
  );
  const names = { verifyEvents: 'verifyEvents', expandChunks: 'transformChunks', enforceEvents: 'enforceEvents' };
  const wholeLists = Object.entries(names).flatMap(([name, other]) =>
    lists.slice(0, 5).map(([title, events]) =>
      operation(
        `${name} of a list, ${title}, each event`,
        { ours: () => stream[name](events), official: () => through(rxjs, official[other](), events) },
        { per: events.length },
      ),
    ),
  );
  const validated = lists.slice(0, 5).map(([title, events]) =>
    operation(
      `compactEvents of a list, read and validated, ${title}, each event`,
      { ours: () => stream.compactEvents(events), official: () => official.compactEvents(events) },
      { per: events.length, replaced: false },
    ),
  );
  return [...operators, ...compactions, ...wholeLists, ...validated];
}

/** Measures responses that are read in pieces. */
export function responseOperations({ client: ours }, { client: official, proto }, rxjs, events) {
  const utf8 = new TextEncoder();
  const texts = events.map((event) => utf8.encode(`data: ${JSON.stringify(event)}\n\n`));
  const frames = events.map((event) => framed(proto.encode(event)));
  const transports = { text: [texts, 'text/event-stream'], protobuf: [frames, 'application/vnd.ag-ui.event+proto'] };
  const ways = { 'one event a read': (pieces) => pieces, 'reads of 16 KB': (pieces) => cut(Buffer.concat(pieces), 16_384) };
  const jobs = [['parseSSEStream', 'text'], ['parseProtoStream', 'protobuf'], ['transformHttpEventStream', 'text'], ['transformHttpEventStream', 'protobuf']];
  return jobs.flatMap(([name, transport]) =>
    Object.entries(ways).map(([title, divide]) => {
      const [pieces, contentType] = transports[transport];
      const parts = [
        { type: 'headers', status: 200, headers: new Headers({ 'content-type': contentType }) },
        ...divide(pieces).map((data) => ({ type: 'data', data: new Uint8Array(data) })),
      ];
      const work = (client) => () => {
        const source = new rxjs.Subject();
        let count = 0;
        client[name](source).subscribe(() => count++);
        for (const part of parts) source.next(part);
        source.complete();
        return count;
      };
      return operation(`client ${name}, ${transport}, ${title}, each event`, { ours: work(ours), official: work(official) }, { per: events.length });
    }),
  );
}

function framed(message) {
  const frame = Buffer.alloc(4 + message.length);
  frame.writeUInt32BE(message.length);
  frame.set(message, 4);
  return frame;
}

const cut = (bytes, size) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
