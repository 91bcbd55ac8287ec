// The client, and all names of `ag-ui-native`.

export * from './index.cjs';

export { Agent } from './client/agent.cjs';
export type { AgentHandle } from './client/agent_handle.cjs';
export type { Timeouts } from './client/cancel_scope.cjs';
export { type Answers, approve, cancel, edit, type InterruptAnswer, reject, respond } from './client/resume.cjs';
export type { Reply, TextStream } from './client/chat.cjs';
export type { HeadersGiven, HeadersOption } from './client/transport/headers.cjs';
export { type Fetch, HttpAgent, type HttpAgentOptions } from './client/transport/http_agent.cjs';
export { LocalAgent, type LocalAgentOptions } from './client/transport/local.cjs';
export { toolCallFilter, type Middleware, type Next } from './client/middleware.cjs';
export type { AgentOptions, Debug, ReadParameters, Reconnect, Retry, RunParameters } from './client/options.cjs';
export type { RunFailure, RunResult } from './client/result.cjs';
export type { Outcome } from './client/runs.cjs';
export type { RunStream } from './client/stream.cjs';
export type { AgentStateMutation, AgentSubscriber, AgentSubscriberParams, Finish } from './client/subscriber.cjs';
export { frontendTool, type FrontendTool, type JsonSchema, type ToolContext } from './client/tools.cjs';
export type { Bytes, ResponseReader, RunRequest, Transport, TransportResponse } from './client/transport/transport.cjs';
export { type Socket, type SocketClass, WebSocketAgent, type WebSocketAgentOptions } from './client/transport/websocket.cjs';
export type { Change, RunEnd } from './reduce/changes.cjs';
export type { Limits } from './generated/border.cjs';
export type { Warning } from './options/options.cjs';
