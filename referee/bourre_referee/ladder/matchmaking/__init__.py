"""The pairings and their reasons. Anyone can recompute them from the log and a seed."""
