"""Mark the submissions of a class against staff bots, on fixed deals, by fixed thresholds."""
