import { type Limits, NO_JSON_RESULT } from '../generated/border.cjs';
import type { Message, Tool, ToolCall } from '../generated/types.cjs';
import { isObject } from '../json/check.cjs';
import { answerOf, describedError } from '../errors/errors.cjs';
import { stringify } from '../json/text.cjs';
import { wrongKind } from '../options/kinds.cjs';
import { messageOf } from '../errors/failure.cjs';
import type { StandardSchemaV1 } from '../schema/standard.cjs';
import type { AgentHandle } from './agent_handle.cjs';
import { checkValue, noJson, textOf, token } from '../json/value.cjs';
import { check, unknownName, type OptionReader } from '../options/option_reader.cjs';
import { optionsText } from '../options/options.cjs';
import { native } from '../native/native.cjs';

/**
 * A JSON Schema, as an object.
 *
 * @example
 * ```ts
 * import { frontendTool, type JsonSchema } from 'ag-ui-native/client';
 *
 * const parameters: JsonSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
 * frontendTool({ name: 'weather', parameters, execute: () => 'clear' }).name; // => 'weather'
 * ```
 */
export type JsonSchema = { readonly [keyword: string]: any };

/**
 * The second parameter of a tool's function.
 *
 * @example
 * ```ts
 * import { frontendTool, type ToolContext } from 'ag-ui-native/client';
 *
 * const execute = (args: { city: string }, { toolCall, signal }: ToolContext) => `${toolCall.id} ${signal.aborted}`;
 * frontendTool({ name: 'weather', execute }).name; // => 'weather'
 * ```
 */
export interface ToolContext {
  /** The tool call of the agent. */
  readonly toolCall: ToolCall;
  readonly agent: AgentHandle<any>;
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * A function of the application that an agent may call. A text is sent back unchanged, any other result as JSON.
 *
 * @example
 * ```ts
 * import { type FrontendTool, LocalAgent } from 'ag-ui-native/client';
 * import type { Run } from 'ag-ui-native/server';
 *
 * const weather: FrontendTool<{ city: string }> = {
 *   name: 'weather',
 *   description: 'Tells the weather.',
 *   execute: async ({ city }) => `It is clear in ${city}.`,
 * };
 * const answer = async (run: Run) => {
 *   const said = run.messages.at(-1);
 *   if (said?.role === 'tool') await run.write(`The tool says: ${said.content}`);
 *   else run.toolCall('weather', { city: 'Paris' });
 * };
 * (await new LocalAgent(answer, { tools: [weather] }).ask('Hi')).text; // => 'The tool says: It is clear in Paris.'
 * ```
 */
export interface FrontendTool<Args = any> {
  name: string;
  description?: string;
  /** The schema of the arguments: a JSON Schema, or a Standard Schema such as one of zod 4. It also validates them. */
  parameters?: JsonSchema | StandardSchemaV1<any, Args>;
  /** Validates the arguments in place of a JSON Schema in `parameters`. */
  schema?: StandardSchemaV1<any, Args>;
  metadata?: Record<string, any>;
  execute(args: Args, context: ToolContext): unknown;
}

const members = ['name', 'description', 'parameters', 'schema', 'metadata', 'execute'];

/** Reads a tool with or without a function. */
export const anyTool: OptionReader = {
  fault(tool: any) {
    if (!isObject(tool) || typeof tool['name'] !== 'string') return { pointer: '', expected: 'a tool: an object with a `name`', found: tool };
    const unknown = Object.keys(tool).find((name) => !members.includes(name) && tool[name] !== undefined);
    if (unknown !== undefined) return unknownName(`/${token(unknown)}`, unknown, members, 'member of a tool');
    if (!('execute' in tool) || typeof tool['execute'] === 'function') return undefined;
    return { pointer: '', expected: 'a tool whose `execute` is a function', found: tool };
  },
};

/** Reads a tool with a function. */
export const functionTool: OptionReader = {
  fault(tool: any) {
    const fault = anyTool.fault(tool);
    if (fault || typeof tool.execute === 'function') return fault;
    return { pointer: '', expected: 'a tool with a function `execute` (pass a tool without one in the parameter `tools` of a run)', found: tool };
  },
};

/**
 * Declares a tool; the type of its arguments follows from the schema.
 *
 * @example
 * ```ts
 * import { frontendTool } from 'ag-ui-native/client';
 *
 * const weather = frontendTool({ name: 'weather', execute: ({ city }: { city: string }) => `It is clear in ${city}.` });
 * weather.name; // => 'weather'
 * ```
 */
export function frontendTool<Args = any>(tool: FrontendTool<Args>): FrontendTool<Args> {
  check(functionTool, tool, '/tool');
  return tool;
}

/** The tools of a run by name. A later tool replaces an earlier one of the same name. */
export class Tools {
  readonly #by = new Map<string, FrontendTool>();

  constructor(tools: readonly FrontendTool<any>[]) {
    for (const tool of tools) this.#by.set(tool.name, tool);
  }

