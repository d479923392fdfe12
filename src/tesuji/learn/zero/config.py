"""How a network is trained: every setting; from a TOML file, from options, or from Python."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tesuji.options import OptionError, Options, option, read_options, to_text
from tesuji.spec import Spec

LARGEST = 10**12


@dataclass(frozen=True, kw_only=True)
class ZeroConfig(Options):
    """The settings of `tesuji learn zero`.

    >>> ZeroConfig(visits="64").visits
    64
    """

    net: str = option("resnet:blocks=6,channels=96", "the network, by spec")
    boards: str = option(
        "", "boards to play on, with weights, such as size=7 size=9*2 size=11*6; empty: the game's own"
    )
    planes: str = option("", "what the game's planes are told, such as patterns=off")
    seed: int = option(1, "another seed, another run", minimum=0, maximum=2**63 - 1)

    # Self-play.
    games: int = option(
        256, "games at the same time, in two groups that take turns", minimum=2, maximum=65_536
    )
    leaves: int = option(1, "leaves of each game in one batch", minimum=1, maximum=64)
    threads: int | None = option(None, "that search; off: one for each core", minimum=1, maximum=256)
    network_threads: int | None = option(
        None, "torch's own, where there is no GPU; off: one for each core but one", minimum=1, maximum=256
    )
    positions: int = option(8192, "searched in one iteration, before learning", minimum=1, maximum=LARGEST)
    visits: int = option(200, "simulations of a full search", minimum=1, maximum=1_000_000)
    first_visits: int | None = option(
        None, "the same at the start of training; off: no growth", minimum=1, maximum=1_000_000
    )
    grow_positions: int = option(
        1_000_000, "after so many positions searches have their full size", minimum=1, maximum=LARGEST
    )
    fast_visits: int = option(
        40, "simulations of the other searches, which give no policy target", minimum=1, maximum=1_000_000
    )
    full_share: float = option(0.25, "share of the moves that are searched fully", minimum=0.001, maximum=1)
    root: Literal["gumbel", "puct"] = option(
        "gumbel", "how the root divides its simulations: sequential halving, or noise and PUCT"
    )
    gumbel_moves: int = option(16, "root=gumbel: moves that are looked at", minimum=1, maximum=1024)
    gumbel_scale: float = option(1.0, "root=gumbel: c_scale, how much values count", minimum=0, maximum=100)
    c_puct: float = option(1.25, "weight of the priors", minimum=0, maximum=100)
    first_play: float = option(
        0.2, "r: an untried move counts as its position, less r·√(priors tried)", minimum=0, maximum=10
    )
    noise: float = option(0.25, "root=puct: share of the noise in the priors", minimum=0, maximum=1)
    noise_total: float = option(
        10.83, "root=puct: the sum of the Dirichlet distribution's parameters", minimum=0.01, maximum=1000
    )
    temperature: float = option(1.0, "root=puct: T in visits^(1/T), at first", minimum=0, maximum=10)
    last_temperature: float = option(0.15, "root=puct: and in the end", minimum=0, maximum=10)
    temperature_plies: float = option(
        10, "root=puct: plies in which it goes half of the way", minimum=0.1, maximum=10_000
    )
    opening_plies: int = option(
        0, "at most so many random moves before a game's first search", minimum=0, maximum=100
    )
    policy_plies: int = option(
        0, "and after them at most so many drawn from the network's policy", minimum=0, maximum=100
    )
    policy_temperature: float = option(
        1.0, "T in P^(1/T), by which these are drawn", minimum=0.01, maximum=100
    )
    balance: float = option(
        0.0,
        "k: a start of value v is kept with probability (1 − (2v − 1)²)^k, else another is drawn",
        minimum=0,
        maximum=100,
    )
    resign: float | None = option(
        0.03, "below this value a side gives up; off: games are played out", minimum=0, maximum=0.5
    )
    resign_control: float = option(
        0.1, "share of the games that play on, to see how often it was wrong", minimum=0, maximum=1
    )
    reuse: bool = option(True, "what a search knows of the next position counts as visits")
    symmetries: bool = option(True, "the network sees positions in random symmetries")
    proximity: Literal["off", "soft", "hard"] = option(
        "off", "distant moves: soft takes from their priors, hard sets them aside"
    )

    prover: bool = option(True, "forced wins are looked for at every new position, where the game can")
    compile: bool = option(True, "on a GPU: let torch.compile fuse kernels; it takes a minute at the start")

    streams: int = option(
        1,
        "without workers: pools of games that take turns at the network; 2 keep a GPU busy",
        minimum=1,
        maximum=16,
    )
    overlap: bool = option(
        False, "without workers: learn from an iteration's games while the next ones are played"
    )

    # The window.
    window: int = option(250_000, "positions that are learned from, at first", minimum=1, maximum=LARGEST)
    window_growth: float = option(
        0.4, "how much a new position adds to the window once it is full", minimum=0, maximum=1
    )
    surprise: float = option(
        0.5, "share of the sampling weight that goes to surprising positions", minimum=0, maximum=1
    )
    cheap: float = option(
        0.0, "weight of a position searched fast, for its value alone, beside 1", minimum=0, maximum=1
    )
    tactics: float = option(
        0.0, "share of a batch that is made from threats (Gomoku)", minimum=0, maximum=0.9
    )
    tactics_positions: int = option(
        10_000, "so many different ones are made at the start", minimum=1, maximum=10_000_000
    )

    # Learning.
    batch: int = option(1024, "positions in a batch", minimum=1, maximum=65_536)
    uses: float = option(4.0, "how often a position is learned from, on average", minimum=0.01, maximum=1000)
    learning_rate: float = option(1e-3, "of AdamW", minimum=1e-8, maximum=1)
    warm_up: int = option(100, "steps until the learning rate is reached", minimum=0, maximum=LARGEST)
    steps: int | None = option(
        None,
        "steps of the whole training; off: no end",
        minimum=1,
        maximum=LARGEST,
    )
    fall: float = option(
        0.0,
        "share of the steps, or else of the time, at whose end the rate has fallen to a tenth",
        minimum=0,
        maximum=1,
    )
    weight_decay: float = option(1e-2, "of AdamW", minimum=0, maximum=10)
    clip: float = option(1.0, "largest norm of a gradient", minimum=1e-6, maximum=1e6)
    average: float = option(
        0.998, "how much the averaged weights keep at each step", minimum=0, maximum=0.99999
    )
    value_loss_weight: float = option(
        1.5, "of the value's loss, the policy's being 1", minimum=0, maximum=100
    )
    value_blend: float = option(
        0.25, "share of the search's own value in the value's target, beside the result", minimum=0, maximum=1
    )
    reply_loss_weight: float = option(0.15, "of the reply's loss", minimum=0, maximum=100)
    moves_left_loss_weight: float = option(0.05, "of the moves left's loss", minimum=0, maximum=100)

    # Watching.
    checkpoint_every: int = option(10, "iterations between checkpoints", minimum=1, maximum=LARGEST)
    checkpoint_size: int | None = option(
        None, "MiB that a checkpoint has at most: the oldest games are left out", minimum=1, maximum=1_000_000
    )
    ladder: str = option(
        "random mcts:iterations=200 mcts:iterations=2000", "opponents of the ladder, with spaces between"
    )
    ladder_every: int | None = option(
        None, "iterations between two climbs; off: only at the end", minimum=1, maximum=LARGEST
    )
    ladder_games: int | None = option(
        20, "games against each opponent, an even number; off: no ladder", minimum=2, maximum=100_000
    )
    ladder_visits: int = option(
        64, "simulations of a move in the ladder's games", minimum=1, maximum=1_000_000
    )
    ladder_processes: int = option(1, "games of the ladder at the same time", minimum=1, maximum=256)
    ladder_seconds: float | None = option(
        60.0, "for the last climb, out of the time there is; off: until all games are over", minimum=0.001
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ladder_games is not None and self.ladder_games % 2:
            raise OptionError(f"ladder_games must be even, not {self.ladder_games}: colours are exchanged")

    def changed(self) -> dict[str, str]:
        """The settings that are not the defaults, as texts."""
        return to_text(self)


def read_config(file: Path | None = None, given: Mapping[str, str] | None = None) -> ZeroConfig:
    """The settings of a TOML file and, above them, those given as texts; ValueError where one is wrong.

    >>> read_config(given={"visits": "64", "root": "puct"}).root
    'puct'
    """
    texts: dict[str, str] = {}
    if file is not None:
        try:
            texts = as_texts(tomllib.loads(file.read_text(encoding="utf-8")))
        except OSError as error:
            raise ValueError(f"cannot read {file}: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"cannot read {file}: {error}") from error
    thing = f"the file {file}" if file is not None else "learning"
    read_options(ZeroConfig, texts, thing=thing)
    return ZeroConfig(**read_options(ZeroConfig, {**texts, **(given or {})}, thing="learning"))


def plane_options(config: ZeroConfig) -> dict[str, bool]:
    """What the game's planes are told: `plane_options(ZeroConfig(planes="patterns=off"))`."""
    options = Spec.parse(f"planes:{config.planes}" if config.planes else "planes").options
    return {key: value == "on" for key, value in options.items()}


def as_texts(found: Mapping[str, Any]) -> dict[str, str]:
    """Settings as texts; true and false are on and off, a list of words is one text with spaces."""
    texts = {}
    for key, value in found.items():
        if isinstance(value, bool):
            texts[key] = "on" if value else "off"
        elif isinstance(value, list):
            texts[key] = " ".join(map(str, value))
        elif isinstance(value, str | int | float):
            texts[key] = str(value)
        else:
            raise ValueError(f"{key} must be a number, a text or a list of texts, not {value!r}")
    return texts
