"""Plays by the defaults: the company of every hostile bot, and the yardstick after it."""

from bourre import Bot, run

run(Bot)
