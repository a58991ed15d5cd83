"""Deals a run again from its seed, following only records.md: plain Python, without bourre.

`python3 verify_deals.py DIR`, where DIR is a run folder, or one exported as jsonl, compares commitment, match seeds,
first dealers, hands, turned and drawn cards, hashes, chain and digest. It exits with 0 if all agree, 4 at the first
difference, 2 if the folder cannot be read. The folder may be a stranger's: it reads only regular files, up to a
limit.
"""

import hashlib
import hmac
import io
import json
import os
import sqlite3
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUITS, RANKS = "CDHS", "23456789TJQKA"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
PAGAT: dict[str, Any] = {"first_dealer": "seeded", "cards": 5, "trump_card": "dealer_fifth", "declare_mode": "turn"}
PAGAT |= {"max_discards": 5, "seven_player_limit": None, "recycle": "together"}  # what decides who gets which card
LONGEST, LINE, FREE, RATIO = 2**28, 2**24, 2**24, 40  # bytes of a file, a line, a record; unpacked per packed byte
TABLES = {"contest", "file", "line", "match", "seat", "renege", "fault", "remark", "void"}


class Difference(Exception):
    """Something does not follow from the seed."""


def check(place: str, found: object, true: object) -> None:
    if found != true:
        raise Difference(f"{place} is {found}, should be {true}")


def is_regular(path: Path) -> bool:
    """Whether the file exists; ValueError for a link, pipe or device, which may lead anywhere or never end."""
    if not os.path.lexists(path):
        return False
    if not stat.S_ISREG(path.lstat().st_mode):
        raise ValueError(f"{path} is no regular file")
    return True


def read_file(path: Path) -> bytes:
    is_regular(path)
    with path.open("rb") as file:
        found = file.read(LONGEST + 1)
    if len(found) > LONGEST:
        raise ValueError(f"{path} is longer than {LONGEST} bytes")
    return found


def parse_json(text: bytes) -> Any:
    if len(text) > LINE:
        raise ValueError(f"something in JSON is longer than {LINE} bytes")
    return json.loads(text, object_pairs_hook=unique_keys)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for place, (key, _) in enumerate(pairs):
        check(f"a JSON object with {key!r} more than once: it", key in dict(pairs[:place]), False)
    return dict(pairs)


def decompress_record(packed: bytes, match: str) -> bytes:
    packing, most = zlib.decompressobj(), FREE + RATIO * len(packed)
    record = packing.decompress(packed, most)
    if not packing.eof:
        raise ValueError(f"the record of {match} breaks off, or is longer than {most} bytes")
    check(f"match {match}: what follows its packed record", packing.unused_data, b"")
    return record


