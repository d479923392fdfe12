"""`tesuji analyse`: a bot's analysis of a position, updated while it searches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji._helpers.atomic_write import write_atomically
from tesuji.adapter import offers
from tesuji.bots.levels import LEVELS
from tesuji.cli.errors import BadInput, input_errors
from tesuji.cli.files import check_can_write
from tesuji.cli.inputs import (
    GameSpec,
    Json,
    Load,
    PositionFile,
    player_name,
    read_bot,
    read_moves,
    read_start,
)
from tesuji.cli.thinking import STOPPED, counted, think
from tesuji.full_game import CHANCE, FullGame, FullState
from tesuji.registry import bots

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from tesuji.search import Analysis

ROWS = 8  # of the table, by default


def analyse(
    game: GameSpec = None,
    moves: Annotated[str, typer.Option(metavar="MOVES", help='Moves played so far, such as "f6 d8".')] = "",
    bot: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Bot that searches; defaults to the game's own."),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(metavar="N", help=f"Candidates to show; defaults to {ROWS}, or all with --json.", min=1),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the candidates on the board, as SVG.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed for deals and the bot.", min=0)] = None,
    position: PositionFile = None,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Analyse a position with a bot.

    The table is updated while the bot searches; Ctrl-C stops the search and keeps its result.
    """
    game_spec, rules = read_start(game, files, position)
    bot_spec, thinker = read_bot(bot, rules, seed=seed)
    if not thinker.analyses:
        able = ", ".join(
            name for name in bots.names() if name not in LEVELS and offers(bots.get(name), "analyse")
        )
        raise BadInput(f"the bot {bot_spec} gives no analysis; these do: {able}")
    first = rules.start(seed)
    state = read_moves(first, moves)
    if state.scores() is not None:
        raise BadInput("the game is over in this position; there is nothing to analyse")
    if state.player == CHANCE:
        raise BadInput("the next move is a chance move; add its outcome to --moves")
    if svg is not None:
        _check_drawable(state, svg)

    if as_json:
        analysis = think(thinker, state)
        facts = {"game": game_spec, "bot": bot_spec, "moves": moves.replace(",", " ").split()}
        print(json.dumps({**facts, "player": state.player, **analysis.as_dict(top=top)}, indent=2))
    else:
        analysis = _search_and_show(rules, state, thinker, top or ROWS, f"{game_spec} · {bot_spec}")
    if svg is not None:
        with input_errors():
            picture = analysis.svg()
        write_atomically(svg, picture)


def _check_drawable(state: FullState, path: Path) -> None:
    """Refuse before the search what would fail after it."""
    if not state.offers("svg"):
        raise BadInput(f"--svg needs states with a method svg(); {type(state.own).__name__} has none")
    check_can_write(path)


def _search_and_show(game: FullGame, state: FullState, bot: Any, rows: int, title: str) -> Analysis:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from tesuji.search.analysis_text import proof_text

    console = Console(highlight=False, markup=False)
    console.print(Text(title, "bold"))
    turn = f"{player_name(game, state.player)} to move"
    console.print(str(state).removesuffix(f"\n{turn}"), soft_wrap=True)
    console.print(Text(f"{turn}\n"))
    players = game.players
    if console.is_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as live:

            def show(found: Analysis) -> None:
                live.update(_report(found, rows, players, console.width), refresh=True)

            analysis = think(bot, state, show)
    else:
        analysis = think(bot, state)
    console.print(_report(analysis, rows, players, console.width))
    proof = proof_text(analysis)
    console.print(Text(f"Best: {state.text(analysis.move)}{proof and f', proven {proof}'}", "bold"))
    return analysis


def _report(analysis: Analysis, rows: int, players: int, width: int) -> Group:
    """The candidates and the search statistics, during the search or after it."""
    from rich.console import Group
    from rich.text import Text

    from tesuji.search.analysis_text import effort_text

    done, seconds = effort_text(analysis), analysis.seconds
    spent = f"{seconds:.2f} s ({analysis.iterations / seconds:,.0f}/s)" if seconds >= 0.01 else "under 10 ms"
    hidden = len(analysis.candidates) - rows
    stopped = STOPPED.get(analysis.stopped, analysis.stopped)
    full = " · memory full, the tree no longer grows" if analysis.memory_full else ""
    lines = [
        f"… and {counted(hidden, 'more move')}" if hidden > 0 else "",
        f"{done} in {spent} · {counted(analysis.nodes, 'node')}, {analysis.bytes / 2**20:.1f} MiB",
        f"{stopped[0].upper()}{stopped[1:]}{full}",
    ]
    return Group(_table(analysis, rows, players, width), *(Text(line, "dim") for line in lines if line))


def _table(analysis: Analysis, rows: int, players: int, width: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from tesuji.search.analysis_text import candidate_columns

    candidates = analysis.candidates[:rows]
    columns = candidate_columns(analysis, rows, value="win rate" if players == 2 else "score")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    # In a narrow terminal only the line is cut; rich would shrink every column.
    for name, cells in columns.items():
        taken = max(map(len, [name, *cells]))
        table.add_column(name, justify="left" if name == "move" else "right", min_width=taken, no_wrap=True)
        width -= taken + 3
    table.add_column("line", no_wrap=True)
    for candidate, *texts in zip(candidates, *columns.values(), strict=True):
        line = " ".join(analysis.texts(candidate.line))
        line = line if len(line) <= width else line[: max(width - 1, 0)].rstrip() + "…"
        table.add_row(*map(Text, [*texts, line]), style="bold" if candidate.move == analysis.move else "")
    return table
