export * from './compat.cjs';
