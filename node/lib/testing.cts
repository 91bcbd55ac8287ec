export { checkLog } from './testing/check_log.cjs';
export { type Expected, assertEvents } from './testing/assert_events.cjs';
export { scriptedAgent, type ScriptedStep } from './testing/scripted.cjs';
export { type AgentRun, runAgent } from './testing/testing.cjs';
export type { AgentFunction } from './server/run.cjs';
export type { RunOptions } from './server/options.cjs';
