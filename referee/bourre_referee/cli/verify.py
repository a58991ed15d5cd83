"""`bourre verify`: checks a run, or an export of it, as `bourre ladder verify` does; `bourre annul`: annuls a match."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import AsJson, RunArgument, parse_match_id
from bourre_referee.cli.exit_codes import BadUsage, tell
from bourre_referee.storage.files.address_text import is_address
from bourre_referee.storage.run.run_location import RunLocation, parse_place

if TYPE_CHECKING:
    from bourre_referee.verify.published import Published


DIFFERENCE = 4

CheckingJobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", min=1, show_default="as many as help", help="How many processes check."),
]
PublishedHashes = Annotated[
    list[str] | None,
    typer.Option(
        "--published",
        metavar="HASH|FILE",
        help="What was published: a SHA-256, an earlier manifest.json, or standings or a ladder's status as JSON.",
    ),
]


def verify(
    where: Annotated[
        RunLocation,
        typer.Argument(
            metavar="RUN",
            parser=parse_place,
            help="A results folder, one exported as jsonl, a ladder, or a contest's address in a database.",
        ),
    ],
    epoch: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The epoch of a ladder: its log, rooms and pairings.")
    ] = None,
    jobs: CheckingJobs = None,
    published: PublishedHashes = None,
    json: AsJson = False,
) -> None:
    """Verify a contest from its seed to its standings.

    Deals every card again, judges every decision, counts every chip, and recomputes results and ratings. Stops at the
    first difference, prints it, and ends with exit code 4. The last line says what could not be checked.

    With --published it also checks that this is the contest that was published, perhaps further on. With --epoch it
    checks an epoch of a ladder: its log must lead to exactly these matches.
    """
    check = _check_run if epoch is None else _check_epoch
    report(lambda noted: check(where, epoch or 0, noted, jobs, json), published, json=json)


def report(check: Callable[[Sequence[Published]], str], published: Sequence[str] | None, *, json: bool) -> None:
    """Prints what a check finds, given what was published; ends with exit code 4 at a difference."""
    from bourre_referee.text.names import printable
    from bourre_referee.verify.difference import Difference
    from bourre_referee.verify.published import read_published
    from bourre_referee.verify.verify_text import difference_document

    noted = [read_published(given) for given in published or ()]
    try:
        found = check(noted)
    except Difference as difference:
        print(difference_document(difference) if json else f"difference: {printable(str(difference))}")
        sys.stdout.flush()
        raise typer.Exit(DIFFERENCE) from None
    print(found)


def _check_run(where: RunLocation, _: int, published: Sequence[Published], jobs: int | None, json: bool) -> str:
    from bourre_referee.cli.progress_meter import steps
    from bourre_referee.verify.published import check_published
    from bourre_referee.verify.run_source import source_of
    from bourre_referee.verify.verify import verify
    from bourre_referee.verify.verify_text import document, lines

    with steps(only_in_terminal=True) as advance:
        verified = verify(source_of(where), jobs, advance)
    for hashes in published:
        check_published(verified, hashes)
    return document(verified) if json else "\n".join(lines(verified))


def _check_epoch(where: RunLocation, epoch: int, published: Sequence[Published], jobs: int | None, json: bool) -> str:
    from bourre_referee.cli.progress_meter import steps
    from bourre_referee.verify.epoch_text import document, lines
    from bourre_referee.verify.ladder_check import verify_epoch

    if (folder := where.folder) is None:
        raise BadUsage("--epoch is for the folder of a ladder.\nhint: remove --epoch")
    with steps(only_in_terminal=True) as advance:
        verified = verify_epoch(folder, epoch, published, jobs, advance)
    return document(verified) if json else "\n".join(lines(verified))


def annul(
    where: RunArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A finished match, such as m0001 or 1.")],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="The reason, which everyone can read under the standings.")
    ],
) -> None:
    """Discard a finished match, so that it is played again.

    The match gets the same seed and so the same cards. The discarded record and the reason are kept.
    """
    from datetime import UTC, datetime

    from bourre_referee.storage.run.void_match import void

    discarded = void(where, parse_match_id(match), reason, datetime.now(UTC))
    print(f"{discarded.match} is void: attempt {discarded.attempt}, {discarded.reason}")
    if discarded.revealed:
        tell("The seed was revealed, so anyone who plays this match again can know its cards in advance.")
    again = ["--db", str(where).partition("#")[0]] if is_address(str(where)) else ["--out", str(where)]
    tell(f"To play it again, with the same cards:\n  bourre run CONTEST {join(again)}")
