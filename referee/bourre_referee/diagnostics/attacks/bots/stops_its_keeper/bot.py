"""Stops its supervisor from a process that has left its group and its session and holds the output open."""

import signal

import rogue

rogue.attack_and_play(rogue.leave_behind(signal.SIGSTOP))
