"""Control groups: what all processes of a bot take together, limited and counted by the kernel."""
