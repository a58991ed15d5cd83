"""`bourre export`, `plot` and `import`: what becomes of a run elsewhere: tables, pages, plots, a copy in a database."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import RUN, SITE, RunArgument, beside, formats, forms
from bourre_referee.cli.exit_codes import BadUsage, tell

if TYPE_CHECKING:
    from bourre_referee.storage.run.run import Run


WITHOUT_TABLES = {RUN: "a run folder has other tables, all of them", SITE: "a site has pages and no tables"}


def export(
    where: RunArgument,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            autocompletion=forms,
            help="jsonl: all; csv: for a spreadsheet; parquet: typed, for programs; run: a run folder; site: pages.",
        ),
    ],
    out: Annotated[Path | None, typer.Option(metavar="DIR", show_default="DIR-FORMAT", help="A new folder.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", show_default="all", help="Only this table; may be given several times."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="as many as help", help="How many processes make the tables."),
    ] = None,
) -> None:
    """Export a run, finished or not.

    The formats csv, jsonl and parquet have the same tables: matches, seats, blocks, deals, decisions, notes, usage,
    ratings. The format jsonl also has the records, and anyone can verify it like the run itself. The format run is a
    run folder, which can be continued; before the end it has the secret seed. The format site has pages for any web
    host; without one, open its index.html.
    """
    from bourre_referee.export.export_tables import TABLES
    from bourre_referee.storage.run.run import Run

    if form not in (known := formats()):
        raise BadUsage(f"--format {form!r}: write {', '.join(known[:-1])} or {known[-1]}")
    if table and (why := WITHOUT_TABLES.get(form)):
        raise BadUsage(f"--table: {why}; leave it out, or take --format csv, jsonl or parquet")
    if strangers := {*(table or ())} - TABLES.keys():
        raise BadUsage(f"--table {min(strangers)!r}: there are {', '.join(TABLES)}")
    run = Run.open(where)
    place = out or beside(where, form)
    _write(run, form, place, [name for name in TABLES if name in (table or TABLES)], jobs)
    tell(f"written to {place}" + ("" if form == RUN else "; its README.txt explains the files"))


def _write(run: "Run", form: str, place: Path, tables: list[str], jobs: int | None) -> None:
    if form == SITE:
        from bourre_referee.web.site_writer import write_site

        write_site(run, place)
    elif form == RUN:
        from bourre_referee.storage.files.atomic import new_folder
        from bourre_referee.storage.run.copy_run import copy_run
        from bourre_referee.storage.run.folder_location import FolderLocation

        with new_folder(place) as folder:
            copy_run(run.place, FolderLocation(folder))
    else:
        from bourre_referee.cli.progress import steps
        from bourre_referee.export.export_tables import Work
        from bourre_referee.export.export_writer import export

        with steps(only_in_terminal=True) as advance:
            export(run, form, place, tables, Work(jobs, advance))


def plot(
    where: RunArgument,
    out: Annotated[Path | None, typer.Option(metavar="DIR", show_default="DIR-plots", help="A new folder.")] = None,
) -> None:
    """Draw a run, finished or not: chips with intervals, ratings, cross-table, chips over time.

    Each picture is written as SVG and PNG. Needs pip install 'bourre[export]'.
    """
    from bourre_referee.export.plots.contest_plots import draw
    from bourre_referee.storage.run.run import Run

    run = Run.open(where)
    place = out or beside(where, "plots")
    draw(run, place)
    tell(f"written to {place}: chips, rating, cross and course, each as .svg and .png")


def import_run(
    where: RunArgument,
    db: Annotated[str, typer.Option(metavar="URL", help="The database: postgresql://USER@HOST/DATABASE.")],
) -> None:
    """Copy a run into a PostgreSQL database, finished or not.

    It has the same digest there. Logs, tokens and archived bots stay where they are. `bourre export --format run` makes
    a run folder of it again. Of an unfinished run, continue only one copy.
    """
    from bourre_referee.storage.run.copy_run import copy_run
    from bourre_referee.storage.run.run import Run
    from bourre_referee.storage.run.run_location import place_in_database

    run = Run.open(where)
    target = place_in_database(db, run.manifest.contest)
    target.make()
    with target.hold() as held:
        copy_run(where, held)
    tell(f"copied to {target}; bourre verify {quote(str(target))} checks it")
