"""Copies a run from one place to another, row by row, with the same digest."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.missing_store import missing_store
from bourre_referee.storage.run.model_calls import ModelCalls
from bourre_referee.storage.run.run_location import RunLocation, model_calls_of


def copy_run(source: RunLocation, target: RunLocation) -> None:
    """Copies everything except logs, tokens and archived bots. Raises ContestError if the target has a run.

    Only a folder takes the calls of language models. A copy of an unfinished run includes the secret seed, so continue
    only one of the two copies.
    """
    with _hold_unfinished(source):
        manifest = source.read_manifest()
        if target.has_manifest():
            raise ContestError(f"{target} already has a run of this contest.\nhint: rename or remove one of them")
        if source.has_seed():
            target.keep_seed(source.draw_seed(None))
        # The matches go first. If this is killed, there is no manifest yet, and the next copy starts over.
        if source.has_store():
            _copy_matches(source, target, manifest.contest, manifest.seed.commitment)
        elif manifest.finished:
            raise missing_store(source, manifest)
        _copy_calls(source, target)
        if (standings := source.read_standings()) is not None:
            target.write_standings(standings)
        target.write_manifest(manifest)


def _hold_unfinished(source: RunLocation) -> AbstractContextManager[object]:
    return nullcontext() if source.read_manifest().complete else source.hold()


def _copy_calls(source: RunLocation, target: RunLocation) -> None:
    from_file, to_file = model_calls_of(source), model_calls_of(target)
    if from_file and to_file and from_file.exists():
        with ModelCalls(from_file) as calls:
            calls.copy_to(to_file)


def _copy_matches(source: RunLocation, target: RunLocation, name: str, commitment: str) -> None:
    with source.open_store(commitment) as there, target.create_store(name, commitment) as here:
        here.replace_rows(there.all_rows)
        here.seal()
