"""The versions of the software that played, as a manifest names them."""

from __future__ import annotations

import platform
import re
from importlib.metadata import version

from pydantic import BaseModel, ConfigDict

from bourre_referee.model.build import Build, name_build
from bourre_referee.storage.files.sound_values import Words


class ManifestPart(BaseModel):
    """A part of a manifest; it accepts no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Versions(ManifestPart):
    """The versions of the software that played."""

    bourre: Words
    python: Words
    grpcio: Words
    protobuf: Words
    trueskill: Words
    """The package that rates one match after another; the ratings in the standings are `RatingMethod`'s."""
    build: Build | None = None
    """Whether bourre ran compiled; None in folders older than the key."""


def versions() -> Versions:
    """Returns the versions of the installed software."""
    return Versions(
        bourre=version("bourre"),
        python=platform.python_version(),
        grpcio=version("grpcio"),
        protobuf=version("protobuf"),
        trueskill=version("trueskill"),
        build=name_build(),
    )


def newer_release(release: str) -> str | None:
    """Says that a newer bourre than this one wrote something, and what to do; None if it did not."""
    found, ours = numbers_of(release), version("bourre")
    if _order(found) <= _order(numbers_of(ours)):
        return None
    return f"bourre {found} wrote it, but this is bourre {ours}.\nhint: install bourre {found} or later"


def numbers_of(release: str) -> str:
    """Returns the release without what follows its numbers, such as `.dev0`; empty if it does not begin with one."""
    found = _NUMBERS.match(release)
    return found[0] if found else ""


_NUMBERS = re.compile(r"\d{1,6}(\.\d{1,6}){0,3}", re.ASCII)


def _order(numbers: str) -> tuple[int, ...]:
    return tuple(map(int, numbers.split("."))) if numbers else ()
