"""The gateway of [[models]]: it alone has the keys, keeps every cap, and records every call."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bourre.rules.house import HouseRules
from bourre.testing import view
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.model.errors import ContestError
from bourre_referee.model.language_model import Caps, LanguageModel
from bourre_referee.model.model_call import ModelCall, Spent
from bourre_referee.model.network import Network
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.model.spec import BotSpec, Clock, RoomSpec
from bourre_referee.runner.gateway.model_gateway import CAP_STATUS, check_keys, open_gateway
from bourre_referee.storage.run.model_calls import ModelCalls
from bourre_seats.models.chat import CALL_HEADER, CAP_HEADER
from bourre_seats.models.prompt import Prompt
from bourre_seats.models.questions import PLAY
from bourre_seats.models.stand_in_player import StandInTrouble
from bourre_seats.models.stand_in_server import StandInOptions
from bourre_seats.models.templates import Templates
from tests.sdk.models.asking import Handler, replying, stand_in

KEY = "sk-planted-0123456789abcdef"
SEEN = view("play hand='AS KH 9C 4C 2D' trump=S trick='3C' seats=3")
MESSAGES = [
    {"role": each.role, "content": each.text} for each in Prompt(Templates(None), legal=True).messages(PLAY, SEEN)
]
ASKED = {"model": "another", "messages": MESSAGES, "n": 50, "max_tokens": 10**6}


NO_CAPS = Caps()


def contest_of(base_url: str, caps: Caps = NO_CAPS, every: Caps = NO_CAPS, **options: object) -> Contest:
    model = LanguageModel("mini", "m-1", base_url, "KEY", options, price_in=1.0, price_out=2.0, caps=caps)
    entrants = [Entrant(name, ("python",), (), model=model) for name in ("mini.1", "mini.2")]
    return Contest(
        name="x", seed=1, seats=2, deals=1, format="session", tables=1, stakes=(0,), house=HouseRules(),
        schedule=ScheduleChoice(), clock=Clock(), max_faults=10, folder=Path("/"), model_caps=every,
        entrants=(*entrants, Entrant("other", ("python",), ())),
    )  # fmt: skip


def room_of(contest: Contest) -> RoomSpec:
    return RoomSpec(
        room="m0001", matches=(), tables=1, clock=Clock(), max_faults=10,
        entries=tuple(entrant.spec() for entrant in contest.entrants),
    )  # fmt: skip


@contextmanager
def addresses(contest: Contest, folder: Path) -> Iterator[dict[str, str]]:
    """The address of each bot, from its command."""
    with open_gateway(contest, folder / "calls.db", {"KEY": KEY}) as models:
        yield {entry.name: address_of(entry) for entry in models.admit(room_of(contest)).entries}


def address_of(entry: BotSpec) -> str:
    assert entry.command
    return entry.command[-1]


def post(address: str, body: object = ASKED) -> tuple[HTTPResponse, str]:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=30)
    connection.request("POST", f"{parts.path}/chat/completions", json.dumps(body))
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply, text


def spent(folder: Path) -> Spent:
    with ModelCalls(folder / "calls.db") as calls:
        return calls.spent().get("mini", Spent())


def calls_of(folder: Path, bot: str, note: str) -> tuple[ModelCall, ...]:
    """The calls beside a note of a bot."""
    with ModelCalls(folder / "calls.db") as calls:
        return calls.beside(bot, SeatRemarks((Note(1, None, 1, note),))).notes[0].calls


def test_only_the_bots_of_models_get_an_address_and_may_reach_it(tmp_path: Path) -> None:
    contest = contest_of("http://127.0.0.1:1/v1")
    with open_gateway(contest, tmp_path / "calls.db", {}) as models:
        first, second, other = models.admit(room_of(contest)).entries
        assert other == contest.entrants[2].spec()
        assert address_of(first) != address_of(second)
        port = urlsplit(address_of(first)).port
        assert [network and network.as_written for network in (first.network, second.network)] == [
            (f"127.0.0.1:{port}",)
        ] * 2
        assert isinstance(first.network, Network)
        strange, _ = post(f"http://127.0.0.1:{port}/{'0' * 32}/v1")
        assert strange.status == 404
    with pytest.raises(OSError, match="refused"), socket.create_connection(("127.0.0.1", port or 0)):
        pass


def test_the_server_gets_key_and_options_from_the_contest_file_alone(tmp_path: Path) -> None:
    got = []

    def echo(to: Handler) -> None:
        got.append((to.headers["Authorization"], json.loads(to.asked), to.path))
        to.begin(200, Content_Type="application/json")
        said = {"model": "m-1-2026", "system_fingerprint": "fp_9\ud800", "echo": to.headers["Authorization"]}
        to.wfile.write(json.dumps(said | {"usage": {"prompt_tokens": 5, "completion_tokens": 7}}).encode())

    with replying(echo) as base_url, addresses(contest_of(base_url, temperature=0, max_tokens=9), tmp_path) as at:
        reply, text = post(at["mini.1"])
    key, body, path = got[0]
    assert (key, path) == (f"Bearer {KEY}", "/v1/chat/completions")
    assert body == {"model": "m-1", "temperature": 0, "max_tokens": 9, "messages": MESSAGES}
    assert KEY not in text
    number = int(reply.headers[CALL_HEADER])
    [call] = calls_of(tmp_path, "mini.1", f"call {number}")
    assert calls_of(tmp_path, "mini.2", f"call {number}") == ()
    assert calls_of(tmp_path, "mini.1", f"it says:\n call {number}") == ()
    assert call.reply
    assert (json.loads(call.prompt), call.reply.body) == (body, text)
    assert (call.reply.server_model, call.reply.fingerprint) == ("m-1-2026", "fp_9?")
    assert call.spent == Spent(1, 5, 7, 19)
    assert KEY.encode() not in (tmp_path / "calls.db").read_bytes()


@pytest.mark.parametrize(
    ("caps", "every", "said"),
    [
        (Caps(calls=5), NO_CAPS, "most_calls = 5"),
        (NO_CAPS, Caps(calls=5), "[model_caps] most_calls = 5"),
        (Caps(tokens=20_000), NO_CAPS, "most_tokens = 20000"),
        (NO_CAPS, Caps(cost_millionths=20_000), "[model_caps] most_cost = 0.02"),
    ],
)
def test_a_cap_is_kept_by_calls_at_once_and_after_a_restart(tmp_path: Path, caps: Caps, every: Caps, said: str) -> None:
    with stand_in() as server:
        contest = contest_of(server.base_url, caps, every, max_tokens=50)
        for _ in range(2):
            with addresses(contest, tmp_path) as at, ThreadPoolExecutor(8) as pool:
                replies = [*pool.map(post, [at["mini.1"], at["mini.2"]] * 10)]
            refusals = [reply for reply, _ in replies if reply.status == CAP_STATUS]
            assert refusals
            assert {reply.headers[CAP_HEADER] for reply in refusals} == {said}
        used = spent(tmp_path)
        assert used.calls == server.answers
        with open_gateway(contest, tmp_path / "calls.db", {}) as models:
            address = address_of(models.admit(room_of(contest)).entries[0])
            while post(address)[0].status != CAP_STATUS:
                continue
            assert models.admit(room_of(contest)).capped == ("mini.1", "mini.2")
    limits = [caps.calls or every.calls, caps.tokens, every.cost_millionths]
    for most, amount in zip(limits, (used.calls, used.tokens, used.cost_millionths), strict=True):
        assert most is None or most / 3 < amount <= most


def test_a_broken_reply_costs_its_bound_and_an_error_only_a_call(tmp_path: Path) -> None:
    def broken(to: Handler) -> None:
        to.begin(200, Content_Length="1000")

    with replying(broken) as base_url, addresses(contest_of(base_url, max_tokens=50), tmp_path) as at:
        assert post(at["mini.1"])[0].status == 502
    used = spent(tmp_path)
    assert (used.calls, used.tokens_out) == (1, 50)
    assert used.tokens_in > 4_000
    with stand_in(options=StandInOptions(StandInTrouble.TOO_MANY)) as server:
        contest = contest_of(server.base_url, max_tokens=50)
        with addresses(contest, tmp_path) as at:
            reply, _ = post(at["mini.2"])
    assert (reply.status, reply.headers["Retry-After"]) == (429, "1")
    assert spent(tmp_path) == replace(used, calls=2)


def test_redirects_are_not_followed_and_nonsense_is_not_sent(tmp_path: Path) -> None:
    asked = []

    def elsewhere(to: Handler) -> None:
        asked.append(to.path)
        to.begin(307, Location="http://127.0.0.1:1/stolen")

    with replying(elsewhere) as base_url, addresses(contest_of(base_url), tmp_path) as at:
        assert post(at["mini.1"])[0].status == 307
        assert post(at["mini.1"], ["no", "chat"])[0].status == 400
    assert asked == ["/v1/chat/completions"]


def test_a_key_that_is_not_set_stops_the_run_before_the_first_card() -> None:
    with pytest.raises(ContestError, match=r"\[\[models\]\] mini: key_variable: the variable 'KEY' is not set"):
        check_keys(contest_of("http://127.0.0.1:1/v1"), {"KEY": ""})
    check_keys(contest_of("http://127.0.0.1:1/v1"), {"KEY": KEY})
