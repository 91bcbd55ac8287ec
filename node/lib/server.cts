export { AGUIError, AGUIInternalError, AGUILimitError, AGUISequenceError, AGUIStreamError, AGUIValidationError } from './errors/errors.cjs';
export type { Limits } from './generated/border.cjs';
export type { Warning } from './options/options.cjs';
export { Activity, type ActivityOptions } from './server/activity.cjs';
export { type CoalesceOptions, Coalescer, coalesceEvents } from './server/coalesce.cjs';
export {
  Reasoning,
  Step,
  TextMessage,
  type TextMessageOptions,
  ToolCall,
  type ToolCallOptions,
  type ToolResultOptions,
} from './server/entities.cjs';
export { type FetchHandler, fetchHandler } from './server/fetch_handler.cjs';
export { guard, type GuardMode, type GuardOptions } from './server/guard.cjs';
export { nodeHandler, type NodeHandler, type NodeRequest, type NodeResponse } from './server/node_handler.cjs';
export type { Authorize, LogAction, LogOptions } from './durable/log_options.cjs';
export type { RunOptions, ServerOptions, StateFlush } from './server/options.cjs';
export { type AgentFunction, Run } from './server/run.cjs';
export { Scope, Subagent, type SubagentOptions } from './server/scope.cjs';
export { StateTracker, type StateTrackerOptions } from './server/state.cjs';
