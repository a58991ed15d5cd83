"""docs/architecture.md: its picture is up to date, every file that it names exists, and its recipes name all."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import dev
from docs.architecture_page.imports import CircularImport, box_imports, reduce_arrows
from docs.architecture_page.page import PAGE, refresh

TEXT = PAGE.read_text("utf-8")
PROSE = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
FILE = re.compile(r"[\w./-]+\.(?:py|md|proto|toml|json|lock)|[\w.-]+(?:/[\w.-]+)*/")
"""Whether a word names a file, or a folder (which ends with a slash)."""
SOURCES = (".py", ".proto", ".js", ".toml")


def named() -> Iterator[tuple[str, str]]:
    """Every file and folder that the page names, each with the item that contains it."""
    for item in re.split(r"\n(?=\d\. |\n)", PROSE):
        yield from ((name, item) for name in re.findall(r"`([^`\n]+)`", item) if FILE.fullmatch(name))


def folders_in(item: str) -> set[str]:
    """Where a bare `name.py` of this item may be: the folders that it names, and those of files that it names."""
    paths = re.findall(r"`([^`\n]+/[^`\n]*)`", item)
    return {path.rpartition("/")[0] for path in paths}


def test_the_picture_is_as_it_would_be_drawn_now() -> None:
    assert refresh(TEXT) == TEXT, "fix: python3 dev.py generate"


def test_the_page_names_files() -> None:
    assert len({name for name, _ in named()}) > 60


def test_every_named_file_is_there() -> None:
    names = sorted({name for name, _ in named() if "/" in name})
    paths = [(name, dev.ROOT / name) for name in names]
    assert [name for name, path in paths if not (path.is_dir() if name.endswith("/") else path.is_file())] == []


def test_every_file_without_a_folder_is_in_one_named_beside_it() -> None:
    places = [(name, {"", *folders_in(item)}) for name, item in named() if "/" not in name]
    assert [name for name, beside in places if not any((dev.ROOT / one / name).is_file() for one in beside)] == []


def test_every_name_said_to_be_in_a_file_is_there() -> None:
    said = re.findall(r"`(\w+)`,? in\s+`([\w./-]+/[\w-]+\.py)`", PROSE)
    assert len(said) > 5
    assert [
        (name, file) for name, file in said if not re.search(rf"\b{name}\b", (dev.ROOT / file).read_text("utf-8"))
    ] == []


RECIPE = re.compile(
    r"^\*\*(?P<title>[^*\n]+)\*\*: `git grep -l(?P<word>w?)E '(?P<words>[^']+)' (?P<folders>[^`]+)`", re.MULTILINE
)


@pytest.mark.parametrize("recipe", [*RECIPE.finditer(PROSE)], ids=lambda found: found["title"])
def test_a_recipe_names_every_file_that_its_search_finds(recipe: re.Match[str]) -> None:
    steps = PROSE[recipe.end() :].partition("\n**")[0]
    assert [file for file in files_found(recipe) if not is_named(file, steps)] == []


def test_every_recipe_is_searched_for() -> None:
    assert len(RECIPE.findall(PROSE)) == PROSE.partition("recipes\n")[2].count("\n**") == 5


def files_found(recipe: re.Match[str]) -> list[str]:
    """Returns what the search of a recipe finds, generated files aside; raises AssertionError for an idle search."""
    words = re.compile(rf"\b(?:{recipe['words']})\b" if recipe["word"] else recipe["words"])
    texts = [path for folder in recipe["folders"].split() for path in (dev.ROOT / folder).rglob("*.*")]
    sources = [path for path in texts if path.suffix in SOURCES and path.parent != dev.ROOT / "sdk/bourre/v1"]
    found = [path.relative_to(dev.ROOT).as_posix() for path in sources if words.search(path.read_text("utf-8"))]
    assert found
    return found


def is_named(file: str, steps: str) -> bool:
    """Whether steps name the file: by its path, beside its folder, or as `below` a folder of its path."""
    folder, _, name = file.rpartition("/")
    items = re.split(r"\n(?=\d\. )", steps)
    beside = any(f"`{name}`" in item and folder in folders_in(item) for item in items)
    return f"`{file}`" in steps or beside or any(map(file.startswith, re.findall(r"below `([^`]+/)`", steps)))


def test_there_is_no_circle() -> None:
    assert {"bourre.rules", "bourre_seats.seat", "bourre_referee.cli"} <= set(reduce_arrows(box_imports()))


def test_a_circle_is_told() -> None:
    with pytest.raises(CircularImport, match="imports"):
        reduce_arrows({"a": {"b"}, "b": {"c"}, "c": {"a"}})


def test_an_arrow_is_left_out_where_another_way_leads_there() -> None:
    arrows = {"cli": {"contest", "rules"}, "contest": {"rules"}, "rules": set[str]()}
    assert reduce_arrows(arrows) == {"cli": {"contest"}, "contest": {"rules"}, "rules": set()}
