"""What the terms and the seed of a contest say about each of its matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bourre.rules.deck import master_seed
from bourre.rules.errors import InvalidHouse
from bourre.rules.house import HouseRules
from bourre_referee.contest.manifest import Manifest, Terms
from bourre_referee.contest.plan import match_id, matches
from bourre_referee.contest.seed import SEED_BYTES, commitment
from bourre_referee.spec import MatchSpec
from bourre_referee.verify.difference import Difference, check

MOST_ROUNDS, MOST_BOTS = 100_000, 4_096
"""A manifest that claims more is not worth the time that its schedule would take."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the schedule, and what a match there must be like."""

    number: int
    """From 1."""
    match: str
    bots: tuple[str, ...]
    """All of the contest."""
    seats: int
    deals: int
    house: HouseRules
    format: str
    stakes: tuple[int, ...]
    spec: MatchSpec | None
    """Who sits where, and the match's seed; None while the master seed is secret."""


def places(manifest: Manifest, master: bytes | None) -> tuple[Place, ...]:
    """Every place of the schedule, in its order; Difference when the terms make another number of matches."""
    terms = manifest.terms
    names = tuple(bot.name for bot in terms.bots)
    _check_terms(terms, names)
    rounds = len(names) - 1 if terms.rounds is None else terms.rounds
    check("manifest.json: the number of matches", manifest.matches, len(names) * rounds)
    specs = matches(names, terms.seats, terms.rounds, terms.rules, terms.deals, master) if master else None
    return tuple(
        Place(
            number=number,
            match=match_id(number),
            bots=names,
            seats=terms.seats,
            deals=terms.deals,
            house=terms.rules,
            format=terms.format,
            stakes=terms.stakes,
            spec=specs[number - 1] if specs else None,
        )
        for number in range(1, manifest.matches + 1)
    )


def master_of(manifest: Manifest) -> bytes | None:
    """The revealed master seed, which must be the one that was committed to; None while it is secret."""
    seed, public = manifest.seed, manifest.terms.seed
    if _bytes_of(seed.commitment) is None:
        raise Difference(f"manifest.json: the commitment {seed.commitment!r} is no SHA-256")
    if seed.revealed is None:
        if public is not None or manifest.complete:
            raise Difference("manifest.json: the seed is not revealed, but it should be by now")
        return None
    master = _bytes_of(seed.revealed)
    if master is None:
        raise Difference(f"manifest.json: the seed {seed.revealed!r} is not 32 bytes in hexadecimal digits")
    if public is not None:
        check(f"manifest.json: the revealed form of the public seed {public}", master, master_seed(public))
    check("manifest.json: the SHA-256 of the revealed seed, the commitment,", seed.commitment, commitment(master))
    note = "practice seed, not secret" if public is not None else "was secret, revealed at the end"
    check("manifest.json: the note on the seed", seed.note, note)
    return master


def _bytes_of(text: str) -> bytes | None:
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return None
    return found if found.hex() == text and len(found) == SEED_BYTES else None


def _check_terms(terms: Terms, names: tuple[str, ...]) -> None:
    for problem in _problems(terms, names):
        raise Difference(f"manifest.json: the terms cannot be: {problem}")


def _problems(terms: Terms, names: tuple[str, ...]) -> Iterator[str]:
    try:
        terms.rules.check_seats(terms.seats)
    except InvalidHouse as error:
        yield str(error)
    if not terms.seats <= len(names) <= MOST_BOTS:
        yield f"{len(names)} bots at tables of {terms.seats}"
    if len(set(names)) < len(names):
        yield "two bots have one name"
    if terms.deals < 1 or not 1 <= (terms.rounds or 1) <= MOST_ROUNDS:
        yield f"{terms.rounds} rounds of {terms.deals} deals"
