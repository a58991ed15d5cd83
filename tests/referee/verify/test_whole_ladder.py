"""`bourre ladder verify`: log, epochs, seasons and boards of a ladder prove each other."""

import json
import shutil
from collections.abc import Callable
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.ladder.host.administration import Administration
from bourre_referee.ladder.host.board_file import read_board
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import LOG
from bourre_referee.ladder.host.open_epochs import GameReader
from bourre_referee.ladder.log.event_log import LogReader, LogWriter, link_of
from bourre_referee.ladder.log.events import Event, LastBoardKept, TermsSet
from bourre_referee.verify.board_check import CheckedBoard, check_boards
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.verify_text import Unchecked
from bourre_referee.verify.whole_ladder import VerifiedLadder, _epochs_in_words, verify_ladder
from tests.referee.command import Bourre, said_by
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, host
from tests.referee.ladder.host.ladder_folders import make_ladder, state_of, with_bots

Values = dict[str, Any]
SEASON = "season-0001.json"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder in its second season, whose host was started again and has played on."""
    place = tmp_path_factory.mktemp("kept")
    ladder = make_ladder(place, SHORT_EPOCHS)
    with_bots(ladder, place, "ada", "bob", "cy")
    with host(ladder) as serving:
        serving.steps(8)
        serving.show()
        Administration(ladder).open_season()
        for _ in range(6):
            serving.steps(1)
            serving.show()
    with host(ladder, kept=read_board(ladder.board)) as serving:
        serving.steps(4)
        serving.show()
    return ladder.path


@pytest.fixture
def ladder(kept: Path, tmp_path: Path) -> LadderFolder:
    """A copy of it."""
    return LadderFolder(Path(shutil.copytree(kept, tmp_path / "ladder")))


def verified(ladder: LadderFolder) -> VerifiedLadder:
    return verify_ladder(ladder, jobs=1)


def test_an_honest_ladder_is_verified_and_says_what_was_checked(bourre: Bourre, kept: Path) -> None:
    done = bourre("ladder", "verify", kept)
    lines = done.out.splitlines()
    log = (kept / LOG).read_text().splitlines()
    state = state_of(LadderFolder(kept))
    assert (done.code, done.err) == (0, "")
    assert lines[0].startswith(f"log        {len(log)} lines")
    assert lines[0].endswith(link_of(log[-1]))
    assert [line.split()[1] for line in lines if line.startswith("epoch ")] == [
        str(epoch.number) for epoch in state.seasons.epochs
    ]
    season, board = (line for line in lines if line.startswith("board "))
    assert season.endswith(f", with the SHA-256 in the log, {state.seasons.last_boards[1][-1]}")
    assert board.startswith("board      board.json, after line ")
    last = state.epoch
    assert lines[-1] == (
        f"verified   the ladder without pairings of epoch {last}, schedule and cards of epoch {last}, standings of "
        f"epoch {last}, curves and changes: no difference in the rest"
    )


def test_what_was_checked_as_json(bourre: Bourre, kept: Path) -> None:
    document = json.loads(bourre("ladder", "verify", kept, "--json").out)
    state = state_of(LadderFolder(kept))
    assert (document["verified"], document["difference"]) == (True, None)
    assert [each["name"] for each in document["boards"]] == [SEASON, "board.json"]
    assert [each["epoch"] for each in document["epochs"]] == [epoch.number for epoch in state.seasons.epochs]


def test_the_board_holds_games_of_the_last_fit_and_later_ones(kept: Path) -> None:
    (board,) = read_board(kept / "board.json").boards
    assert 0 < board.refit_games < board.games


def change(path: Path, edit: Callable[[Values], object]) -> None:
    values = json.loads(path.read_text())
    edit(values)
    path.write_text(json.dumps(values))


def first_row(values: Values) -> Values:
    row: Values = values["boards"][0]["rows"]["ranked"][0]
    return row


def exchange_places(values: Values) -> None:
    rows = values["boards"][0]["rows"]["ranked"]
    rows[0]["place"], rows[1]["place"] = rows[1]["place"], rows[0]["place"]


EDITS: list[tuple[str, Callable[[Values], object], str]] = [
    ("a rating", lambda values: first_row(values)["rating"].update(mu=60.0), ".rating.mu is 60.0, should be"),
    ("a place", exchange_places, ".place.rank is 2, should be 1"),
    ("a tie", lambda values: values["boards"][0]["rows"].update(ties=[["ada.1", "bob.1"]]), ".rows.ties"),
    ("too few", lambda values: values["boards"][0]["rows"].update(too_few=[]), ".rows.too_few is [], should be "),
    ("games", lambda values: first_row(values).update(games=99), ".games is 99, should be"),
    ("chips", lambda values: first_row(values).update(chips_per_deal=1.5), ".chips_per_deal is 1.5, should be"),
    ("an owner", lambda values: first_row(values).update(owner="eve"), ".owner is "),
    ("another fit", lambda values: values["boards"][0].update(refit_games=1), "board.json: boards[0].rows"),
    ("too large a fit", lambda values: values["boards"][0].update(refit_games=10**9), "but the log has fewer"),
    ("a stale board", lambda values: values["boards"][0].update(is_stale=True), ".is_stale is true, should be false"),
    ("no class", lambda values: values.update(boards=[]), "boards is [], should be "),
    ("the season", lambda values: values.update(season=1), "season is 1, should be 2"),
    ("an earlier line", lambda values: values.update(events=values["events"] - 2), "board.json: "),
    ("a later line", lambda values: values.update(events=10**9), "board is of line 1000000000 of the log, which has "),
    ("no line", lambda values: values.pop("events"), "board is of line 0 of the log, which has "),
    ("a line before the first", lambda values: values.update(events=-5), "board is of line -5 of the log, which has "),
    ("a time without a zone", lambda values: values.update(at="2026-11-23T04:30:00"), "board.json is not a board: "),
    ("no board", lambda values: values.clear(), "board.json is not a board: "),
]


@pytest.mark.parametrize(("edit", "says"), [each[1:] for each in EDITS], ids=[each[0] for each in EDITS])
def test_an_edited_board_is_found(ladder: LadderFolder, edit: Callable[[Values], object], says: str) -> None:
    change(ladder.board, edit)
    with pytest.raises(Difference) as found:
        list(check_boards(ladder, state_of(ladder)))
    assert says in str(found.value)


def test_curves_and_changes_are_not_said_to_be_checked(ladder: LadderFolder) -> None:
    def edit(values: Values) -> None:
        values["boards"][0]["curves"] = {}
        first_row(values)["change"] = 9.5

    change(ladder.board, edit)
    assert any(each.what == "curves and changes" for each in verified(ladder).unchecked)


def test_an_edited_or_missing_board_of_a_season_is_found(bourre: Bourre, ladder: LadderFolder) -> None:
    change(ladder.last_board(1), lambda values: None)
    done = bourre("ladder", "verify", ladder.path)
    assert done.code == 4
    assert done.out.startswith(f"difference: {SEASON} has the SHA-256 ")
    ladder.last_board(1).unlink()
    assert said_by(4, "ladder", "verify", ladder.path).startswith(f"difference: {SEASON} cannot be read (No such file")


def rewrite(ladder: LadderFolder, edit: Callable[[list[Event]], object]) -> None:
    """Writes the log anew with these changes, and all hashes to match."""
    reader, writer = LogReader(), LogWriter()
    logged = [reader.read(line) for line in ladder.log.read_text().splitlines()]
    events = [each.event for each in logged]
    edit(events)
    times = chain((each.at for each in logged), repeat(logged[-1].at))
    ladder.log.write_text("".join(f"{writer.line(event, next(times))}\n" for event in events))


def forget_hashes(events: list[Event]) -> None:
    events[:] = [event for event in events if not isinstance(event, LastBoardKept)]


def test_a_log_without_the_hash_says_so_and_the_season_is_computed_again(ladder: LadderFolder) -> None:
    rewrite(ladder, forget_hashes)
    change(ladder.board, lambda values: values.update(events=values["events"] - 1))
    found = verified(ladder)
    assert [(each.name, each.logged) for each in found.boards] == [(SEASON, None), ("board.json", None)]
    assert f"hash of {SEASON}" in [each.what for each in found.unchecked]
    change(ladder.last_board(1), lambda values: first_row(values)["rating"].update(mu=60.0))
    with pytest.raises(Difference, match=rf"{SEASON}: boards\[0\]\.rows\.ranked\[0\]\.rating\.mu is 60.0"):
        list(check_boards(ladder, state_of(ladder)))


def test_boards_of_an_older_version_are_named(ladder: LadderFolder) -> None:
    rewrite(ladder, forget_hashes)
    for path in (ladder.board, ladder.last_board(1)):
        change(path, lambda values: values.pop("events"))
    found = list(check_boards(ladder, state_of(ladder)))
    assert {SEASON, "board.json"} <= {each.what for each in found if isinstance(each, Unchecked)}
    assert not any(isinstance(each, CheckedBoard) for each in found)


def test_ties_of_an_older_method_are_named_and_the_rest_is_checked(ladder: LadderFolder) -> None:
    def make_older(values: Values) -> None:
        rows = values["boards"][0]["rows"]
        del rows["ties"], rows["too_few"]
        first_row(values)["place"].update(tied="a", games_to_part=7)

    change(ladder.board, make_older)
    found = list(check_boards(ladder, state_of(ladder)))
    assert "ties of board.json" in [each.what for each in found if isinstance(each, Unchecked)]
    assert [each.name for each in found if isinstance(each, CheckedBoard)] == [SEASON, "board.json"]
    change(ladder.board, exchange_places)
    with pytest.raises(Difference, match=r"\.place\.rank is 2, should be 1"):
        list(check_boards(ladder, state_of(ladder)))


def test_games_are_rated_by_the_version_with_which_their_epoch_began(ladder: LadderFolder) -> None:
    """Older ones count the play of stand-ins for their bots."""
    seasons = state_of(ladder).seasons
    place = seasons.epochs[0].place(next(room for room in range(1, 99) if seasons.epochs[0].place(room).rated))
    assert not GameReader(ladder).read(1, place).with_stand_ins
    change(ladder.epochs / "0001" / "manifest.json", lambda values: values["ratings"].update(version=3))
    assert GameReader(ladder).read(1, place).with_stand_ins


def test_a_board_whose_terms_the_log_does_not_have_is_named(ladder: LadderFolder) -> None:
    def forget_terms(events: list[Event]) -> None:
        events[:] = [TermsSet(event.tables, ()) if isinstance(event, TermsSet) else event for event in events]

    rewrite(ladder, forget_terms)
    assert all(isinstance(each, Unchecked) for each in check_boards(ladder, state_of(ladder)))


@pytest.mark.parametrize("kind", ["", "-unrated"])
def test_a_deleted_epoch_is_found(ladder: LadderFolder, kind: str) -> None:
    shutil.rmtree(ladder.epochs / f"0002{kind}")
    assert (
        said_by(4, "ladder", "verify", ladder.path)
        == f"difference: epoch 0002{kind} is missing, but the log opened it\n"
    )


def test_a_log_that_was_cut_is_found(bourre: Bourre, ladder: LadderFolder) -> None:
    lines = ladder.log.read_text().splitlines(keepends=True)
    head = link_of(lines[-1].rstrip())
    assert bourre("ladder", "verify", ladder.path, "--published", head).code == 0
    ladder.log.write_text("".join(lines[:-4]))
    assert bourre("ladder", "verify", ladder.path).code == 4
    ladder.board.unlink()
    assert bourre("ladder", "verify", ladder.path, "--published", head).code == 4
    ladder.log.write_text("".join([*lines[:9], *lines[10:]]))
    done = bourre("ladder", "verify", ladder.path)
    assert (done.code, done.out[:53]) == (4, "difference: ladder.jsonl: line 10 does not follow the")


def test_a_lie_in_an_epoch_is_found_with_its_place(ladder: LadderFolder) -> None:
    change(ladder.epochs / "0002/standings.json", lambda values: values["standings"][0].update(mu=60.0))
    with pytest.raises(Difference, match=r"^epoch 0002: standings\.json: standings\[0\]\.mu is 60"):
        verified(ladder)


def test_a_ladder_is_verified_while_it_goes_on(ladder: LadderFolder) -> None:
    with host(ladder, kept=read_board(ladder.board)) as serving:

        def go_on(*_: object) -> None:
            if state_of(ladder).rooms_paired < 40:
                serving.steps(1)
                serving.show()

        found = verify_ladder(ladder, jobs=1, advance=go_on)
    assert [each.name for each in found.boards] == [SEASON, "board.json"]


def rated_room(ladder: LadderFolder, season: int) -> int:
    """The first rated room of a season."""
    state = state_of(ladder)
    epochs = {epoch.number for epoch in state.seasons.epochs if epoch.season == season}
    for room in range(1, state.rooms_paired + 1):
        place = state.seasons.place_of(room)
        if place and place.rated and place.epoch in epochs and room not in state.rooms:
            return room
    raise AssertionError(f"season {season} has no rated room")


def test_a_match_that_was_taken_back_counts_on_no_board(ladder: LadderFolder) -> None:
    admin = Administration(ladder)
    for season in (1, 2):
        admin.void(rated_room(ladder, season), "the host's clock stood")
    taken_back = [each.what for each in verified(ladder).unchecked]
    assert SEASON in taken_back
    with host(ladder, kept=read_board(ladder.board)) as serving:
        for _ in range(3):
            serving.steps(1)
            serving.show()
    boards = verified(ladder).boards
    assert [each.name for each in boards] == [SEASON, "board.json"]
    assert len(state_of(ladder).seasons.last_boards[1]) == 2


def test_a_pairing_that_is_to_come_cannot_be_checked(ladder: LadderFolder) -> None:
    def pair_otherwise(events: list[Event]) -> None:
        events.append(TermsSet("0" * 64, (("pairing", "99"),)))

    rewrite(ladder, pair_otherwise)
    assert "its rooms are paired by rule 99, which this version does not have" in said_by(
        2, "ladder", "verify", ladder.path
    )


def test_what_is_no_ladder_is_refused(tmp_path: Path) -> None:
    assert "is not a ladder" in said_by(2, "ladder", "verify", tmp_path)


def test_epochs_that_follow_each_other_are_told_as_a_range() -> None:
    told = [_epochs_in_words(numbers) for numbers in ([3], [3, 4], [3, 4, 5], [3, 4, 6], [1, 3])]
    assert told == ["epoch 3", "epochs 3, 4", "epochs 3 to 5", "epochs 3, 4, 6", "epochs 1, 3"]
