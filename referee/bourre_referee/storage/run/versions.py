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
    found, ours = _NUMBERS.match(release), version("bourre")
    if not found or _order(found[0]) <= _order(ours):
        return None
    return f"bourre {found[0]} wrote it, but this is bourre {ours}.\nhint: install bourre {found[0]} or later"


_NUMBERS = re.compile(r"\d{1,6}(\.\d{1,6}){0,3}", re.ASCII)


def _order(release: str) -> tuple[int, ...]:
    found = _NUMBERS.match(release)
    return tuple(map(int, found[0].split("."))) if found else ()
