"""Grades the submissions of a class against reference bots, on fixed deals, by fixed thresholds."""
