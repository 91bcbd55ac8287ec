// Code of applications. It has to compile; the marked lines must not compile.

import {
  type AGUIEvent,
  type AGUIEventByType,
  type AGUIEventOf,
  type AssistantMessage,
  type BaseEvent,
  type EventPayloadOf,
  EventType,
  type Message,
  type RunAgentInput,
  type RunFinishedEvent,
  type StateDeltaEvent,
  type TextMessageContentEvent,
  type TextMessageContentEventProps,
  type UserMessage,
  AGUIError,
  AGUIValidationError,
  aggregateTokenUsage,
  contentToText,
  omitOptionalNulls,
} from 'ag-ui-native';
import { EventEncoder } from 'ag-ui-native/encoder';
import { EventSchemas, MessageSchema, RunAgentInputSchema, type StandardSchemaV1 } from 'ag-ui-native/schemas';
import { downgradeInput } from 'ag-ui-native/compat';
import {
  applyEvents,
  type Change,
  checkResume,
  ChunkExpander,
  compactEvents,
  decodeEvents,
  EventDecoder,
  EventPipeline,
  EventVerifier,
  type OpenEntity,
  Reducer,
  verifyEvents,
  type Warning,
} from 'ag-ui-native/stream';

const event: TextMessageContentEvent = { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm', delta: 'd' };
const any: AGUIEvent = event;
const base: BaseEvent = event;
const properties: TextMessageContentEventProps = { messageId: 'm', delta: 'd', extra: 1 };
const byType: AGUIEventByType[EventType.RAW] = { type: EventType.RAW, event: null };
const payload: EventPayloadOf<EventType.STATE_DELTA> = { delta: [{ op: 'add', path: '/a', value: 1 }] };
const delta: AGUIEventOf<EventType.STATE_DELTA> = { type: EventType.STATE_DELTA, ...payload } satisfies StateDeltaEvent;
const finished: RunFinishedEvent = { type: EventType.RUN_FINISHED, threadId: 't', runId: 'r', outcome: { type: 'success' } };

export function textOf(item: AGUIEvent): string {
  switch (item.type) {
    case EventType.TEXT_MESSAGE_CONTENT:
      return item.delta;
    case EventType.TOOL_CALL_RESULT:
      return contentToText(item.content);
    case EventType.RUN_STARTED:
      return item.input?.tools.map((tool) => tool.name).join() ?? '';
    default:
      return '';
  }
}

// @ts-expect-error: a required member is missing
const missing: TextMessageContentEvent = { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm' };
// @ts-expect-error: a role is one of four
const role: AGUIEventOf<EventType.TEXT_MESSAGE_START> = { type: EventType.TEXT_MESSAGE_START, messageId: 'm', role: 'tool' };

const user: UserMessage = { id: 'u', role: 'user', content: [{ type: 'image', source: { type: 'url', value: 'u' } }] };
const assistant: AssistantMessage = { id: 'a', role: 'assistant', toolCalls: [] };
const messages: Message[] = [user, assistant];
const input: RunAgentInput = { threadId: 't', runId: 'r', messages, tools: [], context: [] };

const encoder = new EventEncoder({ accept: 'text/event-stream', timestamps: true });
const text: string = encoder.encode(event) + encoder.encodeSSE(base);
const bytes: Uint8Array = encoder.encodeBinary(any);

const parsed: RunAgentInput = RunAgentInputSchema.parse(input);
const result = EventSchemas.safeParse(parsed);
if (result.success) {
  const data: AGUIEvent = result.data;
  void data;
} else {
  const issues: { code: string; path: (string | number)[]; message: string }[] = result.error.issues;
  void issues;
}
type Inferred = StandardSchemaV1.InferOutput<typeof MessageSchema>;
const inferred: Inferred = user;
type ByOutput = (typeof MessageSchema)['_output'];
const byOutput: ByOutput = inferred;

const warnings: Warning[] = [];
const decoder = new EventDecoder({ profile: 'tolerant', limits: { depth: 10 }, onWarning: (warning) => warnings.push(warning) });
const events: AGUIEvent[] = [...decoder.feed(bytes), ...decoder.close()];
export async function read(response: Response): Promise<void> {
  if (response.body) for await (const item of decodeEvents(response.body)) events.push(item);
  for await (const item of decodeEvents(response)) events.push(item);
}

const pipeline = new EventPipeline({ contentType: 'text/event-stream', messages, state: { a: 1 }, onPatchFailure: 'flag' });
export const numbers = [new EventDecoder({ unsafeIntegers: 'warn' }), new EventPipeline({ unsafeIntegers: 'error' }), decodeEvents([bytes], { unsafeIntegers: 'allow' })];
// @ts-expect-error It is one of three.
new EventDecoder({ unsafeIntegers: 'never' });
const changes: Change[] = [...pipeline.feed(bytes), ...pipeline.close()];
const passed: AGUIEvent[] = new EventPipeline({ reduce: false, verify: false }).feed(bytes);
const reducer = new Reducer({ messages: pipeline.messages, pendingInterrupts: pipeline.pendingInterrupts });
for (const change of [...changes, ...reducer.apply(base)]) {
  // The kind tells what target and value are.
  if (change.kind === 'text_appended') void (change.target.id + change.value);
  else if (change.kind === 'run_finished' && change.value.outcome === 'success') void change.value.pendingToolCallIds.length;
  else if (change.kind === 'message_inserted') messages.push(change.target);
  else if (change.kind === 'state_patched') change.value.map((operation) => operation.op);
}
// @ts-expect-error Changes of the whole state have no target.
void changes.filter((change) => change.kind === 'state_set')[0]!.target.id;
const reduced = applyEvents(compactEvents(verifyEvents(events)), { state: reducer.state });
const inSync: boolean = reduced.stateInSync && pipeline.stateInSync;
const verifier = new EventVerifier({ profile: 'strict' });
for (const made of new ChunkExpander().push(base)) verifier.check(made);
const open: OpenEntity[] = verifier.isRunning ? verifier.open('tool call') : verifier.open();
checkResume(reduced.pendingInterrupts, [{ interruptId: 'i', status: 'cancelled' }]);
const older: RunAgentInput = downgradeInput(input, '0.0.39').input;

try {
  omitOptionalNulls(event, 'Event');
  aggregateTokenUsage([{ provider: 'p', inputTokens: 1 }]);
} catch (error) {
  if (error instanceof AGUIValidationError) error.issues.map((issue) => issue.aguiCode);
  if (error instanceof AGUIError) void [error.code, error.path, error.partial, error.limit];
}

export { byType, byOutput, delta, finished, inSync, missing, older, open, passed, properties, role, text };
