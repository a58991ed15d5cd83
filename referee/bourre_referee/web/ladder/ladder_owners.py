"""The owners of a ladder's bots, and the files in its folder that their keys are made from."""

from __future__ import annotations

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.web.owner_keys import OwnerKeys


def ladder_keys(folder: LadderFolder) -> OwnerKeys:
    """Returns the keys of a ladder's owners; raises ContestError if their secret cannot be read or made."""
    return OwnerKeys.of_files(folder.path / "owners.key", folder.path / "owners.json", "owner on a ladder:")


def owners_of(state: LadderState) -> set[str]:
    """Returns the owners of all bots that ever joined."""
    return {entrant.joined.owner for entrant in state.bots.values() if not entrant.joined.staff}
