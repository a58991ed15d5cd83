"""Makes the terms of a contest for its manifest, with the hashes of its bots' files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.luck import BASELINE
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import OwnIsolation
from bourre_referee.storage.run.manifest import BotTerms, File, IsolationTerms, Terms
from bourre_referee.storage.run.model_terms import ModelTerms
from bourre_seats.models.templates import Templates


def terms_of(contest: Contest) -> Terms:
    """Returns the terms of a contest, with hashes of its bots' files. Raises ContestError if one cannot be read."""
    return Terms(
        seed=contest.seed,
        format=contest.format,
        seats=contest.seats,
        deals=contest.deals,
        tables=contest.tables,
        fresh=contest.fresh,
        stakes=contest.stakes,
        schedule=contest.schedule,
        rules=contest.house,
        clock=contest.clock,
        max_faults=contest.max_faults,
        isolation=_isolation_terms(contest.isolation),
        bots=tuple(terms_of_bot(entrant, contest.folder) for entrant in contest.entrants),
        archive=contest.archive or None,
        baseline=BASELINE if contest.format == "duplicate" else None,
    )


def _isolation_terms(asked: IsolationAsked) -> IsolationTerms:
    return IsolationTerms(level=asked.level, image=asked.image, **asdict(asked.limits))


def terms_of_bot(entrant: Entrant, folder: Path) -> BotTerms:
    """Returns the terms of one bot with paths relative to this folder. Raises ContestError as `terms_of` does."""
    try:
        files = tuple(_hash_files(entrant.files, folder))
        return BotTerms(
            name=entrant.name,
            command=entrant.command,
            files=files,
            venv=entrant.venv,
            trusted=entrant.trusted,
            isolation=entrant.isolation if entrant.isolation != OwnIsolation() else None,
            network=entrant.network.as_written if entrant.network else False,
            environment=entrant.environment,
            rating=entrant.rating,
            model=_model_terms(entrant, folder),
        )
    except OSError as error:
        raise ContestError(
            f"[[bots]] {entrant.name}: cannot read {error.filename}: {error.strerror}.\nhint: correct its files"
        ) from error


def _model_terms(entrant: Entrant, folder: Path) -> ModelTerms | None:
    if (model := entrant.model) is None:
        return None
    prompts = Templates(folder / model.prompts if model.prompts else None).sha256
    written = {"name": model.name, "model": model.model, "base_url": model.base_url, "options": model.options}
    trouble = "void" if model.voids_trouble else None
    return ModelTerms.model_validate({**written, "prompts": prompts, "on_trouble": trouble})


def _hash_files(files: tuple[str, ...], folder: Path) -> Iterator[File]:
    for path in files:
        place = folder / path
        for file in sorted(_inside(place)) if place.is_dir() else [place]:
            name = path if file == place else f"{path.rstrip('/')}/{file.relative_to(place).as_posix()}"
            yield File(path=name, sha256=hashlib.sha256(file.read_bytes()).hexdigest())


def _inside(folder: Path) -> Iterator[Path]:
    """Yields the files of a folder, without Python's caches."""
    return (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
