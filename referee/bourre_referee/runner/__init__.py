"""Plays a contest: plans the remaining rooms, runs worker processes, and stores the results."""
