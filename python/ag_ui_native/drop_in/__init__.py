"""Running programs of the official packages on this one."""
