"""News of a run: one watcher for all, only the newest for each, nobody waited for, an end that lets everybody go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from starlette.types import Message

from bourre_referee.web.live_updates import Feed, News, Stream
from tests.referee.web.serving import serving, take_back


class Source:
    """States that a test makes, one after another."""

    def __init__(self) -> None:
        self.state = 1
        self.looks = 0

    def __call__(self, seen: str) -> News | None:
        self.looks += 1
        return None if seen == str(self.state) else News(str(self.state), "standings", f"state {self.state}")


def watched(test: Callable[[Feed, Source], Awaitable[None]]) -> None:
    """Runs this with a feed that looks without a pause, and ends it."""

    async def whole() -> None:
        source = Source()
        feed = Feed(source, every_s=0.0)
        watching = asyncio.create_task(feed.watch())
        await test(feed, source)
        feed.end()
        await watching

    asyncio.run(whole())


async def told(events: AsyncGenerator[bytes, None]) -> bytes:
    """The next event that tells something."""
    while not (event := await anext(events)).startswith(b"id: "):
        pass
    return event


async def moments() -> None:
    """As long as a feed takes that looks without a pause to look again and again."""
    for _ in range(20):
        await asyncio.to_thread(lambda: None)


def test_news_are_events_whose_every_line_is_marked() -> None:
    news = News("a1", "standings", "one\r\ntwo\rthree\x0bstill\u2028three\n")
    assert bytes(news).decode() == (
        "id: a1\nevent: standings\ndata: one\ndata: two\ndata: three\x0bstill\u2028three\ndata: \n\n"
    )


def test_every_client_is_told_what_it_has_not_seen_and_then_the_newest() -> None:
    async def test(feed: Feed, source: Source) -> None:
        fresh, knowing = feed.listen(""), feed.listen("1")
        assert await told(fresh) == b"id: 1\nevent: standings\ndata: state 1\n\n"
        assert await anext(knowing) == b"retry: 2000\n\n"
        source.state = 2
        assert await told(knowing) == b"id: 2\nevent: standings\ndata: state 2\n\n"
        assert await told(fresh) == b"id: 2\nevent: standings\ndata: state 2\n\n"
        assert feed.clients == 2
        await fresh.aclose()
        assert feed.clients == 1
        await knowing.aclose()

    watched(test)


def test_who_is_slow_misses_what_is_old() -> None:
    async def test(feed: Feed, source: Source) -> None:
        slow, quick = feed.listen(""), feed.listen("")
        assert await told(slow) == b"id: 1\nevent: standings\ndata: state 1\n\n"
        for state in (2, 3, 4):
            source.state = state
            while f"id: {state}\n".encode() not in await told(quick):
                pass
        assert await told(slow) == b"id: 4\nevent: standings\ndata: state 4\n\n"
        for client in (slow, quick):
            await client.aclose()

    watched(test)


def test_nobody_looks_while_nobody_listens() -> None:
    async def test(feed: Feed, source: Source) -> None:
        client = feed.listen("")
        await told(client)
        await client.aclose()
        await moments()  # a look on its way comes to its end
        before = source.looks
        await moments()
        assert source.looks == before
        again = feed.listen("1")
        source.state = 2
        assert b"id: 2\n" in await told(again)
        await again.aclose()

    watched(test)


def test_silence_is_broken_by_a_heartbeat() -> None:
    async def test(feed: Feed, source: Source) -> None:
        client = feed.listen("1", heartbeat_s=0.0)
        assert [await anext(client), await anext(client)] == [b"retry: 2000\n\n", b": still here\n\n"]
        await client.aclose()

    watched(test)


def test_the_end_lets_every_client_go() -> None:
    async def test(feed: Feed, source: Source) -> None:
        client = feed.listen("")
        await told(client)
        feed.end()
        assert [event async for event in client] == []
        assert feed.clients == 0

    watched(test)


def test_a_failure_while_looking_is_logged_and_the_next_look_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    async def whole() -> None:
        failures = iter([RuntimeError("the disk is gone")])

        def look(_: str) -> News | None:
            for failure in failures:
                raise failure
            return News("1", "standings", "back")

        feed = Feed(look, every_s=0.0)
        watching = asyncio.create_task(feed.watch())
        client = feed.listen("")
        assert b"data: back\n" in await told(client)
        await client.aclose()
        feed.end()
        await watching

    asyncio.run(whole())
    assert "the disk is gone" in caplog.text


def sent_by(stream: Stream, send: Callable[[Message], Awaitable[None]], leaves: bool = False) -> None:
    """Sends it all to a client that takes it like this."""

    async def receive() -> Message:
        if not leaves:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    asyncio.run(stream({"type": "http"}, receive, send))


class Events:
    """Two events, and whether they were let go of."""

    def __init__(self) -> None:
        self.closed = False

    async def __call__(self) -> AsyncGenerator[bytes, None]:
        try:
            yield b"one"
            yield b"two"
        finally:
            self.closed = True


def test_a_stream_sends_each_event_and_an_end() -> None:
    sent: list[Message] = []
    events = Events()

    async def send(message: Message) -> None:
        sent.append(message)

    sent_by(Stream(events()), send)
    assert [message.get("body") for message in sent] == [None, b"one", b"two", b""]
    assert [message.get("more_body") for message in sent] == [None, True, True, False]
    names = dict(sent[0]["headers"])
    assert names[b"content-type"] == b"text/event-stream; charset=utf-8"
    assert b"content-length" not in names
    assert events.closed


def test_a_client_that_takes_nothing_is_let_go() -> None:
    events = Events()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    sent_by(Stream(events(), send_s=0.0), send)
    assert events.closed


def test_a_client_that_leaves_is_let_go() -> None:
    events = Events()

    async def send(message: Message) -> None:
        await asyncio.Event().wait()

    sent_by(Stream(events()), send, leaves=True)


def test_a_server_tells_what_another_process_does_to_the_run(folder: Path) -> None:
    with serving(folder) as it, it.client.stream("GET", "/live") as answer:
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert "content-encoding" not in answer.headers
        lines = answer.iter_lines()
        assert any("All 10 matches are finished" in line for line in lines)
        take_back(folder, "m0004")
        assert any("So far 9 of 10 matches" in line for line in lines)
        away = folder.rename(folder.with_name("away"))
        assert any("there is no run in it" in line for line in lines)
        away.rename(folder)
        assert any("So far 9 of 10 matches" in line for line in lines)
        assert it.made.news.feed.clients == 1


def test_a_client_that_comes_back_is_not_told_again(folder: Path) -> None:
    with serving(folder) as it:
        with it.client.stream("GET", "/live") as answer:
            tag = next(line.removeprefix("id: ") for line in answer.iter_lines() if line.startswith("id: "))
        assert f'sse-connect="/live?seen={tag}"' in it.text("/")
        for by, match in (("header", "m0004"), ("address", "m0005")):
            headers = {"Last-Event-ID": tag} if by == "header" else {}
            with it.client.stream("GET", f"/live?seen={'' if headers else tag}", headers=headers) as answer:
                lines = answer.iter_lines()
                assert [next(lines), next(lines)] == ["retry: 2000", ""]
                take_back(folder, match)
                news = next(lines)  # and not what it knew
                assert news.startswith("id: ")
                assert news != f"id: {tag}"
                tag = news.removeprefix("id: ")


def test_who_asks_for_the_head_alone_listens_to_nothing(finished: Path) -> None:
    with serving(finished) as it:
        it.made.news.most_clients = 0
        answer = it.client.head("/live")
        assert (answer.status_code, answer.text) == (200, "")
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"


def test_there_is_an_end_to_how_many_listen(folder: Path) -> None:
    with serving(folder) as it:
        it.made.news.most_clients = 1
        with it.client.stream("GET", "/live") as answer:
            lines = answer.iter_lines()  # kept: when it goes, the connection goes
            next(lines)
            full = it.client.get("/live")
            assert full.status_code == 503
            assert "1 clients already listen" in full.text


def test_many_listen_at_once_and_all_are_let_go_at_the_end(folder: Path) -> None:
    async def listen(url: str, heard: asyncio.Queue[int], number: int) -> str:
        async with (
            httpx.AsyncClient(trust_env=False, timeout=60, limits=httpx.Limits(max_connections=None)) as client,
            client.stream("GET", f"{url}live") as answer,
        ):
            lines = answer.aiter_lines()
            async for line in lines:
                if "All 10" in line:
                    heard.put_nowait(number)
                    break
            return "".join([line async for line in lines])

    async def whole(folder: Path) -> list[str]:
        heard: asyncio.Queue[int] = asyncio.Queue()
        with serving(folder) as it:
            clients = [asyncio.create_task(listen(it.url, heard, number)) for number in range(40)]
            assert {await heard.get() for _ in range(40)} == set(range(40))
            assert it.made.news.feed.clients == 40
        return await asyncio.gather(*clients)

    assert len(asyncio.run(whole(folder))) == 40
