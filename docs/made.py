"""Pages that are partly made: prose by hand, and between marks what a script makes anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Sections = Mapping[str, Callable[[], str]]
"""What makes the text of each mark."""
_SECTION = re.compile(r"^<!-- made: ([^>]+) -->\n.*?^<!-- end of made -->$", re.DOTALL | re.MULTILINE)


class WrongMarks(Exception):
    """The page lacks a mark, or has one that nothing is made for."""


def remade(text: str, page: str, sections: Sections) -> str:
    """The text of this page with everything between marks made anew; raises WrongMarks."""
    marks = _SECTION.findall(text)
    if sorted(marks) != sorted(sections):
        raise WrongMarks(f"{page} needs the marks {sorted(sections)}, each once, and has {sorted(marks)}")
    return _SECTION.sub(lambda found: _section(found[1], sections), text)


def _section(name: str, sections: Sections) -> str:
    return f"<!-- made: {name} -->\n\n{sections[name]()}\n\n<!-- end of made -->"
