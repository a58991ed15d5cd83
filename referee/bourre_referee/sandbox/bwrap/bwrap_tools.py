"""Finds the host's programs for sandboxes."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

_OLDEST = (0, 8)
"""The first version of bubblewrap that can forbid user namespaces in the sandbox (`--disable-userns`)."""

_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"


class BoxMissing(OSError):
    """The host cannot make a sandbox. The message has the reason and a hint."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The absolute path of each program."""

    bwrap: str
    prlimit: str
    setpriv: str

    @classmethod
    def here(cls) -> Tools:
        """Finds the programs on this machine. Raises SandboxMissing if one is missing."""
        return cls(
            bwrap=_find("bwrap", "bubblewrap"),
            prlimit=_find("prlimit", "util-linux"),
            setpriv=_find("setpriv", "util-linux"),
        )

    def version(self) -> tuple[int, ...]:
        """Returns bubblewrap's version. Raises SandboxMissing if it is too old."""
        output = subprocess.run([self.bwrap, "--version"], capture_output=True, text=True, check=False).stdout
        version = tuple(map(int, re.findall(r"\d+", output)))
        if version < _OLDEST:
            raise BoxMissing(f"bubblewrap {'.'.join(map(str, version))} is too old.\nhint: install 0.8 or newer")
        return version


def _find(program: str, package: str) -> str:
    path = shutil.which(program, path=_PATH)
    if path is None:
        raise BoxMissing(
            f"{program} is not installed.\nhint: install the package {package} (apt-get install {package})"
        )
    return path