  /** The names of the functions. */
  get functions(): string[] {
    return [...this.#by.keys()];
  }

  [Symbol.iterator](): IterableIterator<FrontendTool> {
    return this.#by.values();
  }

  /** The declarations of the tools, for the agent. */
  get declarations(): Tool[] {
    return [...this.#by.values()].map((tool) => {
      const { name, description = '', parameters, metadata } = tool;
      const schema = parameters === undefined ? { type: 'object', properties: {} } : jsonSchema(parameters);
      return { name, description, parameters: schema, ...(metadata && { metadata }) };
    });
  }

  /** The calls with these ids, in order. */
  callsOf(ids: readonly string[], messages: readonly Message[]): ToolCall[] {
    const found = new Map<string, ToolCall>();
    const requested = new Set(ids);
    for (const message of messages) {
      if (message.role !== 'assistant') continue;
      for (const call of message.toolCalls ?? []) if (requested.has(call.id) && !found.has(call.id)) found.set(call.id, call);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Calls the function and returns the message with its result. */
  async answer(context: ToolContext, report: (error: unknown) => void, limits?: Limits): Promise<Message> {
    return called(this.#by.get(context.toolCall.function.name)!, context, report, limits);
  }
}

async function called(tool: FrontendTool, context: ToolContext, report: (error: unknown) => void, limits: Limits | undefined): Promise<Message> {
  const { id, function: given } = context.toolCall;
  const answer = (text: string, failed: boolean): Message => JSON.parse(native().answerTool(id, text, failed, optionsText({ limits })));
  try {
    const args = await checked(tool, parsed(given.arguments, limits, plainSchema(tool)));
    const result: unknown = await tool.execute(args, context);
    const text = typeof result === 'string' ? result : written(result);
    const isWhole = (text as unknown as { isWellFormed(): boolean }).isWellFormed() && (text === result || !HALF.test(text));
    if (!isWhole) throw describedError('lone_surrogate', "the tool's result");
    return answer(text, false);
  } catch (error) {
    if (!(error instanceof Unfit)) report(error);
    // The abort has caused the failure.
    if (context.signal.aborted) throw error;
    return answer(messageOf(error) || 'the tool failed', true);
  }
}

/** Half of a surrogate pair in JSON text, where only single halves are escaped. */
const HALF = /(?<!\\)(\\\\)*\\ud[89a-f]/;

/** Returns a result as JSON text; `null` for no result. Errors of the JavaScript engine are not shown to the agent. */
function written(result: unknown = null): string {
  try {
    checkValue(result, '');
    const text = stringify(result);
    if (text === undefined) throw noJson('a value that JSON leaves out', '');
    return text;
  } catch (cause) {
    throw new Error(NO_JSON_RESULT, { cause });
  }
}

/** The arguments do not fit the tool. The agent may try again. */
class Unfit extends Error {}

/** Returns the JSON Schema that validates the arguments, unless a Standard Schema does. */
function plainSchema({ parameters, schema }: FrontendTool): JsonSchema | undefined {
  return schema === undefined && !isStandard(parameters) ? parameters : undefined;
}

function parsed(text: string, limits: Limits | undefined, schema: JsonSchema | undefined): object {
  const args = answerOf<object | string>(native().readArguments(text, optionsText({ limits }), schema && textOf(schema)));
  if (typeof args === 'string') throw new Unfit(args);
  return args;
}

async function checked({ parameters, schema }: FrontendTool, args: unknown): Promise<any> {
  const standard = schema ?? (isStandard(parameters) ? parameters : undefined);
  if (standard === undefined) return args;
  const judged: unknown = await standard['~standard'].validate(args);
  const { issues, value } = (isObject(judged) ? judged : { issues: null }) as { issues?: any; value?: unknown };
  if (issues === undefined) return value;
  if (!Array.isArray(issues) || !issues.every(isObject)) throw new Error('The arguments could not be checked.');
  const placeOf = (path: unknown) => (Array.isArray(path) ? path : []).map((key) => String(typeof key === 'object' ? key?.key : key)).join('.');
  throw new Unfit(native().misfit(textOf(issues.map(({ path, message }) => [placeOf(path), String(message)]))));
}

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return schema !== null && (typeof schema === 'object' || typeof schema === 'function') && '~standard' in schema;
}

/** Returns a schema as JSON Schema, by the Standard JSON Schema interface or by the method `toJSONSchema`. */
function jsonSchema(schema: JsonSchema | StandardSchemaV1): JsonSchema {
  if (!isStandard(schema)) return schema;
  const { jsonSchema } = schema['~standard'] as { jsonSchema?: { input(options: object): JsonSchema } };
  const { toJSONSchema } = schema as { toJSONSchema?: () => JsonSchema };
  if (typeof jsonSchema?.input === 'function') return jsonSchema.input({ target: 'draft-2020-12' });
  if (typeof toJSONSchema === 'function') return toJSONSchema.call(schema);
  throw wrongKind('tool.parameters', 'a JSON Schema; this schema cannot be converted to one: pass it as `schema`, and a JSON Schema as `parameters`', schema);
}
