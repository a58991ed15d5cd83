"""`bourre puzzle`: opens a recorded decision as a puzzle, in the browser or the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import RunArgument, Seating, matches, parse_match_id
from bourre_referee.cli.person_seat import InTerminal, OpensBrowser, PagePort, seat_person

if TYPE_CHECKING:
    from bourre.record import Record, RecordedAsk


def puzzle(
    where: RunArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, such as m0001 or 1.", autocompletion=matches)],
    deal: Annotated[int, typer.Option(metavar="N", min=1, help="The deal, counted from 1.")] = 1,
    ask: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="each in turn", help="Which of the bot's asks in the deal."),
    ] = None,
    seating: Seating = None,
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", show_default="the winner", help="The bot in whose seat you sit."),
    ] = None,
    terminal: InTerminal = False,
    port: PagePort = 0,
    browser: OpensBrowser = True,
) -> None:
    """Solve a recorded decision as a puzzle: what would you play?

    You see what the bot's seat saw, no more. After your answer comes the bot's, with its note and what sampled deals
    say of both. Nothing is written.
    """
    from bourre.record import read
    from bourre_referee.cli.repro_text import asks_until, check_ask, find_bot
    from bourre_referee.storage.run import Run
    from bourre_referee.text.narration.spoken_notes import spoken_notes
    from bourre_seats.seat.puzzle import Puzzle, solve
    from bourre_seats.seat.sitting import Sitting

    run, match_id = Run.open(where), parse_match_id(match)
    record = read(run.record(match_id))
    bot = record.final.index(max(record.final)) if name is None else find_bot(record.header, name, ())
    asked = asks_until(record, bot, deal, seating)
    here = sum(one.view.deal == deal for one in asked)
    if ask is not None:
        check_ask(ask, here, deal)
    notes = spoken_notes(record, run.remarks(match_id)).get((deal, asked[-1].seating), ())
    puzzle = Puzzle(
        asked[: len(asked) - here + (ask or here)],
        deal,
        ask,
        {note.number: note.lines for note in notes if note.bot == bot},
    )
    sitting = Sitting(_names_by_seat(record, asked[-1]))
    seat_person(sitting, None if terminal else port, solve(puzzle, sitting), opens=browser)


def _names_by_seat(record: "Record", ask: "RecordedAsk") -> tuple[str, ...]:
    """Return the names of the seats at the table of this ask."""
    from bourre_referee.text.names import seat_names

    names = seat_names(record.header.bots)
    line_ups = (one.line_up for one in record.deals if (one.deal, one.seating) == (ask.view.deal, ask.seating))
    line_up = next(line_ups, None)
    return names if line_up is None else tuple(names[number] for number in line_up)
