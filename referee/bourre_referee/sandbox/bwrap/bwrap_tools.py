"""The programs of the host that make a box."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

_OLDEST = (0, 8)
"""The first bubblewrap that can forbid user namespaces in the box (`--disable-userns`)."""

_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"


class BoxMissing(OSError):
    """The host cannot make a box; the text says why, and the mend."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Absolute paths."""

    bwrap: str
    prlimit: str
    setpriv: str

    @classmethod
    def here(cls) -> Tools:
        """Those of this machine; raises BoxMissing where one is not there."""
        return cls(
            bwrap=_found("bwrap", "bubblewrap"),
            prlimit=_found("prlimit", "util-linux"),
            setpriv=_found("setpriv", "util-linux"),
        )

    def version(self) -> tuple[int, ...]:
        """Of bubblewrap; raises BoxMissing where it is too old."""
        told = subprocess.run([self.bwrap, "--version"], capture_output=True, text=True, check=False).stdout
        version = tuple(map(int, re.findall(r"\d+", told)))
        if version < _OLDEST:
            raise BoxMissing(f"bubblewrap {'.'.join(map(str, version))} is too old: install 0.8 or newer")
        return version


def _found(program: str, package: str) -> str:
    path = shutil.which(program, path=_PATH)
    if path is None:
        raise BoxMissing(f"{program} is not installed: install the package {package} (apt-get install {package})")
    return path
