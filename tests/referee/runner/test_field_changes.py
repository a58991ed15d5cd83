"""Late entry and withdrawal: played matches stay, the remaining bots go on, and everything is verified."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre_referee.contest.contest_file import load
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.start import begin
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from tests.referee import contests
from tests.referee.command import Bourre, Ended, called
from tests.referee.in_process import finished_run, leave_at, rooms_in_process
from tests.referee.tampering import Tamperer, Values

FIVE = contests.BOTS
FOUR = FIVE[:4]
SIX = (*FIVE, "fay")
ONE_ROUND = contests.FILE.replace("rounds = 2", "rounds = 1")
SECRET = ONE_ROUND.replace("seed = 7\n", "")
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def bourre() -> Iterator[Bourre]:
    with rooms_in_process():
        yield called


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five bots and their finished run."""
    place = tmp_path_factory.mktemp("kept")
    finished_run(place, ONE_ROUND)
    return place


class Contests:
    """A contest whose file is rewritten for other bots, and its run folder."""

    def __init__(self, place: Path, bourre: Bourre) -> None:
        self.place, self.folder, self.bourre = place, place / "run", bourre

    def play(self, bots: tuple[str, ...], *words: object, text: str = ONE_ROUND) -> Ended:
        """Runs `bourre run` with these bots in the file."""
        file = contests.write_contest(self.place / "contest", text, bots)
        return self.bourre("run", file, "--out", self.folder, "--jobs", 1, *words)

    def play_some(
        self, matches: int, bots: tuple[str, ...] = FIVE, text: str = ONE_ROUND, change: bool = False
    ) -> None:
        """Leaves a run with this many matches finished."""

        contest = load(contests.write_contest(self.place / "contest", text, bots))
        leave_at(matches, contest, self.folder, change_bots=change)

    @property
    def manifest(self) -> Manifest:
        return Run.open(self.folder).manifest

    def verified(self) -> str:
        """What `bourre verify` prints for a run without a difference."""
        done = self.bourre("verify", self.folder)
        assert (done.code, done.err) == (0, "")
        return done.out


@pytest.fixture
def contest(tmp_path: Path, bourre: Bourre) -> Contests:
    """A contest that has not begun."""
    return Contests(tmp_path, bourre)


@pytest.fixture
def finished(kept: Path, tmp_path: Path, bourre: Bourre) -> Contests:
    """A contest that five bots have finished."""
    return Contests(Path(shutil.copytree(kept, tmp_path / "place")), bourre)


def line_ups(folder: Path) -> dict[str, tuple[str, ...]]:
    """Who played in each match, seat by seat."""
    return {result.match: tuple(seat.bot for seat in result.seats) for result in Run.open(folder).results()}


def test_other_bots_are_refused_unless_it_is_said_that_they_are_meant(finished: Contests) -> None:
    before = {path: path.read_bytes() for path in finished.folder.iterdir() if path.is_file()}
    done = finished.play(SIX)
    assert done.code == 2
    assert (
        "bot fay is new.\nhint: undo the changes, add --change-bots to go on with these bots and keep what was "
        "played, or set another folder with --out"
    ) in done.err
    assert {path: path.read_bytes() for path in finished.folder.iterdir() if path.is_file()} == before


def test_other_terms_are_refused_also_when_bots_came(finished: Contests) -> None:
    done = finished.play(SIX, "--change-bots", text=ONE_ROUND.replace("deals = 4", "deals = 5"))
    assert done.code == 2
    assert "[table] deals was 4, is 5, bot fay is new." in done.err
    (finished.place / "contest" / "ada.py").write_text("another ada")
    contest_file = finished.place / "contest" / "contest.toml"
    contest_file.write_text(ONE_ROUND + "\n".join(map(contests.bot, SIX)))
    done = finished.bourre("run", contest_file, "--out", finished.folder, "--change-bots")
    assert (done.code, "ada.py was changed" in done.err) == (2, True)


def test_a_late_bot_finds_what_was_played_and_plays_with_all(finished: Contests) -> None:
    first = line_ups(finished.folder)
    records = [Run.open(finished.folder).record(match) for match in first]
    done = finished.play(SIX, "--change-bots")
    assert done.code == 0
    assert "stage 2: bots joined or left. Earlier matches are kept." in done.err
    assert "resumed: 5 of 11 matches were finished before" in done.err
    now = line_ups(finished.folder)
    assert list(now) == [f"m{number:04d}" for number in range(1, 12)]
    assert {match: now[match] for match in first} == first
    assert [Run.open(finished.folder).record(match) for match in first] == records
    added = [line_up for match, line_up in now.items() if match not in first]
    assert all(Counter(seat) == dict.fromkeys(SIX, 1) for seat in zip(*added, strict=True))
    standings = json.loads(finished.bourre("standings", finished.folder, "--json").out)
    deals = {row["bot"]: row["deals"] for row in standings["standings"]}
    assert deals == {**dict.fromkeys(FIVE, 24), "fay": 12}
    assert "11 of 11 matches verified, no difference" in finished.verified()
    assert "its bots were ada, bob, cy, dee, eve (nothing was left out)" in finished.verified()


