export { type Expected, assertEvents } from './server/assert_events.cjs';
export { scriptedAgent, type Step } from './server/scripted.cjs';
export { type AgentRun, runAgent } from './server/testing.cjs';
export type { Agent } from './server/run.cjs';
export type { RunOptions } from './server/options.cjs';
