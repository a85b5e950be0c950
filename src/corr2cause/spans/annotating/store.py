"""Adjudication in one SQLite file: both annotations of every row, and every decision as soon as it is taken.

The rows never change and decisions are only ever added, which the file itself enforces. A decision is on the disk
before it is confirmed (`synchronous=FULL`), so that a server that is killed loses nothing that anybody saw confirmed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corr2cause.errors import FileError
from corr2cause.files import whole_file
from corr2cause.spans.annotating.comparing import Compared, Item, pair_to_json
from corr2cause.spans.annotating.decisions import Action, Decision, DecisionError, Logged, check
from corr2cause.spans.rows import Pair, Row

_OURS = 0xC2CADB
_VERSION = 1

_SCHEMA = f"""
PRAGMA application_id = {_OURS};
PRAGMA user_version = {_VERSION};
CREATE TABLE compared (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL
);
CREATE TABLE decision (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    moment TEXT NOT NULL,
    author TEXT NOT NULL,
    row TEXT NOT NULL REFERENCES compared (id),
    item INTEGER NOT NULL,
    action TEXT NOT NULL,
    pair TEXT,
    reason TEXT NOT NULL
);
CREATE INDEX decision_of_row ON decision (row);
""" + "".join(
    f"CREATE TRIGGER {table}_{event} BEFORE {event} ON {table} BEGIN SELECT RAISE(ABORT, 'this is kept as it is'); END;"
    for table, event in (("decision", "UPDATE"), ("decision", "DELETE"), ("compared", "UPDATE"), ("compared", "DELETE"))
)


class ConflictError(DecisionError):
    """Somebody decided the same thing meanwhile."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A row with the decisions on it.

    Attributes:
        place: in the queue, from 0.
        row: both annotations.
        log: the decisions, in their order.
    """

    place: int
    row: Compared
    log: tuple[Logged, ...]


def create(path: Path, rows: Sequence[Compared]) -> None:
    """Write a new adjudication file, whole or not at all.

    Raises:
        FileError: there is such a file; it may hold decisions, so that it is never replaced.
    """
    if path.exists():
        problem = "this is there already, maybe with decisions; go on with it, or choose another name"
        raise FileError(str(path), problem)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        connection.executemany(
            "INSERT INTO compared VALUES (?, ?, ?)",
            [(place, row.first.id, _row_text(row)) for place, row in enumerate(rows)],
        )
        connection.commit()
        image = connection.serialize()
    with whole_file(path) as out:
        out.write(image)


class Store:
    """An adjudication file: its rows are read once, and it is opened anew for decisions, so that threads may share it.

    Attributes:
        path: where it lies.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._connection() as connection:
            ours = connection.execute("PRAGMA application_id").fetchone()[0] == _OURS
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if not ours:
                raise FileError(str(path), "this is no file of adjudication; make one with: corr2cause spans queue")
            if version != _VERSION:
                raise FileError(str(path), f"this is of version {version} and this program reads {_VERSION}; update it")
            contents = connection.execute("SELECT content FROM compared ORDER BY place").fetchall()
        self._rows = [_row_of(content) for (content,) in contents]
        self._places = {row.first.id: place for place, row in enumerate(self._rows)}
        self._disputed = {place for place, row in enumerate(self._rows) if row.disputes}

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        if not self.path.is_file():
            raise FileError(str(self.path), "there is no such file; make one with: corr2cause spans queue")
        try:
            with closing(sqlite3.connect(self.path, timeout=30, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                yield connection
        except sqlite3.Error as error:
            raise FileError(str(self.path), f"it cannot be used as a file of adjudication ({error})") from error

    def rows(self) -> list[Reviewed]:
        """Return all rows with their decisions, in their order."""
        logs = self._logs()
        return [Reviewed(place, row, _log(row, logs.get(row.first.id, ()))) for place, row in enumerate(self._rows)]

    def queue(self) -> list[Reviewed]:
        """Return the rows in dispute, and those that somebody decided on all the same, in their order."""
        logs = self._logs()
        places = sorted(self._disputed | {self._places[name] for name in logs})
        rows = ((place, self._rows[place]) for place in places)
        return [Reviewed(place, row, _log(row, logs.get(row.first.id, ()))) for place, row in rows]

    def _logs(self) -> dict[str, list[tuple[Any, ...]]]:
        logs: dict[str, list[tuple[Any, ...]]] = {}
        with self._connection() as connection:
            for entry in connection.execute("SELECT * FROM decision ORDER BY number"):
                logs.setdefault(entry[3], []).append(entry)
        return logs

    def row_at(self, place: int) -> Reviewed:
        """Return one row with its decisions.

        Raises:
            DecisionError: the queue has no such place.
        """
        if not 0 <= place < len(self._rows):
            raise DecisionError(f"there is no row at place {place}; there are {len(self._rows)}, counted from 0")
        with self._connection() as connection:
            return self._reviewed(connection, place)

    def log(self) -> list[Logged]:
        """Return all decisions, in the order in which they were taken."""
        return sorted((one for row in self.queue() for one in row.log), key=lambda one: one.number)

    def decide(self, decision: Decision, author: str, seen: int | None = None) -> Logged:
        """Keep a decision; it is on the disk when this returns. An addition takes the next place if its item is -1.

        Args:
            decision: what.
            author: who.
            seen: the number of the last decision on the row that the author knew of, 0 if none; None does not ask.

        Raises:
            DecisionError: it makes no sense.
            ConflictError: the row was decided on after what the author saw.
        """
        if (place := self._places.get(decision.row)) is None:
            raise DecisionError(f"there is no row {decision.row}")
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            found = self._reviewed(connection, place)
            if decision.action is Action.ADD and decision.item == -1:
                known = {one.decision.item for one in found.log if one.decision.action is Action.ADD}
                decision = replace(decision, item=len(found.row.items) + len(known))
            last = found.log[-1] if found.log else None
            if seen is not None and seen != (last.number if last else 0):
                if last and (last.decision, last.author) == (decision, author):
                    return last  # sent twice, as by a double click
                raise ConflictError(f"row {decision.row} was decided on meanwhile; look at it again")
            check(decision, found.row, found.log)
            moment = datetime.now(UTC).isoformat(timespec="milliseconds")
            values = (moment, author, decision.row, decision.item, str(decision.action), _pair_text(decision.pair))
            cursor = connection.execute(
                "INSERT INTO decision (moment, author, row, item, action, pair, reason) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*values, decision.reason),
            )
            connection.execute("COMMIT")
            return Logged(cursor.lastrowid or 0, moment, author, decision, _item(found.row, decision.item))

    def _reviewed(self, connection: sqlite3.Connection, place: int) -> Reviewed:
        row = self._rows[place]
        asked = "SELECT * FROM decision WHERE row = ? ORDER BY number"
        return Reviewed(place, row, _log(row, connection.execute(asked, (row.first.id,))))


def _log(row: Compared, entries: Iterable[tuple[Any, ...]]) -> tuple[Logged, ...]:
    return tuple(
        Logged(
            number,
            moment,
            author,
            Decision(name, item, Action(action), _pair_of(json.loads(pair or "null")), reason),
            _item(row, item),
        )
        for number, moment, author, name, item, action, pair, reason in entries
    )


def _item(row: Compared, place: int) -> Item:
    return row.items[place] if place < len(row.items) else Item(None, None)


def _row_text(row: Compared) -> str:
    return json.dumps(
        {
            "annotators": row.annotators,
            "rows": [
                {
                    "id": one.id,
                    "sentence": one.sentence,
                    "pairs": [pair_to_json(pair) for pair in one.pairs],
                    "label": one.label,
                    "source": one.source,
                }
                for one in (row.first, row.second)
            ],
            "items": [
                [pair_to_json(item.first), pair_to_json(item.second), item.disputes, item.score] for item in row.items
            ],
        },
        ensure_ascii=False,
    )


def _row_of(content: str) -> Compared:
    found = json.loads(content)
    first, second = (Row(**one | {"pairs": tuple(Pair(**pair) for pair in one["pairs"])}) for one in found["rows"])
    items = tuple(
        Item(_pair_of(ours), _pair_of(theirs), tuple(disputes), score)
        for ours, theirs, disputes, score in found["items"]
    )
    ours, theirs = found["annotators"]
    return Compared((ours, theirs), first, second, items)


def _pair_text(pair: Pair | None) -> str | None:
    return None if pair is None else json.dumps(pair_to_json(pair), ensure_ascii=False)


def _pair_of(found: dict[str, str] | None) -> Pair | None:
    return None if found is None else Pair(**found)
