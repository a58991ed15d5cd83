"""Examine this machine: `bourre doctor` and `bourre bench`."""
