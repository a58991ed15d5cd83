"""Parses a manifest, and checks that such a run can exist."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import ValidationError

from bourre.rules.errors import InvalidHouse
from bourre_referee.contest.schedule_section import TAKEN, problems, times_of
from bourre_referee.contest.stages import Stage
from bourre_referee.model.errors import RESTORE, ContestError, DamagedFile
from bourre_referee.storage.files.sound_values import SHOWN, UNSOUND
from bourre_referee.storage.files.untrusted_files import place_in, repeated_key
from bourre_referee.storage.run.manifest import Manifest, Terms
from bourre_referee.storage.run.versions import newer_release
from bourre_referee.text.names import shorten

MOST_ROUNDS, MOST_BOTS = 100_000, 4_096
"""The limits of a manifest. A larger schedule would take too long to compute."""


def parse_manifest(text: bytes, where: object) -> Manifest:
    """Parses a manifest. Raises DamagedFile for impossible values, and ContestError for other content."""
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError as error:
        if newer := newer_release(_release_of(text)):
            raise ContestError(f"{where}: {newer}") from error
        first = error.errors()[0]
        key = place_in(first["loc"]) or "the file"
        if first["type"] in UNSOUND:
            raise DamagedFile(where, f"{key}: {first['msg']}") from error
        if first["type"] == "extra_forbidden":
            raise ContestError(
                f"{where} has a key {shorten(key, SHOWN)}, which this bourre does not know: a newer version wrote it.\n"
                "hint: use that version, or set another folder with --out"
            ) from error
        raise ContestError(f"{where}: {key}: {first['msg']}.\n{RESTORE}") from error
    if said := repeated_key(text):
        raise DamagedFile(where, said)
    for problem in _epoch_problems(manifest):
        raise DamagedFile(where, problem)
    for stage in manifest.stages:
        for problem in _problems(manifest.terms, stage):
            raise DamagedFile(where, f"the terms are impossible: {problem}")
    return manifest


def _release_of(text: bytes) -> str:
    """Returns the release that wrote a manifest with unknown keys; empty if the manifest names none."""
    try:
        return str(json.loads(text)["versions"]["bourre"])
    except (KeyError, RecursionError, TypeError, ValueError):
        return ""


def _epoch_problems(manifest: Manifest) -> Iterator[str]:
    """Yields the reasons why this is neither a contest nor an epoch of a ladder."""
    kinds = [pairing.kind for pairing in manifest.added]
    if not manifest.is_epoch:
        kinds += [manifest.terms.schedule.kind, *(stage.schedule.kind for stage in manifest.closed)]
        if manifest.given_up or "called" in kinds:
            yield "it has rooms of a ladder's epoch, but its terms are those of a contest"
    elif manifest.closed or manifest.terms.bots or kinds not in ([], ["called"]):
        yield "it is a ladder's epoch by its terms, which has no matches but those that its bots were called to"
    elif manifest.given_up and not kinds:
        yield "rooms were given up, but none was called"


def _problems(terms: Terms, stage: Stage) -> Iterator[str]:
    names, pairing = stage.bots, stage.pairing
    called = (pairing.line_ups or ()) if pairing.kind == "called" else ()
    sizes = {terms.seats, *map(len, called)}
    try:
        for seats in sizes:
            terms.rules.check_seats(seats)
    except InvalidHouse as error:
        yield str(error)
    if not min(sizes) <= len(names) <= MOST_BOTS:
        yield f"{len(names)} bots at tables of {terms.seats}"
    if len(set(names)) < len(names):
        yield "two bots have the same name"
    if terms.deals < 1 or not 1 <= times_of(pairing) <= MOST_ROUNDS:
        yield f"{times_of(pairing)} rounds of {terms.deals} deals"
    if pairing.kind not in TAKEN:
        yield f"a schedule of kind {shorten(repr(pairing.kind), SHOWN)}"
    else:
        yield from (text for _, text in problems(pairing, names, terms.seats))
    if pairing.line_ups == ():
        yield f"a schedule of kind {pairing.kind!r} without a line-up"
    if not 0 <= stage.places <= stage.schedule_size(terms.seats):
        yield f"{stage.places} places in stage {stage.number}"
    if not all(number in stage.numbers for number in stage.missing):
        yield f"stage {stage.number} does not have all of its missing matches"
