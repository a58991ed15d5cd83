"""Who takes and pays what: `bourre rules settle`."""

from __future__ import annotations

from bourre.rules.house import MAX_SEATS
from bourre.rules.pot import settle
from bourre_referee.cli.rules_json.json_question import Question

KEYS = ("pot", "tricks", "uncorrected", "corrected", "house")


def settlement(line: str) -> dict[str, object]:
    """How a deal ends in chips (R7, R8). `pot` and `tricks`, by the name of each seat that played, must be there.

    Raises what a Question raises.
    """
    question = Question(line, KEYS)
    house = question.house()
    tricks = question.counts("tricks", house.cards)
    if len(tricks) > MAX_SEATS:
        question.refuse(f"'tricks' names {len(tricks)} seats: {MAX_SEATS} at most can play")
    if sum(tricks.values()) > house.cards:
        question.refuse(f"'tricks' holds {sum(tricks.values())} tricks: a deal has {house.cards}")
    settled = settle(
        question.number("pot", 0),
        tricks,
        _of_those(question, "uncorrected", tricks),
        _of_those(question, "corrected", tricks),
        house,
    )
    return {
        "winner": settled.winner,
        "taken": settled.taken,
        "carry": settled.carry,
        "payments": settled.payments,
        "exempt": settled.exempt,
        "tied": settled.tied,
        "forfeit_deal": settled.forfeit_deal,
        "next_pot": settled.next_pot,
    }


def _of_those(question: Question, key: str, tricks: dict[str, int]) -> list[str]:
    names = question.names(key)
    for name in names:
        if name not in tricks:
            question.refuse(f"{key!r} names {name!r}, who is not in 'tricks': only who played can renege")
    return names
