"""Exact endgames of Onitama: against known counts, the rules, plain search, and other numbers of threads."""

import random
from pathlib import Path

import pytest

import tesuji
from tests.games.onitama_positions import OX, set_up, texts, turned
from tests.games.test_onitama_limits import circle
from tesuji import _core
from tesuji.games import Onitama
from tesuji.games.onitama import OnitamaState, Tablebase
from tesuji.games.onitama.tablebase import Kind

HEADER = 160
STUCK = "dog-tanuki-sable-panda-kirin"  # a lone master in the corner cannot move by any two of the first four


KINDS: tuple[Kind, ...] = ("win", "loss", "draw")


def kind_of(entry: int) -> Kind:
    return "draw" if entry == 0 else "win" if entry % 2 == 1 else "loss"


@pytest.fixture(scope="session")
def stuck(tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    return Tablebase.build(STUCK, 4, tmp_path_factory.mktemp("tablebase") / "stuck.tb")


def entry_by_rules(table: Tablebase, state: OnitamaState) -> int:
    """What a position's byte must be, given those of the positions that its moves lead to."""
    after = []
    for move in state.moves():
        following = state.play(move)
        index = table.index(following)
        assert (index is None) == (following.scores() is not None)
        after.append(-1 if index is None else table.entry(index))
    won = [1 + max(plies, 0) for plies in after if plies == -1 or plies > 0 and plies % 2 == 0]
    if won:
        return min(won)
    return 0 if 0 in after else 1 + max(after)


def test_counts_with_four_pieces_are_the_known_ones(four_men: Tablebase) -> None:
    assert (four_men.wins, four_men.losses, four_men.draws) == (6_752_579, 2_419_523, 2_168)
    assert len(four_men) == 9_174_270 == 553 * 553 * 30
    assert four_men.path.stat().st_size == HEADER + len(four_men)
    assert (four_men.cards, four_men.men) == ("boar-crab-elephant-horse-ox", 4)


def test_stored_counts_agree_with_the_stored_values(four_men: Tablebase) -> None:
    data = four_men.path.read_bytes()[HEADER:]
    counts = [data.count(value) for value in range(256)]
    assert counts[0] == four_men.draws
    assert sum(counts[1::2]) == four_men.wins
    assert sum(counts[2::2]) == four_men.losses
    assert max(plies for plies in range(1, 256, 2) if counts[plies]) == four_men.longest


@pytest.mark.parametrize("name", ["four_men", "stuck"])
def test_every_value_follows_from_its_successors(name: str, request: pytest.FixtureRequest) -> None:
    table: Tablebase = request.getfixturevalue(name)
    rng = random.Random(1)
    chosen = [rng.randrange(len(table)) for _ in range(1500)]
    chosen += table.sample("draw", min(table.draws, 200), seed=1)
    for index in chosen:
        state = table.position(index, Onitama(ply_limit=None))
        assert entry_by_rules(table, state) == table.entry(index)
        red = turned(state)
        assert table.index(red) == index
        assert entry_by_rules(table, red) == table.entry(index)


def test_positions_without_moves_are_solved_by_passing(stuck: Tablebase) -> None:
    found = 0
    for enemy in ("e4", "e1", "c3", "a1"):
        for cards in ("dog-tanuki-sable-kirin-panda", "tanuki-panda-dog-sable-kirin"):
            state = set_up(cards, 0, "a5", f"{enemy} e5")
            assert texts(state)[0].endswith(":pass")
            index = stuck.index(state)
            assert index is not None
            assert entry_by_rules(stuck, state) == stuck.entry(index)
            found += stuck.entry(index) > 0
    assert found > 0


def test_a_plain_search_finds_the_same_winner_and_distance(four_men: Tablebase) -> None:
    game = Onitama(ply_limit=None)
    search = tesuji.AlphaBeta(game, value="off", nodes=300_000, reductions=False, seed=1)
    seen = set()
    for index in four_men.sample("win", 150, seed=2) + four_men.sample("loss", 150, seed=2):
        plies = four_men.entry(index)
        if plies <= 11:
            analysis = search.analyse(four_men.position(index, game))
            assert (analysis.proven, analysis.plies) == (plies % 2, plies)
            assert analysis.stopped == "proven"
            seen.add(plies)
    assert seen >= {1, 2, 3, 4, 5, 6, 7, 8}


def test_every_position_has_a_unique_index(two_men: Path) -> None:
    table = Tablebase(two_men)
    states = [table.native.position(index) for index in range(len(table))]
    assert len({(state.cells(), *state.held()) for state in states}) == len(table) == 30 * 553
    assert [table.native.index(state) for state in states] == list(range(len(table)))


def test_a_larger_table_contains_the_smaller(four_men: Tablebase, two_men: Path) -> None:
    table = Tablebase(two_men)
    for index in range(0, len(table), 7):
        larger = four_men.index(table.position(index))
        assert larger is not None
        assert four_men.entry(larger) == table.entry(index)


def test_positions_outside_the_table_are_unknown(four_men: Tablebase) -> None:
    assert four_men.probe(Onitama(cards=OX).start()) is None
    assert four_men.probe(set_up(OX, 0, "a1 a2 a3", "e5")) is None  # two students on one side
    assert four_men.probe(set_up("ox-boar-horse-elephant-tiger", 0, "a1", "e5")) is None
    assert four_men.probe(set_up("ox-crab-horse-elephant-boar", 0, "a1 a2", "e5 e4")) is not None
    over = set_up(OX, 0, "a1 c3", "c4")
    assert four_men.probe(over.play(over.parse("ox:c3c4"))) is None


def test_a_win_counts_only_within_the_ply_limit(four_men: Tablebase) -> None:
    checked = 0
    for index in four_men.sample("win", 60, seed=3) + four_men.sample("loss", 60, seed=3):
        plies = four_men.entry(index)
        if 3 <= plies <= 6:
            enough, short = (
                four_men.position(index, Onitama(ply_limit=limit)) for limit in (plies, plies - 1)
            )
            assert four_men.probe(enough) == (plies % 2, plies)
            assert four_men.probe(short) == (0.5, 0)
            search = tesuji.AlphaBeta(short.game, value="off", depth=plies, reductions=False)
            assert search.analyse(short).proven == 0.5
            checked += 1
    assert checked > 10


def test_the_plies_played_count_towards_the_limit(four_men: Tablebase) -> None:
    index = next(index for index in four_men.sample("win", 100, seed=4) if four_men.entry(index) == 7)
    state = four_men.position(index, Onitama(ply_limit=7))
    for left in range(7, 1, -1):
        assert four_men.probe(state) == (left % 2, left)
        following = [state.play(move) for move in state.moves()]
        # Any other move of the winner takes too long.
        assert {four_men.probe(after) for after in following} >= {((left - 1) % 2, left - 1)}
        assert left % 2 == 0 or (0.0, left + 1) not in map(four_men.probe, following)
        state = next(after for after in following if four_men.probe(after) == ((left - 1) % 2, left - 1))
    assert four_men.probe(state) == (1.0, 1)
    assert (1.0, 0.0) in [state.play(move).scores() for move in state.moves()]


def test_draws_do_not_depend_on_the_limits(four_men: Tablebase) -> None:
    for index in four_men.sample("draw", 20, seed=5):
        for limits in ({"ply_limit": 1}, {"repetition_limit": 2}, {"ply_limit": None, "repetition_limit": 3}):
            state = four_men.position(index, Onitama(**limits))
            assert four_men.probe(state) == (0.5, 0)


def test_repetitions_leave_a_win_uncertain_where_they_could_end_the_game(four_men: Tablebase) -> None:
    free = set_up(OX, 0, "a1", "e5")
    sure = four_men.probe(free)
    assert sure is not None and sure[1] > 0
    for limit, certain in ((2, False), (3, True), (4, True)):
        assert (four_men.probe(set_up(OX, 0, "a1", "e5", repetition_limit=limit)) == sure) is certain
    for limit, certain in ((3, False), (4, True)):
        state = set_up(OX, 0, "a1", "e5", repetition_limit=limit)
        for text in circle(free):
            state = state.play(state.parse(text))
        assert state.core.occurrences == 2
        assert four_men.probe(state) == (sure if certain else None)
        # It stays so until a capture, after which nothing earlier can come back.
        assert {four_men.probe(state.play(move)) is not None for move in state.moves()} == {certain}


def test_samples_have_the_requested_kind_are_distinct_and_reproducible(four_men: Tablebase) -> None:
    for kind in KINDS:
        for men in (None, 3, 4):
            found = four_men.sample(kind, 50, 7, men)
            assert len(set(found)) == 50
            assert found == four_men.sample(kind, 50, 7, men)
            assert found != four_men.sample(kind, 50, 8, men)
            assert {kind_of(four_men.entry(index)) for index in found} == {kind}
            pieces = {sum(map(bool, four_men.position(index).cells())) for index in found}
            assert pieces == {men} if men else pieces <= {2, 3, 4}


def test_samples_cover_all_positions(four_men: Tablebase) -> None:
    data = four_men.path.read_bytes()[HEADER:]
    draws = [i for i, byte in enumerate(data) if byte == 0]
    for count in (four_men.draws, 10_000):
        assert sorted(four_men.sample("draw", count, 1)) == draws
    assert four_men.sample("draw", 10, 1, men=2) == []
    places = sorted(four_men.sample("win", 2000, 9))
    for part in range(1, 10):  # a tenth of them in each tenth of the table, or nearly
        assert places[200 * part] == pytest.approx(len(four_men) * part / 10, rel=0.25)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("victory", 1, 1), "kind must be win, loss or draw, not 'victory'"),
        (("win", -1, 1), "count must be at least 0"),
        (("win", 1, 1, 6), "men must be from 2 to 4, not 6"),
    ],
)
def test_invalid_samples_are_refused(
    four_men: Tablebase, arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        four_men.sample(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [-1, 9_174_270, 2**40])
def test_a_number_outside_the_table_is_refused(four_men: Tablebase, index: int) -> None:
    for look in (four_men.entry, four_men.position):
        with pytest.raises(ValueError, match="index must be from 0 to 9174269"):
            look(index)


@pytest.mark.threads
def test_the_file_does_not_depend_on_the_threads_or_the_order_of_cards(tmp_path: Path) -> None:
    cards = "tiger-dragon-monkey-goose-eel"
    one = Tablebase.build(cards, 4, tmp_path / "one.tb", threads=1)
    two = Tablebase.build("eel-monkey-goose-tiger-dragon", 4, tmp_path / "two.tb", threads=3)
    assert one.path.read_bytes() == two.path.read_bytes()


@pytest.mark.slow
def test_the_six_piece_table_contains_the_four_piece_table(four_men: Tablebase, tmp_path: Path) -> None:
    table = Tablebase.build(OX, 6, tmp_path / "six.tb")
    assert len(table) == 1_075_280_850
    assert (table.wins, table.losses, table.draws) == (831_344_251, 243_847_093, 89_506)
    assert table.longest == 91
    table.verify()
    rng = random.Random(1)
    for index in [rng.randrange(len(four_men)) for _ in range(2000)]:
        larger = table.index(four_men.position(index))
        assert larger is not None
        assert table.entry(larger) == four_men.entry(index)
    chosen = [rng.randrange(len(table)) for _ in range(2000)] + table.sample("draw", 300, 1, men=6)
    for index in chosen:
        state = table.position(index, Onitama(ply_limit=None))
        assert table.index(state) == index
        assert entry_by_rules(table, state) == table.entry(index)
    table.path.unlink()  # a gigabyte that pytest would keep


def test_invalid_arguments_of_the_core_solver_are_refused() -> None:
    with pytest.raises(ValueError, match="five different cards"):
        _core.solve_onitama([1, 2, 3, 4, 4], 4, 1)
    with pytest.raises(ValueError, match="men must be 2, 4 or 6, not 3"):
        _core.solve_onitama([1, 2, 3, 4, 5], 3, 1)
    with pytest.raises(ValueError, match="threads must be from 1 to 256, not 1000"):
        _core.solve_onitama([1, 2, 3, 4, 5], 4, 1000)
