export * from './proto.cjs';
