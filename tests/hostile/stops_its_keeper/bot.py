"""Stops what keeps it, by a process that has left its group and its session, and that holds the output open."""

import signal

import rogue

rogue.attack_and_play(rogue.leave_behind(signal.SIGSTOP))
