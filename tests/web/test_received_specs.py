"""No spec from a request, a record or a stored table makes foreign rules or starts a program.

The test sends specs to every route that the application lists, in every field of its schema that holds text,
and stores them in every text of a table, a record and the plan of a match. The games and the bot of
`PLUGIN` write down when they are made. A new route or a new field is covered by itself.
"""

from __future__ import annotations

import contextlib
import copy
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, cast
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute
from websockets.exceptions import ConnectionClosed

from tests.web.server_process import ApiClient, ServerProcess
from tesuji.records import Record, Store
from tesuji.records.serialization import to_json
from tesuji.records.unfinished_games import UnfinishedGames
from tesuji.registry import bots, games
from tesuji.web.http.app import make_api
from tesuji.web.tables.table import Table

PLUGIN = '''
"""A foreign game, a game of one's own and a bot note in `made.txt` that they are made."""

from pathlib import Path

import tesuji
from tesuji.registry import games


def note(line):
    with Path(__file__).with_name("made.txt").open("a") as file:
        file.write(f"{line}\\n")


class Count:
    """A position: two players count to three."""

    def __init__(self, count=0):
        self.count = count
        self.player = count % 2

    def moves(self):
        return [1] if self.count < 3 else []

    def play(self, move):
        return Count(self.count + move)

    def scores(self):
        return (1.0, 0.0) if self.count == 3 else None


class Foreign:
    def __init__(self, file: str = ""):
        self.file = file
        note("game")

    def start(self):
        return Count()


@tesuji.register_game("own")
class Own(Foreign):
    """Rules that the user has loaded."""


@tesuji.register_bot("noted")
class Noted:
    """Plays the first move."""

    def __init__(self, game):
        note("bot")

    def choose(self, state):
        return state.moves()[0]


games.register_lazily("foreign", f"{__name__}:Foreign", foreign=True)
'''
"""For `--load`: a text, because importing it in this process would register its games for all other tests."""

Place: TypeAlias = tuple[str | int, ...]
"""Where a text is in JSON: keys and indices."""

APP = make_api(cast(Any, None))
SCHEMA = APP.openapi()


def flat(routes: Iterable[Any]) -> Iterator[Any]:
    """The routes of an application and of the routers in it."""
    for route in routes:
        router = getattr(route, "original_router", None)
        yield from [route] if router is None else flat(router.routes)


ROUTES = list(flat(APP.routes))
LIVE = "/api/tables/{id}/live"
USUAL: dict[str, Any] = {
    "game": "hex:size=3",
    "seats": ["person", "person"],
    "text": "#3,b2",
    "move": "a1",
    "seconds": 0.2,
}
"""Values of fields that do not hold the spec, by their names; 0, true or one letter for others."""


@dataclass
class Plot:
    """What is sent, stored and made in one test."""

    folder: Path
    game: str
    bot: str
    identities: list[str | int] = field(default_factory=list)
    """Of stored tables, records and matches."""

    @property
    def texts(self) -> list[str]:
        record = Record(game=self.game, players=(self.bot, self.bot))
        return [self.game, self.bot, to_json(record)]

    @property
    def made(self) -> list[str]:
        file = self.folder / "made.txt"
        return file.read_text().split() if file.exists() else []

    def forget(self) -> None:
        (self.folder / "made.txt").unlink(missing_ok=True)

    def store(self) -> Path:
        """A store with the specs in every text of a table, a record and a plan."""
        path = self.folder / "games.db"
        before = Record(game="hex:size=3", players=("person", "random"), seed=1, moves=("b2",))
        table = Table.from_record("table", before, before.players).as_dict()
        table["message"] = "a message"
        contents = [put(table, place, text) for place in places(table) for text in self.texts]
        contents.append(put(table, ("record", "players"), [self.bot, self.bot]))
        with Store(path) as store:
            UnfinishedGames(store).put({f"table-{number}": one for number, one in enumerate(contents)})
            for number, seats in enumerate((before.players, (self.bot, self.bot))):
                plan = {"game": self.game, "bots": seats, "openings": self.game, "clock": "60+1"}
                store.set_plan(f"match-{number}", plan)
                record = Record(game=self.game, players=seats, scores=(1.0, 0.0), ending="resigned")
                self.identities.append(store.add(record, match=f"match-{number}", round=0))
        self.identities += [f"table-{number}" for number in range(len(contents))]
        self.identities += ["match-0", "match-1"]
        return path


def places(value: Any) -> Iterator[Place]:
    """All texts in a value."""
    if isinstance(value, str):
        yield ()
    elif isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from ((key, *rest) for rest in places(one))


def put(value: Any, place: Place, new: Any) -> Any:
    """The value with another one at this place."""
    if not place:
        return new
    changed = copy.deepcopy(value)
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = new
    return changed


def filled(schema: Any, name: str, *, optional: bool) -> Any:
    """A value of a schema; with `optional`, all its fields."""
    if "$ref" in schema:
        schema = SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    schema = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    if "anyOf" in schema or "$ref" in schema:
        return filled(schema, name, optional=optional)
    if name in USUAL:
        return USUAL[name]
    if schema.get("type") == "object":
        needed = schema.get("required", ())
        return {
            key: filled(one, key, optional=optional)
            for key, one in schema.get("properties", {}).items()
            if optional or key in needed or key == "seconds"
        }
    if schema.get("type") == "array":
        return [filled(schema["items"], name, optional=optional)]
    return {"string": "x", "boolean": True}.get(schema.get("type"), schema.get("minimum", 0))


