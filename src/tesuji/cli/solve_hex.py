"""`tesuji solve hex`: who wins, by which move, and after every move."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.errors import input_errors
from tesuji.cli.files import check_can_write
from tesuji.cli.inputs import player_name
from tesuji.cli.thinking import STOPPED, counted, ctrl_c_cancels

if TYPE_CHECKING:
    from tesuji.games.hex import HexState

WIN, LOSS, UNKNOWN = "+", "-", "?"


def solve_hex(
    state: HexState,
    facts: dict[str, Any],
    limits: dict[str, Any],
    *,
    all_moves: bool,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Solve, and print what was found, or draw it."""
    from tesuji.games.hex import solver

    check_can_write(svg)
    found: Any
    with input_errors(), _status() as show:
        if all_moves:
            found = _solve_moves(state, limits, show)
            results = {
                move: (WIN if winner == state.player else LOSS) for move, winner in found.winners.items()
            }
        else:
            found = solver.solve(state, **limits, progress=lambda nodes: show(nodes, None))
            results = {} if found.move is None else {found.move: WIN}
    if svg is not None:
        write_atomically(svg, _picture(state, results))
    if as_json:
        print(json.dumps({**facts, **_as_dict(state, found, all_moves)}, indent=2))
        return
    turn = f"{player_name(state.game, state.player)} to move"
    print(_board(state, results) if all_moves else str(state).removesuffix(f"\n{turn}"))
    print(f"\n{turn}")
    print(_moves(state, found) if all_moves else _winner(state, found))
    print(effort(found))


def effort(found: Any) -> str:
    """The work of a solver: `12 nodes in 0.05 s; time limit reached`."""
    spent = f"{found.seconds:.2f} s" if found.seconds >= 0.01 else "under 10 ms"
    stopped = "" if found.stopped == "finished" else f"; {STOPPED[found.stopped]}"
    return f"{counted(found.nodes, 'node')} in {spent}{stopped}"


def _solve_moves(state: HexState, limits: dict[str, Any], show: Callable[[int, int | None], None]) -> Any:
    """Who wins after each move; the first Ctrl-C stops the solver and keeps what it has found."""
    from tesuji.games.hex import solver

    cancelled = Event()

    def progress(nodes: int, winners: dict[int, int]) -> bool:
        show(nodes, len(winners))
        return not cancelled.is_set()

    with ctrl_c_cancels(cancelled.set):
        return solver.solve_moves(state, **limits, progress=progress)


@contextmanager
def _status() -> Iterator[Callable[[int, int | None], None]]:
    """A progress line, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda nodes, done: None
        return
    from rich.console import Console

    with Console(stderr=True).status("solving · Ctrl-C stops") as status:

        def show(nodes: int, done: int | None) -> None:
            solved = "" if done is None else f" · {counted(done, 'move')} solved"
            status.update(f"solving · {counted(nodes, 'node')}{solved} · Ctrl-C stops")

        yield show


def _texts(state: HexState, moves: tuple[int, ...]) -> str:
    return " ".join(map(state.text, moves))


def _winner(state: HexState, found: Any) -> str:
    if found.winner is None:
        return "The position was not solved."
    how = ", whatever is played." if found.move is None else f": {state.text(found.move)}"
    return f"{player_name(state.game, found.winner)} wins{how}"


def _moves(state: HexState, found: Any) -> str:
    mover = player_name(state.game, state.player)
    missing = len(state.moves()) - len(found.winners)
    lines = [f"{mover} wins with: {_texts(state, found.winning)}"]
    if not found.winning:
        lines = [] if missing else [f"{mover} loses, whatever is played."]
    return "\n".join([*lines, f"{counted(missing, 'move')} not solved" if missing else ""]).strip()


def _cells(state: HexState, results: dict[int, str]) -> dict[int, str]:
    """The results that belong on the board: the swap has no cell."""
    return {move: result for move, result in results.items() if move < state.size**2}


def _board(state: HexState, results: dict[int, str]) -> str:
    from tesuji.games.hex.drawing import draw_text

    unknown = {move: UNKNOWN for move in state.moves() if move not in results}
    marks = _cells(state, {**unknown, **results})
    board = draw_text(state.size, state.cells(), last_move=state.last_cell(), marks=marks)
    return f"{board}\n{WIN} wins, {LOSS} loses" + (f", {UNKNOWN} not solved" if unknown else "")


def _picture(state: HexState, results: dict[int, str]) -> str:
    marks = _cells(state, results)
    heat = {move: 1.0 for move, result in marks.items() if result == WIN}
    return state.svg(
        heat=heat, labels={move: {WIN: "win", LOSS: "–"}[result] for move, result in marks.items()}
    )


def _as_dict(state: HexState, found: Any, all_moves: bool) -> dict[str, Any]:
    effort = {name: getattr(found, name) for name in ("nodes", "seconds", "stopped")}
    if all_moves:
        winning = [state.text(move) for move in found.winning]
        unsolved = [state.text(move) for move in state.moves() if move not in found.winners]
        winner = state.player if winning else None if unsolved else 1 - state.player
        return {"winner": winner, "winning": winning, "unsolved": unsolved, **effort}
    move = None if found.move is None else state.text(found.move)
    return {"winner": found.winner, "move": move, **effort}
