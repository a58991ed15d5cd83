"""The lines of a host's log."""

from __future__ import annotations

import json
from logging import INFO, LogRecord

import pytest

from bourre_referee.text.log_format import LogFormat, LogKind


def line(text: str, kind: LogKind = "text", name: str = "bourre", args: tuple[object, ...] = ()) -> str:
    record = LogRecord(name, INFO, "", 0, text, args, None)
    record.created = 1_795_807_000.7
    return LogFormat(kind).format(record)


def test_each_line_begins_with_the_time() -> None:
    text = line("The disk is full.\nhint: free some space")
    at = "2026-11-27 19:16:40 UTC bourre: "
    assert text == f"{at}The disk is full.\n{at}hint: free some space"


def test_a_message_is_one_json_document() -> None:
    text = line('“Bot” says "\x1b[2J"\nand more\nhint: do\nhint: it', "json")
    assert "\n" not in text
    assert json.loads(text) == {
        "time": "2026-11-27T19:16:40Z",
        "text": '“Bot” says "\x1b[2J"\nand more',
        "hint": "do\nhint: it",
    }


@pytest.mark.parametrize(
    "secret",
    ["postgresql://me:{}@host/db", "cannot reach https://x:{}@hook.example/1", "host=h password={} user=me", "{}"],
)
def test_no_line_shows_a_password(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    log = LogFormat("json")
    shown = log.format(LogRecord("bourre", INFO, "", 0, f"failed: {secret.format('hunter2')}", None, None))
    assert "hunter2" not in shown
    assert "***" in shown
    assert log.masked == 1


def test_a_request_has_a_line_without_its_query() -> None:
    args = ("198.51.100.7:5000", "GET", "/bots/ada?key=secret", "1.1", 200)
    said = '%s - "%s %s HTTP/%s" %d'
    assert line(said, name="uvicorn.access", args=args).endswith("bourre: 198.51.100.7:5000 GET /bots/ada 200")
    logged = json.loads(line(said, "json", "uvicorn.access", args))
    assert (logged["path"], logged["status"], logged["client"]) == ("/bots/ada", 200, "198.51.100.7:5000")
