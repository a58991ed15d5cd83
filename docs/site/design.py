"""The colours and letters of the web pages, for the documentation site: read from their style sheet, in one place."""

from __future__ import annotations

import re

TOKEN = re.compile(r"--([\w-]+): ([^;]+);")
ROOTS = re.compile(r":root \{(.*?)\}", re.DOTALL)
"""By day, then by night, which only says what differs."""

FURO = {
    "font-stack": "var(--sans)",
    "font-stack--headings": "var(--serif)",
    "font-stack--monospace": "var(--mono)",
    "color-foreground-primary": "var(--ink)",
    "color-foreground-secondary": "var(--muted)",
    "color-foreground-muted": "var(--muted)",
    "color-foreground-border": "var(--muted)",
    "color-background-primary": "var(--paper)",
    "color-background-secondary": "var(--paper)",
    "color-background-hover": "var(--goldbg)",
    "color-background-border": "var(--line)",
    "color-background-item": "var(--card)",
    "color-brand-primary": "var(--accent)",
    "color-brand-content": "var(--accent)",
    "color-brand-visited": "var(--accent)",
    "color-code-background": "var(--card)",
    "color-inline-code-background": "var(--card)",
    "color-table-header-background": "var(--card)",
    "color-highlight-on-target": "var(--goldbg)",
    "color-sidebar-caption-text": "var(--goldink)",
    "color-sidebar-item-background--hover": "var(--goldbg)",
    "color-toc-title-text": "var(--goldink)",
    "color-header-background": "var(--felt)",
    "color-header-border": "var(--felt)",
    "color-header-text": "var(--onfelt)",
    "color-api-background": "var(--card)",
    "color-api-background-hover": "var(--goldbg)",
    "color-api-name": "var(--accent)",
    "color-api-pre-name": "var(--accent)",
    "color-api-keyword": "var(--muted)",
}
"""What the theme calls what the pages call otherwise."""


def variables(style_sheet: str) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the theme's variables by day and by night."""
    day, night = (dict(TOKEN.findall(root)) for root in ROOTS.findall(style_sheet))
    return day | FURO, night | FURO