def test_a_bot_that_leaves_keeps_its_place_and_the_stage_is_said_to_be_cut_short(contest: Contests) -> None:
    contest.play_some(3)
    before = line_ups(contest.folder)
    assert contest.play(FOUR, "--change-bots").code == 0
    now = line_ups(contest.folder)
    assert {match: now[match] for match in before} == before
    assert len(now) == 3 + 4
    assert all("eve" not in line_up for match, line_up in now.items() if match not in before)
    assert {row.bot for row in standings_of(Run.open(contest.folder)).rows} == {*FIVE}
    assert contest.manifest.bots == FIVE
    said = "its bots were ada, bob, cy, dee, eve (it ended after 3 of the 5 matches of its schedule)\n"
    assert said in contest.verified()
    document = json.loads(contest.bourre("verify", contest.folder, "--json").out)
    assert (document["left_out"], document["cut_short"]) == ([], [{"stage": 1, "matches": 3, "of": 5}])
    labels = [stage.label("match 4") for stage in contest.manifest.stages]
    assert labels == ["match 4", "match 4 of stage 2"]
    records = [Run.open(contest.folder).record(match).splitlines() for match in now]
    assert len({json.loads(header)["seed"] for header, *_ in records}) == 7, "no two have the same cards"


def test_it_is_asked_for_once_and_resumes_without(contest: Contests) -> None:
    contest.play_some(3)
    contest.play_some(5, FOUR, change=True)
    assert contest.manifest.stages[1].first == 4
    contest.verified()
    before = line_ups(contest.folder)
    done = contest.play(FOUR)
    assert (done.code, "resumed: 5 of 7 matches" in done.err) == (0, True)
    assert {match: line_ups(contest.folder)[match] for match in before} == before
    digest = contest.manifest.digest
    assert contest.play(FOUR, "--change-bots").code == 0
    assert (contest.manifest.digest, len(contest.manifest.closed)) == (digest, 1)


@pytest.fixture
def with_a_gap(finished: Contests) -> Contests:
    """A contest whose third match is finished and whose second is not."""
    void(finished.folder, "m0002", "the power failed", NOON)
    return finished


def test_what_was_not_finished_is_left_out_and_said_to_be(with_a_gap: Contests) -> None:
    assert with_a_gap.play(FOUR, "--change-bots").code == 0
    manifest = with_a_gap.manifest
    assert (set(manifest.missing), manifest.matches, manifest.finished) == ({2}, 8, 8)
    assert "m0002" not in line_ups(with_a_gap.folder)
    assert "left out, without a result that counts: m0002)\n" in with_a_gap.verified()
    document = json.loads(with_a_gap.bourre("verify", with_a_gap.folder, "--json").out)
    assert (document["left_out"], document["cut_short"]) == (["m0002"], [])


def test_a_stage_without_a_line_up_is_a_difference(finished: Contests) -> None:
    """An organiser who dislikes the last results could cut them off and claim that the contest ended before them."""
    hand = Tamperer(finished.folder)
    for table in ("seat", "renege", "fault", "match"):
        hand.execute(f'DELETE FROM "{table}" WHERE number > 4')

    def close(values: Values) -> None:
        terms = values["terms"]
        values["closed"] = [{"bots": terms["bots"], "schedule": terms["schedule"], "places": 4, "missing": []}]
        values["matches"] = 4
        terms["schedule"] = {"kind": "line-ups", "line_ups": []}

    hand.change_json("manifest.json", close)
    done = finished.bourre("verify", finished.folder)
    said = "difference: manifest.json: the terms are impossible: a schedule of kind 'line-ups' without a line-up\n"
    assert (done.code, done.out) == (4, said)


def test_bots_may_come_and_go_often(finished: Contests) -> None:
    assert finished.play(FOUR, "--change-bots").code == 0
    assert finished.play(SIX, "--change-bots", text=contests.FILE).code == 0
    assert [stage.places for stage in finished.manifest.stages] == [5, 4, 12], "more rounds may come with the bots"
    assert finished.manifest.bots == SIX
    assert "21 of 21 matches verified" in finished.verified()


