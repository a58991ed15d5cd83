"""Starts and never says hello."""

import signal

signal.pause()
