"""Opens the door of a contest, and invites its remote bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.listen import settings_for_authors
from bourre_referee.model.door_spec import DoorSpec
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.door_process import DoorProcess
from bourre_referee.runner.invitations import Invitation, invite
from bourre_referee.storage.door_port import read_port, write_port
from bourre_referee.storage.folder_location import FolderLocation


@dataclass(frozen=True, slots=True)
class OpenDoor:
    """A door that listens, and what the authors of its bots must know."""

    door: DoorProcess
    invitations: tuple[Invitation, ...]
    notices: tuple[str, ...]
    """What went otherwise than bots expect that were invited before."""


@contextmanager
def open_door(contest: Contest, layout: FolderLocation, environment: Mapping[str, str]) -> Iterator[OpenDoor]:
    """Opens the door of a contest with remote bots; see `DoorProcess` for its end, and for what it raises.

    If any port will do, the one that bots know from before is tried first.
    """
    tokens = invite(contest.remote_bots, layout.tokens)
    spec = DoorSpec(contest.name, contest.remote_bots, contest.clock, contest.listen, layout.tokens)
    with open_at_known_port(spec, layout.door_port, environment) as (door, notices):
        settings = settings_for_authors(contest.listen, door.listen.address, tokens)
        invitations = tuple(Invitation(bot, settings[bot], token) for bot, token in tokens.items())
        yield OpenDoor(door, invitations, notices)


@contextmanager
def open_at_known_port(
    spec: DoorSpec, file: Path, environment: Mapping[str, str]
) -> Iterator[tuple[DoorProcess, tuple[str, ...]]]:
    """Opens a door; if any port will do, the one in this file is tried first. Yields also what the host must know."""
    before = read_port(file) if spec.listen.port == 0 else None
    with _at_port(before, spec, environment) as door:
        now = door.listen.port
        if spec.listen.port == 0:
            write_port(file, now)
        moved = f"port {before} is taken: bots that dial it must be started again with port {now}"
        yield door, (moved,) if before not in (None, now) else ()


def _at_port(port: int | None, spec: DoorSpec, environment: Mapping[str, str]) -> DoorProcess:
    """Opens the door at this port or, if it cannot be had, at any."""
    if port is not None:
        try:
            return DoorProcess(replace(spec, listen=spec.listen.at_port(port)), environment)
        except ContestError:  # the caller tells bots of the other port
            return DoorProcess(spec, environment)
    return DoorProcess(spec, environment)
