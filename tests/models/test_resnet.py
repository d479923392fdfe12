"""The network: shapes, independence of batch and board size, output before training."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from tesuji.models.network_format import Shape  # noqa: E402
from tesuji.models.resnet import ResNet, make_network, networks  # noqa: E402

SMALL = "resnet:blocks=3,channels=16,head=8"
HEX = Shape(planes=4, rows=5, columns=5, policy_planes=1, extras=1)


def shaken(shape: Shape, seed: int = 1) -> ResNet:
    """A network whose every weight says something."""
    network = make_network(SMALL, shape, seed)
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn(weight.shape, generator=random) * 0.2)
    assert isinstance(network, ResNet)
    return network


def test_a_fresh_network_has_a_uniform_policy_and_an_even_value() -> None:
    outputs = make_network(SMALL, HEX, seed=1)(torch.randn(3, 4, 5, 5))
    assert outputs.policy.shape == outputs.reply.shape == (3, 26)
    assert outputs.value.shape == outputs.moves_left.shape == (3,)
    assert not outputs.policy.any()
    assert not outputs.value.any()


def test_the_same_seed_makes_the_same_network_and_leaves_torch_alone() -> None:
    before = torch.random.get_rng_state()
    one, same, other = (make_network(SMALL, HEX, seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    weights = [[weight.clone() for weight in network.parameters()] for network in (one, same, other)]
    assert all(torch.equal(a, b) for a, b in zip(weights[0], weights[1], strict=True))
    assert any(not torch.equal(a, b) for a, b in zip(weights[0], weights[2], strict=True))


def test_outputs_do_not_depend_on_the_rest_of_the_batch() -> None:
    network, planes = shaken(HEX), torch.randn(6, 4, 5, 5)
    together = network(planes)
    for place in range(6):
        alone = network(planes[place : place + 1])
        assert torch.allclose(alone.policy[0], together.policy[place], atol=1e-5)
        assert torch.allclose(alone.value[0], together.value[place], atol=1e-5)


def test_weights_of_a_small_board_work_on_a_large_one() -> None:
    network = shaken(HEX)
    larger = make_network(SMALL, Shape(planes=4, rows=9, columns=9, policy_planes=1, extras=1), seed=2)
    larger.load_state_dict(network.state_dict())
    assert larger(torch.randn(2, 4, 9, 9)).policy.shape == (2, 82)


def test_every_input_cell_reaches_every_output_through_the_pooling() -> None:
    shape = Shape(planes=1, rows=19, columns=19, policy_planes=1, extras=0)
    planes = torch.zeros(1, 1, 19, 19, requires_grad=True)
    outputs = shaken(shape)(planes + torch.randn(1, 1, 19, 19))
    outputs.policy[0, 0].backward()  # the corner, far outside of four layers of 3×3
    assert planes.grad is not None
    assert planes.grad.mean((0, 1)).count_nonzero() > 300


def test_moves_without_cells_have_a_dense_policy() -> None:
    shape = Shape(planes=3, rows=3, columns=3, policy_planes=0, extras=7)
    assert shaken(shape)(torch.randn(2, 3, 3, 3)).policy.shape == (2, 7)


def test_policy_planes_are_in_order() -> None:
    shape = Shape(planes=2, rows=3, columns=4, policy_planes=2, extras=0)
    network = shaken(shape)
    with torch.no_grad():
        network.policy.last.weight.zero_()  # type: ignore[union-attr, operator]
        network.policy.last.bias.copy_(torch.tensor([1.0, 2.0, 3.0, 4.0]))  # type: ignore[union-attr, operator]
    outputs = network(torch.randn(1, 2, 3, 4))
    assert outputs.policy[0].tolist() == [1.0] * 12 + [2.0] * 12
    assert outputs.reply[0].tolist() == [3.0] * 12 + [4.0] * 12


def test_a_network_has_a_spec_and_an_unknown_option_one_clear_line() -> None:
    assert networks.spec_of(make_network(SMALL, HEX, seed=1)) == SMALL
    with pytest.raises(ValueError, match="unknown option 'block' for resnet; did you mean 'blocks'"):
        make_network("resnet:block=3", HEX, seed=1)
