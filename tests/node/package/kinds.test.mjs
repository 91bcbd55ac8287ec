// Every function and class that the package exports, with values of the wrong kind for each argument.

import assert from 'node:assert/strict';
import test from 'node:test';
import { failure, official, ours, require } from '../packages.mjs';

const SECRET = 'hunter2';

/** Values of every kind. Those that can hold data hold the secret, which no message may show. */
const values = {
  undefined: undefined,
  null: null,
  boolean: true,
  number: 5,
  bigint: 5n,
  string: SECRET,
  symbol: Symbol(SECRET),
  function: Object.defineProperty(() => SECRET, 'name', { value: SECRET }),
  object: { password: SECRET },
  array: [{ password: SECRET }],
  bytes: new TextEncoder().encode(SECRET),
};

/** The kinds that are not wrong for an argument. */
const nothing = ['undefined', 'null'];
const text = ['string'];
const object = ['object', 'bytes', 'array'];
const items = ['array', 'bytes'];
const bytes = ['bytes'];
const anything = Object.keys(values);
/** A value that core checks as a document: its error is one of core's, the same in every language. */
const judged = { judged: true };

const limits = { 'limits': ['undefined', 'null', 'object', 'bytes'], 'limits.depth': ['undefined', 'null', 'number'] };
const reading = { profile: [...nothing, 'string'], ...limits, onWarning: [...nothing, 'function'] };
const decoding = { ...reading, replaceInvalidText: [...nothing, 'boolean'], goMemberNames: [...nothing, 'boolean'], text: [...nothing, 'boolean'] };
const decoder = { ...decoding, contentType: [...nothing, 'string'] };
const start = { messages: [...nothing, 'array'], pendingInterrupts: [...nothing, 'array'], onPatchFailure: [...nothing, 'string'] };
const reducing = { ...reading, ...start };
const flags = Object.fromEntries(['expand', 'verify', 'reduce'].map((name) => [name, [...nothing, 'boolean']]));
const pipeline = { ...decoder, ...start, peer: [...nothing, 'string'], ...flags };

const event = { type: 'RAW', event: 1 };
const run = { threadId: 't', runId: 'r' };
const input = { ...run, messages: [] };
const frame = new TextEncoder().encode('data: {"type":"RAW","event":1}\n\n');

/**
 * `call` takes the arguments; `good` are some that do; of each argument, `[name, kinds that are not wrong]`. An argument that is an
 * object of options has their kinds instead.
 */
const make = (call, good, ...parameters) => ({ call, good, parameters });
const options = (members) => ['options', { options: members }];

