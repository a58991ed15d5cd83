"""What owners see and do on a ladder's pages, and what nobody does with the key of another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import httpx
import pytest

from bourre_referee.ladder.log.challenges import Challenge
from bourre_referee.ladder.log.events import BotBenched, BotPaused, BotResumed, BotRetired, RoomVoided
from bourre_referee.storage.bot_zip import unpack_submitted
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web.ladder.ladder_owners import ladder_keys
from bourre_referee.web.render import signed
from tests.referee.web.ladder.shown_ladders import ServedLadder, ShownLadder, serving_ladder
from tests.referee.web.reading import PageRead


@pytest.fixture
def own(tmp_path: Path) -> Iterator[ServedLadder]:
    """A ladder that a test may change."""
    ladder = ShownLadder(tmp_path / "host")
    ladder.play(1)
    ladder.begin()
    with serving_ladder(ladder) as it:
        yield it


def zip_of(**files: str) -> bytes:
    """A zip of these files; `_` in a name stands for a dot."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return buffer.getvalue()


def bearer(served: ServedLadder, owner: str) -> dict[str, str]:
    """The header with an owner's key."""
    return {"Authorization": f"Bearer {served.ladder.key(owner)}"}


def room_of(served: ServedLadder, entrant: str) -> int:
    """The newest room with a log of this entrant."""
    return max(int(log.stem[4:]) for log in (served.ladder.folder.logs / entrant).iterdir())


def test_an_owner_reads_the_logs_and_hands_of_own_bots(served_ladder: ServedLadder) -> None:
    page = PageRead(served_ladder.text("/owner", "Ann"))
    private = [link for link in page.links if link.startswith("/owner/")]
    assert {link.split("/")[2] for link in private} == {"logs", "hands"}
    for link in private:
        answer = served_ladder.client.get(link, headers=served_ladder.cookie("Ann"))
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        if "/logs/" in link:
            assert answer.text.startswith("the secret of ada.")


def test_an_owner_is_told_how_probation_went(served_ladder: ServedLadder) -> None:
    """Bob's bot sat in one probation room; what the report says is what the run folder has."""
    ladder = served_ladder.ladder
    page = " ".join(served_ladder.text("/owner", "Bob <b>").split())
    told = re.search(r"Probation, room (\d+), version bob\.1 against (\S+), (\S+): rank (\d) of 3, (\S+) chips", page)
    assert told, page
    place = ladder.state.seasons.place_of(int(told[1]))
    assert place
    assert not place.rated
    run = RunFolder.open(ladder.folder.epoch(place.epoch, rated=False))
    (stored,) = (each.stored for each in run.new_matches(()) or () if each.stored.number == place.match)
    (own,) = (seat for seat in stored.seats if seat.bot == "bob.1")
    assert {told[2], told[3]} == {seat.bot for seat in stored.seats} - {"bob.1"}
    assert (int(told[4]), told[5]) == (own.rank, signed(own.chips / stored.unit / stored.deals, 2))
    assert ("no fault" in page) == (not own.faults)
    for kind, times in own.faults_by_kind:
        assert f"{kind} {times} time" in page


def test_an_owner_alone_is_told_why_a_bot_never_started(own: ServedLadder) -> None:
    for number in [*own.ladder.state.rooms]:
        own.ladder.finish(number)
    own.ladder.play(6)
    room = room_of(own, "bob.1")
    assert "never started" not in own.text("/owner", "Bob <b>")
    log = own.ladder.folder.logs / "bob.1" / f"room{room:06}.log"
    log.write_text("[bourre] never started: bot.py, line 1: NameError: <b>\x1b[2J; correct it\nhello\n")
    told = f"It never started in <bdi>room{room:06}: bot.py, line 1: NameError: &lt;b&gt;\\x1b[2J; correct it</bdi>"
    assert told in own.text("/owner", "Bob <b>")
    for page in ("/", "/bots/bob", "/log", "/feed.atom", "/api/bots/bob"):
        assert "NameError" not in own.client.get(page).text
    assert "NameError" not in own.text("/owner", "Ann")
    own.ladder.join("bob", "Bob <b>")
    assert "never started" not in own.text("/owner", "Bob <b>")


