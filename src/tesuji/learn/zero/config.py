"""The settings of a training run, from a TOML file, the command line or Python."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

from tesuji._helpers.clipping import clip
from tesuji.options import OptionError, Options, option, read_options, to_text, without_removed
from tesuji.search.bot import ProximityOption
from tesuji.spec import Spec

T = TypeVar("T")

MAX_COUNT = 10**12
MAX_BYTES = 1 << 14
"""Of a settings file."""


def _expert(default: T, doc: str, *, minimum: float | None = None, maximum: float | None = None) -> T:
    return option(default, doc, minimum=minimum, maximum=maximum, visibility="expert")


def _study(default: T, doc: str, *, minimum: float, maximum: float) -> T:
    return option(default, doc, minimum=minimum, maximum=maximum, visibility="study")


@dataclass(frozen=True, kw_only=True)
class ZeroConfig(Options):
    """The settings of `tesuji learn zero`.

    >>> ZeroConfig(visits="64").visits
    64
    """

    removed: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("soft_policy_loss_weight", "move_value_loss_weight", "short_value_loss_weight"),
        "no such auxiliary head gained anything",
    )

    renamed: ClassVar[Mapping[str, str]] = {
        "leaves": "search_batch_size",
        "cheap": "fast_search_weight",
        "uses": "samples_per_position",
        "fall": "decay_share",
        "first_play": "first_play_reduction",
    }

    net: str = option("resnet:blocks=6,channels=96", "spec of the network")
    boards: str = option(
        "", "boards with weights, such as size=7 size=9*2 size=11*6; empty: only the game's own board"
    )
    planes: str = _expert("", "options of the game's planes, such as patterns=off")
    seed: int = option(1, "seed of all random numbers of the run", minimum=0, maximum=2**63 - 1)

    # Self-play.
    games: int = option(256, "games played at the same time", minimum=2, maximum=65_536)
    search_batch_size: int = _expert(
        1, "positions of a game that its search has evaluated in one batch", minimum=1, maximum=64
    )
    threads: int | None = option(None, "search threads; off: one per core", minimum=1, maximum=256)
    network_threads: int | None = _expert(
        None, "torch threads on a CPU; off: one per core but one", minimum=1, maximum=256
    )
    positions: int = option(8192, "positions searched per iteration", minimum=1, maximum=MAX_COUNT)
    visits: int = option(200, "simulations of a full search", minimum=1, maximum=1_000_000)
    first_visits: int | None = _expert(
        None,
        "simulations of a full search at the start, growing to visits; off: always visits",
        minimum=1,
        maximum=1_000_000,
    )
    grow_positions: int = _expert(
        1_000_000, "positions after which first_visits has grown to visits", minimum=1, maximum=MAX_COUNT
    )
    fast_visits: int = option(
        40, "simulations of a fast search, which gives no policy target", minimum=1, maximum=1_000_000
    )
    full_share: float = option(0.25, "fraction of moves with a full search", minimum=0.001, maximum=1)
    root: Literal["gumbel", "puct"] = _expert(
        "gumbel", "search at the root: Gumbel sequential halving, or PUCT with Dirichlet noise"
    )
    gumbel_moves: int = _study(16, "root=gumbel: moves considered at the root", minimum=1, maximum=1024)
    gumbel_scale: float = _study(1.0, "root=gumbel: c_scale, the weight of values", minimum=0, maximum=100)
    c_puct: float = _expert(1.25, "PUCT constant: the weight of the priors", minimum=0, maximum=100)
    first_play_reduction: float = _expert(
        0.2,
        "first-play urgency reduction r: an unvisited move has the value of its parent − r·√(visited priors)",
        minimum=0,
        maximum=10,
    )
    noise: float = _study(0.25, "root=puct: fraction of Dirichlet noise in the priors", minimum=0, maximum=1)
    noise_total: float = _study(
        10.83, "root=puct: sum of the parameters α of the Dirichlet distribution", minimum=0.01, maximum=1000
    )
    temperature: float = _study(
        1.0, "root=puct: initial T in visits^(1/T), by which moves are sampled", minimum=0, maximum=10
    )
    last_temperature: float = _study(0.15, "root=puct: final T", minimum=0, maximum=10)
    temperature_plies: float = _study(10, "root=puct: half-life of T, in plies", minimum=0.1, maximum=10_000)
    opening_plies: int = _expert(0, "maximum number of random moves at the start", minimum=0, maximum=100)
    policy_plies: int = _expert(
        0, "maximum number of moves then sampled from the network's policy", minimum=0, maximum=100
    )
    policy_temperature: float = _expert(1.0, "T in P^(1/T) for policy_plies", minimum=0.01, maximum=100)
    balance: float = _expert(
        0.0,
        "k: keep a starting position of value v with probability (1 − (2v − 1)²)^k, else draw another",
        minimum=0,
        maximum=100,
    )
    resign: float | None = _expert(
        0.03, "resign below this value; off: play every game to the end", minimum=0, maximum=0.5
    )
    resign_control: float = _expert(
        0.1, "fraction of games without resignation, to measure wrong resignations", minimum=0, maximum=1
    )
    reuse: bool = _expert(True, "keep the subtree of the move played; its visits count")
    symmetries: bool = _expert(True, "evaluate each position in a random symmetry")
    proximity: ProximityOption = option(
        "off",
        "moves far from all stones: soft lowers their priors, hard excludes them; in Gomoku also filter, "
        "narrow, edge",
    )

    prover: bool = _expert(True, "search for forced wins at every new position, if the game has a prover")
    proof_effort: int = _expert(
        0,
        "effort of the prover per search, in playouts (Gomoku): for a win at the root, and for a win of the "
        "opponent after the chosen move; 0: none",
        minimum=0,
        maximum=1_000_000,
    )
    compile: Literal["auto", "on", "off"] = _expert(
        "auto",
        "on a GPU, use torch.compile, which takes about a minute at the start; auto: in the training process "
        "alone, not in every worker",
    )

    streams: int = _expert(
        1,
        "pools of games with a thread each, without workers; several keep a GPU busy",
        minimum=1,
        maximum=16,
    )
    overlap: bool = _expert(
        False, "train on the games of one iteration while playing the next, without workers"
    )

    # The window.
    window: int = option(250_000, "initial size of the window, in positions", minimum=1, maximum=MAX_COUNT)
    window_growth: float = _expert(
        0.4, "positions added to the window per new position, once it is full", minimum=0, maximum=1
    )
    surprise: float = _study(
        0.5, "fraction of the sampling weight proportional to policy surprise", minimum=0, maximum=1
    )
    fast_search_weight: float = _expert(
        0.0, "sampling weight of a fast search, for values only; a full search has 1", minimum=0, maximum=1
    )
    tactics: float = _expert(
        0.0, "fraction of each batch from generated tactical positions (Gomoku)", minimum=0, maximum=0.9
    )
    tactics_positions: int = _expert(
        10_000, "number of tactical positions generated at the start", minimum=1, maximum=10_000_000
    )

    # Training.
    batch: int = option(1024, "positions per batch", minimum=1, maximum=65_536)
    samples_per_position: float = option(
        4.0, "training samples per new position with a full search", minimum=0.01, maximum=1000
    )
    learning_rate: float = option(1e-3, "learning rate of AdamW", minimum=1e-8, maximum=1)
    warm_up: int = _expert(100, "steps of linear warm-up", minimum=0, maximum=MAX_COUNT)
    steps: int | None = _expert(
        None, "stop after this many steps; off: no limit", minimum=1, maximum=MAX_COUNT
    )
    decay_share: float = _expert(
        0.0,
        "final fraction of the run (of steps, or else of --for) in which the rate decays to a tenth",
        minimum=0,
        maximum=1,
    )
    weight_decay: float = _expert(1e-2, "weight decay of AdamW", minimum=0, maximum=10)
    clip: float = _expert(1.0, "maximum norm of the gradient", minimum=1e-6, maximum=1e6)
    average: float = _expert(
        0.998, "decay per step of the moving average of the weights", minimum=0, maximum=0.99999
    )
    value_loss_weight: float = _expert(
        1.5, "weight of the value loss; the policy loss has 1", minimum=0, maximum=100
    )
    value_blend: float = _expert(
        0.25,
        "fraction of the search's value in the value target; the rest is the result",
        minimum=0,
        maximum=1,
    )
    teacher_share: float = _expert(
        0.5, "fraction of the teacher's policy and value in the targets, with --teacher", minimum=0, maximum=1
    )
    reply_loss_weight: float = _expert(
        0.15, "weight of the loss of the opponent's reply", minimum=0, maximum=100
    )
    moves_left_loss_weight: float = _expert(
        0.05, "weight of the loss of the moves left", minimum=0, maximum=100
    )

    # Checkpoints and the ladder.
    checkpoint_every: int = _expert(10, "iterations between checkpoints", minimum=1, maximum=MAX_COUNT)
    checkpoint_size: int | None = _expert(
        None,
        "maximum MiB of a checkpoint: drops the oldest games; off: no limit",
        minimum=1,
        maximum=1_000_000,
    )
    ladder: str = option(
        "random mcts:iterations=200 mcts:iterations=2000", "opponents of the ladder, separated by spaces"
    )
    ladder_every: int | None = _expert(
        None, "iterations between ladders; off: only at the end", minimum=1, maximum=MAX_COUNT
    )
    ladder_games: int | None = _expert(
        20, "games per opponent, an even number; off: no ladder", minimum=2, maximum=100_000
    )
    ladder_visits: int = _expert(64, "simulations per move in ladder games", minimum=1, maximum=1_000_000)
    ladder_processes: int = _expert(1, "ladder games played at the same time", minimum=1, maximum=256)
    ladder_seconds: float | None = _expert(
        60.0, "seconds of --for reserved for the last ladder; off: play all its games", minimum=0.001
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ladder_games is not None and self.ladder_games % 2:
            raise OptionError(
                f"ladder_games must be even, not {self.ladder_games}: games are paired with colours swapped"
            )

        if self.proof_effort and not self.prover:
            raise OptionError(f"proof_effort={self.proof_effort} needs prover=on")

    def changed(self) -> dict[str, str]:
        """The settings that differ from their defaults, as text."""
        return to_text(self)


def read_config(file: Path | None = None, given: Mapping[str, str] | None = None) -> ZeroConfig:
    """Read the settings of a TOML file, overridden by those in `given`; ValueError if one is invalid.

    >>> read_config(given={"visits": "64", "root": "puct"}).root
    'puct'
    """
    texts: dict[str, str] = {}
    if file is not None:
        try:
            with file.open("rb") as opened:
                data = opened.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:  # a dotted key takes time and memory that grow with its square
                raise ValueError(f"over {MAX_BYTES >> 10} KiB")
            texts = as_texts(tomllib.loads(data.decode("utf-8")))
        except OSError as error:
            raise ValueError(f"cannot read {file}: {error.strerror}") from error
        except ValueError as error:  # not only TOMLDecodeError: Python limits the digits of a number
            raise ValueError(f"cannot read {file}: {error}") from error
        except RecursionError:
            raise ValueError(f"cannot read {file}: nested too deeply") from None
    thing = f"the file {file}" if file is not None else "learning"
    texts = dict(without_removed(ZeroConfig, texts, thing))
    read_options(ZeroConfig, texts, thing=thing)
    return ZeroConfig(**read_options(ZeroConfig, {**texts, **(given or {})}, thing="learning"))


def plane_options(config: ZeroConfig) -> dict[str, bool]:
    """The options of the game's planes: `plane_options(ZeroConfig(planes="patterns=off"))`."""
    options = Spec.parse(f"planes:{config.planes}" if config.planes else "planes").options
    return {key: value == "on" for key, value in options.items()}


def as_texts(found: Mapping[str, object]) -> dict[str, str]:
    """Settings as text: true and false become on and off, a list of strings is joined by spaces."""
    texts = {}
    for key, value in found.items():
        if isinstance(value, bool):
            texts[key] = "on" if value else "off"
        elif isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
            texts[key] = " ".join(map(str, value))
        elif isinstance(value, str | int | float):
            texts[key] = str(value)
        else:
            raise ValueError(
                f"{clip(key)} must be a number, a string or a list of strings, not {clip(value)}"
            )
    return texts
