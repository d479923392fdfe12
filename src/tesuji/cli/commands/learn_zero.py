"""`tesuji learn zero`: train a network by self-play."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji._helpers.extras import require
from tesuji.cli.shared.arguments import Json, Load, On, argument, option
from tesuji.cli.shared.errors import BadInput, input_errors, package_errors
from tesuji.cli.shared.inputs import read_game
from tesuji.cli.shared.interrupts import ctrl_c_cancels
from tesuji.cli.shared.loading import worker_setup
from tesuji.cli.shared.output import make_folder, print_json
from tesuji.cli.shared.running import open_executor
from tesuji.models.bundled import find_weights

if TYPE_CHECKING:
    from tesuji.learn.zero.train import Training


def _list_settings(given: bool) -> None:
    if given:
        from tesuji.cli.commands.lists import show_options
        from tesuji.learn.zero.config import ZeroConfig
        from tesuji.options import describe

        show_options(describe(ZeroConfig))
        raise typer.Exit


def zero(
    game: Annotated[str, argument("GAME", "Game spec, such as gomoku:size=9.")],
    out: Annotated[Path, option("FOLDER", "Run directory; an existing run is resumed.")],
    config: Annotated[Path | None, option("FILE.toml", "TOML file with settings.")] = None,
    change: Annotated[
        list[str] | None, option("KEY=VALUE", "Set one setting, overriding the file; repeatable.", "--set")
    ] = None,
    list_settings: Annotated[
        bool,
        typer.Option(
            "--list-settings", callback=_list_settings, is_eager=True, help="List all settings and exit."
        ),
    ] = False,
    duration: Annotated[
        str | None, option("TIME", "Stop after this time: 90s, 9m, 1h30m; defaults to Ctrl-C.", "--for")
    ] = None,
    iterations: Annotated[int | None, option("N", "Stop after N iterations.", min=1)] = None,
    device: Annotated[str, option("auto|cpu|cuda", "Device of the network.")] = "auto",
    start: Annotated[
        Path | None,
        option("FILE", "Start from the weights of a network.safetensors, or of a bundled network."),
    ] = None,
    teacher: Annotated[
        Path | None, option("FILE", "Learn also from the outputs of another network, given in the same way.")
    ] = None,
    on: On = None,
    store: Annotated[Path | None, option("FILE", "Store the self-play games as records.")] = None,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Train a network by self-play (AlphaZero).

    The run directory holds checkpoints, metrics.jsonl, plots and network.safetensors, which plays as it is
    and which tesuji models export converts to ONNX. Ctrl-C or SIGTERM stops the run with a checkpoint; the
    same command resumes it.
    """
    began = time.monotonic()
    spec, rules = read_game(game, files)
    if (players := rules.players) != 2:  # before torch is imported
        raise BadInput(f"learn zero needs a two-player game; {spec} has {players} players")
    with input_errors():
        seconds = None if duration is None else read_duration(duration)
        given = dict(_pair(text) for text in change or ())
    if seconds is None and iterations is None and not sys.stderr.isatty():
        raise BadInput("set a limit, required without a terminal: --for 9m or --iterations 100")
    require("train", "training a network")
    from tesuji.learn.zero import checkpoint  # after all checks: torch takes seconds to import
    from tesuji.learn.zero.learner import TrainingError
    from tesuji.learn.zero.train import Training
    from tesuji.records.store import Store

    with package_errors():
        with contextlib.nullcontext() if on is None else open_executor(on) as where:
            training = Training(
                rules,
                out,
                file=config,
                given=given,
                device=device,
                on=where,
                setup=worker_setup(files),
                store=store,
                start=start and find_weights(start),
                teacher=teacher and find_weights(teacher),
            )
            if store is not None:
                Store(store).close()  # report a bad store before anything is written
            make_folder(out)  # only now: bad input leaves no directory behind
            atexit.register(_leave, training)
            with ctrl_c_cancels(training.stop, also=[signal.SIGTERM]):
                try:
                    chosen = training.choose_settings(seconds, time.monotonic() - began)
                except TrainingError:
                    with contextlib.suppress(OSError):  # it was there before, and is not empty
                        out.rmdir()
                    raise
                for line in () if as_json else chosen:
                    print(line, file=sys.stderr, flush=True)
                left = None if seconds is None else seconds - (time.monotonic() - began)
                with _progress(training, left, quiet=as_json) as watch:
                    try:
                        training.run(seconds=left, iterations=iterations, watch=watch)
                    except TrainingError as error:
                        kept = f"; the last valid checkpoint is in {out}" if checkpoint.exists(out) else ""
                        raise BadInput(f"{error}{kept}") from error
    _show(training, out, as_json)


