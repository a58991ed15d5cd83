"""The terms of a ladder, as its log and the manifests of its epochs have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from bourre_referee.ladder.board.benching import BenchingTerms
from bourre_referee.ladder.host.ladder_file import BoardTerms, LadderSettings
from bourre_referee.ladder.log.events import PAIRING, TermsSet
from bourre_referee.ratings.belief import Rating
from bourre_referee.storage.contest_terms import terms_of
from bourre_referee.storage.manifest import Terms

_RATING_OF = "rating of "


def epoch_terms(settings: LadderSettings) -> Terms:
    """Returns the terms of a ladder's epochs, whose bots are those that it calls."""
    return terms_of(replace(settings.contest, entrants=()))


def terms_set(settings: LadderSettings) -> TermsSet:
    """Returns what the log must say of these terms."""
    return TermsSet(epoch_terms(settings).hash, tuple(_others(settings)))


class BoardSettings(Protocol):
    """The terms that decide a board, as a ladder file has them, or a log."""

    @property
    def board(self) -> BoardTerms:
        """How the board is kept."""

    @property
    def benching(self) -> BenchingTerms:
        """When a bot is benched."""

    @property
    def anchors(self) -> Mapping[str, Rating]:
        """The fixed ratings of staff bots, by bot."""


@dataclass(frozen=True, slots=True)
class LoggedSettings:
    """These terms as a log has them."""

    board: BoardTerms
    benching: BenchingTerms
    anchors: Mapping[str, Rating]


def logged_settings(terms: TermsSet | None) -> LoggedSettings | None:
    """Reads them from what `terms_set` wrote; None if some are missing, or no numbers."""
    others = dict(terms.others) if terms else {}
    rated = {key.removeprefix(_RATING_OF): text.split() for key, text in others.items() if key.startswith(_RATING_OF)}
    try:
        board = BoardTerms(float(others["board.tau"]), float(others["board.unseen_days"]))
        benching = BenchingTerms(float(others["benching.fault_share"]), int(others["benching.games"]))
        anchors = {bot: Rating(float(mu), float(sigma)) for bot, (mu, sigma) in rated.items()}
    except (KeyError, ValueError):
        return None
    return LoggedSettings(board, benching, anchors)


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
        yield f"{_RATING_OF}{bot}", f"{rating.mu} {rating.sigma}"
