"""What was measured on: figures mean little without it."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import version

from bourre_referee.runner.local_executor import usable_cores


@dataclass(frozen=True, slots=True)
class Machine:
    """The host and its programs, and how busy it was as the measurement began."""

    system: str
    processor: str
    cores: int
    python: str
    grpcio: str
    bourre: str
    load: float | None
    """Programs that ran or waited to, over the last minute; None where the system does not say it."""


def this_machine() -> Machine:
    """This one, now."""
    return Machine(
        system=f"{platform.system()} {platform.release()}",
        processor=platform.machine(),
        cores=usable_cores(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        grpcio=version("grpcio"),
        bourre=version("bourre"),
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    )
