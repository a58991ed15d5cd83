"""`bourre ladder notify`: where an owner gets notices."""

from __future__ import annotations

from typing import Annotated

import typer

from bourre_referee.cli.exit_codes import BadUsage, tell
from bourre_referee.cli.ladder.ladder_arguments import LadderPath


def notify(
    folder: LadderPath,
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="An owner of the ladder.")],
    webhook: Annotated[
        str | None, typer.Option(metavar="URL", help="Post each notice to this address, as JSON.")
    ] = None,
    internal: Annotated[
        bool, typer.Option("--internal", help="The address may be in a private network, such as on this machine.")
    ] = False,
    mail: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Mail each notice, if bourre ladder start has a --mail-server."),
    ] = None,
    off: Annotated[bool, typer.Option("--off", help="Send this owner nothing.")] = False,
) -> None:
    """Tell an owner at once when a bot is suspended, does not start or is refused.

    Nothing is sent by default. Without options, the command shows what is set.
    """
    from bourre.rules.errors import unknown
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.notices.contacts import Contact, read_contacts, set_contact

    if (off and (webhook or mail)) or (internal and not webhook):
        raise BadUsage("--off stands alone, and --internal needs --webhook.\nhint: run bourre ladder notify --help")
    ladder = LadderFolder(folder)
    log = ladder.open_log()
    log.read()
    owners = sorted({known.joined.owner for known in log.state.bots.values()})
    if owner not in owners:
        raise BadUsage(f"{folder}: {unknown('owner', owner, owners)}")
    if off or webhook or mail:
        set_contact(ladder.contacts, owner, Contact(webhook=webhook or "", internal=internal, mail=mail or ""))
    contact = read_contacts(ladder.contacts).get(owner, Contact())
    ways = [way for way in (contact.webhook, contact.mail) if way]
    tell(f"{owner} gets notices at {' and '.join(ways)}" if ways else f"{owner} gets no notices")