def read_duration(text: str) -> float:
    """A duration in seconds: `read_duration("1h30m") == 5400.0`, `read_duration("90") == 90.0`."""
    parts = re.fullmatch(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s?)?", text.strip())
    numbers = [float(part or 0) for part in parts.groups()] if parts else []
    seconds = sum(number * unit for number, unit in zip(numbers, (3600, 60, 1), strict=False))
    if seconds <= 0:
        raise ValueError(f"a duration is written as 90s, 9m or 1h30m, not {text!r}")
    return seconds


def _leave(training: Training) -> None:
    """At the end of the program, do not wait for what did not stop in time, such as a compilation."""
    if training.abandoned:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(0)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set takes KEY=VALUE, such as visits=64, not {text!r}")
    return key.strip(), value.strip()


@contextmanager
def _progress(
    training: Training, seconds: float | None, *, quiet: bool
) -> Iterator[Callable[[dict[str, object]], object] | None]:
    """A progress bar on a terminal, otherwise one line per iteration."""
    if quiet:
        yield None
        return
    from tesuji.arena.progress import open_bar

    bar = open_bar(ticks=True)
    if bar is None:
        yield lambda row: print(status(row), file=sys.stderr, flush=True)
        return
    began = time.monotonic()
    with closing(bar):
        bar.show(0, seconds, "playing the first games · Ctrl-C stops")
        yield lambda row: bar.show(time.monotonic() - began, seconds, f"{status(row)} · Ctrl-C stops")


def status(row: Mapping[str, Any]) -> str:
    """A metrics row, of an iteration or the ladder, in one line."""
    if "ladder" in row:
        results = (f"{opponent} {_elo(result)}" for opponent, result in row["ladder"].items())
        return " · ".join([f"ladder of iteration {row['iteration']}", *results])
    parts = [
        f"iteration {row['iteration']}",
        f"{row['games']:,} games ({row['games_per_second']:.3g}/s)",
        f"{row['evaluations_per_second']:,.0f} evaluations/s",
    ]
    if "policy_loss" in row:
        parts.append(f"policy {row['policy_loss']:.3f}, value {row['value_loss']:.3f}")
    return " · ".join(parts)


def _elo(result: Mapping[str, Any]) -> str:
    if result["games"] == 0:
        return "no pair of games finished in time"
    points = f"{result['points']:g}/{result['games']}"
    if result["elo"] is None or result["low"] is None or result["high"] is None:
        return points
    return f"{points}, Elo {result['elo']:+.0f} [{result['low']:+.0f}, {result['high']:+.0f}]"


def _show(training: Training, out: Path, as_json: bool) -> None:
    from tesuji.arena.progress import clock
    from tesuji.learn.zero.metrics import read_metrics

    rows = read_metrics(out)
    last: dict[str, Any] = next((row for row in reversed(rows) if "ladder" not in row), {})
    ladder: dict[str, Any] = next((row["ladder"] for row in reversed(rows) if "ladder" in row), {})
    if as_json:
        print_json({**last, "ladder": ladder})
        return
    resumed = f", {training.resumed} of them before this run" if training.resumed else ""
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
    for opponent, result in ladder.items():
        print(f"against {opponent}: {_elo(result)}")
    network = out / "network.safetensors"
    if network.exists():
        print(f"Network: {network}; the same command resumes the run.")
    else:
        print("Stopped before the first checkpoint: no network yet; the same command starts again.")
