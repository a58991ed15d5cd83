"""Measure how fast this machine plays, each figure beside a baseline of the same run."""
