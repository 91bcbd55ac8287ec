import type { Change, RunEnd } from '../reduce/changes.cjs';
import type { Event, Message, RunAgentInput, State } from '../generated/types.cjs';
import { callbacks } from '../generated/border.cjs';
import { wrongKind } from '../options/kinds.cjs';
import { type DeliveryFunction, native } from '../native/native.cjs';
import { applyAt, type Reducer } from '../reduce/reducer.cjs';
import type { AgentHandle } from './agent_handle.cjs';
import { type About, keepInterrupts, Notification } from './notification.cjs';
import { isThenable } from './promises.cjs';
import type { AgentStateMutation, Callback, Subscribers } from './subscriber.cjs';
import type { Conversation } from './conversation.cjs';
import { NO_LOCK, type Lock } from './notification_queue.cjs';
import type { CancelScope } from './cancel_scope.cjs';

/** The end of a run, as a change. */
export type RunOver = Extract<Change, { kind: 'run_finished' | 'run_failed' }>;

export function isOver(change: Change): change is RunOver {
  return change.kind === 'run_finished' || change.kind === 'run_failed';
}

/** A step of a plan: notify a subscriber, reduce the event, or end. */
type DeliveryStep =
  | Notify
  | { readonly reduce: 'whole' | 'begin' | 'end' }
  | Done
  | { readonly raise: true }
  | { readonly wait: true };

interface Notify {
  readonly notify: Callback;
  /** The index of the subscriber. */
  readonly subscriber: number;
  /** The index of the change whose message or call is complete; undefined for the subject of the event. */
  readonly subject?: number;
}

/** The result of a notification: `done` names the effects of the event that count. */
interface Done {
  readonly done: 'whole' | 'end' | 'bareEnd' | 'nothing';
  readonly stopped: boolean;
  readonly messages: boolean;
  readonly state: boolean;
}

/** The run that subscribers are notified of. */
export interface RunContext {
  readonly input: RunAgentInput;
  /** Waits for callbacks. */
  readonly scope?: CancelScope;
  /** Waits for the callbacks about the end. */
  readonly endScope?: CancelScope;
  /** True if changes are reported, even if no subscriber has a callback for them. */
  readonly wantsChanges?: boolean;
}

/** The result of an event: the changes that count, and the end of the run. */
interface Delivered extends Done {
  readonly changes: Change[];
  readonly end: RunOver | undefined;
}

const NOTHING: Done = { done: 'nothing', stopped: false, messages: false, state: false };
const WHOLE: Done = { ...NOTHING, done: 'whole' };
const [STOP, MESSAGES, STATE] = [1, 2, 4] as const;

/** Notifies subscribers as core's machine plans, and applies the results of their callbacks. */
export class Notifier<S = State> {
  readonly #agent: AgentHandle<S>;
  readonly #conversation: Conversation<S>;
  readonly #subscribers: readonly Record<Callback, (params: object) => unknown>[];
  readonly #report: (error: unknown) => void;
  readonly #run: RunContext | undefined;
  readonly #wantsChanges: boolean;
  readonly #machine: DeliveryFunction;
  /** The known plans by their numbers. */
  readonly #plans: (readonly DeliveryStep[])[] = [];
  /** The plans that reach the end without another call of core, by event type. */
  readonly #whole = new Map<string, readonly DeliveryStep[]>();
  /** The type of an event that core does not know yet: it needs to know only if a callback returns something. */
  #unreported: string | undefined;
  /** True if core plans each event, because a subscriber has callbacks for events or changes are reported. */
  readonly #needsCore: boolean;
  /** Waits for the callbacks of the current notification. */
  #scope: CancelScope | undefined;
  /** True if a subscriber has callbacks for events or their effects. */
  readonly wantsEvents: boolean;

  /** `run` is undefined outside of runs. */
  constructor({ agent, conversation, report }: { agent: AgentHandle<S>; conversation: Conversation<S>; report(error: unknown): void }, subscribers: Subscribers<S>, run?: RunContext) {
    this.#agent = agent;
    this.#conversation = conversation;
    this.#report = report;
    this.#run = run;
    this.#subscribers = subscribers.all as readonly any[];
    this.#wantsChanges = run?.wantsChanges === true || subscribers.has('onMessagesChanged');
    const reportsChanges = run?.wantsChanges === true;
    this.#machine = native().createDelivery(JSON.stringify(subscribers.callbacks), reportsChanges);
    this.wantsEvents = this.#machine('wantsEvents') === 1;
    this.#needsCore = this.wantsEvents || reportsChanges;
  }

