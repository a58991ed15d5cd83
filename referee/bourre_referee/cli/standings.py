"""`bourre standings`: prints ratings, results, undecided pairs, permissions and void matches of a contest."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson, RunArgument
from bourre_referee.cli.exit_codes import BadUsage

if TYPE_CHECKING:
    from bourre_referee.statistics.match_sums import Tally
    from bourre_referee.statistics.standing import Standings
    from bourre_referee.storage.run.run import Run


def standings(
    where: RunArgument,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the table for a spreadsheet.")] = False,
) -> None:
    """Show the standings of a contest.

    A cross-table of up to 40 bots follows. An unfinished contest is shown as far as it is played.
    """
    from bourre_referee.derived.ratings_cache import rated_run
    from bourre_referee.derived.result_cache import open_result_cache
    from bourre_referee.derived.run_standings import rank
    from bourre_referee.storage.run.run import Run

    if json and csv:
        raise BadUsage("--json and --csv exclude each other.\nhint: pass one of them")
    run = Run.open(where)
    rated = rated_run(run, open_result_cache(os.environ))
    print_standings(run, rank(run, rated.tally, rated.ratings), rated.tally, json=json, csv=csv)


def print_standings(run: "Run", table: "Standings", tally: "Tally", json: bool = False, csv: bool = False) -> None:
    """Prints the standings `table` of a run, made from this tally, on stdout as tables, JSON or CSV.

    Below the tables stand the bots without a rank, the pairs that are undecided, what bots were permitted, and the
    matches that were void.
    """
    from rich.console import Console

    from bourre_referee.cli.standings_tables import print_tables
    from bourre_referee.derived.run_standings import no_shows, standings_json
    from bourre_referee.statistics.standing import standings_csv
    from bourre_referee.statistics.undecided_pairs import undecided_lines
    from bourre_referee.storage.run.permission_lines import permission_lines, trusted_lines
    from bourre_referee.storage.run.void_match import replayed_lines
    from bourre_referee.text.names import printable

    absent = no_shows(run, table)
    if json:
        print(standings_json(run.manifest, table, run.voids(), absent))
    elif csv:
        print(standings_csv(table, absent), end="")
    else:
        print(f"{_heading(run, table.matches)}\n")
        print_tables(table, Console(highlight=False))
        print(f"\nscore = mu - 3 sigma (TrueSkill); digest {table.digest or 'when all matches are finished'}")
        for bot, why in absent.items():
            print(f"{printable(bot)} has no rank: {why}. The stand-in played for it.")
        for line in undecided_lines(tally, table.rows):
            print(line)
        for line in (*trusted_lines(run.manifest), *permission_lines(run.manifest)):
            print(line)
        voids = run.voids()
        for line in replayed_lines(voids, run.matches() if voids else ()):
            print(line)


def _heading(run: "Run", finished: int) -> str:
    from bourre_referee.storage.run.run import seed_in_words

    manifest = run.manifest
    all_of_them = finished == manifest.matches
    matches = f"{finished} matches" if all_of_them else f"so far {finished} of {manifest.matches} matches"
    seed = seed_in_words(manifest.terms.seed, manifest.seed)
    return f"{manifest.contest}: {matches} of {manifest.terms.deals} deals\n{seed}"
