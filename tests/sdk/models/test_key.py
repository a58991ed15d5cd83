"""The key goes to the server and nowhere else, even if the server quotes it."""

from __future__ import annotations

import json

import pytest

from bourre.messages import Answer
from bourre_seats.models import ModelSettings, model_bot
from bourre_seats.models.settings import SettingsError
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


@pytest.mark.parametrize(
    ("address", "extra", "why"),
    [
        (f"https://user:{KEY}@host/v1", {}, "--base-url holds a user or a password"),
        (f"https://{KEY}@host/v1", {}, "--base-url holds a user or a password"),
        ("https://host/v1?version=1&Api-Key=s3cret", {}, "--base-url holds the key 'Api-Key'"),
        ("https://host/v1?code=s3cret", {}, "--base-url holds the key 'code'"),
        (f"https://host/{KEY}/v1", {}, "--base-url holds what looks like a key"),
        (None, {"api_key": "s3cret"}, "--extra-body holds a key, in 'api_key'"),
        (None, {"metadata": {"Authorization": "s3cret"}}, "in 'metadata.Authorization'"),
        (None, {"extra_headers": {"X-Mine": "s3cret"}}, "in 'extra_headers'"),
        (None, {"metadata": [{"mine": f"Bearer {KEY}"}]}, "in 'metadata.mine'"),
    ],
)
def test_a_key_in_the_command_is_refused_with_its_place(address: str, extra: dict[str, object], why: str) -> None:
    with pytest.raises(SettingsError) as refused:
        ModelSettings("m", address, extra_body=extra)
    said = str(refused.value)
    assert why in said
    assert said.endswith("put the key into the variable OPENAI_API_KEY, or into another that --key-variable names")
    assert KEY not in said
    assert "s3cret" not in said


@pytest.mark.parametrize("address", ["localhost:8000/v1", "host", "ftp://host/v1", "http://", "http://[1/v1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(SettingsError, match="--base-url"):
        ModelSettings("m", address)


def test_ordinary_fields_are_no_keys() -> None:
    extra: dict[str, object] = {
        "max_tokens": 9,
        "prompt_cache_key": "a table",
        "stop": ["token"],
        "logit_bias": {"5": 1},
        "chat_template_kwargs": {"enable_thinking": False},
    }
    assert ModelSettings("m", "https://host/v1?api-version=2024-10-21", extra_body=extra).extra_body == extra
