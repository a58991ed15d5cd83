"""Starts bots as processes at a level of isolation, logs what they print, and ends them."""
