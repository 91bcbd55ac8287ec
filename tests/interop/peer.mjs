// The JavaScript side of the round trips: one JSON request per line in, one JSON answer per line out.
//
//   {"who": "ours" | "official", "do": "recode", "stream": <SSE text>, "profile"?}  ->  {"stream": <SSE text>}
//   {"who": ..., "do": "encode", "events": <JSON text of a list>}                   ->  {"stream": <SSE text>}
// Both with "binary": true for the binary transport; then streams are hexadecimal digits. The Rust side, core/examples/interop_peer.rs, is asked alike.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

// All packages are resolved from the package's own folder: the package itself by its name, and those that it is compared with.
const require = createRequire(new URL('../../node/package.json', import.meta.url))
const { EventEncoder, HttpEventType, ...official } = { ...require('@ag-ui/client'), ...require('@ag-ui/encoder') }
const ours = { ...require('ag-ui-native/stream'), ...require('ag-ui-native/encoder') }
const { asyncScheduler, firstValueFrom, from, observeOn, toArray } = require('rxjs')

const encoders = { ours: new ours.EventEncoder(), official: new EventEncoder() }

const decoders = {
  ours(bytes, profile) {
    const decoder = new ours.EventDecoder({ contentType: 'text/event-stream', profile: profile ?? 'strict' })
    const half = bytes.length >> 1
    return [...decoder.feed(bytes.subarray(0, half)), ...decoder.feed(bytes.subarray(half)), ...decoder.close()]
  },
  official(bytes) {
    const headers = new Headers({ 'content-type': 'text/event-stream' })
    const response = from([
      { type: 'headers', status: 200, headers },
      { type: 'data', data: bytes },
    ])
    // The events arrive later, as from a network: events before the subscription would be lost.
    const arriving = response.pipe(observeOn(asyncScheduler))
    return firstValueFrom(official.transformHttpEventStream(arriving).pipe(toArray()))
  },
}

const binary = {
  mediaType: ours.AGUI_MEDIA_TYPE,
  ours(bytes) {
    const decoder = new ours.EventDecoder({ contentType: binary.mediaType, profile: 'strict' })
    return [...decoder.feed(bytes), ...decoder.close()]
  },
  official(bytes) {
    const { decode } = require('@ag-ui/proto')
    const events = []
    for (let at = 0; at < bytes.length; ) {
      const start = at + 4
      at = start + bytes.readUInt32BE(at)
      events.push(decode(bytes.subarray(start, at)))
    }
    return events
  },
}

function binaryAnswer({ who, do: what, stream, events }) {
  const decoded = what === 'encode' ? JSON.parse(events) : binary[who](Buffer.from(stream, 'hex'))
  return { stream: Buffer.concat(decoded.map((event) => encoders[who].encodeProtobuf(event))).toString('hex') }
}

async function answer(request) {
  if (request.binary) return binaryAnswer(request)
  const { who, do: what, stream, events, profile } = request
  const decoded = what === 'encode' ? JSON.parse(events) : await decoders[who](Buffer.from(stream), profile)
  // An encoder leaves out optional nulls; a relay hands them on.
  const encode = profile === 'relay' ? (event) => `data: ${JSON.stringify(event)}\n\n` : (event) => encoders[who].encode(event)
  return { stream: decoded.map(encode).join('') }
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((error) => ({ error: `${error?.code ?? ''} ${error?.stack ?? error}` }))
  process.stdout.write(JSON.stringify(reply) + '\n')
}
