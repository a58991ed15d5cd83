"""A finished run in which something was changed, with everything computed from it adjusted to match."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bourre_referee.derived.run_standings import standings_of
from bourre_referee.storage.files.digest import Chain, digest
from bourre_referee.storage.run.run import Run

Values = dict[str, Any]


class Tamperer:
    """Someone who can write anything in a run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def execute(self, statement: str, *values: object) -> list[Any]:
        """Runs SQL on the database behind the store's back."""
        with closing(sqlite3.connect(self.folder / "run.db")) as connection, connection:
            return connection.execute(statement, values).fetchall()

    def record(self, match: str) -> list[Values]:
        """The lines of a record."""
        ((packed,),) = self.execute('SELECT record FROM "match" WHERE match = ?', match)
        return [json.loads(line) for line in zlib.decompress(packed).splitlines()]

    def write_record(self, match: str, lines: list[Values], *, hashed: bool = True) -> None:
        """Puts a record in its place, with its hash or without."""
        text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines).encode()
        self.execute('UPDATE "match" SET record = ? WHERE match = ?', zlib.compress(text), match)
        if hashed:
            self.execute('UPDATE "match" SET sha256 = ? WHERE match = ?', hashlib.sha256(text).digest(), match)

    def change(self, match: str, line: int, change: Callable[[Values], object], *, hashed: bool = True) -> None:
        """Changes one line of a record: 0 is the header, -1 the last."""
        lines = self.record(match)
        change(lines[line])
        self.write_record(match, lines, hashed=hashed)

    def change_json(self, name: str, change: Callable[[Values], object]) -> None:
        """Changes a file of JSON."""
        path = self.folder / name
        values = json.loads(path.read_text())
        change(values)
        path.write_text(f"{json.dumps(values, indent=2)}\n")

    def forget_log(self) -> None:
        """Makes the run one that an older version began, without commitment to its terms."""
        self.change_json("manifest.json", lambda values: values.pop("log"))
        self.change_json("manifest.json", lambda values: values["ratings"].update(version=3))
        self.make_it_fit()

    def make_it_fit(self) -> None:
        """Computes digest, chain, counts, ratings and standings anew from what is in the database now."""
        records = self.execute('SELECT match, sha256, record FROM "match" ORDER BY number')
        manifest = Run.open(self.folder).manifest
        chain = Chain(manifest.chain_start, manifest.missing)
        chain.extend({match: sha256 for match, sha256, _ in records})
        whole = digest(zlib.decompress(record).decode() for _, _, record in records)
        news = {"finished": len(records), "chain": str(chain), "digest": whole}
        self.change_json("manifest.json", lambda values: values.update(news))
        standings = standings_of(Run.open(self.folder)).to_json()
        (self.folder / "standings.json").write_text(f"{standings}\n")
