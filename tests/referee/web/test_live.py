"""Live updates: one watcher for all clients, only the newest event for each, and an end that disconnects everybody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from starlette.types import Message

from bourre_referee.web.live_updates import HERE, EventStream, Feed, ServerEvent
from tests.referee.web.serving import serving, void_match


class Source:
    """A source of states that the test changes."""

    def __init__(self) -> None:
        self.state = 1
        self.looks = 0

    def __call__(self, seen: str) -> ServerEvent | None:
        self.looks += 1
        return None if seen == str(self.state) else ServerEvent(str(self.state), "standings", f"state {self.state}")


def run_with_feed(test: Callable[[Feed, Source], Awaitable[None]]) -> None:
    """Runs the test with a feed that looks without a pause, and ends the feed."""

    async def run() -> None:
        source = Source()
        feed = Feed(source, every_s=0.0)
        watching = asyncio.create_task(feed.watch())
        await test(feed, source)
        feed.end()
        await watching

    asyncio.run(run())


async def next_event(events: AsyncGenerator[bytes, None]) -> bytes:
    """Returns the next event that is not a comment."""
    while not (event := await anext(events)).startswith(b"id: "):
        pass
    return event


async def wait_some_looks() -> None:
    """Waits long enough for a feed without pauses to look several times."""
    for _ in range(20):
        await asyncio.to_thread(lambda: None)


def test_every_line_of_an_event_is_a_data_field() -> None:
    event = ServerEvent("a1", "standings", "one\r\ntwo\rthree\x0bstill\u2028three\n")
    assert bytes(event).decode() == (
        "id: a1\nevent: standings\ndata: one\ndata: two\ndata: three\x0bstill\u2028three\ndata: \n\n"
    )


def test_each_client_gets_the_unseen_state_and_then_the_newest() -> None:
    async def test(feed: Feed, source: Source) -> None:
        fresh, knowing = feed.listen(""), feed.listen("1")
        assert await next_event(fresh) == b"id: 1\nevent: standings\ndata: state 1\n\n"
        assert await anext(knowing) == b"retry: 2000\n\n"
        source.state = 2
        assert await next_event(knowing) == b"id: 2\nevent: standings\ndata: state 2\n\n"
        assert await next_event(fresh) == b"id: 2\nevent: standings\ndata: state 2\n\n"
        assert feed.clients == 2
        await fresh.aclose()
        assert feed.clients == 1
        await knowing.aclose()

    run_with_feed(test)


def test_a_slow_client_misses_older_events() -> None:
    async def test(feed: Feed, source: Source) -> None:
        slow, quick = feed.listen(""), feed.listen("")
        assert await next_event(slow) == b"id: 1\nevent: standings\ndata: state 1\n\n"
        for state in (2, 3, 4):
            source.state = state
            while f"id: {state}\n".encode() not in await next_event(quick):
                pass
        assert await next_event(slow) == b"id: 4\nevent: standings\ndata: state 4\n\n"
        for client in (slow, quick):
            await client.aclose()

    run_with_feed(test)


def test_there_are_no_looks_without_clients() -> None:
    async def test(feed: Feed, source: Source) -> None:
        client = feed.listen("")
        await next_event(client)
        await client.aclose()
        await wait_some_looks()  # a look that has begun ends
        before = source.looks
        await wait_some_looks()
        assert source.looks == before
        again = feed.listen("1")
        source.state = 2
        assert b"id: 2\n" in await next_event(again)
        await again.aclose()

    run_with_feed(test)


def test_a_heartbeat_breaks_the_silence() -> None:
    async def test(feed: Feed, source: Source) -> None:
        client = feed.listen("1", heartbeat_s=0.0)
        assert [await anext(client), await anext(client)] == [b"retry: 2000\n\n", HERE]
        await client.aclose()

    run_with_feed(test)


def test_the_end_disconnects_every_client() -> None:
    async def test(feed: Feed, source: Source) -> None:
        client = feed.listen("")
        await next_event(client)
        feed.end()
        assert [event async for event in client] == []
        assert feed.clients == 0

    run_with_feed(test)


def test_a_failed_look_is_logged_and_the_next_look_follows(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        failures = iter([RuntimeError("the disk is gone")])

        def look(_: str) -> ServerEvent | None:
            for failure in failures:
                raise failure
            return ServerEvent("1", "standings", "back")

        feed = Feed(look, every_s=0.0)
        watching = asyncio.create_task(feed.watch())
        client = feed.listen("")
        assert b"data: back\n" in await next_event(client)
        await client.aclose()
        feed.end()
        await watching

    asyncio.run(run())
    assert "the disk is gone" in caplog.text


def send_all(stream: EventStream, send: Callable[[Message], Awaitable[None]], leaves: bool = False) -> None:
    """Sends the whole stream to a client that receives with `send`."""

    async def receive() -> Message:
        if not leaves:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    asyncio.run(stream({"type": "http"}, receive, send))


class Events:
    """Two events, and whether their generator was closed."""

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

    send_all(EventStream(events()), send)
    assert [message.get("body") for message in sent] == [None, b"one", b"two", b""]
    assert [message.get("more_body") for message in sent] == [None, True, True, False]
    names = dict(sent[0]["headers"])
    assert names[b"content-type"] == b"text/event-stream; charset=utf-8"
    assert b"content-length" not in names
    assert events.closed


def test_a_client_that_reads_nothing_is_disconnected() -> None:
    events = Events()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    send_all(EventStream(events(), send_s=0.0), send)
    assert events.closed


def test_a_client_that_leaves_is_disconnected() -> None:
    events = Events()

    async def send(message: Message) -> None:
        await asyncio.Event().wait()

    send_all(EventStream(events()), send, leaves=True)


def test_a_server_reports_what_another_process_does_to_the_run(folder: Path) -> None:
    with serving(folder) as it, it.client.stream("GET", "/live") as answer:
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert "content-encoding" not in answer.headers
        lines = answer.iter_lines()
        assert any("All 10 matches are finished" in line for line in lines)
        void_match(folder, "m0004")
        assert any("9 of 10 matches finished" in line for line in lines)
        away = folder.rename(folder.with_name("away"))
        assert any("No folder" in line for line in lines)
        away.rename(folder)
        assert any("9 of 10 matches finished" in line for line in lines)
        assert it.application.live.feed.clients == 1


def test_a_returning_client_is_not_sent_what_it_knows(folder: Path) -> None:
    with serving(folder) as it:
        with it.client.stream("GET", "/live") as answer:
            tag = next(line.removeprefix("id: ") for line in answer.iter_lines() if line.startswith("id: "))
        assert f'sse-connect="/live?seen={tag}"' in it.text("/")
        for by, match in (("header", "m0004"), ("address", "m0005")):
            headers = {"Last-Event-ID": tag} if by == "header" else {}
            with it.client.stream("GET", f"/live?seen={'' if headers else tag}", headers=headers) as answer:
                lines = answer.iter_lines()
                assert [next(lines), next(lines)] == ["retry: 2000", ""]
                void_match(folder, match)
                event_id = next(lines)  # not what it knew
                assert event_id.startswith("id: ")
                assert event_id != f"id: {tag}"
                tag = event_id.removeprefix("id: ")


def test_a_head_request_does_not_listen(finished: Path) -> None:
    with serving(finished) as it:
        it.application.live.most_clients = 0
        answer = it.client.head("/live")
        assert (answer.status_code, answer.text) == (200, "")
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"


def test_the_number_of_listening_clients_is_limited(folder: Path) -> None:
    with serving(folder) as it:
        it.application.live.most_clients = 1
        with it.client.stream("GET", "/live") as answer:
            lines = answer.iter_lines()  # a reference: without it, the connection is closed
            next(lines)
            full = it.client.get("/live")
            assert full.status_code == 503
            assert "1 clients already listen" in full.text


def test_many_clients_listen_at_once_and_all_are_disconnected_at_the_end(folder: Path) -> None:
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

    async def run(folder: Path) -> list[str]:
        heard: asyncio.Queue[int] = asyncio.Queue()
        with serving(folder) as it:
            clients = [asyncio.create_task(listen(it.url, heard, number)) for number in range(40)]
            assert {await heard.get() for _ in range(40)} == set(range(40))
            assert it.application.live.feed.clients == 40
        return await asyncio.gather(*clients)

    assert len(asyncio.run(run(folder))) == 40
