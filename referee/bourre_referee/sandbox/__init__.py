"""Starts bots as processes at a level of isolation, logs their output, and ends them."""
