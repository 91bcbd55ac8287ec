// A cluster of Redis: each thread is one of the node that has its slot.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { require } from '../packages.mjs';
import { checkEngine } from './engine_suite.mjs';
import { startCluster } from './redis_server.mjs';

const { RedisLog } = require('ag-ui-native/durable');
const { Cluster, Redis } = require('ioredis');
const { createCluster } = require('redis');

const talk = (port) => new Redis(port, '127.0.0.1');
const clients = {};
let cluster;
before(async () => {
  cluster = await startCluster(3, talk);
  clients.ioredis = new Cluster(cluster.ports.map((port) => ({ host: '127.0.0.1', port })));
  clients.redis = createCluster({ rootNodes: cluster.ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) });
  await clients.redis.connect();
});
after(async () => {
  clients.ioredis?.disconnect();
  clients.redis?.destroy();
  await cluster?.stop();
});

checkEngine('ioredis, a cluster', () => new RedisLog(clients.ioredis));
checkEngine('redis, a cluster', () => new RedisLog(clients.redis));

test('logs are spread over the nodes', async () => {
  for (const port of cluster.ports) {
    const client = talk(port);
    assert.notEqual(await client.dbsize(), 0);
    client.disconnect();
  }
});
