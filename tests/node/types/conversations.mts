// The types of conversations. The file has to compile with exactOptionalPropertyTypes; the marked lines must not
// compile.

import { type AGUIEvent, EventType, type Interrupt, type JsonPatchOperation, type Message, type Metadata, type ToolCall } from 'ag-ui-native';
import { EventEncoder } from 'ag-ui-native/encoder';
import { applyPatch, diff } from 'ag-ui-native/patch';
import { applyEvents, type Change, EventDecoder, EventPipeline, type PipelineOptions, type Reduced, Reducer, type RunEnd } from 'ag-ui-native/stream';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the value's type is exactly `Expected`. */
function exactly<Expected>() {
  return <Actual,>(value: Actual, ..._: Equal<Actual, Expected> extends true ? [] : ['another type', Actual]): Actual => value;
}

interface Plan {
  steps: string[];
}

// The state has the type that it begins with, or that is named; else it is any JSON value.
const plan: Plan = { steps: [] };
const pipeline = new EventPipeline({ state: plan });
exactly<EventPipeline<Plan, true>>()(pipeline);
exactly<Plan>()(pipeline.state);
exactly<Plan>()(new Reducer<Plan>().state);
exactly<{ n: number }>()(new Reducer({ state: { n: 1 } }).state);
exactly<Reduced<Plan>>()(applyEvents([], { state: plan }));
exactly<Message[]>()(pipeline.messages);
exactly<Interrupt[]>()(pipeline.pendingInterrupts);
// @ts-expect-error The plan has steps.
void pipeline.state.stepps;
// @ts-expect-error It is read-only.
pipeline.state = plan;
// @ts-expect-error It is no plan.
new EventPipeline<Plan>({ state: { step: [] } });
export const length: number = new Reducer<Plan>({ state: plan }).state.steps.length;

// Changes or events.
const chunk = new Uint8Array();
exactly<Change[]>()(pipeline.feed(chunk));
exactly<Change[]>()(new EventPipeline<Plan>().close());
exactly<AGUIEvent[]>()(new EventPipeline({ reduce: false }).feed(chunk));
exactly<AGUIEvent[]>()(new EventPipeline<Plan, false>({ reduce: false }).feed(chunk));
// @ts-expect-error They are no events.
new EventPipeline().feed(chunk)[0]?.delta;

/** Handles every kind: if one is missing, `change` is not `never` at the end. */
export function described(change: Change): string {
  switch (change.kind) {
    case 'message_inserted':
    case 'message_replaced':
    case 'message_ended':
      return exactly<Message>()(change.target).id;
    case 'messages_arranged':
      return exactly<Message[]>()(change.value).join();
    case 'call_added':
    case 'call_ended':
      return exactly<ToolCall>()(change.target).function.name;
    case 'text_appended':
      exactly<Message | ToolCall>()(change.target);
      return exactly<string>()(change.value);
    case 'member_set':
      return change.value.value ?? change.value.name;
    case 'content_set':
      return Object.keys(change.value).join();
    case 'metadata_merged':
      return Object.keys(exactly<Metadata>()(change.value)).join();
    case 'content_patched':
    case 'state_patched':
      return change.value.map(({ op }: JsonPatchOperation) => op).join();
    case 'patch_failed':
      return exactly<Message | undefined>()(change.target)?.id ?? '';
    case 'state_set':
    case 'interrupts_set':
      exactly<undefined>()(change.target);
      return '';
    case 'run_finished':
      return exactly<RunEnd>()(change.value).outcome;
    case 'run_failed':
      return change.value.code ?? change.value.message;
    default: {
      const none: never = change;
      return none;
    }
  }
}

export function wrong(change: Change): void {
  // @ts-expect-error A misspelt kind.
  if (change.kind === 'text_append') return;
  // @ts-expect-error Changes of the whole state have no target.
  if (change.kind === 'state_set') void change.target.id;
  // @ts-expect-error A text has no members.
  if (change.kind === 'text_appended') void change.value.steps;
  // @ts-expect-error A run ends in one of three ways.
  if (change.kind === 'run_finished' && change.value.outcome === 'finished') return;
}

// Options that may be missing may be undefined.
declare const maybe: { accept: string | undefined; options: { [Name in keyof PipelineOptions]: PipelineOptions[Name] | undefined } };
new EventEncoder({ accept: maybe.accept });
new EventPipeline(maybe.options);
new EventDecoder({ contentType: maybe.accept, limits: { depth: undefined } });
// @ts-expect-error One of three.
new EventDecoder({ profile: 'lenient' });
// @ts-expect-error There is no such option.
new EventDecoder({ profil: 'strict' });
// @ts-expect-error Nor such a limit.
new EventDecoder({ limits: { deep: 3 } });
// @ts-expect-error The argument is a message, not an event.
new Reducer().apply(pipeline.messages[0]);
// @ts-expect-error Members that may be missing are missing or there.
export const event: AGUIEvent = { type: EventType.TEXT_MESSAGE_START, messageId: 'm', name: undefined };

exactly<JsonPatchOperation[]>()(diff({}, {}));
exactly<Plan>()(applyPatch<Plan>(plan, diff({}, plan)));

// The kinds are those of core.
type Kinds = (typeof import('../../../node/dist/generated/border.cjs'))['changeKinds'][number];
export const kindsAgree: Equal<Change['kind'], Kinds> = true;