  /** Notifies subscribers of an event, and applies it unless one of them stops it. */
  event(event: Event, index: number, reducer: Reducer<S>): MaybeLater<Delivered> {
    if (this.#needsCore) return this.#notify(event.type, new Notification<S>(this.#conversation, { event, index, reducer }));
    const changes = applyAt(reducer, event, index);
    keepInterrupts(changes, this.#conversation, reducer);
    return delivered(WHOLE, changes, changes.find(isOver));
  }

  async #notify(type: string, notification: Notification<S>): Promise<Delivered> {
    const done = await this.#deliver(this.#planOf(type), notification);
    const end = notification.changes.find(isOver);
    if (done.done === 'nothing') return delivered(done, [], undefined);
    if (done.done === 'whole' || end === undefined) return delivered(done, notification.changes, end);
    const left = counted(end, done.done === 'bareEnd');
    return delivered(done, done.done === 'end' ? [left] : [], left);
  }

  /** Notifies subscribers of the run itself. */
  run(what: 'initialized' | 'failed' | 'finalized', more: object = {}): Promise<Done> {
    return this.#deliver(this.#advance(what), new Notification<S>(this.#conversation, { about: more }), what !== 'initialized');
  }

  /** Notifies subscribers of messages that the application has added. */
  async added(messages: readonly Message[]): Promise<void> {
    const complete: About[] = [];
    const kinds: Change['kind'][] = [];
    for (const message of messages) {
      complete.push({ message });
      kinds.push('message_ended');
      for (const toolCall of (message.role === 'assistant' && message.toolCalls) || []) {
        complete.push({ toolCall });
        kinds.push('call_ended');
      }
    }
    await this.#deliver(this.#advance('changed', kinds.join(), MESSAGES), new Notification<S>(this.#conversation, { complete }));
  }

  /** Notifies subscribers of messages or a state that the application has replaced. */
  async replaced(what: 'messages' | 'state'): Promise<void> {
    await this.#deliver(this.#advance('changed', '', what === 'messages' ? MESSAGES : STATE), new Notification<S>(this.#conversation, {}));
  }

  /** Returns the plan of an event. Core learns of an event with a known plan only if a callback returns something. */
  #planOf(type: string): readonly DeliveryStep[] {
    const whole = this.#whole.get(type);
    if (whole) {
      this.#unreported = type;
      return whole;
    }
    const plan = this.#advance('event', type);
    if ('done' in plan.at(-1)!) this.#whole.set(type, plan);
    return plan;
  }

  /** Reports an event to core. Returns the plan for the case that every callback returns nothing. */
  #advance(what: string, about?: string | number, flags = 0): readonly DeliveryStep[] {
    if (this.#unreported !== undefined) this.#machine('event', this.#unreported);
    this.#unreported = undefined;
    const number = this.#machine(what, about, flags);
    const known = typeof number === 'number' ? this.#plans[number] : undefined;
    if (known) return known;
    const plan = JSON.parse(this.#machine('plan') as string) as DeliveryStep[];
    if (typeof number === 'number') this.#plans[number] = plan;
    return plan;
  }

  /** Carries out a plan. */
  async #deliver(plan: readonly DeliveryStep[], notification: Notification<S>, isEnd = false): Promise<Done> {
    this.#scope = isEnd ? this.#run?.endScope : this.#run?.scope;
    let lock = NO_LOCK;
    try {
      const coming = this.#acquire(isEnd);
      lock = isThenable(coming) ? await coming : coming;
      for (let at = 0; ; at++) {
        const step = plan[at]!;
        let next: readonly DeliveryStep[] | undefined;
        if ('notify' in step) {
          const result = this.#call(step, at, notification);
          next = isThenable(result) ? await result : result;
        } else if ('reduce' in step) {
          notification.reduce(step.reduce, this.#wantsChanges);
          if (at + 1 === plan.length) next = this.#advance('reduced', notification.kinds, notification.touched ? MESSAGES : 0);
        } else {
          return 'done' in step ? step : NOTHING;
        }
        if (next) [plan, at] = [next, -1];
      }
    } catch (error) {
      this.#machine('cut');
      throw error;
    } finally {
      this.#unreported = undefined;
      // The agent shows the current messages and state.
      if (this.#run) this.#conversation.commit();
      lock.release();
    }
  }

  /** Returns the milliseconds to wait for earlier callbacks. */
  readonly #time = (): number => this.#conversation.runs.callbackTime(false);

  /** Reports a callback that missed its deadline. */
  readonly #late = (): void => {
    const late = this.#conversation.runs.late();
    if (late) this.#report(late);
  };

  /** Waits for earlier notifications. Subscribers are notified of an end even if these have not finished. */
  #acquire(isEnd: boolean): MaybeLater<Lock> {
    const coming = this.#conversation.queue.acquire(this.#scope, this.#time, this.#late);
    return isEnd && coming instanceof Promise ? coming.catch(() => NO_LOCK) : coming;
  }

