"""The key goes to the server and nowhere else, even if the server quotes it."""

from __future__ import annotations

import json

import pytest

from bourre.messages import Answer
from bourre_seats.models import ModelSettings, model_bot
from tests.sdk.models.asking import FREE_PLAY, Clock, Handler, answer_of, replying

KEY = "sk-planted-0123456789abcdef"


def answer_to_quotes(status: int, structured: bool = True) -> tuple[Answer, list[str], ModelSettings]:
    """What the bot answers at a server that quotes the key wherever it can, what that has heard, and the settings."""
    heard: list[str] = []

    def quote(to: Handler) -> None:
        quoted = to.headers["Authorization"]
        heard.append(quoted)
        said = json.dumps({"why": f"because of {quoted}", "card": "9C"})
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        error = {"message": f"the key {quoted} is wrong", "code": quoted}
        data = json.dumps({"choices": [choice], "error": error}).encode()
        to.begin(status, quoted, Content_Type="application/json", Content_Length=str(len(data)), X_Key=quoted)
        to.wfile.write(data)

    with replying(quote) as address:
        settings = ModelSettings("m", address, key=KEY, structured=structured)
        return answer_of(model_bot(settings, timer=Clock().timer), FREE_PLAY), heard, settings


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500])
def test_no_answer_no_error_and_no_log_has_the_key(status: int, capfd: pytest.CaptureFixture[str]) -> None:
    answer, heard, settings = answer_to_quotes(status)
    assert set(heard) == {f"Bearer {KEY}"}
    logged = capfd.readouterr()
    for written in (repr(answer), logged.out, logged.err, repr(settings), str(settings)):
        assert KEY not in written
    if status == 200:
        assert answer.note == "because of Bearer [key]"
    else:
        assert f"the server answered {status}" in answer.error
        assert f"the server answered {status}" in logged.err


def test_a_refused_key_is_not_tried_again() -> None:
    answer, heard, _ = answer_to_quotes(401)
    assert len(heard) == 1
    assert "check the variable that --key-variable names" in answer.error


def test_a_server_without_json_schemas_is_asked_without() -> None:
    assert [len(answer_to_quotes(400, structured)[1]) for structured in (True, False)] == [2, 1]
