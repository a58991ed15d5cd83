"""Fills docs/speed.md and research/speed.md with measured figures, between marks in prose that is written by hand.

    python3 dev.py bench --json > bench.json
    .venv/bin/python benchmarks/peers.py --json > peers.json
    .venv/bin/python -m docs.speed_page bench.json peers.json

Either file may be left out: then its sections stay unchanged.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from docs.made import SECTION, section

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "docs/speed.md", ROOT / "research/speed.md")

Document = Mapping[str, Any]
"""The output of one of the two commands; a missing section is a KeyError."""


class WrongInput(Exception):
    """A mark without a section, or a document of neither command."""


def fill_page(page: str, documents: Iterable[Document]) -> str:
    """Returns the page with new sections from these documents; raises WrongInput."""
    sections: dict[str, str] = {}
    for document in documents:
        makers = PEERS if "peers" in document else BENCH
        try:
            sections |= {name: make(document) for name, make in makers.items()}
        except (KeyError, TypeError) as error:
            raise WrongInput(f"there is no {error} in it: give what the commands of docs/speed.md printed") from error

    def filled(found: re.Match[str]) -> str:
        if found[1] not in BENCH and found[1] not in PEERS:
            raise WrongInput(f"a page has a mark `made: {found[1]}`, for which nothing is made")
        return section(found[1], sections[found[1]]) if found[1] in sections else found[0]

    return SECTION.sub(filled, page)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a Markdown table, the first column left-aligned, the others right-aligned."""
    cells = [list(head), *map(list, rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], f"|---|{'---:|' * (len(cells[0]) - 1)}", *lines[1:]])


def machine(found: Document) -> str:
    host = found["machine"]
    load = "" if host["load"] is None else f" The load was {host['load']} as it began."
    worth = " Little was played: figures for a first look." if found["quick"] else ""
    return (
        f"Measured on {host['cores']} cores ({host['system']}, {host['processor']}), {host['python']}, grpcio "
        f"{host['grpcio']}; medians of {found['pairs']} pair{'s' if found['pairs'] != 1 else ''}.{load}{worth}"
    )


def users(found: Document) -> str:
    room, contest = found["wire"], found["contest"]
    return table(
        (f"on {found['machine']['cores']} cores, {found['machine']['python']}", "measured"),
        (
            ("decisions a second, five bots in their own processes, 64 tables", f"{room['decisions_per_s']:,}"),
            ("to the same messages in bare gRPC", f"{room['ratio_to_echo']:.2f}"),
            ("decisions a second, a contest from its start to stored standings", f"{contest['decisions_per_s']:,}"),
            ("bytes of record, a deal", f"{contest['bytes_per_deal']:.0f}"),
            ("decisions a second, practice", f"{found['practice']['decisions_per_s']:,}"),
        ),
    )


def wire(found: Document) -> str:
    head = ("five trivial bots, tables", "asks/s", "decisions/s", "echo/s", "asks to echo", "decisions to echo")
    return table(
        head,
        (
            (
                str(at["tables"]),
                f"{at['asks_per_s']:,}",
                f"{at['decisions_per_s']:,}",
                f"{at['echo_per_s']:,}",
                f"{at['asks_to_echo']:.2f}",
                f"{at['ratio_to_echo']:.2f}",
            )
            for at in found["wire"]["tables"]
        ),
    )


def single(found: Document) -> str:
    of = found["wire"]
    return table(
        ("64 tables", "decisions/s"),
        (
            ("ready asks together", f"{of['decisions_per_s']:,}"),
            ("each ask by itself", f"{of['single_decisions_per_s']:,}"),
            ("ratio, pair by pair", f"{of['ratio_to_single']:.2f}"),
        ),
    )


def engine(found: Document) -> str:
    of = found["engine"]
    rows = [("rules and events" + (", compiled" if of["compiled"] else ", plain Python"), f"{of['decisions_per_s']:,}")]
    if of["ratio_to_openspiel"] is not None:
        rows += [("OpenSpiel, euchre", f"{of['openspiel_decisions_per_s']:,}")]
        rows += [("ratio, pair by pair", f"{of['ratio_to_openspiel']:.2f}")]
    return table(("random play", "decisions/s"), rows)


def practice(found: Document) -> str:
    return table(("five trivial bots", "decisions/s"), [("practice", f"{found['practice']['decisions_per_s']:,}")])


def contest(found: Document) -> str:
    of = found["contest"]
    return table(
        (f"a contest of {of['deals']:,} deals, 64 tables", "measured"),
        (
            ("decisions/s, start to stored standings", f"{of['decisions_per_s']:,}"),
            ("to the room at 64 tables", f"{of['ratio_to_wire']:.2f}"),
            ("bytes of record in the database, a deal", f"{of['bytes_per_deal']:.0f}"),
            ("time, to that of a tenth of the deals", f"{of['time_growth']:.1f}"),
            ("memory at the peak, MiB", f"{of['peak_mib']:.0f}"),
            ("more than with a tenth of the deals, MiB", f"{of['rss_growth_mib']:.1f}"),
        ),
    )


def peers(found: Document) -> str:
    head = ("package", "game", "decisions/s", "our rules to it", "our practice to it")
    rows = (
        (
            row["package"],
            row["game"],
            f"{row['decisions_per_s']:,}",
            f"{row['engine_ratio']:.2f}",
            f"{row['practice_ratio']:.2f}",
        )
        for row in found["peers"]
    )
    return f"Medians of {found['rounds']} rounds.\n\n{table(head, rows)}"


BENCH: Mapping[str, Callable[[Document], str]] = {
    "users": users,
    "machine": machine,
    "wire": wire,
    "single": single,
    "engine": engine,
    "practice": practice,
    "contest": contest,
}
PEERS: Mapping[str, Callable[[Document], str]] = {"peers": peers}


def main() -> None:
    """Writes the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args()
    try:
        documents = [json.loads(file.read_bytes()) for file in options.documents]
        for page in PAGES:
            page.write_text(fill_page(page.read_text("utf-8"), documents), "utf-8")
    except (OSError, ValueError, WrongInput) as error:
        sys.exit(f"speed_page.py: {error}")


if __name__ == "__main__":
    main()
