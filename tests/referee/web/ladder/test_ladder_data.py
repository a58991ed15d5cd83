"""What the pages of a ladder are made of: its past, its bots, its epochs, its log and its feed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.responses import StreamingResponse

from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.board.board_rows import BoardRow, BoardRows
from bourre_referee.ladder.board.live_ratings import CurvePoint
from bourre_referee.ladder.host.board_file import read_board, write_board
from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotArrived,
    BotBenched,
    BotLeft,
    BotPaused,
    EpochAbandoned,
    EpochClosed,
    EpochOpened,
    Event,
    MatchVoided,
    RoomFinished,
    RoomPaired,
    SeasonOpened,
)
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.web.cached_run import Unreadable
from bourre_referee.web.ladder import bot_view as bot_views
from bourre_referee.web.ladder import ladder_app, ladder_routes
from bourre_referee.web.ladder.board_view import newest_board
from bourre_referee.web.ladder.bot_view import bot_view
from bourre_referee.web.ladder.epoch_views import PARTS, EpochPart, EpochView, EpochViews, VoidedMatch
from bourre_referee.web.ladder.ladder_documents import PER_PAGE, ActDocument, LogDocument, log_document
from bourre_referee.web.ladder.ladder_history import GameLine, HeadToHead, LadderHistory
from bourre_referee.web.ladder.ladder_reader import LadderNow, LadderReader
from bourre_referee.web.ladder.ladder_routes import LadderRoutes, atom_feed
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.page_lookup import RefusedRequest
from bourre_referee.web.render import Pages
from bourre_referee.web.run_app import create_application
from tests.referee.matches import match
from tests.referee.web.ladder.shown_ladders import NAME, ServedLadder, ShownLadder, asked_here

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def now(served_ladder: ServedLadder) -> Iterator[LadderNow]:
    """The shared ladder as its pages read it."""
    with LadderReader(served_ladder.ladder.folder).now() as it:
        yield it


@pytest.fixture
def ladder(tmp_path: Path) -> ShownLadder:
    """A ladder that a test may change."""
    return ShownLadder(tmp_path / "host")


def history_of(*events: Event) -> LadderHistory:
    """The history of these events, of which the first happens at `t0`."""
    history = LadderHistory()
    for number, event in enumerate(events):
        history.note(Logged(f"t{number}", event))
    return history


def test_acts_are_apart_from_routine_and_probation_from_challenges() -> None:
    routine: list[Event] = [BotArrived("ada"), BotLeft("ada"), RoomFinished(1, 1), BoardUpdated("default", ())]
    rooms: list[Event] = [
        RoomPaired(1, ("ada", "tight"), rated=False),
        RoomPaired(2, ("ada", "bob"), rated=True),
        RoomPaired(3, ("bob", "ada"), rated=False, asked_by="Ann"),
        RoomPaired(4, ("tight", "ada"), rated=False),
    ]
    acts: list[Event] = [EpochOpened(1, "", ""), BotPaused("ada"), EpochClosed(1, "", ""), EpochOpened(2, "", "")]
    history = history_of(acts[0], *routine, *rooms, *acts[1:])
    assert history.acts == [Logged(at, act) for at, act in zip(("t0", "t9", "t10", "t11"), acts, strict=True)]
    assert (history.opened_at, history.closed_at) == ({1: "t0", 2: "t11"}, {1: "t10"})
    assert [[*history.probation_rooms(bot)] for bot in ("ada", "tight", "bob")] == [[1, 4], [1, 4], []]


def test_games_are_told_newest_first_and_compared_from_both_sides() -> None:
    history = LadderHistory()
    for room, chips in (
        (3, {"ada.1": 12, "zed.1": -4, "cy.1": -8}),
        (5, {"zed.1": 16, "ada.1": -16}),
        (9, {"dee.1": 0, "ada.1": 0}),
    ):
        history.take(RatedGame(room, replace(match(chips), unit=4)), Place(1, True, room))
    first = GameLine(3, Place(1, True, 3), ("ada.1", "zed.1", "cy.1"), (3.0, -1.0, -2.0), (1, 2, 3))
    assert [game.room for game in history.games_of("ada.1")] == [9, 5, 3]
    assert [history.games[3], [*history.games_of("eve.1")]] == [first, []]
    met = [HeadToHead("zed.1", 2, 1, 1, -4.0), HeadToHead("cy.1", 1, 1, 0, 5.0), HeadToHead("dee.1", 1, 0, 0, 0.0)]
    assert history.head_to_head("ada.1", {}) == met
    assert history.head_to_head("zed.1", {})[0] == HeadToHead("ada.1", 2, 1, 1, 4.0)
    assert history.head_to_head("ada.1", {5: "slept"}) == [*met[1:], HeadToHead("zed.1", 1, 1, 0, 4.0)]


def test_a_version_has_its_row_and_curve_wherever_the_board_has_them(
    now: LadderNow, served_ladder: ServedLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = read_board(served_ladder.ladder.folder.board)
    (whole,) = board.boards
    row, empty = replace(whole.rows.ranked[0], entrant="bob.1"), BoardRows((), (), ())
    none: tuple[BoardRow, ...] = ()
    other = replace(whole, rows=empty, old_versions=none, curves={})
    curve = (CurvePoint(1, 25.0, 9.0), CurvePoint(2, 26.0, 1.0))
    for rows, old in (
        (replace(empty, ranked=(row,)), none),
        (replace(empty, new=(row,)), none),
        (replace(empty, unseen=(row,)), none),
        (empty, (row,)),
    ):
        boards = (other, replace(whole, rows=rows, old_versions=old, curves={"bob.1": curve}), other)
        (version,) = bot_view(now, replace(board, boards=boards), "bob").versions
        assert version.row == row
        assert version.rating is not None
        assert [version.rating.values[end].value for end in (0, -1)] == [-10, 60]
        assert bot_view(now, replace(board, boards=boards), "cy").versions[0].row is None
    (version,) = bot_view(now, None, "bob").versions
    assert (version.row, version.rating) == (None, None)
    monkeypatch.setattr(bot_views, "MOST_GAMES", 2)
    assert bot_view(now, None, "bob").versions[0].games == version.games[:2]
    assert len(version.games) > 2


def test_epochs_are_told_with_the_proofs_of_their_runs(now: LadderNow, served_ladder: ServedLadder) -> None:
    ladder = served_ladder.ladder
    log = ladder.folder.open_log().read_new()
    opened = [line.at for line in log if isinstance(line.event, EpochOpened)]
    (closed,) = [line.at for line in log if isinstance(line.event, EpochClosed)]
    last, first = EpochViews(ladder.folder).all(now)
    names = (("1", "0001", True), ("1-unrated", "0001-unrated", False))
    runs = [(part, folder, ladder.folder.epoch(1, rated=rated).read_manifest()) for part, folder, rated in names]
    parts = tuple(
        EpochPart(part, folder, run.seed.commitment, run.digest or "", run.seed.revealed or "", PARTS)
        for part, folder, run in runs
    )
    assert first == EpochView(1, 1, 12, opened[0], closed, parts, ())
    assert len({value for part in parts for value in (part.commitment, part.digest, part.seed)}) == 6
    open_parts = tuple(
        EpochPart(f"2{end}", f"0002{end}", ladder.runs[rated].commitment, "", "", ())
        for end, rated in (("", True), ("-unrated", False))
    )
    assert last == EpochView(2, 2, 7, opened[1], "", open_parts, ())


def test_a_seed_that_was_asked_for_early_is_shown_once_its_epoch_is_closed(ladder: ShownLadder) -> None:
    ladder.play(2)
    reader, views = LadderReader(ladder.folder), EpochViews(ladder.folder)

    def seeds() -> list[str]:
        with reader.now() as now:
            return [part.seed for view in views.all(now) for part in view.parts]

    assert seeds() == ["", ""]
    ladder.close_epoch()
    revealed = [ladder.runs[rated].seed.hex() for rated in (True, False)]
    assert [seeds(), seeds()] == [revealed, revealed]
    ladder.open_epoch()
    assert seeds() == ["", "", *revealed]


def test_a_match_that_was_taken_back_counts_nowhere(ladder: ShownLadder) -> None:
    ladder.play(4)
    why = "the <b>host</b> slept"
    ladder.note(MatchVoided(1, 2, why), MatchVoided(1, 1, why))  # the first room is a probation
    ladder.write_board()
    with LadderReader(ladder.folder).now() as now:
        (epoch,) = EpochViews(ladder.folder).all(now)
        (version,) = bot_view(now, None, "ada").versions
    assert epoch.voided == (VoidedMatch("1-unrated", "m0001", why), VoidedMatch("1", "m0001", why))
    assert {game.room: game.void for game in version.games if game.room < 3} == {2: why}
    assert [game.void for game in version.games if game.room > 2] == [None] * (len(version.games) - 1)
    assert sum(each.games for each in version.head_to_head) == 2 * (len(version.games) - 1)
    pages = asked_here(ladder)
    assert 'matches/m0001">m0001</a> was annulled by the host' in pages.text("/epochs")
    assert "(<bdi>the &lt;b&gt;host&lt;/b&gt; slept</bdi>)" in pages.text("/epochs")
    assert "annulled: the &lt;b&gt;host&lt;/b&gt; slept" in pages.text("/bots/ada")


def test_the_pages_of_the_log_hold_every_act_once(now: LadderNow) -> None:
    acts: list[Event] = [BotPaused(f"bot{number}") for number in range(2 * PER_PAGE + 1)]
    long = replace(now, history=history_of(*acts))
    pages = [log_document(long, page) for page in (1, 2, 3)]
    whole = [(page.page, page.pages, len(page.acts), page.events, page.head) for page in pages]
    rest = (now.log.events, now.log.head)
    assert whole == [(1, 3, PER_PAGE, *rest), (2, 3, PER_PAGE, *rest), (3, 3, 1, *rest)]
    assert [act for page in pages for act in page.acts] == [
        ActDocument(f"t{number}", "bot_paused", f"bot paused: bot bot{number}") for number in reversed(range(len(acts)))
    ]
    with pytest.raises(RefusedRequest, match="the log has no page 4"):
        log_document(long, 4)
    assert log_document(replace(now, history=history_of()), 1) == LogDocument(1, 1, *rest, ())


def test_the_feed_tells_what_matters_and_keeps_the_ids_of_its_entries(
    ladder: ShownLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = LadderReader(ladder.folder)

    def entries() -> list[tuple[str | None, ...]]:
        with reader.now() as now:
            feed = ElementTree.fromstring(atom_feed(now, NAME))
            at = {log.event: log.at for log in now.history.acts}
        found = feed.findall(f"{ATOM}entry")
        assert feed.findtext(f"{ATOM}updated") == found[0].findtext(f"{ATOM}updated")
        assert {entry.findtext(f"{ATOM}updated") for entry in found} <= {*at.values()}
        links = [entry.find(f"{ATOM}link") for entry in found]
        told = [[entry.findtext(f"{ATOM}{name}") for name in ("title", "updated", "id")] for entry in found]
        return [(*each, link.get("href")) for each, link in zip(told, links, strict=True) if link is not None]

    before = entries()
    assert [(each[0], each[-1]) for each in before[:3]] == [
        (f"{bot} joined in version 1, 1", f"/bots/{bot}") for bot in ("cy", "bob", "ada")
    ]
    ladder.play(1)
    ladder.note(MatchVoided(1, 1, "slept"), BotBenched("bob", "late"), EpochAbandoned(1), SeasonOpened(2))
    after = entries()
    assert [(each[0], each[-1]) for each in after[:4]] == [
        ("Season 2 opened", "/"),
        ("Epoch 1 was abandoned: the host restored a backup", "/epochs/1/"),
        ("bob was suspended: late", "/bots/bob"),
        ("The match of room 1 was annulled: slept", "/log"),
    ]
    assert after[4:] == before
    assert [len({each[column] for each in after}) for column in (1, 2)] == [len(after)] * 2
    assert [each[1] for each in after] == sorted((each[1] or "" for each in after), reverse=True)
    monkeypatch.setattr(ladder_routes, "MOST_ENTRIES", 3)
    assert entries() == after[:3]


def told(now: LadderNow) -> tuple[object, ...]:
    """All that the pages know of a ladder's past."""
    history = now.history
    return (
        now.tag,
        [*history.acts],
        {**history.games},
        {**history.opened_at},
        [*history.probation_rooms("ada")],
        now.log.size,
    )


