"""The terms of a ladder, as its log and the manifests of its epochs have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.log.events import PAIRING, TermsSet
from bourre_referee.storage.contest_terms import terms_of
from bourre_referee.storage.manifest import Terms


def epoch_terms(settings: LadderSettings) -> Terms:
    """Returns the terms of a ladder's epochs, whose bots are those that it calls."""
    return terms_of(replace(settings.contest, entrants=()))


def terms_set(settings: LadderSettings) -> TermsSet:
    """Returns what the log must say of these terms."""
    return TermsSet(epoch_terms(settings).hash, tuple(_others(settings)))


def _others(settings: LadderSettings) -> Iterator[tuple[str, str]]:
    sections = {
        "epoch": asdict(settings.epoch),
        "quotas": asdict(settings.quotas),
        "board": asdict(settings.board),
        "benching": asdict(settings.benching),
    }
    for name, section in sections.items():
        yield from ((f"{name}.{key}", str(value)) for key, value in section.items())
    yield "pairing", str(PAIRING)
    for bot, rating in settings.anchors.items():
        yield f"rating of {bot}", f"{rating.mu} {rating.sigma}"
