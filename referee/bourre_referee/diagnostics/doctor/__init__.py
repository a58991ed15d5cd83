"""Tests by trial whether this machine can play contests, and how well it isolates bots."""
