"""Explanations as text: reasons for and against, bars and sums, in 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from tesuji.cli.shared.output import console, counted
from tesuji.full_game import FullGame
from tesuji.learn.explain import Explanation, Term, Unit, differences

REASONS = 3  # for and against each candidate
LONG_BAR, SHORT_BAR = 20, 8
NAME = 26  # columns for the name of a feature
RESULTS = {0.0: "loses the game", 0.5: "draws the game", 1.0: "wins the game"}


class ExplanationView:
    """Prints explanations of moves; at most `max_features` features each."""

    def __init__(self, game: FullGame, max_features: int) -> None:
        self.game = game
        self.max_features = max_features
        self.console = console()

    def candidates(self, found: Sequence[Explanation], top: int) -> None:
        """The best moves, each with the strongest reasons for it and against it."""
        width = max(len(one.text) for one in found[:top])
        half = (self.console.width - 4) // 2
        for rank, one in enumerate(found[:top], 1):
            self.console.print(_headline(f"{rank:>2}", one, width), no_wrap=True)
            reasons = [_visible(one.strongest(sign, REASONS), one.unit) for sign in (1, -1)]
            for place in range(max(map(len, reasons))):
                line = Text(" " * 4)
                for terms in reasons:
                    cell = _reason(terms[place], one.unit) if place < len(terms) else Text()
                    cell.truncate(half, overflow="ellipsis", pad=True)
                    line.append_text(cell)
                line.rstrip()
                self.console.print(line, no_wrap=True)
        if len(found) > top:
            self._say(f"    … and {counted(len(found) - top, 'more move')}", "dim")

    def breakdown(self, one: Explanation) -> None:
        """One move in full: the position after it and its features."""
        self._say(f"\nAfter {one.text}", "bold")
        if one.after is not None:
            self.console.print(Text(str(one.after)), soft_wrap=True)
        if one.score is not None:
            self._say(f"The game is over: {self.game.seat_name(one.mover)} {_result(one.score)}.")
            return
        self._say(self._sides(one) + "\n", "dim")
        terms = sorted(one.terms, key=lambda term: -abs(term.contribution))
        shown = _visible(terms[: self.max_features], one.unit)
        largest = max((abs(term.contribution) for term in shown), default=1.0)
        table = _table("feature", "value", "average", "weight", "adds", "")
        for term in shown:
            size = Text("█" * round(SHORT_BAR * abs(term.contribution) / largest), _style(term.contribution))
            numbers = (f"{term.reading:.4g}", f"{term.usual:.4g}", f"{term.weight:+.3g}")
            table.add_row(term.name, *numbers, _amount(term.contribution, one.unit), size)
        if others := terms[len(shown) :]:
            together = sum(term.contribution for term in others)
            table.add_row(_others(others), "", "", "", _amount(together, one.unit))
        table.add_row("baseline", "", "", "", _base(one))
        table.add_row(Text(one.unit, "bold"), "", "", "", Text(_total(one), "bold"))
        self.console.print(table)

    def comparison(self, one: Explanation, other: Explanation) -> None:
        """Two moves side by side, the largest differences first."""
        width = max(len(one.text), len(other.text))
        lines = [_headline(f" {letter}", each, width) for letter, each in (("A", one), ("B", other))]
        self.console.print(Group(*lines), no_wrap=True)
        pairs = differences(one, other)
        if not pairs:
            self._say("There are no features to compare: the game is over.")
            return
        self._say(f"\n{self._sides(one, other)}\n", "dim")
        unit = one.unit
        table = _table("feature", "A value", "B value", "A adds", "B adds", "A − B")
        shown = [
            pair for pair in pairs[: self.max_features] if _amount(pair.difference, unit) != _amount(0, unit)
        ]
        for pair in shown:
            readings = (f"{pair.one.reading:.4g}", f"{pair.other.reading:.4g}")
            adds = (_amount(term.contribution, unit) for term in (pair.one, pair.other))
            difference = Text(_amount(pair.difference, unit), _style(pair.difference))
            table.add_row(pair.name, *readings, *adds, difference)
        if others := pairs[len(shown) :]:
            sums = [
                sum(term.contribution for term in terms)
                for terms in ([pair.one for pair in others], [pair.other for pair in others])
            ]
            together = [_amount(number, unit) for number in (*sums, sums[0] - sums[1])]
            table.add_row(_others(others), "", "", *together)
        apart = _amount(one.base - other.base, unit)
        table.add_row("baseline", "", "", _base(one), _base(other), apart)
        totals = [_total(one), _total(other), _amount((one.total or 0.0) - (other.total or 0.0), unit)]
        table.add_row(Text(unit, "bold"), "", "", *(Text(total, "bold") for total in totals))
        self.console.print(table)

    def _sides(self, *found: Explanation) -> str:
        """Whose features these are, and for whom they count."""
        mover = self.game.seat_name(found[0].mover)
        deals = found[0].deals
        means = f"\nMeans over {deals} deals consistent with what {mover} has seen." if deals else ""
        readers = {one.reader for one in found}
        if len(readers) > 1 or None in readers:
            return f"Features describe the side to move next; contributions are for {mover}.{means}"
        reader = self.game.seat_name(found[0].reader or 0)
        moves_next = all(one.after is not None and one.after.player == one.reader for one in found)
        who = f"{reader}{', who moves next' if moves_next else ''}"
        return f"Features describe {who}; contributions are for {mover}.{means}"

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style))


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for number, name in enumerate(columns):
        first, last = number == 0, name == ""
        table.add_column(
            name,
            justify="left" if first or last else "right",
            no_wrap=True,
            overflow="ellipsis",
            max_width=NAME if first else None,
        )
    return table


def _headline(mark: str, one: Explanation, width: int) -> Text:
    line = Text(f"{mark}  ").append(one.text.ljust(width), "bold").append("  ")
    if one.score is not None:
        return line.append(_result(one.score), "bold")
    eighths = round(LONG_BAR * 8 * one.probability)
    full, part = divmod(eighths, 8)
    bar = ("█" * full + " ▏▎▍▌▋▊▉"[part]).ljust(LONG_BAR)[:LONG_BAR]
    line.append(f"{one.probability:>6.1%}  ").append(bar, "cyan")
    if one.unit == "log-odds":
        line.append(f"  log-odds {_total(one)}")
    line.rstrip()
    return line


def _reason(term: Term, unit: Unit) -> Text:
    return Text(_amount(term.contribution, unit), _style(term.contribution)).append(
        f" {term.name}", "default"
    )


def _visible(terms: Sequence[Term], unit: Unit) -> list[Term]:
    """Those that are not rounded to zero."""
    return [term for term in terms if _amount(term.contribution, unit) != _amount(0, unit)]


def _amount(number: float, unit: Unit) -> str:
    digits = 3 if unit == "log-odds" else 1
    shown = f"{number if unit == 'log-odds' else 100 * number:+.{digits}f}"
    if not shown.strip("+-0."):
        shown = shown[1:]  # zero has no sign
    return shown if unit == "log-odds" else f"{shown}%"


def _base(one: Explanation) -> str:
    return _amount(one.base, one.unit) if one.unit == "log-odds" else f"{one.base:.1%}"


def _total(one: Explanation) -> str:
    total = one.total or 0.0
    return _amount(total, one.unit) if one.unit == "log-odds" else f"{total:.1%}"


def _others(others: Sequence[object]) -> str:
    return f"sum of {counted(len(others), 'other')}"


def _style(number: float) -> str:
    return "green" if number > 0 else "red" if number < 0 else "dim"


def _result(score: float) -> str:
    return RESULTS.get(score, f"scores {score:g}")
