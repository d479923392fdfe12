"""Writes the pages' tables, of options and of measured results: `python docs/make_tables.py`.

A page has a place for a table of options between `<!-- options: bot mcts -->` and `<!-- end of options -->`;
`settings zero` lists the settings of `tesuji learn zero`. A study of `results/` stands between
`<!-- results: NAME -->` and `<!-- end of results -->`, see `benchmarks/results.py`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.results import ROOT, pages, with_results
from tesuji.learn.zero.config import ZeroConfig
from tesuji.options import OptionInfo, describe
from tesuji.registry import bots, games
from tesuji.scale.executor import executors

PLACE = re.compile(
    r"(<!-- options: (game|bot|executor|settings) (\S+) -->\n).*?(<!-- end of options -->)", re.DOTALL
)
HEADINGS = {
    "basic": "",
    "expert": "For experts:\n\n",
    "study": "For studies of what a part is worth:\n\n",
}
LONGEST_DEFAULT = 8  # √2 needs no sixteen digits in a table


def options_table(kind: str, name: str) -> str:
    """The options of one game, bot or executor as a Markdown table."""
    if kind == "settings":
        found = describe(ZeroConfig)
    else:
        found = {"game": games, "bot": bots, "executor": executors}[kind].describe(name)
    sections: dict[str, list[OptionInfo]] = {}
    for option in found:
        sections.setdefault(option.visibility, []).append(option)
    return "\n".join(HEADINGS[name] + _table(options) for name, options in sections.items())


def _table(options: Sequence[OptionInfo]) -> str:
    rows = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for option in options:
        default = option.default
        if len(default) > LONGEST_DEFAULT and default[0].isdigit():
            default = f"{float(default):.4g}"
        cells = (f"`{option.name}`", option.kind, default, option.doc)
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(rows) + "\n"


def with_tables(page: str) -> str:
    """The text of a page with its tables as they should be."""
    page = PLACE.sub(lambda place: f"{place[1]}\n{options_table(place[2], place[3])}\n{place[4]}", page)
    return with_results(page)


def main() -> None:
    """Write every table."""
    for path in pages():
        page = path.read_text(encoding="utf-8")
        if with_tables(page) != page:
            path.write_text(with_tables(page), encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