def test_a_bot_that_comes_back_must_be_the_same_also_where_a_manifest_lacks_whether_it_was_trusted(
    finished: Contests,
) -> None:
    finished.play(FOUR, "--change-bots")
    contest_file = contests.write_contest(finished.place / "contest", ONE_ROUND, FIVE)
    own = (contest_file.parent / "eve.py").read_text()
    (contest_file.parent / "eve.py").write_text("another eve")
    done = finished.bourre("run", contest_file, "--out", finished.folder, "--change-bots")
    assert done.code == 2
    assert "bot eve played in this contest before with a different command or files.\nhint: rename it" in done.err
    (contest_file.parent / "eve.py").write_text(own)
    hand = Tamperer(finished.folder)
    hand.change_json("manifest.json", lambda values: [bot.pop("trusted") for bot in values["closed"][0]["bots"]])
    assert finished.bourre("run", contest_file, "--out", finished.folder, "--change-bots").code == 0


def test_a_secret_seed_stays_secret_from_stage_to_stage_and_deals_to_nobody_once_it_was_revealed(
    contest: Contests,
) -> None:
    contest.play_some(2, text=SECRET)
    contest.play_some(4, SIX, text=SECRET, change=True)
    assert contest.manifest.seed.revealed is None
    contest.verified()
    assert contest.play(SIX, text=SECRET).code == 0
    assert contest.manifest.seed.revealed is not None
    contest.verified()
    digest = contest.manifest.digest
    done = contest.play(FIVE, "--change-bots", text=SECRET)
    assert done.code == 2
    assert "its seed was revealed when all matches were finished" in done.err
    assert contest.manifest.digest == digest


def test_a_match_of_an_earlier_stage_is_played_again_if_its_bots_are_there(finished: Contests) -> None:
    finished.play(SIX, "--change-bots")
    digest = finished.manifest.digest
    void(finished.folder, "m0003", "the power failed", NOON)
    finished.verified()
    assert finished.play(SIX).code == 0
    assert finished.manifest.digest == digest
    finished.verified()


def test_a_match_of_a_bot_that_left_cannot_be_taken_back_and_can_be_exported(finished: Contests) -> None:
    finished.play(FOUR, "--change-bots")
    match = next(match for match, line_up in line_ups(finished.folder).items() if "eve" in line_up)
    with pytest.raises(ContestError, match=f"{match} cannot be played again: eve left the contest"):
        void(finished.folder, match, "why not", NOON)
    assert match in line_ups(finished.folder)
    finished.verified()
    out = finished.place / "out"
    assert finished.bourre("export", finished.folder, "--format", "jsonl", "--out", out).code == 0
    assert finished.bourre("verify", out).code == 0


def test_a_run_that_was_killed_between_manifest_and_standings_goes_on(finished: Contests) -> None:
    old = (finished.folder / "standings.json").read_text()
    finished.play_some(6, SIX, change=True)
    (finished.folder / "standings.json").write_text(old)
    assert finished.play(SIX).code == 0
    assert (finished.folder / "standings.json").read_text() != old
    finished.verified()


def test_no_match_was_finished_when_bots_came(contest: Contests) -> None:
    five = contests.small_contest(contest.place / "contest", ONE_ROUND)
    layout = FolderLocation(contest.folder)
    layout.make()
    begin(five, terms_of(five), layout, datetime.now(UTC), print)
    assert contest.play(SIX, "--change-bots").code == 0
    assert [stage.places for stage in contest.manifest.stages] == [0, 6]
    contest.verified()


@pytest.mark.parametrize(
    ("stage", "says"),
    [
        ({"missing": []}, "manifest.json: the number of matches is 8, should be 9"),
        ({"missing": [1]}, "match m0001: it is stored, but it was never finished according to the manifest"),
        (
            {"missing": [99]},
            "manifest.json: the terms are impossible: stage 1 does not have all of its missing matches",
        ),
        ({"places": 6}, "manifest.json: the terms are impossible: 6 places in stage 1"),
        ({"places": -1}, "manifest.json: closed.0.places: Input should be greater than or equal to 0"),
        (
            {"schedule": {"kind": "gauntlet", "bot": "zed"}},
            "manifest.json: the terms are impossible: Unknown bot 'zed'",
        ),
    ],
)
def test_a_stage_that_was_not_so_is_found(with_a_gap: Contests, stage: dict[str, object], says: str) -> None:
    with_a_gap.play(FOUR, "--change-bots")
    Tamperer(with_a_gap.folder).change_json("manifest.json", lambda values: values["closed"][0].update(stage))
    done = with_a_gap.bourre("verify", with_a_gap.folder)
    assert done.code == 4
    assert done.out.startswith(f"difference: {says}")
