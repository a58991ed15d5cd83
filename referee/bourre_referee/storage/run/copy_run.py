"""Copies a run from one place to another, row by row: both then have the same digest."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.run_location import RunLocation


def copy_run(source: RunLocation, target: RunLocation) -> None:
    """Copies everything but logs, tokens and archived bots; raises ContestError if the target has a run.

    A run that is not finished brings its secret seed, so that it can go on in its new place, and must not go on in the
    old one meanwhile.
    """
    with _hold_unfinished(source):
        manifest = source.read_manifest()
        if target.has_manifest():
            raise ContestError(f"{target}: this contest has a run there already; rename or remove one of them")
        if source.has_seed():
            target.keep_seed(source.draw_seed(None))
        # The matches go first: if this is killed, the next copy begins anew, as there is no manifest yet.
        if source.has_store():
            _copy_matches(source, target, manifest.contest, manifest.seed.commitment)
        if (standings := source.read_standings()) is not None:
            target.write_standings(standings)
        target.write_manifest(manifest)


def _hold_unfinished(source: RunLocation) -> AbstractContextManager[object]:
    return nullcontext() if source.read_manifest().complete else source.hold()


def _copy_matches(source: RunLocation, target: RunLocation, name: str, commitment: str) -> None:
    with source.open_store(commitment) as there, target.create_store(name, commitment) as here:
        here.replace_rows(there.all_rows)
        here.seal()