def test_a_version_that_awaits_probation_is_told_so(own: ServedLadder) -> None:
    own.ladder.join("ada", "Ann")
    page = own.text("/owner", "Ann")
    assert "its report will stand here" in page


def test_hands_are_those_of_the_owner_alone(served_ladder: ServedLadder) -> None:
    room = room_of(served_ladder, "bob.1")
    text = served_ladder.text(f"/owner/hands/{room}", "Bob <b>")
    dealt = [line for line in text.splitlines() if " is dealt " in line]
    assert dealt
    assert all("bob.1" in line for line in dealt), dealt


def private_addresses(served: ServedLadder) -> list[str]:
    """Addresses of what is Bob's, written in many ways."""
    log, room = f"room{room_of(served, 'bob.1'):06}", room_of(served, "bob.1")
    return [
        f"/owner/logs/bob.1/{log}",
        f"/owner/logs/ada.1%2F..%2Fbob.1/{log}",
        f"/owner/logs/ada.1/..%2Fbob.1%2F{log}",
        f"/owner/logs/ada.1/../bob.1/{log}",
        f"/owner/logs/ada.1//bob.1/{log}",
        f"/owner/logs/ADA.1/{log}",
        f"/owner/logs/ada../{log}",
        f"/owner/logs/ada.1/{log}.log",
        f"/owner/logs/ada.1/%2e%2e%2fbob.1%2f{log}",
        f"/owner/hands/{room}%2F",
        "/owner/hands/0",
        "/owner/hands/-1",
        "/owner/hands/999999",
    ]


def test_nobody_reads_what_is_anothers(served_ladder: ServedLadder) -> None:
    """`Ann`'s key, a wrong one and none; by GET, HEAD and POST; in a cookie, in another header and in the address."""
    wrong = served_ladder.cookie("Ann")
    right = served_ladder.ladder.key("Bob <b>")
    for path in private_addresses(served_ladder):
        for cookie in (wrong, {"Cookie": "bourre_owner=x"}, {}, {"Cookie": "bourre_owner=; bourre_owner=%00"}):
            for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") if cookie is wrong else ("GET",):
                answer = served_ladder.client.request(method, path, headers=cookie)
                assert answer.status_code in (400, 403, 404, 405), (method, path, cookie)
                assert "secret of bob" not in answer.text
        for query, headers in (("", bearer(served_ladder, "Ann")), (f"?key={right}", {})):
            assert served_ladder.client.get(f"{path}{query}", headers=headers).status_code in (400, 403, 404)


def test_the_hands_of_a_room_are_for_those_who_sat_there(served_ladder: ServedLadder) -> None:
    logs = served_ladder.ladder.folder.logs
    sat = {log.name for log in (logs / "ada.1").iterdir()} | {log.name for log in (logs / "ada.2").iterdir()}
    others = [log.name for log in (logs / "bob.1").iterdir() if log.name not in sat]
    assert others
    for name in others:
        path = f"/owner/hands/{int(name[4:10])}"
        assert served_ladder.client.get(path, headers=served_ladder.cookie("Ann")).status_code == 404
        assert served_ladder.client.get(path, headers=served_ladder.cookie("Bob <b>")).status_code == 200


def test_a_room_that_is_being_played_has_no_hands_and_no_log(served_ladder: ServedLadder) -> None:
    (room,) = served_ladder.ladder.state.rooms
    for owner in ("Ann", "Bob <b>", "Cy"):
        answer = served_ladder.client.get(f"/owner/hands/{room}", headers=served_ladder.cookie(owner))
        assert answer.status_code == 404


