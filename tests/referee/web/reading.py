"""Parse pages: check that elements nest, and collect links, anchors and the cells of tables."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}
"""Elements of HTML without an end tag."""

SHAPES = {"path", "circle", "rect", "use", "line"}
"""Elements of SVG that may be self-closing."""


class PageRead(HTMLParser):
    """A parsed page; raises AssertionError if its elements do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        """The tags of all elements, in order."""
        self.links: list[str] = []
        """The values of all `href` and `src` attributes."""
        self.anchors: list[str] = []
        self.attributes: list[str] = []
        """The names of all attributes."""
        self.rows: list[list[str]] = []
        """The texts of the cells of each row of a table."""
        self.words = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Handles the start of an element."""
        self._begin(tag, attrs)
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Handles a self-closing element."""
        assert tag in SHAPES, tag
        self._begin(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Handles the end of the innermost element."""
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Collects text, except scripts and styles."""
        if self._open and self._open[-1] in ("script", "style"):
            return
        self.words += data
        if {"td", "th"} & {*self._open}:
            self.rows[-1][-1] += data.strip("\n")

    def _begin(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        assert len(known) == len(attrs), attrs
        self.elements.append(tag)
        self.attributes += known
        self.links += [known[name] or "" for name in ("href", "src") if name in known]
        self.anchors += [known["id"] or ""] if "id" in known else []
