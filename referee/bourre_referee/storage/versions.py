"""The versions of the software that played, as a manifest names them."""

from __future__ import annotations

import platform
from importlib.metadata import version

from pydantic import BaseModel, ConfigDict

from bourre_referee.model.build import Build, name_build


class Part(BaseModel):
    """A part of a manifest; it accepts no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Versions(Part):
    """The versions of the software that played."""

    bourre: str
    python: str
    grpcio: str
    protobuf: str
    trueskill: str
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
