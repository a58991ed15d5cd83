"""Plays by the defaults: the yardstick."""

from bourre import Bot, run

run(Bot)
