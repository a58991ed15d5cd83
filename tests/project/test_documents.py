"""Links between the documents lead somewhere."""

import re
from pathlib import Path

import pytest

import dev

DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md")
    for path in dev.ROOT.glob(pattern)
    if "node_modules" not in path.parts
)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:)([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """What `#...` may name in a document: its headings, as code hosts spell them."""
    headings = HEADING.findall(re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_somewhere(link: str, document: Path) -> bool:
    """Whether a relative link finds its file, and in it its heading."""
    path, _, anchor = link.partition("#")
    target = document.parent / path if path else document
    return target.exists() and (not anchor or anchor in anchors(target))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(dev.ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    links = LINK.findall(CODE.sub("", document.read_text("utf-8")))
    assert [link for link in links if not leads_somewhere(link, document)] == []


def test_documents_are_found() -> None:
    assert {path.name for path in DOCUMENTS} >= {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
