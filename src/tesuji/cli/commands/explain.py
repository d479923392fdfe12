"""`tesuji explain`: the evaluation of moves, feature by feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from tesuji.any_game import parse_move
from tesuji.cli.shared.arguments import DealSeed, GameSpec, Json, Load, option
from tesuji.cli.shared.errors import BadInput, input_errors, package_errors
from tesuji.cli.shared.inputs import read_game, read_moves, to_move
from tesuji.cli.shared.output import print_json, show_position
from tesuji.full_game import FullGame
from tesuji.registry import spec_of
from tesuji.search.priors import named_prior
from tesuji.search.values import named_value

if TYPE_CHECKING:
    from tesuji.learn.explain import Explanation
    from tesuji.models.linear import TrainedLinearPrior

TOP, FEATURES = 5, 20


def explain(
    game: GameSpec = None,
    moves: Annotated[str, option("MOVES", 'Moves played so far, such as "boar:a1a2 horse:d5d4".')] = "",
    value: Annotated[
        str | None, option("VALUE", "Model file or named value; defaults to the game's own.")
    ] = None,
    prior: Annotated[
        str | None, option("PRIOR", "Explain how likely a prior finds each move: a model file.")
    ] = None,
    compare: Annotated[tuple[str, str] | None, option("MOVE MOVE", "Compare two moves.")] = None,
    top: Annotated[
        int | None, option("N", f"Moves to show; defaults to {TOP}, or all with --json.", min=1)
    ] = None,
    features: Annotated[int, option("N", "Features to show; the rest are summed.", min=1)] = FEATURES,
    seed: DealSeed = None,
    files: Load = None,
    as_json: Json = False,
) -> None:
    """Explain moves, feature by feature.

    Shows each feature's contribution in the position after a move, for the player who makes it. The
    contributions add up to log-odds for a learned value and to a win probability for objectives.
    """
    spec, rules = read_game(game, files)
    state = to_move(read_moves(rules.start(seed), moves), "after these moves; there is nothing to explain")
    if prior is not None and value is not None:
        raise BadInput("set --value or --prior, not both")
    with package_errors():
        name, judge = _find_value(value, rules, spec) if prior is None else (prior, _find_prior(prior, rules))
    with input_errors("--compare"):
        chosen = [parse_move(state, text) for text in compare or ()]
    if chosen and chosen[0] == chosen[1]:
        raise BadInput(f"--compare needs two different moves, not {compare[0]!r} twice")  # type: ignore[index]

    from tesuji.learn.explain import explain as explained
    from tesuji.learn.explain import explain_prior

    with package_errors():
        if prior is None:
            found = explained(state, judge, players=rules.players)
        else:
            found = explain_prior(state, judge)
    pair = [next(one for one in found if one.move == move) for move in chosen]
    dealt = spec_of(state.game)
    if as_json:
        facts = {"game": dealt, "value": name, "moves": moves.replace(",", " ").split()}
        print_json({**facts, "player": state.player, **_facts(found[:top], pair)})
        return

    from tesuji.cli.shared.explanations import ExplanationView

    view = ExplanationView(rules, features)
    show_position(state, f"{dealt} · {name}")
    if pair:
        view.comparison(*pair)
    else:
        view.candidates(found, top or TOP)
        if prior is None:
            view.breakdown(found[0])


def _find_value(given: str | None, rules: FullGame, spec: str) -> tuple[str, Any]:
    """The value to explain and its name; defaults to the game's objectives, or to its first named value."""
    offered = list(rules.values)
    for name in [given] if given is not None else ["game", *offered[:1]]:
        judge = named_value(name, rules)
        if judge is not None:
            return ("the game's own value" if name == "game" else name), judge
    if given is not None and given != "game":
        raise BadInput(f"--value {given} gives no evaluation to explain")
    also = f"{', '.join(offered)}, or " if offered else ""
    raise BadInput(
        f"{spec} has no objectives to explain; set --value to {also}a model file from tesuji learn"
    )


def _find_prior(given: str, rules: FullGame) -> TrainedLinearPrior:
    """The learned prior to explain."""
    from tesuji.models.linear import TrainedLinearPrior

    found = named_prior(given, rules)
    if not isinstance(found, TrainedLinearPrior):
        raise BadInput(f"--prior {given} is not a learned prior")
    return found


def _facts(found: list[Explanation], pair: list[Explanation]) -> dict[str, object]:
    from tesuji.learn.explain import differences

    facts: dict[str, object] = {
        "unit": found[0].unit,
        "explanations": [one.as_dict() for one in found],
    }
    if pair:
        facts["compare"] = {
            "moves": [one.as_dict() for one in pair],
            "differences": [
                {
                    "name": each.name,
                    "readings": [each.one.reading, each.other.reading],
                    "contributions": [each.one.contribution, each.other.contribution],
                    "difference": each.difference,
                }
                for each in differences(*pair)
            ],
        }
    return facts
