"""Games as environments for reinforcement learning: PettingZoo's AEC interface, and Gymnasium's.

Needs `pip install "tesuji-ai[envs]"`.
"""

from tesuji._helpers.extras import require

require("envs", "a game as an environment")  # before the module imports it

from tesuji.envs.environments import MultiAgentEnv, SingleAgentEnv  # noqa: E402

__all__ = ["MultiAgentEnv", "SingleAgentEnv"]
