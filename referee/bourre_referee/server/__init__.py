"""Plays a room: the connections to its bots, the bots' clocks, and the tables at which they sit."""
