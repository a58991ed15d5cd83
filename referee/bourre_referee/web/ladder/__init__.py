"""The pages of a ladder: its board, bots, epochs and log, and what owners do to their bots."""
