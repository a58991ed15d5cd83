"""The picture in Mermaid, which GitHub, GitLab, Gitea and most editors can draw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docs.architecture_page.imports import REFEREE, Arrows, reduce_arrows

# Dense and in large type, so that it can be read in a column as narrow as the text.
_HEAD = """\
%%{init: {"flowchart": {"nodeSpacing": 10, "rankSpacing": 40, "padding": 6}, "themeVariables": {"fontSize": "24px"}}}%%
flowchart TB
  classDef sdk fill:#d5e8d4,stroke:#4f7a4a,color:#111
  classDef referee fill:#dae8fc,stroke:#4a6590,color:#111"""


def draw_picture(arrows: Arrows) -> str:
    """Draws the boxes of all packages and their arrows, importers on top; raises CircularImport."""
    shown = reduce_arrows(arrows)
    boxes = [*shown][::-1]
    return "\n".join(["```mermaid", _HEAD, *map(_box, boxes), *_arrows(boxes, shown), "```"])


def _box(box: str) -> str:
    package, _, label = box.partition(".")
    return f'  {_id(box)}["{label}"]:::{"referee" if package == REFEREE else "sdk"}'


def _arrows(boxes: Sequence[str], arrows: Arrows) -> Iterator[str]:
    return (f"  {_id(box)} --> {_id(other)}" for box in boxes for other in boxes if other in arrows[box])


def _id(box: str) -> str:
    return re.sub(r"\W+", "_", box)
