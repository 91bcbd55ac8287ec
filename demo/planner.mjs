// The agent of planner.py in JavaScript: it yields the same events, as plain objects.

import { EventType, PROTOCOL_VERSION } from 'ag-ui-native'

/** Plans a trip, and asks before booking it. */
export function* plan({ threadId, runId }) {
  yield { type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION }
  yield { type: EventType.STATE_SNAPSHOT, snapshot: { city: 'Paris', days: [], budget: 2 ** 50, confirmed: null } }
  yield { type: EventType.STEP_STARTED, stepName: 'think' }
  yield { type: EventType.REASONING_START, messageId: 'span-1' }
  yield { type: EventType.REASONING_MESSAGE_START, messageId: 'thought-1', role: 'reasoning' }
  for (const delta of ['Two days are enough ', 'for the Louvre ', 'and the Marais.']) {
    yield { type: EventType.REASONING_MESSAGE_CONTENT, messageId: 'thought-1', delta }
  }
  yield { type: EventType.REASONING_MESSAGE_END, messageId: 'thought-1' }
  yield { type: EventType.REASONING_END, messageId: 'span-1' }
  yield { type: EventType.STEP_FINISHED, stepName: 'think' }
  const search = { messageId: 'search-1', activityType: 'SEARCH' }
  yield { type: EventType.ACTIVITY_SNAPSHOT, ...search, content: { found: 0, sites: [] } }
  for (const [index, day] of ['Louvre', 'Marais'].entries()) {
    yield { type: EventType.STATE_DELTA, delta: [{ op: 'add', path: '/days/-', value: day }] }
    const patch = [
      { op: 'replace', path: '/found', value: index + 1 },
      { op: 'add', path: '/sites/-', value: day },
    ]
    yield { type: EventType.ACTIVITY_DELTA, ...search, patch }
  }
  yield { type: EventType.CUSTOM, name: 'weather', value: { Paris: null } }
  const metadata = { model: 'scripted', 'ag-ui': {} }
  yield { type: EventType.TEXT_MESSAGE_START, metadata, messageId: 'answer-1' }
  for (const delta of ['Your plan is ready ', '— 2 days in Paris 🗼.\n', 'Shall I book it?']) {
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'answer-1', delta }
  }
  yield { type: EventType.TEXT_MESSAGE_END, messageId: 'answer-1' }
  const question = { id: 'book-1', reason: 'confirmation', message: 'Book the trip?' }
  yield {
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    outcome: { type: 'interrupt', interrupts: [{ ...question, responseSchema: { type: 'boolean' } }] },
    usage: [{ provider: 'demo', model: 'scripted', inputTokens: 12, outputTokens: 34 }],
  }
}
