export * from './durable.cjs';
