"""A run written out for other programs, and read back to be verified."""