def bodies(operation: Any, texts: list[str]) -> Iterator[Any]:
    """The operation's body with the texts at every place, one after another, and at all places together."""
    if "requestBody" not in operation:
        yield None
        return
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    everything, necessary = (filled(schema, "", optional=one) for one in (True, False))
    yield necessary
    for text in texts:
        for place in places(everything):
            alone = {**necessary, place[0]: everything[place[0]]}
            yield put(alone, place, text)
            everything = put(everything, place, text)
        yield everything


def requests_of(client: ApiClient, plot: Plot) -> Iterator[tuple[str, str, str, Any]]:
    """(label, method, path with query, body): every route with the specs in every field."""
    for path, operations in SCHEMA["paths"].items():
        for method, operation in operations.items():
            given = operation.get("parameters", [])
            asked = [one["name"] for one in given if one["in"] == "query"]
            used = [one["name"] for one in given if one["in"] == "path"]
            fresh = [client.new("hex:size=3", "person", "person")["id"]] if used else [""]
            for identity in [*fresh, *(plot.identities if used else ()), *(plot.texts if used else ())]:
                whole = path
                for name in used:
                    whole = whole.replace(f"{{{name}}}", quote(str(identity), safe=""))
                queries = ["", *(f"?{name}={quote(text)}" for name in asked for text in plot.texts)]
                for query in queries:
                    for body in bodies(operation, plot.texts if identity in fresh else []):
                        yield f"{method.upper()} {path}", method, whole.removeprefix("/api") + query, body


def walk(client: ApiClient, plot: Plot) -> set[str]:
    """Send everything; returns the routes at which something was made before they answered."""
    making = set()
    before = len(plot.made)
    for identity in plot.identities:
        watch(client, str(identity))
    if len(plot.made) > before:
        making.add(LIVE)
        before = len(plot.made)
    for label, method, path, body in requests_of(client, plot):
        response = client.http.request(method, path, json=body)
        assert response.status_code < 500, (label, path, body, response.text)
        if len(plot.made) > before:
            making.add(label)
            before = len(plot.made)
    finish(client)
    return making


def watch(client: ApiClient, id: str) -> None:
    """Open a live connection and wait until no bot is to move, or one has failed."""
    with contextlib.suppress(ConnectionClosed), client.live(quote(id, safe="")) as live:
        live.until(is_quiet)


def is_quiet(message: Any) -> bool:
    """Whether a message says that no bot is to move."""
    if message["type"] != "table":
        return bool(message["type"] == "error")
    failed = " failed: " in (message["message"] or "")
    return message["over"] or failed or message["seats"][message["turn"]]["kind"] == "person"


def finish(client: ApiClient) -> None:
    """Wait for all searches that were requested before: there is one worker."""
    id = client.new("hex:size=3", "person", "person")["id"]
    with client.live(id) as live:
        assert client.post(f"/tables/{id}/analysis", ply=0, seconds=0.1).status_code == 202
        live.until(lambda message: message["type"] == "analysis" and message["done"])
    assert client.post("/records", text="#3,b2").status_code == 201


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plugin.py").write_text(PLUGIN)
    return tmp_path


def server_of(plot: Plot) -> ServerProcess:
    path = plot.store()
    plugin = str(plot.folder / "plugin.py")
    server = ServerProcess(path, "--load", plugin, "--workers", "1")
    plot.forget()  # what was made to list the games
    return server


def test_the_plugin_is_for_servers_alone() -> None:
    assert not {"own", "foreign"} & set(games.names())
    assert "noted" not in bots.names()


def test_the_schema_knows_every_route() -> None:
    described = {(path, method.upper()) for path, one in SCHEMA["paths"].items() for method in one}
    routes = [route for route in ROUTES if isinstance(route, APIRoute)]
    assert described == {(route.path, method) for route in routes for method in route.methods or ()}
    others = [route.path for route in ROUTES if not isinstance(route, APIRoute)]
    assert others == ["/api/openapi.json", LIVE, "/{path:path}", "/", ""]  # refused ones, and the page


def test_no_received_spec_makes_foreign_rules_or_starts_a_program(folder: Path) -> None:
    engine = f'gtp:command="sh {folder}/engine.sh"'
    (folder / "engine.sh").write_text(f"echo bot >> {folder}/made.txt\n")
    plot = Plot(folder, 'foreign:file="/etc/passwd"', engine)
    with server_of(plot) as server, ApiClient(server.base) as client:
        assert walk(client, plot) == set()
        assert plot.made == []


def test_the_walk_finds_what_is_made(folder: Path) -> None:
    plot = Plot(folder, "own", "noted")
    with server_of(plot) as server, ApiClient(server.base) as client:
        making = walk(client, plot)
    assert {"POST /api/tables", "POST /api/positions", "POST /api/records"} <= making
    assert {LIVE, "POST /api/records/{number}", "GET /api/matches/{id}"} <= making
    assert {"game", "bot"} == set(plot.made)


def test_a_person_may_name_foreign_rules_and_programs(folder: Path) -> None:
    (folder / "engine.sh").write_text(f"echo bot >> {folder}/made.txt\n")
    make = (
        "import tesuji\nfrom pathlib import Path\nfrom tesuji.cli.shared.loading import load_file\n"
        f"load_file(Path({str(folder / 'plugin.py')!r}))\n"
        "tesuji.game('foreign')\n"
        f"tesuji.bot('gtp:command=\"sh {folder}/engine.sh\"', tesuji.game('hex:size=3'))\n"
    )
    subprocess.run([sys.executable, "-c", make], timeout=120, capture_output=True, check=False)
    assert Plot(folder, "", "").made == ["game", "bot"]
