"""One page of evidence from this machine in about ten minutes: speed beside peers, exams, a short ladder.

    python benchmarks/report.py [--share 0.1] [--out FOLDER]

Writes `report.md` with a description of the machine, and its plots, to the folder (default: the page that
the documentation site shows). `--share` scales all counts. Speeds are processor time; run it on a quiet
machine, the page says how busy it was.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any

import tesuji

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.common import processor
from tesuji.arena.plot import ratings_svg
from tesuji.arena.ratings import Ratings
from tesuji.arena.tournament import Tournament
from tesuji.records.store import Store
from tesuji.scale import cores

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference"
EXAMS = {"gomoku": (120, ["easy", "hard", "mcts:iterations=2000"]), "hex:size=5": (60, ["easy", "hard"])}
"""For each game: positions, and bots."""
LADDER = ("hex:size=7", ["random", "easy", "medium", "hard", "mcts:iterations=1000,rave=off"], 8)
"""Game, bots, and rounds."""


def commit() -> str:
    """The commit that is measured, or nothing outside a repository."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip()


def machine() -> list[str]:
    """The machine and the software, as rows of a table."""
    rows = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "tesuji": " ".join([tesuji.__version__, commit()]).strip(),
        "processor": f"{processor()}, {cores()} cores",
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "Python": platform.python_version(),
    }
    if hasattr(os, "sysconf"):
        rows["memory"] = f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    if hasattr(os, "getloadavg"):
        rows["load before"] = f"{os.getloadavg()[0]:.1f} (busy processes, mean of a minute)"
    return ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())]


def rounded(number: float) -> str:
    """A number with four significant digits and no exponent: `298,400`."""
    return f"{float(f'{number:.4g}'):,.0f}" if number >= 1000 else f"{number:.4g}"


def ratios_svg(rows: list[tuple[str, float]], title: str) -> str:
    """Bars of ratios on a logarithmic axis; 1 is equally fast."""
    left, right, row, top = 190, 600, 26, 44
    low, high = min(0.5, *(ratio for _, ratio in rows)), max(2.0, *(ratio for _, ratio in rows))

    def x(ratio: float) -> float:
        return left + (right - left) * math.log(ratio / low) / math.log(high / low)

    height = top + row * len(rows) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="720" viewBox="0 0 720 {height}">',
        "<style>text { font: 12px system-ui, sans-serif; fill: #3b4252 } .one { stroke: #9ca3af }"
        ".bar { fill: #1d5f99 }"
        "@media (prefers-color-scheme: dark) { text { fill: #d1d5db } .bar { fill: #8cc4f2 } }</style>",
        f'<text x="16" y="24" font-weight="600">{escape(title)}</text>',
    ]
    for at, (name, ratio) in enumerate(rows):
        y, start, end = top + at * row, min(x(1), x(ratio)), max(x(1), x(ratio))
        parts.append(f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        parts.append(
            f'<rect class="bar" x="{start:.1f}" y="{y}" width="{max(end - start, 1):.1f}" height="18"/>'
        )
        parts.append(f'<text x="{end + 6:.1f}" y="{y + 14}">{ratio:.3g}×</text>')
    parts.append(f'<path class="one" d="M{x(1):.1f} {top - 8}V{height - 8}"/></svg>')
    return "\n".join(parts) + "\n"


def speed(share: float, folder: Path) -> list[str]:
    """The quick run of `peers.py`, as a table and a plot; a note where the peers are not installed."""
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(scratch) / "figures.json"
        command = [sys.executable, str(ROOT / "benchmarks" / "peers.py"), "--quick", "--json", str(kept)]
        if share < 1:
            command += ["--only", "tic_tac_toe"]
        done = subprocess.run(command, capture_output=True, text=True)
        if not kept.exists():
            reason = (done.stderr.strip().splitlines() or ["no output"])[-1]
            return [f"Not measured: `{reason}`. `make bench` installs the packages to compare with."]
        figures: dict[str, dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8"))["figures"]
    ratios = [(name, figure["ratio"]) for name, figure in figures.items()]
    plot = ratios_svg(ratios, "Ours relative to theirs")
    (folder / "report-speed.svg").write_text(plot, encoding="utf-8")
    rows = ["| figure | ours | theirs | ratio |", "|---|---:|---:|---:|"]
    for name, figure in figures.items():
        numbers = (f"{rounded(figure[side])} {figure['unit']}" for side in ("ours", "theirs"))
        rows.append(f"| {name}: {figure['what']} | {' | '.join(numbers)} | {figure['ratio']:.3g} |")
    return [*rows, "", "![Speed beside peers](report-speed.svg)"]


def exams(share: float) -> list[str]:
    """The share of positions in which each bot kept the result, with 95 % intervals."""
    rows = ["| exam | bot | kept | of | 95 % interval |", "|---|---|---:|---:|---|"]
    for game, (positions, bots) in EXAMS.items():
        command = [sys.executable, "-m", "tesuji", "exam", game, "--json"]
        command += ["--positions", str(max(round(positions * share), 2))]
        for bot in bots:
            command += ["--bot", bot]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        for found in json.loads(done.stdout)["bots"]:
            exact = found["exact"]
            low, high = exact["interval"]
            kept, asked = exact["kept"], exact["asked"]
            rows.append(f"| {game} | `{found['bot']}` | {kept:g} | {asked} | {low:.0%} to {high:.0%} |")
    return rows


def ladder(share: float, folder: Path) -> list[str]:
    """The ratings of a short tournament."""
    game, bots, rounds = LADDER
    with tempfile.TemporaryDirectory() as scratch, Store(f"{scratch}/games.db") as store:
        tournament = Tournament(game, bots, store, rounds=max(round(rounds * share), 1))
        for _ in tournament.play(processes=cores()):
            pass
        ratings: Ratings = tournament.ratings()
        title = f"{game}, {len(tournament.games)} games"
    (folder / "report-ladder.svg").write_text(ratings_svg(ratings, title) + "\n", encoding="utf-8")
    rows = ["| bot | Elo | 95 % interval | games |", "|---|---:|---|---:|"]
    for row in ratings.table:
        rows.append(f"| `{row.name}` | {row.elo:+.0f} | {row.low:+.0f} to {row.high:+.0f} | {row.games} |")
    return [*rows, "", "![Ratings](report-ladder.svg)"]


def main() -> None:
    """Measure everything, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--share", type=float, default=1.0, help="share of the full counts, for a quick look")
    parser.add_argument("--out", type=Path, default=PAGE, help="folder for report.md and its plots")
    given = parser.parse_args()
    if not 0 < given.share <= 1:
        parser.error(f"--share must be above 0 and at most 1, not {given.share:g}")
    given.out.mkdir(parents=True, exist_ok=True)
    introduction = "What one machine measured in about ten minutes: `python benchmarks/report.py`."
    if given.out == PAGE:
        introduction += "\n[Benchmarks](../benchmarks.md) has the longer measurements."
    if given.share < 1:
        introduction += f" This run did {given.share:g} of the full counts: a look, not a measurement."
    sections = {
        "Machine": machine(),
        "Speed": speed(given.share, given.out),
        "Exams": exams(given.share),
        "Ladder": ladder(given.share, given.out),
    }
    lines = ["# Report", "", introduction, ""]
    for title, rows in sections.items():
        lines += [f"## {title}", "", *rows, ""]
    (given.out / "report.md").write_text("\n".join(lines), encoding="utf-8")
    print(given.out / "report.md")


if __name__ == "__main__":
    main()
