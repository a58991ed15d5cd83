"""`bourre verify --epoch`: log, matches and pairings of an epoch prove each other, while the ladder goes on."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.ladder.host.ladder_storage import LOG
from bourre_referee.ladder.log.event_log import LogReader, LogWriter, link_of
from bourre_referee.ladder.log.events import EpochClosed, EpochOpened, Event, LadderOpened, RoomPaired, TermsSet
from bourre_referee.ladder.log.log_file import LogFile
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.ladder.log.shared_log import SharedLog
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.epoch_check import VerifiedEpoch
from bourre_referee.verify.ladder_check import verify_epoch
from tests.referee.command import Bourre, said_by
from tests.referee.ladder.host.played_ladders import PlayedLadder, small_ladder
from tests.referee.realistic_rooms import played
from tests.referee.tampering import Tamperer, Values


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder with a closed epoch, in which a room was given up and one asked for, and one that is open."""
    ladder = small_ladder(tmp_path_factory.mktemp("kept"), played=played)
    ladder.play(10)
    ladder.give_up(ladder.call())
    ladder.finish(ladder.call("ab"))
    ladder.close_epoch()
    ladder.open_epoch()
    ladder.play(3)
    ladder.call()
    ladder.close()
    return ladder.folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(kept, tmp_path / "ladder"))


@pytest.fixture
def ladder(tmp_path: Path) -> PlayedLadder:
    """One with an open epoch, which goes on."""
    ladder = small_ladder(tmp_path, played=played)
    ladder.play(8)
    return ladder


def verified(folder: Path, epoch: int = 1) -> VerifiedEpoch:
    return verify_epoch(folder, epoch, jobs=1)


def test_an_honest_epoch_is_verified_and_says_what_was_checked(bourre: Bourre, kept: Path) -> None:
    done = bourre("verify", kept, "--epoch", 1)
    log = (kept / LOG).read_text().splitlines()
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:7] == [
        "epoch 1: no difference",
        f"log        {len(log)} lines, each with the hash of the line before. The last hash is {link_of(log[-1])}",
        "terms      board.tau = 0.008",
        "rooms      12 called by the log, and no other was played",
        "challenges 1 of these rooms had the line-ups that owners asked for",
        "pairings   11 rooms paired again: line-ups and seats follow from log and seed",
        "",
    ]
    assert "ladder-1: 5 of 5 matches verified, no difference" in done.out
    assert "ladder-1-unrated: 6 of 6 matches verified, no difference" in done.out
    assert done.out.splitlines()[-1] == "verified   all of epoch 1: no difference"


def test_what_was_checked_or_is_not_known_yet_as_text_and_json(bourre: Bourre, kept: Path) -> None:
    closed, going_on = (json.loads(bourre("verify", kept, "--epoch", epoch, "--json").out) for epoch in (1, 2))
    assert (closed["verified"], closed["paired_again"], closed["difference"]) == (True, True, None)
    assert (closed["rated"]["matches"], closed["unrated"]["matches"], closed["rooms"]) == (5, 6, 12)
    assert (going_on["paired_again"], going_on["rated"]["digest"], going_on["challenges"]) == (False, None, 0)
    said = bourre("verify", kept, "--epoch", 2).out.splitlines()
    why = "they follow from a seed that is secret until the epoch is closed"
    assert f"unchecked  pairings: {why}" in said
    assert said[-1] == "verified   epoch 2 without pairings, schedule and cards, standings: no difference in the rest"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["ladder", "--epoch", 3], "Unknown epoch 3 of"),
        (["ladder"], "ladder is a ladder, not a run"),
        (["ladder/epochs/0001", "--epoch", 1], "epochs/0001' is not a ladder, because it has no ladder.jsonl"),
    ],
)
def test_what_is_no_epoch_is_refused(bourre: Bourre, folder: Path, words: list[object], says: str) -> None:
    done = bourre("verify", folder.parent / str(words[0]), *words[1:])
    assert done.code not in (0, 4)
    assert says in done.err


def test_a_ladder_without_an_epoch_says_so(bourre: Bourre, tmp_path: Path) -> None:
    (tmp_path / LOG).write_text(f"{LogWriter().line(LadderOpened(3, owners_apart=True), '2026-11-23T04:30:00Z')}\n")
    assert "Unknown epoch 1 of" in bourre("verify", tmp_path, "--epoch", 1).err


