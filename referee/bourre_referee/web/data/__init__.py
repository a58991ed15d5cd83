"""What the pages show, computed once for each state of a run; nothing here knows HTML."""
