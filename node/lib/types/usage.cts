import { isObject, isUint, mapped } from '../json/check.cjs';
import { answerOf } from '../errors/errors.cjs';
import { type TokenUsage } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { expect } from '../options/kinds.cjs';
import { known } from '../options/option_reader.cjs';
import { native } from '../native/native.cjs';

// These functions stay in JavaScript: passing an object to native code costs more (600 ns and up) than the whole work (100 ns).

const counts = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const;

/**
 * The provider and the model.
 *
 * @example
 * ```ts
 * import { tokenUsageFromAiSdkUsage, type UsageLabels } from 'ag-ui-native';
 *
 * const labels: UsageLabels = { provider: 'openai', model: 'large' };
 * tokenUsageFromAiSdkUsage({ inputTokens: 120 }, labels)?.provider; // => 'openai'
 * ```
 */
export interface UsageLabels {
  provider?: string;
  model?: string;
}

/**
 * Sums entries, one for each pair of provider and model, in order of first appearance. A count that no entry reports stays absent.
 *
 * @throws AGUIValidationError for a count that is no whole number from 0 to 2^53-1, or a sum that would be larger
 *
 * @example
 * ```ts
 * import { aggregateTokenUsage } from 'ag-ui-native';
 *
 * const sums = aggregateTokenUsage([{ model: 'large', inputTokens: 120 }, { model: 'large', inputTokens: 80 }]);
 * sums.map(({ inputTokens }) => inputTokens); // => [200]
 * ```
 */
export function aggregateTokenUsage(entries: TokenUsage[]): TokenUsage[] {
  expect('items', 'entries', entries);
  const sums: Sum[] = [];
  const places = new Places();
  const given = Array.isArray(entries) ? entries : [...entries];
  for (const entry of given) {
    const provider = entry?.provider ?? undefined;
    const model = entry?.model ?? undefined;
    if (!isObject(entry) || !isLabel(provider) || !isLabel(model)) return judged(given);
    let sum = sums.length <= FEW ? lookUp(sums, provider, model) : places.get(provider, model);
    if (sum === undefined) {
      sums.push((sum = { provider, model }));
      if (sums.length === FEW + 1) sums.forEach((one) => places.add(one));
      else if (sums.length > FEW) places.add(sum);
    }
    for (const count of counts) {
      const value = entry[count];
      if (value === undefined || value === null) continue;
      const total = isUint(value) ? (sum[count] ?? 0) + value : NaN;
      if (!(total <= Number.MAX_SAFE_INTEGER)) return judged(given);
      sum[count] = total;
    }
  }
  return sums as TokenUsage[];
}

function isLabel(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** Lets core refuse entries that cannot be summed. Members that are null count as absent; undeclared members are ignored. */
function judged(entries: readonly unknown[]): TokenUsage[] {
  const members = ['provider', 'model', ...counts];
  const declared = (entry: unknown) =>
    isObject(entry) ? Object.fromEntries(members.map((name) => [name, entry[name] ?? undefined])) : (entry ?? null);
  return answerOf(native().aggregateUsage(stringify(mapped(entries, declared))!));
}

/** An entry in its summed form. Absent labels are undefined members, as in the official function. */
type Sum = { provider: string | undefined; model: string | undefined } & Omit<TokenUsage, 'provider' | 'model'>;

/** Up to this number of pairs, a linear search is faster than a map. A run rarely has more. */
const FEW = 8;

function lookUp(sums: Sum[], provider: string | undefined, model: string | undefined): Sum | undefined {
  for (const sum of sums) if (sum.model === model && sum.provider === provider) return sum;
  return undefined;
}

/** The sums, by pair of provider and model. */
class Places {
  #models: Map<string | undefined, Map<string | undefined, Sum>> | undefined;

  get(provider: string | undefined, model: string | undefined): Sum | undefined {
    return this.#models?.get(provider)?.get(model);
  }

  add(sum: Sum): void {
    this.#models ??= new Map();
    const models = this.#models.get(sum.provider) ?? new Map<string | undefined, Sum>();
    this.#models.set(sum.provider, models.set(sum.model, sum));
  }
}

/**
 * Converts the usage that LangChain and LangGraph attach to messages; undefined if it has no usable count.
 *
 * @example
 * ```ts
 * import { tokenUsageFromLangChainMetadata } from 'ag-ui-native';
 *
 * tokenUsageFromLangChainMetadata({ input_tokens: 120 }, { model: 'large' }); // => { model: 'large', inputTokens: 120 }
 * ```
 */
export function tokenUsageFromLangChainMetadata(usageMetadata: unknown, labels: UsageLabels): TokenUsage | undefined {
  if (!usageMetadata) return undefined;
  const input = member(usageMetadata, 'input_token_details');
  const output = member(usageMetadata, 'output_token_details');
  return entry(
    labels,
    count(usageMetadata, 'input_tokens'),
    count(usageMetadata, 'output_tokens'),
    count(usageMetadata, 'total_tokens'),
    count(output, 'reasoning'),
    count(input, 'cache_read'),
    count(input, 'cache_creation'),
  );
}

/**
 * Converts the usage that the AI SDK reports, in its older or newer form; undefined if it has no usable count.
 *
 * @example
 * ```ts
 * import { tokenUsageFromAiSdkUsage } from 'ag-ui-native';
 *
 * tokenUsageFromAiSdkUsage({ inputTokens: 120 }, { model: 'large' }); // => { model: 'large', inputTokens: 120 }
 * ```
 */
export function tokenUsageFromAiSdkUsage(usage: unknown, labels: UsageLabels): TokenUsage | undefined {
  if (!usage) return undefined;
  const input = member(usage, 'inputTokenDetails');
  const output = member(usage, 'outputTokenDetails');
  return entry(
    labels,
    count(usage, 'inputTokens'),
    count(usage, 'outputTokens'),
    count(usage, 'totalTokens'),
    count(usage, 'reasoningTokens') ?? count(output, 'reasoningTokens'),
    count(usage, 'cachedInputTokens') ?? count(input, 'cacheReadTokens'),
    count(input, 'cacheWriteTokens'),
  );
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Returns a whole number from 0 to 2^53-1. Vendors also report strings, fractions and absent values. */
function count(value: unknown, key: string): number | undefined {
  const found = member(value, key);
  return isUint(found) ? (found as number) : undefined;
}

/** Returns the labels. Refuses unknown names. */
function checked(labels: UsageLabels): UsageLabels {
  expect('object', 'labels', labels);
  for (const name in labels) if (name !== 'provider' && name !== 'model') return known({ provider: 1, model: 1 }, labels, 'labels');
  return labels;
}

/** Makes an entry from counts, in the order of `counts`. */
function entry(labels: UsageLabels, input?: number, output?: number, total?: number, reasoning?: number, cached?: number, written?: number): TokenUsage | undefined {
  const { provider, model } = checked(labels);
  if ((input ?? output ?? total ?? reasoning ?? cached ?? written) === undefined) return undefined;
  const usage: TokenUsage = {};
  if (provider != null) usage.provider = provider;
  if (model != null) usage.model = model;
  if (input !== undefined) usage.inputTokens = input;
  if (output !== undefined) usage.outputTokens = output;
  if (total !== undefined) usage.totalTokens = total;
  if (reasoning !== undefined) usage.reasoningTokens = reasoning;
  if (cached !== undefined) usage.cachedInputTokens = cached;
  if (written !== undefined) usage.cacheWriteInputTokens = written;
  return usage;
}
