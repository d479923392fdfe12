"""Pictures of Onitama."""

import random
from xml.etree import ElementTree

import pytest

import tesuji
from tests.games.onitama_positions import OX, set_up
from tesuji.games import Onitama
from tesuji.games.onitama import CARDS
from tesuji.games.onitama.drawing import draw_svg, reach
from tesuji.games.onitama.notation import square_text, turn_of

SVG = "{http://www.w3.org/2000/svg}"


def titles(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}title")]


def test_the_text_shows_the_board_the_cards_and_the_last_move() -> None:
    state = tesuji.replay(f"onitama:cards={OX}", "boar:c1c2")
    assert str(state).splitlines() == [
        "                 Blue                   Red (to move)          side",
        "                 Ox         Crab        Horse      Elephant    Boar",
        " 5  r r R r r    · · · · ·  · · · · ·   · · · · ·  · · · · ·   · · · · ·",
        " 4  · · · · ·    · · ● · ·  · · ● · ·   · · ● · ·  · · · · ·   · · · · ·",
        " 3  · · · · ·    · · ◆ ● ·  ● · ◆ · ●   · · ◆ ● ·  · ● ◆ ● ·   · ● ◆ ● ·",
        " 2  · ·[B]· ·    · · ● · ·  · · · · ·   · · ● · ·  · ● · ● ·   · · ● · ·",
        " 1  b b ⌂ b b    · · · · ·  · · · · ·   · · · · ·  · · · · ·   · · · · ·",
        "    a b c d e",
    ]


@pytest.mark.parametrize("player", [0, 1])
def test_the_drawn_steps_are_those_that_the_rules_allow(player: int) -> None:
    for card in CARDS.values():
        others = [word for word in CARDS if word != card.word][:4]
        hands = [[card.word, others[0]], [others[1], others[2]]]
        cards = "-".join([*hands[player], *hands[1 - player], others[3]])
        # A master alone in the middle: every step of two stays on the board.
        state = set_up(cards, player, "c3" if player == 0 else "a1", "c3" if player == 1 else "e1")
        ends = [
            turn_of(move).squares for move in state.moves() if state.text(move).startswith(f"{card.word}:")
        ]
        assert {(end[1] % 5 - 2, end[1] // 5 - 2) for end in ends if end} == reach(card, player)


def test_the_svg_names_every_square_card_and_the_last_move() -> None:
    state = Onitama(cards=OX).start()
    state = state.play(state.parse("boar:c1c2"))
    found = titles(state.svg())
    assert found[0] == (
        "Onitama, 5 blue and 5 red pieces, Red to move; "
        "Blue has Ox and Crab, Red Horse and Elephant, Boar lies aside"
    )
    assert "c2, Blue master, last move" in found
    assert "c1, empty, temple of Blue, left by the last move" in found
    assert "c5, Red master, temple of Red" in found
    assert sum(square_text(square) in {title.split(",")[0] for title in found} for square in range(25)) == 25
    for name, place in (("Ox", "Blue"), ("Horse", "Red"), ("Boar", "aside")):
        assert any(title.startswith(f"{name} ({place})") for title in found)


def test_every_position_of_random_games_can_be_drawn() -> None:
    rng = random.Random(4)
    for seed in range(5):
        state = Onitama(set="all").start(seed)
        while state.scores() is None:
            ElementTree.fromstring(state.svg())
            state = state.play(rng.choice(state.moves()))
        assert "the game is over" in titles(state.svg())[0]


def test_an_analysis_is_drawn_as_arrows_with_their_moves_and_labels() -> None:
    state = Onitama(cards=OX).start()
    analysis = tesuji.MCTS(state.game, iterations=300, seed=1).analyse(state)
    svg = analysis.svg()
    assert state.text(analysis.move) in titles(svg)
    assert f"{analysis.value:.0%}" in svg


def test_the_heat_of_a_pass_needs_no_arrow() -> None:
    state = set_up("crab-boar-ox-horse-tiger", 0, "a5 b5 c5 d5 e5", "c2")
    moves = state.moves()
    svg = state.svg(heat={moves[0]: 1.0, moves[1]: 0.5}, labels={moves[0]: "50%"})
    assert "<line " not in svg


@pytest.mark.parametrize("heat", [-1.0, float("nan"), float("inf")])
def test_heat_that_is_no_number_from_zero_is_refused(heat: float) -> None:
    with pytest.raises(ValueError, match="must be a number from 0"):
        Onitama(cards=OX).start().svg(heat={5: heat})


def test_a_board_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="25 squares"):
        draw_svg(bytes(24), list(CARDS.values())[:5], 0)
