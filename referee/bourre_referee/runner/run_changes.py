"""Finds changes since a run began, in its bots' files and in the terms of its contest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

from bourre_referee.contest.bot_command import files_in
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.model.errors import GO_ON, ContestError
from bourre_referee.model.spec import OwnIsolation
from bourre_referee.runner.watched_files import WatchedFiles, differences
from bourre_referee.storage.run.contest_terms import terms_of, terms_of_bot
from bourre_referee.storage.run.manifest import BotTerms, Manifest, Terms


class BotFiles:
    """Checks repeatedly that nobody changes the files of a contest's bots."""

    def __init__(self, contest: Contest, manifest: Manifest) -> None:
        self._contest = contest
        self._manifest = manifest
        paths = [path for entrant in contest.entrants for path in entrant.files]
        self._files = WatchedFiles(paths, contest.folder, self._changes)

    def check(self) -> None:
        """Raises ContestError if files changed since the run began. Call it when `WatchedFiles.changes` says."""
        if found := self._files.changes():
            raise ContestError(
                f"{self._contest.folder} changed during the contest: {', '.join(found)}.\n"
                f"hint: undo the change, or set another folder with --out\n{GO_ON}"
            )

    def _changes(self) -> list[str]:
        return changes(self._manifest, self._contest.name, terms_of(self._contest))


def as_begun(contest: Contest, begun: Manifest) -> Contest:
    """Returns the contest with the default files of the run's older version: those in the commands."""
    known = {bot.name: {file.path for file in bot.files} for bot in begun.terms.bots}
    entrants = [_as_begun(entrant, known.get(entrant.name, set()), contest.folder) for entrant in contest.entrants]
    return replace(contest, entrants=tuple(entrants))


def _as_begun(entrant: Entrant, known: set[str], folder: Path) -> Entrant:
    if entrant.command is None or not entrant.files_by_default:
        return entrant
    named = replace(entrant, files=files_in(entrant.command, folder))
    return named if {file.path for file in terms_of_bot(named, folder).files} == known else entrant


WHERE = {
    "seed": "[contest] seed",
    "format": "[table] format",
    "seats": "[table] seats",
    "deals": "[table] deals",
    "tables": "[table] tables",
    "fresh": "[table] fresh",
    "stakes": "[table] stakes",
    "schedule": "[schedule]",
    "rules": "[rules]",
    "clock": "[clock]",
    "max_faults": "[faults] max",
    "isolation": "[isolation]",
    "archive": "[contest] archive",
}


def changes(begun: Manifest, name: str, terms: Terms) -> list[str]:
    """Describes each difference. An empty list means that the run may go on."""
    renamed = [f"[contest] name was {begun.contest!r}, is {name!r}"] if name != begun.contest else []
    return renamed + list(_settings(begun.terms, terms)) + list(_bots(begun.terms, terms))


def _settings(before: Terms, now: Terms) -> Iterator[str]:
    old, new = before.model_dump(mode="json"), now.model_dump(mode="json")
    for key, where in WHERE.items():
        if isinstance(old[key], dict):
            yield from (
                f"{where} {inner} was {_format(old[key][inner])}, is {_format(new[key][inner])}"
                for inner in new[key]
                if old[key][inner] != new[key][inner]
            )
        elif old[key] != new[key]:
            yield f"{where} was {_format(old[key])}, is {_format(new[key])}"


def _bots(before: Terms, now: Terms) -> Iterator[str]:
    old = {bot.name: bot for bot in before.bots}
    new = {bot.name: bot for bot in now.bots}
    yield from (f"bot {name} is gone" for name in old if name not in new)
    yield from (f"bot {name} is new" for name in new if name not in old)
    for name in [name for name in new if name in old]:
        yield from _bot(old[name], new[name])
    if old.keys() == new.keys() and list(old) != list(new):
        yield "the bots are in another order"


def _bot(old: BotTerms, new: BotTerms) -> Iterator[str]:
    if old.command != new.command:
        yield f"bot {new.name}: its command was {_command(old)}, is {_command(new)}"
    if old.venv != new.venv:
        yield f"bot {new.name}: its venv was {_format(old.venv)}, is {_format(new.venv)}"
    if old.rating != new.rating:
        yield f"bot {new.name}: its rating was {_rating(old)}, is {_rating(new)}"
    if old.trusted is not None and old.trusted != new.trusted:
        yield f"bot {new.name}: trusted was {_format(old.trusted)}, is {_format(new.trusted)}"
    yield from _permissions(old, new)
    yield from _model(old, new)
    before = {file.path: file.sha256 for file in old.files}
    after = {file.path: file.sha256 for file in new.files}
    yield from (f"bot {new.name}: {difference}" for difference in differences(before, after))


def _permissions(old: BotTerms, new: BotTerms) -> Iterator[str]:
    before, now = old.model_dump(mode="json"), new.model_dump(mode="json")
    for key in (field.name for field in fields(OwnIsolation)):
        was, written = ((bot["isolation"] or {}).get(key) for bot in (before, now))
        if was != written:
            yield f"bot {new.name}: [bots.isolation] {key} was {_format(was)}, is {_format(written)}"
    for key in ("network", "environment"):
        if before[key] != now[key]:
            yield f"bot {new.name}: {key} was {_format(before[key])}, is {_format(now[key])}"


def _model(old: BotTerms, new: BotTerms) -> Iterator[str]:
    """Describes what the commands do not show: the server, and the standard prompts of another version."""
    for key in ("base_url", "prompts", "on_trouble"):
        was, written = (getattr(bot.model, key) if bot.model else None for bot in (old, new))
        if was != written:
            yield f"bot {new.name}: {key} was {_format(was)}, is {_format(written)}"


def _rating(bot: BotTerms) -> str:
    return _format(list(bot.rating) if bot.rating else None)


def _command(bot: BotTerms) -> str:
    return " ".join(bot.command) if bot.command else "connect = true"


def _format(value: object) -> str:
    """Returns a value in the form of a contest file."""
    if isinstance(value, bool):
        return str(value).lower()
    return "not set" if value is None else repr(value)
