// Node: ag-ui-native against @ag-ui/* 1.0.0 and JSON.stringify or JSON.parse. `bench_node.mjs DATA RESULT [--quick] [--ours] [--rows FILE]`

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { clientOperations, responseOperations } from './client_streams.mjs';
import { conversationRows } from './conversations.mjs';
import { helperOperations } from './helpers.mjs';
import { choiceOf, operation, run } from './measure.mjs';
import { loadTimes } from './processes.mjs';
import { protobufOperations } from './protobuf.mjs';
import { serverRows } from './servers.mjs';
import { wholeRunRows } from './whole_runs.mjs';
import { officialStream, ourPipeline, ourStream, splitStream } from './streams.mjs';

const choice = choiceOf('Node');
const { data, quick, result } = choice;
const nodeFolder = new URL('../../node/', import.meta.url);
const require = createRequire(new URL('package.json', nodeFolder));

/** Returns an internal module of the package. `make bench-compare` also measures builds whose modules are not in folders yet. */
function inner(path) {
  const places = [`./dist/${path}.cjs`, `./dist/${path.split('/').pop()}.cjs`];
  return require(places.find((place) => existsSync(new URL(place, nodeFolder))));
}

if (inner('native/native').native().buildProfile() !== 'release') {
  console.error('ag-ui-native is a debug build: `npm run build` in node/ first');
  process.exit(1);
}

/** Returns the functions of @ag-ui/client. Builds before the entry point `operators` have them in `client`. */
function functionsOfClient() {
  try {
    return require('ag-ui-native/operators');
  } catch (error) {
    if (error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    return require('ag-ui-native/client');
  }
}

const official = {
  core: require('@ag-ui/core'),
  schemas: require('@ag-ui/core/schemas'),
  encoder: new (require('@ag-ui/encoder').EventEncoder)(),
  client: require('@ag-ui/client'),
  proto: require('@ag-ui/proto'),
};
const ours = {
  core: require('ag-ui-native'),
  schemas: require('ag-ui-native/schemas'),
  encoder: new (require('ag-ui-native/encoder').EventEncoder)(),
  stream: require('ag-ui-native/stream'),
  proto: require('ag-ui-native/proto'),
  client: functionsOfClient(),
};
const rxjs = require('rxjs');
const accept = ours.proto.AGUI_MEDIA_TYPE;
official.binary = new (require('@ag-ui/encoder').EventEncoder)({ accept });
ours.binary = new (require('ag-ui-native/encoder').EventEncoder)({ accept });

const texts = JSON.parse(readFileSync(join(data, 'documents.json'), 'utf8'));
const { input, ...events } = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.parse(text)]));

function encoderOperations() {
  const utf8 = new TextEncoder();
  const memory = new Uint8Array(4096);
  return Object.entries(events).flatMap(([name, event]) => [
    operation(`encodeSSE ${name}`, {
      ours: () => ours.encoder.encodeSSE(event),
      official: () => official.encoder.encodeSSE(event),
      'JSON.stringify': () => 'data: ' + JSON.stringify(event) + '\n\n',
    }),
    operation(`encodeBinary ${name}`, {
      ours: () => ours.encoder.encodeBinary(event),
      official: () => official.encoder.encodeBinary(event),
      'JSON.stringify': () => utf8.encode('data: ' + JSON.stringify(event) + '\n\n'),
    }),
  ]).concat(
    operation('encodeBinary text into a given buffer', {
      ours: () => memory.subarray(0, ours.encoder.encodeInto(events.text, memory)),
      official: () => official.encoder.encodeBinary(events.text),
    }),
  );
}

/** Makes the operation of one token, as a run sends it, with the parts that turn frames into bytes. */
function tokenOperation() {
  const { native } = inner('native/native');
  const { RunCall } = inner('generated/border');
  const { optionsText } = inner('options/options');
  const run = native().createRun('text', optionsText({}));
  const input = new TextEncoder().encode('{"threadId":"t","runId":"r","messages":[]}');
  // Builds before `Receive` read the input by `Read`.
  if (RunCall.Receive !== undefined) run(RunCall.Receive, input);
  run(RunCall.Read, RunCall.Receive === undefined ? input : undefined);
  run(RunCall.Start, false);
  const { messageId, delta } = events.text;
  const message = run(RunCall.Open, undefined, JSON.stringify({ type: 'TEXT_MESSAGE_START', messageId }));
  run(RunCall.Take, new Uint8Array(4096));
  return operation('one token to bytes, without an event object', {
    ours: () => {
      const frame = Buffer.allocUnsafe(run(RunCall.Write, message, delta));
      run(RunCall.Take, frame);
      return frame;
    },
    official: () => official.encoder.encodeBinary(events.text),
  }, { replaced: false });
}

