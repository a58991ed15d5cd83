"""The API of a ladder, and the document that describes it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from bourre_referee.ladder.log.events import BotPaused, BotRetired
from bourre_referee.ladder.matchmaking.waiting_reasons import expected_wait, explain
from tests.referee.web.ladder.shown_ladders import ServedLadder, ShownLadder, asked_here
from tests.referee.web.reading import PageRead

READ = ("/api/board", "/api/bots/ada", "/api/bots/ada/meeting/bob", "/api/epochs", "/api/log", "/api/waiting")


@pytest.mark.parametrize("path", READ)
def test_every_document_is_described_and_has_a_tag(served_ladder: ServedLadder, path: str) -> None:
    answer = served_ladder.client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert served_ladder.client.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    description = served_ladder.client.get("/openapi.json").json()
    known = description["paths"][path.replace("ada", "{bot}").replace("/bob", "/{other}")]["get"]
    model = known["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    assert {*answer.json()} == {*description["components"]["schemas"][model]["properties"]}


def test_the_board_is_the_one_that_was_written(served_ladder: ServedLadder) -> None:
    board = served_ladder.client.get("/api/board").json()
    shown = json.loads(served_ladder.ladder.folder.board.read_bytes())
    for whole in shown["boards"]:
        del whole["curves"], whole["is_stale"]
    assert board == {key: shown[key] for key in ("ladder", "at", "season", "epoch", "frozen", "boards", "rooms")}
    (found,) = board["boards"]
    scores = [row["rating"]["mu"] - 3 * row["rating"]["sigma"] for row in found["rows"]["ranked"]]
    assert scores == sorted(scores, reverse=True)
    assert [room["room"] for room in board["rooms"]] == list(served_ladder.ladder.state.rooms)


def test_it_says_how_long_it_takes_until_two_bots_meet(served_ladder: ServedLadder) -> None:
    wait = expected_wait(served_ladder.ladder.state, "bob", "cy")
    found = served_ladder.client.get("/api/bots/bob/meeting/cy").json()
    assert found == {"rooms": wait.rooms, "reason": wait.reason}
    assert served_ladder.client.get("/api/bots/bob/meeting/x").status_code == 404


def test_who_waits_is_told_as_on_the_board_and_who_has_retired_is_not(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    ladder.note(BotRetired("cy", by="host"), BotPaused("bob"))
    told = asked_here(ladder).client.get("/api/waiting").json()["waiting"]
    assert told == {bot: asdict(explain(ladder.state, bot)) for bot in ("tight", "loose", "ada", "bob")}
    assert told["bob"] == {"reason": "its owner paused it", "place": None, "of": None}


def test_the_page_for_people_lists_every_address(served_ladder: ServedLadder) -> None:
    heading, *rows = PageRead(served_ladder.text("/api")).rows
    described = served_ladder.client.get("/openapi.json").json()["paths"]
    known = [
        [method.upper(), path, what["summary"]]
        for path, methods in described.items()
        for method, what in methods.items()
    ]
    assert rows == known
    assert [len(known), *heading] == [14, "Method", "Address", "What it does"]


def test_errors_are_problems_with_a_hint(served_ladder: ServedLadder) -> None:
    for path in ("/api/bots/x", "/api/log?page=99", "/api/nothing"):
        answer = served_ladder.client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
        assert answer.json()["mend"]
