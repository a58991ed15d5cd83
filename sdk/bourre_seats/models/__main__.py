"""`python -m bourre_seats.models --model NAME`: a language model as a bot's command, without code."""

from __future__ import annotations

import json
import os
import shutil
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Mapping
from pathlib import Path

from bourre.connection.standard_streams import prepare_streams
from bourre.rules.errors import BourreError
from bourre_seats.models.model_bot import run_model
from bourre_seats.models.settings import KEY_VARIABLE, ModelSettings, SettingsError, find_key
from bourre_seats.models.templates import STANDARD

_AN_OBJECT = """pass an object, such as '{"temperature": 0}'"""


def main() -> None:
    """Plays a model at the referee that started this program, or writes the standard prompts."""
    prepare_streams()
    parser = _parser()
    given = parser.parse_args()
    try:
        if given.copy_prompts:
            _copy_prompts(given.copy_prompts)
        elif given.model is None:
            parser.error("--model is missing.\nhint: pass the server's name of the model")
        else:
            run_model(settings_from(given, os.environ))
    except BourreError as error:
        sys.exit(f"bourre_seats.models: {error}")


def settings_from(given: Namespace, environment: Mapping[str, str]) -> ModelSettings:
    """Returns the settings of this command line; raises SettingsError."""
    return ModelSettings(
        model=given.model,
        base_url=given.base_url,
        key=find_key(environment, given.key_variable, given.base_url),
        legal=given.legal,
        together=given.together,
        prompts=given.prompts,
        history=given.history,
        structured=given.structured,
        call_seconds=given.call_seconds,
        price_in=given.price_in,
        price_out=given.price_out,
        extra_body=_read_extra(given.extra_body),
        trial=given.trial,
    )


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m bourre_seats.models", description="Play a language model as a bot.")
    add = parser.add_argument
    add("--model", metavar="NAME", help="the server's name of the model")
    add("--base-url", metavar="URL", help="a server with OpenAI's interface, such as http://127.0.0.1:8000/v1")
    add("--key-variable", metavar="NAME", default=KEY_VARIABLE, help="the variable with the key (%(default)s)")
    add("--legal", action=BooleanOptionalAction, default=True, help="list the legal cards in the prompt")
    add("--together", action=BooleanOptionalAction, default=True, help="declare and draw in one call, if possible")
    add("--history", metavar="N", type=int, default=3, help="earlier deals in the prompt (%(default)s)")
    add("--prompts", metavar="DIR", type=Path, help="a folder with your own prompts")
    add("--copy-prompts", metavar="DIR", type=Path, help="write the standard prompts to a new folder, and end")
    add("--structured", action=BooleanOptionalAction, default=True, help="ask the server for JSON with a schema")
    add("--trial", action=BooleanOptionalAction, default=True, help="make a trial call before the first card")
    add("--call-seconds", metavar="S", type=float, default=120.0, help="the longest call (%(default)g)")
    add("--price-in", metavar="X", type=float, default=0.0, help="the price of a million tokens of prompts")
    add("--price-out", metavar="X", type=float, default=0.0, help="the price of a million tokens of answers")
    add("--extra-body", metavar="JSON", default="{}", help="more keys for each request, such as '{\"temperature\": 0}'")
    return parser


def _read_extra(text: str) -> dict[str, object]:
    try:
        extra = json.loads(text)
    except json.JSONDecodeError as error:
        raise SettingsError(f"--extra-body is not JSON: {error}.\nhint: {_AN_OBJECT}") from None
    if not isinstance(extra, dict):
        raise SettingsError(f"--extra-body is not an object.\nhint: {_AN_OBJECT}")
    return extra


def _copy_prompts(folder: Path) -> None:
    if folder.exists():
        raise SettingsError(f"--copy-prompts {folder}: the folder exists already.\nhint: use a new folder")
    shutil.copytree(STANDARD, folder)
    print(f"Wrote the prompts to {folder}. Change them, and pass --prompts {folder}.")


if __name__ == "__main__":
    main()