def test_a_ladder_that_goes_on_meanwhile_is_verified(ladder: PlayedLadder) -> None:
    times = 0

    def go_on(*_: object) -> None:
        nonlocal times
        times += 1
        if times < 4:
            ladder.play(2)
        elif times == 4:
            ladder.give_up(ladder.call())
        elif times == 5:
            ladder.close_epoch()
            ladder.open_epoch()
            ladder.play()

    before = len(ladder.log.read_text().splitlines())
    found = verify_epoch(ladder.folder, 1, jobs=1, advance=go_on)
    assert times > 5
    assert found.lines > before
    assert verified(ladder.folder).paired_again
    assert verified(ladder.folder, 2).rooms == 1


def test_what_is_being_written_or_not_stored_yet_is_no_difference(ladder: PlayedLadder) -> None:
    ladder.note(RoomPaired(ladder.state.rooms_paired + 1, ("a", "b"), rated=False, asked_by="someone"))
    assert verified(ladder.folder).rooms == 9
    lines = verified(ladder.folder).lines
    with ladder.log.open("a") as log:
        log.write('{"previous":"')
    assert verified(ladder.folder).lines == lines


Rewriting = Callable[[list[Event]], object]


def rewrite(folder: Path, change: Rewriting) -> None:
    """Writes the log anew with these changes, and all hashes to match."""
    reader, writer = LogReader(), LogWriter()
    events = [reader.read(line).event for line in (folder / LOG).read_text().splitlines()]
    change(events)
    (folder / LOG).write_text("".join(f"{writer.line(event, '2026-11-23T04:30:00Z')}\n" for event in events))


def place(events: list[Event], kind: type[Event], nth: int = 0) -> int:
    """The place of the n-th event of this kind."""
    return [number for number, event in enumerate(events) if isinstance(event, kind)][nth]


def turn(events: list[Event]) -> None:
    """The first rated room of the first epoch gets other seats."""
    number = next(number for number, event in enumerate(events) if isinstance(event, RoomPaired) and event.rated)
    event = events[number]
    assert isinstance(event, RoomPaired)
    events[number] = RoomPaired(event.room, tuple(reversed(event.line_up)), rated=True)


def another_end(events: list[Event]) -> None:
    number = place(events, EpochClosed)
    events[number] = EpochClosed(1, "00" * 32, "")


def another_seed(events: list[Event]) -> None:
    number = place(events, EpochOpened)
    event = events[number]
    assert isinstance(event, EpochOpened)
    events[number] = EpochOpened(1, event.commitment, "00" * 32)


def other_tables(events: list[Event]) -> None:
    events[0] = LadderOpened(4, owners_apart=True)


def closed_at_once(events: list[Event]) -> None:
    events.insert(place(events, RoomPaired), events.pop(place(events, EpochClosed)))


LOGS: list[tuple[str, Rewriting, str]] = [
    ("a pairing", turn, "ladder.jsonl: room "),
    ("the end", another_end, "epoch 1: the digest of the rated matches, compared with the log, is "),
    (
        "the seed of unrated rooms",
        another_seed,
        "epoch 1: the commitment of the unrated rooms, compared with the log, is ",
    ),
    ("the seats", other_tables, "ladder.jsonl: room "),
    ("the order", closed_at_once, "ladder.jsonl: event "),
]


@pytest.mark.parametrize(("change", "says"), [log[1:] for log in LOGS], ids=[log[0] for log in LOGS])
def test_a_log_written_anew_is_found(folder: Path, change: Rewriting, says: str) -> None:
    rewrite(folder, change)
    with pytest.raises(Difference) as found:
        verified(folder)
    assert str(found.value).startswith(says)


def test_a_log_that_was_changed_or_cut_within_is_found(folder: Path) -> None:
    lines = (folder / LOG).read_text().splitlines(keepends=True)
    (folder / LOG).write_text("".join([*lines[:20], *lines[21:]]))
    assert said_by(4, "verify", folder, "--epoch", 1).startswith(
        "difference: ladder.jsonl: line 21 does not follow the line before it: restore the log"
    )


def test_a_log_written_anew_meanwhile_is_found(ladder: PlayedLadder) -> None:
    def lose_last_line(*_: object) -> None:
        lines = ladder.log.read_text().splitlines(keepends=True)
        ladder.log.write_text("".join(lines[:-1]))

    with pytest.raises(Difference, match="another program replaced it during the check"):
        verify_epoch(ladder.folder, 1, jobs=1, advance=lose_last_line)


def forget(epoch: Path, number: int) -> None:
    """Removes a match from the database."""
    for table in ("seat", "renege", "fault", "remark", '"match"'):
        Tamperer(epoch).execute(f"DELETE FROM {table} WHERE number = ?", number)


