"""`bourre rate`: recomputes the ratings of a contest from its stored results."""

from typing import TYPE_CHECKING

from bourre_referee.cli.arguments import AsJson, RunArgument

if TYPE_CHECKING:
    from bourre_referee.ratings import Rating
    from bourre_referee.statistics.rating_comparison import RatingTable
    from bourre_referee.storage.run_folder import RunFolder

DECIMALS = 4


def rate(
    where: RunArgument,
    json: AsJson = False,
) -> None:
    """Recompute the ratings from the stored results.

    The rating of the standings, which ignores the order of the matches, is shown beside that of one pass over them in
    order. An unfinished run is rated as far as it has come.
    """
    from bourre_referee.statistics.rating_comparison import compare_ratings
    from bourre_referee.storage.run_folder import RunFolder

    run = RunFolder.open(where)
    results = run.results()
    table = compare_ratings(results, run.bots)
    if json:
        print(_document(run, len(results), table))
    else:
        _print(run, len(results), table)


def _document(run: "RunFolder", matches: int, table: "RatingTable") -> str:
    from json import dumps

    rows = [
        {"rank": row.rank, "bot": row.bot, "matches": row.matches, **_numbers(row.batch)}
        | {"one_pass": _numbers(row.one_pass)}
        for row in table.rows
    ]
    chance = round(table.draw_probability, DECIMALS)
    document = {"contest": run.manifest.contest, "matches": matches, "draw_probability": chance, "ratings": rows}
    return dumps(document, indent=2)


def _numbers(rating: "Rating") -> dict[str, float]:
    numbers = {"mu": rating.mu, "sigma": rating.sigma, "score": rating.score}
    return {name: round(number, DECIMALS) + 0.0 for name, number in numbers.items()}


def _print(run: "RunFolder", matches: int, table: "RatingTable") -> None:
    from rich.console import Console
    from rich.text import Text

    from bourre_referee.cli.standings_tables import UNLIMITED, empty_table
    from bourre_referee.text.names import printable

    print(f"{run.manifest.contest}: {matches} of {run.manifest.matches} matches\n")
    shown = empty_table("matches", "score", "mu", "sigma", "one pass: score", "mu", "sigma", gap=2)
    for row in table.rows:
        ratings = [f"{number:.2f}" for of in (row.batch, row.one_pass) for number in (of.score, of.mu, of.sigma)]
        shown.add_row(str(row.rank), Text(printable(row.bot)), str(row.matches), *ratings)
    Console(width=UNLIMITED, highlight=False).print(shown)
    print("\nscore = mu - 3 sigma (TrueSkill); the standings go by the score of all matches at once")
