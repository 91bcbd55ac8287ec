// Many slow clients of one server process: measures the memory for a stream, and checks that every client is served.
// `node bench/node/slow_streams.mjs [STREAMS] [SECONDS]`

import { fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeHandler } from 'ag-ui-native/server'

const [streams = 1000, seconds = 10] = process.argv.slice(2).map(Number)
const MiB = 1024 * 1024
const piece = 'a kilobyte of text '.repeat(54)

if (process.send) read(process.env.SOCKET)
else serve()

/** Runs clients that read a little, then pause. Unix sockets buffer less than TCP sockets. */
function read(path) {
  const body = '{"threadId":"t","runId":"r","messages":[]}'
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  for (let count = 0; count < streams; count++) {
    const socket = connect({ path, onread: { buffer: Buffer.alloc(4096), callback: () => (setTimeout(() => socket.resume(), 100), false) } })
    socket.on('connect', () => socket.write(head + body)).on('error', () => undefined)
  }
}

function serve() {
  const written = []
  const waiting = []
  const server = createServer((request, response) => {
    waiting.push(response)
    nodeHandler(async (run) => {
      const index = written.push(0) - 1
      const message = run.textMessage()
      for (;;) {
        await message.write(piece)
        written[index]++
      }
    })(request, response)
  })
  const path = join(mkdtempSync(join(tmpdir(), 'slow-')), 'socket')
  server.listen({ path, backlog: streams }, async () => {
    const before = process.memoryUsage().rss
    const client = fork(import.meta.filename ?? new URL(import.meta.url).pathname, process.argv.slice(2), { env: { ...process.env, SOCKET: path } })
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const { rss } = process.memoryUsage()
    const longest = Math.max(...waiting.map((response) => response.writableLength))
    const sorted = written.toSorted((one, other) => one - other)
    client.kill()
    console.log(`${written.length} streams for ${seconds} s`)
    console.log(`memory per stream: ${((rss - before) / written.length / 1024).toFixed(1)} KiB (${(rss / MiB).toFixed(0)} MiB in all); most that waits: ${longest} bytes`)
    console.log(`pieces per stream: least ${sorted[0]}, median ${sorted[sorted.length >> 1]}, most ${sorted.at(-1)}`)
    process.exit()
  })
}
