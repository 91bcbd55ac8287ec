// The functions of `@ag-ui/client` that make events of responses, with its signatures: they take anything with `subscribe`, and return
// streams of the same class.

export { defaultApplyEvents } from './official/apply.cjs';
export type { ApplyingAgent } from './official/applying.cjs';
export { compactEvents } from './official/compact.cjs';
export {
  type AgentDebugConfig,
  createDebugLogger,
  DebugLogger,
  type DebugLoggerInput,
  resolveAgentDebugConfig,
  resolveDebugLogger,
  type ResolvedAgentDebugConfig,
} from './official/debug.cjs';
export {
  ACTIVITY_HISTORY_METADATA,
  authoritativeActivityTypes,
  isRecognizedEvent,
  withAuthoritativeActivityTypes,
} from './official/history.cjs';
export { type HttpDataEvent, type HttpError, type HttpEvent, HttpEventType, type HttpHeadersEvent, runHttpRequest } from './official/http.cjs';
export { buildResumeArray, getRunOutcome, isInterruptExpired, type ResumeResponse } from './official/interrupts.cjs';
export {
  Observable,
  type ObservableClass,
  type Observer,
  type ObservableInput,
  type Subscribable,
  Subscriber,
  type Unsubscribable,
} from './official/observable.cjs';
export { enforceEvents, type EventOperator, transformChunks, verifyEvents } from './official/stages.cjs';
export { parseProtoStream, parseSSEStream, transformHttpEventStream } from './official/transform.cjs';
