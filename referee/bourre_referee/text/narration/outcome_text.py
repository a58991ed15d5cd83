"""Put the end of a deal in words: who took the pot, who paid and why, and the balances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bourre.rules.events import DealEnded, FinePaid, MatchEnded, MatchPaid, PotCarried, PotShared, PotTaken
from bourre.rules.pot import UNIT, settle_in_units
from bourre_referee.text.amounts import exact_chips
from bourre_referee.text.narration.deal_story import DealStory
from bourre_referee.text.narration.story_parts import Outcome


def outcome_lines(story: DealStory, names: Sequence[str]) -> Iterator[str]:
    """Yield the settlement of a deal, and after the last one that of the match; `names` by seat."""
    shares = [event for event in story.outcome if isinstance(event, PotShared)]
    for event in story.outcome:
        if not isinstance(event, PotShared):
            yield outcome_words(event, story, names)
        elif event is shares[0]:
            shared = ", ".join(f"{names[share.seat]} {share.chips}" for share in shares)
            yield f"the pot left on the table is shared out (R7.6): {shared}"


def outcome_words(event: Outcome, story: DealStory, names: Sequence[str]) -> str:
    """Put one event of the settlement in words; `story` is the complete deal."""
    match event:
        case PotTaken(seat, chips):
            return _pot_taken_words(seat, chips, story, names)
        case PotCarried():
            return _pot_carried_words(event, story, names)
        case MatchPaid(seat, chips, bourred, reneged):
            why = " and ".join(["bourré, no trick (R7.3)"] * bourred + ["a renege (R8.1)"] * reneged)
            return f"{names[seat]} pays {chips} into {_next_pot(story)}: {why}"
        case FinePaid(seat, chips):
            return f"{names[seat]} pays {chips} into {_next_pot(story)}: fines for faults or corrected reneges (R8.6)"
        case DealEnded():
            return _deal_result_words(event, names) if story.independent else _balance(event, names)
        case MatchEnded(balances):
            return f"the match ends: {_balances(balances, names)}"
        case PotShared(seat, chips):
            return f"{names[seat]} gets {chips} of the pot left on the table (R7.6)"


def _next_pot(story: DealStory) -> str:
    """Name the pot for late payments: a deal settled by itself has no next pot, and shares them out with its own."""
    return "the pot" if story.independent else "the next pot"


def _balance(ended: DealEnded, names: Sequence[str]) -> str:
    return f"balances: {_balances(ended.balances, names)}; pot {ended.pot}"


def _deal_result_words(ended: DealEnded, names: Sequence[str]) -> str:
    """Describe what the deal gave each seat, including its share of the pot."""
    seats = zip(names, settle_in_units(ended.balances, ended.pot), strict=True)
    result = f"the deal ends: {', '.join(f'{name} {exact_chips(units)}' for name, units in seats)}"
    if not ended.pot:
        return result
    share = exact_chips(UNIT // len(names) * ended.pot).removeprefix("+")
    return f"the pot of {ended.pot} that is left is shared equally, {share} each (R7.6); {result}"


def _pot_taken_words(seat: int, chips: int, story: DealStory, names: Sequence[str]) -> str:
    if any(isinstance(event, PotCarried) for event in story.outcome):
        return f"{names[seat]} takes {chips} of the pot of {story.pot}, its share of a split pot (R7.2)"
    limited = chips < story.pot
    pot = f"{chips} of the pot of {story.pot}" if limited else f"the pot of {chips}"
    limit = ", R7.4" * limited
    if not story.tricks:
        return f"{names[seat]}, alone in, takes {pot} (R4.8{limit})"
    most = seat in _most_tricks(story) and len(_most_tricks(story)) == 1
    why = "R7.1" if most else "R8.3: barred seats are left out"
    return f"{names[seat]} takes {pot} with {_tricks(story.seats[seat].tricks)} ({why}{limit})"


def _pot_carried_words(carried: PotCarried, story: DealStory, names: Sequence[str]) -> str:
    stay = f"the pot of {carried.chips} stays"
    if carried.chips < story.pot:
        stay = f"the pot is shared out, {carried.chips or 'nothing'} stays in it"
    if not carried.played:
        return f"nobody plays: {stay} (R4.6)"
    if carried.tied:
        who = " and ".join(names[seat] for seat in carried.tied)
        return f"{who} tie at {_tricks(story.seats[carried.tied[0]].tricks)}: {stay} (R7.2)"
    most = [names[seat] for seat in _most_tricks(story)]
    return f"{' and '.join(most)}, with most tricks, {'is' if len(most) == 1 else 'are'} barred: {stay} (R8.3)"


def _most_tricks(story: DealStory) -> list[int]:
    """Return the seats with most tricks, barred or not."""
    most = max(seat.tricks for seat in story.seats)
    return [number for number in story.order if most and story.seats[number].tricks == most]


def _tricks(number: int) -> str:
    return f"{number} trick{'s' * (number != 1)}"


def _balances(balances: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {chips:+d}" for name, chips in zip(names, balances, strict=True))
