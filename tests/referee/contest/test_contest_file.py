"""Contest files: what they may say, and every way to get one wrong."""

import re
import sys
from pathlib import Path

import pytest

import dev
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import BotEntry, Clock
from tests.referee.contests import BOTS, FILE, bot, write_contest

SHORT = '[contest]\nname = "x"\n[table]\nseats = 2\ndeals = 1\n'


def refused(folder: Path, text: str, bots: tuple[str, ...] = BOTS) -> list[str]:
    """The errors in a file with this text followed by these bots, without the folder's path."""
    path = write_contest(folder, text, bots)
    with pytest.raises(ContestError) as caught:
        load(path)
    return re.split(r"\n(?!hint: )", str(caught.value).replace(f"{folder}/", ""))


def refused_bots(folder: Path, bots: str) -> list[str]:
    """The errors in these lines of bots after two valid ones; lines are counted from the first of them."""
    text = SHORT + bot("ada") + bot("bob")
    before = text.count("\n")
    (folder / "ada.py").touch()
    (folder / "bob.py").touch()
    lines = refused(folder, text + bots, ())
    return [f"{int(line.split(':')[1]) - before}:{line.split(':', 2)[2]}" for line in lines]


def test_everything_that_a_file_may_say(tmp_path: Path) -> None:
    text = """
[contest]
name = "Spring-cup_2.0"
[table]
seats = 2
deals = 10
format = "session"
tables = 4
fresh = false
[rules]
preset = "limit"
pot_limit = 30
must_trump = "if_can_win"
[schedule]
kind = "round-robin"
rounds = 3
[clock]
start_ms = 1
decision_ms = 2
bank_ms = 0
connect_ms = 4
[faults]
max = 5
[[bots]]
name = "tight"
command = ["python", "bots/tight.py", "--level", "3", "table.csv"]
[[bots]]
name = "far"
connect = true
[[bots]]
name = "own"
command = ["./own", "tight.py"]
files = ["own", "bots"]
"""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/tight.py").touch()
    (tmp_path / "table.csv").touch()
    (tmp_path / "own").touch(mode=0o755)
    path = tmp_path / "contest.toml"
    path.write_text(text)
    contest = load(path)
    assert contest == Contest(
        name="Spring-cup_2.0",
        seed=None,
        seats=2,
        deals=10,
        format="session",
        tables=4,
        fresh=False,
        house=HouseRules(pot_limit=30, must_trump="if_can_win"),
        stakes=(0,),
        schedule=ScheduleChoice(rounds=3),
        clock=Clock(1, 2, 0, 4),
        max_faults=5,
        entrants=(
            Entrant(
                "tight",
                ("python", "bots/tight.py", "--level", "3", "table.csv"),
                ("bots/tight.py", "table.csv"),
                files_by_default=True,
            ),
            Entrant("far", None, ()),
            Entrant("own", ("./own", "tight.py"), ("own", "bots")),
        ),
        folder=tmp_path,
    )
    assert contest.entries == (
        BotEntry(
            "tight",
            (sys.executable, "tight.py", "--level", "3", "../table.csv"),
            tmp_path,
            ("bots/tight.py", "table.csv"),
            own_folder="bots",
        ),
        BotEntry("far", None, tmp_path),
        BotEntry("own", (str(tmp_path / "own"), "tight.py"), tmp_path, ("own", "bots")),
    )
    assert contest.entrants[2].check_command == (
        *("bourre", "check", "--command", "./own tight.py", "--files", "own", "--files", "bots"),
    )
    assert Entrant("a", ("python", "a.py"), ("a.py",)).check_command == ("bourre", "check", "a.py")


def test_a_preset_for_fewer_seats_is_refused_at_a_larger_table(tmp_path: Path) -> None:
    text = FILE.replace('"limit"', '"wikipedia"').replace("seats = 3", "seats = 8")
    assert refused(tmp_path, text, ("ada",)) == [
        "contest.toml:6: [table] seats = 8: Preset 'wikipedia' is for 2 to 7 seats, not 8.\n"
        "hint: use 7 seats or fewer, or set its keys on top of 'pagat'",
    ]


