"""A contest: read from its file, checked, and planned as rooms and matches."""
