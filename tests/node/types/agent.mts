// Agents in a program: the state has a type, and so have events, changes, callbacks and the arguments of tools.

import { Agent, type AgentSubscriber, approve, frontendTool, HttpAgent, LocalAgent } from 'ag-ui-native/client';
import { defaultApplyEvents } from 'ag-ui-native/operators';
import { z } from 'zod';

interface Trip {
  stops: string[];
}

const agent = new HttpAgent<Trip>('http://localhost/agent', { state: { stops: [] }, headers: async () => ({ authorization: 'Bearer x' }) });
agent.subscribe({ onStateChanged: ({ state }) => void state.stops.length, onToolCallEndEvent: () => ({ state: { stops: [] } }) });
agent.state = { stops: ['Rome'] };
export const again: HttpAgent<Trip> = agent.clone();

for await (const event of agent.run()) if (event.type === 'TEXT_MESSAGE_CONTENT') console.log(event.delta.trim());
for await (const change of agent.stream({ context: [] })) if (change.kind === 'text_appended') console.log(change.value.trim());
for await (const event of agent.join('r', { signal: AbortSignal.timeout(1) })) console.log(event.type);
const opened = agent.connect({}, { onStateChanged: ({ state }) => void state.stops });
await opened.detach();
await agent.cancel();
export const last: string | undefined = opened.result?.runId;
const { outcome, result, newMessages } = await agent.runAgent({ resume: agent.buildResume({ i: approve(), j: 'yes' }) });
export const told: [string, any, string[]] = [outcome, result, newMessages.map(({ id }) => id)];

const look = frontendTool({
  name: 'look',
  parameters: z.object({ at: z.string(), zoom: z.number().optional() }),
  execute: ({ at, zoom = 1 }, { signal }) => (signal.aborted ? undefined : at.repeat(zoom)),
});
new LocalAgent(async (run) => void (await run.textMessage().write('Hi')), { tools: [look] }).tool({ name: 'now', execute: () => Date.now() });
new Agent(async ({ body, signal }) => (await fetch('http://localhost', { method: 'POST', body, signal })));

export const subscriber: AgentSubscriber<Trip> = { onEvent: ({ event, agent }) => void [event.type, agent.messages] };
defaultApplyEvents({} as any, [] as any, agent, [subscriber]);
// @ts-expect-error The state is a trip.
agent.setState({ stop: 1 });