def test_after_damage_is_mended_all_is_as_for_who_never_saw_it(ladder: ShownLadder, tmp_path: Path) -> None:
    ladder.play(2)
    reader, log = LadderReader(ladder.folder), ladder.folder.log
    with reader.now() as now:
        assert {*now.history.games} == {2}
        before = told(now)
    sound, epoch = log.read_bytes(), ladder.folder.epochs / "0001"
    log.write_bytes(sound + b"{}\n")
    with pytest.raises(Unreadable) as raised, reader.now():
        raise AssertionError("a damaged log is read")
    assert str(tmp_path) not in str(raised.value)
    log.write_bytes(sound)
    epoch.rename(epoch.with_name("away"))
    with pytest.raises(Unreadable), reader.now():
        raise AssertionError("a game is read that is not there")
    epoch.with_name("away").rename(epoch)
    with reader.now() as now:
        assert told(now) == before
    ladder.play(2)
    with reader.now() as now, LadderReader(ladder.folder).now() as fresh:
        assert told(now) == told(fresh)
        assert {*now.history.games} == {2, 4}


def test_the_board_is_read_again_only_when_it_was_written_anew(ladder: ShownLadder, tmp_path: Path) -> None:
    reader = LadderReader(ladder.folder)
    look = ladder_app.live_board(reader, Pages(ServerLinks(), NAME))
    missing = look("")
    assert missing is not None
    assert missing.text.startswith('<p role="status">')
    assert (look(missing.tag), str(tmp_path) in missing.text) == (None, False)
    ladder.write_board()
    first, event = reader.board(), look(missing.tag)
    assert reader.board() is first
    assert event is not None
    assert (event.tag, event.name, look(event.tag)) == (newest_board(reader)[0], "board", None)
    write_board(ladder.folder.board, replace(first.board, epoch=7, boards=()))
    second, event = reader.board(), look(event.tag)
    assert (second.board.epoch, second.tag != first.tag) == (7, True)
    assert event is not None
    assert "epoch 7" in event.text


