"""A run: a contest played to its end, or on from where it was."""
