"""A contest: read from its file, and planned: what is to be played."""
