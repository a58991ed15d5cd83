"""The section of a plan that decides whether and from where the packages of submissions are installed."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from bourre_referee.contest.contest_keys import Section, Word
from bourre_referee.model.network import Destination, parse_destination

_PORTS = {"http": 80, "https": 443}


def server_of(url: str) -> Destination:
    """Returns the server of a web address. Raises ValueError if it is none, or if it contains a password."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or "@" in parts.netloc:
        raise ValueError("must be a web address without a password")
    return parse_destination(parts.netloc if parts.port else f"{parts.netloc}:{_PORTS[parts.scheme]}")


def _url(text: str) -> str:
    try:
        server_of(text)
    except ValueError:
        raise PydanticCustomError("url", "must be a web address, such as https://index.example/simple") from None
    return text


Address = Annotated[str, AfterValidator(_url)]


class PackagesSection(Section):
    """[packages]"""

    allow: bool = False
    folder: Word | None = None
    """The folder with their wheels and archives of npm, from the plan's folder. With None, they are downloaded."""
    index: Address | None = None
    """The index of wheels. No server is reached that the plan does not name."""
    files: Address | None = None
    """The server of the index's files, if it is another one."""
    registry: Address | None = None
    """The registry of npm."""
    minutes: Annotated[float, Field(gt=0, le=1440, allow_inf_nan=False)] = 5.0
    megabytes: Annotated[int, Field(ge=1, le=100_000)] = 500
    """The most MiB of one submission's packages, packed or unpacked."""
