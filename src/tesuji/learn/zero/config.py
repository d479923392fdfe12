"""The settings of a training run, from a TOML file, the command line or Python."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from tesuji._helpers.clipping import clip
from tesuji.options import OptionError, Options, option, read_options, to_text, without_removed
from tesuji.search.bot import ProximityOption
from tesuji.spec import Spec

MAX_COUNT = 10**12
MAX_BYTES = 1 << 14
"""Of a settings file."""


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

    net: str = option("resnet:blocks=6,channels=96", "spec of the network")
    boards: str = option(
        "", "boards with weights, such as size=7 size=9*2 size=11*6; empty: only the game's own board"
    )
    planes: str = option("", "options of the game's planes, such as patterns=off", visibility="expert")
    seed: int = option(1, "seed of all random numbers of the run", minimum=0, maximum=2**63 - 1)

    # Self-play.
    games: int = option(256, "games played at the same time", minimum=2, maximum=65_536)
    leaves: int = option(1, "leaves per game in one batch", minimum=1, maximum=64, visibility="expert")
    threads: int | None = option(None, "search threads; off: one per core", minimum=1, maximum=256)
    network_threads: int | None = option(
        None, "torch threads on a CPU; off: one per core but one", minimum=1, maximum=256, visibility="expert"
    )
    positions: int = option(8192, "positions searched per iteration", minimum=1, maximum=MAX_COUNT)
    visits: int = option(200, "simulations of a full search", minimum=1, maximum=1_000_000)
    first_visits: int | None = option(
        None,
        "simulations of a full search at the start, growing to visits; off: always visits",
        minimum=1,
        maximum=1_000_000,
        visibility="expert",
    )
    grow_positions: int = option(
        1_000_000,
        "positions after which first_visits has grown to visits",
        minimum=1,
        maximum=MAX_COUNT,
        visibility="expert",
    )
    fast_visits: int = option(
        40, "simulations of a fast search, which gives no policy target", minimum=1, maximum=1_000_000
    )
    full_share: float = option(0.25, "fraction of moves with a full search", minimum=0.001, maximum=1)
    root: Literal["gumbel", "puct"] = option(
        "gumbel",
        "search at the root: Gumbel sequential halving, or PUCT with Dirichlet noise",
        visibility="expert",
    )
    gumbel_moves: int = option(
        16, "root=gumbel: moves considered at the root", minimum=1, maximum=1024, visibility="study"
    )
    gumbel_scale: float = option(
        1.0, "root=gumbel: c_scale, the weight of values", minimum=0, maximum=100, visibility="study"
    )
    c_puct: float = option(
        1.25, "PUCT constant: the weight of the priors", minimum=0, maximum=100, visibility="expert"
    )
    first_play: float = option(
        0.2,
        "first-play urgency reduction r: an unvisited move has the value of its parent − r·√(visited priors)",
        minimum=0,
        maximum=10,
        visibility="expert",
    )
    noise: float = option(
        0.25, "root=puct: fraction of Dirichlet noise in the priors", minimum=0, maximum=1, visibility="study"
    )
    noise_total: float = option(
        10.83,
        "root=puct: sum of the parameters α of the Dirichlet distribution",
        minimum=0.01,
        maximum=1000,
        visibility="study",
    )
    temperature: float = option(
        1.0,
        "root=puct: initial T in visits^(1/T), by which moves are sampled",
        minimum=0,
        maximum=10,
        visibility="study",
    )
    last_temperature: float = option(0.15, "root=puct: final T", minimum=0, maximum=10, visibility="study")
    temperature_plies: float = option(
        10, "root=puct: half-life of T, in plies", minimum=0.1, maximum=10_000, visibility="study"
    )
    opening_plies: int = option(
        0, "maximum number of random moves at the start", minimum=0, maximum=100, visibility="expert"
    )
    policy_plies: int = option(
        0,
        "maximum number of moves then sampled from the network's policy",
        minimum=0,
        maximum=100,
        visibility="expert",
    )
    policy_temperature: float = option(
        1.0, "T in P^(1/T) for policy_plies", minimum=0.01, maximum=100, visibility="expert"
    )
    balance: float = option(
        0.0,
        "k: keep a starting position of value v with probability (1 − (2v − 1)²)^k, else draw another",
        minimum=0,
        maximum=100,
        visibility="expert",
    )
    resign: float | None = option(
        0.03,
        "resign below this value; off: play every game to the end",
        minimum=0,
        maximum=0.5,
        visibility="expert",
    )
    resign_control: float = option(
        0.1,
        "fraction of games without resignation, to measure wrong resignations",
        minimum=0,
        maximum=1,
        visibility="expert",
    )
    reuse: bool = option(True, "keep the subtree of the move played; its visits count", visibility="expert")
    symmetries: bool = option(True, "evaluate each position in a random symmetry", visibility="expert")
    proximity: ProximityOption = option(
        "off",
        "moves far from all stones: soft lowers their priors, hard excludes them; in Gomoku also filter, "
        "narrow, edge",
    )

    prover: bool = option(
        True, "search for forced wins at every new position, if the game has a prover", visibility="expert"
    )
    proof_effort: int = option(
        0,
        "effort of the prover per search, in playouts (Gomoku): for a win at the root, and for a win of the "
        "opponent after the chosen move; 0: none",
        minimum=0,
        maximum=1_000_000,
        visibility="expert",
    )
    compile: Literal["auto", "on", "off"] = option(
        "auto",
        "on a GPU, use torch.compile, which takes about a minute at the start; auto: in the training process "
        "alone, not in every worker",
        visibility="expert",
    )

    streams: int = option(
        1,
        "pools of games with a thread each, without workers; several keep a GPU busy",
        minimum=1,
        maximum=16,
        visibility="expert",
    )
    overlap: bool = option(
        False,
        "train on the games of one iteration while playing the next, without workers",
        visibility="expert",
    )

    # The window.
    window: int = option(250_000, "initial size of the window, in positions", minimum=1, maximum=MAX_COUNT)
    window_growth: float = option(
        0.4,
        "positions added to the window per new position, once it is full",
        minimum=0,
        maximum=1,
        visibility="expert",
    )
    surprise: float = option(
        0.5,
        "fraction of the sampling weight proportional to policy surprise",
        minimum=0,
        maximum=1,
        visibility="study",
    )
    cheap: float = option(
        0.0,
        "sampling weight of a fast search, for values only; a full search has 1",
        minimum=0,
        maximum=1,
        visibility="expert",
    )
    tactics: float = option(
        0.0,
        "fraction of each batch from generated tactical positions (Gomoku)",
        minimum=0,
        maximum=0.9,
        visibility="expert",
    )
    tactics_positions: int = option(
        10_000,
        "number of tactical positions generated at the start",
        minimum=1,
        maximum=10_000_000,
        visibility="expert",
    )

    # Training.
    batch: int = option(1024, "positions per batch", minimum=1, maximum=65_536)
    uses: float = option(
        4.0, "training samples per new position with a full search", minimum=0.01, maximum=1000
    )
    learning_rate: float = option(1e-3, "learning rate of AdamW", minimum=1e-8, maximum=1)
    warm_up: int = option(100, "steps of linear warm-up", minimum=0, maximum=MAX_COUNT, visibility="expert")
    steps: int | None = option(
        None, "stop after this many steps; off: no limit", minimum=1, maximum=MAX_COUNT, visibility="expert"
    )
    fall: float = option(
        0.0,
        "final fraction of the run (of steps, or else of --for) in which the rate decays to a tenth",
        minimum=0,
        maximum=1,
        visibility="expert",
    )
    weight_decay: float = option(1e-2, "weight decay of AdamW", minimum=0, maximum=10, visibility="expert")
    clip: float = option(1.0, "maximum norm of the gradient", minimum=1e-6, maximum=1e6, visibility="expert")
    average: float = option(
        0.998,
        "decay per step of the moving average of the weights",
        minimum=0,
        maximum=0.99999,
        visibility="expert",
    )
    value_loss_weight: float = option(
        1.5, "weight of the value loss; the policy loss has 1", minimum=0, maximum=100, visibility="expert"
    )
    value_blend: float = option(
        0.25,
        "fraction of the search's value in the value target; the rest is the result",
        minimum=0,
        maximum=1,
        visibility="expert",
    )
    teacher_share: float = option(
        0.5,
        "fraction of the teacher's policy and value in the targets, with --teacher",
        minimum=0,
        maximum=1,
        visibility="expert",
    )
    reply_loss_weight: float = option(
        0.15, "weight of the loss of the opponent's reply", minimum=0, maximum=100, visibility="expert"
    )
    moves_left_loss_weight: float = option(
        0.05, "weight of the loss of the moves left", minimum=0, maximum=100, visibility="expert"
    )

    # Checkpoints and the ladder.
    checkpoint_every: int = option(
        10, "iterations between checkpoints", minimum=1, maximum=MAX_COUNT, visibility="expert"
    )
    checkpoint_size: int | None = option(
        None,
        "maximum MiB of a checkpoint: drops the oldest games; off: no limit",
        minimum=1,
        maximum=1_000_000,
        visibility="expert",
    )
    ladder: str = option(
        "random mcts:iterations=200 mcts:iterations=2000", "opponents of the ladder, separated by spaces"
    )
    ladder_every: int | None = option(
        None,
        "iterations between ladders; off: only at the end",
        minimum=1,
        maximum=MAX_COUNT,
        visibility="expert",
    )
    ladder_games: int | None = option(
        20,
        "games per opponent, an even number; off: no ladder",
        minimum=2,
        maximum=100_000,
        visibility="expert",
    )
    ladder_visits: int = option(
        64, "simulations per move in ladder games", minimum=1, maximum=1_000_000, visibility="expert"
    )
    ladder_processes: int = option(
        1, "ladder games played at the same time", minimum=1, maximum=256, visibility="expert"
    )
    ladder_seconds: float | None = option(
        60.0,
        "seconds of --for reserved for the last ladder; off: play all its games",
        minimum=0.001,
        visibility="expert",
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


def as_texts(found: Mapping[str, Any]) -> dict[str, str]:
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
