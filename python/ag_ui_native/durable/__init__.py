"""Runs that outlive their connections and processes: the engines that keep their logs."""

from ag_ui_native.durable.log import Log, delete_thread
from ag_ui_native.durable.memory import MemoryLog
from ag_ui_native.durable.redis import RedisLog
from ag_ui_native.durable.sqlite import SQLiteLog

__all__ = ["Log", "MemoryLog", "RedisLog", "SQLiteLog", "delete_thread"]
