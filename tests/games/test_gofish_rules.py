"""Go Fish by the rules: against OpenSpiel where the variants agree, by hand elsewhere, and many random
games."""

import random
from typing import Any

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.games.gofish_tables import go_fish
from tesuji.games.gofish.cards import RANK_NAMES, RANKS, SUITS
from tesuji.games.gofish.state import GoFishState, first_state

SPECS = st.builds(
    lambda players, books, again, turn: f"gofish:players={players},books={books},again={again},next={turn}",
    st.integers(2, 6),
    st.sampled_from(["fours", "pairs"]),
    st.sampled_from(["on", "off"]),
    st.sampled_from(["left", "asked"]),
)


def position(spec: str, hands: Any, deck: str) -> GoFishState:
    """A first position with these cards: texts such as "A A 2", hands first."""
    game = go_fish(spec)
    cards = [RANK_NAMES.index(name) for text in (*hands, deck) for name in text.split()]
    return first_state(game, 0, cards)


def play(state: GoFishState, *texts: str) -> GoFishState:
    for text in texts:
        state = state.play(state.parse(text))
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_games_agree_with_openspiel(players: int) -> None:
    game = go_fish(f"gofish:players={players},ply_limit=off")
    theirs = pyspiel.load_game(f"go_fish(players={players},initial_cards={game.cards_each})")
    compared = 0
    for seed in range(40):
        ours = game.start(seed=seed)
        if any(ours.deal[0]):  # OpenSpiel deals another card for each of a book that was dealt
            continue
        other = theirs.new_initial_state()
        for player in range(players):
            for rank, number in enumerate(ours.hand(player)):
                for _ in range(number):
                    other.apply_action(rank)
        rng = random.Random(seed)
        while ours.scores() is None:
            assert other.current_player() == ours.player
            assert other.legal_actions() == list(ours.moves())
            assert other.player_cards() == [ours.hand(player) for player in range(players)]
            move = rng.choice(ours.moves())
            ours = ours.play(move)
            other.apply_action(move)
            for card in ours.drawn():
                other.apply_action(card)
            compared += 1
        assert other.is_terminal()
        scores = ours.scores()
        assert scores is not None
        won = [value > 0 for value in other.returns()]
        assert won == [score > 0 for score in scores] or len(set(scores)) == 1
    assert compared > 1000


def test_a_successful_ask_gives_another_turn() -> None:
    state = position("gofish:hand=3", ["A A 2", "A 3 3"], "4 5 6 7")
    state = play(state, "A")
    assert state.player == 0
    assert state.turns[-1] == (0, 1, 0, 1, 0, -1, ())
    assert state.hand(0)[0] == 3 and state.hand(1)[0] == 0


def test_drawing_the_rank_asked_for_shows_it_and_gives_another_turn() -> None:
    state = position("gofish:hand=2", ["A 2", "3 4"], "A 5 6")
    assert play(state, "A").player == 0
    assert play(state, "A").turns[-1].fished == 2
    assert play(state, "2").player == 1
    assert play(state, "2").turns[-1].fished == 1


def test_with_again_off_the_drawn_card_is_hidden_and_the_turn_passes() -> None:
    state = play(position("gofish:hand=2,again=off", ["A 2", "3 4"], "A 5 6"), "A")
    assert state.player == 1
    assert state.turns[-1].fished == 1
    assert state.sure(0)[0] == 1


@pytest.mark.parametrize(("turn", "player"), [("left", 1), ("asked", 2)])
def test_the_turn_passes_to_the_left_or_to_the_player_asked(turn: str, player: int) -> None:
    state = position(f"gofish:players=3,hand=2,next={turn}", ["A 2", "3 4", "5 6"], "7 8 9")
    assert play(state, "2:A").player == player


def test_a_book_is_laid_down_at_once_however_it_came() -> None:
    given_ = play(position("gofish:hand=4", ["A A A 2", "A 3 3 4"], "5 6 7"), "A")
    assert given_.books(0) == (0,) and given_.hand(0)[0] == 0
    fished = play(position("gofish:hand=4", ["A A A 2", "3 3 4 5"], "A 6 7"), "2")
    assert fished.books(0) == (0,) and fished.player == 1
    dealt = position("gofish:hand=5", ["A A A A 2", "3 3 4 5 6"], "7 8 9")
    assert dealt.books(0) == (0,) and dealt.hand_sizes == (1, 5)


def test_pairs_are_laid_down_at_once() -> None:
    state = position("gofish:hand=3,books=pairs", ["A A 2", "2 3 4"], "5 6 7")
    assert state.books(0) == (0,) and state.hand_sizes == (1, 3)
    assert play(state, "2").books(0) == (0, 1)


