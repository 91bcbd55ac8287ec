export * from './operators.cjs';
