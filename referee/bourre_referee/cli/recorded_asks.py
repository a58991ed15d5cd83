"""Texts of `bourre debug`: the asks to choose from, and the bot's answer beside the recorded one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from traceback import format_exception

from bourre.bot_code.decisions import BotError
from bourre.practice.repro import Repetition, Reproduction, recorded_answers
from bourre.record import Header, Record, RecordedAsk, asks
from bourre.words.table_words import CodeWriter, describe_cards
from bourre.words.view_notation import view_text
from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.model.errors import ContestError
from bourre_referee.text.names import printable, seat_names
from bourre_referee.text.narration.spoken_notes import SpokenNotes


def bot_index(header: Header, name: str | None, of_file: Sequence[str]) -> int:
    """Returns the index of the named bot in the header; None as a name: by its file's names. Raises ContestError."""
    names = seat_names(header.bots)
    wanted = of_file if name is None else [name]
    found = {number for number, bot in enumerate(header.bots) if bot in wanted or names[number] in wanted}
    if len(found) == 1:
        return found.pop()
    there = ", ".join(names)
    if found:
        raise ContestError(
            f"Match {header.match} has several bots of that name. Bots: {there}.\nhint: pass one with --as"
        )
    raise ContestError(
        f"Match {header.match} has no bot {printable(wanted[0])!r}. Bots: {there}.\nhint: pass one with --as"
    )


def asks_until(record: Record, bot: int, deal: int, seating: int | None) -> list[RecordedAsk]:
    """Returns this bot's asks, from the first that it remembers to the last of the deal.

    In format `duplicate`, None as a seating means the first. Raises ContestError if the deal has no ask.
    """
    header = record.header
    _check(header, deal, seating)
    chosen = (seating or 1) if header.format == "duplicate" else None
    found = list(takewhile(lambda ask: ask.view.deal <= deal, asks(record, bot, deal, chosen)))
    if not found or found[-1].view.deal != deal:
        raise ContestError(f"Match {header.match}: this bot decided nothing in deal {deal}.\nhint: use another --deal")
    return found


def _check(header: Header, deal: int, seating: int | None) -> None:
    if deal > header.deals:
        raise ContestError(f"Match {header.match} has no deal {deal}.\nhint: use --deal 1 to {header.deals}")
    if seating is not None and header.format != "duplicate":
        raise ContestError(f"Match {header.match}: a deal of format session is played once.\nhint: remove --seating")
    if seating is not None and seating > len(header.bots):
        raise ContestError(
            f"Match {header.match} has no seating {seating}.\nhint: use --seating 1 to {len(header.bots)}"
        )


def check_ask(ask: int, asked: int, deal: int) -> None:
    """Raises BadUsage if a bot that was asked so often in this deal has no such ask."""
    if ask > asked:
        times = "once" if asked == 1 else f"{asked} times"
        raise BadUsage(
            f"In deal {deal} this bot was asked {times}, so there is no decision {ask}.\n"
            "hint: remove --ask to list them"
        )


NOTHING = "no answer"


def ask_lines(asks: Sequence[RecordedAsk], notes: SpokenNotes, text: CodeWriter) -> Iterator[str]:
    """Yields a line for each ask of a deal: its number, the decision, the answer, the cards; below, the bot's notes."""
    rows = [
        (
            str(ask.number),
            str(ask.view.decision),
            text(_format_answers(recorded_answers(ask))),
            text(describe_cards(ask.view)),
        )
        for ask in asks
    ]
    rows.insert(0, ("ask", "decision", "answer", "seen"))
    w = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [f"{number:>{w[0]}}  {decision:{w[1]}}  {answer:{w[2]}}  {seen}" for number, decision, answer, seen in rows]
    yield lines[0]
    for ask, line in zip(asks, lines[1:], strict=True):
        yield line
        yield from said_lines(ask, notes, " " * (w[0] + 2))


def said_lines(ask: RecordedAsk, notes: SpokenNotes, indent: str) -> Iterator[str]:
    """Yields the note that came with the recorded answer, if any."""
    for note in notes.get((ask.view.deal, ask.seating), ()):
        if note.number == ask.place:
            yield from (f"{indent}note: {line}" for line in note.lines)


def reproduction_lines(reproduction: Reproduction, bot: str, notes: SpokenNotes, text: CodeWriter) -> Iterator[str]:
    """Yields the bot's answer now, beside the recorded one and the note on that."""
    if other := reproduction.otherwise:
        place = f"ask {other.ask.number} of deal {other.ask.view.deal}"
        yield f"note: from {place} on, {printable(bot)} decides differently: {text(_beside(other))}."
        yield "      It still gets the recorded events."
    wanted = reproduction.wanted
    ask = wanted.ask
    yield f"{ask.view.decision}: {text(describe_cards(ask.view))}"
    yield f"recorded: {text(_format_answers(recorded_answers(ask)))}"
    yield from said_lines(ask, notes, "  ")
    yield f"now:      {text(f'{_format_answers(wanted.said)}, {_describe_verdict(wanted)}')}"
    if wanted.error and not isinstance(wanted.error, BotError):
        yield from _traceback(wanted.error)
    yield f'as a test: view("{view_text(ask.view)}")'


def _traceback(error: BaseException) -> Iterator[str]:
    """Yields the traceback from the bot's own first line on."""
    at = error.__traceback__
    while at and at.tb_next and str(at.tb_frame.f_globals.get("__name__")).startswith(("bourre.", "bourre_lab.")):
        at = at.tb_next
    yield from "".join(format_exception(type(error), error, at)).splitlines()


def _describe_verdict(repetition: Repetition) -> str:
    same = "the same" if repetition.same else "another answer"
    if repetition.problem:
        return f"{same}: {repetition.problem}" if repetition.said else repetition.problem
    return f"{same}, legal"


def _beside(repetition: Repetition) -> str:
    said = _format_answers(repetition.said) if repetition.said else repetition.problem
    return f"{said}, not {_format_answers(recorded_answers(repetition.ask))}"


def _format_answers(answers: tuple[object, ...]) -> str:
    return ", ".join(map(str, answers)) or NOTHING
