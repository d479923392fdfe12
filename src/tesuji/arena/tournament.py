"""A tournament: many bots, all pairings of a round robin or gauntlet, and one rating list.

A pairing has the same key in the store as a match between the same bots. So a tournament can be resumed, and
reuses the games of earlier matches.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, Unpack

from tesuji.any_game import Game
from tesuji.any_game import game as as_game
from tesuji.arena.match import Pairing, PairingOptions, Where, checked_bot, play_pairings
from tesuji.arena.ratings import Ratings, Result, fit_ratings
from tesuji.records import Record
from tesuji.records.store import Store
from tesuji.registry import spec_of

TournamentKind: TypeAlias = Literal["round-robin", "gauntlet"]


class Tournament:
    """Every bot plays every other (round robin), or only the first one (gauntlet).

    In a round every pairing plays one opening, once for each rotation of the seats.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.db") as store:
    ...     bots = ["mcts:iterations=300", "mcts:iterations=30", "random"]
    ...     tournament = Tournament("hex:size=4", bots, store, rounds=2)
    ...     for _ in tournament.play():
    ...         pass
    ...     len(tournament.results), tournament.ratings().table[-1].name
    (12, 'random')
    """

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[str],
        store: Store,
        *,
        kind: TournamentKind = "round-robin",
        rounds: int = 10,
        **options: Unpack[PairingOptions],
    ) -> None:
        if rounds < 1:
            raise ValueError(f"rounds must be at least 1, not {rounds}")
        found = schedule(game, bots, kind, **options)
        self.pairings = {pairing.key: pairing for pairing in found}
        self.bots = list(dict.fromkeys(bot for pairing in found for bot in pairing.bots))
        self.game, self.rotations, self.clock = found[0].game, found[0].rotations, found[0].clock
        self.rounds, self.store, self.kind = rounds, store, kind
        self._games: dict[tuple[str, int, int], Record] = {}
        for key in self.pairings:
            for stored in store.records(match=key):  # streamed: there may be very many
                if (round := stored.round or 0) < rounds:
                    self._games[key, round, stored.record.leg] = _without_moves(stored.record)
        self.resumed = len(self._games)
        """Number of games found in the store."""

    @property
    def planned(self) -> int:
        """Total number of games."""
        return len(self.pairings) * self.rounds * self.rotations

    @property
    def games(self) -> list[Record]:
        """The games so far, in schedule order, without their moves."""
        return [self._games[slot] for slot in self._slots() if slot in self._games]

    @property
    def results(self) -> list[Result]:
        """The results for the rating."""
        found = []
        for key, round, rotation in self._slots():
            record = self._games.get((key, round, rotation))
            if record is not None and record.scores is not None:
                found.append(Result(record.players, record.scores, (key, round)))
        return found

    def ratings(self) -> Ratings:
        """The bots' ratings, with mean 0."""
        return fit_ratings(self.results)

    def cross_table(self) -> dict[str, dict[str, tuple[float, int]]]:
        """For each bot against each other: (points, games)."""
        return cross_table(self.bots, self.results)

    def play(self, **where: Unpack[Where]) -> Generator[Record, None, None]:
        """Play the missing games; yields each once it is stored."""
        missing = (slot for slot in self._slots() if slot not in self._games)
        games = play_pairings(self.pairings, missing, self.store, **where)
        with contextlib.closing(games):
            for key, round, rotation, played in games:
                self._games[key, round, rotation] = _without_moves(played.record)
                yield played.record

    def _slots(self) -> Iterator[tuple[str, int, int]]:
        """Round by round, so that an interrupted tournament has given all bots about as many games."""
        for round in range(self.rounds):
            for key in self.pairings:
                for rotation in range(self.rotations):
                    yield key, round, rotation


def shared_first(result: Result) -> bool:
    """Whether a game was drawn; two losers of three with equal scores have not drawn.

    >>> shared_first(Result(("a", "b", "c"), (1.0, 0.0, 0.0)))
    False
    """
    return result.scores.count(max(result.scores)) > 1


def cross_table(bots: Iterable[str], results: Iterable[Result]) -> dict[str, dict[str, tuple[float, int]]]:
    """For each bot against each other: (points, games); a bot in two seats counts twice.

    >>> cross_table("ab", [Result(("a", "b"), (1.0, 0.0)), Result(("b", "a"), (0.5, 0.5))])
    {'a': {'b': (1.5, 2)}, 'b': {'a': (0.5, 2)}}
    """
    table: dict[str, dict[str, tuple[float, int]]] = {bot: {} for bot in bots}
    for result in results:
        pairs = zip(result.players, result.scores, strict=True)
        for (bot, score), (other, theirs) in itertools.permutations(pairs, 2):
            if bot != other:
                points, games = table[bot].get(other, (0.0, 0))
                won = 1.0 if score > theirs else 0.5 if score == theirs else 0.0
                table[bot][other] = points + won, games + 1
    return table


def schedule(
    game: str | Game,
    bots: Sequence[str],
    kind: TournamentKind = "round-robin",
    **options: Unpack[PairingOptions],
) -> list[Pairing]:
    """The pairings of a tournament; ValueError for invalid bots.

    >>> [pairing.bots for pairing in schedule("hex:size=4", ["random", "mcts"])]
    [('random', 'mcts')]
    """
    rules = as_game(game)
    names = [checked_bot(bot, spec_of(rules)) for bot in bots]
    if len(names) < 2:
        raise ValueError(f"a tournament needs at least two bots, not {len(names)}")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"bot {name} is given twice; list each bot once")
    return [Pairing(rules, group, **options) for group in groups(names, rules.players, kind)]


def groups(bots: Sequence[str], seats: int, kind: TournamentKind) -> list[tuple[str, ...]]:
    """Who plays whom: `groups(["a", "b", "c"], 2, "gauntlet") == [("a", "b"), ("a", "c")]`.

    With fewer bots than seats there is one group, in which bots repeat until all seats are taken.
    """
    if len(bots) < seats:
        return [tuple(itertools.islice(itertools.cycle(bots), seats))]
    found = list(itertools.combinations(bots, seats))
    return found if kind == "round-robin" else [group for group in found if group[0] == bots[0]]


def _without_moves(record: Record) -> Record:
    """A tournament keeps thousands of games in memory."""
    return replace(record, moves=(), notes=())
