"""`bourre play --puzzle`: recorded decisions for a person to solve, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING

from bourre_referee.cli.arguments import parse_match_id
from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.cli.person_seat import seat_person

if TYPE_CHECKING:
    from bourre_referee.cli.posed_puzzles import PosedPuzzle
    from bourre_referee.storage.run.run import Run
    from bourre_referee.storage.run.run_location import RunLocation
    from bourre_seats.seat.interlude import Wish
    from bourre_seats.seat.sitting import Sitting


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """Which decision is asked first: all of the winner's in a deal of a match, or without a match, the day's."""

    where: RunLocation
    match: str | None
    deal: int | None
    ask: int | None
    seating: int | None
    name: str | None


def pose_puzzles(choice: PuzzleChoice, ports: Sequence[int], day: date, *, opens: bool) -> None:
    """Asks a person, in the browser or without ports in the terminal, until the person leaves."""
    from bourre_referee.cli.posed_puzzles import draw_puzzles
    from bourre_referee.model.errors import ContestError
    from bourre_referee.storage.run.run import Run
    from bourre_seats.seat.sitting import Sitting

    run = Run.open(choice.where)
    drawn = draw_puzzles(run, day)
    first = _chosen(run, choice) if choice.match is not None else next(drawn, None)
    if choice.match is None and any((choice.deal, choice.ask, choice.seating, choice.name)):
        raise BadUsage("--deal, --ask, --seating and --as need MATCH.\nhint: bourre play --puzzle runs/demo m0001")
    if first is None:
        raise ContestError(f"{choice.where} has no decision with one best choice.\nhint: pass a MATCH")
    sitting = Sitting()
    seat_person(sitting, ports, _solve_on(chain([first], drawn), sitting), opens=opens)


def _chosen(run: Run, choice: PuzzleChoice) -> PosedPuzzle:
    from bourre.record import read
    from bourre_referee.cli.posed_puzzles import pose
    from bourre_referee.cli.recorded_asks import bot_index

    match_id = parse_match_id(choice.match or "")
    record = read(run.record(match_id))
    bot = record.final.index(max(record.final)) if choice.name is None else bot_index(record.header, choice.name, ())
    return pose(run, record, bot, choice.deal or 1, choice.ask, choice.seating)


async def _solve_on(puzzles: Iterator[PosedPuzzle], sitting: Sitting) -> None:
    """Poses puzzle after puzzle. Each is drawn while the person solves the one before."""
    import asyncio

    from bourre_seats.seat.puzzle import solve

    posed = next(puzzles, None)
    while posed is not None:
        sitting.name(posed.title, posed.kicker, posed.names)
        drawing = asyncio.ensure_future(asyncio.to_thread(next, puzzles, None))
        if not await solve(posed.puzzle, sitting):
            break
        following = await drawing
        offers: tuple[Wish, ...] = ("leave",) if following is None else ("next", "leave")
        if await sitting.interlude.offer(offers, posed.replay()) == "leave":
            break
        sitting.begin_another()
        posed = following
    sitting.finish("Goodbye.")
