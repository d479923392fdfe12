"""Network architectures: from planes to policy, value and auxiliary outputs.

A residual tower without batch norm, of blocks

    x + conv2(relu(affine2(conv1(relu(affine1(x))))))

where `affine` is a scale and a bias per channel. conv2 is initialised to zero, so a fresh tower is the
identity at any depth (Zhang, Dauphin and Ma, Fixup, 2019). Without batch norm, a position's value does not
depend on the rest of the batch.

Every third block, and both heads, use global pooling (Wu, Accelerating self-play learning in Go, 2019):
mean, mean × (width − 14)/10 and maximum of some channels become a bias per channel of the others. No weight
depends on the board size, as long as every move is on a cell or is an extra.

Boards of several sizes share a batch: `padded` planes have the size of the largest board, and the board
plane masks the rest. A convolution sees zeros there, as beyond the edge, so padding does not change the
outputs.

Besides policy and value the network predicts the opponent's reply and the moves left and, if the options say
so, a softened policy, the value after each move, and the value in a few plies. These auxiliary targets speed
up learning; a network without their heads can be extended by fresh ones.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tesuji.models.native import ResNetOptions
from tesuji.models.network_format import Shape
from tesuji.registry import Registry

networks = Registry("network", "tesuji.networks", given=1)
"""Registered architectures; each is created as `Architecture(shape, **options)`."""

OFF_BOARD_LOGIT = -1e4


class Outputs(NamedTuple):
    """The outputs for a batch of positions, from the side to move."""

    policy: Tensor
    """[batch, policy]: logits of all moves, legal or not."""
    value: Tensor
    """[batch]: log-odds of winning."""
    reply: Tensor
    """[batch, policy]: logits of the opponent's next move."""
    moves_left: Tensor
    """[batch]: ln(1 + plies to the end)."""


class Board(NamedTuple):
    """The board's mask and size in a batch of planes."""

    mask: Tensor | None
    """[batch, 1, rows, columns]: 1 on the board; None if the board fills the planes."""
    cells: Tensor
    """[batch, 1]: number of cells."""

    def masked(self, x: Tensor) -> Tensor:
        """`x` with zeros off the board."""
        return x if self.mask is None else x * self.mask

    @classmethod
    def of(cls, planes: Tensor, plane: int | None, padded: bool) -> Board:
        """Read the board from its plane; without one it fills the planes."""
        if plane is None:
            return cls(None, planes.new_full((1, 1), planes.shape[2] * planes.shape[3]))
        mask = planes[:, plane : plane + 1]
        return cls(mask if padded else None, mask.float().sum((2, 3)).clamp(min=1))


class Affine(nn.Module):
    """A scale and a bias per channel."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.factor = nn.Parameter(torch.ones(channels, 1, 1))
        self.term = nn.Parameter(torch.zeros(channels, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Scale and shift every cell alike."""
        return x * self.factor + self.term


class Pool(nn.Module):
    """Global pooling of some channels into a bias per channel for others."""

    def __init__(self, channels: int, out: int) -> None:
        super().__init__()
        self.linear = nn.Linear(3 * channels, out)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        """[batch, out]."""
        return self.linear(pooled(x, board))  # type: ignore[no-any-return]


def pooled(x: Tensor, board: Board) -> Tensor:
    """Mean, mean × (width − 14)/10 and maximum of each channel: [batch, 3 × channels].

    `x` must be non-negative, and zero off the board.
    """
    mean = x.mean((2, 3)) if board.mask is None else (x.sum((2, 3)) / board.cells).to(x.dtype)
    scale = ((board.cells.sqrt() - 14) / 10).to(x.dtype)
    return torch.cat([mean, mean * scale, x.amax((2, 3))], 1)


class Block(nn.Module):
    """A residual block, which pools `pool` channels of its first convolution for the others."""

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
            pooled_channels = board.masked(functional.relu(self.pool_affine(h[:, : self.pool])))
            h = h[:, self.pool :] + self.pooling(pooled_channels, board)[:, :, None, None]
        return x + self.conv2(board.masked(functional.relu(self.affine2(h))))  # type: ignore[no-any-return]


class MoveOutputs(nn.Module):
    """Several numbers per move, from the features of the policy head."""

    def __init__(self, shape: Shape, head: int, count: int) -> None:
        super().__init__()
        self.count = count
        self.last: nn.Module | None = None
        self.extras: nn.Module | None = None
        if shape.policy_planes:
            self.last = _zeros(nn.Conv2d(head, count * shape.policy_planes, 1))
            self.extras = _zeros(nn.Linear(3 * head, count * shape.extras)) if shape.extras else None
        else:  # moves are on no cells: a dense layer
            self.extras = _zeros(nn.Linear(head * shape.cells, count * shape.extras))

    def outputs(self, cells: Tensor, whole: Tensor, board: Board) -> Tensor:
        """[batch, count, policy]."""
        parts = []
        if self.last is not None:
            logits = self.last(cells)
            if board.mask is not None:
                logits = logits.masked_fill(board.mask == 0, OFF_BOARD_LOGIT)
            parts.append(logits.flatten(2).unflatten(1, (self.count, -1)).flatten(2))
        if self.extras is not None:
            seen = cells.flatten(1) if self.last is None else pooled(whole, board)
            parts.append(self.extras(seen).unflatten(1, (self.count, -1)))
        return parts[0] if len(parts) == 1 else torch.cat(parts, 2)


