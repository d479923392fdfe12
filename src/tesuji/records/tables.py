"""Games in progress, in the file of a store: one row for each, rewritten at every move.

A record in a store is a finished thing, and is never changed. A game that is being played changes all the
time; it lies in a table of its own, `tables`, which is added to the file when it is first needed. Programs
that do not know of it lose nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tesuji.clipping import clip
from tesuji.records.rows import checksum
from tesuji.records.schema import StoreError
from tesuji.records.store import Store

TABLE = """
CREATE TABLE IF NOT EXISTS tables (
    key      TEXT PRIMARY KEY,      -- who knows it may play
    changed  INTEGER NOT NULL,      -- grows with every change of any table
    content  TEXT NOT NULL,         -- JSON
    checksum INTEGER NOT NULL
)
"""
INDEX = "CREATE INDEX IF NOT EXISTS tables_changed ON tables (changed)"


class Tables:
    """The games in progress of a store: `Tables(store).put({"a key": {"moves": ["f6"]}})`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
    ...     tables = Tables(store)
    ...     tables.put({"one": {"moves": ["f6"]}, "two": {}})
    ...     tables.get("one"), tables.get("three"), tables.count()
    ({'moves': ['f6']}, None, 2)
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        with store.writing() as connection:
            connection.execute(TABLE)
            connection.execute(INDEX)

    def put(self, contents: Mapping[str, Mapping[str, Any] | None]) -> None:
        """Keep these games as they are now, all or none; None removes one."""
        rows = [(key, None if content is None else _text(content)) for key, content in contents.items()]
        with self.store.writing() as connection:
            for key, text in rows:
                if text is None:
                    connection.execute("DELETE FROM tables WHERE key = ?", (key,))
                    continue
                connection.execute(
                    "INSERT INTO tables VALUES "
                    "(?1, (SELECT coalesce(max(changed), 0) + 1 FROM tables), ?2, ?3) "
                    "ON CONFLICT (key) DO UPDATE SET "
                    "changed = excluded.changed, content = excluded.content, checksum = excluded.checksum",
                    (key, text, checksum(key, text)),
                )

    def get(self, key: str) -> dict[str, Any] | None:
        """The game of that key; None where there is none, StoreError where it is damaged."""
        rows: Sequence[Any] = self.store.all("SELECT content, checksum FROM tables WHERE key = ?", [key])
        if not rows:
            return None
        text, kept = rows[0]
        if checksum(key, text) != kept:
            raise StoreError(f"{self.store.path} is damaged: table {clip(key)} does not fit its checksum")
        return dict(json.loads(text))

    def count(self) -> int:
        """How many there are."""
        return int(self.store.all("SELECT count(*) FROM tables", [])[0][0])

    def trim(self, most: int) -> None:
        """Let the games go that nobody has touched for longest, until so many are left."""
        with self.store.writing() as connection:
            connection.execute(
                "DELETE FROM tables WHERE key IN "
                "(SELECT key FROM tables ORDER BY changed DESC LIMIT -1 OFFSET ?)",
                (most,),
            )


def _text(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
