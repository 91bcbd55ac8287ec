"""The transports of agents: HTTP, WebSockets, in process, and their common parts."""
