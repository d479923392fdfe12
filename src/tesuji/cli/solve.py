"""`tesuji solve`: solve a Hex position, or find a forced win by threats in Gomoku."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.inputs import Json, PositionFile, player_name, read_moves, read_start
from tesuji.cli.solve_hex import effort, solve_hex

if TYPE_CHECKING:
    from tesuji.games.gomoku import GomokuState
    from tesuji.games.gomoku.solver import Defence, Solution

THREATS = {"vcf": "fours", "vct": "fours and threes"}


def solve(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", help="Game spec: gomoku or hex, with its options.", show_default=False
        ),
    ] = None,
    moves: Annotated[str, typer.Option(metavar="MOVES", help='Moves played so far, such as "h8 i9".')] = "",
    vcf: Annotated[bool, typer.Option("--vcf", help="Gomoku: win by fours only (default).")] = False,
    vct: Annotated[bool, typer.Option("--vct", help="Gomoku: win by fours and threes.")] = False,
    defend: Annotated[
        bool, typer.Option("--defend", help="Gomoku: moves that stop the opponent's win by fours.")
    ] = False,
    all_moves: Annotated[
        bool, typer.Option("--all-moves", help="Hex: show who wins after each move.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Hex: draw the results to a file, as SVG.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="Time limit; defaults to 10 for Gomoku, none for Hex.",
            min=0.001,
            max=86_400,
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Node limit.", min=1)] = None,
    memory: Annotated[
        int, typer.Option(metavar="MB", help="Hex: size of the transposition table.", min=1, max=1 << 20)
    ] = 256,
    position: PositionFile = None,
    as_json: Json = False,
) -> None:
    """Solve a position.

    Hex: who wins, with a winning move, or who wins after each move. Gomoku: a win by threats for the side to
    move, with its line up to the five. All results are proven. Ctrl-C stops the search;
    --all-moves then shows what is solved.
    """
    if vcf + vct + defend > 1:
        raise BadInput("--vcf, --vct and --defend exclude each other")
    if game is None and position is None:
        raise BadInput("name the game, gomoku or hex, or give --position FILE.sgf")
    spec, rules = read_start(game, None, position)
    from tesuji.games.gomoku import Gomoku
    from tesuji.games.hex import Hex

    state: Any = read_moves(rules.start(), moves)
    facts = {"game": spec, "moves": moves.replace(",", " ").split(), "player": state.player}
    if isinstance(rules, Hex):
        if vcf or vct or defend:
            raise BadInput("--vcf, --vct and --defend are for gomoku, not for hex")
        limits = {"nodes": nodes, "seconds": seconds, "memory": memory << 20}
        solve_hex(state, facts, limits, all_moves=all_moves, svg=svg, as_json=as_json)
    elif isinstance(rules, Gomoku):
        if all_moves or svg is not None:
            raise BadInput("--all-moves and --svg are for hex, not for gomoku")
        kind = "defend" if defend else "vct" if vct else "vcf"
        _solve_gomoku(state, facts, kind, nodes, 10.0 if seconds is None else seconds, as_json)
    else:
        raise BadInput(f"there is no solver for {spec}; gomoku and hex have one")


def _solve_gomoku(
    state: Any, facts: dict[str, Any], kind: str, nodes: int | None, seconds: float, as_json: bool
) -> None:
    from tesuji.games.gomoku import solver

    mover = player_name(state.game, state.colour)
    found: Any
    with input_errors(), _spinner():
        if kind == "defend":
            found = solver.defend(state, nodes=nodes, seconds=seconds)
        else:
            found = solver.solve(state, "vct" if kind == "vct" else "vcf", nodes=nodes, seconds=seconds)
    if as_json:
        print(json.dumps({**facts, **_as_dict(state, found)}, indent=2))
        return
    print(str(state).removesuffix(f"\n{mover} to move"))
    print(f"\n{mover} to move")
    print(_defence(state, found, mover) if kind == "defend" else _solution(state, found, mover))
    print(effort(found))


def _spinner() -> Any:
    """A spinner, on a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status("Searching … Ctrl-C stops")


def _texts(state: GomokuState, moves: tuple[int, ...]) -> str:
    return " ".join(map(state.text, moves))


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
