"""A cluster of Redis: each thread is one of the node that has its slot."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from redis import Redis
from redis.asyncio import RedisCluster

from ag_ui_native.durable import RedisLog
from ag_ui_native.testing import check_log
from engine_suite import check_hints
from engines import redis_cluster
from logged_servers import body_of, greet, read, served, types


@pytest.fixture(scope="module")
def ports() -> Iterator[list[int]]:
    with redis_cluster() as ports:
        yield ports


def log_in(ports: list[int]) -> RedisLog:
    return RedisLog(lambda: RedisCluster(host="127.0.0.1", port=ports[0]))


def test_a_cluster_replies_as_the_suite_says(ports: list[int]) -> None:
    async def main() -> None:
        log = log_in(ports)
        try:
            await check_log(log)
        finally:
            await log.aclose()

    asyncio.run(main())
    for port in ports:
        with Redis(port=port) as node:
            assert node.dbsize(), "logs are spread"


def test_a_client_of_a_cluster_that_is_given(ports: list[int]) -> None:
    async def main() -> None:
        async with RedisCluster(host="127.0.0.1", port=ports[1], decode_responses=True) as client:
            log = RedisLog(client, prefix="given:")
            await check_log(log)
            await log.aclose()

    asyncio.run(main())


@pytest.mark.skipif(not hasattr(RedisCluster, "pubsub"), reason="clusters of this redis-py have no subscriptions")
def test_a_cluster_tells_of_frames_and_cancels(ports: list[int]) -> None:
    asyncio.run(check_hints(log_in(ports), waits_for_subscription=True))


def test_servers_on_a_cluster(ports: list[int]) -> None:
    with served(greet, log_in(ports)) as one, served(greet, log_in(ports)) as other:
        for number in range(10):
            whole = one.post("", json=body_of("r", f"thread {number}")).content
            assert types(whole)[-1] == "RUN_FINISHED"
            assert types(read(other, thread_id=f"thread {number}").content)[-1] == "RUN_FINISHED"
