export * from './client.cjs';
