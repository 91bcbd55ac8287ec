// Plays scripts with a Node agent: one a line comes in, a log a line goes out. The scripts are those of scripts.py, the log that of play.py.

import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const { AGUIConnectionError } = require('ag-ui-native');
const { Agent } = require('ag-ui-native/client');

const DEFAULT = {
  pieces: ['data: {"type":"RUN_STARTED","threadId":"t","runId":"@RUN@"}\n\n', 'data: {"type":"RUN_FINISHED","threadId":"t","runId":"@RUN@"}\n\n'],
};

/** An error of the application. */
class Own extends Error {}

const copy = (value) => structuredClone(value);
const brief = ({ id, role, content = null, toolCalls = [] }) => [id, role, content, toolCalls.map(({ id, function: called }) => [id, called.name, called.arguments])];
const briefs = (messages) => copy(messages.map(brief));
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
/** The milliseconds after which all input that has arrived is processed, however far ahead a host reads. */
const QUIET = 5;
const forever = () => new Promise(() => undefined);

/** Returns the arguments of a callback in the form of the log. */
function about(name, params) {
  switch (name) {
    case 'on_event':
      return [params.event.type];
    case 'on_run_initialized':
      return [briefs(params.input.messages), copy(params.input.state)];
    case 'on_run_failed':
      return [params.error.code ?? `own: ${params.error.message}`];
    case 'on_new_message':
      return briefs([params.message]);
    case 'on_new_tool_call':
      return [params.toolCall.id, params.toolCall.function.name, params.toolCall.function.arguments];
    case 'on_messages_changed':
      return [briefs(params.messages)];
    case 'on_state_changed':
      return [copy(params.state)];
    case 'on_text_message_content_event':
    case 'on_text_message_end_event':
      return [params.textMessageBuffer];
    case 'on_reasoning_message_content_event':
    case 'on_reasoning_message_end_event':
      return [params.reasoningMessageBuffer];
    case 'on_tool_call_args_event':
      return [params.toolCallName, params.toolCallBuffer];
    default:
      return [];
  }
}

const shown = (result) => ({
  run: result.runId,
  outcome: result.outcome,
  result: result.result ?? null,
  error: result.error ? [result.error.message, result.error.code ?? null] : null,
  usage: result.usage,
  pending: result.pendingToolCallIds,
  interrupts: result.interrupts.map(({ id }) => id),
  warnings: result.warnings.map(({ eventIndex, code }) => [eventIndex, code]),
  newMessages: briefs(result.newMessages),
});

class Game {
  asked = [];
  told = [];
  called = [];
  events = [];

  constructor(script) {
    this.script = script;
    this.agent = new Agent((request) => this.answer(request), {
      threadId: 't',
      messages: script.messages,
      state: script.state,
      tools: script.tools.map((tool) => this.tool(tool)),
      maxRuns: script.maxRuns,
      middleware: script.middleware.map((one) => this.middleware(one)),
      onError: () => undefined,
      subscribers: script.subscribers.map((reactions, number) => this.subscriber(number, reactions)),
    });
  }

  async answer({ body, input }) {
    const number = this.asked.length;
    const members = JSON.parse(body);
    this.asked.push({ ...members, messages: briefs(members.messages), tools: members.tools.map(({ name }) => name) });
    const answer = this.script.answers[number] ?? DEFAULT;
    if (answer.refused) throw new AGUIConnectionError('refused', { code: 'connection_failed' });
    return { body: this.pieces(number, answer, input.runId), contentType: answer.contentType };
  }

  async *pieces(number, answer, runId) {
    const [request, place] = this.script.abort ?? [];
    for (const [at, piece] of [...answer.pieces, ''].entries()) {
      if (request === number && place === at) {
        await sleep(QUIET);
        this.agent.abortRun();
        await forever();
      }
      if (piece) yield Buffer.from(piece.replaceAll('@RUN@', runId), 'latin1');
    }
    if (answer.lost) throw new AGUIConnectionError('lost', { code: 'connection_lost' });
  }

  tool({ name, parameters, ...does }) {
    const execute = (args) => {
      this.called.push([name, copy(args)]);
      if ('raises' in does) throw new Own(does.raises);
      if (does.gives === 'abort') return this.agent.abortRun();
      return 'gives' in does ? args : does.returns;
    };
    return { name, description: '', parameters, execute };
  }

  middleware({ kind, at, events }) {
    return async function* (input, next) {
      if (kind === 'early') {
        yield* JSON.parse(JSON.stringify(events).replaceAll('@RUN@', input.runId));
        return;
      }
      if (kind === 'twice') for await (const _ of next(input));
      const asked = kind === 'input' ? { ...input, forwardedProps: { k: 1 } } : input;
      let count = 0;
      for (let time = 0; time < (kind === 'both' ? 2 : 1); time++) {
        for await (const event of next(asked)) {
          if (count === at && kind === 'cut') return;
          if (count === at && kind === 'raises') throw new Own('middleware');
          count++;
          if (kind !== 'drop' || !['RAW', 'CUSTOM'].includes(event.type)) yield event;
        }
      }
    };
  }

  subscriber(number, reactions) {
    return Object.fromEntries(Object.entries(reactions).map(([name, reaction]) => [camel(name), this.callback(number, name, reaction)]));
  }

  callback(number, name, reaction) {
    let count = 0;
    return (params) => {
      this.told.push([number, name, ...about(name, params)]);
      if (reaction.at !== count++) return undefined;
      if ('raises' in reaction) throw new Own(reaction.raises);
      if ('aborts' in reaction) this.agent.abortRun();
      const { stop, messages, state } = reaction;
      return { ...(stop && { stopPropagation: true }), ...(messages && { messages }), ...(state && { state: state.set }) };
    };
  }

  async play() {
    let raised = null;
    let result;
    try {
      result = await this.ended();
    } catch (error) {
      raised = error instanceof Own ? `own: ${error.message}` : (error.code ?? String(error));
      result = error.run;
    }
    return {
      seed: this.script.seed,
      asked: this.asked,
      told: this.told,
      called: this.called,
      events: this.events,
      raised,
      result: result ? { ...shown(result), runs: result.runs.map(shown) } : null,
      messages: briefs(this.agent.messages),
      state: this.agent.state,
      interrupts: this.agent.pendingInterrupts.map(({ id }) => id),
    };
  }

  async ended() {
    const parameters = { runId: 'r1' };
    const { way, leave } = this.script;
    if (way === 'run_agent') return this.agent.runAgent(parameters);
    if (way === 'stream') {
      const changes = this.agent.stream(parameters);
      for await (const _ of changes);
      return changes.result;
    }
    const events = this.agent.run(parameters);
    for await (const event of events) {
      this.events.push(copy(event));
      if (leave === this.events.length - 1) break;
    }
    return events.result;
  }
}

async function played(script) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error('nothing comes')), 20_000)));
  try {
    return await Promise.race([new Game(script).play(), late]);
  } catch (error) {
    return { seed: script.seed, broken: String(error) };
  } finally {
    clearTimeout(timer);
  }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${JSON.stringify(await played(JSON.parse(line)))}\n`);
process.exit();
