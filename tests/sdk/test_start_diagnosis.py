"""Why a bot never said hello, from what it printed, its exit status and its file."""

from __future__ import annotations

import json

import pytest

from bourre.bot_code.start_diagnosis import LONGEST, diagnose
from bourre.bot_code.start_mends import SAVE_AS_UTF_8, StartedFile

PYTHON = "/usr/lib/python3.11"
SDK = "/sdk/bourre"
MAIN = '__name__ == "__main__": run(MyBot)'
BOT = "from bourre import Bot, run\n\n\nclass Mine(Bot):\n    pass\n"


def traceback_of(error: str, *frames: str, line: int = 3) -> str:
    places = "".join(f'  File "{file}", line {line}, in <module>\n    code()\n    ^^^^^^\n' for file in frames)
    return f"Traceback (most recent call last):\n{places}{error}\n"


def without_frame(error: str, line: int = 4) -> str:
    return f'  File "/bot/bot.py", line {line}\n    code(\n        ^\n{error}\n'


@pytest.mark.parametrize(
    ("printed", "cause", "mend"),
    [
        (traceback_of("NameError: name 'x' is not defined", "/bot/bot.py"), "bot.py, line 3: NameError: name 'x'", ""),
        (
            traceback_of("ModuleNotFoundError: No module named 'nmpy.a'", "/bot/bot.py"),
            "bot.py, line 3: ModuleNotFoundError: No module named 'nmpy.a'",
            "install the package nmpy where bourre is installed, or put nmpy.py beside the bot",
        ),
        (
            traceback_of("ImportError: attempted relative import with no known parent package", "/bot/bot.py"),
            "bot.py, line 3: ImportError: attempted relative import",
            "remove the dot of the import",
        ),
        (
            traceback_of(f"ImportError: cannot import name 'Bott' from 'bourre' ({SDK}/__init__.py)", "/bot/bot.py"),
            "bot.py, line 3: ImportError: cannot import name 'Bott' from 'bourre'",
            "use 'Bot'",
        ),
        (without_frame("SyntaxError: '(' was never closed"), "bot.py, line 4: SyntaxError: '('", "correct this line"),
        (
            without_frame("SyntaxError: source code cannot contain null bytes"),
            "bot.py, line 4:",
            SAVE_AS_UTF_8,
        ),
        (
            "SyntaxError: Non-UTF-8 code starting with '\\xe9' in file /bot/bot.py on line 6, but no encoding declared",
            "bot.py, line 6: SyntaxError: the file is not UTF-8",
            SAVE_AS_UTF_8,
        ),
        (
            traceback_of("OSError: [Errno 30] Read-only file system: 'a.log'", "/bot/bot.py"),
            "bot.py, line 3: OSError: [Errno 30]",
            "use a folder of tempfile, because the bot's folder is read-only",
        ),
        (
            traceback_of("EOFError: EOF when reading a line", "/bot/bot.py"),
            "bot.py, line 3: EOFError",
            "remove input(), because nobody types in a contest",
        ),
        (
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@grpc/grpc-js' imported from /bot/a.mjs\n",
            "Node.js does not find the package @grpc/grpc-js",
            "run npm install in its folder, and add node_modules to files",
        ),
        (
            "/usr/bin/python3: can't open file '/bot/bot.py': [Errno 2] No such file or directory\n",
            "/usr/bin/python3: can't open file '/bot/bot.py'",
            "put the file beside the bot, and hand in both as a zip (in a contest file: list both in files)",
        ),
        (
            "MyBot: the referee refused: no\n",
            "it ended with status 1 before it said hello, after printing: MyBot: ",
            "",
        ),
        ("bourre: warning: a\n[bourre] b\n", "it ended with status 1 before it said hello, and printed nothing", ""),
    ],
)
def test_an_error_names_the_authors_line_and_what_mends_it(printed: str, cause: str, mend: str) -> None:
    found = diagnose(printed, 1, 0.5)
    assert found.cause.startswith(cause)
    assert found.mend == mend


def test_the_innermost_line_of_the_author_is_named_and_not_that_of_a_package() -> None:
    packages = "/home/a/lib/python3.11/site-packages/json5/__init__.py", f"{PYTHON}/json/decoder.py"
    printed = traceback_of("ValueError: no", "/bot/bot.py", "/bot/helpers/reading.py", *packages, f"{SDK}/client.py")
    assert diagnose(printed, 1, 0.5).cause == "reading.py, line 3: ValueError: no"


def test_in_a_box_the_lines_of_this_package_are_not_the_authors() -> None:
    printed = traceback_of(
        "TypeError: not an instance", "/bot/mine.py", "/sdk/bourre/connection/client.py", "/sdk/bourre/bot.py"
    )
    assert diagnose(printed, 1, 10).cause == "mine.py, line 3: TypeError: not an instance"
    misspelt = "ImportError: cannot import name 'Bott' from 'bourre' (/sdk/bourre/__init__.py)"
    assert diagnose(traceback_of(misspelt, "/bot/mine.py"), 1, 10).mend == "use 'Bot'"


