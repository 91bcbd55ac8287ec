// The small functions of @ag-ui/core that ours replace.

import { operation } from './measure.mjs';

const parts = [
  { type: 'text', text: 'What is in' },
  { type: 'image', source: { type: 'url', value: 'https://example.com/cat.png' } },
  { type: 'text', text: 'this picture?' },
];

const usages = (count) =>
  Array.from({ length: count }, (_, index) => ({
    provider: index % 2 ? 'openai' : 'anthropic',
    model: `model-${index % 3}`,
    inputTokens: index,
    outputTokens: 2 * index,
  }));

const six = usages(6);
const many = usages(300);
const aiSdk = { inputTokens: 5, outputTokens: 6, totalTokens: 11, cachedInputTokens: 1 };
const langChain = { input_tokens: 5, output_tokens: 6, total_tokens: 11, input_token_details: { cache_read: 1 } };
const labels = { provider: 'openai', model: 'large' };

/** The measured calls with their arguments. `core` is the module of either package. */
const calls = {
  'aggregateTokenUsage, 1 entry': (core) => () => core.aggregateTokenUsage(six.slice(0, 1)),
  'aggregateTokenUsage, 6 entries': (core) => () => core.aggregateTokenUsage(six),
  'aggregateTokenUsage, 300 entries': (core) => () => core.aggregateTokenUsage(many),
  tokenUsageFromAiSdkUsage: (core) => () => core.tokenUsageFromAiSdkUsage(aiSdk, labels),
  tokenUsageFromLangChainMetadata: (core) => () => core.tokenUsageFromLangChainMetadata(langChain, labels),
  mergeMetadata: (core) => () => core.mergeMetadata({ a: 1, b: 2 }, { b: 3, c: 4 }),
  'mergeMetadata, one side': (core) => () => core.mergeMetadata(undefined, { b: 3, c: 4 }),
  'contentToText, string': (core) => () => core.contentToText('What is in this picture?'),
  'contentToText, parts': (core) => () => core.contentToText(parts),
  contentHasMedia: (core) => () => core.contentHasMedia(parts),
};

export function helperOperations(ours, official) {
  return Object.entries(calls).map(([name, call]) => operation(name, { ours: call(ours), official: call(official) }));
}
