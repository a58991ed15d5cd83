"""The address of each page, defined only here. No address contains a bot's name, because names are hostile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode


class Only(StrEnum):
    """The event that a match must contain to be in a list."""

    RENEGES = "reneges"
    FAULTS = "faults"
    VOIDS = "voids"


@dataclass(frozen=True, slots=True)
class MatchChoice:
    """The matches of a list, and the number of its page."""

    bot: int | None = None
    """The number of a bot that must have played in them, from 1."""
    only: Only | None = None
    page: int = 1


ALL = MatchChoice()
"""The first page of the list of all matches."""


@dataclass(frozen=True, slots=True)
class ServerLinks:
    """Addresses on a server, `bourre view`."""

    prefix: str = ""
    """The part before the addresses: that of an epoch among the pages of its ladder, mostly empty."""
    live: bool = True
    """Whether a server answers. It combines all filters of a list, and reports new matches."""
    public: str = ""
    """The address of the first page on the internet, without a slash at its end. Empty if it is unknown."""

    def home(self) -> str:
        """Returns the address of the standings."""
        return f"{self.prefix}/"

    def cross(self) -> str:
        """Returns the address of the cross-table."""
        return f"{self.prefix}/cross"

    def conduct(self) -> str:
        """Returns the address of the page on conduct."""
        return f"{self.prefix}/conduct"

    def models(self) -> str:
        """Returns the address of the board of models."""
        return f"{self.prefix}/models"

    def matches(self, choice: MatchChoice = ALL) -> str:
        """Returns the address of a list of matches. Its query holds the filters."""
        parameters = {"bot": choice.bot, "with": choice.only, "page": choice.page if choice.page > 1 else None}
        query = urlencode({key: value for key, value in parameters.items() if value is not None})
        return f"{self.prefix}/matches{query and f'?{query}'}"

    def match(self, match: str) -> str:
        """Returns the address of the match with this id."""
        return f"{self.prefix}/matches/{match}"

    def bot(self, number: int) -> str:
        """Returns the address of the bot with this number, from 1."""
        return f"{self.prefix}/bots/{number}"

    def deal(self, match: str, deal: int, seating: int | None) -> str:
        """Returns the address of a deal, in `duplicate` of one seating of it."""
        return f"{self.prefix}/matches/{match}/deals/{_deal_id(deal, seating)}"

    def moment(self, match: str, deal: int, seating: int | None, step: int, secret: bool) -> str:
        """Returns the address of one step of a deal. While cards are `secret`, the step is as an onlooker saw it."""
        page = self.onlooker if secret else self.deal
        return f"{page(match, deal, seating)}#step-{step}"

    def onlooker(self, match: str, deal: int, seating: int | None) -> str:
        """Returns the address of a deal as an onlooker saw it."""
        return f"{self.deal(match, deal, seating)}/onlooker"

    def versus(self, one: int | None = None, other: int | None = None) -> str:
        """Returns the address of the page on two bots, by their numbers, or of the choice without them."""
        return f"{self.prefix}/versus" + ("" if one is None or other is None else f"?one={one}&other={other}")

    def wall(self) -> str:
        """Returns the address of the page to project on a wall."""
        return f"{self.prefix}/wall"

    def figures(self) -> str:
        """Returns the address of the page with all figures."""
        return f"{self.prefix}/figures"

    def replay(self, match: str) -> str:
        """Returns the address of a whole match in one file."""
        return f"{self.prefix}/matches/{match}/replay.html"

    def picture(self, match: str = "", deal: str = "") -> str:
        """Returns the whole address of the picture for links to the contest, a match, or a deal of it by its id."""
        page = (f"/matches/{match}" if match else "") + (f"/deals/{deal}" if deal else "")
        return f"{self.public}{page}/share.png"

    def static(self, name: str) -> str:
        """Returns the address of a static file."""
        return f"{self.prefix}/static/{name}"


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """The same addresses in a folder of files, relative, so that they are valid on any host and from a disk."""

    depth: int = 0
    """The depth of the linking page in folders."""
    live: bool = False
    prefix: str = ""
    public: str = ""
    """As of `ServerLinks`."""
    pictured: bool = False
    """Whether each match has a picture of its own."""

    def home(self) -> str:
        """Returns the address of the standings."""
        return self._page("index")

    def cross(self) -> str:
        """Returns the address of the cross-table."""
        return self._page("cross")

    def conduct(self) -> str:
        """Returns the address of the page on conduct."""
        return self._page("conduct")

    def models(self) -> str:
        """Returns the address of the board of models."""
        return self._page("models")

    def matches(self, choice: MatchChoice = ALL) -> str:
        """Returns the address of a list of matches. Files exist for bots and for kinds, but not for combinations."""
        bot = "" if choice.bot is None else f"bot{choice.bot}"
        page = str(choice.page) if choice.page > 1 else ""
        return self._page(_join(["matches", bot, choice.only or "", page]))

    def match(self, match: str) -> str:
        """Returns the address of the match with this id."""
        return self._page(f"matches/{match}")

    def bot(self, number: int) -> str:
        """Returns the address of the bot with this number, from 1."""
        return self._page(f"bots/{number}")

    def deal(self, match: str, deal: int, seating: int | None) -> str:
        """Returns the address of a deal, which is in the file of its match."""
        return f"{self.replay(match)}#deal-{_deal_id(deal, seating)}"

    def moment(self, match: str, deal: int, seating: int | None, step: int, secret: bool) -> str:
        """Returns the address of one step of a deal. Empty while cards are `secret`, because no file hides them."""
        return self.onlooker(match, deal, seating) if secret else f"{self.deal(match, deal, seating)}-step-{step}"

    def onlooker(self, match: str, deal: int, seating: int | None) -> str:
        """Returns nothing, because only a server shows the view of an onlooker."""
        return ""

    def versus(self, one: int | None = None, other: int | None = None) -> str:
        """Returns the address of the page on two bots, by their numbers, or of the cross-table without them."""
        if one is None or other is None:
            return self.cross()
        return self._page(f"versus/{min(one, other)}-{max(one, other)}")

    def wall(self) -> str:
        """Returns the address of the page to project on a wall."""
        return self._page("wall")

    def figures(self) -> str:
        """Returns the address of the page with all figures."""
        return self._page("figures")

    def replay(self, match: str) -> str:
        """Returns the address of a whole match in one file."""
        return self._page(f"replays/{match}")

    def picture(self, match: str = "", deal: str = "") -> str:
        """Returns the whole address of the picture for links to the contest or a match, which stands for its deals."""
        return f"{self.public}/matches/{match}.png" if match and self.pictured else f"{self.public}/share.png"

    def static(self, name: str) -> str:
        """Returns the address of a static file."""
        return f"{'../' * self.depth}static/{name}"

    def _page(self, page: str) -> str:
        return f"{'../' * self.depth}{page}.html"


Links = ServerLinks | SiteLinks
"""Addresses of all pages, for use on the page that links to them."""


def _deal_id(deal: int, seating: int | None) -> str:
    return _join([str(deal), "" if seating is None else str(seating)])


def _join(parts: Iterable[str]) -> str:
    return "-".join(part for part in parts if part)
