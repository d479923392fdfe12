"""`tesuji analyse`: a bot's analysis of a position, updated while it searches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tesuji._helpers.atomic_write import write_atomically
from tesuji.bots.levels import LEVELS
from tesuji.cli.shared.arguments import GameSpec, Json, Load, Moves, PositionFile, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_bot, read_moves, read_start, to_move
from tesuji.cli.shared.interrupts import STOPPED, think
from tesuji.cli.shared.output import check_can_write, console, counted, print_json, show_position
from tesuji.full_bot import FullBot, bots_offer
from tesuji.full_game import FullState
from tesuji.registry import bots

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from tesuji.search import Analysis

ROWS = 8  # of the table, by default


def analyse(
    game: GameSpec = None,
    moves: Moves = "",
    bot: Annotated[str | None, option("SPEC", "Bot that searches; defaults to the game's own.")] = None,
    top: Annotated[
        int | None, option("N", f"Candidates to show; defaults to {ROWS}, or all with --json.", min=1)
    ] = None,
    svg: Annotated[Path | None, option("FILE", "Also draw the candidates on the board, as SVG.")] = None,
    seed: Annotated[int | None, option("N", "Seed for deals and the bot.", min=0)] = None,
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
            name for name in bots.names() if name not in LEVELS and bots_offer(bots.get(name), "analyse")
        )
        raise BadInput(f"the bot {bot_spec} gives no analysis; these do: {able}")
    state = to_move(read_moves(rules.start(seed), moves), "in this position; there is nothing to analyse")
    if svg is not None:
        _check_drawable(state, svg)

    if as_json:
        analysis = think(thinker, state)
        facts = {"game": game_spec, "bot": bot_spec, "moves": moves.replace(",", " ").split()}
        print_json({**facts, "player": state.player, **analysis.as_dict(top=top)})
    else:
        analysis = _search_and_show(state, thinker, top or ROWS, f"{game_spec} · {bot_spec}")
    if svg is not None:
        with input_errors():
            picture = analysis.svg()
        write_atomically(svg, picture)


def _check_drawable(state: FullState, path: Path) -> None:
    """Refuse before the search what would fail after it."""
    if not state.offers("svg"):
        raise BadInput(f"--svg needs states with a method svg(); {type(state.own).__name__} has none")
    check_can_write(path)


def _search_and_show(state: FullState, bot: FullBot, rows: int, title: str) -> Analysis:
    from rich.live import Live
    from rich.text import Text

    from tesuji.search.analysis_text import proof_text

    out = console()
    show_position(state, title)
    players = state.game.players
    if out.is_terminal:
        with Live(console=out, auto_refresh=False, transient=True) as live:

            def show(found: Analysis) -> None:
                live.update(_report(found, rows, players, out.width), refresh=True)

            analysis = think(bot, state, show)
    else:
        analysis = think(bot, state)
    out.print(_report(analysis, rows, players, out.width))
    proof = proof_text(analysis)
    out.print(Text(f"Best: {state.text(analysis.move)}{proof and f', proven {proof}'}", "bold"))
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
