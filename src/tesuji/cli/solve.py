"""`tesuji solve`: find a forced win by threats, or the moves that stop one."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.inputs import Json, player_name, read_game, read_moves
from tesuji.cli.thinking import counted
from tesuji.game import start

if TYPE_CHECKING:
    from tesuji.games.gomoku import GomokuState
    from tesuji.games.gomoku.solver import Defence, Solution

THREATS = {"vcf": "fours", "vct": "fours and threes"}


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game spec: gomoku, with its options.")],
    moves: Annotated[str, typer.Option(metavar="MOVES", help='Moves played so far, such as "h8 i9".')] = "",
    vcf: Annotated[bool, typer.Option("--vcf", help="Win by fours only (default).")] = False,
    vct: Annotated[bool, typer.Option("--vct", help="Win by fours and threes.")] = False,
    defend: Annotated[
        bool, typer.Option("--defend", help="Moves that stop the opponent's win by fours.")
    ] = False,
    seconds: Annotated[float, typer.Option(metavar="S", help="Time limit.", min=0.001, max=86_400)] = 10.0,
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Node limit.", min=1)] = None,
    as_json: Json = False,
) -> None:
    """Find a forced win by threats for the side to move.

    A win is proven, and shown with its line up to the five. Ctrl-C stops the search.
    """
    if vcf + vct + defend > 1:
        raise BadInput("--vcf, --vct and --defend exclude each other")
    spec, rules = read_game(game)
    from tesuji.games.gomoku import Gomoku, solver

    if not isinstance(rules, Gomoku):
        raise BadInput(f"there is no solver for {spec}, only for gomoku")
    state: Any = read_moves(start(rules), moves)
    mover = player_name(rules, state.colour)
    found: Any
    with input_errors(), _spinner():
        if defend:
            found = solver.defend(state, nodes=nodes, seconds=seconds)
        else:
            found = solver.solve(state, "vct" if vct else "vcf", nodes=nodes, seconds=seconds)
    if as_json:
        facts = {"game": spec, "moves": moves.replace(",", " ").split(), "player": state.player}
        print(json.dumps({**facts, **_as_dict(state, found)}, indent=2))
        return
    print(state)
    print(f"\n{mover} to move")
    print(_defence(state, found, mover) if defend else _solution(state, found, mover))
    spent = f"{found.seconds:.2f} s" if found.seconds >= 0.01 else "under 10 ms"
    print(f"{counted(found.nodes, 'node')} in {spent}{_stopped(found.stopped)}")


def _spinner() -> Any:
    """A spinner, on a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status("Searching … Ctrl-C stops")


def _texts(state: GomokuState, moves: tuple[int, ...]) -> str:
    return " ".join(map(state.text, moves))


def _stopped(stopped: str) -> str:
    return {"nodes": "; node limit reached", "seconds": "; time limit reached"}.get(stopped, "")


def _solution(state: GomokuState, found: Solution, mover: str) -> str:
    threats = THREATS[found.kind]
    if found.verdict == "none":
        return f"{mover} has no win by {threats}."
    if found.verdict == "unknown":
        return f"No win by {threats} found within the limits."
    plies = "1 ply" if len(found.line) == 1 else f"{len(found.line)} plies"
    lines = [f"{mover} wins by {threats} in {plies}: {_texts(state, found.line)}"]
    before = state
    for move in found.line[:-2]:
        before = before.play(move)
    if len(found.line) > 1 and found.line[-1] not in before.moves():
        lines.append(f"Black cannot block: {state.text(found.line[-1])} is forbidden.")
    return "\n".join(lines)


def _defence(state: GomokuState, found: Defence, mover: str) -> str:
    if found.threat == "none":
        return "The opponent does not threaten to win by fours."
    if found.threat == "unknown":
        return "No win by fours for the opponent found within the limits."
    lines = [f"The opponent threatens to win by fours: {_texts(state, found.line)}"]
    if not found.moves:
        return "\n".join([*lines, f"Nothing stops it; every move of {mover} loses."])
    certain = "" if found.stopped == "finished" else " (not all proven)"
    return "\n".join([*lines, f"Moves that stop it{certain}: {_texts(state, found.moves)}"])


def _as_dict(state: GomokuState, found: Any) -> dict[str, Any]:
    names = ("kind", "verdict", "threat", "nodes", "seconds", "stopped")
    facts = {name: getattr(found, name) for name in names if hasattr(found, name)}
    facts["line"] = [state.text(move) for move in found.line]
    return facts | ({"stops": [state.text(move) for move in found.moves]} if hasattr(found, "moves") else {})
