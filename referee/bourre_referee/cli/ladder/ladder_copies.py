"""`bourre ladder copies`: which hosted bots decide alike."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.ladder.ladder_arguments import LadderPath

if TYPE_CHECKING:
    from bourre_referee.ladder.host.ladder_entries import HostedBot


def copies(folder: LadderPath) -> None:
    """Ask every hosted bot the same, and print which decide alike: a question to you, never a verdict.

    Bots that their authors start are not asked. What a version answered is kept in your cache folder.
    """
    import os
    from tempfile import TemporaryDirectory

    from bourre_referee.cli.progress import show_steps, steps
    from bourre_referee.derived.answers_cache import quizzed
    from bourre_referee.derived.result_cache import open_result_cache
    from bourre_referee.evaluation.copies.copies_text import copies_report
    from bourre_referee.evaluation.copies.same_play import find_alike, known_bots, quizzed_play
    from bourre_referee.ladder.host.ladder_entries import hosted_bots
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    bots, cache = list(hosted_bots(LadderFolder(folder), tell)), open_result_cache(os.environ)
    with TemporaryDirectory(prefix="bourre-copies-") as logs, steps(only_in_terminal=True) as advance:
        asked = show_steps(advance, "bots asked", bots, len(bots))
        played = {bot.bot: quizzed(cache, bot.described, partial(_quiz, bot, Path(logs))) for bot in asked}
    plays = [quizzed_play(bot, records) for bot, records in played.items() if records is not None]
    for bot, records in played.items():
        if records is None:
            tell(f"{bot} is not compared: it did not play to the end (bourre check says why)")
    print(copies_report(find_alike(plays, known_bots()), len(plays)), end="")


def _quiz(bot: "HostedBot", logs: Path) -> tuple[str, ...] | None:
    from dataclasses import replace

    from bourre_referee.evaluation.check.examine_bot import Subject
    from bourre_referee.evaluation.check.trial_matches import TESTED_BOT
    from bourre_referee.evaluation.copies.same_play import quiz

    return quiz(Subject(replace(bot.entry, name=TESTED_BOT), bot.bot, (), bot.isolation), logs)
