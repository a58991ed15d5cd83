"""A match in words: what happened in each deal, and the house rules it was played by, as lines of plain text."""
