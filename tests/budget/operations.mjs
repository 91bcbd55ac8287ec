// The operations in which programs in Node spend their time: `operations.mjs DATA` lists them, `operations.mjs DATA count SHAPES`
// runs them to be counted, after making SHAPES objects with different shapes, so that the shapes of all others have other
// addresses.
//
// DATA is what `bench/scenarios.py` writes. A line has the number of times that an operation is done between its two marks, and its
// name.
//
// A client's run is not among them: it yields to other tasks after some milliseconds, so its count differs by 5 %. It is a row of
// `make bench-quick`.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { loadavg as mark } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'

const [data, count, shapes] = process.argv.slice(2)
globalThis.shapes = Array.from({ length: Number(shapes ?? 0) }, (_, at) => ({ [`shape${at}`]: at }))

const require = createRequire(new URL('../../node/package.json', import.meta.url))
const { readRunInput } = require('ag-ui-native')
const { EventEncoder } = require('ag-ui-native/encoder')
const { applyPatch, diff } = require('ag-ui-native/patch')
const proto = require('ag-ui-native/proto')
const { EventSchemas } = require('ag-ui-native/schemas')
const { nodeHandler } = require('ag-ui-native/server')
const { EventDecoder, EventPipeline, Reducer } = require('ag-ui-native/stream')

const EVENTS = 500
const WORDS = 'a piece of text of forty characters, yes'

const texts = JSON.parse(readFileSync(join(data, 'documents.json'), 'utf8'))
const { input, ...events } = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.parse(text)]))

function encoding() {
  const encoder = new EventEncoder()
  return {
    'encode text': [200, () => encoder.encodeSSE(events.text)],
    'encode text to bytes': [200, () => encoder.encodeBinary(events.text)],
    'encode a state snapshot of 2 KB': [20, () => encoder.encodeSSE(events['state snapshot'])],
    'encode a state delta of 5 operations': [50, () => encoder.encodeSSE(events['state delta'])],
    'encode a snapshot of 100 messages': [5, () => encoder.encodeSSE(events.messages)],
    'protobuf, encode text': [100, () => proto.encode(events.text)],
  }
}

function decoding() {
  const run = Buffer.from(texts.input)
  const message = proto.encode(events.text)
  return {
    'parse text by its schema': [200, () => EventSchemas.parse(events.text)],
    'read a run input of 57 KB': [5, () => readRunInput(run)],
    'protobuf, decode text': [100, () => proto.decode(message)],
  }
}

function streams() {
  const frames = readFileSync(join(data, 'stream.sse'), 'utf8').split('\n\n').slice(0, EVENTS).map((text) => Buffer.from(`${text}\n\n`))
  const whole = Buffer.concat(frames)
  const list = frames.map((text) => JSON.parse(text.toString().slice('data: '.length)))
  const feed = (reader, reads) => reads.forEach((read) => reader.feed(read))
  const state = { items: [{ done: false }] }
  return {
    [`decode ${EVENTS} events in one read`]: [1, () => feed(new EventDecoder(), [whole])],
    [`decode ${EVENTS} events, one a read`]: [1, () => feed(new EventDecoder(), frames)],
    [`verify ${EVENTS} events, one a read`]: [1, () => feed(new EventPipeline({ reduce: false }), frames)],
    [`make a conversation of ${EVENTS} events, one a read`]: [1, () => feed(new EventPipeline({ state }), frames)],
  }
}

function conversations() {
  const { state } = input
  const changed = structuredClone(state)
  changed.items[7].name = 'changed'
  const change = [{ op: 'replace', path: '/items/7/name', value: 'changed' }]
  const reducer = new Reducer({ messages: Array.from({ length: 100 }, (_, at) => ({ id: `m${at}`, role: 'user', content: 'What now?' })) })
  reducer.apply({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' })
  const delta = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: WORDS }
  return {
    'reduce a text delta': [200, () => reducer.apply(delta)],
    'patch of one operation': [200, () => applyPatch(state, change)],
    'diff after one edit': [20, () => diff(state, changed)],
  }
}

/** Runs of agents, as servers send them. */
function runs() {
  return {
    [`a server's run of ${EVENTS} tokens, each awaited`]: serve(async (run) => {
      const message = run.textMessage()
      for (let at = 0; at < EVENTS; at++) await message.write(WORDS)
    }),
    [`a server's run of ${EVENTS} tokens in one burst`]: serve(async (run) => {
      const message = run.textMessage()
      for (let at = 0; at < EVENTS; at++) message.write(WORDS)
    }),
    [`a server's run of ${EVENTS / 10} tool calls`]: serve(async (run) => {
      for (let at = 0; at < EVENTS / 10; at++) {
        const call = run.toolCall('get_weather')
        for (const piece of ['{"city": ', '"Paris", ', '"days": 2}']) await call.write(piece)
        await call.end()
      }
    }),
    "a server's run of 25 changes of its state": serve(async (run) => {
      run.state = { items: Array.from({ length: 25 }, (_, at) => ({ name: `item ${at}`, done: false })) }
      for (const item of run.state.items) {
        item.done = true
        await run.flushState()
      }
    }),
  }
}

/** Sends a request to the agent's handler, and drops the answer. */
function serve(agent) {
  const answer = nodeHandler(agent)
  const body = JSON.stringify({ threadId: 't', runId: 'r', state: {}, messages: [] })
  return [
    1,
    async () => {
      let last = ''
      const socket = new Duplex({
        read() {},
        write(chunk, _encoding, done) {
          last = chunk
          done()
        },
      })
      const request = Object.assign(new IncomingMessage(socket), { complete: true, method: 'POST', url: '/', headers: { 'content-type': 'application/json' } })
      request.push(body)
      request.push(null)
      const response = new ServerResponse(request)
      response.assignSocket(socket)
      // As node:http does for its connections.
      socket.on('drain', () => response.emit('drain'))
      await Promise.all([answer(request, response), once(response, 'finish')])
      if (response.statusCode !== 200) throw new Error(String(last))
    },
  ]
}

const operations = { ...encoding(), ...decoding(), ...streams(), ...conversations(), ...runs() }
if (count === undefined) {
  for (const [name, [times]] of Object.entries(operations)) console.log(times, name)
} else {
  for (const [times, work] of Object.values(operations)) {
    // The first calls make the objects that are made only once; their garbage is collected before the count.
    await work()
    await work()
    globalThis.gc?.()
    mark()
    for (let at = 0; at < times; at++) {
      const done = work()
      if (done instanceof Promise) await done
    }
    mark()
  }
}
