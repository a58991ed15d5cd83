"""The figures in docs/speed.md and research/speed.md are those that the commands printed."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from docs.speed_page import BENCH, PAGES, PEERS, WrongInput, fill_page
from tests.benchmarks.test_bench import report

ROW = {"package": "rlcard 1", "game": "poker", "decisions_per_s": 9000, "engine_ratio": 11.5, "practice_ratio": 4.25}
FOUND = json.loads(json.dumps(asdict(report())))
BOTH = "".join(page.read_text("utf-8") for page in PAGES)


def test_the_pages_have_every_mark_once() -> None:
    assert all(BOTH.count(f"<!-- made: {name} -->\n") == 1 for name in (*BENCH, *PEERS))
    assert BOTH.count("<!-- end of made -->") == len(BENCH) + len(PEERS)


def test_sections_are_made_of_the_documents_and_of_nothing_else() -> None:
    made = fill_page(BOTH, [FOUND, {"rounds": 8, "peers": [ROW]}])
    assert "| to the same messages in bare gRPC | 0.90 |\n" in made
    assert "| 64 | 500 | 900 | 1,000 | 0.50 | 0.90 |\n" in made
    assert "| rlcard 1 | poker | 9,000 | 11.50 | 4.25 |\n" in made
    assert "| bytes of record in the database, a deal | 190 |\n" in made
    assert fill_page(made, []) == made
    assert fill_page(made, [FOUND]) == made


def test_a_section_without_a_document_stays() -> None:
    page = "<!-- made: peers -->\nold\n<!-- end of made -->\n<!-- made: practice -->\nold\n<!-- end of made -->\n"
    made = fill_page(page, [FOUND])
    assert made.startswith("<!-- made: peers -->\nold\n<!-- end of made -->\n")
    assert made.count("old") == 1


@pytest.mark.parametrize("document", [{}, {"machine": None}, {"peers": [{}], "rounds": 1}, {"peers": None}])
def test_a_document_of_another_kind_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(WrongInput, match="give what the commands"):
        fill_page(BOTH, [document])


def test_a_mark_that_nothing_is_made_for_is_found() -> None:
    with pytest.raises(WrongInput, match="made: luck"):
        fill_page("<!-- made: luck -->\n<!-- end of made -->\n", [])
