"""The API of a ladder, and the document that describes it."""

from __future__ import annotations

import pytest

from bourre_referee.ladder.board.meeting_wait import meeting_wait
from tests.referee.web.ladder.shown_ladders import ServedLadder

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


def test_the_board_names_who_plays_and_ranks_by_score(served_ladder: ServedLadder) -> None:
    board = served_ladder.client.get("/api/board").json()
    (found,) = board["boards"]
    scores = [row["rating"]["mu"] - 3 * row["rating"]["sigma"] for row in found["rows"]["ranked"]]
    assert scores == sorted(scores, reverse=True)
    assert [room["room"] for room in board["rooms"]] == list(served_ladder.ladder.state.rooms)


def test_it_says_how_long_it_takes_until_two_bots_meet(served_ladder: ServedLadder) -> None:
    wait = meeting_wait(served_ladder.ladder.state, "bob", "cy")
    found = served_ladder.client.get("/api/bots/bob/meeting/cy").json()
    assert found == {"rooms": wait.rooms, "reason": wait.reason}
    assert served_ladder.client.get("/api/bots/bob/meeting/x").status_code == 404


def test_errors_are_problems_with_a_hint(served_ladder: ServedLadder) -> None:
    for path in ("/api/bots/x", "/api/log?page=99", "/api/nothing"):
        answer = served_ladder.client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
        assert answer.json()["mend"]
