"""Plays a contest to its end: what is to be played, by which workers, and what came of it."""
