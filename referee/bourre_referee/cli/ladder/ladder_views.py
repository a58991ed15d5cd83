"""`bourre ladder init`, `status`, `log`, `copies` and `verify`: a new ladder, and what there is to see of one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson
from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.ladder.ladder_arguments import LadderPath
from bourre_referee.cli.verify import CheckingJobs, PublishedHashes, report

if TYPE_CHECKING:
    from rich.table import Table

    from bourre_referee.ladder.host.ladder_entries import HostedBot
    from bourre_referee.ladder.host.ladder_status import LadderStatus
    from bourre_referee.verify.published import Published


def init(
    folder: Annotated[Path, typer.Argument(metavar="LADDER", help="A new folder.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The ladder file, such as ladder.toml.")],
    db: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Keep the log and all matches in this database: postgresql://USER@HOST/DATABASE."
        ),
    ] = None,
) -> None:
    """Create a ladder from a ladder file, and copy its reference bots."""
    from bourre_referee.ladder.host.administration import new_ladder

    staff = new_ladder(folder, file, database=db).settings().contest.names
    print(f"{folder} is a ladder now, with {len(staff)} reference bot{'' if len(staff) == 1 else 's'}")
    tell(f"To add a bot:\n  bourre ladder add {quote(str(folder))} NAME --command 'python bot.py'")


def status(folder: LadderPath, json: AsJson = False) -> None:
    """Show every bot, its place and why it waits."""
    from rich.console import Console

    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.host.ladder_status import read_status

    found = read_status(LadderFolder(folder))
    if json:
        print(found.to_json())
        return
    frozen = ", final rounds" if found.frozen else ""
    print(f"{found.name}: season {found.season}, epoch {found.epoch}{frozen}")
    print(f"{found.rooms} rooms called, {found.playing} being played; log of {found.events} events, {found.head}\n")
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDE
    console.print(_table(found))
    if not found.served:
        tell("Nobody serves this ladder now, so the places of the bots are old.")


WIDE = 10_000
"""A width in columns that no table reaches."""


def log(
    folder: LadderPath, json: Annotated[bool, typer.Option("--json", help="Print the lines as they are.")] = False
) -> None:
    """Show what happened, and check that the log is unchanged."""
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.log.event_log import log_line

    ladder = LadderFolder(folder)
    log = ladder.open_log()
    events = log.read_new()
    raw = (line.decode("ascii").removesuffix("\n") for line, _ in islice(ladder.lines.read_after(0), log.events))
    for line in raw if json else map(log_line, events):
        print(line)


def _table(found: LadderStatus) -> Table:
    from rich.table import Table
    from rich.text import Text

    from bourre_referee.text.names import printable

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for heading in ("bot", "version", "owner", "kind"):
        table.add_column(heading, no_wrap=True)
    for heading in ("games", "place"):
        table.add_column(heading, no_wrap=True, justify="right")
    table.add_column("")
    for bot in found.bots:
        words = [Text(printable(word)) for word in (bot.name, bot.declared, bot.owner, bot.kind)]
        place = f"{bot.waiting.place} of {bot.waiting.of}" if bot.waiting.place else "-"
        table.add_row(*words, str(bot.games), place, Text(printable(bot.waiting.reason)))
    return table


def verify(
    folder: LadderPath, jobs: CheckingJobs = None, published: PublishedHashes = None, json: AsJson = False
) -> None:
    """Verify the log, every epoch, every season and the board.

    The ladder may go on meanwhile. Stops at the first difference, prints it, and ends with exit code 4. The last line
    says what could not be checked. With --published it also checks that the ladder continues what was published.
    """
    report(lambda noted: _check(folder, noted, jobs, json), published, json=json)


def _check(folder: Path, published: Sequence[Published], jobs: int | None, json: bool) -> str:
    from bourre_referee.cli.progress_meter import steps
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.verify.ladder_text import document, lines
    from bourre_referee.verify.whole_ladder import verify_ladder

    with steps(only_in_terminal=True) as advance:
        verified = verify_ladder(LadderFolder(folder), published, jobs, advance)
    return document(verified) if json else "\n".join(lines(verified))


def copies(folder: LadderPath) -> None:
    """Find bots that decide alike, which may be copies.

    Every hosted bot gets the same questions. Bots that their authors start are not asked. Your cache folder keeps the
    answers of each version.
    """
    import os
    from tempfile import TemporaryDirectory

    from bourre_referee.cli.progress_meter import show_steps, steps
    from bourre_referee.derived.answers_cache import fixed_deal_records
    from bourre_referee.derived.result_cache import open_result_cache
    from bourre_referee.evaluation.copies.identical_play import copies_report, find_alike, fixed_deal_play, known_bots
    from bourre_referee.ladder.host.ladder_entries import hosted_bots
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    bots, cache = list(hosted_bots(LadderFolder(folder), tell)), open_result_cache(os.environ)
    with TemporaryDirectory(prefix="bourre-copies-") as logs, steps(only_in_terminal=True) as advance:
        asked = show_steps(advance, "bots asked", bots, len(bots))
        played = {
            bot.bot: fixed_deal_records(cache, bot.described, partial(_play_fixed_deals, bot, Path(logs)))
            for bot in asked
        }
    plays = [fixed_deal_play(bot, records) for bot, records in played.items() if records is not None]
    for bot, records in played.items():
        if records is None:
            tell(f"{bot} is not compared, as it did not play to the end.\nhint: run bourre check with its file")
    print(copies_report(find_alike(plays, known_bots()), len(plays)), end="")


def _play_fixed_deals(bot: HostedBot, logs: Path) -> tuple[str, ...] | None:
    from dataclasses import replace

    from bourre_referee.evaluation.check.examine_bot import Subject
    from bourre_referee.evaluation.check.trial_matches import TESTED_BOT
    from bourre_referee.evaluation.copies.identical_play import play_fixed_deals

    return play_fixed_deals(Subject(replace(bot.entry, name=TESTED_BOT), bot.bot, (), bot.isolation), logs)
