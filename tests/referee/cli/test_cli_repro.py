"""`bourre debug` asks a bot a recorded question again, exactly as it was asked."""

from __future__ import annotations

import io
import re
import sys
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

import dev
from bourre.bot_code.bot_file import load
from bourre.practice.repro import reproduce
from bourre.record import Record, RecordedAsk, asks, read
from bourre.rules.actions import Play
from bourre.words import table_words
from bourre.words.table_words import as_signs
from bourre_referee.cli.recorded_asks import asks_until, bot_index
from bourre_referee.contest.contest_file import load as load_contest
from bourre_referee.evaluation.bot_source import read_command
from bourre_referee.evaluation.process_repro import reproduce_by_process
from bourre_referee.model.errors import ContestError, Interrupted
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.run import Run
from tests.referee.command import Bourre, Ended, called
from tests.referee.in_process import stop_at
from tests.sdk.recorded import header, recorded

LISTENER = """\
from hashlib import sha256

from bourre import Bot, run


class Listener(Bot):
    heard = ""

    def on_event(self, event):
        self.heard = sha256(f"{self.heard} {event}".encode()).hexdigest()

    def declare(self, view):
        return int(self.heard[0], 16) % 4 > 0

    def draw(self, view):
        return [card for card in view.hand if view.rng.random() < 0.5][: view.max_discards]

    async def play(self, view):
        cards = view.hand if int(self.heard[1], 16) < 6 else view.legal
        card = cards[int(self.heard, 16) % len(cards)]
        self.note(f"I play {card},\\nas I \x1bmust")
        return card


if __name__ == "__main__":
    run(Listener)
"""
"""Remembers all that it hears, uses its dice, and reneges at times: any difference on the way changes its answers."""
BOTS = ("listener", "random", "loose")
FORMATS = {
    "session": '[table]\nseats = 3\ndeals = 12\n[rules]\npreset = "separate_dealer_option"\n',
    "duplicate": '[table]\nseats = 3\ndeals = 2\nformat = "duplicate"\n[rules]\npreset = "simultaneous"\n',
}


