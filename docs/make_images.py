"""Draws the pictures of the documentation: `python docs/make_images.py`. The same pictures each time, by seed."""

from __future__ import annotations

from pathlib import Path

import tesuji

IMAGES = Path(__file__).parent / "images"

# A game of two searches, stopped in the middle, where the fight is open.
GAME = "hex:size=11"
MOVES = ""
BOT = "mcts:iterations=40000,rave=node,seed=1"


def hex_analysis() -> str:
    """A Hex position with what a search thinks of it: colour by visits, numbers for the win rate."""
    state = tesuji.replay(GAME, MOVES)
    return tesuji.MCTS(tesuji.game(GAME), iterations=40_000, rave="node", seed=1).analyse(state).svg()


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "hex-analysis.svg").write_text(hex_analysis() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
