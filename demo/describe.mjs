// Formats an event for people. Deltas are pieces of a line, so no line break follows them.

const DIM = '\x1b[2m'
const OFF = '\x1b[0m'

/** Returns the text that shows `event`. */
export function describe(event) {
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
      return `  ${event.role ?? 'assistant'}: `
    case 'REASONING_MESSAGE_START':
      return `  ${DIM}thinks: `
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT':
    case 'TOOL_CALL_ARGS':
      return event.delta.replaceAll('\n', '\n    ')
    case 'TOOL_CALL_START':
      return `  calls ${event.toolCallName} with `
    case 'TEXT_MESSAGE_END':
    case 'TOOL_CALL_END':
      return '\n'
    case 'REASONING_MESSAGE_END':
      return `${OFF}\n`
    case 'TOOL_CALL_RESULT':
      return `  gets ${JSON.stringify(event.content)}\n`
    case 'STATE_SNAPSHOT':
      return `  state is ${JSON.stringify(event.snapshot)}\n`
    case 'STATE_DELTA':
      return `  state changes: ${JSON.stringify(event.delta)}\n`
    case 'ACTIVITY_SNAPSHOT':
      return `  activity ${event.activityType} is ${JSON.stringify(event.content)}\n`
    case 'ACTIVITY_DELTA':
      return `  activity ${event.activityType} changes: ${JSON.stringify(event.patch)}\n`
    case 'CUSTOM':
      return `  custom ${event.name}: ${JSON.stringify(event.value)}\n`
    case 'RUN_FINISHED':
      return `  run finished: ${describeOutcome(event.outcome)}\n`
    case 'RUN_ERROR':
      return `  run failed: ${event.message}\n`
    default:
      return ''
  }
}

function describeOutcome(outcome) {
  if (outcome?.type === 'interrupt') {
    return outcome.interrupts.map((interrupt) => `asks ${JSON.stringify(interrupt.message)}`).join(', ')
  }
  return outcome?.type ?? 'success'
}
