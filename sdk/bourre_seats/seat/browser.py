"""Opens a page whose address holds a key, without showing the key to the other users of this machine."""

from __future__ import annotations

import os
import webbrowser
from html import escape
from pathlib import Path

_LEADING_ON = """\
<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Bourré</title>
<p><a href="{address}">Your seat</a></p>
"""


def open_page(address: str, folder: Path) -> None:
    """Opens this address in the browser, by a file in this folder that leads there; only this user can read the file.

    Every user can read the command line of a browser, so the address itself must not stand there.
    """
    file = folder / "seat.html"
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(_LEADING_ON.format(address=escape(address)))
    webbrowser.open(file.absolute().as_uri())
