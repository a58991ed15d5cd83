"""The Atom feed of a ladder (RFC 4287): new versions, closed epochs, seasons, and who was benched.

It names no host, because one text is sent to all, and a visitor chooses by which name to call the server.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from uuid import NAMESPACE_OID, uuid5
from xml.etree.ElementTree import Element, SubElement, tostring

from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotJoined,
    EpochAbandoned,
    EpochClosed,
    MatchVoided,
    SeasonOpened,
)
from bourre_referee.text.names import printable
from bourre_referee.web.ladder.ladder_reader import LadderNow

MOST_ENTRIES = 50
NAMESPACE = "http://www.w3.org/2005/Atom"


def atom_feed(now: LadderNow, ladder: str) -> str:
    """Returns the feed, newest first; its links are relative to its address."""
    entries = list(islice(_entries(now), MOST_ENTRIES))
    began = now.history.acts[0].at
    known_by = uuid5(NAMESPACE_OID, f"ladder {ladder} of {began}")
    feed = Element("feed", xmlns=NAMESPACE)
    _text(feed, "title", ladder)
    _text(feed, "id", known_by.urn)
    _text(feed, "updated", entries[0][1].at if entries else began)
    SubElement(feed, "link", rel="self", type="application/atom+xml", href="/feed.atom")
    SubElement(feed, "link", rel="alternate", type="text/html", href="/")
    SubElement(SubElement(feed, "author"), "name").text = printable(ladder)
    for number, logged, title, path in entries:
        entry = SubElement(feed, "entry")
        _text(entry, "title", title)
        _text(entry, "id", uuid5(known_by, f"{number}").urn)
        _text(entry, "updated", logged.at)
        SubElement(entry, "link", rel="alternate", type="text/html", href=path)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(feed, encoding="unicode")}\n'


def _entries(now: LadderNow) -> Iterator[tuple[int, Logged, str, str]]:
    """Yields the number, the act, its title and the path of its page."""
    acts = now.history.acts
    for number in range(len(acts), 0, -1):
        if told := _tell(acts[number - 1]):
            yield number, acts[number - 1], *told


def _tell(logged: Logged) -> tuple[str, str] | None:
    match logged.event:
        case BotJoined(staff=False) as joined:
            return f"{joined.bot} joined in version {joined.number}, {joined.version}", f"/bots/{joined.bot}"
        case BotBenched(bot=bot, reason=reason):
            return f"{bot} was benched: {reason}", f"/bots/{bot}"
        case EpochAbandoned(epoch=epoch):
            return f"Epoch {epoch} was abandoned: the host restored a backup", f"/epochs/{epoch}/"
        case EpochClosed(epoch=epoch):
            return f"Epoch {epoch} closed, and its seed is revealed", f"/epochs/{epoch}/"
        case SeasonOpened(season=season):
            return f"Season {season} opened", "/"
        case MatchVoided(room=room, reason=reason):
            return f"The match of room {room} was taken back: {reason}", "/log"
    return None


def _text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = printable(text)
