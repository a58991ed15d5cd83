"""Starts and never says hello. The others must not wait for it forever."""

import signal

signal.pause()
