"""`tesuji match`: measure the difference in strength between two bots."""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tesuji.cli.shared.arguments import (
    DEFAULT_STORE,
    ContestOptions,
    Json,
    Load,
    RequiredGame,
    StoreFile,
    argument,
    option,
)
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.loading import worker_setup
from tesuji.cli.shared.output import print_json, wrapped
from tesuji.cli.shared.running import open_executor, watch

if TYPE_CHECKING:
    from tesuji.arena.match import Match
    from tesuji.arena.progress import Status
    from tesuji.arena.sprt import SPRT

DEFAULT_GAMES = 100


def match(
    game: RequiredGame,
    first: Annotated[str, argument("BOT", "Bot spec, such as mcts:iterations=1000.")],
    second: Annotated[str, argument("BOT", "Spec of its opponent.")],
    *,
    games: Annotated[
        int | None, option("N", f"Maximum games; defaults to {DEFAULT_GAMES} without --sprt and --error.")
    ] = None,
    sprt: Annotated[
        str | None, option("H0,H1", "Run an SPRT of H0,H1 (normalized Elo), such as 0,20.")
    ] = None,
    alpha: Annotated[float, option("P", "SPRT: probability of accepting H1 wrongly.")] = 0.05,
    beta: Annotated[float, option("P", "SPRT: probability of accepting H0 wrongly.")] = 0.05,
    error: Annotated[
        float | None, option("ELO", "Stop when the 95 % confidence interval is within ±ELO.")
    ] = None,
    contest: ContestOptions,
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Measure the Elo difference of two bots.

    Each opening is played twice with colours reversed. Every game is stored; the same command resumes a
    stopped match, and a larger --games extends it. A bot that crashes, hangs, exceeds its time or makes an
    illegal move loses the game.
    """
    from tesuji.arena.match import Goal, Match, Pairing, with_budgets
    from tesuji.engines.driver import starting_within
    from tesuji.records.store import Store

    spec, rules = read_game(game, files)
    with input_errors(), starting_within(contest.patience):
        if rules.players != 2:
            raise BadInput(
                f"a match needs a game for two players; {spec} has {rules.players} (see tournament)"
            )
        specs = with_budgets((first, second), iterations=contest.iterations, seconds=contest.seconds)
        pairing = Pairing(rules, specs, **contest.plan)
        if games is None and sprt is None and error is None:
            games = DEFAULT_GAMES
        goal = Goal(games=games, sprt=_sprt(sprt, alpha, beta), error=error)
        kept = Store(store)
    with kept:
        with input_errors():
            played = Match(pairing, goal, kept)
        with open_executor(contest.on, contest.processes) as where:
            running = played.play(on=where, patience=contest.patience, setup=worker_setup(files))
            stopped = watch(running, partial(_status, played), quiet=as_json)
        _show(played, store, as_json)
    return 130 if stopped else 0


def _status(match: Match) -> Status:
    from rich.text import Text

    from tesuji.arena.progress import Status
    from tesuji.arena.report import match_lines

    return Status(len(match.games), match.goal.games, [Text(line) for line in match_lines(match)])


def _show(match: Match, store: Path, as_json: bool) -> None:
    from tesuji.arena.report import match_data, match_lines

    if as_json:
        print_json(match_data(match))
        return
    before = f" ({match.resumed} from earlier runs)" if match.resumed else ""
    lines = match_lines(match)
    if sys.stdout.isatty():
        lines = wrapped(lines, shutil.get_terminal_size().columns)
    lines.append(f"Games are in {store}{before}, match {match.key}.")  # whole: a path is for copying
    if not match.reached:
        lines.append("Stopped early; run the same command to resume.")
    print("\n".join(lines))


def _sprt(text: str | None, alpha: float, beta: float) -> SPRT | None:
    from tesuji.arena.sprt import SPRT

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"--sprt must be two numbers, such as 0,20, not {text!r}") from None
    return SPRT(low, high, alpha=alpha, beta=beta)
