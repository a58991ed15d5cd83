"""Makes the keys of owners, renews them one by one, and finds the owner that a key belongs to."""

from __future__ import annotations

import hmac

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.door_spec import hash_token
from bourre_referee.storage.tokens import TokenFile, Tokens
from bourre_referee.web.owner_logs import owner_keys
from bourre_referee.web.page_lookup import RefusedRequest

SECRET = "owners.key"
"""The file in a ladder's folder from which the first key of each owner is made."""
RENEWED = "owners.json"
"""The file in a ladder's folder with the hashes of the keys that were renewed."""


class LadderOwners:
    """The keys of a ladder's owners: they are valid as long as these two files in its folder are kept."""

    def __init__(self, folder: LadderFolder) -> None:
        """Makes the secret if it is missing; raises ContestError if that fails."""
        self._first = owner_keys(folder.path / SECRET, purpose="owner on a ladder:")
        self._renewed = TokenFile(folder.path / RENEWED, f"remove it with {SECRET} and give every owner a new key")

    def key(self, owner: str) -> str | None:
        """Returns an owner's first key; None once it was renewed, because the new one is stored as a hash only."""
        return None if owner in self._renewed.read().bots else self._first.key(owner)

    def renew(self, owner: str) -> str:
        """Makes an owner a new key and returns it; the one before opens nothing any more."""
        with self._renewed.change() as change:
            return change.renew(owner)

    def owner(self, state: LadderState, key: str) -> str:
        """Returns whose key this is; raises RefusedRequest if it is nobody's."""
        owners, renewed = owners_of(state), self._renewed.read()
        found = [owner for owner in owners if self._accepts(renewed, owner, key)]  # all, so that time tells nothing
        if not found:
            raise RefusedRequest(403, "only the owner may do this", "ask the host of the ladder for your key")
        return found[0]

    def _accepts(self, renewed: Tokens, owner: str, key: str) -> bool:
        if stored := renewed.bots.get(owner):
            return hmac.compare_digest(stored, hash_token(key))
        return self._first.accepts(owner, key)


def owners_of(state: LadderState) -> set[str]:
    """Returns the owners of all bots that ever joined."""
    return {entrant.joined.owner for entrant in state.bots.values() if not entrant.joined.staff}