def played(folder: Path, form: str) -> Path:
    """The folder of a contest, played by processes over gRPC to the end of its first match; tests need no more."""
    (folder / "listener.py").write_text(LISTENER)
    files = {bot: dev.ROOT / "examples" / f"{bot}.py" for bot in ("random", "loose")}
    files |= {"random": dev.ROOT / "examples" / "random_bot.py", "listener": folder / "listener.py"}
    bots = "".join(f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{files[bot]}"]\n' for bot in BOTS)
    (folder / "contest.toml").write_text(
        f'[contest]\nname = "repro"\nseed = 7\n{FORMATS[form]}[clock]\nstart_ms = 60000\n'
        f'decision_ms = 60000\n[faults]\nmax = 1000\n[isolation]\nlevel = "none"\n{bots}'
    )
    with pytest.raises(Interrupted):
        run(load_contest(folder / "contest.toml"), folder / "run", jobs=1, watch=stop_at(1))
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {form: played(tmp_path_factory.mktemp(form), form) for form in FORMATS}


@pytest.fixture(params=sorted(FORMATS))
def folder(folders: dict[str, Path], request: pytest.FixtureRequest) -> Path:
    """The contest of each format in turn."""
    return folders[request.param]


@pytest.fixture
def session(folders: dict[str, Path]) -> Path:
    return folders["session"]


def record_of(folder: Path) -> Record:
    return read(Run.open(folder / "run").record("m0001"))


def playings(record: Record, bot: str) -> list[list[RecordedAsk]]:
    """The questions to a bot, grouped by instance."""
    found = asks(record, record.header.bots.index(bot))
    return [list(of_one) for _, of_one in groupby(found, key=lambda ask: ask.seating and (ask.view.deal, ask.seating))]


def file_of(bot: str, folder: Path) -> str:
    file = {"listener": folder / "listener.py", "random": dev.ROOT / "examples" / "random_bot.py"}
    return str(file.get(bot, dev.ROOT / "examples" / f"{bot}.py"))


@pytest.mark.parametrize("bot", BOTS)
def test_every_ask_is_answered_as_it_was_at_the_referee(folder: Path, bot: str) -> None:
    found = playings(record_of(folder), bot)
    assert len(found) == (1 if folder.name.startswith("session") else 2 * 3)
    assert sum(map(len, found)) > 12
    for of_one in found:
        reproduction = reproduce(load(file_of(bot, folder)), bot, of_one)
        assert reproduction.otherwise is None
        assert reproduction.wanted.same


def test_reneges_and_their_corrections_are_among_the_asks(session: Path) -> None:
    (found,) = playings(record_of(session), "listener")
    corrections = [number for number, ask in enumerate(found) if ask.view.correcting]
    assert corrections
    for number in corrections:
        before, corrected = found[number - 1], found[number].view.correcting
        assert corrected is not None
        assert before.action == Play(corrected.card)
        assert corrected.card not in before.view.legal


def test_each_note_came_with_the_card_that_it_names(folder: Path) -> None:
    record, remarks = record_of(folder), Run.open(folder / "run").remarks("m0001")
    listener = record.header.bots.index("listener")
    said = {(note.deal, note.seating, note.number): note.text for note in remarks[listener].notes}
    played = {
        (ask.view.deal, ask.seating, ask.place): f"I play {ask.action.card},\nas I \x1bmust"
        for ask in asks(record, listener)
        if isinstance(ask.action, Play)
    }
    assert said == played != {}
    assert [bool(of_one) for of_one in remarks] == [bot == "listener" for bot in record.header.bots]


def test_what_the_bot_said_is_told_with_its_answer(folder: Path) -> None:
    ask = next(
        ask for of_one in playings(record_of(folder), "listener") for ask in of_one if ask.view.leader is not None
    )
    assert isinstance(ask.action, Play)
    words: list[object] = ["debug", folder / "run", 1, folder / "listener.py", "--deal", ask.view.deal]
    words += ["--seating", ask.seating] if ask.seating else []
    said = f"note: I play {ask.action.card},\n", "note: as I \\x1bmust\n"
    listed, told = called(*words).out, called(*words, "--ask", ask.number).out
    assert f"     {said[0]}     {said[1]}" in listed
    assert f"  {said[0]}  {said[1]}now: " in told
    assert "\x1b" not in listed + told


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, session: Path) -> Bourre:
    """Runs the command beside a session that was played."""
    monkeypatch.chdir(session)
    return called


def test_without_a_number_the_asks_are_listed(bourre: Bourre, session: Path) -> None:
    (found,) = playings(record_of(session), "loose")
    done = bourre("debug", "run", 1, "loose", "--deal", 2)
    assert (done.code, done.err) == (0, "")
    assert [line.split()[1] for line in done.out.splitlines()[1:]] == [
        str(ask.view.decision) for ask in found if ask.view.deal == 2
    ]


