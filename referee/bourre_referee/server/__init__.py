"""Plays a room: its connections to the bots, their clocks, and the tables."""