def test_an_owner_logs_in_and_out(own: ServedLadder) -> None:
    """No address and no page holds the key; no script and no other site can use the cookie."""
    key = own.ladder.key("Ann")
    assert "Log in" in own.text(f"/owner?key={key}")
    assert own.client.post("/owner", data={"key": f"{key}x"}).status_code == 403
    for secure, headers in (("Secure", {"X-Forwarded-Proto": "https"}), ("", {})):
        answer = own.client.post("/owner", data={"key": f" {key} "}, headers=headers)
        assert (answer.status_code, answer.headers["location"]) == (303, "/owner")
        parts = [*filter(None, (f"bourre_owner={key}", "HttpOnly", "Path=/owner", "SameSite=strict", secure))]
        assert answer.headers["set-cookie"].split("; ") == parts
    page = own.text("/owner")
    assert "Bots of <bdi>Ann</bdi>" in page
    assert key not in page
    own.client.post("/owner/leave")
    assert "Log in" in own.text("/owner")


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_no_other_site_sends_a_form_for_an_owner(own: ServedLadder, site: str) -> None:
    """A cookie is sent to every port of a host, so another server there could send a form of its own."""
    for path, form in (("", {"key": own.ladder.key("Ann")}), ("/pause", {"bot": "ada"}), ("/leave", {})):
        headers = {**own.cookie("Ann"), "Sec-Fetch-Site": site}
        assert own.client.post(f"/owner{path}", data=form, headers=headers).status_code == 403
    assert not own.ladder.state.bots["ada"].paused


def test_a_renewed_key_stops_the_old_one_at_once_and_nobody_elses(own: ServedLadder) -> None:
    others, old = own.cookie("Cy"), own.cookie("Ann")
    new = ladder_keys(own.ladder.folder).renew("Ann")
    assert ladder_keys(own.ladder.folder).key("Ann") is None
    assert "Log in" in own.client.get("/owner", headers=old).text
    assert own.client.post("/api/bots/ada/pause", headers={"Authorization": old["Cookie"][13:]}).status_code == 403
    assert own.client.post("/api/bots/ada/pause", headers={"Authorization": f"Bearer {new}"}).status_code == 200
    assert "Bots of <bdi>Cy</bdi>" in own.client.get("/owner", headers=others).text
    newest = ladder_keys(own.ladder.folder).renew("Ann")
    assert "Log in" in own.client.get("/owner", headers={"Cookie": f"bourre_owner={new}"}).text
    assert "Bots of <bdi>Ann</bdi>" in own.client.get("/owner", headers={"Cookie": f"bourre_owner={newest}"}).text


