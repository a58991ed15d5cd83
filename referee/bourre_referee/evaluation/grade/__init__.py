"""Submissions of a class marked against staff bots: on fixed deals, by fixed thresholds."""
