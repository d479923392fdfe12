"""Threat response at the root only: `threat_response=root`."""

from typing import Any

import pytest

import tesuji
from tesuji.games.hex.knowledge import HexThreatResponse

URGENT: Any = tesuji.replay("hex:size=7", "d4 a1 d3 a2 d5 b1 d6 b2 d2")  # Black: a stone at either edge


def candidates(state: Any, how: Any, **options: Any) -> set[str]:
    bot = tesuji.MCTS(state.game, threat_response=how, iterations=3000, seed=1, solver=False, **options)
    return {state.text(each.move) for each in bot.analyse(state).candidates if each.visits}


def test_at_the_root_only_replies_are_searched() -> None:
    threat = HexThreatResponse()(URGENT, URGENT.player)
    assert threat is not None and threat.urgent
    replies = {URGENT.text(move) for move in threat.moves}
    assert candidates(URGENT, "root") <= replies
    assert candidates(URGENT, "game") <= replies
    assert not candidates(URGENT, "off") <= replies


@pytest.mark.parametrize(("how", "deeper"), [("root", False), ("game", True)])
def test_below_the_root_the_hook_is_called_only_without_root(how: Any, deeper: bool) -> None:
    plies = set()

    def hook(state: Any, player: int) -> None:
        plies.add(state.ply)

    knowledge = tesuji.Knowledge(threat_response=hook)
    tesuji.MCTS(URGENT.game, knowledge=knowledge, threat_response=how, iterations=300, seed=1).analyse(URGENT)
    assert URGENT.ply in plies
    assert (len(plies) > 1) == deeper


def test_a_kept_tree_still_answers_a_threat_at_the_new_root() -> None:
    before: Any = tesuji.replay("hex:size=7", "d4 a1 d3 a2 d5 b1 d6 b2")
    bot = tesuji.MCTS(before.game, threat_response="root", iterations=3000, seed=1, solver=False)
    bot.analyse(before)
    after = before.play(before.parse("d2"))
    seen = {after.text(each.move) for each in bot.analyse(after).candidates if each.visits}
    threat = HexThreatResponse()(after, after.player)
    assert threat is not None and seen <= {after.text(move) for move in threat.moves}


def test_knowledge_off_leaves_no_threat_response() -> None:
    assert candidates(URGENT, "root", knowledge="off") == candidates(URGENT, "off", knowledge="off")
    with pytest.raises(ValueError, match="threat_response"):
        tesuji.bot("mcts:threat_response=everywhere", "hex")
