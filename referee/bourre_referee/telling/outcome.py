"""How a deal ended in chips, in words: who took the pot, who paid and why, what everybody has now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bourre.rules.events import DealEnded, MatchEnded, MatchPaid, PotCarried, PotShared, PotTaken
from bourre_referee.telling.story import DealStory, Outcome


def outcome_lines(story: DealStory, names: Sequence[str]) -> Iterator[str]:
    """The settlement of a deal, and after the last one that of the match; `names` by seat."""
    shares = [event for event in story.outcome if isinstance(event, PotShared)]
    for event in story.outcome:
        if not isinstance(event, PotShared):
            yield _words(event, story, names)
        elif event is shares[0]:
            shared = ", ".join(f"{names[share.seat]} {share.chips}" for share in shares)
            yield f"the pot left on the table is shared out (R7.6): {shared}"


def _words(event: Outcome, story: DealStory, names: Sequence[str]) -> str:
    match event:
        case PotTaken(seat, chips):
            return _taking(seat, chips, story, names)
        case PotCarried(chips, tied):
            return _carrying(chips, tied, story, names)
        case MatchPaid(seat, chips, bourred, reneged):
            why = " and ".join(["bourré, no trick (R7.3)"] * bourred + ["a renege (R8.1)"] * reneged)
            return f"{names[seat]} pays {chips} into the next pot: {why}"
        case DealEnded(_, balances, pot):
            return f"balances: {_balances(balances, names)}; pot {pot}"
        case MatchEnded(balances):
            return f"the match ends: {_balances(balances, names)}"
        case PotShared():
            return str(event)


def _taking(seat: int, chips: int, story: DealStory, names: Sequence[str]) -> str:
    limited = chips < story.pot
    pot = f"{chips} of the pot of {story.pot}" if limited else f"the pot of {chips}"
    limit = ", R7.4" * limited
    if not story.tricks:
        return f"{names[seat]}, alone in, takes {pot} (R4.8{limit})"
    return f"{names[seat]} takes {pot} with {_tricks(story.seats[seat].tricks)} (R7.1{limit})"


def _carrying(chips: int, tied: Sequence[int], story: DealStory, names: Sequence[str]) -> str:
    if not tied:
        return f"who has most tricks is barred: the pot of {chips} stays (R8.3)"
    who = " and ".join(names[seat] for seat in tied)
    return f"{who} tie at {_tricks(story.seats[tied[0]].tricks)}: the pot of {chips} stays (R7.2)"


def _tricks(number: int) -> str:
    return f"{number} trick{'s' * (number != 1)}"


def _balances(balances: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {chips:+d}" for name, chips in zip(names, balances, strict=True))
