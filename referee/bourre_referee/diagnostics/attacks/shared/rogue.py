"""Building blocks for hostile bots, without the SDK: they connect and answer as they like."""

import asyncio
import os
import select
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from bourre.v1.game_pb2 import DECISION_DECLARE, DECISION_DRAW, DECISION_PLAY
from bourre.v1.referee_pb2 import Answer, Ask, BotMessage, Hello, RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeStub

Call = Any  # grpc.aio leaves the type of a call open
Respond = Callable[[Ask], BotMessage]
OWN = os.environ["BOURRE_TOKEN"]
PHASES = {"declare": DECISION_DECLARE, "draw": DECISION_DRAW, "play": DECISION_PLAY}


def channel() -> grpc.aio.Channel:
    """Returns a separate connection to the referee, because channels with equal options would share one."""
    options = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_metadata_size", 1 << 20))
    return grpc.aio.insecure_channel(os.environ["BOURRE_ADDRESS"], options=options)


def dial(over: grpc.aio.Channel) -> Call:
    """Calls Play. Nothing has been sent yet."""
    return RefereeStub(over).Play(wait_for_ready=True)


def dial_raw(over: grpc.aio.Channel) -> Call:
    """Calls Play with messages of arbitrary bytes."""
    kind: Any = over.stream_stream
    return kind("/bourre.v1.Referee/Play")(wait_for_ready=True)


def hello(token: str = OWN, protocol: int = 1, client: str = "rogue") -> BotMessage:
    """Returns the first message of a call."""
    return BotMessage(hello=Hello(protocol=protocol, token=token, client=client))


def honest(ask: Ask) -> Answer:
    """Returns an honest answer: always in, stands pat, plays the lowest legal card."""
    if ask.decision == DECISION_PLAY:
        return Answer(table=ask.table, id=ask.id, card=ask.view.legal[:2])
    if ask.decision == DECISION_DRAW:
        return Answer(table=ask.table, id=ask.id, discards="")
    return Answer(table=ask.table, id=ask.id, plays=True, discards="")


def message(*answers: Answer) -> BotMessage:
    """Returns these answers in one message."""
    return BotMessage(answers=answers)


async def asks(call: Call) -> AsyncIterator[Ask]:
    """Yields all questions of this call until it ends. A refusal is printed."""
    while isinstance(said := await call.read(), RefereeMessage):
        if said.HasField("refusal"):
            print("REFUSED:", said.refusal.reason)
        for ask in said.asks:
            yield ask


async def play(respond: Respond = lambda ask: message(honest(ask)), greeting: BotMessage | None = None) -> None:
    """Says hello, then sends one message for each question, until the call ends."""
    async with channel() as over:
        call = dial(over)
        await call.write(greeting or hello())
        async for ask in asks(call):
            await call.write(respond(ask))


def run(respond: Respond, greeting: BotMessage | None = None) -> None:
    """Runs a whole program with these answers."""
    asyncio.run(play(respond, greeting))


def run_silent_at(phase: str) -> None:
    """Runs a whole program that answers everything honestly except this phase, in which it says nothing."""

    async def play_silently() -> None:
        async with channel() as over:
            call = dial(over)
            await call.write(hello())
            async for ask in asks(call):
                if ask.decision != PHASES[phase]:
                    await call.write(message(honest(ask)))

    asyncio.run(play_silently())


async def outcome(call: Call) -> str:
    """Returns the referee's reaction to this call: welcome, refused, or the error with which it ended."""
    try:
        said = await asyncio.wait_for(call.read(), 20)
    except grpc.aio.AioRpcError as error:
        return str(error.code().name)
    except TimeoutError:
        return "silence"
    if not isinstance(said, RefereeMessage):
        return "hung up"
    return "welcome" if said.HasField("welcome") else "refused"


def in_a_box() -> bool:
    """Returns whether this program is in a sandbox, where its supervisor is process 1."""
    return os.getuid() != 0 and b"supervisor" in Path("/proc/1/cmdline").read_bytes()


def need_a_box() -> None:
    """Exits unless there is a sandbox, because the attack would hit the whole machine."""
    if not in_a_box():
        sys.exit("no sandbox around this bot, so it does nothing here")


def neighbours() -> list[int]:
    """Returns all other processes. Outside a sandbox, only the referee that started this one, and its other bots."""
    if in_a_box():
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    keeper = Path(f"/proc/{os.getppid()}/stat").read_text()
    referee = int(keeper.rpartition(")")[2].split()[1])
    return [referee, *(process for process in _below(referee) if process != os.getpid())]


def _below(process: int) -> list[int]:
    children: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):  # a thread that has just ended
            children += map(int, (task / "children").read_text().split())
    return [*children, *(below for child in children for below in _below(child))]


def surroundings() -> list[Path]:
    """Returns the files that it finds outside its own folder. Outside a sandbox, only those of this contest."""
    own = Path.cwd()
    found = []
    for top in [Path("/")] if in_a_box() else [own.parents[1], *_runs_of_ancestors()]:
        for folder, below, files in os.walk(top):
            skipped = ("/proc", "/sys", "/usr", "/dev", "/lib", "/supervisor", "/python", "/venv", "/sdk", str(own))
            below[:] = [name for name in below if not os.path.join(folder, name).startswith(skipped)]
            found += [Path(folder, name) for name in files]
    return found


def _runs_of_ancestors() -> list[Path]:
    """Returns the folders of runs in which one of its ancestors holds its log open."""
    found, process = [], os.getppid()
    while process > 1:
        for link in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):  # it has just been closed
                file = link.readlink()
                if file.name == "hostile.log":
                    found.append(file.parents[2])
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return found


def leave_behind(sent: signal.Signals) -> Callable[[], None]:
    """Starts a process that holds the output open for as long as anyone reads it.

    Call the returned function to make that process send the signal to the bot's supervisor.
    """
    keeper, (wait, tell) = os.getppid(), os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.close(tell)
        os.read(wait, 1)
        os.kill(keeper, sent)
        unread = select.poll()
        unread.register(1, 0)
        unread.poll()
        os._exit(0)

    def send() -> None:
        os.write(tell, b".")

    return send


def attack_and_play(attack: Callable[[], None]) -> None:
    """Attacks once, at the first question, when every bot has come. Then plays on honestly."""
    done: list[bool] = []

    def respond(ask: Ask) -> BotMessage:
        if not done:
            done.append(True)
            attack()
        return message(honest(ask))

    run(respond)
