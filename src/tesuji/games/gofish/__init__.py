"""Go Fish: hidden cards, luck, two to six players. The rules are in Python, as a user would write them.

Who writes a game may read `state.py` first: `moves`, `play` and `scores` are the rules. `game.py` has the
options and makes the first state; `cards.py` the ranks and hands. All else can come later, and did:

- what a seat can know: `observed.py` reads the log, `slot_assignments.py` counts, `determinization.py` draws for `determinize`;
- what a person knows: `knowledge.py`, the hooks of the searches, and `careful.py`, a bot without a search;
- what people see: `drawing.py` and `narration.py`.
"""

from tesuji.games.gofish.game import GoFish
from tesuji.games.gofish.state import GoFishState, Turn

__all__ = ["GoFish", "GoFishState", "Turn"]
