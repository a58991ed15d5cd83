"""`bourre verify`: checks a run, or an export of it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.arguments import AsJson

DIFFERENCE = 4


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, or one exported as jsonl.")],
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="as many as help", help="How many processes check."),
    ] = None,
    published: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HASH|FILE",
            help="What was published: a SHA-256, an earlier manifest.json, or standings as JSON.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Check a run from its seed to its standings.

    Deals every card again, rules on every decision, counts every chip, recomputes rows and ratings. Stops at the first
    difference, prints it, and ends with exit code 4. With --published it also checks that this is the run that was
    published then, perhaps further on.
    """
    from bourre_referee.cli.progress import steps
    from bourre_referee.text.names import printable
    from bourre_referee.verify.difference import Difference
    from bourre_referee.verify.published import check_published, read_published
    from bourre_referee.verify.run_source import source_of
    from bourre_referee.verify.verify import verify
    from bourre_referee.verify.verify_text import difference_document, document, lines

    noted = [read_published(given) for given in published or ()]
    try:
        with steps(only_in_terminal=True) as advance:
            verified = verify(source_of(folder), jobs, advance)
        for hashes in noted:
            check_published(verified, hashes)
    except Difference as difference:
        print(difference_document(difference) if json else f"difference: {printable(str(difference))}")
        sys.stdout.flush()
        raise typer.Exit(DIFFERENCE) from None
    print(document(verified) if json else "\n".join(lines(verified)))
