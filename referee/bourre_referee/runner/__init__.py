"""Plays a contest to its end: decides what is left to play, runs worker processes, and stores the results."""
