export * from './schemas.cjs';
