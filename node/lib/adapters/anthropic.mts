export * from './anthropic.cjs';
