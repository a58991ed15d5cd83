"""The Atom feed of one bot: the notices that its owner gets."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import NAMESPACE_OID, uuid5
from xml.etree.ElementTree import Element, SubElement, tostring

from bourre_referee.ladder.log.entrant import bot_name
from bourre_referee.ladder.notices.owner_notices import OwnerNotice
from bourre_referee.text.names import printable

MOST = 50
"""The most entries."""


def bot_feed(ladder: str, began: str, bot: str, notices: Sequence[OwnerNotice]) -> str:
    """Returns the feed of a bot, newest first. `began` is the time when the ladder was made."""
    found = [notice for notice in reversed(notices) if bot_name(notice.bot) == bot][:MOST]
    known_by = uuid5(NAMESPACE_OID, f"notices about {bot} on the ladder {ladder} of {began}")
    feed = Element("feed", xmlns="http://www.w3.org/2005/Atom")
    title = f"{bot} on {ladder}"
    updated = f"{found[0].at:%Y-%m-%dT%H:%M:%SZ}" if found else began
    for tag, text in (("title", title), ("id", known_by.urn), ("updated", updated)):
        SubElement(feed, tag).text = printable(text)
    SubElement(feed, "link", rel="self", type="application/atom+xml", href=f"/bots/{bot}/feed.atom")
    SubElement(SubElement(feed, "author"), "name").text = printable(ladder)
    for notice in found:
        entry, at = SubElement(feed, "entry"), f"{notice.at:%Y-%m-%dT%H:%M:%SZ}"
        for tag, text in (("title", notice.text), ("id", uuid5(known_by, f"{notice.number}").urn), ("updated", at)):
            SubElement(entry, tag).text = printable(text)
        SubElement(entry, "link", rel="alternate", type="text/html", href=f"/bots/{bot}")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(feed, encoding="unicode")}\n'
