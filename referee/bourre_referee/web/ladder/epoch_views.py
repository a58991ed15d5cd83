"""The list of epochs, with all that a stranger needs to verify each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.contest.stages import match_id
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.seasons import Epoch, epoch_name
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.web.ladder.ladder_reader import LadderNow

PARTS = ("manifest.json", "run.db", "standings.json")
"""The files of an epoch's run folder for verification. They are public once its seed is."""


@dataclass(frozen=True, slots=True)
class EpochPart:
    """The rated, or the unrated, rooms of an epoch."""

    name: str
    """`1` or `1-unrated`, as in addresses."""
    folder: str
    """The name of its run folder."""
    commitment: str
    digest: str
    """Empty until it is closed, and if it had no room."""
    seed: str
    """Empty until it is revealed."""
    files: tuple[str, ...]
    """The names of the files to download."""


@dataclass(frozen=True, slots=True)
class VoidedMatch:
    """A match that the host annulled."""

    part: str
    """The name of its part of the epoch."""
    match: str
    reason: str


@dataclass(frozen=True, slots=True)
class EpochView:
    """One epoch."""

    number: int
    season: int
    rooms: int
    opened_at: str
    closed_at: str
    """Empty while it is open."""
    parts: tuple[EpochPart, ...]
    voided: tuple[VoidedMatch, ...]


class EpochViews:
    """Makes the list, and reads the seed of a closed epoch once."""

    def __init__(self, folder: LadderFolder) -> None:
        self._folder = folder
        self._closed: dict[tuple[int, bool], tuple[str, tuple[str, ...]]] = {}

    def all(self, now: LadderNow) -> list[EpochView]:
        """Returns all epochs, newest first."""
        return self.newest(now, 0, len(now.state.seasons.epochs))

    def newest(self, now: LadderNow, older_than: int, most: int) -> list[EpochView]:
        """Returns at most so many epochs, newest first, without the newest ones that come before them."""
        epochs = now.state.seasons.epochs[::-1][older_than : older_than + most]
        return [self._view(now, epoch) for epoch in epochs]

    def _view(self, now: LadderNow, epoch: Epoch) -> EpochView:
        closed, opened = epoch.closed, epoch.opened
        return EpochView(
            number=epoch.number,
            season=epoch.season,
            rooms=epoch.rooms,
            opened_at=now.history.opened_at[epoch.number],
            closed_at=now.history.closed_at.get(epoch.number, ""),
            parts=(
                self._part(epoch, True, opened.commitment, closed.digest if closed else ""),
                self._part(epoch, False, opened.unrated_commitment, closed.unrated_digest if closed else ""),
            ),
            voided=tuple(_voided(epoch, now.state.seasons.voided)),
        )

    def _part(self, epoch: Epoch, rated: bool, commitment: str, digest: str) -> EpochPart:
        place = self._folder.epoch(epoch.number, rated=rated)
        seed, files = self._revealed(epoch, rated, place) if epoch.closed else ("", ())
        name = epoch_name(epoch.number, rated=rated)
        return EpochPart(_part_name(epoch, rated), name, commitment, digest, seed, files)

    def _revealed(self, epoch: Epoch, rated: bool, place: RunLocation) -> tuple[str, tuple[str, ...]]:
        key = (epoch.number, rated)
        if key not in self._closed:
            seed = place.read_manifest().seed.revealed or ""
            files = _files_in(place.folder) if seed and place.folder else ()
            self._closed[key] = (seed, files)
        return self._closed[key]


def _files_in(folder: Path) -> tuple[str, ...]:
    return tuple(name for name in PARTS if (folder / name).is_file())


def _part_name(epoch: Epoch, rated: bool) -> str:
    return f"{epoch.number}{'' if rated else '-unrated'}"


def _voided(epoch: Epoch, voided: Mapping[int, str]) -> Iterator[VoidedMatch]:
    for room, reason in sorted(voided.items()):
        if room in epoch:
            place = epoch.place(room)
            yield VoidedMatch(_part_name(epoch, place.rated), match_id(place.match), reason)
