"""The viewer of a match in one file that asks nobody for anything."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from markupsafe import Markup

from bourre.record import Record
from bourre_referee.text.names import printable
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.viewer.replay_html import COMMON_STYLE, SCRIPT, STYLE, environment, shown, viewer


def standalone(record: Record, deal: int | None = None) -> str:
    """The match as one HTML file, with all its deals or only this one."""
    played = [shown(one, alone=False) for one in deals_of(record) if deal in (None, one.number)]
    style = "".join(path.read_text(encoding="utf-8") for path in (COMMON_STYLE, STYLE))
    script = SCRIPT.read_text(encoding="utf-8")
    return (
        environment()
        .get_template("standalone.html")
        .render(
            match=record.header.match,
            bots=[printable(bot) for bot in record.header.bots],
            policy=_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            viewer=viewer(played, len(record.header.bots)),
        )
    )


def _policy(style: str, script: str) -> str:
    """What a browser may do on this page: this style, this script, nothing else."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
