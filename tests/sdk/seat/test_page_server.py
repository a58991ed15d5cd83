"""The server of a seat: what it refuses, and what it sends."""

from __future__ import annotations

import asyncio
import json
import os
import re
import stat
from collections.abc import Awaitable, Callable, Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from bourre.messages import Ask, Bundle, Seating, Welcome
from bourre.rules.house import HouseRules
from bourre.testing import view
from bourre.words.table_words.deal_lines import MatchLog
from bourre_seats.seat.page_server import FILES, MOST_BYTES, POLL_SECONDS, PageServer
from bourre_seats.seat.person_seating import take_seat
from bourre_seats.seat.sitting import Sitting

KEY = "key"
NONE: Mapping[str, str] = {}
PLAY = view("play hand='AS KH 2C' trick=QH trump=S")


class Reply:
    """What the server sent."""

    def __init__(self, port: int, method: str, path: str, body: str = "", headers: Mapping[str, str] = NONE) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request(method, path, body or None, dict(headers))
        answer = connection.getresponse()
        self.status, self.headers = answer.status, answer.headers
        self.text = answer.read().decode()
        connection.close()

    @property
    def data(self) -> Any:
        """Its JSON."""
        return json.loads(self.text)


Fetch = Callable[..., Awaitable[Reply]]


def served(test: Callable[[Fetch, Sitting], Awaitable[None]]) -> None:
    """Runs a test against the server of a seat; it fetches without blocking the loop of the seat."""

    async def run() -> None:
        sitting = Sitting(["ada", "tight"])
        server = PageServer(sitting, KEY)
        with server.serve(0) as address:
            port = urlsplit(address).port or 0

            async def fetch(method: str, path: str, *more: Any) -> Reply:
                return await asyncio.to_thread(Reply, port, method, path, *more)

            await test(fetch, sitting)

    asyncio.run(run())


def asked(sitting: Sitting) -> asyncio.Task[Any]:
    """Has a referee ask for a card."""
    ask = Ask(1, 1, PLAY, bank_ms=0)
    seating = Seating(1, "m", PLAY.seat, PLAY.seats, 5, HouseRules.preset("limit"))
    sitting.desk.begin("Playing.")
    sitting.desk.follow(Bundle(welcome=Welcome("ada", "room", 60_000, 0), seatings=[seating], asks=[ask]))
    return asyncio.ensure_future(sitting.desk.ask(ask.view, MatchLog()))


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/", "", {}, 403),
        ("GET", "/other/", "", {}, 403),
        ("GET", "/key", "", {}, 403),
        ("GET", "/key/", "", {"Host": "evil.example"}, 403),
        ("GET", "/key/../seat.py", "", {}, 404),
        ("GET", "/key/news?version=one", "", {}, 400),
        ("GET", "/key/hint?question=1", "", {}, 409),
        ("POST", "/other/answer", '{"question": 1, "answer": "KH"}', {}, 403),
        ("POST", "/other/back", "", {}, 403),
        ("POST", "/key/back", "", {"Content-Length": "0"}, 409),
        ("POST", "/key/answer", "KH", {}, 400),
        ("POST", "/key/answer", '{"question": 1}', {}, 400),
        ("POST", "/key/answer", '{"question": 1, "answer": "KH"}' + " " * MOST_BYTES, {}, 400),
        ("POST", "/key/answer", '{"question": 1, "answer": "KH"}', {}, 409),
        ("POST", "/key/answer", '{"wish": "new"}', {}, 400),
        ("POST", "/key/wish", '{"wish": 1}', {}, 400),
        ("POST", "/key/wish", '{"wish": "new"}', {}, 409),
        ("POST", "/other/wish", '{"wish": "new"}', {}, 403),
        ("GET", "/key/replay", "", {}, 409),
        ("GET", "/other/replay", "", {}, 403),
    ],
)
def test_what_it_refuses(method: str, path: str, body: str, headers: dict[str, str], status: int) -> None:
    async def refused(fetch: Fetch, _: Sitting) -> None:
        reply = await fetch(method, path, body, headers)
        assert reply.status == status
        assert reply.data["error"].endswith((".", "name"))

    served(refused)


def test_the_page_asks_nobody_else_for_anything() -> None:
    async def look(fetch: Fetch, _: Sitting) -> None:
        for name in FILES:
            reply = await fetch("GET", f"/key/{name}")
            assert reply.status == 200
            assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
            assert reply.headers["Referrer-Policy"] == "no-referrer"
            assert not re.search(r"(?:src|href|url\()\W*https?:", reply.text)
        assert 'id="suit-S"' in (await fetch("GET", "/key/")).text

    served(look)


def test_a_question_arrives_with_its_deadline_and_is_answered() -> None:
    async def answer(fetch: Fetch, sitting: Sitting) -> None:
        reply = asked(sitting)
        await asyncio.sleep(0)
        question = (await fetch("GET", "/key/news?version=-1&after=0")).data["question"]
        assert (question["asks"], question["seconds"], question["table"]["hand"]) == ("play", 60, ["AS", "KH", "2C"])
        strange = json.dumps({"question": question["number"], "answer": "QS"})
        refused = await fetch("POST", "/key/answer", strange)
        assert "QS is not in your hand" in refused.data["error"]
        said = json.dumps({"question": question["number"], "answer": "KH"})
        assert (await fetch("POST", "/key/answer", said)).status == 200
        assert str((await reply).said) == "KH"
        assert (await fetch("POST", "/key/answer", said)).status == 409

    served(answer)