def test_an_owner_pauses_and_resumes_a_bot(own: ServedLadder) -> None:
    assert own.client.post("/api/bots/ada/pause", headers=bearer(own, "Ann")).status_code == 200
    assert own.ladder.state.bots["ada"].paused
    answer = own.client.post("/owner/resume", data={"bot": "ada"}, headers=own.cookie("Ann"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/owner")
    assert not own.ladder.state.bots["ada"].paused


def test_an_owner_undoes_nothing_that_the_host_did(own: ServedLadder) -> None:
    own.ladder.note(BotPaused("ada", by="host"))
    answer = own.client.post("/api/bots/ada/resume", headers=bearer(own, "Ann"))
    assert (answer.status_code, "only the host can resume it" in answer.text) == (409, True)
    assert "Only the host can resume it." in own.client.get("/owner", headers=own.cookie("Ann")).text
    own.ladder.note(BotRetired("bob", by="host"))
    files = zip_of(bot_py="from bourre import Bot\n")
    answer = own.client.post("/api/bots/bob/versions", headers=bearer(own, "Bob <b>"), content=files)
    assert (answer.status_code, "only the host can take it in again" in answer.text) == (409, True)
    assert own.ladder.state.bots["bob"].retired


@pytest.mark.parametrize("path", ["bots/bob/pause", "bots/bob/resume", "bots/bob/versions", "bots/tight/pause"])
def test_nobody_changes_what_is_anothers(own: ServedLadder, path: str) -> None:
    events = own.ladder.log.events
    for headers in (bearer(own, "Ann"), {}, {"Authorization": own.ladder.key("Bob <b>")}, bearer(own, "host")):
        answer = own.client.post(f"/api/{path}", headers=headers, content=zip_of(bot_py=""))
        assert answer.status_code == 403
    assert own.client.post(f"/api/{path}?key={own.ladder.key('Bob <b>')}").status_code == 403
    assert own.client.post("/owner/pause", data={"bot": "bob"}, headers=own.cookie("Ann")).status_code == 403
    assert own.client.get(f"/api/{path}", headers=bearer(own, "Bob <b>")).status_code in (404, 405)
    own.ladder.log.read()
    assert own.ladder.log.events == events


def test_an_owner_submits_a_version_as_a_zip(own: ServedLadder) -> None:
    data = zip_of(bot_py="print('new')\n", **{"lib/more_py": "x = 1\n"})
    answer = own.client.post("/api/bots/bob/versions?version=next", headers=bearer(own, "Bob <b>"), content=data)
    assert (answer.status_code, answer.json()) == (201, {"done": "version 2 of bob joined"})
    joined = own.ladder.state.bots["bob"].joined
    assert (joined.version, joined.command) == ("next", ("python", "bot.py"))
    assert [path for path, _ in joined.files] == ["bot.py", "lib/more.py"]
    assert (own.ladder.folder.files_of("bob", 2) / "lib" / "more.py").read_text() == "x = 1\n"


MINE = "from bourre import Bot, run\nrun(Bot)\n"


@pytest.mark.parametrize(
    ("data", "files"),
    [
        (MINE.encode(), ["bot.py"]),
        (
            zip_of(**{"bob-main/Bot_py": MINE, "bob-main/lib/more_py": ""}),
            ["bot.py", "lib/more.py"],
        ),
        (zip_of(mine_py=MINE, help_py=""), ["bot.py", "help.py"]),
    ],
    ids=["a file", "a folder of a forge", "another name"],
)
def test_a_version_is_put_where_its_command_looks(own: ServedLadder, data: bytes, files: list[str]) -> None:
    answer = own.client.post("/api/bots/bob/versions", headers=bearer(own, "Bob <b>"), content=data)
    assert answer.status_code == 201, answer.text
    assert [path for path, _ in own.ladder.state.bots["bob"].joined.files] == files
    assert (own.ladder.folder.files_of("bob", 2) / "bot.py").read_text() == MINE


def linked() -> bytes:
    """A zip with a symbolic link."""
    buffer, entry = BytesIO(), ZipInfo("bot.py")
    entry.external_attr = 0o120777 << 16
    with ZipFile(buffer, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "cannot be unpacked"),
        (zip_of(bot_py="1")[:-30], "cannot be unpacked"),
        (zip_of(), "has no file"),
        (zip_of(_="1", bot_py="2"), "no path inside"),
        (zip_of(**{"../bot_py": "1"}), "no path inside"),
        (zip_of(**{"/bot_py": "1"}), "no path inside"),
        (zip_of(bot_py="1", BOT_py="2"), "two files of one name"),
        (zip_of(other_py="1"), "bot.py"),
        (linked(), "is a link"),
    ],
    ids=[
        "empty",
        "cut",
        "without a file",
        "empty name",
        "above",
        "absolute",
        "twice",
        "other names",
        "link",
    ],  # a zip tells the time
)
def test_a_bad_zip_is_refused_in_words(own: ServedLadder, data: bytes, words: str) -> None:
    answer = own.client.post("/api/bots/bob/versions", headers=bearer(own, "Bob <b>"), content=data)
    assert answer.status_code == 409, answer.text
    assert words in answer.json()["detail"]
    assert str(own.ladder.place) not in answer.text
    assert own.ladder.state.bots["bob"].joined.number == 1


