"""Measured figures as data: a file of `results/` per study, from which the pages' tables are generated.

    python benchmarks/results.py measure hex-ingredients  # play its matches, and write its file
    python benchmarks/results.py list                     # which figures are fresh, and which are stale
    python benchmarks/results.py pin                      # after a change of play: write the new fingerprints

A study is a JSON file with a title, a note, and rows of a label and a command. `measure` adds a result to
each row that has none or a stale one (with `--again`, to every row); a stopped run is resumed. `list` exits
with 1 if a page does not say that a result is stale: then `python docs/make_tables.py` writes it.

The command is `tesuji match …`, and its result is stale if one of the bots has another fingerprint today. Or
it is a program that prints a table as JSON with `head` and `rows`, in a study of one row without a label; it
names its `sources`, and the result is stale if one of them has changed.

Speeds depend on the machine, and no fingerprint shows it: measure them on a quiet one.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.common import processor, table
from benchmarks.report import commit
from tesuji import __version__
from tesuji._helpers.atomic_write import write_atomically
from tesuji.arena.fingerprint import default_bots, fingerprint
from tesuji.scale import cores

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "results"
PINNED = FOLDER / "fingerprints.json"
STORE = ROOT / "build" / "results.db"
GAMES = ("hex", "gomoku", "onitama", "gofish")
PLACE = re.compile(r"(<!-- results: (\S+) -->\n).*?(<!-- end of results -->)", re.DOTALL)
KEPT = (
    *("game", "bots", "fingerprints", "openings", "seed"),
    *("games", "wins", "draws", "losses", "pairs", "elo", "repeats"),
)
"""What a result keeps of the output of `tesuji match --json`."""
MANY_REPEATS = 0.1
"""Share of repeated games from which on a table shows them: its intervals are too narrow."""


def studies() -> list[str]:
    """The names of all studies."""
    return sorted(path.stem for path in FOLDER.glob("*.json") if path != PINNED)


def read(name: str) -> dict[str, Any]:
    """A study; ValueError, with the names, if there is none of this name."""
    path = FOLDER / f"{name}.json"
    if name not in studies():
        raise ValueError(f"unknown study {name!r} ({', '.join(studies())})")
    study: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return study


def write(name: str, data: object) -> None:
    """Write a file of the folder."""
    write_atomically(FOLDER / f"{name}.json", json.dumps(data, indent=1, ensure_ascii=False) + "\n")


@cache
def is_fresh(game: str, bots: tuple[str, ...], fingerprints: tuple[str, ...]) -> bool:
    """Whether today's bots play as these fingerprints say."""
    try:
        return tuple(fingerprint(bot, game) for bot in bots) == fingerprints
    except ValueError:  # an option or a file that is gone
        return False


def fresh(row: dict[str, Any]) -> bool:
    """Whether a row has a result that today's code still gives."""
    result: dict[str, Any] | None = row.get("result")
    if result is None:
        return False
    if "sources" in row:
        return bool(result["sources"] == digests(row["sources"]))
    return is_fresh(result["game"], tuple(result["bots"]), tuple(result["fingerprints"]))


def digests(sources: list[str]) -> list[str]:
    """Digests of files of this repository."""
    return [hashlib.sha256((ROOT / source).read_bytes()).hexdigest()[:16] for source in sources]


def measure(row: dict[str, Any], processes: int) -> None:
    """Play the match of a row, or the rest of it, or run its program; sets the result."""
    program, *words = shlex.split(row["command"])
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    command = [sys.executable, *words, "--json"]
    if program == "tesuji":
        STORE.parent.mkdir(exist_ok=True)
        words += ["--store", str(STORE), "--processes", str(processes)]
        command = [sys.executable, "-m", "tesuji", *words, "--json"]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    found = json.loads(done.stdout)
    kept = {key: found[key] for key in KEPT} if program == "tesuji" else found
    kept |= {"sources": digests(row["sources"])} if "sources" in row else {}
    row["result"] = kept | {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "version": f"{__version__} {commit()}".strip(),
        "machine": f"{processor()}, {cores()} cores",
        "load": load if load is None else round(load, 1),
    }


def block(name: str) -> str:
    """A study as a Markdown table. What is stale says when it was measured."""
    study = read(name)
    rows = [row for row in study["rows"] if "result" in row]
    command = f"`python benchmarks/results.py measure {name}`"
    if not rows:
        return f"Not measured yet: {command}."
    measured = [row["result"] for row in rows]
    old = [
        ""
        if fresh(row)
        else f" (measured with {row['result']['version']}, {row['result']['date']}; changed since)"
        for row in rows
    ]
    dates = sorted({row["date"] for row in measured})
    when = f"{dates[0]} to {dates[-1]}" if len(dates) > 1 else "".join(dates)
    note = f"{study['note']} Measured {when}: {command}."
    if "sources" in rows[0]:
        return f"{table(measured[0]['head'], measured[0]['rows'])}\n{note.removesuffix('.')}{old[0]}."
    cells = [[row["label"] + stale, *_score(row["result"])] for row, stale in zip(rows, old, strict=True)]
    return f"{table([study['heading'], 'points', 'Elo, 95 % interval'], cells)}\n{note}"


def _score(result: dict[str, Any]) -> tuple[str, str]:
    points, elo = result["wins"] + result["draws"] / 2, result["elo"]
    repeats = result.get("repeats", 0)
    seen = f", {repeats} of them repeated" if repeats > MANY_REPEATS * result["games"] else ""
    low = "−∞" if elo["low"] is None else _signed(elo["low"])
    high = "∞" if elo["high"] is None else _signed(elo["high"])
    return f"{points:g} of {result['games']}{seen}", f"{_signed(elo['value'])} [{low}, {high}]"


def _signed(elo: float) -> str:
    return f"{elo:+.0f}".replace("-", "−")


def with_results(page: str) -> str:
    """The text of a page with the tables of its studies as they should be."""
    return PLACE.sub(lambda place: f"{place[1]}\n{block(place[2])}\n\n{place[3]}", page)


def pages() -> list[Path]:
    """All pages that may have figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def pins() -> dict[str, dict[str, str]]:
    """Today's fingerprints of all default bots and levels, by game."""
    return {game: {bot: fingerprint(bot, game) for bot in default_bots(game)} for game in GAMES}


def show_list() -> int:
    """Print the state of every figure; 1 if a page states a stale one as current."""
    for name in studies():
        study = read(name)
        for row in study["rows"]:
            state = "fresh" if fresh(row) else "stale" if "result" in row else "not measured"
            print(f"{state:12}  {name}: {row.get('label', study['title'])}")
    wrong = [path for path in pages() if with_results(page := path.read_text(encoding="utf-8")) != page]
    for path in wrong:
        print(f"{path.relative_to(ROOT)} does not agree with results/; run: python docs/make_tables.py")
    return 1 if wrong else 0


def main() -> int:
    """Run a command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="state of every figure")
    commands.add_parser("pin", help="pin today's fingerprints")
    measuring = commands.add_parser("measure", help="measure studies")
    measuring.add_argument("names", nargs="+", choices=studies(), metavar="NAME")
    measuring.add_argument("--again", action="store_true", help="measure fresh rows again")
    measuring.add_argument("--processes", type=int, default=1, help="games at a time (default: 1)")
    given = parser.parse_args()
    if given.command == "list":
        return show_list()
    if given.command == "pin":
        write(PINNED.stem, pins())
        return 0
    for name in given.names:
        study = read(name)
        for row in study["rows"]:
            if given.again or not fresh(row):
                measure(row, given.processes)
                write(name, study)
                print(f"measured {name}: {row.get('label', row['command'])}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
