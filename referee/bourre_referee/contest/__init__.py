"""A contest: read from its file, planned, played, kept, resumed."""
