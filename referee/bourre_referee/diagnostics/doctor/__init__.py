"""Whether this machine can play contests, and how well it keeps bots apart: everything is tried, nothing assumed."""
