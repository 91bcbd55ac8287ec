import type { Event, Interrupt } from '../generated/types.cjs';
import { isObject } from '../json/check.cjs';
import { expect, wrongKind } from '../options/kinds.cjs';
import type { AgentFunction, Run } from '../server/run.cjs';

/**
 * The next action of a scripted agent: a message to write, another action, or a function to call.
 *
 * @example
 * ```ts
 * import { runAgent, scriptedAgent, type ScriptedStep } from 'ag-ui-native/testing';
 *
 * const steps: ScriptedStep[] = ['Hello!', { state: { tasks: 2 } }, { result: 'done' }];
 * (await runAgent(scriptedAgent(steps))).state; // => { tasks: 2 }
 * ```
 */
export type ScriptedStep =
  | string
  | ((run: Run<any>) => unknown)
  /** A message, in pieces. */
  | { text: readonly string[] }
  | { reasoning: string }
  | { toolCall: string; id?: string; arguments?: unknown; result?: unknown }
  /** The members of the state to change. */
  | { state: object }
  | { custom: string; value: unknown }
  | { event: Event }
  /** A pause, in milliseconds. */
  | { wait: number }
  | { interrupt: Interrupt[] }
  | { throw: unknown }
  /** The end of the agent, with its result. */
  | { result: unknown };

/** The member that names the kind of a step, and the other members that it may have. */
const kindsOfSteps: Readonly<Record<string, readonly string[]>> = {
  text: [], reasoning: [], toolCall: ['id', 'arguments', 'result'], state: [], custom: ['value'], event: [], wait: [], interrupt: [], throw: [], result: [],
};

/** Refuses an invalid step: it would do nothing. */
function checkStep(step: unknown, at: number): void {
  if (typeof step === 'string' || typeof step === 'function') return;
  const kind = isObject(step) ? Object.keys(kindsOfSteps).find((name) => name in step) : undefined;
  const isKnown = kind !== undefined && Object.keys(step as object).every((name) => name === kind || kindsOfSteps[kind]!.includes(name));
  if (!isKnown) throw wrongKind(`steps[${at}]`, `a string, a function, or an object with one of ${Object.keys(kindsOfSteps).join(', ')}`, step);
}

/**
 * Makes an agent that does the same in every run.
 *
 * @example
 * ```ts
 * import { runAgent, scriptedAgent } from 'ag-ui-native/testing';
 *
 * const agent = scriptedAgent([{ text: ['Hel', 'lo!'] }, { throw: new Error('no model') }]);
 * (await runAgent(agent, 'Hi', { onError() {} })).outcome; // => 'error'
 * ```
 */
export function scriptedAgent(steps: readonly ScriptedStep[]): AgentFunction<any> {
  expect('list', 'steps', steps);
  steps.forEach(checkStep);
  return async (run: Run<any>) => {
    for (const step of steps) {
      run.signal.throwIfAborted();
      if (typeof step === 'object' && 'result' in step && !('toolCall' in step)) return step.result;
      await take(run, step);
    }
    return undefined;
  };
}

async function take(run: Run<any>, step: ScriptedStep): Promise<void> {
  if (typeof step === 'function') await step(run);
  else if (typeof step === 'string') await run.write(step);
  else if ('text' in step) {
    const message = run.textMessage();
    for (const delta of step.text) await message.write(delta);
    message.end();
  } else if ('reasoning' in step) {
    const reasoning = run.reasoning();
    await reasoning.write(step.reasoning);
    reasoning.end();
  } else if ('toolCall' in step) {
    const { toolCall: name, id, result } = step;
    const call = run.toolCall(name, step.arguments ?? {}, { id });
    if (result !== undefined) await call.result(result);
  } else if ('state' in step) {
    Object.assign(run.state, step.state);
    await run.flushState();
  } else if ('custom' in step) await run.custom(step.custom, step.value);
  else if ('event' in step) await run.event(step.event);
  else if ('wait' in step) await pause(step.wait, run.signal);
  else if ('interrupt' in step) run.interrupt(...step.interrupt);
  else if ('throw' in step) throw step.throw;
}

/** Waits, unless the agent must stop. */
function pause(duration: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => (clearTimeout(timer), reject(signal.reason));
    const timer = setTimeout(() => (signal.removeEventListener('abort', stop), resolve()), duration);
    signal.addEventListener('abort', stop, { once: true });
  });
}
