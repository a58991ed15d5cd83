"""Writes what docs/protocol.md owes to proto/ and to a match that was really played: `python3 dev.py generate`."""
