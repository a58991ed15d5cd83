"""The text of a database's address: told from a path, and shown without its password."""

from __future__ import annotations

import re

_PASSWORD = re.compile(r"(?<=://)([^/?#@:]*):[^@/?#]*@")
_PASSWORD_KEY = re.compile(r"(?<=[?&]password=)[^&#]*")


def is_address(text: str) -> bool:
    """Whether this means a database and not a folder."""
    return text.startswith(("postgresql://", "postgres://"))


def without_password(address: str) -> str:
    """Returns the address of a database as it may be shown."""
    return _PASSWORD_KEY.sub("***", _PASSWORD.sub(r"\1@", address))
