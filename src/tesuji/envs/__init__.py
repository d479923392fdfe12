"""Games as environments for reinforcement learning: PettingZoo's AEC interface, and Gymnasium's.

Needs `pip install 'tesuji[envs]'`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tesuji.envs.multi import MultiAgentEnv
    from tesuji.envs.single import SingleAgentEnv

__all__ = ["MultiAgentEnv", "SingleAgentEnv"]


def __getattr__(name: str) -> object:
    """Import an environment on first use: their packages are optional."""
    from importlib import import_module

    modules = {"MultiAgentEnv": "multi", "SingleAgentEnv": "single"}
    if name not in modules:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{modules[name]}"), name)
