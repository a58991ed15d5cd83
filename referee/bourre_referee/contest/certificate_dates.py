"""When a certificate expires, read from its DER encoding, for which the standard library has no function."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

_PEM = re.compile(f"{ssl.PEM_HEADER}.*?{ssl.PEM_FOOTER}", re.DOTALL)
_VERSION, _UTC_TIME = 0xA0, 0x17
"""Tags: of the optional first field of a certificate, and of a time with a year of two digits."""

WARN_DAYS = (14, 7, 3, 1)
"""The days before the end of a certificate on which the host is warned."""


def expiry(pem: bytes) -> datetime:
    """Returns the time when the first of these certificates expires. They must be valid PEM."""
    found = _PEM.findall(pem.decode(errors="replace"))
    return min(_end_of(ssl.PEM_cert_to_DER_cert(each)) for each in found)


def expiry_in_words(pem: bytes) -> str:
    """Returns the same time for a message."""
    return f"{expiry(pem):%Y-%m-%d %H:%M} UTC"


def steps_passed(left: timedelta) -> int:
    """Returns how many warnings are due with this time left: one for each of `WARN_DAYS`, and one at the end."""
    return sum(left <= timedelta(days=days) for days in (*WARN_DAYS, 0))


def _end_of(der: bytes) -> datetime:
    """Returns the end of `validity` in a certificate (RFC 5280, section 4.1)."""
    ((_, certificate),) = _fields(der)
    (_, signed), *_ = _fields(certificate)
    fields = [content for tag, content in _fields(signed) if tag != _VERSION]
    _serial, _signature, _issuer, validity, *_ = fields
    _begin, (tag, end) = _fields(validity)
    digits = end.decode("ascii").removesuffix("Z")
    if tag == _UTC_TIME:
        digits = f"{'19' if digits >= '50' else '20'}{digits}"
    return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _fields(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields tag and content of each DER field in this content."""
    while der:
        tag, size, start = der[0], der[1], 2
        if size >= 0x80:  # the length of the length
            start += size - 0x80
            size = int.from_bytes(der[2:start])
        yield tag, der[start : start + size]
        der = der[start + size :]
