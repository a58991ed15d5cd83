"""The pages of a ladder: its board, bots, epochs and log, and the actions of owners."""