@pytest.mark.parametrize(
    ("rules", "doubted"),
    [
        ('preset = "limit"', []),
        ('preset = "indiana"', []),  # what a preset sets is intended
        ('preset = "wikipedia"', []),
        ('preset = "wikipedia"\nmust_beat = false', ["must_overtrump = true"]),
        ('preset = "double_ante"\nexempt_tied = true', ["second_ante = 1"]),
        ("pot_limit = 2\nlead_honour_when = 'first'", ["pot_limit = 2", "lead_honour_when = 'first'"]),
        ("seven_player_limit = 3", ["seven_player_limit = 3"]),
    ],
)
def test_what_is_set_over_a_preset_and_hardly_meant_is_doubted(tmp_path: Path, rules: str, doubted: list[str]) -> None:
    contest = load(write_contest(tmp_path, FILE.replace('preset = "limit"', rules)))
    assert [doubt.partition(" with ")[0].partition(":")[0] for doubt in contest.doubts] == doubted


def test_what_a_file_may_leave_out(tmp_path: Path) -> None:
    contest = load(write_contest(tmp_path, SHORT))
    assert contest.house == HouseRules.preset("limit")
    assert contest.clock == Clock()
    assert (contest.seed, contest.format, contest.tables, contest.schedule.rounds, contest.max_faults) == (
        None, "session", 1, None, 10,
    )  # fmt: skip


def test_relative_to_where_the_file_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_contest(tmp_path / "deep", FILE)
    monkeypatch.chdir(tmp_path)
    assert load(Path("deep/contest.toml")).folder == tmp_path / "deep"


MISTAKES = [
    ("seats = 3", "seats = 3\nrounds = 4", "7: [table] Unknown key 'rounds'. It belongs under [schedule]."),
    ("seats = 3", "seats = 3\nstakes = 4", "7: [table] stakes = 4: must be 1 to 64 whole numbers such as [0, 1, 4]"),
    ("seats = 3", "seats = 3\nstakes = []", "7: [table] stakes = []: must be 1 to 64 whole numbers such as [0, 1, 4]"),
    (
        "seats = 3",
        "seats = 3\nx = 4",
        "7: [table] Unknown key 'x'. Keys: seats, deals, format, tables, fresh, stakes.\nhint: use one of them",
    ),
    ("[schedule]", "[scedule]", "12: Unknown section 'scedule'. Did you mean 'schedule'?"),
    ("seats = 3", 'seats = "3"', '6: [table] seats = "3": must be a whole number'),
    ("seats = 3", "seats = true", "6: [table] seats = true: must be a whole number"),
    ("deals = 4", "deals = 4.0", "7: [table] deals = 4.0: must be a whole number"),
    ("deals = 4", "deals = 0", "7: [table] deals = 0: must be 1 or more"),
    ("deals = 4", "deals = 1_000_001", "7: [table] deals = 1000001: must be 1000000 or less"),
    ("seed = 7", "seed = -1", "3: [contest] seed = -1: must be 0 or more"),
    ("decision_ms = 100", "decision_ms = 0", "16: [clock] decision_ms = 0: must be 1 or more"),
    ("seats = 3", "seats = 1", "6: [table] seats = 1: 1 seats cannot play Bourré (R1.1).\nhint: use 2 to 8 seats"),
    ("seats = 3", "seats = 9", "6: [table] seats = 9: 9 seats cannot play Bourré (R1.1).\nhint: use 2 to 8 seats"),
    ("seats = 3", "seats = 7", "6: [table] seats = 7, but 5 bots are entered.\nhint: add 2 more, or set seats = 5"),
    ("deals = 4", 'deals = 4\nformat = "x"', "8: [table] format = \"x\": must be 'session' or 'duplicate'"),
    (
        "rounds = 2",
        'kind = "knockout"',
        "13: [schedule] kind = \"knockout\": must be 'round-robin', 'gauntlet' or 'line-ups'",
    ),
    *(
        (
            "rounds = 2",
            f'kind = "{kind}"',
            f"13: [schedule] kind = \"{kind}\": must be 'round-robin', 'gauntlet' or 'line-ups'",
        )
        for kind in ("neighbours", "ladder", "called")
    ),
    ("rounds = 2", "rounds = 0", "13: [schedule] rounds = 0: must be 1 or more"),
    ('"limit"', '"limt"', "10: [rules] Unknown preset 'limt'. Did you mean 'limit'?"),
    ('preset = "limit"', "preset = 3", "10: [rules] preset = 3: must be text in quotes"),
    ('preset = "limit"', "must_bet = true", "10: [rules] Unknown key 'must_bet'. Did you mean 'must_beat'?"),
    ('preset = "limit"', "name = 3", "10: [rules] Unknown key 'name'. It belongs under [contest]."),
    ('preset = "limit"', "must_beat = 1", "10: [rules] must_beat = 1 is not allowed.\nhint: use true or false"),
    (
        'preset = "limit"',
        "ante = -1",
        "10: [rules] ante = -1 is not allowed.\nhint: use a whole number from 0 to 1000000",
    ),
    ('preset = "limit"', "cards = 6", "10: [rules] cards = 6 is not allowed.\nhint: use a whole number from 4 to 5"),
    (
        'preset = "limit"',
        "first_dealer = 3",
        "6: [table] seats = 3: first_dealer = 3 is no seat of this table (R1.3).\nhint: use 0 to 2",
    ),
    (
        "deals = 4",
        "deals = 4\nstakes = [0, 3]",
        '8: [table] stakes needs format = "duplicate".\nhint: remove stakes',
    ),
    ("deals = 4", "deals = 4\nfresh = 0", "8: [table] fresh = 0: must be true or false"),
    (
        "deals = 4",
        'deals = 4\nformat = "duplicate"\nfresh = false',
        "9: [table] with fresh = false, a bot would know each deal from an earlier seating of the same match.\n"
        'hint: remove fresh, or set format = "session"',
    ),
    (
        "[clock]",
        "[[clock]]",
        '15: [clock] = [{"decision_ms": 100}]: must be a section, with its keys on the lines below',
    ),
]


