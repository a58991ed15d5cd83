"""Tell a match in words: what happened in each deal, as lines of plain text."""
