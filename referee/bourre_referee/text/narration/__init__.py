"""Tells a match in words: the course of each deal, as lines of plain text."""
