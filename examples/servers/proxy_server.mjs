// Passes another agent's responses on byte for byte, and records each.
// `TARGET=http://127.0.0.1:8001/ PORT=8000 node proxy_server.mjs`

import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { AGUIError, EventDecoder, textOf } from 'ag-ui-native/stream'

const { TARGET = 'http://127.0.0.1:8001/', RECORDS = '.', PORT = '8000' } = process.env

/** @param {Response} answer @param {string} contentType */
async function* recorded(answer, contentType) {
  const path = `${RECORDS}/${randomUUID()}.jsonl`
  let decoder
  for await (const piece of answer.body ?? []) {
    yield piece
    let events
    try {
      decoder ??= new EventDecoder({ contentType, profile: 'relay', text: true })
      events = decoder.feed(piece)
    } catch (error) {
      events = error instanceof AGUIError ? error.partial ?? [] : [] // no events, or broken ones: the client gets them all the same
    }
    await appendFile(path, events.map((event) => `${textOf(event)}\n`).join(''))
  }
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function relay(request, response) {
  const passedOn = ['accept', 'authorization', 'content-type'].flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : []))
  const answer = await fetch(TARGET, { method: 'POST', headers: Object.fromEntries(passedOn), body: await text(request) })
  const contentType = answer.headers.get('content-type') ?? ''
  response.writeHead(answer.status, { 'content-type': contentType })
  await pipeline(recorded(answer, contentType), response)
}

createServer((request, response) => relay(request, response).catch(() => response.destroy())).listen(Number(PORT), '127.0.0.1')
