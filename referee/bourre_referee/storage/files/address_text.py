"""Tells the address of a database from a path, and shows it without anything secret."""

from __future__ import annotations

import re

_SAFE = r"(?:[^\s:/?#@%]|%[0-9A-Fa-f]{2})"
"""A character of a part of an address, where all others are written as %XX."""

_HOST = rf"(?:(?:(?!,){_SAFE})*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?"

_ADDRESS = re.compile(
    rf"""(?P<scheme>postgres(?:ql)?)://
    (?:(?P<user>{_SAFE}*)(?::(?P<password>(?:{_SAFE}|:)*))?@)?
    (?P<hosts>{_HOST}(?:,{_HOST})*)
    (?:/(?P<name>{_SAFE}*))?
    (?:\?(?P<options>(?:{_SAFE}|[:/?=&])*))?
    (?:\#(?P<contest>[A-Za-z0-9._-]*))?""",
    re.VERBOSE,
)
"""The addresses that libpq reads in the same way as everybody else, and the contest's name after `#`."""

_LIKE_AN_ADDRESS = re.compile(
    r"^[^/]*://|^postgres(ql)?:|(^|\s)(host|hostaddr|port|user|password|dbname|service)\s*=", re.IGNORECASE
)

_PUBLIC_OPTION = re.compile(
    r"(application_name|channel_binding|connect_timeout|dbname|host|hostaddr|keepalives(_\w+)?|passfile|port|"
    r"ssl(cert|key|mode|rootcert)|target_session_attrs|tcp_user_timeout|user)=.*",
    re.DOTALL,
)
"""Options whose values are shown: https://www.postgresql.org/docs/current/libpq-connect.html."""


def is_address(text: str) -> bool:
    """Whether this is meant as a database and not as a folder, rightly or wrongly written."""
    return _LIKE_AN_ADDRESS.search(text) is not None


def split_address(text: str) -> tuple[str, str] | None:
    """Returns the address of a database as libpq reads it, and the contest's name or "", or None if unreadable."""
    found = _ADDRESS.fullmatch(text)
    if found is None or "%00" in text:
        return None
    contest = found["contest"]
    return (text, "") if contest is None else (text[: found.start("contest") - 1], contest)


def without_password(address: str) -> str:
    """Returns the address of a database without its password.

    Of an address that cannot be read, only the beginning is left, because the password may be anywhere in the rest.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]{,30}://", address)
        return f"{scheme[0] if scheme else ''}..."
    shown = f"{found['scheme']}://"
    shown += f"{found['user']}@" if found["user"] is not None else ""
    shown += found["hosts"]
    shown += f"/{found['name']}" if found["name"] is not None else ""
    shown += f"?{'&'.join(map(_shown_option, found['options'].split('&')))}" if found["options"] is not None else ""
    return shown + (f"#{found['contest']}" if found["contest"] is not None else "")


def _shown_option(option: str) -> str:
    """Returns `name=value`, with `***` for a value that may be secret."""
    name, sign, _ = option.partition("=")
    return option if _PUBLIC_OPTION.fullmatch(option) else f"{name}=***" if sign else "***"
