"""Forwards the calls of a contest's language models to their servers, on a port of this machine."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

from bourre.connection.local_server import LocalRequest, LocalServer
from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError, StoreError
from bourre_referee.model.language_model import LanguageModel
from bourre_referee.model.model_call import Spent
from bourre_referee.model.network import Destination, Network
from bourre_referee.model.spec import BotSpec, RoomSpec
from bourre_referee.runner.gateway.call_budget import CallBudget, CapExceeded
from bourre_referee.runner.gateway.trial_calls import try_models
from bourre_referee.runner.gateway.upstream import LONGEST_CALL_S, MOST_BYTES, Answered, Caller, call
from bourre_referee.storage.run.model_calls import ModelCalls
from bourre_seats.models.chat import CALL_HEADER, CAP_HEADER

CAP_STATUS = 402
"""The status of a call that a cap forbids."""
_HOST = "127.0.0.1"


class ModelGateway(LocalServer):
    """Serves the bots of [[models]]. Each has an address of its own, which no other bot knows."""

    def __init__(self, callers: Sequence[Caller], budget: CallBudget, calls: ModelCalls) -> None:
        super().__init__((_HOST, 0), _GatewayRequest)
        self._callers = {secrets.token_hex(16): caller for caller in callers}
        self._budget = budget
        self._calls = calls

    def caller(self, path: str) -> Caller | None:
        """Returns the bot to which this path of a request belongs."""
        token, _, rest = path.removeprefix("/").partition("/")
        return self._callers.get(token) if rest == "v1/chat/completions" else None

    def admit(self, room: RoomSpec) -> RoomSpec:
        """Returns the room in which the bots of models know their addresses, and may reach this port.

        It starts no bot whose model may make no more calls.
        """
        port, reached = self.server_address[1], self._budget.reached
        tokens = {caller.bot: token for token, caller in self._callers.items()}
        stopped = {caller.bot for caller in self._callers.values() if caller.model.name in reached}
        capped = tuple(entry.name for entry in room.entries if entry.name in stopped)

        def admitted(bot: BotSpec) -> BotSpec:
            if bot.command is None or bot.name not in tokens:
                return bot
            address = ("--no-trial", "--base-url", f"http://{_HOST}:{port}/{tokens[bot.name]}/v1")
            return replace(bot, command=bot.command + address, network=Network((Destination(_HOST, port),)))

        return replace(room, entries=tuple(map(admitted, room.entries)), capped=capped)

    def complete(self, caller: Caller, asked: bytes, longest_s: float = LONGEST_CALL_S) -> tuple[int, Answered]:
        """Makes a call and returns its number with its end. Raises CapExceeded, ValueError for a bad request."""
        body = _body(caller.model, asked)
        most_out = caller.model.most_answer_tokens or 0
        bound = Spent(1, len(body), most_out, caller.model.cost_millionths(len(body), most_out))
        self._budget.reserve(caller.model, bound)
        spent = bound
        try:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            number = self._calls.begin(caller.model.name, caller.bot, at, body.decode(), bound)
            answered = call(caller.model, caller.key, body, longest_s)
            spent = answered.spent or bound
            self._calls.end(number, answered.reply, spent)
        finally:
            self._budget.settle(caller.model, bound, spent)
        return number, answered


class _GatewayRequest(LocalRequest):
    """Answers the requests of one connection."""

    server: ModelGateway

    def do_POST(self) -> None:
        """Forwards a request."""
        asked, caller = self.read_body(MOST_BYTES), self.server.caller(self.path)
        if asked is None or caller is None:
            self._fail(404 if asked is not None else 413, "no such address, or a request without a length")
            return
        try:
            number, answered = self.server.complete(caller, asked)
        except CapExceeded as cap:
            self._fail(CAP_STATUS, f"the cap is reached: {cap}", {CAP_HEADER: str(cap)})
        except (ValueError, RecursionError):
            self._fail(400, "this is no request for a chat")
        except StoreError as error:  # without a record, no call is made
            self._fail(503, str(error))
        else:
            headers = {CALL_HEADER: str(number)}
            if answered.retry_after:
                headers["Retry-After"] = answered.retry_after
            self._send(answered.reply.status, answered.reply.body, headers)

    def _fail(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps({"error": {"message": f"bourre: {text}"}}), headers or {})

    def _send(self, status: int, text: str, headers: Mapping[str, str]) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _body(model: LanguageModel, asked: bytes) -> bytes:
    """Returns the request for the server: messages and format are the bot's, everything else the contest file's."""
    written = json.loads(asked)
    if not isinstance(written, dict) or not isinstance(written.get("messages"), list):
        raise ValueError("no messages")
    own = {key: written[key] for key in ("messages", "response_format") if key in written}
    return json.dumps({**model.options, "model": model.model, **own}).encode()


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """The models of a contest in play, for its run."""

    admit: Callable[[RoomSpec], RoomSpec]
    """Prepares a room for its models."""
    reached: Callable[[], Mapping[str, str]]
    """Returns the cap that stopped each model so far, by the model's name."""
    trial: Callable[[], Sequence[str]]
    """Calls each model before the first card. Returns what to tell; raises ContestError if a server refuses."""


@contextmanager
def open_gateway(contest: Contest, path: Path, environment: Mapping[str, str]) -> Iterator[ModelAccess]:
    """Serves the models of a contest, and stores their calls at `path`. Yields the access to it."""
    callers = [
        Caller(entrant.name, entrant.model, environment.get(entrant.model.key_variable or "", ""))
        for entrant in contest.entrants
        if entrant.model
    ]
    if not callers:
        yield ModelAccess(lambda room: room, dict, tuple)
        return
    with ModelCalls(path, create=True) as calls:
        budget = CallBudget(contest.model_caps, calls.spent())
        server = ModelGateway(callers, budget, calls)
        serving = Thread(target=server.serve_forever, name="model gateway")
        serving.start()
        try:
            yield ModelAccess(server.admit, lambda: budget.reached, lambda: try_models(callers, server.complete))
        finally:
            server.shutdown()
            server.server_close()
            serving.join()


def check_keys(contest: Contest, environment: Mapping[str, str]) -> None:
    """Raises ContestError if the variable with a model's key is not set here."""
    for model in (entrant.model for entrant in contest.entrants if entrant.model):
        if model.key_variable and not environment.get(model.key_variable):
            what = f"[[models]] {model.name}: key_variable: the variable {model.key_variable!r} is not set"
            raise ContestError(f"{what}.\nhint: set it and run again")
