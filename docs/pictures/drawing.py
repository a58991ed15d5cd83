"""A small drawing in SVG: lines, dots, curves and words, in colours that are readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from bourre_referee.web.data.charts import round_numbers

Tone = Literal["ink", "faint", "blue", "orange"]
Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]

STYLE = """\
text{font:14px system-ui,sans-serif;fill:#1f2328}.faint{stroke:#9aa1a9}text.faint{stroke:none;fill:#59636e}
.ink{stroke:#1f2328}.blue{stroke:#0072b2}.orange{stroke:#b34700}circle.blue{fill:#0072b2}circle.orange{fill:#b34700}
text.ink,text.blue,text.orange{stroke:none}text.blue{fill:#0072b2}text.orange{fill:#b34700}
@media(prefers-color-scheme:dark){text,text.ink{fill:#e6edf3}.ink{stroke:#e6edf3}text.faint{fill:#9aa4af}
.faint{stroke:#6b7480}.blue{stroke:#58b4f0}.orange{stroke:#ff9e57}circle.blue,text.blue{fill:#58b4f0}
circle.orange,text.orange{fill:#ff9e57}}"""
"""Okabe and Ito's blue and vermilion, darker on white and lighter on black."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing of this size in pixels, whose parts lie over each other in the order in which they were added."""

    width: int
    height: int
    title: str
    """What readers hear who do not see it."""
    parts: list[str] = field(default_factory=list)

    def line(self, points: Sequence[Point], tone: Tone, width: float = 1.0, dashed: bool = False) -> None:
        """Adds straight lines from point to point."""
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="4 4"' if dashed else ""
        self.parts.append(f'<path class="{tone}" d="{path}" fill="none" stroke-width="{width}"{dashes}/>')

    def dot(self, at: Point, tone: Tone) -> None:
        """Adds a round mark."""
        self.parts.append(f'<circle class="{tone}" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4"/>')

    def text(self, at: Point, words: str, tone: Tone = "ink", anchor: Anchor = "start") -> None:
        """Adds words whose middle is at this height."""
        place = f'x="{at[0]:.1f}" y="{at[1] + 4.5:.1f}" text-anchor="{anchor}"'
        self.parts.append(f'<text class="{tone}" {place}>{escape(words)}</text>')

    def svg(self) -> str:
        """Returns the file."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
        return "\n".join(
            (head, f"<title>{escape(self.title)}</title>", f"<style>{STYLE}</style>", *self.parts, "</svg>\n")
        )


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis between two places of a drawing."""

    ticks: Sequence[float]
    first: float
    last: float

    @classmethod
    def over(cls, values: Sequence[float], first: float, last: float) -> Axis:
        """Returns an axis with room for all of these values, between round numbers."""
        return cls(round_numbers(min(values), max(values)), first, last)

    def place(self, value: float) -> float:
        """Returns the place of a value."""
        share = (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return self.first + (self.last - self.first) * share

    def draw(self, drawing: Drawing, top: float, bottom: float, unit: str) -> None:
        """Draws it below the drawing: a faint line and a number for each tick, and the unit at the end."""
        for tick in self.ticks:
            x = self.place(tick)
            drawing.line([(x, top), (x, bottom)], "faint", 0.4 if tick else 1.0)
            drawing.text(
                (x, bottom + 12), f"{tick:+g}" if self.ticks[0] < 0 and tick else f"{tick:g}", "faint", "middle"
            )
        drawing.text((self.last, bottom + 30), unit, "faint", "end")
