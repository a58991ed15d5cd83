"""Standings as tables: in full without a terminal, shortened in a narrow one."""

from dataclasses import replace
from io import StringIO

from rich.console import Console

from bourre_referee.cli.standings_tables import MAX_CROSS_TABLE, print_tables
from bourre_referee.ratings import rate
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.ranking import rank_bots
from bourre_referee.statistics.standing import Standings
from tests.referee.matches import match, standings

FULL = """\
   bot  effect        interval  chips/100  score     mu  sigma  deals  wins  bourrés  reneges  faults  by stand-in
1  ada   +20.0  +15.2 to +24.8      +20.0  22.17  36.36   4.73    300    12        0        0       0            0
2  bob    +0.0    -4.8 to +4.8       +0.0  13.40  25.00   3.87    300    18        6        6      18            0
3  cy    -20.0  -25.2 to -14.8      -20.0  -0.54  13.64   4.73    300    24       12        0      36            6

effect: chips per 100 deals above the mean of this field, from all matches together

Difference in chips per 100 deals, row against column, where both sat; ±: 95 % for each pair by itself

   bot       1       2       3
1  ada       -  +20 ±0  +40 ±0
2  bob  -20 ±0       -  +20 ±0
3  cy   -40 ±0  -20 ±0       -
"""


def table(*names: str) -> Standings:
    """Six matches of these bots: in each, the first wins ten chips from the last, so all are told apart."""
    chips = dict.fromkeys(names, 0) | {names[0]: 10, names[-1]: -10}
    results = [match(chips, name=f"m{number:04d}") for number in range(1, 7)]
    return standings("demo", "session", "", results, names)


def printed(table: Standings, width: int = 0, **environment: str) -> str:
    """What a terminal of that width shows; 0 means a file."""
    file = StringIO()
    print_tables(table, Console(file=file, width=width or None, force_terminal=bool(width), _environ=environment))
    return file.getvalue()


def plain(text: str) -> str:
    """The text without what makes it bold."""
    return text.replace("\x1b[1m", "").replace("\x1b[0m", "")


def test_a_file_gets_everything() -> None:
    assert printed(table("ada", "bob", "cy")) == FULL


def test_a_wide_terminal_gets_the_same_with_bold_headings() -> None:
    shown = printed(table("ada", "bob", "cy"), 120)
    assert plain(shown) == FULL
    assert shown.startswith("\x1b[1m")


def test_a_narrow_terminal_gets_less_and_nothing_cut() -> None:
    lines = plain(printed(table("ada", "bob", "cy"), 72)).splitlines()
    assert "".join(lines[0].split()) == "boteffectintervaldealswinsbourrésrenegesfaultsbystand-in"
    assert lines[1] == "1 ada  +20.0 +15..+25   300   12       0       0      0           0"
    crossed = plain(printed(table("ada", "bob", "cy"), 28)).splitlines()
    assert crossed[-3:] == ["1  ada    -  +20  +40", "2  bob  -20    -  +20", "3  cy   -40  -20    -"]


def test_a_long_name_is_never_cut() -> None:
    name = "x" * 32
    assert f"2  {name}  " in printed(table("ada", name, "cy"))
    assert f"2 {name} " in printed(table("ada", name, "cy"), 40)


def test_deals_by_the_house_have_a_column_only_where_there_are_any() -> None:
    full = table("ada", "bob", "cy")
    without = replace(full, rows=tuple(replace(row, house_deals=0) for row in full.rows))
    assert "by stand-in" in printed(full)
    assert "by stand-in" not in printed(without)
    assert printed(without).splitlines()[3].endswith("      36")


def test_who_has_not_played_has_no_interval() -> None:
    idle = standings("demo", "session", "", [], ["ada", "bob"])
    lines = printed(idle).splitlines()
    assert lines[1].split() == ["1", "ada", "-", "-", "+0.0", "0.00", "25.00", "8.33", "0", "0", "0", "0", "0"]
    assert lines[-1].split() == ["2", "bob", "-", "-"]


def test_hostile_names_are_no_markup_and_steer_nothing() -> None:
    shown = printed(table("[red]ada", "b\x1b[31mob", "c\u202ey"))
    assert "1  [red]ada " in shown
    assert "2  b\\x1b[31mob " in shown
    assert "3  c\\u202ey " in shown


def test_no_color_is_heeded() -> None:
    assert plain(printed(table("ada", "bob", "cy"), 120, NO_COLOR="1")) == FULL


TWICE = [match({"ada": 1, "bob": -1}), match({"ada": -1, "bob": 1})]


def test_ties_are_brackets_that_are_said_to_agree_with_the_intervals() -> None:
    lines = printed(standings("demo", "session", "", TWICE, ["ada", "bob"])).splitlines()
    at = lines[0].index("tied")
    assert [line[at] for line in lines[1:3]] == ["┐", "┘"]
    assert (
        "Bots in one bracket are tied, and their intervals overlap: the results do not tell them apart (95 %)" in lines
    )


def test_brackets_that_overlap_stand_side_by_side() -> None:
    few = table("ada", "bob", "cy")
    columns = replace(few, ties=(("ada", "bob"), ("bob", "cy"))).bracket_columns()
    assert columns == [("first", ""), ("last", "first"), ("", "last")]
    assert replace(few, ties=()).bracket_columns() == [(), (), ()]


def test_the_cross_table_marks_a_pair_that_contradicts_its_places() -> None:
    """bob beats ada whenever they meet, and loses to everyone else."""
    results = [match({"bob": 9, "ada": -9 - number % 2, "cy": number % 2}) for number in range(6)]
    results += [match({"ada": 40, "dee": -40 - number % 2, "eve": number % 2}) for number in range(6)]
    results += [match({"dee": 50, "bob": -50 - number % 2, "cy": number % 2}) for number in range(6)]
    shown = printed(standings("demo", "session", "", results, ["ada", "bob", "cy", "dee", "eve"]))
    assert "!: this pair alone says the opposite of its places" in shown
    assert "!" not in printed(table("ada", "bob", "cy"))


def test_older_runs_have_letters_that_are_said_to_hold_for_the_whole_table() -> None:
    ratings = rate(TWICE, ["ada", "bob"], version=3)
    shown = printed(rank_bots("demo", "session", "", tally_of(TWICE), ratings, level=None))
    assert "share a letter are tied: the results do not tell them apart (95 % for the whole table)" in shown
    assert shown.splitlines()[0].split()[:6] == ["bot", "score", "mu", "sigma", "chips/100", "95"]


def test_a_cross_table_that_fits_no_screen_is_named_instead() -> None:
    few = table("ada", "bob", "cy")
    times = MAX_CROSS_TABLE // 3 + 1
    many = replace(few, rows=few.rows * times, cross=tuple(line * times for line in few.cross) * times)
    shown = printed(many)
    assert f"The cross-table of {3 * times} bots is in --json, and on a page of `bourre view`" in shown
    assert "Difference in chips" not in shown