def test_a_zip_that_is_too_long_is_not_read_to_its_end(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bourre_referee.web.ladder.owner_api.LARGEST_ZIP", 100)
    answer = own.client.post("/api/bots/bob/versions", headers=bearer(own, "Bob <b>"), content=bytes(101))
    assert answer.status_code == 413


def test_a_zip_that_unpacks_to_too_much_is_refused(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bourre_referee.storage.bot_zip.LARGEST_BOT", 10)
    data = zip_of(bot_py="0" * 11)
    answer = own.client.post("/api/bots/bob/versions", headers=bearer(own, "Bob <b>"), content=data)
    assert (answer.status_code, "are longer than" in answer.json()["detail"]) == (409, True)


def test_one_zip_is_unpacked_at_a_time(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    """An owner who sends many at once takes neither the memory nor the threads of the pages."""
    others = list[httpx.Response]()

    def send(content: bytes) -> httpx.Response:
        return httpx.post(f"{own.url}api/bots/bob/versions", headers=bearer(own, "Bob <b>"), content=content)

    def unpack(data: bytes, folder: Path, main: str) -> tuple[str, ...]:
        others.append(send(data))
        return unpack_submitted(data, folder, main)

    monkeypatch.setattr("bourre_referee.ladder.host.joining.unpack_submitted", unpack)
    assert send(zip_of(bot_py="1")).status_code == 201
    assert [(other.status_code, other.json()["detail"]) for other in others] == [
        (503, "another version is being added")
    ]


def test_an_owner_asks_for_challenges_up_to_a_bound(own: ServedLadder) -> None:
    for _ in range(2):
        answer = own.client.post("/api/challenges", headers=bearer(own, "Ann"), json=["ada", "bob", "tight"])
        assert answer.status_code == 201
    assert [each.line_up for each in own.ladder.state.challenges] == [("ada", "bob", "tight")] * 2
    refused = own.client.post("/api/challenges", headers=bearer(own, "Ann"), json=["ada", "bob", "tight"])
    assert (refused.status_code, refused.json()["detail"]) == (409, "Ann has 2 challenges waiting, which is the most")
    assert own.text("/owner", "Ann").count("ada, bob, tight") == 2
    form = {"bots": "cy, tight bob"}
    assert own.client.post("/owner/challenges", data=form, headers=own.cookie("Cy")).status_code == 303
    assert [each.line_up for each in own.ladder.state.challenges.of("Cy")] == [("cy", "tight", "bob")]


@pytest.mark.parametrize("bots", [["ada", "bob"], ["ada", "ada", "bob"], ["bob", "cy", "tight"], ["ada", "bob", "x"]])
def test_a_challenge_that_makes_no_sense_is_refused(own: ServedLadder, bots: list[str]) -> None:
    assert own.client.post("/api/challenges", headers=bearer(own, "Ann"), json=bots).status_code == 409
    assert own.client.post("/api/challenges", headers=bearer(own, "Ann"), json={"bots": bots}).status_code == 400
    assert own.client.post("/api/challenges", json=bots).status_code == 403
    assert list(own.ladder.state.challenges) == []


def next_challenge(own: ServedLadder) -> Challenge | None:
    """The challenge that would begin now, if nobody else waited."""
    return own.ladder.state.challenges.next(own.ladder.state.bots, ())


def test_owners_agree_to_challenges_or_decline_them(own: ServedLadder) -> None:
    """By the API and by the forms of their pages; nobody answers for another."""
    for _ in range(2):
        own.client.post("/api/challenges", headers=bearer(own, "Ann"), json=["ada", "bob", "tight"])
    assert "asks for ada, bob, tight" in own.text("/owner", "Bob <b>")
    assert "Nobody waits for your word" in own.text("/owner", "Cy")
    refused = own.client.post("/api/challenges/1/accept", headers=bearer(own, "Cy"))
    assert (refused.status_code, refused.json()["detail"]) == (409, "challenge 1 does not ask Cy")
    assert own.client.post("/api/challenges/1/accept").status_code == 403
    form = {"challenge": "1", "accepted": "yes"}
    assert own.client.post("/owner/answer", data=form, headers=own.cookie("Bob <b>")).status_code == 303
    assert next(iter(own.ladder.state.challenges)).accepted == {"Bob <b>"}
    assert own.client.post("/api/challenges/2/decline", headers=bearer(own, "Bob <b>")).status_code == 200
    assert own.client.post("/owner/answer", data={"challenge": "1"}, headers=own.cookie("Ann")).status_code == 303
    assert list(own.ladder.state.challenges) == []
    assert own.client.post("/owner/answer", data={"challenge": "x"}, headers=own.cookie("Ann")).status_code == 400


def test_an_owner_agrees_to_all_challenges_until_asked_again(own: ServedLadder) -> None:
    assert own.client.post("/api/challenges/welcome", headers=bearer(own, "Cy")).status_code == 200
    assert own.ladder.state.challenges.welcoming == {"Cy"}
    assert "Ask me for each challenge" in own.text("/owner", "Cy")
    assert own.client.post("/owner/welcome", data={"welcome": "no"}, headers=own.cookie("Cy")).status_code == 303
    assert own.client.post("/api/challenges/ask", headers=bearer(own, "Cy")).status_code == 200
    assert own.ladder.state.challenges.welcoming == set()


def test_an_owner_asks_for_few_challenges_a_day(own: ServedLadder) -> None:
    for number in range(1, 11):
        asked = own.client.post("/api/challenges", headers=bearer(own, "Ann"), json=["ada", "bob", "tight"])
        assert asked.status_code == 201
        own.client.post(f"/api/challenges/{number}/decline", headers=bearer(own, "Ann"))
    refused = own.client.post("/api/challenges", headers=bearer(own, "Ann"), json=["ada", "bob", "tight"])
    assert (refused.status_code, "10 challenges in a day" in refused.json()["detail"]) == (409, True)


def test_an_owner_switches_a_bounded_number_of_times_a_day(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bourre_referee.web.ladder.owner_acts.SWITCHES_PER_DAY", 4)
    for act in ("bots/ada/pause", "bots/ada/resume", "challenges/welcome", "challenges/ask"):
        assert own.client.post(f"/api/{act}", headers=bearer(own, "Ann")).status_code == 200
    events = own.ladder.log.events
    for act in ("bots/ada/pause", "challenges/welcome"):
        assert own.client.post(f"/api/{act}", headers=bearer(own, "Ann")).status_code == 409
    assert own.client.post("/api/bots/bob/pause", headers=bearer(own, "Bob <b>")).status_code == 200
    own.ladder.log.read()
    assert own.ladder.log.events == events + 5


def test_a_challenge_begins_once_and_ends_with_its_bots(own: ServedLadder) -> None:
    line_up = ["ada", "bob", "tight"]
    for _ in range(2):
        own.client.post("/api/challenges", headers=bearer(own, "Ann"), json=line_up)
    (room,) = own.ladder.state.rooms
    own.ladder.note(BotPaused("bob"))
    assert next_challenge(own) is None
    own.ladder.note(RoomVoided(room, "the power failed"), BotResumed("bob"))
    for number in (1, 2):
        answer = own.client.post(f"/api/challenges/{number}/accept", headers=bearer(own, "Bob <b>"))
        assert answer.status_code == 200, answer.text
    ready = next_challenge(own)
    assert ready is not None
    own.ladder.finish(own.ladder.begin(ready.line_up, asked_by=ready.owner))
    assert len(list(own.ladder.state.challenges)) == 1
    own.ladder.note(BotBenched("bob", "it was late"))
    assert list(own.ladder.state.challenges) == []
