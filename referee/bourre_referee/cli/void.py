"""`bourre void`: discards a finished match, so that it is played again."""

from shlex import join
from typing import Annotated

import typer

from bourre_referee.cli.arguments import RunArgument, parse_match_id
from bourre_referee.cli.exit_codes import tell
from bourre_referee.storage.address_text import is_address


def void(
    where: RunArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A finished match, such as m0001 or 1.")],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="The reason, which everyone can read under the standings.")
    ],
) -> None:
    """Discard a finished match, so that the next run plays it again.

    It gets the same seed and so the same cards. The discarded record and the reason are kept.
    """
    from datetime import UTC, datetime

    from bourre_referee.storage.void_match import void

    discarded = void(where, parse_match_id(match), reason, datetime.now(UTC))
    print(f"{discarded.match} is void: attempt {discarded.attempt}, {discarded.reason}")
    if discarded.revealed:
        tell("the seed of this run was revealed: anyone who plays this match again can know its cards beforehand")
    again = ["--db", str(where).partition("#")[0]] if is_address(str(where)) else ["--out", str(where)]
    tell(f"bourre run CONTEST {join(again)} plays it again, with the same seed")
