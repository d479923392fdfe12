"""Games of OpenSpiel, as games of Tesuji: `tesuji.game('openspiel:game="hex(board_size=5)"')`.

Needs the package `open_spiel`: `pip install "tesuji-ai[openspiel]"`.
"""

from tesuji.games.openspiel.game import OpenSpiel
from tesuji.games.openspiel.state import HiddenOpenSpielState, OpenSpielState

__all__ = ["HiddenOpenSpielState", "OpenSpiel", "OpenSpielState"]
