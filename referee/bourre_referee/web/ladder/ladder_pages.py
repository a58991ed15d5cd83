"""Renders the pages of a ladder; everything that others chose, such as names, is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bourre_referee.ladder.host.board_file import BoardFile
from bourre_referee.web.ladder.bot_view import BotView
from bourre_referee.web.ladder.epoch_views import EpochView
from bourre_referee.web.ladder.log_pages import LogPage
from bourre_referee.web.ladder.owner_view import OwnerView
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.render import make_environment


def percent(share: float) -> str:
    """Formats a share from 0 to 1."""
    return f"{100 * share:.0f} %"


def moment(time: datetime) -> str:
    """Formats a time."""
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"


class LadderPages:
    """Renders all pages of one ladder."""

    def __init__(self, ladder: str) -> None:
        """`ladder` is its name."""
        self.ladder = ladder
        """The name of the ladder."""
        self._environment = make_environment()
        for function in (percent, moment):
            self._environment.filters[function.__name__] = function

    def board(self, board: BoardFile, seen: str) -> str:
        """Renders the board; `seen` is the tag of this state, which a server need not send again."""
        return self._page("board.html", board=board, seen=seen)

    def board_fragment(self, board: BoardFile) -> str:
        """Renders the part that changes: the content of the element `board`."""
        return self._page("board_parts.html", board=board)

    def bot(self, bot: BotView) -> str:
        """Renders all versions of a bot."""
        return self._page("bot.html", bot=bot)

    def season(self, board: BoardFile) -> str:
        """Renders the last board of a season."""
        return self._page("season.html", board=board)

    def epochs(self, epochs: Sequence[EpochView], seasons: Sequence[int], head: str) -> str:
        """Renders the list of epochs, links to the last boards of these seasons, and the hash of the last line."""
        return self._page("epochs.html", epochs=epochs, seasons=seasons, head=head)

    def log(self, log: LogPage) -> str:
        """Renders a page of the log of acts."""
        return self._page("log.html", log=log)

    def api(self, addresses: Sequence[object]) -> str:
        """Renders the list of the API's addresses, each with `method`, `path` and `summary`."""
        return self._page("api.html", addresses=addresses)

    def owner(self, owner: OwnerView) -> str:
        """Renders the page of an owner."""
        return self._page("owner.html", owner=owner)

    def login(self) -> str:
        """Renders the form that takes an owner's key."""
        return self._page("login.html")

    def _page(self, template: str, **values: object) -> str:
        found = self._environment.get_template(f"ladder/{template}")
        return found.render(links=ServerLinks(), run=None, ladder=self.ladder, **values)
