"""Pages with prose written by hand and generated sections between marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Sections = Mapping[str, Callable[[], str]]
"""The function that writes the section of each mark."""
SECTION = re.compile(r"^<!-- made: ([^>]+) -->\n.*?^<!-- end of made -->$", re.DOTALL | re.MULTILINE)
"""A generated section; its group is the mark's name."""


class WrongMarks(Exception):
    """The page lacks a mark, or has one without a section."""


def regenerate(text: str, page: str, sections: Sections) -> str:
    """Returns the text of a page with every section between marks rewritten; raises WrongMarks."""
    marks = SECTION.findall(text)
    if sorted(marks) != sorted(sections):
        raise WrongMarks(f"{page} needs the marks {sorted(sections)}, each once, and has {sorted(marks)}")
    return SECTION.sub(lambda found: section(found[1], sections[found[1]]()), text)


def prose_of(text: str) -> str:
    """Returns the text of a page without its generated sections."""
    return SECTION.sub("", text)


def section(name: str, text: str) -> str:
    """Returns a section with its marks."""
    return f"<!-- made: {name} -->\n\n{text}\n\n<!-- end of made -->"
