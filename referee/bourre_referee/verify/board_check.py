"""Computes the boards of a ladder again, from its log and its games, and compares them with the files."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path

from bourre_referee.ladder.board.live_ratings import Refit, refit
from bourre_referee.ladder.host.board_file import (
    BoardFile,
    board_file,
    lacks_ties,
    last_board_file,
    parse_board,
    provable_values,
    without_ties,
)
from bourre_referee.ladder.host.board_keeper import BoardKeeper
from bourre_referee.ladder.host.ladder_entries import anchors_of
from bourre_referee.ladder.host.ladder_file import BoardSettings
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_terms import logged_settings
from bourre_referee.ladder.host.open_epochs import GameReader
from bourre_referee.ladder.log.event_log import Logged, LogReader
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import read
from bourre_referee.verify.difference import Difference, json_differences
from bourre_referee.verify.verify_text import Unchecked

TOLERANCE = 1e-6
"""The tolerance: ratings on a board are not rounded, and processors differ in their last digits."""


@dataclass(frozen=True, slots=True)
class CheckedBoard:
    """A board file that follows from the log and the games."""

    name: str
    line: int
    """The line of the log after which the board was written."""
    games: int
    """How many rated games it counts."""
    logged: str | None
    """Its SHA-256, if the log has it."""


def check_boards(ladder: LadderFolder, state: LadderState) -> Iterator[CheckedBoard | Unchecked]:
    """Yields each file with a board, or the reason why it cannot be checked. `state` is that of the whole log."""
    for season in range(1, state.seasons.last):
        yield from _check_file(ladder, ladder.last_board(season), season, state)
    if state.seasons.last:
        yield from _check_file(ladder, ladder.board, None, state)


def _check_file(
    ladder: LadderFolder, path: Path, season: int | None, state: LadderState
) -> Iterator[CheckedBoard | Unchecked]:
    hashes = state.seasons.last_boards.get(season or 0, ())
    try:
        text = read(path)
        found = parse_board(text, path)
    except OSError as error:
        if hashes:
            raise Difference(f"{path.name} cannot be read ({error.strerror}), but the log has its hash") from error
        yield Unchecked(path.name, "the file is missing: the host writes it with bourre ladder start")
        return
    except ContestError as error:
        raise Difference(f"{path.name} is not a board: {error}") from error
    logged = sha256(text).hexdigest()
    if hashes and logged not in hashes:
        raise Difference(f"{path.name} has the SHA-256 {logged}, should be {hashes[-1]} as in the log")
    if season is not None and not hashes:
        yield Unchecked(f"hash of {path.name}", "missing in the log, because an older version wrote that board")
    at = _state_at(ladder, max(0, found.events))
    settings = logged_settings(at.terms_set)
    if why := _why_not(found, season, at, state):
        yield Unchecked(path.name, why)
    elif settings is None:
        yield Unchecked(path.name, "an older version wrote the log, without the board's settings")
    else:
        _compare(ladder, settings, found, season, path.name)
        if lacks_ties(found):
            yield Unchecked(f"ties of {path.name}", "an older version computed them by another method")
        games = sum(each.games for each in found.boards)
        yield CheckedBoard(path.name, found.events, games, logged if hashes else None)


def _why_not(found: BoardFile, season: int | None, at: LadderState, state: LadderState) -> str:
    """Returns the reason why a board cannot be computed from the state at its line, or an empty text.

    Raises Difference if the log has no such line.
    """
    if not found.events and not state.seasons.last_boards:
        return "an older version wrote it without its line of the log (bourre ladder start writes it again)"
    if not 0 < found.events <= state.events:
        raise Difference(f"a board is of line {found.events} of the log, which has {state.events} lines")
    if any(each.is_stale for each in found.boards) and at.seasons.voided:
        return "it contains an annulled game until the host computes its ratings again"
    if season is not None and _taken_back(state, season) > _taken_back(at, season):
        return "one of its games was annulled later: bourre ladder start writes it again"
    return ""


def _taken_back(state: LadderState, season: int) -> set[int]:
    """Returns the rooms of a season whose matches were annulled."""
    places = ((room, state.seasons.place_of(room)) for room in state.seasons.voided)
    return {room for room, place in places if place and state.seasons.epochs[place.epoch - 1].season == season}


def _events(ladder: LadderFolder, count: int) -> Iterator[Logged]:
    reader = LogReader()
    for line, _ in islice(ladder.lines.read_after(0), count):
        yield reader.read(line.decode("ascii", "replace").removesuffix("\n"))


def _state_at(ladder: LadderFolder, line: int) -> LadderState:
    state = LadderState()
    for logged in _events(ladder, line):
        state.apply(logged.event)
    return state


def _compare(ladder: LadderFolder, settings: BoardSettings, found: BoardFile, season: int | None, name: str) -> None:
    """Computes a board again as the host did: the games of its last fit at once, and each later one in order."""
    counted = _keeper(ladder, settings, {})
    counted.hear(_events(ladder, found.events), is_past=True)
    number = season or counted.state.seasons.last
    again = _keeper(ladder, settings, _refits(counted, settings, found, number, name))
    again.hear(_events(ladder, found.events))
    boards = again.seasons[number].boards
    for board in boards.values():
        board.ratings.adopt(board.ratings.refit)  # leaves out later games that were annulled
    if season is None:
        true = board_file(found.ladder, found.at, boards, again.state)
    else:
        true = last_board_file(found.ladder, found.at, season, boards, again.state)
    if lacks_ties(found):
        found, true = without_ties(found), without_ties(true)
    for difference in json_differences(provable_values(found), provable_values(true), TOLERANCE):
        raise Difference(f"{name}: {difference}")


def _keeper(ladder: LadderFolder, settings: BoardSettings, refits: dict[tuple[int, str], Refit]) -> BoardKeeper:
    return BoardKeeper(settings, GameReader(ladder).read, ThreadPoolExecutor(1), refits)  # never refits on its own


def _refits(
    counted: BoardKeeper, settings: BoardSettings, found: BoardFile, season: int, name: str
) -> dict[tuple[int, str], Refit]:
    """Returns the last fits of a board. They cover the games of other seasons, so that those are not rated."""
    fits = {
        (number, clock_class): Refit(len(each.outcomes(clock_class)))
        for number, each in counted.seasons.items()
        for clock_class in each.boards
    }
    anchors = anchors_of(counted.state, settings.anchors)
    for board in found.boards:
        key = season, board.clock_class
        if key not in fits or not 0 <= board.refit_games <= fits[key].games:
            raise Difference(f"{name}: {board.refit_games} games of class {board.clock_class!r}, but the log has fewer")
        games = counted.seasons[season].outcomes(board.clock_class)[: board.refit_games]
        fits[key] = refit(games, anchors, counted.seasons[season].void_rooms)
    return fits
