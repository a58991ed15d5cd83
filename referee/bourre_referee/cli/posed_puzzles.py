"""The puzzles of a run: one decision as it is posed, and the decisions that a day draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

from bourre.record import Record, RecordedAsk, asks, read
from bourre.rules.actions import Missing, Play
from bourre_referee.cli.recorded_asks import asks_until, check_ask
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.events_by_deal import place_of
from bourre_referee.text.narration.spoken_notes import spoken_notes
from bourre_referee.web.viewer.replay_html import render_standalone
from bourre_seats.seat.hints import give_hint
from bourre_seats.seat.puzzle import Puzzle

SCREENING: Final = 64
"""The sampled deals that tell whether a decision has one best choice."""
TRIES: Final = 10
"""The bots without a new puzzle, one after another, after which a run has no more."""
MOST_TRIED: Final = 6
"""The decisions of one bot that are looked at."""
LEAST_LAG: Final = 0.5
"""The chips by which the best choice must be better than the second one."""


@dataclass(frozen=True, slots=True)
class PosedPuzzle:
    """A puzzle, and its place in the run."""

    puzzle: Puzzle
    names: tuple[str, ...]
    """The names of the seats."""
    title: str
    kicker: str
    record: Record

    def replay(self) -> str:
        """Returns the page that replays its deal."""
        return render_standalone(self.record, self.puzzle.deal)


def pose(
    run: Run,
    record: Record,
    bot: int,
    deal: int,
    ask: int | None,
    seating: int | None,
    kicker: str = "From a real deal",
) -> PosedPuzzle:
    """Poses one ask of a bot in a deal, or each in turn. Raises BadUsage or ContestError if there is none."""
    asked = asks_until(record, bot, deal, seating)
    here = sum(one.view.deal == deal for one in asked)
    if ask is not None:
        check_ask(ask, here, deal)
    match, names = record.header.match, seat_names(record.header.bots)
    notes = spoken_notes(record, run.remarks(match)).get((deal, asked[-1].seating), ())
    puzzle = Puzzle(
        asked[: len(asked) - here + (ask or here)],
        deal,
        ask,
        {note.number: note.lines for note in notes if note.bot == bot},
    )
    title = f"{names[bot]}'s seat, match {match}, {place_of(deal, asked[-1].seating)}"
    return PosedPuzzle(puzzle, _names_by_seat(record, asked[-1]), title, kicker, record)


def _names_by_seat(record: Record, ask: RecordedAsk) -> tuple[str, ...]:
    """Returns the names of the seats at the table of this ask."""
    names = seat_names(record.header.bots)
    line_ups = (one.line_up for one in record.deals if (one.deal, one.seating) == (ask.view.deal, ask.seating))
    line_up = next(line_ups, None)
    return names if line_up is None else tuple(names[number] for number in line_up)


def draw_puzzles(run: Run, day: date) -> Iterator[PosedPuzzle]:
    """Yields puzzles of a run, the same ones all day for everybody with the same run; the first is the day's."""
    seed = run.manifest.digest or run.manifest.seed.commitment
    chance, matches = Random(f"{seed} {day.isoformat()}"), run.matches()
    posed = set[tuple[str, int, int, int | None, int]]()
    fruitless = 0
    while matches and fruitless < TRIES:
        record = read(run.record(chance.choice(matches)))
        bot = chance.randrange(len(record.header.bots))
        ask = _find_one(record, bot, chance)
        place = (record.header.match, bot, ask.view.deal, ask.seating, ask.number) if ask else None
        if ask is None or place is None or place in posed:
            fruitless += 1
            continue
        posed.add(place)
        fruitless = 0
        kicker = f"Puzzle {len(posed)}" if len(posed) > 1 else f"Puzzle of the day, {day.day} {day:%B %Y}"
        yield pose(run, record, bot, ask.view.deal, ask.number, ask.seating, kicker)


def _find_one(record: Record, bot: int, chance: Random) -> RecordedAsk | None:
    """Returns a decision of this bot with one best choice; None if a few random ones have none."""
    fit = [*filter(_is_fit, asks(record, bot))]
    tried = chance.sample(fit, min(MOST_TRIED, len(fit)))
    return next(filter(_has_one_best, tried), None)


def _is_fit(ask: RecordedAsk) -> bool:
    """Whether this is a lawful choice between several, in a deal in which nobody has broken a rule."""
    view, action = ask.view, ask.action
    plain = not isinstance(action, Missing) and ask.recall is None and view.correcting is None and not view.barred
    several = view.decision != "play" or len(view.legal) > 1
    return plain and several and (not isinstance(action, Play) or action.card in view.legal)


def _has_one_best(ask: RecordedAsk) -> bool:
    best, *others = give_hint(ask.view, SCREENING).estimates
    return best.is_best and all(one.lag >= LEAST_LAG and not one.is_best for one in others)
