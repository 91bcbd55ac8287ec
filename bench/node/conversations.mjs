// Conversations in Node: the cost of an event after a long history, against the official client, which copies the whole history.
// The client works asynchronously, so turns are awaited. Each turn makes its conversation anew, outside of the measured time.

import { median, shuffle } from './measure.mjs';

const RUN = { threadId: 't', runId: 'r' };
const DELTA = 'a piece of text of forty characters, yes';
const utf8 = new TextEncoder();

const content = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: DELTA };
const opening = [{ type: 'RUN_STARTED', ...RUN }, { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }];
const frame = (event) => utf8.encode(`data: ${JSON.stringify(event)}\n\n`);
const history = (count) => Array.from({ length: count }, (_, at) => ({ id: `m${at}`, role: 'user', content: 'What now?' }));

/** Makes a state of about `size` bytes of JSON. */
function stateOf(size) {
  const item = { name: 'a name', tags: ['one', 'two'], count: 7, note: 'some text about it, not too long' };
  return { items: Array.from({ length: Math.floor(size / 90) }, (_, id) => ({ ...item, id })) };
}

/** Makes the official reducer, with the events `started` applied. The returned function applies the events of a turn. */
function officialReducer({ client, rxjs }, messages, state, started) {
  const source = new rxjs.Subject();
  const input = { ...RUN, messages, state, tools: [], context: [], forwardedProps: {} };
  const agent = { messages, state, agentId: 'a', threadId: 't', pendingInterrupts: [], debug: undefined, debugLogger: undefined };
  let reported = 0;
  client.defaultApplyEvents(input, source, agent, []).subscribe(() => reported++);
  for (const event of started) source.next(event);
  return async (events) => {
    const before = reported;
    for (const event of events) source.next(event);
    while (reported - before < events.length) await new Promise((resolve) => setImmediate(resolve));
  };
}

/** Our function, with the signature of the official one. */
const ourApply = ({ client }, rxjs, ...rest) => officialReducer({ client, rxjs }, ...rest);

function ourReducer({ stream }, messages, state, started) {
  const reducer = new stream.Reducer({ messages, state });
  for (const event of started) reducer.apply(event);
  return async (events) => {
    for (const event of events) reducer.apply(event);
  };
}

function ourPipeline({ stream }, messages, state, started) {
  const pipeline = new stream.EventPipeline({ messages, state });
  for (const event of started) pipeline.feed(frame(event));
  return async (events) => {
    for (const event of events) pipeline.feed(event);
  };
}

/**
 * Makes a job: `setUp` makes the reducers, `events` makes the measured events. `counts` has the number of events for each
 * competitor; a slow one gets fewer.
 */
function job(name, setUp, events, counts) {
  const entries = Object.entries(setUp).map(([who, make]) => ({ who, make, count: counts[who] ?? counts.all, times: [] }));
  return { name, entries, events };
}

export async function conversationRows(packages, rounds, choice) {
  const { ours, official } = packages;
  const all = [];
  for (const [there, slow] of [[10, 400], [100, 200], [1_000, 40], [5_000, 10]]) {
    const messages = history(there);
    all.push(
      job(
        `client defaultApplyEvents, a text delta, ${there.toLocaleString('en')} messages there`,
        {
          ours: () => ourApply(ours, official.rxjs, messages, {}, opening),
          official: () => officialReducer(official, structuredClone(messages), {}, opening),
        },
        () => content,
        { ours: slow, official: slow },
      ),
      job(
        `reduce a text delta, ${there.toLocaleString('en')} messages there`,
        { ours: () => ourReducer(ours, messages, {}, opening), official: () => officialReducer(official, structuredClone(messages), {}, opening) },
        () => content,
        { ours: 20_000, official: slow },
      ),
      job(
        `bytes to a changed message, one event a read, ${there.toLocaleString('en')} messages there`,
        { ours: () => ourPipeline(ours, messages, {}, opening) },
        () => frame(content),
        { all: 20_000 },
      ),
    );
  }
  all.push(
    job(
      'reduce a text delta into one message of 10,000 others',
      {
        ours: () => ourReducer(ours, [], {}, opening),
        official: () => officialReducer(official, [], {}, opening),
      },
      () => content,
      { all: 10_000 },
    ),
    job('reduce a text delta into one message of 100,000 others', { ours: () => ourReducer(ours, [], {}, opening) }, () => content, {
      all: 100_000,
    }),
  );
  for (const [title, size, slow] of [['10 KB', 10_000, 200], ['1 MB', 1_000_000, 10]]) {
    const state = stateOf(size);
    const delta = { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/items/7/name', value: 'changed' }] };
    all.push(
      job(
        `STATE_DELTA of one operation, ${title} state`,
        {
          ours: () => ourReducer(ours, [], state, [opening[0]]),
          official: () => officialReducer(official, [], structuredClone(state), [opening[0]]),
        },
        () => delta,
        { ours: 20_000, official: slow },
      ),
    );
  }
  const jobs = all
    .filter(({ name }) => choice.takes(name))
    .map((one) => ({ ...one, entries: one.entries.filter(({ who }) => choice.of([who]).length > 0) }));
  for (let round = 0; round < rounds; round++) {
    shuffle(jobs);
    for (const { entries, events } of jobs) {
      for (const entry of shuffled(entries)) {
        const work = entry.make();
        const list = Array.from({ length: entry.count }, events);
        const start = process.cpuUsage();
        await work(list);
        const { user, system } = process.cpuUsage(start);
        entry.times.push(((user + system) * 1000) / entry.count);
      }
    }
  }
  return jobs
    .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
    .map(({ name, entries }) => ({
      operation: name,
      unit: 'ns',
      replaced: entries.length > 1,
      times: Object.fromEntries(entries.map(({ who, times }) => [who, median(times)])),
    }));
}

function shuffled(items) {
  const copy = [...items];
  shuffle(copy);
  return copy;
}
