"""What a link to a page shows in a message: title, sentence and picture, and no picture without the pages' address."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from fastapi import FastAPI
from matplotlib.image import imread
from starlette.testclient import TestClient

from bourre.rules.cards import parse_cards
from bourre_referee.export.plots.share_picture import ShareWords, draw_share
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import END_OF_ISOLATE, ISOLATE
from bourre_referee.web import picture_routes, site_writer
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.record_sums import CachedMoments
from bourre_referee.web.run_app import create_application
from tests.referee.command import called

HAND = parse_cards("AC TC 8C 6H 4D")
ISOLATES = str.maketrans("", "", ISOLATE + END_OF_ISOLATE)
PUBLIC = "https://example.org/games"


def properties(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', page))


def client(run_folder: Path, public: str = "") -> TestClient:
    made = create_application(CachedRun(run_folder, rest=0.0), public=public)
    return TestClient(made.app, base_url="http://127.0.0.1")


def test_a_link_shows_who_wins_on_a_picture(finished: Path) -> None:
    visitor = client(finished, PUBLIC)
    shown = properties(visitor.get("/").text)
    assert shown["og:image"] == f"{PUBLIC}/share.png"
    assert shown["twitter:card"] == "summary_large_image"
    assert shown["og:title"].endswith(" · small")
    assert shown["og:description"].startswith(shown["og:title"].removesuffix(" · small"))
    answer = visitor.get("/share.png")
    assert answer.headers["content-type"] == "image/png"
    assert imread(BytesIO(answer.content)).shape[:2] == (630, 1200)
    assert answer.content == visitor.get("/share.png").content
    again = visitor.get("/share.png", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


def test_a_match_and_a_deal_have_pictures_of_their_own(finished: Path) -> None:
    visitor, drawn = client(finished, PUBLIC), set[bytes]()
    for page in ("/matches/m0001", "/matches/m0001/deals/2"):
        text = visitor.get(page).text
        shown = properties(text)
        heading = re.sub("<[^>]+>", "", re.findall("<h1>(.*)</h1>", text)[0])
        assert shown["og:title"].translate(ISOLATES) == f"{heading} · m0001 · small"
        assert shown["og:description"] in text.partition("<body>")[0]
        assert shown["og:image"] == f"{PUBLIC}{page}/share.png"
        drawn.add(visitor.get(f"{page}/share.png").content)
    assert len(drawn) == 2
    assert all(picture.startswith(b"\x89PNG") for picture in drawn)
    assert visitor.get("/matches/m0001/deals/99/share.png").status_code == 404
    assert visitor.get("/matches/m0099/share.png").status_code == 404


def test_nobody_lets_the_server_draw_without_end(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(run: object, match: str, deal: object) -> bytes:
        drawn.append(match)
        return b"PNG"

    monkeypatch.setattr(picture_routes, "draw_deal", draw)
    monkeypatch.setattr(picture_routes, "MOST_DRAWN", 3)
    now = 100.0
    state = CachedRun(finished, rest=0.0)
    links = ServerLinks(public=PUBLIC)
    routes = picture_routes.PictureRoutes(state, CachedMoments(), links, lambda: now)
    app = FastAPI()
    app.include_router(routes.router())
    visitor = TestClient(app, follow_redirects=False)
    deals = [f"/matches/m000{match}/deals/{deal}/share.png" for match in (1, 2) for deal in (1, 2)]
    answers = [visitor.get(deal) for deal in (*deals, deals[0])]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 307, 200]
    assert answers[3].headers["location"] == "/share.png"
    now += picture_routes.MINUTE_S
    assert visitor.get(deals[3]).status_code == 200
    assert len(drawn) == 4


def test_without_the_address_there_is_no_picture(finished: Path) -> None:
    visitor = client(finished)
    assert {"og:title", "og:description"} <= properties(visitor.get("/").text).keys()
    assert "og:image" not in properties(visitor.get("/").text)
    assert visitor.get("/share.png").status_code == 404


def test_a_site_has_its_picture(finished: Path, tmp_path: Path) -> None:
    done = called("export", finished, "--format", "site", "--out", tmp_path / "site", "--public-url", f"{PUBLIC}/")
    assert done.code == 0
    pictures = {"index.html": "share.png", "matches/m0001.html": "matches/m0001.png"}
    for page, picture in (pictures | {"replays/m0001.html": "matches/m0001.png", "cross.html": "share.png"}).items():
        assert properties((tmp_path / "site" / page).read_text())["og:image"] == f"{PUBLIC}/{picture}"
        assert (tmp_path / "site" / picture).read_bytes().startswith(b"\x89PNG")


def test_a_large_site_has_one_picture(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_writer, "MOST_PICTURES", 0)
    site_writer.write_site(Run.open(finished), tmp_path / "site", PUBLIC)
    assert properties((tmp_path / "site/matches/m0001.html").read_text())["og:image"] == f"{PUBLIC}/share.png"
    assert [path.name for path in (tmp_path / "site").rglob("*.png")] == ["share.png"]


@pytest.mark.parametrize(
    "title",
    [
        "",
        "$\\frac{1}{0}$ wins",
        "\N{FIRST STRONG ISOLATE}a\u202eb\N{POP DIRECTIONAL ISOLATE} leads by 3",
        "\N{GRINNING FACE} \u6771 wins",
        "W" * 400,
        "a\x1b[31m\nb",
    ],
)
def test_any_name_can_be_drawn(title: str) -> None:
    drawn = draw_share(ShareWords(title, title, title, title), HAND)
    assert imread(BytesIO(drawn)).shape[:2] == (630, 1200)


def test_other_words_or_cards_make_another_picture() -> None:
    words = ShareWords("24 matches", "a wins", "by 3", "demo")
    assert draw_share(words, HAND) == draw_share(words, HAND)
    assert draw_share(words, HAND) != draw_share(words, HAND[1:])
    assert draw_share(words, HAND) != draw_share(ShareWords("24 matches", "b wins", "by 3", "demo"), HAND)


@pytest.mark.parametrize(
    "url", ["ftp://x/", "https://me:secret@x/", "javascript:alert(1)", "https://", "https://x/?a", 'https://x/"', "x"]
)
def test_other_addresses_are_refused_and_not_shown(finished: Path, tmp_path: Path, url: str) -> None:
    done = called("export", finished, "--format", "site", "--out", tmp_path / "site", "--public-url", url)
    assert done.code == 2
    assert "--public-url is not the address of pages.\nhint: use such as https://" in done.err
    assert "secret" not in done.err
    assert not (tmp_path / "site").exists()
