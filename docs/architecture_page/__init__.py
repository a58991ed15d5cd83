"""Draws the picture of docs/architecture.md from the imports."""
