"""The games that can be played, with their options and the bots that a page may request."""

from __future__ import annotations

import sys

from tesuji.adapter import defines
from tesuji.any_game import game
from tesuji.bots.levels import LEVELS, level_spec
from tesuji.full_game import FullGame, FullState
from tesuji.options import OptionInfo
from tesuji.records.formats import formats_of
from tesuji.registry import bots, first_line, games, spec_of
from tesuji.web.schema import BotView, GameView, OptionView, PieceView, PreviewView
from tesuji.web.specs import AllowedBots, BadRequest
from tesuji.web.tables.views import describe_board, title_of

HIDDEN_OPTIONS = ("tablebase", "threads", "knowledge", "device")
"""Bot options that the page does not offer: files are forbidden, the others are for programmers."""


def catalogue(allowed: AllowedBots) -> list[GameView]:
    """Every game: `catalogue(AllowedBots(ServerLimits()))[0]["name"] == "hex"`."""
    found = []
    for name in games.names():
        try:
            rules = game(name)
        except ValueError:  # a game with required options is not listed
            continue
        try:
            found.append(_describe(name, rules, allowed))
        except Exception as error:  # a broken game must not hide the others
            print(f"tesuji: {name} is not listed: {type(error).__name__}: {error}", file=sys.stderr)
    return found


def _describe(name: str, rules: FullGame, allowed: AllowedBots) -> GameView:
    first = rules.start(1)
    options = games.describe(name)
    minimum = maximum = rules.players
    for option in options:
        if option.name == "players":  # 2 to 6 if it declares no bounds
            minimum, maximum = int(option.minimum or 2), int(option.maximum or 6)
    return {
        "spec": name,
        "name": name,
        "title": title_of(rules, name),
        "help": first_line(type(rules.own)),
        "goal": rules.goal or first_line(type(rules.own)),
        "seats": {"minimum": minimum, "maximum": maximum},
        "seat_names": [rules.seat_name(seat) for seat in range(maximum)],
        "options": [_option(option) for option in options],
        "levels": [
            {"name": level, "help": f"{first_line(bots.get(level))} ({level_spec(rules, level)})"}
            for level in LEVELS
        ],
        "bots": [bot for bot in map(_bot, allowed.names) if _plays(bot["name"], rules, allowed)],
        "default_bot": str(rules.default_bot),
        "formats": [
            {"name": name, "title": format.title or name} for name, format in formats_of(rules).items()
        ],
        "board_kind": describe_board(first, None)["kind"],
        "preview": _preview(rules, first),
        "explainable": rules.knowledge.objectives is not None,
        "hidden": first.hidden,
        "set_up": _pieces(rules) if rules.can_set_up else None,
    }


def _bot(name: str) -> BotView:
    shown = [option for option in bots.describe(name) if option.name not in HIDDEN_OPTIONS]
    return {"name": name, "help": first_line(bots.get(name)), "options": [_option(one) for one in shown]}


def _plays(name: str, rules: FullGame, allowed: AllowedBots) -> bool:
    """Whether the bot plays this game with default options: zero needs a network, alpha-beta two players."""
    try:
        allowed.check(name, spec_of(rules))
    except BadRequest:
        return False
    return True


def _preview(rules: FullGame, first: FullState) -> PreviewView | None:
    """A position for the home page, seen from seat 0: the game's `preview`, else the first one.

    None if there is only a generated `repr` to show.
    """
    state = rules.preview or first
    board = describe_board(state, 0)
    if board["kind"] == "text" and not (defines(state.own, "__str__") and board["text"]):
        return None
    names = [rules.seat_name(seat) for seat in range(rules.players)]
    return {"board": board, "turn": state.player, "seat_names": names}


def _pieces(rules: FullGame) -> list[PieceView]:
    """What an editor can put on the cells of a position; the game's `set_up_pieces`, by their symbols."""
    return [{"symbol": str(symbol), "label": str(label)} for symbol, label in rules.set_up_pieces.items()]


def _option(info: OptionInfo) -> OptionView:
    words = "switch" if set(info.words) == {"on", "off"} else "choice" if info.words else "text"
    return {
        "name": info.name,
        "kind": info.number or words,
        "default": info.default,
        "minimum": info.minimum,
        "maximum": info.maximum,
        "choices": list(info.words),
        "help": info.doc,
        "visibility": info.visibility,
    }
