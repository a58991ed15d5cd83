"""Trains the champion: `python -m research.champion.train`."""