def test_a_rated_seat_takes_nothing_back() -> None:
    async def play(fetch: Fetch, sitting: Sitting) -> None:
        reply = asked(sitting)
        await asyncio.sleep(0)
        assert (await fetch("GET", "/key/news?version=-1&after=0")).data["may_take_back"] is False
        refused = await fetch("POST", "/key/back", "", {"Content-Length": "0"})
        assert refused.status == 409
        assert refused.data["error"] == "Here an answer stands: answers are taken back only in practice games."
        assert not reply.done()
        reply.cancel()

    served(play)


def test_a_page_waits_for_news_and_gets_them_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(fetch: Fetch, sitting: Sitting) -> None:
        version = (await fetch("GET", "/key/news?version=-1&after=0")).data["version"]
        waits, begin_waiting = asyncio.Event(), sitting.wait

        async def noted(version: int, seconds: float) -> None:
            waits.set()
            await begin_waiting(version, seconds)

        monkeypatch.setattr(sitting, "wait", noted)
        reply = asyncio.ensure_future(fetch("GET", f"/key/news?version={version}&after=0"))
        await waits.wait()
        sitting.desk.begin("Connecting.")
        async with asyncio.timeout(POLL_SECONDS / 2):
            assert (await reply).data["status"] == "Connecting."

    served(wait)


def test_a_page_that_looks_on_an_open_question_wakes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(fetch: Fetch, sitting: Sitting) -> None:
        reply = asked(sitting)
        await asyncio.sleep(0)
        monkeypatch.setattr("bourre_seats.seat.page_server.POLL_SECONDS", 0.01)
        versions = {(await fetch("GET", f"/key/news?version={sitting.version}&after=0")).data["version"] for _ in "123"}
        assert versions == {sitting.version}
        reply.cancel()

    served(look)


def test_a_port_that_is_taken_is_an_error() -> None:
    async def run() -> None:
        server = PageServer(Sitting(), KEY)
        with (
            server.serve(0) as address,
            pytest.raises(OSError, match="in use"),
            server.serve(urlsplit(address).port or 0),
        ):
            raise AssertionError("two servers at one port")

    asyncio.run(run())


def test_a_seat_takes_another_port_than_a_taken_one() -> None:
    async def run() -> None:
        with PageServer(Sitting(), KEY).serve(0) as first:
            port = urlsplit(first).port or 0
            with PageServer(Sitting(), KEY).serve(port, 0) as second:
                assert urlsplit(second).port != port

    asyncio.run(run())


def test_after_a_game_the_page_replays_it_in_a_box_and_tells_what_the_person_wishes() -> None:
    async def end(fetch: Fetch, sitting: Sitting) -> None:
        wished = asyncio.ensure_future(sitting.interlude.offer(("same", "leave"), "<p>The replay</p>"))
        await asyncio.sleep(0)
        replay = await fetch("GET", "/key/replay")
        assert replay.text == "<p>The replay</p>"
        assert "sandbox allow-scripts" in replay.headers["Content-Security-Policy"]
        assert "allow-same-origin" not in replay.headers["Content-Security-Policy"]
        news = (await fetch("GET", "/key/news?version=-1&after=0")).data
        assert (news["offers"], news["replays"], news["over"]) == (["same", "leave"], True, False)
        refused = await fetch("POST", "/key/wish", '{"wish": "next"}')
        assert (refused.status, refused.data["error"][:6]) == (409, "`same`")
        assert (await fetch("POST", "/key/wish", '{"wish": "same"}')).status == 200
        assert await wished == "same"
        assert (await fetch("GET", "/key/replay")).status == 409

    served(end)


def test_the_end_of_a_game_waits_for_a_page_to_fetch_it(capsys: pytest.CaptureFixture[str]) -> None:
    async def run() -> None:
        sitting = Sitting()

        async def game() -> int:
            sitting.ended.set()
            sitting.desk.end("Goodbye.")
            return 7

        seated = asyncio.ensure_future(take_seat(sitting, (0,), game()))
        while not (said := capsys.readouterr().err):
            await asyncio.sleep(0)
        address = urlsplit(said.split()[2])
        reply = await asyncio.to_thread(Reply, address.port or 0, "GET", f"{address.path}news?version=-1&after=0")
        assert (reply.data["over"], reply.data["status"]) == (True, "Goodbye.")
        assert await seated == 7

    asyncio.run(run())


def test_no_other_user_reads_the_key_from_the_command_line_of_the_browser(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)

    async def run() -> Path:
        sitting = Sitting()

        async def game() -> Path:
            while not opened:
                await asyncio.sleep(0)
            (address,) = opened
            file, key = Path(unquote(urlsplit(address).path)), capsys.readouterr().err.split()[2]
            assert address.startswith("file:///")
            assert key.split("/")[3] not in address
            assert f'content="0; url={key}"' in file.read_text("utf-8")
            assert [stat.S_IMODE(place.stat().st_mode) for place in (file, file.parent)] == [0o600, 0o700]
            return file

        return await take_seat(sitting, (0,), game(), opens=True)

    previous = os.umask(0)
    try:
        assert not asyncio.run(run()).parent.exists()
    finally:
        os.umask(previous)
