"""Finds a key where it would be recorded: in a server's address, or among the fields of its requests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

_NAMES = frozenset(
    (
        "accesskey",
        "accesstoken",
        "apikey",
        "apitoken",
        "auth",
        "authorization",
        "authtoken",
        "bearer",
        "clientsecret",
        "cookie",
        "credential",
        "credentials",
        "passwd",
        "password",
        "proxyauthorization",
        "secret",
        "secretkey",
        "subscriptionkey",
        "token",
        "xapikey",
    )
)
"""The names of fields that hold keys, without marks."""
_IN_QUERY = _NAMES | {"code", "key", "sig", "signature"}
_HEADERS = frozenset(("defaultheaders", "extraheaders", "headers"))
_KEY = re.compile(r"\bbearer\s+\S|\b(?:sk|gsk|xai|hf)[-_][A-Za-z0-9_-]{16,}", re.IGNORECASE)
"""The look of a key."""


def key_in_address(address: str) -> str:
    """Returns where an address holds a key, in words without the key; an empty text if it holds none."""
    parts = urlsplit(address)
    if "@" in parts.netloc:
        return "a user or a password"
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if _plain(name) in _IN_QUERY and value:
            return f"the key {name!r}"
    return "what looks like a key" if _KEY.search(address) else ""


def key_in_fields(fields: Mapping[str, object]) -> str:
    """Returns the path of the first field that holds a key, such as `metadata.api_key`; an empty text if none does."""
    waiting: list[tuple[str, object]] = list(fields.items())
    while waiting:
        path, value = waiting.pop(0)
        if _holds_key(_plain(path.rpartition(".")[2]), value):
            return path
        if isinstance(value, Mapping):
            waiting += [(f"{path}.{name}", inner) for name, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(path, inner) for inner in value]
    return ""


def _holds_key(name: str, value: object) -> bool:
    if name in _HEADERS:
        return bool(value)
    return isinstance(value, str) and bool(value) and (name in _NAMES or _KEY.search(value) is not None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())
