// An agent behind Hono, with the application's own authentication: it answers a `Request` with a `Response`, as Next, Bun, Deno and
// Cloudflare require it too. `PORT=8000 node hono_server.mjs`

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { fetchHandler } from 'ag-ui-native/server'

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const look = run.toolCall('look', { at: 'the weather' })
  await look.result('sunny')
  await run.write('Take sunglasses.')
  return { advice: 'sunglasses' }
}

const app = new Hono()
const answer = fetchHandler(agent)
app.use('/agent', bearerAuth({ token: process.env.TOKEN ?? 'secret' }))
app.all('/agent', (context) => answer(context.req.raw))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8000), hostname: '127.0.0.1' })
