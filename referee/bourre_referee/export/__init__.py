"""Exports a run for other programs, and reads an export back to verify it."""
