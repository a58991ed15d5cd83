"""The API: the same documents as the commands print, described by its own schema, without secrets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings

from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from tests.long_tests import share_of_examples
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import finished_run
from tests.referee.web.serving import SECRET, Served, copy_run, serving, void_match


@pytest.fixture(scope="module")
def schema(served: Served) -> Any:
    """The API as it describes itself, over a real connection."""
    import schemathesis  # slow to load
    from schemathesis.checks import load_all_checks

    load_all_checks()
    loaded = schemathesis.openapi.from_dict(served.client.get("/openapi.json").json())
    loaded.config.update(base_url=served.url)
    return loaded


FIXED = ("/api/run", "/api/standings", "/api/stats", "/api/voids", "/api/bots")
WITH_PARAMETERS = (
    *("/api/bots/{number}", "/api/matches", "/api/matches/{match}"),
    *("/api/matches/{match}/record", "/api/matches/{match}/deals/{deal}"),
)
PARAMETERS = {"number": 2, "match": "m0002", "deal": "3"}


@pytest.mark.parametrize("path", [*FIXED, *WITH_PARAMETERS])
def test_every_document_is_as_the_schema_says(schema: Any, path: str) -> None:
    operation = schema[path]["GET"]
    known = {name: value for name, value in PARAMETERS.items() if f"{{{name}}}" in path}
    answer = operation.Case(path_parameters=known).call_and_validate(timeout=60)
    assert answer.status_code == 200


@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("path", WITH_PARAMETERS)
def test_every_answer_is_as_the_schema_says(schema: Any, path: str, mode: str) -> None:
    from schemathesis import GenerationMode

    @settings(share_of_examples(0.16), derandomize=True, deadline=None, database=None, phases=[Phase.generate])
    @given(case=schema[path]["GET"].as_strategy(generation_mode=GenerationMode(mode)))
    def ask(case: Any) -> None:
        case.call_and_validate(timeout=60)

    ask()


@pytest.mark.parametrize("what", ["standings", "stats"])
def test_documents_are_those_of_the_commands(served: Served, finished: Path, bourre: Bourre, what: str) -> None:
    assert f"{served.text(f'/api/{what}')}\n" == bourre(what, finished, "--json").out


def test_the_run_document_reports_its_terms(served: Served, finished: Path) -> None:
    run = served.client.get("/api/run").json()
    manifest = Run.open(finished).manifest
    assert (run["contest"], run["matches"], run["finished"], run["complete"]) == ("small", 10, 10, True)
    assert (run["digest"], run["rules"]["pot_limit"]) == (manifest.digest, manifest.terms.rules.pot_limit)
    assert run["clock"]["decision_ms"] == 100


def test_bots_are_found_by_their_numbers(served: Served) -> None:
    bots = served.client.get("/api/bots").json()["bots"]
    assert [(bot["number"], bot["name"]) for bot in bots] == [*enumerate(("ada", "bob", "cy", "dee", "eve"), 1)]
    standings = {row["bot"]: row for row in served.client.get("/api/standings").json()["standings"]}
    for bot in bots:
        found = served.client.get(f"/api/bots/{bot['number']}").json()
        assert found["standing"] == standings[bot["name"]]
        assert found["matches"] == 6
        assert sum(found["faults_by_kind"].values()) == standings[bot["name"]]["faults"]


def test_matches_are_selected_by_bot_and_by_what_happened(served: Served, finished: Path) -> None:
    def ids(query: str) -> list[str]:
        return [match["match"] for match in served.client.get(f"/api/matches?{query}").json()["matches"]]

    results = Run.open(finished).results()
    assert ids("") == [result.match for result in results]
    with_bob = [result.match for result in results if any(seat.bot == "bob" for seat in result.seats)]
    assert ids("bot=2") == with_bob
    assert 0 < len(with_bob) < 10
    assert ids("with=voids") == []
    first = served.client.get(f"/api/matches/{with_bob[0]}").json()
    (seat,) = [seat for seat in first["seats"] if seat["bot"] == "bob"]
    (known,) = [seat for seat in results[int(with_bob[0][1:]) - 1].seats if seat.bot == "bob"]
    assert (seat["chips"], seat["rank"], seat["number"]) == (known.chips, known.rank, 2)


def test_a_deal_is_the_line_of_its_record(served: Served, finished: Path) -> None:
    record = Run.open(finished).record("m0003")
    answer = served.client.get("/api/matches/m0003/record")
    assert answer.text == record
    assert answer.headers["content-disposition"] == 'attachment; filename="m0003.jsonl"'
    lines = [json.loads(line) for line in record.splitlines()]
    for number in range(1, 5):
        deal = served.client.get(f"/api/matches/m0003/deals/{number}").json()
        assert (deal["record"], deal["bots"], deal["seating"]) == (lines[number], lines[0]["bots"], None)


@pytest.mark.parametrize(
    ("path", "status", "detail", "hint"),
    [
        ("/api/matches/m0011", 404, "unknown match m0011", "finished: m0001 to m0010, 10 in all"),
        ("/api/matches/m0001/deals/5", 404, "match m0001 has no deal 5", "its deals are 1 to 4"),
        ("/api/matches/m0001/deals/1-1", 404, "match m0001 has no deal 1-1", "its deals are 1 to 4"),
        ("/api/bots/6", 404, "unknown bot 6", "bots are numbered 1 to 5"),
        ("/api/matches?bot=6", 404, "unknown bot 6", "bots are numbered 1 to 5"),
        ("/api/matches?page=2", 404, "the list has no page 2", "its pages are numbered from 1, with 100 matches each"),
        ("/api/nothing", 404, "Not Found", "follow the links from the standings"),
        ("/api/bots/0", 400, "number: Input should be greater than or equal to 1", "/openapi.json"),
        ("/api/matches?colour=red", 400, "colour: Extra inputs are not permitted", "/openapi.json"),
    ],
)
def test_problems_come_with_a_hint(served: Served, path: str, status: int, detail: str, hint: str) -> None:
    answer = served.client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert (problem["status"], problem["detail"]) == (status, detail)
    assert hint in problem["mend"]


def test_a_voided_match_is_reported_without_its_cards(finished: Path, tmp_path: Path) -> None:
    folder = copy_run(finished, tmp_path)
    record = Run.open(folder).record("m0004")
    void_match(folder, "m0004")
    hidden = [json.loads(line).get("dealt") for line in record.splitlines()[1:-1]]
    with serving(folder) as it:
        voids = it.client.get("/api/voids").json()["voids"]
        assert [(void["match"], void["reason"], void["by"]) for void in voids] == [
            ("m0004", "the power failed", "organiser")
        ]
        for path in addresses(it):
            text = it.client.get(path).text
            assert not any(hands[0] in text for hands in hidden), path
        assert it.client.get("/api/matches/m0004/record").status_code == 404
        assert it.client.get("/api/run").json()["complete"] is False
        assert it.client.get("/api/standings").json()["voids"] == [
            {"match": "m0004", "attempt": 1, "reason": "the power failed"}
        ]


def test_a_secret_seed_appears_nowhere_before_the_end(tmp_path: Path) -> None:
    folder = finished_run(tmp_path, SECRET, contests.played)
    layout = FolderLocation(folder)
    manifest = layout.read_manifest()
    secret = manifest.seed.revealed
    assert secret is not None
    # The state while the last match is played.
    hidden = manifest.seed.model_copy(update={"note": "secret until all matches are done", "revealed": None})
    layout.write_manifest(manifest.model_copy(update={"seed": hidden, "digest": None}))
    layout.seed.write_text(secret)
    with serving(folder) as it:
        for path in addresses(it):
            assert secret not in it.client.get(path).text, path
        assert it.client.get("/api/run").json()["seed"]["commitment"] == manifest.seed.commitment
        layout.write_manifest(manifest)
        assert it.client.get("/api/run").json()["seed"]["revealed"] == secret


def test_no_command_and_no_path_is_revealed(served: Served, finished: Path) -> None:
    for path in addresses(served):
        text = served.client.get(path).text
        assert str(finished.parent) not in text, path
        assert "ada.py" not in text, path


def test_every_reference_in_the_schema_leads_somewhere(served: Served) -> None:
    text = served.client.get("/openapi.json").text
    named = set(re.findall(r'"#/components/schemas/(\w+)"', text))
    assert "Only" in named
    assert named <= set(json.loads(text)["components"]["schemas"])


def test_the_page_lists_every_address(served: Served) -> None:
    page = served.text("/api")
    paths = served.client.get("/openapi.json").json()["paths"]
    assert len(paths) == 10
    assert all(f"<code>{path}</code>" in page for path in paths)


def addresses(served: Served) -> list[str]:
    """Returns addresses of every kind of page and document."""
    fixed = ["/", "/cross", "/matches", "/bots/1", "/matches/m0001", "/matches/m0001/deals/1", "/openapi.json"]
    described = served.client.get("/openapi.json").json()["paths"]
    return fixed + [path.format(number=1, match="m0001", deal=1) for path in described]
