"""Plays along until it is asked to draw. From then on it never answers that again."""

import rogue

rogue.run_silent_at("draw")
