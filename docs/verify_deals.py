"""Deals a run again from its seed by the words of records.md alone: plain Python, with nothing of bourre.

`python3 verify_deals.py DIR`, where DIR is a run folder, or one exported as jsonl, compares commitment, match
seeds, dealers, hands, turned cards, drawn cards, hashes, chain and digest. It exits with 0 when all agree, 4 at the
first difference, 2 when the folder cannot be read.
"""

import hashlib
import hmac
import json
import sqlite3
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUITS, RANKS = "CDHS", "23456789TJQKA"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
PAGAT: dict[str, Any] = {"first_dealer": "seeded", "cards": 5, "trump_card": "dealer_fifth", "declare_mode": "turn"}
PAGAT |= {"max_discards": 5, "seven_player_limit": None, "recycle": "together"}  # what decides who gets which card


class Difference(Exception):
    """Something is not what the seed makes it."""


def check(place: str, found: object, true: object) -> None:
    if found != true:
        raise Difference(f"{place} is {found}, should be {true}")


def derived(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def ordered(cards: list[str]) -> list[str]:
    return sorted(cards, key=PACK.index)


def shuffled(cards: list[str], entropy: bytes) -> list[str]:
    left, number, order = ordered(cards), int.from_bytes(entropy, "big"), []
    while left:
        number, pick = divmod(number, len(left))
        order.append(left.pop(pick))
    return order


def first_dealer(seed: bytes, seats: int, form: object) -> int:
    if isinstance(form, int):
        return form
    if form == "seeded":
        return int.from_bytes(derived(seed, "first dealer"), "big") % seats
    cards, drawing = shuffled(PACK, derived(seed, "draw for the deal")), list(range(seats))
    while len(drawing) > 1 and cards:
        drawn = {seat: RANKS.index(cards.pop(0)[0]) for seat in drawing if cards}
        best = (min if form == "low_card" else max)(drawn.values())
        drawing = [seat for seat in drawing if drawn.get(seat) == best]
    return drawing[0]


class Stock:
    """The undealt cards of one deal, and the cards that were thrown away."""

    def __init__(self, cards: list[str], seed: bytes, deal: int, house: dict[str, Any], seats: int) -> None:
        self.seed, self.deal, self.house, self.seats, self.gatherings = seed, deal, house, seats, 0
        self.cards, self.passed, self.discards = cards, list[str](), list[str]()
        self.served, self.by_seat = [0] * seats, dict[int, str]()
        if house.get("format") == "duplicate":
            self.cards, self.by_seat = [], dict(enumerate(cards))

    def next_card(self, seat: int) -> str:
        if self.by_seat:
            place = self.served[seat] * self.seats + seat
            self.served[seat] += 1
            return self.by_seat.pop(place if place in self.by_seat else max(self.by_seat))
        if not self.cards:
            self.gather()
        return self.cards.pop(0)

    def gather(self) -> None:
        self.gatherings += 1
        pile, self.passed = self.passed, []
        if self.house["recycle"] == "together" or not pile:
            pile, self.discards = pile + self.discards, []
        self.cards = shuffled(pile, derived(self.seed, f"gathering {self.deal} {self.gatherings}"))


def check_deal(place: str, line: dict[str, Any], seed: bytes, house: dict[str, Any], seats: int) -> None:
    """The hands before the draw, the turned card, and every card drawn."""
    number, dealer, size = line["deal"], line["dealer"], house["cards"]
    order = [(dealer + 1 + turn) % seats for turn in range(seats)]
    deck = shuffled(PACK, derived(seed, f"deck {number}"))
    dealt, rest = deck[: seats * size], deck[seats * size :]
    hands = {seat: dealt[turn::seats] for turn, seat in enumerate(order)}
    turned = dealt[-1] if house["trump_card"] == "dealer_fifth" else None
    if not turned and house["trump_card"] != "dealer_chooses":
        turned, rest = rest[0], rest[1:]
        if house["trump_card"] == "separate_returned":
            rest = shuffled([*rest, turned], derived(seed, f"returned {number}"))
    for seat in range(seats):
        check(f"{place}: the hand of seat {seat}", line["dealt"][seat], " ".join(ordered(hands[seat])))
    check(f"{place}: the turned card", line["turned"], turned)
    received = drawn(line["actions"], order, hands, Stock(rest, seed, number, house, seats))
    for seat in range(seats):
        check(f"{place}: what seat {seat} drew", line["received"][seat], " ".join(ordered(received[seat])))


def drawn(actions: list[str], order: list[int], hands: dict[int, list[str]], stock: Stock) -> dict[int, list[str]]:
    """The cards that each seat draws, who discarded and passed as the actions say."""
    house, dealer, seats = stock.house, order[-1], len(order)
    in_turn = house["declare_mode"] == "turn"
    obliged = house["trump_card"] == "dealer_fifth" and hands[dealer][-1][0] == "A"
    playing, folded = {dealer} if obliged else set[int](), set[int]()
    received = {seat: list[str]() for seat in order}
    most = min(house["max_discards"], house["cards"])
    if seats >= 7 and house["seven_player_limit"] is not None:
        most = min(most, house["seven_player_limit"])
    for action in actions:
        seat, (word, *cards) = int(action.split()[0]), action.split()[1:]
        if word == "in":
            playing.add(seat)
        if word != "draw" and not (word == "in" and in_turn):
            continue
        for other in order[: order.index(seat)] if in_turn else order:
            if other not in playing | folded:
                folded.add(other)
                stock.passed += hands[other]
        takes, thrown = "take" in cards, [card for card in cards if card != "take"]
        may_take = house["trump_card"] == "separate_dealer_option" and seat == dealer and bool(thrown)
        held = len({*thrown}) == len(thrown) <= most and {*thrown} <= {*hands[seat]}
        if not held or (takes and not may_take):
            takes, thrown = False, []
        received[seat] = [stock.next_card(seat) for _ in range(len(thrown) - takes)]
        stock.discards += thrown
    return received


def check_match(match: str, number: int, record: bytes, master: bytes | None) -> int:
    """Every deal of a record; how many there are."""
    header, *deals, _ = map(json.loads, record.splitlines())
    seats, house, seed = len(header["bots"]), PAGAT | header["house"] | header, bytes.fromhex(header["seed"])
    check(f"match {match}: its name in the record", header["match"], match)
    if master:
        check(f"match {match}: its seed", header["seed"], derived(master, f"match {number}").hex())
    first = first_dealer(seed, seats, house["first_dealer"])
    for line in deals:
        place = f"match {match}, deal {line['deal']}"
        if line["deal"] == 1 or "seating" in line:
            check(f"{place}: the dealer", line["dealer"], (first + line["deal"] - 1) % seats)
        check_deal(place, line, seed, house, seats)
    return len(deals)


def matches(folder: Path) -> Iterator[tuple[int, str, bytes, str]]:
    """Number, name, record and SHA-256 of every finished match."""
    if (folder / "matches.jsonl").exists():
        for line in map(json.loads, (folder / "matches.jsonl").read_text().splitlines()):
            record = (folder / "records" / f"{line['match']}.jsonl").read_bytes()
            yield line["number"], line["match"], record, line["sha256"]
        return
    rows = sqlite3.connect(f"{(folder / 'run.db').absolute().as_uri()}?mode=ro", uri=True)
    for number, match, record, sha256 in rows.execute('SELECT number, match, record, sha256 FROM "match" ORDER BY 1'):
        yield number, match, zlib.decompress(record), sha256.hex()


def verify(folder: Path) -> str:
    manifest = json.loads((folder / "manifest.json").read_text())
    seed, public = manifest["seed"], manifest["terms"]["seed"]
    master = bytes.fromhex(seed["revealed"]) if seed["revealed"] else None
    if master:
        check("the SHA-256 of the seed", seed["commitment"], hashlib.sha256(master).hexdigest())
    if public is not None:
        check(f"the form of seed {public}", seed["revealed"], hashlib.sha256(str(public).encode()).hexdigest())
    link, whole, deals, done = bytes.fromhex(seed["commitment"]), hashlib.sha256(), 0, 0
    for number, match, record, sha256 in matches(folder):
        check(f"the number of match {match}", match, f"m{number:04d}")
        deals += check_match(match, number, record, master)
        done += 1
        own = hashlib.sha256(record)
        check(f"match {match}: the SHA-256 of its record", sha256, own.hexdigest())
        link = hashlib.sha256(link + own.digest()).digest()
        whole.update(record)
    if manifest["digest"]:
        check("the number of matches", done, manifest["matches"])
        check("the digest", manifest["digest"], whole.hexdigest())
        check("the chain", manifest["chain"], link.hex())
    return f"{done} matches, {deals} deals dealt again: no difference{'' if master else '; the seed is still secret'}"


if __name__ == "__main__":
    try:
        print(verify(Path(sys.argv[1])))
    except Difference as difference:
        print(f"difference: {difference}")
        sys.exit(4)
    except (IndexError, KeyError, OSError, TypeError, ValueError, sqlite3.Error, zlib.error) as error:
        print(f"usage: python3 verify_deals.py DIR; this cannot be read: {error!r}", file=sys.stderr)
        sys.exit(2)
