"""Onitama, whose five cards determine the moves. The rules are native; this is their Python interface."""

from tesuji.games.onitama.cards import CARDS, Card
from tesuji.games.onitama.game import Onitama, OnitamaState
from tesuji.games.onitama.tablebase import Tablebase

__all__ = ["CARDS", "Card", "Onitama", "OnitamaState", "Tablebase"]
