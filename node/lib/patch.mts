export * from './patch.cjs';
