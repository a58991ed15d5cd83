"""Finds the owner that a key belongs to, and refuses wrong keys."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.web.owner_logs import OwnerKeys, owner_keys
from bourre_referee.web.page_lookup import RefusedRequest

SECRET = "owners.key"
"""The file in a ladder's folder from which the keys of owners are made."""


def ladder_owner_keys(folder: LadderFolder) -> OwnerKeys:
    """Makes the keys of a ladder's owners; they stay valid as long as the secret in its folder is kept."""
    return owner_keys(folder.path / SECRET, purpose="owner on a ladder:")


def owner_address(keys: OwnerKeys, owner: str) -> str:
    """Returns the address of an owner's page."""
    return f"/owner?{urlencode({'key': keys.key(owner)})}"


@dataclass(frozen=True, slots=True)
class LadderOwners:
    """Checks keys."""

    keys: OwnerKeys

    def owner(self, state: LadderState, key: str) -> str:
        """Returns whose key this is; raises RefusedRequest if it is nobody's."""
        owners = {entrant.joined.owner for entrant in state.bots.values() if not entrant.joined.staff}
        found = [owner for owner in owners if self.keys.accepts(owner, key)]  # all, so that time tells nothing
        if not found:
            raise RefusedRequest(403, "only the owner may do this", "ask the host of the ladder for your link")
        return found[0]