def test_an_exception_group_is_named() -> None:
    whole = traceback_of("ExceptionGroup: no (2 sub-exceptions)", "/bot/bot.py").splitlines()
    lines = [
        f"  + Exception Group {whole[0]}",
        *(f"  | {line}" for line in whole[1:]),
        "  +-+---- 1 ----",
        "    | ValueError",
    ]
    assert diagnose("\n".join(lines), 1, 0.5).cause == "bot.py, line 3: ExceptionGroup: no (2 sub-exceptions)"


def test_of_chained_errors_the_last_counts() -> None:
    first = traceback_of("KeyError: 'a'", "/bot/bot.py")
    printed = f"{first}\nDuring handling of the above exception, another exception occurred:\n\n"
    printed += traceback_of("RuntimeError: no weights", "/bot/bot.py", line=9)
    assert diagnose(printed, 1, 0.5).cause == "bot.py, line 9: RuntimeError: no weights"


@pytest.mark.parametrize(
    ("error", "frames", "hidden"),
    [
        ("ImportError: cannot import name 'Bot' from 'bourre' (/bot/bourre.py)", ["/bot/bot.py"], "package bourre"),
        (
            "ModuleNotFoundError: No module named 'grpc.aio'; 'grpc' is not a package",
            [f"{SDK}/client.py"],
            "package grpc",
        ),
        ("AttributeError: module 'types' has no attribute 'X'", [f"{PYTHON}/enum.py"], "Python's module types"),
        ("NameError: name 'x' is not defined", [f"{PYTHON}/random.py", "/bot/bisect.py"], "Python's module bisect"),
        (
            "AttributeError: partially initialized module 'asyncio' has no attribute 'run' (most likely due to x)",
            [f"{SDK}/client.py"],
            "Python's module asyncio",
        ),
    ],
)
def test_a_file_with_the_name_of_a_module_is_named(error: str, frames: list[str], hidden: str) -> None:
    found = diagnose(traceback_of(error, "/bot/bot.py", *frames), 1, 0.5)
    name = hidden.split()[-1]
    assert (
        str(found)
        == f"its own file {name}.py hides {'the ' * (name in ('bourre', 'grpc'))}{hidden}. hint: rename the file"
    )


@pytest.mark.parametrize(
    ("error", "frames"),
    [
        ("AttributeError: module 'random' has no attribute 'choise'", ["/bot/test.py"]),
        (
            "ImportError: cannot import name 'Mapping' from 'collections' (/usr/lib/python3.11/collections.py)",
            [],
        ),
        ("AttributeError: module 'bourre' has no attribute 'Run'. Did you mean: 'run'?", [f"{SDK}/__init__.py"]),
        ("AttributeError: module 'collections' has no attribute 'Mapping'", ["/a/lib/python3.11/site-packages/old.py"]),
    ],
)
def test_a_misspelt_name_hides_no_module(error: str, frames: list[str]) -> None:
    assert "hides" not in diagnose(traceback_of(error, "/bot/code.py", *frames), 1, 0.5).cause


def test_a_file_beside_the_bot_hides_the_module_that_lacks_a_name() -> None:
    file = StartedFile("bot.py", "", ["bot.py", "random.py"])
    printed = traceback_of("AttributeError: module 'random' has no attribute 'choice'", "/bot/bot.py")
    assert diagnose(printed, 1, 0.5, file).cause == "its own file random.py hides Python's module random"


@pytest.mark.parametrize(
    ("text", "cause", "mend"),
    [
        (" \n", "bot.py is empty", "save your program in the editor, then hand in the file again"),
        (
            BOT.replace("Bot, run", "Bot,  Card") + "class Other(Mine, Bot):\n    pass\n",
            "bot.py ended without a call of run",
            'change line 1 to `from bourre import Bot,  Card, run` and end the file with if __name__ == "__main__": '
            "run(Other), or another of Mine, Other: a contest plays one",
        ),
        (BOT, "bot.py ended without a call of run", 'end the file with if __name__ == "__main__": run(Mine)'),
        (
            f"{BOT}\n\nif __name__ == 'main':\n    run(Mine)\n",
            "bot.py, line 8: __name__ is never 'main', so run is not called",
            'use if __name__ == "__main__":',
        ),
        (
            f"import sys\n{BOT}\nsys.exit()\nrun(Mine)\n",
            "it ended before it came to run, by sys.exit() in bot.py, line 8",
            "remove that line",
        ),
        (
            f"{BOT}def main():\n    run(Mine)\n",
            "it ended with status 0 before it said hello, and printed nothing",
            'end the file with if __name__ == "__main__": run(Mine)',
        ),
    ],
)
def test_a_silent_end_is_explained_by_the_text_of_the_file(text: str, cause: str, mend: str) -> None:
    found = diagnose("", 0, 0.5, StartedFile("bot.py", text, ["bot.py"]))
    assert (found.cause, found.mend) == (cause, mend)


