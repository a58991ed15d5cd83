"""By which method ratings are computed: figures of two methods differ, though all facts agree."""

from __future__ import annotations

METHOD, VERSION = "TrueSkill, all matches at once", 2
"""Raise the version with any change that moves a published digit of a rating.

1: tied bots in the order of their names; swept until a step was small. Manifests did not name the method yet.
2: all orders of tied bots alike; swept until a bound says that little remains.
"""
