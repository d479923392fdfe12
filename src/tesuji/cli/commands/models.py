"""`tesuji models`: show, average and export networks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji._helpers.extras import require
from tesuji.cli.shared.arguments import Json, Load, argument, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.loading import load_option
from tesuji.cli.shared.output import check_can_write, print_json
from tesuji.models.bundled import BUNDLED, find_weights
from tesuji.models.network_format import MAX_TEMPERATURE, MIN_TEMPERATURE, Description

HELP = """Show, average and export networks.

The bot zero plays with them: zero:net=FILE."""


def show(
    network: Annotated[str | None, argument("NETWORK", "File, or name of a bundled network.")] = None,
    as_json: Json = False,
) -> None:
    """Describe a network, or list the bundled ones."""
    from tesuji.models.network import Network

    if network is None:
        print(json.dumps(list(BUNDLED)) if as_json else "\n".join(BUNDLED))
        return
    with input_errors():
        opened = Network(network)
    _show(opened.path, opened.description, opened.engine, as_json)


def average(
    runs: Annotated[list[Path], argument("RUN RUN…", "Run directories, or files network.safetensors.")],
    output: Annotated[Path, option("FILE.safetensors", "Weights file to write.")],
    as_json: Json = False,
) -> None:
    """Average the weights of networks.

    Each must have been trained from one of the others, or all from the same.
    """
    require("train", "averaging networks")
    from tesuji.models.network import Network
    from tesuji.models.weights import read_mean, save_weights

    if len(runs) < 2:
        raise BadInput(f"cannot average {runs[0]} alone: give two networks or more")
    check_can_write(output)
    with input_errors():
        network, description = read_mean([_weights_file(run) for run in runs])
    save_weights(network, description, output)
    _show(output, description, Network(output).engine, as_json)


def export(
    run: Annotated[Path, argument("RUN", "Run directory, or a network.safetensors.")],
    output: Annotated[Path, option("FILE", "File to write: .onnx or .safetensors.")],
    int8: Annotated[bool, typer.Option("--int8", hidden=True)] = False,
    value_temperature: Annotated[
        float | None,
        option(
            "T",
            "Temperature of reported values: σ(logit(v)/T); defaults to the file's own, or 1.",
            min=MIN_TEMPERATURE,
            max=MAX_TEMPERATURE,
        ),
    ] = None,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Export a trained network.

    A safetensors file holds its weights: the bot zero plays with them, and they can be trained further.
    An ONNX file is for other programs.
    """
    if int8:
        raise BadInput("--int8 is gone: every .safetensors file is played with 8 bits; leave it out")
    if output.suffix not in (".onnx", ".safetensors"):
        raise BadInput(f"cannot write {output}: its name must end in .onnx or .safetensors")
    require("train", "exporting a network")
    from tesuji._helpers.atomic_write import write_atomically
    from tesuji.models.export import to_onnx
    from tesuji.models.network import Network, read_network_file
    from tesuji.models.weights import as_safetensors, read_network

    check_can_write(output)
    path = _weights_file(run)
    with input_errors(f"cannot use {path}"):
        network, description = read_network(read_network_file(path))
    if value_temperature is not None:
        description = replace(description, value_temperature=value_temperature)
    plays = output.suffix == ".safetensors"
    write_atomically(output, (as_safetensors if plays else to_onnx)(network, description))
    _show(output, description, Network(output).engine if plays else None, as_json)
    if plays and not as_json:
        play = f'tesuji play {description.game} --bot "zero:net={output}"'
        print(f"Play with it: {play}{load_option(files)}")


COMMANDS = (
    ("show", show, "tesuji models show gomoku"),
    ("average", average, "tesuji models average run next-run --output mean.safetensors"),
    ("export", export, "tesuji models export run --output mine.safetensors"),
)


def _weights_file(run: Path) -> Path:
    from tesuji.models.weights import NETWORK_FILE

    return run / NETWORK_FILE if run.is_dir() else find_weights(run)


def _show(path: Path, description: Description, engine: str | None, as_json: bool) -> None:
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if as_json:
        print_json({"file": str(path), "sha256": sha256, **description.as_dict()})
        return
    shape = description.shape
    rows = [
        ("game", description.game),
        ("net", description.net),
        ("board", f"{shape.rows}×{shape.columns}, {shape.policy} moves"),
        ("planes", f"{', '.join(description.names)} (version {description.version})"),
    ]
    if description.value_temperature != 1:
        rows.append(("values", f"temperature {description.value_temperature:g}"))
    if engine is not None:
        rows.append(("engine", engine))
    rows.append(("sha256", sha256))
    rows += _training_rows(description.training)
    print(f"{path}: {path.stat().st_size:,} bytes")
    for name, value in rows:
        print(f"{name:12} {value}".rstrip())


def _training_rows(training: Mapping[str, object]) -> list[tuple[str, str]]:
    """The facts of the last run, then those of the run that it started from, and so on."""
    earlier = training.get("started_from")
    rows = [(name, _plain(value)) for name, value in training.items() if name != "started_from"]
    if not isinstance(earlier, dict):
        return rows
    return [*rows, ("", ""), ("started from", ""), *_training_rows(earlier)]


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={each}" for key, each in value.items())
    return f"{value:,}" if isinstance(value, int | float) else str(value)