class PolicyHead(MoveOutputs):
    """The policy and the opponent's reply."""

    def __init__(self, shape: Shape, channels: int, options: ResNetOptions) -> None:
        head = options.head
        super().__init__(shape, head, 2)
        self.cells = nn.Conv2d(channels, head, 1, bias=False)
        self.board = nn.Conv2d(channels, head, 1)
        self.pooling = Pool(head, head)

    def forward(self, x: Tensor, board: Board) -> tuple[Tensor, Tensor]:
        """Logits of policy and reply, [batch, policy] each."""
        whole = board.masked(functional.relu(self.board(x)))
        cells = functional.relu(self.cells(x) + self.pooling(whole, board)[:, :, None, None])
        both = self.outputs(cells, whole, board)
        return both[:, 0], both[:, 1]


class ValueHead(nn.Module):
    """The value and the moves left, by global pooling."""

    def __init__(self, channels: int, options: ResNetOptions) -> None:
        super().__init__()
        head = options.head
        self.cells = nn.Conv2d(channels, head, 1)
        self.pooling = Pool(head, 2 * head)
        self.last = _zeros(nn.Linear(2 * head, 2))

    def forward(self, x: Tensor, board: Board) -> tuple[Tensor, Tensor]:
        """Value log-odds and ln(1 + moves left), [batch] each."""
        cells = board.masked(functional.relu(self.cells(x)))
        features = functional.relu(self.pooling(cells, board))
        both = self.last(features)
        return both[:, 0], both[:, 1]


@networks.register("resnet")
class ResNet(nn.Module):
    """The residual network described above: `ResNet(shape, blocks=6, channels=96)`.

    >>> net = ResNet(Shape(planes=3, rows=5, columns=5, policy_planes=1, extras=1), blocks=1, channels=8)
    >>> outputs = net(torch.zeros(2, 3, 5, 5))
    >>> tuple(outputs.policy.shape), tuple(outputs.value.shape)
    ((2, 26), (2,))
    """

    Options = ResNetOptions

    def __init__(self, shape: Shape, **options: object) -> None:
        super().__init__()
        self.shape = shape
        self.options = ResNetOptions.of(options, thing="resnet")
        self.given = tuple(options)
        channels = self.options.channels
        self.stem = nn.Conv2d(shape.planes, channels, 3, padding=1, bias=False)
        self.blocks = nn.ModuleList(Block(channels, pool) for pool in self.options.pooled)
        self.affine = Affine(channels)
        self.policy = PolicyHead(shape, channels, self.options)
        self.value = ValueHead(channels, self.options)

    def forward(self, planes: Tensor, padded: bool = False) -> Outputs:
        """Evaluate planes [batch, planes, rows, columns], `padded` if boards may be smaller."""
        board = Board.of(planes, self.shape.board, padded)
        x = self.stem(planes)
        for block in self.blocks:
            x = block(x, board)
        x = board.masked(functional.relu(self.affine(x)))
        policy, reply = self.policy(x, board)
        value, moves_left = self.value(x, board)
        return Outputs(policy, value, reply, moves_left)


class PolicyAndValue(nn.Module):
    """A network without its auxiliary outputs: they cost nothing in a compiled or exported network."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor, **arguments: bool) -> tuple[Tensor, Tensor]:
        """Policy logits [batch, policy] and value log-odds [batch]."""
        outputs: Outputs = self.network(planes, **arguments)
        return outputs.policy, outputs.value


def make_network(spec: str, shape: Shape, seed: int) -> nn.Module:
    """Create the network of a spec, with weights initialised from the seed.

    >>> shape = Shape(planes=3, rows=5, columns=5, policy_planes=1, extras=0)
    >>> count_weights(make_network("resnet:blocks=2,channels=16", shape, seed=1))
    20916
    """
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        network: nn.Module = networks.make(spec, shape)
    return network


def count_weights(network: nn.Module) -> int:
    """The number of weights."""
    return sum(weight.numel() for weight in network.parameters())


def weight_decay_groups(network: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """The weights subject to weight decay (of convolutions and linear layers), and the others."""
    both: tuple[list[nn.Parameter], list[nn.Parameter]] = ([], [])
    for name, weight in network.named_parameters():
        both[0 if name.endswith(".weight") else 1].append(weight)
    return both


def _zeros(layer: nn.Module) -> nn.Module:
    """Zero a last layer: a fresh network has a uniform policy and an even value."""
    for weight in layer.parameters():
        nn.init.zeros_(weight)
    return layer
