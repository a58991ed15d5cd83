"""Examine this machine: `bourre doctor`."""
