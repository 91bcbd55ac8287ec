export * from './stream.cjs';
