"""Ends with status 0 before it has said a word."""