def test_a_page_follows_everything_that_it_shows(ladder: ShownLadder) -> None:
    """A page is kept for the state of the log, and for that of the board, and for each part of a list."""
    ladder.play(2)
    ladder.write_board()
    pages = asked_here(ladder)
    assert "of games with a fault" in pages.text("/bots/ada")
    assert pages.client.get("/api/bots/ada").json()["versions"][0]["row"]
    board = read_board(ladder.folder.board)
    write_board(ladder.folder.board, replace(board, at=board.at.replace(year=2027), boards=()))
    assert "of games with a fault" not in pages.text("/bots/ada")
    assert pages.client.get("/api/bots/ada").json()["versions"][0]["row"] is None
    ladder.note(SeasonOpened(2))
    assert "/seasons/1" not in pages.text("/epochs")
    assert pages.client.get("/seasons/1").status_code == 404
    ladder.folder.board.rename(ladder.folder.last_board(1))
    assert "/seasons/1" in pages.text("/epochs")
    assert pages.client.get("/seasons/1").status_code == 200
    ladder.note(*[BotBenched("bob", f"for {number}") for number in range(PER_PAGE)])
    for _ in range(2):
        assert ["for 99" in pages.text(f"/log{query}") for query in ("", "?page=2")] == [True, False]
        assert [pages.client.get(f"/api/log{query}").json()["page"] for query in ("", "?page=2")] == [1, 2]


