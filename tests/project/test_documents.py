"""Links between documents lead somewhere, the pictures and files that they name exist, and every page is linked."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.version import Version

import dev
from docs.made import prose_of
from tests.documents import blocks_of, commands_of

DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "research/**/*.md", "examples/**/*.md", "docker/**/*.md")
    for path in dev.ROOT.glob(pattern)
    if "node_modules" not in path.parts
)
OF_TODAY = [document for document in DOCUMENTS if document.name != "CHANGELOG.md"]
"""The documents that describe the project as it is."""
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:)([^()\s]+)\)")
PICTURE = re.compile(r'\b(?:src|srcset)="(?!https?:)([^"\s]+)"')
FOLDERS = "benchmarks|docker|docs|examples|proto|referee|research|sdk|tests"
FILE = re.compile(
    rf"`[^`\n]*?(?<![\w./-])((?:{FOLDERS})/[\w./-]*\w\.(?:md|proto|py|sh|svg|toml|yaml|Dockerfile))\b[^`\n]*`"
)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """What `#...` may name in a document: its headings, as code hosts spell them."""
    headings = HEADING.findall(re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def page(link: str, document: Path) -> Path:
    """The page that a relative link opens; for a folder, its README."""
    path, _, _ = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    return target / "README.md" if target.is_dir() else target


def leads_somewhere(link: str, document: Path) -> bool:
    """Whether a relative link finds its file, and in it its heading."""
    path, _, anchor = link.partition("#")
    there = not path or (document.parent / path).exists()
    return there and (not anchor or anchor in anchors(page(link, document)))


def links_of(document: Path) -> list[str]:
    """The targets of its links and pictures."""
    text = CODE.sub("", document.read_text("utf-8"))
    return [*LINK.findall(text), *PICTURE.findall(text)]


def test_links_lead_somewhere() -> None:
    links = [(document, link) for document in DOCUMENTS for link in links_of(document)]
    assert [f"{document}: {link}" for document, link in links if not leads_somewhere(link, document)] == []


def test_the_files_that_are_named_are_there() -> None:
    named = [(document.name, path) for document in OF_TODAY for path in FILE.findall(document.read_text("utf-8"))]
    assert [f"{name}: {path}" for name, path in named if not (dev.ROOT / path).exists()] == []


def test_every_page_is_reached_from_the_readme() -> None:
    reached, ahead = set(), [dev.ROOT / "README.md"]
    while ahead:
        document = ahead.pop()
        if document not in reached and document in DOCUMENTS:
            reached.add(document)
            ahead += [page(link, document) for link in links_of(document)]
    assert [path.relative_to(dev.ROOT).as_posix() for path in DOCUMENTS if path not in reached] == []


def test_a_page_with_commands_first_says_how_to_set_up() -> None:
    """`bourre` is not on the path of a newcomer."""
    pages = [page for page in (dev.ROOT / "docs").glob("*.md") if page.name != "quick-start.md"]
    assert [page.name for page in pages if not says_how_to_set_up(page)] == []


def says_how_to_set_up(page: Path) -> bool:
    """Returns whether a page links to it before the first `bourre` in a block, if it has one."""
    blocks = (block for block in blocks_of(page) if any(each.text.startswith("bourre ") for each in commands_of(block)))
    first = next(blocks, None)
    before = page.read_text("utf-8").splitlines()[: first.line if first else 0]
    return first is None or "(quick-start.md#set-up)" in "\n".join(before)


def test_documents_are_found() -> None:
    assert {path.name for path in DOCUMENTS} >= {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}


def test_the_citation_is_of_the_latest_release_and_a_version_under_way_is_a_later_one() -> None:
    told = dict(re.findall(r"^([\w-]+): (.+)$", (dev.ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    project = tomllib.loads((dev.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    sections = re.findall(r"^## (.+)$", (dev.ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    unreleased = project["version"].endswith(".dev0")
    assert (told["cff-version"], told["license"]) == ("1.2.0", project["license"])
    assert sections[: unreleased + 1] == ["Unreleased"] * unreleased + [f"{told['version']} - {told['date-released']}"]
    assert (Version(told["version"]) < Version(project["version"])) is unreleased


def test_the_documents_are_short_enough_to_be_read() -> None:
    """The rules, the protocol and what is made from benchmarks are looked up, not read, so they do not count."""
    pages = [dev.ROOT / "CONTRIBUTING.md", *(dev.ROOT / "docs").glob("*.md")]
    words = {path.name: len(prose_of(path.read_text("utf-8")).split()) for path in pages}
    assert sum(words.pop(name) for name in ("CONTRIBUTING.md", "architecture.md", "speed.md")) <= 2_000
    research = [path.read_text("utf-8") for path in (dev.ROOT / "research").glob("*.md")]
    assert sum(len(prose_of(text).split()) for text in research) <= 14_400
    assert sum(words.values()) - words.pop("rules.md") - words.pop("protocol.md") <= 25_500
    assert {name for name, count in words.items() if count > 2_200} == {"data.md", "reference.md"}


def test_every_row_of_a_table_has_the_cells_of_its_heading() -> None:
    """A line that was wrapped or joined to the next breaks a table, which only a reader of the page would see."""
    broken = [f"{path.name}:{line}" for path in DOCUMENTS for line in broken_rows(path.read_text("utf-8"))]
    assert broken == []


def test_every_column_of_a_table_has_a_name() -> None:
    """A screen reader names each cell by the head of its column."""
    heads = re.compile(r"^\|(.*)\|\n\|[-:| ]+\|$", re.MULTILINE)
    tables = [(path.name, head) for path in DOCUMENTS for head in heads.findall(path.read_text("utf-8"))]
    assert len(tables) > 20
    assert [found for found in tables if not all(cell.strip() for cell in found[1].split("|"))] == []


def test_a_row_that_was_wrapped_is_found() -> None:
    assert list(broken_rows("| a | b |\n|---|---|\n| 1 | 2 |\n\n| a |\n|---|\n| `|` |")) == []
    assert list(broken_rows("| a | b |\n|---|---|\n| 1 | two\nwords | | 3 | 4 |")) == [3, 4]


def broken_rows(text: str) -> Iterator[int]:
    """Yields the number of each line that does not fit the table it stands in."""
    width = 0
    for number, line in enumerate(FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text).splitlines(), 1):
        cells = line.count("|") - sum(code.count("|") for code in re.findall(r"`[^`]*`|\\\|", line))
        if width and line and (cells != width or not line.startswith("|")):
            yield number
        width = (width or cells) if line.startswith("|") or (width and line) else 0
