"""docs/records.md suffices to deal a match again: done here from its words, with nothing of ours but the record."""

import hashlib
import hmac
import json

from bourre.practice import practice
from examples.loose import Loose

SUITS = "CDHS"
RANKS = "23456789TJQKA"
SEATS = 3
DEALS = 40


def derived(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def shuffled(entropy: bytes) -> list[str]:
    left = [rank + suit for rank in RANKS for suit in SUITS]
    number = int.from_bytes(entropy, "big")
    deck = []
    while left:
        number, pick = divmod(number, len(left))
        deck.append(left.pop(pick))
    return deck


def in_order(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=lambda card: (RANKS.index(card[0]), SUITS.index(card[1]))))


def test_every_deal_follows_from_the_public_seed() -> None:
    played = practice([Loose, Loose, Loose], deals=DEALS, seed=7)
    header, *deals, _ = map(json.loads, played.matches[0].record.splitlines())
    seed = derived(hashlib.sha256(b"7").digest(), "match 1")
    assert header["seed"] == seed.hex()
    assert deals[0]["dealer"] == int.from_bytes(derived(seed, "first dealer"), "big") % SEATS
    for number, deal in enumerate(deals, 1):
        deck = shuffled(derived(seed, f"deck {number}"))
        first = deal["dealer"] + 1
        for turn in range(SEATS):
            assert deal["dealt"][(first + turn) % SEATS] == in_order(deck[turn : 5 * SEATS : SEATS])
        assert deal["turned"] == deck[5 * SEATS - 1]
        drawn = " ".join(deal["received"]).split()
        assert sorted(drawn) == sorted(deck[5 * SEATS :][: len(drawn)])
    assert len(deals) == DEALS
