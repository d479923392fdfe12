"""Games in progress in a store: one row for each, rewritten at every move.

Records in a store never change. Games in progress have their own SQL table, `tables`, which is added to the
database when it is first needed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from tesuji._helpers.clipping import clip
from tesuji.records.row_mapping import checksum, read_object
from tesuji.records.schema import StoreError
from tesuji.records.store import Store

TABLE = """
CREATE TABLE IF NOT EXISTS tables (
    key      TEXT PRIMARY KEY,      -- secret of the players
    changed  INTEGER NOT NULL,      -- grows with every change of any row
    content  TEXT NOT NULL,         -- JSON
    checksum INTEGER NOT NULL
)
"""
INDEX = "CREATE INDEX IF NOT EXISTS tables_changed ON tables (changed)"


class UnfinishedGames:
    """The games in progress of a store: `UnfinishedGames(store).put({"key": {"moves": ["f6"]}})`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
    ...     games = UnfinishedGames(store)
    ...     games.put({"one": {"moves": ["f6"]}, "two": {}})
    ...     games.get("one"), games.get("three"), games.count()
    ({'moves': ['f6']}, None, 2)
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        with store.transaction() as connection:
            connection.execute(TABLE)
            connection.execute(INDEX)

    def put(self, contents: Mapping[str, Mapping[str, object] | None]) -> None:
        """Write these games in one transaction; None removes one."""
        rows = [(key, None if content is None else _text(content)) for key, content in contents.items()]
        with self.store.transaction() as connection:
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

    def get(self, key: str) -> dict[str, object] | None:
        """A game by its key; None if there is none, StoreError if it is damaged."""
        rows = self.store.query("SELECT content, checksum FROM tables WHERE key = ?", [key])
        if not rows:
            return None
        content = read_object(key, *rows[0])
        if content is None:
            raise StoreError(f"{self.store.path} is damaged: game {clip(key)} does not match its checksum")
        return content

    def count(self) -> int:
        """Number of games in progress."""
        return int(self.store.query("SELECT count(*) FROM tables", [])[0][0])

    def trim(self, most: int) -> None:
        """Keep only the `most` recently changed games."""
        with self.store.transaction() as connection:
            connection.execute(
                "DELETE FROM tables WHERE key IN "
                "(SELECT key FROM tables ORDER BY changed DESC LIMIT -1 OFFSET ?)",
                (most,),
            )


def _text(content: Mapping[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
