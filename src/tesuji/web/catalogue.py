"""What can be played here: games, their options, and the bots that a page may name."""

from __future__ import annotations

import re
import sys
from typing import Any

from tesuji.bots.levels import LEVELS, level_spec
from tesuji.game import Game, game, players_of, start
from tesuji.options import OptionInfo
from tesuji.records.formats import formats_of
from tesuji.registry import bots, first_line, games, spec_of
from tesuji.web.boards import board_of, hides
from tesuji.web.specs import AllowedBots, Refused
from tesuji.web.views import title_of, who

FORMATS = {"json": "Tesuji", "sgf": "SGF", "hexworld": "HexWorld link", "psq": "Piskvork", "litama": "Litama"}
HIDDEN_OPTIONS = ("tablebase", "threads", "knowledge")
"""Of bots: files are not opened for a page, and the others are for people who program."""


def catalogue(allowed: AllowedBots) -> list[dict[str, Any]]:
    """Every game: `catalogue(AllowedBots(Limits()))[0]["name"] == "hex"`."""
    found = []
    for name in games.names():
        try:
            rules = game(name)
        except ValueError:  # a game that needs to be told something is not offered
            continue
        try:
            found.append(_describe(name, rules, allowed))
        except Exception as error:  # one broken game does not close the others
            print(f"tesuji: {name} is not offered: {type(error).__name__}: {error}", file=sys.stderr)
    return found


def _describe(name: str, rules: Game, allowed: AllowedBots) -> dict[str, Any]:
    first = start(rules, 1)
    options = games.describe(name)
    players = players_of(rules)
    asked = next((option for option in options if option.name == "players"), None)
    least, most = (
        (players, players) if asked is None else (int(_bound(asked, 0) or 2), int(_bound(asked, 1) or 6))
    )
    return {
        "spec": name,
        "name": name,
        "title": title_of(name),
        "help": first_line(type(rules)),
        "seats": {"least": least, "most": most},
        "seat_names": [who(rules, seat) for seat in range(most)],
        "options": [_option(option) for option in options],
        "levels": [
            {"name": level, "help": f"{first_line(bots.get(level))} ({level_spec(rules, level)})"}
            for level in LEVELS
        ],
        "bots": [bot for bot in map(_bot, allowed.names) if _plays(bot["name"], rules, allowed)],
        "default_bot": str(getattr(rules, "default_bot", "mcts")),
        "formats": [{"name": format, "title": FORMATS.get(format, format)} for format in formats_of(rules)],
        "board": board_of(name, first, None)["kind"],
        "features": _explains(rules),
        "hidden": hides(first),
    }


def _bot(name: str) -> dict[str, Any]:
    shown = [option for option in bots.describe(name) if option.name not in HIDDEN_OPTIONS]
    return {"name": name, "help": first_line(bots.get(name)), "options": [_option(one) for one in shown]}


def _plays(name: str, rules: Game, allowed: AllowedBots) -> bool:
    """Whether the bot, as it is, plays this game: zero needs a network, alpha-beta two players."""
    try:
        allowed.check(name, spec_of(rules))
    except Refused:
        return False
    return True


def _explains(rules: Game) -> bool:
    objectives = getattr(getattr(rules, "knowledge", None), "objectives", None)
    return objectives is not None


def _option(info: OptionInfo) -> dict[str, Any]:
    numbers = re.search(r"(int|float)", info.kind)
    kind = "switch" if set(info.words) == {"on", "off"} else "choice" if info.words else "text"
    return {
        "name": info.name,
        "kind": numbers[1] if numbers else kind,
        "default": info.default,
        "least": _bound(info, 0),
        "most": _bound(info, 1),
        "choices": list(info.words),
        "help": info.doc,
    }


def _bound(info: OptionInfo, side: int) -> float | None:
    """An option's least or most, as its kind says: `int 2..19`, `int ≥ 1`."""
    both = re.search(r"(?:int|float) ([-\d.e+]+?)\.\.([-\d.e+]+)", info.kind)
    one = re.search(r"(?:int|float) ([≥≤]) ([-\d.e+]+)", info.kind)
    if both:
        return float(both[side + 1])
    if one and "≥≤"[side] == one[1]:
        return float(one[2])
    return None
