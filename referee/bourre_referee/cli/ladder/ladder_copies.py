"""`bourre ladder copies`: which hosted bots decide alike."""

from pathlib import Path
from typing import TYPE_CHECKING

from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.ladder.ladder_arguments import LadderPath

if TYPE_CHECKING:
    from bourre_referee.evaluation.copies.same_play import Play
    from bourre_referee.ladder.host.hosted_bots import HostedBot


def copies(folder: LadderPath) -> None:
    """Ask every hosted bot the same, and print which decide alike: a question to you, never a verdict.

    Bots that their authors start are not asked.
    """
    from tempfile import TemporaryDirectory

    from bourre_referee.cli.progress import show_steps, steps
    from bourre_referee.evaluation.copies.copies_text import copies_report
    from bourre_referee.evaluation.copies.known_bots import known_bots
    from bourre_referee.evaluation.copies.same_play import find_alike
    from bourre_referee.ladder.host.hosted_bots import hosted_bots
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    bots = list(hosted_bots(LadderFolder(folder)))
    with TemporaryDirectory(prefix="bourre-copies-") as logs, steps(only_in_terminal=True) as advance:
        played = [_quiz(bot, Path(logs)) for bot in show_steps(advance, "bots asked", bots, len(bots))]
    plays = [play for play in played if play]
    for bot, play in zip(bots, played, strict=True):
        if play is None:
            tell(f"{bot.bot} is not compared: it did not play to the end (bourre check says why)")
    print(copies_report(find_alike(plays, known_bots()), len(plays)), end="")


def _quiz(bot: "HostedBot", logs: Path) -> "Play | None":
    from dataclasses import replace

    from bourre_referee.evaluation.check.examine_bot import Subject
    from bourre_referee.evaluation.check.trial_matches import TESTED_BOT
    from bourre_referee.evaluation.copies.quizzed_play import quiz

    return quiz(Subject(replace(bot.entry, name=TESTED_BOT), bot.bot, (), bot.isolation), logs)
