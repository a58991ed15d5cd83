"""No other process can listen where the referee does, and only bots with a token and an address can connect."""

from __future__ import annotations

import asyncio
import stat
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import pytest

from bourre.messages import PROTOCOL, Hello
from bourre_referee.server.room import Room
from bourre_referee.server.service import Service, _refusal_reason, find_among
from tests.end_to_end.rooms import room_with
from tests.referee.connection_desk import Desk
from tests.referee.server.listening_referee import OPTIONS, said_to_hello, served


async def two_at(address: str) -> None:
    """Starts a second referee where the first one listens."""
    async with served(OPTIONS, address) as first, served(OPTIONS, first):
        pass


def test_a_second_referee_on_a_port_is_refused() -> None:
    with pytest.raises(OSError, match=r"in use .*127\.0\.0\.1"):
        asyncio.run(two_at("127.0.0.1:0"))


async def test_a_second_referee_on_a_socket_is_refused_until_the_first_one_has_gone(tmp_path: Path) -> None:
    async with served(OPTIONS, f"unix:{tmp_path}/socket") as first:
        with pytest.raises(OSError, match="another referee listens there"):
            await two_at(first)
        assert "this token opens no seat" in await said_to_hello(first)
    for _ in range(2):
        async with served(OPTIONS, f"unix:{tmp_path}/socket") as address:
            assert "this token opens no seat" in await said_to_hello(address)


def test_sockets_have_random_names_in_a_folder_that_nobody_else_can_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def sockets() -> set[str]:
        async with Room(room_with("absent", tmp_path / "logs")).run_bots():
            paths = [path for path in tmp_path.rglob("*") if path.is_socket()]
            for path in paths:
                (folder,) = [parent for parent in path.parents if parent.parent == tmp_path]
                assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            return {str(path) for path in paths}

    once, again = asyncio.run(sockets()), asyncio.run(sockets())
    assert once
    assert again
    assert not once & again


@pytest.mark.parametrize(("longer", "fits"), [(0, True), (1, False)])
def test_a_path_that_no_socket_can_have_is_refused_with_a_hint(tmp_path: Path, longer: int, fits: bool) -> None:
    room = 107 if sys.platform == "linux" else 103
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # whatever TMPDIR is
        path = f"{folder}/".ljust(room + longer, "x")

        async def listens() -> None:
            async with served(address=f"unix:{path}"):
                pass

        if fits:
            asyncio.run(listens())
        else:
            with pytest.raises(OSError, match=f"has at most {room} bytes; set TMPDIR to a shorter folder"):
                asyncio.run(listens())


def test_a_hello_is_refused_for_the_first_reason_that_there_is() -> None:
    hello, line = Hello("token"), Desk().line
    older = _refusal_reason(hello._replace(protocol=PROTOCOL - 1), "no such token", None)
    assert older.startswith(f"this referee speaks protocol {PROTOCOL}, the bot {PROTOCOL - 1}: ")
    assert _refusal_reason(hello, "no such token", None) == "no such token"
    assert "takes a certificate that names tight" in _refusal_reason(hello, line, {"loose"})
    assert "tight is already connected" in _refusal_reason(hello, line, {"tight"})
    line.hang_up()
    assert _refusal_reason(hello, line, None) == ""
    line.close()
    assert _refusal_reason(hello, line, None).endswith("tight is closed: its time to come back is over")
    line.refusal = "a flood"
    assert _refusal_reason(hello, line, None).endswith("tight is closed: a flood")


def test_a_seat_knows_why_its_last_hello_was_turned_away_and_strangers_learn_nothing() -> None:
    line = Desk().line
    service = Service(find_among({"token": line}), 1.0, lambda _: nullcontext())
    for hello, said in [
        (None, "the first message must hold a hello, and come at once"),
        (Hello("tokem"), "this token opens no seat in this room: use BOURRE_TOKEN as the referee gave it"),
    ]:
        assert asyncio.run(service._admit(hello, None)) == said
        assert line.turned_away == ""
    assert asyncio.run(service._admit(Hello("token"), None)) == line.turned_away != ""
    line.hang_up()
    assert asyncio.run(service._admit(Hello("token"), None)) is line
    assert line.live
