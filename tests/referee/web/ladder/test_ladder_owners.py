"""What owners see and do on a ladder's pages, and what nobody does with the key of another."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import httpx
import pytest

from bourre_referee.ladder.log.challenges import Challenge
from bourre_referee.ladder.log.events import (
    BotArrived,
    BotBenched,
    BotJoined,
    BotPaused,
    BotResumed,
    BotRetired,
    ChallengeAsked,
    ChallengesWelcomed,
    RoomVoided,
)
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.storage.run.bot_zip import unpack_submitted
from bourre_referee.storage.run.run import Run
from bourre_referee.web.ladder import owned_rooms as owned
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.owned_rooms import FinishedRooms, OwnedRoom, owned_rooms
from bourre_referee.web.ladder.owner_acts import ladder_keys
from bourre_referee.web.ladder.owner_routes import ProbationReports, owner_view
from bourre_referee.web.template_filters import signed
from tests.referee.web.ladder.shown_ladders import ServedLadder, ShownLadder, asked_here
from tests.referee.web.reading import PageRead

LINE_UP = ["ada", "bob", "tight"]
MINE = "from bourre import Bot, run\nrun(Bot)\n"


@pytest.fixture
def own(tmp_path: Path) -> ServedLadder:
    """A ladder that a test may change: one room is over, and another one, of `ada` and the staff, is being played."""
    ladder = ShownLadder(tmp_path / "host")
    ladder.play(1)
    ladder.begin()
    return asked_here(ladder)


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


def act(
    served: ServedLadder, owner: str, path: str, json: object = None, content: bytes | None = None
) -> httpx.Response:
    """What the API answers to an owner."""
    return served.client.post(f"/api/{path}", headers=bearer(served, owner), json=json, content=content)


def submit(served: ServedLadder, content: bytes, owner: str = "Bob <b>", bot: str = "bob") -> httpx.Response:
    """What the API answers to an owner who submits a version."""
    return act(served, owner, f"bots/{bot}/versions", content=content)


def form(served: ServedLadder, owner: str, path: str, **fields: str) -> int:
    """The status of the answer to a form of an owner's page."""
    return served.client.post(f"/owner/{path}", data=fields, headers=served.cookie(owner)).status_code


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
    run = Run.open(ladder.folder.epoch(place.epoch, rated=False))
    (stored,) = (each.stored for each in run.new_matches(()) or () if each.stored.number == place.match)
    (own,) = (seat for seat in stored.seats if seat.bot == "bob.1")
    assert {told[2], told[3]} == {seat.bot for seat in stored.seats} - {"bob.1"}
    assert (int(told[4]), told[5]) == (own.rank, signed(own.chips / stored.unit / stored.deals, 2))
    assert ("no fault" in page) == (not own.faults)
    for kind, times in own.faults_by_kind:
        assert f"{kind} {times} time" in page


def test_the_last_probation_that_is_over_is_told(own: ServedLadder) -> None:
    """Neither one that is being played nor a void one, and no challenge."""
    ladder, reader = own.ladder, LadderReader(own.ladder.folder)
    reports = ProbationReports(ladder.folder)

    def told() -> tuple[int, str] | None:
        with reader.now() as now:
            report = reports.newest(now, "ada")
            assert reports.newest(now, "cy") is None
        return (report.room, report.entrant) if report else None

    assert told() == (1, "ada.1")
    ladder.finish(2)
    ladder.join("ada", "Ann")
    ladder.note(BotPaused("bob"), BotPaused("cy"), BotArrived("ada"))
    assert ladder.begin() == 3
    assert told() == (1, "ada.1")
    ladder.note(RoomVoided(3, "the power failed"))
    assert told() == (1, "ada.1")
    ladder.play(1)
    assert told() == (4, "ada.2")
    ladder.note(ChallengeAsked("Ann", ("ada", "tight", "loose")))
    ladder.finish(ladder.begin(("ada", "tight", "loose"), asked_by="Ann"))
    assert told() == (4, "ada.2")


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
    page = own.text("/owner", "Bob <b>")
    assert ("never started" in page, "Its report will appear here" in page) == (False, True)


