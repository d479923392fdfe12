"""`tesuji solve`: solve a Hex position, or find a forced win by threats in Gomoku."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, TypedDict

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.shared.arguments import Json, PositionFile, argument, flag, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_moves, read_start
from tesuji.cli.shared.interrupts import STOPPED, ctrl_c_cancels
from tesuji.cli.shared.output import check_can_write, console, counted, print_json
from tesuji.full_game import FullState

if TYPE_CHECKING:
    from tesuji.games.gomoku import Defence, GomokuState
    from tesuji.games.gomoku import Solution as GomokuSolution
    from tesuji.games.hex import HexState
    from tesuji.games.hex.solver import MoveResults
    from tesuji.games.hex.solver import Solution as HexSolution

THREATS = {"vcf": "fours", "vct": "fours and threes"}
WIN, LOSS, UNKNOWN = "+", "-", "?"

Progress: TypeAlias = Callable[[int, int | None], None]
"""Shows the nodes so far, and the number of moves that are solved."""


def solve(
    game: Annotated[
        str | None, argument("GAME", "Game spec: gomoku or hex, with its options.", show_default=False)
    ] = None,
    moves: Annotated[str, option("MOVES", 'Moves played so far, such as "h8 i9".')] = "",
    vcf: Annotated[bool, flag("Gomoku: win by fours only (default).", "--vcf")] = False,
    vct: Annotated[bool, flag("Gomoku: win by fours and threes.", "--vct")] = False,
    defend: Annotated[bool, flag("Gomoku: moves that stop the opponent's win by fours.", "--defend")] = False,
    all_moves: Annotated[bool, flag("Hex: show who wins after each move.", "--all-moves")] = False,
    svg: Annotated[Path | None, option("FILE", "Hex: draw the results to a file, as SVG.")] = None,
    seconds: Annotated[
        float | None,
        option("S", "Time limit; defaults to 10 for Gomoku, none for Hex.", min=0.001, max=86_400),
    ] = None,
    nodes: Annotated[int | None, option("N", "Node limit.", min=1)] = None,
    memory: Annotated[int, option("MB", "Hex: size of the transposition table.", min=1, max=1 << 20)] = 256,
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
    from tesuji.games.gomoku import GomokuState
    from tesuji.games.hex import HexState

    state = read_moves(rules.start(), moves)
    facts = {"game": spec, "moves": moves.replace(",", " ").split(), "player": state.player}
    if isinstance(state, HexState):
        if vcf or vct or defend:
            raise BadInput("--vcf, --vct and --defend are for gomoku, not for hex")
        check_can_write(svg)
        limits: HexLimits = {"nodes": nodes, "seconds": seconds, "memory": memory << 20}
        with input_errors(), _status() as show:
            solved = (_hex_moves if all_moves else _hex_winner)(state, limits, show)
        if svg is not None:
            write_atomically(svg, _picture(state, solved.marks))
    elif isinstance(state, GomokuState):
        if all_moves or svg is not None:
            raise BadInput("--all-moves and --svg are for hex, not for gomoku")
        budget: Limits = {"nodes": nodes, "seconds": 10.0 if seconds is None else seconds}
        with input_errors(), _status():
            solved = _gomoku_defence(state, budget) if defend else _gomoku_win(state, vct, budget)
    else:
        raise BadInput(f"there is no solver for {spec}; gomoku and hex have one")
    if as_json:
        print_json({**facts, **solved.facts})
        return
    turn = f"{solved.mover} to move"
    print(solved.board or str(state).removesuffix(f"\n{turn}"))
    print(f"\n{turn}\n{solved.text}")
    took, stopped = solved.facts["seconds"], solved.facts["stopped"]
    spent = f"{took:.2f} s" if took >= 0.01 else "under 10 ms"
    why = "" if stopped == "finished" else f"; {STOPPED[stopped]}"
    print(f"{counted(solved.facts['nodes'], 'node')} in {spent}{why}")


class Limits(TypedDict):
    """The limits of a solver."""

    nodes: int | None
    seconds: float | None


class HexLimits(Limits):
    """Those of the solver of Hex."""

    memory: int


class Solved(NamedTuple):
    """What a solver has found."""

    mover: str
    text: str
    facts: dict[str, Any]
    """For JSON."""
    marks: dict[int, str] = {}
    """Who wins after moves of Hex."""
    board: str | None = None
    """In place of the plain board."""


@contextmanager
def _status() -> Iterator[Progress]:
    """A progress line, on a terminal."""
    with console(stderr=True).status("Searching … Ctrl-C stops") as status:

        def show(nodes: int, done: int | None) -> None:
            solved = "" if done is None else f" · {counted(done, 'move')} solved"
            status.update(f"solving · {counted(nodes, 'node')}{solved} · Ctrl-C stops")

        yield show


def _effort(found: HexSolution | MoveResults | GomokuSolution | Defence) -> dict[str, object]:
    return {"nodes": found.nodes, "seconds": found.seconds, "stopped": found.stopped}


def _texts(state: FullState, moves: Iterable[int]) -> list[str]:
    return [state.text(move) for move in moves]


def _hex_winner(state: HexState, limits: HexLimits, show: Progress) -> Solved:
    from tesuji.games.hex import solver

    found = solver.solve(state, **limits, progress=lambda nodes: show(nodes, None))
    move = None if found.move is None else state.text(found.move)
    mover, text = state.game.seat_name(state.player), "The position was not solved."
    if found.winner is not None:
        how = f": {move}" if move else ", whatever is played."
        text = f"{state.game.seat_name(found.winner)} wins{how}"
    marks = {} if found.move is None else {found.move: WIN}
    return Solved(mover, text, {"winner": found.winner, "move": move, **_effort(found)}, marks)


def _hex_moves(state: HexState, limits: HexLimits, show: Progress) -> Solved:
    """Who wins after each move; the first Ctrl-C stops the solver and keeps what it has found."""
    from tesuji.games.hex import solver
    from tesuji.games.hex.drawing import draw_text

    cancelled = Event()

    def progress(nodes: int, winners: dict[int, int]) -> bool:
        show(nodes, len(winners))
        return not cancelled.is_set()

    with ctrl_c_cancels(cancelled.set):
        found = solver.solve_moves(state, **limits, progress=progress)
    mover = state.game.seat_name(state.player)
    winning = _texts(state, found.winning)
    missing = [move for move in state.moves() if move not in found.winners]
    lines = [f"{mover} wins with: {' '.join(winning)}"] if winning else []
    if not winning and not missing:
        lines = [f"{mover} loses, whatever is played."]
    lines += [f"{counted(len(missing), 'move')} not solved"] if missing else []
    marks = {move: WIN if winner == state.player else LOSS for move, winner in found.winners.items()}
    every = _on_board(state, {**dict.fromkeys(missing, UNKNOWN), **marks})
    board = draw_text(state.size, state.cells(), last_move=state.last_cell(), marks=every)
    board += f"\n{WIN} wins, {LOSS} loses" + (f", {UNKNOWN} not solved" if missing else "")
    winner = state.player if winning else None if missing else 1 - state.player
    facts = {"winner": winner, "winning": winning, "unsolved": _texts(state, missing), **_effort(found)}
    return Solved(mover, "\n".join(lines), facts, marks, board)


def _on_board(state: HexState, marks: dict[int, str]) -> dict[int, str]:
    """The marks that belong on the board: the swap has no cell."""
    return {move: mark for move, mark in marks.items() if move < state.size**2}


def _picture(state: HexState, marks: dict[int, str]) -> str:
    marks = _on_board(state, marks)
    heat = {move: 1.0 for move, mark in marks.items() if mark == WIN}
    return state.svg(heat=heat, labels={move: "win" if mark == WIN else "–" for move, mark in marks.items()})


def _gomoku_win(state: GomokuState, vct: bool, limits: Limits) -> Solved:
    from tesuji.games.gomoku import solver

    found = solver.solve(state, "vct" if vct else "vcf", **limits)
    mover, threats, line = state.game.seat_name(state.colour), THREATS[found.kind], _texts(state, found.line)
    if found.verdict == "none":
        text = f"{mover} has no win by {threats}."
    elif found.verdict == "unknown":
        text = f"No win by {threats} found within the limits."
    else:
        plies = "1 ply" if len(line) == 1 else f"{len(line)} plies"
        text = f"{mover} wins by {threats} in {plies}: {' '.join(line)}"
        before = state
        for move in found.line[:-2]:
            before = before.play(move)
        if len(line) > 1 and found.line[-1] not in before.moves():
            text += f"\nBlack cannot block: {line[-1]} is forbidden."
    facts = {"kind": found.kind, "verdict": found.verdict, **_effort(found), "line": line}
    return Solved(mover, text, facts)


def _gomoku_defence(state: GomokuState, limits: Limits) -> Solved:
    from tesuji.games.gomoku import solver

    found = solver.defend(state, **limits)
    mover = state.game.seat_name(state.colour)
    line, stops = _texts(state, found.line), _texts(state, found.moves)
    if found.threat == "none":
        text = "The opponent does not threaten to win by fours."
    elif found.threat == "unknown":
        text = "No win by fours for the opponent found within the limits."
    else:
        text = f"The opponent threatens to win by fours: {' '.join(line)}\n"
        if stops:
            certain = "" if found.stopped == "finished" else " (not all proven)"
            text += f"Moves that stop it{certain}: {' '.join(stops)}"
        else:
            text += f"Nothing stops it; every move of {mover} loses."
    return Solved(mover, text, {"threat": found.threat, **_effort(found), "line": line, "stops": stops})
