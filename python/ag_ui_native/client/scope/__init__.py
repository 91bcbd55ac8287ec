"""Cancel scopes: how a run waits, its time limits, and tasks of the application's code."""
