"""The transports of agents: HTTP, WebSockets, in process, and what they share."""
