"""Networks: planes in; policy, value, the opponent's reply and the moves left out.

A residual tower without batch norm: a block adds to its input what two convolutions make of it,

    x + conv2(relu(affine2(conv1(relu(affine1(x))))))

where `affine` is a factor and a term per channel. conv2 begins as zero, so a fresh tower is the identity at
any depth (Zhang, Dauphin and Ma, Fixup, 2019), and a position's value never depends on what else is in the
batch.

Every third block, and both heads, see the whole board by global pooling (Wu, Accelerating self-play
learning in Go, 2019): mean, mean × (width − 14)/10 and maximum of some channels, turned into one term per
channel for the others. No weight depends on the board's size, as long as every move has a cell or is an
extra one.

Boards of several sizes fit in one batch: `padded` planes are as large as the largest board, and one of them
says which cells exist. What a convolution sees of the others is zero, as beyond the edge, so a board gets the
same answer with and without such a margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tesuji.learn.zero.network import Shape
from tesuji.options import Options, option
from tesuji.registry import Registry

networks = Registry("network", "tesuji.networks", given=1)
"""The kinds of networks by name; each is made as `Kind(shape, **options)`."""

POOL_EVERY = 3  # blocks, of which the last one pools
NO_CELL = -1e4  # the logit of a cell beyond the board


class Outputs(NamedTuple):
    """What a network says of a batch of positions, each for the player to move."""

    policy: Tensor
    """[batch, policy]: logits of the moves, legal or not."""
    value: Tensor
    """[batch]: log-odds of winning."""
    reply: Tensor
    """[batch, policy]: logits of the opponent's next move."""
    moves_left: Tensor
    """[batch]: ln(1 + plies to the end)."""


@dataclass(frozen=True, kw_only=True)
class ResNetOptions(Options):
    """What `ResNet` can be told."""

    blocks: int = option(6, "residual blocks", minimum=1, maximum=100)
    channels: int = option(96, "channels of the tower", minimum=8, maximum=1024)
    head: int = option(32, "channels of the heads", minimum=4, maximum=1024)


class Board(NamedTuple):
    """Where the board is in a batch of planes."""

    mask: Tensor | None
    """[batch, 1, rows, columns]: 1 on the board; None where the board fills the planes."""
    cells: Tensor
    """[batch, 1]: how many cells it has."""

    def masked(self, x: Tensor) -> Tensor:
        """Zero beyond the board."""
        return x if self.mask is None else x * self.mask

    @classmethod
    def of(cls, planes: Tensor, plane: int | None, padded: bool) -> Board:
        """The board by the plane that shows it; without one it fills the planes."""
        if plane is None:
            return cls(None, planes.new_full((1, 1), planes.shape[2] * planes.shape[3]))
        mask = planes[:, plane : plane + 1]
        return cls(mask if padded else None, mask.float().sum((2, 3)).clamp(min=1))


class Affine(nn.Module):
    """A factor and a term per channel."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.factor = nn.Parameter(torch.ones(channels, 1, 1))
        self.term = nn.Parameter(torch.zeros(channels, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        """The same at every cell."""
        return x * self.factor + self.term


class Pool(nn.Module):
    """Whole-board statistics of some channels, as one term per channel for others."""

    def __init__(self, channels: int, out: int) -> None:
        super().__init__()
        self.linear = nn.Linear(3 * channels, out)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        """[batch, out]."""
        return self.linear(pooled(x, board))  # type: ignore[no-any-return]


def pooled(x: Tensor, board: Board) -> Tensor:
    """Mean, mean × (width − 14)/10 and maximum of each channel: [batch, 3 × channels].

    `x` is not negative, and zero beyond the board.
    """
    mean = x.mean((2, 3)) if board.mask is None else (x.sum((2, 3)) / board.cells).to(x.dtype)
    scale = ((board.cells.sqrt() - 14) / 10).to(x.dtype)
    return torch.cat([mean, mean * scale, x.amax((2, 3))], 1)


class Block(nn.Module):
    """A residual block; with `pool` channels, so many of its first convolution are pooled for the others."""

    def __init__(self, channels: int, pool: int = 0) -> None:
        super().__init__()
        self.pool = pool
        self.affine1 = Affine(channels)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.affine2 = Affine(channels - pool)
        self.conv2 = nn.Conv2d(channels - pool, channels, 3, padding=1, bias=False)
        nn.init.zeros_(self.conv2.weight)
        if pool:
            self.pool_affine = Affine(pool)
            self.pooling = Pool(pool, channels - pool)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        """The same shape as `x`."""
        h = self.conv1(board.masked(functional.relu(self.affine1(x))))
        if self.pool:
            apart = board.masked(functional.relu(self.pool_affine(h[:, : self.pool])))
            h = h[:, self.pool :] + self.pooling(apart, board)[:, :, None, None]
        return x + self.conv2(board.masked(functional.relu(self.affine2(h))))  # type: ignore[no-any-return]


class PolicyHead(nn.Module):
    """Two policies: of the player to move, and of the opponent's reply."""

    def __init__(self, shape: Shape, channels: int, head: int) -> None:
        super().__init__()
        self.shape = shape
        self.cells = nn.Conv2d(channels, head, 1, bias=False)
        self.board = nn.Conv2d(channels, head, 1)
        self.pooling = Pool(head, head)
        self.last: nn.Module | None = None
        self.extras: nn.Module | None = None
        if shape.policy_planes:
            self.last = _zeros(nn.Conv2d(head, 2 * shape.policy_planes, 1))
            self.extras = _zeros(nn.Linear(3 * head, 2 * shape.extras)) if shape.extras else None
        else:  # the game's moves have no cells: every move may depend on every cell
            self.extras = _zeros(nn.Linear(head * shape.cells, 2 * shape.extras))

    def forward(self, x: Tensor, board: Board) -> tuple[Tensor, Tensor]:
        """Two of [batch, policy]."""
        whole = board.masked(functional.relu(self.board(x)))
        cells = functional.relu(self.cells(x) + self.pooling(whole, board)[:, :, None, None])
        parts = []
        if self.last is not None:
            logits = self.last(cells)
            if board.mask is not None:
                logits = logits.masked_fill(board.mask == 0, NO_CELL)
            parts.append(logits.flatten(2).unflatten(1, (2, -1)).flatten(2))
        if self.extras is not None:
            seen = cells.flatten(1) if self.last is None else pooled(whole, board)
            parts.append(self.extras(seen).unflatten(1, (2, -1)))
        both = parts[0] if len(parts) == 1 else torch.cat(parts, 2)
        return both[:, 0], both[:, 1]