function surfaces() {
  const { stream, encoder, proto, compat, patch } = { ...ours, compat: require('ag-ui-native/compat'), patch: require('ag-ui-native/patch') };
  const generator = ['generator', ['undefined', ...object, 'function']];
  const ids = ['newThreadId', 'newRunId', 'newMessageId', 'newToolCallId', 'newStepId'];
  const content = ['content', ['undefined', 'string', 'array']];
  const labels = ['labels', object];
  const stage = (name) => make(stream[name], [[event], {}], ['events', items], options(reading));
  const usage = { input_tokens: 1, inputTokens: 1 };
  return {
    '.': {
      ...Object.fromEntries(ids.map((name) => [name, make((one) => ours[name](one), [undefined], generator)])),
      getDefaultGenerator: make(ours.getDefaultGenerator, []),
      setDefaultGenerator: make(ours.setDefaultGenerator, [ours.getDefaultGenerator()], ['generator', ['null', ...object]]),
      UuidGenerator: make(() => new ours.UuidGenerator(), []),
      TimestampGenerator: make((prefix) => new ours.TimestampGenerator(prefix), ['p'], ['prefix', [...nothing, 'string']]),
      contentHasMedia: make(ours.contentHasMedia, ['x'], ['content', anything]),
      contentParts: make(ours.contentParts, ['x'], content),
      contentToText: make(ours.contentToText, ['x'], content),
      mergeMetadata: make(ours.mergeMetadata, [{}, {}], ['existing', [...nothing, 'object', 'bytes']], ['incoming', [...nothing, 'object', 'bytes']]),
      omitOptionalNulls: make(ours.omitOptionalNulls, [event, 'Event'], ['value', anything], ['root', []]),
      aggregateTokenUsage: make(ours.aggregateTokenUsage, [[usage]], ['entries', items]),
      tokenUsageFromAiSdkUsage: make(ours.tokenUsageFromAiSdkUsage, [usage, {}], ['usage', anything], labels),
      tokenUsageFromLangChainMetadata: make(ours.tokenUsageFromLangChainMetadata, [usage, {}], ['usageMetadata', anything], labels),
      readRunInput: make(ours.readRunInput, [input, {}], ['body', judged], options({ profile: reading.profile, ...limits })),
      threadIdOf: make(ours.threadIdOf, [event], ['event', ['object', 'bytes']]),
      runIdOf: make(ours.runIdOf, [event], ['event', ['object', 'bytes']]),
      toJson: make(ours.toJson, [event], ['value', ['object', 'bytes']]),
      validate: make(ours.validate, [event, {}], ['value', judged], ['options', [...nothing, 'object', 'bytes'], { nonEmpty: [...nothing, 'boolean'] }]),
    },
    '/encoder': {
      EventEncoder: make(
        (params) => new encoder.EventEncoder(params),
        [{}],
        ['params', [...nothing, 'object', 'bytes'], { accept: [...nothing, 'string'], acceptWildcards: [...nothing, 'boolean'], timestamps: [...nothing, 'boolean'], profile: [...nothing, 'string'], onWarning: [...nothing, 'function'] }],
      ),
      'EventEncoder.encode': make((one) => new encoder.EventEncoder().encode(one), [event], ['event', anything]),
      'EventEncoder.encodeSSE': make((one) => new encoder.EventEncoder().encodeSSE(one), [event], ['event', anything]),
      'EventEncoder.encodeBinary': make((one) => new encoder.EventEncoder().encodeBinary(one), [event], ['event', anything]),
      'EventEncoder.encodeProtobuf': make((one) => new encoder.EventEncoder().encodeProtobuf(one), [event], ['event', judged]),
      'EventEncoder.encodeInto': make(
        (...given) => new encoder.EventEncoder().encodeInto(...given),
        [event, new Uint8Array(99), 0],
        ['event', anything],
        ['bytes', bytes],
        ['at', ['undefined', 'number']],
      ),
      'EventEncoder.getContentType': make(() => new encoder.EventEncoder().getContentType(), []),
    },
    '/proto': {
      encode: make(proto.encode, [event, {}], ['event', judged], options(reading)),
      decode: make(proto.decode, [proto.encode(event), {}], ['message', bytes], options(reading)),
      ProtobufEncoder: make((given) => new proto.ProtobufEncoder(given), [{}], options(reading)),
      'ProtobufEncoder.encode': make((one) => new proto.ProtobufEncoder().encode(one), [event], ['event', judged]),
      'ProtobufEncoder.encodeInto': make(
        (...given) => new proto.ProtobufEncoder().encodeInto(...given),
        [event, new Uint8Array(99), 0],
        ['event', judged],
        ['bytes', bytes],
        ['at', ['number']],
      ),
    },
    '/compat': {
      downgradeInput: make(compat.downgradeInput, [input, '0.0.39'], ['input', ['object', 'bytes']], ['peer', text]),
      upgradeInput: make(compat.upgradeInput, [input], ['input', ['object', 'bytes']]),
      checkProtocolVersion: make(compat.checkProtocolVersion, ['1.0'], ['declared', ['undefined', 'string']]),
    },
    '/patch': {
      applyPatch: make(
        patch.applyPatch,
        [{}, [], {}],
        ['document', anything],
        ['operations', judged],
        ['options', { options: { ...limits, inPlace: [...nothing, 'boolean'] } }],
      ),
      diff: make(patch.diff, [{}, {}], ['old', anything], ['changed', anything]),
    },
    '/stream': {
      textOf: make(stream.textOf, [event], ['event', ['object', 'bytes']]),
      decodeEvent: make(stream.decodeEvent, ['{"type":"RAW","event":1}', {}], ['text', text], options(decoding)),
      decodeEvents: make(
        async (...given) => {
          for await (const one of stream.decodeEvents(...given)) assert.equal(one.type, 'RAW');
        },
        [[frame], {}],
        ['source', items],
        options(decoder),
      ),
      EventDecoder: make((given) => new stream.EventDecoder(given), [{}], options(decoder)),
      'EventDecoder.feed': make((chunk) => new stream.EventDecoder().feed(chunk), [frame], ['chunk', bytes]),
      'EventDecoder.close': make(() => new stream.EventDecoder().close(), []),
      EventPipeline: make((given) => new stream.EventPipeline(given), [{}], options(pipeline)),
      'EventPipeline.feed': make((chunk) => new stream.EventPipeline({ verify: false }).feed(chunk), [frame], ['chunk', bytes]),
      'EventPipeline.close': make(() => new stream.EventPipeline({ verify: false }).close(), []),
      'EventPipeline.partialArguments': make((id) => new stream.EventPipeline().partialArguments(id), ['c'], ['toolCallId', text]),
      Reducer: make((given) => new stream.Reducer(given), [{}], options(reducing)),
      'Reducer.apply': make((one) => new stream.Reducer().apply(one), [event], ['event', judged]),
      'Reducer.applyAll': make((all) => new stream.Reducer().applyAll(all), [[event]], ['events', items]),
      'Reducer.partialArguments': make((id) => new stream.Reducer().partialArguments(id), ['c'], ['toolCallId', text]),
      applyEvents: make(stream.applyEvents, [[event], {}], ['events', items], options(reducing)),
      PartialArguments: make((given) => new stream.PartialArguments(given), [{}], options(limits)),
      'PartialArguments.feed': make((delta) => new stream.PartialArguments().feed(delta), ['{'], ['delta', text]),
      'PartialArguments.finish': make(() => new stream.PartialArguments().finish(), []),
      ChunkExpander: make((given) => new stream.ChunkExpander(given), [{}], options(reading)),
      'ChunkExpander.push': make((one) => new stream.ChunkExpander().push(one), [event], ['event', judged]),
      EventVerifier: make((given) => new stream.EventVerifier(given), [{}], options(reading)),
      'EventVerifier.check': make((one) => new stream.EventVerifier().check(one), [{ type: 'RUN_STARTED', ...run }], ['event', judged]),
      'EventVerifier.admit': make((one) => new stream.EventVerifier().admit(one), [{ type: 'RUN_STARTED', ...run }], ['event', judged]),
      'EventVerifier.open': make((kind) => new stream.EventVerifier().open(kind), ['step'], ['kind', [...nothing, 'string']]),
      'EventVerifier.finish': make(() => assert.throws(() => new stream.EventVerifier().finish()), []),
      ...Object.fromEntries(['enforceEvents', 'expandChunks', 'compactEvents'].map((name) => [name, stage(name)])),
      verifyEvents: make(stream.verifyEvents, [[{ type: 'RUN_STARTED', ...run }], {}], ['events', items], options(reading)),
      checkResume: make(stream.checkResume, [[], [], 0], ['pending', ['array']], ['resume', [...nothing, 'array']], ['now', ['undefined', 'number']]),
    },
  };
}

