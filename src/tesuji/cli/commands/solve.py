"""`tesuji solve`: solve a Hex position, or find a forced win by threats in Gomoku."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

from tesuji.atomic_write import write_atomically
from tesuji.cli.shared.arguments import Json, PositionFile, argument, flag, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_moves, read_start
from tesuji.cli.shared.interrupts import STOPPED, ctrl_c_cancels
from tesuji.cli.shared.output import check_can_write, console, counted, print_json
from tesuji.full_game import FullState

if TYPE_CHECKING:
    from tesuji.games.gomoku import GomokuState
    from tesuji.games.gomoku.solver import Defence, Solution
    from tesuji.games.hex import HexState

THREATS = {"vcf": "fours", "vct": "fours and threes"}
WIN, LOSS, UNKNOWN = "+", "-", "?"


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
    from tesuji.games.gomoku import Gomoku
    from tesuji.games.hex import Hex

    state: Any = read_moves(rules.start(), moves)
    facts = {"game": spec, "moves": moves.replace(",", " ").split(), "player": state.player}
    if isinstance(rules, Hex):
        if vcf or vct or defend:
            raise BadInput("--vcf, --vct and --defend are for gomoku, not for hex")
        limits = {"nodes": nodes, "seconds": seconds, "memory": memory << 20}
        _solve_hex(state, facts, limits, all_moves=all_moves, svg=svg, as_json=as_json)
    elif isinstance(rules, Gomoku):
        if all_moves or svg is not None:
            raise BadInput("--all-moves and --svg are for hex, not for gomoku")
        kind = "defend" if defend else "vct" if vct else "vcf"
        _solve_gomoku(state, facts, kind, nodes, 10.0 if seconds is None else seconds, as_json)
    else:
        raise BadInput(f"there is no solver for {spec}; gomoku and hex have one")


def _solve_hex(
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
        print_json({**facts, **_hex_facts(state, found, all_moves)})
        return
    _report(
        state,
        _moves(state, found) if all_moves else _winner(state, found),
        found,
        board=_board(state, results) if all_moves else None,
    )


def _solve_moves(state: HexState, limits: dict[str, Any], show: Callable[[int, int | None], None]) -> Any:
    """Who wins after each move; the first Ctrl-C stops the solver and keeps what it has found."""
    from tesuji.games.hex import solver

    cancelled = Event()

    def progress(nodes: int, winners: dict[int, int]) -> bool:
        show(nodes, len(winners))
        return not cancelled.is_set()

    with ctrl_c_cancels(cancelled.set):
        return solver.solve_moves(state, **limits, progress=progress)


def _winner(state: HexState, found: Any) -> str:
    if found.winner is None:
        return "The position was not solved."
    how = ", whatever is played." if found.move is None else f": {state.text(found.move)}"
    return f"{state.game.seat_name(found.winner)} wins{how}"


def _moves(state: HexState, found: Any) -> str:
    mover = state.game.seat_name(state.player)
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


def _hex_facts(state: HexState, found: Any, all_moves: bool) -> dict[str, Any]:
    effort = {name: getattr(found, name) for name in ("nodes", "seconds", "stopped")}
    if all_moves:
        winning = [state.text(move) for move in found.winning]
        unsolved = [state.text(move) for move in state.moves() if move not in found.winners]
        winner = state.player if winning else None if unsolved else 1 - state.player
        return {"winner": winner, "winning": winning, "unsolved": unsolved, **effort}
    move = None if found.move is None else state.text(found.move)
    return {"winner": found.winner, "move": move, **effort}


def _solve_gomoku(
    state: Any, facts: dict[str, Any], kind: str, nodes: int | None, seconds: float, as_json: bool
) -> None:
    from tesuji.games.gomoku import solver

    mover = state.game.seat_name(state.colour)
    found: Any
    with input_errors(), _status():
        if kind == "defend":
            found = solver.defend(state, nodes=nodes, seconds=seconds)
        else:
            found = solver.solve(state, "vct" if kind == "vct" else "vcf", nodes=nodes, seconds=seconds)
    if as_json:
        print_json({**facts, **_gomoku_facts(state, found)})
        return
    _report(state, (_defence if kind == "defend" else _solution)(state, found, mover), found)


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


def _gomoku_facts(state: GomokuState, found: Any) -> dict[str, Any]:
    names = ("kind", "verdict", "threat", "nodes", "seconds", "stopped")
    facts = {name: value for name in names if (value := vars(found).get(name)) is not None}
    facts["line"] = [state.text(move) for move in found.line]
    return facts | ({"stops": [state.text(move) for move in found.moves]} if "threat" in facts else {})


@contextmanager
def _status() -> Iterator[Callable[[int, int | None], None]]:
    """A progress line, on a terminal."""
    with console(stderr=True).status("Searching … Ctrl-C stops") as status:

        def show(nodes: int, done: int | None) -> None:
            solved = "" if done is None else f" · {counted(done, 'move')} solved"
            status.update(f"solving · {counted(nodes, 'node')}{solved} · Ctrl-C stops")

        yield show


def _report(state: FullState, result: str, found: Any, *, board: str | None = None) -> None:
    """The board, who is to move, the result and the work of the solver."""
    turn = f"{state.game.seat_name(state.player)} to move"
    print(board or str(state).removesuffix(f"\n{turn}"))
    print(f"\n{turn}\n{result}")
    spent = f"{found.seconds:.2f} s" if found.seconds >= 0.01 else "under 10 ms"
    stopped = "" if found.stopped == "finished" else f"; {STOPPED[found.stopped]}"
    print(f"{counted(found.nodes, 'node')} in {spent}{stopped}")


def _texts(state: FullState, moves: tuple[int, ...]) -> str:
    return " ".join(map(state.text, moves))
