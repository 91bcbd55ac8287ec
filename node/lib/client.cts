// Agents; and the functions of @ag-ui/client that make events of responses, in their own shapes: these take what has `subscribe`, and
// what comes out is of the same class.

export * from './index.cjs';
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
  type Source,
  type Subscribable,
  Subscriber,
  type Unsubscribable,
} from './official/observable.cjs';
export { enforceEvents, type EventOperator, transformChunks, verifyEvents } from './official/stages.cjs';
export { parseProtoStream, parseSSEStream, transformHttpEventStream } from './official/transform.cjs';

export { Agent } from './client/agent.cjs';
export { type Answers, approve, cancel, edit, type InterruptAnswer, reject, respond } from './client/resume.cjs';
export type { Reply, TextStream } from './client/chat.cjs';
export type { HeadersGiven, HeadersOption } from './client/transport/headers.cjs';
export { type Fetch, HttpAgent, type HttpAgentOptions } from './client/transport/http_agent.cjs';
export { LocalAgent, type LocalAgentOptions } from './client/transport/local.cjs';
export { filterToolCalls, type Middleware, type Next } from './client/middleware.cjs';
export type { AgentOptions, Debug, Retry, RunParameters, Timeouts } from './client/options.cjs';
export type { RunFailure, RunResult } from './client/result.cjs';
export type { Outcome } from './client/runs.cjs';
export type { RunStream } from './client/stream.cjs';
export type { AgentStateMutation, AgentSubscriber, AgentSubscriberParams, Finish } from './client/subscriber.cjs';
export { frontendTool, type FrontendTool, type JsonSchema, type ToolContext } from './client/tools.cjs';
export type { Answer, Bytes, Reader, RunRequest, Transport } from './client/transport/transport.cjs';
export { type Socket, type SocketClass, WebSocketAgent, type WebSocketAgentOptions } from './client/transport/websocket.cjs';
export type { Change, RunEnd } from './reduce/changes.cjs';
export type { Limits } from './generated/border.cjs';
export type { Warning } from './options/options.cjs';
