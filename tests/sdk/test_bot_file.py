"""Bots loaded from files: the one that is meant, or an error that helps."""

import pickle
from importlib.util import find_spec
from pathlib import Path

import pytest

from bourre.bot import Bot
from bourre.bot_code.bot_file import BotFileError, find, load
from bourre.practice.session import make_bot

TIGHT = "from bourre.bot import Bot\nclass Tight(Bot):\n    pass\n"
LOOSE = "class Loose(Bot):\n    pass\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.py"


def refusal(path: object) -> str:
    with pytest.raises(BotFileError) as caught:
        load(str(path))
    return str(caught.value)


def test_the_one_bot_of_a_file(file: Path) -> None:
    file.write_text(TIGHT)
    bot = load(str(file))
    assert bot.__name__ == "Tight"
    assert issubclass(bot, Bot)


def test_a_base_class_written_there_is_no_bot_of_its_own(file: Path) -> None:
    file.write_text(TIGHT + "class Tighter(Tight):\n    pass\n")
    assert load(str(file)).__name__ == "Tighter"


def test_a_file_may_import_its_neighbours_whose_bots_are_not_its_own(file: Path) -> None:
    file.with_name("my_neighbour.py").write_text(TIGHT)
    file.write_text("from my_neighbour import Tight\nclass Mine(Tight):\n    pass\n")
    assert load(str(file)).__name__ == "Mine"


def test_a_file_named_like_a_standard_module_takes_its_place_for_no_one_else(file: Path) -> None:
    """A process that is started later gets the same path, and dies if the module it loads first is a bot."""
    file.with_name("colorsys.py").write_text(TIGHT)
    load(str(file.with_name("colorsys.py")))
    found = find_spec("colorsys")
    assert found is not None
    assert found.origin != str(file.with_name("colorsys.py"))


def version(folder: Path, top: str, late: str, neighbour: str) -> type[Bot]:
    """A bot that imports so at the top and within a method; its neighbour holds the name of the folder."""
    (folder / neighbour).parent.mkdir(parents=True, exist_ok=True)
    (folder / neighbour).write_text(f"NAME = {folder.name!r}\n")
    method = f"    def name(self):\n        {late}\n        return NAME\n"
    (folder / "bot.py").write_text(f"from bourre.bot import Bot\n{top}\nclass Mine(Bot):\n{method}")
    return load(str(folder / "bot.py"))


def name_of(bot: type[Bot]) -> object:
    method = vars(bot)["name"]
    return method(bot())


@pytest.mark.parametrize(
    ("top", "neighbour"),
    [
        ("from my_version import NAME", "my_version.py"),
        ("from my_package import NAME", "my_package/__init__.py"),
        ("from my_folder.version import NAME", "my_folder/version.py"),
    ],
)
def test_bots_of_two_folders_each_have_their_own_neighbour(tmp_path: Path, top: str, neighbour: str) -> None:
    bots = [version(tmp_path / name, top, "pass", neighbour) for name in ("old", "new", "old")]
    assert [name_of(bot) for bot in bots] == ["old", "new", "old"]


def test_a_neighbour_that_two_folders_have_is_never_the_other_ones(tmp_path: Path) -> None:
    late = "from my_late import NAME"
    for bot in [version(tmp_path / name, "import my_late", late, "my_late.py") for name in ("old", "new")]:
        with pytest.raises(ModuleNotFoundError, match="import of my_late halted"):
            name_of(bot)


def test_a_folder_within_a_bots_folder_keeps_its_own_neighbours(tmp_path: Path) -> None:
    version(tmp_path, "", "pass", "unused.py")
    late = "from my_inner import NAME"
    bots = [version(tmp_path / "inner", "import my_inner", late, "my_inner.py") for _ in range(2)]
    assert [name_of(bot) for bot in bots] == ["inner", "inner"]


def test_a_neighbour_that_another_bot_does_not_import_stays(tmp_path: Path) -> None:
    late = "from my_own import NAME"
    old = version(tmp_path / "old", "import my_own", late, "my_own.py")
    version(tmp_path / "new", "", late, "my_own.py")
    assert name_of(old) == "old"


def test_two_bots_of_one_name_are_not_taken_for_each_other(tmp_path: Path) -> None:
    for bot in [version(tmp_path / name, "", "pass", "unused.py") for name in ("old", "new")]:
        assert pickle.loads(pickle.dumps(bot)) is bot


def test_two_bots_in_one_file_must_be_told_apart(file: Path) -> None:
    file.write_text(TIGHT + LOOSE)
    assert refusal(file) == f"{file} has 2 bots in it.\nhint: use {file}:Tight or {file}:Loose"
    assert load(f"{file}:Loose").__name__ == "Loose"
    assert refusal(f"{file}:Lose") == f"{file} has no bot 'Lose'.\nhint: use {file}:Tight or {file}:Loose"


def test_a_second_name_is_no_second_bot(file: Path) -> None:
    file.write_text(TIGHT + "Best = Tight\n")
    assert load(str(file)).__name__ == load(f"{file}:Tight").__name__ == "Tight"


