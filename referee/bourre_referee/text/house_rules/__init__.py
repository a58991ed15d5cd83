"""The house rules in words: a sentence for each, and the presets as tables."""
