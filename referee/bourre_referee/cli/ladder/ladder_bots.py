"""The commands of a ladder's host about bots, seasons and epochs: who may play, who rests, what counts."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from shlex import quote, split
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.exit_codes import BadUsage, tell
from bourre_referee.cli.ladder.ladder_arguments import BotName, LadderPath, Reason

if TYPE_CHECKING:
    from bourre_referee.ladder.host.administration import Administration
    from bourre_referee.ladder.host.joining import Newcomer
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.log.events import BotJoined


def add(
    folder: LadderPath,
    bot: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name. A bot of the ladder gets a new version.")],
    command: Annotated[
        str | None, typer.Option(metavar="WORDS", help='The command that starts the bot, such as "python bot.py".')
    ] = None,
    source: Annotated[
        Path, typer.Option("--from", metavar="PATH", help="The bot's folder or file, or a zip.")
    ] = Path(),
    files: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", show_default="the bot's folder", help="A file or folder in --from. Repeatable."),
    ] = None,
    remote: Annotated[bool, typer.Option("--remote", help="The author starts the bot, elsewhere.")] = False,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", show_default="the bot's name", help="The owner of the bot.")
    ] = None,
    version: Annotated[str | None, typer.Option(metavar="TEXT", help="The author's name for this version.")] = None,
) -> None:
    """Add a bot, or a new version of one.

    The previous version retires, and its games stay. A hosted bot is copied. For a remote bot the command prints what
    its author needs. The token is shown only once.
    """
    from bourre_referee.ladder.host.joining import Newcomer, add_remote
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.runner.invitations import revoke_token

    if remote == (command is not None):
        raise BadUsage("Who starts the bot?\nhint: pass --command if you do, --remote if its author does")
    if remote and (files or source != Path()):
        raise BadUsage("--files and --from are for a bot with --command.\nhint: remove them")
    ladder, newcomer = LadderFolder(folder), Newcomer(bot, owner, version)
    ladder.storage.check()
    if command is None:
        joined = add_remote(ladder, newcomer)
    else:
        joined = _add_hosted(ladder, newcomer, _words(command), files or (), source)
        revoke_token(bot, ladder.tokens)  # of a version before that its author started
    tell(f"{bot} of {joined.owner} has joined as version {joined.number}")
    if remote:
        _invite(ladder, bot, renew=False)
    if find_spec("fastapi"):
        _tell_key(ladder, joined.owner, renew=False)


def _add_hosted(
    ladder: "LadderFolder", newcomer: "Newcomer", command: list[str], files: Sequence[str], source: Path
) -> "BotJoined":
    """Adds a bot from a folder, from a zip of its files, or from its only file."""
    from bourre_referee.ladder.host.joining import add_hosted, add_submitted
    from bourre_referee.storage.run.bot_zip import read_zip

    if not source.is_file():
        return add_hosted(ladder, newcomer, command, files, source)
    if files:
        raise BadUsage("--from is a file, and all of it is taken.\nhint: remove --files")
    return add_submitted(ladder, newcomer, command, read_zip(source))


def token(
    folder: LadderPath,
    bot: BotName,
    renew: Annotated[bool, typer.Option("--renew", help="Make a new token. The old one stops working.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Revoke the token, and make none.")] = False,
) -> None:
    """Print what the author of a remote bot needs.

    The token is shown only once.
    """
    from bourre.rules.errors import unknown
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.runner.invitations import revoke_token

    if renew and revoke:
        raise BadUsage("--renew and --revoke exclude each other.\nhint: pass one of them")
    ladder = LadderFolder(folder)
    log = ladder.open_log()
    log.read()
    remote = [name for name, known in log.state.bots.items() if not (known.joined.hosted or known.retired)]
    if bot not in remote:
        raise BadUsage(f"{folder}: {unknown('remote bot', bot, remote)}")
    if revoke:
        had_one = revoke_token(bot, ladder.tokens)
        tell(f"Revoked the token of {bot}.\nhint: use --renew to make another" if had_one else f"{bot} has no token.")
    else:
        _invite(ladder, bot, renew=renew)


def key(
    folder: LadderPath,
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="The owner of a bot.")],
    renew: Annotated[bool, typer.Option("--renew", help="Make a new key. The old one stops working.")] = False,
) -> None:
    """Print the key with which an owner logs in.

    A renewed key is shown only once.
    """
    from bourre.rules.errors import unknown
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.web.ladder.owner_acts import owners_of

    ladder = LadderFolder(folder)
    log = ladder.open_log()
    log.read()
    if owner not in (known := owners_of(log.state)):
        raise BadUsage(f"{folder}: {unknown('owner', owner, sorted(known))}")
    _tell_key(ladder, owner, renew=renew)


def _words(command: str) -> list[str]:
    try:
        words = split(command)
    except ValueError as error:
        raise BadUsage(f"--command {command!r}: {error}.\nhint: use quotes as in a shell") from error
    if not words:
        raise BadUsage("--command is empty.\nhint: use --command 'python bot.py'")
    return words


def _invite(ladder: "LadderFolder", bot: str, *, renew: bool) -> None:
    """Prints address, token and certificate of a bot; makes the token if it has none."""
    from bourre_referee.contest.listen import settings_for_authors
    from bourre_referee.runner.invitations import Invitation, renew_token
    from bourre_referee.storage.files.listener_port import read_port
    from bourre_referee.storage.run.tokens import TokenFile

    listen = ladder.settings().contest.listen
    if not renew and bot in TokenFile(ladder.tokens).read().bots:
        again = f"bourre ladder token {quote(str(ladder.path))} {bot} --renew"
        tell(f"{bot} has a token, which was shown once.\nhint: {again}")
        return
    port = read_port(ladder.port_file) if listen.port == 0 else None
    address = listen.at_port(port).address if port else listen.address
    invitation = Invitation(bot, settings_for_authors(listen, address, [bot])[bot], renew_token(bot, ladder.tokens))
    print(f"{bot}: {invitation.environment}")


def _tell_key(ladder: "LadderFolder", owner: str, *, renew: bool) -> None:
    """Tells the key with which an owner reads logs and hands, and pauses bots; anyone who has it can."""
    from bourre_referee.web.ladder.owner_acts import ladder_keys

    keys = ladder_keys(ladder)
    found = keys.renew(owner) if renew else keys.key(owner)
    if found:
        tell(f"{owner} logs in at /owner on the ladder's pages, with the key {found}")
    else:
        again = f"bourre ladder key {quote(str(ladder.path))} {quote(owner)} --renew"
        tell(f"{owner} has a renewed key, which was shown once.\nhint: {again}")


def pause(folder: LadderPath, bot: BotName) -> None:
    """Pause a bot until you resume it.

    The bot finishes the match that it is in.
    """
    from bourre_referee.ladder.log.events import BotPaused

    _administration(folder).change(BotPaused(bot, by="host"))
    print(f"{bot} is paused. To end the pause: bourre ladder resume {quote(str(folder))} {bot}")


def resume(folder: LadderPath, bot: BotName) -> None:
    """Let a paused bot play again."""
    from bourre_referee.ladder.log.events import BotResumed

    _administration(folder).change(BotResumed(bot, by="host"))
    print(f"{bot} is no longer paused")


def retire(folder: LadderPath, bot: BotName) -> None:
    """Take a bot off the ladder.

    Its games stay. `bourre ladder add` brings it back.
    """
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.log.events import BotRetired
    from bourre_referee.runner.invitations import revoke_token

    _administration(folder).change(BotRetired(bot, by="host"))
    revoke_token(bot, LadderFolder(folder).tokens)
    print(f"{bot} has retired. Its games stay.")


def suspend(folder: LadderPath, bot: BotName, reason: Reason) -> None:
    """Suspend a bot until you reinstate it or add a new version."""
    from bourre_referee.ladder.log.events import BotBenched

    _administration(folder).change(BotBenched(bot, reason, by="host"))
    print(f"{bot} is suspended: {reason}")


def reinstate(folder: LadderPath, bot: BotName) -> None:
    """Let a suspended bot play again."""
    from bourre_referee.ladder.log.events import BotReinstated

    _administration(folder).change(BotReinstated(bot, by="host"))
    print(f"{bot} plays again")


def freeze(
    folder: LadderPath, thaw: Annotated[bool, typer.Option("--thaw", help="End the final rounds instead.")] = False
) -> None:
    """Start the final rounds.

    From now on, ratings only become more certain.
    """
    _administration(folder).freeze(frozen=not thaw)
    print("the final rounds are over" if thaw else "the final rounds have begun: ratings only become more certain")


def season(folder: LadderPath) -> None:
    """Open the next season."""
    print(f"season {_administration(folder).open_season()} begins with the next epoch")


def annul(
    folder: LadderPath,
    room: Annotated[int, typer.Argument(metavar="ROOM", help="The number of a finished room.")],
    reason: Reason,
) -> None:
    """Annul the match of a finished room.

    No rating counts it any more. Its record stays, and the log shows the reason.
    """
    voided = _administration(folder).void(room, reason)
    print(f"the match of room {voided.room}, in epoch {voided.epoch}, is void: {reason}")
    tell("The record stays. `bourre ladder log` shows the reason.")


def _administration(folder: Path) -> "Administration":
    from bourre_referee.ladder.host.administration import Administration
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    return Administration(LadderFolder(folder))