@pytest.mark.parametrize(("old", "new", "said"), MISTAKES, ids=[new for _, new, _ in MISTAKES])
def test_each_mistake_has_its_line_and_its_fix(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in FILE
    assert refused(tmp_path, FILE.replace(old, new)) == [f"contest.toml:{said}"]


NAMES = "must be 1 to 32 of the characters A-Z a-z 0-9 . _ - with no dot or hyphen first"
EITHER = 'a bot has either a command or connect = true.\nhint: set command = ["python", "bot.py"]'
NO_FILE = 'the command names no file, so changes would go unnoticed.\nhint: add files = ["..."]'

BOT_MISTAKES = [
    (
        'name = "ada"\ncommand = ["python", "ada.py"]',
        "2: [[bots]] name = 'ada': another bot has this name.\nhint: rename one of them",
    ),
    (
        'name = "Bob"\nconnect = true',
        "2: [[bots]] name = 'Bob': this name differs from 'bob' only in case, but each bot has a folder."
        "\nhint: rename one of them",
    ),
    ('name = ".x"\nconnect = true', f'2: [[bots]] .x: name = ".x": {NAMES}'),
    ('name = ""\nconnect = true', f'2: [[bots]] number 3: name = "": {NAMES}'),
    ('name = "-A1"\nconnect = true', f'2: [[bots]] -A1: name = "-A1": {NAMES}'),
    ('name = "a/b"\nconnect = true', f'2: [[bots]] a/b: name = "a/b": {NAMES}'),
    ('name = "x\\n"\nconnect = true', f'2: [[bots]] number 3: name = "x\\n": {NAMES}'),
    ('name = "\\u001b[31m"\nconnect = true', f'2: [[bots]] number 3: name = "\\u001b[31m": {NAMES}'),
    ('name = "é"\nconnect = true', f'2: [[bots]] number 3: name = "\\u00e9": {NAMES}'),
    (f'name = "{"n" * 33}"\nconnect = true', f'2: [[bots]] number 3: name = "{"n" * 33}": {NAMES}'),
    ("connect = true", "1: [[bots]] number 3: name is missing"),
    ('name = "x"', f"1: [[bots]] x: {EITHER}"),
    ('name = "x"\nconnect = true\ncommand = ["python", "ada.py"]', f"4: [[bots]] x: {EITHER}"),
    ('name = "x"\ncommand = []', "3: [[bots]] x: command = []: must not be empty"),
    (
        'name = "x"\ncommand = "ada.py"',
        '3: [[bots]] x: command = "ada.py": must be a list of strings such as ["python", "bot.py"]',
    ),
    ('name = "x"\ncommand = [\n  "python",\n  "",\n]', '3: [[bots]] x: command.1 = "": must not be empty'),
    (
        'name = "x"\ncommand = ["python", "adda.py"]',
        "3: [[bots]] x: no file 'adda.py' here.\nhint: use 'ada.py'",
    ),
    (
        'name = "x"\ncommand = ["python", "-O", "bots/zz.py"]',
        "3: [[bots]] x: no file 'bots/zz.py' here.\nhint: use a path that starts at the folder of the contest file",
    ),
    ('name = "x"\ncommand = ["python", "-m", "ada"]', f"3: [[bots]] x: {NO_FILE}"),
    ('name = "x"\ncommand = ["python", "."]', f"3: [[bots]] x: {NO_FILE}"),
    (
        'name = "x"\ncommand = ["ada.py"]',
        "3: [[bots]] x: no program 'ada.py'.\nhint: for the file next to the contest file, use './ada.py'",
    ),
    (
        'name = "x"\ncommand = ["./ada.py"]',
        "3: [[bots]] x: cannot run './ada.py': it is not a file, or not executable.\nhint: run chmod +x",
    ),
    ('name = "x"\ncommand = ["./add.py"]', "3: [[bots]] x: no file './add.py' here.\nhint: use 'ada.py'"),
    (
        'name = "x"\ncommand = ["nosuchprogram", "ada.py"]',
        "3: [[bots]] x: no program 'nosuchprogram' on this machine.\nhint: install it, or use its path",
    ),
    (
        'name = "x"\ncommand = ["python", "ada.py"]\nfiles = ["ada.pyx"]',
        "4: [[bots]] x: no file 'ada.pyx' here.\nhint: use 'ada.py'",
    ),
    (
        'name = "x"\ncomand = ["python", "ada.py"]',
        "3: [[bots]] x: Unknown key 'comand'. Did you mean 'command'?",
    ),
]


@pytest.mark.parametrize(("keys", "said"), BOT_MISTAKES, ids=range(len(BOT_MISTAKES)))
def test_each_mistake_in_a_bot_has_its_line_and_its_fix(tmp_path: Path, keys: str, said: str) -> None:
    assert refused_bots(tmp_path, f"[[bots]]\n{keys}\n") == [said]


@pytest.mark.parametrize("program", ["./run", "./data/run"])
def test_nobody_is_told_to_change_the_rights_of_what_a_link_leads_to(tmp_path: Path, program: str) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "run").touch(mode=0o600)
    (tmp_path / "run").symlink_to("private/run")
    (tmp_path / "data").symlink_to("private")
    (said,) = refused_bots(tmp_path, f'[[bots]]\nname = "x"\ncommand = ["{program}"]\n')
    assert said.endswith(
        f"cannot run {program!r}: it links to something that is not a program."
        "\nhint: ask its author for the program itself"
    )


