// An adapter of @ag-ui/client, such as those of Mastra and LangGraph.js, served by this package. `PORT=8000 node adapter_server.mjs`

import { createServer } from 'node:http'
import { AbstractAgent, EventType } from '@ag-ui/client'
import { Observable, concatMap, filter, fromEvent, lastValueFrom, takeUntil } from 'rxjs'
import { nodeHandler } from 'ag-ui-native/server'

/** Stands for the adapter of a framework: `new MastraAgent({ agent: mastra.getAgent('chat') })`, say. */
class Adapter extends AbstractAgent {
  /** @param {import('@ag-ui/client').RunAgentInput} input @returns {Observable<import('@ag-ui/client').BaseEvent>} */
  run({ threadId, runId }) {
    return new Observable((subscriber) => {
      subscriber.next({ type: EventType.RUN_STARTED, threadId, runId })
      subscriber.next({ type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm', delta: 'Hello from an adapter.' })
      subscriber.next({ type: EventType.RUN_FINISHED, threadId, runId })
      subscriber.complete()
    })
  }
}

/** @type {import('ag-ui-native/server').AgentFunction} */
async function agent(run) {
  const events = new Adapter({ threadId: run.threadId }).run(run.input).pipe(
    takeUntil(fromEvent(run.signal, 'abort')), // the client has gone, or the run was cancelled: the adapter stops, too
    filter(({ type }) => type !== EventType.RUN_STARTED), // the run has begun
    concatMap(async (event) => run.event(event)), // waits while the client is slow
  )
  await lastValueFrom(events, { defaultValue: undefined })
}

createServer(nodeHandler(agent)).listen(Number(process.env.PORT ?? 8000), '127.0.0.1')
