"""`bourre tokens`: makes the tokens of remote bots, and prints what each author needs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.exit_codes import BadUsage, tell

if TYPE_CHECKING:
    from bourre_referee.runner.invitations import Invitation


def tokens(
    contest_file: Annotated[Path, typer.Argument(metavar="CONTEST", help="The contest file, such as contest.toml.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", show_default="runs/NAME", help="The results folder.")
    ] = None,
    renew: Annotated[str | None, typer.Option(metavar="BOT", help="Make a new token for this bot.")] = None,
    revoke: Annotated[str | None, typer.Option(metavar="BOT", help="Revoke the token of this bot.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Create tokens for bots that connect from elsewhere.

    Prints address, token and certificate for each bot with `connect = true`. A token is printed only once, because the
    results folder holds only its hash. --renew and --revoke take effect within seconds while a contest plays, and
    disconnect a bot that used the old token.
    """
    from bourre.rules.errors import unknown
    from bourre_referee.contest.contest_file import load
    from bourre_referee.contest.listen import settings_for_authors
    from bourre_referee.runner.invitations import Invitation, invite, renew_token, revoke_token
    from bourre_referee.storage.run.folder_location import FolderLocation

    contest = load(contest_file)
    bots = contest.remote_bots
    for bot in filter(None, (renew, revoke)):
        if bot not in bots:
            raise BadUsage(f"{contest_file}: {unknown('remote bot', bot, bots)}")
    if not bots:
        tell(f"No bot in {contest_file} has connect = true.\nhint: add connect = true to a bot")
    layout = FolderLocation((out or Path("runs") / contest.name).absolute())
    layout.make()
    if revoke:
        had_one = revoke_token(revoke, layout.tokens)
        tell(
            f"Revoked the token of {revoke}.\nhint: use --renew {revoke} to make another"
            if had_one
            else f"{revoke} has no token."
        )
    shown = () if renew or revoke else bots
    tokens = {renew: renew_token(renew, layout.tokens)} if renew else invite(shown, layout.tokens)
    for bot in shown:
        if bot not in tokens:
            tell(f"The token of {bot} was revoked.\nhint: use --renew {bot} to make another")
    settings = settings_for_authors(contest.listen, contest.listen.address, tokens)
    invitations = [Invitation(bot, settings[bot], token) for bot, token in tokens.items()]
    _print(invitations, json=json)
    if contest.listen.tls and (client_ca := contest.listen.tls.client_ca):
        _tell_of_certificates(client_ca, [each.bot for each in invitations if each.token])


def _tell_of_certificates(client_ca: Path, bots: list[str]) -> None:
    """Says how these bots get the certificates that they must show too."""
    from bourre_referee.contest.listen import certificate_commands

    for bot in bots:
        ask, sign = certificate_commands(client_ca, bot)
        tell(f"{bot} also shows a certificate that names it. Its author runs, and sends you {bot}.csr:\n  {ask}")
        tell(f"Then you run, with the key of {client_ca}, and send back {bot}.pem:\n  {sign}")


def _print(invitations: "list[Invitation]", *, json: bool) -> None:
    if json:
        from json import dumps

        print(dumps([{"bot": each.bot, "environment": each.variables} for each in invitations], indent=2))
        return
    for each in invitations:
        if each.token:
            print(f"{each.bot}: {each.environment}")
        else:
            tell(f"{each.bot} has a token, which was shown once.\nhint: use --renew {each.bot} to make another")
