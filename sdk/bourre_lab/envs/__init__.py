"""Environments for learning to play: PettingZoo, Gymnasium and OpenSpiel. Extra `rl`."""
