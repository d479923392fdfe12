"""What a match found, in the block of lines that users of fastchess know, and as data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tesuji.arena.elo import Estimate
from tesuji.arena.match import Match
from tesuji.arena.ratings import Ratings

REPEATS_SAID = 0.1  # of the games; small boards repeat a few
MOST_FAULTS = 10  # lines; a message that holds an address is another in every game

VERDICTS = {
    "H0": "H0 is accepted: the first bot is not that much stronger",
    "H1": "H1 is accepted: the first bot is stronger",
    None: "undecided",
}


def match_lines(match: Match) -> list[str]:
    r"""The report, line by line: `print(*match_lines(match), sep="\n")`."""
    facts = match_facts(match)
    first, second = match.contest.bots
    counts = match.counts
    limit = f", move limit {match.contest.move_limit}" if match.contest.move_limit else ""
    limit += f", clock {match.contest.clock}" if match.contest.clock else ""
    lines = [
        f"Results of {first} vs {second}",
        f"({match.contest.game}, openings {match.contest.openings}, seed {match.contest.seed}{limit}):",
    ]
    if not counts.pairs:
        return [*lines, "No round of two games is finished yet."]
    lines += [
        f"Elo: {shown(counts.elo())}, nElo: {shown(counts.normalized_elo())}",
        f"LOS: {facts['los']:.2%}, DrawRatio: {facts['draw_ratio']:.2%}, "
        f"PairsRatio: {_ratio(*facts['pairs'])}",
        f"Games: {facts['games']}, Wins: {facts['wins']}, Losses: {facts['losses']}, "
        f"Draws: {facts['draws']}, Points: {counts.points:.1f} ({counts.points / counts.games:.2%})",
        f"Ptnml(0-2): {list(counts.counts)}",
    ]
    if match.goal.sprt is not None:
        test = match.goal.sprt
        low, high = test.bounds
        lines.append(
            f"LLR: {facts['llr']:.2f} ({low:.2f}, {high:.2f}) [{test.elo0:.2f}, {test.elo1:.2f}] "
            f"{VERDICTS[facts['verdict']]}"
        )
    first_mover, plies = facts["first_mover_score"], facts["plies"]
    lines.append(
        f"First mover: {first_mover:.2%}, Moves per game: {plies:.1f}, {_pace(facts['seconds_a_move'])}"
    )
    if match.repeats > REPEATS_SAID * len(match.games):
        lines.append(
            f"Repeats: {match.repeats} games went like an earlier one, so all this is surer than it should be"
        )
    for ending, number in facts["endings"].items():
        if ending != "played":
            lines.append(f"Ended otherwise: {number} {ending}")
    return lines + fault_lines(facts["faults"])


def fault_lines(faults: Mapping[str, int]) -> list[str]:
    """What went wrong and how often, the most frequent first: `fault_lines({"mine: KeyError": 3})`."""
    most = sorted(faults.items(), key=lambda item: -item[1])
    lines = [f"Fault ({number}×): {fault}" for fault, number in most[:MOST_FAULTS]]
    rest = most[MOST_FAULTS:]
    return lines + ([f"Fault ({sum(number for _, number in rest)}×): others"] if rest else [])


def match_facts(match: Match) -> dict[str, Any]:
    """The same as plain data, for JSON."""
    counts, games, test = match.counts, match.games, match.goal.sprt
    lost, half_lost, even, half_won, won = counts.counts
    elo, normalized = counts.elo(), counts.normalized_elo()
    thought = [sum(game.seconds[bot] for game in games) for bot in (0, 1)]
    chosen = [sum(game.chosen[bot] for game in games) for bot in (0, 1)]
    facts: dict[str, Any] = {
        **match.contest.plan,
        "match": match.key,
        "games": len(games),
        "wins": sum(game.score > 0.5 for game in games),
        "losses": sum(game.score < 0.5 for game in games),
        "draws": sum(game.score == 0.5 for game in games),
        "pairs": list(counts.counts),
        "elo": plain(elo),
        "normalized_elo": plain(normalized),
        "los": counts.los(),
        "draw_ratio": even / counts.pairs if counts.pairs else None,
        "pairs_ratio": (won + half_won) / (lost + half_lost) if lost + half_lost else None,
        "first_mover_score": _mean([game.score if game.seat == 0 else 1 - game.score for game in games]),
        "plies": _mean([game.plies for game in games]),
        "seconds_a_move": [
            total / number if number else None for total, number in zip(thought, chosen, strict=True)
        ],
        "endings": dict(Counter(game.ending for game in games)),
        "faults": dict(Counter(game.fault for game in games if game.fault)),
        "repeats": match.repeats,
        "finished": match.reached,
    }
    if test is not None:
        facts |= {
            "sprt": [test.elo0, test.elo1],
            "llr": test.llr(counts),
            "bounds": list(test.bounds),
            "verdict": test.decision(counts),
        }
    return facts


def ratings_facts(ratings: Ratings, cross: Mapping[str, Mapping[str, tuple[float, int]]]) -> dict[str, Any]:
    """Ratings and who scored what against whom, as plain data, for JSON."""
    return {
        "ratings": [
            {"bot": row.name, "games": row.games, "points": row.points}
            | {"elo": plain(Estimate(row.elo, row.low, row.high))}
            for row in ratings.table
        ],
        "first_move": None if ratings.first_move is None else plain(ratings.first_move),
        "draw_share": None if ratings.draw_share is None else plain(ratings.draw_share),
        "seats": [plain(seat) for seat in ratings.seats],
        "connected": ratings.connected,
        "cross_table": {
            bot: {other: {"points": won, "games": games} for other, (won, games) in row.items()}
            for bot, row in cross.items()
        },
    }


def shown(estimate: Estimate) -> str:
    """An estimate with its interval: `12.3 +/- 8.0 [4.3, 20.3]`; `over 686.0` where no end is in sight."""
    if estimate.low == -math.inf and estimate.high == math.inf:
        return "unknown"
    if estimate.high == math.inf:
        return f"over {estimate.low:.1f}"
    if estimate.low == -math.inf:
        return f"under {estimate.high:.1f}"
    half = (estimate.high - estimate.low) / 2
    return f"{estimate.value:.1f} +/- {half:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"


def plain(estimate: Estimate) -> dict[str, float | None]:
    """An estimate for JSON, which has no infinity: `plain(Estimate(1, -math.inf, 2))["low"] is None`."""
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: number if math.isfinite(number) else None for name, number in numbers.items()}


def _mean(values: list[float] | list[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _ratio(lost: int, half_lost: int, even: int, half_won: int, won: int) -> str:
    """Rounds won for each that was lost."""
    if lost + half_lost:
        return f"{(won + half_won) / (lost + half_lost):.2f}"
    return "inf" if won + half_won else "–"


def _pace(seconds: list[float | None]) -> str:
    shown = ["–" if one is None else f"{one * 1000:.1f} ms" for one in seconds]
    return f"Time per move: {shown[0]} vs {shown[1]}"
