"""Go Fish: hidden cards, chance, two to six players. The rules are plain Python, as a user would write them.

An example for authors of games. Start with `state.py`: `moves`, `play` and `scores` are the rules. `game.py`
has the options and deals the first state, `cards.py` the ranks and hands. The rest is optional:

- hidden information: `observed.py` reads the log, `slot_assignments.py` counts the consistent deals,
  `determinization.py` samples one for `determinize`;
- knowledge: `knowledge.py` has the hooks of the searches, `careful.py` a bot without a search;
- display: `display.py`.
"""

from tesuji.games.gofish.game import GoFish
from tesuji.games.gofish.state import GoFishState, Turn

__all__ = ["GoFish", "GoFishState", "Turn"]
