"""Reads a contest file, checks it, and plans its rooms and matches."""
