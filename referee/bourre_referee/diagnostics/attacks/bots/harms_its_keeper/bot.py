"""Takes files, time and priority from its supervisor, which runs as the same user."""

import ctypes
import os
import resource
from collections.abc import Callable

import rogue

rogue.need_a_box()
LIBC = ctypes.CDLL(None, use_errno=True)
KEEPER = 1


def ways() -> dict[str, Callable[[], object]]:
    """Each way to harm it, by name."""
    limits = {name: getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}
    limit = {name: lambda kind=kind: resource.prlimit(KEEPER, kind, (0, 0)) for name, kind in limits.items()}
    return {
        **limit,
        "priority": lambda: os.setpriority(os.PRIO_PROCESS, KEEPER, 19),
        "priority of its group": lambda: os.setpriority(os.PRIO_PGRP, KEEPER, 19),
        "priority of its user": lambda: os.setpriority(os.PRIO_USER, 0, 19),
        "affinity": lambda: os.sched_setaffinity(KEEPER, [min(os.sched_getaffinity(0))]),
        "policy": lambda: os.sched_setscheduler(KEEPER, os.SCHED_IDLE, os.sched_param(0)),
        "memory": lambda: open(f"/proc/{KEEPER}/mem", "r+b").close(),
        "its end": lambda: open(f"/proc/{KEEPER}/oom_score_adj", "w").close(),
        "timer": lambda: os.write(os.open(f"/proc/{KEEPER}/timerslack_ns", os.O_WRONLY), b"1000000000"),
        "its stop": lambda: LIBC.kill(KEEPER, 19) and None,
    }


def harm() -> None:
    for name, way in ways().items():
        try:
            way()
        except OSError as error:
            print(name, error.strerror)
        else:
            print("does nothing" if name == "its stop" else "FOUND", name)
    print("has tried")


rogue.attack_and_play(harm)
