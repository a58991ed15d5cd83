"""Pages with prose written by hand and generated sections between marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Sections = Mapping[str, Callable[[], str]]
"""The function that writes the section of each mark."""
_SECTION = re.compile(r"^<!-- made: ([^>]+) -->\n.*?^<!-- end of made -->$", re.DOTALL | re.MULTILINE)


class WrongMarks(Exception):
    """The page lacks a mark, or has one without a section."""


def regenerate(text: str, page: str, sections: Sections) -> str:
    """Returns the text of a page with every section between marks rewritten; raises WrongMarks."""
    marks = _SECTION.findall(text)
    if sorted(marks) != sorted(sections):
        raise WrongMarks(f"{page} needs the marks {sorted(sections)}, each once, and has {sorted(marks)}")
    return _SECTION.sub(lambda found: _section(found[1], sections), text)


def prose_of(text: str) -> str:
    """Returns the text of a page without its generated sections."""
    return _SECTION.sub("", text)


def _section(name: str, sections: Sections) -> str:
    return f"<!-- made: {name} -->\n\n{sections[name]()}\n\n<!-- end of made -->"
