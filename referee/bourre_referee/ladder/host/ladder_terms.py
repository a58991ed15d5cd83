"""The terms of a ladder for its log and for the manifests of its epochs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from bourre_referee.ladder.board.benching import BenchingTerms
from bourre_referee.ladder.host.ladder_file import BoardSettings, BoardTerms, LadderSettings
from bourre_referee.ladder.log.events import TermsSet
from bourre_referee.ladder.log.waiting_list import PAIRING
from bourre_referee.ratings.belief import Rating
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.manifest import Terms

_RATING_OF = "rating of "


def epoch_terms(settings: LadderSettings) -> Terms:
    """Returns the terms of a ladder's epochs."""
    return terms_of(replace(settings.contest, entrants=()))


def terms_set(settings: LadderSettings) -> TermsSet:
    """Returns the log event for these terms."""
    return TermsSet(epoch_terms(settings).hash, tuple(_others(settings)))


def logged_settings(terms: TermsSet | None) -> BoardSettings | None:
    """Reads the terms of a board from a log event; returns None if some are missing or invalid."""
    others = dict(terms.others) if terms else {}
    rated = {key.removeprefix(_RATING_OF): text.split() for key, text in others.items() if key.startswith(_RATING_OF)}
    try:
        board = BoardTerms(float(others["board.tau"]), float(others["board.unseen_days"]))
        benching = BenchingTerms(float(others["benching.fault_share"]), int(others["benching.games"]))
        anchors = {bot: Rating(float(mu), float(sigma)) for bot, (mu, sigma) in rated.items()}
    except (KeyError, ValueError):
        return None
    return BoardSettings(board, benching, anchors)


def _others(settings: LadderSettings) -> Iterator[tuple[str, str]]:
    sections = {
        "epoch": settings.epoch.model_dump(),
        "quotas": settings.quotas.model_dump(),
        "board": asdict(settings.board),
        "benching": asdict(settings.benching),
    }
    for name, section in sections.items():
        yield from ((f"{name}.{key}", str(value)) for key, value in section.items())
    yield "pairing", str(PAIRING)
    for bot, rating in settings.anchors.items():
        yield f"{_RATING_OF}{bot}", f"{rating.mu} {rating.sigma}"