def test_bots_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    doubled = "bots must be written [[bots]], once for each bot"
    keys = "must be a section, with its keys on the lines below"
    few = "[table] seats = 2, but {} entered.\nhint: add {}"
    none, one = few.format("0 bots are", "2 more"), few.format("1 bot is", "1 more")
    assert refused(tmp_path, f"bots = 3\n{SHORT}", ()) == [f"contest.toml:1: {doubled}", f"contest.toml:5: {none}"]
    assert refused(tmp_path, f"{SHORT}[bots]\n", ()) == [f"contest.toml:4: {none}", f"contest.toml:6: {doubled}"]
    assert refused(tmp_path, f"bots = [3]\n{SHORT}", ()) == [
        f"contest.toml:1: [[bots]] number 1: = 3: {keys}",
        f"contest.toml:5: {one}",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"[contest\n", "is not valid TOML: Expected ']' at the end of a table declaration (at line 1, column 9)"),
        (
            b"[contest]\nname = 'x'\n[contest]\n",
            "is not valid TOML: Cannot declare ('contest',) twice (at line 3, column 9)",
        ),
        (b"a = " + b"1" * 5000, "is not valid TOML: Exceeds the limit"),
        (b"a = " + b"[" * 100_000, "is not valid TOML: maximum recursion depth exceeded"),
    ],
    ids=["bracket", "twice", "huge number", "deep"],
)
def test_what_is_no_toml_is_refused_with_the_line(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "contest.toml"
    path.write_bytes(text)
    with pytest.raises(ContestError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path} {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[contest]\nname = 'Bourré'\n".encode("latin-1"),
            ":2: a character is not UTF-8, perhaps Latin-1.\nhint: save it as UTF-8",
        ),
        (
            "\ufeff[contest]\nname = 'é'\n# ".encode() + b"\xff",
            ":3: a character is not UTF-8, perhaps Latin-1.\nhint: save it as UTF-8",
        ),
        ("[contest]\n".encode("utf-16"), " is UTF-16, or not text.\nhint: save it as UTF-8"),
        ("[contest]\n".encode("utf-16-le"), " is UTF-16, or not text.\nhint: save it as UTF-8"),
    ],
)
def test_other_encodings_are_refused_with_the_line_and_the_fix(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "contest.toml"
    path.write_bytes(text)
    with pytest.raises(ContestError) as caught:
        load(path)
    assert str(caught.value) == f"{path}{said}"


def test_a_byte_order_mark_shifts_no_line(tmp_path: Path) -> None:
    wrong = FILE.replace("seats = 3", "seats = 1")
    assert refused(tmp_path, f"\ufeff{wrong}") == refused(tmp_path, wrong) != []


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"^Cannot read .*none.toml: No such file or dir.*\.\nhint: pass the path"):
        load(tmp_path / "none.toml")
    with pytest.raises(ContestError, match=r"^Cannot read"):
        load(tmp_path)


