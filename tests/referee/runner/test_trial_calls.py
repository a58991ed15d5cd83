"""The trial calls before a contest with [[models]]: a refusal stops it with the fix, and what may pass is told."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.model.language_model import Caps
from bourre_referee.runner.gateway.model_gateway import open_gateway
from tests.referee.runner.test_model_gateway import KEY, contest_of, spent
from tests.sdk.models.asking import Handler, replying, stand_in


def trial(base_url: str, folder: Path, caps: Caps | None = None) -> Sequence[str]:
    """What the trial of two bots of one model tells."""
    with open_gateway(contest_of(base_url, caps or Caps()), folder / "calls.db", {"KEY": KEY}) as models:
        return models.trial()


class Failing:
    """A server that answers with this status, or only if it is asked for JSON with a schema."""

    def __init__(self, status: int, *, schema_only: bool = False) -> None:
        self._status = status
        self._schema_only = schema_only

    def __call__(self, to: Handler) -> None:
        fails = not self._schema_only or "response_format" in json.loads(to.asked)
        to.begin(self._status if fails else 200, Content_Type="application/json")
        escaped = json.dumps({"error": {"message": f"no\x1b[2J <b> {KEY}."}}).replace("sk-", "sk\\u002d")
        to.wfile.write(escaped.encode())


def test_a_server_that_answers_is_called_once_for_a_model_and_on_record(tmp_path: Path) -> None:
    with stand_in() as server:
        assert trial(server.base_url, tmp_path) == ()
    assert spent(tmp_path).calls == 1


@pytest.mark.parametrize(
    ("server", "fix"),
    [
        (Failing(401), "set the variable of key_variable to a key of this server"),
        (Failing(403), "to a key that may use this model"),
        (Failing(404), "correct model and base_url"),
        (Failing(422), "correct options and base_url"),
        (Failing(307), "the server is elsewhere"),
        *(
            (Failing(status, schema_only=True), "takes no JSON schema: set structured = false")
            for status in (400, 422, 501)
        ),
    ],
)
def test_a_refusal_stops_the_contest_with_the_servers_sentence_and_the_fix(
    tmp_path: Path, server: Failing, fix: str
) -> None:
    with replying(server) as base_url, pytest.raises(ContestError) as refused:
        trial(base_url, tmp_path)
    place, hint = str(refused.value).split("\n")
    assert place.startswith("[[models]] mini: its server answered ")
    assert place.endswith(r": no\x1b[2J <b> [key].")
    assert hint.startswith("hint: ")
    assert fix in hint


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_told_and_play_begins(tmp_path: Path, status: int) -> None:
    with replying(Failing(status)) as base_url:
        [told] = trial(base_url, tmp_path)
    assert told.startswith(f"[[models]] mini: a trial call failed: its server answered {status}: no")
    assert KEY not in told


def test_no_server_is_told_and_a_cap_leaves_no_trial(tmp_path: Path) -> None:
    [told] = trial("http://127.0.0.1:1/v1", tmp_path)
    assert "502: bourre: the model's server did not answer" in told
    assert trial("http://127.0.0.1:1/v1", tmp_path, Caps(calls=1)) == ()
    assert spent(tmp_path).calls == 1
