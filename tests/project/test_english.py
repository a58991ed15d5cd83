"""The pages are in plain English, as far as a check can see: short sentences of words that everybody knows.

A page may have one semicolon. Generated sections, blocks, tables, headings and code are not looked at.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dev
from docs.made import prose_of

PAGES = [
    *(dev.ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docker/gradescope/README.md")),
    *sorted((dev.ROOT / "docs").glob("*.md")),
    *sorted((dev.ROOT / "research").glob("*.md")),
]
BOOKISH = re.compile(
    r"(?i:\b(?:likewise|anew|meanwhile|beforehand|thereby|whoever|besides|nor|by itself|but for|so many)\b)"
    r"|(?i:\b(?:that|those) of\b)|\bWho [a-z]+s\b"
)
"""Words of books, and "Who pays wins" for "A seat that pays wins"."""
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
AFTER_FENCE = re.compile(r"^```\n\n?[a-z]+ [a-z]", re.MULTILINE)
NOT_PROSE = re.compile(r"[|#<!]|    ")
ITEM = re.compile(r"\n(?= *(?:-|\d+\.) )")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
CODE = re.compile(r"`[^`]*`")
SOURCE = re.compile(r"\(R\d\.\d+;\s[^()]+\)")
"""The rule of a statement and where it comes from."""
WORDS_PER_SENTENCE = 35
OTHERS = {"README.md", "architecture.md", "protocol.md", "rules.md", "speed.md"}
FOR_USERS = [page for page in sorted((dev.ROOT / "docs").glob("*.md")) if page.name not in OTHERS]
OF_OUR_OWN = ("digest", "epoch", "room", "void")
"""Words of the glossary that nobody knows from elsewhere."""


def paragraphs(text: str) -> list[str]:
    """Returns its paragraphs and items of lists, with each link as its text and each piece of code as one word."""
    plain = CODE.sub("code", LINK.sub(r"\1", SOURCE.sub("", FENCE.sub("\n\n", prose_of(text)))))
    blocks = re.split(r"\n\s*\n", "\n".join("" if NOT_PROSE.match(line) else line for line in plain.splitlines()))
    return [" ".join(item.split()) for block in blocks for item in ITEM.split(block) if item.strip()]


def findings(text: str) -> Iterator[str]:
    """Yields each place that is hard to read."""
    prose = paragraphs(text)
    for paragraph in prose:
        yield from (f"bookish: {found[0]}" for found in BOOKISH.finditer(paragraph))
        sentences = re.split(r"(?<=[.!?:])\s+", paragraph)
        yield from (f"long: {each}" for each in sentences if len(each.split()) > WORDS_PER_SENTENCE)
    if sum(paragraph.count(";") for paragraph in prose) > 1:
        yield from (f"semicolon: {paragraph}" for paragraph in prose if ";" in paragraph)
    yield from (f"no sentence after a block: {found[0]}" for found in AFTER_FENCE.finditer(FENCE.sub("```", text)))


def unexplained(text: str) -> Iterator[str]:
    """Yields each word of our own that a page first uses without a link or its definition in italics."""
    lines = CODE.sub("code", FENCE.sub("", prose_of(text))).splitlines()
    prose = "\n".join(line for line in lines if not NOT_PROSE.match(line))
    for word in OF_OUR_OWN:
        first = re.search(rf"[\[*]?\b{word}(?:e?s)?\b", prose)
        if first and first[0][0] not in "[*":
            yield word


def newest_part(changelog: str) -> str:
    """Returns the part of the newest version."""
    return "\n## ".join(changelog.split("\n## ")[:2])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(dev.ROOT).as_posix())
def test_a_page_is_in_plain_english(page: Path) -> None:
    assert list(findings(page.read_text("utf-8"))) == []


@pytest.mark.parametrize("page", FOR_USERS, ids=lambda page: page.name)
def test_a_page_for_users_explains_its_words(page: Path) -> None:
    assert list(unexplained(page.read_text("utf-8"))) == []


def test_a_word_that_is_not_explained_is_found() -> None:
    text = "An *epoch*. Two epochs. The `void` room, see [epochs](a.md), a digest."
    assert list(unexplained(text)) == ["digest", "room"]


def test_the_newest_changes_are_in_plain_english() -> None:
    assert list(findings(newest_part((dev.ROOT / "CHANGELOG.md").read_text("utf-8")))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The house plays anew.", "bookish: anew"),
        ("Who pays\nwins.", "bookish: Who pays"),
        ("- One; two; three.\n- Four.", "semicolon: - One; two; three."),
        ("```\nbourre void\n```\n\ndiscards a match.", "no sentence after a block: ```\n\ndiscards a"),
        (f"{'word ' * 36}.", f"long: {'word ' * 36}."),
    ],
)
def test_a_place_that_is_hard_to_read_is_found(text: str, found: str) -> None:
    assert list(findings(text)) == [found]


def test_code_tables_and_short_sentences_pass() -> None:
    text = "`nor; anew` is code. [A seat](a;b.md).\n\n| so many; | those of |\n\n```\nlikewise\n```\n\nRun it."
    assert list(findings(text)) == []