def test_without_a_rule_for_files_they_are_what_the_command_names(tmp_path: Path) -> None:
    bots = '[[bots]]\nname = "x"\ncommand = ["python", "bot", "bot/net", "bot", "7", "--", "..", "/"]\n'
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/net").touch()
    path = write_contest(tmp_path, SHORT + bots, ())
    path.write_text(path.read_text() + bot("ada"))
    (tmp_path / "ada.py").touch()
    assert load(path).entrants[0].files == ("bot", "bot/net")


def test_a_misspelt_key_is_missing_under_its_right_name(tmp_path: Path) -> None:
    assert refused(tmp_path, FILE.replace("seats = 3", "seets = 3")) == [
        "contest.toml:5: [table] seats is missing",
        "contest.toml:6: [table] Unknown key 'seets'. Did you mean 'seats'?",
    ]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = FILE.replace('"small"', '"../../etc"').replace("deals = 4", "deals = 0").replace("rounds", "round")
    bots = '[[bots]]\nname = "=cmd"\ncommand = ["python", "nobody.py"]\n'
    path = write_contest(tmp_path, text + bots, ())
    with pytest.raises(ContestError) as caught:
        load(path)
    places = [line.removeprefix(f"{path}:").split(" = ")[0] for line in str(caught.value).splitlines()]
    assert places == [
        "2: [contest] name",
        "7: [table] deals",
        "13: [schedule] Unknown key 'round'. Did you mean 'rounds'?",
        "22: [[bots]] =cmd: name",
    ]


def test_a_schedule_is_not_blamed_for_a_bot_that_is_wrong(tmp_path: Path) -> None:
    text = FILE.replace("rounds = 2", 'kind = "gauntlet"\nbot = "zoe"')
    (mistake,) = refused(tmp_path, f'{text}[[bots]]\nname = "zoe"\n')
    assert "[[bots]] zoe: a bot has either a command" in mistake


def test_a_file_that_holds_nothing_names_what_it_must_hold(tmp_path: Path) -> None:
    assert refused(tmp_path, "", ()) == [
        "contest.toml: [contest] name is missing",
        "contest.toml: [table] seats is missing",
        "contest.toml: [table] deals is missing",
    ]


def test_the_example_is_sound() -> None:
    contest = load(dev.ROOT / "examples" / "contest.toml")
    assert (contest.name, contest.seats, contest.seed) == ("demo", 7, 7)
    assert len(contest.entrants) >= 7
    assert all(len(entrant.files) == 1 for entrant in contest.entrants)
