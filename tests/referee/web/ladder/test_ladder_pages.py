"""The pages of a ladder that everyone may read."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from bourre_referee.ladder.host.board_file import read_board, write_board
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import LOG
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.ladder.notices.owner_notices import BotTrouble, OwnerNotice, OwnerNotices
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.ladder_check import verify_epoch
from bourre_referee.verify.whole_ladder import verify_ladder
from bourre_referee.web.ladder.ladder_app import create_ladder_application
from bourre_referee.web.template_filters import moment, number, percent, signed
from tests.referee.web.ladder.shown_ladders import BEGAN, NAME, ServedLadder, ShownLadder, asked_here
from tests.referee.web.reading import PageRead

ATOM = "{http://www.w3.org/2005/Atom}"
PAGES = (
    *("/", "/bots/ada", "/bots/tight", "/epochs", "/log", "/epochs/1/", "/epochs/2/", "/epochs/2-unrated/", "/api"),
    "/seasons/1",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_nests_and_escapes_what_others_chose(served_ladder: ServedLadder, path: str) -> None:
    text = served_ladder.text(path)
    assert PageRead(text).elements
    assert "Bob <b>" not in text
    assert "2.0 <i>" not in text


def test_every_link_leads_somewhere(served_ladder: ServedLadder) -> None:
    seen, left = set[str](), ["/"]
    while left:
        path = left.pop()
        seen.add(path)
        answer = served_ladder.client.get(path, follow_redirects=True)
        hidden = (path.startswith("/epochs/2") and "/matches/m" in path) or path.endswith("/api/stats")
        assert answer.status_code in ((200, 403) if hidden else (200,)), path
        if (
            answer.status_code == 200
            and answer.headers["content-type"].startswith("text/html")
            and "/replay" not in path
        ):
            links = {link.partition("#")[0] for link in PageRead(answer.text).links}
            left += sorted(link for link in links if link.startswith("/") and link not in seen | {*left})
            left = [link for link in left if "/deals/" not in link or link.endswith("/m0001/deals/1")]
    assert {"/epochs/1/matches/m0001", "/epochs/2/matches", "/feed.atom", "/ladder.jsonl"} <= seen


def test_the_board_has_a_row_for_each_bot(served_ladder: ServedLadder) -> None:
    rows = PageRead(served_ladder.text("/")).rows
    (board,) = read_board(served_ladder.ladder.folder.board).boards
    shown = {row[1]: row for row in rows if len(row) == 13 and row[0].isdigit()}
    assert {*shown} == {row.bot for row in board.rows.ranked}
    for row in board.rows.ranked:
        assert row.place is not None
        rating = (number(row.rating.mu), number(row.rating.sigma))
        figures = [number(row.rating.score), "too few", signed(row.change, 2), *rating]
        played = [str(row.games), signed(100 * row.chips_per_deal), percent(row.fault_share)]
        where = f"{row.presence} in room {row.room}" if row.room else row.presence
        assert shown[row.bot] == [str(row.place.rank), row.bot, *figures, *played, where, row.owner, row.version]
    assert [percent(0.254), moment(BEGAN)] == ["25 %", "2026-11-23 04:30:00 UTC"]


def test_a_room_that_never_began_does_not_exist(served_ladder: ServedLadder) -> None:
    paired = served_ladder.ladder.state.rooms_paired
    answers = [served_ladder.client.get(f"/rooms/{room}").status_code for room in (paired, paired + 1, 0, "x")]
    assert answers == [200, 404, 400, 400]


def test_ties_are_brackets_and_on_older_boards_letters(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    ladder.play(4)
    ladder.write_board()
    board = read_board(ladder.folder.board)
    (whole,) = board.boards
    assert "Too few games to tell the bots apart" in asked_here(ladder).text("/")

    def shown(ties: tuple[tuple[str, ...], ...] | None, too_few: tuple[str, ...] = ()) -> tuple[str, str]:
        tied = {entrant for tie in ties or () for entrant in tie} if ties is not None else {first, second}
        places = [replace(row.place, tied="a" * (row.entrant in tied)) for row in whole.rows.ranked if row.place]
        ranked = tuple(replace(row, place=place) for row, place in zip(whole.rows.ranked, places, strict=True))
        rows = replace(whole.rows, ranked=ranked, ties=ties, too_few=too_few)
        write_board(ladder.folder.board, replace(board, boards=(replace(whole, rows=rows),)))
        page = asked_here(ladder)
        return page.text("/"), page.text(f"/bots/{first.partition('.')[0]}")

    first, second, *others = (row.entrant for row in whole.rows.ranked)
    text, bot = shown(((first, second),), tuple(others[-1:]))
    labels = re.findall(r'<svg class="brackets"[^>]* aria-label="([^"]*)"', text)
    assert labels == 2 * ["tied with the bots below", "tied with the bots above"]  # on the board, and in its figures
    assert ("<td>a</td>" in text, text.count("<td>too few</td>")) == (False, 1)
    assert text.count("too few games · ") == 1
    assert f"tied: {first} to {second}" in bot
    told = (asked_here(ladder).client.get(f"/api/bots/{each.partition('.')[0]}").json() for each in (second, others[0]))
    assert [each["versions"][0]["ties"] for each in told] == [[[first, second]], []]
    rows = asked_here(ladder).client.get("/api/board").json()["boards"][0]["rows"]
    assert (rows["ties"], rows["too_few"]) == ([[first, second]], others[-1:])
    older, bot = shown(None)
    assert '<svg class="brackets"' not in older
    assert older.count("<td>a</td>") == 2
    assert "tied: a<" in bot


def test_a_board_that_did_not_change_is_not_sent_again(served_ladder: ServedLadder) -> None:
    first = served_ladder.client.get("/")
    again = served_ladder.client.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.text) == (304, "")


def test_a_bot_shows_all_its_versions_and_games(served_ladder: ServedLadder) -> None:
    text = served_ladder.text("/bots/ada")
    assert "Version 2, declared as <bdi>2.0 &lt;i&gt;</bdi>" in text
    assert "Version 1 (retired)" in text
    assert "<svg" in text
    assert 'href="/rooms/' in text
    assert served_ladder.client.get("/bots/nobody").status_code == 404
    assert served_ladder.client.get("/bots/a.b").status_code == 400


def test_cards_wait_until_the_seed_is_revealed(served_ladder: ServedLadder) -> None:
    for path in ("matches/m0001/deals/1", "matches/m0001/replay.html"):
        assert served_ladder.client.get(f"/epochs/1/{path}").status_code == 200
        refused = served_ladder.client.get(f"/epochs/2/{path}")
        assert (refused.status_code, "once the seed is revealed" in refused.text) == (403, True)
    for path in ("api/matches/m0001/record", "api/matches/m0001/deals/1", "api/stats"):
        assert served_ladder.client.get(f"/epochs/1/{path}").status_code == 200
        refused = served_ladder.client.get(f"/epochs/2/{path}")
        assert (refused.status_code, refused.headers["content-type"]) == (403, "application/problem+json")
    assert "Shown once the seed is revealed" in served_ladder.text("/epochs/2/bots/1")


def test_a_match_is_told_as_an_onlooker_saw_it_until_the_seed_is_revealed(served_ladder: ServedLadder) -> None:
    open_match, secret_match = (served_ladder.text(f"/epochs/{epoch}/matches/m0001") for epoch in (1, 2))
    assert "/matches/m0001/replay.html" in open_match
    replays = [link for link in PageRead(secret_match).links if "/matches/m0001/" in link]
    assert len(replays) > 3
    assert all("/onlooker" in link for link in replays)
    assert "It held" not in secret_match


def test_pages_of_an_epoch_link_to_each_other_below_its_address(served_ladder: ServedLadder) -> None:
    links = PageRead(served_ladder.text("/epochs/1/")).links
    assert {"/", "/epochs/1/cross", "/epochs/1/matches", "/epochs/1/bots/1", "/epochs/1/static/style.css"} <= {*links}
    assert served_ladder.client.get("/epochs/1/openapi.json").json()["servers"] == [{"url": "/epochs/1"}]
    assert [served_ladder.client.get(f"/epochs/{name}/").status_code for name in ("3", "01", "x", "1-rated")] == [
        404
    ] * 4


def test_a_stranger_can_verify_a_closed_epoch(served_ladder: ServedLadder, tmp_path: Path) -> None:
    (tmp_path / LOG).write_bytes(served_ladder.client.get("/ladder.jsonl").content)
    for link in PageRead(served_ladder.text("/epochs")).links:
        if "/files/" in link:
            _, _, part, _, name = link.split("/")
            number, dash, kind = part.partition("-")
            place = tmp_path / "epochs" / f"{int(number):04}{dash}{kind}" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(served_ladder.client.get(link).content)
    verified = verify_epoch(tmp_path, 1)
    assert (verified.rooms, verified.paired_again) == (12, True)
    whole = verify_ladder(LadderFolder(tmp_path), [{"hash": verified.head}], jobs=1)
    assert [epoch.number for epoch in whole.log.epochs] == [1]
    assert {"epoch 2", "season-0001.json", "board.json"} <= {each.what for each in whole.unchecked}
    assert f"<code>{verified.head}</code>" in served_ladder.text("/epochs")
    assert "The button below the pages of an epoch checks its rooms" in served_ladder.text("/epochs")


@pytest.mark.parametrize(
    "path",
    [
        "/epochs/2/files/run.db",
        "/epochs/1/files/seed.secret",
        "/epochs/1/files/..%2Frun.db",
        "/epochs/2/files/seed.secret",
        "/epochs/2-unrated/files/manifest.json",
        "/epochs/1%2F..%2F0002/files/run.db",
        "/epochs/../owners.key",
        "/owners.key",
        "/static/..%2f..%2fowners.key",
    ],
)
def test_no_address_leads_to_what_is_secret(served_ladder: ServedLadder, path: str) -> None:
    assert served_ladder.client.get(path).status_code in (400, 404)


def test_the_log_lists_acts_but_not_rooms(served_ladder: ServedLadder) -> None:
    text = served_ladder.text("/log")
    assert "epoch closed: epoch 1" in text
    assert "room paired" not in text
    assert served_ladder.ladder.log.head in text
    assert re.findall("[0-9a-f]{64}", text) == [served_ladder.ladder.log.head], "other hashes are folded"
    assert served_ladder.client.get("/log?page=2").status_code == 404


def test_the_feed_is_atom(served_ladder: ServedLadder) -> None:
    answer = served_ladder.client.get("/feed.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries][:3] == [
        "ada joined in version 2, 2.0 <i>",
        "Season 2 opened",
        "Epoch 1 closed, and its seed is revealed",
    ]
    for each in (feed, *entries):
        assert all(each.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated"))
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)


def test_with_the_address_the_feed_and_each_page_have_pictures(served_ladder: ServedLadder) -> None:
    public = "https://example.org/l"
    app = create_ladder_application(served_ladder.ladder.folder, NAME, public=public).app
    with TestClient(app, base_url="http://127.0.0.1") as visitor:
        feed = ElementTree.fromstring(visitor.get("/feed.atom").content)
        pictures = {
            entry.findtext(f"{ATOM}title"): (link.get("href"), entry.findtext(f"{ATOM}content"))
            for entry in feed.findall(f"{ATOM}entry")
            for link in entry.findall(f"{ATOM}link[@rel='enclosure']")
        }
        title, address = "Epoch 1 closed, and its seed is revealed", f"{public}/epochs/1/share.png"
        assert pictures == {title: (address, f'<img src="{address}" alt="{title}" />')}
        for page, picture in (("/", "/share.png"), ("/epochs/1/", "/epochs/1/share.png"), ("/epochs", "/share.png")):
            assert f'<meta property="og:image" content="{public}{picture}">' in visitor.get(page).text
            assert visitor.get(picture).content.startswith(b"\x89PNG")
    assert "enclosure" not in served_ladder.text("/feed.atom")
    assert served_ladder.client.get("/share.png").status_code == 404


def test_a_bot_has_a_feed_of_the_notices_about_it(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    pages, sent = asked_here(ladder), list[OwnerNotice]()
    notices, at = OwnerNotices(ladder.folder.notices, sent.append, lambda: BEGAN), f"{BEGAN:%Y-%m-%dT%H:%M:%SZ}"
    for bot in ("ada", "bob", "ada"):
        troubles = [BotTrouble(bot, "refused", f"<b>\x1b {len(sent)}")]
        notices.follow((), troubles, ladder.state)
    answer = pages.client.get("/bots/ada/feed.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    entries = ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [
        "ada.1 was refused: <b>\\x1b 2",
        "ada.1 was refused: <b>\\x1b 0",
    ]
    assert [entry.findtext(f"{ATOM}updated") for entry in entries] == [at, at]
    assert pages.client.get("/bots/nobody/feed.atom").status_code == 404
    assert "/bots/ada/feed.atom" in pages.text("/bots/ada")


def test_no_answer_depends_on_the_name_by_which_a_visitor_calls_the_server(served_ladder: ServedLadder) -> None:
    """Answers are kept, so a name that one visitor chose would be sent to all."""
    for path in ("/feed.atom", "/", "/bots/ada", "/openapi.json", "/epochs/1/", "/epochs/1/openapi.json", "/api"):
        by_name = served_ladder.client.get(path, headers={"Host": "192.0.2.66:6666"})
        assert (by_name.status_code, "192.0.2.66" in by_name.text) == (200, False), path
        assert served_ladder.text(path) == by_name.text
        assert "192.0.2.66" not in str(by_name.headers)


def test_a_ladder_that_nobody_served_says_so(tmp_path: Path) -> None:
    pages = asked_here(ShownLadder(tmp_path / "host"))
    answer = pages.client.get("/")
    assert (answer.status_code, str(tmp_path) in answer.text) == (503, False)
    assert "bourre ladder start" in answer.text
    assert "No rated game yet: its probation room comes first" in pages.text("/bots/ada")


def test_games_of_pages_are_those_of_the_run_folder(served_ladder: ServedLadder) -> None:
    ladder = served_ladder.ladder
    rooms = {ladder.state.seasons.place_of(room): room for room in range(1, ladder.state.rooms_paired + 1)}
    results = [
        (epoch, result)
        for epoch in (2, 1)
        for result in reversed(Run.open(ladder.folder.epoch(epoch, rated=True)).results())
    ]
    for bot, owner, kind, entrants in (
        ("ada", "Ann", "hosted", ["ada.2", "ada.1"]),
        ("bob", "Bob <b>", "hosted", ["bob.1"]),
        ("tight", "host", "staff", ["tight.1"]),
    ):
        told = served_ladder.client.get(f"/api/bots/{bot}").json()
        assert (told["bot"], told["owner"], told["kind"]) == (bot, owner, kind)
        assert [version["entrant"] for version in told["versions"]] == entrants
        assert {*told} == {"bot", "owner", "kind", "waiting", "versions"}
        for version in told["versions"]:
            assert {*version} == {"entrant", "version", "row", "ties", "games", "head_to_head"}
            assert version["games"] == [
                {
                    "room": rooms[Place(epoch, True, int(result.match[1:]))],
                    "epoch": epoch,
                    "match": result.match,
                    "rank": seat.rank,
                    "chips": seat.chips,
                    "entrants": [each.bot for each in result.seats],
                    "void": None,
                }
                for epoch, result in results
                for seat in result.seats
                if seat.bot == version["entrant"]
            ]


def test_only_known_host_names_are_answered_also_below_epochs(served_ladder: ServedLadder) -> None:
    app = create_ladder_application(served_ladder.ladder.folder, NAME, ("Ladder.Test",)).app
    client = TestClient(app, base_url="http://127.0.0.1")
    for path in ("/", "/epochs/1/"):
        hosts = ("ladder.test", "LADDER.test:8000", "127.0.0.1", "elsewhere.test")
        answers = [client.get(path, headers={"Host": host}).status_code for host in hosts]
        assert answers == [200, 200, 200, 421]
