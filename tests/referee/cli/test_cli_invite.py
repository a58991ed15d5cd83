"""`bourre invite`: what authors need, each token only once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bourre_referee.model.listener_spec import hash_token
from bourre_referee.storage.run.tokens import TokenFile
from tests.certificates import Authority
from tests.referee.command import called
from tests.referee.contests import FILE, write_contest

REMOTE = '[[bots]]\nname = "far"\nconnect = true\n[[bots]]\nname = "away"\nconnect = true\n'


@pytest.fixture
def contest(tmp_path: Path) -> str:
    """A contest with two remote bots behind one address."""
    return str(write_contest(tmp_path, f'{FILE}[listen]\naddress = "localhost:7443"\n{REMOTE}'))


def test_each_author_is_told_address_and_token_once(contest: str, tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    first = called("tokens", contest, "--out", out)
    assert first.code == 0, first.err
    lines = dict(line.split(": ", 1) for line in first.out.splitlines())
    assert lines["far"].startswith("BOURRE_ADDRESS=localhost:7443 BOURRE_TOKEN=")
    hashes = TokenFile(tmp_path / "run" / "tokens.json").read().bots
    assert {bot: hash_token(words.rpartition("=")[2]) for bot, words in lines.items()} == hashes
    again = called("tokens", contest, "--out", out)
    assert again.out == ""
    assert "far has a token, which was shown once.\nhint: use --renew far to make another" in again.err


def test_a_token_is_renewed_and_revoked(contest: str, tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    called("tokens", contest, "--out", out)
    renewed = json.loads(called("tokens", contest, "--out", out, "--renew", "far", "--json").out)
    assert [invitation["bot"] for invitation in renewed] == ["far"]
    known = TokenFile(tmp_path / "run" / "tokens.json").read()
    assert known.bots["far"] == hash_token(renewed[0]["environment"]["BOURRE_TOKEN"])
    assert "Revoked the token of far" in called("tokens", contest, "--out", out, "--revoke", "far").err
    assert (
        "The token of far was revoked.\nhint: use --renew far to make another"
        in called("tokens", contest, "--out", out).err
    )


def test_a_bot_that_is_no_remote_one_is_refused_with_those_there_are(contest: str, tmp_path: Path) -> None:
    ended = called("tokens", contest, "--out", str(tmp_path / "run"), "--renew", "ada")
    assert ended.code == 2
    assert "Unknown remote bot 'ada'. Remote bots: far, away.\nhint: use one of them" in ended.err


def test_without_remote_bots_there_are_no_tokens(tmp_path: Path) -> None:
    ended = called("tokens", write_contest(tmp_path, FILE), "--out", tmp_path / "run")
    assert (ended.code, ended.out) == (0, "")
    assert "has connect = true.\nhint: add connect = true to a bot\n" in ended.err


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl: apt-get install openssl")
def test_with_mutual_tls_each_author_is_told_how_to_get_a_certificate(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    made = authority.signed("listener")
    files = f'tls_cert = "{made.cert.name}"\ntls_key = "{made.key.name}"\nclient_ca = "{authority.ca.name}"\n'
    contest = write_contest(tmp_path, f'{FILE}[listen]\naddress = "0.0.0.0:7443"\n{files}{REMOTE}')
    ended = called("tokens", str(contest), "--out", str(tmp_path / "run"))
    assert ended.code == 0, ended.err
    settings = f"BOURRE_ADDRESS=localhost:7443 BOURRE_CA={authority.ca} BOURRE_CERT=far.pem BOURRE_KEY=far.key"
    assert f"far: {settings} BOURRE_TOKEN=" in ended.out
    assert "-subj /CN=far -keyout far.key -out far.csr" in ended.err
    assert f"openssl x509 -req -in away.csr -CA {authority.ca} -CAkey ITS-KEY.pem" in ended.err