def test_an_empty_hand_draws_a_card_at_its_turn() -> None:
    state = position("gofish:hand=1", ["A", "A"], "2 A A 3 3 3 2")
    state = play(state, "A")  # player 1 has no cards now; player 0 cannot ask anybody, so player 1 draws
    assert state.player == 1
    assert state.turns[-1].drew == (1,)
    assert state.hand_sizes == (2, 1)


def test_a_seat_without_cards_is_skipped_when_the_deck_is_empty() -> None:
    state = position("gofish:players=3,hand=4,ranks=3", ["A A A 2", "A 2 3 3", "2 2 3 3"], "")
    state = play(state, "1:A", "1:2")  # a book; player 1 has two threes, player 0 two twos
    state = play(state, "2:2")  # and a second book: player 0 has nothing left
    assert state.hand_sizes == (0, 2, 2)
    assert state.player == 1
    assert {state.text(move) for move in state.moves()} == {"2:3"}
    assert play(state, "2:3").scores() == (1.0, 0.0, 0.0)


def test_players_tied_for_most_books_share_the_win() -> None:
    state = position("gofish:players=4,hand=2,ranks=2", ["A A", "A A", "2 2", "2 2"], "")
    state = play(state, "1:A")
    assert state.player == 2
    assert play(state, "3:2").scores() == (0.5, 0.0, 0.5, 0.0)


def test_a_game_ends_at_its_ply_limit() -> None:
    state = play(position("gofish:hand=2,ply_limit=2", ["A 2", "3 4"], "5 6 7 8"), "A", "3")
    assert state.scores() == (0.5, 0.5)
    assert state.moves() == ()
    with pytest.raises(ValueError, match="not a legal move"):
        state.play(0)


@pytest.mark.parametrize("move", [0, 13 + 12, 5 * 13, -1])
def test_illegal_moves_are_refused(move: int) -> None:
    state = position("gofish:hand=2", ["A 2", "3 4"], "5 6 7 8")
    with pytest.raises(ValueError, match="not a legal move"):
        state.play(move)


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="hand must be at most 8 .*not 9"):
        go_fish("gofish:players=6,hand=9")


@settings(max_examples=300, deadline=None)
@given(SPECS, st.integers(0, 2**63), st.integers(0, 2**32))
def test_every_card_is_somewhere_books_only_grow_and_turns_follow_the_rules(
    spec: str, seed: int, choices: Any
) -> None:
    game = go_fish(spec)
    rng, state = random.Random(choices), game.start(seed=seed)
    while state.scores() is None:
        before, state = state, state.play(rng.choice(state.moves()))
        players = range(game.players)
        books = [len(state.books(player)) for player in players]
        assert sum(state.hand_sizes) + state.deck_size + game.book * sum(books) == 52
        assert books == state._books
        assert all(len(before.books(player)) <= books[player] for player in players)
        assert state.turns[:-1] == before.turns
        for player in players:
            assert all(number < game.book for number in state.hand(player))
            assert all(map(int.__le__, state.sure(player), state.hand(player)))
        turn = state.turns[-1]
        assert turn.asker == before.player
        assert turn.given == before.hand(turn.target)[turn.rank]
        assert (turn.fished > 0) == (turn.given == 0 and before.deck_size > 0)
        if state.scores() is not None:
            break
        assert state.hand(state.player) != [0] * RANKS
        if turn.given or turn.fished == 2:
            goes_on = state.player == turn.asker or before.player in (*turn.drew, turn.asker)
            assert goes_on
    assert sum(books) == game.books_in_all or state.ply == game.ply_limit
    scores = state.scores()
    assert scores is not None
    assert abs(sum(scores) - 1) < 1e-9


@pytest.mark.parametrize(
    "spec",
    [
        "gofish",
        "gofish:players=3",
        pytest.param("gofish:players=5,hand=6", marks=pytest.mark.slow),
        "gofish:books=pairs,players=3",
        pytest.param("gofish:again=off,next=asked,players=3", marks=pytest.mark.slow),
        "gofish:ranks=3,hand=3",
    ],
)
def test_check_game_finds_no_problems_in_gofish(spec: str) -> None:
    assert tesuji.check_game(spec, games=3) == []


def test_the_deal_of_a_seed_never_changes() -> None:
    assert str(go_fish("gofish").start(seed=7)).splitlines()[0].split()[3:10] == "A 3 3 4 8 9 J".split()
    assert SUITS * RANKS == 52
