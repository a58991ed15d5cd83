"""Kills its supervisor from a process that has left its group and its session and holds the output open."""

import signal

import rogue

kill_keeper = rogue.leave_behind(signal.SIGKILL)


def attack() -> None:
    kill_keeper()
    if not rogue.in_a_box():
        signal.pause()  # until that kills it


rogue.attack_and_play(attack)