  /** Calls a callback. Returns the next plan, or undefined to continue with this one. */
  #call({ notify: callback, subscriber, subject }: Notify, at: number, notification: Notification<S>): MaybeLater<readonly DeliveryStep[] | undefined> {
    const about = notification.about(callback, subject);
    if (about === undefined) return this.#advance('absent', at);
    const holder = this.#subscribers[subscriber]!;
    // The callback may have been removed.
    if (typeof holder[callback] !== 'function') return undefined;
    try {
      const call = () => holder[callback](this.#params(callback, about));
      const given = this.#run ? call() : this.#conversation.queue.callOutsideRun(this, call);
      return isThenable(given) ? this.#wait(given, callback, at) : this.#answered(given, callback, at);
    } catch (error) {
      return this.#failed(error, at);
    }
  }

  /** Waits for a callback. After a cancellation the callback runs on, and its errors are reported. */
  async #wait(given: PromiseLike<unknown>, callback: Callback, at: number): Promise<readonly DeliveryStep[] | undefined> {
    const scope = this.#scope;
    try {
      return this.#answered(scope ? await scope.waitWithGrace(given) : await given, callback, at);
    } catch (error) {
      if (scope?.isReason(error)) Promise.resolve(given).catch(this.#report);
      return this.#failed(error, at);
    }
  }

  #answered(answer: unknown, callback: Callback, at: number): readonly DeliveryStep[] | undefined {
    if (answer === undefined || !callbacks[callback]) return undefined;
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw wrongKind(callback, 'nothing or an object', answer);
    const { stopPropagation, ...mutation } = answer as AgentStateMutation<S>;
    return this.#advance('answered', at, this.#mutate(mutation) + (stopPropagation === true ? STOP : 0));
  }

  /** Handles the error of a callback or a cancelled wait. Throws the error that ends the run. */
  #failed(error: unknown, at: number): readonly DeliveryStep[] {
    const isOver = this.#scope?.isReason(error) === true;
    const plan = this.#advance(isOver ? 'left' : 'raised', at);
    if ('raise' in plan[0]!) throw error;
    // The other subscribers are told of the end, too.
    if (!isOver) this.#report(error);
    else if (this.#scope !== this.#run!.endScope) this.#scope = this.#run!.endScope;
    else if (this.#scope!.hasExpired) this.#late();
    return plan;
  }

  /** Replaces the messages or the state. Returns flags for what is new. */
  #mutate({ messages, state }: AgentStateMutation<S>): number {
    const { current } = this.#conversation;
    const next: AgentStateMutation<S> = {};
    if (messages !== undefined && messages !== current.messages) next.messages = messages;
    if (state !== undefined && state !== current.state) next.state = state;
    if (!('messages' in next || 'state' in next)) return 0;
    this.#conversation.hold();
    this.#conversation.replace(next);
    return ('messages' in next ? MESSAGES : 0) + ('state' in next ? STATE : 0);
  }

  /** Returns the parameters of a callback. The agent shows new messages or a new state from their own callback on. */
  #params(callback: Callback, more: object): object {
    const [agent, conversation, run] = [this.#agent, this.#conversation, this.#run];
    // The list of messages is made only for callbacks that read it.
    if (run === undefined) {
      const { current } = conversation;
      return {
        ...more,
        agent,
        get messages(): readonly Message[] {
          return current.messages;
        },
        get state(): S {
          return current.state;
        },
      };
    }
    if (callback === 'onMessagesChanged') conversation.commitMessages();
    else if (callback === 'onStateChanged') conversation.commit();
    const shown = callback === 'onMessagesChanged' || callback === 'onStateChanged' ? conversation : conversation.current;
    return {
      ...more,
      agent,
      get input(): RunAgentInput {
        return run.input;
      },
      get messages(): readonly Message[] {
        return shown.messages;
      },
      get state(): S {
        return shown.state;
      },
    };
  }
}

type MaybeLater<T> = T | Promise<T>;

/** Copies members one by one, because spreading an object for each event takes 2 microseconds. */
function delivered({ done, stopped, messages, state }: Done, changes: Change[], end: RunOver | undefined): Delivered {
  return { done, stopped, messages, state, changes, end };
}

/** Returns the end of a run that a subscriber has stopped: it has no interrupts. A bare end has only the outcome and the usage; an error stays whole. */
function counted(end: RunOver, isBare: boolean): RunOver {
  if (end.kind === 'run_failed') return end;
  const { outcome, usage } = end.value;
  const kept = isBare ? { outcome, ...(usage && { usage }) } : end.value;
  return { ...end, value: { ...kept, ...('interrupts' in end.value && { interrupts: [] }) } as RunEnd };
}
