"""Go Fish: hidden cards, luck, two to six players. The rules are in Python, as a user would write them."""

from tesuji.games.gofish.game import GoFish
from tesuji.games.gofish.state import GoFishState, Turn

__all__ = ["GoFish", "GoFishState", "Turn"]
