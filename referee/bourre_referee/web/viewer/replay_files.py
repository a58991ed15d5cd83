"""The files that go with a replay."""

from pathlib import Path

HERE = Path(__file__).parent
STYLE = HERE / "viewer.css"
SCRIPT = HERE / "viewer.js"
COMMON_STYLE = HERE.parent / "static" / "style.css"
TEMPLATES = HERE / "templates"
