"""A run, wherever it lies: its manifest and log, who writes it, who reads it."""
