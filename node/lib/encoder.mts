export * from './encoder.cjs';
