"""Exits before it says hello."""

raise SystemExit("no such luck")
