"""`bourre verify` says no more of ratings than it checked, whatever method the manifest names."""

import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from bourre_referee.ratings.batch import ANCHORED_METHOD, METHOD, VERSION, VERSIONS_BY_RELEASE
from bourre_referee.storage.run.versions import newer_release, numbers_of
from bourre_referee.verify.rating_claim import MOST_SHOWN, Figures, RatedAgain, claims_in_words
from tests.referee.command import Bourre, said_by
from tests.referee.in_process import finished_run
from tests.referee.tampering import Tamperer, Values


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of ten matches."""
    return finished_run(tmp_path_factory.mktemp("kept"))


OLDER = {"no key": None, "version 2": {"method": METHOD, "version": 2}}
"""What the manifest of a run without a log may say of its ratings, if an older method computed them."""


def change_figures(tamperer: Tamperer) -> None:
    """Puts the bots in another order, with other ratings."""

    def other_figures(values: Values) -> None:
        values["standings"].reverse()
        for rank, row in enumerate(values["standings"], start=1):
            row.update(rank=rank, mu=row["mu"] + 1, sigma=0.5, score=row["score"] - 1, tied="a")

    tamperer.change_json("standings.json", other_figures)


def change_method(tamperer: Tamperer, method: Values | None) -> None:
    """Makes it a run of before runs had logs, rated by this method."""
    tamperer.forget_log()
    if method is None:
        tamperer.change_json("manifest.json", lambda values: values.pop("ratings"))
    else:
        tamperer.change_json("manifest.json", lambda values: values.update(ratings=method))


@pytest.mark.parametrize("method", OLDER.values(), ids=list(OLDER))
def test_figures_of_an_older_method_are_shown_beside_todays(
    bourre: Bourre, tamperer: Tamperer, method: Values | None
) -> None:
    today = json.loads((tamperer.folder / "standings.json").read_text())["standings"]
    change_method(tamperer, method)
    change_figures(tamperer)
    done = bourre("verify", tamperer.folder)
    lines = done.out.splitlines()
    assert (done.code, lines[0]) == (0, "small: 10 of 10 matches checked")
    assert "standings  chips and counts of standings.json computed again from the records" in lines
    best = today[0]
    said = f"place 1, mu {best['mu']}, sigma {best['sigma']}, score {best['score']}, letters {best['tied']}"
    (line,) = [line for line in lines if line.startswith(f"ratings    {best['bot']}: place ")]
    assert f", mu {best['mu'] + 1:.4f}".rstrip("0") in line
    assert line.endswith(f" (now {said})")
    assert lines[-1] == "verified   the run without terms, ratings: no difference in the rest"
    told = json.loads(bourre("verify", tamperer.folder, "--json").out)
    assert any(line.startswith("ratings: an older method computed them") for line in told["unchecked"])
    assert [each["today"]["mu"] for each in told["rated_again"]] == [row["mu"] for row in today]


def test_figures_of_an_older_method_that_are_todays_are_checked(bourre: Bourre, tamperer: Tamperer) -> None:
    change_method(tamperer, OLDER["version 2"])
    tamperer.make_it_fit()
    lines = bourre("verify", tamperer.folder).out.splitlines()
    assert "standings  ratings and all other figures of standings.json computed again from the records" in lines
    assert lines[-1] == "verified   the run without terms: no difference in the rest"


OURS = f"bourre {version('bourre')}"
NEVER: list[tuple[str, Values | None, bool, str]] = [
    ("one to come", {"method": METHOD, "version": VERSION + 1}, True, f"version {VERSION + 1} of the rating method"),
    ("one to come, no log", {"method": METHOD, "version": VERSION + 1}, False, f"{OURS}: its versions are 2, 3"),
    (
        "one before logs",
        {"method": METHOD, "version": 2},
        True,
        f"does not exist in {OURS}: its versions are 3, 4",
    ),
    ("one without a name", {"method": METHOD, "version": 1}, False, "version 1 of the rating method does not exist"),
    ("none", None, True, "the rating method is None, should be 'TrueSkill, all matches at once'"),
    ("another", {"method": "Elo", "version": 3}, True, "the rating method is 'Elo', should be 'TrueSkill"),
    ("anchors", {"method": ANCHORED_METHOD, "version": 3}, True, "at once, anchored', should be 'TrueSkill"),
]


@pytest.mark.parametrize(("method", "logged", "says"), [each[1:] for each in NEVER], ids=[each[0] for each in NEVER])
def test_a_method_that_its_release_never_had_is_a_difference(
    tamperer: Tamperer, method: Values | None, *, logged: bool, says: str
) -> None:
    if not logged:
        tamperer.forget_log()
    change_figures(tamperer)
    tamperer.change_json("manifest.json", lambda values: values.update(ratings=method))
    assert says in said_by(4, "verify", tamperer.folder)


def played_by(release: str) -> Callable[[Values], None]:
    def change(values: Values) -> None:
        values["versions"]["bourre"] = release

    return change


@pytest.mark.parametrize(
    "change", [played_by("9.1.0rc1"), lambda values: values["log"][0]["versions"].update(bourre="9.1")]
)
def test_a_newer_bourre_cannot_be_checked(tamperer: Tamperer, change: Callable[[Values], object]) -> None:
    tamperer.change_json("manifest.json", change)
    assert "small: it cannot be checked here: bourre 9.1" in said_by(2, "verify", tamperer.folder)


@pytest.mark.parametrize("news", [{"manifest": 2}, {"judges": []}])
def test_a_manifest_of_a_newer_bourre_says_what_to_install(bourre: Bourre, tamperer: Tamperer, news: Values) -> None:
    tamperer.change_json("manifest.json", lambda values: (played_by("9.1.0")(values), values.update(news)))
    for command in ("verify", "standings"):
        done = bourre(command, tamperer.folder)
        assert (done.code, done.out) == (2, "")
        assert f"manifest.json: bourre 9.1.0 wrote it, but this is bourre {version('bourre')}." in done.err
        assert "--fresh" not in done.err


@pytest.mark.parametrize("release", ["0.1.7", "x", "", "²"])
def test_a_release_that_never_was_is_a_difference(tamperer: Tamperer, release: str) -> None:
    tamperer.change_json("manifest.json", played_by(release))
    assert f"does not exist in bourre {release}: no such release rated a run with a log" in said_by(
        4, "verify", tamperer.folder
    )


def test_releases_are_compared_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bourre_referee.storage.run.versions.version", lambda _: "0.9.1")
    releases = ("0.8.10", "0.9", "0.9.1", "0.9.1rc1", "x", "0.9.2", "0.10", "1.0rc1", "10.0.0")
    assert [release for release in releases if newer_release(release)] == ["0.9.2", "0.10", "1.0rc1", "10.0.0"]


def test_only_the_first_of_many_bots_are_told_in_words() -> None:
    figures = Figures(rank=1, mu=25.0, sigma=1.0, score=22.0, tied="a")
    claims = [RatedAgain(f"bot{number}", figures, figures) for number in range(MOST_SHOWN + 2)]
    assert len(list(claims_in_words(claims[:MOST_SHOWN]))) == MOST_SHOWN
    *told, last = claims_in_words(claims)
    assert len(told) == MOST_SHOWN
    assert told[0].startswith("bot0: place 1, mu 25.0, sigma 1.0, score 22.0, letters a (now place 1, mu 25.0")
    assert last == "and 2 other bots (listed with --json)"


def test_this_release_names_its_rating_version() -> None:
    assert VERSIONS_BY_RELEASE[numbers_of(version("bourre"))][-1] == VERSION


@pytest.mark.parametrize(
    ("key", "value"), [("mu", "26"), ("mu", True), ("sigma", float("nan")), ("rank", 1.0), ("tied", None)]
)
def test_claims_that_no_rating_makes_are_found(tamperer: Tamperer, key: str, value: object) -> None:
    change_method(tamperer, None)
    tamperer.change_json("standings.json", lambda values: values["standings"][0].update({key: value}))
    assert said_by(4, "verify", tamperer.folder).startswith(f"difference: standings.json: {key} of ")


def test_facts_are_checked_whatever_the_method(bourre: Bourre, tamperer: Tamperer) -> None:
    change_method(tamperer, None)
    tamperer.change_json("standings.json", lambda values: values["standings"][0].update(chips=99_999))
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert "standings.json: standings[" in done.out
    assert "].chips is 99999, should be " in done.out


@pytest.mark.parametrize("text", ["[", "[]", " " * 100_000, '{"standings": [1]}', '{"standings": [{"bot": 1}]}'])
def test_what_are_no_standings_is_found_whatever_the_method(bourre: Bourre, tamperer: Tamperer, text: str) -> None:
    change_method(tamperer, None)
    (tamperer.folder / "standings.json").write_text(text)
    assert bourre("verify", tamperer.folder).code == 4