/** Returns the error that `call` throws or rejects with, or undefined. */
async function thrown(call, given) {
  try {
    await call(...given);
  } catch (error) {
    return error;
  }
  return undefined;
}

async function refuses(title, { call, good }, index, name, kinds, place) {
  for (const [kind, value] of Object.entries(values)) {
    if (Array.isArray(kinds) && kinds.includes(kind)) continue;
    if (kinds.judged && ['object', 'array'].includes(kind)) continue;
    const given = good.slice();
    if (place === undefined) given[index] = value;
    else given[index] = place(value);
    const what = `${title}: ${name} is ${kind}`;
    const error = await thrown(call, given);
    assert.ok(error instanceof Error, `${what}: nothing was thrown`);
    assert.ok(!`${error.message} ${JSON.stringify(error)}`.includes(SECRET), `${what}: ${error.message}`);
    if (kinds.judged && error instanceof ours.AGUIError) {
      assert.ok(error.code && typeof error.path === 'string', `${what}: ${error}`);
    } else {
      assert.ok(error instanceof TypeError && error.message.startsWith(`${name}: expected `), `${what}: ${error}`);
    }
  }
}

const all = surfaces();

for (const [subpath, table] of Object.entries(all)) {
  test(`values of the wrong kind: ag-ui-native${subpath.slice(1) && subpath}`, async () => {
    for (const [title, surface] of Object.entries(table)) {
      assert.equal(await thrown(surface.call, surface.good), undefined, title);
      for (const [index, [name, kinds, inside]] of surface.parameters.entries()) {
        const members = kinds.options ?? inside ?? {};
        await refuses(title, surface, index, name, kinds.options ? ['undefined', 'object', 'bytes'] : kinds);
        for (const [member, allowed] of Object.entries(members)) {
          const [outer, inner] = member.split('.');
          const place = (value) => (inner ? { [outer]: { [inner]: value } } : { [outer]: value });
          await refuses(title, surface, index, member, allowed, place);
        }
      }
    }
  });
}

test('no export is left out', () => {
  // Values, classes of errors (which take what Error takes) and schemas (whose job is to judge any value) are no subject of this.
  const isSubject = (name, value) => typeof value === 'function' && !/Error$/.test(name);
  for (const [subpath, table] of Object.entries({ ...all, '/schemas': {} })) {
    for (const [name, value] of Object.entries(require(`ag-ui-native${subpath.replace('.', '')}`))) {
      if (!isSubject(name, value)) continue;
      assert.ok(name in table, `${subpath}: ${name}`);
      const methods = Object.entries(Object.getOwnPropertyDescriptors(value.prototype ?? {}));
      for (const [method, { value: body }] of methods) {
        if (typeof body !== 'function' || method === 'constructor' || /Generator$/.test(name) || typeof value !== 'function') continue;
        if (/^class/.test(Function.prototype.toString.call(value))) assert.ok(`${name}.${method}` in table, `${subpath}: ${name}.${method}`);
      }
    }
  }
});

test('where a function of the official package answers whatever it is given, ours answers the same', () => {
  for (const value of Object.values(values)) {
    const told = (work) => {
      try {
        return work();
      } catch (error) {
        return error.name;
      }
    };
    for (const name of ['contentHasMedia', 'tokenUsageFromAiSdkUsage', 'tokenUsageFromLangChainMetadata']) {
      assert.deepEqual(told(() => ours[name](value, {})), told(() => official[name](value, {})), name);
    }
    const [mine, theirs] = [ours, official].map(({ encoder }) => new encoder.EventEncoder());
    // A value for which the official encoder does not write an object is refused.
    const written = told(() => theirs.encode(value));
    assert.deepEqual(told(() => mine.encode(value)), /^data: (?!\{)/.test(written) ? 'TypeError' : written);
  }
});
