"""A game while it is played: its turns, its end, and the record of it."""

from __future__ import annotations

import random

import tesuji
from tesuji.records import Note, verify
from tesuji.records.game_in_progress import GameInProgress

PLAYERS = ("one", "two")


def begun(*opening: str, spec: str = "hex:size=3") -> GameInProgress:
    return GameInProgress(PLAYERS, tesuji.game(spec).start(), opening=opening)


def test_a_game_is_played_to_its_end_and_recorded() -> None:
    game = begun("b2")
    announced: list[str] = []
    game.announce = announced.append

    def turn(player: int) -> bool:
        assert player == game.state.player
        game.advance(game.state.moves()[0], Note(player, 0.5, 10, 0.1))
        return True

    game.play_out(turn, random.Random(1))
    record = game.record("hex:size=3", seed=None, leg=1)
    verify(record)
    assert (record.ending, record.opening, record.leg, record.moves[0]) == ("played", 1, 1, "b2")
    assert record.notes[0] is None and all(record.notes[1:])
    assert tuple(announced) == record.moves[1:]  # not those of the opening


def test_a_player_may_stop_and_a_limit_draws() -> None:
    game = begun()
    game.play_out(lambda player: False, random.Random(1))
    assert (game.ending, game.scores, game.texts) == ("unfinished", None, [])

    def turn(player: int) -> bool:
        game.advance(game.state.moves()[0])
        return True

    game.play_out(turn, random.Random(1), move_limit=2)
    assert (game.ending, game.scores, len(game.moves)) == ("limit", (0.5, 0.5), 2)


def test_moves_are_taken_back_with_their_notes() -> None:
    game = begun("a1", "b1", "c1")
    game.take_back(1)
    assert (game.texts, len(game.moves), len(game.notes), len(game.states)) == (["a1"], 1, 1, 2)
    assert game.state == tesuji.replay("hex:size=3", "a1")
