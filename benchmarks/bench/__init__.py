"""Measures how fast this machine plays, each figure with a baseline of the same run."""
