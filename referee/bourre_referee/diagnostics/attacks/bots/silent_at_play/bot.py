"""Plays along until it is asked to play. From then on it never answers that again."""

import rogue

rogue.run_silent_at("play")