def test_hands_and_notes_are_those_of_the_owner_alone(
    served_ladder: ServedLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = room_of(served_ladder, "bob.1")
    place = served_ladder.ladder.state.seasons.place_of(room)
    assert place
    run = Run.open(served_ladder.ladder.folder.epoch(place.epoch, rated=place.rated))
    (bots,) = ([seat.bot for seat in each.seats] for each in run.results() if each.match == f"m{place.match:04}")
    said = tuple(SeatRemarks((Note(1, None, 1, f"I am {bot}!"),)) for bot in bots)
    monkeypatch.setattr(Run, "remarks", lambda self, match: said)
    text = served_ladder.text(f"/owner/hands/{room}", "Bob <b>")
    dealt = [line for line in text.splitlines() if " is dealt " in line]
    assert dealt
    assert all("bob.1" in line for line in dealt), dealt
    assert re.findall(r"I am (.+)!", text) == ["bob.1"]


def private_addresses(served: ServedLadder) -> list[str]:
    """Addresses of what is Bob's, written in many ways."""
    log, room = f"room{room_of(served, 'bob.1'):06}", room_of(served, "bob.1")
    logs = ["bob.1/{}", "ada.1%2F..%2Fbob.1/{}", "ada.1/..%2Fbob.1%2F{}", "ada.1/../bob.1/{}", "ada.1//bob.1/{}"]
    logs += ["ADA.1/{}", "ada../{}", "ada.1/{}.log", "ada.1/%2e%2e%2fbob.1%2f{}"]
    hands = (f"{room}%2F", "0", "-1", "999999")
    return [*(f"/owner/logs/{each.format(log)}" for each in logs), *(f"/owner/hands/{each}" for each in hands)]


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


def test_a_room_has_hands_and_a_log_once_it_is_over(own: ServedLadder) -> None:
    """A bot may print its cards while it plays; the log of a room that was not called yet is none either."""
    for room in (2, 3):
        (own.ladder.folder.logs / "ada.1" / f"room{room:06}.log").write_text("AS KS QS")

    paths = ("logs/ada.1/room000002", "hands/2", "logs/ada.1/room000003", "hands/3")

    def found() -> list[int]:
        """The status of each; a page links to what is there."""
        page = own.text("/owner", "Ann")
        found = [own.client.get(f"/owner/{path}", headers=own.cookie("Ann")).status_code for path in paths]
        assert [f'href="/owner/{path}"' in page for path in paths] == [status == 200 for status in found]
        return found

    assert found() == [404] * 4
    own.ladder.finish(2)
    assert found() == [200, 200, 404, 404]
    finished = FinishedRooms(own.ladder.state)
    known = ("room000002", "room2", "room000003", "room0000000000002", "m000002", "room00002x", 2)
    assert [name in finished for name in known] == [True, *[False] * 6]


def test_the_newest_rooms_are_listed_with_all_their_logs(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rated room also without a log, any other one only with one; in every version."""
    ladder = own.ladder
    ladder.finish(2)
    ladder.note(BotPaused("bob"), BotPaused("cy"))
    ladder.play(1)
    ladder.join("ada", "Ann")
    ladder.note(BotArrived("ada"))
    ladder.play(1)
    logs = ladder.folder.logs
    (logs / "ada.1" / "room000002.log").unlink()
    (logs / "ada.1" / "room000003.2.log").write_text("again\n")

    def listed() -> list[OwnedRoom]:
        with LadderReader(ladder.folder).now() as now:
            return list(owned_rooms(now, ladder.folder, "ada"))

    third = OwnedRoom(3, "ada.1", ("room000003", "room000003.2"))
    whole = [OwnedRoom(4, "ada.2", ("room000004",)), third, OwnedRoom(2, "ada.1", ())]
    assert listed() == [*whole, OwnedRoom(1, "ada.1", ("room000001",))]
    (logs / "ada.1" / "room000001.log").unlink()
    assert listed() == whole
    monkeypatch.setattr(owned, "MOST_ROOMS", 2)
    assert listed() == whole[:2]


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


def test_no_other_site_sends_a_form_for_an_owner(own: ServedLadder) -> None:
    """A cookie is sent to every port of a host, so another server there could send a form of its own."""
    for site in ("cross-site", "same-site", "none"):
        for path, fields in (("", {"key": own.ladder.key("Ann")}), ("/pause", {"bot": "ada"}), ("/leave", {})):
            headers = {**own.cookie("Ann"), "Sec-Fetch-Site": site}
            assert own.client.post(f"/owner{path}", data=fields, headers=headers).status_code == 403
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
    assert act(own, "Ann", "bots/ada/pause").json() == {"done": "ada is paused"}
    assert own.ladder.state.bots["ada"].paused
    answer = own.client.post("/owner/resume", data={"bot": "ada"}, headers=own.cookie("Ann"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/owner")
    assert not own.ladder.state.bots["ada"].paused
    assert form(own, "Ann", "pause", bot="ada") == 303
    assert own.ladder.state.bots["ada"].paused
    assert act(own, "Ann", "bots/ada/resume").json() == {"done": "ada plays on"}
    assert not own.ladder.state.bots["ada"].paused


def test_an_owner_undoes_nothing_that_the_host_did(own: ServedLadder) -> None:
    own.ladder.note(BotPaused("ada", by="host"))
    answer = act(own, "Ann", "bots/ada/resume")
    assert (answer.status_code, "only the host can resume it" in answer.text) == (409, True)
    assert "Only the host can resume it." in own.client.get("/owner", headers=own.cookie("Ann")).text
    own.ladder.note(BotRetired("bob", by="host"))
    answer = submit(own, zip_of(bot_py="from bourre import Bot\n"))
    assert (answer.status_code, "only the host can take it in again" in answer.text) == (409, True)
    assert own.ladder.state.bots["bob"].retired


def test_nobody_changes_what_is_anothers(own: ServedLadder) -> None:
    events, strange = own.ladder.log.events, {"Authorization": own.ladder.key("Bob <b>")}
    for path in ("bots/bob/pause", "bots/bob/resume", "bots/bob/versions", "bots/tight/pause"):
        for headers in (bearer(own, "Ann"), {}, strange, bearer(own, "host")):
            answer = own.client.post(f"/api/{path}", headers=headers, content=zip_of(bot_py=""))
            assert answer.status_code == 403
        assert own.client.post(f"/api/{path}?key={own.ladder.key('Bob <b>')}").status_code == 403
        assert own.client.get(f"/api/{path}", headers=bearer(own, "Bob <b>")).status_code in (404, 405)
    assert form(own, "Ann", "pause", bot="bob") == 403
    own.ladder.log.read()
    assert own.ladder.log.events == events


def test_an_owner_submits_a_version_as_a_zip(own: ServedLadder) -> None:
    data = zip_of(bot_py="print('new')\n", **{"lib/more_py": "x = 1\n"})
    answer = act(own, "Bob <b>", "bots/bob/versions?version=next", content=data)
    assert (answer.status_code, answer.json()) == (201, {"done": "version 2 of bob joined"})
    joined = own.ladder.state.bots["bob"].joined
    assert (joined.version, joined.command, joined.by) == ("next", ("python", "bot.py"), "owner")
    assert [path for path, _ in joined.files] == ["bot.py", "lib/more.py"]
    assert (own.ladder.folder.files_of("bob", 2) / "lib" / "more.py").read_text() == "x = 1\n"


def test_a_version_is_put_where_its_command_looks(own: ServedLadder) -> None:
    """A file by itself, a folder as a forge packs it, and a bot under another name."""
    forge = zip_of(**{"bob-main/Bot_py": MINE, "bob-main/lib/more_py": ""})
    for number, (data, files) in enumerate(
        (
            (MINE.encode(), ["bot.py"]),
            (forge, ["bot.py", "lib/more.py"]),
            (zip_of(mine_py=MINE, help_py=""), ["bot.py", "help.py"]),
        ),
        start=2,
    ):
        assert submit(own, data).json() == {"done": f"version {number} of bob joined"}
        assert [path for path, _ in own.ladder.state.bots["bob"].joined.files] == files
        assert (own.ladder.folder.files_of("bob", number) / "bot.py").read_text() == MINE


def linked() -> bytes:
    """A zip with a symbolic link."""
    buffer, entry = BytesIO(), ZipInfo("bot.py")
    entry.external_attr = 0o120777 << 16
    with ZipFile(buffer, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return buffer.getvalue()


def test_a_bad_zip_is_refused_in_words(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    for data, words in (
        (b"", "Cannot read this zip"),
        (zip_of(bot_py="1")[:-30], "Cannot read this zip"),
        (zip_of(), "has no file"),
        (zip_of(_="1", bot_py="2"), "not a path inside"),
        (zip_of(**{"../bot_py": "1"}), "not a path inside"),
        (zip_of(**{"/bot_py": "1"}), "not a path inside"),
        (zip_of(bot_py="1", BOT_py="2"), "of the same name"),
        (zip_of(other_py="1"), "bot.py"),
        (linked(), "is a link"),
    ):
        answer = submit(own, data)
        assert answer.status_code == 409, answer.text
        assert words in answer.json()["detail"]
        assert str(own.ladder.place) not in answer.text
    monkeypatch.setattr("bourre_referee.storage.run.bot_zip.LARGEST_BOT", 10)
    answer = submit(own, zip_of(bot_py="0" * 11))
    assert (answer.status_code, "are larger than" in answer.json()["detail"]) == (409, True)
    monkeypatch.setattr("bourre_referee.web.ladder.owner_api.LARGEST_ZIP", 100)
    assert submit(own, bytes(101)).status_code == 413
    assert own.ladder.state.bots["bob"].joined.number == 1


def test_who_starts_a_bot_submits_no_version_of_it(own: ServedLadder) -> None:
    own.ladder.note(BotJoined("far", 1, "1", "Cy", "default"))
    answer = submit(own, zip_of(bot_py=MINE), "Cy", "far")
    assert (answer.status_code, answer.json()["detail"]) == (409, "far is not started here")
    assert "remote bot of <bdi>Cy</bdi>" in own.text("/bots/far")
    assert own.text("/owner", "Cy").count("A new version is a zip of its files") == 1


def test_one_zip_is_unpacked_at_a_time(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    """An owner who sends many at once takes neither the memory nor the threads of the pages."""
    others = list[httpx.Response]()

    def unpack(data: bytes, folder: Path, main: str) -> tuple[str, ...]:
        others.append(submit(own, data))
        return unpack_submitted(data, folder, main)

    with monkeypatch.context() as patch:
        patch.setattr("bourre_referee.ladder.host.joining.unpack_submitted", unpack)
        assert submit(own, zip_of(bot_py="1")).status_code == 201
    assert [(other.status_code, other.json()["detail"]) for other in others] == [
        (503, "another version is being added")
    ]
    assert submit(own, zip_of()).status_code == 409
    assert submit(own, zip_of(bot_py="2")).status_code == 201


def test_an_owner_asks_for_challenges_up_to_a_bound(own: ServedLadder) -> None:
    for number in (1, 2):
        answer = act(own, "Ann", "challenges", json=LINE_UP)
        told = f"challenge {number}: ada, bob, tight play once their owners agree and all are free"
        assert (answer.status_code, answer.json()["done"]) == (201, told)
    assert [each.line_up for each in own.ladder.state.challenges] == [("ada", "bob", "tight")] * 2
    refused = act(own, "Ann", "challenges", json=LINE_UP)
    assert (refused.status_code, refused.json()["detail"]) == (409, "Ann has 2 challenges waiting, which is the most")
    assert own.text("/owner", "Ann").count("ada, bob, tight") == 2
    assert form(own, "Cy", "challenges", bots="cy, tight bob") == 303
    assert [each.line_up for each in own.ladder.state.challenges.of("Cy")] == [("cy", "tight", "bob")]


def test_a_challenge_that_makes_no_sense_is_refused(own: ServedLadder) -> None:
    for bots in (LINE_UP[:2], ["ada", "ada", "bob"], ["bob", "cy", "tight"], ["ada", "bob", "x"]):
        assert act(own, "Ann", "challenges", json=bots).status_code == 409
        assert act(own, "Ann", "challenges", json={"bots": bots}).status_code == 400
        assert own.client.post("/api/challenges", json=bots).status_code == 403
    assert list(own.ladder.state.challenges) == []


def next_challenge(own: ServedLadder) -> Challenge | None:
    """The challenge that would begin now, if nobody else waited."""
    return own.ladder.state.challenges.next(own.ladder.state.bots, ())


def test_owners_agree_to_challenges_or_decline_them(own: ServedLadder) -> None:
    """By the API and by the forms of their pages; nobody answers for another."""
    for _ in range(2):
        act(own, "Ann", "challenges", json=LINE_UP)
    with LadderReader(own.ladder.folder).now() as now:
        reports = ProbationReports(own.ladder.folder)
        ann, bob = (owner_view(now, own.ladder.folder, reports, owner) for owner in ("Ann", "Bob <b>"))
        both = tuple(now.state.challenges)
    assert (ann.challenges, ann.asked, bob.challenges, bob.asked, bob.seats) == (both, (), (), both, 3)
    assert "asks for ada, bob, tight" in own.text("/owner", "Bob <b>")
    assert "Nobody waits for your answer" in own.text("/owner", "Cy")
    refused = act(own, "Cy", "challenges/1/accept")
    assert (refused.status_code, refused.json()["detail"]) == (409, "challenge 1 does not ask Cy")
    assert own.client.post("/api/challenges/1/accept").status_code == 403
    assert form(own, "Bob <b>", "answer", challenge="1", accepted="yes") == 303
    assert next(iter(own.ladder.state.challenges)).accepted == {"Bob <b>"}
    assert act(own, "Bob <b>", "challenges/2/decline").json() == {"done": "challenge 2 is off"}
    assert form(own, "Ann", "answer", challenge="1") == 303
    assert list(own.ladder.state.challenges) == []
    assert form(own, "Ann", "answer", challenge="x") == 400


def test_an_owner_agrees_to_all_challenges_until_asked_again(own: ServedLadder) -> None:
    for _ in range(2):
        assert act(own, "Cy", "challenges/welcome").status_code == 200
    assert own.ladder.state.challenges.welcoming == {"Cy"}
    assert "Ask me for each challenge" in own.text("/owner", "Cy")
    assert form(own, "Cy", "welcome", welcome="no") == 303
    assert own.ladder.state.challenges.welcoming == set()
    assert form(own, "Cy", "welcome", welcome="yes") == 303
    assert act(own, "Cy", "challenges/ask").status_code == 200
    assert own.ladder.state.challenges.welcoming == set()
    said = [each.event for each in own.ladder.folder.open_log().read_new()]
    assert [each.welcome for each in said if isinstance(each, ChallengesWelcomed)] == [True, False, True, False]


def test_an_owner_asks_for_few_challenges_a_day(own: ServedLadder) -> None:
    assert act(own, "Ann", "bots/ada/pause").status_code == 200
    assert act(own, "Ann", "bots/ada/resume").status_code == 200
    for number in range(1, 11):
        assert act(own, "Ann", "challenges", json=LINE_UP).status_code == 201
        act(own, "Ann", f"challenges/{number}/decline")
    refused = act(own, "Ann", "challenges", json=LINE_UP)
    assert (refused.status_code, "10 challenges in a day" in refused.json()["detail"]) == (409, True)
    assert act(own, "Bob <b>", "challenges", json=LINE_UP).status_code == 201


def test_an_owner_switches_a_bounded_number_of_times_a_day(own: ServedLadder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Challenges do not count, nor what others switch, nor what was switched more than a day ago."""
    monkeypatch.setattr("bourre_referee.web.ladder.owner_acts.SWITCHES_PER_DAY", 4)
    assert act(own, "Ann", "challenges", json=LINE_UP).status_code == 201
    for switch in ("bots/ada/pause", "bots/ada/resume", "challenges/welcome", "challenges/ask"):
        assert act(own, "Ann", switch).status_code == 200
    assert act(own, "Bob <b>", "bots/bob/pause").status_code == 200
    for hours, status in ((0, 409), (23, 409), (25, 200)):
        now = datetime.now(UTC) + timedelta(hours=hours)
        monkeypatch.setattr("bourre_referee.web.ladder.owner_acts.utc_now", lambda now=now: now)
        events = own.ladder.state.events
        assert [act(own, "Ann", each).status_code for each in ("bots/ada/pause", "challenges/welcome")] == [status] * 2
        assert own.ladder.state.events == events + 2 * (status == 200)


def test_a_challenge_begins_once_and_ends_with_its_bots(own: ServedLadder) -> None:
    for _ in range(2):
        act(own, "Ann", "challenges", json=LINE_UP)
    (room,) = own.ladder.state.rooms
    own.ladder.note(BotPaused("bob"))
    assert next_challenge(own) is None
    own.ladder.note(RoomVoided(room, "the power failed"), BotResumed("bob"))
    for number in (1, 2):
        answer = act(own, "Bob <b>", f"challenges/{number}/accept")
        assert (answer.status_code, answer.json()) == (200, {"done": f"you agreed to challenge {number}"})
    ready = next_challenge(own)
    assert ready is not None
    own.ladder.finish(own.ladder.begin(ready.line_up, asked_by=ready.owner))
    assert len(list(own.ladder.state.challenges)) == 1
    own.ladder.note(BotBenched("bob", "it was late"))
    assert list(own.ladder.state.challenges) == []
