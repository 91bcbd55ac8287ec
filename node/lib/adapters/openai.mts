export * from './openai.cjs';
