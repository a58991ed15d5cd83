"""Turns a complaint into a finding, with its place and the command that reproduces it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from shlex import join

from bourre.bot_code.printed_error import UNANSWERED
from bourre.connection.log_line import SIGN
from bourre.rules.actions import Decision
from bourre.rules.cards import show
from bourre.rules.visibility import View
from bourre_referee.evaluation.check.answer_judge import Complaint
from bourre_referee.evaluation.check.check_report import Finding
from bourre_referee.evaluation.check.check_room import CheckedRoom
from bourre_referee.evaluation.check.transcript import Exchange
from bourre_referee.evaluation.check.trial_matches import CORRECTION, SILENT, TrialMatch, TrialTerms, count_matches
from bourre_referee.text.names import printable

MAX_LINES = 20
"""The most lines of the bot's output in a finding."""
LINE_LENGTH = 120
"""The most characters of such a line."""


@dataclass(frozen=True, slots=True)
class Context:
    """One room, its matches and its terms."""

    terms: TrialTerms
    words: tuple[str, ...]
    """The command that checks this bot, without its options."""
    trials: Mapping[str, TrialMatch]
    played: CheckedRoom

    def finding(self, complaint: Complaint) -> Finding:
        """Returns a finding from a complaint."""
        exchange = complaint.exchange
        view = exchange.ask.view
        return Finding(
            what=complaint.what,
            rule=complaint.rule,
            where=self.where(exchange),
            hand=_describe_position(view),
            legal=show(view.legal) if view.decision == Decision.PLAY else "",
            cost=complaint.cost,
            printed=lines_about(self.played.printed, exchange),
            again=self.again(exchange.match),
        )

    def where(self, exchange: Exchange) -> str:
        """Describes the preset, the seats, the deal and the bot's seat."""
        trial, view = self.trials[exchange.match], exchange.ask.view
        policy = f", renege_policy {trial.policy}" if trial.policy else ""
        return (
            f"preset {trial.preset}{policy}, {trial.seats} seats, deal {view.deal} of {view.deals}, "
            f"seat {view.seat} (table {exchange.ask.table}, ask {exchange.ask.id})"
        )

    def again(self, match: str) -> str:
        """Returns the command that repeats this match, with others of the same preset and seats only."""
        trial, terms = self.trials[match], self.terms
        deals = terms.deals if match in (CORRECTION, SILENT) else trial.deals * count_matches(1)
        options = ["--rules", trial.preset, "--seats", str(trial.seats), "--deals", str(deals)]
        limit = ["--decision-seconds", f"{terms.decision_ms / 1000:g}"]
        return join([*self.words, *options, "--seed", str(terms.seed), *limit])


def _describe_position(view: View) -> str:
    trump = "not named" if view.named is None else str(view.named)
    trick = f", trick {show(view.trick)}" if view.trick else ""
    refused = f", after {view.correcting.card} was refused" if view.correcting else ""
    asked = f", asked to {view.decision}" if view.decision != Decision.PLAY else ""
    return f"{show(view.hand)}, trump {trump}{trick}{refused}{asked}"


def lines_about(printed: bytes, exchange: Exchange) -> str:
    """Returns the SDK's output about this decision, or else the bot's last lines."""
    lines = list(own_lines(printed))
    mark = f"in deal {exchange.ask.view.deal} at table {exchange.ask.table}: "
    for number, line in enumerate(lines):
        if line.startswith(UNANSWERED) and mark in line:
            before = lines[max(0, number - MAX_LINES) : number]
            starts = [at for at, text in enumerate(before) if text.startswith(SIGN)]
            return "\n".join(before[starts[-1] :] if starts else before)
    return "\n".join(lines[-MAX_LINES:])


def own_lines(printed: bytes) -> Iterator[str]:
    """Yields the lines that the bot itself printed, without the referee's notes."""
    for line in printed.decode(errors="replace").splitlines():
        if not line.startswith("[bourre"):
            yield printable(line[:LINE_LENGTH])
