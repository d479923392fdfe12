"""The rules of Onitama: the known counts, a slow implementation of our own, and the rules' own sentences."""

import pickle
import random

import pytest

import tesuji
from tests.games.onitama_positions import OX, RABBIT, index, set_up, texts
from tests.games.slow_onitama import Slow
from tesuji.games import Onitama
from tesuji.games.onitama import OnitamaState


@pytest.mark.parametrize(
    ("cards", "counts"),
    [
        (OX, [10, 130, 1989, 28509, 487780, 7748422, 137281607]),
        (RABBIT, [9, 72, 880, 10374, 138879, 1781181, 24489752]),
    ],
)
def test_perft_counts_agree_with_published_ones(cards: str, counts: list[int]) -> None:
    core = Onitama(cards=cards).start().core
    assert [core.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("seed", range(12))
def test_perft_agrees_with_the_slow_rules_for_any_deal(seed: int) -> None:
    state = Onitama(set="all").start(seed)
    assert state.core.perft(3) == Slow.start(str(state.game.cards)).perft(3)


@pytest.mark.parametrize("cards", ["base", "sensei", "all"])
def test_random_games_agree_with_the_slow_rules_at_every_ply(cards: str) -> None:
    rng = random.Random(cards)
    for seed in range(60):
        state = Onitama(set=cards, ply_limit=None).start(seed)  # type: ignore[arg-type]
        slow = Slow.start(str(state.game.cards))
        while True:
            assert set(texts(state)) == slow.moves()
            assert len(texts(state)) == len(slow.moves())
            assert state.player == slow.player
            assert state.cells() == slow.cells()
            assert [{card.word for card in state.hand(player)} for player in (0, 1)] == list(slow.hands)
            assert state.side.word == slow.side
            if slow.winner is not None:
                break
            assert state.scores() is None
            text = rng.choice(sorted(slow.moves()))
            state, slow = state.play(state.parse(text)), slow.play(text)
        assert state.scores() == ((1.0, 0.0) if slow.winner == 0 else (0.0, 1.0))


def test_noisy_moves_are_wins_before_captures() -> None:
    rng = random.Random(1)
    for seed in range(40):
        state = Onitama().start(seed)
        while state.scores() is None:
            wins, captures = set(), set()
            for move in state.moves():
                after = state.play(move)
                if after.scores() is not None:
                    wins.add(move)
                elif sum(map(bool, after.cells())) < sum(map(bool, state.cells())):
                    captures.add(move)
            noisy = state.core.noisy_moves() or []
            assert len(noisy) == len(wins) + len(captures)
            assert set(noisy[: len(wins)]) == wins and set(noisy[len(wins) :]) == captures
            state = state.play(rng.choice(state.moves()))
        assert state.core.noisy_moves() == []


def test_passing_is_illegal_while_a_move_exists() -> None:
    state = Onitama(cards=OX).start()
    assert not any(text.endswith("pass") for text in texts(state))
    with pytest.raises(ValueError, match="'ox:pass' is not a legal move"):
        state.play(state.parse("ox:pass"))


def test_capturing_the_master_wins() -> None:
    state = set_up(OX, 0, "a1 c3", "c4 e5").play(0 * 625 + index("c3") * 25 + index("c4"))
    assert state.scores() == (1.0, 0.0)
    assert state.moves() == []
    red = set_up(OX, 1, "c3 a1", "a5 c4")
    assert red.play(red.parse("horse:c4c3")).scores() == (0.0, 1.0)


def test_capturing_a_student_does_not_win() -> None:
    state = set_up(OX, 0, "a1 c3", "e5 c4")
    assert state.play(state.parse("ox:c3c4")).scores() is None


def test_a_master_on_the_enemy_temple_wins() -> None:
    state = set_up(OX, 0, "c4 a1", "e5 a5")
    assert state.play(state.parse("ox:c4c5")).scores() == (1.0, 0.0)
    red = set_up(OX, 1, "a1", "c2")
    assert red.play(red.parse("horse:c2c1")).scores() == (0.0, 1.0)


def test_a_student_on_the_enemy_temple_does_not_win() -> None:
    state = set_up(OX, 0, "a1 c4", "e5 a5")
    assert state.play(state.parse("ox:c4c5")).scores() is None
    red = set_up(OX, 1, "a2", "e5 c2")
    assert red.play(red.parse("horse:c2c1")).scores() is None


def test_a_master_on_its_own_temple_does_not_win() -> None:
    state = set_up(OX, 0, "c2", "c4")
    state = state.play(state.parse("ox:c2c1"))
    assert state.scores() is None
    assert state.play(state.parse("horse:c4c5")).scores() is None


def test_reds_cards_are_rotated_and_pieces_jump() -> None:
    state = tesuji.replay("onitama:cards=tiger-boar-rabbit-tanuki-ox", "tiger:a1a3")
    assert isinstance(state, OnitamaState)
    # Rabbit is (1,1) (2,0) (-1,-1): for Red on d5 that is c4, b5 (its own piece) and e6 (off the board).
    assert [text for text in texts(state) if text.startswith("rabbit:d5")] == ["rabbit:d5c4"]
    assert "tanuki:e5c4" in texts(state)


def test_the_used_card_is_exchanged_with_the_side_card() -> None:
    state = tesuji.replay(f"onitama:cards={OX}", "boar:c1c2")
    assert isinstance(state, OnitamaState)
    assert [card.name for card in state.hand(0)] == ["Ox", "Crab"]
    assert state.side.name == "Boar"
    state = state.play(state.parse("elephant:a5b4"))
    assert {card.name for card in state.hand(1)} == {"Horse", "Boar"}
    assert state.side.name == "Elephant"


def test_the_stamp_of_the_side_card_says_who_starts() -> None:
    assert Onitama(cards=OX).start().player == 0
    assert Onitama(cards=RABBIT).start().player == 1


def test_the_same_step_by_two_cards_is_two_moves() -> None:
    state = Onitama(cards=OX).start()
    assert {"ox:a1a2", "boar:a1a2"} <= set(texts(state))


def test_the_board_is_given_from_a1_row_by_row() -> None:
    assert Onitama(cards=OX).start().cells() == bytes([1, 1, 2, 1, 1, *[0] * 15, 3, 3, 4, 3, 3])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("onitama:cards=ox-boar", "five different ones"),
        ("onitama:cards=ox-ox-horse-elephant-crab", "five different ones"),
        ("onitama:cards=ox-bore-horse-elephant-crab", "did you mean 'boar'"),
        ("onitama:set=huge", "set must be one of base, sensei, all"),
        ("onitama:ply_limit=0", "ply_limit must be"),
        ("onitama:repetition_limit=1", "repetition_limit must be"),
    ],
)
def test_invalid_options_are_refused(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tesuji.game(spec)


@pytest.mark.parametrize("move", [-1, 3125, 2**40, 3 * 625 + 5, 0, 12 * 25 + 13])
def test_a_move_that_is_not_legal_is_refused(move: int) -> None:
    with pytest.raises(ValueError):
        Onitama(cards=OX).start().play(move)


def test_legal_agrees_with_moves_for_every_number() -> None:
    rng = random.Random(3)
    for seed in range(5):
        state = Onitama().start(seed)
        while state.scores() is None:
            assert [move for move in range(3130) if state.core.legal(move)] == sorted(state.moves())
            state = state.play(rng.choice(state.moves()))
        assert not any(state.core.legal(move) for move in range(3125))


def test_playouts_end_and_are_the_same_for_a_seed() -> None:
    core = Onitama(cards=OX).start().core
    assert core.playouts(2000, 1) == core.playouts(2000, 1)
    assert 700 < core.playouts(2000, 2) < 1300


def test_random_playouts_choose_moves_uniformly() -> None:
    # One first move wins at once; a playout from here is a playout after each move, each as often.
    state = set_up("tiger-crab-ox-boar-horse", 0, "a1 a3", "c3 a4")
    wins = [state.text(move) for move in state.moves() if state.play(move).scores() == (1.0, 0.0)]
    assert wins == ["crab:a3c3"]
    games, plies = 40_000, len(state.moves())
    random_first = sum(
        state.play(move).core.playouts(games // plies, move)
        for move in state.moves()
        if state.play(move).scores() is None
    )
    expected = random_first / (games // plies * plies) + 1 / plies
    assert state.core.playouts(games, 9) / games == pytest.approx(expected, abs=0.02)


def test_a_repr_can_be_pasted_back_and_a_pickle_read() -> None:
    rng = random.Random(2)
    state = Onitama(set="all", ply_limit=80, repetition_limit=3).start(5)
    while state.scores() is None:
        for again in (eval(repr(state), {"tesuji": tesuji}), pickle.loads(pickle.dumps(state))):
            assert again == state
            assert again.history == state.history
            assert repr(again) == repr(state)
            assert again.core.same_position(state.core)
        state = state.play(rng.choice(state.moves()))


def test_a_record_replays_from_the_deal_in_the_spec_or_from_the_seed() -> None:
    from tesuji.records import Record

    dealt = Onitama().start(seed=11)
    text = dealt.text(dealt.moves()[0])
    by_seed = list(Record(game="onitama", players=("a", "b"), seed=11, moves=(text,)).states())
    by_cards = list(Record(game=tesuji.spec_of(dealt.game), players=("a", "b"), moves=(text,)).states())
    assert by_seed == by_cards


@pytest.mark.parametrize(
    "spec",
    [
        "onitama",
        "onitama:set=sensei",
        "onitama:set=all,ply_limit=off,repetition_limit=2",
        "onitama:ply_limit=15",
        f"onitama:cards={RABBIT},repetition_limit=3",
    ],
)
def test_check_game_finds_no_problems_in_onitama(spec: str) -> None:
    assert tesuji.check_game(spec, games=8) == []


def test_the_search_finds_a_win_in_one_and_proves_it() -> None:
    state = set_up(OX, 0, "c4 a1", "e5 a5")
    analysis = tesuji.MCTS(state.game, iterations=200, seed=1).analyse(state)
    assert (state.text(analysis.move), analysis.proven) == ("ox:c4c5", 1.0)