def test_a_terminal_shows_every_card_with_its_sign(bourre: Bourre, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "debug", "run", 1, "loose", "--deal", 2
    number = re.findall(r"^ *(\d+)  play ", bourre(*words).out, re.MULTILINE)[-1]
    monkeypatch.setattr(table_words, "code_writer_for", lambda _stream: as_signs)
    listed, (told, _, test) = bourre(*words).out, bourre(*words, "--ask", number).out.partition("as a test: ")
    code = re.compile(r"\b[2-9TJQKA][CDHS]\b")
    assert code.findall(listed + told) == []
    assert re.search(r"^recorded: [2-9TJQKA][♣♦♥♠]$", told, re.MULTILINE)
    assert code.search(test)


def test_a_decision_is_repeated(bourre: Bourre) -> None:
    done = bourre("debug", "run", "m0001", "listener.py", "--deal", 2, "--ask", 1)
    assert (done.code, done.err) == (0, "")
    recorded, now, line = done.out.splitlines()[1:4]
    assert recorded.partition(":")[2].strip() == now.partition(":")[2].strip().removesuffix(", the same, legal")
    assert line.startswith('as a test: view("declare hand=')


def test_another_bot_in_its_place_is_compared(bourre: Bourre) -> None:
    Path("meek.py").write_text("from bourre import Bot\nclass Meek(Bot):\n    def declare(self, view): return False\n")
    done = bourre("debug", "run", 1, "meek.py", "--as", "loose", "--deal", 12, "--ask", 1)
    assert (done.code, done.err) == (0, "")
    assert len(re.findall("decides differently", done.out)) == 1
    assert "now:      pass, another answer, legal" in done.out


def test_a_command_is_asked_as_it_was_at_the_referee(folder: Path) -> None:
    """It gets every event over the wire: one that is missing would change its answers."""
    record = record_of(folder)
    command = read_command("python listener.py", (), folder)
    of_one = playings(record, "listener")[0]
    reproduction, printed = reproduce_by_process(command, folder, "listener", record.header, of_one)
    assert reproduction.otherwise is None
    assert reproduction.wanted.same
    assert printed == ""


def test_a_command_is_told_the_same_as_a_file(bourre: Bourre) -> None:
    words = ("--deal", 2, "--ask", 1)
    assert bourre("debug", "run", 1, "python listener.py", *words) == bourre("debug", "run", 1, "listener.py", *words)


STOPS = "import os\nfrom bourre import Bot, run\nclass A(Bot):\n    def declare(self, view):\n        {}\nrun(A)\n"


@pytest.mark.parametrize(
    ("program", "code", "out", "err"),
    [
        ("print(1)\n", 2, "", "bot never started: bot.py ended without a call of run. hint: "),
        (STOPS.format("os._exit(3)"), 3, "now:      no answer, declare got no usable answer: crashed", ""),
        (STOPS.format("1 / 0"), 3, "declare raised an error, which it printed", "ZeroDivisionError: division by zero"),
    ],
    ids=["no hello", "exits", "raises"],
)
def test_a_command_that_fails_is_told_why(bourre: Bourre, program: str, code: int, out: str, err: str) -> None:
    Path("bot.py").write_text(program)
    done = bourre("debug", "run", 1, "python bot.py", "--as", "loose", "--deal", 1, "--ask", 1)
    assert (done.code, out in done.out, err in done.err) == (code, True, True), done.out + done.err


WRONG = """\
from bourre import Bot
class Wrong(Bot):
    def find(self, view):
        return view.hand[9]
    def declare(self, view):
        return self.find(view)
"""


def test_a_bot_py_may_have_the_name_of_its_folder(bourre: Bourre, session: Path) -> None:
    Path("listener").mkdir()
    Path("listener/bot.py").write_text(LISTENER)
    words = ("debug", session / "run", "m0001", "--deal", 1)
    assert bourre(*words, "listener/bot.py").code == 0
    assert bourre(*words, "listener/bot.py") == bourre(*words, "listener/bot.py", "--as", "listener")
    Path("other").mkdir()
    Path("other/bot.py").write_text(LISTENER)
    assert bourre(*words, "other/bot.py").err.startswith("bourre: Match m0001 has no bot 'bot'. Bots: ")


def test_an_error_is_shown_from_the_bots_first_line_on(bourre: Bourre) -> None:
    Path("wrong.py").write_text(WRONG)
    done = bourre("debug", "run", 1, "wrong.py", "--as", "loose", "--deal", 1, "--ask", 1)
    assert (done.code, done.err) == (3, "")
    traceback = done.out[done.out.index("Traceback") :]
    assert re.findall(r"line (\d+), in (\w+)", traceback) == [("6", "declare"), ("4", "find")]
    assert "now:      no answer, declare (line 4) raised IndexError" in done.out


def test_an_illegal_answer_is_told_with_its_rule(bourre: Bourre, session: Path) -> None:
    Path("high.py").write_text(
        "from bourre import Bot\nclass High(Bot):\n    def play(self, view):\n        return view.hand[-1]\n"
    )
    (found,) = playings(record_of(session), "loose")
    ask = next(ask for ask in found if ask.view.decision == "play" and ask.view.hand[-1] not in ask.view.legal)
    done = bourre("debug", "run", 1, "high.py", "--as", "loose", "--deal", ask.view.deal, "--ask", ask.number)
    assert (done.code, done.err) == (3, "")
    assert f"another answer: play returned {ask.view.hand[-1]}, which breaks R5." in done.out


def debugged(bourre: Bourre, monkeypatch: pytest.MonkeyPatch, commands: str, *words: object) -> Ended:
    monkeypatch.setattr(sys, "stdin", io.StringIO(commands))
    traced = sys.gettrace()
    try:
        return bourre("debug", "run", 1, "listener.py", *words, "--pdb")
    finally:
        sys.settrace(traced)  # else coverage would see nothing for the rest of this process


def test_the_debugger_stops_where_the_method_begins_async_or_not(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch, session: Path
) -> None:
    (found,) = playings(record_of(session), "listener")
    asked = next(ask for ask in found if ask.view.decision == "play")
    declared = debugged(bourre, monkeypatch, "p len(view.hand)\nc\n", "--deal", 1, "--ask", 1)
    words = ("--deal", asked.view.deal, "--ask", asked.number)
    laid = debugged(bourre, monkeypatch, "p view.trump\nc\n", *words)
    assert declared.code == laid.code == 0
    assert "declare()\n-> return int(self.heard[0], 16) % 4 > 0\n(Pdb) 5\n" in declared.out
    assert f"(Pdb) {asked.view.trump!r}\n" in laid.out
    assert all(", the same, legal" in done.out for done in (declared, laid))


def test_who_leaves_the_debugger_is_told_nothing_more(bourre: Bourre, monkeypatch: pytest.MonkeyPatch) -> None:
    done = debugged(bourre, monkeypatch, "q\n", "--deal", 1, "--ask", 1)
    assert done.code == 1
    assert "recorded" not in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["listener.py", "--deal", 13], "Match m0001 has no deal 13.\nhint: use --deal 1 to 12"),
        (["listener.py", "--deal", 1, "--ask", 99], "there is no decision 99.\nhint: remove --ask to list them"),
        (["listener.py", "--deal", 1, "--seating", 1], "hint: remove --seating"),
        (["listener.py", "--deal", 1, "--as", "nobody"], "has no bot 'nobody'. Bots: "),
        (["tight", "--deal", 1], "has no bot 'tight'. Bots: "),
        (["missing.py", "--as", "loose", "--deal", 1, "--ask", 1], "No file 'missing.py'."),
        (["python missing.py", "--as", "loose", "--deal", 1, "--ask", 1], "no file 'missing.py' here\n"),
        (["python listener.py", "--deal", 1, "--ask", 1, "--pdb"], "hint: remove --pdb"),
    ],
)
def test_bad_input_ends_with_2(bourre: Bourre, words: list[object], says: str) -> None:
    done = bourre("debug", "run", 1, *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_a_name_that_two_bots_have_means_none_of_them() -> None:
    head = replace(header(seats=3), bots=("me", "you", "me"))
    assert bot_index(head, "me (seat 2)", []) == 2
    with pytest.raises(ContestError, match=r"several bots .* Bots: me \(seat 0\), you, me \(seat 2\)\."):
        bot_index(head, "me", [])


def test_a_deal_that_the_house_played_has_no_asks() -> None:
    record = read(recorded(header(seats=4, deals=8))[0])
    assert asks_until(record, 2, 4, None)
    with pytest.raises(ContestError, match="this bot decided nothing in deal 5"):
        asks_until(record, 2, 5, None)


def test_a_duplicate_has_its_seatings(monkeypatch: pytest.MonkeyPatch, folders: dict[str, Path]) -> None:
    monkeypatch.chdir(folders["duplicate"])
    lists = [called("debug", "run", 1, "loose", "--deal", 2, "--seating", number).out for number in (1, 2, 3)]
    assert called("debug", "run", 1, "loose", "--deal", 2).out == lists[0]
    assert len(set(lists)) == 3
    assert called("debug", "run", 1, "loose", "--deal", 2, "--seating", 4).code == 2
    done = called("debug", "run", 1, "loose", "--deal", 2, "--seating", 3, "--ask", 1)
    assert (done.code, "the same, legal" in done.out) == (0, True)
