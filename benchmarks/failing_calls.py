"""Plays the same cards with a server that fails a fifth of all calls, and with one that never fails.

`python benchmarks/failing_calls.py [--matches 20] [--share 0.2]`. The server is the stand-in, in the same process, and
pauses take no time. In the last lines, most failures are answers that the bot cannot read, which it asks for once more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bourre.practice import BotResult, PracticeResult, practice
from bourre_referee.statistics.estimates import Block, Estimate, estimate_per_100
from bourre_seats.models import ModelSettings, model_bot
from bourre_seats.models.chat import AnswerFormat, Completion, Message, TryAgain
from bourre_seats.models.model_bot import Timer
from bourre_seats.models.stand_in_player import StandInPlayer, view_in

DEALS, SEED = 10, 33
SKILLS = ("tight", "counter")
SERVER: tuple[Completion | TryAgain, ...] = (TryAgain("error 500"), TryAgain("error 429", after_s=1.0))
ANSWERS = (*SERVER, Completion(""), Completion("}{"), Completion('{"play"', flaw="the answer is cut off"))


@dataclass
class FailingChat:
    """Answers like an example bot, and fails at random."""

    player: StandInPlayer
    failures: Sequence[Completion | TryAgain]
    share: float
    random: Random = field(default_factory=lambda: Random(SEED))
    calls: int = 0
    failed: int = 0

    async def complete(self, messages: Sequence[Message], form: AnswerFormat, seconds: float) -> Completion:
        """Returns the stand-in's answer, or fails."""
        self.calls += 1
        if self.random.random() < self.share:
            self.failed += 1
            failure = self.random.choice(self.failures)
            if isinstance(failure, TryAgain):
                raise TryAgain(str(failure), failure.after_s)
            return failure
        seen = view_in([{"role": said.role, "content": said.text} for said in messages])
        return Completion(json.dumps(await asyncio.to_thread(self.player.answer, form.name, seen)))


async def no_pause(_: float) -> None:
    """Waits for no time."""


def contest(
    matches: int, share: float, failures: Sequence[Completion | TryAgain]
) -> tuple[PracticeResult, list[FailingChat]]:
    """Plays two models and two other bots."""
    chats = [FailingChat(StandInPlayer(skill), failures, share) for skill in SKILLS]
    models = {
        f"model {skill}": model_bot(ModelSettings(skill), chat, Timer(sleep=no_pause))
        for skill, chat in zip(SKILLS, chats, strict=True)
    }
    return practice({**models, "loose": "loose", "drawer": "drawer"}, DEALS, SEED, matches=matches, strict=False), chats


def standing(played: PracticeResult, bot: str) -> Estimate:
    """Returns the chips per 100 deals of this bot, with the interval over matches."""
    rows: list[BotResult] = [row for match in played.matches for row in match.seats if row.bot == bot]
    return estimate_per_100(Block(row.chips, row.deals) for row in rows)


def main(matches: int, share: float) -> None:
    """Prints each bot's standing without and with failures."""
    clean, _ = contest(matches, 0.0, SERVER)
    print(f"{'failures':<24}{'bot':<16}{'without':>8}{'95 % interval':>20}{'with':>8}{'faults':>8}")
    for name, failures in (("the server's", SERVER), ("unreadable answers too", ANSWERS)):
        failing, chats = contest(matches, share, failures)
        for row in failing.bots:
            before, after = standing(clean, row.bot), standing(failing, row.bot)
            low, high = before.ci95 or (0.0, 0.0)
            told = "" if low <= after.chips_per_100 <= high else "  beyond its interval"
            print(
                f"{name:<24}{row.bot:<16}{before.chips_per_100:>+8.1f}{f'{low:+.1f} to {high:+.1f}':>20}"
                f"{after.chips_per_100:>+8.1f}{row.faults:>8}{told}",
                flush=True,
            )
        print(f"{sum(chat.failed for chat in chats)} of {sum(chat.calls for chat in chats)} calls failed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--share", type=float, default=0.2)
    given = parser.parse_args()
    main(given.matches, given.share)
