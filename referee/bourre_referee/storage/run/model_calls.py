"""The calls of a run's language models, in a file of their own: what they cost, and each prompt with its answer.

As notes, they are not part of any record. A call is stored before it is made, so a killed referee forgets none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, Self

from bourre_referee.model.errors import StoreError
from bourre_referee.model.model_call import ModelCall, ModelReply, Spent, numbers_in
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.storage.files.untrusted_files import check_regular

_WAIT_S = 10.0
_TOGETHER = 1_000
"""How many calls are read at once."""
_CREATE = """
CREATE TABLE IF NOT EXISTS calls (
    number INTEGER PRIMARY KEY, model TEXT NOT NULL, bot TEXT NOT NULL, at TEXT NOT NULL, prompt TEXT NOT NULL,
    status INTEGER, answer TEXT NOT NULL DEFAULT '', server_model TEXT NOT NULL DEFAULT '',
    fingerprint TEXT NOT NULL DEFAULT '', tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
    cost_millionths INTEGER NOT NULL
) STRICT
"""
_FIELDS = "number, bot, at, prompt, status, answer, server_model, fingerprint, tokens_in, tokens_out, cost_millionths"


class ModelCalls:
    """The file of calls, which several threads may use."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Opens the file, and creates it only for the referee. Raises StoreError."""
        self._path = path
        self._lock = Lock()
        check_regular(path)
        with self._explained():
            mode = "rwc" if create else "ro"
            uri = f"{path.absolute().as_uri()}?mode={mode}"
            self._file = sqlite3.connect(uri, uri=True, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
            if create:
                self._file.execute(_CREATE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def begin(self, model: str, bot: str, at: str, prompt: str, bound: Spent) -> int:
        """Stores a call that is about to be made, with a bound of what it may use. Returns its number."""
        values = (model, bot, at, prompt, bound.tokens_in, bound.tokens_out, bound.cost_millionths)
        insert = "INSERT INTO calls (model, bot, at, prompt, tokens_in, tokens_out, cost_millionths) VALUES"
        with self._lock, self._explained():
            number = self._file.execute(f"{insert} (?, ?, ?, ?, ?, ?, ?)", values).lastrowid
        assert number is not None
        return number

    def end(self, number: int, reply: ModelReply, spent: Spent) -> None:
        """Stores the reply to a call, and what it used."""
        columns = "status, answer, server_model, fingerprint, tokens_in, tokens_out, cost_millionths"
        used = (spent.tokens_in, spent.tokens_out, spent.cost_millionths)
        values = (reply.status, reply.body, reply.server_model, reply.fingerprint, *used, number)
        with self._lock, self._explained():
            self._file.execute(f"UPDATE calls SET ({columns}) = (?, ?, ?, ?, ?, ?, ?) WHERE number = ?", values)

    def spent(self) -> Mapping[str, Spent]:
        """Returns what each model has used so far, by its name in the contest file."""
        sums = "count(*), sum(tokens_in), sum(tokens_out), sum(cost_millionths)"
        with self._lock, self._explained():
            rows = self._file.execute(f"SELECT model, {sums} FROM calls GROUP BY model").fetchall()
        return {model: Spent(*used) for model, *used in rows}

    def beside(self, bot: str, remarks: SeatRemarks) -> SeatRemarks:
        """Returns a bot's remarks with the calls for its answers."""
        notes = (replace(note, calls=tuple(self._of(bot, numbers_in(note.text)))) for note in remarks.notes)
        return replace(remarks, notes=tuple(notes))

    def others(self, known: Container[int]) -> Iterator[ModelCall]:
        """Yields the calls without these numbers, such as trial calls, those of void matches, and failed ones."""
        number = 0
        while rows := self._after(number):
            yield from (_call(*row) for row in rows if row[0] not in known)
            number = rows[-1][0]

    def copy_to(self, path: Path) -> None:
        """Copies the calls to a new file."""
        check_regular(path)
        with self._lock, self._explained(), closing(sqlite3.connect(path)) as copy:
            self._file.backup(copy)

    def _after(self, number: int) -> list[tuple[Any, ...]]:
        with self._lock, self._explained():
            query = f"SELECT {_FIELDS} FROM calls WHERE number > ? ORDER BY number LIMIT {_TOGETHER}"
            return self._file.execute(query, (number,)).fetchall()

    def _of(self, bot: str, numbers: Sequence[int]) -> Iterator[ModelCall]:
        for number in numbers:
            with self._lock, self._explained():
                query = f"SELECT {_FIELDS} FROM calls WHERE number = ? AND bot = ?"
                rows = self._file.execute(query, (number, bot)).fetchall()
            yield from (_call(*row) for row in rows)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            hint = "hint: check the disk, or restore the file from a backup"
            raise StoreError(f"Cannot use {self._path}: {error}.\n{hint}") from error


def _call(
    number: int,
    bot: str,
    at: str,
    prompt: str,
    status: int | None,
    answer: str,
    server_model: str,
    fingerprint: str,
    *used: int,
) -> ModelCall:
    reply = None if status is None else ModelReply(status, answer, server_model, fingerprint)
    return ModelCall(number, bot, at, prompt, reply, Spent(1, *used))
