"""The permissions of a single bot: its isolation, its network, and variables of the organiser's environment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from bourre_referee.contest.contest_keys import Section, Word
from bourre_referee.contest.isolation_choice import NamedLevel
from bourre_referee.model.errors import ContestError
from bourre_referee.model.network import Network, parse_destination
from bourre_referee.model.spec import BotEntry, Level, OwnIsolation

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_GIVEN = re.compile(r"BOURRE_.*|PYTHON.*|GRPC_.*|LD_.*|PATH|HOME|LANG|(HTTPS?|ALL|NO)_PROXY", re.IGNORECASE)
"""The variables that the referee sets for every bot, or that would change the bot's supervisor."""


def _is_network(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, list) and value and all(isinstance(word, str) for word in value)):
        return value
    raise PydanticCustomError("network", 'must be true, or a list of hosts and ports such as ["api.example.org:443"]')


NetworkAsked = Annotated[bool | list[str], BeforeValidator(_is_network)]


class OwnIsolationSection(Section):
    """[bots.isolation]: each key replaces that of [isolation] for one bot."""

    level: NamedLevel | None = None
    memory_mib: Annotated[int, Field(ge=64, le=1_048_576)] | None = None
    processes: Annotated[int, Field(ge=16, le=32_768)] | None = None
    disk_mib: Annotated[int, Field(ge=1, le=1_048_576)] | None = None
    image: Word | None = None

    def own(self) -> OwnIsolation:
        """Converts the section."""
        level = Level(self.level) if self.level else None
        return OwnIsolation(level, self.memory_mib, self.processes, self.disk_mib, self.image)


def image_problems(level: str, image: str | None, written: str | None) -> Iterator[tuple[str, str]]:
    """Yields key and text of each conflict between a level and its image, which the section itself may have written."""
    if level == "container" and not image:
        yield "level", 'level = "container" needs an image.\nhint: set image = "..."'
    elif level != "container" and written:
        yield "image", 'image needs level = "container".\nhint: remove image'


def network_problems(written: bool | Sequence[str], level: str) -> Iterator[str]:
    """Yields the text of each problem with the key `network` of a bot at this level."""
    if written and level == "container":
        yield 'a bot in a container has no network.\nhint: set level = "bwrap" in [isolation] or in [bots.isolation]'
    for word in () if isinstance(written, bool) else written:
        try:
            parse_destination(word)
        except ValueError as error:
            yield f"network = [{word!r}]: {error}"


def network_of(written: bool | Sequence[str]) -> Network | None:
    """Converts the key `network`, once it has no problems."""
    if isinstance(written, bool):
        return Network() if written else None
    return Network(tuple(dict.fromkeys(map(parse_destination, written))))


def environment_problems(names: Iterable[str]) -> Iterator[str]:
    """Yields the text of each problem with the names of variables."""
    for name in names:
        if not _VARIABLE.fullmatch(name):
            yield "environment must list names of variables, not their values"
        elif _GIVEN.fullmatch(name):
            yield f"environment = [{name!r}]: Bourré never passes on this variable.\nhint: remove it"


def check_environment(entries: Iterable[BotEntry], environment: Mapping[str, str]) -> None:
    """Raises ContestError if a bot's variable is not set here."""
    for entry in entries:
        for name in entry.environment:
            if name not in environment:
                raise ContestError(
                    f"[[bots]] {entry.name}: environment: the variable {name!r} is not set.\nhint: set it and run again"
                )