class ValueHead(nn.Module):
    """Value and moves left, from the whole board."""

    def __init__(self, channels: int, head: int) -> None:
        super().__init__()
        self.cells = nn.Conv2d(channels, head, 1)
        self.pooling = Pool(head, 2 * head)
        self.last = _zeros(nn.Linear(2 * head, 2))

    def forward(self, x: Tensor, board: Board) -> tuple[Tensor, Tensor]:
        """Two of [batch]."""
        cells = board.masked(functional.relu(self.cells(x)))
        both = self.last(functional.relu(self.pooling(cells, board)))
        return both[:, 0], both[:, 1]


@networks.register("resnet")
class ResNet(nn.Module):
    """The residual network of this page: `ResNet(shape, blocks=6, channels=96)`.

    >>> net = ResNet(Shape(planes=3, rows=5, columns=5, policy_planes=1, extras=1), blocks=1, channels=8)
    >>> outputs = net(torch.zeros(2, 3, 5, 5))
    >>> tuple(outputs.policy.shape), tuple(outputs.value.shape)
    ((2, 26), (2,))
    """

    Options = ResNetOptions

    def __init__(self, shape: Shape, **options: Any) -> None:
        super().__init__()
        self.shape = shape
        self.options = ResNetOptions.of(options, thing="resnet")
        self.given = tuple(options)
        channels, blocks = self.options.channels, self.options.blocks
        pools = [channels // 4 if number % POOL_EVERY == POOL_EVERY - 1 else 0 for number in range(blocks)]
        self.stem = nn.Conv2d(shape.planes, channels, 3, padding=1, bias=False)
        self.blocks = nn.ModuleList(Block(channels, pool) for pool in pools)
        self.affine = Affine(channels)
        self.policy = PolicyHead(shape, channels, self.options.head)
        self.value = ValueHead(channels, self.options.head)

    def forward(self, planes: Tensor, padded: bool = False) -> Outputs:
        """What the network says of planes [batch, planes, rows, columns], which may be `padded`."""
        board = Board.of(planes, self.shape.board, padded)
        x = self.stem(planes)
        for block in self.blocks:
            x = block(x, board)
        x = board.masked(functional.relu(self.affine(x)))
        policy, reply = self.policy(x, board)
        value, moves_left = self.value(x, board)
        return Outputs(policy, value, reply, moves_left)


def make_network(spec: str, shape: Shape, seed: int) -> nn.Module:
    """The network that a spec names, with the weights that follow from the seed.

    >>> shape = Shape(planes=3, rows=5, columns=5, policy_planes=1, extras=0)
    >>> count_weights(make_network("resnet:blocks=2,channels=16", shape, seed=1))
    20916
    """
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        network: nn.Module = networks.make(spec, shape)
    return network


def count_weights(network: nn.Module) -> int:
    """How many numbers a network has learned."""
    return sum(weight.numel() for weight in network.parameters())


def decayed(network: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """The weights that decay towards zero (of convolutions and linear maps), and those that do not."""
    both: tuple[list[nn.Parameter], list[nn.Parameter]] = ([], [])
    for name, weight in network.named_parameters():
        both[0 if name.endswith(".weight") else 1].append(weight)
    return both


def _zeros(layer: nn.Module) -> nn.Module:
    """A last layer that says nothing yet: all moves alike, all positions even."""
    for weight in layer.parameters():
        nn.init.zeros_(weight)
    return layer
