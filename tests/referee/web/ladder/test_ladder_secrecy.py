"""What is a bot's alone before its epoch's seed is revealed, sought at every address of a ladder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import unescape
from itertools import groupby
from urllib.parse import urlsplit

import httpx
import pytest

from bourre.record import read
from bourre.rules.cards import DECK, Suit, parse_cards, show
from bourre.rules.events import HandDealt
from bourre.rules.visibility import public_event
from bourre.words.table_words import sort_hand
from bourre.words.table_words.readers import card_name
from bourre_referee.contest.stages import match_id
from bourre_referee.storage.run.run import Run
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.owner_access import COOKIE
from tests.referee.web.ladder.shown_ladders import ServedLadder

OWNER, BOT = "Bob <b>", "bob"
LINK = re.compile(r"""(?:href|src|action|sse-connect)="(/[^"#]*)""")
SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
WORDS = {card_name(card): str(card) for card in DECK}
CODE = re.compile("(?<![0-9A-Za-z])[2-9TJQKA][CDHS](?![0-9A-Za-z])")
REVEALED = ("/epochs/1/", "/epochs/1-unrated/")
ALIKE = 3
"""How many revealed pages are looked at that differ only in their numbers."""
LIVE = "/live"
"""How addresses end whose answers do not end; they send parts of pages that are asked for, too."""


@cache
def hands_of(served: ServedLadder, epoch: int) -> tuple[str, ...]:
    """The hands that the bot was dealt in an epoch, but for those whose cards all saw: played, or turned up."""
    run = Run.open(served.ladder.folder.epoch(epoch, rated=True))
    found = []
    for match in (each.stored.match for each in run.new_matches(()) or ()):
        record = read(run.record(match))
        if f"{BOT}.1" in record.header.bots:
            own = record.header.bots.index(f"{BOT}.1")
            for deal in deals_of(record):
                dealt = next(e.cards or () for e in deal.events if isinstance(e, HandDealt) and e.seat == own)
                if not {*map(str, dealt)} <= {*CODE.findall(" ".join(str(public_event(e)) for e in deal.events))}:
                    found.append(" ".join(map(str, dealt)))
    return tuple(found)


def shows(text: str, hands: tuple[str, ...]) -> list[str]:
    """The hands that a text shows, as dealt or as held, by codes, signs or words, whatever stands between."""
    for name, code in (*SIGNS.items(), *WORDS.items(), ("10", "T")):
        text = text.replace(name, code)
    cards = [card for card, _ in groupby(CODE.findall(unescape(text)))]
    seen = {" ".join(cards[at : at + 5]) for at in range(len(cards) - 4)}
    return [hand for hand in hands if not seen.isdisjoint(orders_of(hand))]


@cache
def orders_of(hand: str) -> frozenset[str]:
    """The orders in which a hand may be written: as dealt, and as people hold it, whatever is trump."""
    cards = parse_cards(hand)
    return frozenset({hand, *(show(sort_hand(cards, trump)) for trump in (None, *Suit))})


@cache
def addresses(served: ServedLadder) -> list[str]:
    """All addresses that the first page and the owner's lead to, without their queries, and those of APIs.

    Of the pages of revealed epochs, only `ALIKE` of each kind.
    """
    kinds = Counter[str]()

    def is_new(address: str) -> bool:
        path = path_of(address)
        kind = re.sub(r"\d+", "0", path)
        kinds[kind] += path.startswith(REVEALED) and path not in found
        return path not in found and kinds[kind] <= ALIKE

    found, left = set[str](), ["/", "/owner", *api_addresses(served)]
    while left:
        address = left.pop()
        found.add(path_of(address))
        answer = served.client.get(address, headers=served.cookie(OWNER), follow_redirects=True)
        if "html" in answer.headers["content-type"]:
            links = {unescape(link) for link in LINK.findall(answer.text)}
            links = {link for link in links if not path_of(link).endswith(LIVE) and is_new(link)}
            left += links
            found |= set(map(path_of, links))
    return sorted(found)


def api_addresses(served: ServedLadder) -> Iterator[str]:
    """The addresses that the descriptions of the APIs list, about the bot."""
    last = served.ladder.state.epoch
    fill = {"bot": BOT, "other": "ada", "match": match_id(1), "entrant": f"{BOT}.1", "number": "1", "deal": "1"}
    for prefix in ("", f"/epochs/{last}", f"/epochs/{last}-unrated"):
        for path, methods in served.client.get(f"{prefix}/openapi.json").json()["paths"].items():
            if "get" in methods:
                yield prefix + re.sub(r"{(\w+)}", lambda name: fill[name[1]], path)


def path_of(address: str) -> str:
    """The address without what stands behind its path."""
    return urlsplit(address).path


def answers(served: ServedLadder, address: str, key: str) -> Iterator[httpx.Response]:
    """What this address answers to a key, wherever it stands."""
    cookie = {"Cookie": f"{COOKIE}={key}"}
    yield served.client.get(address, params={"key": key} if key else {}, headers=cookie, follow_redirects=True)
    if key and address.startswith(("/owner", "/api")):
        yield served.client.get(address, headers={"Authorization": f"Bearer {key}"})
        yield served.client.post(address, data={"key": key, "bot": BOT}, headers=cookie)


@pytest.mark.parametrize("who", ["nobody", "Ann", "a wrong key"])
def test_no_address_shows_what_is_anothers_before_the_reveal(served_ladder: ServedLadder, who: str) -> None:
    ladder = served_ladder.ladder
    key = {"nobody": "", "Ann": ladder.key("Ann"), "a wrong key": "0" * len(ladder.key("Ann"))}[who]
    hidden = hands_of(served_ladder, ladder.state.epoch)
    secrets = [f"the secret of {BOT}", *(run.seed.hex() for run in ladder.runs.values()), ladder.key(OWNER)]
    asked = addresses(served_ladder)
    assert len(hidden) > 5
    assert {each.split("/")[1] for each in asked} >= {"", "api", "bots", "epochs", "ladder.jsonl", "log", "owner"}
    for address in asked:
        for answer in answers(served_ladder, address, key):
            assert not [secret for secret in secrets if secret in answer.text], address
            if not address.startswith(REVEALED):  # where another hand may have five of these cards by chance
                assert not shows(answer.text, hidden), address


def test_the_owner_finds_them_and_everyone_after_the_reveal(served_ladder: ServedLadder) -> None:
    """The same search finds hands where they may be seen."""
    ladder = served_ladder.ladder
    page = served_ladder.text("/owner", OWNER)
    own = {unescape(link) for link in LINK.findall(page) if link.startswith(("/owner/logs", "/owner/hands"))}
    texts = [served_ladder.text(link, OWNER) for link in own]
    last = hands_of(served_ladder, ladder.state.epoch)
    assert shows(" ".join(texts), last) == list(last)
    assert any(f"the secret of {BOT}" in text for text in texts)
    first = ladder.state.seasons.epochs[0]
    places = [first.place(room) for room in range(first.first_room, first.first_room + first.rooms)]
    rooms = [f"/epochs/1{'-unrated' * (not place.rated)}/matches/{match_id(place.match)}" for place in places]
    assert shows(" ".join(served_ladder.text(f"{room}/deals/1") for room in rooms), hands_of(served_ladder, 1))