def test_a_file_without_a_bot(file: Path) -> None:
    file.write_text("from bourre.bot import Bot\n")
    refused = f"{file} has no bot in it.\nhint: add a class that derives from bourre.Bot"
    assert refusal(file) == refusal(f"{file}:Mine") == refused


def test_a_file_that_is_not_there(file: Path) -> None:
    assert refusal(file) == f"No file {str(file)!r}.\nhint: pass the path of a bot's file"


def test_a_folder_is_told_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mybot").mkdir()
    assert refusal("mybot/") == "mybot is a folder.\nhint: pass the bot's file, such as mybot/bot.py"
    assert find("mybot", [tmp_path]) == "mybot"


def test_a_folder_does_not_hide_a_bot_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tight").mkdir()
    (tmp_path / "tight.py").write_text(TIGHT)
    assert find("tight", [tmp_path]) == str(tmp_path / "tight.py")


@pytest.mark.parametrize("word", ["bot.js", "mybot.txt", "bto.py"])
def test_a_word_that_ends_as_a_file_does_is_one(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal(find(word, [tmp_path])) == f"No file {word!r}.\nhint: pass the path of a bot's file"


def test_a_name_with_a_class_is_told_how_a_path_is_written(tmp_path: Path) -> None:
    with pytest.raises(BotFileError, match=r"such as \./tight\.py:Tight$"):
        find("tight:Tight", [tmp_path])


def test_no_name_is_no_bot(tmp_path: Path) -> None:
    with pytest.raises(BotFileError, match="A bot's name is empty"):
        find("", [tmp_path])


def test_tests_are_not_told_as_bots(tmp_path: Path) -> None:
    (tmp_path / "test_bot.py").write_text("")
    (tmp_path / "mine.py").write_text(TIGHT)
    with pytest.raises(BotFileError, match="Example bots: mine"):
        find("nobody", [tmp_path])


def test_a_file_that_is_no_python(tmp_path: Path) -> None:
    (tmp_path / "bot.txt").write_text(TIGHT)
    refused = f"{tmp_path}/bot.txt is not a Python file: its name does not end in .py.\nhint: use --command"
    assert refusal(tmp_path / "bot.txt") == refused


def test_a_file_that_breaks_names_its_line(file: Path) -> None:
    file.write_text(TIGHT + "\n1 / 0\n")
    assert refusal(file) == f"{file}, line 5: ZeroDivisionError: division by zero"
    file.write_text("class Mine\n")
    assert refusal(file) == f"{file}, line 1: SyntaxError: expected ':'"
    file.write_text("import bourre_nowhere\n")
    assert refusal(file).startswith(f"{file}, line 1: ModuleNotFoundError: No module named 'bourre_nowhere'. hint: ")


def test_a_file_of_this_folder_that_breaks_names_its_line(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    file.write_text("\n1 / 0\n")
    assert refusal("mine.py") == "mine.py, line 2: ZeroDivisionError: division by zero"
    file.write_text("\nclass Mine\n")
    assert refusal("mine.py") == "mine.py, line 2: SyntaxError: expected ':'"


def test_a_file_that_imports_one_that_cannot_be_read_names_that(file: Path) -> None:
    file.with_name("my_broken_neighbour.py").write_text("\n\nclass Mine\n")
    file.write_text("import my_broken_neighbour\n")
    assert refusal(file) == f"{file.parent}/my_broken_neighbour.py, line 3: SyntaxError: expected ':'"


def test_a_file_that_runs_its_bot_when_loaded_is_told_how_not_to(file: Path) -> None:
    file.write_text(TIGHT + "from bourre import run\nrun(Tight)\n")
    assert refusal(file) == (
        f'{file} ends the program when it is loaded.\nhint: run MyBot only under `if __name__ == "__main__":`'
    )


def test_a_name_is_looked_for_in_order(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    for folder, name in ((near, "tight.py"), (far, "tight.py"), (far, "random_bot.py")):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(TIGHT)
    assert find("tight", [near, far]) == str(near / "tight.py")
    assert find("random", [near, far]) == str(far / "random_bot.py")
    assert find("./tight.py", [near, far]) == "./tight.py"
    assert find("tight.py:Tight", [near, far]) == "tight.py:Tight"
    with pytest.raises(BotFileError) as caught:
        find("tigth", [near, far])
    assert str(caught.value) == (
        "Unknown bot 'tigth'. Did you mean 'tight'? Example bots: random, tight.\n"
        "hint: for a file, pass its path, such as ./tigth.py"
    )
    with pytest.raises(BotFileError, match="No example bots are here"):
        find("tight", [tmp_path])


def test_a_file_finds_its_own_files_when_it_is_loaded_and_made_wherever_one_is(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    file.with_name("weights.txt").write_text("7")
    made = "    def __init__(self):\n        self.made = open('weights.txt').close()\n"
    file.write_text(f"open('weights.txt').close()\n{TIGHT}".replace("    pass\n", made))
    monkeypatch.chdir(elsewhere)
    make_bot(load(str(file)))
    assert Path.cwd() == elsewhere
