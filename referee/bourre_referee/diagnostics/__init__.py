"""Examines this machine for `bourre doctor`."""
