"""Plays by the defaults: sits next to every hostile bot, and plays the honest room after it."""

from bourre import Bot, run

run(Bot)
