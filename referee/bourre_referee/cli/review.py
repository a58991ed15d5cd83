"""`bourre review`: prints what each decision of a bot cost, in a run or in practice."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson, Rules, check_writable, house_for_table, opponents
from bourre_referee.cli.exit_codes import BadUsage, nothing_kept, tell

if TYPE_CHECKING:
    from bourre_referee.evaluation.review.reviewed_play import Review

COMPANY = "champion,club,champion"


def review(
    where: Annotated[
        str,
        typer.Argument(
            metavar="BOT_OR_RUN", help="A bot's file, such as mybot.py, or a results folder, such as runs/demo."
        ),
    ],
    bot: Annotated[str | None, typer.Argument(metavar="BOT", show_default=False, help="A bot of that contest.")] = None,
    deals: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many of its deals, starting with the first.")
    ] = 500,
    against: Annotated[
        str, typer.Option(metavar="BOT,BOT", autocompletion=opponents, help="The opponents of a bot's file.")
    ] = COMPANY,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Decides the cards of a bot's file. It is fixed, so that you can compare versions."
        ),
    ] = 7,
    rules: Rules = "limit",
    json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with the worst mistakes on the card table, in a single file."),
    ] = None,
) -> None:
    """Show which of a bot's decisions cost it chips.

    The champion plays out every choice in sampled deals that fit what the seat knew. The page shows the cost of each
    kind of decision, and the worst mistakes with the cards. For the decisions of a contest, pass its results folder and
    the bot's name. A bot's file first plays this many deals here. Five hundred deals take up to a minute.
    """
    from bourre.words.table_words import writer_for
    from bourre_referee.evaluation.review.review_text import review_json, review_lines

    if html is not None:
        if json:
            raise BadUsage("--json and --html exclude each other.\nhint: pass one of them")
        check_writable("--html", html)
    with nothing_kept():
        found = _practised(where, against, deals, seed, rules) if bot is None else _of_run(where, bot, deals)
    if html is None:
        print(review_json(found) if json else "\n".join(review_lines(found, cards=writer_for(sys.stdout))))
    else:
        _write(found, where if bot else "", html)


def _write(found: Review, run: str, file: Path) -> None:
    from bourre_referee.storage.files.atomic import write
    from bourre_referee.web.viewer.review_html import render_review

    write(file, render_review(found, run))
    tell(f"Written to {file}. Open it in a browser.")


def _of_run(where: str, bot: str, deals: int) -> Review:
    from bourre_referee.evaluation.review.reviewed_play import review_run
    from bourre_referee.storage.run.run import Run
    from bourre_referee.storage.run.run_location import parse_place

    return review_run(Run.open(parse_place(where)), bot, deals)


def _practised(path: str, against: str, deals: int, seed: int, preset: str) -> Review:
    from bourre.bot_code.bot_file import find
    from bourre.bot_code.example_folders import example_folders
    from bourre.practice import practice
    from bourre.record import read
    from bourre_referee.cli.arguments import names
    from bourre_referee.cli.practice import first_problems
    from bourre_referee.evaluation.review.reviewed_play import review_records

    file = Path(path.partition(":")[0])
    if file.is_dir():
        raise BadUsage(
            f"{path!r} is a folder.\nhint: add the name of a bot after a results folder, or pass a bot's file"
        )
    folders = (file.parent, *example_folders())
    paths = [find(word.strip(), folders) for word in (path, *against.split(","))]
    named = dict(zip(names(paths), paths, strict=True))
    with redirect_stdout(sys.stderr):  # what the bots print
        played = practice(named, deals, seed, house_for_table(preset, len(named)), strict=False)
    for line in first_problems(played):
        tell(line)
    return review_records((read(match.record) for match in played.matches), next(iter(named)), deals)
