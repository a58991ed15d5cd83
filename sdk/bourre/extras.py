"""How to install an extra: from where this package came, because no package index has its name."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit
from urllib.request import url2pathname


class _Origin(TypedDict, total=False):
    """The file `direct_url.json` of an installed package (PEP 610)."""

    url: str
    dir_info: dict[str, bool]
    vcs_info: dict[str, str]


def install_command(extra: str = "") -> str:
    """Returns the command that installs this package with an extra, from the same folder, file or address."""
    extras, origin = f"[{extra}]" if extra else "", _read_origin()
    if origin is None:
        return f"pip install {shlex.quote(f'.{extras}')} in a clone"
    if origin.get("dir_info", {}).get("editable"):
        folder = Path(url2pathname(urlsplit(origin["url"]).path))
        if extra and Path(sys.prefix) == folder / ".venv":
            return f"python3 {shlex.quote(f'{folder}/dev.py')} setup"
        return f"pip install -e {shlex.quote(f'{folder}{extras}')}"
    vcs = origin.get("vcs_info")
    url = f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else origin["url"]
    return f"pip install {shlex.quote(f'bourre{extras} @ {url}')}"


def _read_origin() -> _Origin | None:
    """Returns what the installer noted; None if it noted nothing, as for a package from an index."""
    try:
        text = distribution("bourre").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    origin: _Origin | None = json.loads(text) if text else None
    return origin
