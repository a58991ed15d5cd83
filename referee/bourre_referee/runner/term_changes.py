"""What differs between the terms a run was begun on and the terms it would go on with."""

from __future__ import annotations

from collections.abc import Iterator

from bourre_referee.storage.manifest import BotTerms, Manifest, Terms

WHERE = {
    "seed": "[contest] seed",
    "format": "[table] format",
    "seats": "[table] seats",
    "deals": "[table] deals",
    "tables": "[table] tables",
    "stakes": "[table] stakes",
    "schedule": "[schedule]",
    "rules": "[rules]",
    "clock": "[clock]",
    "max_faults": "[faults] max",
    "isolation": "[isolation]",
}


def changes(begun: Manifest, name: str, terms: Terms) -> list[str]:
    """Each difference, as a person would say it; none when the run may go on."""
    renamed = [f"[contest] name was {begun.contest!r}, is {name!r}"] if name != begun.contest else []
    return renamed + list(_settings(begun.terms, terms)) + list(_bots(begun.terms, terms))


def _settings(before: Terms, now: Terms) -> Iterator[str]:
    old, new = before.model_dump(mode="json"), now.model_dump(mode="json")
    for key, where in WHERE.items():
        if isinstance(old[key], dict):
            yield from (
                f"{where} {inner} was {_shown(old[key][inner])}, is {_shown(new[key][inner])}"
                for inner in new[key]
                if old[key][inner] != new[key][inner]
            )
        elif old[key] != new[key]:
            yield f"{where} was {_shown(old[key])}, is {_shown(new[key])}"


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
        yield f"bot {new.name}: its venv was {_shown(old.venv)}, is {_shown(new.venv)}"
    if old.trusted is not None and old.trusted != new.trusted:
        yield f"bot {new.name}: trusted was {_shown(old.trusted)}, is {_shown(new.trusted)}"
    before = {file.path: file.sha256 for file in old.files}
    after = {file.path: file.sha256 for file in new.files}
    yield from (f"bot {new.name}: {path} was changed" for path in after if before.get(path, after[path]) != after[path])
    yield from (f"bot {new.name}: {path} is new" for path in after if path not in before)
    yield from (f"bot {new.name}: {path} is gone" for path in before if path not in after)


def _command(bot: BotTerms) -> str:
    return " ".join(bot.command) if bot.command else "connect = true"


def _shown(value: object) -> str:
    return "not set" if value is None else repr(value)
