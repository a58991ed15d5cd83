"""Writes the result of verifying a whole ladder, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from bourre_referee.text.names import printable
from bourre_referee.verify.board_check import CheckedBoard
from bourre_referee.verify.epoch_check import VerifiedEpoch
from bourre_referee.verify.epoch_text import log_in_words, values_of_epoch
from bourre_referee.verify.verify_text import verdict
from bourre_referee.verify.whole_ladder import VerifiedLadder


def lines(verified: VerifiedLadder) -> Iterator[str]:
    """Yields a line for each check, done or not possible. The last line is the verdict."""
    yield log_in_words(verified.log.state.events, verified.log.head)
    for epoch in verified.log.epochs:
        yield f"epoch {epoch.number:<4} {_epoch_in_words(epoch)}"
    for board in verified.boards:
        yield f"board      {_board_in_words(board)}"
    yield from (f"unchecked  {printable(each.what)}: {printable(each.why)}" for each in verified.unchecked)
    yield verdict("the ladder", verified.unchecked)


def _epoch_in_words(epoch: VerifiedEpoch) -> str:
    runs = epoch.rated, epoch.unrated
    played = f"{epoch.rated.finished} rated and {epoch.unrated.finished} unrated matches of {epoch.rooms} rooms"
    deals, decisions = (sum(getattr(run.amounts, key) for run in runs) for key in ("deals", "decisions"))
    paired = f"{epoch.rooms - epoch.challenges} rooms paired again" if epoch.paired_again else "pairings unchecked"
    taken_back = f", annulled: {', '.join(epoch.taken_back)}" if epoch.taken_back else ""
    abandoned = ", abandoned after a backup was restored" if epoch.abandoned else ""
    return f"{played}: {deals} deals dealt and {decisions} decisions ruled on again, {paired}{taken_back}{abandoned}"


def _board_in_words(board: CheckedBoard) -> str:
    hashed = f", with the SHA-256 in the log, {board.logged}" if board.logged else ""
    return f"{board.name}, after line {board.line}: places and ratings of {board.games} games computed again{hashed}"


def document(verified: VerifiedLadder) -> str:
    """Writes the same as a JSON document."""
    values = {
        "verified": True,
        "log": {"lines": verified.log.state.events, "head": verified.log.head},
        "epochs": [values_of_epoch(epoch) for epoch in verified.log.epochs],
        "boards": [asdict(board) for board in verified.boards],
        "unchecked": [f"{each.what}: {each.why}" for each in verified.unchecked],
        "difference": None,
    }
    return json.dumps(values, indent=2)
