"""Standard streams: texts that a terminal cannot show, and streams that are closed or full."""

import json
import subprocess
import sys
from contextlib import redirect_stdout
from importlib import import_module
from io import BytesIO, TextIOWrapper

import pytest

from bourre import Bot, run
from bourre.connection.standard_streams import prepare_streams

CLOSED = {
    0: "import sys; sys.exit(len(sys.stdin.read()))",
    1: "import os, sys; print('dropped'); sys.exit(not os.path.samestat(os.fstat(1), os.stat(os.devnull)))",
    2: "import os, sys; print('dropped', file=sys.stderr); sys.exit(os.get_inheritable(2) - 1)",
}
"""What each stream must do once it stands in for a closed one: the status is 0 if it does."""


def printed(text: str, encoding: str) -> str:
    """What a terminal of this encoding shows."""
    paper = TextIOWrapper(BytesIO(), encoding=encoding, write_through=True)
    with redirect_stdout(paper):
        prepare_streams()
        print(text, end="")
    return paper.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [
        ("koi8-r", "bourrés ±5 …", "bourres +-5 ..."),
        ("ascii", "\N{MINUS SIGN}1.5 · “A♠” Zoë", "-1.5 - 'AS' Zoe"),
        ("ascii", "≠ \N{HIRAGANA LETTER A} \N{PARTY POPPER}", r"\u2260 \u3042 \ud83c\udf89"),
        ("ascii", "caf\udce9", r"caf\udce9"),
        ("utf-8", "bourrés ±5 …", "bourrés ±5 …"),
        ("utf-8", "caf\udce9", r"caf\udce9"),
        ("latin-1", "bourrés \N{MINUS SIGN}5", "bourrés -5"),
    ],
)
def test_a_text_degrades_to_what_the_terminal_can_show(encoding: str, text: str, shown: str) -> None:
    assert printed(text, encoding) == shown


@pytest.mark.parametrize("encoding", ["ascii", "koi8-r"])
def test_json_stays_json(encoding: str) -> None:
    signs = [*"“”„\"'\\≠½·±…é♠", "\N{FULLWIDTH QUOTATION MARK}", "\N{PARTY POPPER}", "\ud800"]
    assert len(json.loads(printed(json.dumps(signs, ensure_ascii=False), encoding))) == len(signs)


@pytest.mark.parametrize("closed", CLOSED)
def test_a_closed_stream_gets_its_own_descriptor_on_the_null_device(closed: int) -> None:
    program = f"from bourre.connection.standard_streams import prepare_streams; prepare_streams(); {CLOSED[closed]}"
    command = [sys.executable, "-c", program]
    done = subprocess.run(["sh", "-c", f'"$@" {closed}>&-', "sh", *command], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_stderr_cannot_take_is_dropped() -> None:
    prepare = "from bourre.connection.standard_streams import prepare_streams; prepare_streams()"
    program = f"import sys; {prepare}; sys.exit('lost')"
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-c", program], stderr=full, stdout=subprocess.PIPE, check=False)
    assert (done.returncode, done.stdout) == (1, b"")


def test_no_stream_of_a_notebook_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = object()
    monkeypatch.setattr(sys, "stdout", stream)
    prepare_streams()
    assert sys.stdout is stream


@pytest.mark.parametrize(
    "module", ["bourre_seats.mcp.__main__", "bourre_seats.models.__main__", "bourre_seats.seat.__main__"]
)
def test_every_program_of_the_sdk_prepares_its_streams(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["program", "--help"])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit):
        import_module(module).main()
    with sys.stdout as stand_in:
        assert stand_in.name is not None


def test_a_bot_that_runs_prints_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOURRE_ADDRESS", raising=False)
    paper = TextIOWrapper(BytesIO(), encoding="ascii", write_through=True)
    with redirect_stdout(paper), pytest.raises(SystemExit):
        run(Bot)
    print("bourré", file=paper)
    assert paper.buffer.getvalue() == b"bourre\n"