@pytest.mark.parametrize(
    ("text", "error", "beside", "mend"),
    [
        ("My essay: it is late.\n", "invalid syntax", [], "bot.py is no Python program: hand in the file with"),
        (f"{BOT}x = (", "'(' was never closed", [], "correct this line"),
        (
            "from .best import x\n",
            "no known parent package",
            [],
            "remove the dot of the import, then put best.py",
        ),
        ("from .best import x\n", "no known parent package", ["best.py"], "remove the dot of the import"),
    ],
)
def test_the_text_of_the_file_tells_what_mends_an_error(text: str, error: str, beside: list[str], mend: str) -> None:
    kind = "ImportError" if "parent" in error else "SyntaxError"
    printed = traceback_of(f"{kind}: {error}", "/bot/bot.py", line=1)
    found = diagnose(printed, 1, 0.5, StartedFile("bot.py", text, ["bot.py", *beside]))
    assert found.mend.startswith(mend)
    assert ("put" in found.mend) == ("put" in mend)


def test_a_class_of_another_name_is_named() -> None:
    file = StartedFile("bot.py", f"{BOT}run(MyBot)\n")
    found = diagnose(traceback_of("NameError: name 'MyBot' is not defined", "/bot/bot.py"), 1, 0.5, file)
    assert found.mend == 'end the file with if __name__ == "__main__": run(Mine)'


def test_an_end_without_a_known_file_is_explained_by_the_call_that_is_missing() -> None:
    found = diagnose("", 0, 0.5)
    assert (
        str(found)
        == f"it ended with status 0 before it said hello, and printed nothing. hint: end the file with if {MAIN}"
    )


STACK = """Fatal Python error: Aborted

Thread 0x0000000000000001 (most recent call first):
  File "/bot/other.py", line 1 in wait

Current thread 0x0000000000000002 (most recent call first):
  File "/usr/lib/python3.11/json/decoder.py", line 355 in raw_decode
  File "/bot/bot.py", line 12 in think
  File "/bot/bot.py", line 20 in <module>
"""


def test_a_bot_that_is_still_busy_is_told_in_which_line() -> None:
    found = diagnose(STACK, None, 10.0)
    assert found.cause == "it was not ready within 10 s, still busy in bot.py, line 12"
    assert found.mend == "end the loop there, or do less before the last line, which must be reached within that time"


@pytest.mark.parametrize("folder", ["/opt/site/bourre", "/app/lib"])
def test_a_package_is_none_of_the_authors_files_wherever_it_lies(folder: str) -> None:
    raised = traceback_of("TypeError: run takes a class", "/bot/ada/bot.py", "/bot/ada/parts/hand.py", f"{folder}/x.py")
    assert diagnose(raised, 1, 1.0).cause.startswith("hand.py, line 3: TypeError")
    busy = STACK.replace("/usr/lib/python3.11/json", folder)
    assert "busy in bot.py, line 12" in diagnose(busy, None, 1.0).cause


def test_an_error_is_told_although_its_container_has_not_ended_yet() -> None:
    raised = traceback_of("NameError: name 'x' is not defined", "/bot/bot.py")
    assert diagnose(raised, None, 10.0) == diagnose(raised, 1, 10.0)
    assert diagnose(f"{raised}I go on\n", None, 10.0).cause.endswith("after printing: I go on")


def test_without_a_stack_the_last_words_of_a_silent_bot_are_quoted() -> None:
    found = diagnose("loading\n\n", None, 2.5)
    assert found.cause == "it said no hello within 2.5 s, after printing: loading"
    assert "BOURRE_ADDRESS" in found.mend


@pytest.mark.parametrize(
    ("status", "printed", "cause"),
    [
        (137, "", "SIGKILL ended it before it said hello, and printed nothing"),
        (139, STACK, "SIGSEGV ended it before it said hello, in bot.py, line 12"),
        (255, "", "it ended with status 255 before it said hello, and printed nothing"),
    ],
)
def test_a_signal_is_named(status: int, printed: str, cause: str) -> None:
    assert diagnose(printed, status, 0.5).cause == cause


@pytest.mark.parametrize(
    "printed",
    [
        traceback_of(f"ValueError: {'x' * 5000}", "/bot/bot.py"),
        traceback_of("ValueError: a\x1b[31m\u202eb\x00", "/bot/bot.py"),
        f"{json.dumps('é' * 9000)}\x85\u2028\x1b]0;title\x07",
        'Traceback (most recent call last):\n  File "", line 9\n  File "/", line 99999999999999999999\nE',
    ],
)
@pytest.mark.parametrize("status", [None, 0, 1, 200])
def test_hostile_words_become_one_printable_line(printed: str, status: int | None) -> None:
    text = str(diagnose(printed, status, 0.5))
    assert text.isprintable()
    assert len(text) <= 2 * LONGEST + 2