function schemaOperations() {
  const found = Object.entries(events).flatMap(([name, event]) => [
    operation(`EventSchemas.parse ${name}`, {
      ours: () => ours.schemas.EventSchemas.parse(event),
      official: () => official.schemas.EventSchemas.parse(event),
    }),
    operation(`EventSchemas.safeParse ${name}`, {
      ours: () => ours.schemas.EventSchemas.safeParse(event),
      official: () => official.schemas.EventSchemas.safeParse(event),
    }),
    operation(`omitOptionalNulls ${name}`, {
      ours: () => ours.core.omitOptionalNulls(event, 'Event'),
      official: () => official.core.omitOptionalNulls(event, 'Event'),
    }),
  ]);
  return [
    ...found,
    operation('RunAgentInputSchema.parse', {
      ours: () => ours.schemas.RunAgentInputSchema.parse(input),
      official: () => official.schemas.RunAgentInputSchema.parse(input),
    }),
    operation('RunAgentInputSchema.safeParse', {
      ours: () => ours.schemas.RunAgentInputSchema.safeParse(input),
      official: () => official.schemas.RunAgentInputSchema.safeParse(input),
    }),
    operation('omitOptionalNulls RunAgentInput', {
      ours: () => ours.core.omitOptionalNulls(input, 'RunAgentInput'),
      official: () => official.core.omitOptionalNulls(input, 'RunAgentInput'),
    }),
  ];
}

function streamOperations() {
  const stream = readFileSync(join(data, 'stream.sse'));
  const pieces = (size) => {
    const count = Math.ceil(stream.length / size);
    return Array.from({ length: count }, (_, at) => new Uint8Array(stream.subarray(at * size, (at + 1) * size)));
  };
  const frames = stream.toString().split('\n\n').slice(0, -1);
  const single = frames.map((frame) => new TextEncoder().encode(frame + '\n\n'));
  const ways = { 'reads of 64 KB': pieces(65536), 'reads of 16 KB': pieces(16384), 'one event a read': single };
  const per = frames.length;
  return Object.entries(ways).flatMap(([title, reads]) => [
    operation(
      `decode a stream, ${title}, each event`,
      {
        ours: () => ourStream(ours.stream, reads),
        official: () => officialStream(official.client, rxjs, reads, true),
        'split + JSON.parse (unvalidated)': () => splitStream(reads),
      },
      { per },
    ),
    operation(
      `decode a stream and verify it, ${title}, each event`,
      {
        ours: () => ourPipeline(ours.stream, reads),
        official: () => officialStream(official.client, rxjs, reads, true, true),
      },
      { per },
    ),
    operation(
      `the same beside the official parser without validation, ${title}`,
      {
        ours: () => ourStream(ours.stream, reads),
        official: () => officialStream(official.client, rxjs, reads, false),
      },
      { per },
    ),
  ]);
}

/** Returns the events of the measured stream. */
function streamed() {
  return readFileSync(join(data, 'stream.sse'), 'utf8').split('\n\n').slice(0, -1).map((frame) => JSON.parse(frame.slice(6)));
}

const rounds = quick ? 5 : 25;
const operations = [
  ...encoderOperations(),
  tokenOperation(),
  ...schemaOperations(),
  ...helperOperations(ours.core, official.core),
  ...streamOperations(),
  ...protobufOperations(ours, official, rxjs, events, streamed()),
  ...clientOperations(ours, official, rxjs),
  ...responseOperations(ours, official, rxjs, streamed()),
];
const rows = [
  ...run(operations, rounds, choice),
  ...(await conversationRows({ ours, official: { ...official, rxjs } }, quick ? 1 : 11, choice)),
  ...(choice.takesAny('server, ') ? await serverRows(quick ? 3 : 11, choice) : []),
  ...(await wholeRunRows(quick ? 1 : 5, choice)),
  ...(choice.takesAny('load the ') ? loadTimes(quick ? 3 : 41, choice) : []),
].filter(({ operation }) => choice.takes(operation));
const versions = { Node: process.versions.node };
for (const name of ['core', 'encoder', 'client']) {
  versions[`@ag-ui/${name}`] = require(`@ag-ui/${name}/package.json`).version;
}
versions.zod = require('zod/package.json').version;
writeFileSync(result, JSON.stringify({ language: 'Node', versions, rounds, rows }, undefined, 1) + '\n');

const slower = rows.filter(({ replaced, times }) => replaced && times.official / times.ours < 0.97);
for (const { operation, times } of slower) {
  console.error(`slower than what it replaces: ${operation} (${(times.official / times.ours).toFixed(2)}x)`);
}