def derive(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def shuffle(cards: list[str], entropy: bytes) -> list[str]:
    left, number, order = sorted(cards, key=PACK.index), int.from_bytes(entropy, "big"), []
    while left:
        number, pick = divmod(number, len(left))
        order.append(left.pop(pick))
    return order


def first_dealer(seed: bytes, seats: int, form: object) -> int:
    if isinstance(form, int):
        return form
    if form == "seeded":
        return int.from_bytes(derive(seed, "first dealer"), "big") % seats
    cards, drawing = shuffle(PACK, derive(seed, "draw for the deal")), list(range(seats))
    while len(drawing) > 1 and cards:
        drawn = {seat: RANKS.index(cards.pop(0)[0]) for seat in drawing if cards}
        best = (min if form == "low_card" else max)(drawn.values())
        drawing = [seat for seat in drawing if drawn.get(seat) == best]
    return drawing[0]


class Stock:
    """The undealt cards of one deal, and the discards and passed hands."""

    def __init__(self, cards: list[str], seed: bytes, deal: int, house: dict[str, Any], seats: int) -> None:
        self.seed, self.deal, self.house, self.seats, self.gatherings = seed, deal, house, seats, 0
        self.places, self.passed, self.discards = list(range(seats)), list[str](), list[str]()
        self.cards, self.by_seat = (cards, {}) if house.get("format") != "duplicate" else ([], dict(enumerate(cards)))

    def next_card(self, seat: int) -> str:
        if self.by_seat:
            place, self.places[seat] = self.places[seat], self.places[seat] + self.seats
            return self.by_seat.pop(place if place in self.by_seat else max(self.by_seat))
        if not self.cards:
            self.gather()
        return self.cards.pop(0)

    def gather(self) -> None:
        self.gatherings += 1
        pile, self.passed = self.passed, []
        if self.house["recycle"] == "together" or not pile:
            pile, self.discards = pile + self.discards, []
        self.cards = shuffle(pile, derive(self.seed, f"gathering {self.deal} {self.gatherings}"))


def check_deal(place: str, line: dict[str, Any], seed: bytes, house: dict[str, Any], seats: int) -> None:
    """Checks the hands before the draw, the turned card, and every card drawn."""
    number, dealer, size = line["deal"], line["dealer"], house["cards"]
    order = [(dealer + 1 + turn) % seats for turn in range(seats)]
    deck = shuffle(PACK, derive(seed, f"deck {number}"))
    dealt, rest = deck[: seats * size], deck[seats * size :]
    hands = {seat: dealt[turn::seats] for turn, seat in enumerate(order)}
    turned = dealt[-1] if house["trump_card"] == "dealer_fifth" else None
    if not turned and house["trump_card"] != "dealer_chooses":
        turned, rest = rest[0], rest[1:]
        if house["trump_card"] == "separate_returned":
            rest = shuffle([*rest, turned], derive(seed, f"returned {number}"))
    for seat in range(seats):
        check(f"{place}: the hand of seat {seat}", line["dealt"][seat], " ".join(sorted(hands[seat], key=PACK.index)))
    check(f"{place}: the turned card", line["turned"], turned)
    received = draw_cards(line["actions"], order, hands, Stock(rest, seed, number, house, seats))
    for seat, cards in sorted(received.items()):
        check(f"{place}: what seat {seat} drew", line["received"][seat], " ".join(sorted(cards, key=PACK.index)))


def draw_cards(actions: list[str], order: list[int], hands: dict[int, list[str]], stock: Stock) -> dict[int, list[str]]:
    """Returns the cards that each seat draws, given the actions."""
    house, dealer, in_turn = stock.house, order[-1], stock.house["declare_mode"] == "turn"
    playing = {dealer} if house["trump_card"] == "dealer_fifth" and hands[dealer][-1][0] == "A" else set[int]()
    folded, received = set[int](), {seat: list[str]() for seat in order}
    limit = house["seven_player_limit"] if len(order) >= 7 else None
    most = min(house["max_discards"], house["cards"], house["cards"] if limit is None else limit)
    for action in actions:
        seat, (word, *cards) = int(action.split()[0]), action.split()[1:]
        playing |= {seat} if word == "in" else set()
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


def check_match(match: str, label: str, record: bytes, master: bytes | None) -> int:
    """Checks every deal of a record; returns how many there are."""
    header, *deals, _ = map(parse_json, io.BytesIO(record))
    seats, house, seed = len(header["bots"]), PAGAT | header["house"] | header, bytes.fromhex(header["seed"])
    check(f"match {match}: its name in the record", header["match"], match)
    if master:
        check(f"match {match}: its seed", header["seed"], derive(master, label).hex())
    first = first_dealer(seed, seats, house["first_dealer"])
    for line in deals:
        place = f"match {match}, deal {line['deal']}"
        if line["deal"] == 1 or "seating" in line:
            check(f"{place}: the dealer", line["dealer"], (first + line["deal"] - 1) % seats)
        check_deal(place, line, seed, house, seats)
    return len(deals)


def matches(folder: Path) -> Iterator[tuple[int, str, bytes, str]]:
    """Yields number, name, record and SHA-256 of every finished match."""
    exported, database = folder / "matches.jsonl", folder / "run.db"
    if is_regular(exported) and is_regular(database):
        raise ValueError("both a run and an export are in it")
    if is_regular(exported):
        yield from exported_matches(folder)
        return
    for end in ("", "-wal", "-journal", "-shm"):
        is_regular(database.with_name(database.name + end))
    rows = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
    rows.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    made = {(kind, name) for kind, name in rows.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL")}
    check("what the database holds besides the tables of a run", made - {("table", table) for table in TABLES}, set())
    for number, match, record, sha256 in rows.execute('SELECT number, match, record, sha256 FROM "match" ORDER BY 1'):
        yield number, match, decompress_record(record, match), sha256.hex()


def exported_matches(folder: Path) -> Iterator[tuple[int, str, bytes, str]]:
    records, voids, named = folder / "records", folder / "voids.jsonl", set[str]()
    if records.is_symlink():
        raise ValueError(f"{records} is a link")
    for line in map(parse_json, io.BytesIO(read_file(folder / "matches.jsonl"))):
        match = f"m{line['number']:04d}"  # not the name in the line, which may lead anywhere
        named.add(f"{match}.jsonl")
        yield line["number"], line["match"], read_file(records / f"{match}.jsonl"), line["sha256"]
    for line in map(parse_json, io.BytesIO(read_file(voids))):
        named.add(f"{line['match']}.void{line['attempt']}.jsonl")
    check("what no line names among the records", {path.name for path in records.iterdir()} - named, set())


def label(number: int, manifest: dict[str, Any]) -> str:
    """Returns the label that a match's seed is derived from, by stage: closed, of the terms, or an adaptive round."""
    if manifest["terms"]["schedule"]["kind"] == "ladder":
        return f"match {number}"  # an epoch has one stage, which grows
    before = [stage["places"] for stage in manifest["closed"]]
    after = [manifest["terms"]["seats"] * len(stage["line_ups"]) for stage in manifest["added"]]
    places = manifest["matches"] + sum(len(stage["missing"]) for stage in manifest["closed"])
    lengths = [*before, places - sum(before) - sum(after), *after]
    stage = sum(number > sum(lengths[:place]) for place in range(len(lengths)))
    return f"match {number}" if stage == 1 else f"match {number} of stage {stage}"


def hash_of(value: object) -> str:
    """Returns the SHA-256 of a JSON value without nulls, with sorted keys and without spaces."""
    bare = json.loads(
        json.dumps(value), object_hook=lambda keys: {key: keys[key] for key in keys if keys[key] is not None}
    )
    return hashlib.sha256(json.dumps(bare, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def check_log(manifest: dict[str, Any]) -> bytes:
    """Checks the commitments to the terms, and the log; returns what the chain starts with."""
    log, seed, now = manifest.get("log"), manifest["seed"]["commitment"], manifest["terms"]
    if not log:
        return bytes.fromhex(seed)  # an older version began the run
    ended = [stage for stage in manifest["closed"] if stage["schedule"]["kind"] != "neighbours"]
    fields = [now | {"bots": stage["bots"], "schedule": stage["schedule"]} for stage in ended] + [now]
    hashes = [hash_of({"contest": manifest["contest"], "seed": seed, "terms": terms}) for terms in fields]
    committed = [entry["terms"] for entry in log if entry["event"] in ("begun", "bots changed")]
    check("the commitments to the terms in the log", committed, hashes)
    previous = [None, *map(hash_of, log[:-1])]
    check("the hashes of the entries before in the log", [entry["previous"] for entry in log], previous)
    return bytes.fromhex(hashes[0])


def verify(folder: Path) -> str:
    manifest = parse_json(read_file(folder / "manifest.json"))
    seed, public = manifest["seed"], manifest["terms"]["seed"]
    master = bytes.fromhex(seed["revealed"]) if seed["revealed"] else None
    if master:
        check("the SHA-256 of the seed", seed["commitment"], hashlib.sha256(master).hexdigest())
    if public is not None:
        check(f"the form of seed {public}", seed["revealed"], hashlib.sha256(str(public).encode()).hexdigest())
    link, whole, deals = check_log(manifest), hashlib.sha256(), list[int]()
    for number, match, record, sha256 in matches(folder):
        check(f"the number of match {match}", match, f"m{number:04d}")
        deals.append(check_match(match, label(number, manifest), record, master))
        check(f"match {match}: the SHA-256 of its record", sha256, hashlib.sha256(record).hexdigest())
        link = hashlib.sha256(link + bytes.fromhex(sha256)).digest()
        whole.update(record)
    if manifest["digest"]:
        check("the number of matches", len(deals), manifest["matches"])
        check("the digest", manifest["digest"], whole.hexdigest())
        check("the chain", manifest["chain"], link.hex())
    secret = "" if master else "; the seed is still secret"
    return f"{len(deals)} matches, {sum(deals)} deals dealt again: no difference{secret}"


if __name__ == "__main__":
    try:
        print(verify(Path(sys.argv[1])))
    except Difference as difference:
        print(f"difference: {difference}")
        sys.exit(4)
    except (
        *(AttributeError, IndexError, KeyError, OSError, RecursionError, TypeError, ValueError),
        *(sqlite3.Error, zlib.error),
    ) as error:
        print(f"usage: python3 verify_deals.py DIR; this cannot be read: {error!r}", file=sys.stderr)
        sys.exit(2)
