"""Reads a bot's file and its decisions, and tells what is wrong with them."""
