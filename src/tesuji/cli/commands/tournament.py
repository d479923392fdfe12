"""`tesuji tournament`: rate several bots."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tesuji._helpers.atomic_write import write_atomically
from tesuji.cli.shared.arguments import (
    DEFAULT_STORE,
    ContestOptions,
    Json,
    Load,
    RequiredGame,
    StoreFile,
    argument,
    flag,
    option,
)
from tesuji.cli.shared.errors import input_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.loading import worker_setup
from tesuji.cli.shared.output import check_can_write, console, data_table, print_json, wrapped
from tesuji.cli.shared.running import open_executor, watch
from tesuji.records.record import count_faults

if TYPE_CHECKING:
    from rich.table import Table

    from tesuji.arena.progress import Status
    from tesuji.arena.tournament import Tournament


def tournament(
    game: RequiredGame,
    bots: Annotated[list[str], argument("BOT", "Two or more bot specs.")],
    *,
    rounds: Annotated[int, option("N", "Openings per pairing, each played from every seat.", min=1)] = 10,
    gauntlet: Annotated[bool, flag("Pair only the first bot with the others.", "--gauntlet")] = False,
    contest: ContestOptions,
    svg: Annotated[Path | None, option("FILE", "Also draw the ratings with their intervals, as SVG.")] = None,
    store: StoreFile = DEFAULT_STORE,
    files: Load = None,
    as_json: Json = False,
) -> int:
    """Rate bots by a round robin or gauntlet.

    Ratings are Elo with 95 % intervals, from one fit to all games that includes the advantage of the first
    move and draws. Every game is stored; the same command resumes a stopped tournament.
    """
    from tesuji.arena.match import with_budgets
    from tesuji.arena.tournament import Tournament, TournamentKind, schedule
    from tesuji.engines.driver import starting_within
    from tesuji.records.store import Store

    _, rules = read_game(game, files)
    kind: TournamentKind = "gauntlet" if gauntlet else "round-robin"
    check_can_write(svg)
    with input_errors(), starting_within(contest.patience):
        specs = with_budgets(bots, iterations=contest.iterations, seconds=contest.seconds)
        schedule(rules, specs, kind, **contest.plan)  # before there is a store for it
        kept = Store(store)
    with kept:
        with input_errors():
            played = Tournament(rules, specs, kept, kind=kind, rounds=rounds, **contest.plan)
        with open_executor(contest.on, contest.processes) as where:
            running = played.play(on=where, patience=contest.patience, setup=worker_setup(files))
            stopped = watch(running, partial(_status, played), quiet=as_json)
        _show(played, store, as_json)
    if svg is not None and played.results:
        _draw(played, svg)
    return 130 if stopped else 0


def _status(played: Tournament) -> Status:
    from tesuji.arena.progress import Status

    done = len(played.games)
    return Status(done, played.planned, [_ratings(played)] if done else [])


def _show(played: Tournament, store: Path, as_json: bool) -> None:
    from rich.text import Text

    from tesuji.arena.report import fault_lines

    if as_json:
        print_json(_facts(played))
        return
    out = console()
    clock = f", clock {played.clock}" if played.clock else ""
    out.print(Text(f"{played.game}{clock}, {len(played.games)} of {played.planned} games", "bold"))
    if played.results:
        out.print(_ratings(played))
        for line in wrapped(_terms(played), out.width):
            out.print(Text(line))
        out.print(Text("\nPoints of row against column:", "bold"))
        out.print(_cross_table(played))
    for line in fault_lines(count_faults(record.fault for record in played.games)):
        out.print(Text(line))
    before = f" ({played.resumed} from earlier runs)" if played.resumed else ""
    out.print(Text(f"Games are in {store}{before}."))
    if len(played.games) < played.planned:
        out.print(Text("Stopped early; run the same command to resume."))


def _ratings(played: Tournament) -> Table:
    from tesuji.arena.report import rating_columns

    columns = rating_columns(played.ratings())
    return data_table(list(columns), zip(*columns.values(), strict=True), names=["bot"])


def _cross_table(played: Tournament) -> Table:
    from tesuji.arena.report import cross_columns, rating_columns

    ratings = played.ratings()
    names = {name: cells for name, cells in rating_columns(ratings).items() if name in ("#", "bot")}
    columns = names | cross_columns(ratings, played.cross_table())
    return data_table(list(columns), zip(*columns.values(), strict=True), names=["bot"])


def _terms(played: Tournament) -> list[str]:
    """The fit's other parameters."""
    from tesuji.arena.tournament import shared_first

    ratings = played.ratings()
    lines = []
    if ratings.first_move is not None:
        lines.append(f"First move: {ratings.first_move.text()} Elo")
    if ratings.draw_share is not None and any(shared_first(result) for result in played.results):
        share = ratings.draw_share
        lines.append(f"Draws between equal bots: {share.value:.1%} [{share.low:.1%}, {share.high:.1%}]")
    if ratings.seats:
        lines.append("Seats: " + ", ".join(f"{n} {seat.text()}" for n, seat in enumerate(ratings.seats)))
    if not ratings.connected:
        lines.append("Some groups of bots have no games between them; their ratings are not comparable.")
    return lines


def _facts(played: Tournament) -> dict[str, object]:
    from tesuji.arena.report import ratings_data

    return {
        "game": played.game,
        "clock": None if played.clock is None else str(played.clock),
        "kind": played.kind,
        "rounds": played.rounds,
        "games": len(played.games),
        "planned": played.planned,
        **ratings_data(played.ratings(), played.cross_table()),
        "faults": count_faults(record.fault for record in played.games),
    }


def _draw(played: Tournament, path: Path) -> None:
    from tesuji.arena.plot import ratings_svg

    write_atomically(path, ratings_svg(played.ratings(), f"{played.game}, {len(played.games)} games"))
