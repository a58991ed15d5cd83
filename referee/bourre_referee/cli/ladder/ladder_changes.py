"""`bourre ladder pause`, `resume`, `retire`, `bench`, `reinstate`, `freeze`, `season`, `restore` and `void`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.ladder.ladder_arguments import BotName, LadderPath, Reason

if TYPE_CHECKING:
    from bourre_referee.ladder.host.administration import Administration


def pause(folder: LadderPath, bot: BotName) -> None:
    """Let a bot rest, until you resume it: it finishes the room it is in, and waits for none."""
    from bourre_referee.ladder.log.events import BotPaused

    _administration(folder).change(BotPaused(bot, by="host"))
    print(f"{bot} rests until: bourre ladder resume {folder} {bot}")


def resume(folder: LadderPath, bot: BotName) -> None:
    """End a bot's pause."""
    from bourre_referee.ladder.log.events import BotResumed

    _administration(folder).change(BotResumed(bot, by="host"))
    print(f"{bot} is no longer paused")


def retire(folder: LadderPath, bot: BotName) -> None:
    """Take a bot off the ladder; its games stay, and `add` takes it in again."""
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.log.events import BotRetired
    from bourre_referee.runner.invitations import revoke_token

    _administration(folder).change(BotRetired(bot, by="host"))
    revoke_token(bot, LadderFolder(folder).tokens)
    print(f"{bot} has retired; its games stay")


def bench(folder: LadderPath, bot: BotName, reason: Reason) -> None:
    """Stop a bot until you reinstate it, or add a new version of it."""
    from bourre_referee.ladder.log.events import BotBenched

    _administration(folder).change(BotBenched(bot, reason, by="host"))
    print(f"{bot} is benched: {reason}")


def reinstate(folder: LadderPath, bot: BotName) -> None:
    """Let a benched bot play again."""
    from bourre_referee.ladder.log.events import BotReinstated

    _administration(folder).change(BotReinstated(bot, by="host"))
    print(f"{bot} plays again")


def freeze(
    folder: LadderPath, thaw: Annotated[bool, typer.Option("--thaw", help="End the final rounds instead.")] = False
) -> None:
    """Begin the final rounds: from now on, no skill is taken to change."""
    _administration(folder).freeze(frozen=not thaw)
    print("the final rounds are over" if thaw else "the final rounds have begun: ratings only become more certain")


def season(folder: LadderPath) -> None:
    """Open the next season, from the next epoch on."""
    print(f"season {_administration(folder).open_season()} begins with the next epoch")


def restore(folder: LadderPath) -> None:
    """Go on after you restored a backup: abandon the open epochs, whose seeds may have been published since.

    Rooms that were being played are void; finished ones stay. The next `serve` opens an epoch with new seeds.
    """
    from bourre_referee.ladder.host.administration import abandon_epochs
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    abandoned = abandon_epochs(LadderFolder(folder.absolute()))
    for epoch in abandoned:
        print(f"epoch {epoch} is abandoned: serve opens another one")
    if not abandoned:
        print("no epoch is open, so none was abandoned")


def void_match(
    folder: LadderPath,
    room: Annotated[int, typer.Argument(metavar="ROOM", help="The number of a finished room.")],
    reason: Reason,
) -> None:
    """Take back the match of a finished room, visibly: no rating counts it any more."""
    voided = _administration(folder).void(room, reason)
    print(f"the match of room {voided.room}, in epoch {voided.epoch}, is void: {reason}")
    tell("its record stays where it is, and `bourre ladder log` shows this")


def _administration(folder: Path) -> "Administration":
    from bourre_referee.ladder.host.administration import Administration
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    return Administration(LadderFolder(folder))