def lag_behind(values: Values) -> None:
    """Makes the manifest one that was written before the first match was stored."""
    values.update(finished=0, chain=values["log"][0]["chain"])


def test_a_finished_match_that_is_not_stored_is_found(folder: Path) -> None:
    forget(folder / "epochs/0002", 2)
    Tamperer(folder / "epochs/0002").change_json("manifest.json", lag_behind)
    with pytest.raises(Difference, match="match m0002: epoch 2: in the rated rooms: the log finished it, but"):
        verified(folder, 2)


def give_up(values: Values) -> None:
    values["given_up"] = [*values["given_up"], 2]
    values["matches"] -= 1
    lag_behind(values)


def test_a_match_that_is_left_out_as_given_up_is_found(folder: Path) -> None:
    forget(folder / "epochs/0002", 2)
    Tamperer(folder / "epochs/0002").change_json("manifest.json", give_up)
    with pytest.raises(Difference, match="match m0002: epoch 2: in the rated rooms: the log finished it, but"):
        verified(folder, 2)


def test_a_room_that_was_given_up_but_not_for_the_log_is_found(ladder: PlayedLadder) -> None:
    ladder.call("ab")
    ladder.unrated.give_up(ladder.unrated.manifest.rooms_called or 0)
    with pytest.raises(Difference, match="in the unrated rooms: it was given up, but it is not void in the log"):
        verified(ladder.folder)


def test_a_room_that_the_log_did_not_call_is_found(ladder: PlayedLadder) -> None:
    rooms = ladder.state.seasons.epochs[0].unrated
    ladder.unrated.call([*rooms, ("a.1", "b.1")])
    with pytest.raises(Difference, match=f"rooms, compared with the log, is {len(rooms) + 1}, should be {len(rooms)}"):
        verified(ladder.folder)


def test_a_line_up_that_the_log_did_not_call_is_found(ladder: PlayedLadder) -> None:
    rooms = ladder.state.seasons.epochs[0].unrated
    ladder.note(RoomPaired(ladder.state.rooms_paired + 1, ("a", "b"), rated=False, asked_by="someone"))
    ladder.unrated.call([*rooms[:-1], ("b.1", "a.1")])
    with pytest.raises(
        Difference, match=r"the line-up of this unrated match, compared with the log, is 'b.1' 'a.1', should be 'a"
    ):
        verified(ladder.folder)


def test_two_folders_exchanged_are_found(folder: Path) -> None:
    epochs = folder / "epochs"
    (epochs / "0001").rename(epochs / "kept")
    (epochs / "0001-unrated").rename(epochs / "0001")
    (epochs / "kept").rename(epochs / "0001-unrated")
    with pytest.raises(Difference, match="the seed differs from the commitment"):
        verified(folder)


def test_what_was_published_of_a_ladder_is_found_again(bourre: Bourre, kept: Path) -> None:
    log = (kept / LOG).read_text().splitlines()
    manifest = kept / "epochs/0001/manifest.json"
    commitment = json.loads(manifest.read_text())["seed"]["commitment"]
    for published in (link_of(log[7]), link_of(log[-1]), commitment, str(manifest)):
        assert bourre("verify", kept, "--epoch", 1, "--published", published).code == 0
    for other in (link_of("a line"), str(kept / "epochs/0002/manifest.json")):
        done = bourre("verify", kept, "--epoch", 1, "--published", other)
        assert (done.code, done.out[:15]) == (4, "difference: the")


def test_a_match_that_was_taken_back_is_told(bourre: Bourre, folder: Path) -> None:
    room = next(room for room in range(1, 13) if place_in(folder, room) == Place(1, rated=True, match=3))
    assert bourre("ladder", "annul", folder, room, "--reason", "the host's clock stood").code == 0
    said = "void       m0003 was annulled by the host (the host's clock stood): the board does not count it"
    assert said in bourre("verify", folder, "--epoch", 1).out.splitlines()
    assert verified(folder).taken_back == {"m0003": "the host's clock stood"}
    assert verified(folder, epoch=2).taken_back == {}


def place_in(folder: Path, room: int) -> Place | None:
    log = SharedLog(LogFile(folder / LOG))
    log.read_new()
    return log.state.seasons.place_of(room)


def test_tables_with_other_terms_than_those_logged_are_found(ladder: PlayedLadder) -> None:
    ladder.note(TermsSet("0" * 64, ()))
    assert verified(ladder.folder).terms == {"board.tau": "0.008"}
    ladder.close_epoch()
    ladder.open_epoch()
    ladder.close()
    with pytest.raises(Difference, match="the hash of a table's terms, compared with the log,"):
        verified(ladder.folder, 2)
