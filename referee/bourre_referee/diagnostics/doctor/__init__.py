"""Test whether this machine can play contests, and how well it isolates bots, by trying everything."""
