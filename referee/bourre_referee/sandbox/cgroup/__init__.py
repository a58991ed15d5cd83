"""Control groups, by which the kernel limits and counts the resources of all processes of a bot."""
