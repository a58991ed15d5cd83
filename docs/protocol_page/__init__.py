"""Writes the sections of docs/protocol.md that come from proto/ and from a real match: `python3 dev.py generate`."""
