// Programs that serve agents. Where it says so they must not compile.

import { createServer, type Server } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { ContentPart, Event, Interrupt, Message, ResumeEntry } from 'ag-ui-native';
import { type AgentFunction, type FetchHandler, fetchHandler, type NodeHandler, nodeHandler, type Reasoning, type Run, type RunOptions, type Subagent, type TextMessage, type ToolCall } from 'ag-ui-native/server';
import { type AgentRun, assertEvents, runAgent, scriptedAgent } from 'ag-ui-native/testing';

interface Plan {
  steps: string[];
  done?: boolean;
}

async function agent(run: Run<Plan>): Promise<{ advice: string }> {
  const message: TextMessage = run.textMessage({ role: 'assistant', metadata: { a: 1 } });
  await message.write('Hello');
  await message.end();
  const steps: string[] = run.state.steps;
  run.state.steps.push('look');
  run.state = { steps, done: true };
  // @ts-expect-error The state has no such member.
  run.state.other = 1;
  // @ts-expect-error A tool's message cannot be streamed.
  run.textMessage({ role: 'tool' });
  // @ts-expect-error A delta is text.
  message.write(5);
  const reasoning: Reasoning = run.reasoning();
  reasoning.encryptedValue('…');
  const call: ToolCall = run.toolCall('look', { at: [1] }, { parentMessageId: message.id });
  const parts: ContentPart[] = [{ type: 'text', text: 'seen' }];
  await call.result(parts);
  const nested: number = await run.subagent('helper').run(async (sub: Subagent) => (await sub.write('x'), 5));
  const activity = run.activity('search', { found: [nested] });
  activity.update({ found: [1, 2] });
  // @ts-expect-error The content has another shape.
  activity.update({ lost: 1 });
  const interrupt: Interrupt = { id: 'i', reason: 'confirmation' };
  if (run.signal.aborted) run.interrupt(interrupt);
  const answer: ResumeEntry | undefined = run.answer('i');
  const messages: readonly Message[] = run.messages;
  run.messagesSnapshot(messages);
  run.usage([{ inputTokens: messages.length }]);
  {
    using step = run.step('leap');
    await using other = run.textMessage({ id: step.id });
    other.write(String(answer?.status));
  }
  return { advice: 'leap' };
}

const options: RunOptions = { timeLimit: 60_000, cors: ['https://a.example'], pendingInterrupts: (input) => [{ id: input.threadId, reason: 'why' }] };
createServer(nodeHandler(agent, options));
createHttp2Server(nodeHandler<Plan>(agent));
const answer: (request: Request) => Promise<Response> = fetchHandler(agent, { stateFlush: 'end' });
const { websocket }: FetchHandler = fetchHandler(agent);
void [websocket.maxPayloadLength, (server: Server, handler: NodeHandler) => server.on('upgrade', handler.upgrade)];
void answer;
// @ts-expect-error There is no such option.
nodeHandler(agent, { timeout: 1 });
// @ts-expect-error Not one of the words.
nodeHandler(agent, { stateFlush: 'never' });

const fake: AgentFunction<Plan> = scriptedAgent(['Hello', { toolCall: 'look', arguments: 1, result: 'x' }, { wait: 1 }, (run) => run.step('s').end()]);
// @ts-expect-error No step is a number.
scriptedAgent([5]);
const done: AgentRun<Plan> = await runAgent(fake, { state: { steps: [] } }, { showErrors: true });
const events: Event[] = done.events;
assertEvents(events, ['RUN_STARTED', { type: 'RUN_FINISHED' }]);
const outcome: 'success' | 'interrupt' | 'cancelled' | 'error' = done.outcome;
void outcome;
// @ts-expect-error The state is that of the agent.
done.state.other;
