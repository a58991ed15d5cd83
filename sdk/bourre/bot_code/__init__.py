"""Reads a bot's file and its decisions, and reports their errors."""
