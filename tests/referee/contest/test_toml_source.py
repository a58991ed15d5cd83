"""Line numbers in a TOML text, and texts that are broken at random."""

import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bourre_referee.contest.contest_file import load
from bourre_referee.contest.contest_problems import Lines, Place
from bourre_referee.model.errors import ContestError
from tests.referee.contests import BOTS, FILE, bot

TEXT = '''\
# a comment
title = "x"

[a.b]  # another one
c.d = """
[not.a.table]
e = 1
"""
list = [
  { f = 1 },
]
[[bots]]
name = "p"
[[bots]]

name = "q\u2028"
[[bots.inner]]
g = 1
'''


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("title",), 2),
        (("a",), 4),
        (("a", "b"), 4),
        (("a", "b", "c", "d"), 5),
        (("a", "b", "list", 0, "f"), 9),
        (("a", "b", "list", 7), 9),
        (("bots",), 12),
        (("bots", 0, "name"), 13),
        (("bots", 1), 14),
        (("bots", 1, "command"), 14),
        (("bots", 1, "name"), 16),
        (("bots", 1, "inner", 0), 17),
        (("not", "here"), None),
    ],
)
def test_every_key_is_found_by_the_line_where_it_begins(place: Place, line: int | None) -> None:
    assert Lines(TEXT).line_of(place) == line


ARRAY = r"""list = [  # ]
  "]", ']', "\"]", ["[", "\\"],  # [
]
"""


def test_an_array_over_several_lines_is_parsed_but_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = Mock(wraps=tomllib.loads)
    monkeypatch.setattr(tomllib, "loads", parse)
    assert Lines(f"{ARRAY}title = 1").line_of(("title",)) == 4
    assert [call.args for call in parse.call_args_list] == [(ARRAY,), ("title = 1\n",)]


WORDS = st.sampled_from(
    [*FILE.split(), "[", "]", "[[bots]]", "name", "=", '"', "\n", "true", "-1", "1e3", "{", "}", "\x00"]
)


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)), st.integers(0, len(FILE)), st.integers(0, 40))
@example("bots = [[]]\n", 0, 0)
@example("bots.name = 3\n", 0, 0)
def test_whatever_is_written_wrong_is_refused_in_words(junk: str, at: int, cut: int) -> None:
    # The files of the bots are missing, so nothing passes.
    text = FILE[:at] + junk + FILE[at + cut :] + "\n".join(map(bot, BOTS))
    with TemporaryDirectory() as folder:
        path = Path(folder, "contest.toml")
        path.write_text(text, "utf-8", errors="surrogatepass", newline="")
        with pytest.raises(ContestError, match=r"contest\.toml"):
            load(path)
