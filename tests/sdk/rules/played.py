"""One match under every preset, with some bad answers, as a SHA-256 of its record and of all that its seats see.

`python -m tests.sdk.rules.played` prints whether the rules are compiled, and then a line for each preset; two builds
of the same rules print the same lines.

"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random

from bench.rules_speed import random_action
from bourre.record import Header, Recorder
from bourre.rules import match as rules
from bourre.rules.actions import Action, Fault, Missing, Play, Unasked
from bourre.rules.cards import cards_in
from bourre.rules.deck import SeededChance
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to

SEATS = 5
DEALS = 40


def played(preset: str, dice: Random) -> Iterator[str]:
    """Everything in a match, as texts; the record comes last."""
    house, seed = HouseRules.preset(preset), bytes(32)
    match = Match(SEATS, DEALS, house, SeededChance(seed))
    recorder = Recorder(Header(preset, ("a", "b", "c", "d", "e"), DEALS, seed, house))
    recorder.note(None, None, match.start())
    while not match.over:
        seat = match.to_act
        yield repr(match.view(seat))
        asked, action = answer(match, dice)
        events = match.apply(asked, action)
        recorder.note(asked, action, events)
        yield from (f"{event!r} {event}" for event in visible_to(seat, events))
    yield recorder.text()


def answer(match: Match, dice: Random) -> tuple[int, Action]:
    """Mostly a legal answer; one in ten is a card of the hand that may be illegal, no answer, or an unasked one."""
    kind, seat = dice.randrange(40), match.to_act
    if kind == 0:
        return seat, Missing(Fault.LATE)
    if kind == 1:
        return dice.randrange(SEATS), Unasked(Fault.PREMATURE)
    if kind in (2, 3) and match.deal.tricks is not None:
        return seat, Play(dice.choice(cards_in(match.deal.hands[seat])))
    return seat, random_action(match.deal, dice.random)


def main() -> None:
    """Prints the lines that the module's docstring describes."""
    print("plain" if str(rules.__file__).endswith(".py") else "compiled")
    for preset in PRESETS:
        *course, record = played(preset, Random(preset))
        print(preset, *(sha256(text.encode()).hexdigest() for text in ("\n".join(course), record)))


if __name__ == "__main__":
    main()