def test_the_board_says_that_a_bot_is_suspended(ladder: ShownLadder) -> None:
    ladder.play(1)
    ladder.note(BotBenched("bob", "late"))
    ladder.write_board()
    page = asked_here(ladder).text("/")
    assert (">suspended<" in page, ">benched<" in page) == (True, False)


def test_a_log_that_grows_while_it_is_sent_is_sent_as_far_as_its_length_says(
    ladder: ShownLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder_routes, "PART", 2)
    sound = ladder.folder.log.read_bytes()
    routes = LadderRoutes(LadderReader(ladder.folder), Pages(ServerLinks(), NAME), EpochViews(ladder.folder))
    answer = routes.whole_log()
    ladder.note(BotPaused("ada"))
    assert isinstance(answer, StreamingResponse)

    async def parts(answer: StreamingResponse) -> list[bytes]:
        return [part async for part in answer.body_iterator if isinstance(part, bytes)]

    sent = asyncio.run(parts(answer))
    assert b"".join(sent) == sound
    assert answer.headers["content-length"] == str(len(sound))
    assert {part.count(b"\n") for part in sent[:-1]} == {2}


def test_the_epochs_that_were_asked_for_last_are_kept_and_the_others_end(
    served_ladder: ServedLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, ended = list[str](), list[str]()
    create = create_application

    def noted(*words: object) -> object:
        application, prefix = create(*words), str(words[3])  # type: ignore[arg-type]
        made.append(prefix)
        monkeypatch.setattr(application.live.feed, "end", lambda: ended.append(prefix))
        return application

    monkeypatch.setattr(ladder_app, "create_application", noted)
    monkeypatch.setattr(ladder_app, "MOST_APPS", 2)
    pages = asked_here(served_ladder.ladder)
    for epoch in ("1", "2", "1", "2-unrated", "1", "2"):
        assert pages.client.get(f"/epochs/{epoch}/").status_code == 200
    assert made == [f"/epochs/{epoch}" for epoch in ("1", "2", "2-unrated", "2")]
    assert ended == ["/epochs/2", "/epochs/2-unrated"]
    pages.application.end()
    assert ended[2:] == ["/epochs/1", "/epochs/2"]


def test_epochs_are_listed_a_page_at_a_time(ladder: ShownLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_routes, "EPOCHS_PER_PAGE", 1)
    ladder.close_epoch()
    ladder.open_epoch()
    pages = asked_here(ladder)
    first, second = pages.text("/epochs"), pages.text("/epochs?page=2")
    assert ["Epoch 2" in first, "Epoch 1" in first, 'href="/epochs?page=2"' in first] == [True, False, True]
    assert ["Epoch 2" in second, "Epoch 1" in second, 'href="/epochs"' in second] == [False, True, True]
    assert pages.client.get("/epochs?page=3").status_code == 404
