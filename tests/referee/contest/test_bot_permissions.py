"""What the contest file permits to one bot by itself, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bourre_referee.contest.bot_permissions import check_environment
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.isolation_choice import IsolationAsked, choose_isolation
from bourre_referee.model.errors import ContestError
from bourre_referee.model.network import Destination, Network, parse_destination
from bourre_referee.model.spec import BotEntry, Isolation, Level, Limits
from bourre_referee.runner.field_changes import only_bots_changed
from bourre_referee.runner.run_changes import changes
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.manifest import BotTerms, Manifest, Seed
from bourre_referee.storage.run.permission_lines import trusted_lines
from bourre_referee.storage.run.versions import versions
from tests.referee.contests import BOTS, FILE, write_contest

OWN = """
network = ["api.example.org:443"]
environment = ["EXAMPLE_KEY"]
[bots.isolation]
level = "bwrap"
memory_mib = 2048
"""


def contest_with(folder: Path, keys: str, text: str = FILE) -> Contest:
    """The contest whose last bot has these further keys."""
    file = write_contest(folder, text)
    file.write_text(file.read_text() + keys)
    return load(file)


def refusal(folder: Path, keys: str, text: str = FILE) -> str:
    with pytest.raises(ContestError) as caught:
        contest_with(folder, keys, text)
    return str(caught.value).replace(f"{folder}/", "")


def test_a_bot_gets_its_own_keys_over_those_of_the_contest(tmp_path: Path) -> None:
    *others, eve = contest_with(tmp_path, OWN).entries
    room = Isolation(Level.NONE, Limits(processes=99))
    assert eve.isolation.over(room) == Isolation(Level.BWRAP, Limits(2048, 99))
    assert (eve.network, eve.environment) == (Network((Destination("api.example.org", 443),)), ("EXAMPLE_KEY",))
    for entry in others:
        assert (entry.isolation.over(room), entry.network, entry.environment) == (room, None, ())


def test_an_image_goes_with_containers_only() -> None:
    room = Isolation(Level.CONTAINER, image="bots")
    boxed = BotEntry("a", None, Path("/x")).isolation.over(room)
    assert boxed == room


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('network = "api:443"', 'network = "api:443": must be true, or a list of hosts and ports'),
        ("network = []", "network = []: must be true, or a list of hosts and ports"),
        ('network = ["api"]', "network = ['api']: must be host:port"),
        ('network = ["*.example.org:443"]', "(no patterns, no networks)"),
        ('network = ["10.0.0.0/8:80"]', "(no patterns, no networks)"),
        ('network = ["api:65536"]', "must be host:port"),
        ('network = ["::1:80"]', "(no patterns, no networks)"),
        ('netwrk = ["api:443"]', "Unknown key 'netwrk'. Did you mean 'network'?"),
        ('environment = ["KEY=sesame"]', "must list names of variables, not their values"),
        ('environment = ["BOURRE_TOKEN"]', "Bourré never passes on this variable"),
        ('environment = ["https_proxy"]', "Bourré never passes on this variable"),
        ("environment = [7]", "environment.0 = 7: must be text in quotes"),
        ('isolation = "none"', 'isolation = "none": must be a section, with its keys on the lines below'),
        ('[bots.isolation]\nlevl = "none"', "[bots.isolation] Unknown key 'levl'. Did you mean 'level'?"),
        ('[bots.isolation]\nlevel = "best"', "level = \"best\": must be 'none', 'bwrap' or 'container'"),
        ("[bots.isolation]\nmemory_mib = 1", "[bots.isolation] memory_mib = 1: must be 64 or more"),
        ('[bots.isolation]\nlevel = "container"', 'eve: level = "container" needs an image'),
        ('[bots.isolation]\nimage = "bots"', 'eve: image needs level = "container".\nhint: remove image'),
        (
            'network = true\n[bots.isolation]\nlevel = "container"\nimage = "bots"',
            "eve: a bot in a container has no network",
        ),
        ("trusted = true", "trusted needs connect = true or a network"),
    ],
)
def test_a_bad_key_is_refused_at_its_line(tmp_path: Path, keys: str, said: str) -> None:
    told = refusal(tmp_path, keys)
    assert said in told
    key = keys.split("\n")[-1].split(" ")[0]
    lines = (tmp_path / "contest.toml").read_text().split("\n")
    if "container" not in keys:
        at = max(number for number, line in enumerate(lines, start=1) if line.startswith(f"{key} ="))
        assert told.startswith(f"contest.toml:{at}:")
    assert "sesame" not in told


@pytest.mark.parametrize("key", ["network = true", 'environment = ["KEY"]', 'isolation = {level = "none"}'])
def test_what_its_author_gives_a_bot_is_not_the_contests_to_give(tmp_path: Path, key: str) -> None:
    text = f'[[bots]]\nname = "far"\nconnect = true\n{key}\n'
    said = refusal(tmp_path, f"\n{text}")
    assert f"[[bots]] far: {key.split()[0]} needs a command" in said


@pytest.mark.parametrize("network", ["true", '["api:443"]'])
def test_in_duplicate_a_bot_with_a_network_must_be_trusted(tmp_path: Path, network: str) -> None:
    text = FILE.replace("seats = 3", 'seats = 3\nformat = "duplicate"')
    said = refusal(tmp_path, f"network = {network}\n", text)
    assert 'with network, format = "duplicate" shows the author of the bot every hand of a deal' in said
    contest = contest_with(tmp_path, f"network = {network}\ntrusted = true\n", text)
    manifest = manifest_of(contest)
    assert manifest.trusted == ("eve",)
    assert list(trusted_lines(manifest)) == [
        "trusted: eve: with a network, through which the author could see every hand of a deal, seating by seating"
    ]


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("API.Example.org.:443", "api.example.org", 443),
        ("192.168.1.5:8080", "192.168.1.5", 8080),
        ("[2001:DB8::1]:1", "2001:db8::1", 1),
        ("localhost:11434", "localhost", 11434),
        ("2130706433:80", "2130706433", 80),
    ],
)
def test_a_destination_is_a_host_and_a_port(text: str, host: str, port: int) -> None:
    assert parse_destination(text) == Destination(host, port)
    assert parse_destination(str(Destination(host, port))) == Destination(host, port)


@pytest.mark.parametrize(
    "text",
    ["", ":", "a:", ":1", "a:0", "a:-1", "a:٣", "a b:1", "a/b:1", "[a]:1", "[1.2.3.4]:1", "a..b:1", "é:1", "a:1\n"],
)
def test_anything_else_is_no_destination(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be (host:port|one host)"):
        parse_destination(text)


def test_a_variable_that_is_not_set_is_missed_before_the_first_card(tmp_path: Path) -> None:
    entries = contest_with(tmp_path, OWN).entries
    check_environment(entries, {"EXAMPLE_KEY": "sesame"})
    with pytest.raises(ContestError, match=r"\[\[bots\]\] eve: environment: the variable 'EXAMPLE_KEY' is not set"):
        check_environment(entries, {"OTHER": "sesame"})


def test_a_bots_own_level_is_tried_with_that_bot_and_never_weakened(tmp_path: Path) -> None:
    entries, tried = contest_with(tmp_path, OWN).entries, []

    def probe(isolation: Isolation, bots: Sequence[BotEntry]) -> str | None:
        tried.append((isolation, [bot.name for bot in bots]))
        return "no boxes on Mondays" if isolation.level is Level.BWRAP else None

    with pytest.raises(
        ContestError, match=r'\[bots.isolation\] of eve: level = "bwrap" is not available here: no boxes'
    ):
        choose_isolation(IsolationAsked("none"), entries, print, probe)
    assert tried == [
        (Isolation(Level.NONE), [*BOTS[:-1]]),
        (Isolation(Level.BWRAP, Limits(memory_mib=2048)), ["eve"]),
        (Isolation(Level.BWRAP, Limits(memory_mib=2048)), ["bourre"]),
    ]


def manifest_of(contest: Contest) -> Manifest:
    seed = Seed(note="practice seed, not secret", commitment="c0de" * 16, revealed=None)
    return Manifest(
        contest=contest.name, versions=versions(), seed=seed, terms=terms_of(contest), matches=1, finished=0,
        digest=None, chain="c0de" * 16,
    )  # fmt: skip


def test_the_manifest_says_who_had_what_and_a_change_is_noticed(tmp_path: Path) -> None:
    begun = manifest_of(contest_with(tmp_path / "a", OWN))
    eve = begun.terms.bots[-1].model_dump(mode="json")
    assert (eve["network"], eve["environment"]) == (["api.example.org:443"], ["EXAMPLE_KEY"])
    assert eve["isolation"]["level"] == "bwrap"
    again = Manifest.model_validate_json(begun.model_dump_json())
    assert not changes(again, "small", terms_of(contest_with(tmp_path / "a", OWN)))
    now = terms_of(contest_with(tmp_path / "b", "network = true\n[bots.isolation]\nprocesses = 16\n"))
    assert changes(again, "small", now) == [
        "bot eve: [bots.isolation] level was 'bwrap', is not set",
        "bot eve: [bots.isolation] memory_mib was 2048, is not set",
        "bot eve: [bots.isolation] processes was not set, is 16",
        "bot eve: network was ['api.example.org:443'], is true",
        "bot eve: environment was ['EXAMPLE_KEY'], is []",
    ]
    assert not only_bots_changed(again, "small", now)


def test_a_manifest_older_than_the_keys_gave_nobody_anything() -> None:
    old = BotTerms.model_validate({"name": "ada", "command": None, "files": []})
    assert (old.isolation, old.network, old.environment) == (None, False, ())
