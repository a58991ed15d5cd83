"""The documentation site: the pages of docs/ unchanged, and an API reference of `bourre` from its docstrings.

Sphinx with furo and MyST reads the same Markdown that code hosts show, checks every link between pages, and makes the
reference from docstrings and a search without a server; its pages load nothing from other hosts. MkDocs needs a
plug-in for each of the last three; pdoc makes only references.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx

from docs.site.design import variables

project = "Bourré"
author = "Bourré contributors"
copyright = "Bourré contributors, MIT licence"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/site/*.rst"]
myst_heading_anchors = 4
default_role = "code"  # docstrings write `code` as Markdown does
autodoc_member_order = "bysource"
highlight_language = "none"  # a fence without a language is output
suppress_warnings = ["misc.highlighting_failure"]  # the architecture picture stays text

ROOT = Path(__file__).parents[2]
WEB = ROOT / "referee/bourre_referee/web/static"
BY_DAY, BY_NIGHT = variables((WEB / "style.css").read_text("utf-8"))
html_theme = "furo"
html_theme_options = {"light_css_variables": BY_DAY, "dark_css_variables": BY_NIGHT}
html_favicon = str(WEB / "icon.svg")
html_static_path = ["static"]
html_css_files = ["site.css"]
templates_path = ["templates"]
html_title = "Bourré"
html_copy_source = False

READERS = {
    "Start": ["docs/README", "docs/quick-start", "docs/play", "docs/rules"],
    "Write a bot": [
        "docs/write-a-bot",
        "docs/join",
        "docs/models",
        "docs/learn",
        "docs/protocol",
        "docs/site/reference",
    ],
    "Run a contest": [
        "docs/run-a-contest",
        "docs/teach",
        "docs/ladder",
        "docs/security",
        "docs/scale",
        "docs/reference",
    ],
    "Measure": ["docs/compare", "docs/statistics", "docs/data"],
    "Change it": ["CONTRIBUTING", "CHANGELOG", "SECURITY", "docs/architecture", "docs/speed"],
}
"""Every page, by reader; a page missing here is a build error."""

MOVED = {
    "agents": "models.html#let-an-agent-play",
    "containers": "security.html#containers",
    "crash-safety": "security.html#after-a-crash",
    "duplicate": "compare.html#the-same-deals-for-every-bot",
    "faq": "README.html",
    "isolation": "security.html",
    "records": "data.html#check-a-run",
    "research": "compare.html#a-study",
    "schedules": "run-a-contest.html#choose-who-meets-whom",
    "web": "run-a-contest.html#publish-it",
}
"""Where the contents of former pages stand now: old addresses lead there for a release."""

LEADS_ON = """\
<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Moved</title>
<meta http-equiv="refresh" content="0; url={target}"><a href="{target}">{target}</a>
"""
"""A page that leads to another one."""

DEMO = '<p><a href="demo/index.html">Look at the demo</a>: its standings, and every deal on a card table.</p>'
"""The link from the first page to the demo."""
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:]+)(?:#[^)]*)?\)")


def adapt(app: Sphinx, page: str, source: list[str]) -> None:
    """Turns links to files that are not on the site into text, and adds the table of contents to the first page."""
    folder = Path(app.env.doc2path(page)).parent

    def text_of(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        on_site = target.suffix == ".md" and target.parent in (ROOT, ROOT / "docs")
        return link[0] if on_site or not target.exists() else link[1]

    source[0] = LINK.sub(text_of, source[0])
    if page == root_doc:
        source[0] = with_demo(source[0], Path(app.outdir))
        for reader, pages in READERS.items():
            listed = "\n".join(f"/{each}" for each in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {reader}\n\n{listed}\n```\n"


def with_demo(first_page: str, site: Path) -> str:
    """Returns the first page with a link to the demo, if the site has one."""
    return first_page.replace("## Try it\n", f"## Try it\n\n{DEMO}\n", 1) if (site / "demo").is_dir() else first_page


def name_demo(app: Sphinx, page: str, template: str, context: dict[str, object], tree: object) -> None:
    """Tells the pages whether the site has a demo."""
    context["demo"] = Path(app.outdir, "demo").is_dir()


def add_files(app: Sphinx, error: Exception | None) -> None:
    """Copies the first page to index.html, and adds the pictures that pages show with HTML."""
    if error is None:
        pictures = Path("docs/pictures")
        shutil.copytree(
            ROOT / pictures, Path(app.outdir, pictures), ignore=shutil.ignore_patterns("*.py"), dirs_exist_ok=True
        )
        shutil.copyfile(Path(app.outdir, f"{root_doc}.html"), Path(app.outdir, "index.html"))
        for page, target in MOVED.items():
            Path(app.outdir, "docs", f"{page}.html").write_text(LEADS_ON.format(target=target), "utf-8")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", adapt)
    app.connect("html-page-context", name_demo)
    app.connect("build-finished", add_files)
