"""Control groups: the kernel limits and counts what all processes of a bot use together."""
