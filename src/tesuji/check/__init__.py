"""`check_game`: random games that report broken promises of a game, in words."""

from tesuji.check.rules import check_game

__all__ = ["check_game"]
