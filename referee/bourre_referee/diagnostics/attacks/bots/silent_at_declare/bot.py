"""Plays along until it is asked to declare. From then on it never answers that again."""

import rogue

rogue.run_silent_at("declare")
