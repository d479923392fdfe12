"""The options `move_ordering` and `playout_policy`: the game's own, a learned prior, or a function.

In a spec, `game` means the hook of the game's knowledge, other names are keys of the game's `priors` (a
mapping from name to a factory), and anything else is a model file from `tesuji learn prior`. A prior is a
move ordering, and its `playout_policy` draws moves from it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tesuji.full_game import FullGame
from tesuji.knowledge import Knowledge, MoveOrdering, PlayoutPolicy, native_form
from tesuji.search.values import offered_by

OrderingOption: TypeAlias = Literal["game", "off"] | str | MoveOrdering
"""A string is the name of one of the game's priors or a model file."""
PolicyOption: TypeAlias = Literal["game", "off"] | str | PlayoutPolicy


def find_ordering(given: OrderingOption, knowledge: Knowledge, game: FullGame) -> object:
    """The move ordering that an option names, native where possible; None for none."""
    hook: object = given
    if isinstance(given, str):
        hook = knowledge.move_ordering if given == "game" else named_prior(given, game)
    return native_form(hook)


def find_policy(given: PolicyOption, knowledge: Knowledge, game: FullGame) -> object:
    """The playout policy that an option names, native where possible; None for none."""
    hook: object = given
    if isinstance(given, str):
        hook = knowledge.playout_policy if given == "game" else _policy(given, game)
    return native_form(hook)


def named_prior(name: str, game: FullGame) -> object:
    """The prior with this name or path for this game, None for `off`; ValueError where there is none."""
    if name == "off":
        return None
    if (found := offered_by("prior", name, game.priors)) is not None:
        return found
    from tesuji.models.linear import TrainedLinearPrior  # here: numpy is slow to import

    return TrainedLinearPrior.load(name, game=game)


def _policy(name: str, game: FullGame) -> object:
    prior = named_prior(name, game)
    policy = getattr(prior, "playout_policy", None)
    if prior is not None and policy is None:
        raise ValueError(f"the prior {name!r} has no playout policy")
    return policy
