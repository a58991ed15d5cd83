"""`bourre play --puzzle`: a recorded decision for a person to solve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bourre_referee.cli.arguments import parse_match_id
from bourre_referee.cli.person_seat import seat_person

if TYPE_CHECKING:
    from bourre.record import Record, RecordedAsk
    from bourre_referee.storage.run.run_location import RunLocation


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """Which decision is asked: all of the winner's in a deal, if nothing is said."""

    where: RunLocation
    match: str
    deal: int
    ask: int | None
    seating: int | None
    name: str | None


def pose_puzzle(choice: PuzzleChoice, port: int | None, *, opens: bool) -> None:
    """Asks a person, in the browser or without a port in the terminal."""
    from bourre.record import read
    from bourre_referee.cli.recorded_asks import asks_until, bot_index, check_ask
    from bourre_referee.storage.run.run import Run
    from bourre_referee.text.narration.spoken_notes import spoken_notes
    from bourre_seats.seat.puzzle import Puzzle, solve
    from bourre_seats.seat.sitting import Sitting

    run, match_id = Run.open(choice.where), parse_match_id(choice.match)
    record = read(run.record(match_id))
    bot = record.final.index(max(record.final)) if choice.name is None else bot_index(record.header, choice.name, ())
    asked = asks_until(record, bot, choice.deal, choice.seating)
    here = sum(one.view.deal == choice.deal for one in asked)
    if choice.ask is not None:
        check_ask(choice.ask, here, choice.deal)
    notes = spoken_notes(record, run.remarks(match_id)).get((choice.deal, asked[-1].seating), ())
    puzzle = Puzzle(
        asked[: len(asked) - here + (choice.ask or here)],
        choice.deal,
        choice.ask,
        {note.number: note.lines for note in notes if note.bot == bot},
    )
    sitting = Sitting(_names_by_seat(record, asked[-1]))
    seat_person(sitting, port, solve(puzzle, sitting), opens=opens)


def _names_by_seat(record: Record, ask: RecordedAsk) -> tuple[str, ...]:
    """Returns the names of the seats at the table of this ask."""
    from bourre_referee.text.names import seat_names

    names = seat_names(record.header.bots)
    line_ups = (one.line_up for one in record.deals if (one.deal, one.seating) == (ask.view.deal, ask.seating))
    line_up = next(line_ups, None)
    return names if line_up is None else tuple(names[number] for number in line_up)
