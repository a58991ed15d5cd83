"""Tells the address of a database from a path, and hides its password."""

from __future__ import annotations

import re

_PASSWORD = re.compile(r"(?<=://)([^/?#@:]*):[^@/?#]*@")
_PASSWORD_KEY = re.compile(r"(?<=[?&]password=)[^&#]*")


def is_address(text: str) -> bool:
    """Whether this means a database and not a folder."""
    return text.startswith(("postgresql://", "postgres://"))


def without_password(address: str) -> str:
    """Returns the address of a database without its password."""
    return _PASSWORD_KEY.sub("***", _PASSWORD.sub(r"\1@", address))
