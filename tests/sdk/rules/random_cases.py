"""Random positions that could occur in play, with more trumps, cinches and half-played tricks than usual."""

from __future__ import annotations

from random import Random

from bourre.rules.cards import DECK
from bourre.rules.house import CHOICES, HouseRules
from tests.sdk.rules.judge import Case

TEXTS = [str(card) for card in DECK]
TRICKS_WON = (0, 1, 2, 2, 3, 4)
"""Tricks won by the seat, as far as this many have been completed."""


def random_play_keys(rng: Random) -> HouseRules:
    """House rules in which every key that matters to R5 and R6 varies; R6 is on in two of three."""
    return HouseRules(
        cards=rng.choice((4, 5)),
        must_beat=rng.random() < 0.5,
        must_overtrump=rng.random() < 0.5,
        must_trump=rng.choice(CHOICES["must_trump"]),
        lead_honour=rng.choice(CHOICES["lead_honour"]),
        lead_honour_when=rng.choice(CHOICES["lead_honour_when"]),
        cinch=rng.random() < 0.67,
        cinch_adjacent=rng.random() < 0.5,
    )


def random_case(rng: Random, keys: HouseRules, *, dead: bool = False) -> Case:
    """One position: every card in exactly one place, every seat with as many cards as it must have by then."""
    trump = rng.choice("CDHS")
    playing = rng.choice((2, 3, 3, 4, 4, 5, 5, 6, 7, 8))
    done = rng.choice((0, 0, 1, 1, 2, 2, 3, 4)[: 2 * keys.cards - 2])
    pack = rng.sample(TEXTS, 52)
    hand = _hand(rng, pack, trump, keys.cards - done)
    dead_cards = [pack.pop()] if dead and rng.random() < 0.3 else []
    laid = 0 if rng.random() < 0.3 else rng.randrange(1, playing)
    trick = _trick(rng, pack, trump, hand, laid)
    if rng.random() < 0.6:
        pack.sort(key=lambda card: card[1] == trump)  # trumps are played early, so they are taken from the end
    seen = [pack.pop() for _ in range(done * playing)]
    return Case(hand, trick, trump, playing, _won(rng, done, led_by_another=laid > 0), seen, dead_cards, keys)


def _hand(rng: Random, pack: list[str], trump: str, size: int) -> list[str]:
    """Often many trumps, often high ones."""
    wanted = min(size, rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5)))
    ranks = rng.choice(("6789TJQKA", "TJQKA", "23456789TJQKA"))
    hand = [card for card in pack if card[1] == trump and card[0] in ranks][:wanted]
    plain = [card for card in pack if card[1] != trump]
    if rng.random() < 0.5:
        plain.sort(key=lambda card: card[1])  # one suit, so that the hand is void in others
    hand += plain[: size - len(hand)]
    for card in hand:
        pack.remove(card)
    rng.shuffle(hand)
    return hand


def _trick(rng: Random, pack: list[str], trump: str, hand: list[str], laid: int) -> list[str]:
    """Its first card is often a trump or of a suit that is held; the others mostly follow or ruff."""
    trick: list[str] = []
    void = [suit for suit in "CDHS" if all(card[1] != suit for card in hand)] or [trump]
    led = rng.choice((trump, rng.choice(hand)[1], rng.choice(hand)[1], rng.choice(void), rng.choice(void)))
    for _ in range(laid):
        suit = led if not trick else rng.choice((led, led, trump, rng.choice("CDHS")))
        card = next((card for card in pack if card[1] == suit), pack[0])
        pack.remove(card)
        trick.append(card)
    return trick


def _won(rng: Random, done: int, *, led_by_another: bool) -> int:
    """A leader has won the last trick; a seat that does not lead has not."""
    least, most = (0, max(0, done - 1)) if led_by_another else (min(done, 1), done)
    return min(most, max(least, rng.choice(TRICKS_WON)))
