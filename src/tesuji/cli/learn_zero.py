"""`tesuji learn zero`: a network from self-play."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.cli.errors import BadInput, input_errors, package_errors
from tesuji.cli.executors import On, open_executor, setup
from tesuji.cli.inputs import Json, Load, read_game
from tesuji.cli.match import clock
from tesuji.game import players_of

if TYPE_CHECKING:
    from tesuji.learn.zero.train import Training


def zero(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game spec, such as gomoku:size=9.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The run; what is there already goes on.")],
    config: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Settings; docs/zero.md lists them.")
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting, above the file's; several times."),
    ] = None,
    duration: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="End after so long: 90s, 9m, 1h30m.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(metavar="N", min=1, help="End after so many.")] = None,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda", help="Where the network runs.")] = "auto",
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Start from the weights of a network.safetensors."),
    ] = None,
    on: On = None,
    store: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the games of self-play there, as records.")
    ] = None,
    file: Load = None,
    as_json: Json = False,
) -> None:
    """Train a network by self-play (AlphaZero).

    The folder gets checkpoints, metrics.jsonl, pictures, and network.safetensors; tesuji models export
    makes a file of it that plays without torch. Ctrl-C or SIGTERM ends the run with a checkpoint, and the
    same command goes on.
    """
    spec, rules = read_game(game, file)
    if (players := players_of(rules)) != 2:  # before torch is asked for
        raise BadInput(f"learn zero trains games of two players, and {spec} has {players}")
    with input_errors():
        seconds = None if duration is None else read_duration(duration)
        given = dict(_pair(text) for text in change or ())
    if seconds is None and iterations is None and not sys.stderr.isatty():
        raise BadInput("say when to end: --for 9m or --iterations 100")
    try:  # after what can be said at once: torch takes seconds to load
        from tesuji.learn.zero.learner import TrainingError
        from tesuji.learn.zero.train import Training
    except ImportError as error:
        raise BadInput(
            f"training needs torch and safetensors, and {error.name} is missing: pip install 'tesuji[train]'"
        ) from error
    from tesuji.records.store import Store

    began = time.monotonic()
    with package_errors():
        with contextlib.nullcontext() if on is None else open_executor(on) as where:
            training = Training(
                rules,
                out,
                file=config,
                given=given,
                device=device,
                on=where,
                setup=setup(file),
                store=store,
                start=start,
            )
            if store is not None:
                Store(store).close()  # what is wrong with it is said before anything is written
            try:
                out.mkdir(parents=True, exist_ok=True)  # only now: what is refused leaves nothing behind
            except OSError as error:
                raise BadInput(f"cannot write {out}: {error.strerror}") from error
            left = None if seconds is None else seconds - (time.monotonic() - began)
            with _stop_on_signal(training), _progress(training, left, quiet=as_json) as watch:
                try:
                    training.run(seconds=left, iterations=iterations, watch=watch)
                except TrainingError as error:
                    raise BadInput(f"{error}; the last good checkpoint is in {out}") from error
    _show(training, out, as_json)


def read_duration(text: str) -> float:
    """Seconds: `read_duration("1h30m") == 5400.0`, `read_duration("90")` are seconds too."""
    parts = re.fullmatch(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s?)?", text.strip())
    numbers = [float(part or 0) for part in parts.groups()] if parts else []
    seconds = sum(number * unit for number, unit in zip(numbers, (3600, 60, 1), strict=False))
    if seconds <= 0:
        raise ValueError(f"a time is written as 90s, 9m or 1h30m, not {text!r}")
    return seconds


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set takes KEY=VALUE, such as visits=64, not {text!r}")
    return key.strip(), value.strip()


@contextmanager
def _stop_on_signal(training: Training) -> Iterator[None]:
    """Ctrl-C or SIGTERM ends the run at the next good moment; a Ctrl-C after that at once."""

    def stop(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        training.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _progress(
    training: Training, seconds: float | None, *, quiet: bool
) -> Iterator[Callable[[dict[str, Any]], object] | None]:
    """A bar where somebody looks, else a line for each iteration."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        yield lambda row: print(status(row), file=sys.stderr, flush=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns: Any = (BarColumn(20), TimeElapsedColumn(), TextColumn("{task.description}", style="dim"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("the first games are played · Ctrl-C stops", total=seconds)
        began = time.monotonic()

        def report(row: dict[str, Any]) -> None:
            description = f"{status(row)} · Ctrl-C stops"
            bar.update(task, completed=time.monotonic() - began, description=description)

        yield report


def status(row: dict[str, Any]) -> str:
    """An iteration, or a climb of the ladder, in one line."""
    if "ladder" in row:
        rungs = (f"against {opponent} {_elo(rung)}" for opponent, rung in row["ladder"].items())
        return " · ".join([f"the network of iteration {row['iteration']}", *rungs])
    parts = [
        f"iteration {row['iteration']}",
        f"{row['games']:,} games ({row['games_per_second']:.3g}/s)",
        f"{row['evaluations_per_second']:,.0f} evaluations/s",
    ]
    if "policy_loss" in row:
        parts.append(f"policy {row['policy_loss']:.3f}, value {row['value_loss']:.3f}")
    return " · ".join(parts)


def _elo(rung: dict[str, Any]) -> str:
    if rung["games"] == 0:
        return "no pair of games was over in time"
    said = f"{rung['points']:g}/{rung['games']}"
    if rung["elo"] is None or rung["low"] is None or rung["high"] is None:
        return said
    return f"{said}, Elo {rung['elo']:+.0f} [{rung['low']:+.0f}, {rung['high']:+.0f}]"


def _show(training: Training, out: Path, as_json: bool) -> None:
    from tesuji.learn.zero.metrics import read_metrics

    rows = read_metrics(out)
    last: dict[str, Any] = next((row for row in reversed(rows) if "ladder" not in row), {})
    ladder: dict[str, Any] = next((row["ladder"] for row in reversed(rows) if "ladder" in row), {})
    if as_json:
        print(json.dumps({**last, "ladder": ladder}, indent=2))
        return
    resumed = f", {training.resumed} of them before" if training.resumed else ""
    print(f"{training.spec}: {training.config.net}, {training.weights:,} weights, on {training.device.type}")
    print(f"iterations       {training.iteration:>13,}{resumed}")
    for name, count in (
        ("steps", training.learner.step),
        ("games", training.games),
        ("positions", training.positions),
        ("evaluations", training.evaluations),
    ):
        print(f"{name:16} {count:>13,}")
    print(f"time             {clock(training.seconds):>13}")
    for key, name in (("evaluations_per_second", "evaluations/s"), ("games_per_second", "games/s")):
        if key in last:
            print(f"{name:16} {last[key]:>13,.1f}")
    for key in ("policy_loss", "value_loss", "reply_loss", "moves_left_loss"):
        losses = [row[key] for row in rows if key in row]
        if losses:
            print(f"{key.replace('_', ' '):16} {losses[-1]:>13.4f}  (first {losses[0]:.4f})")
    for opponent, rung in ladder.items():
        print(f"against {opponent}: {_elo(rung)}")
    print(f"The network is in {out / 'network.safetensors'}; the same command goes on.")
