export { deleteThread } from './durable/delete_thread.cjs';
export type { Log, LogHint, LogKey, LogOperation, LogReply } from './durable/log.cjs';
export { MemoryLog, type MemoryLogOptions } from './durable/memory_log.cjs';
export type { RedisClient } from './durable/redis_clients.cjs';
export { RedisLog, type RedisLogOptions } from './durable/redis_log.cjs';
export { SQLiteLog } from './durable/sqlite_log.cjs';
