"""Games as environments for reinforcement learning: PettingZoo's AEC interface, and Gymnasium's.

Needs `pip install "tesuji-ai[envs]"`.
"""

from tesuji._helpers.extras import require

require("envs", "a game as an environment")  # before the modules import it

from tesuji.envs.multi import MultiAgentEnv  # noqa: E402
from tesuji.envs.single import SingleAgentEnv  # noqa: E402

__all__ = ["MultiAgentEnv", "SingleAgentEnv"]
