"""A second judge of R5 and R6, written from docs/rules.md alone: lists of card texts, and no code of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bourre.rules.house import HouseRules

ORDER = "23456789TJQKA"
VALUE = {rank: ORDER.index(rank) for rank in ORDER}


@dataclass(frozen=True, slots=True)
class Case:
    """A seat about to play, in the terms of docs/rules.md."""

    hand: list[str]
    trick: list[str]
    """Cards played so far, in order."""
    trump: str
    playing: int
    won: int
    seen: list[str]
    """Cards of completed tricks."""
    dead: list[str]
    keys: HouseRules

    def of_suit(self, suit: str) -> list[str]:
        """The cards of the hand of this suit."""
        return [card for card in self.hand if card[1] == suit]

    @property
    def trumps(self) -> list[str]:
        """T of R6.1."""
        return self.of_suit(self.trump)

    @property
    def live(self) -> list[str]:
        """U of R6.1: trumps not in hand, not in a completed trick, not in this trick, not turned up as nobody's."""
        gone = [*self.hand, *self.seen, *self.trick, *self.dead]
        return [rank + self.trump for rank in ORDER if rank + self.trump not in gone]

    def wins_over_all_in_the_trick(self, card: str) -> bool:
        """R5.1: highest trump, else the highest of the suit led."""
        led, trumps = self.trick[0][1], [other for other in self.trick if other[1] == self.trump]
        if card[1] == self.trump:
            return all(higher(card, other) for other in trumps)
        return card[1] == led and not trumps and all(higher(card, other) for other in self.trick if other[1] == led)


def higher(card: str, other: str) -> bool:
    """Whether a card outranks another."""
    return VALUE[card[0]] > VALUE[other[0]]


def verdicts(case: Case) -> dict[str, str | None]:
    """For each card of the hand the first rule that it breaks; None if it may be played (R8)."""
    demanded = cinch_cards(case)
    return {card: next(objections(card, demanded, case), None) for card in case.hand}


def objections(card: str, demanded: list[str], case: Case) -> Iterator[str]:
    """Every rule that forbids this card, in the order in which they are reported."""
    if case.trick:
        yield from objections_to_following(card, case)
    elif against_honours(card, case):
        yield "R5.6"
    if demanded and card not in demanded:
        yield "R6.2"


def objections_to_following(card: str, case: Case) -> Iterator[str]:
    """R5.2 to R5.4."""
    able_to_follow = case.of_suit(case.trick[0][1])
    if able_to_follow and card not in able_to_follow:
        yield "R5.2"
    wins = case.wins_over_all_in_the_trick
    if case.keys.must_beat and card in able_to_follow and any(map(wins, able_to_follow)) and not wins(card):
        yield "R5.3"
    if not able_to_follow and case.trumps and not trumping_well(card, case):
        yield "R5.4"


def trumping_well(card: str, case: Case) -> bool:
    """R5.4, for a seat that cannot follow and holds a trump."""
    keys = case.keys
    if keys.must_trump == "never":
        return True
    if any(map(case.wins_over_all_in_the_trick, case.trumps)):
        if keys.must_beat and keys.must_overtrump:
            return case.wins_over_all_in_the_trick(card)
        return card[1] == case.trump
    return keys.must_trump == "if_can_win" or card[1] == case.trump


def against_honours(card: str, case: Case) -> bool:
    """R5.6: `lead_honour`, for a seat on lead."""
    keys = case.keys
    honours = [rank + case.trump for rank in "AKQ" if rank + case.trump in case.hand]
    if keys.lead_honour == "none" or not honours or (keys.lead_honour_when == "first" and case.seen):
        return False
    return card not in (honours if keys.lead_honour == "any" else honours[:1])


def cinch_cards(case: Case) -> list[str]:
    """R6.2 and R6.3: the trumps of which one must be played; empty if the seat is free."""
    last = bool(case.trick) and len(case.trick) + 1 == case.playing
    allowed = allowed_by_r5(case)
    if last or not any(card[1] == case.trump for card in allowed) or not cinch(case):
        return []
    live = case.live
    trumps = sorted(case.trumps, key=lambda card: VALUE[card[0]], reverse=True)
    demanded = trumps[:1]
    for trump in trumps[1:] if case.keys.cinch_adjacent else []:
        between = ORDER[VALUE[trump[0]] : VALUE[demanded[0][0]]]
        if not any(rank + case.trump in live for rank in between):
            demanded.append(trump)
    return demanded


def allowed_by_r5(case: Case) -> list[str]:
    """The cards that R5 allows, ignoring R6."""
    if case.trick:
        return [card for card in case.hand if next(objections_to_following(card, case), None) is None]
    return [card for card in case.hand if not against_honours(card, case)]


def cinch(case: Case) -> bool:
    """R6.1: w + S >= 3."""
    if not case.keys.cinch:
        return False
    if case.won >= 3:
        return True
    trumps, live = case.trumps, case.live
    if not case.trick:
        return case.won + sure(trumps, live) >= 3
    counts = []
    for card in allowed_by_r5(case):
        if card[1] == case.trump and not case.wins_over_all_in_the_trick(card):
            counts.append(sure([trump for trump in trumps if trump != card], live))
        else:
            counts.append(sure(trumps, live))
    return case.won + min(counts) >= 3


def sure(trumps: list[str], live: list[str]) -> int:
    """S(T, U) = |T| - M(T, U)."""
    return len(trumps) - most_covered(trumps, live)


def most_covered(trumps: list[str], live: list[str]) -> int:
    """M(T, U): how many of T can each be paired with a different higher card of U, found by trying everything."""
    if not trumps:
        return 0
    first, rest = trumps[0], trumps[1:]
    best = most_covered(rest, live)
    for cover in live:
        if best == len(trumps):
            break
        if higher(cover, first):
            best = max(best, 1 + most_covered(rest, [card for card in live if card != cover]))
    return best
