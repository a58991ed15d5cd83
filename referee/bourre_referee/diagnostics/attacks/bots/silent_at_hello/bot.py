"""Starts and never says hello: the others must not wait for it for ever."""

import signal

signal.pause()
