"""Reads the entries [[models]] of a contest file: each is a bot whose command is ours, or several of one model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, JsonValue

from bourre.notes import MILLIONTHS
from bourre_referee.contest.bot_command import explain_missing_file
from bourre_referee.contest.bot_permissions import environment_problems, network_problems
from bourre_referee.contest.contest import Entrant
from bourre_referee.contest.contest_keys import IsolationSection, Name, Section, Word
from bourre_referee.contest.contest_problems import Problems
from bourre_referee.model.language_model import Caps, LanguageModel, most_answer_tokens
from bourre_seats.models.misplaced_keys import key_in_address, key_in_fields
from bourre_seats.models.settings import SettingsError
from bourre_seats.models.templates import Templates

Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Most = Annotated[int, Field(ge=1, le=10**12)]
MOST_REPEATS = 100
_KEY_HINT = "hint: put it in an environment variable, and name that in key_variable"
_LONGEST_NAME = 32
_OWN_KEYS = frozenset({"model", "messages", "n", "stream", "response_format"})


class CapsSection(Section):
    """[model_caps]: what all models together may use."""

    most_calls: Most | None = None
    most_tokens: Most | None = None
    most_cost: Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)] | None = None

    def caps(self) -> Caps:
        """Converts the section."""
        cost = None if self.most_cost is None else round(self.most_cost * MILLIONTHS)
        return Caps(self.most_calls, self.most_tokens, cost)


class ModelSection(CapsSection):
    """[[models]]: a language model, and its own caps, which its repeats share."""

    name: Name
    model: Word
    base_url: Word
    key_variable: Word | None = None
    options: Annotated[dict[str, JsonValue], Field(default_factory=dict)]
    prompts: Word | None = None
    legal: bool = True
    structured: bool = True
    repeats: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    price_in: Price = 0.0
    price_out: Price = 0.0
    on_trouble: Literal["charge", "void"] = "charge"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its entrants."""
        return (self.name,) if self.repeats == 1 else tuple(f"{self.name}.{n}" for n in range(1, self.repeats + 1))


class ModelReader:
    """Reads the models of a contest file, and collects their problems."""

    def __init__(self, folder: Path, problems: Problems, format: str, isolation: IsolationSection) -> None:
        self._folder = folder
        self._problems = problems
        self._format = format
        self._isolation = isolation

    def read(
        self, sections: Sequence[tuple[int, ModelSection]], limits: CapsSection, others: Sequence[Entrant]
    ) -> Iterator[Entrant]:
        """Yields the entrants of each sound model. `others` are the other bots."""
        names = {other.name.casefold() for other in others}
        for index, section in sections:
            found = [*self._problems_of(section, limits), *_name_problems(section, names)]
            found += _trouble_problems(section, others)
            names.update(name.casefold() for name in section.names)
            for key, text in found:
                self._problems.add(("models", index, key), f"[[models]] {section.name}: {text}")
            if not found:
                yield from self._entrants(section)

    def _problems_of(self, section: ModelSection, limits: CapsSection) -> Iterator[tuple[str, str]]:
        if text := _address_problem(section.base_url):
            yield "base_url", text
        if place := key_in_fields(section.options):
            yield "options", f"options: {place} seems to be a key, and options are recorded.\n{_KEY_HINT}"
        for key in _OWN_KEYS.intersection(section.options):
            yield "options", f"options: {key} is set by bourre.\nhint: remove it"
        for text in environment_problems([section.key_variable] if section.key_variable else []):
            yield "key_variable", text.replace("environment must list names", "key_variable must be the name")
        if section.prompts and (text := self._prompts_problem(section.prompts)):
            yield "prompts", text
        for text in network_problems(True, self._isolation.level):
            yield "name", text.replace("a bot", "a model")
        yield from _cap_problems(section, limits)

    def _prompts_problem(self, prompts: str) -> str | None:
        try:
            Templates(self._folder / prompts)
        except SettingsError as error:
            return explain_missing_file(prompts, self._folder) or str(error)
        return None

    def _entrants(self, section: ModelSection) -> Iterator[Entrant]:
        model = LanguageModel(
            name=section.name,
            model=section.model,
            base_url=section.base_url,
            key_variable=section.key_variable,
            options=section.options,
            structured=section.structured,
            prompts=section.prompts,
            price_in=section.price_in,
            price_out=section.price_out,
            caps=section.caps(),
            voids_trouble=section.on_trouble == "void",
        )
        for name in section.names:
            yield Entrant(
                name=name,
                command=tuple(_command(section)),
                files=(section.prompts,) if section.prompts else (),
                trusted=self._format == "duplicate",
                model=model,
            )


def _command(section: ModelSection) -> Iterator[str]:
    yield from ("python", "-m", "bourre_seats.models", "--model", section.model)
    if section.options:
        yield from ("--extra-body", json.dumps(section.options, sort_keys=True))
    if section.prompts:
        yield from ("--prompts", section.prompts)
    yield from () if section.legal else ("--no-legal",)
    yield from () if section.structured else ("--no-structured",)
    for option, price in (("--price-in", section.price_in), ("--price-out", section.price_out)):
        if price:
            yield from (option, repr(price))


def _name_problems(section: ModelSection, taken: set[str]) -> Iterator[tuple[str, str]]:
    for name in section.names:
        if name.casefold() in taken:
            yield "name", f"another bot has the name {name!r}.\nhint: rename one of them"
        if len(name) > _LONGEST_NAME:
            yield "name", f"{name!r} has more than {_LONGEST_NAME} characters.\nhint: use a shorter name"


def _trouble_problems(section: ModelSection, others: Sequence[Entrant]) -> Iterator[tuple[str, str]]:
    """Checks that nobody learns the cards of a match that is played again, as its author would hear from such a bot."""
    telling = [other.name for other in others if other.command is None or other.network]
    if section.on_trouble == "void" and telling:
        told = f'on_trouble = "void" plays matches again, and {telling[0]} could tell its author their cards'
        yield "on_trouble", f'{told}.\nhint: set on_trouble = "charge"'


def _address_problem(base_url: str) -> str | None:
    try:
        parts = urlsplit(base_url)
        if found := key_in_address(base_url):
            return f"base_url has {found}, and addresses are recorded.\n{_KEY_HINT}"
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the host or the port is none
        sound = False
    plain = sound and not (parts.query or parts.fragment)
    return None if plain else 'base_url must be an address such as "https://api.example.org/v1"'


def _cap_problems(section: ModelSection, limits: CapsSection) -> Iterator[tuple[str, str]]:
    """Checks that caps can be kept: a call's cost must have a bound and a price before it is made."""
    costs = section.most_cost or limits.most_cost
    if costs and not (section.price_in or section.price_out):
        yield "most_cost", "a cap on the cost needs prices.\nhint: set price_in and price_out"
    tokens = section.most_tokens or limits.most_tokens
    if (costs or tokens) and most_answer_tokens(section.options) is None:
        yield "options", "a cap on tokens or cost needs a limit for answers.\nhint: set options = {max_tokens = 500}"
