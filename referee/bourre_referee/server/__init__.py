"""A room while it is played: lines to its bots, their clocks, and the tables at which they sit."""
