"""Export a run for other programs, and read an export back to verify it."""
