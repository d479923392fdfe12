"""Reports of matches and ratings: as text in the style of fastchess, and for JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from tesuji.arena.elo import Estimate
from tesuji.arena.match import Match
from tesuji.arena.ratings import Ratings
from tesuji.records.record import count_faults

CrossTable: TypeAlias = Mapping[str, Mapping[str, tuple[float, int]]]
"""(points, games) of each bot against each other."""

REPEATS_REPORTED = 0.1  # share of the games from which on repeats are reported
MAX_FAULTS = 10  # lines; messages with a memory address differ in every game
VERDICTS = {
    "H0": "H0 accepted: the first bot is not that much stronger",
    "H1": "H1 accepted: the first bot is stronger",
    None: "undecided",
}


def match_lines(match: Match) -> list[str]:
    r"""The report as lines: `print(*match_lines(match), sep="\n")`."""
    data = match_data(match)
    first, second = match.pairing.bots
    counts = match.counts
    limit = f", move limit {match.pairing.move_limit}" if match.pairing.move_limit else ""
    limit += f", clock {match.pairing.clock}" if match.pairing.clock else ""
    lines = [
        f"Results of {first} vs {second}",
        f"({match.pairing.game}, openings {match.pairing.openings}, seed {match.pairing.seed}{limit}):",
    ]
    if not counts.pairs:
        return [*lines, "No pair of games is finished yet."]
    lines += [
        f"Elo: {counts.elo().text('.1f', margin=True)}, "
        f"nElo: {counts.normalized_elo().text('.1f', margin=True)}",
        f"LOS: {data['los']:.2%}, DrawRatio: {data['draw_ratio']:.2%}, PairsRatio: {_ratio(*data['pairs'])}",
        f"Games: {data['games']}, Wins: {data['wins']}, Losses: {data['losses']}, "
        f"Draws: {data['draws']}, Points: {counts.points:.1f} ({counts.points / counts.games:.2%})",
        f"Ptnml(0-2): {list(counts.counts)}",
    ]
    if match.goal.sprt is not None:
        test = match.goal.sprt
        low, high = test.bounds
        lines.append(
            f"LLR: {data['llr']:.2f} ({low:.2f}, {high:.2f}) [{test.elo0:.2f}, {test.elo1:.2f}] "
            f"{VERDICTS[data['verdict']]}"
        )
    first_mover, plies = data["first_mover_score"], data["plies"]
    lines.append(
        f"First mover: {first_mover:.2%}, Moves per game: {plies:.1f}, {_pace(data['seconds_per_move'])}"
    )
    if match.repeats > REPEATS_REPORTED * len(match.games):
        lines.append(
            f"Repeats: {match.repeats} games repeat an earlier one, so the intervals above are too narrow"
        )
    for ending, number in data["endings"].items():
        if ending != "played":
            lines.append(f"Not played out: {number} {ending}")
    return lines + fault_lines(data["faults"])


def fault_lines(faults: Mapping[str, int]) -> list[str]:
    """Faults with their counts, most frequent first: `fault_lines({"mine: KeyError": 3})`."""
    most = sorted(faults.items(), key=lambda item: -item[1])
    lines = [f"Fault ({number}×): {fault}" for fault, number in most[:MAX_FAULTS]]
    rest = most[MAX_FAULTS:]
    return lines + ([f"Fault ({sum(number for _, number in rest)}×): others"] if rest else [])


def match_data(match: Match) -> dict[str, Any]:
    """The report for JSON."""
    counts, games, test = match.counts, match.games, match.goal.sprt
    lost, half_lost, even, half_won, won = counts.counts
    elo, normalized = counts.elo(), counts.normalized_elo()
    thought = [sum(game.seconds[bot] for game in games) for bot in (0, 1)]
    chosen = [sum(game.chosen[bot] for game in games) for bot in (0, 1)]
    data: dict[str, object] = {
        **match.pairing.plan,
        "match": match.key,
        "games": len(games),
        "wins": sum(game.score > 0.5 for game in games),
        "losses": sum(game.score < 0.5 for game in games),
        "draws": sum(game.score == 0.5 for game in games),
        "pairs": list(counts.counts),
        "elo": estimate_data(elo),
        "normalized_elo": estimate_data(normalized),
        "los": counts.los(),
        "draw_ratio": even / counts.pairs if counts.pairs else None,
        "pairs_ratio": (won + half_won) / (lost + half_lost) if lost + half_lost else None,
        "first_mover_score": _mean([game.score if game.seat == 0 else 1 - game.score for game in games]),
        "plies": _mean([game.plies for game in games]),
        "seconds_per_move": [
            total / number if number else None for total, number in zip(thought, chosen, strict=True)
        ],
        "endings": dict(Counter(game.ending for game in games)),
        "faults": count_faults(game.fault for game in games),
        "repeats": match.repeats,
        "finished": match.reached,
    }
    if test is not None:
        data |= {
            "sprt": [test.elo0, test.elo1],
            "llr": test.llr(counts),
            "bounds": list(test.bounds),
            "verdict": test.decision(counts),
        }
    return data


def ratings_data(ratings: Ratings, cross: CrossTable) -> dict[str, Any]:
    """Ratings and cross table for JSON."""
    return {
        "ratings": [
            {"bot": row.name, "games": row.games, "points": row.points}
            | {"elo": estimate_data(Estimate(row.elo, row.low, row.high))}
            for row in ratings.table
        ],
        "first_move": None if ratings.first_move is None else estimate_data(ratings.first_move),
        "draw_share": None if ratings.draw_share is None else estimate_data(ratings.draw_share),
        "seats": [estimate_data(seat) for seat in ratings.seats],
        "connected": ratings.connected,
        "cross_table": {
            bot: {other: {"points": won, "games": games} for other, (won, games) in row.items()}
            for bot, row in cross.items()
        },
    }


def rating_columns(ratings: Ratings, names: Mapping[str, str] = MappingProxyType({})) -> dict[str, list[str]]:
    """The rating list as columns of text, best first; `names` replace specs."""
    rows = ratings.table
    return {
        "#": [str(rank) for rank in range(1, len(rows) + 1)],
        "bot": [names.get(row.name, row.name) for row in rows],
        "Elo": [f"{row.elo:+z.0f}" for row in rows],
        "95 %": [f"[{row.low:+z.0f}, {row.high:+z.0f}]" for row in rows],
        "games": [str(row.games) for row in rows],
        "score": [f"{row.points / row.games:.1%}" if row.games else "–" for row in rows],
    }


def cross_columns(ratings: Ratings, cross: CrossTable, heading: str = "{}") -> dict[str, list[str]]:
    """The points of each bot of the rating list against each other; columns by rank, as names are long."""
    columns = {}
    for rank, other in enumerate(ratings.table, 1):
        met = [cross[row.name].get(other.name) for row in ratings.table]
        columns[heading.format(rank)] = ["–" if one is None else f"{one[0]:g}/{one[1]}" for one in met]
    return columns


def estimate_data(estimate: Estimate) -> dict[str, float | None]:
    """For JSON, with None for infinity: `estimate_data(Estimate(1, -math.inf, 2))["low"] is None`."""
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: number if math.isfinite(number) else None for name, number in numbers.items()}


def _mean(values: list[float] | list[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _ratio(lost: int, half_lost: int, even: int, half_won: int, won: int) -> str:
    """Pairs won per pair lost."""
    if lost + half_lost:
        return f"{(won + half_won) / (lost + half_lost):.2f}"
    return "inf" if won + half_won else "–"


def _pace(seconds: list[float | None]) -> str:
    shown = ["–" if one is None else f"{one * 1000:.1f} ms" for one in seconds]
    return f"Time per move: {shown[0]} vs {shown[1]}"
